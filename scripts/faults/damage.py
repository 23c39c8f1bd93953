#!/usr/bin/env python3
"""Random damages of journals and findings: each is found and named, and what is not damaged is kept. TAP 13.

    scripts/faults/damage.py [--count N] [--seed N]     default 1000 damages, of journals seven in ten and of findings three
    scripts/faults/damage.py --planted                  programs that do not see them, or lose more, in place of gcncheck are noticed

A damage flips a bit, cuts bytes out, swaps two ranges or doubles one. Of a journal, `gcncheck report` must end with code 2 and a
line that says so, and every record that no damaged byte lies in must be in what it prints, once; `run --resume` must refuse it so and
leave it as it is, or, if nothing but its end is gone, come to what the whole run came to. Of a finding.json, `replay` and `min` must
end with code 2, name the file and change nothing. The checksums are also held against Python's zlib.crc32.
"""
import argparse, collections, concurrent.futures, os, random, shutil, subprocess, sys, tempfile, zlib
import bench


def damage(b, rng):
    """A damaged copy; it differs from b."""
    while True:
        kind = rng.choice(["flip", "cut", "swap", "duplicate"])
        i, j = rng.randrange(len(b)), rng.randrange(len(b))
        n = min(1 + int(rng.expovariate(1 / 60)), len(b) - max(i, j))
        if kind == "flip":
            c = bytearray(b)
            c[i] ^= 1 << rng.randrange(8)
            c = bytes(c)
        elif kind == "cut":
            c = b[:i] + b[i + n:]
        elif kind == "duplicate":
            c = b[:i + n] + b[i:]
        else:
            i, j = min(i, j), max(i, j)
            n = min(n, j - i)
            c = b[:i] + b[j:j + n] + b[i + n:j] + b[i:i + n] + b[j + n:]
        if c != b and c:
            return kind, c


def gcncheck(*args, cwd=None):
    r = subprocess.run([bench.GCNCHECK, *args], cwd=cwd, capture_output=True, text=True, errors="replace")
    return r.returncode, r.stdout, r.stderr


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def is_torn(parts, b):
    """Whether b holds the first records whole and then less than the next one, as a write does that did not end: what stands there is not
    told from the next one's beginning, and is done again."""
    at = 0
    for r in parts:
        if not b.startswith(r, at):
            return len(b) - at < len(r)
        at += len(r)
    return len(b) == at


class Damages:
    def __init__(self, root, rng):
        self.root, self.rng = root, rng
        self.bench = bench.Bench(root)
        self.number = self.failed = 0
        self.bad = []

    def point(self, bad, text):
        self.number += 1
        self.failed += bool(bad)
        self.bad += bad
        for line in bad[:8]:
            print("# " + line)
        print("%s %d - %s" % ("not ok" if bad else "ok", self.number, text), flush=True)

    def each(self, count, data, look):
        """Damages the data so often; look(folder, name, damaged) answers complaints. Returns them, and how many there were of a kind."""
        made = [damage(data, self.rng) for _ in range(count)]
        kinds = collections.Counter(kind for kind, _ in made)

        def one(n):
            folder = "%s/d%d" % (self.root, n)
            os.mkdir(folder)
            try:
                return look(folder, "%s %d" % (made[n][0], n), made[n][1])
            finally:
                shutil.rmtree(folder)
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
            bad = [line for lines in pool.map(one, range(count)) for line in lines]
        return bad, "%d damages (%s)" % (count, ", ".join("%d %s" % (v, k) for k, v in sorted(kinds.items())))

    def report(self, count):
        whole = read(self.bench.model + "/run.journal")
        parts = bench.records(whole)
        wrong = [i for i, r in enumerate(parts) if zlib.crc32(r[:-5]) != int.from_bytes(r[-4:], "big") or int.from_bytes(r[-9:-5], "big") != i]
        self.point(["record %d" % i for i in wrong], "%d records carry their number and zlib's CRC-32" % len(parts))
        code, out, err = gcncheck("report", "--format", "jsonl", self.bench.model + "/run.journal")
        lines = out.splitlines()
        self.point([] if code == 0 and len(lines) == len(parts) and not err else [err], "the whole journal is read")
        line_of = dict(zip(parts, lines)) # records and lines are in the same order
        kept = []

        def look(folder, name, b):
            write(folder + "/damaged.journal", b)
            code, out, err = gcncheck("report", "--format", "jsonl", folder + "/damaged.journal")
            got = out.splitlines()
            bad = [] if code == 2 and err.startswith("gcncheck report: ") else ["%s: code %s, %s" % (name, code, err[:100])]
            # Whole records of the damaged file, wherever they stand: what is doubled with its head is there twice.
            intact = [r for r in parts if r in b]
            kept.append(len(intact))
            missing = [line_of[r] for r in intact if r in line_of and line_of[r] not in got]
            if missing:
                bad.append("%s: %d records are intact and not reported: %s" % (name, len(missing), missing[0][:100]))
            return bad + ["%s: never written: %s" % (name, l[:100]) for l in got if l not in lines][:1]
        bad, text = self.each(count, whole, look)
        self.point(bad, "report: %s of a journal are named, and %d intact records reported" % (text, sum(kept)))

    def resume(self, count):
        whole = read(self.bench.model + "/right.journal")
        parts = bench.records(whole)
        command = ["run", "--quiet", "--jobs", "1", "--resume", "damaged.journal", bench.CASE]
        wanted = self.bench.run("run")
        gone_on = []

        def look(folder, name, b):
            write(folder + "/damaged.journal", b)
            code, out, err = gcncheck(*command, cwd=folder)
            after = read(folder + "/damaged.journal")
            if code == 2:
                bad = [] if "damaged.journal: " in err else ["%s: code 2, %s" % (name, err[:200])]
                return bad + ([] if after == b else ["%s: refused, and changed" % name])
            gone_on.append(name)
            bad = [] if is_torn(parts, b) else ["%s: gone on with, though its end is not all that is gone" % name]
            return bad + ([] if (code, out.encode()) == wanted[:2] else ["%s: gone on with, to code %s: %s" % (name, code, err[:200])])
        bad, text = self.each(count, whole, look)
        self.point(bad, "run --resume: %s of a journal: %d only at its end and gone on with, the others named" % (text, len(gone_on)))

    def finding(self, count, command):
        model = self.bench.model + "/found/F"

        def look(folder, name, b):
            shutil.copytree(model, folder + "/F")
            write(folder + "/F/finding.json", b)
            before = bench.digest(folder)
            code, out, err = gcncheck(command, "--trust", folder + "/F")
            bad = [] if code == 2 and "finding.json" in err and err.count("\n") == 1 else ["%s: code %s, %s" % (name, code, (err or out)[:200])]
            return bad + ([] if bench.digest(folder) == before else ["%s: files changed" % name])
        bad, text = self.each(count, read(model + "/finding.json"), look)
        self.point(bad, "%s: %s of a finding are named" % (command, text))


# What stands in place of gcncheck, which is $real; what is complained of.
PLANTED = [
    ("report does not tell", '[ "$1" = report ] && { "$real" "$@" 2>/dev/null; exit 0; }', "code 0, "),
    ("a record is lost", '[ "$1" = report ] && { "$real" "$@" | sed 5d; exit 2; }', "records are intact and not reported"),
    ("a record is made up", 'case "$4" in *damaged*) echo "{}" ;; esac', "never written: {}"),
    ("a damaged journal is gone on with", '[ "$1" = run ] && [ "$5" = --resume ] && { "$real" "$@" 2>/dev/null; exit 0; }', "gone on with"),
    ("a refused journal is emptied", '[ "$1" = run ] && [ "$5" = --resume ] && { "$real" "$@" || { : >damaged.journal; exit 2; }; exit 0; }', "refused, and changed"),
    ("a damaged finding is run", '[ "$1" = replay ] && exit 1', "code 1, "),
    ("a damaged finding is a crash", '[ "$1" = replay ] && kill -SEGV $$', "code -11, "),
    ("the message does not name the file", '[ "$1" = min ] && { echo "gcncheck min: it is damaged" >&2; exit 2; }', "code 2, gcncheck min: it is damaged"),
    ("a refused finding loses a file", '[ "$1" = min ] && rm -f "$3/report.txt"', "files changed"),
]


def planted(root):
    failed = 0
    print("1..%d" % len(PLANTED), flush=True)
    real = bench.GCNCHECK
    for number, (title, script, wanted) in enumerate(PLANTED, 1):
        folder = "%s/%d" % (root, number)
        os.mkdir(folder)
        bench.GCNCHECK = real
        with open(os.devnull, "w") as nowhere:
            said, sys.stdout = sys.stdout, nowhere
            d = Damages(folder, random.Random(1))
            write(folder + "/fake", ("#!/bin/sh\nreal=%s\n%s\nexec \"$real\" \"$@\"\n" % (real, script)).encode())
            os.chmod(folder + "/fake", 0o755)
            bench.GCNCHECK = folder + "/fake"
            everything(d, 60)
            sys.stdout = said
        good = any(wanted in line for line in d.bad)
        failed += not good
        for line in d.bad[:3] if not good else []:
            print("# " + line)
        print("%s %d - planted: %s: noticed" % ("ok" if good else "not ok", number, title), flush=True)
    return failed != 0


def everything(d, count):
    d.report(count * 5 // 10)
    d.resume(count * 2 // 10)
    d.finding(count * 2 // 10, "replay")
    d.finding(count * 1 // 10, "min")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--planted", action="store_true")
    args = p.parse_args()
    root = tempfile.mkdtemp()
    print("TAP version 13", flush=True)
    try:
        if args.planted:
            return planted(root)
        print("1..6", flush=True)
        d = Damages(root, random.Random(args.seed))
        everything(d, args.count)
        return d.failed != 0
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
