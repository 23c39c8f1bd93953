#!/bin/sh
# Tests launch --loader: a program with LLVM's start kernels gets its arguments, is answered what it asks the host, and its exit code
# is that of gcncheck. TAP 13. cases/kernels/loader/program.c says what each word has it do; with clang-19 it is compiled anew, too.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
folder=cases/kernels/loader

# run CODE OUT ERR ARGUMENTS...: exit code, standard output, standard error.
run() {
    want_code=$1 want_out=$2 want_err=$3
    shift 3
    env -i GPU_FLAVOUR=plain OTHER=1 "$gcncheck" launch --loader "$@" > "$tmp/out" 2> "$tmp/err"
    code=$?
    [ $code = "$want_code" ] && [ "$(cat "$tmp/out")" = "$want_out" ] && [ "$(cat "$tmp/err")" = "$want_err" ]
    held=$?
    [ $held = 0 ] || note "exit code $code
$(sed 's/^/out: /' "$tmp/out")
$(sed 's/^/err: /' "$tmp/err")"
    ok $held "$title: $*"
}

# What a program of two arguments or more says; with one, its destructor speaks, too.
line="-3  2.50|text  |x|12345678901 100% a string of more than fifty-six characters, in two packets"
program() {
    run 5 "arguments
of its own
-v
-w
GPU_FLAVOUR=plain" "" "$1" -- arguments "of its own" -v -w
    run 5 "constructor
destructor, $2" "" "$1" constructor
    run 40 "" "" "$1" order -
    for how in "" "--threads 64" "--blocks 3 --threads 100" "--blocks 9 --threads 70 --schedule random --seed 2" \
        "--blocks 4 --threads 128 --resident 4 --schedule adversarial" "--threads 256 --schedule reverse --jobs 2"; do
        # shellcheck disable=SC2086
        for word in increment pieces memory; do run 0 "" "" $how "$1" $word -; done
    done
    run 106 "$line
lane 0 of many" "error    42" "$1" words -
    run 106 "$line
$line
$line
$line
lane 0 of many
lane 1 of one
lane 2 of many" "error    42
error    42
error    42
error    42" --threads 4 "$1" words -
    run 14 "" "to the stream" "$1" stream -
    run 51 "" "" --blocks 2 "$1" exit -
    run 0 "" "" --threads 70 "$1" quiet -
    run 255 "" "" "$1" - -
    run 3 "" "gcncheck launch: $1: abort was called" "$1" bail -
    run 3 "" "gcncheck launch: $1: call 8 (fopen): no host answers it" "$1" file -
    for memory in weak:1 weak:2 weak:3; do
        run 0 "" "" --memory $memory --blocks 3 --threads 100 "$1" increment -
        run 0 "" "" --memory $memory --threads 128 "$1" pieces -
    done
    run 0 "" "" --check-races --blocks 2 --threads 128 "$1" increment -
    run 0 "" "" --check-hazards --delay-memory 3 --threads 128 "$1" pieces -
}
for made in gfx900.O2 gfx900.llvm21.O2; do
    title=$made
    program $folder/$made.co "$([ $made = gfx900.O2 ] && echo 5 || echo -1)"
done

co=$folder/gfx900.O2.co
refuse() {
    "$gcncheck" launch $2 > "$tmp/out" 2>&1
    [ $? = 2 ] && grep -q -e "$3" "$tmp/out" && [ "$(wc -l < "$tmp/out")" = 1 ]
    ok $? "$1" "$tmp/out"
}
refuse "no start kernel" "--loader cases/kernels/vadd_f32/gfx900.O3.co" "vadd_f32/gfx900.O3.co: has no kernel '_begin'"
for other in --check-memory "--turns 0" "--schedule exhaustive" "--out $tmp/folder"; do
    refuse "not with $other" "--loader $other $co" "loader and --.* exclude each other"
done
refuse "not with --list" "--loader --list $co" "loader and --list exclude each other"
refuse "threads alone" "--threads 2 $co $folder/program.c" "is for --loader"
refuse "more work-items than there are" "--loader --threads 1024 --blocks 2 $folder/none.co" "none.co: cannot be opened"
refuse "arguments without it" "$co a b" "is too much"

if command -v clang-19 > /dev/null && command -v ld.lld-19 > /dev/null; then
    for how in "gfx803 -O1 -mcode-object-version=4" "gfx900 -O0" "gfx906 -O3" "gfx908 -O2"; do
        # shellcheck disable=SC2086
        clang-19 -x c -std=c11 --target=amdgcn-amd-amdhsa -mcpu=${how%% *} ${how#* } -ffreestanding -nogpulib -c -o "$tmp/p.o" $folder/program.c &&
            ld.lld-19 -shared -o "$tmp/p.co" "$tmp/p.o"
        ok $? "$how: compiled"
        title=$how
        run 40 "" "" "$tmp/p.co" order -
        run 0 "" "" --blocks 2 --threads 100 "$tmp/p.co" increment -
        run 0 "" "" --blocks 2 --threads 100 "$tmp/p.co" pieces -
        run 106 "$line
lane 0 of many" "error    42" "$tmp/p.co" words -
        run 51 "" "" --blocks 2 "$tmp/p.co" exit -
    done
fi
finish
