#!/usr/bin/env python3
"""Random damages of journals and findings: each is found and named, and what is not damaged is kept. TAP 13.

    scripts/faults/damage.py [--count N] [--seed N]     default 1000 damages of each kind of file's share: 700 and 300

A damage flips a bit, cuts bytes out, swaps two ranges or doubles one. Of a journal, `gcncheck report` must end with code 2 and a
line that says so, and every record that no damaged byte lies in must be in what it prints, once. Of a finding.json, `replay`
must end with code 2 and name the file. The checksums are also held against Python's zlib.crc32.
"""
import argparse, json, os, random, shutil, subprocess, sys, tempfile, zlib
import inject

GCNCHECK = inject.GCNCHECK


def size_of(b, at):
    """Where the msgpack value at `at` ends: the kinds that journals use."""
    c = b[at]
    if c <= 0x7f or c >= 0xe0 or c in (0xc0, 0xc2, 0xc3):
        return at + 1
    if 0x80 <= c <= 0x9f or c in (0xdc, 0xdd, 0xde, 0xdf):
        if c <= 0x9f:
            n, at = c & 15, at + 1
        else:
            w = 2 if c in (0xdc, 0xde) else 4
            n, at = int.from_bytes(b[at + 1:at + 1 + w], "big"), at + 1 + w
        for _ in range(n * (2 if c <= 0x8f or c >= 0xde else 1)):
            at = size_of(b, at)
        return at
    if 0xa0 <= c <= 0xbf:
        return at + 1 + (c & 31)
    if 0xcc <= c <= 0xd3:
        return at + 1 + (1 << (c & 3))
    w = 1 << (c - 0xd9)
    return at + 1 + w + int.from_bytes(b[at + 1:at + 1 + w], "big")


def records(b):
    out, at = [], 0
    while at < len(b):
        end = size_of(b, at)
        out.append(b[at:end])
        at = end
    return out


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


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    rng = random.Random(args.seed)
    root = tempfile.mkdtemp()
    failed = 0
    print("TAP version 13\n1..4", flush=True)

    def point(number, bad, text):
        for line in bad[:8]:
            print("# " + line)
        print("%s %d - %s" % ("not ok" if bad else "ok", number, text), flush=True)
        return bool(bad)

    def report(path):
        r = subprocess.run([GCNCHECK, "report", "--format", "jsonl", path], capture_output=True, text=True)
        return r.returncode, r.stdout.splitlines(), r.stderr

    try:
        bench = inject.Bench(root)
        journal = bench.model + "/run.journal"
        whole = open(journal, "rb").read()
        parts = records(whole)
        wrong = [i for i, r in enumerate(parts) if zlib.crc32(r[:-5]) != int.from_bytes(r[-4:], "big") or int.from_bytes(r[-9:-5], "big") != i]
        failed += point(1, ["record %d" % i for i in wrong], "%d records carry their number and zlib's CRC-32" % len(parts))
        code, lines, err = report(journal)
        failed += point(2, [] if code == 0 and len(lines) == len(parts) and not err else [err], "the whole journal is read")
        # What a line of a record is: records and lines are in the same order.
        line_of = dict(zip(parts, lines))
        bad, kinds, kept = [], {}, 0
        path = root + "/damaged.journal"
        for n in range(args.count * 7 // 10):
            kind, b = damage(whole, rng)
            kinds[kind] = kinds.get(kind, 0) + 1
            open(path, "wb").write(b)
            code, got, err = report(path)
            if code != 2 or not err.startswith("gcncheck report: "):
                bad.append("%s %d: code %s, %s" % (kind, n, code, err[:100]))
            # Whole records of the damaged file, wherever they stand.
            intact = [r for r in parts if r in b]
            kept += len(intact)
            # One head after another begins a part anew; what is doubled with it is there twice.
            missing = [line_of[r] for r in intact if line_of[r] not in got]
            if missing:
                bad.append("%s %d: %d records are intact and not reported: %s" % (kind, n, len(missing), missing[0][:100]))
            strange = [l for l in got if l not in lines]
            if strange:
                bad.append("%s %d: never written: %s" % (kind, n, strange[0][:100]))
        failed += point(3, bad, "%d damages of a journal (%s) are named, and %d intact records reported" % (
            args.count * 7 // 10, ", ".join("%d %s" % (v, k) for k, v in sorted(kinds.items())), kept))
        bad = []
        finding = bench.model + "/found/F/finding.json"
        whole = open(finding, "rb").read()
        for n in range(args.count * 3 // 10):
            kind, b = damage(whole, rng)
            open(finding, "wb").write(b)
            r = subprocess.run([GCNCHECK, "replay", "--trust", bench.model + "/found/F"], capture_output=True, text=True)
            if r.returncode != 2 or "finding.json" not in r.stderr or r.stderr.count("\n") != 1:
                bad.append("%s %d: code %s, %s" % (kind, n, r.returncode, (r.stderr or r.stdout)[:200]))
        failed += point(4, bad, "%d damages of a finding are named" % (args.count * 3 // 10))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
