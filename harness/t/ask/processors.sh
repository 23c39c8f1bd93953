#!/bin/sh
# Tests, from outside, that processors of one generation differ where they should: texts, cases, streams. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# One number, two opcodes.
for mcpu in gfx900 gfx902 gfx909 gfx90c; do
    is 'v_mad_mix_f32 v1, v3, v4, v5' "$(echo d3a00001 04160903 | "$gcncheck" dis --mcpu $mcpu)" "$mcpu mixes with two roundings"
    is 'error: line 1: unknown mnemonic '"'v_fma_mix_f32'" \
        "$(echo 'v_fma_mix_f32 v1, v3, v4, v5' | "$gcncheck" asm --mcpu $mcpu)" "$mcpu and with no other"
done
for mcpu in gfx904 gfx906 gfx908; do
    is 'v_fma_mix_f32 v1, v3, v4, v5' "$(echo d3a00001 04160903 | "$gcncheck" dis --mcpu $mcpu)" "$mcpu mixes with one rounding"
    is 'error: line 1: unknown mnemonic '"'v_mad_mix_f32'" \
        "$(echo 'v_mad_mix_f32 v1, v3, v4, v5' | "$gcncheck" asm --mcpu $mcpu)" "$mcpu and with no other"
done

# Registers and opcodes of gfx908 only.
is 'd3d84001 18000103' "$(echo 'v_accvgpr_read_b32 v1, a3' | "$gcncheck" asm --mcpu gfx908)" "gfx908 has accumulation registers"
is 'invalid: MAI has no opcode 88' "$(echo d3d84001 18000103 | "$gcncheck" dis --mcpu gfx906)" "gfx906 has none"
is 'invalid: VOP3A has no opcode 315' "$(echo d13b0001 00020903 | "$gcncheck" dis --mcpu gfx904)" "gfx904 has no v_fmac_f32_e64"

# Cases: skipped with a reason and counted where the opcode is another processor's; the id begins with the processor.
mkdir -p "$tmp/vop2" "$tmp/vop3p"
cat >"$tmp/vop2/v_xor_b32.case" <<'CASE'
case-format 1
test plain
code
    v_xor_b32 v0, v1, v2
rows  v1  v2  | v0
      5   3   | 6
CASE
cat >"$tmp/vop2/v_xnor_b32.case" <<'CASE'
case-format 1
test another's
code
    v_xor_b32 v3, v1, v2
    v_xnor_b32 v0, v1, v2
rows  v1  v2  | v0          v3
      5   3   | 0xfffffff9  6
CASE
for mcpu in gfx900 gfx904; do
    "$gcncheck" run --mcpu $mcpu --format json "$tmp" >"$tmp/out" 2>"$tmp/err"
    is 0 $? "$mcpu: cases of other processors fail nothing"
    is "$mcpu/vop2/v_xor_b32/e32#plain.1 ok" \
        "$(sed -n 's/.*"status":"\(ok\)","id":"\([^"]*v_xor_b32[^"]*\)".*/\2 \1/p' "$tmp/out" | head -n 1)" "$mcpu: the id of a result"
    is 1 "$(grep -c "\"status\":\"skip\".*v_xnor_b32.*\"reason\":\"not-for-processor\"" "$tmp/out")" "$mcpu: skipped with a reason"
    is 'right 1, wrong 0, unimplemented 0, narrowed 0, skipped 1' "$(tail -n 1 "$tmp/err")" "$mcpu: and counted"
done
"$gcncheck" run --mcpu gfx908 --format json "$tmp" >"$tmp/out" 2>/dev/null
is 0 "$(grep -c not-for-processor "$tmp/out")" "gfx908 has both"

# Trap temporaries are called alike everywhere, wherever they stand; before gfx9 TBA is a scalar register.
mkdir -p "$tmp/traps/sop1"
printf 'case-format 1\ntest names\ntargets gfx6 gfx7 gfx8 gfx9\ncode\n    s_mov_b32 s0, s1\ncase wrong\nin s1 = 1  ttmp2 = 3\nout s0 = 1  ttmp2 = 4\n' \
    >"$tmp/traps/sop1/s_mov_b32.case"
for mcpu in gfx600 gfx701 gfx803 gfx900; do
    "$gcncheck" run --mcpu $mcpu "$tmp/traps" >"$tmp/out" 2>&1
    is '- ttmp2 want 0x00000004 got 0x00000003' "$(sed -n 's/  */ /g;s/^ //;/^- /p' "$tmp/out")" "$mcpu: ttmp2 is called so"
done
is 's0 0x00000000 -> 0x00000007' "$("$gcncheck" eval --mcpu gfx803 's_mov_b32 s0, tba_lo' tba=7 | sed 's/  */ /g')" "gfx803: TBA is read"
is 's0 0x00000000 -> 0x00000007' "$("$gcncheck" eval --mcpu gfx701 's_mov_b32 s0, flat_scratch_lo' flat_scratch_lo=7 | sed 's/  */ /g')" \
    "gfx701: FLAT_SCRATCH is where it has it"
is 's103 0x00000000 -> 0x00000007' "$("$gcncheck" eval --mcpu gfx701 's_mov_b32 s103, 7' | sed 's/  */ /g')" "gfx701: there are 104 scalar registers"
is 's103 0x00000000 -> 0x00000007' "$("$gcncheck" eval --mcpu gfx600 's_mov_b32 s103, 7' | sed 's/  */ /g')" "gfx600: there are as many"
refuse "gfx600 has no FLAT_SCRATCH" 2 "flat_scratch_lo" "$gcncheck" eval --mcpu gfx600 's_mov_b32 s0, flat_scratch_lo'
refuse "gfx600 has no FLAT" 2 "flat_load_dword" "$gcncheck" eval --mcpu gfx600 'flat_load_dword v0, v[0:1]'
refuse "gfx600 takes no literal as an offset" 2 "s_load_dword" "$gcncheck" eval --mcpu gfx600 's_load_dword s0, s[2:3], 0x100'
refuse "gfx600 has 32 KiB of LDS" 2 "lds bytes at 32768 lie outside 32 KiB" "$gcncheck" eval --mcpu gfx600 's_nop 0' 'lds[32768]=00'
"$gcncheck" eval --mcpu gfx701 's_nop 0' 'lds[65535]=00' >"$tmp/out" 2>&1
ok $? "gfx701 has 64" "$tmp/out"
refuse "gfx803 has no ttmp12" 2 "ttmp12" "$gcncheck" eval --mcpu gfx803 's_nop 0' ttmp12=1

# Streams: another processor, another stream, the same engine.
for mcpu in gfx600 gfx701 gfx803 gfx906 gfx908; do
    "$gcncheck" fuzz --mcpu $mcpu --seed 1 --count 200 --dut model:engine=host --out "$tmp/$mcpu" >"$tmp/out" 2>&1
    is 0 $? "$mcpu: streams on both engines"
    is 1 "$(grep -c 'right 200, wrong 0 (0 causes)' "$tmp/out")" "$mcpu: all of them right"
done
finish
