# How mutation-score.sh and mutation-fuzz.sh begin: -s N becomes `sample`; two files that go when the script ends.
# A sample is of one in N by what the ids are, so that a new row does not make another one of it.
sample=1
if [ "$1" = -s ]; then
    sample=$2
    shift 2
fi

echo "TAP version 13"
list=$(mktemp) && done_file=$(mktemp) || exit 1
trap 'rm -f "$list" "$done_file"' EXIT
trap 'exit 1' INT TERM

in_sample='
function in_sample(id, one_in,   i, sum) {
    for (i = 1; i <= length(id); i++)
        sum = (sum * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789_.", substr(id, i, 1))) % 65521
    return sum % one_in == 0
}'

KNOWN="${KNOWN:-$(dirname "$0")/survivors.known}"
[ -e "$KNOWN" ] || KNOWN=/dev/null

# A line of the list of survivors: an id, in which * is anything, with the processor before a colon if it is not so on all;
# same, if it behaves as the model, or open, if a case is missing; and the reason. All that it stands for may survive; if none
# does, it is stale, which only a run of all mutants or of that id can tell.
pattern='
function pattern_of(text) {
    gsub(/\./, "[.]", text)
    gsub(/\*/, ".*", text)
    return "^" text "$"
}'
