#!/bin/sh
# `gcncheck run --gate`: what evidence a ledger entry has decides whether a difference that it touches counts. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
mkdir -p "$tmp/vop2"

# The same wrong expectation (1 + 2 is not 4) without an entry, with one (VALU-C01: agreed), and with an unknown one.
write() {
    cat >"$tmp/vop2/v_add_u32.case" <<END
case-format 1
test a wrong expectation
$1
code
    v_add_u32 v0, v1, v2
rows  v1  v2  | v0
      1   2   | 4
END
}

# try CODE WHAT ARGUMENTS...: exit code, and how the result is printed.
try() {
    code=$1 what=$2
    shift 2
    "$gcncheck" run --quiet "$@" "$tmp/vop2" >"$tmp/out" 2>&1
    [ $? = "$code" ] && grep -q "$what" "$tmp/out"
    ok $? "$* ends with $code" "$tmp/out"
}

write ""
try 1 "^not ok 1" --gate captured
try 1 "^not ok 1" --gate manual
write "errata VALU-C01"
try 1 "^not ok 1" --gate agreed
try 1 "^not ok 1"
try 0 "^not ok 1 .* # TODO VALU-C01" --gate captured
write "errata VALU-C01 NONE-C99"
try 0 "^not ok 1 .* # TODO VALU-C01 NONE-C99" --gate reported
try 1 "^not ok 1" --gate manual
try 0 "VALU-C01 NONE-C99" --format text
finish
