#!/bin/sh
# gcncheck fuzz --corpus: which of its files are run, by whom; any bytes are a program. What AFL++ makes of it: afl.sh. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
mkdir "$tmp/three" "$tmp/many"
# recipe FILE FROM: 600 bytes, others for each number.
recipe() { seq "$2" "$(($2 + 400))" | cksum | cut -d' ' -f1 | awk '{ srand($1 % 1000003); for (i = 0; i < 600; i++) printf "%c", 1 + int(rand() * 127) }' >"$1"; }
for i in 1 2 3; do recipe "$tmp/three/$i" "$i"; done
i=0
while [ $i -lt 70 ]; do
    cp "$tmp/three/$((i % 3 + 1))" "$tmp/many/$(printf %03d $i)"
    i=$((i + 1))
done
# fuzz OPTION...: $code, and what was counted: "right R, wrong W".
fuzz() {
    "$gcncheck" fuzz --jobs 1 --dut model --out "$tmp/found" "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
    counted=$(sed -n 's/^streams: \(right [0-9]*, wrong [0-9]*\) .*/\1/p' "$tmp/out")
}
fuzz --corpus "$tmp/three"
is "0 right 3, wrong 0" "$code $counted" "every file is a program"
fuzz --corpus "$tmp/three" --shard 2/2
is "0" "$code" "a shard without a file has nothing to do"
none "and nothing to say" "$(cat "$tmp/err")"
fuzz --corpus "$tmp/many" --shard 1/2
first="$code $counted"
fuzz --corpus "$tmp/many" --shard 2/2
is "0 right 64, wrong 0; 0 right 6, wrong 0" "$first; $code $counted" "two shards are all of it"
fuzz --count 3 --shard 2/2
is "0" "$code" "so it is of a count"

for more in "--count 5" "--stream 5" "--length 5" "--only v_add_f32" "--skip v_add_f32" "--form e64" "--profile alu" "--weights $tmp/none" \
    "--coverage $tmp/none" "--fill-holes" "--common gfx900,gfx906"; do
    # shellcheck disable=SC2086
    refuse "beside $more" 2 "^gcncheck fuzz: --corpus says what is run: .*--length" "$gcncheck" fuzz --corpus "$tmp/three" $more --out "$tmp/found"
    # shellcheck disable=SC2086
    set -- $more
    "$gcncheck" help fuzz | tr '\n' ' ' | grep -q -e "what draws streams is refused.*$1.*--seed says nothing then"
    ok $? "which help says of $1"
done

# Gone on with: what had been done is not done again, and the end is the same.
dut=plugin:$(dirname "$gcncheck")/example_dut.so
campaign() { "$gcncheck" fuzz --quiet --jobs 1 --dut "$dut" --corpus "$tmp/many" --out "$tmp/findings" "$2" "$tmp/$1.j" >"$tmp/out" 2>"$tmp/err"; }
campaign whole --journal
head -c $(($(wc -c <"$tmp/whole.j") * 3 / 4)) "$tmp/whole.j" >"$tmp/cut.j"
campaign cut --resume
cmp "$tmp/whole.j" "$tmp/cut.j" >"$tmp/out" 2>&1
ok $? "a campaign of a corpus is gone on with, and its journal ends as if undisturbed" "$tmp/out"
cp "$tmp/whole.j" "$tmp/before"
recipe "$tmp/many/000" 9
campaign whole --resume
is 2 $? "with another corpus it is not"
grep -q 'was begun with another --corpus' "$tmp/err" && cmp -s "$tmp/before" "$tmp/whole.j"
ok $? "which is named, and the journal stays" "$tmp/err"
finish
