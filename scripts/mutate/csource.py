"""C as mutate.py reads it: tokens, functions, and changes that find their place whatever the layout.

A change names a piece of C (an expression, a statement, or a part of one) and what takes its place. The piece is
compared token by token: white space, comments and line breaks do not count, and the operands of + * & | ^ == != && ||
may stand in either order. Where the piece begins or ends with such an operator (`+ offset`), the operator may be on its
other side (`offset +`).
"""
import functools
import re

TOKEN = re.compile(r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\\\n)|(?P<line>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)|
    "(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|
    \.\.\.|<<=|>>=|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\#\#|.""", re.S | re.M | re.X)
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}

# Binary operators, those that bind loosest first.
LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
LEVEL = {op: n for n, ops in enumerate(LEVELS) for op in ops}
COMMUTE = {"||", "&&", "|", "^", "&", "==", "!=", "+", "*"}
UNARY = {"!", "~", "-", "+", "*", "&", "++", "--"}
KEYWORDS = {"return", "case", "else", "do", "goto", "if", "for", "while", "switch"}  # no operands
TYPES = re.compile(r"[ui](8|16|32|64)|bool|int|float|double|void|unsigned|size_t|const|struct|enum")


@functools.lru_cache(maxsize=None)
def tokens(text):
    """[(token, start, end)]; a preprocessor directive is one token."""
    return [(m[0].strip() if m["line"] else m[0], m.start(), m.end()) for m in TOKEN.finditer(text) if not m["skip"]]


@functools.lru_cache(maxsize=None)
def words(text):
    return tuple(t for t, _, _ in tokens(text))


# ---- declarations ----

def closing(toks, i):
    """The index behind the bracket that closes the one at i."""
    depth = 0
    while i < len(toks):
        depth += (toks[i][0] in OPEN) - (toks[i][0] in CLOSE)
        i += 1
        if depth == 0:
            break
    return i


def declarations(text):
    """(name, whether it has a body, text) of each function, prototype and table of functions at file scope, in order"""
    toks = tokens(text)
    i = first = 0
    name, is_table = None, False
    while i < len(toks):
        t = toks[i][0]
        if t[0] == "#":  # a directive ends nothing, but stands in no declaration either
            i = first = i + 1
        elif t == "(":
            before = toks[i - 1][0]
            i = closing(toks, i)
            if not name and before != "__attribute__":
                name = before
                if i < len(toks) and toks[first][0] == name and toks[i][0] not in "{;":  # a macro that makes declarations
                    first, name = i, None
        elif t == "=" and not name and [x[0] for x in toks[first:first + 2]] == ["const", "struct"] and toks[first + 2][0].endswith("_ops"):
            name, is_table, i = toks[i - 1][0], True, i + 1
        elif t == "{":
            is_body = toks[i - 1][0] == ")"
            i = closing(toks, i)
            if is_body:
                yield name, True, text[toks[first][1]:toks[i - 1][2]]
                first, name = i, None
        elif t == ";":
            i += 1
            if name:
                yield name, is_table, text[toks[first][1]:toks[i - 1][2]]
            first, name, is_table = i, None, False
        else:
            i += 1


def functions(text):
    """name -> text of every function, and of every table of functions, in order"""
    return {name: body for name, has_body, body in declarations(text) if has_body}


def prototypes(text):
    """The names of the functions that a header declares."""
    return [name for name, has_body, _ in declarations(text) if not has_body]


# ---- expressions ----

def is_operand(item):
    return isinstance(item, tuple) or bool(re.match(r"[\w\"'.]", item)) and item not in KEYWORDS


def in_expression(item):
    return is_operand(item) or item in LEVEL or item in UNARY or item == "->"


def is_cast(item):
    return isinstance(item, tuple) and item[0] == "(" and all(isinstance(t, str) and (t == "*" or TYPES.fullmatch(t)) for t in item[1])


def nested(toks):
    """The tokens with what stands between two brackets as one item: (bracket, items)."""
    stack = [("", [])]
    for t in toks:
        if t in OPEN:
            stack.append((t, []))
        elif t in CLOSE and len(stack) > 1 and stack[-1][0] == CLOSE[t]:
            bracket, items = stack.pop()
            stack[-1][1].append((bracket, tuple(items)))
        else:
            if t in CLOSE:  # its partner stands before the piece
                while len(stack) > 1:
                    bracket, items = stack.pop()
                    stack[-1][1].extend([bracket, *items])
            stack[-1][1].append(t)
    while len(stack) > 1:
        bracket, items = stack.pop()
        stack[-1][1].extend([bracket, *items])
    return stack[0][1]


def is_binary(items, i, leads):
    """Whether the operator at i has a left operand; at the beginning of a piece: whether it `leads` it as a binary one."""
    if items[i] not in LEVEL:
        return False
    if i == 0:
        return leads
    return is_operand(items[i - 1]) and not is_cast(items[i - 1])


def ordered(items, leads=False):
    """The items in an order that does not depend on how commutative operands are arranged."""
    out, part, binary = [], [], []

    def flush():
        if part:
            out.append(by_level(list(part), list(binary), 0))
        part.clear()
        binary.clear()

    for i, item in enumerate(items):
        if in_expression(item):
            binary.append(is_binary(items, i, leads))
            part.append((item[0], ordered(item[1])) if isinstance(item, tuple) else item)
        else:
            flush()
            out.append(item)
    flush()
    return tuple(out)


def by_level(part, binary, level):
    if level == len(LEVELS):
        return tuple(part)
    cuts = [i for i, t in enumerate(part) if binary[i] and t in LEVELS[level]]
    if not cuts:
        return by_level(part, binary, level + 1)
    operands = [by_level(part[a + 1:b], binary[a + 1:b], level + 1) for a, b in zip([-1, *cuts], [*cuts, len(part)])]
    operators = [part[i] for i in cuts]
    if set(operators) <= {"+", "-"}:
        terms = sorted(zip(["+", *operators], operands), key=repr)
        return ("sum", *terms)
    if len(set(operators)) == 1 and operators[0] in COMMUTE:
        return (operators[0], *sorted(operands, key=repr))
    return (*operators, *operands)


# ---- layout ----

def spaced(text):
    """The text on one line, with a blank exactly where the project's layout has one."""
    out, kind, brackets = "", None, []
    toks = words(text)
    for i, t in enumerate(toks):
        before, last = kind, toks[i - 1] if i else ""
        has_operand = before in ("operand", "close")
        if t in {"(", "["}:
            kind, is_glued = "open", before in ("open", "prefix", "cast") or has_operand
            brackets.append((i, has_operand))
        elif t in {")", "]"}:
            start, is_call = brackets.pop()
            inside = toks[start + 1:i]
            is_type = inside[:1] == ("struct",) or all(x == "*" or TYPES.fullmatch(x) for x in inside)
            kind, is_glued = "cast" if t == ")" and is_type and not is_call else "close", True
        elif t in {".", "->"}:
            kind, is_glued = "prefix", has_operand or before == "open"
        elif t in {",", ";"}:
            kind, is_glued = "operator", True
        elif t in ("++", "--"):
            kind, is_glued = "close" if has_operand else "prefix", has_operand or before in ("open", "prefix")
        elif t in UNARY and (not has_operand or t == "*" and TYPES.fullmatch(last)):
            kind, is_glued = "prefix", before in ("open", "prefix", "cast")
        elif t == "{":
            kind, is_glued = "operator", before == "cast"
        elif t == "}":
            kind, is_glued = "close", False
        elif is_operand(t):
            kind, is_glued = "operand", before in ("open", "prefix", "cast")
        else:
            kind, is_glued = "operator", False
        out += t if is_glued or not out else " " + t
    return out


# ---- changes ----

def edge(items, leads, last, is_looser):
    """The first (last) operand of those operators in a piece that are looser than the one before (behind) it, ordered."""
    n = next((n for n, t in enumerate(items[::-1] if last else items) if not in_expression(t)), len(items))
    first = len(items) - n if last else 0
    cuts = [i for i in range(first, first + n) if is_binary(items, i, leads) and is_looser(items[i])]
    if last:
        start = cuts[-1] + 1 if cuts else first
        return ordered(items[start:], leads and start == 0)
    return ordered(items[:cuts[0] if cuts else n], leads)


def same_edges(toks, i, j, items, leads, want, want_leads):
    """Whether the piece, rearranged, has the same operands where what stands before or behind it binds these alone."""
    before, after = toks[i - 1] if i else ";", toks[j] if j < len(toks) else ";"
    is_prefix = before in {".", "->", "!", "~"} or before in UNARY and not leads_binary(toks, i - 1)

    def looser_than_before(op):
        return is_prefix or before in LEVEL and (LEVEL[op] < LEVEL[before] or LEVEL[op] == LEVEL[before] and (op != before or op not in COMMUTE))

    def looser_than_after(op):
        return after in {"[", "(", ".", "->"} or after in LEVEL and LEVEL[op] < LEVEL[after]

    return all(edge(items, leads, last, is_looser) == edge(want, want_leads, last, is_looser)
               for last, is_looser in ((False, looser_than_before), (True, looser_than_after)))


def leads_binary(toks, i):
    return toks[i] in LEVEL and i > 0 and (is_operand(toks[i - 1]) or toks[i - 1] in ")]")


def find(text, piece):
    """[(first token, token behind, whether it was rearranged)] of each place where the piece stands"""
    toks, want = words(text), words(piece)
    n = len(want)
    exact = [(i, i + n, False) for i in range(len(toks) - n + 1) if toks[i:i + n] == want]
    if exact:
        return exact
    bag = sorted(want)
    wanted = nested(want)
    found = []
    for i in range(len(toks) - n + 1):
        if toks[i] in bag and sorted(toks[i:i + n]) == bag:
            items, leads = nested(toks[i:i + n]), leads_binary(toks, i)
            if any(ordered(items, leads) == ordered(wanted, w) and same_edges(toks, i, i + n, items, leads, wanted, w) for w in (False, True)):
                found.append((i, i + n, True))
    return found


def turned(piece, new, first, last):
    """The new text for a place at which the operator that begins or ends the piece is on its other side; None: there is none."""
    want = words(piece)
    if want[0] in LEVEL and last == want[0] and first != want[0]:
        return new[len(want[0]):] + " " + want[0] if words(new)[:1] == want[:1] else None if new else new
    if want[-1] in LEVEL and first == want[-1] and last != want[-1]:
        return want[-1] + " " + new[:-len(want[-1])] if words(new)[-1:] == want[-1:] else None if new else new
    return new


def replace(text, piece, new):
    """(the text with every place where the piece stands replaced, how many these are)"""
    new = new.strip()
    count = 0
    for i, j, is_turned in reversed(find(text, piece)):
        toks = tokens(text)
        put = turned(piece, new, toks[i][0], toks[j - 1][0]) if is_turned else new
        if put is None:
            continue
        text = text[:toks[i][1]] + " " + put + " " + text[toks[j - 1][2]:]
        count += 1
    return text, count
