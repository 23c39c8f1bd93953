"""Tests of operands that every compare has in its file: a literal, and VCC as source and as result.

A literal is told from any other dword by the numbers beside it: x against L - 1, L and L + 1 is another list of results for
every L. o and u need a NaN as L; the results of f, t and tru depend on no operand, so that they have the literal alone,
and those of floats say by TRAPSTS what they have read. The
rule is worked out here: Python's compare of integers and of the exact values of floats, which is false for a NaN but for !=.
"""
import re
import struct

RELATIONS = {'lt': lambda a, b: a < b, 'eq': lambda a, b: a == b, 'le': lambda a, b: a <= b, 'gt': lambda a, b: a > b,
             'ge': lambda a, b: a >= b, 'ne': lambda a, b: a != b, 'lg': lambda a, b: a < b or a > b,
             'nge': lambda a, b: not a >= b, 'nlg': lambda a, b: not (a < b or a > b), 'ngt': lambda a, b: not a > b,
             'nle': lambda a, b: not a <= b, 'neq': lambda a, b: not a == b, 'nlt': lambda a, b: not a < b,
             'o': lambda a, b: a == a and b == b, 'u': lambda a, b: a != a or b != b,
             'f': lambda a, b: False, 't': lambda a, b: True, 'tru': lambda a, b: True}
FIXED = ('f', 't', 'tru')  # whatever the operands are
LITERAL, VCC = 'literal as the first source', 'vcc is the first source and the result'
INVALID, INVALID_LITERAL, INVALID_VCC = (
    'a signaling NaN of any lane is invalid', 'a signaling NaN as a literal is invalid', 'a signaling NaN in vcc is invalid')
TITLES = [LITERAL, VCC, INVALID, INVALID_LITERAL, INVALID_VCC]
# By type: a literal and the number that it means; a number for VCC; both again as NaNs; a number and a NaN to meet those.
# A literal is the high dword of an f64, and the low one of an integer of 64 bits.
HIGH = 32
NUMBERS = {'f16': (0x4248, 0x4248), 'f32': (0x40490fdb, 0x40490fdb), 'f64': (0x400921fb << HIGH, 0x400921fb54442d18)}
NANS = {'f16': (0x7e12, 0x7e12), 'f32': (0x7fc12345, 0x7fc12345), 'f64': (0x7ff81234 << HIGH, 0x7ff8123456789abc)}
MINUS_INF = {'f16': (0xfc00, 0xfc00), 'f32': (0xff800000, 0xff800000), 'f64': (0xfff00000 << HIGH, 0xfff00000 << HIGH)}
INTEGERS = {16: (0x1234, 0x1234), 32: (0x12345678, 0x12345678), 64: (0x12345678, 0x123456789abcdef0)}
SIGNALING = {'f16': (0x7c01, 0x7c01), 'f32': (0x7f800001, 0x7f800001), 'f64': (0x7ff00001 << HIGH, 0x7ff0000000000001)}
ONE_INF = {'f16': (0x3c00, 0x7c00), 'f32': (0x3f800000, 0x7f800000), 'f64': (0x3ff << 52, 0x7ff << 52)}
CLASS_MINUS_INF, CLASS_ZERO, CLASS_NORMAL = 1 << 2, 1 << 6, 1 << 8


def number(bits, kind):
    width = int(kind[1:])
    if kind[0] == 'f':
        word, float_of = {16: 'He', 32: 'If', 64: 'Qd'}[width]
        return struct.unpack('<' + float_of, struct.pack('<' + word, bits))[0]
    return bits - (1 << width) if kind[0] == 'i' and bits >> width - 1 else bits


def points(op, kind):
    """The two first sources, and for each its rows: (second source, result)."""
    if op == 'class':
        masks = [(CLASS_MINUS_INF, 1), (CLASS_ZERO, 0), (CLASS_NORMAL, 0)]
        return MINUS_INF[kind], [masks, masks]
    first = NANS[kind] if op in ('o', 'u') else NUMBERS[kind] if kind[0] == 'f' else INTEGERS[int(kind[1:])]
    rows = []
    for a in first:
        others = [NUMBERS[kind][1], 0, a] if op in ('o', 'u') else [a - 1, a, a + 1]
        rows.append([(b, int(RELATIONS[op](number(a, kind), number(b, kind)))) for b in others])
    return first, rows


def invalid_tests(name, op, kind, ends, table):
    """What f and tru of floats read shows in TRAPSTS alone: a signaling NaN is invalid, bit 0, whatever the result is."""
    pair = kind == 'f64'
    b, source, more = ('v[4:5]', 'vcc', ['scc']) if pair else ('v2', 'vcc_lo', [])
    (one, inf), (literal, nan), lane = ONE_INF[kind], SIGNALING[kind], (lambda v: v.replace(']', '].lane5') if pair else v + '.lane5')
    result, all_lanes = ('1', '-1') if op == 'tru' else ('0', '0')
    s0, s1 = ('v[130:131]', 'v[132:133]') if pair else ('v130', 'v131')  # numbers above 127, as in a table that runs again
    out = ['', 'test ' + INVALID, 'errata TRAP-U04', f'in    {s0} = 0x{one:x}  {s1} = 0x{one:x}', 'code', f'    {name}_e32 vcc, {s0}, {s1}',
           'out   ' + '  '.join(f'{w} = {all_lanes}' for w in ends), 'case in the first source', f'in    {lane(s0)} = 0x{nan:x}', 'out   trapsts = 1',
           'case in the second source', f'in    {lane(s1)} = 0x{nan:x}', 'out   trapsts = 1',
           'case an infinity is a number', f'in    {s0} = 0x{inf:x}  {s1} = 0x{inf:x}', 'out   trapsts = 0']
    spelled = literal >> HIGH if pair else literal
    out += ['', 'test ' + INVALID_LITERAL, 'errata TRAP-U04', 'code', f'    {name}_e32 vcc, 0x{spelled:x}, {b}']
    out += table([b] + more + ['|'] + ends + ['trapsts'], [[f'0x{one:x}'] + ['0' for _ in more] + ['|'] + [result] * len(ends) + ['1']])
    out += ['', 'test ' + INVALID_VCC, 'errata TRAP-U04', 'code', f'    {name}_e32 vcc, {source}, {b}']
    return out + table([source, b] + more + ['|'] + ends + ['trapsts'],
                       [[f'0x{v:x}', f'0x{one:x}'] + ['0' for _ in more] + ['|'] + [result] * len(ends) + [t] for v, t in ((nan, '1'), (one, '0'))])


def tests_of(name, table):
    """The tests, as lines; none if `name` is no compare. `table`(head, rows) gives the lines of a table."""
    m = re.fullmatch(r'v_cmp(x?)_([a-z]+)_([fiu](?:16|32|64))', name)
    if not m:
        return []
    op, kind, ends = m[2], m[3], ['vcc'] + ['exec'] * bool(m[1])
    pair, second = kind.endswith('64'), 'v[4:5]' if kind.endswith('64') and m[2] != 'class' else 'v2'
    digits = 4 if kind.endswith('16') else 16 if second == 'v[4:5]' else 8
    (literal, vcc), (by_literal, by_vcc) = points(op, kind)
    spelled = literal >> HIGH if kind == 'f64' else literal
    out = []
    if kind != 'f64' or op in ('o', 'u'):  # the files of f64 have a test of a literal that is no NaN
        out += ['', 'test ' + LITERAL, 'code', f'    {name}_e32 vcc, 0x{spelled:x}, {second}']
        out += table([second, '|'] + ends, [[f'0x{b:0{digits}x}', '|'] + [str(r)] * len(ends) for b, r in by_literal])
    if op in FIXED:
        return out + (invalid_tests(name, op, kind, ends, table) if kind[0] == 'f' else [])
    # With scc among the columns a row is a run, and a pair is a number.
    source, more = ('vcc', ['scc']) if pair else ('vcc_lo', [])
    out += ['', 'test ' + VCC, '# Lane 0 alone: VCC is read as a number and gets the bit of the lane.', 'code', f'    {name}_e32 vcc, {source}, {second}']
    return out + table([source, second] + more + ['|'] + ends,
                       [[f'0x{vcc:0{16 if pair else 8}x}', f'0x{b:0{digits}x}'] + ['0' for _ in more] + ['|'] + [str(r)] * len(ends) for b, r in by_vcc])
