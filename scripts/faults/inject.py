#!/usr/bin/env python3
"""What gcncheck does when the world fails: every allocation and every system call of a command fails once. TAP 13.

    scripts/faults/inject.py [--points N | --all [--most N]] [--seed N] [--only COMMAND[,COMMAND]] [--kind KIND[,KIND]] [-v]
    scripts/faults/inject.py --planted              faults are planted (harness/t/bad/memory/plant_fault.c), and each is noticed
    scripts/faults/inject.py --list                 the commands

Each command of bench.py is run undisturbed, and then again with the n-th allocation (harness/t/bad/memory/fail_memory.c, preloaded) or the
n-th call of a kind (fail_calls.c beside it) failing. Which n:
  by default     every call of each kind, and of allocations the first from every place: one for each chain of calls that leads to one;
                 of commands that take a second each (LONG) some of each kind, drawn by --seed, and half as many, the last ones
  --points N     at most so many of these for each command and kind, drawn by --seed, and half as many, the last ones
  --all          n = 1 to the end, and where there are more than --most (10,000) allocations every place and that many evenly
A disturbed run has to end as the undisturbed one, with the same output and files (the failure could be borne), or with code 2 or 3 and a
line that blames memory or the disk: no file that was there has changed but to what it becomes undisturbed, no new one is there in part,
none is left over under a name of its own, and the journal holds what was printed and is no whole one to report. It never crashes, hangs, leaves a process, or ends with
0 or 1 and something else in its output.
"""
import argparse, concurrent.futures, os, random, re, shutil, subprocess, sys, tempfile
import bench

KINDS = ["memory", "write", "sync", "rename", "link", "open", "mkdir", "fork", "pipe", "mmap", "truncate"]
MEMORY = re.compile(r"memory", re.I)
BLAMES = re.compile(r"memory|no space|space left|i/o error|input/output error|cannot (be )?(written|write|made|start|map|read)|too many open|temporarily"
                    r"|cannot be (opened|read|mapped)", re.I)
LONG = {"fuzz": 8, "fuzz-taken": 8}
# Journals grow, and are whole up to some record; of the files of a finding the one that says what the others are comes last.
FINDING, LAST = "found/F/", "found/F/finding.json"


def torn(old, new, end, after):
    """Files that are neither as they were nor as they become undisturbed; where it was gone on with, new ones have to be that then."""
    bad = []
    if after is not None:
        bad = ["after --resume: " + n for n in sorted(set(after) | set(end)) if after.get(n) != end.get(n)]
    for name in sorted(set(old) | set(new)) if after is None else old:
        if name in bench.JOURNALS:
            if name in old and name not in new or not any(w.get(name, b"").startswith(new.get(name, b"")) for w in (old, end)):
                bad.append(name)
        elif new.get(name) not in (old.get(name), end.get(name)):
            bad.append(name)
    if new.get(LAST) != old.get(LAST):
        bad += [n for n in set(new) | set(end) if n.startswith(FINDING) and new.get(n) != end.get(n)]
    return bad


def judge(kind, clean, got):
    """What is wrong with a disturbed run, or None; and whether it went on as if nothing had been."""
    code, out, err, old, new, after, whole = got
    if code == "hangs":
        return "it hangs", False
    if code < 0 or code >= 125:
        return "crash, code %s: %s" % (code, err[-200:]), False
    if "Sanitizer" in err:
        return "sanitizer: " + err[:300], False
    if code == clean[0] and out == clean[1] and new == clean[4]:
        return None, True
    if code not in (2, 3):
        what = [n for n in sorted(set(new) | set(clean[4])) if new.get(n) != clean[4].get(n)] or (err or out.decode(errors="replace"))[-200:]
        return "code %s and another output: %s" % (code, what), False
    if not (MEMORY if kind == "memory" else BLAMES).search(err):
        return "code %s, the message blames neither memory nor disk: %s" % (code, err[-200:]), False
    left = [n for n in (new if after is None else after) if n not in old and n not in clean[4]]
    if left:
        return "left over: " + " ".join(left), False
    printed = len(re.findall(rb"^(?:not )?ok \d+ .*\n", out, re.M))
    if "new.journal" in clean[4] and printed > bench.results(new.get("new.journal", b"")):
        return "%d results printed, and not all of them in the journal" % printed, False
    false = [j for j in whole if new[j] != clean[4][j]]
    if false:
        return "code %s, and report takes it for a whole run: %s" % (code, " ".join(false)), False
    bad = torn(old, new, clean[4], after)
    if bad:
        return "changed, lost or in part: " + " ".join(bad), False
    return None, False


class Injector:
    def __init__(self, b, root, args, plant=()):
        self.bench, self.root, self.args = b, root, args
        self.plant = dict(plant) # into the environment
        self.start = {k: self.count(k, "--version")[0] for k in KINDS if k != "memory" and k != "write"} # what the dynamic loader does
        self.pool = concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count())))

    def how(self, kind, n, count="-"):
        """Words before the program, and its environment."""
        if kind != "memory":
            return [bench.FAIL_CALLS, kind, str(n), count], self.plant
        libraries = [bench.FAIL_MEMORY, self.plant.get("LD_PRELOAD")]
        return [], dict(self.plant, LD_PRELOAD=":".join(filter(None, libraries)), FAIL_MEMORY=str(n), **({"COUNT_MEMORY": count} if count != "-" else {}))

    def count(self, kind, name):
        """How many there are, and the first of each place."""
        path = os.path.join(self.root, "count")
        before, env = self.how(kind, 0, path)
        if name.startswith("-"):
            subprocess.run([*before, bench.GCNCHECK, name], capture_output=True, env=dict(os.environ, **env))
        else:
            self.bench.run(name, before, env)
        with open(path) as f:
            total, *places = [int(line) for line in f]
        return total, sorted(places)

    def points(self, kind, name):
        """Which are to fail, and how many there are."""
        total, places = self.count(kind, name)
        first = self.start.get(kind, 0) + 1
        ns = places if kind == "memory" else list(range(first, total + 1))
        most = self.args.most
        if self.args.all and kind == "memory":
            ns = range(1, total + 1) if total <= most else sorted({i * (total - 1) // max(most - 1, 1) + 1 for i in range(most)} | set(places))
        drawn = 0 if self.args.all else min(filter(None, (self.args.points, LONG.get(name, 0))), default=0)
        if drawn and len(ns) > drawn:
            some = random.Random("%d %s %s" % (self.args.seed, name, kind)).sample(ns, drawn)
            ns = sorted({*some, *ns[-(drawn // 2):]}) # at the end is what is kept of all before
        return ns, total - first + 1

    def inject(self, kind, name, ns, clean, timeout=600):
        """What was wrong, and how many were borne."""
        bad, borne = [], 0
        for n, got in zip(ns, self.pool.map(lambda n: self.bench.run(name, *self.how(kind, n), timeout), ns)):
            wrong, same = judge(kind, clean, got)
            borne += same
            if wrong:
                bad.append("%s %d: %s" % (kind, n, wrong))
        return bad, borne


def possible(kinds):
    """Those of the kinds that can be tried here, and why others cannot."""
    if bench.preload_fails():
        print("# a sanitizer's library must come before the one that makes allocations fail, and its own maps must not: other calls are tried")
        kinds = [k for k in kinds if k not in ("memory", "mmap", "open")]
    if subprocess.run([bench.FAIL_CALLS, "write", "0", "-", "true"], capture_output=True).returncode:
        print("# calls cannot be watched here (seccomp): only allocations are tried")
        kinds = [k for k in kinds if k == "memory"]
    return kinds


def inject_all(b, root, args):
    kinds = possible(args.kind.split(","))
    i = Injector(b, root, args)
    number = failed = injected = 0
    for name in args.only.split(","):
        clean = b.run(name)
        if clean[0] not in (0, 1):
            sys.exit("Bail out! %s: code %s: %s" % (name, clean[0], clean[2]))
        bad, said = [], []
        for kind in kinds:
            ns, total = i.points(kind, name)
            if ns:
                wrong, borne = i.inject(kind, name, ns, clean)
                bad += wrong
                said.append("%s %d of %d (%d borne)" % (kind, len(ns), total, borne))
                injected += len(ns)
        number += 1
        failed += bool(bad)
        for line in bad if args.v else bad[:5]:
            print("# " + line.replace("\n", " | "))
        print("%s %d - %s: %d violations; failed: %s" % ("not ok" if bad else "ok", number, name, len(bad), ", ".join(said)), flush=True)
    print("# %d failures injected" % injected)
    print("1..%d" % number)
    return failed != 0


# Fault, command, kind, what is complained of.
PLANTED = [("zero", "run", "memory", "code 0 and another output"), ("zero", "report-html", "sync", "code 0 and another output"),
           ("crash", "eval-jsonl", "memory", "crash, code"), ("crash", "min", "link", "crash, code"), ("hang", "asm", "memory", "it hangs"),
           ("mute", "launch", "write", "blames neither"), ("spoil", "report-html", "rename", "changed, lost or in part: page.html"),
           ("spoil", "export-bin", "write", "changed, lost or in part: page.html"), ("part", "lint", "memory", "left over: new.part"),
           ("child", "run", "sync", "a process is left over"), ("lose", "run", "sync", "results printed, and not all"),
           ("zero", "fuzz-common", "write", "code 0 and another output"), ("steal", "fuzz-taken", "rename", " taken/v_bfe_u32-e64-vgpr/finding.json"),
           ("whole", "fuzz", "sync", "report takes it for a whole run: new.journal"), ("whole", "run-plugin", "sync", "report takes it for a whole run: new.journal")]


def planted(b, root, args):
    failed = 0
    print("1..%d" % len(PLANTED), flush=True)
    for number, (fault, name, kind, wanted) in enumerate(PLANTED, 1):
        clean = b.run(name)
        i = Injector(b, root, args, {"LD_PRELOAD": bench.PLANT_FAULT, "PLANT_FAULT": fault})
        ns, _ = i.points(kind, name)
        bad, _ = i.inject(kind, name, ns, clean, 120 if fault != "hang" else 3)
        good = any(wanted in line for line in bad)
        failed += not good
        for line in bad[:3] if not good else []:
            print("# " + line.replace("\n", " | "))
        print("%s %d - planted: %s, under %s of %s: noticed, %d times" % ("ok" if good else "not ok", number, fault, kind, name, len(bad)), flush=True)
    return failed != 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--all", action="store_true")
    p.add_argument("--points", type=int, default=0)
    p.add_argument("--most", type=int, default=10000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", default=",".join(bench.COMMANDS))
    p.add_argument("--kind", default=",".join(KINDS))
    p.add_argument("--planted", action="store_true")
    p.add_argument("--list", action="store_true")
    p.add_argument("-v", action="store_true")
    args = p.parse_args()
    if args.list:
        print("\n".join("%-17s %s" % (name, " ".join(words)) for name, (words, _) in bench.COMMANDS.items()))
        return 0
    print("TAP version 13", flush=True)
    if args.planted and bench.preload_fails():
        print("1..0 # SKIP the sanitizers' library must come first")
        return 0
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0" # whose tracing the filter would see
    root = tempfile.mkdtemp()
    try:
        return (planted if args.planted else inject_all)(bench.Bench(root), root, args)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
