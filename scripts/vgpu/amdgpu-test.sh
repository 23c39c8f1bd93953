#!/bin/sh
# libdrm's amdgpu_test, built from Debian's source package and not changed, on the virtual GPU: all tests of basic, BO, deadlock, VM,
# timelines and CP DMA on five chips, by both front ends, against scripts/vgpu/amdgpu_test.known. The package is fetched into the
# build folder by apt-get with lists of its own; nothing is installed. TAP 13.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
known=scripts/vgpu/amdgpu_test.known
third=$(dirname "$gcncheck")/third
[ -e "$(dirname "$gcncheck")/gcncheck-vgpu.so" ] || skip_all "built without libdrm (libdrm-dev)"

# get COMMAND...: apt-get with sources of its own.
get() {
    apt-get -qq -o Dir::Etc::sourcelist="$PWD/sources" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/lists" \
        -o Dir::Cache="$PWD/archives" "$@"
}
fetch() (
    mkdir -p "$third/lists/partial" "$third/archives/archives/partial" && cd "$third" || exit
    key="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    printf "%s $key http://deb.debian.org/debian $release main\n" deb deb-src >sources
    get update && get source --download-only libdrm && get download libcunit1-dev || exit
    tar xf libdrm_*.orig.tar.xz && dpkg -x libcunit1-dev_*.deb cunit
)
build() (
    cd "$third" || exit
    source=$(echo libdrm-*/)
    gcc -O1 -w -std=gnu11 -D_GNU_SOURCE -DMAJOR_IN_SYSMACROS=1 -DHAVE_LIBDRM_ATOMIC_PRIMITIVES=1 \
        -DAMDGPU_ASIC_ID_TABLE='"/usr/share/libdrm/amdgpu.ids"' -I"$source" -I"$source/include/drm" -I"$source/amdgpu" \
        $(pkg-config --cflags libdrm_amdgpu) -Icunit/usr/include -o amdgpu_test \
        $(ls "$source"/tests/amdgpu/*.c | grep -v stress) cunit/usr/lib/*/libcunit.a -ldrm_amdgpu -ldrm -lpciaccess -lm -pthread
)
make_tmp
[ -x "$third/amdgpu_test" ] || { fetch && build; } >"$tmp/log" 2>&1 || skip_all "amdgpu_test cannot be had: $(tail -1 "$tmp/log")"

# verdict CHIP TEST: what the table says of it.
verdict() {
    awk -v chip="$1" -v test="$2" '/^[^#]/ { n = split($1, list, ","); for (i = 1; i <= n; i++)
        if ((list[i] == "*" || list[i] == chip) && $2 "" == test "") what = $3 } END { print what ? what : "pass" }' "$known"
}
# one FRONT CHIP SUITE.TEST: runs it, and says how it ended.
one() {
    timeout 300 "$gcncheck" vgpu "$2" --front "$1" --stats -- "$third/amdgpu_test" -s "${3%.*}" -t "${3#*.}" -f >"$tmp/out" 2>&1
    if grep -q 'FAILED$' "$tmp/out"; then
        echo fail
    elif ! grep -q 'passed$' "$tmp/out"; then
        echo none
    elif [ "${3%.*}" != 8 ] && ! grep -q ' 0 hangs, 0 errors$' "$tmp/out"; then
        echo weak
    else
        echo pass
    fi
}
for chip in vega10 vega20 mi100 polaris10 hawaii; do
    for suite in 1:14 2:6 8:13 9:3 11:1 14:5; do
        number=1
        while [ $number -le "${suite#*:}" ]; do
            test=${suite%:*}.$number
            want=$(verdict $chip "$test")
            number=$((number + 1))
            [ "$want" != off ] || continue
            fronts=preload
            case $test in 8.*) ;; *) fronts="preload seccomp" ;; esac
            for front in $fronts; do
                got=$(one $front $chip "$test")
                is "$want" "$got" "$chip, $front: $test $(sed -n 's/^ *Test: \(.*\) \.\.\..*/\1/p' "$tmp/out" | head -1)"
            done
        done
    done
done
finish
