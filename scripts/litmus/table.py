#!/usr/bin/env python3
"""Runs every row of the guide's table of code sequences for GFX6 to GFX9 (cases/litmus/table/gfx6-gfx9.tsv) in the shapes of
cases/litmus/table/shapes.tsv on weak memory, and counts:

    what a row must forbid (model.py says what that is) never comes;
    each element of its sequence left out lets a forbidden outcome through, or cases/litmus/table/redundant.tsv says why not.

table.py [--compiled] [--rows TEXT] [--runs N] [--seed N] [--list] [--keep FILE]. --compiled takes the sequences from llc-19 instead of the
table. --rows runs only rows whose name has the text. --list prints one line for each element. --keep writes the tests to a file. Prints
TAP 13. GCNCHECK is the program, LITMUS_TABLE the folder of the three tables (cases/litmus/table)."""
import argparse
import collections
import fnmatch
import itertools
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compiled
import model

FOLDER = os.environ.get("LITMUS_TABLE", "cases/litmus/table")
GCNCHECK = os.environ.get("GCNCHECK", "build/gcncheck")
INTERLEAVINGS = 4
Row = collections.namedtuple("Row", "operation order kind scope space sequence")
Event = collections.namedtuple("Event", "thread kind location sync")
Shape = collections.namedtuple("Shape", "name threads outcome")
Case = collections.namedtuple("Case", "row shape placement spaces warm")
SCOPES = {"singlethread": ["one"], "wavefront": ["lanes"], "workgroup": ["waves"], "agent": ["groups", "waves"],
          "system": ["groups", "waves"], "-": ["one"]}


def lines(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]


def elements(text):
    """'lgkm access:glc' -> [('lgkm',), ('access', 'glc')]"""
    return tuple(tuple(word.split(":")) for word in text.split())


def read_rows():
    rows = []
    for operation, order, kind, scopes, spaces, sequence in lines("gfx6-gfx9.tsv"):
        for scope, space in itertools.product(scopes.split(","), spaces.split(",")):
            rows.append(Row(operation, order, kind, scope, space, elements(sequence)))
    return rows


def read_shapes():
    shapes = []
    for name, threads, outcome in lines("shapes.tsv"):
        events = [[Event(t, w.split()[0].upper(), w.split()[1], w.split()[0].isupper()) for w in thread.split(",")]
                  for t, thread in enumerate(threads.split("|"))]
        shapes.append(Shape(name, events, [int(v) for v in outcome.split()]))
    return shapes


def row_name(row):
    return "-".join(part for part in row[:5] if part != "-")


def is_run(row):
    """Private memory has one thread, constant memory does not change."""
    return row.space not in ("private", "constant")


# ---- from rows to operations ----

class Table:
    def __init__(self, rows):
        self.by = {row[:5]: row for row in rows}

    def find(self, operation, order, kind, scope, space):
        """The row for a location of a space; LDS has no scope beyond the work-group."""
        if space == "local" and scope in ("agent", "system"):
            scope = "workgroup"
        return self.by[(operation, order, kind, scope, space)]


def partner_order(row, kind):
    if row.order in ("acquire", "release", "acq_rel"):
        return "release" if kind == "W" else "acquire"
    return row.order


def applies(row, kind, space):
    """Whether the row is what this access becomes: an atomic that only acquires is none that gives something away."""
    if (row.order, kind) in (("acquire", "W"), ("release", "R")):
        return False
    if row.operation not in {"R": ("load", "rmw"), "W": ("store", "rmw")}[kind]:
        return False
    return row.space in (space, "generic")


def operation_for(table, case, event):
    """The row by which an access of the shape is done."""
    row, space = case.row, case.spaces[event.location]
    name = "load" if event.kind == "R" else "store"
    if row.kind == "volatile" or (case.placement == "one" and not row.operation == "fence"):
        if applies(row, event.kind, space):
            return row
        used = "generic" if row.space == "generic" else space
        kind = row.kind if used != "local" else "-"
        return table.find(name, "none", kind, "-", used)
    if not event.sync:
        return table.find(name, "none", "-", "-", space)
    if row.operation == "fence":
        weak = row.order == "acquire" and event.kind == "W" or row.order == "release" and event.kind == "R"
        return table.find(name, partner_order(row, event.kind) if weak else "monotonic", "-", row.scope, space)
    if applies(row, event.kind, space):
        return row
    order = partner_order(row, event.kind)
    return table.find(name, order, "-", row.scope, "generic" if row.space == "generic" else space)


def has_fence(row, before, after):
    if row.operation != "fence":
        return False
    return (row.order == "seq_cst" or (row.order in model.ACQUIRES and before.kind == "R" and before.sync) or
            (row.order in model.RELEASES and after.kind == "W" and after.sync))


def programs(table, case):
    """For each thread its accesses and fences: (event or None, row)."""
    result = []
    for thread in case.shape.threads:
        steps = []
        for i, event in enumerate(thread):
            if i and has_fence(case.row, thread[i - 1], event):
                steps.append((None, case.row))
            steps.append((event, operation_for(table, case, event)))
        result.append(steps)
    return result


def is_forbidden(table, case):
    """By the model; of volatile accesses, which the guide keeps in order, as if they were sequentially consistent."""
    events, outcome = [], iter(case.shape.outcome)
    if case.row.order == "unordered" and len(case.shape.threads) > 1:
        return False  # not even coherence is promised between threads
    for t, steps in enumerate(programs(table, case)):
        for event, row in steps:
            order = "seq_cst" if row.kind == "volatile" else "none" if row.order == "unordered" else row.order
            if event is None:
                events.append((t, "F", None, order, None))
                continue
            if event.kind == "R":
                value = next(outcome)
                kind, value = ("U", (value, None)) if row.operation == "rmw" else ("R", value)
            else:
                kind, value = ("U", (None, 1)) if row.operation == "rmw" else ("W", 1)
            events.append((t, kind, event.location, order, value))
    return model.is_forbidden(tuple(events))


# ---- assembly ----

def access(row, event, space, register, bits):
    """The instruction of an access. Reads go to the register, old values of writes to v18."""
    where = f"${event.location}"
    suffix = "".join(f" {bit}" for bit in bits)
    if row.space == "generic":
        where, ending, prefix = f"{where}.flat", "", "flat"
    elif space == "local":
        names = {"load": f"ds_read_b32 v{register}, {where}", "store": f"ds_write_b32 {where}, $1"}
        if row.operation == "rmw":
            return (f"ds_or_rtn_b32 v{register}, {where}, $0" if event.kind == "R" else
                    f"ds_wrxchg_rtn_b32 v18, {where}, $1")
        return names[row.operation]
    else:
        ending, prefix = ", off", "global"
    if row.operation == "load":
        return f"{prefix}_load_dword v{register}, {where}{ending}{suffix}"
    if row.operation == "store":
        return f"{prefix}_store_dword {where}, $1{ending}{suffix}"
    if event.kind == "R":
        return f"{prefix}_atomic_or v{register}, {where}, $0{ending} glc"
    return f"{prefix}_atomic_swap v18, {where}, $1{ending} glc"


def code(case, steps, removed):
    """The instructions of a thread; removed: (index of an element of the row's sequence, bit or None)."""
    out, register = [], 0
    for event, row in steps:
        for i, element in enumerate(row.sequence):
            gone = removed if removed and row is case.row and removed[0] == i else None
            if element[0] == "access":
                bits = [bit for bit in element[1:] if not (gone and gone[1] == bit)]
                out.append(access(row, event, case.spaces[event.location], register, bits))
            elif gone:
                continue
            elif element[0] == "inv":
                out.append("buffer_wbinvl1_vol")
            else:
                out.append(f"s_waitcnt {element[0]}cnt(0)")
        if event and event.kind == "R":
            register += 1
    return out


def condition(case):
    """The outcome in terms of registers."""
    outcome, words = iter(case.shape.outcome), []
    for t, thread in enumerate(case.shape.threads):
        for register in range(sum(event.kind == "R" for event in thread)):
            place = f"P0:v{register}.lane{t}" if case.placement == "lanes" else f"P{t}:v{register}"
            words.append(f"{place}={next(outcome)}")
    return " ".join(words)


def warm_up(case, events):
    names = sorted({e.location for e in events if e.kind == "R" and case.spaces[e.location] == "global"})
    if not case.warm or not names:
        return []
    return (["before"] + [f"    global_load_dword v19, ${name}, off" for name in names] + ["    s_waitcnt vmcnt(0)"])


def interleavings(threads, seed):
    """Some orders in which lanes of one wave can do what they do, each with its lane."""
    turns = sorted({tuple(p) for p in itertools.islice(
        itertools.permutations([t for t, thread in enumerate(threads) for _ in thread]), 5040)})
    chosen = turns if len(turns) <= INTERLEAVINGS else random.Random(seed).sample(turns, INTERLEAVINGS)
    for turn in chosen:
        left = [iter(thread) for thread in threads]
        yield [(t, next(left[t])) for t in turn]


def tests(table, case, name, rule, removed=None):
    """The litmus tests of a case, as text."""
    text = []
    spaces = collections.defaultdict(list)
    for location, space in sorted(case.spaces.items()):
        spaces[space].append(location)
    head = [f"{space} {' '.join(names)}" for space, names in sorted(spaces.items())]
    steps = programs(table, case)
    if case.placement == "lanes":
        blocks = [[code(case, [step], removed) for step in thread] for thread in steps]
        for thread in range(len(steps)):  # registers are numbered along a thread
            number = 0
            for i, (event, _) in enumerate(steps[thread]):
                blocks[thread][i] = [line.replace(" v0,", f" v{number},") for line in blocks[thread][i]]
                number += bool(event and event.kind == "R")
        for i, order in enumerate(interleavings(blocks, name)):
            body = [line for t, block in order for line in [f"s_mov_b64 exec, {1 << t}"] + block]
            text += [f"test {name}/{i}"] + head + ["thread P0 group 0"]
            text += warm_up(case, [e for thread in case.shape.threads for e in thread])
            text += ["code"] + ["    " + line for line in body] + [f"{rule} {condition(case)}"]
        return text
    text += [f"test {name}"] + head
    for t, thread in enumerate(steps):
        text.append(f"thread P{t} group {t if case.placement == 'groups' else 0}")
        text += warm_up(case, case.shape.threads[t])
        text += ["code"] + ["    " + line for line in code(case, thread, removed)]
    return text + [f"{rule} {condition(case)}"]


# ---- what is run ----

def cases_of(table, row, shapes):
    """Every case in which the row takes part."""
    placements = ["groups", "waves"] if row.kind == "volatile" else SCOPES[row.scope]
    for shape in shapes:
        alone = len(shape.threads) == 1
        for placement in ["one"] if alone else placements:
            if placement == "one" and not alone:
                continue
            names = sorted({event.location for thread in shape.threads for event in thread})
            far = placement == "groups" or row.kind == "volatile"  # volatile LDS is not spoken of
            options = ["global"] if far else ["global", "local"]
            for chosen in itertools.product(options, repeat=len(names)):
                spaces = dict(zip(names, chosen))
                for warm in [False, True] if "global" in chosen and placement != "lanes" else [False]:
                    case = Case(row, shape, placement, spaces, warm)
                    if any(r is row for steps in programs(table, case) for _, r in steps):
                        yield case


def removals(row):
    """What can be left out of the row's sequence: (index, bit or None), and its name."""
    for i, element in enumerate(row.sequence):
        if element[0] == "access":
            for bit in element[1:]:
                yield (i, bit), bit
        else:
            at = [e[0] for e in row.sequence].index("access") if row.operation != "fence" else -1
            side = "" if at < 0 else " before" if i < at else " after"
            yield (i, None), element[0] + side


def case_name(number, case, suffix=""):
    spaces = "".join(space[0] for _, space in sorted(case.spaces.items()))
    return f"{number}/{case.shape.name}/{case.placement}/{spaces}{'w' if case.warm else ''}{suffix}"


def run(text, runs, seed):
    """(runs, how often the condition came), by test. Programs that are the same run once."""
    bodies, name = {}, None
    for line in text:
        if line.startswith("test "):
            name, bodies[line[5:]] = line[5:], []
        else:
            bodies[name].append(line)
    first, same = {}, {}
    for name, body in bodies.items():
        same[name] = first.setdefault("\n".join(body), name)
    text = [line for body, name in first.items() for line in (f"test {name}", body)]
    process = subprocess.run([GCNCHECK, "litmus", "--format", "tsv", "--count", str(runs), "--seed", str(seed), "-"],
                             input="litmus-format 1\n" + "\n".join(text) + "\n", capture_output=True, text=True, check=False)
    if process.returncode not in (0, 1):
        sys.exit(process.stderr)
    found = {}
    for line in process.stdout.splitlines()[1:]:
        name, count, _, _, seen = line.split("\t")
        found[name] = (int(count), int(seen))
    return {name: found[one] for name, one in same.items()}, sum(count for count, _ in found.values())


def reason_for(reasons, row, element):
    for operation, order, kind, scope, space, name, reason in reasons:
        if all(fnmatch.fnmatchcase(a, b) for a, b in zip((*row[:5], element), (operation, order, kind, scope, space, name))):
            return reason
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--rows", default="")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()
    rows, shapes, reasons = read_rows(), read_shapes(), lines("redundant.tsv")
    print("TAP version 13")
    if args.compiled:
        rows, skipped = compiled.rows(rows)
        print(f"# {len(skipped)} rows that llc-19 has no IR for: {', '.join(sorted({row_name(r) for r in skipped}))}")
    table = Table(rows)
    chosen = [(i, row) for i, row in enumerate(rows) if is_run(row) and args.rows in row_name(row)]
    kept, wanted, left_out = [], [], []
    count = collections.Counter()
    for i, row in chosen:
        for case in cases_of(table, row, shapes):
            forbidden = is_forbidden(table, case)
            count["forbidden" if forbidden else "allowed"] += 1
            kept += tests(table, case, case_name(i, case), "forbid" if forbidden else "allow")
            if not forbidden:
                continue
            wanted.append((i, case))
            for k, (removed, _) in enumerate(removals(row)):
                left_out += tests(table, case, case_name(i, case, f"/-{k}"), "expect", removed)
    if args.keep:
        with open(args.keep, "w", encoding="utf-8") as f:
            f.write("litmus-format 1\n" + "\n".join(kept + left_out) + "\n")
    results, runs = run(kept, args.runs, args.seed)
    rules = dict(zip([line[5:] for line in kept if line.startswith("test ")],
                     [line.split()[0] for line in kept if line.split()[0] in ("forbid", "allow")]))
    bad = {name: seen for name, (_, seen) in results.items() if seen and rules[name] == "forbid"}
    without, more = run(left_out, 4 * args.runs, args.seed) if left_out else ({}, 0)
    needed = collections.Counter()
    for name, (_, seen) in without.items():
        number, k = name.split("/")[0], [w for w in name.split("/") if w.startswith("-")][0]
        needed[(int(number), int(k[1:]))] += bool(seen)
    verdicts = collections.Counter()
    unexplained, needless = [], []
    for i, row in chosen:
        for k, (_, name) in enumerate(removals(row)):
            reason = reason_for(reasons, row, name)
            shown = needed[(i, k)] > 0
            verdicts["necessary" if shown else "redundant"] += 1
            if not shown and not reason:
                unexplained.append(f"{row_name(row)}: {name}")
            if shown and reason:
                needless.append(f"{row_name(row)}: {name}")
            if args.list:
                print(f"# {row_name(row)}: without {name}: " + (f"forbidden outcomes in {needed[(i, k)]} tests" if shown else
                                                               f"redundant: {reason}"))
    for title, wrong in [("no outcome that a row forbids", [f"{row_name(rows[int(n.split('/')[0])])} {n}: {bad[n]}" for n in bad]),
                         ("every element that can be left out is explained", unexplained),
                         ("no element is explained that is needed", needless)]:
        for line in wrong[:20]:
            print(f"# {line}")
        print(f"{'not ok' if wrong else 'ok'} - {title}")
    print(f"# rows {len(rows)}, run {len(chosen)}; rows in shapes {sum(count.values())} (forbidden {count['forbidden']}, allowed "
          f"{count['allowed']}), tests {len(results)}, forbidden outcomes seen {len(bad)}; allowed outcomes seen in "
          f"{sum(1 for n, (_, s) in results.items() if s and rules[n] == 'allow')} tests; removals {sum(verdicts.values())}, necessary "
          f"{verdicts['necessary']}, redundant with reason {verdicts['redundant'] - len(unexplained)}, without "
          f"{len(unexplained)}; programs run {runs + more}")
    print("1..3")
    return 1 if bad or unexplained or needless else 0


if __name__ == "__main__":
    sys.exit(main())
