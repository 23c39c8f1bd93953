#!/bin/sh
# What `make test-long` runs, in parts. One line for each part: points passed and failed, seconds. The last line is their sum,
# "N passed, M failed". Code 1 if anything failed; the end of a failed part's output stands above its line.
#
#   scripts/run/test-long.sh [PART]...     default: all, in this order
#
#   newrow       an opcode that is one row and one shape
#   calculators  every calculator reproduces its case files
#   longer       campaigns, of which the quick tests have the short form, and the Debian package
#   faults       of the allocations and of each kind of system call of every command 12 fail, drawn by seed 1, and the last 8, one
#                at a time; 300 damages of files, 60 kills; planted faults of each
#   scale        time and memory of what is done with many cases, files, records, lines, findings and programs, and in a minute of fuzz
#   mutants      of mutants one in 4 and those of state are killed by the cases, one in 192 and those of state are found by the
#                fuzzer, and 100 at once
#   clang        built by clang: tests of modules, kernels, all cases, random programs, the cross-check
#   san          with the address and undefined-behaviour sanitizers: those, and what reads files, forks, and talks to devices
#   vectors      all cases of gfx900 and gfx908 as vectors, which both readers judge as gcncheck does, and as code objects
#                that check themselves; 50 mutants in these
#   coverage     what the cases leave unreached
#   predict      predictions from the manual's text, over more edges than in the quick tests
#   truth        LLVM's constants and constant folding, sums of matrix products, MPFR's functions, 10,000 random expressions
#   kernels      kernels built by clang and GCC, those for gfx6 to gfx8 under every check, and those of ROCm's libraries
#   random       random C programs of csmith
#   engines      the two engines against each other, a quarter of a million programs
#   exhaustive   the two engines over every 64th input of 32 bits, all inputs of 16 bits, and 2^26 pairs of these
#   division     five million divisions and roots
#   units        the transcendental unit against MPFR: every 255th of 2^32 operands
#   xcheck       assembler and disassembler against LLVM, all processors and operand codes
#   libs         compiled libraries: every instruction against LLVM, every kernel loaded and linted
#   hostile      every device that attacks; and several devices that vote, through pipes
#   parsers      AFL++ on each of the targets of harness/fz for some seconds, and a planted crash found in each
#   afl          AFL++ on programs: led by the branches of a device to a bug that chance does not find
#   slurm        a run and a campaign as job arrays on a Slurm of one node: killed, cancelled and doubled tasks, what is merged
#   vgpu         the virtual GPU: ROCm's runtime (rocminfo, kernels, code objects that check themselves) on all chips; libdrm's own
#                amdgpu_test by both front ends; Mesa on six chips (vulkaninfo, and compute programs of Vulkan, OpenGL ES and OpenCL with
#                known results); all cases, 1,000 random programs and 30 mutants as on a card, against what they are in process.
#                Takes sources from Debian
#   ports        built with musl, its libraries from Debian's sources, and for aarch64, run by qemu: cases, random programs, kernels
#                and pages are the same, byte for byte. Takes sources and packages from Debian
#   lint         some waits of every compiled kernel taken out; uses the kernels of the part `kernels`, or makes them
#
# and, if they are asked for by name:
#   gcc          the quick tests built by gcc, which are what `make test` is
#   whole        of what is drawn above: `faults`, allocation after allocation (where there are more than 10,000, every place and
#                10,000) and every call of fuzz, every mutant by the cases, 10,000 damages, 1,000 kills, 100 campaigns
#                killed and gone on with; 30 minutes of fuzz; `cards.py` with 10,000 programs and 200 mutants; 100,000 expressions; hours
#
# Those of `beside` (below) run first, two at a time; what they say stands in its place in the order.
#
# A part that has passed is not run again on the same commit: what it said stands in $LONG/COMMIT/PART (LONG: default
# build/test-long), so an interrupted run goes on where it was. A tree with changes that are not committed is always tested
# anew. FORGET=1: run all parts given again. What a part printed last stays in $LONG/PART.log.
cd "$(dirname "$0")/../.." || exit 2
parts="newrow calculators longer faults scale mutants clang san vectors coverage predict truth kernels random engines exhaustive division units xcheck libs hostile parsers afl slurm vgpu ports lint"
named="gcc whole" # only if they are asked for
beside="ports random newrow coverage slurm calculators predict" # leave a processor idle for most of their time: two at a time, first, longest first
long="${LONG:-build/test-long}"
run=scripts/run/run-tests.sh
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that called this: the builds of the parts have jobs of their own

# The folder of what has passed on this commit; empty where the tree is another.
commit=$(git rev-parse HEAD 2>/dev/null) && [ -z "$(git status --porcelain 2>/dev/null)" ] || commit=
passed_here=${commit:+$long/$commit}

# The programs that most parts run.
built() { make -s tests CC=gcc BUILD=build; }

# work PART: runs it. Its output holds a line "N passed, M failed" for each of its steps.
work() {
    case $1 in
    gcc) make quick CC=gcc BUILD=build WERROR=1 ;;
    clang) make quick-programs CC=clang BUILD=build-clang WERROR=1 ;;
    san) # memory that was freed is kept for less long: workers are forks, and each copies the tables of its pages
        ASAN_OPTIONS=quarantine_size_mb=4 TEST_TIMEOUT=1800 make quick-programs CC=gcc SAN=1 BUILD=build-san WERROR=1
        ;;
    newrow) TEST_TIMEOUT=1200 sh $run 'sh scripts/check/newrow.sh' ;;
    calculators) TEST_TIMEOUT=1200 sh $run 'sh scripts/calc/check.sh --all' ;;
    vectors)
        built && ALL=1 TEST_TIMEOUT=3600 sh $run 'sh harness/t/run/selfcheck.sh' 'sh harness/t/run/vectors.sh gfx900' \
            'sh harness/t/run/vectors.sh gfx908'
        ;;
    mutants) built && sh scripts/mutate/mutation-score.sh -s 4 && sh scripts/mutate/mutation-fuzz.sh -s 192 &&
        python3 scripts/mutate/many.py --time 150s --least 85 &&
        python3 scripts/mutate/vote.py ;;
    faults)
        all="JOBS=$(nproc) python3 scripts/faults" # each is one at a time, with as many processes as it may have
        built && JOBS=1 TEST_TIMEOUT=3600 sh $run "$all/inject.py --points 12" "$all/damage.py --count 300" "$all/kills.py --count 60" \
            "$all/inject.py --planted" "$all/damage.py --planted" "$all/kills.py --planted"
        ;;
    whole)
        built || return
        sh scripts/mutate/mutation-score.sh
        TEST_TIMEOUT=86400 sh $run 'python3 scripts/faults/inject.py --all' 'python3 scripts/faults/damage.py --count 10000' \
            'python3 scripts/faults/kills.py --count 1000' 'python3 scripts/faults/resume.py --kills 100' \
            'python3 scripts/check/scale.py --minutes 30' 'python3 scripts/vgpu/cards.py' \
            'python3 scripts/truth/expressions.py --count 100000 --level turn'
        ;;
    coverage) sh scripts/check/coverage.sh ;;
    predict) built && TEST_TIMEOUT=3600 sh $run 'python3 scripts/predict/predict.py --random 64 --cross 512' ;;
    truth) # each takes all processors
        built && python3 scripts/truth/constants.py && python3 scripts/truth/mfma.py && python3 scripts/truth/folding.py &&
            JOBS=1 TEST_TIMEOUT=3600 sh $run 'sh scripts/truth/builtins.sh' \
                'python3 scripts/truth/expressions.py --count 10000 --level turn'
        ;;
    kernels)
        built && GCNCHECK=build/gcncheck TEST_TIMEOUT=3600 sh $run 'sh scripts/kernels/kernels-cl.sh' 'sh scripts/kernels/kernels-gcc.sh' \
            'MCPU="gfx600 gfx701" BUILD=build/gfx67 KERNELS_CHECKS=1 sh scripts/kernels/kernels-cl.sh' \
            'MCPU=gfx803 BUILD=build/gfx8 KERNELS_CHECKS=1 sh scripts/kernels/kernels-cl.sh' \
            'sh scripts/kernels/kernels-roc.sh'
        ;;
    random) built && TEST_TIMEOUT=3600 sh $run 'sh scripts/kernels/csmith.sh 30' ;;
    engines) built && sh $run 'build/t_engine 250000' 'sh scripts/run/same-results.sh 5000' 'build/t_common 4' ;;
    exhaustive) # with `all` for 64, all operands
        built && build/t_exhaustive list | sed 's,^,build/t_exhaustive 64 ,' | xargs -d '\n' sh $run
        ;;
    division) built && sh $run 'build/t_div 80000' 'build/t_div64 80000' ;;
    units) # `build/t_trans sweep exp 1` takes all operands, in an hour or two
        built && sh $run 'build/t_trans sweep rcp 255' 'build/t_trans sweep rsq 255' 'build/t_trans sweep sqrt 255' \
            'build/t_trans sweep exp 255' 'build/t_trans sweep log 255' 'build/t_trans sweep sin 255' 'build/t_trans sweep cos 255'
        ;;
    xcheck)
        built && TEST_TIMEOUT=3600 sh $run 'sh scripts/xcheck/xcheck-llvm.sh --full --random 250000' 'build/t_text gfx900' 'build/t_text gfx906' \
            'build/t_text gfx908' 'build/t_text gfx803' 'build/t_text gfx700' 'build/t_text gfx600'
        ;;
    libs)
        built && TEST_TIMEOUT=3600 sh $run 'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx803' \
            'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx900' 'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx906' \
            'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx908' 'sh scripts/xcheck/xcheck-load.sh'
        ;;
    longer)
        built && ALL=1 TEST_TIMEOUT=1800 sh $run 'sh scripts/check/executed.sh' 'sh harness/t/fuzz/fuzz.sh' 'sh harness/t/fuzz/resume.sh' \
            'sh harness/t/fuzz/causes.sh' 'sh harness/t/fuzz/failed.sh' 'sh harness/t/cmd/environment.sh' 'sh harness/t/cmd/circumstances.sh' 'sh harness/t/ship/deb.sh'
        ;;
    hostile) built && TEST_TIMEOUT=3600 sh $run 'ALL=1 sh harness/t/run/hostile.sh' 'ALL=1 sh harness/t/run/vote.sh' ;;
    parsers) built && ALL=1 TEST_TIMEOUT=3600 sh $run 'sh harness/t/launch/parsers.sh' ;;
    afl) built && ALL=1 TEST_TIMEOUT=1800 sh $run 'sh harness/t/fuzz/afl.sh' ;;
    slurm) built && TEST_TIMEOUT=3600 sh $run 'sh scripts/slurm/test.sh' ;;
    vgpu)
        built && ALL=1 TEST_TIMEOUT=3600 sh $run 'sh harness/t/vgpu/hsa.sh' 'sh scripts/vgpu/amdgpu-test.sh' 'sh scripts/vgpu/vulkan.sh' \
            'sh scripts/vgpu/mesa.sh' 'python3 scripts/vgpu/cards.py --streams 1000 --mutants 30'
        ;;
    scale)
        built && TEST_TIMEOUT=3600 sh $run 'python3 scripts/check/scale.py --minutes 1' 'python3 scripts/check/scale.py' \
            'python3 scripts/check/scale.py --planted' 'python3 scripts/check/scale.py --minutes 1 --planted'
        ;;
    ports) built && TEST_TIMEOUT=3600 sh $run 'sh scripts/check/aarch64.sh' 'sh scripts/check/musl.sh' ;;
    lint) built && TEST_TIMEOUT=3600 sh $run 'sh scripts/kernels/lint-removals.sh --fast' ;;
    esac
}

# side_by_side PART...: runs those of `beside`, if they are several: what each says is left in $long/PART.said.
side_by_side() {
    for name in $beside; do
        case " $* " in *" $name "*) said_beside="$said_beside $name" ;; esac
    done
    set -- $said_beside
    [ $# -gt 1 ] || { said_beside= && return; }
    for name; do rm -f "$long/$name.said"; done # of an earlier run: xargs starts no more if one is killed
    built >"$long/build.log" 2>&1 # once for all; if it fails, each says so
    printf '%s\n' "$@" | xargs -P 2 -I @ sh -c 'sh scripts/run/test-long.sh @ >"$0/@.said" 2>&1' "$long"
}

# part NAME: runs it, or takes what it said before or beside others; adds to the sums.
part() {
    case " $said_beside " in *" $1 "*)
        sed '$d' "$long/$1.said"
        last=$(tail -n 1 "$long/$1.said")
        p=${last%% *} f=${last#*, }
        f=${f%% *}
        case $last in
        [0-9]*" passed, "[0-9]*" failed") ;;
        *) echo "$1: ended without a sum" && p=0 f=1 ;;
        esac
        passed=$((passed + p))
        failed=$((failed + f))
        return
        ;;
    esac
    if [ -n "$passed_here" ] && [ -z "${FORGET:-}" ] && [ -f "$passed_here/$1" ]; then
        read -r p _ f _ <"$passed_here/$1"
        echo "$1: $(cat "$passed_here/$1"), before"
    else
        start=$(date +%s)
        work "$1" >"$long/$1.log" 2>&1
        code=$?
        # Without a closing line, or with a code that no failed point explains, the part counts as one failure.
        count=$(awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; n++ } END { if (n) print p, f }' "$long/$1.log")
        p=${count% *} f=${count#* }
        [ -n "$count" ] || { p=0 f=1; }
        [ $code = 0 ] || [ "$f" != 0 ] || f=1
        said="$p passed, $f failed, $(($(date +%s) - start)) s"
        if [ "$f" = 0 ]; then
            [ -z "$passed_here" ] || { mkdir -p "$passed_here" && echo "$said" >"$passed_here/$1"; }
        else
            grep -Ev ' ok( +[0-9]+ ms .*)?$' "$long/$1.log" | tail -40
        fi
        echo "$1: $said"
    fi
    passed=$((passed + p))
    failed=$((failed + f))
}

[ $# -gt 0 ] || set -- $parts
for name; do
    case " $parts $named " in
    *" $name "*) ;;
    *) echo "test-long.sh: '$name': use $parts $named" >&2; exit 2 ;;
    esac
done
mkdir -p "$long" || exit 2
passed=0
failed=0
said_beside=
side_by_side "$@"
for name; do
    part "$name"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
