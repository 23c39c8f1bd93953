#!/usr/bin/env python3
"""Takes the waits out of compiled kernels, one at a time, and asks gcncheck lint. TAP 13 on stdout.

    scripts/kernels/lint_removals.py [--gcncheck FILE] [--limit N] [--list FILE] KERNEL.co...

Beside a code object MCPU.LEVEL.co lies its launch.txt. As it is the object must be clean, and right in every launch named
below. Then, one by one, in a copy:
    removed   s_waitcnt becomes s_nop 0; s_nop goes behind the instruction after it
    weakened  one counter of s_waitcnt allows one instruction more
    shorter   s_nop N becomes s_nop N-1
Each must be flagged by lint, or be shown to be legal by all of: the changed kernel ends with the right output and
without a violation when it is launched with --check-hazards, and right with --delay-memory, as late as possible in
several schedules and at random times; following the listing's text from every load finds no use of a result before a
wait; and it is known what it is for. Anything else is a point that fails. What is legal is counted by what it is for.

What is flagged is launched too, with --check-hazards and --delay-memory max: it is counted whether the launch meets the
violation or ends with another output. (It need not: lint looks at all paths, a launch takes some.)
"""
import argparse
import collections
import concurrent.futures
import io
import os
import re
import struct
import subprocess
import sys
import tempfile

LINE = re.compile(r"^\t(\S+) ?(.*?)\s*// ([0-9A-F]{12,16}): ([0-9A-F ]+?)(?: <.*)?$")
S_NOP = 0xBF800000
VM_MAX, LGKM_MAX, EXP_MAX = 63, 15, 7


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


def changes(insns, starts):
    """(kind, index of the instruction, address, new dwords) of everything that is tried."""
    jumped_to = targets(insns)
    padding = False  # s_nop between functions, which nothing reaches
    for n, i in enumerate(insns):
        if i.at in jumped_to or i.at in starts or i.name != "s_nop":
            padding = False
        elif insns[n - 1].name in ENDS:
            padding = True
        word = i.dwords[0]
        if i.name == "s_waitcnt":
            yield "removed", n, i.at, [S_NOP]
            vm, lgkm = counts_of(word)
            if vm < VM_MAX:
                yield "weakened", n, i.at, [waitcnt(word, vm + 1, lgkm)]
            if lgkm < LGKM_MAX:
                yield "weakened", n, i.at, [waitcnt(word, vm, lgkm + 1)]
            if (word >> 4 & 7) < EXP_MAX:
                yield "weakened", n, i.at, [word + 16]
        elif i.name == "s_nop" and not padding:
            if word & 15:
                yield "shorter", n, i.at, [word - 1]
            # Behind another s_nop there are as many wait states as before: only the last of several goes.
            if n + 1 < len(insns) and insns[n + 1].at not in jumped_to and \
                    not insns[n + 1].name.startswith(("s_nop", "s_cbranch", "s_swappc", "s_call") + ENDS):
                yield "removed", n, i.at, insns[n + 1].dwords + [word]


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


def results(i):
    """The registers a memory instruction writes, by its text."""
    loads = "load" in i.name or i.name.startswith(("ds_read", "s_mem", "ds_bpermute", "ds_permute", "ds_swizzle"))
    returns = "atomic" in i.name and " glc" in i.operands or "_rtn_" in i.name
    return registers(i.operands.split(", ")[0]) if loads or returns else set()


class Paths:
    """Where each result is waited for, told from the text of the listing alone: an opinion that shares no code with
    the tool's rules. Follows every path from a load until a wait covers it, counting what is issued behind it."""

    def __init__(self, insns, mcpu):
        self.insns = insns
        # Where FLAT is all there is for global memory, compilers wait for vmcnt alone, in order (GCN3-U13).
        self.is_old = mcpu[:4] in ("gfx7", "gfx8")
        self.flat = {"vm"} if self.is_old else {"vm", "lgkm"}
        self.any_order = ("s_",) if self.is_old else ("flat_", "s_")
        self.index = {i.at: n for n, i in enumerate(insns)}
        self.covers = collections.defaultdict(set)  # wait -> loads
        for n, i in enumerate(insns):
            for counter in self.counters(i) if results(i) else ():
                self.follow(n, counter, None)

    def counters(self, i):
        """Which counters an instruction is waited for by."""
        if i.name.startswith("flat_"):
            return self.flat
        if i.name.startswith("buffer_wbinvl1"):
            return set()
        if i.name.startswith(VMEM):
            return {"vm"}
        return {"lgkm"} if i.name.startswith(("ds_", "s_load", "s_buffer_load", "s_memtime", "s_memrealtime")) else set()

    def after(self, n):
        i = self.insns[n]
        if i.name.startswith(("s_branch", "s_cbranch")):
            offset = i.dwords[0] & 0xFFFF
            to = self.index.get(i.end + 4 * (offset - (offset >> 15 << 16)))
            if to is not None:
                yield to
        if i.name not in ENDS and n + 1 < len(self.insns):
            yield n + 1

    def follow(self, load, counter, without, instead=None):
        """The first instruction that uses a result before it is waited for, with one wait left out, or with the
        counts that stand instead of its own; or None."""
        first = self.insns[load]
        own = results(first)
        in_order = not first.name.startswith(self.any_order)
        seen, todo = set(), [(n, 0, False) for n in self.after(load)]
        while todo:
            n, behind, mixed = state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            i = self.insns[n]
            if i.name == "s_waitcnt" and (n != without or instead):
                vm, lgkm = instead if n == without else counts_of(i.dwords[0])
                count = vm if counter == "vm" else lgkm
                if count == 0 or in_order and not mixed and count <= behind:
                    if without is None:
                        self.covers[n].add((load, counter))
                    continue
            if i.name == "s_swappc_b64":
                continue  # the function called waits when it begins
            if without is not None:
                used = registers(i.operands)
                if i.name == first.name or self.counters(i) == self.counters(first) and in_order and is_memory(i):
                    parts = i.operands.split(", ")
                    used = registers(", ".join(parts[1:])) if results(i) else used
                if used & own:
                    return i
            if counter in self.counters(i):
                behind = min(behind + 1, 64)
                mixed |= i.name.startswith(self.any_order)
            todo += [(m, behind, mixed) for m in self.after(n)]
        return None

    def may_be_lds(self, wait, instead):
        """Whether with these counts all that was loaded is there but by FLAT from LDS, which takes lgkmcnt as well."""
        loads = any(i.name.startswith("flat_") and results(i) for i in self.insns)
        return self.is_old and loads and instead[0] == 0 and not self.use_without(wait, instead)

    def use_without(self, wait, instead):
        """What would read a result too early without this wait, or with other counts."""
        for load, counter in sorted(self.covers[wait]):
            i = self.follow(load, counter, wait, instead)
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


def reason(insns, starts, n, words):
    """What a wait that no register needs is for, by what stands around it."""
    i = insns[n]
    if i.name == "s_nop":
        if n == 0 or n == len(insns) - 1:
            return None
        return matrix_reason(insns, n)
    if words[0] == i.dwords[0] + 16:
        exports = any(x.name == "exp" or x.name.startswith("ds_") and " gds" in x.operands for x in insns)
        return None if exports else "expcnt, and no export or GDS in the code"
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


# What a kernel has to stand that lacks nothing. The first is the one that shows what is missing.
TRIALS = (["--check-hazards", "--delay-memory", "max"], ["--check-hazards"],
          ["--delay-memory", "max", "--schedule", "adversarial"], ["--delay-memory", "max", "--schedule", "round-robin"],
          ["--delay-memory", "1"], ["--delay-memory", "2", "--schedule", "random"])
STEPS_MAX = 3000000  # instructions of a kernel that is launched so often
CONSTRUCTORS_MAX = 100000


def run_launch(tool, options, mcpu, path, text):
    """The work-groups in one thread: how long one of several spins for another is then the same each time."""
    return subprocess.run([tool, "launch", "--jobs", "1", *options, "--mcpu", mcpu, path, text],
                          capture_output=True, text=True)


def complaint(run, options):
    """What a launch says, or None if all is well."""
    return f"launch {' '.join(options)} ends with {run.returncode}: {(run.stdout + run.stderr).strip()[:200]}" \
        if run.returncode else None


def launch(tool, options, steps, mcpu, trial, text):
    return complaint(run_launch(tool, ["--max-steps", str(steps), *options], mcpu, trial, text), options)


def steps_of(run):
    """The instructions of all waves of all kernels of a launch."""
    return sum(int(n) for n in re.findall(r"(\d+) instructions", run.stdout))


class Kernel:
    """One code object, and what came of its changes."""

    def __init__(self, tool, path):
        self.tool, self.path = tool, path
        self.data = open(path, "rb").read()
        self.mcpu = os.path.basename(path).split(".")[0]
        self.text = os.path.join(os.path.dirname(path), "launch.txt")
        self.insns, self.starts = listing(tool, path)
        self.paths = Paths(self.insns, self.mcpu)
        self.wrong = []
        self.tried = []
        self.taken = steps_of(run_launch(tool, [], self.mcpu, path, self.text))

    def is_clean(self):
        run = subprocess.run([self.tool, "lint", "--quiet", self.path], capture_output=True, text=True)
        self.wrong += [f"lint of the kernel as it is: {line}" for line in run.stdout.splitlines()[:5]]
        if run.returncode and not self.wrong:
            self.wrong.append(run.stderr.strip())
        for options in TRIALS:
            run = run_launch(self.tool, options, self.mcpu, self.path, self.text)
            self.taken = max(self.taken, steps_of(run))
            said = complaint(run, options)
            if said:
                self.wrong.append(f"the kernel as it is: {said}")

    def change(self, trial, change):
        """Tries one: ("flagged", whether a launch shows it) or ("legal", why), or ("missed" or "unseen", why not)."""
        kind, n, at, words = change
        changed = bytearray(self.data)
        struct.pack_into(f"<{len(words)}I", changed, file_offset(self.data, at), *words)
        with open(trial, "wb") as f:
            f.write(changed)
        if subprocess.run([self.tool, "lint", "--quiet", trial], capture_output=True).returncode == 1:
            return "flagged", launch(self.tool, TRIALS[0], self.steps, self.mcpu, trial, self.text) is not None
        for options in TRIALS:
            said = launch(self.tool, options, self.steps, self.mcpu, trial, self.text)
            if said and kind == "weakened" and self.paths.may_be_lds(n, counts_of(words[0])):
                return "unseen", "FLAT that meant LDS, where lint asks for vmcnt alone (GCN3-U13)"
            if said:
                return "missed", said
        if self.insns[n].name == "s_waitcnt":
            early = self.paths.use_without(n, counts_of(words[0]) if kind == "weakened" else None)
            if early:
                return "missed", early
        cause = reason(self.insns, self.starts, n, words)
        return ("legal", cause) if cause else ("missed", "for no known reason")

    def run(self, trial, limit, count, report):
        self.is_clean()
        # A wave of a changed kernel may wait for what never comes. It gets as many steps as all waves had, and some for
        # the constructors, which run before the kernel and are not counted.
        self.steps = CONSTRUCTORS_MAX + self.taken
        tried = list(changes(self.insns, self.starts))
        self.tried = tried[::max(1, -(-len(tried) // limit))]
        for change in self.tried:
            kind, n = change[:2]
            i = self.insns[n]
            result, what = self.change(trial, change)
            name = f"{kind} {i.name}"
            count[name, "tried"] += 1
            count[name, result] += 1
            if result == "flagged":
                count[name, "shown"] += what
            if result in ("legal", "unseen"):
                count["why", f"{name}: {what}"] += 1
            if result == "missed":
                self.wrong.append(f"{name} {i.operands} at 0x{i.at:x}: not flagged, {what}")
            if report and (result != "flagged" or not what):
                report.write(f"{self.path}: {name} {i.operands} at 0x{i.at:x}: {result}: {what}\n")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--gcncheck", default=os.environ.get("GCNCHECK", "build/gcncheck"))
    options.add_argument("--limit", type=int, default=1 << 30, help="changes tried of one code object, evenly spread")
    options.add_argument("--list", help="what is not flagged, or not shown by a launch, is listed there")
    options.add_argument("kernels", nargs="+")
    o = options.parse_args()
    count = collections.Counter()
    report = open(o.list, "w") if o.list else None
    print("TAP version 13")
    bad = 0
    with tempfile.TemporaryDirectory() as tmp, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def work(point, path):
            """One code object: it, what was counted, lines for the list."""
            k, own, lines = Kernel(o.gcncheck, path), collections.Counter(), io.StringIO()
            if k.taken <= STEPS_MAX:
                k.run(os.path.join(tmp, f"{point}.co"), o.limit, own, lines)
            return k, own, lines.getvalue()

        paths = sorted(o.kernels)
        for point, (path, (k, own, lines)) in enumerate(zip(paths, pool.map(work, range(len(paths)), paths)), 1):
            if k.taken > STEPS_MAX:
                print(f"ok {point} - {path} # SKIP takes {k.taken} instructions")
                continue
            count.update(own)
            if report:
                report.write(lines)
            bad += bool(k.wrong)
            for line in k.wrong:
                print("# " + line)
            print(f"{'not ' if k.wrong else ''}ok {point} - {path}: {len(k.tried)} changes")
            sys.stdout.flush()
    for name in sorted({name for name, what in count if what == "tried"}):
        print(f"# {name}: {count[name, 'tried']} tried, {count[name, 'flagged']} flagged ({count[name, 'shown']} shown by "
              f"a launch), {count[name, 'legal']} legal, {count[name, 'unseen']} unseen, {count[name, 'missed']} missed")
    for (name, cause), number in count.most_common():
        if name == "why":
            print(f"#     {number} {cause}")
    print(f"1..{len(o.kernels)}")
    return 1 if bad else 0


sys.exit(main())
