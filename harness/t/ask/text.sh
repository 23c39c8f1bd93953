#!/bin/sh
# Tests `gcncheck asm`, `dis` and `list` from outside: what they print, and exit codes. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# try CODE INPUT STDOUT STDERR ARGUMENTS...: INPUT and STDOUT are printf formats.
try() {
    want_code=$1 want_out=$3 want_err=$4
    printf "$2" > "$tmp/in"
    shift 4
    "$gcncheck" "$@" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
    code=$?
    printf "$want_out" >"$tmp/want"
    [ $code = "$want_code" ] && cmp -s "$tmp/want" "$tmp/out" && [ "$(cat "$tmp/err")" = "$want_err" ]
    held=$?
    [ $held = 0 ] || note "exit code $code
$(sed 's/^/out: /' "$tmp/out")
$(sed 's/^/err: /' "$tmp/err")"
    ok $held "$*"
}

# says TEXT ARGUMENTS...: a whole line of the output is TEXT.
says() {
    want=$1
    shift
    "$gcncheck" "$@" >"$tmp/out" 2>&1 && grep -Fxq -e "$want" "$tmp/out"
    ok $? "$*: $want" "$tmp/out"
}

known=$(sed -n 's/^TARGET(\([^,]*\),.*/\1/p' oracle/isa/target.def | paste -sd ' ')

try 0 '32000501\nd1198400 00020501\n' 'v_add_co_u32_e32 v0, vcc, v1, v2\nv_add_co_u32_e64 v0, s[4:5], v1, v2 clamp\n' '' \
    dis --mcpu gfx900
try 0 '0x32000501\n0xd1198400,0x00020501\r\n\n' \
    'v_add_co_u32_e32 v0, vcc, v1, v2\nv_add_co_u32_e64 v0, s[4:5], v1, v2 clamp\n' '' dis
try 2 '32000501 00000000\n32000501\n' 'invalid: v_add_co_u32 takes 1 dword, 2 given\nv_add_co_u32_e32 v0, vcc, v1, v2\n' '' dis
try 2 'd1198400\n' 'invalid: the instruction is cut off\n' '' dis
try 2 'f0000100 00210501\n' 'invalid: image_load does not take ssamp in this form\n' '' dis
try 2 '7e0002d1\n' 'invalid: v_mov_b32: operand 2 is a reserved code\n' '' dis
try 2 'hello\n123456789\n1 2 3 4 5 6 7 8 9\n-1\n7e00\n0x7e\n' "$(for i in 1 2 3 4 5 6; do printf '%s' 'invalid: not hex dwords of 8 digits\n'; done)" '' dis
try 0 '' 'v2       0x00000000 -> 0x00000005  all lanes\n' '' eval --mcpu gfx908 'v_accvgpr_read_b32 v2, a7' a7=5
try 0 '{"id":1,"code":"d3d84002 18000107","in":{"a7":"5"}}\n' '{"id":1,"out":{"v2":"5"}}\n' '' eval --mcpu gfx908 --jsonl
try 2 '{"id":1,"code":"bf800000","in":{"a7":"5"}}\n' '{"id":1,"error":"in.a7: no such register"}\n' \
    'gcncheck eval: every line was answered with an error' eval --jsonl
try 2 '' '' 'gcncheck dis: unknown processor '"'gfx1'; known: $known" dis --mcpu gfx1
try 2 '' '' "gcncheck list: $tmp/none: No such file or directory" list "$tmp/none"
try 2 '' '' "gcncheck list: $tmp/in: Not a directory" list "$tmp/in"
try 2 '' '' "gcncheck dis: $tmp/none: cannot be opened: No such file or directory" dis "$tmp/none"
try 0 'v_add_co_u32_e32 v0, vcc, v1, v2\n' '32000501\n' '' asm --mcpu gfx900
try 0 '\n# nothing\n  // nothing\n v_add_co_u32 v0, s[4:5], v1, v2 clamp ; sum\n' 'd1198400 00020501\n' '' asm
try 2 's_nop 0\nv_foo v0\ns_nop 1' 'bf800000\nerror: line 2: unknown mnemonic '"'v_foo'"'\nbf800001\n' '' asm
try 2 'v_mov_b32_dpp v1, v5 quad_perm:[1,-3,0,0]\nv_mad_f16 v1, v5, v9, v13 op_sel:[0,-1,1]\n' \
    "error: line 1: four lanes 0 to 3 in [] and commas belong after 'quad_perm:[1'\nerror: line 2: a bit for each source in [] and commas belong after 'op_sel:[0'\n" '' asm
try 2 '' '' 'gcncheck asm: unknown processor '"'gfx1'; known: $known" asm --mcpu gfx1
try 2 '' '' 'gcncheck list: --format xml: must be text, tsv, json or samples' list --format xml

tab=$(printf '\t')
says "encoding${tab}opcode${tab}mnemonic${tab}forms${tab}modelled${tab}case rows${tab}accept${tab}case file" list --mcpu gfx900 --format tsv
says "VOP2${tab}25${tab}v_add_co_u32${tab}e32,literal,e64,sdwa,dpp${tab}yes${tab}0${tab}exact${tab}vop2/v_add_co_u32.case" list --format tsv "$tmp"
says "VOP2${tab}37${tab}v_add_i32${tab}e32,literal,e64${tab}yes${tab}0${tab}exact${tab}vop2/v_add_co_u32.case" list --mcpu gfx701 --format tsv "$tmp"
says "MIMG${tab}66${tab}image_gather4h${tab}base${tab}no${tab}0${tab}exact${tab}mimg/image_gather4h.case" list --format tsv "$tmp"
says "32021b09${tab}v_add_co_u32_e32 v1, vcc, v9, v13" list --format samples
# Halves of pairs by hand: 0x3ff80000 is the high dword of the double 1.5.
says 's2       0x00000000 -> 0x9abcdef0' eval 's_mov_b64 s[2:3], s[0:1]' 's[0:1]=0x123456789abcdef0'
says 's3       0x00000000 -> 0x12345678' eval 's_mov_b64 s[2:3], s[0:1]' 's[0:1]=0x123456789abcdef0'
says 's3       0x00000000 -> 0x3ff80000' eval 's_mov_b64 s[2:3], s[0:1]' 's[0:1]=1.5'
says 's1       0x00000000 -> 0xffffffff' eval 's_mov_b32 s1, s0' s0=-1
says 'v0       0x00000000 -> 0x00000002  lane 1' eval 'v_mov_b32 v0, v3' 'v[2:3]=0,0x200000001'
# The names of places are those of case files.
says 's1       0x00000000 -> 0x00000005' eval 's_mov_b32 s1, ttmp0' ttmp0=5
says 's1       0x00000000 -> 0x00000005' eval 's_mov_b32 s1, s4' 's[4]=5'
says 'v5       0x00000000 -> 0x00000003  all lanes' eval 'v_mov_b32 v5, v2' 'v[0:3]=0x00000004000000030000000200000001'
says 'v5       0x00000000 -> 0x00000050  lane 1' eval 'v_mov_b32 v5, v3' 'v[0:3]=1,0x50000000000000000000000000'
says 's5       0x00000000 -> 0xffffffff' eval 's_mov_b32 s5, s3' 's[0:3]=-2'
says 'v5       0x00000000 -> 0xffffffff  lane 63' eval 'v_mov_b32 v5, v0' v0.lane3=7 v0.lane63=-1
says 's3       0x00000000 -> 0x00000004' eval "$(printf 's_trap 1\ns_endpgm\ns_mov_b32 s3, 4\ns_endpgm')" tba=0x10008
try 0 '{"id":1,"code":"7e0a0302","in":{"v[0:3]":"00000004000000030000000200000001"}}\n{"id":2,"code":"be81006c","in":{"ttmp0":"5","tba":"10000"}}\n' \
    '{"id":1,"out":{"v5":"3"}}\n{"id":2,"out":{"s1":"5"}}\n' '' eval --jsonl
try 0 '{"id":1,"code":"be810003","in":{"s[0:3]":"00000004000000030000000200000001"}}\n{"id":2,"code":"be810004","in":{"s[4]":"5"}}\n' \
    '{"id":1,"out":{"s1":"4"}}\n{"id":2,"out":{"s1":"5"}}\n' '' eval --jsonl
try 2 '{"id":1,"code":"bf800000","in":{"v0.lane64":"5"}}\n{"id":2,"code":"bf800000","in":{"pc":"5"}}\n{"id":3,"code":"bf800000","in":{"s[0:3]":"100000004000000030000000200000001"}}\n' \
    '{"id":1,"error":"in.v0.lane64: not a lane"}\n{"id":2,"error":"in.pc: cannot be set"}\n{"id":3,"error":"in.s[0:3]: not a value of this register"}\n' \
    'gcncheck eval: every line was answered with an error' eval --jsonl
# TRAPSTS.mem_viol is bit 8.
try 3 '' 'trapsts  0x00000000 -> 0x00000100\n' 'gcncheck eval: access outside memory at 0x123400001000' \
    eval 'global_load_dword v0, v[2:3], off' 'v[2:3]=0x123400001000' 'mem[0x1000]=00000000'
try 3 '' 'v1       0x00000000 -> 0x00000005  all lanes\ntrapsts  0x00000000 -> 0x00000100\n' 'gcncheck eval: access outside memory at 0x2000' \
    eval "$(printf 'v_mov_b32 v1, 5\nglobal_load_dword v0, v[2:3], off')" 'v[2:3]=0x2000' 'mem[0x1000]=00000000'
try 2 '{"id":1,"code":"zz"}\nnonsense\n' \
    '{"id":1,"error":"code: '"'zz'"' is not a hex dword"}\n{"id":null,"error":"line 2: '"'[' or '{' expected near 'nonsense'"'"}\n' \
    'gcncheck eval: every line was answered with an error' eval --jsonl
load='"code":"dc508000 007f0002"'
try 0 '{"id":1,'"$load"',"in":{"v[2:3]":"123400001000"}}\n{"id":2,'"$load"',"in":{"v[2:3]":"1000","mem":{"1000":"05000000"}}}\n' \
    '{"id":1,"out":{},"fault":"123400001000"}\n{"id":2,"out":{"v0":"5"}}\n' '' eval --jsonl
try 0 '{"id":1,"code":"be810000","inn":{"s0":"5"}}\n{"id":2,"code":"be810000","in":{"s0":"5"}}\n' \
    '{"id":1,"error":"no member \\"inn\\": id, code and in are understood"}\n{"id":2,"out":{"s1":"5"}}\n' '' eval --jsonl
# One case in two shards: one of them is empty, and that is no error.
printf 'case-format 1\ntest move\ncode\n    s_mov_b32 s1, s0\nin s0 = 5\nout s1 = 5\n' >"$tmp/one.case"
codes=
for shard in 1 2; do
    "$gcncheck" run --quiet --shard $shard/2 "$tmp/one.case" >"$tmp/shard$shard"
    codes="$codes $?"
done
[ "$codes" = " 0 0" ] && [ "$(cat "$tmp"/shard? | grep -cxF '1..0 # SKIP empty shard')" = 1 ] && [ "$(cat "$tmp"/shard? | grep -cx '1\.\.1')" = 1 ]
ok $? "an empty shard"
modelled=$("$gcncheck" list --format tsv | awk -F'\t' '$5 == "yes"' | wc -l)
[ "$modelled" -gt 1000 ] && "$gcncheck" doctor | grep -q "gfx900, $modelled of [0-9]* opcodes modelled" &&
    "$gcncheck" fuzz --count 1 --out "$tmp/f" | grep -q "^implemented: .*($modelled are modelled)"
ok $? "list, doctor and fuzz count the same opcodes as modelled"
mkdir "$tmp/bin"
cp "$gcncheck" "$tmp/bin"
(cd "$tmp" && bin/gcncheck list) >"$tmp/out" 2>&1 && grep -q 's_add_u32 .* -  exact' "$tmp/out"
ok $? "list of a program without cases"
"$gcncheck" list --format json | python3 -c 'import json, sys; rows = json.load(sys.stdin)
sys.exit(not any(r["mnemonic"] == "s_add_u32" and r["forms"] == ["base", "literal"] and r["modelled"] for r in rows))'
ok $? "list --format json"
finish
