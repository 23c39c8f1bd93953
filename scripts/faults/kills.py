#!/usr/bin/env python3
"""What is left of gcncheck when it is killed: run, fuzz, min, launch and report at random moments by KILL, TERM, INT, and STOP with
CONT. TAP 13.

    scripts/faults/kills.py [--count N] [--seed N]      default 200 kills
    scripts/faults/kills.py --planted                   faults are planted (harness/t/bad/memory/plant_fault.c), and each is noticed

Whatever was printed is in the journal; a signal that can be caught ends in order, with code 3 (or that of the whole run, if it
came too late) and what was found; files are those from before or whole new ones; no process and, but for the hidden folder of a
finding under way at a KILL, no file is left over; --resume ends as the undisturbed run; STOP and CONT change nothing.
"""
import argparse, os, random, re, shutil, signal, subprocess, sys, tempfile, time
import inject

GCNCHECK, PLUGIN = inject.GCNCHECK, inject.PLUGIN
CASES = os.path.abspath("cases/sop2")
SPIN = """kernel vadd_f32
grid 1048576 1 1
workgroup 256 1 1
buf %s/a.bin
buf %s/b.bin
tmp 4194304
i32 1000
""" % (inject.KERNEL, inject.KERNEL)


def children(pid):
    """Processes in a group that a child of `pid` leads are told by their parent."""
    out = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout
    return [l for l in out.splitlines()[1:] if int(l.split()[1]) == pid]


class Kills:
    def __init__(self, root, rng):
        self.root, self.rng, self.bad = root, rng, []
        self.bench = inject.Bench(root)
        self.number = 0
        self.planted = None
        self.whole = {}
        self.printed = 0

    def fresh(self):
        self.number += 1
        folder = "%s/k%d" % (self.root, self.number)
        shutil.copytree(self.bench.model, folder)
        open(folder + "/spin.txt", "w").write(SPIN)
        return folder

    def args(self, name):
        return {
            "run": ["run", "--quiet", "--jobs", "2", "--journal", "new.journal", CASES],
            "run-plugin": ["run", "--quiet", "--jobs", "2", "--dut", PLUGIN, "--journal", "new.journal", CASES],
            "fuzz": ["fuzz", "--quiet", "--jobs", "2", "--seed", "1", "--count", "300", "--dut", PLUGIN, "--out", "new", "--journal", "new.journal"],
            "min": ["min", "--trust", "--quiet", "found/F"],
            "launch": ["launch", "--mcpu", "gfx900", "--engine", "ref", "--jobs", "2", "--out", "buffers", inject.KERNEL + "/gfx900.O3.co", "spin.txt"],
            "report": ["report", "--format", "html", "--out", "page.html", "run.journal"],
        }[name]

    def start(self, name, folder, args=None):
        environment = dict(os.environ)
        if self.planted and not args:
            environment.update(LD_PRELOAD=os.path.abspath(inject.BUILD + "/plant_fault.so"), PLANT_FAULT=self.planted)
        return subprocess.Popen([GCNCHECK] + (args or self.args(name)), cwd=folder, stdin=subprocess.DEVNULL, env=environment,
                                stdout=open(folder + "/stdout", "wb"), stderr=open(folder + "/stderr", "wb"))

    def undisturbed(self, name):
        if name not in self.whole:
            folder = self.fresh()
            begin = time.time()
            code = self.start(name, folder).wait()
            self.whole[name] = (code, time.time() - begin, open(folder + "/stdout", "rb").read(), self.journal(folder), inject.digest(folder))
        return self.whole[name]

    def journal(self, folder):
        if not os.path.exists(folder + "/new.journal"):
            return None
        r = subprocess.run([GCNCHECK, "report", "--canonical", "--format", "jsonl", "new.journal"], cwd=folder, capture_output=True, text=True)
        return r.stdout

    def complain(self, text):
        self.bad.append(text)

    def check_printed(self, name, folder, where):
        out = open(folder + "/stdout", errors="replace").read()
        kept = self.journal(folder) or ""
        if name.startswith("run"):
            # The last line may have been cut off in the middle.
            n = len([l for l in out.split("\n")[:-1] if re.match(r"(not )?ok \d+ ", l)])
            held = kept.count('"kind":"result"')
            self.printed += n
            if n > held:
                self.complain("%s: %d results printed, %d in the journal" % (where, n, held))
        if name == "fuzz":
            found = re.findall(r"^finding (\S+):", out, re.M)
            self.printed += len(found)
            for f in found:
                if f not in kept or subprocess.run([GCNCHECK, "replay", "--trust", f], cwd=folder, capture_output=True).returncode != 1:
                    self.complain("%s: %s was printed and is not kept" % (where, f))

    def kill(self, name, sig):
        code, seconds, stdout, journal, files = self.undisturbed(name)
        folder = self.fresh()
        before = inject.digest(folder)
        p = self.start(name, folder)
        moment = self.rng.random() * seconds * 1.1
        where = "%s, %s after %.3f s" % (name, sig, moment)
        try:
            p.wait(moment)
        except subprocess.TimeoutExpired:
            pass
        ended = p.poll() is not None
        if sig == "STOP":
            p.send_signal(signal.SIGSTOP)
            time.sleep(0.05)
            p.send_signal(signal.SIGCONT)
        else:
            p.send_signal(getattr(signal, "SIG" + sig))
        try:
            got = p.wait(60)
        except subprocess.TimeoutExpired:
            p.kill()
            return self.complain(where + ": does not end")
        if sig == "STOP" or ended:
            if got != code:
                self.complain("%s: code %s, not %s" % (where, got, code))
        elif sig == "KILL":
            if got not in (-9, code):
                self.complain("%s: code %s" % (where, got))
        elif got not in (3, code, -getattr(signal, "SIG" + sig)):
            self.complain("%s: code %s" % (where, got))
        elif got == -getattr(signal, "SIG" + sig) and name != "report" and os.path.exists(folder + "/new.journal"):
            self.complain("%s: did not end in order" % where)
        if children(p.pid):
            self.complain("%s: left over: %s" % (where, children(p.pid)))
        self.check_printed(name, folder, where)
        left = [f for f in inject.digest(folder) if ".part" in f and not (sig == "KILL" and name == "fuzz" and f.startswith("new/."))]
        if left:
            self.complain("%s: left over: %s" % (where, left))
        after = inject.digest(folder)
        for f in before:
            if f not in ("stdout", "stderr") and after.get(f) not in (before[f], files.get(f)):
                self.complain("%s: %s is neither the old one nor the new one" % (where, f))
        if name.startswith("run") and sig != "STOP":
            again = [a if a != "--journal" else "--resume" for a in self.args(name)]
            r = self.start(name, folder, again).wait()
            if r != code or open(folder + "/stdout", "rb").read() != stdout or self.journal(folder) != journal:
                self.complain("%s: --resume ends otherwise (code %s): %s" % (where, r, open(folder + "/stderr").read()[-200:]))
        if name == "min" and sig != "STOP":
            r = subprocess.run([GCNCHECK, "min", "--trust", "--quiet", "found/F"], cwd=folder, capture_output=True, text=True)
            if r.returncode != 0:
                self.complain("%s: min again: %s" % (where, r.stderr[-200:]))
        shutil.rmtree(folder)


# Fault, command, signal, what is complained of.
PLANTED = [("lose", "run", "KILL", r"\d+ results printed, \d+ in the journal"), ("lose", "run-plugin", "TERM", r"\d+ results printed, \d+ in the journal"),
           ("deaf", "run", "TERM", "did not end in order"), ("deaf", "run", "INT", "did not end in order")]


def planted(root):
    """Each is tried until it is noticed: it is not at every moment that a kill shows it."""
    failed = 0
    print("TAP version 13\n1..%d" % len(PLANTED), flush=True)
    for number, (fault, name, sig, wanted) in enumerate(PLANTED, 1):
        os.mkdir("%s/%d" % (root, number))
        k = Kills("%s/%d" % (root, number), random.Random(number))
        k.undisturbed(name)
        k.planted = fault
        tries = 0
        while tries < 30 and not any(re.search(wanted, line) for line in k.bad):
            tries += 1
            k.kill(name, sig)
        good = any(re.search(wanted, line) for line in k.bad)
        failed += not good
        print("%s %d - %s under %s and %s: noticed, in %d tries" % ("ok" if good else "not ok", number, fault, name, sig, tries), flush=True)
    return failed != 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--planted", action="store_true")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    names = ["run", "run-plugin", "fuzz", "min", "launch", "report"]
    signals = ["KILL", "TERM", "INT", "STOP"]
    if args.planted and inject.preload_fails():
        print("TAP version 13\n1..0 # SKIP the sanitizers' library must come first")
        return 0
    root = tempfile.mkdtemp()
    if args.planted:
        try:
            return planted(root)
        finally:
            shutil.rmtree(root, ignore_errors=True)
    print("TAP version 13\n1..%d" % len(signals), flush=True)
    failed = 0
    try:
        k = Kills(root, random.Random(args.seed))
        for i, sig in enumerate(signals):
            k.bad, k.printed = [], 0
            n = args.count // len(signals)
            for j in range(n):
                k.kill(names[j % len(names)], sig)
            for line in k.bad[:10]:
                print("# " + line)
            failed += bool(k.bad)
            print("%s %d - %d times %s: %d results printed, %d complaints" % ("not ok" if k.bad else "ok", i + 1, n, sig, k.printed, len(k.bad)), flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
