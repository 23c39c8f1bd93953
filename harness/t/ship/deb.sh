#!/bin/sh
# The Debian package: what it says of itself, what it holds, and that the program runs out of it. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
is_long || skip_all "in make test-long, or with ALL=1"
make_tmp
build=$(dirname "$gcncheck")
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || skip_all "dpkg-dev is not installed"
[ -z "${EMULATOR:-}" ] || skip_all "the program does not run here"
nm "$gcncheck" 2>/dev/null | grep -q -e __asan_init -e __gcov_init && skip_all "the program is built for tests alone"
libraries=$(ls "$build"/gcncheck-vgpu.so "$build"/gcncheck-drm.so 2>/dev/null | tr '\n' ' ')

# In a folder of its own, so that nothing is left in the build folder.
mkdir "$tmp/build" && ln -s "$(realpath "$gcncheck")" $(realpath $libraries) "$tmp/build/"
export SOURCE_DATE_EPOCH=1700000000 DEBFULLNAME='A Tester' DEBEMAIL=tester@example.org
mine=$(for so in $libraries; do printf '%s ' "$tmp/build/$(basename "$so")"; done)
BUILD=$tmp/build LIBRARIES=$mine sh scripts/ship/deb.sh >"$tmp/name" 2>"$tmp/log"
ok $? "a package is made" "$tmp/log"
deb=$(cat "$tmp/name")
version=$(sed -n 's/^#define GCNCHECK_VERSION "\(.*\)"$/\1/p' harness/line/opts.h)
is "$tmp/build/gcncheck_${version}_$(dpkg --print-architecture).deb" "$deb" "its name has version and architecture"
[ -f "$deb" ] || bail "there is no package"

is "$version" "$(dpkg-deb -f "$deb" Version)" "the version is that of the program"
is "A Tester <tester@example.org>" "$(dpkg-deb -f "$deb" Maintainer)" "who made it"
dpkg-deb -f "$deb" Depends >"$tmp/depends"
for library in libc6 libelf1 libjansson4 libmsgpackc2; do
    grep -q -E "(^|, )$library( |,|$)" "$tmp/depends"
    ok $? "it needs $library" "$tmp/depends"
done
is "$([ -n "$libraries" ] && echo 1 || echo 0)" "$(grep -c libdrm-amdgpu1 "$tmp/depends")" "and libdrm, if cards are in it"
dpkg-deb -c "$deb" | awk '{ print $1, $2, $6 }' >"$tmp/contents"
none "all is root's and below /usr" "$(grep -v -E '^[^ ]+ root/root \./(usr/.*)?$' "$tmp/contents" | head -3)"
none "nobody else may write it" "$(awk 'substr($1, 6, 1) == "w" || substr($1, 9, 1) == "w"' "$tmp/contents" | head -3)"
none "make uninstall is not for it" "$(grep share/gcncheck/installed "$tmp/contents")"
sh scripts/ship/install.sh list | sed -e 's|^bin/.*||' -e 's|^share/man.*|&.gz|' -e '/^$/d' -e '/^lib/d' >"$tmp/want"
sed 's/.* \.\/usr\///' "$tmp/contents" | LC_ALL=C sort >"$tmp/has"
# missing FILE: what make install has and a list of files has not.
missing() { LC_ALL=C sort "$tmp/want" | LC_ALL=C comm -23 - "$1" | head -3; }
none "every file that make install has" "$(missing "$tmp/has")"
grep -v 'share/bash-completion/' "$tmp/has" >"$tmp/planted"
is "share/bash-completion/completions/gcncheck" "$(missing "$tmp/planted")" "planted: a file that is missing shows"

# Into a folder, as root into a root of its own: the archive is unpacked, and everything runs from there.
dpkg-deb -x "$deb" "$tmp/root" && (cd "$tmp/root" && dpkg-deb --control "$deb" "$tmp/control" && md5sum --quiet -c "$tmp/control/md5sums") >"$tmp/log" 2>&1
ok $? "it is unpacked, and the sums are right" "$tmp/log"
planted=usr/share/gcncheck/cases/sop2/s_add_u32.case
cp "$tmp/root/$planted" "$tmp/kept" && echo >>"$tmp/root/$planted"
is "$planted: FAILED" "$(cd "$tmp/root" && LC_ALL=C md5sum --quiet -c "$tmp/control/md5sums" 2>/dev/null)" "planted: a line more in a file shows"
cp "$tmp/kept" "$tmp/root/$planted"
program=$tmp/root/usr/bin/gcncheck
is "$("$gcncheck" --version)" "$("$program" --version 2>&1)" "the program runs"
expect "it knows its virtual GPU and runs its cases" 0 "^ok" sh -c 'cd / && "$1" run --quiet --dut "$2" "$3"' - "$program" \
    "$([ -n "$libraries" ] && echo vgpu:gfx900 || echo model)" "$tmp/root/usr/share/gcncheck/cases/sop2/s_add_u32.case"
if [ "$(id -u)" = 0 ]; then
    mkdir -p "$tmp/empty/var/lib/dpkg/info" "$tmp/empty/var/lib/dpkg/updates" && : >"$tmp/empty/var/lib/dpkg/status"
    dpkg --root="$tmp/empty" --force-depends --force-not-root --force-script-chrootless -i "$deb" >"$tmp/log" 2>&1
    ok $? "dpkg installs it into an empty root" "$tmp/log"
    is "$("$gcncheck" --version)" "$("$tmp/empty/usr/bin/gcncheck" --version 2>&1)" "and it runs there"
    dpkg --root="$tmp/empty" --force-script-chrootless -r gcncheck >"$tmp/log" 2>&1
    ok $? "and removes it" "$tmp/log"
    none "without a rest" "$(find "$tmp/empty" -path "$tmp/empty/var" -prune -o ! -type d -print | head -3)"
else
    skip "dpkg installs it into an empty root" "root is needed"
fi

mv "$deb" "$tmp/second.deb"
touch -c -h "$tmp/build"/*
BUILD=$tmp/build LIBRARIES=$mine sh scripts/ship/deb.sh >/dev/null 2>"$tmp/log"
cmp "$deb" "$tmp/second.deb" >"$tmp/log" 2>&1
ok $? "the same build gives the same bytes" "$tmp/log"
if command -v lintian >/dev/null; then
    none "lintian has nothing to say" "$(lintian --allow-root --fail-on none "$deb" 2>&1 | head -5)"
else
    skip "lintian has nothing to say" "lintian is not installed"
fi
refuse "nothing was built" 3 "gcncheck is not there: make all first" env BUILD="$tmp/nothing" sh scripts/ship/deb.sh
finish
