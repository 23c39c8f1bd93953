#!/bin/sh
# Mesa's radeonsi, unmodified, on the virtual GPU: OpenGL ES 3.1 by EGL without a screen, and OpenCL 1.1 by Clover. The programs are
# those of harness/t/vgpu/mesa, whose results are known without gcncheck. Images have no compression, of which the driver gets rid by
# drawing, and before gfx9 no tiles. Then that planted faults are seen. TAP 13; at the end a table.
#
#   scripts/vgpu/mesa.sh [CHIP]...    default: all chips below
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
build=$(dirname "$gcncheck")
third=$build/third/mesa
sources=harness/t/vgpu/mesa
[ -e "$build/gcncheck-vgpu.so" ] || skip_all "built without libdrm (libdrm-dev)"
nm -D "$build/gcncheck-vgpu.so" | grep -q __asan_init && skip_all "the sanitizers' library must come first"
for need in EGL/egl.h GLES3/gl31.h CL/cl.h; do
    printf '#include <%s>\n' $need | cc -E - >/dev/null 2>&1 || skip_all "$need is not installed (scripts/deps.sh long)"
done
[ -e /etc/OpenCL/vendors/mesa.icd ] || skip_all "Clover is not installed (mesa-opencl-icd)"
export MESA_SHADER_CACHE_DISABLE=true OCL_ICD_VENDORS=/etc/OpenCL/vendors/mesa.icd
make_tmp
mkdir -p "$third" || exit 2
for api in gles opencl; do
    libs="-lEGL -lGLESv2"
    [ $api = gles ] || libs=-lOpenCL
    cc -std=c11 -O1 -Wall -Wextra -ffp-contract=off -o "$third/$api" $sources/$api.c $sources/known.c $libs -lm >"$tmp/build" 2>&1
    ok $? "$api.c is built" "$tmp/build"
done

# on CHIP[,mutant=ID] OPTIONS... -- PROGRAM...: outputs in $tmp/out.
on() {
    case $1 in polaris* | hawaii) debug=nodcc,notiling ;; *) debug=nodcc ;; esac
    AMD_DEBUG=$debug timeout 300 "$gcncheck" vgpu --quiet "$@" >"$tmp/out" 2>&1
}

# none CHIP API: why the driver has nothing of the kind, if it says so.
none() {
    case $2 in
    gles) sed -n "s/^radeonsi: can't create a graphics context on a compute chip$/radeonsi has no OpenGL where there is no graphics/p" "$tmp/out" ;;
    opencl) sed -n "s/.*cannot open file '\([^']*\)'.*/libclc has no \1/p" "$tmp/out" | head -1 ;;
    esac
}

# programs CHIP API: a point for each program, and one for all of them in one process.
programs() {
    rm -f "$tmp/log"
    on "$1" --stats --log "$tmp/log" -- "$third/$2" $sources
    code=$?
    cp "$tmp/out" "$tmp/said"
    why=$([ $code = 2 ] && none "$1" "$2")
    for name in $("$third/$2" $sources list); do
        if [ -n "$why" ]; then
            skip "$1: $2 $name" "$why"
            verdict=none
        else
            grep -q "^pass $name$" "$tmp/said"
            verdict=$?
            ok $verdict "$1: $2 $name" "$tmp/said"
            [ $verdict = 0 ] && verdict=pass || verdict=fail
        fi
        echo "$2 $name $1 $verdict" >>"$tmp/table"
    done
    [ -z "$why" ] || return 0
    [ $code = 0 ] && grep -q ' 0 hangs, 0 errors$' "$tmp/said"
    ok $? "$1: $2: nothing else is complained of" "$tmp/said"
    sed -n 's/^vgpu:   first executed here: //p' "$tmp/log" | tr ' ' '\n' | sort -u >"$tmp/opcodes"
    note "$1: $2: $(wc -l <"$tmp/opcodes") opcodes: $(tr '\n' ' ' <"$tmp/opcodes")"
}

for chip in ${*:-vega10 vega20 mi100 raven polaris10 hawaii}; do
    programs "$chip" gles
    programs "$chip" opencl
done
for api in gles opencl; do
    on vega10 --front seccomp --stats -- "$third/$api" $sources uniform shared
    [ $? = 0 ] && grep -q ' 0 hangs, 0 errors$' "$tmp/out"
    ok $? "vega10: $api by the other front end" "$tmp/out"
done

# ---- it fails when something is wrong ----

# fault TITLE PATTERN CHIP OPTIONS... -- PROGRAM: it does not end well, and says so.
fault() {
    title=$1 pattern=$2
    shift 2
    on "$@"
    [ $? != 0 ] && grep -q "$pattern" "$tmp/out"
    ok $? "planted: $title" "$tmp/out"
}
if [ -e "$build/gcncheck-vgpu-mutants.so" ]; then
    while read -r api name mutant; do
        fault "$mutant by $api $name" "^fail $name$" "vega10,mutant=$mutant" -- "$third/$api" $sources "$name"
    done <<MUTANTS
gles bits v_bfrev_b32.bytes
gles shared ds_read_b32.size
gles half v_cvt_pkrtz_f16_f32.crossed
gles image image_load.base
opencl wide v_mul_hi_u32.bit32
opencl atomic global_atomic_add.add_sub
opencl double v_add_f64.other_op
MUTANTS
else
    skip "mutants" "gcncheck-vgpu-mutants.so is not built (make mutants)"
fi
fault "a submission that hangs" "ring timeout" vega10 --fault hang=1 -- "$third/gles" $sources uniform
on vega10 -- "$third/gles" $sources draw
grep -q "a draw: there is no rasterizer here" "$tmp/out"
ok $? "a program that draws is told so" "$tmp/out"

# ---- what was seen ----

note "$(awk '{ if (!($3 in chip)) { chip[$3] = 1; chips[++n] = $3 } key = $1 " " $2; if (!(key in row)) { row[key] = 1; order[++rows] = key } cell[key, $3] = $4 }
    END { printf "%-16s", "program"; for (i = 1; i <= n; i++) printf " %-10s", chips[i]; print ""
          for (r = 1; r <= rows; r++) { printf "%-16s", order[r]; for (i = 1; i <= n; i++) printf " %-10s", cell[order[r], chips[i]]; print "" } }' "$tmp/table")"
finish
