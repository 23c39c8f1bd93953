#!/bin/sh
# Tests code objects that check themselves (gcncheck export --format elf): the line that the kernel writes under gcncheck launch is
# the right one, for the model and for mutants. What is right, the reader of vectors says of what the same mutant answers
# (gcncheck record). ALL=1: all of each processor, and 50 mutants (scripts/run/test-long.sh). TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
sdk=harness/sdk
files="cases/vop3a/v_perm_b32.case cases/vop3a/v_fma_f32.case cases/vop1/v_rcp_f32.case cases/vop1/v_rcp_f64.case cases/ds/ds_add_rtn_u64.case
    cases/sop1/s_movreld_b32.case cases/sop2/s_bfe_u32.case cases/vopc/v_cmp_lt_f64.case"
mutants="v_perm_b32.order ds_add_rtn_u64.size vopc.neg_ignored s_bfe_u32.width operand.quad_perm v_rcp_f64.other_op"
cpus="gfx900 gfx803 gfx701"
! is_long || { files= cpus="gfx900 gfx908 gfx803 gfx701"; }

# The line that a recording and the list of a code object ask for; whatever is of the first difference is checked by `fits`.
cat >"$tmp/line.py" <<'END'
import re, sys
sys.path.insert(0, "harness/sdk")
import gcncheck_vectors as gv
recording, listed, said = sys.argv[1:4]
ids = [line.rstrip("\n").split("\t") for line in open(listed)]
vectors = {v["id"]: v for v in gv.read(recording)}
wrong = [(name, vectors[i]) for name, i in ids if "fail" in gv.verdicts(vectors[i])]
want = f"cases={len(ids)} pass={len(ids) - len(wrong)} fail={len(wrong)}"
m = re.fullmatch(r"GCNCHECK 1 (\S+) (\S+) (cases=\d+ pass=\d+ fail=\d+)(?: first=(\S+) lane=(\d+) want=([0-9a-f]{8}) got=([0-9a-f]{8}))?", said)
if not m or m[3] != want:
    sys.exit(f"{said!r}: not {want}")
if not wrong:
    sys.exit(0 if m[4] is None else f"{said!r}: names a first one")
if m[4] != wrong[0][0]:
    sys.exit(f"{said!r}: the first is {wrong[0][0]}")
if wrong[0][1].answer["outcome"] != "done":
    sys.exit(0)
diffs = list(gv.judge_answer(wrong[0][1]))
fits = [d for d in diffs if (d.want, d.got) == (int(m[6], 16), int(m[7], 16)) and
        (d.place is None or not gv.is_vector(d.place) or d.lane == int(m[5]))]
sys.exit(0 if fits else f"{said!r}: its difference is none of {diffs[:4]}")
END

# line DUT OBJECT: what the kernel of an object wrote.
line() { timeout 900 "$gcncheck" launch --dut "$1" "$2" "${2%.co}.txt" 2>&1 | grep '^GCNCHECK'; }

# right LINE OBJECT RECORDING: whether that is right.
right() { python3 "$tmp/line.py" "$3" "${2%.co}.tsv" "$1"; }

# answers CPU OBJECT DUT: records what a device answers to the vectors of the folder of cases that an object is made of.
answers() {
    encoding=$(basename "$2" .co) encoding=${encoding#"$1"-} vectors=$tmp/$1-$encoding.gcv
    if [ ! -e "$vectors" ]; then
        of=
        for f in ${files:-cases/$encoding}; do
            case $f/ in cases/$encoding/*) of="$of $f" ;; esac
        done
        "$gcncheck" export --quiet --force --mcpu "$1" --format bin --out "$vectors" $of
    fi
    "$gcncheck" record --quiet --force --dut "$3" --format bin --out "$tmp/answers.gcv" "$vectors"
}

for cpu in $cpus; do
    expect "$cpu: written" 0 'code objects*: [1-9]' "$gcncheck" export --force --mcpu $cpu --format elf --out "$tmp/$cpu" $files
    for object in "$tmp/$cpu"/*.co; do
        said=$(line model "$object")
        answers $cpu "$object" model && right "$said" "$object" "$tmp/answers.gcv" 2>"$tmp/errors"
        ok $? "$(echo "$said" | cut -d' ' -f3-6)" "$tmp/errors"
    done
done
is "$(ls "$tmp/gfx900"/*.co | wc -l)" "$(for o in "$tmp/gfx900"/*.co; do "$gcncheck" launch --list "$o"; done | grep -c 'gcncheck$')" "each has one kernel, which loads"
for cpu in $cpus; do
    expect "$cpu: no missing wait states in the kernel" 0 ': 0 findings' "$gcncheck" lint "$tmp/$cpu/$cpu-vop3a.co"
done
# A store of gfx6 takes its data late, and nothing in the kernel waits for that.
refuse "none for gfx6" 2 '^gcncheck export: there are no code objects that check themselves for gfx600$' "$gcncheck" export --mcpu gfx600 --format elf --out "$tmp/gfx600"
python3 - "$tmp/gfx900/gfx900-vop3a.co" <<'END'
import sys
data = open(sys.argv[1], "rb").read()
assert data[:4] == b"\x7fELF" and data[7] == 64 and data[8] == 2
END
ok $? "an ELF file of amdhsa, version 4"
python3 - "$tmp/gfx900/gfx900-vop3a.co" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
headers, entry, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
sections = [struct.unpack_from("<IIQQQQIIQQ", data, headers + i * entry) for i in range(count)]
table = next(s for s in sections if s[1] == 2)  # SHT_SYMTAB
names = sections[table[6]][4]
found = {data[names + n:data.index(b"\0", names + n)] for n, in (struct.unpack_from("<I", data, at)
         for at in range(table[4], table[4] + table[5], 24))}
assert found == {b"", b"gcncheck", b"gcncheck.kd"}, found
END
ok $? "its symbols are in a .symtab, which the HSA runtime reads, and not in .dynsym alone"

# Mutants that are not in what the kernel itself is made of. One that reads another register finds there what the kernel left, and
# not what the vector's device would have; one that refuses an instruction ends the kernel: neither has a line to compare.
if is_long; then
    grep -ohE '\b(s|v|buffer|global|ds)_[a-z0-9_]+' harness/selfcheck/driver.c harness/drm/wrapper.c | sort -u >"$tmp/trusted"
    mutants=$("$gcncheck" mutants --format tsv | awk -F'\t' 'NR == FNR { t[$1] = 1; next } FNR > 1 && $3 != "-" && !($3 in t) && $5 == 0 && $6 !~ /^(register number|register file|form refused)$/ { print $1 }' "$tmp/trusted" - |
        awk '{ a[NR] = $0 } END { for (i = 1; i <= 50; i++) print a[int(i * NR / 51)] }')
fi
seen=0 differ=0
for id in $mutants; do
    dut=mutant:$id
    encoding=$("$gcncheck" mutants --format tsv | awk -F'\t' -v id="$id" '$1 == id { print tolower($2) }')
    [ "$encoding" ] || bail "no mutant $id"
    object="$tmp/gfx900/gfx900-$encoding.co"
    [ -e "$object" ] || object="$tmp/gfx900/gfx900-vop3a.co"
    said=$(line $dut "$object")
    answers gfx900 "$object" $dut && right "$said" "$object" "$tmp/answers.gcv" 2>"$tmp/errors"
    ok $? "$id: $said" "$tmp/errors"
    seen=$((seen + 1))
    case $said in *fail=0*) ;; *) differ=$((differ + 1)) ;; esac
done
[ $seen -ge 3 ] && [ $((differ * 2)) -ge $seen ]
ok $? "$differ of $seen mutants are seen by the code object"

expect "nothing that a kernel could carry" 0 '[1-9].*memory at addresses' "$gcncheck" export --format elf --out "$tmp/none" cases/smem/s_load_dword.case
is "" "$(ls "$tmp/none")" "makes no code object"
refuse "another DUT than the model" 2 'model or mutant:ID' "$gcncheck" launch --dut plugin:x.so "$tmp/gfx900/gfx900-vop3a.co" "$tmp/gfx900/gfx900-vop3a.txt"

# The hosts; where there are headers and libraries they are built, say that there is no GPU, and run on the virtual one.
sanitizer_first
for host in hip hsa; do
    [ $host = hip ] && flags="-D__HIP_PLATFORM_AMD__ -w -lamdhip64" header=hip/hip_runtime_api.h || flags="-Wall -Wextra -Werror -lhsa-runtime64" header=hsa/hsa.h
    if [ -e /usr/include/$header ]; then
        ${CC:-cc} -std=gnu99 -o "$tmp/$host" "$sdk/selfcheck_$host.c" $flags 2>"$tmp/errors"
        ok $? "the host of $host" "$tmp/errors"
        if [ -e /dev/kfd ]; then
            skip "the host of $host without a GPU" "there is one"
        else
            expect "the host of $host without a GPU" 2 "hsa_init: HSA_STATUS_ERROR_OUT_OF_RESOURCES\|no GPU\|hipErrorInvalidDevice\|hipErrorNoDevice" \
                "$tmp/$host" "$tmp/gfx900/gfx900-vop3a.co"
        fi
        if [ -e "$(dirname "$gcncheck")/gcncheck-vgpu.so" ]; then
            expect "the host of $host on the virtual one" 0 "^GCNCHECK 1 gfx900 vop3a cases=[1-9][0-9]* pass=[1-9][0-9]* fail=0$" \
                "$gcncheck" vgpu gfx900 -- "$tmp/$host" "$tmp/gfx900/gfx900-vop3a.co"
        else
            skip "the host of $host on the virtual one" "built without libdrm (libdrm-dev)"
        fi
    else
        skip "the host of $host" "$header is not installed"
    fi
done
finish
