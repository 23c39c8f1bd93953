"""Ids of the ledger that rows of a case file carry (cases/README.md): behind `errata`, which the row rests on, and as the whole
comment, which leave its alternatives open. They are not calculated: which rows rest on an entry shows on a device that reads it
otherwise (scripts/check/tags.sh), and that alternatives have a reason is checked (scripts/check/alternatives.py). A calculator
that writes a file anew keeps them."""

import re

ID = r'[A-Z]+[0-9]*-[CU][0-9]+'
TAGS = re.compile(rf'(?:  errata {ID}(?: {ID})*)?(?:  # {ID}(?: {ID})*)?(?=$|  #)')


def _split(line):
    """The line of a row without its ids, and the ids."""
    found = next(m for m in TAGS.finditer(line) if m.group() or m.start() == len(line))
    return line[:found.start()] + line[found.end():], found.group()


def _entries(text):
    """(key, line, number) of each line that can carry ids; a key is the test's title and the line without them."""
    title = case = ''
    for number, line in enumerate(text.split('\n')):
        if line.startswith('test '):
            title, case = line, ''
        elif line.startswith('case '):
            case = line
        elif not line.startswith(' ') or '|' not in line:
            continue
        yield (title, case, ' '.join(_split(line)[0].split())), number


def bare(text):
    """`text` without the ids of its rows."""
    return '\n'.join(_split(line)[0] if line.startswith(' ') else line for line in text.split('\n'))


def keep(path, text):
    """`text` with the ids that the file at `path` has; the same text if there is no file."""
    if not path.exists():
        return text
    before, old, rows, heads = path.read_text(), path.read_text().split('\n'), {}, {}
    for key, number in _entries(before):
        if old[number].startswith(' ') and _split(old[number])[1]:
            rows[key] = _split(old[number])[1]
        elif not old[number].startswith(' ') and old[number + 1].startswith('errata '):
            heads[key] = old[number + 1]
    lines, after = text.split('\n'), {}
    for key, number in _entries(text):
        line = lines[number]
        if line.startswith(' ') and key in rows and not _split(line)[1]:
            code, mark, comment = line.partition('#')
            lines[number] = code.rstrip() + rows[key] + ('  #' + comment if mark else '')
        elif key in heads and lines[number + 1] != heads[key]:
            after[number] = heads[key]
    return '\n'.join(line + ('\n' + after[n] if n in after else '') for n, line in enumerate(lines))


def write(path, text):
    """Writes the file, with the ids that it has."""
    path.write_text(keep(path, text))
