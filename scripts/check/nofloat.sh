#!/bin/sh
# Compiles the oracle, without oracle/sem/host, so that any use of a float or of a vector register is an error: the ref
# engine must not depend on the host's arithmetic. gcc only (clang accepts the flag and ignores it). TAP.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
case "$(uname -m)" in
x86_64 | aarch64) ;;
*) skip_all "-mgeneral-regs-only is not known on $(uname -m)" ;;
esac
command -v gcc >/dev/null || skip_all "no gcc"
make_tmp
for c in $(find oracle -name '*.c' ! -path 'oracle/sem/host/*' | sort); do
    # not optimised: nothing is left out before it is looked at
    gcc -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. -O0 -mgeneral-regs-only -S -o /dev/null "$c" >"$tmp/said" 2>&1
    ok $? "$c" "$tmp/said"
done
# The check must be able to fail.
! echo 'float f(float a) { return a + 1; }' | gcc -mgeneral-regs-only -O0 -S -o /dev/null -x c - 2>/dev/null
ok $? "a float is refused"
finish
