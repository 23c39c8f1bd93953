#!/usr/bin/env python3
"""Devices that attack: each costs its own job and nothing else. TAP 13.

    harness/t/lib/hostile.py plugin|pipe [--only NAME[,NAME]]

Of the plug-ins one in two is tried, of the pipes one in six, as most of their time is waiting; with ALL=1 in the environment all are.

Goes through hostile_plugins.txt or hostile_pipes.txt (harness/t/bad/dut), which say what is to become of each: runs the cases of
hostile.case and looks whether the attacked row ends as it says, every other row is right, none is missing in the output or the
journal, the exit code is right, what comes on standard error is bounded, and no process is left: every process that comes of the run carries a mark in its environment.
"""
import ctypes, os, re, shutil, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
BUILD = os.environ.get("BUILD", "build")
GCNCHECK = os.environ.get("GCNCHECK", BUILD + "/gcncheck")
BAD = "harness/t/bad/dut"
CASES = BAD + "/hostile.case"
SAMPLE = {"plugin": 2, "pipe": 6}  # one in so many
ROWS, ATTACKED = 19, "the attack"
SECONDS = 120
STDERR_MAX = 4 << 20  # what can come of floods: a mebibyte at once and a quarter of one in a second, by few processes


def can_confine():
    """Landlock's scopes, from version 6 on."""
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1) >= 6


def marked(mark):
    """Processes with the mark in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = open("/proc/%s/environ" % pid, "rb").read()
            if mark.encode() in environment:
                found.append("%s %s" % (pid, open("/proc/%s/cmdline" % pid).read().replace("\0", " ")))
        except OSError:
            pass
    return found


def has_sanitizer():
    return b"__asan_init" in open(GCNCHECK, "rb").read()


def read_table(path):
    rows = []
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            name, code, verdict, words = (w.strip() for w in re.split(r" \| | \|$", line.rstrip("\n"), maxsplit=3))
            rows.append((name, int(code), verdict, words.split()))
    return rows


def points(out):
    """Number of row: (title, "right" or reason and detail)."""
    seen = {}
    for block in re.split(r"\n(?=ok |not ok )", "\n" + out)[1:]:
        head = re.match(r"(not )?ok (\d+) - ([^\n]*)", block)
        if not head.group(1):
            skip = re.search(r"# SKIP ([^\n]*)", head.group(3))
            verdict = re.sub(":", "", skip.group(1), count=1) if skip else "right"
        else:
            verdict = " ".join(re.findall(r"^  (?:reason|detail): *\"?(.*?)\"?$", block, re.M))
        seen[int(head.group(2))] = (head.group(3), verdict)
    return seen


def judge(row, code, out, err, kept, refusal):
    name, want_code, want, _ = row
    bad = []
    if code != want_code:
        bad.append("exit code %s, not %d: %s" % (code, want_code, err[-300:]))
    if len(err) > STDERR_MAX:
        bad.append("%d bytes on standard error" % len(err))
    if "Sanitizer" in err or "runtime error" in err:
        bad.append("sanitizer: " + err[-1500:])
    if re.search(r"[\0-\x08\x0b-\x1f\x7f]", out):
        bad.append("control characters in the output")
    kind, _, rest = want.partition(" ")
    seen = points(out)
    attacked = [n for n, (title, _) in seen.items() if ATTACKED in title]
    others = {n: v for n, (_, v) in seen.items() if n not in attacked and v != "right"}
    if kind == "refused":
        lines = [l for l in err.splitlines() if l.startswith("gcncheck run: ")]
        if len(lines) != 1 or not re.search(rest, lines[0]):
            bad.append("wanted a line with %s: %s" % (rest, lines or err[-300:]))
        return bad + (["rows were judged"] if seen else [])
    if kind == "lost":
        if not re.search(rest, err):
            bad.append("wanted a line with %s: %s" % (rest, err[-300:]))
        return bad + (["judged wrong: %s" % others] if others else []) + (["what is in the journal was not printed, or the reverse: %d, %d" % (
            kept, len(seen))] if kept < len(seen) else [])
    if sorted(seen) != list(range(1, ROWS + 1)) or kept != ROWS:
        bad.append("%d rows printed, %d in the journal, not %d" % (len(seen), kept, ROWS))
    if others:
        bad.append("other rows: %s" % others)
    if len(attacked) != 1 or not re.fullmatch(want, seen[attacked[0]][1]):
        bad.append("the attacked row: %s, not %s" % ([seen[n][1] for n in attacked], want))
    return bad


def attempt(kind, row, root, number):
    name, _, want, words = row
    folder = "%s/%s" % (root, name)
    os.mkdir(folder)
    mark = "HOSTILE_MARK=%d.%d.%s" % (os.getpid(), number, name)
    dut = "plugin:%s/bad_hostile.so" % BUILD if kind == "plugin" else "pipe:exec python3 %s/hostile_pipe.py %s %s" % (BAD, name, folder)
    options = [w for w in words if w not in ("confined", "plain")]
    # Where nothing is to be waited for, a busy machine gets its time.
    if "--dut-time" not in options:
        options += ["--dut-time", "1s" if "no answer" in want else "8s"]
    command = [GCNCHECK, "run", "--quiet", "--jobs", "1", "--dut", dut, "--journal", folder + "/journal"] + options + [CASES]
    environment = dict(os.environ, HOSTILE=name if kind == "plugin" else "", EXAMPLE_DUT_BUG="0", HOSTILE_MARK=mark.split("=")[1])
    begin = time.time()
    out, err = open(folder + "/out", "wb"), open(folder + "/err", "wb")
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    try:
        code = process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        code = "none in %d s" % SECONDS
        process.wait()
    left = marked(mark)
    for line in left:
        os.kill(int(line.split()[0]), 9)
    report = subprocess.run([GCNCHECK, "report", "--format", "jsonl", folder + "/journal"], capture_output=True, text=True)
    text = [open(folder + "/" + f, errors="replace").read() for f in ("out", "err")]
    bad = judge(row, code, text[0], text[1], report.stdout.count('"kind":"result"'), want)
    if left:
        bad.append("left over: %s" % left)
    return bad, time.time() - begin


def main():
    kind = sys.argv[1]
    only = sys.argv[3].split(",") if len(sys.argv) > 3 else None
    rows = [r for r in read_table("%s/hostile_%ss.txt" % (BAD, kind)) if not only or r[0] in only]
    if not only and os.environ.get("ALL") != "1":
        rows = rows[::SAMPLE[kind]]
    root = tempfile.mkdtemp()
    lacks = {} if can_confine() else {"confined": "this kernel has no scopes of Landlock"}
    if has_sanitizer():
        lacks["plain"] = "not with sanitizers"
    failed = 0
    print("TAP version 13\n1..%d" % len(rows), flush=True)
    try:
        with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
            def one(item):
                number, row = item
                missing = [lacks[w] for w in row[3] if w in lacks]
                return missing[0] if missing else attempt(kind, row, root, number)
            for number, (row, got) in enumerate(zip(rows, pool.map(one, enumerate(rows))), 1):
                if isinstance(got, str):
                    print("ok %d - %s %s # SKIP %s" % (number, kind, row[0], got), flush=True)
                    continue
                for line in got[0]:
                    print("# " + line.replace("\n", " | "))
                failed += bool(got[0])
                print("%s %d - %s %s: %s" % ("not ok" if got[0] else "ok", number, kind, row[0], row[2]), flush=True)
                if got[1] > 20:
                    print("# it took %.0f s" % got[1])
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
