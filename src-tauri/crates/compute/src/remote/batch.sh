# Where an answer was lost the same attempt may be in the queue twice: the job that starts first is it.
started=$bundle/slurm/$attempt.started
if ! (set -C && printf '%s' "$SLURM_JOB_ID" >"$started") 2>/dev/null; then
  first=$(cat "$started" 2>/dev/null)
  if [ -n "$first" ] && [ "$first" != "$SLURM_JOB_ID" ]; then exit 0; fi
fi
# Whoever stopped it while it waited may not have reached the scheduler.
if [ -f "$bundle/slurm/stop" ]; then exit 0; fi
# What became of the job is read from its output when Slurm has forgotten it.
say() { printf 'lexforge-job %s %s\n' "$SLURM_JOB_ID" "$1"; }
# Each step that counts is in the name of a checkpoint.
checkpoints() { ls "$bundle/checkpoints" 2>/dev/null | grep '^stage-[0-9]*-step-[0-9]*$'; }
say begins
before=$(checkpoints)
worker=
status=0
noticed=
ended=
# Some time before the limit: the worker writes a checkpoint and leaves, and the job goes into the queue again.
trap 'noticed=1; kill -TERM "$worker" 2>/dev/null' USR1
# Preemption or a removal: the worker writes a checkpoint; whether the job comes back is Slurm's to say.
trap 'ended=1; kill -TERM "$worker" 2>/dev/null' TERM
while [ -z "$noticed$ended" ]; do
  COMMAND >>"$bundle/stdout.log" 2>>"$bundle/stderr.log" &
  worker=$!
  status=0
  while kill -0 "$worker" 2>/dev/null; do
    wait "$worker"
    status=$?
  done
  # Status 3: another worker holds the bundle. Where a node was lost from sight its worker may go on there; this job takes over
  # once that one has ended.
  if [ "$status" != 3 ] || [ -n "$noticed$ended" ] || [ -f "$bundle/result.json" ]; then break; fi
  sleep 5 &
  worker=$!
  wait "$worker"
  if [ -n "$noticed$ended" ]; then break; fi
done
if [ -n "$noticed" ] && [ ! -f "$bundle/result.json" ] && [ ! -f "$bundle/slurm/stop" ]; then
  idle=$bundle/slurm/$attempt.idle
  # Some clusters give the same notice where a job has to make room for others.
  case $(scontrol show job "$SLURM_JOB_ID" 2>/dev/null) in
    *PreemptTime=[0-9]*) say preempted ;;
    *)
      say limit
      # A limit that leaves no time for a step would bring it back for ever.
      if [ "$(checkpoints)" != "$before" ]; then
        rm -f "$idle"
      elif [ -f "$idle" ]; then
        say stuck
        exit "$status"
      else
        # Not by `:`, with which a shell ends where the disk is full, and the job would not come back.
        touch "$idle"
      fi
      ;;
  esac
  scontrol requeue "$SLURM_JOB_ID" && sleep 60
fi
exit "$status"
