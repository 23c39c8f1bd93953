#!/usr/bin/env python3
"""A function that other files can call begins with the name of its module: python3 scripts/check/names.py [ROOT]. TAP.

The module is the header's file or folder, or of a room of a room (harness/launch/file) the folder above; of internal.h,
which several files of a folder share, any of these files; of NAME_internal.h, which the files NAME_*.c share, NAME. A header that is about several things (a wave, its log, its memory) has the
other words here, with what they are. What rows are written in is no module: fadd32, sext32, fetch32.
"""
import os
import re
import sys

# The vocabulary of the rows, and of everything: named by what they compute.
VOCABULARY = ("oracle/base/", "oracle/fp/", "oracle/sem/")
# header: the words beside file and folder
WORDS = {
    "oracle/state/state.h": "wave wlog mem pair scalar",   # a wave, its log, its memory; register pairs, scalar sources
    "oracle/exec/exec.h": "engine machine",                # what executes, and on what
    "oracle/errata/errata.h": "erratum evidence",
    "reports/format.h": "report",
    "harness/dut/job.h": "jobbuf",
    "harness/dut/pipe_msg.h": "pipe",
    "harness/line/say.h": "cmd",                          # how a command ends
}


def functions(text):
    """The names of the functions that a header declares or defines."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    out, depth = [], 0
    for c in text:  # bodies and members of structs go
        depth += c == "{"
        if depth == 0:
            out.append(c)
        elif c == "}":
            depth -= 1
            out.append(";" if depth == 0 else "")
    for statement in "".join(out).split(";"):
        m = re.match(r"\s*(?!typedef\b)(?:[\w*]+\s+\**)+(\w+)\s*\(", re.sub(r"__attribute__\s*\(\(.*?\)\)+|_Static_assert.*", "", statement, flags=re.S))
        if m and "(*" not in m[0]:
            yield m[1]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    bad, count = [], 0
    for part in ("oracle", "fuzz", "reports", "harness"):
        for top, _, names in sorted(os.walk(os.path.join(root, part))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(top, name), root)
                if not name.endswith(".h") or path.startswith(VOCABULARY) or re.match("harness/(t|fz|sdk)/", path):
                    continue
                words = [name[:-2], os.path.basename(top), *WORDS.get(path, "").split()]
                if path.count("/") == 3:
                    words.append(path.split("/")[1])
                if name.endswith("_internal.h"):
                    words.append(name[:-len("_internal.h")])
                if name == "internal.h":
                    words += [n[:-2] for n in sorted(names) if n.endswith(".c")]
                with open(os.path.join(root, path), encoding="utf-8") as f:
                    for function in functions(f.read()):
                        count += 1
                        if not any(function == w or function.startswith(w + "_") for w in words):
                            bad.append(f"{path}: {function} begins with none of: {' '.join(dict.fromkeys(words))}")
    print("TAP version 13\n1..2")
    for line in bad:
        print("# " + line)
    print(f"{'not ' if bad else ''}ok 1 - functions begin with their module's name")
    print(f"{'' if count else 'not '}ok 2 - {count} functions were looked at")
    sys.exit(bool(bad) or not count)


main()
