#!/bin/sh
#SBATCH --job-name=gcncheck-merge
#SBATCH --requeue
#SBATCH --open-mode=append
# Makes one report of the shards' journals: the job that submit.sh lets wait for the array. Runs by hand, too.
#
#   merge.sh DIR SHARDS GCNCHECK
#
# Writes DIR/report.txt, report.xml (JUnit) and report.jsonl (results, sorted). Code 0: nothing failed that is not known. 1: something
# did, report.txt says what. 2: a shard is missing, doubled, cut short or of another build; the message names it, no report stands.
set -u
dir=$1 shards=$2 gcncheck=$3
set --
i=1
while [ $i -le "$shards" ]; do
    [ ! -e "$dir/shard-$i.journal" ] || set -- "$@" "$dir/shard-$i.journal"
    i=$((i + 1))
done
[ $# -gt 0 ] || { echo "$dir: no shard of $shards has a journal" >&2; exit 2; }
rm -f "$dir/report.txt" "$dir/report.xml" "$dir/report.jsonl"
"$gcncheck" report --out "$dir/report.txt.part" "$@"
code=$?
[ $code = 0 ] || { rm -f "$dir/report.txt.part"; exit $code; }
"$gcncheck" report --format junit --out "$dir/report.xml" "$@" &&
    "$gcncheck" report --format jsonl --canonical --out "$dir/report.jsonl" "$@" &&
    mv "$dir/report.txt.part" "$dir/report.txt" || exit
grep '^right [0-9]*, wrong ' "$dir/report.txt"
grep -q '^right [0-9]*, wrong 0' "$dir/report.txt"
