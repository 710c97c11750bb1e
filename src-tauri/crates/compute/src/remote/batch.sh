: >"$bundle/slurm/$attempt.started"
noticed=
# Some time before the limit: the worker writes a checkpoint and leaves, and the job goes into the queue again.
trap 'noticed=1; kill -TERM "$worker" 2>/dev/null' USR1
# Preemption or a removal: the worker writes a checkpoint; whether the job comes back is Slurm's to say.
trap 'kill -TERM "$worker" 2>/dev/null' TERM
COMMAND >>"$bundle/stdout.log" 2>>"$bundle/stderr.log" &
worker=$!
status=0
while kill -0 "$worker" 2>/dev/null; do
  wait "$worker"
  status=$?
done
if [ -n "$noticed" ] && [ ! -f "$bundle/result.json" ] && [ ! -f "$bundle/slurm/stop" ]; then
  scontrol requeue "$SLURM_JOB_ID" && sleep 60
fi
exit "$status"
