#!/bin/sh
#SBATCH --job-name=gcncheck
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@120
# One task of a job array: a shard of `gcncheck run` or `gcncheck fuzz`. submit.sh starts it.
#
#   sbatch --array=1-SHARDS shard.sh DIR SHARDS GCNCHECK run|fuzz ARGUMENT...
#
# All of shard I stands in DIR: shard-I.journal, shard-I.findings, what it printed in shard-I.out and shard-I.err. A task that
# dies (a signal to gcncheck, the node, the time limit, scontrol requeue) is queued anew and goes on with its journal; one that was
# submitted twice waits for the other and finds its work done. Code 0: the shard is whole. What it found is no failure of the
# task: merge.sh says it. Any other code: shard-I.err says why.
set -u
dir=$1 shards=$2 gcncheck=$3 command=$4
shift 4
i=$SLURM_ARRAY_TASK_ID
task=${SLURM_ARRAY_JOB_ID}_$i
shard=$dir/shard-$i
tries=5 # what dies so often dies of itself

# again WHY: queues this task anew, which ends this script. Not one that was cancelled: it would come to life again.
again() {
    echo "shard $i: $1" >&2
    scontrol show job "$task" | grep -q JobState=RUNNING || exit 4
    [ "${SLURM_RESTART_COUNT:-0}" -lt $tries ] || { echo "shard $i: not queued anew a time more" >&2; exit 4; }
    scontrol requeue "$task" && sleep 600
    exit 4
}

# Two tasks must not write one journal.
exec 9>"$shard.lock" && flock 9 || exit 4

set -- "$command" --quiet --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$i/$shards" --resume "$shard.journal" "$@"
[ "$command" = run ] || set -- "$@" --out "$shard.findings"
told=
trap 'told=1; kill -TERM $pid 2>/dev/null' TERM
"$gcncheck" "$@" >"$shard.out" 2>"$shard.err" 9>&- &
pid=$!
wait $pid
code=$?
while kill -0 $pid 2>/dev/null; do # a signal ended the wait, not gcncheck
    wait $pid
    code=$?
done
case $code in
0 | 1) exit 0 ;;
129 | 1[3-9]?) again "gcncheck died with code $code" ;;
esac
[ -z "$told" ] || again "told to end"
cat "$shard.err" >&2
exit $code
