#!/bin/sh
# How planting finds a piece of C: tokens count and not the layout, operands may stand in either order, and what would
# change the meaning is no match. TAP.
cd "$(dirname "$0")/../../.." || exit 2
PYTHONDONTWRITEBYTECODE=1 python3 - <<'END'
import sys
sys.path.insert(0, "scripts/mutate")
import csource

CASES = [  # text, piece, what takes its place, the text then; None: not found
    ("*shift = 8 *\n    sel;", "*shift = sel * 8;", "*shift = 0;", "*shift = 0;"),
    ("x = (a /* first */ + b);", "a + b", "c", "x = (c);"),
    ("if (b && a[3] == q)", "q == a[3] && b", "true", "if (true)"),
    ("load(&p, 4 * n, 4)", "&p, n * 4, 4)", "&p, 0, 4)", "load(&p, 0, 4)"),
    ("m & ((u32)x | y)", "y | (u32)x", "0", "m & (0)"),
    ("x = 15 * v;", "* 15", "* 7", "x = 7 * v;"),
    ("f(offset + addr)", "addr +", "", "f(offset)"),
    ("f(offset + addr)", "offset +", "1 +", "f(1 + addr)"),
    ("a + x - y", "x +", "0 +", "a + 0 - y"),
    ("x | y || z", "|| z", "", "x | y"),
    ("a = c + b * d", "b + c", "e", None),
    ("x - c + b", "b + c", "e", None),
    ("-c + b", "b + c", "e", None),
    ("x / 15 * v", "* 15", "* 7", None),
    ("y = q & 63 << 2", "63 &", "31 &", None),
    ("a - b", "b - a", "0", None),
    ("a < b", "b < a", "0", None),
]
failed = 0
for n, (text, piece, new, want) in enumerate(CASES, 1):
    got, count = csource.replace(text, piece, new)
    good = count == 1 and csource.words(got) == csource.words(want) if want else count == 0
    print(f"{'ok' if good else 'not ok'} {n} - {piece} in {' '.join(text.split())}" + ("" if good else f": {count} times: {got}"))
    failed += not good
source = "#define A(x) x\nA(int a)\n__attribute__((unused)) static u32\none(u32 a)\n{\n  return a;\n}\nu32 two(void);\n" \
    "const struct b_ops c = { .one = one };\nenum { D };\n"
good = list(csource.functions(source)) == ["one", "c"] and csource.prototypes(source) == ["two"]
print(f"{'ok' if good else 'not ok'} {len(CASES) + 1} - functions, tables and prototypes")
for n, text in enumerate(("if (!a) b += (u64)c * -1;", "u64 *p = &q->r[i++]; return (struct s){ { a, ~b } };"), len(CASES) + 2):
    dense = text.replace(" ", "  ").replace(" += ", "+=").replace(" = ", "=").replace(" * -", "*-")
    same = csource.spaced(dense) == text
    print(f"{'ok' if same else 'not ok'} {n} - the layout of {text}" + ("" if same else f": {csource.spaced(dense)}"))
    failed += not same
print(f"1..{len(CASES) + 3}")
sys.exit(failed > 0 or not good)
END
