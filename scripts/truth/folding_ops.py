"""The operations that folding.py compares: what LLVM folds, and the instruction that does the same.

An operation's IR is lines of LLVM IR; the last is the result. {0}, {1}... stand for the operands, constants of their types,
{lane} for the number of the lane. In the instruction they stand for registers, {d} for the destination. Operand types may name a
domain from which values are taken, as in 'i32/mask' (folding_inputs.py), and a place, as in 'i32@d', the destination itself."""
from dataclasses import dataclass, field

# name of a type: the type in LLVM IR, bits
TYPES = {
    'i1': ('i1', 1), 'i16': ('i16', 16), 'i32': ('i32', 32), 'i64': ('i64', 64), 'f16': ('half', 16), 'f32': ('float', 32),
    'f64': ('double', 64), 'v2i16': ('<2 x i16>', 32), 'v2f16': ('<2 x half>', 32),
}
IEEE = 0x3f0  # the MODE of eval: IEEE, DX10_CLAMP, denormals of all formats, to nearest even
FLUSH_F32 = IEEE & ~0x30
FLUSH_F64 = IEEE & ~0xc0  # of f16, too
FLUSHED_F32 = '"denormal-fp-math-f32"="preserve-sign,preserve-sign"'
FLUSHED_F64 = '"denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="ieee,ieee"'


@dataclass
class Op:
    """One operation. What kind of NaN comes out is compared by class in float results. of: where the model's result is."""
    name: str
    ir: str
    insn: str
    operands: list
    result: str
    of: str = 'd'  # or vcc, pair (s[0:1]) of a compare or carry: a bit a lane; scc
    mcpu: str = 'gfx900'
    mode: int = IEEE
    attributes: str = ''
    fixed: dict = field(default_factory=dict)  # registers that have one value
    ulp: int = 0  # ULP that the ledger grants (VALU-U09)
    written: str = 'i32'  # what the destination has where the result is a flag
    uniform: bool = False  # the sources are vector registers with equal lanes, the destination is scalar

    @property
    def scalar(self):
        return self.uniform or self.insn.startswith('s_')


def ir(kind):
    return TYPES[kind][0]


def call(function, result, *operands):
    """IR: a call of an intrinsic whose operands are {0}, {1}... of these types."""
    given = ', '.join(f'{ir(kind)} {{{i}}}' for i, kind in enumerate(operands))
    return f'call {ir(result)} @llvm.{function}({given})'


def integers():
    for name, insn in (('add', 'v_add_u32'), ('sub', 'v_sub_u32'), ('mul', 'v_mul_lo_u32'), ('and', 'v_and_b32'), ('or', 'v_or_b32'),
                       ('xor', 'v_xor_b32')):
        yield Op(insn, f'{name} i32 {{0}}, {{1}}', f'{insn} {{d}}, {{0}}, {{1}}', ['i32', 'i32'], 'i32')
    for name, insn in (('add', 'v_add_u16'), ('sub', 'v_sub_u16'), ('mul', 'v_mul_lo_u16')):
        yield Op(insn, f'{name} i16 {{0}}, {{1}}', f'{insn} {{d}}, {{0}}, {{1}}', ['i16', 'i16'], 'i16')
    yield Op('v_subrev_u32', 'sub i32 {1}, {0}', 'v_subrev_u32 {d}, {0}, {1}', ['i32', 'i32'], 'i32')
    yield Op('v_subrev_u16', 'sub i16 {1}, {0}', 'v_subrev_u16 {d}, {0}, {1}', ['i16', 'i16'], 'i16')
    yield Op('v_add_i32', 'add i32 {0}, {1}', 'v_add_i32 {d}, {0}, {1}', ['i32', 'i32'], 'i32')
    yield Op('v_sub_i32', 'sub i32 {0}, {1}', 'v_sub_i32 {d}, {0}, {1}', ['i32', 'i32'], 'i32')
    yield Op('v_not_b32', 'xor i32 {0}, -1', 'v_not_b32 {d}, {0}', ['i32'], 'i32')
    yield Op('v_xnor_b32', '%x = xor i32 {0}, {1}\nxor i32 %x, -1', 'v_xnor_b32 {d}, {0}, {1}', ['i32', 'i32'], 'i32', mcpu='gfx906')
    for sign in 'us':
        low = sign.replace('s', 'i')
        for kind, pair in (('32', 'i32'), ('16', 'i16')):
            for way in ('min', 'max'):
                yield Op(f'v_{way}_{low}{kind}', call(f'{sign}{way}.{pair}', pair, pair, pair), f'v_{way}_{low}{kind} {{d}}, {{0}}, {{1}}',
                         [pair, pair], pair)
                yield Op(f'v_{way}3_{low}{kind}', f'%x = {call(f"{sign}{way}.{pair}", pair, pair, pair)}\n'
                         f'call {pair} @llvm.{sign}{way}.{pair}({pair} %x, {pair} {{2}})', f'v_{way}3_{low}{kind} {{d}}, {{0}}, {{1}}, {{2}}',
                         [pair] * 3, pair)
            yield Op(f'v_med3_{low}{kind}', f'%x = {call(f"{sign}min.{pair}", pair, pair, pair)}\n%y = {call(f"{sign}max.{pair}", pair, pair, pair)}\n'
                     f'%z = call {pair} @llvm.{sign}min.{pair}({pair} %y, {pair} {{2}})\ncall {pair} @llvm.{sign}max.{pair}({pair} %x, {pair} %z)',
                     f'v_med3_{low}{kind} {{d}}, {{0}}, {{1}}, {{2}}', [pair] * 3, pair)
    for name, insn, kind in (('uadd', 'v_add_u32', 'i32'), ('usub', 'v_sub_u32', 'i32'), ('sadd', 'v_add_i32', 'i32'), ('ssub', 'v_sub_i32', 'i32'),
                             ('uadd', 'v_add_u16', 'i16'), ('usub', 'v_sub_u16', 'i16'), ('sadd', 'v_add_i16', 'i16'), ('ssub', 'v_sub_i16', 'i16')):
        e64 = '' if insn.endswith(('i32', 'i16')) else '_e64'
        yield Op(f'{insn} clamp', call(f'{name}.sat.{kind}', kind, kind, kind), f'{insn}{e64} {{d}}, {{0}}, {{1}} clamp', [kind, kind], kind)
    yield Op('v_add_i16', 'add i16 {0}, {1}', 'v_add_i16 {d}, {0}, {1}', ['i16', 'i16'], 'i16')
    yield Op('v_sub_i16', 'sub i16 {0}, {1}', 'v_sub_i16 {d}, {0}, {1}', ['i16', 'i16'], 'i16')


def wide_multiplies():
    def high(extend, shift):
        return (f'%a = {extend} i32 {{0}} to i64\n%b = {extend} i32 {{1}} to i64\n%c = mul i64 %a, %b\n%d = lshr i64 %c, {shift}\n'
                'trunc i64 %d to i32')

    def field24(sign, then):
        cut = 'ashr' if sign else 'lshr'
        lines = ''.join(f'%{n} = shl i32 {{{i}}}, 8\n%{n}c = {cut} i32 %{n}, 8\n%{n}w = sext i32 %{n}c to i64\n' for i, n in enumerate('ab'))
        return f'{lines}%m = mul i64 %aw, %bw\n{then}'

    low, top = 'trunc i64 %m to i32', '%h = lshr i64 %m, 32\ntrunc i64 %h to i32'
    two, three = ['i32', 'i32'], ['i32'] * 3
    yield Op('v_mul_hi_u32', high('zext', 32), 'v_mul_hi_u32 {d}, {0}, {1}', two, 'i32')
    yield Op('v_mul_hi_i32', high('sext', 32), 'v_mul_hi_i32 {d}, {0}, {1}', two, 'i32')
    yield Op('s_mul_hi_u32', high('zext', 32), 's_mul_hi_u32 {d}, {0}, {1}', two, 'i32')
    yield Op('s_mul_hi_i32', high('sext', 32), 's_mul_hi_i32 {d}, {0}, {1}', two, 'i32')
    yield Op('s_mul_i32', 'mul i32 {0}, {1}', 's_mul_i32 {d}, {0}, {1}', two, 'i32')
    for sign, letter in ((False, 'u'), (True, 'i')):
        yield Op(f'v_mul_{letter}32_{letter}24', field24(sign, low), f'v_mul_{letter}32_{letter}24 {{d}}, {{0}}, {{1}}', two, 'i32')
        yield Op(f'v_mul_hi_{letter}32_{letter}24', field24(sign, top), f'v_mul_hi_{letter}32_{letter}24 {{d}}, {{0}}, {{1}}', two, 'i32')
        yield Op(f'v_mad_{letter}32_{letter}24', field24(sign, '%s = trunc i64 %m to i32\nadd i32 %s, {2}'),
                 f'v_mad_{letter}32_{letter}24 {{d}}, {{0}}, {{1}}, {{2}}', three, 'i32')
        extend = 'sext' if sign else 'zext'
        pair = 'v_mad_i64_i32' if sign else 'v_mad_u64_u32'
        yield Op(pair, f'%a = {extend} i32 {{0}} to i64\n%b = {extend} i32 {{1}} to i64\n%c = mul i64 %a, %b\nadd i64 %c, {{2}}',
                 f'{pair} {{d}}, vcc, {{0}}, {{1}}, {{2}}', ['i32', 'i32', 'i64'], 'i64')
        yield Op(f'v_mad_{letter}16', '%a = mul i16 {0}, {1}\nadd i16 %a, {2}', f'v_mad_{letter}16 {{d}}, {{0}}, {{1}}, {{2}}', ['i16'] * 3, 'i16')
        yield Op(f'v_mad_{letter}32_{letter}16', f'%a = {extend} i16 {{0}} to i32\n%b = {extend} i16 {{1}} to i32\n%c = mul i32 %a, %b\nadd i32 %c, {{2}}',
                 f'v_mad_{letter}32_{letter}16 {{d}}, {{0}}, {{1}}, {{2}}', ['i16', 'i16', 'i32'], 'i32')


def carries():
    def sum3(what):
        return (f'%a = zext i32 {{0}} to i64\n%b = zext i32 {{1}} to i64\n%c = zext i1 {{2}} to i64\n%d = {what} i64 %a, %b\n%e = {what} i64 %d, %c\n')

    low, carry = 'trunc i64 %e to i32', '%f = lshr i64 %e, 32\ntrunc i64 %f to i1'
    two, three = ['i32', 'i32'], ['i32', 'i32', 'i1']
    for what, vector, scalar in (('add', 'v_add_co_u32', 's_add_u32'), ('sub', 'v_sub_co_u32', 's_sub_u32')):
        flag = f'%a = call {{i32, i1}} @llvm.u{what}.with.overflow.i32(i32 {{0}}, i32 {{1}})\nextractvalue {{i32, i1}} %a, 1'.replace('{i32, i1}', '{{i32, i1}}')
        yield Op(vector, f'{what} i32 {{0}}, {{1}}', f'{vector} {{d}}, vcc, {{0}}, {{1}}', two, 'i32')
        yield Op(f'{vector} carry', flag, f'{vector} {{d}}, vcc, {{0}}, {{1}}', two, 'i1', of='vcc')
        yield Op(scalar, f'{what} i32 {{0}}, {{1}}', f'{scalar} {{d}}, {{0}}, {{1}}', two, 'i32')
        yield Op(f'{scalar} scc', flag, f'{scalar} {{d}}, {{0}}, {{1}}', two, 'i1', of='scc')
        signed = scalar.replace('u32', 'i32')
        yield Op(signed, f'{what} i32 {{0}}, {{1}}', f'{signed} {{d}}, {{0}}, {{1}}', two, 'i32')
        yield Op(f'{signed} scc', flag.replace(f'@llvm.u{what}', f'@llvm.s{what}'), f'{signed} {{d}}, {{0}}, {{1}}', two, 'i1', of='scc')
    for what, vector, scalar in (('add', 'v_addc_co_u32', 's_addc_u32'), ('sub', 'v_subb_co_u32', 's_subb_u32')):
        yield Op(vector, sum3(what) + low, f'{vector}_e64 {{d}}, s[0:1], {{0}}, {{1}}, vcc', three, 'i32')
        yield Op(f'{vector} carry', sum3(what) + carry, f'{vector}_e64 {{d}}, s[0:1], {{0}}, {{1}}, vcc', three, 'i1', of='pair')
        yield Op(scalar, sum3(what) + low, f'{scalar} {{d}}, {{0}}, {{1}}', three, 'i32')
        yield Op(f'{scalar} scc', sum3(what) + carry, f'{scalar} {{d}}, {{0}}, {{1}}', three, 'i1', of='scc')
    turned = sum3('sub').replace('{0}', '{9}').replace('{1}', '{0}').replace('{9}', '{1}')
    yield Op('v_subbrev_co_u32', turned + low, 'v_subbrev_co_u32_e64 {d}, s[0:1], {0}, {1}, vcc', three, 'i32')
    yield Op('v_subbrev_co_u32 carry', turned + carry, 'v_subbrev_co_u32_e64 {d}, s[0:1], {0}, {1}, vcc', three, 'i1', of='pair')
    yield Op('v_subrev_co_u32', 'sub i32 {1}, {0}', 'v_subrev_co_u32 {d}, vcc, {0}, {1}', two, 'i32')
    yield Op('v_subrev_co_u32 carry', 'icmp ugt i32 {0}, {1}', 'v_subrev_co_u32 {d}, vcc, {0}, {1}', two, 'i1', of='vcc')


def shifts():
    for what, name, letter in (('shl', 'lshl', 'b'), ('lshr', 'lshr', 'b'), ('ashr', 'ashr', 'i')):
        for bits in (16, 32, 64):
            kind = f'i{bits}'
            count = 'i16' if bits == 16 else 'i32'
            widen = {16: '%c = and i16 {0}, 15\n', 32: '%c = and i32 {0}, 31\n', 64: '%b = zext i32 {0} to i64\n%c = and i64 %b, 63\n'}[bits]
            yield Op(f'v_{name}rev_{letter}{bits}', f'{widen}{what} {kind} {{1}}, %c', f'v_{name}rev_{letter}{bits} {{d}}, {{0}}, {{1}}',
                     [f'{count}/count', kind], kind)
            if bits > 16:
                text, insn = widen.replace('{0}', '{1}') + f'{what} {kind} {{0}}, %c', f's_{name}_{letter}{bits}'
                yield from with_scc(Op(insn, text, f'{insn} {{d}}, {{0}}, {{1}}', [kind, 'i32/count'], kind))
    yield Op('v_alignbit_b32', call('fshr.i32', 'i32', 'i32', 'i32', 'i32'), 'v_alignbit_b32 {d}, {0}, {1}, {2}', ['i32', 'i32', 'i32/count'], 'i32')
    yield Op('v_alignbit_b32 left', '%c = sub i32 0, {2}\n%d = and i32 %c, 31\n%z = icmp eq i32 %d, 0\n'
             '%f = call i32 @llvm.fshl.i32(i32 {0}, i32 {1}, i32 %c)\n%l = call i32 @llvm.fshl.i32(i32 {0}, i32 {1}, i32 %d)\n'
             # fshl by 32 - n is fshr by n, but for n = 0: there fshr gives the low word
             'select i1 %z, i32 {1}, i32 %l', 'v_alignbit_b32 {d}, {0}, {1}, {2}', ['i32', 'i32', 'i32/count'], 'i32')
    yield Op('v_alignbyte_b32', '%b = and i32 {2}, 3\n%c = shl i32 %b, 3\ncall i32 @llvm.fshr.i32(i32 {0}, i32 {1}, i32 %c)',
             'v_alignbyte_b32 {d}, {0}, {1}, {2}', ['i32', 'i32', 'i32/count'], 'i32')
    yield Op('v_perm_b32 bswap', call('bswap.i32', 'i32', 'i32'), 'v_perm_b32 {d}, 0, {0}, s2', ['i32'], 'i32', fixed={'s2': 0x10203})
    yield Op('v_perm_b32', call('amdgcn.perm', 'i32', 'i32', 'i32', 'i32'), 'v_perm_b32 {d}, {0}, {1}, {2}', ['i32', 'i32', 'i32/selector'], 'i32')
    for name, text in (('lshl_add', '%c = and i32 {1}, 31\n%s = shl i32 {0}, %c\nadd i32 %s, {2}'),
                       ('add_lshl', '%c = and i32 {2}, 31\n%s = add i32 {0}, {1}\nshl i32 %s, %c')):
        yield Op(f'v_{name}_u32', text, f'v_{name}_u32 {{d}}, {{0}}, {{1}}, {{2}}', ['i32', 'i32/count' if name[0] == 'l' else 'i32',
                 'i32' if name[0] == 'l' else 'i32/count'], 'i32')
    yield Op('v_lshl_or_b32', '%c = and i32 {1}, 31\n%s = shl i32 {0}, %c\nor i32 %s, {2}', 'v_lshl_or_b32 {d}, {0}, {1}, {2}',
             ['i32', 'i32/count', 'i32'], 'i32')
    for name, first, second in (('xad_u32', 'xor', 'add'), ('add3_u32', 'add', 'add'), ('and_or_b32', 'and', 'or'), ('or3_b32', 'or', 'or')):
        yield Op(f'v_{name}', f'%a = {first} i32 {{0}}, {{1}}\n{second} i32 %a, {{2}}', f'v_{name} {{d}}, {{0}}, {{1}}, {{2}}', ['i32'] * 3, 'i32')
    for n in (1, 2, 3, 4):
        yield Op(f's_lshl{n}_add_u32', f'%s = shl i32 {{0}}, {n}\nadd i32 %s, {{1}}', f's_lshl{n}_add_u32 {{d}}, {{0}}, {{1}}', ['i32', 'i32'], 'i32')


def with_scc(op):
    """A scalar operation, and its SCC: whether the result is not zero."""
    yield op
    *before, last = op.ir.split('\n')
    flag = '\n'.join([*before, f'%last = {last}', f'icmp ne {ir(op.result)} %last, 0'])
    yield Op(f'{op.name} scc', flag, op.insn, op.operands, 'i1', of='scc', written=op.result)


def fields():
    two, three = ['i32', 'i32'], ['i32'] * 3
    at = ['i32', 'i32/count', 'i32/count']
    for sign in 'us':
        letter = sign.replace('s', 'i')
        yield Op(f'v_bfe_{letter}32', call(f'amdgcn.{sign}bfe.i32', 'i32', 'i32', 'i32', 'i32'), f'v_bfe_{letter}32 {{d}}, {{0}}, {{1}}, {{2}}', at, 'i32')
        extend, cut = ('zext', 'lshr') if sign == 'u' else ('sext', 'ashr')
        for bits in (32, 64):
            text = (f'%o = and i32 {{1}}, {bits - 1}\n%v = lshr i32 {{1}}, 16\n%w = and i32 %v, 127\n%ow = zext i32 %o to i256\n%ww = zext i32 %w to i256\n'
                    f'%x = {extend} i{bits} {{0}} to i256\n%s = lshr i256 %x, %ow\n%u = sub i256 255, %ww\n%l = shl i256 %s, %u\n%m = shl i256 %l, 1\n'
                    f'%n = {cut} i256 %m, %u\n%k = {cut} i256 %n, 1\n%z = icmp eq i32 %w, 0\n%q = select i1 %z, i256 0, i256 %k\ntrunc i256 %q to i{bits}')
            insn = f's_bfe_{letter}{bits}'
            yield from with_scc(Op(insn, text, f'{insn} {{d}}, {{0}}, {{1}}', [f'i{bits}', 'i32/field'], f'i{bits}'))
    mask = '%c = and i32 {0}, 31\n%o = and i32 {1}, 31\n%b = shl i32 1, %c\n%m = add i32 %b, -1\nshl i32 %m, %o'
    yield Op('v_bfm_b32', mask, 'v_bfm_b32 {d}, {0}, {1}', ['i32/count', 'i32/count'], 'i32')
    yield Op('s_bfm_b32', mask, 's_bfm_b32 {d}, {0}, {1}', ['i32/count', 'i32/count'], 'i32')
    yield Op('s_bfm_b64', '%x = zext i32 {0} to i64\n%y = zext i32 {1} to i64\n%c = and i64 %x, 63\n%o = and i64 %y, 63\n%b = shl i64 1, %c\n'
             '%m = add i64 %b, -1\nshl i64 %m, %o', 's_bfm_b64 {d}, {0}, {1}', ['i32/count', 'i32/count'], 'i64')
    yield Op('v_bfi_b32', '%a = and i32 {0}, {1}\n%n = xor i32 {0}, -1\n%b = and i32 %n, {2}\nor i32 %a, %b', 'v_bfi_b32 {d}, {0}, {1}, {2}', three, 'i32')
    yield Op('v_bfi_b32 copysign', '%a = bitcast i32 {0} to float\n%b = bitcast i32 {1} to float\n%c = call float @llvm.copysign.f32(float %a, float %b)\n'
             'bitcast float %c to i32', 'v_bfi_b32 {d}, s2, {0}, {1}', two, 'i32', fixed={'s2': 0x7fffffff})
    yield Op('v_sad_u32', '%x = call i32 @llvm.umax.i32(i32 {0}, i32 {1})\n%n = call i32 @llvm.umin.i32(i32 {0}, i32 {1})\n%s = sub i32 %x, %n\nadd i32 %s, {2}',
             'v_sad_u32 {d}, {0}, {1}, {2}', three, 'i32')
    yield Op('v_cndmask_b32', 'select i1 {2}, i32 {1}, i32 {0}', 'v_cndmask_b32 {d}, {0}, {1}, vcc', ['i32', 'i32', 'i1'], 'i32')
    yield Op('s_cselect_b32', 'select i1 {2}, i32 {0}, i32 {1}', 's_cselect_b32 {d}, {0}, {1}', ['i32', 'i32', 'i1'], 'i32')
    yield Op('s_cselect_b64', 'select i1 {2}, i64 {0}, i64 {1}', 's_cselect_b64 {d}, {0}, {1}', ['i64', 'i64', 'i1'], 'i64')
    low, high = '%{n} = and i32 {{{i}}}, 65535\n', '%{n} = lshr i32 {{{i}}}, 16\n'
    for name, a, b in (('ll', low, low), ('lh', low, high), ('hh', high, high)):
        yield Op(f's_pack_{name}_b32_b16', a.format(n='a', i=0) + b.format(n='b', i=1) + '%h = shl i32 %b, 16\nor i32 %a, %h',
                 f's_pack_{name}_b32_b16 {{d}}, {{0}}, {{1}}', two, 'i32')
    for bits in (8, 16):
        yield Op(f's_sext_i32_i{bits}', f'%a = trunc i32 {{0}} to i{bits}\nsext i{bits} %a to i32', f's_sext_i32_i{bits} {{d}}, {{0}}', ['i32'], 'i32')
    for sign, letter in (('s', 'i'), ('u', 'u')):
        least, most = ('-32768', '32767') if sign == 's' else ('0', '65535')
        cut = '\n'.join(f'%{n}l = call i32 @llvm.{sign}max.i32(i32 {{{i}}}, i32 {least})\n%{n}h = call i32 @llvm.{sign}min.i32(i32 %{n}l, i32 {most})\n'
                        f'%{n} = trunc i32 %{n}h to i16' for i, n in enumerate('ab'))
        yield Op(f'v_cvt_pk_{letter}16_{letter}32', f'{cut}\n%p = insertelement <2 x i16> zeroinitializer, i16 %a, i32 0\ninsertelement <2 x i16> %p, i16 %b, i32 1',
                 f'v_cvt_pk_{letter}16_{letter}32 {{d}}, {{0}}, {{1}}', two, 'v2i16')
    low = ''.join(f'%{n}l = call i16 @llvm.smax.i16(i16 %{n}, i16 0)\n%{n}h = call i16 @llvm.smin.i16(i16 %{n}l, i16 255)\n' for n in 'ab')
    yield Op('v_sat_pk_u8_i16', f'%a = trunc i32 {{0}} to i16\n%s = lshr i32 {{0}}, 16\n%b = trunc i32 %s to i16\n{low}%t = shl i16 %bh, 8\nor i16 %ah, %t',
             'v_sat_pk_u8_i16 {d}, {0}', ['i32'], 'i16')
    for j in range(4):
        yield Op(f'v_cvt_f32_ubyte{j}', f'%a = lshr i32 {{0}}, {8 * j}\n%b = trunc i32 %a to i8\nuitofp i8 %b to float', f'v_cvt_f32_ubyte{j} {{d}}, {{0}}', ['i32'], 'f32')


def counts():
    def absent(kind, found):  # -1 where LLVM counts all bits of zero
        return f'{found}\n%z = icmp eq {kind} {{0}}, 0\n%t = {"trunc i64 %c to i32" if kind == "i64" else "add i32 %c, 0"}\nselect i1 %z, i32 -1, i32 %t'

    def unsign(kind):  # leading bits equal to the sign, as leading zeros
        return f'%s = ashr {kind} {{0}}, {int(kind[1:]) - 1}\n%x = xor {kind} {{0}}, %s\n'

    for kind in ('i32', 'i64'):
        bits = kind[1:]
        first, last = (f'%c = call {kind} @llvm.{f}.{kind}({kind} {{0}}, i1 false)' for f in ('ctlz', 'cttz'))
        signed = absent(kind, unsign(kind) + f'%c = call {kind} @llvm.ctlz.{kind}({kind} %x, i1 false)').replace(f'{kind} {{0}}, 0', f'{kind} %x, 0')
        yield Op(f's_flbit_i32_b{bits}', absent(kind, first), f's_flbit_i32_b{bits} {{d}}, {{0}}', [kind], 'i32')
        yield Op(f's_ff1_i32_b{bits}', absent(kind, last), f's_ff1_i32_b{bits} {{d}}, {{0}}', [kind], 'i32')
        yield Op(f's_ff0_i32_b{bits}', f'%y = xor {kind} {{0}}, -1\n' + absent(kind, last).replace('{0}', '%y'), f's_ff0_i32_b{bits} {{d}}, {{0}}', [kind], 'i32')
        name = 's_flbit_i32' if kind == 'i32' else 's_flbit_i32_i64'
        yield Op(name, signed, f'{name} {{d}}, {{0}}', [kind], 'i32')
        if kind == 'i32':
            yield Op('v_ffbh_u32', absent(kind, first), 'v_ffbh_u32 {d}, {0}', [kind], 'i32')
            yield Op('v_ffbl_b32', absent(kind, last), 'v_ffbl_b32 {d}, {0}', [kind], 'i32')
            yield Op('v_ffbh_i32', signed, 'v_ffbh_i32 {d}, {0}', [kind], 'i32')
            yield Op('v_bfrev_b32', call('bitreverse.i32', 'i32', 'i32'), 'v_bfrev_b32 {d}, {0}', [kind], 'i32')
        yield Op(f's_brev_b{bits}', call(f'bitreverse.{kind}', kind, kind), f's_brev_b{bits} {{d}}, {{0}}', [kind], kind)
        narrow = 'trunc i64 %c to i32' if kind == 'i64' else 'add i32 %c, 0'
        yield from with_scc(Op(f's_bcnt1_i32_b{bits}', f'%c = {call(f"ctpop.{kind}", kind, kind)}\n{narrow}', f's_bcnt1_i32_b{bits} {{d}}, {{0}}', [kind], 'i32'))
        yield from with_scc(Op(f's_bcnt0_i32_b{bits}', f'%y = xor {kind} {{0}}, -1\n%c = call {kind} @llvm.ctpop.{kind}({kind} %y)\n{narrow}',
                               f's_bcnt0_i32_b{bits} {{d}}, {{0}}', [kind], 'i32'))
    yield Op('v_bcnt_u32_b32', '%c = call i32 @llvm.ctpop.i32(i32 {0})\nadd i32 %c, {1}', 'v_bcnt_u32_b32 {d}, {0}, {1}', ['i32', 'i32'], 'i32')
    below = '%l = zext i32 {lane} to i64\n%p = shl i64 1, %l\n%m = add i64 %p, -1\n'
    for half, shift in (('lo', 0), ('hi', 32)):
        yield Op(f'v_mbcnt_{half}_u32_b32', f'{below}%h = lshr i64 %m, {shift}\n%t = trunc i64 %h to i32\n%a = and i32 %t, {{0}}\n'
                 '%c = call i32 @llvm.ctpop.i32(i32 %a)\nadd i32 %c, {1}', f'v_mbcnt_{half}_u32_b32 {{d}}, {{0}}, {{1}}', ['i32', 'i32'], 'i32')


def scalars():
    for name, insn in (('and', 's_and'), ('or', 's_or'), ('xor', 's_xor')):
        for bits in (32, 64):
            kind = f'i{bits}'
            two = [kind, kind]
            yield from with_scc(Op(f'{insn}_b{bits}', f'{name} {kind} {{0}}, {{1}}', f'{insn}_b{bits} {{d}}, {{0}}, {{1}}', two, kind))
            inverse = {'and': 'nand', 'or': 'nor', 'xor': 'xnor'}[name]
            yield from with_scc(Op(f's_{inverse}_b{bits}', f'%a = {name} {kind} {{0}}, {{1}}\nxor {kind} %a, -1', f's_{inverse}_b{bits} {{d}}, {{0}}, {{1}}', two, kind))
            if name != 'xor':
                yield from with_scc(Op(f'{insn}n2_b{bits}', f'%n = xor {kind} {{1}}, -1\n{name} {kind} {{0}}, %n', f'{insn}n2_b{bits} {{d}}, {{0}}, {{1}}', two, kind))
    for bits in (32, 64):
        kind = f'i{bits}'
        yield from with_scc(Op(f's_not_b{bits}', f'xor {kind} {{0}}, -1', f's_not_b{bits} {{d}}, {{0}}', [kind], kind))
        yield from with_scc(Op(f's_wqm_b{bits}', call(f'amdgcn.s.wqm.{kind}', kind, kind), f's_wqm_b{bits} {{d}}, {{0}}', [kind], kind))
        yield from with_scc(Op(f's_quadmask_b{bits}', call(f'amdgcn.s.quadmask.{kind}', kind, kind), f's_quadmask_b{bits} {{d}}, {{0}}', [kind], kind))
        at = f'%w = zext i32 {{0}} to i{bits}\n' if bits == 64 else '%w = add i32 {0}, 0\n'
        for value in (0, 1):
            change = f'%n = xor {kind} %b, -1\nand {kind} {{1}}, %n' if value == 0 else f'or {kind} {{1}}, %b'
            yield Op(f's_bitset{value}_b{bits}', f'{at}%c = and {kind} %w, {bits - 1}\n%b = shl {kind} 1, %c\n{change}', f's_bitset{value}_b{bits} {{d}}, {{0}}',
                     ['i32/count', f'{kind}@d'], kind)
            yield Op(f's_bitcmp{value}_b{bits}', f'{at.replace("{0}", "{1}")}%c = and {kind} %w, {bits - 1}\n%s = lshr {kind} {{0}}, %c\n%b = and {kind} %s, 1\n'
                     f'icmp eq {kind} %b, {value}', f's_bitcmp{value}_b{bits} {{0}}, {{1}}', [kind, 'i32/count'], 'i1', of='scc')
    yield Op('s_bitreplicate_b64_b32', call('amdgcn.s.bitreplicate', 'i64', 'i32'), 's_bitreplicate_b64_b32 {d}, {0}', ['i32'], 'i64')
    yield from with_scc(Op('s_abs_i32', 'call i32 @llvm.abs.i32(i32 {0}, i1 false)', 's_abs_i32 {d}, {0}', ['i32'], 'i32'))
    yield from with_scc(Op('s_absdiff_i32', '%s = sub i32 {0}, {1}\ncall i32 @llvm.abs.i32(i32 %s, i1 false)', 's_absdiff_i32 {d}, {0}, {1}', ['i32', 'i32'], 'i32'))
    for sign, letter in (('s', 'i'), ('u', 'u')):
        for way, test in (('min', 'lt'), ('max', 'gt')):
            insn = f's_{way}_{letter}32'
            yield Op(insn, call(f'{sign}{way}.i32', 'i32', 'i32', 'i32'), f'{insn} {{d}}, {{0}}, {{1}}', ['i32', 'i32'], 'i32')
            yield Op(f'{insn} scc', f'icmp {sign}{test} i32 {{0}}, {{1}}', f'{insn} {{d}}, {{0}}, {{1}}', ['i32', 'i32'], 'i1', of='scc')
    yield Op('v_readfirstlane_b32', call('amdgcn.readfirstlane.i32', 'i32', 'i32'), 'v_readfirstlane_b32 {d}, {0}', ['i32'], 'i32', uniform=True)
    yield Op('v_readlane_b32', 'call i32 @llvm.amdgcn.readlane.i32(i32 {0}, i32 5)', 'v_readlane_b32 {d}, {0}, 5', ['i32'], 'i32', uniform=True)


def compares():
    for sign, letter in (('s', 'i'), ('u', 'u')):
        for name in ('lt', 'le', 'gt', 'ge', 'eq', 'ne'):
            test = name if name in ('eq', 'ne') else sign + name
            for bits in (16, 32, 64):
                kind = f'i{bits}'
                insn = f'v_cmp_{name}_{letter}{bits}'
                yield Op(insn, f'icmp {test} {kind} {{0}}, {{1}}', f'{insn} vcc, {{0}}, {{1}}', [kind, kind], 'i1', of='vcc')
            scalar = f's_cmp_{name.replace("ne", "lg")}_{letter}32'
            yield Op(scalar, f'icmp {test} i32 {{0}}, {{1}}', f'{scalar} {{0}}, {{1}}', ['i32', 'i32'], 'i1', of='scc')
    for name, test in (('eq', 'eq'), ('lg', 'ne')):
        yield Op(f's_cmp_{name}_u64', f'icmp {test} i64 {{0}}, {{1}}', f's_cmp_{name}_u64 {{0}}, {{1}}', ['i64', 'i64'], 'i1', of='scc')
    names = {'false': 'f', 'olt': 'lt', 'oeq': 'eq', 'ole': 'le', 'ogt': 'gt', 'one': 'lg', 'oge': 'ge', 'ord': 'o', 'uno': 'u', 'ult': 'nge', 'ueq': 'nlg',
             'ule': 'ngt', 'ugt': 'nle', 'une': 'neq', 'uge': 'nlt', 'true': 'tru'}
    for kind, mode, attributes, flushed in (('f16', FLUSH_F64, FLUSHED_F64, ' flush'), ('f32', FLUSH_F32, FLUSHED_F32, ' flush'), ('f64', FLUSH_F64, FLUSHED_F64, ' flush')):
        for test, name in names.items():
            insn = f'v_cmp_{name}_{kind}'
            text = f'fcmp {test} {ir(kind)} {{0}}, {{1}}'
            yield Op(insn, text, f'{insn} vcc, {{0}}, {{1}}', [kind, kind], 'i1', of='vcc')
            if test in ('olt', 'oeq', 'uge'):
                yield Op(insn + flushed, text, f'{insn} vcc, {{0}}, {{1}}', [kind, kind], 'i1', of='vcc', mode=mode, attributes=attributes)
        insn = f'v_cmp_class_{kind}'
        yield Op(insn, call(f'amdgcn.class.{kind}', 'i1', kind, 'i32'), f'{insn} vcc, {{0}}, {{1}}', [kind, 'i32/mask'], 'i1', of='vcc')


ROUNDS = (('up', 'upward', 1), ('down', 'downward', 2), ('zero', 'towardzero', 3))  # LLVM's name, MODE's number


def arithmetic():
    denormals = {'f16': (FLUSH_F64, FLUSHED_F64), 'f64': (FLUSH_F64, FLUSHED_F64), 'f32': (FLUSH_F32, FLUSHED_F32)}
    for kind in ('f16', 'f32', 'f64'):
        t, two = ir(kind), [kind, kind]
        plain = [('add', 'v_add', 'fadd', 2), ('mul', 'v_mul', 'fmul', 2), ('fma', 'v_fma', '', 3)] + ([('sub', 'v_sub', 'fsub', 2)] if kind != 'f64' else [])
        for name, stem, text, arity in plain:
            insn = f'{stem}_{kind} {{d}}, ' + ', '.join(f'{{{i}}}' for i in range(arity))
            body = f'{text} {t} {{0}}, {{1}}' if text else call(f'fma.{kind}', kind, kind, kind, kind)
            yield Op(f'{stem}_{kind}', body, insn, [kind] * arity, kind)
            if text:
                mode, attributes = denormals[kind]
                yield Op(f'{stem}_{kind} flush', body, insn, two, kind, mode=mode, attributes=attributes)
            for short, way, number in ROUNDS:
                given = ', '.join(f'{t} {{{i}}}' for i in range(arity))
                constrained = f'call {t} @llvm.experimental.constrained.{"fma" if arity == 3 else text}.{kind}({given}, metadata !"round.{way}", metadata !"fpexcept.ignore")'
                yield Op(f'{stem}_{kind} {short}', constrained, insn, [kind] * arity, kind, mode=IEEE | (number if kind == 'f32' else number << 2), attributes='strictfp')
        if kind != 'f64':
            yield Op(f'v_subrev_{kind}', f'fsub {t} {{1}}, {{0}}', f'v_subrev_{kind} {{d}}, {{0}}, {{1}}', two, kind)
        # v_rndne does not ask MODE how to round
        yield Op(f'v_rndne_{kind} up', call(f'roundeven.{kind}', kind, kind), f'v_rndne_{kind} {{d}}, {{0}}', [kind], kind, mode=IEEE | 5)
        signs = f'%a = call {t} @llvm.fabs.{kind}({t} {{0}})\n%b = fneg {t} %a\n%c = call {t} @llvm.fabs.{kind}({t} {{1}})\nfadd {t} %b, %c'
        yield Op(f'v_add_{kind} -|a| |b|', signs, f'v_add_{kind}{"" if kind == "f64" else "_e64"} {{d}}, -|{{0}}|, |{{1}}|', two, kind)
        yield Op(f'v_fma_{kind} -a b -|c|', f'%a = fneg {t} {{0}}\n%b = call {t} @llvm.fabs.{kind}({t} {{2}})\n%c = fneg {t} %b\n'
                 f'call {t} @llvm.fma.{kind}({t} %a, {t} {{1}}, {t} %c)', f'v_fma_{kind} {{d}}, -{{0}}, {{1}}, -|{{2}}|', [kind] * 3, kind)
        yield Op(f'v_mul_{kind} clamp', f'%a = fmul {t} {{0}}, {{1}}\n%b = call {t} @llvm.maxnum.{kind}({t} %a, {t} 0.0)\ncall {t} @llvm.minnum.{kind}({t} %b, {t} 1.0)',
                 f'v_mul_{kind}{"" if kind == "f64" else "_e64"} {{d}}, {{0}}, {{1}} clamp', two, kind)
        for name, mode in (('', IEEE), (' no ieee', IEEE & ~0x200)):
            for way in ('min', 'max'):
                yield Op(f'v_{way}_{kind}{name}', call(f'{way}num.{kind}', kind, kind, kind), f'v_{way}_{kind} {{d}}, {{0}}, {{1}}', two, kind, mode=mode)
                if kind != 'f64':
                    yield Op(f'v_{way}3_{kind}{name}', f'%a = {call(f"{way}num.{kind}", kind, kind, kind)}\ncall {t} @llvm.{way}num.{kind}({t} %a, {t} {{2}})',
                             f'v_{way}3_{kind} {{d}}, {{0}}, {{1}}, {{2}}', [kind] * 3, kind, mode=mode)
            if kind != 'f64':
                yield Op(f'v_med3_{kind}{name}', call(f'amdgcn.fmed3.{kind}', kind, kind, kind, kind), f'v_med3_{kind} {{d}}, {{0}}, {{1}}, {{2}}', [kind] * 3, kind,
                         mode=mode)
        yield Op(f'v_max_{kind} canonicalize', call(f'canonicalize.{kind}', kind, kind), f'v_max_{kind} {{d}}, {{0}}, {{0}}', [kind], kind)
        mode, attributes = denormals[kind]
        yield Op(f'v_max_{kind} canonicalize flush', call(f'canonicalize.{kind}', kind, kind), f'v_max_{kind} {{d}}, {{0}}, {{0}}', [kind], kind, mode=mode,
                 attributes=attributes)
        for name, insn in (('floor', 'floor'), ('ceil', 'ceil'), ('trunc', 'trunc'), ('rint', 'rndne'), ('roundeven', 'rndne'), ('nearbyint', 'rndne')):
            yield Op(f'v_{insn}_{kind}' + ('' if name[:4] == insn[:4] else f' {name}'), call(f'{name}.{kind}', kind, kind), f'v_{insn}_{kind} {{d}}, {{0}}', [kind], kind)
        yield Op(f'v_fract_{kind}', call(f'amdgcn.fract.{kind}', kind, kind), f'v_fract_{kind} {{d}}, {{0}}', [kind], kind)
        mantissa = call(f'amdgcn.frexp.mant.{kind}', kind, kind)
        size = 'i16' if kind == 'f16' else 'i32'
        yield Op(f'v_frexp_mant_{kind}', mantissa, f'v_frexp_mant_{kind} {{d}}, {{0}}', [kind], kind)
        yield Op(f'v_frexp_mant_{kind} frexp', f'%a = call {{{{{t}, i32}}}} @llvm.frexp.{kind}.i32({t} {{0}})\nextractvalue {{{{{t}, i32}}}} %a, 0',
                 f'v_frexp_mant_{kind} {{d}}, {{0}}', [kind], kind)
        yield Op(f'v_frexp_exp_{size}_{kind}', call(f'amdgcn.frexp.exp.{size}.{kind}', size, kind), f'v_frexp_exp_{size}_{kind} {{d}}, {{0}}', [kind], size)
        power = f'%e = sext i16 {{1}} to i32\ncall half @llvm.ldexp.f16.i32(half {{0}}, i32 %e)' if kind == 'f16' else call(f'ldexp.{kind}.i32', kind, kind, 'i32')
        yield Op(f'v_ldexp_{kind}', power, f'v_ldexp_{kind} {{d}}, {{0}}, {{1}}', [kind, f'{size}/power'], kind)
    yield Op('v_mul_legacy_f32', call('amdgcn.fmul.legacy', 'f32', 'f32', 'f32'), 'v_mul_legacy_f32 {d}, {0}, {1}', ['f32', 'f32'], 'f32')
    unfused = 'fmul {t} {{0}}, {{1}}\nfadd {t} %m, {{2}}'
    for kind in ('f32', 'f16'):
        mode, attributes = denormals[kind]
        text = '%m = ' + unfused.format(t=ir(kind))
        yield Op(f'v_mad_{kind} flush', text, f'v_mad_{kind} {{d}}, {{0}}, {{1}}, {{2}}', [kind] * 3, kind, mode=mode, attributes=attributes)
        yield Op(f'v_mac_{kind} flush', text, f'v_mac_{kind} {{d}}, {{0}}, {{1}}', [kind, kind, f'{kind}@d'], kind, mode=mode, attributes=attributes)
        literal, value = ('0x3fc00000', '1.5') if kind == 'f32' else ('0x3e00', '1.5')
        yield Op(f'v_madak_{kind} flush', text.replace('{2}', value), f'v_madak_{kind} {{d}}, {{0}}, {{1}}, {literal}', [kind] * 2, kind, mode=mode, attributes=attributes)
        yield Op(f'v_madmk_{kind} flush', text.replace('{1}', value).replace('{2}', '{1}'), f'v_madmk_{kind} {{d}}, {{0}}, {literal}, {{1}}', [kind] * 2, kind,
                 mode=mode, attributes=attributes)
    yield Op('v_fmac_f32', call('fma.f32', 'f32', 'f32', 'f32', 'f32'), 'v_fmac_f32 {d}, {0}, {1}', ['f32', 'f32', 'f32@d'], 'f32', mcpu='gfx906')
    for number, name in enumerate(('id', 'sc', 'tc', 'ma')):
        yield Op(f'v_cube{name}_f32', call(f'amdgcn.cube{name}', 'f32', 'f32', 'f32', 'f32'), f'v_cube{name}_f32 {{d}}, {{0}}, {{1}}, {{2}}', ['f32'] * 3, 'f32')


def transcendentals():
    for kind in ('f16', 'f32', 'f64'):
        yield Op(f'v_rcp_{kind}', call(f'amdgcn.rcp.{kind}', kind, kind), f'v_rcp_{kind} {{d}}, {{0}}', [kind], kind, ulp=1)
        yield Op(f'v_sqrt_{kind}', call(f'sqrt.{kind}', kind, kind), f'v_sqrt_{kind} {{d}}, {{0}}', [kind], kind, ulp=1)
    for kind in ('f16', 'f32'):
        for name, function in (('exp', 'exp2'), ('log', 'log2'), ('sin', 'amdgcn.sin'), ('cos', 'amdgcn.cos')):
            yield Op(f'v_{name}_{kind}', call(f'{function}.{kind}', kind, kind), f'v_{name}_{kind} {{d}}, {{0}}', [kind], kind, ulp=1)
        yield Op(f'v_exp_{kind} intrinsic', call(f'amdgcn.exp2.{kind}', kind, kind), f'v_exp_{kind} {{d}}, {{0}}', [kind], kind, ulp=1)
        yield Op(f'v_log_{kind} intrinsic', call(f'amdgcn.log.{kind}', kind, kind), f'v_log_{kind} {{d}}, {{0}}', [kind], kind, ulp=1)
    yield Op('v_sqrt_f16 intrinsic', call('amdgcn.sqrt.f16', 'f16', 'f16'), 'v_sqrt_f16 {d}, {0}', ['f16'], 'f16', ulp=1)
    yield Op('v_trig_preop_f64', call('amdgcn.trig.preop.f64', 'f64', 'f64', 'i32'), 'v_trig_preop_f64 {d}, {0}, {1}', ['f64/huge', 'i32/segment'], 'f64')


def conversions():
    for wide, narrow in (('f32', 'f16'), ('f64', 'f32')):
        yield Op(f'v_cvt_{narrow}_{wide}', f'fptrunc {ir(wide)} {{0}} to {ir(narrow)}', f'v_cvt_{narrow}_{wide} {{d}}, {{0}}', [wide], narrow)
        yield Op(f'v_cvt_{wide}_{narrow}', f'fpext {ir(narrow)} {{0}} to {ir(wide)}', f'v_cvt_{wide}_{narrow} {{d}}, {{0}}', [narrow], wide)
    for real, whole in (('f32', 'i32'), ('f64', 'i32'), ('f16', 'i16')):
        for sign, letter in (('s', 'i'), ('u', 'u')):
            integer = letter + whole[1:]
            yield Op(f'v_cvt_{real}_{integer}', f'{sign}itofp {whole} {{0}} to {ir(real)}', f'v_cvt_{real}_{integer} {{d}}, {{0}}', [whole], real)
            yield Op(f'v_cvt_{integer}_{real}', call(f'fpto{sign}i.sat.{whole}.{real}', whole, real), f'v_cvt_{integer}_{real} {{d}}, {{0}}', [real], whole)
    yield Op('v_cvt_flr_i32_f32', '%a = call float @llvm.floor.f32(float {0})\ncall i32 @llvm.fptosi.sat.i32.f32(float %a)', 'v_cvt_flr_i32_f32 {d}, {0}', ['f32'], 'i32')
    yield Op('v_cvt_rpi_i32_f32', '%w = fpext float {0} to double\n%a = fadd double %w, 0.5\n%b = call double @llvm.floor.f64(double %a)\n'
             'call i32 @llvm.fptosi.sat.i32.f64(double %b)', 'v_cvt_rpi_i32_f32 {d}, {0}', ['f32'], 'i32')
    yield Op('v_cvt_off_f32_i4', '%a = trunc i32 {0} to i4\n%b = sitofp i4 %a to float\nfmul float %b, 0.0625', 'v_cvt_off_f32_i4 {d}, {0}', ['i32'], 'f32')
    yield Op('v_cvt_pkrtz_f16_f32', call('amdgcn.cvt.pkrtz', 'v2f16', 'f32', 'f32'), 'v_cvt_pkrtz_f16_f32 {d}, {0}, {1}', ['f32', 'f32'], 'v2f16')


def packed():
    two = ['v2i16', 'v2i16']
    v = '<2 x i16>'
    for name, insn in (('add', 'add_u16'), ('sub', 'sub_i16'), ('add', 'add_i16'), ('sub', 'sub_u16'), ('mul', 'mul_lo_u16')):
        yield Op(f'v_pk_{insn}', f'{name} {v} {{0}}, {{1}}', f'v_pk_{insn} {{d}}, {{0}}, {{1}}', two, 'v2i16')
    for name, insn in (('uadd', 'add_u16'), ('sadd', 'add_i16'), ('usub', 'sub_u16'), ('ssub', 'sub_i16')):
        yield Op(f'v_pk_{insn} clamp', call(f'{name}.sat.v2i16', 'v2i16', 'v2i16', 'v2i16'), f'v_pk_{insn} {{d}}, {{0}}, {{1}} clamp', two, 'v2i16')
    for what, insn in (('shl', 'lshlrev_b16'), ('lshr', 'lshrrev_b16'), ('ashr', 'ashrrev_i16')):
        yield Op(f'v_pk_{insn}', f'%c = and {v} {{0}}, <i16 15, i16 15>\n{what} {v} {{1}}, %c', f'v_pk_{insn} {{d}}, {{0}}, {{1}}', ['v2i16/count', 'v2i16'], 'v2i16')
    for sign, letter in (('s', 'i'), ('u', 'u')):
        for way in ('min', 'max'):
            yield Op(f'v_pk_{way}_{letter}16', call(f'{sign}{way}.v2i16', 'v2i16', 'v2i16', 'v2i16'), f'v_pk_{way}_{letter}16 {{d}}, {{0}}, {{1}}', two, 'v2i16')
        yield Op(f'v_pk_mad_{letter}16', f'%a = mul {v} {{0}}, {{1}}\nadd {v} %a, {{2}}', f'v_pk_mad_{letter}16 {{d}}, {{0}}, {{1}}, {{2}}', ['v2i16'] * 3, 'v2i16')
    h, halves = '<2 x half>', ['v2f16', 'v2f16']
    for name in ('add', 'mul'):
        yield Op(f'v_pk_{name}_f16', f'f{name} {h} {{0}}, {{1}}', f'v_pk_{name}_f16 {{d}}, {{0}}, {{1}}', halves, 'v2f16')
        turned = f'%a = shufflevector {h} {{0}}, {h} poison, <2 x i32> <i32 1, i32 0>\n%b = fneg {h} %a\nf{name} {h} %b, {{1}}'
        yield Op(f'v_pk_{name}_f16 turned', turned, f'v_pk_{name}_f16 {{d}}, {{0}}, {{1}} op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0] neg_hi:[1,0]', halves, 'v2f16')
    for way in ('min', 'max'):
        yield Op(f'v_pk_{way}_f16', call(f'{way}num.v2f16', 'v2f16', 'v2f16', 'v2f16'), f'v_pk_{way}_f16 {{d}}, {{0}}, {{1}}', halves, 'v2f16')
    yield Op('v_pk_fmac_f16', call('fma.v2f16', 'v2f16', 'v2f16', 'v2f16', 'v2f16'), 'v_pk_fmac_f16 {d}, {0}, {1}', ['v2f16', 'v2f16', 'v2f16@d'], 'v2f16', mcpu='gfx908')
    yield Op('v_pk_fma_f16', call('fma.v2f16', 'v2f16', 'v2f16', 'v2f16', 'v2f16'), 'v_pk_fma_f16 {d}, {0}, {1}, {2}', ['v2f16'] * 3, 'v2f16')
    mixed = ''.join(f'%{n} = extractelement {h} {{{i}}}, i32 {i & 1}\n%{n}w = fpext half %{n} to float\n' for i, n in enumerate('ab'))
    select, mode, flushed = 'op_sel:[0,1,0] op_sel_hi:[1,1,0]', FLUSH_F32, FLUSHED_F32
    sources = ['v2f16', 'v2f16', 'f32']
    fused = mixed + '%f = call float @llvm.fma.f32(float %aw, float %bw, float {2})\n'
    yield Op('v_fma_mix_f32', fused + 'fadd float %f, -0.0', f'v_fma_mix_f32 {{d}}, {{0}}, {{1}}, {{2}} {select}', sources, 'f32', mcpu='gfx906')
    yield Op('v_fma_mixlo_f16', fused + 'fptrunc float %f to half', f'v_fma_mixlo_f16 {{d}}, {{0}}, {{1}}, {{2}} {select}', sources, 'f16', mcpu='gfx906')
    # v_mad_mix takes subnormal halves for zeros (PK-U05)
    small = ''.join(f'%{n}a = call half @llvm.fabs.f16(half %{n})\n%{n}z = call half @llvm.copysign.f16(half 0.0, half %{n})\n'
                    f'%{n}t = fcmp olt half %{n}a, 0xH0400\n%{n}f = select i1 %{n}t, half %{n}z, half %{n}\n%{n}x = fpext half %{n}f to float\n' for n in 'ab')
    yield Op('v_mad_mix_f32 flush', mixed + small + '%m = fmul float %ax, %bx\nfadd float %m, {2}', f'v_mad_mix_f32 {{d}}, {{0}}, {{1}}, {{2}} {select}', sources, 'f32',
             mode=mode, attributes=flushed)


def dots():
    for sign, letter, extend in ((True, 'i', 'ashr'), (False, 'u', 'lshr')):
        for count, width in ((2, 16), (4, 8), (8, 4)):
            def part(n, i, j, width=width, extend=extend):  # field j of operand i, in 64 bits
                return (f'%{n}s = shl i32 {{{i}}}, {32 - width * (j + 1)}\n%{n}e = {extend} i32 %{n}s, {32 - width}\n%{n} = sext i32 %{n}e to i64\n')
            start = '%t0 = ' + ('sext' if sign else 'zext') + ' i32 {2} to i64\n'
            lines = start + ''.join(f'{part(f"a{j}", 0, j)}{part(f"b{j}", 1, j)}%m{j} = mul i64 %a{j}, %b{j}\n%t{j + 1} = add i64 %t{j}, %m{j}\n' for j in range(count))
            name = f'v_dot{count}_{letter}32_{letter}{width}'
            bounds = ('smax', '-2147483648', 'smin', '2147483647') if sign else ('umax', '0', 'umin', '4294967295')
            clamp = (f'%l = call i64 @llvm.{bounds[0]}.i64(i64 %t{count}, i64 {bounds[1]})\n%h = call i64 @llvm.{bounds[2]}.i64(i64 %l, i64 {bounds[3]})\n'
                     'trunc i64 %h to i32')
            yield Op(name, f'{lines}trunc i64 %t{count} to i32', f'{name} {{d}}, {{0}}, {{1}}, {{2}}', ['i32'] * 3, 'i32', mcpu='gfx906')
            if sign:
                same = f'v_dot{count}c_{letter}32_{letter}{width}'
                yield Op(same, f'{lines}trunc i64 %t{count} to i32', f'{same} {{d}}, {{0}}, {{1}}', ['i32', 'i32', 'i32@d'], 'i32', mcpu='gfx908')
            yield Op(f'{name} clamp', lines + clamp, f'{name} {{d}}, {{0}}, {{1}}, {{2}} clamp', ['i32'] * 3, 'i32', mcpu='gfx906')


GROUPS = (integers, wide_multiplies, carries, shifts, fields, counts, scalars, compares, arithmetic, transcendentals, conversions, packed, dots)


def operations():
    """All of them; names differ."""
    found = [op for group in GROUPS for op in group()]
    names = [op.name for op in found]
    assert len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)
    return found
