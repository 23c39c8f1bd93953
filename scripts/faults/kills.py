#!/usr/bin/env python3
"""What is left of gcncheck when it is killed: run, fuzz, min, launch and report at random moments by KILL, TERM, INT, and STOP with
CONT. TAP 13.

    scripts/faults/kills.py [--count N] [--seed N]      default 200 kills
    scripts/faults/kills.py --planted                   faults are planted (harness/t/bad/memory/plant_fault.c), and each is noticed

Whatever was printed is in the journal, which is no whole one to report; a signal that can be caught ends in order, with code 3 (or that of the whole run, if it
came too late) and what was found; files are those from before or whole new ones; no process and, but for the hidden folder of a
finding under way at a KILL, no file is left over; --resume, or the same command again, ends as the undisturbed run; STOP and CONT
change nothing.
"""
import argparse, concurrent.futures, os, random, re, shutil, signal, subprocess, sys, tempfile, time
import bench

SOME = bench.CASES + "/sop2"
SPIN = """kernel vadd_f32
grid 131072 1 1
workgroup 256 1 1
buf %s/a.bin
buf %s/b.bin
tmp 524288
i32 1000
""" % (bench.KERNEL, bench.KERNEL)
# In folders as bench.Bench makes them, with spin.txt.
COMMANDS = {
    "run": ["run", "--quiet", "--jobs", "2", "--journal", "new.journal", SOME],
    "run-plugin": ["run", "--quiet", "--jobs", "2", "--dut", bench.PLUGIN, "--journal", "new.journal", SOME, bench.SUBSTITUTE],
    "fuzz": ["fuzz", "--quiet", "--jobs", "2", "--seed", "1", "--count", "200", "--dut", bench.PLUGIN, "--out", "new", "--journal", "new.journal"],
    "min": ["min", "--trust", "--quiet", "found/F"],
    "launch": ["launch", "--mcpu", "gfx900", "--engine", "ref", "--jobs", "2", "--out", "buffers", bench.OBJECT, "spin.txt"],
    "report": ["report", "--format", "html", "--out", "page.html", "run.journal"],
}
SIGNALS = ["KILL", "TERM", "INT", "STOP"]


class Kills:
    def __init__(self, root):
        self.root, self.bad = root, []
        self.bench = bench.Bench(root)
        with open(self.bench.model + "/spin.txt", "w") as f:
            f.write(SPIN)
        self.number = 0
        self.planted = None
        self.whole = {}
        self.printed = 0

    def fresh(self):
        with self.bench.lock:
            self.number += 1
            folder = "%s/k%d" % (self.root, self.number)
        shutil.copytree(self.bench.model, folder)
        return folder

    def start(self, folder, args, mark="", planted=None):
        environment = dict(os.environ, MARK=mark)
        if planted:
            environment.update(LD_PRELOAD=bench.PLANT_FAULT, PLANT_FAULT=planted)
        with open(folder + "/stdout", "wb") as out, open(folder + "/stderr", "wb") as err:
            return subprocess.Popen([bench.GCNCHECK] + args, cwd=folder, stdin=subprocess.DEVNULL, env=environment, stdout=out, stderr=err)

    def look(self, folder):
        """The files, with those that standard output and error went to; no times are in them."""
        files = bench.digest(folder)
        files["stdout"] = re.sub(rb"\d+\.\d+ s\b", b"TIME", files["stdout"])
        return files

    def report(self, journal):
        """What a journal comes to, however often it was gone on with."""
        path = tempfile.mkstemp(dir=self.root)[1]
        with open(path, "wb") as f:
            f.write(journal)
        return subprocess.run([bench.GCNCHECK, "report", "--canonical", "--format", "jsonl", path], capture_output=True).stdout

    def undisturbed(self, name):
        """Code, seconds, and the files."""
        if name not in self.whole:
            folder = self.fresh()
            begin = time.time()
            code = self.start(folder, COMMANDS[name]).wait()
            if code not in (0, 1):
                sys.exit("Bail out! %s: code %d: %s" % (name, code, open(folder + "/stderr").read()))
            self.whole[name] = (code, time.time() - begin, self.look(folder))
            shutil.rmtree(folder)
        return self.whole[name]

    def check_printed(self, name, folder, files):
        """Complaints of what was printed and is not kept."""
        out, bad = files["stdout"].decode(errors="replace"), []
        if name.startswith("run"):
            # The last line may have been cut off in the middle.
            n, held = len(re.findall(r"^(?:not )?ok \d+ .*\n", out, re.M)), bench.results(files.get("new.journal", b""))
            self.printed += n
            if n > held:
                bad.append("%d results printed, %d in the journal" % (n, held))
        for f in re.findall(r"^finding (\S+):", out, re.M) if name == "fuzz" else []:
            self.printed += 1
            replayed = subprocess.run([bench.GCNCHECK, "replay", "--trust", f], cwd=folder, capture_output=True).returncode
            if f.encode() not in files.get("new.journal", b"") or replayed != 1:
                bad.append("%s was printed and is not kept" % f)
        return bad

    def check_code(self, sig, got, code, ended, files):
        number = getattr(signal, "SIG" + sig)
        if sig == "STOP" or ended:
            return [] if got == code else ["code %s, not %s" % (got, code)]
        if sig == "KILL":
            return [] if got in (-number, code) else ["code %s" % got]
        if got == -number and "new.journal" in files:
            return ["did not end in order"]
        return [] if got in (3, code, -number) else ["code %s" % got]

    def check_part(self, name, folder, got, files):
        """What was ended before its end is a part, to whoever reads its journal."""
        code, _, whole = self.undisturbed(name)
        held = files.get("new.journal")
        if held is None or got == code or self.report(held) == self.report(whole["new.journal"]):
            return []
        return ["report takes it for a whole run (code %s)" % got] if bench.is_whole(folder + "/new.journal") else []

    def check_again(self, name, folder):
        """--resume, or the same again, comes to what the undisturbed one did."""
        code, _, whole = self.undisturbed(name)
        args = [a if a != "--journal" else "--resume" for a in COMMANDS[name]]
        p = self.start(folder, args)
        got = p.wait()
        files = self.look(folder)
        ours = [n for n in set(files) | set(whole) if not n.startswith("new/.") and n != "stderr" and (n != "stdout" or name not in ("fuzz", "min"))]
        other = [n for n in ours if files.get(n) != whole.get(n)]
        if name.startswith("run") and other == ["new.journal"] and self.report(files["new.journal"]) == self.report(whole["new.journal"]):
            other = []
        return [] if got == code and not other else ["--resume ends otherwise (code %s): %s %s" % (got, other, files["stderr"][-200:])]

    def kill(self, name, sig, share):
        """Kills it after a share of its time; answers complaints."""
        code, seconds, whole = self.undisturbed(name)
        folder = self.fresh()
        moment = share * seconds
        mark = "killed-%d-%s" % (os.getpid(), os.path.basename(folder))
        p = self.start(folder, COMMANDS[name], mark, self.planted)
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
            got = p.wait(120)
        except subprocess.TimeoutExpired:
            p.kill()
            return ["%s, %s after %.3f s: does not end" % (name, sig, moment)]
        left = bench.left_over(mark)
        bad = ["process left over: %s" % left] if left else []
        files = self.look(folder)
        bad += self.check_code(sig, got, code, ended, files)
        bad += self.check_printed(name, folder, files) + self.check_part(name, folder, got, files)
        strange = [f for f in files if f not in self.bench.files and f not in whole and not (sig == "KILL" and f.startswith("new/."))]
        bad += ["file left over: %s" % strange] if strange else []
        bad += ["%s is neither the old one nor the new one" % f for f in self.bench.files if files.get(f) not in (self.bench.files[f], whole.get(f))]
        if sig != "STOP":
            bad += self.check_again(name, folder)
        shutil.rmtree(folder)
        return ["%s, %s after %.3f s: %s" % (name, sig, moment, line) for line in bad]


# Fault, command, signal, what is complained of.
PLANTED = [("lose", "run", "KILL", r"\d+ results printed, \d+ in the journal"), ("lose", "run-plugin", "TERM", r"\d+ results printed, \d+ in the journal"),
           ("deaf", "fuzz", "TERM", "did not end in order"), ("deaf", "fuzz", "INT", "did not end in order"), ("zero", "run-plugin", "INT", "code 0"),
           ("crash", "fuzz", "TERM", "code -6"), ("child", "launch", "INT", "process left over"), ("spoil", "run", "TERM", "page.html is neither"),
           ("part", "fuzz", "INT", "file left over"), ("rot", "run", "TERM", "--resume ends otherwise"), ("rot", "fuzz", "INT", "--resume ends otherwise"),
           ("whole", "fuzz", "INT", "report takes it for a whole run"), ("whole", "run", "TERM", "report takes it for a whole run")]


def planted(root):
    """Each is tried until it is noticed: it is not at every moment that a kill shows it."""
    failed = 0
    print("1..%d" % len(PLANTED), flush=True)
    k = Kills(root)
    for number, (fault, name, sig, wanted) in enumerate(PLANTED, 1):
        rng = random.Random(number)
        k.undisturbed(name)
        k.planted = fault
        tries, bad = 0, []
        while tries < 60 and not any(re.search(wanted, line) for line in bad):
            tries += 1
            bad += k.kill(name, sig, 2 ** rng.uniform(-5, 2))  # the machine may be busier now, or have been then
        good = any(re.search(wanted, line) for line in bad)
        failed += not good
        for line in bad[:3] if not good else []:
            print("# " + line)
        print("%s %d - planted: %s, under %s and %s: noticed, in %d tries" % ("ok" if good else "not ok", number, fault, name, sig, tries), flush=True)
    return failed != 0


def all_kills(root, count, seed):
    rng = random.Random(seed)
    names = list(COMMANDS)
    k = Kills(root)
    for name in names:
        k.undisturbed(name)
    print("1..%d" % len(SIGNALS), flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        for number, sig in enumerate(SIGNALS, 1):
            k.printed = 0
            wanted = [(names[j % len(names)], sig, rng.random() * 1.1) for j in range(count // len(SIGNALS))]
            bad = [line for lines in pool.map(lambda w: k.kill(*w), wanted) for line in lines]
            for line in bad[:10]:
                print("# " + line.replace("\n", " | "))
            failed += bool(bad)
            print("%s %d - %d times %s: %d results printed, %d complaints" % ("not ok" if bad else "ok", number, len(wanted), sig, k.printed, len(bad)), flush=True)
    return failed != 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--planted", action="store_true")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    print("TAP version 13", flush=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored in the background, and so would the children
    if args.planted and bench.preload_fails():
        print("1..0 # SKIP the sanitizers' library must come first")
        return 0
    root = tempfile.mkdtemp()
    try:
        return planted(root) if args.planted else all_kills(root, args.count, args.seed)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
