#!/bin/sh
# scripts/predict: predictions written from the manual agree with eval; and a wrong prediction is told, whatever it gets wrong.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
GCNCHECK=$gcncheck
export GCNCHECK

# wrong TITLE PATTERN [COMBINATIONS] <PREDICTION: it disagrees, with a line that matches.
wrong() {
    { printf 'from floats import *\nfrom rules import *\n' && cat; } >"$tmp/planted.py"
    expect "$1" 1 "$2" python3 scripts/predict/predict.py --from "$tmp/planted.py" --random 8 --cross "${3:-60}"
}

# right TITLE <PREDICTION: it agrees.
right() {
    { printf 'from floats import *\nfrom rules import *\n' && cat; } >"$tmp/planted.py"
    expect "$1" 0 '^ok 1 ' python3 scripts/predict/predict.py --from "$tmp/planted.py" --random 8 --cross 60
}

right "a right prediction agrees" <<'EOF'
@op('v_add_co_u32 d, vcc, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': (a + b) & M32, 'vcc': (a + b) >> 32}
EOF

wrong "one bit of one result" '^# predicted: d = 0x1$' 1000 <<'EOF'
@op('v_add_co_u32 d, vcc, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': (a + b) & M32 | (a == 0 and b == 0), 'vcc': (a + b) >> 32}
EOF

wrong "a carry that is wrong for one operand" '^# predicted: vcc = ' 1000 <<'EOF'
@op('v_add_co_u32 d, vcc, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': (a + b) & M32, 'vcc': (a + b) >> 32 if b != M32 else 0}
EOF

wrong "a carry that is forgotten" '^# predicted: vcc = unchanged$' <<'EOF'
@op('v_add_co_u32 d, vcc, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': (a + b) & M32}
EOF

wrong "SCC forgotten" '^# predicted: scc = unchanged$' <<'EOF'
@op('s_add_u32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': (a + b) & M32}
EOF

wrong "SCC written where it is not" '^# got:       scc = 0x1$' <<'EOF'
@op('s_mul_i32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': a * b & M32, 'scc': 0}
EOF

wrong "EXEC ignored" '^# predicted: d = ' <<'EOF'
@op('v_mov_b32 d, a', d=U32, a=U32, wave=True)
def _(a):
    return {'d': a}
EOF

wrong "the mask bits of lanes that are off kept" '^# predicted: vcc = ' <<'EOF'
@op('v_cmp_lt_u32 vcc, a, b', a=U32, b=U32, wave=True)
def _(a, b, vcc, exec):
    less = sum((x < y) << lane for lane, (x, y) in enumerate(zip(a, b)))
    return {'vcc': vcc & ~exec | less & exec}
EOF

wrong "the upper half of a register kept" '^# predicted: d = ' <<'EOF'
@op('v_add_u16 d, a, b', d=U32, a=U16, b=U16)
def _(a, b, d):
    return {'d': d & ~M16 | a + b & M16}
EOF

wrong "rounding once too often" '^# predicted: d = ' 1000 <<'EOF'
@op('v_fma_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32)
def _(a, b, c, mode):
    return {'d': mad(F32, a, b, c, mode)}
EOF

wrong "a set without the right value" '^# predicted: d = 0x1 or 0x2$' 1000 <<'EOF'
@op('v_mov_b32 d, a', d=U32, a=U32)
def _(a):
    return {'d': a if a else {1, 2}}
EOF

wrong "one byte of LDS" '^# predicted: lds\[0x4\] = ' <<'EOF'
@op('ds_write_b32 a, b', a=U32.with_edges(4), b=U32, lds=16, wave=True)
def _(a, b, lds, exec):
    for lane in range(64):
        if exec >> lane & 1:
            lds.store(a[lane], b[lane] ^ (lane == exec.bit_length() - 1), 4)
    return {}
EOF

wrong "a store that nobody predicts" '^# predicted: mem\[0x1000\] = ' <<'EOF'
@op('global_store_dword a, b, off', a=U64.with_edges(0x1000), b=U32, mem={0x1000: 4}, wave=True)
def _(mem):
    return {}
EOF

wrong "an access outside memory" '^# predicted: fault = none' <<'EOF'
@op('global_load_dword d, a, off', d=U32, a=U64.with_edges(0x2000), mem={0x1000: 4})
def _(d):
    return {'d': d}
EOF

wrong "a branch to elsewhere" '^# predicted: pc = ' <<'EOF'
@op('s_cbranch_scc1 k', k=SIMM16.with_edges(3))
def _(k, pc, scc):
    return {'pc': pc + 4 + 4 * k if not scc else pc + 4}
EOF

wrong "an opcode that does not exist" 'cannot assemble' <<'EOF'
@op('v_frob_b32 d, a', d=U32, a=U32)
def _(a):
    return {'d': a}
EOF

# The eval command that is shown repeats it.
{ printf 'from rules import *\n' && cat; } >"$tmp/planted.py" <<'EOF'
@op('s_add_u32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': (a - b) & M32, 'scc': 0}
EOF
python3 scripts/predict/predict.py --from "$tmp/planted.py" --cross 50 >"$tmp/told"
command=$(sed -n 's/^# gcncheck eval /eval /p' "$tmp/told")
got=$(sed -n 's/^# got:  *d = 0x//p' "$tmp/told")
expect "the eval command that is shown gives what was got" 0 "s9 .*-> 0x0*$got$" sh -c "'$gcncheck' $command"

count=$(python3 scripts/predict/predict.py --count)
[ "$count" -ge 300 ]
ok $? "at least 300 opcodes have a prediction: $count"

python3 scripts/predict/predict.py --random 4 --cross 16 >"$tmp/all"
adopt $? "$tmp/all"
finish
