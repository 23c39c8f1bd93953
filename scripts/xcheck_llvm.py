"""The work of xcheck-llvm.sh (which see). Disassembly goes through LLVM's C interface, because llvm-mc
--disassemble finds its step again inside a line after an invalid word; assembly goes through llvm-mc."""
import argparse
import ctypes
import os
import random
import re
import subprocess
import sys

MC = "llvm-mc-19"
LIBRARIES = ["libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"]
TRIPLE = "amdgcn-amd-amdhsa"
FULL = 1000000  # random words from which on each row of xcheck-llvm.known must have explained something


def skip(reason):
    print("TAP version 13\n1..0 # SKIP " + reason)
    sys.exit(0)


class Disassembler:
    """One instruction at a time: (dwords used, text), (0, "") if LLVM refuses."""

    def __init__(self, mcpu):
        for name in LIBRARIES:
            try:
                lib = ctypes.CDLL(name)
                break
            except OSError:
                lib = None
        if lib is None:
            skip("libLLVM 19 cannot be loaded")
        for part in ("TargetInfo", "Target", "TargetMC", "Disassembler"):
            getattr(lib, "LLVMInitializeAMDGPU" + part)()
        lib.LLVMCreateDisasmCPU.restype = ctypes.c_void_p
        lib.LLVMCreateDisasmCPU.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p,
                                            ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        self.run = lib.LLVMDisasmInstruction
        self.run.restype = ctypes.c_size_t
        self.run.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64,
                             ctypes.c_char_p, ctypes.c_size_t]
        self.context = lib.LLVMCreateDisasmCPU(TRIPLE.encode(), mcpu.encode(), None, 0, None, None)
        self.buffer = ctypes.create_string_buffer(1000)

    def __call__(self, dwords):
        code = b"".join(w.to_bytes(4, "little") for w in dwords)
        used = self.run(self.context, code, len(code), 0, self.buffer, 1000)
        return (used // 4, self.buffer.value.decode().strip()) if used else (0, "")


def crashes_llvm(dwords):
    """SDWA selects of 7 abort LLVM's printer; dst_unused 3 is excluded with them."""
    if len(dwords) < 2 or dwords[0] & 0x1ff != 0xf9 or dwords[0] >> 31:
        return False
    w = dwords[1]
    return 7 in (w >> 8 & 7, w >> 16 & 7, w >> 24 & 7) or w >> 11 & 3 == 3


def parse_hex(text):
    return [int(w, 16) for w in text.split()]


def show_hex(dwords):
    return " ".join("%08x" % w for w in dwords)


def assemble_llvm(mcpu, lines):
    """For each line the dwords in hex, or "error: reason"."""
    run = subprocess.run([MC, "-triple=" + TRIPLE, "-mcpu=" + mcpu, "-show-encoding"], text=True,
                         input="\n".join(lines) + "\n", capture_output=True)
    if "not a recognized processor" in run.stderr:
        sys.exit("%s does not know %s" % (MC, mcpu))
    errors = {int(m[1]): m[2] for m in re.finditer(r"^<stdin>:(\d+):\d+: error: (.*)$", run.stderr, re.M)}
    codes = iter(re.findall(r"; encoding: \[(.*)\]", run.stdout))
    out = []
    for number in range(1, len(lines) + 1):
        if number in errors:
            out.append("error: " + errors[number])
        else:
            code = bytes(int(b, 16) for b in next(codes).split(","))
            out.append(show_hex(int.from_bytes(code[i:i + 4], "little") for i in range(0, len(code), 4)))
    return out


def ours(gcncheck, command, mcpu, lines):
    run = subprocess.run([gcncheck, command, "--mcpu", mcpu], text=True, input="\n".join(lines) + "\n",
                         capture_output=True)
    out = run.stdout.rstrip("\n").split("\n")
    if len(out) != len(lines):
        sys.exit("gcncheck %s answered %d of %d lines: %s" % (command, len(out), len(lines), run.stderr))
    return [re.sub(r"^error: line \d+:", "error:", line) for line in out]


class Known:
    """Reviewed differences: side, subject, LLVM's answer, our answer (regular expressions), reason. A side may name
    its processors, as in dis:gfx9.. (a regular expression): the row is of no concern elsewhere."""

    def __init__(self, path, mcpu):
        self.rows = []
        for number, line in enumerate(open(path), 1):
            if line.strip() and not line.startswith("#"):
                cells = line.rstrip("\n").split("\t")
                if len(cells) != 5:
                    sys.exit("%s:%d: five cells between tabs are needed" % (path, number))
                side, _, processors = cells[0].partition(":")
                if not re.fullmatch(processors or ".*", mcpu):
                    continue
                self.rows.append([side] + [re.compile(c) for c in cells[1:4]] + [cells[4], 0, number])

    def explains(self, side, *answers):
        for row in self.rows:
            if row[0] == side and all(r.fullmatch(a) for r, a in zip(row[1:4], answers)):
                row[5] += 1
                return True
        return False


class Report:
    def __init__(self, known, show):
        self.known, self.show, self.number, self.failed = known, show, 0, 0
        print("TAP version 13")

    def compare(self, side, title, triples):
        """triples: subject, LLVM's answer, our answer."""
        count, bad = 0, []
        for subject, llvm, our in triples:
            count += 1
            if llvm != our and not self.known.explains(side, subject, llvm, our):
                bad.append((subject, llvm, our))
        self.number += 1
        self.failed += bool(bad)
        print("%sok %d - %s: %d compared" % ("not " if bad else "", self.number, title, count))
        if bad:
            print("  ---\n  differences: %d" % len(bad))
            step = max(1, len(bad) // self.show)  # spread over all of them
            for subject, llvm, our in bad[::step][:self.show]:
                print("  - subject: %s\n    llvm: '%s'\n    ours: '%s'" % (subject, llvm, our))
            print("  ...")
        sys.stdout.flush()

    def stale(self):
        """With enough words every reviewed difference shows: a row that explains none would hide a new one."""
        bad = [row for row in self.known.rows if row[5] == 0]
        self.number += 1
        self.failed += bool(bad)
        print("%sok %d - every reviewed difference is there: %d rows" % ("not " if bad else "", self.number,
                                                                         len(self.known.rows)))
        for row in bad:
            print("# line %d of xcheck-llvm.known explains nothing: %s: %s" % (row[6], row[0], row[4]))

    def close(self):
        for side, _, _, _, reason, hits, _ in self.known.rows:
            print("# %s: %d times: %s" % (side, hits, reason))
        print("1..%d" % self.number)
        return 1 if self.failed else 0


def disassemble_llvm(dis, dwords):
    used, text = dis(dwords)
    return text if used == len(dwords) else "invalid"


def normal(answer):
    """Reasons for refusing are our own: only that it was refused counts. They are kept after a bar."""
    for word in ("invalid", "error"):
        if answer.startswith(word):
            return word
    return answer


def check_samples(report, dis, args):
    run = subprocess.run([args.gcncheck, "list", "--mcpu", args.mcpu, "--format", "samples", "--count",
                          str(args.fields), "--seed", str(args.seed)], text=True, capture_output=True, check=True)
    seen = dict(line.split("\t") for line in run.stdout.rstrip("\n").split("\n"))
    report.compare("dis", "disassembly of samples",
                   ((hexes, disassemble_llvm(dis, parse_hex(hexes)), normal(text)) for hexes, text in seen.items()
                    if not crashes_llvm(parse_hex(hexes)) and not text.endswith("operands not described")))
    texts = sorted({text for text in seen.values() if not text.startswith("invalid")})
    llvm = assemble_llvm(args.mcpu, texts)
    our = ours(args.gcncheck, "asm", args.mcpu, texts)
    report.compare("asm", "assembly of the samples' texts",
                   ((text, normal(a), normal(b)) for text, a, b in zip(texts, llvm, our)))


def random_words(args):
    """Words spread over the encodings; the second dword is a literal or the other half."""
    rng = random.Random(args.seed)
    for _ in range(args.random):
        dwords = [rng.getrandbits(32), rng.getrandbits(32)]
        if rng.random() < 0.5:
            dwords[1] &= rng.getrandbits(32) & rng.getrandbits(32)
        if not crashes_llvm(dwords):
            yield dwords


def check_random(report, dis, args):
    words, llvm = [], []
    modelled = modelled_names(args)
    for dwords in random_words(args):
        used, text = dis(dwords)
        if used > 2:
            continue
        name = re.sub(r"_(e32|e64|sdwa|dpp)$", "", text.split()[0]) if text else ""
        if used and name not in modelled:
            continue
        words.append(show_hex(dwords[:used] if used else dwords))
        llvm.append(text if used else "invalid")
    our = ours(args.gcncheck, "dis", args.mcpu, words)
    report.compare("dis", "disassembly of random words",
                   ((w, a, normal(b)) for w, a, b in zip(words, llvm, our)))


def modelled_names(args):
    run = subprocess.run([args.gcncheck, "list", "--mcpu", args.mcpu, "--format", "tsv"], text=True,
                         capture_output=True, check=True)
    rows = [line.split("\t") for line in run.stdout.rstrip("\n").split("\n")[1:]]
    return {row[2] for row in rows if row[3] != "-"}


def check_names(report, dis, args):
    """Every opcode that LLVM has too has our name for it: numbers in the table against LLVM's decoder."""
    run = subprocess.run([args.gcncheck, "list", "--mcpu", args.mcpu, "--format", "tsv"], text=True,
                         capture_output=True, check=True)
    prefix = {"SOP2": (0x80000000, 23), "SOPK": (0xb0000000, 23), "SOP1": (0xbe800000, 8), "SOPC": (0xbf000000, 16),
              "SOPP": (0xbf800000, 16), "SMEM": (0xc0020000, 18), "VOP2": (0x02000000 - 0x02000000, 25),
              "VOP1": (0x7e000000, 9), "VOPC": (0x7c000000, 17), "VOP3A": (0xd0000000, 16), "VOP3B": (0xd0000000, 16),
              "DS": (0xd8000000, 17), "FLAT": (0xdc000000, 18), "GLOBAL": (0xdc008000, 18),
              "SCRATCH": (0xdc004000, 18), "MUBUF": (0xe0000000, 18), "MTBUF": (0xe8000000, 15), "MIMG": (0xf0000000, 18),
              "VOP3P": (0xd3800000, 16), "MAI": (0xd3800000, 16)}
    triples = []
    for line in run.stdout.rstrip("\n").split("\n")[1:]:
        enc, number, name = line.split("\t")[:3]
        if enc not in prefix:
            continue
        base, shift = prefix[enc]
        for second in (0, 0x007f0000):
            used, text = dis([base | int(number) << shift, second])
            if used:
                break
        llvm = re.sub(r"_(e32|e64|sdwa|dpp)$", "", text.split()[0]) if used else name
        triples.append(("%s %s" % (enc, number), llvm, name))
    report.compare("name", "names of opcodes", triples)


def print_pairs(args, dis):
    """The texts of cases/text/NAME.s with what LLVM makes of them."""
    version = subprocess.run([MC, "--version"], text=True, capture_output=True).stdout.split("version ")[1].split()[0]
    lines = [line.rstrip("\n") for line in open("cases/text/%s.s" % args.mcpu)]
    lines = [line for line in lines if line.strip() and not line.startswith("//")]
    print("# Instructions and their dwords, made from %s.s by scripts/xcheck-llvm.sh --pairs with LLVM %s." %
          (args.mcpu, version))
    print("# dwords, text as disassembled, text as written where it differs; or error and a text to be refused")
    for line, code in zip(lines, assemble_llvm(args.mcpu, lines)):
        if code.startswith("error"):
            print("error\t" + line)
        else:
            text = disassemble_llvm(dis, parse_hex(code))
            print("\t".join([code, text] + ([line] if line != text else [])))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--gcncheck", default=os.environ.get("GCNCHECK", "build/gcncheck"))
    p.add_argument("--mcpu", default="gfx900")
    p.add_argument("--random", type=int, default=100000)
    p.add_argument("--fields", type=int, default=20)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--show", type=int, default=12)
    p.add_argument("--pairs", action="store_true")
    args = p.parse_args()
    dis = Disassembler(args.mcpu)
    assemble_llvm(args.mcpu, ["s_nop 0"])
    if args.pairs:
        return print_pairs(args, dis)
    report = Report(Known("scripts/xcheck-llvm.known", args.mcpu), args.show)
    check_names(report, dis, args)
    check_samples(report, dis, args)
    check_random(report, dis, args)
    if args.random >= FULL:
        report.stale()
    return report.close()


sys.exit(main())
