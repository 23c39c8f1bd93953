#!/bin/sh
# What is on disk is safe: nothing is written over a file that is not known as replaceable, through a link or halfway; a folder
# keeps what is not ours; --force replaces. Each point is a fault that was seen once. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
build=${BUILD:-build}
case=cases/sop1/s_abs_i32.case

# refuse TITLE CODE PATTERN COMMAND...: one line on standard error.
refuse() {
    expect "$@"
    is 1 "$(printf '%s\n' "$said" | grep -c '^gcncheck')" "$1: one line"
}
# same TITLE FILE COPY
same() {
    cmp -s "$2" "$3"
    ok $? "$1"
}

# ---- journals ----
"$gcncheck" run --quiet --journal "$tmp/a.journal" $case >/dev/null
cp "$tmp/a.journal" "$tmp/a.copy"
refuse "run over a finished journal" 2 "a.journal: is a journal, with which --resume goes on: --force replaces it" \
    "$gcncheck" run --quiet --journal "$tmp/a.journal" cases/sop1/s_not_b32.case
same "it is as it was" "$tmp/a.journal" "$tmp/a.copy"
refuse "fuzz over a journal" 2 "a.journal: is a journal" "$gcncheck" fuzz --quiet --count 1 --journal "$tmp/a.journal" --out "$tmp/f"
refuse "run over another file" 2 "exists and is no journal: --force" sh -c "echo notes >$tmp/notes; $gcncheck run --quiet --journal $tmp/notes $case"
is notes "$(cat "$tmp/notes")" "it is as it was"
"$gcncheck" run --quiet --force --journal "$tmp/a.journal" cases/sop1/s_not_b32.case >/dev/null
"$gcncheck" report "$tmp/a.journal" | grep -q s_not_b32
ok $? "--force replaces a journal"
ln -s a.copy "$tmp/link.journal"
refuse "a journal through a link" 2 "link.journal: is a symbolic link" "$gcncheck" run --quiet --force --journal "$tmp/link.journal" $case
mkdir "$tmp/folder"
refuse "a journal that is a folder" 2 "folder: is a folder" "$gcncheck" run --quiet --force --journal "$tmp/folder" $case
: >"$tmp/empty"
expect "a journal over an empty file" 0 . "$gcncheck" run --quiet --journal "$tmp/empty" $case
same "is written" "$tmp/empty" "$tmp/a.copy"

# A second writer, while the first one waits for its device.
mkfifo "$tmp/hold"
"$gcncheck" run --quiet --dut-time 60s --journal "$tmp/held.journal" --dut "pipe:cat $tmp/hold" $case >/dev/null 2>&1 &
holder=$!
tries=0
while [ ! -s "$tmp/held.journal" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
refuse "a second writer" 2 "another gcncheck writes this journal" "$gcncheck" run --quiet --force --journal "$tmp/held.journal" $case
refuse "a second one that resumes" 2 "another gcncheck writes this journal" "$gcncheck" run --quiet --resume "$tmp/held.journal" --dut "pipe:cat $tmp/hold" $case
refuse "a page over it" 2 "another gcncheck writes this journal" "$gcncheck" report --force --out "$tmp/held.journal" "$tmp/a.copy"
kill -9 $holder
wait $holder 2>/dev/null

# What is printed does not land in what is opened next.
"$gcncheck" run --quiet --journal "$tmp/closed.journal" $case >&- 2>"$tmp/err"
is 3 $? "standard output is closed: exit code"
grep -q "standard output cannot be written" "$tmp/err"
ok $? "one line says so" "$tmp/err"
same "the journal is as ever" "$tmp/closed.journal" "$tmp/a.copy"
"$gcncheck" run --quiet --journal "$tmp/closed2.journal" $case >/dev/null 2>&- <&-
same "so it is without standard input and error" "$tmp/closed2.journal" "$tmp/a.copy"

# Whatever --force says, nothing is written over what the same command reads.
cp $case "$tmp/mine.case"
refuse "a journal over its own cases" 2 "^gcncheck run: --journal: $tmp/mine.case is to be read, too: name another file" \
    "$gcncheck" run --quiet --force --journal "$tmp/mine.case" "$tmp/mine.case"
same "they are as they were" "$tmp/mine.case" $case
printf 'known-format 1\n' >"$tmp/mine.known"
refuse "over its own known failures" 2 "mine.known is named for something else, too" \
    "$gcncheck" run --quiet --force --known "$tmp/mine.known" --journal "$tmp/mine.known" $case
printf 'v_add_u32 3\n' >"$tmp/mine.weights"
refuse "a campaign's over its weights" 2 "mine.weights is to be read, too" \
    "$gcncheck" fuzz --quiet --force --weights "$tmp/mine.weights" --journal "$tmp/mine.weights" --out "$tmp/f"

refuse "a campaign's over its coverage" 2 "x is named for something else, too" \
    "$gcncheck" fuzz --quiet --count 64 --coverage "$tmp/x" --journal "$tmp/x" --out "$tmp/f"
is "" "$(ls "$tmp/x" 2>/dev/null)" "it is not begun"

# ---- damaged journals: the damage is named, and what stands around it is reported ----
python3 - "$tmp/a.copy" "$tmp/head.journal" "$tmp/late.journal" <<'E2'
import sys
whole = open(sys.argv[1], "rb").read()
late = whole.rindex(b"\xa6result")
for path, at in ((sys.argv[2], 40), (sys.argv[3], late + 20)):
    open(path, "wb").write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
E2
for journal in head late; do
    refuse "a run is not gone on with: $journal" 2 "$journal.journal: cannot be gone on with: damaged from byte [0-9]* to [0-9]*" \
        "$gcncheck" run --quiet --resume "$tmp/$journal.journal" $case
done
head -c 100 "$tmp/a.copy" | cat "$tmp/a.copy" - >"$tmp/torn.journal"
expect "a torn head behind a whole journal" 2 "torn.journal: 1 run did not come to the end" "$gcncheck" report "$tmp/torn.journal"
for format in text html; do
    "$gcncheck" report --format $format "$tmp/head.journal" >"$tmp/out" 2>"$tmp/err"
    is 2 $? "a damaged head, as $format: exit code"
    grep -q "is not known of which run this is: its head is damaged" "$tmp/out" && grep -q 's_abs_i32\|right 33' "$tmp/out"
    ok $? "it says so, and what it holds" "$tmp/out"
done
# Of a head that was edited no command is shown that does more than gcncheck.
python3 - "$tmp/a.copy" "$tmp/edited.journal" <<'E2'
import sys, zlib
sys.path.insert(0, "scripts/faults")
from bench import records
all = records(open(sys.argv[1], "rb").read())
head = all[0].replace(b"s_abs_i32.case", b"s_abs; id #abc")[:-10]
n = all[0][-10:-5]
open(sys.argv[2], "wb").write(head + n + b"\xce" + zlib.crc32(head + n).to_bytes(4, "big") + b"".join(all[1:]))
E2
"$gcncheck" report "$tmp/edited.journal" >/dev/null
is 0 $? "an edited journal, its checksum right"
expect "one of another run" 2 "edited.journal: belongs to another run$" "$gcncheck" run --quiet --resume "$tmp/edited.journal" $case
expect "of one that was not edited its command is shown" 2 "a.journal: belongs to another run: gcncheck run " \
    "$gcncheck" run --quiet --resume "$tmp/a.journal" $case

# ---- pages ----
cp "$tmp/a.copy" "$tmp/b.journal"
refuse "a page over another journal" 2 "b.journal: is a journal: --force replaces it" "$gcncheck" report --out "$tmp/b.journal" "$tmp/a.journal"
same "it is as it was" "$tmp/b.journal" "$tmp/a.copy"
for format in text html tap junit jsonl; do
    page=$tmp/page.$format
    "$gcncheck" report --format $format --out "$page" "$tmp/a.journal"
    cp "$page" "$tmp/page.copy"
    expect "a missing journal as $format" 2 nowhere "$gcncheck" report --format $format --out "$page" "$tmp/nowhere.journal"
    same "$format: yesterday's page stays" "$page" "$tmp/page.copy"
    expect "$format: today's page" 0 '' "$gcncheck" report --format $format --out "$page" "$tmp/a.copy"
    ! cmp -s "$page" "$tmp/page.copy"
    ok $? "$format: takes its place"
    is "" "$(find "$tmp" -name '.*.part')" "$format: nothing is left over"
done
refuse "a page over one of another format" 2 "page.html: is no page of this format: --force" "$gcncheck" report --format junit --out "$tmp/page.html" "$tmp/a.journal"
refuse "a page over another file" 2 "notes: is no page of this format: --force" "$gcncheck" report --out "$tmp/notes" "$tmp/a.journal"
ln -s page.html "$tmp/link.html"
refuse "a page through a link" 2 "is a symbolic link" "$gcncheck" report --format html --out "$tmp/link.html" "$tmp/a.journal"
expect "--force replaces another file" 0 '' "$gcncheck" report --force --out "$tmp/notes" "$tmp/a.journal"
if [ "$(id -u)" != 0 ]; then
    chmod a-w "$tmp/page.html"
    refuse "a page that may not be written" 3 "page.html: cannot be written: Permission denied" "$gcncheck" report --format html --out "$tmp/page.html" "$tmp/a.journal"
    chmod u+w "$tmp/page.html"
fi
chmod 640 "$tmp/page.html"
"$gcncheck" report --format html --out "$tmp/page.html" "$tmp/b.journal"
is 640 "$(stat -c %a "$tmp/page.html")" "a page keeps its mode"

# ---- findings ----
example="plugin:$build/example_dut.so"
"$gcncheck" fuzz --quiet --seed 1 --count 100 --dut "$example" --out "$tmp/found" >/dev/null 2>&1
finding=$(find "$tmp/found" -mindepth 1 -maxdepth 1 -type d | sort | head -1)
json=$finding/finding.json
echo mine >"$finding/notes.txt"
cp "$json" "$tmp/json.copy"
expect "fuzz over a finding with notes" 1 '^streams' "$gcncheck" fuzz --seed 1 --count 100 --dut "$example" --out "$tmp/found"
same "the finding is there" "$json" "$tmp/json.copy"
is mine "$(cat "$finding/notes.txt")" "the notes, too"
# A finding that min has something to do with: its minimal program has an s_nop too much.
longer() {
    python3 - "$json" <<'E2'
import json, sys, zlib
f = json.load(open(sys.argv[1]))
f["minimal"]["code"].insert(-1, "bf800000")
del f["checksum"]
body = json.dumps(f, indent=1)[:-2].encode()
open(sys.argv[1], "wb").write(body + b',\n "checksum": "%08x"\n}' % zlib.crc32(body))
E2
}
longer
expect "min of a finding with notes" 0 'instruction' "$gcncheck" min --trust --quiet "$finding"
is mine "$(cat "$finding/notes.txt")" "the notes are there"
expect "the finding is whole" 1 . "$gcncheck" replay --trust "$finding"
is "" "$(find "$tmp/found" -name '.*')" "nothing is left over"
longer
[ ! -f "$finding/report.txt" ] || echo "by hand" >>"$finding/report.txt"
expect "min where a file was edited" 0 "report.txt was edited and stays as it is: --force" "$gcncheck" min --trust --quiet "$finding"
is "by hand" "$(tail -1 "$finding/report.txt")" "the edit is there"
longer
expect "min --force" 0 'instruction' "$gcncheck" min --trust --quiet --force "$finding"
! grep -q "by hand" "$finding/report.txt"
ok $? "replaces it"
# A campaign that comes upon them again leaves what was edited, too, and says so.
again() { "$gcncheck" fuzz --quiet --seed 1 --count 100 --dut "$example" --out "$tmp/found" "$@"; }
again --force >"$tmp/out" 2>&1
echo "by hand" >>"$finding/report.txt"
expect "fuzz where a file was edited" 1 "^gcncheck: $finding/report.txt was edited and stays as it is: --force replaces it" again
is "by hand" "$(tail -1 "$finding/report.txt")" "the edit is there"
expect "fuzz --force" 1 '^finding' again --force
! grep -q "by hand" "$finding/report.txt"
ok $? "replaces it"
cp "$finding/program.s" "$tmp/program.s"
ln -sf ../../program.s "$finding/program.s"
echo "// by hand" >>"$tmp/program.s"
cp "$tmp/program.s" "$tmp/program.copy"
expect "fuzz where a file is a link" 1 "program.s was edited and stays as it is" again
echo "by hand" >>"$finding/report.txt"
expect "fuzz --force where it is" 2 "program.s: is a symbolic link, through which nothing is written" again --force
is "by hand" "$(tail -1 "$finding/report.txt")" "and no other file was replaced"
same "what it points to is as it was" "$tmp/program.s" "$tmp/program.copy"
rm "$finding/program.s" "$finding/report.txt"
# A finding that was edited, or is damaged, keeps its place, and so do texts without their finding.json.
again --force >"$tmp/out" 2>&1
sed -i 's/"seed"/"note": "mine", "seed"/' "$json"
cp "$json" "$tmp/json.copy"
expect "fuzz where a finding was edited" 1 "^finding $finding-2: " again
same "it is as it was" "$json" "$tmp/json.copy"
rm -r "$finding-2"
head -c 300 "$tmp/json.copy" >"$json"
expect "fuzz where one is cut off" 1 "^finding $finding-2: " again
rm -r "$finding-2" "$json"
for file in report.txt program.s; do echo "by hand" >>"$finding/$file"; done
expect "fuzz where there are texts alone" 1 "was edited and stays as it is" again
is "by hand by hand" "$(tail -qn 1 "$finding/report.txt" "$finding/program.s" | xargs)" "they are as they were"
again --force >"$tmp/out" 2>&1
rm "$finding/program.s" "$finding/report.txt"
# Files of others in a folder of a finding's name.
mkdir -p "$tmp/foreign/${finding##*/}"
for file in report.txt program.s candidate.case; do
    echo "of somebody else" >"$tmp/foreign/${finding##*/}/$file"
    expect "a foreign $file" 1 "$file was edited and stays as it is" \
        "$gcncheck" fuzz --quiet --seed 1 --count 100 --dut "$example" --out "$tmp/foreign"
    is "of somebody else" "$(cat "$tmp/foreign/${finding##*/}/$file")" "stays"
    rm -r "$tmp/foreign/${finding##*/}/"*
done
mv "$finding" "$tmp/elsewhere"
ln -s "$tmp/elsewhere" "$finding"
cp "$tmp/elsewhere/finding.json" "$tmp/json.copy"
refuse "a finding through a link" 2 "is no folder: no finding is written there" "$gcncheck" fuzz --quiet --seed 1 --count 100 --dut "$example" --out "$tmp/found"
same "what it points to is as it was" "$tmp/elsewhere/finding.json" "$tmp/json.copy"

# ---- launch ----
cp -r cases/kernels/vadd_f32 "$tmp/k"
chmod -R u+w "$tmp/k"
cp "$tmp/k/out.bin" "$tmp/k/2.bin"
sed 's/out.bin/2.bin/' "$tmp/k/launch.txt" >"$tmp/k/launch2.txt"
printf '\377' | dd of="$tmp/k/2.bin" bs=1 seek=5 conv=notrunc 2>/dev/null
cp "$tmp/k/2.bin" "$tmp/reference"
refuse "launch over the file that it compares with" 2 "2.bin: is there already: --force" \
    "$gcncheck" launch --mcpu gfx900 --out "$tmp/k" "$tmp/k/gfx900.O3.co" "$tmp/k/launch2.txt"
same "it is as it was" "$tmp/k/2.bin" "$tmp/reference"
expect "a wrong kernel is wrong the second time" 1 "2.bin differs" "$gcncheck" launch --mcpu gfx900 "$tmp/k/gfx900.O3.co" "$tmp/k/launch2.txt"
expect "launch writes its buffers" 0 . "$gcncheck" launch --mcpu gfx900 --out "$tmp/buffers" "$tmp/k/gfx900.O3.co" "$tmp/k/launch.txt"
expect "the same ones again" 0 . "$gcncheck" launch --mcpu gfx900 --out "$tmp/buffers" "$tmp/k/gfx900.O3.co" "$tmp/k/launch.txt"
same "they are the expected ones" "$tmp/buffers/2.bin" "$tmp/k/out.bin"
mkdir "$tmp/buffers/.gcncheck"
expect "a folder with a name like ours is no harm" 0 . "$gcncheck" launch --mcpu gfx900 --out "$tmp/buffers" "$tmp/k/gfx900.O3.co" "$tmp/k/launch.txt"
rmdir "$tmp/buffers/.gcncheck" && ln -s nowhere "$tmp/buffers/.gcncheck"
expect "nor is a link" 0 . "$gcncheck" launch --mcpu gfx900 --out "$tmp/buffers" "$tmp/k/gfx900.O3.co" "$tmp/k/launch.txt"
is ".gcncheck " "$(find "$tmp/buffers" -mindepth 1 -name ".*" -printf "%f ")" "nothing else is left there"

# What a message names is the file that could not be written.
if [ "$(ulimit -f)" = unlimited ]; then
    expect "vectors on a full disk" 3 "^gcncheck export: $tmp/full/[a-z0-9]*/.*[.]json: cannot be written: File too large" \
        sh -c "ulimit -f 10; $gcncheck export --quiet --mcpu gfx900 --only vop3a --out $tmp/full"
fi
expect "findings whose DUT is not there" 2 "^gcncheck replay: $tmp/found/[^/]*: plugin '.*nosuch.so': " \
    "$gcncheck" replay --dut "plugin:$tmp/nosuch.so" "$tmp/found"
refuse "a stream of too many instructions" 2 "^gcncheck fuzz: --length 201: a stream has 1 to 200 instructions" \
    "$gcncheck" fuzz --length 201 --count 1 --out "$tmp/f"

# ---- what could not be written at the end is not begun: a minute is enough for the refusal alone ----
early() { # early TITLE WORDS ARGUMENT...
    title=$1 words=$2
    shift 2
    expect "$title" 3 "$words" timeout 60 "$gcncheck" "$@"
}
early "coverage in a folder that is not there" "nowhere/x: cannot be written: No such file" fuzz --coverage "$tmp/nowhere/x" --count 100000000 --out "$tmp/f"
early "findings below a file" "notes/f: cannot be written: Not a directory" fuzz --count 100000000 --out "$tmp/notes/f"
early "known failures in a folder that is not there" "nowhere/k: cannot be written: No such file" \
    fuzz --known "$tmp/nowhere/k" --update-known --count 100000000 --out "$tmp/f"
early "the same of a run" "nowhere/k: cannot be written: No such file" run --quiet --known "$tmp/nowhere/k" --update-known cases
is 0 "$(printf '%s\n' "$said" | grep -c '^ok')" "of which no case was run"
for format in json elf; do
    early "vectors below a file, $format" "notes/v: cannot be written: Not a directory" export --count 100000000 --format $format --out "$tmp/notes/v"
done
early "a file of vectors in a folder that is not there" "nowhere/v: cannot be written" export --format bin --out "$tmp/nowhere/v"
early "buffers below a file" "notes/b: cannot be written: Not a directory" launch --out "$tmp/notes/b" --mcpu gfx900 "$tmp/k/gfx900.O3.co" "$tmp/k/launch.txt"
is 0 "$(printf '%s\n' "$said" | grep -c differs)" "of which nothing was launched"
is "" "$(find "$tmp" -name '.*' -type f; find "$tmp" -name nowhere)" "nothing is left over, and nothing was made"
finish
