#!/usr/bin/env python3
"""Keeps of the inputs that AFL++ came to the few that reach nearly all that all of them reach: harness/fz/inputs/NAME/HASH.

    scripts/parsers/afl-keep.py [--dir DIR] [--only NAME,NAME] [--bytes N]

DIR is that of afl-hours.py. For each target the inputs, and those that were kept before, are taken one after the other, the one next that
reaches the most new edges for its size, until there is none, or N bytes (default 12000) are full. Files that are not named by a hash, as
those are on which something once went wrong, stay. Prints for each target how many inputs and bytes are kept, and edges of those there are.
"""
import argparse, hashlib, os, re, subprocess, sys, tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("BUILD", "build")
INPUTS = "harness/fz/inputs"
LARGEST = 8192
OVERHEAD = 64    # bytes that a file counts for beside what it holds
FOREIGN = re.compile(rb"/(tmp|root|home|work|mnt|srv|var)/")  # names of folders of this machine


def contents(folder):
    """By name, of what may be kept."""
    found = {}
    for e in os.scandir(folder) if os.path.isdir(folder) else []:
        with open(e.path, "rb") as f:
            data = f.read()
        if 0 < len(data) <= LARGEST and not FOREIGN.search(data) and not e.name.endswith(".part"):
            found[hashlib.sha256(data).hexdigest()[:16]] = data
    return found


def edges_of(name, inputs, root):
    """What each of them reaches."""
    there, out, place = (os.path.join(root, d) for d in ("in", "out", "files"))
    for d in (there, out, place):
        os.mkdir(d)
    for key, data in inputs.items():
        with open(os.path.join(there, key), "wb") as f:
            f.write(data)
    subprocess.run(["afl-showmap", "-q", "-e", "-m", "none", "-t", "10000", "-i", there, "-o", out, "--", BUILD + "/afl/fz_" + name],
                   env=dict(os.environ, FZ_FOLDER=place, AFL_FORKSRV_INIT_TMOUT="600000"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    reached = {}
    for e in os.scandir(out):
        with open(e.path) as f:
            reached[e.name] = {int(line.split(":")[0]) for line in f}
    return reached


def choose(inputs, reached, most):
    """Names, the most worth first."""
    kept, seen, used = [], set(), 0
    left = {key: set(edges) for key, edges in reached.items() if edges}
    while left:
        key = max(left, key=lambda k: (len(left[k]) / (len(inputs[k]) + OVERHEAD), k))
        new = left.pop(key)
        if used + len(inputs[key]) > most and kept:
            continue
        kept.append(key)
        used += len(inputs[key])
        seen |= new
        left = {k: e - new for k, e in left.items() if e - new}
    return kept, used, seen


def keep(args, name):
    folder = "%s/%s" % (INPUTS, name)
    inputs = dict(contents(folder), **contents("%s/%s/inputs" % (args.dir, name)))
    with tempfile.TemporaryDirectory() as root:
        reached = edges_of(name, inputs, root)
    kept, used, seen = choose(inputs, reached, args.bytes)
    if not kept:
        return "%s: nothing was reached" % name, 0, 0
    os.makedirs(folder, exist_ok=True)
    for e in list(os.scandir(folder)):
        if re.fullmatch("[0-9a-f]{16}", e.name) and e.name not in kept:
            os.remove(e.path)
    for key in kept:
        with open("%s/%s" % (folder, key), "wb") as f:
            f.write(inputs[key])
    return "%-10s %5d inputs %7d bytes %6d of %6d edges" % (name, len(kept), used, len(seen), len(set().union(*reached.values()))), len(kept), used


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dir", default=BUILD + "/afl-hours")
    p.add_argument("--only")
    p.add_argument("--bytes", type=int, default=12000)
    args = p.parse_args()
    names = args.only.split(",") if args.only else sorted(n[3:] for n in os.listdir(BUILD + "/afl") if n.startswith("fz_"))
    count = size = 0
    for name in names:
        line, n, used = keep(args, name)
        print(line, flush=True)
        count, size = count + n, size + used
    print("%-10s %5d inputs %7d bytes" % ("all", count, size))
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
