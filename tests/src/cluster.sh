#!/bin/sh
# A Slurm of its own on this machine: two nodes, one controller, munge, in a namespace with nothing but loopback.
# Started by `unshare` in the folder that is named; it ends with its standard input. $1: the folder.
set -e
folder=$1
mount --make-rprivate /
hostname login
ip link set lo up 2>/dev/null || ifconfig lo up
ip addr add 127.0.0.2/8 dev lo 2>/dev/null || true
mount -t tmpfs tmpfs /run
mkdir -p /run/munge "$folder/etc/slurm" "$folder/etc/munge" "$folder/state" "$folder/spool1" "$folder/spool2" "$folder/log"
cp /etc/hosts "$folder/etc/hosts"
echo '127.0.0.1 login gpu1 gpu2' >>"$folder/etc/hosts"
dd if=/dev/urandom of="$folder/etc/munge/munge.key" bs=64 count=1 2>/dev/null
chown -R munge "$folder/etc/munge" /run/munge
chmod 700 "$folder/etc/munge"
chmod 400 "$folder/etc/munge/munge.key"
chmod 755 /run/munge
mkdir -p "$folder/munge-state"
chown munge "$folder/munge-state"
cat >"$folder/etc/slurm/slurm.conf" <<CONF
ClusterName=lexforge
SlurmctldHost=login(127.0.0.1)
SlurmUser=root
AuthInfo=cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
KillWait=5
SlurmdTimeout=5
MinJobAge=60
SlurmdParameters=config_overrides
SlurmctldParameters=preempt_send_user_signal
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/log/completed
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.%n.pid
SlurmctldPort=17817
NodeName=gpu[1-2] NodeHostname=login NodeAddr=127.0.0.1 Port=[17818-17819] CPUs=4 RealMemory=4000
PartitionName=gpu Nodes=gpu[1-2] Default=YES PriorityTier=1 GraceTime=3 MaxTime=60
PartitionName=urgent Nodes=gpu[1-2] PriorityTier=10
CONF
: >"$folder/etc/slurm/cgroup.conf"
chmod -R go+rX "$folder"
mkdir -p "$folder/spoolgpu1" "$folder/spoolgpu2"
mount --bind "$folder/etc/hosts" /etc/hosts
mount --bind "$folder/etc/slurm" /etc/slurm
setpriv --reuid munge --regid munge --clear-groups munged --force --key-file="$folder/etc/munge/munge.key" \
  --pid-file=/run/munge/munged.pid --socket=/run/munge/munge.socket.2 --log-file="$folder/munge-state/log" \
  --seed-file="$folder/munge-state/seed"
slurmctld -D -c >"$folder/log/slurmctld" 2>&1 &
echo $! >"$folder/slurmctld.pid"
slurmd -D -N gpu1 >"$folder/log/gpu1" 2>&1 &
echo $! >"$folder/gpu1.pid"
slurmd -D -N gpu2 >"$folder/log/gpu2" 2>&1 &
echo $! >"$folder/gpu2.pid"
echo started
cat >/dev/null
