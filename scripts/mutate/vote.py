#!/usr/bin/env python3
"""Who stands alone: the model, a mutant of it and a third device, in a random order, on the cases of the opcode in which the mutant is
wrong. In every place that differs the mutant must be named, and nobody else, whichever of the three it is. TAP 13.

    scripts/mutate/vote.py [--count N] [--seed N] [--plant]

The third device is build/example_dut.so without its bug where it implements the opcode, else the whole model as a plug-in. A mutant that no
case of its opcode shows is not counted. With the example's own bug switched on both may be wrong: there, who stands alone is worked out here
from what `gcncheck run` says of each device by itself. --plant switches the bug on without this script's knowing.
"""
import argparse, glob, json, os, random, subprocess, sys

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
GCNCHECK = os.environ.get("GCNCHECK", BUILD + "/gcncheck")
EXAMPLE, WHOLE = "plugin:%s/example_dut.so" % BUILD, "plugin:%s/model_dut.so" % BUILD


def gcncheck(args, bug="0"):
    r = subprocess.run([GCNCHECK] + args, capture_output=True, text=True, env=dict(os.environ, EXAMPLE_DUT_BUG=bug))
    if r.returncode not in (0, 1):
        raise SystemExit("gcncheck %s: %s" % (" ".join(args), r.stderr))
    return r.stdout


def lines(text, kind):
    return [o for o in map(json.loads, text.splitlines()) if o["kind"] == kind]


def vote(duts, cases, bug="0"):
    args = ["run", "--format", "jsonl"]
    for d in duts:
        args += ["--dut", d]
    return lines(gcncheck(args + cases, bug), "vote")


def say(number, good, text, why):
    for line in why[:8]:
        print("# " + line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, text), flush=True)
    return not good


def mutants(rng):
    """(id, opcode, case files), in a random order; those of the example's opcodes first."""
    cases = {os.path.basename(f)[:-5]: f for f in glob.glob("cases/*/*.case")}
    rows = [l.split("\t") for l in gcncheck(["mutants", "--format", "tsv"]).splitlines()[1:]]
    rows = [(r[0], r[2], cases[r[2]]) for r in rows if r[2] in cases and r[3] != "state"]
    rng.shuffle(rows)
    scalar = sorted({f for f in cases.values() if f.split("/")[1] in ("sop1", "sop2", "sopc", "vop1", "vop2", "vop3a", "vopc")})
    out = lines(gcncheck(["run", "--format", "jsonl", "--dut", EXAMPLE] + scalar), "result")
    can, cannot = {o["mnemonic"] for o in out if o["status"] != "skip"}, {o["mnemonic"] for o in out if o["status"] == "skip"}
    has = can - cannot
    return [r for r in rows if r[1] in has], [r for r in rows if r[1] not in can]


def one_wrong(chosen, rng, bug):
    """Each mutant beside two that are right. Answers mutants that showed, places, complaints."""
    shown, places, bad = 0, 0, []
    for mid, op, case, third in chosen:
        duts = ["model", "mutant:" + mid, third]
        rng.shuffle(duts)
        found = vote(duts, [case], bug)
        shown += bool(found)
        for r in found:
            for p in r["places"]:
                places += 1
                if p["ending"] != "alone" or p["alone"] != ["mutant:" + mid]:
                    bad.append("%s: %s: %s: %s %s" % (mid, r["name"], p["place"], p["ending"], p["alone"]))
    return shown, places, bad


def alone_by_hand(each, duts):
    """{(name, place, lane): who} from the results of each device by itself; None: nobody."""
    said = {}
    for d in duts:
        for r in each[d].values():
            for x in r.get("diff", []):
                said.setdefault((r["id"], x["place"], x.get("lane", -1)), {})[d] = x["got"]
    who = {}
    for key, got in said.items():
        of = [each[d][key[0]] for d in duts]
        # Who did not run it, or did not end it, has no say; of more than eight places not all are told.
        if any(o["status"] == "skip" or (o["status"] != "ok" and not o.get("diff")) or o.get("diff_count", 0) > 8 for o in of):
            continue
        values = [got.get(d) for d in duts]
        single = [d for d, v in zip(duts, values) if values.count(v) == 1]
        who[key] = single if len(set(values)) == 2 else []
    return who


def both_wrong(rows, rng):
    """Mutants beside the example with all its bugs, against what each says by itself."""
    places, bad = 0, []
    for mid, op, case in rows:
        duts = ["model", "mutant:" + mid, EXAMPLE]
        rng.shuffle(duts)
        each = {d: {o["id"]: o for o in lines(gcncheck(["run", "--format", "jsonl", "--dut", d, case], "all"), "result")} for d in duts}
        want = alone_by_hand(each, duts)
        names = {}
        for d in duts:
            for o in each[d].values():
                names["%s/%s: %s, %s, %s" % (o["encoding"].lower(), o["mnemonic"], o["title"], o["form"], o["mcpu"])] = o["id"]
        got = {(names[r["name"]], p["place"], p.get("lane", -1)): p["alone"] for r in vote(duts, [case], "all") for p in r["places"]}
        for key, who in want.items():
            places += 1
            if got.get(key) != who:
                bad.append("%s: %s: alone is %s, not %s" % (mid, key, got.get(key), who))
    return places, bad


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--count", type=int, default=500)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--plant", action="store_true")
    args = p.parse_args()
    rng = random.Random(args.seed)
    its, others = mutants(rng)
    half = args.count // 2
    print("TAP version 13\n1..3", flush=True)
    failed = 0
    shown, places, bad = 0, 0, []
    queue = [(m, o, c, EXAMPLE) for m, o, c in its] + [(m, o, c, WHOLE) for m, o, c in others]
    at = 0
    with_example = 0
    while shown < args.count and at < len(queue):
        if shown >= half and at < len(its):
            at = len(its)  # the second half has the whole model beside it
        s, n, b = one_wrong(queue[at:at + 1], rng, "1" if args.plant else "0")
        with_example += s and queue[at][3] == EXAMPLE
        shown, places, at, bad = shown + s, places + n, at + 1, bad + b
    failed += say(1, not bad and shown == args.count,
                  "%d mutants, %d of them beside the example, in %d places: %d times somebody else" % (shown, with_example, places, len(bad)), bad)
    found = vote(["model", EXAMPLE, WHOLE], ["cases/vop3a/v_bfe_u32.case"], "1")
    wrong = [p for r in found for p in r["places"] if p["alone"] != [EXAMPLE]]
    failed += say(2, found and not wrong, "the example's own bug, in %d results" % len(found), [str(w) for w in wrong])
    bugs = [m for m in its if m[1] in ("v_bfe_u32", "s_add_u32", "v_mul_lo_u32", "v_cndmask_b32", "v_add_u32")]
    n, bad = both_wrong(bugs[:max(2, args.count // 10)], rng)
    failed += say(3, n and not bad, "two that are wrong at a time: %d places as worked out from each by itself" % n, bad)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
