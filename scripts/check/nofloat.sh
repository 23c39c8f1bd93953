#!/bin/sh
# Compiles the oracle, without oracle/sem/host, so that any use of a float or of a vector register is an error: the ref
# engine must not depend on the host's arithmetic. gcc only (clang accepts the flag and ignores it). TAP.
cd "$(dirname "$0")/../.." || exit 2
echo "TAP version 13"
case "$(uname -m)" in
x86_64 | aarch64) ;;
*) echo "1..0 # SKIP -mgeneral-regs-only is not known on $(uname -m)"; exit 0 ;;
esac
command -v gcc >/dev/null || { echo "1..0 # SKIP no gcc"; exit 0; }
n=0
failed=0
for c in $(find oracle -name '*.c' ! -path 'oracle/sem/host/*' | sort); do
    n=$((n + 1))
    if out=$(gcc -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. -O1 -mgeneral-regs-only -fsyntax-only "$c" 2>&1 &&
        gcc -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. -O1 -mgeneral-regs-only -S -o /dev/null "$c" 2>&1); then
        echo "ok $n - $c"
    else
        printf '%s\n' "$out" | sed 's/^/# /' | head -5
        echo "not ok $n - $c"
        failed=1
    fi
done
# The check must be able to fail.
n=$((n + 1))
if echo 'float f(float a) { return a + 1; }' | gcc -mgeneral-regs-only -O1 -S -o /dev/null -x c - 2>/dev/null; then
    echo "not ok $n - a float is refused"
    failed=1
else
    echo "ok $n - a float is refused"
fi
echo "1..$n"
exit $failed
