#!/bin/sh
# Builds gcncheck for aarch64 and compares what it prints and writes, run by qemu, with what the program for this machine does; then
# does so with an x86-64 that lacks AVX2. TAP 13.
#
#   scripts/check/aarch64.sh          COUNT=200: random programs on the example, of which many differ; CASES=1/12: of the cases
#
# Debian's packages for arm64, and qemu's, are unpacked below $ARM (build-aarch64), which is kept: nothing is installed. Needs clang,
# lld, and the program and the example in $BUILD (build).
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
. scripts/check/elsewhere.sh
arm=$PWD/${ARM:-build-aarch64}
build=$PWD/${BUILD:-build}
root=$arm/root
for tool in clang ld.lld apt-get dpkg; do
    command -v $tool >/dev/null || skip_all "$tool is not installed"
done

# ---- what it is built with ----

# fetch ARCHITECTURE PACKAGE...: unpacks them into $root. apt has folders of its own here, so that the system's stay as they are.
fetch() {
    apt=$arm/apt-$1
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs" "$root"
    : >"$apt/status"
    cat >"$apt/conf" <<END
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Sandbox::User "";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
    shift
    (cd "$apt/debs" && APT_CONFIG=$apt/conf && export APT_CONFIG && apt-get -qq update && apt-get -qq download "$@") || return 1
    for deb in "$apt"/debs/*.deb; do dpkg -x "$deb" "$root" || return 1; done
}
if [ ! -e "$root/ready" ]; then
    { fetch "$(dpkg --print-architecture)" qemu-user-static &&
        fetch arm64 libc6 libc6-dev linux-libc-dev libgcc-12-dev libgcc-s1 libelf1 libelf-dev libdw1 libdw-dev zlib1g zlib1g-dev liblzma5 \
            liblzma-dev libbz2-1.0 libmsgpackc2 libmsgpack-dev libjansson4 libjansson-dev libzstd1 libzstd-dev libyaml-0-2 libyaml-dev \
            libdrm2 libdrm-amdgpu1 libdrm-dev && touch "$root/ready"; } >"$tmp/log" 2>&1 || {
        note "$(tail -n 5 "$tmp/log")"
        skip_all "the packages of arm64 cannot be had"
    }
fi
qemu="$root/usr/bin/qemu-aarch64-static -L $root"
PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
cc="clang --target=aarch64-linux-gnu --sysroot=$root -fuse-ld=lld"
make -s core "$arm/build/example_dut.so" CC="$cc" BUILD="$arm/build" EMULATOR="$qemu" >"$tmp/log" 2>&1
ok $? "gcncheck is built for aarch64" "$tmp/log"
is "gcncheck: ELF AArch64" "gcncheck: ELF $(readelf -h "$arm/build/gcncheck" | sed -n 's/.*Machine: *//p')" "and for no other"

# ---- what it is compared with ----

ln -sfn "$PWD/cases" "$arm/cases"
CASES=${CASES:-1/12} # qemu takes ten times as long
on here "$build/example_dut.so" "$build/gcncheck"
on there "$arm/build/example_dut.so" $qemu "$arm/build/gcncheck"
compare

# ---- x86-64 without AVX2, which is what rows are compiled for a second time ----

if [ "$(uname -m)" = x86_64 ]; then
    unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    old="$root/usr/bin/qemu-x86_64-static -cpu Nehalem"
    few="run --quiet --format lines --mcpu gfx900 cases/sop2 cases/vop3p"
    "$build/gcncheck" $few >"$tmp/with"
    $old "$build/gcncheck" $few >"$tmp/without" 2>"$tmp/log"
    ok $? "a processor without AVX2 finds the cases right" "$tmp/log"
    cmp "$tmp/with" "$tmp/without" >"$tmp/log" 2>&1 && [ -s "$tmp/with" ]
    ok $? "and says of them what one with it does" "$tmp/log"
    make -s core BUILD="$arm/native" ROWS=native >"$tmp/log" 2>&1
    ok $? "a program is built for this processor" "$tmp/log"
    refuse "which says on one without AVX2 what it was built for" 3 "make ROWS=all" $old "$arm/native/gcncheck" run cases/sop2
fi
finish
