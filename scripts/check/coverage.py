#!/usr/bin/env python3
"""Reads the counters of a build with COV=1 that was run: python3 scripts/check/coverage.py BUILD (see scripts/check/coverage.sh).

A row counts as run if its function was called in one of the compiled versions (any CPU, AVX2, host engine). A branch
of oracle/sem/operand.c counts as taken if it was in one of them. scripts/check/coverage.known: FUNCTION, the text of the line
(- for a row), and the reason, separated by tabs.
"""
import collections
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPERAND = "oracle/sem/operand.c"


def counters(path):
    """The files of one object: what gcov says of it."""
    done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", path], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        sys.exit(f"coverage.py: gcov fails on {path}: {done.stderr.strip()}")
    return json.loads(done.stdout)["files"]


def read(build):
    """calls of each row function; (function, line) -> counts of its branches"""
    calls, branches, folder = collections.Counter(), {}, os.path.join(build, "oracle")
    names = [os.path.join(top, n) for top, _, files in os.walk(folder) for n in files if n.endswith(".gcno")]
    for name in sorted(names):
        if not re.search(r"/sem/.*\.gcno$", name):
            continue
        data = name[:-5] + ".gcda"
        for f in counters(data) if os.path.exists(os.path.join(ROOT, data)) else []:
            for function in f["functions"]:
                if function["name"].startswith(("sem_", "host_")):
                    calls[function["name"].split("_", 1)[1]] += function["execution_count"]
            if f["file"] != OPERAND:
                continue
            for line in f["lines"]:
                old = branches.setdefault((line.get("function_name", "?"), line["line_number"]), [])
                for i, b in enumerate(line["branches"]):
                    old[i:i + 1] = [(old[i] if i < len(old) else 0) + b["count"]]
    return calls, branches


def rows():
    """The rows with a body."""
    folder = os.path.join(ROOT, "oracle/isa/rows")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            yield from re.findall(r"^OP[A-CE-Z]?\((\w+),", f.read(), re.M)


def known():
    out = {}
    with open(os.path.join(ROOT, "scripts/check/coverage.known"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            part = line.rstrip("\n").split("\t")
            if line.startswith("#") or not line.strip():
                continue
            if len(part) != 3:
                sys.exit(f"coverage.known:{number}: want FUNCTION, text, reason with tabs between")
            out[part[0], part[1]] = part[2]
    return out


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: coverage.py BUILD")
    calls, branches = read(sys.argv[1])
    reasons, text = known(), open(os.path.join(ROOT, OPERAND), encoding="utf-8").read().split("\n")
    points = [((op, "-"), calls[op] > 0, f"row {op}") for op in rows()]
    if not points or not branches:
        sys.exit("coverage.py: no rows, or no branches: nothing was counted")
    lines = collections.defaultdict(list)
    for (function, number), counts in sorted(branches.items(), key=lambda b: b[0][1]):
        if counts:
            lines[function, text[number - 1].strip()].append((number, counts))
    for key, places in lines.items():
        for number, counts in places:
            points.append((key, all(counts), f"{OPERAND}:{number} {key[0]}: {sum(map(bool, counts))} of {len(counts)} branches"))
    failed, used = 0, set()
    print("TAP version 13")
    for number, (key, there, title) in enumerate(points, 1):
        used |= {key}
        if there or key not in reasons:
            failed += not there
            print(f"{'ok' if there else 'not ok'} {number} - {title}" + ("" if there else f"\n# {key[1]}"))
        else:
            print(f"ok {number} - {title} # SKIP {reasons[key]}")
    stale = [k for k in reasons if not any(p[0] == k and not p[1] for p in points)]
    for key in stale:
        print(f"# coverage.known names what is reached, or is not there: {key[0]}: {key[1]}")
    print(f"1..{len(points)}\n# {sum(p[2].startswith('row') and p[1] for p in points)} of {sum(p[2].startswith('row') for p in points)} rows run")
    print(f"{len(points) - failed} passed, {failed + len(stale)} failed")
    return 1 if failed or stale else 0


sys.exit(main())
