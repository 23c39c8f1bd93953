"""The kinds of operand that a source may have, and the bits that each stands for.

What a constant stands for depends on the format of the operand. Slot.learn asks LLVM's assembler for it: which hexadecimal text
becomes the inline code of 1.0 says what 1.0 is there, and which text of ones becomes the code of -1 how wide integers are."""
import random
import struct

LANES = 64
M32, M64 = 0xffffffff, 0xffffffffffffffff


def f16(v):
    return int.from_bytes(struct.pack('<e', v), 'little')


def f32(v):
    return int.from_bytes(struct.pack('<f', v), 'little')


def f64(v):
    return int.from_bytes(struct.pack('<d', v), 'little')


class Inline:
    """An inline float: its code and its bits in three formats. 1/(2 pi) is rounded to each format, but for f16, which cuts."""

    def __init__(self, code, value, text=None, half=None, texts64=None):
        self.code, self.value = code, value
        self.text, self.text64 = text or str(value), texts64 or text or str(value)
        self.bits = {'f16': f16(value) if half is None else half, 'f32': f32(value), 'f64': f64(value)}


INLINE = [Inline(240, 0.5), Inline(241, -0.5), Inline(242, 1.0), Inline(243, -1.0), Inline(244, 2.0), Inline(245, -2.0),
          Inline(246, 4.0), Inline(247, -4.0), Inline(248, 0.15915494309189532, '0.15915494', 0x3118, '0.15915494309189532')]
LEARNT = (242, 247, 248)  # the codes whose meaning the assembler is asked for


class Kind:
    """One thing that can stand in a slot.

    name: in the table; text: for 32 and 64 bits, None where there is none; bits: for 32 and 64 bits a number, or one a lane, that
    the slot then reads; places: state that makes it so. Inline constants and literals have no bits here: they depend on the slot."""

    def __init__(self, name, group, text, text64=None, bits=None, bits64=None, places=None, constant=None, source='LLVM'):
        self.name, self.group, self.texts = name, group, {1: text, 2: text64}
        self.bits, self.places, self.constant, self.source = {1: bits, 2: bits64}, places or {}, constant, source


def constants():
    kinds = [Kind(str(v), 'integer', str(v), str(v), constant=v) for v in (0, 1, 31, 64, -1, -16)]
    kinds += [Kind(f.text, 'float', f.text, f.text64, constant=f) for f in INLINE]
    kinds += [Kind(text, 'literal', text, text, constant=value) for text, value in
              (('0x12345678', 0x12345678), ('0x9abcdef0', 0x9abcdef0), ('0x1234', 0x1234), ('0x9abc', 0x9abc), ('65', 65), ('-17', -17),
               ('1.5', 1.5), ('-3.25', -3.25))]
    return kinds


def _pair(rng):
    """Two numbers that any format finds telling: floats near 1, small integers, random bits."""
    return rng.choice([lambda: rng.getrandbits(64), lambda: f64(rng.uniform(-9, 9)), lambda: f32(rng.uniform(-9, 9)) << 32 | f32(rng.uniform(-9, 9)),
                       lambda: f16(rng.uniform(-9, 9)) * 0x1000100010001, lambda: rng.randint(0, 70) << 32 | rng.randint(0, 70)])()


def _hexes(values):
    return ['%x' % v for v in values]


def _scalar(name, low, text, text64, rng, group='scalar register'):
    """A scalar register, or a pair from it, of which low and its neighbour are the names of the places."""
    v = _pair(rng)
    places = {low[0]: '%x' % (v & M32), low[1]: '%x' % (v >> 32)}
    return Kind(name, group, text, text64, v & M32, v, places)


def _vector(first, text, text64, rng):
    pairs = [_pair(rng) for _ in range(LANES)]
    low, high = [v & M32 for v in pairs], [v >> 32 for v in pairs]
    places = {f'v{first}': _hexes(low), f'v{first + 1}': _hexes(high)} if first < 255 else {'v255': _hexes(low)}
    return Kind(text, 'vector register', text, text64, low, pairs, places)


def registers(rng, apertures):
    """Registers and what reads as one; apertures: upper halves of the bases of shared and private memory."""
    vcc, exec_, m0, lds = _pair(rng), rng.getrandbits(64) | 1 << 40 | 1, f32(rng.uniform(1, 3)), f32(rng.uniform(1, 3))
    lo = [Kind('s70', 'scalar register', 's70', None, *(lambda v: (v & M32, None, {'s70': '%x' % (v & M32)}))(_pair(rng))),
          _scalar('s101', ('s101', 's100'), 's101', None, rng), _scalar('s[70:71]', ('s70', 's71'), None, 's[70:71]', rng),
          _scalar('s[100:101]', ('s100', 's101'), None, 's[100:101]', rng), _scalar('ttmp2', ('ttmp2', 'ttmp3'), 'ttmp2', 'ttmp[2:3]', rng),
          _scalar('flat_scratch', ('flat_scratch_lo', 'flat_scratch_hi'), 'flat_scratch_lo', 'flat_scratch', rng)]
    lo += [_vector(128, 'v128', 'v[128:129]', rng), _vector(254, 'v254', 'v[254:255]', rng), _vector(255, 'v255', None, rng)]
    for name, v, half in (('vcc', vcc, 'vcc'), ('exec', exec_, 'exec')):
        places = {name: '%x' % v}
        lo += [Kind(f'{name}_lo', 'vcc, exec, m0', f'{half}_lo', None, v & M32, None, places),
               Kind(f'{name}_hi', 'vcc, exec, m0', f'{half}_hi', None, v >> 32, None, places), Kind(name, 'vcc, exec, m0', None, name, None, v, places)]
    lo += [Kind('m0', 'vcc, exec, m0', 'm0', None, m0, None, {'m0': '%x' % m0}),
           Kind('scc = 1', 'status bits', 'src_scc', 'src_scc', 1, 1, {'scc': 1}), Kind('scc = 0', 'status bits', 'src_scc', 'src_scc', 0, 0, {'scc': 0}),
           Kind('vccz = 1', 'status bits', 'src_vccz', 'src_vccz', 1, 1, {'vcc': '0'}),
           Kind('vccz = 0', 'status bits', 'src_vccz', 'src_vccz', 0, 0, {'vcc': '100000000'}),
           Kind('execz = 1', 'status bits', 'src_execz', 'src_execz', 1, 1, {'exec': '0'}),
           Kind('execz = 0', 'status bits', 'src_execz', 'src_execz', 0, 0, {})]
    for name, high in zip(('shared', 'private'), apertures):
        lo += [Kind(f'{name}_base', 'apertures', f'src_{name}_base', f'src_{name}_base', high, high << 32),
               Kind(f'{name}_limit', 'apertures', f'src_{name}_limit', f'src_{name}_limit', high, high << 32 | M32)]
    lo += [Kind('lds_direct', 'LDS', 'src_lds_direct', None, lds, None, {'m0': '20008', 'lds': {'8': lds.to_bytes(4, 'little').hex()}})]
    return lo


class Slot:
    """A source of a row in one form.

    tokens: the operands as text; index: which is the slot; width: its dwords; around: text with {} for what stands there.
    spare: 'v' or 's', and the code with such a register in its place; is_field: every constant is a literal, in a field of its own."""

    def __init__(self, name, tokens, suffix, index, width, around):
        self.name, self.tokens, self.suffix, self.index, self.width, self.around = name, tokens, suffix, index, width, around
        self.spare, self.is_field, self.floats, self.integers, self.float_literals = None, False, None, None, False
        self.is_repeated, self.operands = False, None  # operands: values of the others

    def text(self, value):
        operands = [*self.tokens[:self.index], self.around.format(value), *self.tokens[self.index + 1:]]
        return f'{self.name} {", ".join(operands)} {self.suffix}'.rstrip()

    def is_variant(self):
        return self.around != '{}' or 'op_sel' in self.suffix or 'neg_lo:' in self.suffix

    def questions(self):
        """Lines that show the formats: (what is learnt, code it becomes, line)."""
        asked = [(form, f.code, self.text(hex(f.bits[form]))) for f in INLINE if f.code in LEARNT for form in ('f16', 'f32', 'f64')
                 if (form == 'f64') == (self.width == 2)]
        widths = (64,) if self.width == 2 else (16, 32)
        return asked + [(w, 208, self.text(hex((1 << w) - 16))) for w in widths]

    def learn(self, answers):
        """answers: codes that the slot has in the lines of questions, None where refused. True if they do not contradict."""
        got = {}
        for (form, code, _), seen in zip(self.questions(), answers):
            if seen == code:
                got.setdefault(form, []).append(code)
        formats, widths = [f for f in got if isinstance(f, str)], [w for w in got if not isinstance(w, str)]
        self.floats, self.integers = (formats or [None])[0], max(widths, default=None)
        return len(formats) <= 1 and (not formats or len(got[formats[0]]) == len(LEARNT))


def stands_for(kind, slot, dword):
    """(source, bits) of a kind in a slot: what LLVM says first; after it what the ledger says besides. dword: of a literal, else None."""
    if slot.is_field:
        return [('LLVM', dword)]
    if kind.constant is None:
        source = 'STATE-U08' if kind.group == 'apertures' and slot.width == 1 else 'LLVM'
        return [(source, kind.bits[slot.width])]
    if dword is not None:
        return _literal(slot, dword)
    if isinstance(kind.constant, Inline):
        return _float(kind.constant, slot)
    return [('LLVM' if slot.integers else 'STATE-U11', kind.constant & (M64 if slot.width == 2 else M32))]


def _literal(slot, dword):
    if slot.width == 1:
        return [('LLVM', dword)]
    if slot.float_literals:
        return [('LLVM', dword << 32)]
    signed = dword | (M64 ^ M32 if dword >> 31 else 0)
    return [('LLVM', dword), ('STATE-U12', signed)] if '_i64' in slot.name and signed != dword else [('LLVM', dword)]


def _float(inline, slot):
    if slot.width == 2:
        return [('LLVM' if slot.floats else 'STATE-U11', inline.bits['f64'])]
    if slot.floats is None and '_class_f16' in slot.name:
        return [('STATE-U23', inline.bits['f32']), ('VALU-U14', inline.bits['f16'])]
    if slot.floats is None:
        return [('STATE-U23', inline.bits['f16' if '_ldexp_f16' in slot.name else 'f32'])]
    besides = []
    if '_class_f16' in slot.name and slot.floats == 'f32':
        besides = [('VALU-U14', inline.bits['f16'])]
    if '_mix' in slot.name and 'op_sel_hi:[1' not in slot.suffix:
        besides = [('PK-U10', inline.bits['f32'])]
    return [('LLVM', inline.bits[slot.floats])] + besides


def otherwise(kind, slot, bits, rng):
    """Other numbers that a wrong reading would give: other formats, halves, extensions, nothing; and a random one."""
    wide, v = slot.width == 2, bits if isinstance(bits, int) else rng.getrandbits(32 * slot.width)
    mask = M64 if wide else M32
    if isinstance(kind.constant, Inline):
        b = kind.constant.bits
        others = [b['f64'], b['f32'], b['f32'] << 32, b['f16'], b['f64'] >> 32 | b['f64'] << 32 & mask, b['f32'] << 32 | b['f32']] if wide else \
                 [b['f16'], b['f32'], b['f64'] >> 32, b['f16'] << 16 | b['f16'], b['f32'] >> 16, b['f16'] << 16]
    elif isinstance(kind.constant, int):
        n = kind.constant
        others = [n & M64, n & M32, n << 32, f64(n) if abs(n) < 1 << 33 else 0] if wide else \
                 [n & 0xffff, n << 16, (n & 0xffff) * 0x10001, f32(n), f16(n) if abs(n) < 2048 else 0]
    elif wide:
        others = [v & M32, v >> 32, (v >> 32 | v << 32) & M64, v >> 32 << 32]
    else:
        others = [v & 0xffff, v >> 16, (v >> 16 | v << 16) & M32, v >> 16 << 16]
    if slot.around.startswith('neg'):
        others += [f64(-7.0) if wide else 0xc0e0c700]
    others += [0, 1, f64(7.0) if wide else 0x40e04700, 0x7ff8 << 48 if wide else 0x7fc07e00]  # 7 and NaN, of f64; of f32 and of f16
    telling = sorted({o & mask for o in others} - {bits if isinstance(bits, int) else None})
    return telling + [rng.getrandbits(32 * slot.width)]


# ---- values of the other operands ----

SPECIAL32 = [0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 1, 0x80000001, 0x3f800000, 0xbf800000, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x8000, 0x3c00]
SPECIAL64 = [0, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 0x7ff << 52 | 1, 1, 1 << 63 | 1, 0x3ff << 52]
STYLES = ('bits', 'float', 'float', 'half', 'small', 'small', 'same', 'special', 'bytes')


def value(rng, style, wide, same):
    """One number; same: what the slot reads, which equal compares and differences near 0 need."""
    if style == 'equal':
        return same & (M64 if wide else M32)
    if style == 'same':
        return (same + rng.choice((0, 0, 0, 1, -1))) & (M64 if wide else M32)
    if style == 'special':
        return rng.choice(SPECIAL64 if wide else SPECIAL32)
    if style == 'bytes':  # each a selector, of a byte or of a bit
        return int.from_bytes(bytes(rng.randrange(14) for _ in range(8 if wide else 4)), 'little')
    if style == 'small':
        return rng.randint(-70, 70) & (M64 if wide else M32)
    if style == 'half' and not wide:
        return f16(rng.uniform(-9, 9)) << 16 | f16(rng.uniform(-9, 9))
    if style in ('float', 'half'):
        v = rng.uniform(-9, 9) * 2.0 ** rng.randint(-4, 4)
        return f64(v) if wide else f32(v)
    return rng.getrandbits(64 if wide else 32)


def generator(*names):
    """A stream of random numbers that has a name, so that --only does not change them."""
    return random.Random('/'.join(map(str, names)))
