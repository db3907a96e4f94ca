#!/usr/bin/env bash
# Runs Slurm on this machine for the duration of a command: starts munged, slurmctld and slurmd on 127.0.0.1,
# runs the command with SLURM_CONF set, and stops them.
#
# usage: tests/cluster/slurm.sh COMMAND ARGUMENTS…      (as root; Debian: apt-get install --no-install-recommends slurm-wlm munge)
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }

folder=$(mktemp -d)
mkdir -p "$folder/state" "$folder/spool"
node=$(hostname -s)
cores=$(nproc)

# By default Slurm listens on all addresses; this setting restricts it to loopback. A requeued job may start
# at once.
cat > "$folder/slurm.conf" <<CONF
ClusterName=alone
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
KillWait=10
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$node NodeAddr=127.0.0.1 CPUs=$cores RealMemory=2000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
echo "CgroupPlugin=cgroup/v1" > "$folder/cgroup.conf"
export SLURM_CONF=$folder/slurm.conf

daemons=()
finish() {
    scancel --user root >/dev/null 2>&1 || true
    for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
    wait
    rm -rf "$folder"
}
trap finish EXIT

# munged requires folders that are not writable for other users, and a key owned by its user.
chown munge:munge "$folder" && chmod 755 "$folder"
[ -e /etc/munge/munge.key ] || install -o munge -g munge -m 400 <(head -c 1024 /dev/urandom) /etc/munge/munge.key
munged=(munged --foreground --force "--socket=$folder/munge.socket" "--pid-file=$folder/munged.pid" "--log-file=$folder/munged.log" "--seed-file=$folder/munged.seed")
runuser -u munge -- "${munged[@]}" > /dev/null 2>&1 & daemons+=($!)
for _ in {1..100}; do [ -S "$folder/munge.socket" ] && break; sleep 0.1; done
slurmctld -D > "$folder/slurmctld.out" 2>&1 & daemons+=($!)
slurmd -D -N "$node" > "$folder/slurmd.out" 2>&1 & daemons+=($!)
for _ in {1..100}; do sinfo --noheader --format=%T 2>/dev/null | grep -x idle > /dev/null && break; sleep 0.3; done
sinfo

"$@"
