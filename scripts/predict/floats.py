"""Float formats as kinds of operands, and IEEE arithmetic on them: exact fractions, rounded once.

Values are bit patterns. Where the documents leave a result open, functions give a set of patterns; `each` applies a function
to all of them. The rules are those of design/numerics.md, sections 1 to 3, and of the manual's chapter on MODE. Nothing is
shared with scripts/calc/lib and scripts/truth/mfma.py, which round floats too: each of the three is a witness of its own."""
from fractions import Fraction

from rules import Kind, Mode

NEAREST, UP, DOWN, ZERO = range(4)      # rounding modes as MODE.FP_ROUND counts them


class Format(Kind):
    """A binary interchange format."""

    def __init__(self, name, width, fraction_bits, edges):
        self.fraction_bits = fraction_bits
        self.exponent_bits = width - 1 - fraction_bits
        self.bias = (1 << (self.exponent_bits - 1)) - 1
        self.top = (1 << self.exponent_bits) - 1            # the exponent field of infinities and NaNs
        self.sign = 1 << (width - 1)
        self.inf = self.top << fraction_bits
        self.largest = self.inf - 1
        self.quiet_bit = 1 << (fraction_bits - 1)
        self.nan = self.sign | self.inf | self.quiet_bit    # what an invalid operation gives: numerics.md 1.3
        self.least_normal = 1 << fraction_bits
        super().__init__(name, width, [])
        self.edges = list(dict.fromkeys([*self.common(), *(self.sign | e for e in self.common()), *edges]))

    def common(self):
        one = self.bias << self.fraction_bits
        half, two = one - self.least_normal, one + self.least_normal
        quiet_nan, signaling_nan = self.inf | self.quiet_bit | 5, self.inf | 3
        return [0, 1, self.least_normal - 1, self.least_normal, self.largest, self.inf, quiet_nan, signaling_nan,
                one, two, half, one + 1, one - 1, half + self.quiet_bit, one + self.quiet_bit, two + (self.quiet_bit >> 1)]

    def random(self, rng):
        """Half of the random values lie near 1, so that two of them interact."""
        bits = Kind.random(self, rng)
        if rng.random() < 0.5:
            near = self.bias + rng.randrange(-self.fraction_bits - 2, self.fraction_bits + 3)
            near = max(0, min(self.top - 1, near))
            bits = bits & (self.sign | self.least_normal - 1) | near << self.fraction_bits
        return bits

    def exponent(self, bits):
        """The exponent field."""
        return bits >> self.fraction_bits & self.top

    def fraction(self, bits):
        return bits & self.least_normal - 1

    def negative(self, bits):
        return bool(bits & self.sign)

    def is_nan(self, bits):
        return self.exponent(bits) == self.top and self.fraction(bits) != 0

    def is_snan(self, bits):
        return self.is_nan(bits) and not bits & self.quiet_bit

    def is_inf(self, bits):
        return bits & ~self.sign == self.inf

    def is_zero(self, bits):
        return bits & ~self.sign == 0

    def is_subnormal(self, bits):
        return self.exponent(bits) == 0 and self.fraction(bits) != 0

    def is_finite(self, bits):
        return self.exponent(bits) != self.top

    def value(self, bits):
        """The number that a finite pattern stands for."""
        field = self.exponent(bits)
        significand = self.fraction(bits) + (self.least_normal if field else 0)
        scale = max(field, 1) - self.bias - self.fraction_bits
        significand = -significand if self.negative(bits) else significand
        return Fraction(significand << scale) if scale >= 0 else Fraction(significand, 1 << -scale)

    def order(self, bits):
        """A key that orders all but NaNs; the zeros are equal."""
        magnitude = bits & ~self.sign
        return -magnitude if self.negative(bits) else magnitude

    def round(self, number, mode=NEAREST, sign=0, bounded=True):
        """The pattern of a number (Fraction or int), rounded once; sign (0 or 1) is that of a zero.

        bounded=False: (negative, significand, exponent) as if exponents had no end: what tininess is decided on."""
        number = Fraction(number)
        if number == 0:
            return self.sign if sign else 0
        negative, above, below = number < 0, abs(number.numerator), number.denominator
        exponent = above.bit_length() - below.bit_length()
        if above << max(0, -exponent) < below << max(0, exponent):
            exponent -= 1                                       # 2**exponent <= |number| < 2**(exponent + 1)
        if bounded:
            exponent = max(exponent, 1 - self.bias)
        scale = exponent - self.fraction_bits                   # of the last place
        below <<= max(0, scale)
        whole, rest = divmod(above << max(0, -scale), below)
        if rest:
            nearest = 2 * rest > below or 2 * rest == below and whole & 1
            whole += (nearest, not negative, negative, False)[mode]
        if not bounded:
            return negative, whole, exponent
        bits = whole + ((exponent + self.bias - 1) << self.fraction_bits)
        if bits >= self.inf:
            away = (True, not negative, negative, False)[mode]
            bits = self.inf if away else self.largest
        return bits | (self.sign if negative else 0)

    def tiny(self, number, mode):
        """The number is below the least normal one after rounding with exponents without end."""
        if number == 0:
            return False
        _, whole, exponent = self.round(number, mode, bounded=False)
        return exponent < -self.bias or exponent == -self.bias and whole < 2 * self.least_normal

    def rounding(self, mode):
        return mode.round32 if self.width == 32 else mode.round64

    def keeps_in(self, mode):
        return mode.keep_in32 if self.width == 32 else mode.keep_in64

    def keeps_out(self, mode):
        return mode.keep_out32 if self.width == 32 else mode.keep_out64

    def quiet(self, bits):
        return bits | self.quiet_bit if self.is_nan(bits) else bits


F16 = Format('F16', 16, 10, [0x6400, 0x6401, 0x63ff, 0x7800, 0xf3ff, 0x0010])
F32 = Format('F32', 32, 23, [0x4b000000, 0x4b800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x33800000, 0x477ff000])
F64 = Format('F64', 64, 52, [0x4330000000000000, 0x41e0000000000000, 0xc1e0000000000000, 0x41f0000000000000, 0x3810000000000000,
                             0x36a0000000000001, 0x47efffffe0000000, 0x47effffff0000000, 0x3ca0000000000001])


def each(function, *operands):
    """The union of what function gives over operands that are patterns or sets of patterns; a single pattern stays one."""
    rows = [()]
    for operand in operands:
        choices = operand if isinstance(operand, (set, frozenset)) else {operand}
        rows = [(*row, choice) for row in rows for choice in choices]
    made = set()
    for row in rows:
        result = function(*row)
        made |= result if isinstance(result, (set, frozenset)) else {result}
    return made.pop() if len(made) == 1 else made


def nan_result(form, mode, *operands):
    """What an operation gives if some operands are NaNs, or None. One NaN: itself, quieted; with IEEE off a signaling one may
    stay as it is. Several: which one is open (numerics.md 1.3, ledger VALU-U06)."""
    nans = [x for x in operands if form.is_nan(x)]
    if not nans:
        return None
    made = {form.quiet(x) for x in nans}
    if not mode.ieee:
        made |= set(nans)
    return made


def flush_in(form, bits, mode):
    """A source's subnormal is a zero of its sign where MODE says so."""
    return bits & form.sign if form.is_subnormal(bits) and not form.keeps_in(mode) else bits


def finish(form, number, mode, sign=0):
    """The number rounded and, where MODE says so, flushed. The one corner that is open: tiny before the coarser grid of
    subnormals rounds it up to the least normal number (numerics.md 1.2, ledger VALU-U07)."""
    bits = form.round(number, form.rounding(mode), sign)
    if form.width == 16 and mode.fp16_ovfl and form.is_inf(bits):
        return bits - 1
    if form.keeps_out(mode) or not form.tiny(number, form.rounding(mode)):
        return bits
    zero = form.sign if number < 0 else 0
    return zero if form.is_subnormal(bits) or form.is_zero(bits) else {zero, bits}


def add(form, a, b, mode):
    """a + b under MODE."""
    a, b = flush_in(form, a, mode), flush_in(form, b, mode)
    nan = nan_result(form, mode, a, b)
    if nan:
        return nan
    if form.is_inf(a) or form.is_inf(b):
        if form.is_inf(a) and form.is_inf(b):
            return a if a == b else form.nan
        return a if form.is_inf(a) else b
    return finish(form, form.value(a) + form.value(b), mode, zero_of_sum(form, a, b, mode))


def zero_of_sum(form, a, b, mode):
    """The sign of a sum that is zero: that of both, else + unless rounding goes down."""
    if form.is_zero(a) and form.is_zero(b) and form.negative(a) == form.negative(b):
        return form.negative(a)
    return form.rounding(mode) == DOWN


def multiply(form, a, b, mode):
    """a * b under MODE."""
    a, b = flush_in(form, a, mode), flush_in(form, b, mode)
    nan = nan_result(form, mode, a, b)
    if nan:
        return nan
    sign = (a ^ b) & form.sign
    if form.is_inf(a) or form.is_inf(b):
        return form.nan if form.is_zero(a) or form.is_zero(b) else form.inf | sign
    return finish(form, form.value(a) * form.value(b), mode, bool(sign))


def fma(form, a, b, c, mode):
    """a * b + c under MODE, rounded once."""
    a, b, c = (flush_in(form, x, mode) for x in (a, b, c))
    invalid = form.is_inf(a) and form.is_zero(b) or form.is_zero(a) and form.is_inf(b)
    nan = nan_result(form, mode, a, b, c)
    if nan:
        return nan | {form.nan} if invalid else nan     # which wins is open (numerics.md 1.3)
    if invalid:
        return form.nan
    sign = (a ^ b) & form.sign
    if form.is_inf(a) or form.is_inf(b):
        return form.nan if form.is_inf(c) and (c ^ sign) & form.sign else form.inf | sign
    if form.is_inf(c):
        return c
    product = form.value(a) * form.value(b)
    if product == 0 and form.is_zero(c):
        zero = bool(sign) if sign == c & form.sign else form.rounding(mode) == DOWN
    else:
        zero = form.rounding(mode) == DOWN
    return finish(form, product + form.value(c), mode, zero)


def flushing(form, mode):
    """MODE with subnormals of this format off, for the opcodes that always flush."""
    return Mode(mode & ~(0x30 if form.width == 32 else 0xc0))


def mad(form, a, b, c, mode):
    """a * b + c rounded twice, subnormals flushed whatever MODE says (numerics.md 2, V_MAD_F32;
    ledger VALU-U08, VALU-C39)."""
    mode = flushing(form, mode)
    nan = nan_result(form, mode, a, b, c)
    if nan:
        product = multiply(form, a, b, mode)
        return nan | {form.nan} if product == form.nan else nan
    return each(lambda product: add(form, product, c, mode), multiply(form, a, b, mode))


def clamped(form, bits, mode):
    """The CLAMP modifier on a float result: [+0, 1]; NaN is +0 with DX10_CLAMP."""
    if form.is_nan(bits):
        return 0 if mode.dx10_clamp else bits
    return max(0, min(form.order(bits), form.bias << form.fraction_bits))


def flush_out(form, bits, mode):
    """A subnormal result that was selected, not computed, is a zero of its sign where MODE says so."""
    return bits & form.sign if form.is_subnormal(bits) and not form.keeps_out(mode) else bits


def minimum(form, a, b, mode, largest=False):
    """V_MIN_* or, with largest, V_MAX_* as the manual's tables VOP2 and VOP3 give them; a result may be a set. Subnormals are
    flushed as MODE says, in sources and result (numerics.md 3)."""
    a, b = flush_in(form, a, mode), flush_in(form, b, mode)
    return each(lambda chosen: flush_out(form, chosen, mode), _selected(form, a, b, mode, largest))


def _selected(form, a, b, mode, largest):
    if mode.ieee and form.is_snan(a):
        return form.quiet(a)
    if mode.ieee and form.is_snan(b):
        return form.quiet(b)
    if form.is_nan(a) and form.is_nan(b):
        return {a, b, form.quiet(a), form.quiet(b)} if not mode.ieee else {a, b}   # which of two is open: VALU-U06
    if form.is_nan(a) or form.is_nan(b):
        return b if form.is_nan(a) else a
    if form.is_zero(a) and form.is_zero(b):
        return a & b if largest else a | b
    return max(a, b, key=form.order) if largest else min(a, b, key=form.order)


def whole(form, bits, mode):
    """The integer towards zero of a finite pattern."""
    number = form.value(flush_in(form, bits, mode))
    return int(number)      # Fraction truncates


def to_integer(form, bits, low, high, mode):
    """A float to an integer: truncated, saturated, NaN gives 0."""
    if form.is_nan(bits):
        return 0
    if form.is_inf(bits):
        return low if form.negative(bits) else high
    return max(low, min(high, whole(form, bits, mode)))


def convert(source, target, bits, mode):
    """A float to another format: rounded as the target's fields of MODE say; a NaN keeps its sign and the top of its payload."""
    bits = flush_in(source, bits, mode)
    sign = target.sign if source.negative(bits) else 0
    if source.is_nan(bits):
        shift = source.fraction_bits - target.fraction_bits
        payload = source.fraction(bits)
        payload = payload >> shift if shift > 0 else payload << -shift
        quieted = sign | target.inf | target.quiet_bit | payload
        return quieted if mode.ieee or not source.is_snan(bits) or not payload else {quieted, sign | target.inf | payload}
    if source.is_inf(bits):
        return target.inf | sign
    return finish(target, source.value(bits), mode, bool(sign))
