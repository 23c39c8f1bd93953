#!/bin/sh
# Locale, time zone, umask, current folder, terminal and HOME change no byte of what commands print and write, and files have
# the permissions that umask leaves. TAP 13. ALL=1: each of these by itself, too.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
tmp=$(cd "$tmp" && pwd -P)
root=$PWD
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
case $gcncheck in /*) ;; *) gcncheck=$root/$gcncheck ;; esac
mkdir "$tmp/elsewhere" "$tmp/elsewhere/cases" # those are none of gcncheck
w=$tmp/work c=$root/cases k=$root/cases/kernels dut=plugin:$build/example_dut.so
export w c k dut tmp

# What is done: a name and commands, a line each. $g is gcncheck in its environment; no other program is in that. Files are in $w,
# wherever the current folder is.
commands() {
    cat <<'END'
help      $g --help; $g help fuzz; $g help --man; $g help --bash-completion
run       $g run --dut $dut --journal $w/run.journal $c/sop1/s_abs_i32.case $c/vop2/v_add_f32.case $c/vop3a/v_bfe_u32.case
run-forms for f in tap jsonl lines; do $g run --format $f --failures --dut $dut $c/vop3a/v_bfe_u32.case; done
run-known for o in --update-known --failures; do $g run --dut $dut --known $w/mine.known $o $c/vop3a/v_bfe_u32.case; done
run-votes $g run --dut model --dut $dut --dut model:engine=host $c/vop3a/v_bfe_u32.case
fuzz      $g fuzz --jobs 2 --seed 3 --count 32 --dut $dut --journal $w/fuzz.journal --coverage $w/fuzz.cover --out $w/found
report    for j in run fuzz; do for f in text html tap junit jsonl lines; do $g report --format $f --out $w/$j.$f $w/$j.journal; done; done
report-at for f in text html tap junit jsonl lines; do $g report --format $f $tmp/clock.journal; done; $g report --diff $w/run.journal $tmp/clock.journal
replay    $g replay --trust $w/found
min       for f in $w/found/*; do $g min --trust --force $f; done
cover     $g cover --only v_bfe_u32 $w/fuzz.cover
eval      $g eval 'v_add_f32 v0, v1, v2' v1=1.5 v2=0x40490fdb; $g eval 'v_add_f32 v0, 1,5, v1'
eval-json echo '{"id":1.5,"code":"be810000","in":{"s0":"5"}}' | $g eval --jsonl
explain   $g explain V_MIN_I32 v_mad_mixlo_f16; $g explain d1190001 02020503; $g explain VALU-C01
list      $g list --mcpu gfx908; $g list --diff gfx906
asm       sed -n '/^code/,/^[a-z]/s/^    \([a-z].*\)/\1/p' $c/vop[23]*/v_[a-f]*.case $c/smem/*.case | $g asm >$w/hex; $g dis <$w/hex
export    $g export --format json --out $w/vectors --only V_MIN_I32,v_bfe_u32; $g export --format elf --out $w/elf $c/vop3a/v_bfe_u32.case
vectors   $g import --format bin --out $w/all.gcv $w/vectors; $g record --dut $dut --out $w/answers.gcv $w/all.gcv; $g replay $w/answers.gcv
dis       for o in --symbol=vadd_f32 --metadata --descriptor; do $g dis $o $k/vadd_f32/gfx900.O3.co; done
lint      $g lint $k/vadd_f32/gfx900.O3.co; $g lint $k/planted/gfx900.asm.co
launch    $g launch --trace $k/vadd_f32/gfx900.O3.co $k/vadd_f32/launch.txt; $g launch --out $w/launched $k/printf_hip/gfx900.O3.co $k/printf_hip/launch.txt
litmus    $g litmus --count 100 $c/litmus/mp.litmus
mutants   $g mutants --format tsv
errors    $g run $w/none.case; $g launch $w/none.co $w/none.txt; $g fuzz --count 1,5; $g eval 'v_İmin_i32 v0'; $g list --mcpu GFX900
END
}

# into NAME WHICH FOLDER UMASK WORD...: the commands whose names match WHICH (a pattern of grep), in that folder with that umask,
# $g with these words for env. What comes of them goes to $tmp/NAME.
into() {
    name=$1 which=$2 folder=$3 mask=$4
    shift 4
    mkdir "$w"
    commands | grep -e "$which" | while read -r what command; do
        (umask "$mask" && cd "$folder" && g="env $* $gcncheck" sh -c "$command" >"$w/$what.out" 2>"$w/$what.err" </dev/null)
        echo "exit code $?" >>"$w/$what.err"
    done
    sed -i 's/, [0-9.]* s$//' "$w"/*.out "$w"/*.err # the time
    (cd "$w" && find . ! -name '*.out' ! -name '*.err' ! -path . -printf '%m %y %p\n' | LC_ALL=C sort -k 3) >"$tmp/$name.modes"
    mv "$w" "$tmp/$name"
}

# wrong_modes NAME UMASK: files and folders of $tmp/NAME that have other permissions than the umask leaves.
wrong_modes() {
    awk -v f="$(printf %o $((0666 & ~$2)))" -v d="$(printf %o $((0777 & ~$2)))" '$1 != ($2 == "d" ? d : f)' "$tmp/$1.modes" | head -n 5
}

# same TITLE UMASK FOLDER WORD...: nothing differs from what the plain environment has, but what umask takes of permissions.
same() {
    title=$1 mask=$2 folder=$3
    shift 3
    into other . "$folder" "$mask" "$@"
    diff -r "$tmp/plain" "$tmp/other" >"$tmp/diff" 2>&1
    ok $? "$title: no byte differs" "$tmp/diff"
    none "$title: permissions are those of umask $mask" "$(wrong_modes other "$mask")"
    rm -rf "$tmp/other"
}

# ---- locales: the system's, or made here ----

# has_locale NAME: whether programs get it; $LOCPATH is where they look.
has_locale() {
    [ "$(LC_ALL=$1 locale decimal_point 2>/dev/null)" = , ]
}
why="localedef is not installed, or knows none of this name"
unset LOCPATH
for name in tr_TR de_DE; do has_locale $name.UTF-8 || LOCPATH=$tmp/locale; done
if [ -n "${LOCPATH:-}" ]; then
    export LOCPATH
    mkdir "$LOCPATH"
    for name in tr_TR de_DE; do localedef -i $name -f UTF-8 "$LOCPATH/$name.UTF-8" >"$tmp/localedef" 2>&1; done
fi

# ---- the plain environment, and others ----

"$gcncheck" run --quiet --dut "$dut" --clock --journal "$tmp/clock.journal" cases/vop3a/v_bfe_u32.case >/dev/null
bare="-u TZ -u COLUMNS -u NO_COLOR LC_ALL=C TERM=xterm" plain="$bare HOME=$tmp"
kolkata=IST-5:30 chatham=CHAST-12:45CHADT # zones of Asia/Kolkata and Pacific/Chatham that need no files
turkish="LC_ALL=tr_TR.UTF-8" german="LC_ALL=de_DE.UTF-8"
into plain . "$root" 0022 $plain
none "every command is there" "$(grep -l 'exit code 127' "$tmp/plain"/*.err)"
[ "$(find "$tmp/plain" -type f -size +0 | wc -l)" -gt 60 ]
ok $? "there is something to compare"

for name in tr_TR de_DE; do has_locale $name.UTF-8 || skip "$name" "$why"; done
same "tr_TR, Asia/Kolkata, another folder, a narrow dumb terminal" 0077 "$tmp/elsewhere" $plain $turkish TZ=$kolkata COLUMNS=40 TERM=dumb
same "de_DE, Pacific/Chatham, the topmost folder, NO_COLOR, no HOME" 0000 / -u HOME $bare $german TZ=$chatham NO_COLOR=1
if is_long; then
    same "a second time" 0022 "$root" $plain
    same "tr_TR" 0022 "$root" $plain $turkish
    same "de_DE" 0022 "$root" $plain $german
    same "Asia/Kolkata" 0022 "$root" $plain TZ=$kolkata
    same "Pacific/Chatham" 0022 "$root" $plain TZ=$chatham
    same "umask 077" 0077 "$root" $plain
    same "umask 000" 0000 "$root" $plain
    same "another folder" 0022 "$tmp/elsewhere" $plain
    same "a narrow dumb terminal without colours" 0022 "$root" $plain COLUMNS=20 TERM=dumb NO_COLOR=1
    same "no HOME" 0022 "$root" -u HOME $bare
    same "nothing in the environment but PATH" 0022 "$root" -i PATH="$PATH"
fi

# ---- planted ----

# A program that says where it is: each of these reaches it.
cat >"$tmp/told" <<'END'
#!/bin/sh
echo "$LC_ALL $TZ $COLUMNS $TERM $NO_COLOR ${HOME-none} $(umask) $(pwd)"
END
printf '#!/bin/sh\numask 022\nexec "%s" "$@"\n' "$gcncheck" >"$tmp/open"
chmod +x "$tmp/told" "$tmp/open"
real=$gcncheck gcncheck=$tmp/told
into planted '^eval ' "$tmp/elsewhere" 0077 -u HOME $bare $turkish TZ=$kolkata COLUMNS=40 NO_COLOR=1
is "tr_TR.UTF-8 $kolkata 40 xterm 1 none 0077 $tmp/elsewhere" "$(tail -n 1 "$tmp/planted/eval.out")" "planted: what the environment is shows"
gcncheck=$tmp/open
into modes '^run ' "$root" 0077 $plain
is "644 f ./run.journal" "$(wrong_modes modes 0077)" "planted: permissions that umask takes show"
gcncheck=$real

# Programs that obey the locale, or tell the time of day of the zone.
cat >"$tmp/obey.c" <<'END'
#include <locale.h>
#include <time.h>
#ifdef ZONE
struct tm *gmtime_r(const time_t *at, struct tm *tm)
{
    return localtime_r(at, tm);
}
#else
__attribute__((constructor)) static void obey(void)
{
    setlocale(LC_ALL, "");
}
#endif
END
# obeys WHAT FLAG NAMES WORD...: the commands of these names print something else, each, if that is loaded before the program.
obeys() {
    what=$1 flag=$2 names=$3
    shift 3
    ${CC:-gcc} -D$flag -shared -fPIC -o "$tmp/obey.so" "$tmp/obey.c"
    into "$flag" "^\(${names%% *}\|${names#* }\) " "$root" 0022 $plain "$@" LD_PRELOAD="$tmp/obey.so"
    none "planted: $what shows in each of $names" "$(for n in $names; do cmp -s "$tmp/plain/$n.out" "$tmp/$flag/$n.out" && echo "$n"; done)"
}
if grep -q __asan_init "$gcncheck"; then
    skip "planted: what is loaded before the program" "built with a sanitizer, before which nothing can be loaded"
else
    obeys "the time zone" ZONE report-at TZ=$chatham
    if has_locale tr_TR.UTF-8; then
        obeys "the locale" LOCALE "explain report-at" $turkish
    else
        skip "planted: the locale" "$why"
    fi
fi
finish
