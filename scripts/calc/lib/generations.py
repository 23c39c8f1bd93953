"""Tests that gfx7, gfx8 and gfx9 share, and those that are not the same on all: a calculator makes its tests once for each."""
import re


class Generation:
    """What the rules and texts that a calculator makes are for; it asks gfx7 and gfx8."""
    gfx7 = gfx8 = False


def split(text):
    """Tests with the empty and comment lines in front of them: (title, lines)."""
    out, front = [], []
    for line in "\n".join(text).split("\n"):
        front.append(line)
        if line.startswith("test "):
            out.append((line, front))
            front = []
        elif line and not line.startswith("#"):
            out[-1][1].extend(front)
            front = []
    return out


def with_id(lines, title, entry):
    """The lines behind a title, with an entry of the ledger."""
    rest = lines[lines.index(title) + 1:]
    if not entry:
        return rest
    if any(line.startswith("errata ") for line in rest):
        return [f"{line} {entry}" if line.startswith("errata ") else line for line in rest]
    return [f"errata {entry}"] + rest


def tests_of_gfx7(make, asks):
    """What gfx7 has of the tests. Where no calculator asks for it, as gfx8. Halves of registers came with gfx8."""
    Generation.gfx7, Generation.gfx8 = asks, not asks
    tests = [(title, lines) for title, lines in split(make()) if not any(re.search("[_ ]d16", line) for line in lines)]
    Generation.gfx7 = Generation.gfx8 = False
    return dict(tests)


def for_both(make, entry=None, asks_gfx7=False):
    """What is the same on gfx8 and gfx9 has no targets; the rest stands there twice, and on gfx8 rests on an entry. gfx7 has the one
    or the other. Addresses of 16 bits came with gfx9."""
    texts = []
    for Generation.gfx8 in (False, True):
        texts.append(split(make()))
    Generation.gfx8 = False
    of_gfx8, of_gfx7, out, behind = dict(texts[1]), tests_of_gfx7(make, asks_gfx7), [], []
    for title, lines in texts[0]:
        aimed = any(line.startswith("targets ") for line in lines)
        at = lines.index(title) + 1
        targets = "targets gfx6 gfx7 gfx9" if of_gfx7.get(title) == lines else "targets gfx9"
        out += lines if aimed or lines == of_gfx8.get(title) else lines[:at] + [targets] + lines[at:]
    for title, lines in texts[1]:
        if lines in [new for _, new in texts[0]] or any(line.startswith("targets ") or line.endswith(" a16") or " a16 " in line for line in lines):
            continue
        at = lines.index(title)
        targets = "targets gfx6 gfx7 gfx8" if of_gfx7.get(title) == lines else "targets gfx8"
        behind += lines[:at] + [f"{title}, gfx8", targets] + with_id(lines, title, entry)
    return out + behind


def where_settled(make):
    """A maker of tests that leaves out what rests on something open, which it finds by an assertion, on gfx8 alone."""
    def made(*arguments, **more):
        try:
            return make(*arguments, **more)
        except AssertionError:
            if not Generation.gfx8:
                raise
            return []
    return made
