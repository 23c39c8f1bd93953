#!/bin/sh
# The model agrees with LLVM's constant folding of a sample of inputs of every operation, and the comparison sees a fault.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh

command -v opt-19 >/dev/null || skip_all "no opt-19"
make_tmp
export GCNCHECK="$gcncheck"

python3 scripts/truth/folding.py --count 100 --no-intrinsics >"$tmp/sample" 2>&1
code=$?
grep -e '^differs' -e '^folding' "$tmp/sample" >"$tmp/why"
ok $code "the model and LLVM's folding: 100 inputs of every operation" "$tmp/why"
grep -q '^[1-9][0-9]* passed, 0 failed$' "$tmp/sample"
ok $? "the last line counts operations"

expect "one wrong bit of LLVM's makes every operation fail" 1 '^0 passed, [1-9][0-9]* failed$' \
    python3 scripts/truth/folding.py --count 100 --no-intrinsics --plant

# A model of whose values those that end in 0 end in 1.
model=$(realpath "$gcncheck")
cat >"$tmp/wrong" <<END
#!/bin/sh
[ "\$1" = eval ] || exec $model "\$@"
$model "\$@" | sed 's/0"/1"/g'
END
chmod +x "$tmp/wrong"
expect "a model whose answers are altered differs" 1 '^differs: v_add_u32: .*gcncheck eval --mcpu gfx900' \
    env GCNCHECK="$tmp/wrong" python3 scripts/truth/folding.py --count 100 --only v_add_u32
printf '#!/bin/sh\nexec opt-19 -S -passes=verify\n' >"$tmp/idle"
chmod +x "$tmp/idle"
expect "an operation that LLVM does not fold is no success" 1 '^differs: v_add_u32: LLVM folds none' \
    env OPT="$tmp/idle" python3 scripts/truth/folding.py --count 100 --only v_add_u32

expect "an intrinsic that folds and is compared" 0 '^folds: llvm.amdgcn.fract: .*half (half)' \
    python3 scripts/truth/folding.py --intrinsics --only fract
expect "one that is compared nowhere is a failure" 1 '^folds, not compared: llvm.amdgcn.fract: ' \
    python3 scripts/truth/folding.py --intrinsics --only fract --plant
finish
