#!/bin/sh
# gcncheck vgpu: programs that nobody here wrote find the device, by its /dev, /sys and ioctls. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
[ -e "$(dirname "$gcncheck")/gcncheck-vgpu.so" ] || skip_all "built without libdrm (libdrm-dev)"
sanitizer_first
make_tmp

expect "a chip that is none" 2 "no virtual GPU is called 'gfx1030'; there are gfx900 (vega10), " "$gcncheck" vgpu gfx1030 -- true
expect "a program that is none" 2 "/no/such: No such file" "$gcncheck" vgpu gfx900 -- /no/such
expect "no program" 2 "too few arguments" "$gcncheck" vgpu gfx900
expect "the program's exit code is passed on" 7 "" "$gcncheck" vgpu gfx900 -- sh -c 'exit 7'
expect "its arguments are its own" 0 "^--log -x$" "$gcncheck" vgpu gfx900 -- echo --log -x

for chip in "gfx900 6863" "raven 15dd" "gfx906 66a1" "mi100 738c" "gfx90c 1636" "polaris10 67df" "gfx701 67a0"; do
    set -- $chip
    if command -v drmdevice >/dev/null; then
        expect "drmdevice finds $1" 0 "device_id     $2" "$gcncheck" vgpu "$1" -- drmdevice
        expect "drmdevice finds $1 by its render node" 0 "nodes.2. /dev/dri/renderD128" "$gcncheck" vgpu "$1" -- drmdevice
    else
        skip "drmdevice finds $1" "no drmdevice (libdrm-tests)"
    fi
    if command -v amdgpu_stress >/dev/null; then
        expect "amdgpu_stress allocates on $1" 0 "BO number 1 at 0x100200000, domain 0x4" \
            "$gcncheck" vgpu "$1" --log "$tmp/log" -- amdgpu_stress -b v 1m -h
        grep -q "AMDGPU_GEM_VA = 0" "$tmp/log"
        ok $? "its ioctls are in the log of $1"
        expect "amdgpu_stress copies on $1" 0 " 3 submissions, 3[0-9]* packets, .* 0 hangs, 0 errors" \
            "$gcncheck" vgpu "$1" --stats -- amdgpu_stress -b v 1m -b g 1m -c 1 2 4k 3
    else
        skip "amdgpu_stress allocates on $1" "no amdgpu_stress (libdrm-tests)"
    fi
done

# ---- coverage ----
root=$PWD
one="run --in-process --dut drm --quiet cases/sop2/s_add_u32.case"
covered() { "$gcncheck" vgpu gfx900 --quiet --coverage "$tmp/cov" "$@"; }
streams() { sed -n 's/^counted \([0-9]*\) .*/\1/p' "$tmp/cov"; }
covered --log "$tmp/log" -- "$gcncheck" $one >"$tmp/out" 2>&1
is 0 $? "a program of which coverage is counted ends as it does" "$tmp/out"
once=$(streams)
[ "$once" -gt 0 ]
ok $? "its dispatches are counted: $once"
sed -n 's/^vgpu:   first executed here: //p' "$tmp/log" | tr ' ' '\n' | sort -u >"$tmp/executed"
sed -n '3,$s/ .*//p' "$tmp/cov" | grep -v '^end$' | sort -u >"$tmp/counted"
is "$(cat "$tmp/executed")" "$(cat "$tmp/counted")" "with all opcodes that the log has, and no others"
"$gcncheck" cover "$tmp/cov" >"$tmp/out" 2>&1 && grep -q "in $once streams" "$tmp/out"
ok $? "gcncheck cover reads it" "$tmp/out"
program=$(realpath "$gcncheck")
(cd "$tmp" && "$program" vgpu gfx900 --quiet --coverage cov -- sh -c 'cd "$0" && exec "$@"' "$root" "$program" $one) >/dev/null 2>&1
is $((2 * once)) "$(streams)" "another program adds its own, from wherever it is"
for i in 1 2 3 4; do
    covered -- "$gcncheck" $one >/dev/null 2>&1 &
done
wait
is $((6 * once)) "$(streams)" "so do several that end together"
for bad in "gfx906 2 cov:1:.is.of.gfx900" "gfx900 2 Makefile:1:.is.no.file.of.coverage" "gfx900 3 cannot.be.written" "gfx900 2 name.a.file"; do
    set -- $bad
    case $3 in
    cov*) file=$tmp/cov ;;
    Make*) file=Makefile ;;
    name*) file=- ;;
    *) file=$tmp/none/cov ;;
    esac
    expect "coverage into $(basename "$file") on $1" "$2" "$3" "$gcncheck" vgpu "$1" --quiet --coverage "$file" -- touch "$tmp/touched"
done
[ ! -e "$tmp/touched" ]
ok $? "in none of these the program was started"
finish
