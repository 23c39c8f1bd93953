#!/usr/bin/env python3
"""AFL++ on the parsers for hours that add up: what was run is kept, and goes on where it was.

    scripts/parsers/afl-hours.py --hours H [--jobs N] [--dir DIR] [--only NAME,NAME] [--slice SECONDS]
    scripts/parsers/afl-hours.py --table [--dir DIR]       what was run so far, for each target and in all

The targets are those of harness/fz (`make fz-targets`). Each is run for a slice at a time, the one next that has had the least processor
time, H hours of the clock long on N processors (default: 1). DIR (default $BUILD/afl-hours) holds for each target its inputs so far, crashes
and hangs, and table.tsv: a line for each slice, with the commit, seconds of the clock and of processors, executions, inputs and branches; it
is written when the slice ends, even if this script was killed before. Several of these may use one DIR. It runs at nice 19; SIGINT and
SIGTERM end it in order. Code 1: there was a crash or a hang.
"""
import argparse, ctypes, fcntl, hashlib, os, resource, shutil, signal, subprocess, sys, threading, time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("BUILD", "build")
GCNCHECK = os.environ.get("GCNCHECK", BUILD + "/gcncheck")
COLUMNS = ["target", "commit", "seconds", "cpu_seconds", "executions", "inputs", "branches", "crashes", "hangs"]
PR_SET_CHILD_SUBREAPER = 36
AFL = {"AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_NO_UI": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
       "AFL_FORKSRV_INIT_TMOUT": "600000"}


def targets():
    return sorted(n[3:] for n in os.listdir(BUILD + "/afl") if n.startswith("fz_"))


def read_table(folder):
    """The lines of the table as dictionaries."""
    try:
        with open(folder + "/table.tsv") as f:
            lines = [line.rstrip("\n").split("\t") for line in f]
    except FileNotFoundError:
        return []
    return [dict(zip(COLUMNS, [w if i < 2 else float(w) for i, w in enumerate(line)])) for line in lines[1:] if len(line) == len(COLUMNS)]


def print_table(folder):
    rows, names = read_table(folder), sorted({r["target"] for r in read_table(folder)})
    print("%-10s %10s %14s %8s %8s %8s %6s" % ("target", "cpu hours", "executions", "inputs", "branches", "crashes", "hangs"))
    for name in names + ["all"]:
        some = [r for r in rows if name in (r["target"], "all")]
        last = {r["target"]: r for r in some}.values()
        print("%-10s %10.3f %14d %8d %8d %8d %6d" % (name, sum(r["cpu_seconds"] for r in some) / 3600, sum(r["executions"] for r in some),
                                                     sum(r["inputs"] for r in last), sum(r["branches"] for r in last),
                                                     sum(r["crashes"] for r in some), sum(r["hangs"] for r in some)))


def keep(folder, paths):
    """Files under names made of what they hold, so that none is there twice."""
    os.makedirs(folder, exist_ok=True)
    for path in paths:
        with open(path, "rb") as f:
            data = f.read()
        to = os.path.join(folder, hashlib.sha256(data).hexdigest()[:16])
        if data and not os.path.exists(to):
            with open(to + ".part", "wb") as f:
                f.write(data)
            os.rename(to + ".part", to)


def files(folder):
    return sorted(e.path for e in os.scandir(folder) if e.is_file() and not e.name.endswith((".part", ".txt"))) if os.path.isdir(folder) else []


def hangs_alone(name, path, env):
    """Whether an input that took AFL++'s patience does not end within a minute of its own, either."""
    try:
        subprocess.run([BUILD + "/afl/fz_" + name, path], env=env, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return False
    except subprocess.TimeoutExpired:
        return True


class Slices:
    """What the threads share."""

    def __init__(self, args):
        self.args = args
        self.names = args.only.split(",") if args.only else targets()
        self.until = time.time() + args.hours * 3600
        self.busy, self.lock, self.stop, self.failed = {}, threading.Lock(), False, False
        self.commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip() or "-"

    def take(self):
        """The next target, and the file that holds it against others; None: all are held."""
        with self.lock:
            used = dict.fromkeys(self.names, 0)
            for r in read_table(self.args.dir):
                if r["target"] in used:
                    used[r["target"]] += r["cpu_seconds"]
            for name in sorted(self.names, key=lambda n: (used[n], n)):
                os.makedirs(self.args.dir + "/" + name, exist_ok=True)
                held = open(self.args.dir + "/" + name + "/lock", "w")
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return name, held
                except BlockingIOError:
                    held.close()
        return None, None

    def run(self, name, held):
        """One slice, in a process of its own, whose children's time is known when all have ended, and which outlives this one."""
        seconds = max(1, int(min(self.args.slice, self.until - time.time())))
        with self.lock:
            p = subprocess.Popen([sys.executable, __file__, "--one", name, "--dir", self.args.dir, "--slice", str(seconds), "--commit", self.commit],
                                 start_new_session=True, pass_fds=[held.fileno()])
            self.busy[name] = p
        self.failed |= p.wait() != 0
        with self.lock:
            del self.busy[name]

    def work(self):
        while not self.stop and time.time() < self.until:
            name, held = self.take()
            if not name:
                time.sleep(1)
                continue
            with held:
                self.run(name, held)

    def end(self, *_):
        self.stop = True
        for p in list(self.busy.values()):
            p.send_signal(signal.SIGINT)


def note(folder, row):
    with open(folder + "/table.tsv", "a") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        if f.tell() == 0:
            f.write("\t".join(COLUMNS) + "\n")
        f.write("\t".join(str(row[c]) for c in COLUMNS) + "\n")


def conclude(args, start, cpu, was_stopped):
    """Keeps what a slice came to, and its line of the table. 1: there was a crash or a hang, or it did not run."""
    name, folder = args.one, args.dir + "/" + args.one
    out, env, stats = folder + "/out/default/", dict(os.environ, FZ_FOLDER=folder + "/files"), {}
    if os.path.exists(out + "fuzzer_stats"):
        with open(out + "fuzzer_stats") as f:
            stats = dict([w.strip() for w in line.split(":", 1)] for line in f if ":" in line)
    keep(folder + "/inputs", files(out + "queue"))
    crashes, hangs = files(out + "crashes"), [h for h in files(out + "hangs") if not was_stopped and hangs_alone(name, h, env)]
    keep(folder + "/crashes", crashes)
    keep(folder + "/hangs", hangs)
    note(args.dir, {"target": name, "commit": args.commit, "seconds": int(time.time() - start), "cpu_seconds": round(cpu, 1),
                    "executions": stats.get("execs_done", 0), "inputs": len(files(folder + "/inputs")), "branches": stats.get("edges_found", 0),
                    "crashes": len(crashes), "hangs": len(hangs)})
    if not crashes and not hangs and stats:
        return 0
    print("%s: %s" % (name, "%d crashes, %d hangs, in %s" % (len(crashes), len(hangs), folder) if stats else "did not run: %s/log" % folder), flush=True)
    return 1


def one(args):
    """Runs AFL++ on a target, and notes what came of it with the processor time of all that it has started."""
    name, folder, start, stopped = args.one, args.dir + "/" + args.one, time.time(), []
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    os.makedirs(folder + "/files", exist_ok=True)
    shutil.rmtree(folder + "/out", ignore_errors=True)
    keep(folder + "/inputs", files("%s/seeds/%s" % (args.dir, name)))
    with open(folder + "/log", "w") as log:
        p = subprocess.Popen(["afl-fuzz", "-V", str(args.slice), "-m", "none", "-t", "5000+", "-x", "%s/seeds/%s.dict" % (args.dir, name),
                              "-i", folder + "/inputs", "-o", folder + "/out", "--", BUILD + "/afl/fz_" + name],
                             stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=dict(os.environ, FZ_FOLDER=os.path.abspath(folder + "/files"), **AFL))
        signal.signal(signal.SIGINT, lambda *_: (stopped.append(1), p.send_signal(signal.SIGINT)))
        p.wait()
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return conclude(args, start, used.ru_utime + used.ru_stime, bool(stopped))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hours", type=float)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--dir", default=BUILD + "/afl-hours")
    p.add_argument("--only")
    p.add_argument("--slice", type=int, default=300)
    p.add_argument("--table", action="store_true")
    p.add_argument("--one", help=argparse.SUPPRESS)
    p.add_argument("--commit", help=argparse.SUPPRESS)
    args = p.parse_args()
    args.dir = os.path.abspath(args.dir)
    if args.one:
        return one(args)
    if args.table:
        return print_table(args.dir)
    if not args.hours:
        p.error("--hours says how long")
    os.nice(19)
    made = args.dir + "/seeds"
    if not all(os.path.exists("%s/%s.dict" % (made, name)) for name in targets()):
        subprocess.run([sys.executable, "scripts/parsers/fuzz-seeds.py", GCNCHECK, made], check=True)
    s = Slices(args)
    signal.signal(signal.SIGINT, s.end)
    signal.signal(signal.SIGTERM, s.end)
    threads = [threading.Thread(target=s.work) for _ in range(args.jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print_table(args.dir)
    return 1 if s.failed else 0


if __name__ == "__main__":
    sys.exit(main())
