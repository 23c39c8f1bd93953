#!/usr/bin/env python3
"""A result with alternatives says why: python3 scripts/check/alternatives.py [FILE...]. TAP.

Where a result of a case file is {1|2}, an entry of the ledger (`errata ID`) or a comment says what leaves it open: behind the
row or right above it, at its case or table, or at its test. Comments in code say nothing about results. Ids in a comment have
entries, and of those that are named for a result one at least is about an opcode of the test.

With FILEs these are looked at. Without: those of the tree, and whether reasons that are taken away or wrong are missed.
"""
import fnmatch
import glob
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from tap import Tap  # noqa: E402

ALTERNATIVES = re.compile(r"\{[^\s{}]*\|[^\s{}]*\}")
ID = re.compile(r"\b[A-Z]+[0-9]*-[CU][0-9]+\b")
ENTRY = re.compile(r'^(?:ERRATUM\("([^"]+)",\s*\w+,\s*((?:"[^"]*"\s*)+)|NOTE\("([^"]+)")', re.M)
SUFFIX = re.compile(r"_(e32|e64|sdwa|dpp|vop2|unpacked)$")
OF_NO_OPCODE = ("multi", "text")  # folders whose files are of several encodings


def ledger():
    """The opcodes of each entry, as words."""
    found = {}
    for path in glob.glob("oracle/errata/*.def"):
        with open(path) as file:
            for entry, opcodes, note in ENTRY.findall(file.read()):
                found[entry or note] = opcodes.replace('"', " ").split()
    return found


def reasons(line):
    """What a line gives as reasons: the ids behind `errata`, and the comment."""
    code, _, comment = line.partition("#")
    tags = re.search(r"(?:^|\s)errata\s+(\S.*)", code)
    return [words.strip() for words in (tags.group(1) if tags else "", comment) if words.strip()]


def results(text):
    """(line, reasons, opcodes of the test) of each line with alternatives."""
    above, test, part, opcodes, where, in_case = [], [], [], set(), "", False
    for number, line in enumerate(text.split("\n"), 1):
        code, word = line.split("#")[0], line.split(" ")[0]
        if not code.strip():
            above = above + reasons(line) if line else []
            continue
        if word == "test":
            test, part, opcodes = above + reasons(line), [], set()
        elif word in ("rows", "case"):
            part = above + reasons(line)
        where = word or where
        in_case = word == "case" or word in ("in", "errata") and in_case
        if where == "code":
            opcodes.update(SUFFIX.sub("", name) for name in re.findall(r"^\s+(?:[\w.$]+:\s*)?(\w+)", code))
        elif word == "errata":
            (part if in_case else test).extend(reasons(line))
        elif ALTERNATIVES.search(code):
            yield number, test + part + above + reasons(line), opcodes
        above = []


def is_about(words, opcodes, folder):
    """Whether an entry with these words is about one of the opcodes, of the encoding that the folder names. One without is about all."""
    return not words or any(word == folder.upper() + ":" or word[-1] == ":" and folder in OF_NO_OPCODE or fnmatch.filter(opcodes, word)
                            for word in words)


def problems(name, text, entries):
    """("FILE:LINE: what is wrong" of each line, how many lines have alternatives)."""
    found, seen, folder = [], 0, os.path.basename(os.path.dirname(name))
    for line, why, opcodes in results(text):
        ids = ID.findall(" ".join(why))
        unknown = [name for name in ids if name not in entries]
        seen += 1
        if not why:
            found.append(f"{name}:{line}: alternatives without a reason")
        elif unknown:
            found.append(f"{name}:{line}: no entry {unknown[0]}")
        elif ids and not any(is_about(entries[i], opcodes, folder) for i in ids):
            found.append(f"{name}:{line}: not about this opcode: {' '.join(ids)}")
    return found, seen


def bare(text):
    """The text without a reason, but as many lines; comments in code stay."""
    where, out = "", []
    for line in text.split("\n"):
        where = line.split(" ")[0] or where
        if where == "errata":
            line = ""
        out.append(line if where == "code" else re.sub(r"\s+errata .*", "", line.split("#")[0]))
    return "\n".join(out)


WRONG = """test x
code
    v_max_f32 v0, v1, v2  # VALU-U07
rows  v1  v2  | v0
      1   2   | {1|2}
      1   2   | {1|2}  # VALU-U99
      1   2   | {1|2}  # BUF-U13
      1   2   | {1|2}  # VALU-U07
      1   2   | 2
# Either.
      1   2   | {1|2}
"""


def point(tap, holds, title, said):
    """One point; what was said, if it does not hold."""
    for text in said if not holds else ():
        print(f"# {text}")
    tap.point(holds, title)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    entries, tap = ledger(), Tap()
    texts = {}
    for name in sys.argv[1:] or sorted(glob.glob("cases/*/*.case")):
        with open(name) as file:
            texts[name] = file.read()
    said = [problems(name, text, entries) for name, text in texts.items()]
    total = sum(seen for _, seen in said)
    wrong = [line for found, _ in said for line in found]
    point(tap, not wrong and entries, f"{total} lines with alternatives say why", wrong)
    if not sys.argv[1:]:
        missed = sum(len(problems(name, bare(text), entries)[0]) for name, text in texts.items())
        tap.point(missed == total > 0, f"without their reasons all are missed: {missed}")
        found = problems("cases/vop2/x.case", WRONG, entries)[0]
        want = ["5: alternatives without a reason", "6: no entry VALU-U99", "7: not about this opcode: BUF-U13"]
        point(tap, found == ["cases/vop2/x.case:" + line for line in want],
              "a comment in code, no entry, one of another opcode: missed, others not", found)
    print(f"1..{tap.number}")
    sys.exit(tap.failed > 0)


if __name__ == "__main__":
    main()
