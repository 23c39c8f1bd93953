#!/bin/sh
# Submits `gcncheck run` or `gcncheck fuzz` as a Slurm job array of SHARDS tasks and a job that merges what they found.
#
#   scripts/slurm/submit.sh [-s SBATCH_OPTION]... DIR SHARDS run|fuzz ARGUMENT...
#
# DIR, on a file system that all nodes see, takes journals, findings and reports. The arguments are those of gcncheck, without --shard,
# --jobs, --journal, --resume and, of fuzz, --out; files are found from the folder of this call. -s: for the array, as `-s --time=4:00:00
# -s --cpus-per-task=8`. GCNCHECK: the program (default: build/gcncheck of this tree, or the one in PATH). Prints "array ID merge ID".
#
# The same call again, with the same DIR, goes on: whole shards are not run again.
here=$(cd "$(dirname "$0")" && pwd) || exit 2

refuse() {
    echo "submit.sh: $1" >&2
    exit 2
}

options=
while [ "${1:-}" = -s ]; do
    case ${2:-} in
    -*[\ \*\?\[]*) refuse "-s $2: an option without blanks, as --time=4:00:00" ;;
    -*) options="$options $2" ;;
    *) refuse "-s is followed by an option of sbatch" ;;
    esac
    shift 2
done
[ $# -ge 3 ] || refuse "use: submit.sh [-s SBATCH_OPTION]... DIR SHARDS run|fuzz ARGUMENT..."
dir=$1 shards=$2 command=$3
shift 3
case $shards in
'' | *[!0-9]* | 0* | ?????*) refuse "'$shards': SHARDS is a number from 1 to 9999" ;;
esac
case $command in
run | fuzz) ;;
*) refuse "'$command': run or fuzz" ;;
esac
for a; do
    case $a in
    --shard | --shard=* | --jobs | --jobs=* | --journal | --journal=* | --resume | --resume=*) refuse "$a: shard.sh says it" ;;
    --out | --out=*) refuse "$a: findings go to $dir" ;;
    --update-known | --coverage | --coverage=*) refuse "$a: tasks would write one file; run it once by hand" ;;
    esac
done
[ -n "${GCNCHECK:-}" ] || { [ -x "$here/../../build/gcncheck" ] && GCNCHECK=$here/../../build/gcncheck; } || GCNCHECK=gcncheck
gcncheck=$(command -v "$GCNCHECK") && gcncheck=$(realpath "$gcncheck") || refuse "$GCNCHECK: no such program"
mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || refuse "$dir: cannot be made"
case $dir in
*%*) refuse "$dir: sbatch reads % in names" ;;
esac

# $options is split on purpose.
array=$(sbatch --parsable $options --array=1-"$shards" --output="$dir/shard-%a.log" "$here/shard.sh" "$dir" "$shards" "$gcncheck" "$command" "$@") ||
    refuse "sbatch did not take the array"
array=${array%%;*}
merge=$(sbatch --parsable --dependency=afterany:"$array" --output="$dir/merge.log" "$here/merge.sh" "$dir" "$shards" "$gcncheck") ||
    refuse "the array is job $array, but sbatch did not take the merge"
echo "array $array merge ${merge%%;*}"
