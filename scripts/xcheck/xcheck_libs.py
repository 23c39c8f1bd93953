"""The work of xcheck-libs.sh (which see). Bundles are found here by the format's description, not by gcncheck, so that
one it overlooks is missed."""
import argparse
import collections
import itertools
import mmap
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from tap import Tap

OBJDUMP = "llvm-objdump-19"
LIBRARIES = ["/usr/lib/x86_64-linux-gnu/librocrand.so.1", "/usr/lib/x86_64-linux-gnu/librocsparse.so.0"]
PROCESSORS = "gfx803,gfx900,gfx906,gfx908"
MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def fatbin(lib):
    """Offset and size of .hip_fatbin, (0, 0) if there is none: read from the section headers."""
    shoff, = struct.unpack_from("<Q", lib, 40)
    entry, count, names = struct.unpack_from("<HHH", lib, 58)
    heads = [struct.unpack_from("<IIQQQQ", lib, shoff + i * entry) for i in range(count)]
    for head in heads:
        at = heads[names][4] + head[0]
        if lib[at:at + 12] == b".hip_fatbin\0":
            return head[4], head[5]
    return 0, 0


def code_objects(lib, mcpu):
    """Offset and size of each code object for the processor."""
    start, size = fatbin(lib)
    at = lib.find(MAGIC, start, start + size)
    while at >= 0:
        count, = struct.unpack_from("<Q", lib, at + 24)
        p = at + 32
        for _ in range(count):
            offset, length, id_length = struct.unpack_from("<QQQ", lib, p)
            name = lib[p + 24:p + 24 + id_length].decode()
            p += 24 + id_length
            if length and name.split("--")[-1].split(":")[0] == mcpu:
                yield at + offset, length
        at = lib.find(MAGIC, p, start + size)


def lines_of(command):
    """The lines of a command's output without those that name the file."""
    run = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=1 << 20)
    yield from (line for line in run.stdout if b"\tfile format " not in line)
    if run.wait():
        sys.exit("%s ended with code %d" % (" ".join(command[:3]), run.returncode))


def llvm_lines(paths):
    for i in range(0, len(paths), 20):
        yield from lines_of([OBJDUMP, "-d"] + paths[i:i + 20])


def address(line):
    m = re.search(rb"// ([0-9A-F]{12,}):", line)
    return int(m[1], 16) if m else None


def mnemonic(line):
    return line.split(None, 1)[0].decode() if line.startswith(b"\t") and line.strip() else "(other lines)"


class Tally:
    def __init__(self, show):
        self.show = show
        self.groups = collections.OrderedDict()

    def add(self, key, *lines):
        group = self.groups.setdefault(key, [0, []])
        group[0] += 1
        if len(group[1]) < self.show:
            group[1].append(lines)

    def total(self):
        return sum(group[0] for group in self.groups.values())

    def print(self):
        for key, (count, examples) in sorted(self.groups.items(), key=lambda item: -item[1][0]):
            print("# %s: %d" % (key, count))
            for lines in examples:
                for line in lines:
                    print("#   " + line.decode().strip())


def compare_text(theirs, ours, tally):
    """Counts symbols, instructions and equal lines of two listings; where they lose step, they find it at the next
    address that both have."""
    symbols = instructions = 0
    for a, b in itertools.zip_longest(theirs, ours, fillvalue=b""):
        instructions += b.startswith(b"\t") and b"//" in b
        symbols += b.endswith(b">:\n")
        if a == b:
            continue
        tally.add(mnemonic(a or b), b"LLVM: " + a, b"ours: " + b)
        if tally.total() > 100000:
            break
        if address(a) != address(b):  # out of step: the rest of the lines says nothing
            tally.add("(out of step)", b"LLVM: " + a, b"ours: " + b)
            break
    return symbols, instructions


class Known:
    def __init__(self, path):
        self.rows = []
        for number, line in enumerate(open(path), 1):
            if line.strip() and not line.startswith("#"):
                cells = line.rstrip("\n").split("\t")
                if len(cells) != 4:
                    sys.exit("%s:%d: four cells between tabs are needed" % (path, number))
                self.rows.append([re.compile(c) for c in cells[:3]])

    def explains(self, *cells):
        return any(all(r.fullmatch(c) for r, c in zip(row, cells)) for row in self.rows)


CHECKED = re.compile(r"\t(.*?) *// [0-9A-F]+: ([0-9A-F ]+) // (?:error: |assembles to )(.*)")


def check_bits(gcncheck, mcpu, path, known, tally):
    """Runs dis --check: instructions, explained lines; what is not explained goes to the tally."""
    run = subprocess.Popen([gcncheck, "dis", "--check", "--mcpu", mcpu, path], stdout=subprocess.PIPE, text=True)
    explained, summary = 0, ""
    for line in run.stdout:
        m = CHECKED.fullmatch(line.rstrip("\n"))
        if not m:
            summary = line.strip()
        elif known.explains(m[1], m[2].strip(), m[3]):
            explained += 1
        else:
            tally.add(m[1].split()[0], line.encode())
    run.wait()
    m = re.fullmatch(r"(\d+) code objects, (\d+) symbols, (\d+) instructions, .* (\d+) lines assemble to other bits",
                     summary)
    if not m or int(m[4]) != explained + tally.total():
        sys.exit("gcncheck dis --check %s: its last line is %r" % (path, summary))
    return int(m[1]), int(m[3]), explained


def check_comparison(tap, gcncheck, tmp, lib, objects, mcpu):
    """A listing of a copy with one bit of one instruction changed must be found to differ in that line alone."""
    good = os.path.join(tmp, "good")
    for offset, size in objects:
        code = bytearray(lib[offset:offset + size])
        open(good, "wb").write(code)
        listing = list(lines_of([gcncheck, "dis", good]))
        at = next((address(line) for line in listing if line.startswith(b"\ts_waitcnt lgkmcnt")), None)
        if at is not None:
            break
    phoff, = struct.unpack_from("<Q", code, 32)
    entry, count = struct.unpack_from("<HH", code, 54)
    for i in range(count):
        kind, _, start, vaddr, _, length = struct.unpack_from("<IIQQQQ", code, phoff + i * entry)
        if kind == 1 and vaddr <= at < vaddr + length:
            code[at - vaddr + start] ^= 1  # vmcnt
            break
    bad = os.path.join(tmp, "bad")
    open(bad, "wb").write(code)
    tally = Tally(2)
    compare_text(iter(listing), lines_of([gcncheck, "dis", bad]), tally)
    tap.point(tally.total() == 1, "a changed bit is seen in %s (%d lines differ)" % (mcpu, tally.total()))


def check_library(tap, args, known, tmp, path, mcpu):
    name = os.path.basename(path).split(".")[0]
    with open(path, "rb") as f:
        lib = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
    objects = list(code_objects(lib, mcpu))
    if not objects:
        tap.point(True, "%s %s # SKIP has no code for it" % (name, mcpu))
        return
    paths = []
    for i, (offset, size) in enumerate(objects):
        paths.append(os.path.join(tmp, "%d.co" % i))
        open(paths[-1], "wb").write(lib[offset:offset + size])
    if path == args.libraries[0]:
        check_comparison(tap, args.gcncheck, tmp, lib, objects, mcpu)
    text, bits = Tally(args.show), Tally(args.show)
    ours = lines_of([args.gcncheck, "dis", "--mcpu", mcpu, path])
    symbols, instructions = compare_text(llvm_lines(paths), ours, text)
    text.print()
    tap.point(text.total() == 0, "%s %s text: %d code objects, %d symbols, %d instructions, %d lines differ"
              % (name, mcpu, len(objects), symbols, instructions, text.total()))
    seen, again, explained = check_bits(args.gcncheck, mcpu, path, known, bits)
    bits.print()
    tap.point(bits.total() == 0 and seen == len(objects) and again > 0,
              "%s %s bits: %d instructions assembled again, %d explained, %d differ"
              % (name, mcpu, again, explained, bits.total()))
    for p in paths:
        os.unlink(p)


def main():
    parser = argparse.ArgumentParser(prog="xcheck-libs.sh")
    parser.add_argument("--gcncheck", default=os.environ.get("GCNCHECK", "build/gcncheck"))
    parser.add_argument("--mcpu", default=PROCESSORS)
    parser.add_argument("--show", type=int, default=2)
    parser.add_argument("libraries", nargs="*", default=LIBRARIES)
    args = parser.parse_args()
    known = Known("scripts/xcheck/xcheck-libs.known")
    tap = Tap()
    with tempfile.TemporaryDirectory() as tmp:
        for mcpu in args.mcpu.split(","):
            is_known = subprocess.run([args.gcncheck, "list", "--mcpu", mcpu], capture_output=True).returncode == 0
            for path in args.libraries:
                name = os.path.basename(path).split(".")[0]
                if not is_known:
                    tap.point(True, "%s %s # SKIP gcncheck does not describe it" % (name, mcpu))
                elif not os.path.exists(path):
                    tap.point(True, "%s %s # SKIP %s is not installed" % (name, mcpu, path))
                else:
                    check_library(tap, args, known, tmp, path, mcpu)
    print("1..%d" % tap.number)
    sys.exit(tap.failed > 0)


if __name__ == "__main__":
    main()
