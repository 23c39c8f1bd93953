#!/bin/sh
# Tests scripts/litmus/table.py on a few rows: the guide's sequences hold, and a table that lacks an element, or explains one
# that is needed, does not. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
GCNCHECK=$gcncheck
LITMUS_TABLE=$tmp
export GCNCHECK LITMUS_TABLE

# fresh: the tables as they are, shapes of two threads.
fresh() {
    cp cases/litmus/table/*.tsv "$tmp"
    grep -e '^MP' -e '^SB' -e '^CoRR' cases/litmus/table/shapes.tsv > "$tmp/shapes.tsv"
}

# rows TEXT: runs them.
rows() {
    python3 scripts/litmus/table.py --rows "$1" --runs 200 --list > "$tmp/out" 2>&1
}
fresh
for row in load-acquire-agent-global store-release-agent-global load-seq_cst-agent-global fence-acq_rel-workgroup load-acquire-workgroup-generic; do
    rows $row
    ok $? "$row" "$tmp/out"
done

# faulty TITLE FILE SED-COMMAND ROWS TEXT: with this change of a table the rows do not pass, and TEXT is told.
faulty() {
    fresh
    sed "$3" "$2" > "$tmp/$(basename "$2")"
    ! rows "$4" && grep -q "$5" "$tmp/out"
    ok $? "$1" "$tmp/out"
}
table=cases/litmus/table/gfx6-gfx9.tsv
tab=$(printf '\t')
faulty "an acquire that does not empty the cache" $table "/^load${tab}acquire.*agent/s/ inv//" load-acquire-agent-global "^# load-acquire-agent-global [0-9]*/MP/groups/ggw: "
faulty "a release that does not wait for stores" $table "/^store${tab}release.*agent/s/vm //" store-release-agent-global "^# store-release-agent-global [0-9]*/MP/groups/"
faulty "a sequentially consistent load that does not wait" $table "/^load${tab}seq_cst.*agent/s/lgkm vm access/access/" load-seq_cst-agent-global "^# load-seq_cst-agent-global [0-9]*/SB/"
faulty "an element too many" $table "/^load${tab}acquire.*workgroup${tab}local/s/access lgkm/vm access lgkm/" load-acquire-workgroup-local "^# load-acquire-workgroup-local: vm before"
printf 'load\tacquire\t*\tagent\tglobal\tinv after\tnobody needs it\n' > "$tmp/more"
fresh
cat "$tmp/more" >> "$tmp/redundant.tsv"
! rows load-acquire-agent-global && grep -q "^# load-acquire-agent-global: inv after" "$tmp/out"
ok $? "an element that is needed is explained away" "$tmp/out"

python3 - > "$tmp/out" 2>&1 << 'END'
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "scripts/litmus")
from model import is_forbidden
def program(order_w, order_r, kind="none"):
    return ((0, "W", "x", kind, 1), (0, "W", "y", order_w, 1), (1, "R", "y", order_r, 1), (1, "R", "x", kind, 0))
def buffering(order):
    return ((0, "W", "x", order, 1), (0, "R", "y", order, 0), (1, "W", "y", order, 1), (1, "R", "x", order, 0))
def fenced(order):
    x = "monotonic"
    return ((0, "W", "x", x, 1), (0, "F", None, order, None), (0, "R", "y", x, 0),
            (1, "W", "y", x, 1), (1, "F", None, order, None), (1, "R", "x", x, 0))
assert is_forbidden(program("release", "acquire"))
assert not is_forbidden(program("monotonic", "acquire"))
assert not is_forbidden(program("release", "monotonic"))
assert is_forbidden(buffering("seq_cst")) and not is_forbidden(buffering("acq_rel"))
assert is_forbidden(fenced("seq_cst")) and not is_forbidden(fenced("acq_rel"))
assert is_forbidden(((0, "W", "x", "monotonic", 1), (1, "R", "x", "monotonic", 1), (1, "R", "x", "monotonic", 0)))
assert not is_forbidden(((0, "R", "x", "monotonic", 1), (0, "W", "y", "monotonic", 1), (1, "R", "y", "monotonic", 1), (1, "W", "x", "monotonic", 1)))
assert is_forbidden(((0, "R", "x", "acquire", 1), (0, "W", "y", "release", 1), (1, "R", "y", "acquire", 1), (1, "W", "x", "release", 1)))
two = ((0, "U", "x", "monotonic", (0, 1)), (1, "U", "x", "monotonic", (0, 2)))
assert is_forbidden(two)  # both read the first value: one update would be lost
END
ok $? "the model forbids and allows what its authors say" "$tmp/out"
finish
