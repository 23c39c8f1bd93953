#!/bin/sh
# Tests launch --ulp: approximate results are within their error, not all the nearest, the same for one seed however the launch
# runs; code that relies on the nearest is found. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
folder=cases/kernels/rounds_best
co=$folder/gfx900.O3.co

# run KERNEL ARGUMENTS...
run() {
    sed "s/^kernel .*/kernel $1/" $folder/launch.txt > "$tmp/launch.txt"
    shift
    "$gcncheck" launch "$@" $co "$tmp/launch.txt" > "$tmp/out" 2>&1
}
cp $folder/*.bin "$tmp"

run rounds_best
ok $? "a quotient without correction is right where results are the nearest" "$tmp/out"
for seed in 1 2 3; do
    run rounds_best --ulp $seed
    [ $? = 1 ] && grep -q "out.bin differs" "$tmp/out"
    ok $? "--ulp $seed finds it" "$tmp/out"
done
for seed in 1 2 3 4 5 6; do
    run rounds_any --ulp $seed
    ok $? "with correction it is right: --ulp $seed" "$tmp/out"
done

# What a launch of `approximate` leaves: a float every 1/64 from 1/64 on.
python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<512f", *[(i + 1) / 64 for i in range(512)]))' > "$tmp/x.bin"
printf 'kernel approximate\ngrid 512 1 1\nworkgroup 128 1 1\nbuf x.bin\ntmp 32768\n' > "$tmp/all.txt"
values() {
    to=$1
    shift
    "$gcncheck" launch "$@" --force --out "$tmp/saved" $co "$tmp/all.txt" > "$tmp/out" 2>&1 && cp "$tmp/saved/1.bin" "$tmp/$to"
}
values best
values one --ulp 1 --jobs 1
values same --ulp 1 --jobs 2
cmp "$tmp/one" "$tmp/same" > "$tmp/out" 2>&1
ok $? "the same with --jobs 2" "$tmp/out"
for how in "--schedule random --seed 5" "--resident 4 --schedule adversarial" "--engine ref" "--check-memory" "--check-races" "--delay-memory max"; do
    # shellcheck disable=SC2086
    values same --ulp 1 $how && cmp "$tmp/one" "$tmp/same" >> "$tmp/out" 2>&1
    ok $? "the same with $how" "$tmp/out"
done
values two --ulp 2
! cmp -s "$tmp/one" "$tmp/two"
ok $? "another seed, other results"

# Errors of each instruction, from functions of double precision; f64 from fractions.
cat > "$tmp/errors.py" << 'END'
import math, struct, sys
from fractions import Fraction
folder = sys.argv[1]
x = struct.unpack("<512f", open(folder + "/x.bin", "rb").read())
names = ["rcp", "rsq", "sqrt", "exp", "log", "sin", "cos"]
functions = [lambda v: 1 / v, lambda v: 1 / math.sqrt(v), math.sqrt, lambda v: 2.0**v, math.log2,
             lambda v: math.sin(2 * math.pi * math.fmod(v, 1)), lambda v: math.cos(2 * math.pi * math.fmod(v, 1))]
ulp = lambda v: 2.0 ** (math.frexp(v)[1] - 24) if v else 2.0**-149
moved, worst = dict.fromkeys(names + ["rcp64", "rsq64", "sqrt64"], 0), {}
for seed in ["one", "two"]:
    got, best = [open(folder + "/" + f, "rb").read() for f in (seed, "best")]
    for i, v in enumerate(x):
        for n, name in enumerate(names):
            g, b = [struct.unpack_from("<f", s, 64 * i + 4 * n)[0] for s in (got, best)]
            want = functions[n](v)
            error = abs(g - want) * 2**21 if n > 4 else abs(g - want) / ulp(want)
            worst[name] = max(worst.get(name, 0), error)
            moved[name] += g != b
        for n, name in enumerate(["rcp64", "rsq64", "sqrt64"]):
            g, b = [struct.unpack_from("<d", s, 64 * i + 32 + 8 * n)[0] for s in (got, best)]
            g2, v2 = Fraction(g), Fraction(v)
            # relative, of the value itself or of its square (twice as much, and a little)
            error = abs(g2 * v2 - 1) if n == 0 else abs(g2 * g2 * v2 - 1) / 2 if n == 1 else abs(g2 * g2 / v2 - 1) / 2
            worst[name] = max(worst.get(name, 0), float(error * 2**23))
            moved[name] += g != b
for name in moved:
    # Judged from the nearest float: of an absolute error, half a unit in the last place (2^-25) more.
    good = worst[name] <= (1 + 2**-4 if name in ("sin", "cos") else 1.0001) and moved[name] > 200
    print("%s: at most %.4f of its error, %u of 1024 are not the nearest%s" % (name, worst[name], moved[name], "" if good else " WRONG"))
END
python3 "$tmp/errors.py" "$tmp" > "$tmp/errors"
for name in rcp rsq sqrt exp log sin cos rcp64 rsq64 sqrt64; do
    grep "^$name:" "$tmp/errors" > "$tmp/out" && ! grep -q WRONG "$tmp/out"
    ok $? "$name is within its error, and not always the nearest" "$tmp/out"
done
for bad in 0 -1 x 99999999999999999999999; do
    run rounds_best --ulp $bad
    [ $? = 2 ] && [ "$(wc -l < "$tmp/out")" = 1 ]
    ok $? "--ulp $bad is refused" "$tmp/out"
done
finish
