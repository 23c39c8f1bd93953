#!/bin/sh
# Builds gcncheck with musl in place of glibc, and the libraries it needs from their sources, and compares what it prints and writes with
# what the other does. The virtual GPU and cards (libdrm) are left out. TAP 13.
#
#   scripts/check/musl.sh          COUNT=200: random programs on the example, of which many differ
#
# Debian's packages of musl, and the sources of libelf, libdw, zlib, zstd, msgpack-c, jansson and libyaml, are unpacked below $MUSL
# (build-musl), which is kept: nothing is installed. Needs gcc, and the program and the example in $BUILD (build).
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
. scripts/check/elsewhere.sh
musl=$PWD/${MUSL:-build-musl}
build=$PWD/${BUILD:-build}
root=$musl/root
for tool in gcc apt-get dpkg pkg-config; do
    command -v $tool >/dev/null || skip_all "$tool is not installed"
done
[ "$(gcc -dumpmachine)" = x86_64-linux-gnu ] || skip_all "gcc is not one for x86-64"

# ---- what it is built with ----

# apt COMMAND...: apt-get with folders of its own, so that the system's stay as they are.
apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$musl/sources" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$musl/lists" \
        -o Dir::Cache="$musl/archives" -o APT::Sandbox::User="" "$@"
}
fetch() (
    mkdir -p "$musl/lists/partial" "$musl/archives/archives/partial" "$root" && cd "$musl" || exit
    key="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    printf "%s $key http://deb.debian.org/debian $release main\n" deb deb-src >sources
    apt update && apt source --download-only elfutils zlib libzstd msgpack-c jansson libyaml && apt download musl musl-dev musl-tools || exit
    for file in *.orig.tar.*; do
        case $file in *.asc) ;; *) tar xf "$file" || exit ;; esac
    done
    for file in *.deb; do dpkg -x "$file" root || exit; done
    # What musl-gcc is: gcc with the other headers, library and loader, which are here. It has no headers of the kernel.
    sed -e "s,-isystem include%s,& -isystem $root/kernel,; s,/usr/\(include\|lib\)/x86_64,$root&,g; s,/lib/ld-musl-x86_64.so.1,$root/lib/x86_64-linux-musl/libc.so," \
        root/usr/lib/x86_64-linux-musl/musl-gcc.specs >specs
    ln -sf "$root/lib/x86_64-linux-musl/libc.so" root/usr/lib/x86_64-linux-musl # without it the linker takes libc.a, which loads no plug-in
    mkdir -p root/kernel && ln -sf /usr/include/linux /usr/include/asm-generic /usr/include/x86_64-linux-gnu/asm root/kernel && touch ready
)
cc="gcc -specs $musl/specs"

# archive NAME FOLDER "FLAGS" FILE...: compiles the files of a folder, each with its own path, into $musl/lib/libNAME.a.
archive() (
    name=$1 flags=$3
    cd "$2" && mkdir -p "$musl/lib" "$musl/o/$name" || exit
    shift 3
    # shellcheck disable=SC2086
    printf '%s\n' $* | xargs -P "$(nproc)" -I{} sh -c \
        "$cc -O1 -w -D_GNU_SOURCE $flags -c -o \"$musl/o/$name/\$(echo {} | tr / _).o\" {}" && ar rcs "$musl/lib/lib$name.a" "$musl/o/$name"/*.o
)
# What their own build would make of templates, and what it would define.
generated() {
    g=$musl/generated
    mkdir -p "$g/msgpack"
    { printf '#define %s\n' 'PACKAGE_VERSION "0"' 'SIZEOF_LONG 8' 'HAVE_VISIBILITY 1' 'HAVE_ERR_H 1' 'HAVE_DECL_MEMPCPY 1' 'HAVE_DECL_REALLOCARRAY 1' \
        'HAVE_DECL_POWEROF2 1' && echo '#include <eu-config.h>'; } >"$g/config.h"
    for name in pack_template sysdep; do
        sed 's/@MSGPACK_ENDIAN_BIG_BYTE@/0/; s/@MSGPACK_ENDIAN_LITTLE_BYTE@/1/' "msgpack-c/cmake/$name.h.in" >"$g/msgpack/$name.h"
    done
    sed 's/@json_inline@/inline/; s/@[a-z_]*@/1/' jansson/src/jansson_config.h.in >"$g/jansson_config.h"
    : >"$g/jansson_private_config.h"
}
libraries() (
    cd "$musl" && mkdir -p include/elfutils include/msgpack pc || exit
    for name in elfutils zlib zstd msgpack-c jansson libyaml; do ln -sfn "$name"-[0-9]* $name; done
    generated
    cp elfutils/libelf/libelf.h elfutils/libelf/gelf.h elfutils/libelf/elf.h elfutils/libdw/dwarf.h zlib/zlib.h zlib/zconf.h zstd/lib/zstd.h \
        zstd/lib/zstd_errors.h libyaml/include/yaml.h jansson/src/jansson.h generated/jansson_config.h include
    cp elfutils/libdw/libdw.h include/elfutils
    cp -r msgpack-c/include/. generated/msgpack include
    elf="-DHAVE_CONFIG_H -I$musl/generated -I../lib -I../libelf -I../libebl -I../libdw -I../libdwfl -I../libdwelf -I../libasm -I. -I$musl/zlib"
    archive z zlib "" '*.c' && archive elf elfutils/libelf "$elf" '*.c' &&
        archive ebl elfutils/libebl "$elf" eblclosebackend.c && archive eu elfutils/lib "$elf" error.c &&
        archive dwelf elfutils/libdwelf "$elf" dwelf_dwarf_gnu_debugaltlink.c &&
        archive dw elfutils/libdw "$elf" '*.c' && archive zstd zstd/lib "-DZSTD_DISABLE_ASM" 'common/*.c' 'compress/*.c' 'decompress/*.c' &&
        archive msgpackc msgpack-c "-I$musl/include" 'src/*.c' &&
        archive jansson jansson/src "-I$musl/generated -DHAVE_STDINT_H -DHAVE_UNISTD_H" '*.c' &&
        archive yaml libyaml/src '-I../include -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 -DYAML_VERSION_STRING=\"0.2.5\"' '*.c' || exit
    for pair in libelf:"-lelf -lz" libdw:"-ldw -lebl -ldwelf -leu -lelf -lz" msgpack:-lmsgpackc jansson:-ljansson libzstd:-lzstd yaml-0.1:-lyaml; do
        printf '%s\n' "Name: ${pair%%:*}" "Description: with musl" "Version: 1" "Cflags: -isystem $musl/include" "Libs: -L$musl/lib ${pair#*:}" \
            >"pc/${pair%%:*}.pc"
    done
    touch built
)
[ -e "$musl/ready" ] || fetch >"$tmp/log" 2>&1 || {
    note "$(tail -n 5 "$tmp/log")"
    skip_all "the packages and sources cannot be had"
}
[ -e "$musl/built" ] || libraries >"$tmp/log" 2>&1 || {
    note "$(tail -n 5 "$tmp/log")"
    bail "the libraries are not built"
}
PKG_CONFIG_LIBDIR=$musl/pc
export PKG_CONFIG_LIBDIR
make -s core "$musl/build/example_dut.so" CC="$cc" BUILD="$musl/build" WERROR=1 >"$tmp/log" 2>&1
code=$?
ok $code "gcncheck is built with musl, without a warning" "$tmp/log"
[ $code = 0 ] || finish
is "" "$(readelf -Ws "$musl/build/gcncheck" | grep -o 'GLIBC_[0-9.]*' | sort -u)" "and asks for nothing of glibc"
is "libdrm_amdgpu is not installed" "$(grep -o 'libdrm_amdgpu is not installed' "$tmp/log")" "the virtual GPU and cards are left out"

# ---- what it is compared with ----

ln -sfn "$PWD/cases" "$musl/cases"
on here "$build/example_dut.so" "$build/gcncheck"
on there "$musl/build/example_dut.so" "$musl/build/gcncheck"
compare
finish
