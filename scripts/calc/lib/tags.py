"""Ids of the ledger that rows of a case file carry (cases/README.md, `errata`). They are not calculated: which rows rest on an
entry shows on a device that reads it otherwise (scripts/check/tags.sh). A calculator that writes a file anew keeps them."""

import re

ROW = '  errata '


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
        code, mark, comment = line.partition('#')
        plain = ' '.join(code.split(ROW)[0].split()) + mark + comment.strip()
        yield (title, case, plain), number


def bare(text):
    """`text` without the ids of its rows."""
    return re.sub(r'(?m)^( [^#\n]*?)  errata [^#\n]*?(?=  #|$)', r'\1', text)


def keep(path, text):
    """`text` with the ids that the file at `path` has; the same text if there is no file."""
    if not path.exists():
        return text
    before, old, rows, heads = path.read_text(), path.read_text().split('\n'), {}, {}
    for key, number in _entries(before):
        code, mark, comment = old[number].partition('#')
        if old[number].startswith(' ') and ROW in code:
            rows[key] = ROW + code.split(ROW)[1].rstrip()
        elif not old[number].startswith(' ') and old[number + 1].startswith('errata '):
            heads[key] = old[number + 1]
    lines, after = text.split('\n'), {}
    for key, number in _entries(text):
        line = lines[number]
        if line.startswith(' ') and key in rows and ROW not in line:
            code, mark, comment = line.partition('#')
            lines[number] = code.rstrip() + rows[key] + ('  #' + comment if mark else '')
        elif key in heads and lines[number + 1] != heads[key]:
            after[number] = heads[key]
    return '\n'.join(line + ('\n' + after[n] if n in after else '') for n, line in enumerate(lines))


def write(path, text):
    """Writes the file, with the ids that it has."""
    path.write_text(keep(path, text))
