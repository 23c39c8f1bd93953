#!/bin/sh
# A Slurm of one node, from Debian's packages, in a folder of its own: no systemd, nothing in /etc. For tests; as root.
#
#   scripts/slurm/cluster.sh start DIR [TASKS]   starts munged, slurmctld and slurmd; TASKS (8) run at a time
#   scripts/slurm/cluster.sh stop DIR            ends them and what they run; DIR may then be removed
#
# For sbatch, squeue and scontrol: export SLURM_CONF=DIR/slurm.conf. Code 3, with the reason, where Slurm cannot be had.
set -u
dir=${2:-} tasks=${3:-8}
case "${1:-} $dir" in
"start /"* | "stop /"*) ;;
*) echo "cluster.sh: use start DIR [TASKS] or stop DIR, with DIR from the root on" >&2; exit 2 ;;
esac
export PATH="$PATH:/usr/sbin:/sbin" SLURM_CONF="$dir/slurm.conf"

# wait_for SECONDS COMMAND...: until it succeeds. Code 1 if it does not.
wait_for() {
    n=$1
    shift
    while ! "$@" >/dev/null 2>&1; do
        n=$((n - 1))
        [ $n -gt 0 ] || return 1
        sleep 1
    done
}

# A port that nobody listens on, of those after $1.
free_port() {
    python3 - "$1" <<'PY'
import socket, sys
for port in range(int(sys.argv[1]), 65536):
    s = socket.socket()
    try:
        s.bind(("127.0.0.1", port))
    except OSError:
        continue
    print(port)
    break
PY
}

# end FILE: ends the daemon whose id stands there.
end() {
    pid=$(cat "$1" 2>/dev/null) && [ -n "$pid" ] || return 0
    kill "$pid" 2>/dev/null || return 0
    wait_for 60 is_gone "$pid" || kill -9 "$pid"
}

# A daemon that has ended but that nobody has waited for (in a container without an init) is gone, too.
is_gone() {
    ! state=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) || [ "${state%% *}" = Z ]
}

# any_job: whether a job is still known that has not ended.
no_job() { [ -z "$(squeue -h 2>/dev/null)" ]; }

stop() {
    if [ -f "$dir/slurmctld.pid" ]; then
        timeout 60 scancel --user="$(id -un)" 2>/dev/null
        wait_for 60 no_job
    fi
    end "$dir/slurmd.pid"
    end "$dir/slurmctld.pid"
    end "$dir/munged.pid"
}

# fail WORDS: what went wrong, with the ends of the logs.
fail() {
    echo "cluster.sh: $1" >&2
    tail -n 5 "$dir"/*.log >&2
    stop
    exit 1
}

no() {
    echo "no Slurm: $1" >&2
    exit 3
}

if [ "$1" = stop ]; then
    stop
    exit 0
fi
for p in munged slurmctld slurmd sbatch squeue scontrol; do
    command -v $p >/dev/null || no "$p is not installed (scripts/deps.sh long)"
done
[ "$(id -u)" = 0 ] || no "slurmd starts jobs as their users, so this must be root"

mkdir -p "$dir/state" "$dir/spool" && chmod 755 "$dir" && : >"$dir/plugstack.conf" || exit 2
(umask 077 && dd if=/dev/urandom of="$dir/munge.key" bs=128 count=1 2>/dev/null)
# cred_expire: how long a task that is queued anew waits, 120 seconds otherwise. config_overrides: as many tasks at a time as are
# asked for, whatever the machine has. linuxproc: a task's processes are found by their parents, without cgroups.
cat >"$SLURM_CONF" <<CONF || exit 2
ClusterName=gcncheck
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port 26817)
SlurmdPort=$(free_port 26917)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=10
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
PlugStackConfig=$dir/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmctldTimeout=600
SlurmdTimeout=600
MessageTimeout=100
KillWait=5
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$tasks State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF

# --force: the folder may be below one that only we may enter.
munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" \
    --seed-file="$dir/munge.seed" 2>>"$dir/munged.log" || fail "munged does not start"
wait_for 60 test -S "$dir/munge.socket" || fail "munged does not answer"
slurmctld -f "$SLURM_CONF" >>"$dir/slurmctld.log" 2>&1 || fail "slurmctld does not start"
wait_for 60 scontrol ping || fail "slurmctld does not answer"
slurmd -f "$SLURM_CONF" >>"$dir/slurmd.log" 2>&1 || fail "slurmd does not start"
node_is_idle() { sinfo -h -o %t | grep -qx idle; }
wait_for 120 node_is_idle || fail "the node does not come up"
