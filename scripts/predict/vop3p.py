"""Predictions of the packed instructions (VOP3P), the mixed multiply-adds and the dot products, which the MI100 manual gives."""
import floats
from floats import F16, F32, add, clamped, convert, each, fma, minimum, multiply
from rules import M16, M32, U32, Mode, clamp, op, signed
from vop3 import MODES64, as_set, magnitude, neg, unfused

LOW, HIGH = (0, 0, 0), (1, 1, 1)
SELECTIONS = ((LOW, HIGH), ((1, 0, 1), (0, 1, 0)), ((0, 1, 1), (0, 0, 1)), (HIGH, LOW))


def modifier(name, values, count):
    return f"{name}:[{','.join(str(v) for v in values[:count])}]"


def picked(words, select):
    return [word >> 16 * s & M16 for word, s in zip(words, select)]


def packed(name, rule, count, modes=None, clamping=None, negate=False):
    """Registers rule, one of halves, for name with several selections; clamping: what CLAMP makes of the rule's number."""
    slots = dict(zip('abc', [U32] * count))
    text = f"{name} d, {', '.join('abc'[:count])}"
    options = {'mode': modes} if modes else {}

    def both(words, low, high, mode, change=lambda operands, _: operands, final=lambda v, _: v):
        parts = [each(lambda v: final(v, mode) & M16, rule(*change(picked(words, select), half), mode))
                 for half, select in enumerate((low, high))]
        return {'d': each(lambda x, y: y << 16 | x, *parts)}

    def three(function):
        """With as many parameters as there are operands."""
        return (lambda a, b, mode: function((a, b), mode)) if count == 2 else (lambda a, b, c, mode: function((a, b, c), mode))

    for low, high in SELECTIONS:
        marks = '' if low == LOW and high == HIGH else f" {modifier('op_sel', low, count)} {modifier('op_sel_hi', high, count)}"
        op(text + marks, d=U32, **slots, **options)(three(lambda w, mode, low=low, high=high: both(w, low, high, mode)))
    if clamping:
        op(f'{text} clamp', d=U32, **slots)(three(lambda w, mode: both(w, LOW, HIGH, mode, final=clamping)))
    if negate:
        lows, highs = (1, 0, 1), (0, 1, 1)

        def flip(operands, half):
            return [v ^ (F16.sign if n else 0) for v, n in zip(operands, (lows, highs)[half])]
        op(f"{text} {modifier('neg_lo', lows, count)} {modifier('neg_hi', highs, count)}", d=U32, **slots)(
            three(lambda w, mode: both(w, LOW, HIGH, mode, change=flip)))


def i16(value):
    return signed(value, 16)


def to_signed(value, _):
    return clamp(value, -1 << 15, (1 << 15) - 1)


def to_unsigned(value, _):
    return clamp(value, 0, M16)


packed('v_pk_mad_i16', lambda a, b, c, _: i16(a) * i16(b) + i16(c), 3, clamping=to_signed)
packed('v_pk_mad_u16', lambda a, b, c, _: a * b + c, 3, clamping=to_unsigned)
packed('v_pk_mul_lo_u16', lambda a, b, _: a * b, 2)
packed('v_pk_add_i16', lambda a, b, _: i16(a) + i16(b), 2, clamping=to_signed)
packed('v_pk_sub_i16', lambda a, b, _: i16(a) - i16(b), 2, clamping=to_signed)
packed('v_pk_add_u16', lambda a, b, _: a + b, 2, clamping=to_unsigned)
packed('v_pk_sub_u16', lambda a, b, _: a - b, 2, clamping=to_unsigned)
packed('v_pk_lshlrev_b16', lambda a, b, _: b << (a & 15), 2)
packed('v_pk_lshrrev_b16', lambda a, b, _: b >> (a & 15), 2)
packed('v_pk_ashrrev_i16', lambda a, b, _: i16(b) >> (a & 15), 2)
packed('v_pk_max_i16', lambda a, b, _: max(i16(a), i16(b)), 2)
packed('v_pk_min_i16', lambda a, b, _: min(i16(a), i16(b)), 2)
packed('v_pk_max_u16', lambda a, b, _: max(a, b), 2)
packed('v_pk_min_u16', lambda a, b, _: min(a, b), 2)


def to_one(value, mode):
    return clamped(F16, value, mode)


packed('v_pk_fma_f16', lambda a, b, c, mode: fma(F16, a, b, c, mode), 3, MODES64, to_one, True)
packed('v_pk_add_f16', lambda a, b, mode: add(F16, a, b, mode), 2, MODES64, to_one, True)
packed('v_pk_mul_f16', lambda a, b, mode: multiply(F16, a, b, mode), 2, MODES64, to_one, True)
packed('v_pk_min_f16', lambda a, b, mode: minimum(F16, a, b, mode), 2, [0x3f0, 0x1f0], to_one, True)
packed('v_pk_max_f16', lambda a, b, mode: minimum(F16, a, b, mode, largest=True), 2, [0x3f0, 0x1f0], to_one, True)


# ---- inline constants --------------------------------------------------------------------------------------------------------
@op('v_pk_add_u16 d, a, -2', d=U32, a=U32)
def _(a):
    return {'d': (a + 0xfffe & M16) | ((a >> 16) + 0xffff & M16) << 16}


@op('v_pk_add_u16 d, a, 63 op_sel_hi:[1,0]', d=U32, a=U32)
def _(a):
    return {'d': (a + 63 & M16) | ((a >> 16) + 63 & M16) << 16}


# A float constant of a packed integer operand is the f32 pattern, 0x3f800000 (numerics.md 11).
@op('v_pk_add_u16 d, a, 1.0', d=U32, a=U32)
def _(a):
    return {'d': a & M16 | ((a >> 16) + 0x3f80 & M16) << 16}


@op('v_pk_lshlrev_b16 d, a, -4.0 op_sel:[0,1]', d=U32, a=U32)  # 0xc0800000
def _(a):
    return {'d': (0xc080 << (a & 15) & M16) | (0xc080 << (a >> 16 & 15) & M16) << 16}


@op('v_pk_add_f16 d, a, 1.0 op_sel_hi:[1,0]', d=U32, a=U32)
def _(a, mode):
    return {'d': each(lambda x, y: y << 16 | x, add(F16, a & M16, 0x3c00, mode), add(F16, a >> 16, 0x3c00, mode))}


# ---- mixed multiply-add ------------------------------------------------------------------------------------------------------
def operand(word, select, mode):
    """select: {op_sel_hi, op_sel}; 0 and 1 f32, 2 the low half, 3 the high one, which is widened."""
    if select < 2:
        return word
    return convert(F16, F32, word >> 16 * (select & 1) & M16, mode)


def operands(words, selects, mode):
    return [operand(word, select, mode) for word, select in zip(words, selects)]


def open_half(mode):
    """MODE, and MODE with f16 subnormals flushed: which of them the unfused forms follow is open (numerics.md 2.1)."""
    return (mode, Mode(mode & ~0xc0))


def mixed(words, selects, mode, change=lambda a, b, c: (a, b, c)):
    """The unfused f32 result."""
    made = set()
    for choice in open_half(mode):
        made |= as_set(each(lambda a, b, c: unfused(F32, *change(a, b, c), mode), *operands(words, selects, choice)))
    return made


def mixed_half(words, selects, mode):
    """The f16 result: through f32 or rounded once from product and sum; both are open."""
    made = set()
    for choice in open_half(mode):
        for result in mixed(words, selects, mode):
            made |= as_set(convert(F32, F16, result, Mode(choice | 0x10)))
        flush = floats.flushing(F32, mode)
        a, b, c = (floats.flush_in(F32, x, flush) for x in operands(words, selects, choice))
        if all(F32.is_finite(x) for x in (a, b, c)):
            product = multiply(F32, a, b, flush)
            if F32.is_finite(product):
                total = F32.value(product) + F32.value(c)
                made |= as_set(floats.finish(F16, total, choice, floats.zero_of_sum(F32, product, c, flush)))
    return made


def fused_half(words, selects, mode):
    """Likewise, fused."""
    a, b, c = operands(words, selects, mode)
    made = as_set(each(lambda v: convert(F32, F16, v, Mode(mode | 0x10)), fma(F32, a, b, c, mode)))
    a, b, c = (floats.flush_in(F32, x, mode) for x in (a, b, c))
    if all(F32.is_finite(x) for x in (a, b, c)):
        total = F32.value(a) * F32.value(b) + F32.value(c)
        if total:
            made |= as_set(floats.finish(F16, total, mode))
    return made


MIXES = ((0, 0, 0), (2, 2, 0), (3, 0, 2), (0, 3, 3), (2, 3, 2))
ABC = {'a': U32, 'b': U32, 'c': U32}
# Words whose halves are edges of f16 and which are edges of f32.
WORDS = U32.plus(*F32.edges, *(low | high << 16 for low in F16.edges[::3] for high in F16.edges[::4]))
MIX = {'a': WORDS, 'b': WORDS, 'c': WORDS}


def selection(selects):
    return f" {modifier('op_sel', [s & 1 for s in selects], 3)} {modifier('op_sel_hi', [s >> 1 for s in selects], 3)}"


for _selects in MIXES:
    _marks = selection(_selects)

    @op(f'v_mad_mix_f32 d, a, b, c{_marks}', d=U32, **MIX)
    def _(a, b, c, mode, selects=_selects):
        return {'d': mixed((a, b, c), selects, mode)}

    @op(f'v_mad_mixlo_f16 d, a, b, c{_marks}', d=U32, **MIX)
    def _(d, a, b, c, mode, selects=_selects):
        return {'d': {d & ~M16 | v for v in mixed_half((a, b, c), selects, mode)}}

    @op(f'v_mad_mixhi_f16 d, a, b, c{_marks}', d=U32, **MIX)
    def _(d, a, b, c, mode, selects=_selects):
        return {'d': {d & M16 | v << 16 for v in mixed_half((a, b, c), selects, mode)}}

    @op(f'v_fma_mix_f32 d, a, b, c{_marks}', d=U32, mode=[0x3f0, 0x3f1, 0x3c0, 0x330], mcpu='gfx906', **MIX)
    def _(a, b, c, mode, selects=_selects):
        return {'d': fma(F32, *operands((a, b, c), selects, mode), mode)}

    @op(f'v_fma_mixlo_f16 d, a, b, c{_marks}', d=U32, mcpu='gfx906', **MIX)
    def _(d, a, b, c, mode, selects=_selects):
        return {'d': {d & ~M16 | v for v in fused_half((a, b, c), selects, mode)}}

    @op(f'v_fma_mixhi_f16 d, a, b, c{_marks}', d=U32, mcpu='gfx906', **MIX)
    def _(d, a, b, c, mode, selects=_selects):
        return {'d': {d & M16 | v << 16 for v in fused_half((a, b, c), selects, mode)}}


# NEG_HI is the absolute value.
@op('v_mad_mix_f32 d, -a, |b|, -|c|', d=U32, **MIX)
def _(a, b, c, mode):
    return {'d': mixed((a, b, c), (0, 0, 0), mode, lambda x, y, z: (neg(F32, x), magnitude(F32, y), neg(F32, magnitude(F32, z))))}


@op('v_mad_mix_f32 d, |a|, -b, c op_sel:[0,1,0] op_sel_hi:[1,1,0]', d=U32, **MIX)
def _(a, b, c, mode):
    return {'d': mixed((a, b, c), (2, 3, 0), mode, lambda x, y, z: (magnitude(F32, x), neg(F32, y), z))}


# ---- dot products of integers ------------------------------------------------------------------------------------------------
def products(a, b, width, is_signed):
    read = (lambda v: signed(v, width)) if is_signed else (lambda v: v & (1 << width) - 1)
    return [read(a >> i) * read(b >> i) for i in range(0, 32, width)]


def saturated(terms, addend, is_signed):
    """The exact sum, saturated once; where the products alone leave the range, saturation in steps is as good."""
    low, high = (-1 << 31, (1 << 31) - 1) if is_signed else (0, M32)
    once = clamp(sum(terms) + addend, low, high)
    if low <= sum(terms) <= high:
        return once
    steps = addend
    for term in terms:
        steps = clamp(steps + term, low, high)
    return {once & M32, steps & M32, clamp(clamp(sum(terms), low, high) + addend, low, high) & M32}


DOTS = (('v_dot2_i32_i16', 16, True), ('v_dot2_u32_u16', 16, False), ('v_dot4_i32_i8', 8, True), ('v_dot4_u32_u8', 8, False),
        ('v_dot8_i32_i4', 4, True), ('v_dot8_u32_u4', 4, False))
for _name, _width, _signed in DOTS:
    @op(f'{_name} d, a, b, c', d=U32, mcpu='gfx906', **ABC)
    def _(a, b, c, width=_width, is_signed=_signed):
        return {'d': sum(products(a, b, width, is_signed)) + c}

    @op(f'{_name} d, a, b, c clamp', d=U32, mcpu='gfx906', **ABC)
    def _(a, b, c, width=_width, is_signed=_signed):
        return {'d': saturated(products(a, b, width, is_signed), signed(c, 32) if is_signed else c, is_signed)}

for _name, _width in (('v_dot2c_i32_i16', 16), ('v_dot4c_i32_i8', 8), ('v_dot8c_i32_i4', 4)):
    @op(f'{_name} d, a, b', d=U32, a=U32, b=U32, mcpu='gfx908')
    def _(d, a, b, width=_width):
        return {'d': sum(products(a, b, width, True)) + d}


# ---- dot products of floats: how the three terms are summed is open, sums of small integers are exact in every way -----------
INTEGERS = [F16.round(v) for v in (0, 1, -1, 2, -3, 7, 12, -31, 64, -100)] + [F16.sign]
PAIRS = U32.with_edges(*(x | y << 16 for x in INTEGERS for y in INTEGERS))
ADDENDS = F32.with_edges(*(F32.round(v) for v in (0, 1, -1, 5, -19, 4096, -10001, 65537)), F32.sign)


def exact_dot(a, b, c):
    total = sum(F16.value(a >> i & M16) * F16.value(b >> i & M16) for i in (0, 16)) + F32.value(c)
    return F32.round(total) if total else {0, F32.sign}


@op('v_dot2_f32_f16 d, a, b, c', d=U32, a=PAIRS, b=PAIRS, c=ADDENDS, mcpu='gfx906')
def _(a, b, c):
    return {'d': exact_dot(a, b, c)}


@op('v_dot2c_f32_f16 d, a, b', d=ADDENDS, a=PAIRS, b=PAIRS, mcpu='gfx908')
def _(d, a, b):
    return {'d': exact_dot(a, b, d)}


@op('v_pk_fmac_f16 d, a, b', d=U32, a=U32, b=U32, mode=MODES64, mcpu='gfx908')
def _(d, a, b, mode):
    parts = [fma(F16, a >> i & M16, b >> i & M16, d >> i & M16, mode) for i in (0, 16)]
    return {'d': each(lambda x, y: y << 16 | x, *parts)}
