#!/bin/sh
# Builds gcncheck for aarch64 and compares what it prints and writes, run by qemu, with what the program for this machine does. TAP 13.
#
#   scripts/check/aarch64.sh          COUNT=200: random programs on the example, of which many differ
#
# Debian's packages for arm64, and qemu's, are unpacked below $ARM (build-aarch64), which is kept: nothing is installed. Needs clang,
# lld, and the program and the example in $BUILD (build).
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
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

# ---- what is compared ----

# A name and commands, a line each, in a folder that holds dut.so. $g is gcncheck, $c the cases.
commands() {
    cat <<'END'
cases     for m in gfx803 gfx900 gfx908; do $g run --mcpu $m --format jsonl --fraction 1/3 $c; done
run       $g run --dut plugin:./dut.so --journal run.journal $c/sop1 $c/vop3a/v_bfe_u32.case
streams   $g fuzz --seed 5 --count 200 --journal fuzz.journal --coverage fuzz.cover
fuzz      $g fuzz --seed 6 --count $COUNT --dut plugin:./dut.so --out found
report    for f in text html tap junit jsonl lines; do for j in run fuzz; do $g report --format $f --out $j.$f $j.journal; done; done
replay    for f in found/*; do $g replay --trust $f; $g min --trust $f; done
vectors   $g export --format json --out vectors $c/vop3p $c/mai $c/vop1; $g export --format bin --out random.gcv --seed 2 --count 50
elf       $g export --format elf --out elf $c/vop3a/v_fma_f32.case; $g launch elf/*.co elf/*.txt
text      $g list --format samples --count 1 >samples; sed '/invalid/d; s/.*	//' samples | $g asm >hex; $g dis <hex
kernels   for k in vadd_f32 sha256 matmul_tiled; do $g launch --trace $c/kernels/$k/gfx900.O3.co $c/kernels/$k/launch.txt; done
litmus    $g litmus --count 1000 $c/litmus/*.litmus
lint      $g lint $c/kernels/planted/gfx900.asm.co
help      $g help --man
END
}

# on NAME LIBRARY PROGRAM...: all of it by this program, in $tmp/here, which becomes $tmp/NAME.
on() {
    name=$1
    mkdir "$tmp/here"
    cp "$2" "$tmp/here/dut.so"
    shift 2
    commands | while read -r what command; do
        (cd "$tmp/here" && g="$*" c=$tmp/cases COUNT=${COUNT:-200} && export g c COUNT && sh -c "$command" >"$what.out" 2>"$what.err" </dev/null)
        echo "exit code $?" >>"$tmp/here/$what.err"
    done
    # Times, and the hash of the program or plug-in, which journals hold, too: of those the pages are compared.
    rm "$tmp/here/dut.so" "$tmp"/here/*.journal
    find "$tmp/here" -type f ! -name '*.gcv' ! -name '*.co' -exec sed -i 's/, [0-9.]* s$//' {} +
    find "$tmp/here" \( -name '*.html' -o -name '*.jsonl' \) -exec sed -i -E 's/\<([0-9a-f]{64}|[0-9a-f]{12})\>/HASH/' {} +
    mv "$tmp/here" "$tmp/$name"
}
ln -s "$PWD/cases" "$tmp/cases"
on here "$build/example_dut.so" "$build/gcncheck"
on there "$arm/build/example_dut.so" $qemu "$arm/build/gcncheck"
for what in $(commands | cut -d' ' -f1); do
    [ -s "$tmp/here/$what.out" ] || [ "$what" = report ]
    ok $? "$what: there is something to compare"
done
# different: the files in which the two differ.
different() {
    (cd "$tmp" && diff -rq here there)
}
none "nothing differs" "$(different)"
printf x >>"$tmp/there/lint.out"
is "Files here/lint.out and there/lint.out differ" "$(different)" "planted: a byte more shows"
finish
