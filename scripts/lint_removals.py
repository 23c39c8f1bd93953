#!/usr/bin/env python3
"""Takes the waits out of compiled kernels, one at a time, and asks gcncheck lint. TAP 13 on stdout.

    scripts/lint_removals.py [--gcncheck FILE] [--limit N] [--list FILE] KERNEL.co...

Beside a code object MCPU.LEVEL.co lies its launch.txt. As it is the object must be clean. Then, one by one, in a copy:
    removed   s_waitcnt becomes s_nop 0
    weakened  one counter of s_waitcnt allows one instruction more
    shorter   s_nop N becomes s_nop N-1; s_nop 0 goes in front of the instruction before it
Each must be flagged by lint, or be shown to be legal: the changed kernel is launched with --check-hazards, has to end
with the right output and without a violation, and what the wait was for has to be one of the reasons below, which no
rule about registers asks for. Anything else is a point that fails.
"""
import argparse
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

LINE = re.compile(r"^\t(\S+) ?(.*?)\s*// ([0-9A-F]{12,16}): ([0-9A-F ]+?)(?: <.*)?$")
S_NOP = 0xBF800000
VM_MAX, LGKM_MAX = 63, 15


class Insn:
    def __init__(self, at, name, operands, dwords):
        self.at, self.name, self.operands, self.dwords = at, name, operands, dwords
        self.end = at + 4 * len(dwords)


def listing(gcncheck, path):
    """Instructions by address, and the addresses where a function begins."""
    text = subprocess.run([gcncheck, "dis", path], capture_output=True, text=True, check=True).stdout
    insns, starts, begins = [], set(), False
    for line in text.splitlines():
        m = LINE.match(line)
        if re.match(r"^[0-9a-f]{16} <.*>:$", line):
            begins = True
        elif m:
            insns.append(Insn(int(m[3], 16), m[1], m[2], [int(w, 16) for w in m[4].split()]))
            if begins:
                starts.add(insns[-1].at)
            begins = False
    return insns, starts


def file_offset(data, vaddr):
    phoff, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, offset, start, _, length = struct.unpack_from("<IIQQQQ", data, phoff + i * size)
        if kind == 1 and start <= vaddr < start + length:
            return offset + vaddr - start
    raise ValueError("address in no segment")


def counts_of(word):
    return word & 15 | word >> 14 & 3 << 4, word >> 8 & 15


def waitcnt(word, vm, lgkm):
    return word & ~0xCF0F | vm & 15 | vm >> 4 << 14 | lgkm << 8


def targets(insns):
    found = set()
    for i in insns:
        if i.name.startswith(("s_branch", "s_cbranch")):
            offset = i.dwords[0] & 0xFFFF
            found.add(i.end + 4 * (offset - (offset >> 15 << 16)))
    return found


ENDS = ("s_endpgm", "s_branch", "s_setpc_b64")


def changes(insns):
    """(kind, index of the instruction, address, new dwords) of everything that is tried."""
    jumped_to = targets(insns)
    padding = False
    for n, i in enumerate(insns):
        if i.at in jumped_to or i.name != "s_nop":
            padding = n > 0 and insns[n - 1].name in ENDS and i.at not in jumped_to
        word = i.dwords[0]
        if i.name == "s_waitcnt":
            yield "removed", n, i.at, [S_NOP]
            vm, lgkm = counts_of(word)
            if vm < VM_MAX:
                yield "weakened", n, i.at, [waitcnt(word, vm + 1, lgkm)]
            if lgkm < LGKM_MAX:
                yield "weakened", n, i.at, [waitcnt(word, vm, lgkm + 1)]
        elif i.name == "s_nop" and not padding:
            if word & 15:
                yield "shorter", n, i.at, [word - 1]
            elif n and i.at not in jumped_to and not insns[n - 1].name.startswith(("s_cbranch", "s_swappc", "s_call")):
                yield "shorter", n, insns[n - 1].at, [word] + insns[n - 1].dwords


MEMORY = ("global_", "flat_", "buffer_", "scratch_", "ds_", "s_load", "s_buffer", "s_store", "image_")


def is_memory(i):
    return i.name.startswith(MEMORY)


def reason(insns, starts, n):
    """What a wait is for that no register asks for, by what stands around it."""
    if insns[n].at in starts:
        return "entry of a function: every caller known has nothing under way"
    after = [i for i in insns[n + 1 : n + 9]]
    for i in after:
        if i.name == "s_barrier":
            return "before a barrier: stores of others are to be seen"
        if i.name in ("s_setpc_b64", "s_swappc_b64"):
            return "before a return or call: only stores, or results nobody has, are under way"
        if i.name.startswith("buffer_wbinvl1") or "atomic" in i.name:
            return "order of memory around an atomic or a fence"
        if i.name not in ("s_waitcnt", "s_nop"):
            break
    for i in reversed(insns[max(0, n - 4) : n]):
        if i.name.startswith("buffer_wbinvl1") or "atomic" in i.name or i.name == "s_barrier":
            return "order of memory around an atomic or a fence"
        if i.name not in ("s_waitcnt", "s_nop"):
            break
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--gcncheck", default=os.environ.get("GCNCHECK", "build/gcncheck"))
    options.add_argument("--limit", type=int, default=1 << 30, help="changes tried of one code object, evenly spread")
    options.add_argument("--list", help="what is legal is listed there")
    options.add_argument("kernels", nargs="+")
    o = options.parse_args()
    total, flagged, legal, why = (collections.Counter() for _ in range(4))
    report = open(o.list, "w") if o.list else None
    print("TAP version 13")
    points = bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        trial = os.path.join(tmp, "k.co")
        for path in sorted(o.kernels):
            data = open(path, "rb").read()
            mcpu = os.path.basename(path).split(".")[0]
            launch = os.path.join(os.path.dirname(path), "launch.txt")
            insns, starts = listing(o.gcncheck, path)
            clean = subprocess.run([o.gcncheck, "lint", "--quiet", path], capture_output=True, text=True)
            wrong = [f"lint of the kernel as it is: {line}" for line in clean.stdout.splitlines()[:5]]
            if clean.returncode and not wrong:
                wrong.append(clean.stderr.strip())
            tried = list(changes(insns))
            step = max(1, -(-len(tried) // o.limit))
            for kind, n, at, words in tried[::step]:
                total[kind] += 1
                changed = bytearray(data)
                struct.pack_into(f"<{len(words)}I", changed, file_offset(data, at), *words)
                with open(trial, "wb") as f:
                    f.write(changed)
                if subprocess.run([o.gcncheck, "lint", "--quiet", trial], capture_output=True).returncode == 1:
                    flagged[kind] += 1
                    continue
                run = subprocess.run([o.gcncheck, "launch", "--check-hazards", "--mcpu", mcpu, trial, launch],
                                     capture_output=True, text=True)
                cause = reason(insns, starts, n)
                what = f"{kind} {insns[n].name} {insns[n].operands} at 0x{insns[n].at:x}"
                if report:
                    report.write(f"{path}: {what}: {cause}\n")
                if run.returncode or cause is None:
                    wrong.append(f"{what}: not flagged, {cause or 'for no known reason'}, launch ends with "
                                 f"{run.returncode}: {(run.stdout + run.stderr).strip()[:200]}")
                    continue
                legal[kind] += 1
                why[f"{kind}: {cause}"] += 1
            points += 1
            bad += bool(wrong)
            for line in wrong:
                print("# " + line)
            print(f"{'not ' if wrong else ''}ok {points} - {path}: {len(tried[::step])} changes")
            sys.stdout.flush()
    for kind in sorted(total):
        print(f"# {kind}: {total[kind]} tried, {flagged[kind]} flagged, {legal[kind]} legal")
    for cause, count in why.most_common():
        print(f"#     {count} {cause}")
    print(f"1..{points}")
    return 1 if bad else 0


sys.exit(main())
