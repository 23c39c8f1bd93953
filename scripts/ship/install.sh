#!/bin/sh
# Puts what was built where people find it, and takes it out again. `make install` and `make uninstall` call this.
#
#   sh scripts/ship/install.sh install     into $DESTDIR$PREFIX; what an earlier install left and this one has not, goes
#   sh scripts/ship/install.sh uninstall   what install put there; folders that it made, if nothing else is in them
#   sh scripts/ship/install.sh version     the version of the program
#   sh scripts/ship/install.sh list        every file, below PREFIX
#
# BUILD, PREFIX, DESTDIR and EMULATOR as in the Makefile; LIBRARIES: the shared objects that the program loads.
# What was put there stands in PREFIX/share/gcncheck/installed: "f" a file, "d" a folder that was not there before.
cd "$(dirname "$0")/../.." || exit 2
set -u
umask 022
build=${BUILD:-build}
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}$prefix
record=share/gcncheck/installed

die() {
    echo "install.sh: $1" >&2
    exit 2
}

# A line for each file that is copied: mode, place below PREFIX, source. The cases are a folder of their own.
copies() {
    echo "755 bin/gcncheck $build/gcncheck"
    for so in ${LIBRARIES:-}; do echo "644 lib/gcncheck/$(basename "$so") $so"; done
    for h in harness/sdk/*.h; do echo "644 include/$(basename "$h") $h"; done
    for f in harness/sdk/*.c harness/sdk/*.py; do echo "644 share/gcncheck/sdk/$(basename "$f") $f"; done
}

# A line for each file that is written: mode, place below PREFIX, the function that prints it.
texts() {
    echo "644 share/man/man1/gcncheck.1 man_page"
    echo "644 share/bash-completion/completions/gcncheck completion"
    echo "644 share/pkgconfig/gcncheck.pc pkg_config"
}

version() { sed -n 's/^#define GCNCHECK_VERSION "\(.*\)"$/\1/p' harness/line/opts.h; }
man_page() { ${EMULATOR:-} "$build/gcncheck" help --man; }
completion() { ${EMULATOR:-} "$build/gcncheck" help --bash-completion; }
pkg_config() {
    cat <<END
prefix=$prefix
includedir=\${prefix}/include
examplesdir=\${prefix}/share/gcncheck/sdk
casesdir=\${prefix}/share/gcncheck/cases

Name: gcncheck
Description: headers for devices under test and readers of vectors of gcncheck
Version: $(version)
Cflags: -I\${includedir}
END
}

list() {
    { copies && texts; } | cut -d' ' -f2
    find cases -type f | sed 's|^|share/gcncheck/|' | LC_ALL=C sort
}

# folders_of FILE: the folders of the places in FILE, those above first.
folders_of() {
    echo .
    while read -r place; do
        while [ "${place%/*}" != "$place" ]; do
            place=${place%/*}
            echo "$place"
        done
    done <"$1" | LC_ALL=C sort -u
}

# The lines of a record that may be believed, without their first two letters: of files (f) or folders (d).
recorded() {
    [ ! -f "$root/$record" ] || sed -n "s/^$1 //p" "$root/$record" | grep -E '^[A-Za-z0-9._+/-]+$' | grep -v -E '^/|(^|/)\.\.(/|$)'
}

write_record() { # FILES FOLDERS
    { echo "# Files and folders that make install put here; make uninstall takes them out."
      sed 's/^/f /' "$1"
      sed 's/^/d /' "$2"; } >"$root/$record.new" && mv -f "$root/$record.new" "$root/$record" || exit 3
}

install_all() {
    [ -x "$build/gcncheck" ] || die "$build/gcncheck is not there: make all first"
    case $prefix in /*) ;; *) die "PREFIX is '$prefix': a whole path from / is needed" ;; esac
    list >"$tmp/files"
    recorded f | grep -v -x -F -f "$tmp/files" >"$tmp/stale"
    { recorded d
      folders_of "$tmp/files" | while read -r d; do [ -e "$root/$d" ] || echo "$d"; done; } | LC_ALL=C sort -u >"$tmp/folders"

    # The record comes first, so that what is cut short can be taken out, too.
    mkdir -p "$root/${record%/*}" || exit 3
    cat "$tmp/files" "$tmp/stale" >"$tmp/both"
    write_record "$tmp/both" "$tmp/folders"
    while read -r place; do rm -f "$root/$place"; done <"$tmp/stale"
    copies | while read -r mode place source; do
        install -D -m "$mode" "$source" "$root/$place" || exit 3
    done || exit 3
    find cases -type f -print0 | xargs -0 cp --parents --remove-destination -t "$root/share/gcncheck" || exit 3
    grep "^share/gcncheck/cases/" "$tmp/files" | (cd "$root" && xargs chmod 644) || exit 3
    texts | while read -r mode place text; do
        $text >"$tmp/text" && install -D -m "$mode" "$tmp/text" "$root/$place" || exit 3
    done || exit 3
    write_record "$tmp/files" "$tmp/folders"
    echo "installed $(wc -l <"$tmp/files") files in $root"
}

uninstall_all() {
    [ -f "$root/$record" ] || die "$root/$record is not there: nothing that can be taken out"
    recorded f >"$tmp/files"
    recorded d | LC_ALL=C sort -r >"$tmp/folders"
    while read -r place; do
        if [ -d "$root/$place" ] && [ ! -L "$root/$place" ]; then
            echo "install.sh: $root/$place is a folder now: left alone" >&2
        else
            rm -f "$root/$place" || exit 3
        fi
    done <"$tmp/files"
    rm -f "$root/$record" || exit 3
    while read -r place; do
        case $place in
        .) rmdir "$root" 2>/dev/null ;;
        *) rmdir "$root/$place" 2>/dev/null ;;
        esac
    done <"$tmp/folders"
    echo "took $(wc -l <"$tmp/files") files out of $root"
}

tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
case "${1:-}" in
install) install_all ;;
uninstall) uninstall_all ;;
version) version ;;
list) list ;;
*) die "'${1:-}': use install, uninstall, version or list" ;;
esac
