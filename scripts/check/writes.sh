#!/bin/sh
# Files are written in one place, reports/file/output.c: no other opens one for writing, makes, cuts or renames one. TAP 13.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
plan 2

# Where else it is right: FILE PATTERN WHY, the pattern in the line.
known='reports/file/output.c . the place
harness/drm/device.c O_RDWR a device node
harness/drm/journal.c ftruncate\( what is longer than what is known goes
harness/drm/plugin.c GCNCHECK_DRM_LOG|log a log, appended to, of a plug-in in its own process
harness/vgpu/preload/preload.c real\.|mode_t what another program opens
harness/vgpu/front/ memfd_create|ftruncate|SYS_openat|LOG_FLAGS|fdopen memory, and a log, in the process of another program
harness/vgpu/notify/calls.c memfd_create memory
harness/bench/text.c tmpfile a file without a name, which is measured
harness/launch/check.c /dev/null what the second run prints
harness/cmd/table.c /dev/null what holds a closed descriptor
harness/finding/folder.c rename\( a new folder, whole
reports/journal.c ftruncate\( a torn tail goes
harness/io/keeper.c oom_score_adj a file of /proc, about the process itself
harness/fz/ . a fuzz target
harness/sdk/ . an example of its own'

# writers FILE...: lines that may write a file, as FILE:LINE:TEXT.
writers() {
    grep -nHE '\b(f|fd|fre)open(64)?\([^;]*"[wa][^"]*"|\b[fd]*open[^;]*"r[^"]*\+|O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)|\b(creat|mkstemp|mkostemp|tmpfile|memfd_create|f?truncate|rename(at2?)?|link(at)?|symlink(at)?)\(' "$@"
}
# strangers: those of the lines on standard input that are not known.
strangers() {
    while IFS= read -r line; do
        file=${line%%:*}
        printf '%s\n' "$known" | while read -r where pattern why; do
            case $file in "$where"*) printf '%s\n' "$line" | grep -qE "$pattern" && echo "$why" ;; esac
        done | grep -q . || printf '%s\n' "$line"
    done
}

none "no other place writes files" "$(writers $(find oracle fuzz reports harness -name '*.[ch]' ! -path 'harness/t/*') | strangers)"
planted='harness/cmd/run/report.c:1:    FILE *f = fopen(o->out, "w");
reports/text.c:2:    int fd = open(path, O_RDWR | O_CREAT, 0666);'
is 2 "$(printf '%s\n' "$planted" | strangers | wc -l)" "planted ones are found"
finish
