# What programs that were built otherwise are compared by: what they print and write. For scripts that have read harness/t/lib/tap.sh
# and called make_tmp. The cases of the program in FOLDER/build are FOLDER/cases (a link here): some commands look there. CASES (1/3) is
# the fraction of the cases, COUNT (200) the number of random programs on the example, of which many differ.

# A name and commands, a line each, in a folder that holds dut.so. $g is gcncheck, $c the cases.
commands() {
    cat <<'END'
cases     for m in gfx803 gfx900 gfx908; do $g run --mcpu $m --format jsonl --fraction $CASES $c; done
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
dis       for f in $c/kernels/planted/*.co $c/kernels/calls/*.co; do $g dis $f; $g dis --metadata $f; $g dis --descriptor $f; done
ask       $g explain v_add_u32 v_mad_f32; printf '{"id":1.5,"code":"32000501","in":{"v1":"ffffffff","v2":"5"}}\n{"code":7}\n{\n' | $g eval --jsonl
import    $g import --out imported random.gcv; $g record --format bin --out answers.gcv random.gcv; $g replay answers.gcv
chosen    printf 'vop3a/v_bfe.*#\n^gfx900/sop[12k]/s_(and|x?or)_b32\n' >list; $g run --skips list $c/vop3a $c/sop2; echo '[' >list; $g run --skips list $c/sop2
known     printf 'known-format 1\nv_b[ef]?_u32 *: vgpr\n    here\n' >k; $g run --dut plugin:./dut.so --known k $c/vop3a/v_bfe_u32.case; $g run --known ./ $c
bad       for f in /nowhere . $c/README.md; do $g run $f; $g lint $f; $g launch $f $f; $g report $f; $g asm $f; $g replay $f; $g dis $f; done
help      $g help --man
END
}

# on NAME LIBRARY PROGRAM...: all of it by this program, in $tmp/run, which becomes $tmp/NAME.
on() {
    name=$1
    mkdir "$tmp/run"
    ln -sfn "$PWD/cases" "$tmp/cases"
    cp "$2" "$tmp/run/dut.so"
    shift 2
    commands | while read -r what command; do
        (cd "$tmp/run" && g="$*" c=$tmp/cases CASES=${CASES:-1/3} COUNT=${COUNT:-200} && export g c CASES COUNT && sh -c "$command" >"$what.out" 2>"$what.err" </dev/null)
        echo "exit code $?" >>"$tmp/run/$what.err"
    done
    # Times, what the C library says of a bad regular expression, and the hash of the program or plug-in, which journals hold, too: of
    # those the pages are compared.
    rm "$tmp/run/dut.so" "$tmp"/run/*.journal
    find "$tmp/run" -type f ! -name '*.gcv' ! -name '*.co' -exec sed -i 's/, [0-9.]* s$//; s/\(is no regular expression: \).*/\1/' {} +
    find "$tmp/run" \( -name '*.html' -o -name '*.jsonl' \) -exec sed -i -E 's/\<([0-9a-f]{64}|[0-9a-f]{12})\>/HASH/' {} +
    mv "$tmp/run" "$tmp/$name"
}

# different: the files in which the two differ.
different() {
    (cd "$tmp" && diff -rq here there)
}

# compare: whether what `on here` and `on there` have left is the same, and that a difference would be seen.
compare() {
    for what in $(commands | cut -d' ' -f1); do
        [ -s "$tmp/here/$what.out" ] || [ "$what" = report ] || [ "$what" = bad ]
        ok $? "$what: there is something to compare"
    done
    none "nothing differs" "$(different)"
    (cd "$tmp" && diff -r here there) | head -n 20 | while IFS= read -r line; do note "$line"; done
    printf x >>"$tmp/there/lint.out"
    is "Files here/lint.out and there/lint.out differ" "$(different)" "planted: a byte more shows"
}
