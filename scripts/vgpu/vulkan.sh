#!/bin/sh
# Mesa's RADV, unmodified, on the virtual GPU: vulkaninfo, and the programs of harness/t/vgpu/vulkan, whose results are known
# without gcncheck, each in a process of its own. On gfx9 all must be right; elsewhere a program is left out only where the driver
# says that it lacks the feature, which vulkaninfo must say too, or must stop by name where scripts/vgpu/vulkan.known says. Then
# that planted faults are seen. TAP 13; at the end a table, and for each chip how many opcodes its shaders have executed, and which.
#
#   scripts/vgpu/vulkan.sh [CHIP]... [-- PROGRAM...]    default: all chips below, all programs
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
build=$(dirname "$gcncheck")
third=$build/third/vulkan
sources=harness/t/vgpu/vulkan
[ -e "$build/gcncheck-vgpu.so" ] || skip_all "built without libdrm (libdrm-dev)"
nm -D "$build/gcncheck-vgpu.so" | grep -q __asan_init && skip_all "the sanitizers' library must come first"
for need in glslangValidator vulkaninfo cc; do
    command -v $need >/dev/null || skip_all "$need is not installed (scripts/deps.sh long)"
done
icd=$(ls /usr/share/vulkan/icd.d/radeon_icd.*.json 2>/dev/null | head -1)
[ -n "$icd" ] || skip_all "RADV is not installed (mesa-vulkan-drivers)"
# Of all drivers RADV alone, no layers between, every shader compiled anew.
export VK_ICD_FILENAMES="$icd" VK_DRIVER_FILES="$icd" NODEVICE_SELECT=1 MESA_SHADER_CACHE_DISABLE=true RADV_DEBUG=nocache

chips= programs=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    chips="$chips $1"
    shift
done
[ "${1:-}" != -- ] || { shift; programs=$*; }
chips=${chips:-vega10 vega20 mi100 raven polaris10 hawaii}
make_tmp
mkdir -p "$third" || exit 2
for shader in "$sources"/*.comp; do
    glslangValidator --quiet -V --target-env vulkan1.2 "$shader" -o "$third/$(basename "$shader" .comp).spv" >>"$tmp/build" 2>&1 ||
        bail "$shader: $(grep ERROR "$tmp/build" | head -1)"
done
cc -std=c11 -O1 -Wall -Wextra -ffp-contract=off -I. -o "$third/vulkan" "$sources"/*.c -lvulkan -lm >"$tmp/build" 2>&1
ok $? "the programs are built" "$tmp/build"
programs=${programs:-$("$third/vulkan" "$third" list)}

# on CHIP[,mutant=ID] OPTIONS... -- PROGRAM...: outputs in $tmp/out.
on() {
    timeout 120 "$gcncheck" vgpu --quiet "$@" >"$tmp/out" 2>&1
}

# lacks FEATURE: whether vulkaninfo says so, in $tmp/info.
lacks() {
    case $1 in
    VK_SUBGROUP_FEATURE_*) ! sed -n '/supportedOperations/,/:/p' "$tmp/info" | grep -q "$1" ;;
    *) grep -q "^[[:space:]]*$1 *= false" "$tmp/info" ;;
    esac
}

# is_known CHIP NAME: whether the list says that it does not pass.
is_known() {
    awk -v chip="$1" -v name="$2" '/^[^#]/ && $2 == name { n = split($1, list, ","); for (i = 1; i <= n; i++)
        if (list[i] == chip) known = 1 } END { exit !known }' scripts/vgpu/vulkan.known
}

# executed: which opcodes were, by $tmp/log.
executed() {
    sed -n 's/^vgpu:   first executed here: //p' "$tmp/log" 2>/dev/null | tr ' ' '\n'
}

# program CHIP NAME: one point; its verdict to $tmp/table.
program() {
    rm -f "$tmp/log"
    on "$1" --stats --log "$tmp/log" -- "$third/vulkan" "$third" "$2"
    code=$?
    missing=$(sed -n "s/^none $2: no //p" "$tmp/out")
    is_gfx9=1
    case $1 in polaris* | hawaii) is_gfx9=0 ;; esac
    executed >>"$tmp/opcodes.$1"
    if [ -n "$missing" ] && [ $is_gfx9 = 0 ] && lacks "$missing"; then
        skip "$1: $2" "RADV says that it has no $missing"
        verdict="none ($missing)"
    elif is_known "$1" "$2"; then # stops by name: what it would give is not made up
        [ $code != 0 ] && grep -q 'is not modelled' "$tmp/out"
        ok $? "$1: $2 stops, as vulkan.known says" "$tmp/out"
        verdict=fail
    else
        [ $code = 0 ] && grep -q "^pass $2$" "$tmp/out" && grep -q ' 0 hangs, 0 errors$' "$tmp/out"
        verdict=$?
        ok $verdict "$1: $2" "$tmp/out"
        [ $verdict = 0 ] && verdict=pass || verdict=fail
    fi
    echo "$2 $1 $verdict" >>"$tmp/table"
}

for chip in $chips; do
    on "$chip" --stats -- vulkaninfo --summary
    is 0 $? "$chip: vulkaninfo --summary ends"
    grep -q 'deviceName *= .*RADV' "$tmp/out" && grep -q ' 0 hangs, 0 errors$' "$tmp/out"
    ok $? "$chip: and shows a device of RADV: $(sed -n 's/.*deviceName *= //p' "$tmp/out" | head -1)" "$tmp/out"
    on "$chip" --stats -- vulkaninfo
    is 0 $? "$chip: vulkaninfo ends"
    mv "$tmp/out" "$tmp/info"
    for name in $programs; do
        program "$chip" "$name"
    done
    passed=$(awk -v chip="$chip" '$2 == chip && $3 == "pass" { print $1 }' "$tmp/table")
    rm -f "$tmp/log"
    on "$chip" --stats --log "$tmp/log" --coverage "$tmp/coverage.$chip" -- "$third/vulkan" "$third" $passed
    is 0 $? "$chip: those that pass, in one process"
    executed >"$tmp/together.$chip"
done

# ---- it fails when something is wrong ----

# fault TITLE PATTERN CHIP OPTIONS... -- PROGRAM: a program of the tests does not end well, and says so.
fault() {
    title=$1 pattern=$2
    shift 2
    on "$@"
    [ $? != 0 ] && grep -q "$pattern" "$tmp/out"
    ok $? "planted: $title" "$tmp/out"
}
run="$third/vulkan $third"
if [ -e "$build/gcncheck-vgpu-mutants.so" ]; then
    while read -r name mutant; do
        fault "$mutant by $name" "^fail $name$" "vega10,mutant=$mutant" -- $run "$name"
    done <<MUTANTS
push v_mul_lo_u32.mul_add
shared ds_read_b32.size
shuffle ds_bpermute_b32.scale
atomic buffer_atomic_add.add_sub
ballot v_mbcnt_hi_u32_b32.addend
float16 v_pk_fma_f16.no_addend
storage16 buffer_load_ushort.size
image_linear image_load.pitch
sample_linear image_sample_lz.gathers
uniform s_buffer_load_dword.offset_ignored
MUTANTS
else
    skip "mutants" "gcncheck-vgpu-mutants.so is not built (make mutants)"
fi
fault "a submission that hangs" "ring timeout" vega10 --fault hang=1 -- $run push
fault "a device that is lost" "VkResult" vega10 --fault lose=1 -- $run push
rm -f "$tmp/log"
on vega10 --log "$tmp/log" -- $run push
first=$(grep -o '^vgpu: file [0-9]*: [A-Z_]* = ' "$tmp/log" | grep -n -m 1 AMDGPU_CS | cut -d: -f1)
fault "the first submission is refused" "VkResult" vega10 --fault "ioctl=$first:EINVAL" -- $run push
mkdir "$tmp/other" && cp "$third"/*.spv "$tmp/other" && cp "$third/shared.spv" "$tmp/other/push.spv"
fault "a shader in the place of another" "^fail push$" vega10 -- "$third/vulkan" "$tmp/other" push

# ---- what was seen ----

for chip in $chips; do
    sort -u "$tmp/opcodes.$chip" >"$tmp/opcodes"
    note "$chip: $(wc -l <"$tmp/opcodes") opcodes: $(tr '\n' ' ' <"$tmp/opcodes")"
    sed -n '3,$s/ .*//p' "$tmp/coverage.$chip" | grep -v '^end$' | sort -u >"$tmp/counted"
    is "" "$(sort -u "$tmp/together.$chip" | comm -23 - "$tmp/counted" | tr '\n' ' ')" "$chip: all that the one process executed are in its file of coverage"
    [ -s "$tmp/counted" ]
    ok $? "$chip: and there are some"
    note "$("$gcncheck" cover --mcpu "$(sed -n '1s/.* //p' "$tmp/coverage.$chip")" "$tmp/coverage.$chip" | head -1)"
    cat "$tmp/opcodes" >>"$tmp/opcodes.all"
done
note "all chips: $(sort -u "$tmp/opcodes.all" | wc -l) opcodes"
note "$(awk -v chips="$chips" 'BEGIN { n = split(chips, chip); printf "%-16s", "program"; for (i = 1; i <= n; i++) printf " %-10s", chip[i]; print "" }
    { if (!($1 in row)) order[++rows] = $1; row[$1] = 1; chip_of = $2; name = $1; $1 = $2 = ""; sub(/^ */, ""); cell[name, chip_of] = $0 }
    END { for (r = 1; r <= rows; r++) { printf "%-16s", order[r]; for (i = 1; i <= n; i++) printf " %-10s", cell[order[r], chip[i]]; print "" } }' "$tmp/table")"
finish
