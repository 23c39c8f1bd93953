# How mutation-score.sh and mutation-fuzz.sh begin: -s N becomes `sample`; two files that go when the script ends.
sample=1
if [ "$1" = -s ]; then
    sample=$2
    shift 2
fi

echo "TAP version 13"
list=$(mktemp) && done_file=$(mktemp) || exit 1
trap 'rm -f "$list" "$done_file"' EXIT
trap 'exit 1' INT TERM
