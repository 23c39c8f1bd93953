#!/bin/sh
# A sample of scripts/truth/builtins.sh: some functions at 2,000 inputs hold, and what is planted shows: a bound that is too low,
# bits that a device got wrong, a known difference that is not listed. TAP 13. Skipped where what it needs is not installed.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
root=$PWD
case $gcncheck in /*) ;; *) gcncheck=$root/$gcncheck ;; esac
export BUILD="$tmp" GCNCHECK="$gcncheck"
sample=sin_f32,exp_f64,log_f16,pow_f32,tan_f64,rootn_f16,sqrt_f64,fma_f32,ldexp_f64,remainder_f16,erf_f32,half_recip

sh scripts/truth/builtins.sh --count 2000 --only $sample >"$tmp/said" 2>&1
code=$?
if grep '^1\.\.0 # SKIP' "$tmp/said"; then
    exit 0
fi
adopt $code "$tmp/said"
expect "as many points as functions" 0 '^12$' grep -c '^ok [0-9]* - [a-z0-9_]*: 2000 inputs, .*bound' "$tmp/said"

# fails TITLE PATTERN ARGUMENT...: a point fails, and a line says what.
fails() {
    title=$1 pattern=$2
    shift 2
    expect "$title" 1 "$pattern" sh scripts/truth/builtins.sh --jobs 1 "$@"
}

fails "a bound that is too low" '^not ok 1 - exp_f64: .* beyond' --only exp_f64 --count 2000 --bound 0.505
again=$(printf '%s\n' "$said" | sed -n 's,^# again: scripts/truth/builtins.sh ,,p')
# shellcheck disable=SC2086
fails "the command that it names shows it again" '^# differs exp_f64 .*, want .* ULP$' $again --bound 0.505

# A device that computes as the model does, but for one bit of input 100 (of 8-byte results: the sign; of floats: the exponent).
cat >"$tmp/wrong" <<'END'
#!/bin/sh
"$RIGHT" "$@" || exit
while [ "$1" != --out ]; do shift; done
python3 - "$2/1.bin" <<'PY'
import sys
with open(sys.argv[1], "r+b") as f:
    f.seek(807)
    byte = f.read(1)[0]
    f.seek(807)
    f.write(bytes([byte ^ 0x80]))
PY
END
chmod +x "$tmp/wrong"
export RIGHT="$gcncheck"
GCNCHECK=$tmp/wrong
fails "a wrong sign of cos" '^# differs cos_f64 ' --only cos_f64 --count 2000
fails "a wrong sign of an exact result" '^# differs trunc_f64 ' --only trunc_f64 --count 2000
GCNCHECK=$gcncheck

# sinpi of odd integers is a listed zero of the other sign.
expect "a listed difference is printed" 0 '^# known sinpi_f32: [1-9]' sh scripts/truth/builtins.sh --only sinpi_f32 --at 3f800000
mkdir -p "$tmp/tree/scripts" "$tmp/tree/harness/t"
cp -r scripts/truth scripts/run "$tmp/tree/scripts"
cp -r harness/t/truth harness/t/lib "$tmp/tree/harness/t"
sed -i '/^sinpi_f32/d' "$tmp/tree/scripts/truth/builtins.known"
expect "one that is not listed fails" 1 '^# differs sinpi_f32 3f800000 ' sh "$tmp/tree/scripts/truth/builtins.sh" --only sinpi_f32 --at 3f800000
finish
