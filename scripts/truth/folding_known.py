"""Differences between the model and LLVM's folding that are known, for folding.py: most are entries of the ledger."""
import folding_inputs


def fields(kind):
    """Of a float format: the bits but for the sign, infinity, and the lowest quiet NaN."""
    exponent, fraction = folding_inputs.FORMATS[kind]
    infinity = ((1 << exponent) - 1) << fraction
    return (1 << (exponent + fraction)) - 1, infinity, infinity | 1 << (fraction - 1)


def is_nan(kind, bits):
    rest, infinity, _ = fields(kind)
    return bits & rest > infinity


def is_signaling(kind, bits):
    rest, infinity, quiet = fields(kind)
    return infinity < bits & rest < quiet


def is_zero(kind, bits):
    return not bits & fields(kind)[0]


def is_subnormal(kind, bits):
    return 0 < bits & fields(kind)[0] < 1 << folding_inputs.FORMATS[kind][1]


def near(kind, a, b, ulp):
    """Whether two numbers of one sign are at most so many ULP apart."""
    rest = fields(kind)[0]
    return a & ~rest == b & ~rest and abs((a & rest) - (b & rest)) <= ulp and not is_nan(kind, a)


def halves(bits):
    return bits & 0xffff, bits >> 16


def any_nan(kind, bits):
    if kind == 'v2f16':
        return any(is_nan('f16', half) for half in halves(bits))
    return kind in folding_inputs.FORMATS and is_nan(kind, bits)


def equal_as_nan(kind, a, b):
    """Whether two results are the same but for which NaN they are; halves of a pair one by one."""
    if kind == 'v2f16':
        return all(x == y or equal_as_nan('f16', x, y) for x, y in zip(halves(a), halves(b)))
    return kind in folding_inputs.FORMATS and is_nan(kind, a) and is_nan(kind, b)


def least_of_signaling(kind, case, model):
    """What v_min and v_max do with a signaling NaN if IEEE is set: it comes out quiet, and of three operands the first two go first."""
    *first, last = case
    if is_signaling(kind, last):
        return is_nan(kind, model)
    if len(first) == 1:
        return is_signaling(kind, first[0]) and is_nan(kind, model)
    return any(is_signaling(kind, bits) for bits in first) and model == last


def signaling(op, case, llvm, model):
    if not op.mode & 0x200:
        return False
    if op.result != 'v2f16':
        return least_of_signaling(op.result, case, model)
    sides = zip(zip(*map(halves, case)), halves(llvm), halves(model))
    return all(theirs == ours or least_of_signaling('f16', part, ours) for part, theirs, ours in sides)


def greater_of_two(op, case, llvm, model):
    return is_nan(op.result, case[2]) and sorted((llvm, model)) == sorted(case[:2])


def zeros(op, case, llvm, model):
    return is_zero(op.result, llvm) and is_zero(op.result, model)


def flushed(op, case, llvm, model):
    """An operand that is flushed to a zero, or a result."""
    kind = op.result
    if is_subnormal(kind, case[0]):
        return is_zero(kind, model) or model & fields(kind)[0] == fields(kind)[1]
    return is_zero(kind, model) and llvm & fields(kind)[0] <= 1 << folding_inputs.FORMATS[kind][1]


def tiny(op, case, llvm, model):
    """A product that rounds up to the smallest normal number only because subnormals are coarse."""
    return is_zero(op.result, model) and llvm & fields(op.result)[0] == 1 << folding_inputs.FORMATS[op.result][1]


def subnormal_operand(op, case, llvm, model):
    return any(is_subnormal('f32', bits) for bits in case)


def negative_zero(op, case, llvm, model):
    return case[0] == model and is_zero(op.result, model) and llvm == 0


def trig_tail(op, case, llvm, model):
    exponent, segment = case[0] >> 52 & 0x7ff, case[1] & 31
    return llvm == 0 and segment * 53 + max(0, exponent - 1077) >= 1120


def one_ulp(op, case, llvm, model):
    return near(op.result, llvm, model, op.ulp)


def nan_operand(op, case, llvm, model):
    return is_nan(op.operands[0].partition('/')[0], case[0])


LLVM = 'LLVM-'  # begins what is no entry, but a fault of LLVM about which the manual leaves no doubt
TRANSCENDENTAL = 'v_rcp_ v_rsq_ v_sqrt_ v_exp_ v_log_ v_sin_ v_cos_'
# id, beginnings of names of operations, whether it is this, why
KNOWN = (
    ('VALU-U06', 'v_min_f v_max_f v_min3_f v_max3_f v_med3_f', signaling,
     'a signaling NaN comes out of v_min and v_max quiet, if IEEE is set; minnum and maxnum may take it for a quiet one'),
    ('PK-U04', 'v_pk_min_f16 v_pk_max_f16', signaling, 'the same of each half'),
    (LLVM + 'med3', 'v_med3_f', greater_of_two, 'LLVM 19 gives the greater of two if the last of three is a quiet NaN; later versions the lesser, as the manual'),
    (LLVM + 'sin', 'v_sin_f', negative_zero, 'LLVM takes the sines of quarters of a turn from a table, -0 as 0; the manual has -0'),
    (LLVM + 'trig', 'v_trig_preop_f64', nan_operand, 'LLVM 19 returns a NaN quieted; the manual looks at the exponent only, and later versions say that no NaN comes out'),
    ('VALU-U41', 'v_med3_f', zeros, 'LLVM 19 compares zeros as equal; later ones sort -0 below +0'),
    ('VALU-C40', 'v_rcp_f32 v_rsq_f32 v_sqrt_f32 v_exp_f32 v_log_f32', flushed, 'these instructions flush subnormals, LLVM does not'),
    ('VALU-U40', 'v_add_f v_sub_f v_mul_f v_mad_f v_mac_f v_madmk_f v_madak_f', tiny, 'LLVM rounds before it flushes'),
    ('VALU-U25', 'v_cube', subnormal_operand, 'LLVM does not flush'),
    ('VALU-U25', 'v_cubema_f32', zeros, 'LLVM keeps the sign of zero'),
    ('VALU-U42', 'v_trig_preop_f64', trig_tail, 'LLVM gives zero where 2/pi ends'),
    ('VALU-U09', TRANSCENDENTAL, one_ulp, 'within 1 ULP'),
    ('VALU-U37', 'v_cvt_flr_i32_f32 v_cvt_rpi_i32_f32', nan_operand, 'LLVM converts a NaN to 0'),
    ('PK-U05', 'v_fma_mixlo_f16', lambda op, case, llvm, model: near('f16', llvm, model, 1), 'rounded once, where the IR rounds twice'),
)


def entry(op, case, llvm, model):
    """The id of what explains the difference, or None."""
    for name, operations, holds, _ in KNOWN:
        if op.name.startswith(tuple(operations.split())) and holds(op, case, llvm, model):
            return name
    return None


def reasons(name):
    return [why for known, _, _, why in KNOWN if known == name]
