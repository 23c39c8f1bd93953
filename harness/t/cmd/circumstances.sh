#!/bin/sh
# Circumstances in which a program may find itself, by accident or by somebody's will: signals that its parent has left ignored or
# blocked, descriptors, a current folder that is gone, limits, an environment of nonsense. Each changes nothing. TAP 13. ALL=1: fuzz, too.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
root=$PWD
case $gcncheck in /*) ;; *) gcncheck=$root/$gcncheck ;; esac
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
dut=plugin:$build/example_dut.so
g=$gcncheck w=$tmp/w c=$root/cases k=$root/cases/kernels/vadd_f32
export g w c k dut
"$gcncheck" fuzz --quiet --seed 1 --count 32 --only v_bfe_u32 --dut "$dut" --out "$tmp/found" >/dev/null 2>&1
found=$(find "$tmp/found" -mindepth 1 -maxdepth 1 -type d | head -n 1)
[ -n "$found" ] || bail "no finding to work with"
export found

# Name and command; fuzz, which takes longest, where all is asked for. $e stands for what the program is run by, files are in $w.
commands() {
    cat <<'END'
run     $e $g run --quiet --jobs 2 --dut $dut --journal $w/run.journal $c/vop3a/v_bfe_u32.case
pipe    $e $g run --quiet --jobs 1 --dut "pipe:python3 $root/harness/sdk/example_pipe.py" $c/vop2/v_xor_b32.case
fuzz    $e $g fuzz --quiet --jobs 2 --seed 1 --count 8 --only v_bfe_u32 --dut $dut --out $w/found
replay  $e $g replay --dut $dut $found
report  $e $g report --format html --out $w/page.html $w/run.journal
launch  $e $g launch --mcpu gfx900 --jobs 2 --out $w/buffers $k/gfx900.O3.co $k/launch.txt
END
}
# What the program is run by: NAME | words. In a shell, "$@" is the program.
circumstances() {
    cat <<'END'
children that nobody waits for | env --ignore-signal=CHLD
every signal ignored           | env --ignore-signal
every signal blocked           | env --block-signal
no standard input              | sh -c 'exec "$@" <&-' sh
descriptors that are taken     | sh -c 'exec "$@" 3<&0 4<&0 5<&0 6<&0 7<&0 8<&0 9<&0' sh
a child from before            | sh -c 'sleep 0.2 & exec "$@"' sh
a current folder that is gone  | sh -c 'mkdir "$w/gone" && cd "$w/gone" && rmdir "$w/gone" && exec "$@"' sh
few descriptors                | sh -c 'ulimit -n 24; exec "$@"' sh
a small stack                  | sh -c 'ulimit -s 128; exec "$@"' sh
no locked memory               | sh -c 'ulimit -l 0; exec "$@"' sh
the lowest priority            | nice -n 19
TMPDIR that is not there       | env TMPDIR=/nowhere
TMPDIR that is a file          | env TMPDIR=/etc/passwd
HOME that is a device          | env HOME=/dev/null XDG_STATE_HOME=/dev/null XDG_CACHE_HOME=
a time zone of zeros           | env TZ=:/dev/zero
a locale of devices            | env LC_ALL=../../dev/zero LOCPATH=/dev LANG=%n%n
a terminal of nonsense         | env TERM=%s%n COLUMNS=-5 LINES=99999999999
memory that was used           | env GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.mmap_threshold=1
END
}

# into NAME WORDS: all commands, run by these words; what comes of them is $tmp/NAME.
into() {
    mkdir "$w"
    commands | while read -r what command; do
        [ "$what" != fuzz ] || is_long || continue
        sh -c "$(printf '%s' "$command" | sed "s~\$e~$(printf '%s' "$2" | sed 's/[&~\\]/\\&/g')~")" >"$w/$what.out" 2>"$w/$what.err" </dev/null
        echo "exit code $?" >>"$w/$what.err"
    done
    sed -i 's/, [0-9.]* s$//' "$w"/*.out "$w"/*.err # the time
    mv "$w" "$tmp/$1"
}
export root
into plain env
none "every command does what it is for" "$(grep -L 'exit code [01]$' "$tmp/plain"/*.err)"
circumstances >"$tmp/list"
while IFS='|' read -r name words; do
    name=${name%"${name##*[! ]}"}
    into other "$words"
    case $name in *gone | *locale*) cp "$tmp/plain"/pipe.* "$tmp/other" ;; esac # Python itself, or what starts it, complains
    diff -r "$tmp/plain" "$tmp/other" >"$tmp/diff" 2>&1
    ok $? "$name: changes nothing" "$tmp/diff"
    rm -rf "$tmp/other"
done <"$tmp/list"
into other "sh -c 'umask 077; exec \"\$@\" | sed s/ok/OK/' sh"
diff -r "$tmp/plain" "$tmp/other" >"$tmp/diff"
is 1 $? "planted: another output shows"

# ---- SIGTERM before the device has answered for the first time ----

# early COMMAND...: $1 with a device that makes a file and is silent. It is not the device that is to blame.
early() {
    rm -f "$tmp/started"
    "$gcncheck" "$@" --quiet --dut "pipe:touch $tmp/started; sleep 30" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    for _ in $(seq 600); do [ -e "$tmp/started" ] && break || sleep 0.05; done
    kill -TERM $pid
    wait $pid
    is "3 gcncheck $1: interrupted by SIGTERM" "$? $(tail -n 1 "$tmp/err" | grep -o '.*SIGTERM')" "$1: SIGTERM while its device starts"
}
early run "$c/vop3a/v_bfe_u32.case"
early run --dut model "$c/vop3a/v_bfe_u32.case"
early fuzz --count 8
early replay "$found"
early min "$found"
finish
