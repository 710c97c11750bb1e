"""What an administrator and a user do where Slurm itself does not go on. A machine that is lost and comes back at the wrong
moment leaves Slurm 22.05 in one of two states that do not end: the machine is drained ("Duplicate jobid") and the job held
("launch failed requeued held"), or the job is listed as running and no process of it is left."""
import time

# A worker that lives writes an event every few seconds.
SILENT = 90


class Care:
    """Looks after one run, and writes down what it had to do."""

    def __init__(self, run):
        self.run, self.site, self.product = run, run.site, run.product
        self.looked, self.said, self.spoke = 0.0, 0, time.monotonic()

    def look(self):
        """To be called again and again while the run is followed."""
        now = time.monotonic()
        if now - self.looked < 5:
            return
        self.looked = now
        said, taken = len(self.run.events()), self.site.taken()[self.run.before:]
        if said != self.said or not taken:
            self.said, self.spoke = said, now
        # The names that Slurm gives to its nodes: here all of them have the name of one host. A node is in several partitions.
        drained = self.site.run("sinfo --noheader --Node --states=drained --format=%N").split()
        for node in sorted(set(drained)):
            self.site.run(f"scontrol update NodeName={node} State=RESUME")
            self.note(f"{node} was drained")
        if not taken:
            return
        number = taken[-1][0]
        state, _, reason = self.site.run(f"squeue --noheader --states=all --format='%T|%r' --jobs {number} 2>/dev/null",
                                         30).strip().partition("|")
        if state != "RUNNING":
            # A worker that begins after a long wait has had no time to say anything.
            self.spoke = now
        if state == "PENDING" and reason.replace("_", " ").startswith("launch failed"):
            self.note(f"Slurm holds the job: {reason}; here it is {self.told()}")
            self.ask("resume", "--detach")
        elif now - self.spoke > SILENT:
            self.note(f"Slurm lists a job as running that says nothing; here it is {self.told()}")
            self.spoke = now
            self.ask("stop")

    def row(self):
        """The run as it is known here; none where that cannot be told now."""
        try:
            return self.run.row()
        except RuntimeError as reason:
            self.note(f"the runs could not be listed: {reason}"[:200])
            return None

    def told(self):
        row = self.row()
        return f"{row['state']}: {' '.join(row.get('notes') or [])}" if row else "not there"

    def ask(self, verb, *words):
        row = self.row()
        if row is None:
            return
        try:
            self.product.ask("runs", verb, "a.lexforge", str(row["id"]), *words)
        except RuntimeError as reason:
            self.note(f"{verb}: {reason}"[:200])

    def note(self, text):
        if text not in self.run.notes:
            self.run.notes.append(text)
