#!/usr/bin/env python3
"""--dut vgpu:CHIP against the model behind it. Prints TAP 13, with tables; the last line is "N passed, M failed".

    scripts/vgpu/cards.py [--chips gfx900,gfx906,gfx908] [--streams 10000] [--mutants 200] [--causes 6] [--draw 1] [--jobs N]

Every case that the path carries must agree with what is expected; what it does not carry is refused, and the reasons are counted. So
must random programs. Then mutants, drawn at random from those of an opcode that has a case file, by that file: in process
(`mutant:ID`) and behind the device (`vgpu:gfx900,mutant=ID`) it must be found, or not. Where that is not by the same cases it is said, with
one of these reasons: ladder (the wrapper is made of it, and a rung finds it), refused (only cases that the path does not carry show it),
other (it reads a register that no case names, which holds something else here), more (it is found by the wrapper's own registers alone).
Of the first mutants that were found, fuzz must name their opcode and no other, in process and behind the device.

GCNCHECK: the program (default build/gcncheck), after `make mutants`.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter

GCNCHECK = os.environ.get("GCNCHECK", "build/gcncheck")
points = {True: 0, False: 0}


def ok(good, text, why=()):
    for line in [] if good else list(why)[:12]:
        print("# " + line)
    points[bool(good)] += 1
    print("%s %d - %s" % ("ok" if good else "not ok", sum(points.values()), text), flush=True)


def note(text):
    print("# " + text, flush=True)


def gcncheck(*args):
    return subprocess.run([GCNCHECK, *args], capture_output=True, text=True)


def results(*args):
    """Exit code, the results by id, and what else was said."""
    r = gcncheck("run", "--format", "jsonl", *args)
    out = [json.loads(line) for line in r.stdout.splitlines()]
    return r.returncode, {o["id"]: o for o in out if o["kind"] == "result"}, r.stderr


def reason(o):
    """Why a case is not carried, without what is its own."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", o.get("detail", "") or o.get("reason", ""))


def cases(chip):
    code, all_of, said = results("--mcpu", chip, "--dut", "vgpu:" + chip, "cases")
    kinds = Counter(o["status"] for o in all_of.values())
    wrong = [i for i, o in all_of.items() if o["status"] == "not ok"]
    ok(code == 0 and not wrong and kinds["ok"], "%s: %d cases are right, none is wrong, %d are refused" % (chip, kinds["ok"], kinds["skip"]),
       wrong or [said])
    for why, count in Counter(reason(o) for o in all_of.values() if o["status"] == "skip").most_common(12):
        note("%s: %6d refused: %s" % (chip, count, why))


def streams(chip, count):
    with tempfile.TemporaryDirectory() as folder:
        r = gcncheck("fuzz", "--mcpu", chip, "--dut", "vgpu:" + chip, "--count", str(count), "--out", folder + "/findings")
    said = (r.stdout + r.stderr).splitlines()
    line = next((line for line in said if line.startswith("streams: ")), "no line of streams")
    counts = re.match(r"streams: right (\d+), wrong 0 .*unimplemented (\d+)", line)
    # A program that writes a great deal is refused in the safe tier, in which it is tried first.
    good = counts and int(counts[1]) + int(counts[2]) == count and int(counts[2]) * 1000 <= count
    ok(r.returncode == 0 and good, "%s: %s" % (chip, line), said)


# ---- mutants ----

def listed():
    """(id, opcode, its case file)"""
    files = {os.path.basename(f)[:-5]: f for f in glob.glob("cases/*/*.case")}
    rows = [line.split("\t") for line in gcncheck("mutants", "--format", "tsv").stdout.splitlines()[1:]]
    return [(r[0], r[2], files[r[2]]) for r in rows if r[2] in files and r[3] != "state"]


def judge(mutant):
    """How what a mutant does behind the device compares with what it does in process: a word, the verdict, the difference."""
    ident, _, file = mutant
    _, here, _ = results("--jobs", "1", "--dut", "mutant:" + ident, file)
    code, there, said = results("--jobs", "1", "--dut", "vgpu:gfx900,mutant=" + ident, file)
    fails = {i for i, o in here.items() if o["status"] == "not ok"}
    if code == 3 and re.search(r"^drm: .*: rung \d", said, re.M):
        return "ladder", True, []
    if here.keys() != there.keys() or (code not in (0, 1) and any(o["status"] != "skip" for o in there.values())):
        return "error", False, [said]
    got = {i for i, o in there.items() if o["status"] == "not ok"}
    refused = {i for i, o in there.items() if o["status"] == "skip"}
    if got == fails - refused:
        return "refused" if fails and not got else "same", bool(got), sorted(fails & refused)
    return "other" if fails and got else "less" if fails else "more", bool(got), sorted(got ^ (fails - refused))


def compare(count, draw, jobs):
    """Answers mutants that were found in the same cases."""
    drawn = listed()
    random.Random(draw).shuffle(drawn)
    drawn = drawn[:count]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        answers = list(pool.map(judge, drawn))
    words = Counter(word for word, _, _ in answers)
    note("%d mutants: %s" % (len(drawn), ", ".join("%s %d" % w for w in sorted(words.items()))))
    for (ident, _, _), (word, _, which) in zip(drawn, answers):
        if word not in ("same", "error", "less"):
            note("%-8s %s %s" % (word, ident, " ".join(which[:3])))
    bad = ["%s: %s: %s" % (m[0], word, " ".join(which[:3])) for m, (word, _, which) in zip(drawn, answers) if word in ("error", "less")]
    ok(not bad and words["same"] >= count * 9 // 10, "%d of %d mutants fail the same cases behind the device, the others as listed" % (words["same"], len(drawn)), bad)
    return [m for m, (word, found, _) in zip(drawn, answers) if word == "same" and found]


def causes(dut, opcode):
    """The opcodes that a campaign names."""
    with tempfile.TemporaryDirectory() as folder:
        r = gcncheck("fuzz", "--dut", dut, "--only", opcode, "--count", "200", "--out", folder + "/findings")
    return sorted(set(re.findall(r"^cause \d+: (\w+)", r.stdout + r.stderr, re.M)))


def attribute(mutants, count):
    seen = 0
    for ident, opcode, _ in mutants:
        here = causes("mutant:" + ident, opcode)
        if here != [opcode]:
            continue # random programs do not show it, or not soon
        there = causes("vgpu:gfx900,mutant=" + ident, opcode)
        ok(there == here, "%s: fuzz names %s, in process and behind the device" % (ident, opcode), [str(there)])
        seen += 1
        if seen == count:
            return
    ok(False, "%d mutants for fuzz to name" % count, ["%d" % seen])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--chips", default="gfx900,gfx906,gfx908")
    p.add_argument("--streams", type=int, default=10000)
    p.add_argument("--mutants", type=int, default=200)
    p.add_argument("--causes", type=int, default=6)
    p.add_argument("--draw", type=int, default=1)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    a = p.parse_args()
    print("TAP version 13")
    for chip in a.chips.split(",") if a.chips else []:
        cases(chip)
        streams(chip, a.streams)
    if a.mutants:
        attribute(compare(a.mutants, a.draw, a.jobs), a.causes)
    print("1..%d\n%d passed, %d failed" % (sum(points.values()), points[True], points[False]))
    sys.exit(points[False] != 0)


main()
