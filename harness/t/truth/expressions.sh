#!/bin/sh
# Random expressions in OpenCL C and C: a sample agrees with the host, and scripts/truth/expressions.py sees what does not. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
command -v clang-19 >/dev/null || skip_all "clang-19 is not installed (scripts/deps.sh long)"
libs=${ROCM_DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
[ -d "$libs" ] || skip_all "ROCm's device libraries are not installed (scripts/deps.sh long)"
make_tmp
export BUILD="$tmp" PYTHONDONTWRITEBYTECODE=1

# 2940 to 2999 are OpenCL C, those from 3000 on C
expect "a sample at four levels" 0 "^# 480 expressions compared" python3 scripts/truth/expressions.py --seed 2940 --count 120
expect "a bit of the host's result that is wrong" 1 "^# expression 2004 differs at -O1, gfx908, work-group 0, lane 0$" \
    python3 scripts/truth/expressions.py --seed 2000 --count 10 --level O1 --flip 2004
case $said in *"1 differ"*) ok 0 "it is the only one" ;; *) ok 1 "it is the only one" ;; esac
expect "its folder holds what was compared" 0 "^report.txt$" ls "$tmp/truth/2004.O1.gfx908"

# A model with one wrong bit: in front of the program stands one that changes what it leaves.
cat >"$tmp/wrong" <<'END'
#!/bin/sh
"$REAL" "$@" || exit
while [ "$1" != --out ]; do shift; done
python3 -c 'import sys; p = sys.argv[1]; d = bytearray(open(p, "rb").read()); d[-1] ^= 1; open(p, "wb").write(d)' "$2/1.bin"
END
chmod +x "$tmp/wrong"
case $gcncheck in /*) real=$gcncheck ;; *) real=$PWD/$gcncheck ;; esac
expect "a model that is wrong in the last byte" 1 "^# expression 2 differs at -O2, gfx906, work-group 3, lane 63$" \
    env REAL="$real" GCNCHECK="$tmp/wrong" python3 scripts/truth/expressions.py --seed 1 --count 2 --level O2 --mcpu gfx906
expect "a program that does not launch" 2 "^# 1 expressions could not be compared$" \
    env GCNCHECK=/bin/false python3 scripts/truth/expressions.py --count 1 --level O2
finish
