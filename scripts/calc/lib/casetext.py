#!/usr/bin/env python3
"""What every case file of a vector opcode has beside the values: a second run with registers above v127, and tests of
SDWA modifiers (sdwa_tests.py) and of operands that overlap or are equal (operand_tests.py).

    scripts/calc/lib/casetext.py FILE...     adds both where they lack

Calculators of vector opcodes write() their files. For each form that a file has, the first test that names most vector
registers in this form runs again.
"""
import pathlib
import re
import sys

import operand_tests
import sdwa_tests
import tags

REGISTER = re.compile(r'(?<![\w.$])([va])(?:(\d+)|\[(\d+)(?::(\d+))?\])(?![\w.$])')
SUFFIX = re.compile(r'_(e32|e64|sdwa|dpp)$')
FORMS = ('e32', 'e64', 'sdwa', 'dpp')


def tests(text):
    """The head of a file and its tests, as text."""
    head, *rest = re.split(r'(?m)^(?=test )', text)
    return head, rest


def code_of(test):
    found = re.search(r'(?m)^code\n((?:[ \t]+.*\n)+)', test)
    return [line.split('#')[0].strip() for line in found.group(1).splitlines()] if found else []


def forms_of(test, name):
    """Forms in which a test runs the opcode, each with the most vector registers that it names."""
    found = {}
    listed = re.search(r'(?m)^forms (.*)', test)
    for line in code_of(test):
        word, _, operands = line.partition(' ')
        suffix = SUFFIX.search(word)
        if SUFFIX.sub('', word) != name and word != name:
            continue
        named = len(REGISTER.findall(operands))
        for form in listed.group(1).split() if listed and not suffix else [suffix.group(1) if suffix and word != name else '']:
            found[form] = max(found.get(form, 0), named)
    return found


def movable(test):
    """The files of registers that the code of a test names and of which it names none above 127. Not where a result
    keeps part of what a register held at the start: that names the register."""
    def numbers(file):
        found = [m for m in REGISTER.findall(re.sub(r'#.*', '', test)) if m[0] == file]
        return [int(n) for m in found for n in m[1:] if n]
    used = {m[0] for line in code_of(test) for m in REGISTER.findall(line)}
    return [] if re.search(r'\nreject|0xb0[0-9a-f]{2}', test) else [file for file in 'va' if file in used and max(numbers(file)) < 128]


def again(name, text):
    """The text of the file of an opcode with `again` lines."""
    head, parts = tests(re.sub(r'(?m)^again .*\n', '', text))
    found = [forms_of(t, name) if movable(t) else {} for t in parts]
    chosen = set()
    forms = {f for t in found for f in t}
    for form in sorted(forms - {''} or forms):
        most = max(t.get(form, 0) for t in found)
        best = [i for i, t in enumerate(found) if t.get(form, 0) == most > 0]
        if best and not chosen & set(best):
            chosen.add(best[0])
    for i in chosen:
        words = ' '.join('%s+128' % file for file in movable(parts[i]))
        lines = parts[i].split('\n')
        at = next(k for k, line in enumerate(lines) if k and not line.startswith(('forms', 'targets', 'errata')))
        parts[i] = '\n'.join(lines[:at] + ['again ' + words] + lines[at:])
    return head + ''.join(parts)


def own_tests(text):
    """The head of a file and the tests that are not added here."""
    head, parts = tests(text)
    return head, [t for t in parts if t.split('\n')[0][5:] not in sdwa_tests.TITLES + operand_tests.TITLES]


def modifiers(name, text, tagged):
    """The text with tests of SDWA modifiers and of operands at its end; `tagged`: the text with the ids of the ledger."""
    head, parts = own_tests(text)
    added = sdwa_tests.sdwa(name, parts) + operand_tests.operands(name, parts, own_tests(tagged)[1])
    return (head + ''.join(parts)).rstrip('\n') + '\n' + added


def write(path, text):
    text = tags.bare(text)
    tags.write(path, again(path.stem, modifiers(path.stem, text, tags.keep(path, text))))


if __name__ == '__main__':
    for arg in sys.argv[1:]:
        write(pathlib.Path(arg), pathlib.Path(arg).read_text())
