#!/bin/sh
# The session of the README, "From nothing to a green CI": each of its commands is run as it stands there, in one shell, and prints what
# stands below it ("..." is any text). TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
mkdir "$tmp/tree" "$tmp/tree/build" && ln -s "$PWD/cases" "$PWD/harness" "$tmp/tree/"
ln -s "$(realpath "$gcncheck")" "$tmp/tree/build/gcncheck"

# session PAGE FOLDER: a script in FOLDER: what each command (with its lines up to END, if it has <<'END') prints goes to FOLDER/N.out,
# and what the page has for it, to FOLDER/N.want; FOLDER/N.command names it.
session() {
    mkdir -p "$2"
    sed -n '/^### From nothing to a green CI$/,/^### The next day$/s/^    //p' "$1" | awk -v folder="$2" '
        function say(what, text) { print text >(folder "/" n "." what) }
        in_text { print; in_text = $0 != "END"; if (!in_text) print "} >" folder "/" n ".out 2>&1"; next }
        /^\$ / { n++; say("command", substr($0, 3)); printf "" >(folder "/" n ".want")
                 print "{"; print substr($0, 3)
                 in_text = /<<.END.$/
                 if (!in_text) print "} >" folder "/" n ".out 2>&1"
                 next }
        n { say("want", $0) }' >"$2/script"
}

# agrees WANT GOT: line for line, with ... for any text.
agrees() {
    python3 - "$1" "$2" <<'END'
import re, sys
want, got = (open(p, encoding="utf-8").read() for p in sys.argv[1:3])
sys.exit(not re.fullmatch(".*".join(map(re.escape, want.split("..."))), got))
END
}

session README.md "$tmp/steps"
steps=$(ls "$tmp/steps" | grep -c 'command$')
[ "$steps" -ge 10 ]
ok $? "there is a session in the README ($steps commands)" "$tmp/steps/script"
(cd "$tmp/tree" && unset EXAMPLE_DUT_BUG && sh "$tmp/steps/script") >"$tmp/log" 2>&1
for n in $(seq "$steps"); do
    touch "$tmp/steps/$n.out"
    agrees "$tmp/steps/$n.want" "$tmp/steps/$n.out"
    ok $? "$(head -n 1 "$tmp/steps/$n.command" | cut -c1-90)" "$tmp/steps/$n.out"
done

# What it leaves behind is what it says.
for file in junit.xml report.html; do
    [ -s "$tmp/tree/my/$file" ]
    ok $? "my/$file is there"
done
grep -q '<testsuite name="SOP2" .* time="' "$tmp/tree/my/junit.xml"
ok $? "JUnit has a suite of an encoding, with its time"
grep -q '<section id="over-time">' "$tmp/tree/my/report.html"
is 0 "$(grep -c '<script\|http:\|https:' "$tmp/tree/my/report.html")" "the page needs nothing else"

# A session that is not true is seen.
sed 's/^    exit code 0$/    exit code 7/; s/^    s_add_u32 base: scc$/    s_add_u32 base: vcc/' README.md >"$tmp/page.md"
session "$tmp/page.md" "$tmp/false"
wrong=0
for n in $(seq "$steps"); do
    agrees "$tmp/false/$n.want" "$tmp/steps/$n.out" || wrong=$((wrong + 1))
done
is 2 "$wrong" "two lines that are not true are two failures"
finish
