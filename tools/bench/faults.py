#!/usr/bin/env python3
"""Trains short runs on a test cluster and causes faults on the way: in a real sshd, in a real Slurm, and in the connection
between client and sshd, which is cut. When the run of a fault has been examined, the fault is written as a line of a record. A
later call continues where the record ends. Needs built programs (LEXFORGE_BIN, LEXFORGE_PARSE, LEXFORGE_WORKER, else
target/debug), root, and Slurm and sshd as tools/setup installs them.

    tools/bench/faults.py run [--faults 1000] [--seconds S] [--record FILE] [--seed N] [--steps 40]
                              [--kinds KIND …] [--adapter SHA256] [--frozen WORKSPACE] [--within SECONDS]
    tools/bench/faults.py table [--record FILE]

Several calls may write the same record, each with a seed of its own. Exit code 1: something was lost, done twice or reported
wrongly, or several runs one after another met no fault; 77: a cluster cannot be set up on this machine.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from faults_care import Care
from faults_record import read, table
from faults_site import ROOT, Site

RECORD = ROOT / "tools/bench/faults.jsonl"
# How many faults of each kind there are among a thousand. Kinds that take seconds are more frequent than those of half a minute.
SHARES = {"connection cut": 250, "ssh killed": 180, "client asleep": 150, "answer of sbatch lost": 100, "requeue": 80,
          "slurmctld stopped": 80, "slurmd killed": 60, "quota full": 60, "time limit": 40}
NEAR = ("connection cut", "ssh killed", "client asleep")
EVERY = 4
STAGES = ("sft", "sentence", "token")
ALIVE = ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED")
# After this many seconds the state of a run is examined, whatever it is. On a busy machine `--within` gives it more time.
RUN_WITHIN = 1500
# Most faults of a run on either side of the line: one that is met by more hardly goes on.
MOST_NEAR, MOST_FAR = 16, 5
# After so many runs one after another that met no fault, or could not be made at all, something else is wrong.
MOST_WITHOUT = 5


class Product:
    """The command line with a workspace and a user's folder of its own."""

    def __init__(self, site, steps):
        self.scratch = tempfile.TemporaryDirectory(prefix="faults-client-")
        self.steps = steps
        self.train = ("train", "a.lexforge", "--base", "lexforge-demo", "--threads", "1", "--seed", "7",
                      "--max-steps", str(steps), "--checkpoint-every", str(EVERY))
        built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
        self.environment = dict(os.environ, LEXFORGE_STATE=self.scratch.name + "/state", LEXFORGE_SSH=str(site.ssh),
                                LEXFORGE_MODELS=str(ROOT / "models/demo"), LEXFORGE_PATIENCE="60")
        for variable, name in (("LEXFORGE_BIN", "lexforge"), ("LEXFORGE_PARSE", "lexforge-parse"),
                               ("LEXFORGE_WORKER", "lexforge-worker")):
            self.environment.setdefault(variable, str(built / name))

    def start(self, *words):
        return subprocess.Popen([self.environment["LEXFORGE_BIN"], *words, "--json"], cwd=self.scratch.name, text=True,
                                env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def ask(self, *words):
        """The lines of a command that must succeed."""
        client = self.start(*words)
        out, errors = client.communicate()
        if client.returncode:
            raise RuntimeError(f"{words}: {out}\n{errors}")
        return [json.loads(line) for line in out.splitlines()]

    def runs(self):
        return self.ask("runs", "list", "a.lexforge")

    def prepare(self, site, adapter, frozen):
        if frozen:
            shutil.copy(frozen, self.scratch.name + "/a.lexforge")
            shutil.copytree(f"{frozen}.artifacts", self.scratch.name + "/a.lexforge.artifacts")
        else:
            self.ask("import", "a.lexforge", str(ROOT / "tools/sample/regulation.pdf"))
            for words in (("terms", "extract"), ("graph", "build")):
                self.ask(*words, "a.lexforge")
            self.ask("augment", "a.lexforge", "--offline")
            self.ask("dataset", "freeze", "a.lexforge")
        if not adapter:
            self.ask(*self.train)
        self.ask("compute", "add", "cluster", "--slurm", "cluster", "--partition", "gpu", "--folder", str(site.there))
        # It goes on where it stopped: on a machine that is full of other work the connection may time out meanwhile.
        for _ in range(4):
            client = self.start("compute", "install", "cluster")
            client.communicate()
            if client.returncode == 0:
                break
        self.ask("compute", "install", "cluster")
        self.adapter = adapter or self.runs()[0]["adapter"]


def commit():
    """The state of the sources, which the programs are built of."""
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def ssh_of(pid):
    """The processes of ssh that a client has started: it starts a worker of this machine, too."""
    found = []
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()
                      if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "ssh"]
    except OSError:
        pass
    return found


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


class Run:
    """One run, its faults, and what became of it."""

    def __init__(self, site, product, seed, quotas, within=RUN_WITHIN):
        self.site, self.product, self.random, self.within = site, product, random.Random(seed), within
        self.seed, self.quotas = seed, quotas
        self.faults, self.said, self.notes = [], [], []
        self.before = len(site.taken())
        self.over, self.full = False, False
        self.client, self.lines, self.id, self.resumes, self.false_failed = None, [], None, 0, 0

    # What is wanted.

    def wanted(self, kinds):
        """A kind of which faults are wanted still, those more often of which more are; none where there is none."""
        left = [(kind, self.quotas[kind]) for kind in kinds if self.quotas[kind] > 0]
        return self.random.choices([k for k, _ in left], [n for _, n in left])[0] if left else None

    def injected(self, kind, detail):
        self.quotas[kind] -= 1
        self.faults.append({"kind": kind, "detail": detail})

    # The client.

    def begin(self, *words):
        self.lose_an_answer()
        self.client = self.product.start(*words)
        self.lines = []
        threading.Thread(target=self.listen, args=(self.client, self.lines), daemon=True).start()

    def listen(self, client, lines):
        for line in client.stdout:
            lines.append(json.loads(line))
        errors = client.stderr.read().strip()
        if errors:
            self.said.append(errors.splitlines()[-1])

    def lose_an_answer(self):
        kind = "answer of sbatch lost"
        if self.quotas[kind] > 0 and self.random.random() < 0.8:
            (self.site.folder / "lose").write_text(self.random.choice(("error", "cut")))

    def look_for_lost_answer(self):
        """Counts an answer of sbatch that was lost, and cuts where sbatch has just taken a job and has not told."""
        cut, errored = self.site.folder / "cut-now", self.site.folder / "errored"
        if errored.exists():
            errored.unlink()
            self.injected("answer of sbatch lost", "it tells an error")
        if cut.exists():
            cut.unlink()
            send(ssh_of(self.client.pid), signal.SIGKILL)
            self.injected("answer of sbatch lost", "the connection ends before it is told")

    def near(self, kind):
        """A fault on the client's side of the line."""
        line, connections = self.site.line, self.site.line.connections
        if kind == "connection cut":
            at, cuts, since = self.random.choice((1, 60, 900, 9_000, 60_000)), line.cuts, time.monotonic()
            at = self.random.randint(1, at)
            line.cut_after(at)
            while line.cuts == cuts and time.monotonic() - since < 15 and self.client.poll() is None:
                self.pause(0.1)
            line.cut_after(None)
            if line.cuts == cuts:
                return
            self.injected(kind, f"after {at} bytes")
        elif kind == "ssh killed":
            found = ssh_of(self.client.pid)
            if not found:
                return
            send(found, signal.SIGKILL)
            self.injected(kind, f"{len(found)} processes")
        else:
            pids = [self.client.pid, *ssh_of(self.client.pid)]
            seconds = 60 if self.random.random() < 0.03 else round(self.random.uniform(0.5, 6), 1)
            send(pids, signal.SIGSTOP)
            time.sleep(seconds)
            send(pids, signal.SIGCONT)
            self.injected(kind, f"{seconds} s")
        since = time.monotonic()
        while line.connections == connections and time.monotonic() - since < (5 if kind == "client asleep" else 40):
            if self.client.poll() is not None or self.over:
                return
            self.pause(0.1)

    def pause(self, seconds):
        self.look_for_lost_answer()
        time.sleep(seconds)

    # The cluster.

    def events(self):
        """What the job has written on the cluster."""
        jobs = pathlib.Path(f"/proc/{self.site.inside}/root{self.site.there}/jobs")
        for path in jobs.glob("*/events.jsonl"):
            return path.read_text().splitlines()
        return []

    def running(self):
        """The job that runs, once it has said something new."""
        said, since = len(self.events()), time.monotonic()
        while not self.over and time.monotonic() - since < 120:
            taken = self.site.taken()[self.before:]
            if taken and len(self.events()) > said + 1:
                number = taken[-1][0]
                state, node = self.site.job(number)
                if state == "RUNNING":
                    return number, node
            time.sleep(0.2)
        return None

    def trouble(self):
        """Faults of the cluster, one after another, as long as the run goes on."""
        if self.quotas["slurmctld stopped"] > 0 and self.random.random() < 0.25:
            self.silence("while the job is submitted", self.random.uniform(3, 20))
        for _ in range(MOST_FAR):
            if self.over:
                return
            kind = self.wanted([kind for kind in SHARES if kind not in NEAR and kind != "answer of sbatch lost"])
            if kind is None:
                return
            found = self.running()
            if found and not self.over:
                self.far(kind, *found)

    def silence(self, detail, seconds):
        self.site.signal("slurmctld", "STOP")
        self.injected("slurmctld stopped", f"{detail}, {seconds:.0f} s")
        time.sleep(seconds)
        self.site.signal("slurmctld", "CONT")

    def left(self, number, within):
        """Whether a job stops running within a time."""
        since = time.monotonic()
        while time.monotonic() - since < within and not self.over:
            if self.site.job(number)[0] != "RUNNING":
                return True
            time.sleep(0.5)
        return False

    def far(self, kind, number, node):
        site = self.site
        if kind == "requeue":
            site.run(f"scontrol requeue {number}")
            self.injected(kind, "")
            self.left(number, 10)
        elif kind == "time limit":
            # Slurm looks at limits every half minute; the notice comes 120 s before one.
            site.run(f"scontrol update JobId={number} TimeLimit=2")
            if self.left(number, 50):
                self.injected(kind, "")
            site.run(f"scontrol update JobId={number} TimeLimit=60")
        elif kind == "slurmctld stopped":
            self.silence("while it runs", 30 if self.random.random() < 0.1 else self.random.uniform(1, 8))
        elif kind == "slurmd killed":
            site.signal(node, "KILL")
            gone = self.random.random() < 0.4
            self.injected(kind, "for good" if gone else "and started again")
            if gone:
                self.left(number, 45)
                # Long enough that the job begins on the other node while its worker goes on here.
                time.sleep(self.random.choice((1, 5, 20)))
            else:
                time.sleep(self.random.uniform(0.5, 3))
            site.start_node(node)
        elif kind == "quota full":
            self.full = True
            site.run(f"dd if=/dev/zero of={site.there}/jobs/.filler bs=64k 2>/dev/null")
            seconds = self.random.uniform(2, 6)
            self.injected(kind, f"{seconds:.0f} s")
            time.sleep(seconds)
            site.run(f"rm -f {site.there}/jobs/.filler")

    # The whole.

    def row(self):
        rows = self.product.runs()
        return rows[0] if rows and rows[0]["id"] != self.known else None

    def go(self):
        self.known = next((row["id"] for row in self.product.runs()), None)
        began, care = time.monotonic(), Care(self)
        worker = threading.Thread(target=self.trouble, daemon=True)
        worker.start()
        self.begin(*self.product.train, "--on", "cluster")
        row = None
        while time.monotonic() - began < self.within:
            if self.client.poll() is None:
                kind = self.wanted(NEAR)
                self.pause(self.random.uniform(0.2, 6))
                care.look()
                met = sum(fault["kind"] in NEAR for fault in self.faults)
                if kind and met < MOST_NEAR and ssh_of(self.client.pid):
                    self.near(kind)
                continue
            self.look_for_lost_answer()
            (self.site.folder / "lose").unlink(missing_ok=True)
            row = self.row()
            if row and row["state"] == "finished":
                break
            if not self.go_on(row):
                break
        self.over = True
        if self.client.poll() is None:
            self.client.kill()
        worker.join(90)
        if row is None or row["state"] != "finished":
            row = self.left_there(row)
        return self.looked_at(row, time.monotonic() - began)

    def left_there(self, row):
        """Called for a run that has not ended in time: returns its state as it is known here, and removes its job, so that the
        next run has the cluster to itself."""
        try:
            row = self.row() or row
        except RuntimeError:
            self.notes.append("the runs could not be listed")
        if row and row["state"] == "finished":
            return row
        self.notes.append(f"it was not at its end when it was looked at: {len(self.events())} events there")
        for number in self.alive():
            self.site.run(f"scancel {number}")
        since = time.monotonic()
        while self.alive() and time.monotonic() - since < 120:
            time.sleep(1)
        self.site.run(f"find {self.site.there}/jobs -mindepth 1 -maxdepth 1 -exec rm -rf {{}} +")
        return row

    def alive(self):
        return [number for number, _ in self.site.taken()[self.before:] if self.site.job(number)[0] in ALIVE]

    def go_on(self, row):
        """After the client has left: follows again or resumes, as a user would. Whether there is anything to go on with."""
        if row is None:
            self.notes.append("no run was made: " + "; ".join(self.said[-1:]))
            return False
        state, code = row["state"], (row.get("failure") or {}).get("code")
        self.notes.append(f"{state} {code or ''} {'; '.join(self.said[-1:])}".strip())
        if state == "failed" and not (self.full and code == "disk_full"):
            self.false_failed += 1
        if state in ("failed", "died", "stopped"):
            time.sleep(4)
            if self.alive() and not self.site_is_silent():
                self.notes.append(f"{state}, and a job is alive")
                self.false_failed += state != "failed"
            while self.full and (pathlib.Path(f"/proc/{self.site.inside}/root{self.site.there}/jobs/.filler")).exists():
                time.sleep(0.5)
            self.resumes += 1
            self.begin("runs", "resume", "a.lexforge", str(row["id"]))
        else:
            self.begin("runs", "follow", "a.lexforge", str(row["id"]))
        return self.resumes < 30

    def site_is_silent(self):
        return not self.site.run("sinfo --noheader 2>/dev/null", 5)

    def looked_at(self, row, seconds):
        taken = self.site.taken()[self.before:]
        names = {name for _, name in taken}
        found = {"seed": self.seed, "commit": commit(), "steps": self.product.steps, "interval": EVERY, "seconds": round(seconds), "jobs": len(taken),
                 "resumed": self.resumes, "doubled_jobs": len(taken) - len(names) + max(0, len(names) - 1 - self.resumes),
                 "false_failed": self.false_failed, "state": row["state"] if row else None}
        if row and row["state"] == "finished":
            here = self.product.ask("runs", "follow", "a.lexforge", str(row["id"]))
            there = [json.loads(line) for line in self.events()]
            numbers = collections.Counter(event["seq"] for event in here)
            wanted = {event["seq"] for event in there}
            found["events"] = len(there)
            found["lost"] = len(wanted - set(numbers)) + (max(wanted) + 1 - len(wanted))
            found["doubled"] = sum(n - 1 for n in numbers.values()) + len(there) - len(wanted)
            found["redone"], done = 0, 0
            for event in here:
                if event["event"] == "started":
                    found["redone"], done = max(found["redone"], done - event["step"]), event["step"]
                elif event["event"] == "progress" and event["stage"] in STAGES:
                    done = event["step"]
            found["same_adapter"] = row["adapter"] == self.product.adapter
        if self.notes:
            found["notes"] = self.notes
        found["ok"] = (found["state"] == "finished" and found["same_adapter"] and found["redone"] <= EVERY
                       and not any(found[key] for key in ("doubled_jobs", "false_failed", "lost", "doubled")))
        return [dict(fault, **found) for fault in self.faults]


def run(chosen):
    for name in ("slurmctld", "slurmd", "munged", "sshd"):
        if not pathlib.Path("/usr/sbin", name).is_file():
            print(f"{name} is not installed (tools/setup installs it)")
            return 77
    try:
        site = Site()
    except RuntimeError as reason:
        print(reason)
        return 77
    wrong = 0
    try:
        product = Product(site, chosen.steps)
        product.prepare(site, chosen.adapter, chosen.frozen)
        began, seed, without = time.monotonic(), chosen.seed, 0
        while time.monotonic() - began < chosen.seconds:
            rows = read(chosen.record)
            quotas = collections.Counter({kind: share * chosen.faults // 1000 for kind, share in SHARES.items()
                                          if not chosen.kinds or kind in chosen.kinds})
            quotas.subtract(row["kind"] for row in rows)
            if not any(left > 0 for left in quotas.values()):
                break
            while any(row["seed"] == seed for row in rows):
                seed += 1
            one = Run(site, product, seed, quotas, chosen.within)
            found = one.go()
            seed += 1
            # Nothing is written of a run without a fault, so that as many faults are wanted as before.
            without = 0 if found else without + 1
            if without == MOST_WITHOUT:
                print(f"the last {without} runs met no fault: {'; '.join(one.notes) or 'each was over too soon'}")
                return 1
            with open(chosen.record, "a", encoding="utf-8") as record:
                record.write("".join(json.dumps(row) + "\n" for row in found))
            if found:
                wrong += not found[0]["ok"]
                print(f"run {found[0]['seed']}: {len(found)} faults in {found[0]['seconds']} s, "
                      f"{'as it should be' if found[0]['ok'] else json.dumps(found[0])}", flush=True)
            site.run(f"rm -f {site.there}/jobs/.filler")
            product.ask("compute", "clean", "cluster")
    finally:
        site.end()
    table(read(chosen.record), SHARES, EVERY)
    return int(wrong > 0)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("what", choices=("run", "table"))
    arguments.add_argument("--faults", type=int, default=1000)
    arguments.add_argument("--seconds", type=float, default=float("inf"))
    arguments.add_argument("--record", type=pathlib.Path, default=RECORD)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--steps", type=int, default=40)
    arguments.add_argument("--adapter", help="hash of what such a run gives without faults; without it, one is made first")
    arguments.add_argument("--frozen", help="a workspace of the sample with a snapshot; without it, one is made first")
    arguments.add_argument("--within", type=float, default=RUN_WITHIN)
    arguments.add_argument("--kinds", nargs="+", choices=tuple(SHARES))
    chosen = arguments.parse_args()
    # Whoever ends this program ends its cluster with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if chosen.what == "table":
        table(read(chosen.record), SHARES, EVERY)
        return 0
    return run(chosen)


if __name__ == "__main__":
    sys.exit(main())
