#!/bin/sh
# What comes from strangers: findings that name a program, journals whose lines were edited, names of what is no file. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
case $gcncheck in
/*) ;;
*) gcncheck=$PWD/$gcncheck ;;
esac
build=${BUILD:-build}

# ---- findings: the program that one names is started only if somebody says so ----

example="plugin:$PWD/$build/example_dut.so"
"$gcncheck" fuzz --quiet --seed 1 --count 100 --dut "$example" --out "$tmp/found" >"$tmp/out" 2>&1
finding=$(sed -n 's/^finding \([^:]*\):.*/\1/p' "$tmp/out" | head -1)
[ -n "$finding" ] || bail "no finding to work with"

# rename DUT: the finding names it, and its checksum is right.
rename() {
    python3 - "$finding/finding.json" "$1" <<'E2'
import json, sys, zlib
f = json.load(open(sys.argv[1]))
f["dut"] = f["dut_absolute"] = sys.argv[2]
f.pop("checksum", None)
body = json.dumps(f, indent=1)[:-2].encode()
open(sys.argv[1], "wb").write(body + b',\n "checksum": "%08x"\n}' % zlib.crc32(body))
E2
}

for command in replay min diagnose; do
    rename "pipe:touch $tmp/started; exit 1"
    refuse "$command does not start the program that a finding names" 2 \
        "its DUT is a program, pipe:touch $tmp/started; exit 1: --trust starts it, --dut names another" "$gcncheck" $command "$finding"
    [ ! -e "$tmp/started" ]
    ok $? "$command: it was not started"
    "$gcncheck" $command "$finding" --dut model >/dev/null 2>&1
    [ ! -e "$tmp/started" ]
    ok $? "$command --dut: another one is started"
    refuse "$command --trust starts it" 2 "ended before it answered hello" "$gcncheck" $command --trust "$finding"
    [ -e "$tmp/started" ]
    ok $? "$command --trust: it was started"
    rm -f "$tmp/started"
    rename "$(printf 'plugin:/x\033[31m\n.so')"
    refuse "$command: a name that a terminal would obey" 2 'program, plugin:/x?\[31m?.so: --trust' "$gcncheck" $command "$finding"
    rename "$example"
    refuse "$command does not load a plug-in" 2 "its DUT is a program, $example: --trust" "$gcncheck" $command "$finding"
done
rename model
expect "a finding on the model needs no trust" 0 'does not differ' "$gcncheck" replay "$finding"

python3 - "$finding/finding.json" <<'E2'
import json, sys, zlib
f = json.load(open(sys.argv[1]))
for key in "like", "fails", "ledger":
    f[key] = key + "\x1b[31m\n  again:  x" + "y" * 5000
f.pop("checksum", None)
body = json.dumps(f, indent=1)[:-2].encode()
open(sys.argv[1], "wb").write(body + b',\n "checksum": "%08x"\n}' % zlib.crc32(body))
E2
expect "notes of a finding obey no terminal and stay in their line" 1 '^  like:   like?\[31m?  again:  xyy' "$gcncheck" replay --dut "$example" "$finding"

# ---- journals: what stands in for the command is quoted, and does nothing in a shell ----

"$gcncheck" run --quiet --dut "$example" --journal "$tmp/run.journal" cases/vop3a/v_bfe_u32.case >/dev/null 2>&1
cat >"$tmp/edit.py" <<'E2'
import os, sys, zlib
sys.path.insert(0, "scripts/faults")
import bench
# One after the other in place of the lines that say how to run a case again; the journal's checksums are made anew.
canary = "touch %s/canary" % sys.argv[2]
evil = [canary, "gcncheck run x; " + canary, "gcncheck run x && " + canary, "gcncheck run $(" + canary + ")", "gcncheck run `" + canary + "`",
        "gcncheck run x | " + canary, "gcncheck run 'x' 'y; " + canary + "' ; " + canary, "gcncheck run x\\\n" + canary, "gcncheck run x & " + canary,
        "gcncheck run '\n" + canary, "'; " + canary + "; '", "gcncheck run x\n" + canary + "\n", "gcncheck run \"$(" + canary + ")\"",
        "gcncheck run '\\''; " + canary + "; echo 'x", "gcncheck > %s/canary" % sys.argv[2], "gcncheck <(" + canary + ")", "#'\n" + canary,
        "\x1b]0;x\x07" + canary, "gcncheck run ~/x; " + canary, "x" * 500 + "'; " + canary, "'" * 150 + "; " + canary, "gcncheck\t" + canary,
        "gcncheck run 'a: $(" + canary + ")'", "gcncheck run 'a: `" + canary + "`'", "gcncheck run 'a: \\' ; " + canary + " #'"]
out, n = b"", 0
for number, r in enumerate(bench.records(open(sys.argv[1], "rb").read())):
    at = r.find(b"gcncheck run ")
    if at > 2:
        # The text's head in msgpack stands before it: one of up to 255 bytes is d9 and its length.
        head = 2 if r[at - 2] == 0xd9 else 1
        size = r[at - 1] if head == 2 else r[at - 1] & 31
        text = evil[n % len(evil)].encode()
        r = r[:at - head] + b"\xda" + len(text).to_bytes(2, "big") + text + r[at + size:-5]
        r += b"\xce" + zlib.crc32(r).to_bytes(4, "big")
        n += 1
    out += r
open(sys.argv[3], "wb").write(out)
print(n)
E2
n=$(python3 "$tmp/edit.py" "$tmp/run.journal" "$tmp" "$tmp/edited.journal")
[ "${n:-0}" -ge 25 ]
ok $? "$n lines of a journal were edited"
mkdir "$tmp/bin"
printf '#!/bin/sh\nexit 0\n' >"$tmp/bin/gcncheck"
chmod +x "$tmp/bin/gcncheck"
for format in text tap lines jsonl; do
    "$gcncheck" report --format $format "$tmp/edited.journal" >"$tmp/out" 2>"$tmp/err"
    [ $format = lines ] && [ ! -s "$tmp/out" ] && continue
    # What a reader would copy: everything behind again:, and every line that begins like a command.
    sed -n -e 's/^ *again: *//p' -e 's/.*"again":"\(.*\)",*.*/\1/p' -e '/^ *\(edited\|gcncheck\)/p' "$tmp/out" >"$tmp/lines"
    grep -q "edited " "$tmp/out"
    ok $? "$format: they are told apart" "$tmp/err"
    [ $format = jsonl ] || (cd "$tmp" && PATH=$tmp/bin:$PATH && while IFS= read -r line; do sh -c "$line"; bash -ic "$line"; done) <"$tmp/lines" >/dev/null 2>&1
    [ ! -e "$tmp/canary" ]
    ok $? "$format: none of them does anything in a shell" "$tmp/lines"
    rm -f "$tmp/canary"
done
"$gcncheck" report --format tap "$tmp/run.journal" >"$tmp/out"
is 0 "$(grep -c "again:.*edited" "$tmp/out")" "our own lines are commands"

# ---- names of what is no file ----

mkfifo "$tmp/fifo"
mkdir "$tmp/folder"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$tmp/socket"
ln -s "$tmp/fifo" "$tmp/link"
for what in 'fifo a FIFO' 'folder a directory' 'socket a socket' 'link a FIFO' '/dev/zero a device' '/dev/tty a device'; do
    name=${what%% *} kind=${what#* }
    case $name in
    /*) path=$name ;;
    *) path=$tmp/$name ;;
    esac
    for command in asm dis lint report 'launch --list' "replay --dut model" "min --dut model" "diagnose --dut model" 'import --format bin --out /dev/null' 'eval --jsonl' \
        'run' 'record --out /dev/null' 'dis --metadata'; do
        case "$command $name" in
        *'replay'*folder | 'min'*folder | 'diagnose'*folder | 'run folder' | import*folder | record*folder | eval*) continue ;; # folders are right there
        esac
        refuse "$command: $kind, $name" 2 "$path.*is $kind, not a file" "$gcncheck" $command "$path"
    done
    refuse "a plug-in that is $kind, $name" 2 "is $kind, not a file" "$gcncheck" run --dut "plugin:$path" cases/vop2/v_add_u32.case
done
expect "a pipe that the shell made is read" 0 '^68000501' bash -c '"$1" asm <(echo v_add_u32_e32 v0, v1, v2)' sh "$gcncheck"

# ---- sizes ----

truncate -s 3G "$tmp/large"
refuse "a case file that is too large" 2 'is larger than the limit of 1048576 bytes' "$gcncheck" run "$tmp/large"
mkdir "$tmp/big"
truncate -s 3G "$tmp/big/finding.json"
refuse "a finding that is too large" 2 'is larger than the limit of 16777216 bytes' "$gcncheck" replay "$tmp/big"
refuse "a line that is too long" 2 'line 1 is longer than 16777216 bytes' "$gcncheck" asm "$tmp/large"
refuse "a journal that is none, and large" 2 'large' timeout 20 "$gcncheck" report "$tmp/large"

# ---- limits of the shell: they are borne, or named ----

# limited LIMIT CODES PATTERN COMMAND...: under ulimit it ends with one of the codes; if that is 3, it names the limit.
limited() {
    limit=$1 codes=$2 pattern=$3
    shift 3
    (
        ulimit $limit || exit 99
        exec "$gcncheck" "$@"
    ) >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$?
    case " $codes " in
    *" $got "*) [ $got != 3 ] || grep -q -e "$pattern" "$tmp/err" ;;
    *) false ;;
    esac
    ok $? "ulimit $limit: $* (code $got)" "$tmp/err"
}
kernel=cases/kernels/vadd_f32
for limit in '-s 64' '-n 8'; do
    too='ulimit -n is 8\|Too many open files'
    limited "$limit" 0 "$too" list --mcpu gfx900
    limited "$limit" 0 "$too" explain v_add_u32
    limited "$limit" 0 "$too" dis $kernel/gfx900.O3.co
    limited "$limit" 0 "$too" lint $kernel/gfx900.O3.co
    limited "$limit" 0 "$too" launch --mcpu gfx900 $kernel/gfx900.O3.co $kernel/launch.txt
    limited "$limit" 0 "$too" run --quiet cases/vop2/v_add_u32.case
    limited "$limit" '0 3' "$too" run --quiet --jobs 2 --dut "$example" cases/vop2/v_add_u32.case
    # Python itself does not live with a stack of 64 KiB.
    [ "$limit" = '-s 64' ] || limited "$limit" '0 3' "$too" run --quiet --jobs 1 --dut 'pipe:python3 harness/sdk/example_pipe.py' cases/vop2/v_xor_b32.case
    limited "$limit" '1 3' "$too" fuzz --quiet --jobs 1 --seed 1 --count 50 --dut "$example" --out "$tmp/limited-${limit#* }"
    limited "$limit" 0 "$too" report "$tmp/run.journal"
done
finish
