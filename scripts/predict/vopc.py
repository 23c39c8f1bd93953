"""Vector compares: the manual's table VOPC (opcode = base of the type + offset of the relation) and its classes.

The manual's row U is misprinted as `!isNaN(S0) || !isNaN(S1)`; opcode 15-k is the negation of opcode k, so U is "either is a
NaN" (numerics.md 6, ledger VALU-C19). Lanes that are off get a 0. V_CMPX writes EXEC and the mask. The
names V_CMPS of f64 do not exist."""
from floats import F16, F32, F64, flush_in
from rules import I16, I32, I64, MASK, U16, U32, U64, bound, op

FLOATS = {'f16': F16, 'f32': F32, 'f64': F64}
INTEGERS = {'i16': I16, 'u16': U16, 'i32': I32, 'u32': U32, 'i64': I64, 'u64': U64}
MODES = (0x3f0, 0x000, 0x1ff)       # subnormals kept; flushed; kept, with other rounding and IEEE off

# What a relation says of (less, equal, greater, unordered).
RELATIONS = {'f': (0, 0, 0, 0), 'lt': (1, 0, 0, 0), 'eq': (0, 1, 0, 0), 'le': (1, 1, 0, 0),
             'gt': (0, 0, 1, 0), 'lg': (1, 0, 1, 0), 'ge': (0, 1, 1, 0), 'o': (1, 1, 1, 0),
             'u': (0, 0, 0, 1), 'nge': (1, 0, 0, 1), 'nlg': (0, 1, 0, 1), 'ngt': (1, 1, 0, 1),
             'nle': (0, 0, 1, 1), 'neq': (1, 0, 1, 1), 'nlt': (0, 1, 1, 1), 'tru': (1, 1, 1, 1)}
INTEGER_RELATIONS = {'f': (0, 0, 0), 'lt': (1, 0, 0), 'eq': (0, 1, 0), 'le': (1, 1, 0), 'gt': (0, 0, 1), 'ne': (1, 0, 1),
                     'ge': (0, 1, 1), 't': (1, 1, 1)}


def float_relation(a, b, mode, form, row):
    a, b = flush_in(form, a, mode), flush_in(form, b, mode)
    if form.is_nan(a) or form.is_nan(b):
        return row[3]
    return integer_relation(form.order(a), form.order(b), row)


def integer_relation(a, b, row):
    return row[0] if a < b else row[1] if a == b else row[2]


def number_class(bits, form):
    """The bit of the class of a value, as the manual's V_CMP_CLASS_F32 numbers them."""
    negative = form.negative(bits)
    if form.is_nan(bits):
        return 0 if form.is_snan(bits) else 1
    if form.is_inf(bits):
        return 2 if negative else 9
    if form.is_zero(bits):
        return 5 if negative else 6
    if form.is_subnormal(bits):
        return 4 if negative else 7
    return 3 if negative else 8


# ---- the four forms of a compare: into VCC, into a pair, and both with EXEC --------------------------------------------------
def into_vcc(a, b, mode, rule):
    return {'vcc': rule(a, b, mode)}


def into_pair(a, b, mode, rule):
    return {'d': rule(a, b, mode)}


def into_vcc_and_exec(a, b, mode, rule):
    bit = rule(a, b, mode)
    return {'vcc': bit, 'exec': bit}


def into_pair_and_exec(a, b, mode, rule):
    bit = rule(a, b, mode)
    return {'d': bit, 'exec': bit}


def register(name, kinds, rule, modes):
    """v_cmp_NAME and v_cmpx_NAME, 32-bit and 64-bit encoding."""
    for cmp, to_vcc, to_pair in (('v_cmp', into_vcc, into_pair), ('v_cmpx', into_vcc_and_exec, into_pair_and_exec)):
        op(f'{cmp}_{name} vcc, a, b', **kinds, mode=modes)(bound(to_vcc, rule=rule))
        op(f'{cmp}_{name}_e64 d, a, b', d=MASK, **kinds, mode=modes)(bound(to_pair, rule=rule))


for type_, form in FLOATS.items():
    for relation, row in RELATIONS.items():
        register(f'{relation}_{type_}', {'a': form, 'b': form},
                 lambda a, b, mode, form=form, row=row: float_relation(a, b, mode, form, row), MODES)
for type_, kind in INTEGERS.items():
    for relation, row in INTEGER_RELATIONS.items():
        register(f'{relation}_{type_}', {'a': kind, 'b': kind},
                 lambda a, b, mode, row=row: integer_relation(a, b, row), 0x3f0)

# Class tests look at the raw bits: no flush whatever MODE says (numerics.md 6). Mask bits above 9 are ignored.
CLASSES = U32.plus(*(1 << i for i in range(12)), 0x3ff, 0xfffffc00)
CLASSES16 = U16.plus(*(1 << i for i in range(12)), 0x3ff, 0xfc00)
for type_, form in FLOATS.items():
    register(f'class_{type_}', {'a': form, 'b': CLASSES16 if form is F16 else CLASSES},
             lambda a, b, mode, form=form: b >> number_class(a, form) & 1, MODES)


# ABS clears the sign, then NEG flips it; on NaNs, too (numerics.md 1.2).
@op('v_cmp_lt_f32_e64 d, -a, |b|', d=MASK, a=F32, b=F32)
def _(a, b, mode):
    return {'d': float_relation(a ^ F32.sign, b & ~F32.sign, mode, F32, RELATIONS['lt'])}


@op('v_cmp_class_f32_e64 d, -|a|, b', d=MASK, a=F32, b=CLASSES)
def _(a, b):
    return {'d': b >> number_class(a | F32.sign, F32) & 1}


@op('v_cmp_ngt_f64_e64 d, -a, |b|', d=MASK, a=F64, b=F64)
def _(a, b, mode):
    return {'d': float_relation(a ^ F64.sign, b & ~F64.sign, mode, F64, RELATIONS['ngt'])}
