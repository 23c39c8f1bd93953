"""The work of xcheck-llvm.sh (which see): judges the differences that build/xcheck_llvm finds."""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import threading

MC = ["llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-show-encoding"]
MILLION = 1000000
# Processor: another one whose rows a quick run does not compare again, random words of a full run; no words where LLVM
# has no disassembler (there the texts of gfx803 are assembled too: what LLVM takes of them, we take). Few words where
# the opcodes are another processor's.
PROCESSORS = {"gfx700": (None, 0), "gfx600": ("gfx700", 0), "gfx803": (None, 10 * MILLION),
              "gfx810": ("gfx803", MILLION), "gfx900": (None, 10 * MILLION), "gfx902": ("gfx900", MILLION),
              "gfx904": ("gfx900", MILLION), "gfx906": ("gfx904", 10 * MILLION), "gfx908": ("gfx906", 10 * MILLION),
              "gfx909": ("gfx900", MILLION), "gfx90c": ("gfx900", MILLION)}
NO_LLVM = 77


def words_of(mcpu):
    """The other processor, and random words, as in the table; of those that do not stand there, what LLVM can."""
    return PROCESSORS.get(mcpu, (None, 0 if re.match("gfx[67]", mcpu) else MILLION))


class Known:
    """Reviewed differences: side, subject, LLVM's answer, our answer (regular expressions), reason. A side may name
    its processors, as in dis:gfx9.. (a regular expression): the row is of no concern elsewhere."""

    def __init__(self, path):
        self.rows, self.processors = [], {}
        self.lock = threading.Lock()  # processors are compared side by side
        for number, line in enumerate(open(path), 1):
            if line.strip() and not line.startswith("#"):
                cells = line.rstrip("\n").split("\t")
                if len(cells) != 5:
                    sys.exit("%s:%d: five cells between tabs are needed" % (path, number))
                side, _, processors = cells[0].partition(":")
                self.rows.append([side] + [re.compile(c) for c in cells[1:4]] + [cells[4], 0, number])
                self.processors[number] = re.compile(processors or ".*")

    def of(self, mcpu):
        """The rows that concern a processor."""
        return [row for row in self.rows if self.processors[row[6]].fullmatch(mcpu)]

    def explain(self, rows, side, *answers):
        for row in rows:
            if row[0] == side and all(r.fullmatch(a) for r, a in zip(row[1:4], answers)):
                with self.lock:
                    row[5] += 1
                return True
        return False

    def unused(self, mcpus):
        """Rows that explained nothing although they concern one of the processors."""
        return [row for row in self.rows if row[5] == 0 and any(row in self.of(mcpu) for mcpu in mcpus)]

    def tell(self):
        for side, _, _, _, reason, hits, _ in (row for row in self.rows if row[5]):
            print("# %s: %d times: %s" % (side, hits, reason))


def mnemonics():
    """Those of LLVM's assembler: names behind their length, in the library that it is."""
    path = re.search(r"/\S*libLLVM[-.\d\w]*", subprocess.run(["ldd", shutil.which(MC[0])], text=True,
                                                           capture_output=True).stdout)
    names = set()
    for m in re.finditer(rb"([\x03-\x40])([a-z][a-z0-9_]+)", open(path[0], "rb").read() if path else b""):
        name = m[2][:m[1][0]].decode()
        if len(name) == m[1][0] and re.match(r"(s|v|ds|t?buffer|image|flat|global|scratch)_\w|exp$", name):
            names.add(name)
    return sorted(names)


def lacking(mcpu, args, names):
    """The mnemonics that LLVM has for a processor and we have not, as lines of the comparison."""
    run = subprocess.run(MC + ["-mcpu=" + mcpu], text=True, input="\n".join(names) + "\n", capture_output=True)
    absent = {int(m[1]) for m in re.finditer(r"^<stdin>:(\d+):\d+: error: (?:instruction not supported on|invalid instr)",
                                             run.stderr, re.M)}
    theirs = [name for number, name in enumerate(names, 1) if number not in absent]
    ours = subprocess.run([args.gcncheck, "asm", "--mcpu", mcpu], text=True, input="\n".join(theirs) + "\n",
                          capture_output=True).stdout.split("\n")
    return len(theirs), [["name", name, "known", "unknown"] for name, answer in zip(theirs, ours)
                         if "unknown mnemonic" in answer]


def compare(known, mcpu, args, options, names):
    """Runs one processor: (what was compared, known differences, the other ones)."""
    command = [args.tool, mcpu, "--seed", str(args.seed)] + options
    run = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, bufsize=1 << 20)
    rows, count, explained, bad = known.of(mcpu), None, 0, []
    theirs, unknown = lacking(mcpu, args, names)
    for line in ["\t".join(cells) for cells in unknown] + run.stdout.read().split("\n")[:-1]:
        if line.startswith("# "):
            count = [int(n) for n in line[2:].split()] + [theirs]
            continue
        cells = line.split("\t")
        if known.explain(rows, *cells):
            explained += 1
        else:
            bad.append(cells)
    code = run.wait()
    if code == NO_LLVM:
        print("1..0 # SKIP libLLVM 19 cannot be loaded")
        sys.exit(0)
    if code or not count:
        bad.append(["run", " ".join(command), "", "ended with code %d" % code])
    return count or [0, 0, 0, 0], explained, bad


def report(number, mcpu, result, show):
    """One line for a processor, and some of its unexplained differences."""
    (samples, texts, words, theirs), explained, bad = result
    print("%sok %d - %s: %d samples, %d texts, %d random words, %d mnemonics; %d differences are "
          "known, %d are not" % ("not " if bad else "", number, mcpu, samples, texts, words, theirs, explained, len(bad)))
    if bad:
        print("  ---")
        step = max(1, len(bad) // show)  # spread over all of them
        for side, subject, llvm, our in bad[::step][:show]:
            print("  - %s: %s\n    llvm: '%s'\n    ours: '%s'" % (side, subject, llvm, our))
        print("  ...")
    sys.stdout.flush()


def options_of(mcpu, args):
    lacking, words = words_of(mcpu)
    if args.full:
        options = ["--all", "--fields", "100", "--random", str(args.random or words)]
    else:
        options = ["--fields", "20", "--random", str(args.random or 20000)]
    if not args.full and not args.mcpu:
        options += ["--lacking", lacking] if lacking else ["--every", "3"]
    return options + ([] if words else ["--no-dis", "--texts", "gfx803"])


def print_pairs(mcpu):
    """The texts of cases/text/MCPU.s with what LLVM makes of them."""
    version = subprocess.run([MC[0], "--version"], text=True, capture_output=True).stdout.split("version ")[1].split()[0]
    lines = [line.rstrip("\n") for line in open("cases/text/%s.s" % mcpu)]
    lines = [line for line in lines if line.strip() and not line.startswith("//")]
    run = subprocess.run(MC + ["-mcpu=" + mcpu], text=True, input="\n".join(lines) + "\n", capture_output=True)
    if "not a recognized processor" in run.stderr:
        sys.exit("%s does not know %s" % (MC[0], mcpu))
    errors = {int(m[1]) for m in re.finditer(r"^<stdin>:(\d+):\d+: error: ", run.stderr, re.M)}
    codes = re.findall(r"; encoding: \[(.*)\]", run.stdout)
    back = run.stdout  # its own text of what it has read
    if words_of(mcpu)[1]:
        back = subprocess.run(MC + ["-mcpu=" + mcpu, "-disassemble"], text=True, input="\n".join(codes) + "\n",
                              capture_output=True).stdout
    answers = iter(zip(re.findall(r"^\s*(.*?)\s*; encoding: ", back, re.M), codes))
    print("# Instructions and their dwords, made from %s.s by scripts/xcheck/xcheck-llvm.sh --pairs with LLVM %s." % (mcpu, version))
    print("# dwords, text as disassembled, text as written where it differs; or error and a text to be refused")
    for number, line in enumerate(lines, 1):
        if number in errors:
            print("error\t" + line)
            continue
        text, code = next(answers)
        code = bytes(int(b, 16) for b in code.split(","))
        words = " ".join("%08x" % int.from_bytes(code[i:i + 4], "little") for i in range(0, len(code), 4))
        print("\t".join([words, text] + ([line] if line != text else [])))


def main():
    build = os.environ.get("BUILD", "build")
    p = argparse.ArgumentParser()
    p.add_argument("--tool", default=build + "/xcheck_llvm")
    p.add_argument("--gcncheck", default=build + "/gcncheck")
    p.add_argument("--mcpu")
    p.add_argument("--full", action="store_true")
    p.add_argument("--random", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--show", type=int, default=12)
    p.add_argument("--pairs", action="store_true")
    args = p.parse_args()
    if args.pairs:
        return print_pairs(args.mcpu or "gfx900")
    known, number, failed = Known("scripts/xcheck/xcheck-llvm.known"), 0, False
    names = mnemonics()
    print("TAP version 13")
    processors = args.mcpu.split(",") if args.mcpu else list(PROCESSORS)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda mcpu: compare(known, mcpu, args, options_of(mcpu, args), names), processors)
        for number, (mcpu, result) in enumerate(zip(processors, results), 1):
            report(number, mcpu, result, args.show)
            failed |= bool(result[2])
    if args.full and not args.mcpu:
        # With enough words every reviewed difference shows: a row that explains none would hide a new one.
        unused = known.unused(PROCESSORS)
        number += 1
        failed |= bool(unused)
        print("%sok %d - every reviewed difference is there: %d rows" % ("not " if unused else "", number, len(known.rows)))
        for row in unused:
            print("# line %d of xcheck-llvm.known explains nothing: %s: %s" % (row[6], row[0], row[4]))
    known.tell()
    print("1..%d" % number)
    return 1 if failed else 0


sys.exit(main())
