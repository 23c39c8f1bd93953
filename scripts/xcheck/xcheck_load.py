"""The work of xcheck-load.sh (which see)."""
import argparse
import collections
import mmap
import os
import re
import subprocess
import tempfile

import xcheck_libs

READELF = "llvm-readelf-19"
PROCESSORS = "gfx900,gfx906,gfx908"
FIELDS = ("kernarg", "args", "hidden", "group", "private", "vgprs", "sgprs", "items")


def round_up(value, unit):
    return max(1, -(-value // unit)) * unit


def kernels_by_llvm(paths):
    """Of each kernel, by its name: what --list prints, from the metadata as llvm-readelf shows it."""
    for at in range(0, len(paths), 20):
        text = subprocess.run([READELF, "--notes"] + paths[at:at + 20], capture_output=True, text=True, check=True).stdout
        for part in re.split(r"\n  - \.a", text)[1:]:
            number = lambda name: int(re.search(r"\n    \.%s: +(\d+)" % name, part)[1])
            kinds = re.findall(r"\.value_kind: +(\S+)", part)
            hidden = sum(kind.startswith("hidden") for kind in kinds)
            yield re.search(r"\n    \.symbol: +'?([^'\s]+)\.kd", part)[1], (
                number("kernarg_segment_size"), len(kinds) - hidden, hidden, number("group_segment_fixed_size"),
                number("private_segment_fixed_size"), round_up(number("vgpr_count"), 4), round_up(number("sgpr_count"), 16),
                number("max_flat_workgroup_size"))


def kernels_by_gcncheck(gcncheck, mcpu, path):
    """The same as --list prints it; what cannot be loaded; the last line."""
    run = subprocess.run([gcncheck, "launch", "--list", "--mcpu", mcpu, path], capture_output=True, text=True)
    found, bad = [], [run.stderr] if run.stderr else []
    lines = run.stdout.splitlines()
    for line in lines[:-1]:
        cells = line.split()
        if cells[0].isdigit():
            found.append((cells[8], tuple(int(c) for c in cells[:8])))
        elif line.startswith("bad: "):
            bad.append(line)
    return found, bad, lines[-1] if lines else ""


def check_load(tap, args, tmp, path, mcpu):
    name = os.path.basename(path).split(".")[0]
    with open(path, "rb") as f:
        lib = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
    paths = []
    for i, (offset, size) in enumerate(xcheck_libs.code_objects(lib, mcpu)):
        paths.append(os.path.join(tmp, "%d.co" % i))
        open(paths[-1], "wb").write(lib[offset:offset + size])
    want = collections.Counter(kernels_by_llvm(paths))
    listed, bad, summary = kernels_by_gcncheck(args.gcncheck, mcpu, path)
    got = collections.Counter(listed)
    for line in bad[:args.show]:
        print("# " + line)
    for title, side in (("only LLVM", want - got), ("only ours", got - want)):
        for kernel, values in list(side)[:args.show]:
            print("# %s: %s %s" % (title, kernel, " ".join("%s=%d" % v for v in zip(FIELDS, values))))
    kernels = sum(want.values())
    expected = "%d code object%s, %d kernel%s, 0 bad" % (
        len(paths), "s" * (len(paths) != 1), kernels, "s load" if kernels != 1 else " loads")
    tap.point(want == got and sum(want.values()) > 0 and not bad and summary == expected,
              "%s %s loads: %s, as many as %s shows, with the same segments, arguments and registers" % (name, mcpu, summary, READELF))
    for p in paths:
        os.unlink(p)
    return sum(want.values())


def check_comparison(tap, args, tmp, path, mcpu):
    """A code object whose metadata asks for four bytes of scratch more than its descriptor must be found."""
    with open(path, "rb") as f:
        lib = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
    offset, size = next(xcheck_libs.code_objects(lib, mcpu))
    key = b".private_segment_fixed_size\0"
    damaged = os.path.join(tmp, "damaged")
    open(damaged, "wb").write(lib[offset:offset + size].replace(key, key[:-1] + b"\4", 1))
    _, bad, _ = kernels_by_gcncheck(args.gcncheck, mcpu, damaged)
    tap.point(len(bad) == 1 and "private segment: 4 bytes in the metadata, 0 in the descriptor" in bad[0],
              "a changed size is seen in %s" % mcpu)


def check_lint(tap, args, path, mcpu, kernels):
    name = os.path.basename(path).split(".")[0]
    run = subprocess.run([args.gcncheck, "lint", "--mcpu", mcpu, path], capture_output=True, text=True)
    for line in run.stdout.splitlines()[:args.show]:
        print("# " + line)
    summary = run.stderr.strip().split(": ", 1)[-1]
    m = re.match(r"(\d+) functions?, (\d+) instructions?: 0 findings", summary)
    tap.point(run.returncode == 0 and m is not None and int(m[1]) >= kernels, "%s %s lint: %s" % (name, mcpu, summary))


def main():
    parser = argparse.ArgumentParser(prog="xcheck-load.sh")
    parser.add_argument("--gcncheck", default=os.environ.get("GCNCHECK", "build/gcncheck"))
    parser.add_argument("--mcpu", default=PROCESSORS)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("libraries", nargs="*", default=xcheck_libs.LIBRARIES)
    args = parser.parse_args()
    tap = xcheck_libs.Tap()
    with tempfile.TemporaryDirectory() as tmp:
        for path in args.libraries:
            if not os.path.exists(path):
                tap.point(True, "# SKIP %s is not installed (scripts/deps.sh long)" % path)
                continue
            for mcpu in args.mcpu.split(","):
                if path == args.libraries[0]:
                    check_comparison(tap, args, tmp, path, mcpu)
                kernels = check_load(tap, args, tmp, path, mcpu)
                check_lint(tap, args, path, mcpu, kernels)
    print("1..%d" % tap.number)
    raise SystemExit(tap.failed > 0)


main()
