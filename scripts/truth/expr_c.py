"""Sources of the expressions of expr_gen.py: a kernel in OpenCL C, the same in C, and a program in C for the host.

C's vectors are clang's ext_vector_type. It lacks OpenCL's built-in functions: they are written out here, a function of one
element each (e_NAME_TYPE) and one of the vector made of these, only those that are needed."""
from expr_gen import ELEMENTS, SIGNED, UNSIGNED, kind, name, room, size

COMMON = '''#undef NAN
#undef INFINITY
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define ANYTYPE static inline __attribute__((overloadable))
'''
BLOCKS = '''#ifdef CHAIN
#define CHOOSE(y) const uint block = y;
#define BLOCK(k) if (block == 0)
#define END
#else
#define CHOOSE(y) switch (y)
#define BLOCK(k) case k:
#define END break;
#endif
'''
OPENCL = '''#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
''' + COMMON + '''\
#define CONV(T, x) convert_##T(x)
#define CONV1(T, x) convert_##T(x)
#define SAT(T, x) convert_##T##_sat(x)
#define MK2(T, a, b) ((T)(a, b))
#define MK3(T, a, b, c) ((T)(a, b, c))
#define MK4(T, a, b, c, d) ((T)(a, b, c, d))
#define MK8(T, a, b, c, d, e, f, g, h) ((T)(a, b, c, d, e, f, g, h))
#define SHL(T, a, b, mask) ((T)((a) << (b)))
#define SHR(T, a, b, mask) ((T)((a) >> (b)))
#define TERN(c, a, b) ((c) ? (a) : (b))
'''
PLAIN_C = COMMON + '''#define CONV(T, x) __builtin_convertvector(x, T)
#define CONV1(T, x) ((T)(x))
#define SAT(T, x) sat_##T(x)
#define MK2(T, a, b) ((T){ a, b })
#define MK3(T, a, b, c) ((T){ a, b, c })
#define MK4(T, a, b, c, d) ((T){ a, b, c, d })
#define MK8(T, a, b, c, d, e, f, g, h) ((T){ a, b, c, d, e, f, g, h })
#define SHL(T, a, b, mask) ((T)((a) << ((b) & (T)(mask))))
#define SHR(T, a, b, mask) ((T)((a) >> ((b) & (T)(mask))))
#define TERN(c, a, b) tern(c, a, b)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;
''' + ''.join(f'typedef {e} {name(e, n)} __attribute__((ext_vector_type({n})));\n' for e in ELEMENTS for n in (2, 3, 4, 8))
NAMES = ('min max add_sat sub_sat hadd rhadd mul_hi rotate mad_hi mad_sat bitselect popcount clz ctz abs abs_diff clamp mul24 '
         'mad24 upsample select fma fmin fmax fabs floor ceil trunc rint copysign sqrt ldexp isnan isinf isfinite isnormal').split()
OPENCL += ''.join(f'#define f_{f} {f}\n' for f in NAMES)

# Of integers: T the type, U the unsigned one, W a signed type of more bits, V an unsigned one of more bits; B bits, MIN and MAX.
INTEGER = {
    'min': 'a < b ? a : b', 'max': 'a > b ? a : b', 'clamp': 'a < b ? b : a > c ? c : a',
    'add_sat': '(W)a + (W)b > (W)MAX ? MAX : (W)a + (W)b < (W)MIN ? MIN : (T)(a + b)',
    'sub_sat': '(W)a - (W)b > (W)MAX ? MAX : (W)a - (W)b < (W)MIN ? MIN : (T)(a - b)',
    'hadd': '(T)(((W)a + (W)b) >> 1)', 'rhadd': '(T)(((W)a + (W)b + 1) >> 1)',
    'mul_hi': '(T)(((X)a * (X)b) >> B)', 'mad_hi': '(T)((U)(((X)a * (X)b) >> B) + (U)c)',
    'mad_sat': '(X)a * (X)b + (X)c > (X)MAX ? MAX : (X)a * (X)b + (X)c < (X)MIN ? MIN : (T)((X)a * (X)b + (X)c)',
    'rotate': '(T)((U)((U)a << (b & (B - 1))) | (U)((U)a >> (-b & (B - 1))))', 'bitselect': '(T)((a & ~c) | (b & c))',
    'popcount': '(T)__builtin_popcountl((ulong)(U)a)', 'clz': '(T)(a == 0 ? B : __builtin_clzl((ulong)(U)a) - (64 - B))',
    'ctz': '(T)(a == 0 ? B : __builtin_ctzl((ulong)(U)a))', 'abs': '(U)(a < 0 ? -(U)a : (U)a)',
    'abs_diff': '(U)(a > b ? (U)a - (U)b : (U)b - (U)a)', 'mul24': '(T)(a * b)', 'mad24': '(T)(a * b + c)'}
# Of floats: F the suffix of C's functions of the type.
FLOATS = {
    'fabs': '__builtin_fabsF(a)', 'floor': '__builtin_floorF(a)', 'ceil': '__builtin_ceilF(a)', 'trunc': '__builtin_truncF(a)',
    'rint': '__builtin_rintF(a)', 'copysign': '__builtin_copysignF(a, b)',
    'fmin': 'a != a ? b : b != b ? a : a < b ? a : b < a ? b : __builtin_signbit((double)a) ? a : b',
    'fmax': 'a != a ? b : b != b ? a : a > b ? a : b > a ? b : __builtin_signbit((double)a) ? b : a'}
COUNTS = {'clamp': 3, 'mad_hi': 3, 'mad_sat': 3, 'bitselect': 3, 'mad24': 3, 'fma': 3, 'tern': 3, 'select': 3} | dict.fromkeys(
    'popcount clz ctz abs fabs floor ceil trunc rint sqrt isnan isinf isfinite isnormal'.split(), 1)
PART = 100  # expressions of a kernel: compilers are slow where a function has thousands of blocks
OWN = {'one': 'NAN', 'number': '0'}  # what takes the place of NaN
CLASSES = {'isnan': 'a != a', 'isinf': 'a == (T)INFINITY || a == -(T)INFINITY', 'isfinite': 'a - a == 0',
           'isnormal': 'a - a == 0 && (double)(a < 0 ? -a : a) >= LEAST'}
LEAST = {'half': '0x1p-14', 'float': '0x1p-126', 'double': '0x1p-1022'}
# A sum of halves and their product has 64 bits at most, so that long double holds it; it is rounded to odd, then to half.
HALF_FMA = '''static inline half e_fma_half(half a, half b, half c)
{
    long double exact = (long double)a * b + c;
    double near = (double)exact;
    ulong bits;
    __builtin_memcpy(&bits, &near, 8);
    if (near - near == 0 && near != exact && (bits & 1) == 0) bits += (near < exact) == (near > 0) ? 1 : -1;
    __builtin_memcpy(&near, &bits, 8);
    return (half)near;
}
'''


def _function(result, function, parameters, body):
    return f'static inline {result} {function}({", ".join(parameters)}) {{ return {body}; }}\n'


def _integer_body(function, e):
    bits = 8 * size(e)
    wide = '__int128' if bits == 64 else 'long'
    exact = wide if kind(e) == 'i' else 'unsigned __int128' if bits == 64 else 'ulong'
    top = (1 << bits - (kind(e) == 'i')) - 1
    low = f'(T)(-(T){top}{"l" if bits == 64 else ""} - 1)' if kind(e) == 'i' else '(T)0'
    body = INTEGER[function].replace('MIN', low).replace('MAX', f'((T){top}{"ul" if bits == 64 else "u"})')
    for word, text in (('X', exact), ('W', wide), ('T', e), ('U', UNSIGNED[size(e)])):
        body = body.replace(f'({word})', f'({text})')
    return body.replace('(B - 1)', str(bits - 1)).replace('>> B', f'>> {bits}').replace('? B', f'? {bits}').replace('64 - B', f'64 - {bits}')


def _float_body(function, e, for_gpu):
    suffix = {'half': 'f16', 'float': 'f', 'double': ''}[e]
    if function in FLOATS and (not for_gpu or function not in ('fmin', 'fmax')):
        return FLOATS[function].replace('F(', f'{suffix}(')
    if for_gpu or e != 'half':
        if function == 'ldexp' and not for_gpu and e == 'float':
            return '(float)__builtin_ldexp((double)a, b)'  # exact in between: b is small
        return f'__builtin_{function}{suffix}(' + ', '.join('abc'[:COUNTS.get(function, 2)]) + ')'
    return '(half)__builtin_sqrtf((float)a)'  # 24 bits are enough for the root of 11 to round once


def _saturate(e, source):
    bits = 8 * size(e)
    top = (1 << bits - (kind(e) == 'i')) - 1
    low = -top - 1 if kind(e) == 'i' else 0
    greatest, least = f'(({e}){top}{"ul" if bits == 64 else "u"})', f'(({e})({-top if low else 0}{"l" if bits == 64 else ""} - {int(low < 0)}))'
    if kind(source) == 'f':
        return f'a != a ? ({e})0 : (double)a >= 0x1p{bits - (kind(e) == "i")} ? {greatest} : (double)a <= {low}.0 ? {least} : ({e})a'
    return f'(__int128)a > (__int128){greatest} ? {greatest} : (__int128)a < (__int128){least} ? {least} : ({e})a'


def _element(key, for_gpu):
    """The function of one element: its result, name, parameters' elements, text."""
    function, e = key[0], key[1]
    if function == 'sat':
        return e, f'e_sat_{e}_{key[3]}', [key[3]], _saturate(e, key[3])
    if function == 'upsample':
        result = (SIGNED if kind(e) == 'i' else UNSIGNED)[2 * size(e)]
        wide = UNSIGNED[2 * size(e)]
        return result, f'e_upsample_{e}', [e, UNSIGNED[size(e)]], f'({result})(({wide})(({wide})a << {8 * size(e)}) | ({wide})b)'
    mask = SIGNED[size(e)]
    if function in ('tern', 'select'):
        if function == 'tern':
            return e, f'e_tern_{e}', [mask, e, e], 'a < 0 ? b : c'
        return e, f'e_select_{e}', [e, e, mask], 'c < 0 ? b : a' if key[2] > 1 else 'c ? b : a'
    if function in CLASSES:
        body = f'({mask})(' + CLASSES[function].replace('(T)', f'({e})').replace('LEAST', LEAST.get(e, '')) + ')'
        return mask, f'e_{function}_{e}', [e], body
    if function in OWN:
        return e, f'e_{function}_{e}', [e], f'a != a ? ({e}){OWN[function]} : a'
    count = COUNTS.get(function, 2)
    if kind(e) == 'f':
        return e, f'e_{function}_{e}', [e, 'int'] if function == 'ldexp' else [e] * count, _float_body(function, e, for_gpu)
    result = UNSIGNED[size(e)] if function in ('abs', 'abs_diff') else e
    return result, f'e_{function}_{e}', [e] * count, _integer_body(function, e)


def _define(key, for_gpu, done):
    """Text that defines what a key names, without the function of one element if that is done."""
    if key[0] == 'as':
        result, source = name(*key[1:3]), name(*key[3:5])
        return f'ANYTYPE {result} as_{result}({source} a) {{ {result} r; __builtin_memcpy(&r, &a, sizeof r); return r; }}\n'
    function, n = key[0], key[2]
    result, element, parameters, body = _element(key, for_gpu)
    element += '_1' if function == 'select' and n == 1 else ''
    text = ''
    if element not in done:
        done.add(element)
        whole = function == 'fma' and key[1] == 'half' and not for_gpu
        text += HALF_FMA if whole else _function(result, element, [f'{p} {v}' for p, v in zip(parameters, 'abc')], body)
    # -1 and 0 in vectors, 1 and 0 in an int
    if function in CLASSES:
        result, sign = ('int', '') if n == 1 else (result, '-')
    else:
        sign = ''
    own = {'sat': f'sat_{name(key[1], n)}', 'tern': 'tern'}.get(function, function if function in OWN else f'f_{function}')
    takes = ', '.join(f'{name(p, n)} {v}' for p, v in zip(parameters, 'abc'))
    if n == 1:
        value = f'{element}({", ".join("abc"[:len(parameters)])})'
    else:
        calls = (f'{sign}{element}({", ".join(f"{v}.s{i}" for v in "abc"[:len(parameters)])})' for i in range(n))
        value = f'({name(result, n)}){{ {", ".join(calls)} }}'
    return text + f'ANYTYPE {name(result, n)} {own}({takes}) {{ return {value}; }}\n'


def definitions(expressions, for_gpu):
    """C's functions that expressions need."""
    done = set()
    return ''.join(_define(key, for_gpu, done) for key in sorted(set().union(*(x.needs for x in expressions)), key=str))


ROOMS = (1, 2, 4, 8, 16, 32)


def _places(space_in, space_out, rooms=ROOMS):
    """Pointers for each size of a value: iN and oN to that of this lane, gN to that of this work-group."""
    text = ''
    for r in rooms:
        text += f'  {space_in} const char *const i{r} = in + i * {r}u, *const g{r} = in + g * {r}u;\n'
        text += f'  {space_out} char *const o{r} = out + i * {r}u;\n'
    return text


def _body(x, starts, out, space_in, space_out):
    """Loads, expression, store."""
    text = ''
    for v, e, n, start, is_uniform in x.inputs:
        t = name(e, n)
        place = f'{"g" if is_uniform else "i"}{room(e, n)} + {starts[e] + start * size(e)}'
        text += f'    const {t} {v} = *({space_in} const {t} *)({place});\n'
    return text + f'    *({space_out} {name(x.e, x.n)} *)(o{room(x.e, x.n)} + {out}) = {x.text};\n'


def layout(expressions, rows):
    """Where the results of each begin in the output; the last number is its size."""
    starts = [0]
    for x in expressions:
        starts.append(starts[-1] + rows * room(x.e, x.n))
    return starts


def _kernels(expressions, starts, outs, words, numbers):
    """A kernel for each PART of the expressions, of work-groups (g, expression). words: of a kernel, and of the address spaces
    of inputs and results; numbers: of a work-group in x, of a work-item, of a work-group in y. Each expression is a block that
    no other leads to, so that optimization takes time that is linear in their number; with -DCHAIN, for -O0, where choosing one
    would take linear time, they follow each other in the work-groups (g, 0)."""
    kernel, space_in, space_out = words
    text = BLOCKS
    for first in range(0, len(expressions), PART):
        text += (f'{kernel} void run{first // PART}({space_in} const char *in, {space_out} char *out)\n{{\n'
                 f'  const uint g = {numbers[0]}, i = g * 64u + {numbers[1]};\n{_places(space_in, space_out)}'
                 f'  CHOOSE({numbers[2]}) {{\n')
        for k, x in enumerate(expressions[first:first + PART]):
            body = _body(x, starts, outs[first + k] - outs[first], space_in, space_out)
            text += f'  BLOCK({k}) {{ // {x.ident}\n{body}  }} END\n'
        text += '  }\n}\n'
    return text


def opencl(expressions, starts, outs):
    """Kernels run0, run1 ... in OpenCL C, of PART expressions each."""
    text = OPENCL
    for function, e, n in sorted({key for x in expressions for key in x.needs if key[0] in OWN}):
        t = name(e, n)
        text += f'ANYTYPE {t} {function}({t} x) {{ return x != x ? ({t}){OWN[function]} : x; }}\n'
    return text + _kernels(expressions, starts, outs, ('kernel', 'constant', 'global'), ('get_group_id(0)', 'get_local_id(0)', 'get_group_id(1)'))


def plain_c(expressions, starts, outs):
    """The same in C."""
    words = ['__attribute__((amdgpu_kernel))', *(f'__attribute__((address_space({space})))' for space in (4, 1))]
    numbers = [f'__builtin_amdgcn_{what}()' for what in ('workgroup_id_x', 'workitem_id_x', 'workgroup_id_y')]
    return PLAIN_C + definitions(expressions, True) + _kernels(expressions, starts, outs, words, numbers)


def host(expressions, starts, outs, rows):
    """A program for the host: reads in.bin, writes want.bin."""
    text = '#include <stdio.h>\n#include <stdlib.h>\n' + PLAIN_C + definitions(expressions, False)
    text += f'static char in[1 << 20] __attribute__((aligned(64))), out[{outs[-1]}] __attribute__((aligned(64)));\n'
    text += f'#define EACH for (uint i = 0; i < {rows}; i++)\n'
    for k, x in enumerate(expressions):
        rooms = {room(x.e, x.n)} | {room(*i[1:3]) for i in x.inputs}
        text += f'static void f{k}(uint i, uint g) // {x.ident}\n{{\n{_places("", "", rooms)}{_body(x, starts, outs[k], "", "")}}}\n'
    text += ('int main(void)\n{\n  FILE *f = fopen("in.bin", "rb");\n  if (!f || !fread(in, 1, sizeof in, f)) return 1;\n  fclose(f);\n'
             '  f = fopen("want.bin", "wb");\n  if (!f) return 1;\n')
    text += ''.join(f'  EACH f{k}(i, i / 64);\n' for k in range(len(expressions)))
    return text + '  return fwrite(out, sizeof out, 1, f) != 1 || fclose(f);\n}\n'
