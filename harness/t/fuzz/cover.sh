#!/bin/sh
# What streams cover and are steered by, as a user has it: gcncheck cover, fuzz --coverage, --fill-holes, --profile, --weights,
# --skip, --form. Prints TAP. Needs `make tests` done before.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp
whole=plugin:$build/model_dut.so

# fuzz ARGUMENT...: a campaign against the model, unless --dut says otherwise; $code, $tmp/out and $tmp/err are what came of it.
fuzz() {
    "$gcncheck" fuzz --jobs 2 --out "$tmp/findings" "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
}

# pairs: of the summary in $tmp/out, the legal pairs that were seen.
pairs() {
    sed -n 's/^coverage: \([0-9]*\) of .*/\1/p' "$tmp/out"
}

# ---- counting ----
fuzz --count 512 --coverage "$tmp/a.cov"
is 0 $code "a campaign that counts"
first=$(pairs)
expect "cover shows what it counted" 0 "^gfx900: $first of [0-9]* legal pairs" "$gcncheck" cover "$tmp/a.cov"
expect "by encoding" 0 "^VOP3A  *103 " "$gcncheck" cover "$tmp/a.cov"
expect "by sort of factor" 0 "^operands   values " "$gcncheck" cover "$tmp/a.cov"
cp "$tmp/a.cov" "$tmp/b.cov"
fuzz --count 512 --coverage "$tmp/b.cov"
is "$first" "$(pairs)" "the same streams again bring nothing"
grep -q '(0 of them new)\|, 0 of them new' "$tmp/out"
ok $? "and the summary says so" "$tmp/out"
fuzz --count 512 --seed 2 --coverage "$tmp/b.cov"
[ "$(pairs)" -gt "$first" ]
ok $? "others are added to what the file holds"
"$gcncheck" cover "$tmp/a.cov" "$tmp/a.cov" | sed -n 1p | grep -q "^gfx900: $first of .* in 1024 streams"
ok $? "several files are one count"
"$gcncheck" fuzz --jobs 1 --count 512 --coverage "$tmp/one.cov" --out "$tmp/findings" >/dev/null
cmp "$tmp/a.cov" "$tmp/one.cov"
ok $? "one thread counts what two count"
"$gcncheck" cover --count 64 >"$tmp/cover" && grep -q 'in 64 streams .*; values of 64 streams' "$tmp/cover"
ok $? "without a file cover makes the streams itself" "$tmp/cover"
holes=$("$gcncheck" cover --format tsv --only v_add_f32 --form e64 "$tmp/a.cov" | sed 1d | wc -l)
legal=$("$gcncheck" cover --only v_add_f32 --form e64 "$tmp/a.cov" | sed -n '1s/.*: \([0-9]*\) of \([0-9]*\) legal.*/\1 \2/p')
is "${legal#* }" $((${legal% *} + holes)) "every pair that was not seen is a line of the tsv"

# ---- holes ----
fuzz --count 1024 --coverage "$tmp/plain.cov"
plain=$(pairs)
fuzz --count 1024 --fill-holes --coverage "$tmp/fill.cov"
fill=$(pairs)
note "1024 streams: $plain pairs, with --fill-holes $fill"
[ "$fill" -gt $((plain * 5 / 4)) ]
ok $? "streams made of what is missing cover at least a quarter more"
"$gcncheck" fuzz --jobs 1 --count 1024 --fill-holes --coverage "$tmp/one-fill.cov" --out "$tmp/findings" >/dev/null
cmp "$tmp/fill.cov" "$tmp/one-fill.cov"
ok $? "for any number of threads"
fuzz --count 512 --fill-holes --dut "$whole"
is 0 $code "they are right on the model as a plug-in"
grep -q '^streams: right 512, wrong 0' "$tmp/out"
ok $? "all of them" "$tmp/out"
GCNCHECK_MUTANT=v_mad_f32.s2_plain fuzz --count 512 --fill-holes --dut "$whole"
is 1 $code "a planted bug"
grep -q '^cause 1: v_mad_f32 ' "$tmp/out"
ok $? "is found with them" "$tmp/out"

# ---- what is drawn ----
fuzz --count 128 --profile lds --coverage "$tmp/lds.cov"
lds=$("$gcncheck" cover --only ds "$tmp/lds.cov" | sed -n '1s/.*: \([0-9]*\) of.*/\1/p')
fuzz --count 128 --coverage "$tmp/usual.cov"
usual=$("$gcncheck" cover --only ds "$tmp/usual.cov" | sed -n '1s/.*: \([0-9]*\) of.*/\1/p')
note "LDS in 128 streams: $lds pairs with the profile, $usual without"
[ "$lds" -gt $((usual * 2)) ]
ok $? "a profile turns streams around its opcodes"
fuzz --count 128 --skip vop3a,v_add_f32 --coverage "$tmp/skip.cov"
is 0 "$(grep -c '^v_add_f32 \|^v_mad_f32 ' "$tmp/skip.cov")" "what is skipped is not drawn"
fuzz --count 64 --only v_add_f32,v_mad_f32 --form sdwa
is 0 $code "a form of one of them"
fuzz --count 64 --only v_mad_f32 --form sdwa
is "2 --form sdwa: none of the opcodes has it" "$code $(sed 's/^gcncheck[^:]*: //; s/^error: //' "$tmp/err" | tail -1 | sed 's/.*\(--form\)/\1/')" "a form that none has"
printf '# only these\n* 0\nv_add_f32/e64 5\nds_add_u32 1 # and this\n' >"$tmp/weights"
fuzz --count 64 --weights "$tmp/weights" --coverage "$tmp/w.cov"
is 0 $code "a file of weights"
is "" "$(grep -c '^v_mul_f32 ' "$tmp/w.cov" | grep -v '^0$')" "weight 0 is drawn only where another needs it"
[ "$(sed -n 's/^v_add_f32 e64 [0-9a-f]* \([0-9]*\) .*/\1/p' "$tmp/w.cov")" -gt 500 ]
ok $? "and others by their weight"

# ---- forms have the names that runs and findings give them ----
is base "$(sed -n 's/^s_add_u32 \([a-z0-9]*\) .* .* .*/\1/p' "$tmp/a.cov" | grep -v literal)" "a form without a long one is base in files of coverage"
is e32 "$(sed -n 's/^v_add_f32 \(e32\) .*/\1/p' "$tmp/a.cov")" "one with a long one is e32"
"$gcncheck" cover --only s_add_u32 "$tmp/a.cov" | grep -q '^s_add_u32  *base '
ok $? "and in what cover prints"
sed '3,$s/^\([a-z0-9_]* \)base /\1e32 /; $d' "$tmp/a.cov" >"$tmp/old.cov"
python3 - "$tmp/old.cov" <<'END'
import sys, zlib
lines = open(sys.argv[1]).read().splitlines()
total = 0
for line in lines:
    total = zlib.crc32(total.to_bytes(4, "little") + zlib.crc32(line.encode()).to_bytes(4, "little"))
open(sys.argv[1], "a").write(f"end {len(lines)} {total:08x}\n")
END
"$gcncheck" cover "$tmp/old.cov" >"$tmp/old" 2>&1
"$gcncheck" cover "$tmp/a.cov" | cmp -s - "$tmp/old"
ok $? "files of earlier versions, in which base is e32, are read" "$tmp/old"

# ---- what is wrong ----
wrong() { # wrong TITLE PATTERN ARGUMENT...: code 2 and one line
    title=$1 pattern=$2
    shift 2
    "$gcncheck" "$@" >"$tmp/out" 2>"$tmp/err"
    is "2 1" "$? $(wc -l <"$tmp/err")" "$title"
    grep -q -- "$pattern" "$tmp/err"
    ok $? "$title: what and where" "$tmp/err"
}
wrong "an unknown profile" "no 'float'; there are: salu valu" fuzz --profile float --count 1 --out "$tmp/f"
wrong "an unknown name to skip" "no mnemonic or encoding 'v_ad'" fuzz --skip v_ad --count 1 --out "$tmp/f"
echo 'v_add_f32 lots' >"$tmp/bad"
wrong "a weight that is none" "bad:1: 'lots' is no weight" fuzz --weights "$tmp/bad" --count 1 --out "$tmp/f"
printf '\nv_add_f32/dpp8 3\n' >"$tmp/bad"
wrong "a form that is none" "bad:2: 'v_add_f32' has no form 'dpp8'" fuzz --weights "$tmp/bad" --count 1 --out "$tmp/f"
printf 'v_add_f32\n' >"$tmp/bad"
wrong "a name without weight" "bad:1: 'v_add_f32' has no weight" fuzz --weights "$tmp/bad" --count 1 --out "$tmp/f"
echo '* 0' >"$tmp/bad"
wrong "nothing with a weight" "--weights $tmp/bad.* leaves no opcode" fuzz --weights "$tmp/bad" --count 1 --out "$tmp/f"
wrong "a profile and a name without a form in common" "fuzz: --only s_add_u32, --profile dpp: together leave no opcode in any form" \
    fuzz --only s_add_u32 --profile dpp --count 64 --out "$tmp/f"
wrong "a profile whose opcodes are skipped" "fuzz: --skip vop1,vop2,vopc, --profile dpp: together leave no" \
    fuzz --skip vop1,vop2,vopc --profile dpp --count 64 --out "$tmp/f"
wrong "a name that is skipped" "--only names 's_add_u32', and --skip leaves it out" fuzz --only s_add_u32 --skip s_add_u32 --count 64 --out "$tmp/f"
wrong "how many of a file" "cover: --count is of programs that cover makes itself: $tmp/a.cov was counted before" cover --count 5 "$tmp/a.cov"
wrong "another processor's coverage" "is of gfx900, not of gfx908" cover --mcpu gfx908 "$tmp/a.cov"
sed '$d' "$tmp/a.cov" >"$tmp/bad"
wrong "coverage that is cut short" "is cut short" cover "$tmp/bad"
sed '4s/[0-9a-f]$/x/' "$tmp/a.cov" >"$tmp/bad"
wrong "coverage with a digit that is none" "bad:4: the pairs of .* are damaged" cover "$tmp/bad"
sed '5d' "$tmp/a.cov" >"$tmp/bad"
wrong "coverage that lacks a line" "damaged: its lines are not those that were written" cover "$tmp/bad"
awk 'NR == 3 { $3 = "0123456789abcdef" } { print }' "$tmp/a.cov" >"$tmp/bad"
wrong "coverage of another version" "bad:3: .* was counted by another version" cover "$tmp/bad"
echo precious >"$tmp/bad"
wrong "a file of something else" "bad:1: is no file of coverage" fuzz --coverage "$tmp/bad" --count 64 --out "$tmp/f"
is precious "$(cat "$tmp/bad")" "which stays as it is"
finish
