#!/bin/sh
# Names that are meant to do harm: outputs that are no files, folders and case files that terminals and shells would obey, devices that
# are no card, arguments that are empty. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
case $gcncheck in
/*) ;;
*) gcncheck=$PWD/$gcncheck ;;
esac
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
example=plugin:$build/example_dut.so
case=$PWD/cases/sop1/s_abs_i32.case
has_sanitizer=$(grep -l __asan_init "$gcncheck")
has_drm=$(find "$build" -maxdepth 1 -name gcncheck-vgpu.so)

# ---- outputs: NAME of what is there | what it is said to be; and the commands, a line each ----

mkfifo "$tmp/fifo"
mkdir "$tmp/folder"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$tmp/socket"
echo precious >"$tmp/precious"
ln -s precious "$tmp/link"
ln -s nowhere/x "$tmp/dangling"
"$gcncheck" run --quiet --journal "$tmp/run.journal" "$case" >/dev/null
"$gcncheck" export --quiet --only v_bfe_u32 --format bin --out "$tmp/v.gcv" "$PWD/cases/vop3a/v_bfe_u32.case"
things='fifo is a FIFO, not a file
socket is a socket, not a file
folder is a \(folder\|directory\)
link is a symbolic link
dangling is a symbolic link'
outputs="run --quiet $case --journal
run --quiet --force $case --journal
report $tmp/run.journal --out
report --force --format html $tmp/run.journal --out
export --quiet --only v_bfe_u32 --format bin --out
export --quiet --only v_bfe_u32 --force --format bin --out
import --quiet --format bin $tmp/v.gcv --out
record --quiet --format bin $tmp/v.gcv --out"
[ -z "$has_drm" ] || outputs="$outputs
vgpu gfx900 --quiet --log"
printf '%s\n' "$outputs" | while read -r command; do
    printf '%s\n' "$things" | while read -r thing why; do
        set -- $command "$tmp/$thing"
        [ "$1" != vgpu ] || set -- "$@" -- true
        echo "$command|$thing|$why"
        timeout 60 "$gcncheck" "$@" </dev/null 2>&1 >/dev/null
        echo "code $?"
    done
done >"$tmp/said"
# A line of three columns, what was said, the code.
wrong=$(awk -F'|' 'NF == 3 { what = $0; why = $3; said = 0; next } /^code / { if ($0 != "code 2" || said != 1) print what ": " $0; next }
    { said += $0 ~ why }' "$tmp/said")
none "$(grep -c '^code 2$' "$tmp/said") outputs that are no files are refused by name" "$wrong"
is precious "$(cat "$tmp/precious")" "nothing was written through a link"
is "" "$(find "$tmp" -name '.*' -o -name 'nowhere')" "and nothing was left over"
if [ -n "$has_drm" ]; then
    refuse "the log of a virtual GPU in a folder that is not there" 3 "nowhere/x: cannot be written: No such file" \
        "$gcncheck" vgpu gfx900 --quiet --log "$tmp/nowhere/x" -- true
    "$gcncheck" vgpu gfx900 --quiet --log "$tmp/precious" -- true
    is precious "$(head -n 1 "$tmp/precious")" "a log is appended to what is there"
    cat >"$tmp/leaves.py" <<'E2'
import fcntl, os
os.chdir("/")
fcntl.ioctl(os.open("/dev/dri/renderD128", os.O_RDWR), 0xC0406400, bytearray(64))  # DRM_IOCTL_VERSION
E2
    if [ -n "$has_sanitizer" ]; then
        skip "a log stays where it is, wherever the program goes" "the sanitizers' library must be loaded first"
    else
        (cd "$tmp" && "$gcncheck" vgpu gfx900 --quiet --front preload --log a.log -- python3 leaves.py)
        grep -q 'VERSION = 0' "$tmp/a.log"
        ok $? "a log stays where it is, wherever the program goes" "$tmp/a.log"
    fi
    mkfifo -m 755 "$tmp/program"
    expect "a program that is a FIFO" 2 "program: Permission denied" timeout 60 "$gcncheck" vgpu gfx900 -- "$tmp/program"
    expect "a program that is not there" 2 "front end preload: there is no such program$" "$gcncheck" vgpu gfx900 -- "$tmp/nothing"
    for node in "$tmp/fifo" "$tmp/precious" "$tmp/folder" /dev/null; do
        expect "a card that is none, $(basename "$node")" 2 "DUT 'drm:$node': is no node of a graphics driver" \
            timeout 60 "$gcncheck" run --quiet --dut "drm:$node" "$case"
    done
fi

# ---- names that a terminal would obey, or a shell ----

newline=$(printf 'a\ntouch canary') escape=$(printf 'b\033[31m') c1=$(printf 'c\302\2331m')
# obeyed FILE: lines that hold control characters, in one byte or two, or that a newline in a name has made.
obeyed() {
    LC_ALL=C grep -n -a -e "$(printf '[\001-\010\013-\037\177]')" -e "$(printf '\302[\200-\237]')" -e '^touch' "$1" | head -n 3
}
printf 'x\nb\033[31m\n' >"$tmp/planted"
none "planted: they are seen" "$([ "$(obeyed "$tmp/planted" | wc -l)" = 1 ] || echo missed)"

for name in "$newline" "$escape" "$c1"; do
    mkdir -p "$tmp/cases/$name"
    cp cases/vop3a/v_bfe_u32.case "$tmp/cases/$name/v.case"
    cp cases/vop3a/v_bfe_u32.case "$tmp/cases/$name.case"
done
for format in tap lines jsonl; do
    "$gcncheck" run --quiet --force --journal "$tmp/named.journal" --dut "$example" --format $format "$tmp/cases" >"$tmp/out" 2>&1
    none "$format of cases in files of such names" "$(obeyed "$tmp/out")"
done
for format in text html tap junit jsonl lines; do
    "$gcncheck" report --format $format "$tmp/named.journal" >"$tmp/out" 2>&1
    none "$format of their journal" "$(obeyed "$tmp/out")"
done
for format in json elf; do
    expect "they become no files of export, $format" 2 "no names\{0,1\}$" "$gcncheck" export --quiet --format $format --out "$tmp/exported" "$tmp/cases"
    is "" "$(find "$tmp/exported" -type f 2>/dev/null)" "and nothing was written"
done

"$gcncheck" fuzz --quiet --seed 1 --count 64 --only v_bfe_u32 --dut "$example" --out "$tmp/found" >"$tmp/out" 2>&1
finding=$(find "$tmp/found" -mindepth 1 -maxdepth 1 -type d | head -n 1)
[ -n "$finding" ] || bail "no finding to work with"
mkdir "$tmp/strange"
for name in "$newline" "$escape" "$c1"; do
    cp -r "$finding" "$tmp/strange/$name"
    for command in replay min diagnose; do
        refuse "$command of a finding in a folder of such a name" 2 "?.*/finding.json: its name holds what a terminal would obey: rename it$" \
            "$gcncheck" $command --dut "$example" "$tmp/strange/$name"
    done
done
cp -r "$finding" "$tmp/strange/\$(touch canary) 'ü"
cd "$tmp" || exit 2
expect "a name that is only quoted" 1 "again:  gcncheck replay '.*strange/\$(touch canary) '.''ü' --trust$" \
    "$gcncheck" replay --dut "$example" "$tmp/strange/\$(touch canary) 'ü"
cd - >/dev/null || exit 2
python3 - "$finding/finding.json" "$escape" <<'E2'
import json, sys, zlib
f = json.load(open(sys.argv[1]))
f["id"] = sys.argv[2]
f.pop("checksum", None)
body = json.dumps(f, indent=1)[:-2].encode()
open(sys.argv[1], "wb").write(body + b',\n "checksum": "%08x"\n}' % zlib.crc32(body))
E2
refuse "an id that a terminal would obey" 2 "finding.json: id is missing or wrong" "$gcncheck" replay --dut "$example" "$finding"

# ---- no name at all ----

for command in run report lint asm dis litmus import replay min diagnose launch cover export record explain; do
    refuse "$command of a name that is empty" 2 "^gcncheck $command: argument 1 is empty; usage: gcncheck $command " "$gcncheck" $command ''
done
[ -z "$has_drm" ] || [ -n "$has_sanitizer" ] || expect "what is handed on to a program may be empty" 0 '^<>$' "$gcncheck" vgpu gfx900 -- printf '<%s>\n' ''
finish
