#!/usr/bin/env python3
"""Takes the waits out of compiled kernels, one at a time, and asks gcncheck lint. TAP 13 on stdout.

    scripts/lint_removals.py [--gcncheck FILE] [--limit N] [--list FILE] KERNEL.co...

Beside a code object MCPU.LEVEL.co lies its launch.txt. As it is the object must be clean. Then, one by one, in a copy:
    removed   s_waitcnt becomes s_nop 0
    weakened  one counter of s_waitcnt allows one instruction more
    shorter   s_nop N becomes s_nop N-1; s_nop 0 goes behind the instruction after it
Each must be flagged by lint, or be shown to be legal by all of: the changed kernel, launched with --check-hazards, ends
with the right output and without a violation; for a wait that is removed, following the listing's text from every load
finds no use of a result before another wait; for s_nop, it stands between two memory instructions (LLVM breaks clauses
for XNACK replay, which is no rule here). Anything else is a point that fails. What is legal is counted by what it is for.
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
    return word & 15 | (word >> 14 & 3) << 4, word >> 8 & 15


def waitcnt(word, vm, lgkm):
    return word & ~0xCF0F | vm & 15 | (vm >> 4) << 14 | lgkm << 8


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
            elif n + 1 < len(insns) and insns[n + 1].at not in jumped_to and \
                    not insns[n + 1].name.startswith(("s_cbranch", "s_swappc", "s_call") + ENDS):
                yield "shorter", n, i.at, insns[n + 1].dwords + [word]


VMEM = ("global_", "buffer_", "tbuffer_", "scratch_", "image_")
REGISTERS = re.compile(r"\b([vsa])(?:(\d+)|\[(\d+):(\d+)\])|\b(vcc|exec|m0)(?:_lo|_hi)?\b")


def registers(text):
    found = set()
    for kind, one, first, last, name in REGISTERS.findall(text):
        if name:
            found.add(name)
        elif one:
            found.add(kind + one)
        else:
            found.update(f"{kind}{n}" for n in range(int(first), int(last) + 1))
    return found


def is_memory(i):
    return i.name.startswith(VMEM + ("flat_", "ds_", "s_load", "s_buffer_load", "s_store"))


def counters(i):
    """Which counters an instruction is counted by."""
    if i.name.startswith("flat_"):
        return {"vm", "lgkm"}
    if i.name.startswith("buffer_wbinvl1"):
        return set()
    if i.name.startswith(VMEM):
        return {"vm"}
    return {"lgkm"} if i.name.startswith(("ds_", "s_load", "s_buffer_load", "s_memtime", "s_memrealtime")) else set()


def results(i):
    """The registers a memory instruction writes, by its text."""
    loads = "load" in i.name or i.name.startswith(("ds_read", "s_mem", "ds_bpermute", "ds_permute", "ds_swizzle"))
    returns = "atomic" in i.name and " glc" in i.operands or "_rtn_" in i.name
    return registers(i.operands.split(", ")[0]) if loads or returns else set()


class Paths:
    """Where each result is waited for, told from the text of the listing alone: an opinion that shares no code with
    the tool's rules. Follows every path from a load until a wait covers it, counting what is issued behind it."""

    def __init__(self, insns):
        self.insns = insns
        self.index = {i.at: n for n, i in enumerate(insns)}
        self.covers = collections.defaultdict(set)  # wait -> loads
        for n, i in enumerate(insns):
            for counter in counters(i) if results(i) else ():
                self.follow(n, counter, None)

    def after(self, n):
        i = self.insns[n]
        if i.name.startswith(("s_branch", "s_cbranch")):
            offset = i.dwords[0] & 0xFFFF
            to = self.index.get(i.end + 4 * (offset - (offset >> 15 << 16)))
            if to is not None:
                yield to
        if i.name not in ENDS and n + 1 < len(self.insns):
            yield n + 1

    def follow(self, load, counter, without):
        """The first instruction that uses a result before it is waited for, with one wait left out; or None."""
        first = self.insns[load]
        own = results(first)
        in_order = not first.name.startswith(("flat_", "s_"))
        seen, todo = set(), [(n, 0, False) for n in self.after(load)]
        while todo:
            n, behind, mixed = state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            i = self.insns[n]
            if i.name == "s_waitcnt" and n != without:
                vm, lgkm = counts_of(i.dwords[0])
                count = vm if counter == "vm" else lgkm
                if count == 0 or in_order and not mixed and count <= behind:
                    if without is None:
                        self.covers[n].add((load, counter))
                    continue
            if i.name == "s_swappc_b64":
                continue  # the function called waits when it begins
            if without is not None:
                used = registers(i.operands)
                if i.name == first.name or counters(i) == counters(first) and in_order and is_memory(i):
                    parts = i.operands.split(", ")
                    used = registers(", ".join(parts[1:])) if results(i) else used
                if used & own:
                    return i
            if counter in counters(i):
                behind = min(behind + 1, 64)
                mixed |= i.name.startswith(("flat_", "s_"))
            todo += [(m, behind, mixed) for m in self.after(n)]
        return None

    def use_without(self, wait):
        """What would read a result too early without this wait."""
        for load, counter in sorted(self.covers[wait]):
            i = self.follow(load, counter, wait)
            if i:
                return f"{self.insns[load].name} at 0x{self.insns[load].at:x} is used at 0x{i.at:x}"
        return None


def matrix_reason(insns, n):
    """LLVM takes a move of half a pair of registers for one that writes the pair, so that the move of the other half
    waits. That the register itself was not written by a vector instruction shortly before is seen in the text."""
    user = insns[n + 1]
    if user.name.startswith("v_accvgpr"):
        states = 3 if "read" in user.name else 2
    elif is_memory(user) or user.name.endswith("_dpp"):
        states = 2
    else:
        return None
    parts = user.operands.split(", ")
    sources = registers(user.operands if "store" in user.name or "write" in user.name and user.name[0] == "d"
                        else ", ".join(parts[1:]))
    passed, at = insns[n].dwords[0] & 15, n - 1
    while at >= 0 and passed < states:
        i = insns[at]
        if i.name.startswith("v_") and registers(i.operands.split(", ")[0]) & sources:
            return None
        passed += (i.dwords[0] & 15) + 1 if i.name == "s_nop" else 1
        at -= 1
    if user.name.endswith("_dpp"):
        return "the destination of DPP, which LLVM takes for a source"
    return "half of a pair of registers, which LLVM takes for the pair"


def reason(insns, starts, n):
    """What a wait that no register needs is for, by what stands around it."""
    i = insns[n]
    if i.name == "s_nop":
        if n == 0 or n == len(insns) - 1:
            return None
        if is_memory(insns[n - 1]) and is_memory(insns[n + 1]):
            return "breaks a clause of memory instructions, for XNACK replay"
        return matrix_reason(insns, n)
    if i.at in starts:
        return "entry of a function, and its callers that are known have nothing under way"
    for near in insns[n + 1 : n + 4]:
        if near.name == "s_barrier":
            return "before a barrier"
        if near.name in ("s_setpc_b64", "s_swappc_b64"):
            return "before a return or a call"
    if any(x.name.startswith("buffer_wbinvl1") or "atomic" in x.name for x in insns[max(0, n - 3) : n + 4]):
        return "order of memory around an atomic or a fence"
    return "nothing under way is used before the next wait"


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
            paths = Paths(insns)
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
                early = paths.use_without(n) if insns[n].name == "s_waitcnt" and kind == "removed" else None
                what = f"{kind} {insns[n].name} {insns[n].operands} at 0x{insns[n].at:x}"
                if report:
                    report.write(f"{path}: {what}: {cause}\n")
                if run.returncode or cause is None or early:
                    wrong.append(f"{what}: not flagged, {early or cause or 'for no known reason'}, launch ends with "
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
