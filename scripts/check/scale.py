#!/usr/bin/env python3
"""What gcncheck takes at n, 4n and 16n cases, records, lines, files or programs: time must grow no faster than they do, and memory must
stay, or grow by no more than a stated number of bytes for each. TAP 13.

    scripts/check/scale.py [--only NAME,NAME] [--planted] [--list]
    scripts/check/scale.py --minutes N [--planted]      a campaign of so many minutes: what it holds at its end, what a program takes

Time is user and system time of the program and its workers, memory the largest resident set of one of them. A command costs a + b n if it
is linear; with a part c n^2, (t(16n) - t(4n)) / (t(4n) - t(n)) rises from 4 towards 16. Above 7, where the square's part has become as
large as the line's at 16n, a measurement is made again, at most twice, and fails if it stays so. What is over in a fraction of a second is
not judged.
--planted measures a program that holds each thing against all others, and one that keeps them all: both must fail.

Of a campaign with journal, coverage and findings, memory is looked at four times a second: no process of it may hold more in the last
quarter than in a campaign of a 16th, but for some MiB, and a program may take no more than half as much again as there.
"""
import argparse, os, re, shutil, struct, subprocess, sys, tempfile, threading, time, zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../run"))
from tap import Tap

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
GCNCHECK = os.path.abspath(os.environ.get("GCNCHECK", BUILD + "/gcncheck"))
STEEPEST = 7.0     # of the two rises of time; a line has 4
LEAST_SECONDS = 0.4  # by which the time must rise to be judged: below that it is noise
FLAT_MIB = 8       # by which memory that stays may rise: pages of libraries, a buffer that doubled
LONG = "v_add_u32"


class Work:
    """A folder, and what commands find in it."""

    def __init__(self, root):
        self.root = root

    def path(self, name):
        return os.path.join(self.root, name)

    def folder(self, name):
        os.makedirs(self.path(name), exist_ok=True)
        return self.path(name)

    def lines(self, name, lines):
        with open(self.path(name), "w") as f:
            f.writelines(line + "\n" for line in lines)
        return self.path(name)


# ---- cases ----

ROWS = 3125  # of a test; at most 4096


def case_file(path, count, wrong):
    """`count` rows, of which all are wrong, or none."""
    with open(path, "w") as f:
        f.write("case-format 1\n")
        for at in range(0, count, ROWS):
            f.write("test part %d\ncode\n    v_add_u32_e32 v0, v1, v2\nrows v1 v2 | v0\n" % (at // ROWS))
            f.writelines("  0x%x 1 | 0x%x\n" % (i, i + (not wrong)) for i in range(at, min(count, at + ROWS)))


def failing(w, n):
    """A folder of files of 6,250 failing cases."""
    folder = w.folder("failing%d" % n)
    for at in range(0, n, 2 * ROWS):
        case_file("%s/part%d.case" % (folder, at // (2 * ROWS)), min(n - at, 2 * ROWS), True)
    return folder


def small_files(w, n):
    folder = w.folder("files%d" % n)
    for i in range(n):
        case_file("%s/f%d.case" % (folder, i), 1, False)
    return folder


def long_file(w, n):
    """A file of n lines, most of them empty: a file may have a mebibyte."""
    path = w.path("long%d.case" % n)
    case_file(path, 1, False)
    with open(path, "a") as f:
        f.write("\n" * n)
    return path


def full_file(w, n):
    path = w.path("full%d.case" % n)
    case_file(path, n, False)
    return path


# ---- journals ----

def mp_text(text):
    data = text.encode()
    return (b"\xd9" + bytes([len(data)]) if len(data) < 256 else b"\xda" + struct.pack(">H", len(data))) + data


def mp_map(members):
    """The values are encoded already."""
    return b"\xde" + struct.pack(">H", len(members)) + b"".join(mp_text(k) + v for k, v in members.items())


def mp_number(n):
    return b"\xcf" + struct.pack(">Q", n)


def result_record(status):
    """Of about two kilobytes; the digits of its id and of its cause are to be filled in."""
    texts = {"status": status, "id": "gfx900/vop2/v_add_u32/e64#@@@@@@", "title": "sum, row 1", "encoding": "VOP2", "mnemonic": LONG,
             "form": "e64", "mcpu": "gfx900", "dut": "model", "against": "expected", "cause": "v_add_u32 e64: @@@@@@", "insn": "v_add_u32 v0, v1, v2",
             "program": "v_add_u32 v0, v1, v2\n" * 50, "inputs": "v1=0x00000001 " * 20, "again": "gcncheck run c.case:4 --mcpu gfx900"}
    diff = mp_map({k: mp_text(v) for k, v in {"place": "v0", "want": "0x1", "got": "0x2"}.items()})
    return mp_text("result") + mp_map(dict({k: mp_text(v) for k, v in texts.items()}, diff=b"\x91" + diff))


def journal(path, n, status="not ok", causes=100):
    """n results of `causes` causes."""
    number = 0
    with open(path, "wb", buffering=1 << 20) as f:

        def put(body, elements):
            nonlocal number
            body = bytes([0x90 | elements + 2]) + body + b"\xce" + struct.pack(">I", number)
            f.write(body + b"\xce" + struct.pack(">I", zlib.crc32(body)))
            number += 1

        put(mp_text("head") + mp_map({"journal": b"\x02", "version": mp_text("0.1"), "mcpu": mp_text("gfx900"), "dut": mp_text("model"),
                                      "args": mp_text("run cases"), "count": mp_number(n), "offered": mp_number(n)}), 2)
        put(mp_text("intent") + mp_number(0) + mp_number(n), 3)
        a, b, c = result_record(status).split(b"@" * 6)
        for i in range(n):
            put(b"%s%06d%s%06d%s" % (a, i, b, i % causes, c), 2)
        put(mp_text("end") + mp_number(n), 2)
    return path


def some_journal(w, n):
    path = w.path("journal%d" % n)
    return path if os.path.exists(path) else journal(path, n)


# ---- findings ----

def finding_folder(w, n):
    """One finding of a campaign, and n copies of it under other names."""
    folder = w.folder("findings%d" % n)
    subprocess.run([GCNCHECK, "fuzz", "--quiet", "--dut", "plugin:%s/example_dut.so" % BUILD, "--count", "64", "--out", folder],
                   stdout=subprocess.DEVNULL, check=False)
    first = folder + "/v_bfe_u32-e64-vgpr"
    for i in range(n):
        os.makedirs("%s/copy-%d" % (folder, i))
        for name in os.listdir(first):
            os.link("%s/%s" % (first, name), "%s/copy-%d/%s" % (folder, i, name))
    return folder


# ---- known failures ----

def known_own(w, n, name):
    """n causes with a reason each, none of them that of the failing cases."""
    lines = ["known-format 1"]
    for i in range(n):
        lines += [name % i, "    because"]
    return w.lines("known%d" % n, lines)


def known_deqp(w, n):
    """The first n failing cases by name."""
    return w.lines("known%d.csv" % n, ("gfx900/failing%d/part%d/base#part-%d.%d,Fail" % (n, i // (2 * ROWS), i // ROWS % 2, i % ROWS + 1)
                                       for i in range(n)))


# ---- what is measured ----

def run(cases, *more):
    return [GCNCHECK, "run", "--quiet", "--mcpu", "gfx900", "--jobs", "1", *more, cases]


def report(form, *more):
    return lambda w, n: [GCNCHECK, "report", "--format", form, *more, some_journal(w, n)]


def two_journals(w, n):
    """Of as many causes as results, none of which is there in the second."""
    return [GCNCHECK, "report", "--diff", journal(w.path("old%d" % n), n, "not ok", n), journal(w.path("new%d" % n), n, "ok")]


def example(w, count, *more):
    return [GCNCHECK, "fuzz", "--quiet", "--jobs", "1", "--dut", "plugin:%s/example_dut.so" % BUILD, "--count", str(count), "--out",
            w.folder("found"), *more]


def finished(w, n):
    """A campaign that is gone on with at its end: all there is to do is to read what it knew."""
    command = example(w, n)
    subprocess.run(command + ["--journal", w.path("fuzz%d" % n), "--force"], stdout=subprocess.DEVNULL, check=False)
    return command + ["--resume", w.path("fuzz%d" % n)]


def recorded(w, n):
    """A recording of the answers to n steps of random programs."""
    made, answers = w.path("steps%d.gcv" % n), w.path("answers%d.gcv" % n)
    for command in (["export", "--count", str(n), "--format", "bin", "--out", made],
                    ["record", "--format", "bin", "--out", answers, made]):
        subprocess.run([GCNCHECK, *command, "--quiet", "--force"], stdout=subprocess.DEVNULL, check=True)
    return [GCNCHECK, "replay", "--quiet", answers]


CASE, RESULT = 1500, 64  # bytes for a case that is planned with its values; for a result that two journals are compared by
# For a program, while the places of a batch fill: each keeps what its largest program took, and few step cases hold memory. It ends after
# some thousands, which a campaign of a minute (--minutes 1) shows: a kilobyte for each of its programs would be seen there.
FILLING, FILLED = 1024, 4096  # bytes, programs

# name: what is counted, n, bytes of memory for each (None: what there is, is for all the same, and so is the time; 0: memory stays),
# the command. Exit codes 0 and 1 are right.
MEASURED = {
    "run": ("failing cases", 6250, CASE, lambda w, n: run(failing(w, n))),
    "journal": ("failing cases into a journal", 6250, CASE, lambda w, n: run(failing(w, n), "--force", "--journal", w.path("run%d" % n))),
    "files": ("case files", 625, 8192, lambda w, n: run(small_files(w, n))),
    "lines": ("lines of a case file", 62500, 32, lambda w, n: run(long_file(w, n))),
    "rows": ("rows of a case file", 2560, CASE, lambda w, n: run(full_file(w, n))),
    "known": ("known causes", 6250, 1024, lambda w, n: run(failing(w, 6250), "--known", known_own(w, n, "v_op%d e64: vgpr"))),
    "patterns": ("patterns of causes, and as many failing cases", 6250, CASE + 1024,
                 lambda w, n: run(failing(w, n), "--known", known_own(w, n, "v_*_%d e64: vgpr"))),
    "expected": ("expected failures, and as many failing cases", 6250, CASE + 1024,
                 lambda w, n: run(failing(w, n), "--known", known_deqp(w, n))),
    "report-text": ("results in a journal of a gigabyte as text", 36000, 0, report("text")),
    "report-html": ("results in a journal as html", 8000, 0, report("html")),
    "report-tap": ("results in a journal as tap", 8000, 0, report("tap")),
    "report-junit": ("results in a journal as junit", 2000, 512, report("junit")),
    "report-jsonl": ("results in a journal as jsonl", 2000, 0, report("jsonl")),
    "report-lines": ("results in a journal as lines", 8000, 0, report("lines")),
    "report-canonical": ("results in a journal as sorted jsonl", 2000, 8192, report("jsonl", "--canonical")),
    "diff": ("results in each of two journals", 2000, 8192, two_journals),
    "fuzz": ("programs", 256, FILLING, lambda w, n: example(w, n)),
    "fuzz-journal": ("programs with a journal", 256, FILLING, lambda w, n: example(w, n, "--force", "--journal", w.path("fuzz%d" % n))),
    "resume": ("programs of a campaign that is gone on with", 256, 0, finished),
    "stream": ("as number of the stream that is run alone", 10000, None,
               lambda w, n: [c for c in example(w, 0, "--stream", str(n)) if c not in ("--count", "0")]),
    "cover": ("programs that are counted", 500, 0, lambda w, n: [GCNCHECK, "cover", "--count", str(n)]),
    "findings": ("findings beside the one that is replayed", 625, None,
                 lambda w, n: [GCNCHECK, "replay", "--trust", "--quiet", finding_folder(w, n) + "/copy-0"]),
    "out": ("findings in the folder that a campaign adds to", 625, None,
            lambda w, n: [c if c != w.path("found") else finding_folder(w, n) for c in example(w, 64)]),
    "replay": ("recorded programs step by step, 600 kB each, which are in memory", 6, 600000, recorded),
}

def planted(code):
    return lambda w, n: [sys.executable, "-c", code % n]


PLANTED = {
    "planted-time": ("things, each held against all others", 500, 0, planted("n = %d\nfor i in range(n * n): pass")),
    "planted-memory": ("things, each kept", 500, 0, planted("kept = b'x' * (4096 * %d)")),
}


# ---- measuring ----

def measure(command, root):
    """Seconds of user and system time, MiB of memory. Raises ValueError if the command does not end as it should."""
    with open(root + "/stderr", "w") as err:
        p = subprocess.Popen(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):
        raise ValueError("%s: exit code %d: %s" % (" ".join(command), p.returncode, open(root + "/stderr").read()[-300:]))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(name, what):
    """One point's text, and whether it holds. What is made for it is removed."""
    count, n, each, command = what
    root = tempfile.mkdtemp(prefix="scale-")
    w = Work(root)
    try:
        commands = [command(w, n * by) for by in (1, 4, 16)]
        (t1, m1), (t4, m4), (t16, m16) = [measure(c, root) for c in commands]
        grows = steepness(t1, t4, t16, each)
        for _ in range(2):
            if grows <= STEEPEST:
                break
            again = [measure(c, root)[0] for c in commands]
            t1, t4, t16 = [min(a, b) for a, b in zip((t1, t4, t16), again)]
            grows = steepness(t1, t4, t16, each)
        allowed = FLAT_MIB + (each or 0) * 15 * n / 2**20
        text = "%s: %d %s: %.2f s, of a quarter %.2f s, of a 16th %.2f s; %.0f, %.0f, %.0f MiB, %.0f may be" % (
            name, 16 * n, count, t16, t4, t1, m16, m4, m1, m1 + allowed)
        return grows <= STEEPEST and m16 <= m1 + allowed, text
    finally:
        shutil.rmtree(root)


# ---- a campaign for a time ----

def resident(group):
    """MiB of the largest process of the group."""
    largest = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(pid)) == group:
                with open("/proc/%s/statm" % pid) as f:
                    largest = max(largest, int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20)
        except (OSError, IndexError):
            pass
    return largest


def campaign(command, root):
    """Programs, seconds of user and system time, and [seconds, MiB] four times a second."""
    seen, begin = [], time.monotonic()
    with open(root + "/stdout", "w+") as out, open(root + "/stderr", "w") as err:
        p = subprocess.Popen(command, cwd=root, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        done = threading.Event()

        def watch():
            while True:
                seen.append((time.monotonic() - begin, resident(p.pid)))
                if done.wait(0.25):
                    break

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        done.set()
        watcher.join()
        out.seek(0)
        programs = re.search(r"(\d+) streams", out.read())
    if p.returncode not in (0, 1) or not programs or not int(programs[1]):
        raise ValueError("%s: exit code %d: %s" % (" ".join(command), p.returncode, open(root + "/stderr").read()[-300:]))
    return int(programs[1]), usage.ru_utime + usage.ru_stime, seen


def soak(minutes, command):
    """One point's text, and whether it holds."""
    root = tempfile.mkdtemp(prefix="scale-")
    try:
        few, first, short = campaign(command(Work(root), minutes / 16), root)
        shutil.rmtree(root + "/found", ignore_errors=True)
        many, all_of_it, seen = campaign(command(Work(root), minutes), root)
        early = max(mib for _, mib in short)
        late = max(mib for at, mib in seen if at >= seen[-1][0] * 3 / 4)
        a, b = 1000 * first / few, 1000 * all_of_it / many
        text = "%.4g minutes of programs: %d, %.2f ms each, of a 16th %d, %.2f ms each; %.0f MiB at the end, of a 16th %.0f" % (
            minutes, many, b, few, a, late, early)
        return late <= early + FLAT_MIB + FILLING * FILLED / 2**20 and b <= 1.5 * a, text
    finally:
        shutil.rmtree(root)


def long_campaign(w, minutes):
    command = [c for c in example(w, 0, "--force", "--journal", w.path("soak.journal"), "--coverage", w.path("soak.cover"), "--time",
                                  "%ds" % round(60 * minutes)) if c not in ("--count", "0")]
    for name in ("soak.journal", "soak.cover"):
        if os.path.exists(w.path(name)):
            os.unlink(w.path(name))
    return command


# What keeps 16 MiB a second, and what gets slower.
PLANTED_LONG = {
    "memory": "kept = []\nwhile time.monotonic() < end: kept.append(b'x' * 2**22); time.sleep(0.25); n += 20",
    "time": "a = 1\nwhile time.monotonic() < end: sum(range(100 * n)); n += 40",
}


def soak_planted(tap):
    for name, code in PLANTED_LONG.items():
        program = "import time\nn, end = 1, time.monotonic() + 60 * %f\n" + code + "\nprint(n, 'streams')"
        is_ok, text = soak(0.1, lambda w, minutes: [sys.executable, "-c", program % minutes])
        tap.point(not is_ok, "planted-%s: %s" % (name, text))


def steepness(t1, t4, t16, each):
    """The rise from 4n to 16n over that from n to 4n; 0 if there is too little to judge."""
    if each is None: # it should not rise at all; what is held against sixteenfold is whether it doubles
        return 0 if t16 - t1 < max(LEAST_SECONDS, t1) else 16 * STEEPEST
    return 0 if t16 - t4 < LEAST_SECONDS else (t16 - t4) / max(t4 - t1, LEAST_SECONDS / 16)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--minutes", type=float)
    args = parser.parse_args()
    measured = PLANTED if args.planted else MEASURED
    names = args.only.split(",") if args.only else list(measured)
    if args.list:
        print("\n".join("%-17s %d %s" % (name, measured[name][1] * 16, measured[name][0]) for name in names))
        return 0
    tap = Tap()
    if args.minutes and args.planted:
        soak_planted(tap)
    elif args.minutes:
        try:
            tap.point(*soak(args.minutes, long_campaign))
        except ValueError as e:
            tap.point(False, str(e).replace("\n", " "))
    for name in names if not args.minutes else []:
        try:
            is_ok, text = judge(name, measured[name])
        except (ValueError, OSError, subprocess.CalledProcessError) as e: # one probe's, in a run or while its files are made
            is_ok, text = bool(args.planted), "%s: %s" % (name, str(e).replace("\n", " "))
        tap.point(is_ok != args.planted, text)
    print("1..%d" % tap.number)
    return tap.failed > 0


if __name__ == "__main__":
    sys.exit(main())
