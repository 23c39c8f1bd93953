#!/bin/sh
# scripts/predict/cells.py: predictions of instructions that reach memory are told when they are wrong in an address, in what is
# kept, in what is returned.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
GCNCHECK=$gcncheck
export GCNCHECK

# asked TITLE CODE PATTERN <PREDICTION: what predict.py says of it.
asked() {
    { printf 'from cells import *\nfrom places import *\nfrom rules import *\n' && cat; } >"$tmp/planted.py"
    expect "$1" "$2" "$3" python3 scripts/predict/predict.py --from "$tmp/planted.py" --random 16 --cross 100
}

asked "a right prediction agrees, in LDS" 0 '^ok 1 ' <<'EOF'
@cell('ds_sub_rtn_u32 d, p, a offset:16', LDS(4, 16), d=U32, p=U32, a=U32)
def _(m, a):
    return {'d': m, 'm': m - a & M32}
EOF

asked "what LDS becomes" 1 '^# predicted: lds\[' <<'EOF'
@cell('ds_sub_rtn_u32 d, p, a offset:16', LDS(4, 16), d=U32, p=U32, a=U32)
def _(m, a):
    return {'d': m, 'm': a - m & M32}
EOF

asked "the value of before or after" 1 '^# predicted: d = ' <<'EOF'
@cell('ds_sub_rtn_u32 d, p, a offset:16', LDS(4, 16), d=U32, p=U32, a=U32)
def _(m, a):
    return {'d': m - a & M32, 'm': m - a & M32}
EOF

asked "a wrong offset" 1 '^# predicted: lds\[' <<'EOF'
@cell('ds_write_b32 p, a offset:16', LDS(4, 20), p=U32, a=U32)
def _(m, a):
    return {'m': a}
EOF

asked "a set that memory is not in" 1 '^# predicted: lds\[.* = 0x1 or 0x2$' <<'EOF'
@cell('ds_write_b32 p, a', LDS(4, 0), p=U32, a=U32)
def _(m, a):
    return {'m': {1, 2} if a == 0 else a}
EOF

asked "a right prediction agrees, in memory" 0 '^ok 1 ' <<'EOF'
@cell('global_load_sbyte d, v, s offset:20', GLOBAL_SADDR(1, 20), d=U32, v=U32, s=U64.in_file('s'))
def _(m):
    return {'d': signed(m, 8)}
EOF

asked "a load that extends wrongly" 1 '^# predicted: d = ' <<'EOF'
@cell('global_load_sbyte d, v, s offset:20', GLOBAL_SADDR(1, 20), d=U32, v=U32, s=U64.in_file('s'))
def _(m):
    return {'d': m}
EOF

asked "a lane outside the buffer that keeps its register" 1 '^# predicted: d = ' <<'EOF'
@cell('buffer_load_dword d, v, s, t offen', BUFFER(4, 0), d=U32, v=U32, s=U128.in_file('s'), t=U32.in_file('s'))
def _(d, m, v):
    return {'d': m if v < RAW else d}
EOF

asked "a store of something else" 1 '^# ' <<'EOF'
@cell('buffer_store_dword a, v, s, t idxen', BUFFER_INDEX(4, 0, 16), a=U32, v=U32, s=U128.in_file('s'), t=U32.in_file('s'))
def _(a, m):
    return {'m': a ^ 1}
EOF

asked "a scalar atomic that returns the new value" 1 '^# predicted: a = ' <<'EOF'
@cell('s_atomic_add a, s, 0x40 glc', SMEM(4, 0x40), a=U32, s=U64)
def _(a, m):
    return {'a': a + m & M32, 'm': a + m & M32}
EOF

asked "an opcode of another processor is asked of it" 0 '^ok 1 - v_dot4_u32_u8' <<'EOF'
@op('v_dot4_u32_u8 d, a, b, 0', d=U32, a=U32, b=U32, mcpu='gfx906')
def _(a, b):
    return {'d': sum((a >> i & M8) * (b >> i & M8) for i in (0, 8, 16, 24))}
EOF

finish
