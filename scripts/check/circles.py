#!/usr/bin/env python3
"""No circle between files by calls, and no call upwards: python3 scripts/check/circles.py [BUILD]. TAP.

Reads the symbols of the program's objects below BUILD (default build): a file that uses a symbol of another one
stands above it. Files that reach each other are a circle: neither can be understood, tested or moved without the
other. Folders are held to scripts/check/layers in the same way, where an include says nothing: a header of a lower
folder could declare what a higher one defines.
"""
import collections
import os
import re
import subprocess
import sys

LAYERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers")
# Rows are compiled once for every kind of CPU; mutants and tests are not part of the program, nor is what stands in for libc.
OBJECT = re.compile(r"(?:^|/)((?:oracle|fuzz|reports|harness)/.*?)(?:\.base|\.v3)?\.o$")
OUTSIDE = re.compile(r"^harness/(t|fz|sdk|vgpu/(front|preload|notify))/")


def symbols(build):
    """file -> symbols it uses; symbol -> file that defines it"""
    objects = sorted(os.path.join(top, n) for part in ("oracle", "fuzz", "reports", "harness")
                     for top, _, names in os.walk(os.path.join(build, part)) for n in names if n.endswith(".o"))
    objects = [o for o in objects if not OUTSIDE.search(os.path.relpath(o, build))]
    objects = [o for o in objects if os.path.exists(OBJECT.search(os.path.relpath(o, build))[1] + ".c")]
    if not objects:
        sys.exit(f"circles.py: no objects below {build}: make all comes first")
    uses, home = collections.defaultdict(set), {}
    text = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        file = OBJECT.search(os.path.relpath(path, build))[1]
        if kind == "U":
            uses[file].add(name)
        elif kind.isupper() and kind not in "WV":
            home[name] = file
    return uses, home


def arrows(uses, home):
    """file -> file -> the symbols of the second that the first uses"""
    out = collections.defaultdict(lambda: collections.defaultdict(list))
    for file in uses:
        for name in sorted(uses[file]):
            if name in home and home[name] != file:
                out[file][home[name]].append(name)
    return out


def circles(graph):
    """The strongly connected components of more than one node (Tarjan, without recursion)."""
    index, low, stack, on, found, count = {}, {}, [], set(), [], 0
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, None)]
        while work:
            node, rest = work.pop()
            if rest is None:
                index[node] = low[node] = count
                count += 1
                stack.append(node)
                on.add(node)
                rest = iter(sorted(graph.get(node, {})))
            for to in rest:
                if to not in index:
                    work += [(node, rest), (to, None)]
                    break
                if to in on:
                    low[node] = min(low[node], index[to])
            else:
                if low[node] == index[node]:
                    part = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        on.discard(part[-1])
                    if len(part) > 1:
                        found.append(sorted(part))
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
    return found


def verdict(number, title, lines):
    for line in lines:
        print("# " + line)
    print(f"{'not ' if lines else ''}ok {number} - {title}")
    return bool(lines)


def main():
    graph = arrows(*symbols(sys.argv[1] if len(sys.argv) > 1 else "build"))
    with open(LAYERS, encoding="utf-8") as f:
        folders = [line.split()[0] for line in f if line.strip() and line[0] != "#"]
    rank = {folder: i for i, folder in enumerate(folders)}
    print("TAP version 13\n1..2")
    lines = []
    for part in circles(graph):
        lines.append(f"a circle of {len(part)} files:")
        lines += [f"  {a} -> {b}: {', '.join(graph[a][b][:6])}" for a in part for b in part if graph[a].get(b)]
    bad = verdict(1, "no circle between files by calls", lines)
    lines = []
    for a in sorted(graph):
        for b in sorted(graph[a]):
            above, below = os.path.dirname(a), os.path.dirname(b)
            if rank.get(below, -1) > rank.get(above, -1):
                lines.append(f"{a} -> {b}: {', '.join(graph[a][b][:6])}: {below} is above {above}")
    bad |= verdict(2, "calls point down the list of folders", lines)
    sys.exit(bad)


main()
