#!/bin/sh
# A Debian package of what was built: BUILD/gcncheck_VERSION_ARCHITECTURE.deb. `make deb` calls this.
#
# It holds what make install puts into /usr, stripped; which libraries it needs is what the files ask for (dpkg-shlibdeps). The same
# build gives the same bytes: times are those of SOURCE_DATE_EPOCH, or of the last commit, or of the file with the version.
# DEBFULLNAME and DEBEMAIL say who made it. Needs dpkg-dev.
cd "$(dirname "$0")/../.." || exit 2
set -u
umask 022
build=${BUILD:-build}
work=$build/deb
root=$work/root
CC=${CC:-gcc}

die() {
    echo "deb.sh: $1" >&2
    exit "${2:-3}"
}

for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture; do
    command -v $tool >/dev/null || die "$tool is not installed (Debian: dpkg-dev)"
done
machine=$($CC -dumpmachine) && arch=$(dpkg-architecture -t"$machine" -qDEB_HOST_ARCH 2>/dev/null) || die "$CC: for which architecture?"
version=$(sh scripts/ship/install.sh version)
[ -n "$version" ] || die "no version in harness/line/opts.h"
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y harness/line/opts.h)}"
export SOURCE_DATE_EPOCH
strip=$(command -v "$machine-strip" || command -v strip) || die "strip is not installed (Debian: binutils)"
maintainer="${DEBFULLNAME:-gcncheck authors} <${DEBEMAIL:-gcncheck@packages.invalid}>"

rm -rf "$work" && mkdir -p "$root/DEBIAN" "$work/debian" || exit 3
BUILD=$build PREFIX=/usr DESTDIR=$root sh scripts/ship/install.sh install >/dev/null || exit 3
rm "$root/usr/share/gcncheck/installed" # dpkg keeps its own

# As Debian's policy has it: stripped, compressed pages, copyright and changelog.
for file in "$root/usr/bin/gcncheck" "$root"/usr/lib/gcncheck/*.so; do
    [ ! -f "$file" ] || "$strip" --strip-unneeded --remove-section=.comment --remove-section=.note "$file" || exit 3
done
gzip -9n "$root/usr/share/man/man1/gcncheck.1" || exit 3
doc=$root/usr/share/doc/gcncheck
mkdir -p "$doc"
{ echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  echo "Upstream-Name: gcncheck"
  echo
  echo "Files: *"
  sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
  echo "License: Expat"
  sed -e '1,/^Copyright/d' LICENSE | sed -e '/./,$!d' -e 's/^$/./' -e 's/^/ /'; } >"$doc/copyright"
printf 'gcncheck (%s) unstable; urgency=medium\n\n  * Version %s.\n\n -- %s  %s\n' "$version" "$version" "$maintainer" \
    "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"

mkdir -p "$root/usr/share/lintian/overrides"
{ echo "# Kernels for GPUs: data here, whatever the processor of the package is; code of other processors, with symbols, by nature."
  for tag in arch-dependent-file-in-usr-share binary-from-other-architecture unstripped-binary-or-object shared-library-lacks-prerequisites; do
      echo "gcncheck: $tag *usr/share/gcncheck/cases/kernels/*"
  done; } >"$root/usr/share/lintian/overrides/gcncheck"

# What dpkg-shlibdeps reads, and what it answers.
printf 'Source: gcncheck\n\nPackage: gcncheck\nArchitecture: any\n' >"$work/debian/control"
needs=$(cd "$work" && find root/usr/bin root/usr/lib -type f 2>/dev/null | LC_ALL=C sort |
    xargs dpkg-shlibdeps -O --ignore-missing-info 2>shlibdeps.log | sed -n 's/^shlibs:Depends=//p')
[ -n "$needs" ] || { cat "$work/shlibdeps.log" >&2; die "dpkg-shlibdeps: no libraries"; }

cat >"$root/DEBIAN/control" <<END
Package: gcncheck
Version: $version
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f1)
Depends: $needs
Suggests: afl++, pkg-config, python3
Section: devel
Priority: optional
Description: conformance tests and instruction fuzzer for AMD GCN GPUs
 gcncheck checks emulators, drivers and compilers for AMD GCN GPUs (Vega, CDNA1,
 GCN 1.2), instruction by instruction. Directed cases and random valid programs
 run on a device under test and on a reference model in C; differences are
 shrunk to programs of one instruction.
 .
 The package holds the program, its cases, and the headers and examples with
 which an emulator becomes a device under test (pkg-config: gcncheck).
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0 -r touch -h -d "@$SOURCE_DATE_EPOCH"
deb=$build/gcncheck_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb.new" >/dev/null && mv -f "$deb.new" "$deb" || exit 3
rm -rf "$work"
echo "$deb"
