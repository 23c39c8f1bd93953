#!/bin/sh
# Where the results would be others, the build ends with a sentence: on big-endian processors, and with compilers that have no
# __int128. TAP 13. What such a compiler says of itself is given by -D and -U; s390x's own is asked where it is installed.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
cc=${CC:-gcc}
little='#error "gcncheck needs a little-endian processor: it keeps the GPU.s memory in its byte order."'
wide='#error "gcncheck needs a compiler with __int128, as gcc and clang are for 64-bit processors."'
[ "${cc##*clang*}" ] || { little=${little#?error } wide=${wide#?error }; } # clang leaves the directive's name out

# says TITLE CODE PATTERN COMPILER FLAG...: what the compiler says of a file of the model.
says() {
    title=$1 want=$2 pattern=$3
    shift 3
    expect "$title" "$want" "$pattern" "$@" -std=c11 -I. -fsyntax-only oracle/fp/fp32.c
}
says "a little-endian processor with __int128 is taken" 0 '' $cc
says "a big-endian one is not" 1 "$little" $cc -Wno-builtin-macro-redefined -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__
says "nor a compiler that does not tell" 1 "$little" $cc -Wno-builtin-macro-redefined -U__BYTE_ORDER__
says "nor one without __int128" 1 "$wide" $cc -Wno-builtin-macro-redefined -U__SIZEOF_INT128__
case $($cc -dumpmachine) in
x86_64-*) says "nor x86 with 32 bits" 1 "$wide" $cc -m32 ;;
*) skip "nor x86 with 32 bits" "the compiler is for another processor" ;;
esac
if command -v s390x-linux-gnu-gcc >/dev/null; then
    says "nor s390x's" 1 "$little" s390x-linux-gnu-gcc
else
    skip "nor s390x's" "gcc-s390x-linux-gnu is not installed"
fi

# Every file of the model and the generator sees these lines, by base.h.
make_tmp
# without FILE...: the rules of those that do not include it, as the compiler writes them for make, a line each.
without() {
    $cc -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. -MM "$@" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | grep -v ' oracle/base/base.h'
}
echo '#include <stdint.h>' >"$tmp/alone.c"
is "alone.o: $tmp/alone.c" "$(without "$tmp/alone.c" oracle/fp/fp32.c)" "a source file that does not include base.h is noticed"
none "every source file of oracle and fuzz includes base.h" "$(without $(find oracle fuzz -name '*.c'))"
finish
