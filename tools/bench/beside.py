"""Compares the worker with a Python program. Both do the same work in alternating rounds, so that other load on the machine
affects both equally.

For tools/bench/encoder_steps.py, joint_step.py, decoder_vectors.py and scoring.py. Each side is a process of its own that waits
while the other works: the worker is told to pause by its control file, the other side waits for a line. Processor time is the
time of the whole process, from /proc. Memory is the peak of the resident set, minus the resident set of the idle program: for the
worker, when it only prints its version; for Python, after all imports."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "lexforge/models"
TICKS = os.sysconf("SC_CLK_TCK")


def options(doc):
    """What all of these scripts ask for."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--ours", default=str(target / "debug/lexforge-worker"), help="the built worker")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the model folders")
    parser.add_argument("--work", type=Path, default=ROOT / "out/beside")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--side", help=argparse.SUPPRESS)
    return parser


def status_mb(key, process="self"):
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    return 0.0


def processor(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def environment(threads):
    return os.environ | {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads),
                         "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}


class Rounds:
    """In the other side's process: answers on what was standard output, since libraries write there, too."""

    def __init__(self):
        self.out = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)
        self.idle, self.left, self.losses = status_mb("VmRSS:"), 0, []

    def wait(self):
        """Waits for how many steps to make; ends the process when there is nothing more to do."""
        line = sys.stdin.readline()
        if not line:
            os._exit(0)
        self.of = self.left = int(line)
        self.losses = []
        self.began = time.perf_counter(), processor("self")

    def done(self, **more):
        wall, used = time.perf_counter() - self.began[0], processor("self") - self.began[1]
        peak = status_mb("VmHWM:")
        answer = {"wall": wall, "processor": used, "steps": self.of, "losses": self.losses, "whole_mb": peak,
                  "peak_mb": peak - self.idle}
        print(json.dumps(answer | more), file=self.out, flush=True)

    def stepped(self, loss):
        """A step was made."""
        self.losses.append(loss)
        self.left -= 1
        if self.left == 0:
            self.done()
            self.wait()


class Theirs:
    """The other side, from outside."""

    def __init__(self, script, plan, folder, threads):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "plan.json"
        path.write_text(json.dumps(plan))
        self.log = folder / "other.log"
        with self.log.open("wb") as log:
            # PyTorch brings its own libtorch; the worker's must not be found before it.
            own = {key: value for key, value in environment(threads).items() if key != "LD_LIBRARY_PATH"}
            self.process = subprocess.Popen([sys.executable, script, "--side", str(path)], env=own, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=log, text=True)

    def steps(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"failed: the other side: {self.log.read_text()[-3000:]}")
        return json.loads(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Worker:
    """The worker: what it is when idle, and how its bundles are made."""

    def __init__(self, arguments):
        self.program, self.models, self.threads = arguments.ours, arguments.models, arguments.threads
        said = subprocess.Popen([self.program, "--version", "--json"], stdout=subprocess.PIPE)
        self.protocol = json.loads(said.stdout.read())["protocol_version"]
        self.idle = os.wait4(said.pid, 0)[2].ru_maxrss / 1024

    def bundle(self, folder, job, inputs):
        """A new bundle with a job and its files of lines."""
        (folder / "inputs").mkdir(parents=True)
        for name, lines in inputs.items():
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (folder / "inputs" / name).write_text(text, encoding="utf-8")
        (folder / "job.json").write_text(json.dumps({"protocol_version": self.protocol, "job": job}))

    def start(self, folder):
        with (folder / "errors.log").open("wb") as log:
            return subprocess.Popen([self.program, "run", str(folder), "--models", str(self.models)], stdout=subprocess.DEVNULL,
                                    stderr=log, env=environment(self.threads))

    def whole(self, folder, job, inputs):
        """Runs a job from its start to its end."""
        self.bundle(folder, job, inputs)
        began = time.perf_counter()
        process = self.start(folder)
        _, code, usage = os.wait4(process.pid, 0)
        if code != 0:
            sys.exit(f"failed: the worker: {(folder / 'errors.log').read_text()[-2000:]}")
        return {"wall": time.perf_counter() - began, "processor": usage.ru_utime + usage.ru_stime,
                "whole_mb": usage.ru_maxrss / 1024, "peak_mb": usage.ru_maxrss / 1024 - self.idle}


class Training:
    """A training of the worker that is paused between rounds."""

    def __init__(self, worker, folder, job, inputs):
        self.worker, self.folder, self.read, self.step = worker, folder, 0, 0
        worker.bundle(folder, job, inputs)
        self.process = worker.start(folder)

    def events(self):
        path = self.folder / "events.jsonl"
        data = path.read_bytes()[self.read:] if path.exists() else b""
        whole = data[:data.rfind(b"\n") + 1]
        self.read += len(whole)
        return [json.loads(line) for line in whole.splitlines()]

    def tell(self, word):
        part = self.folder / "control.part"
        part.write_text(word)
        part.rename(self.folder / "control")

    def steps(self, count):
        """Makes about so many steps, two at least: the word to pause may be heard a step early or late. Tells what was made."""
        began, used = time.perf_counter(), processor(self.process.pid)
        first, last, losses = self.step, self.step + count, {}
        self.tell("resume")
        told = False
        while True:
            for event in self.events():
                if event["event"] == "progress" and event.get("loss") is not None:
                    self.step = max(self.step, event["step"])
                    losses[event["step"]] = event["loss"]
                if event["event"] == "paused" and told:
                    peak = status_mb("VmHWM:", self.process.pid)
                    return {"wall": time.perf_counter() - began, "processor": processor(self.process.pid) - used,
                            "steps": event["step"] - first, "losses": [losses[n] for n in sorted(losses) if n > first],
                            "whole_mb": peak, "peak_mb": peak - self.worker.idle}
            if self.step >= last - 1 and not told:
                self.tell("pause")
                told = True
            if self.process.poll() is not None:
                sys.exit(f"failed: the worker ended: {(self.folder / 'errors.log').read_text()[-2000:]}")
            time.sleep(0.02)

    def end(self):
        self.process.terminate()
        self.process.wait()


def told(name, answer):
    return (f"{name} {answer['wall'] / answer['steps']:.3g} s ({answer['processor'] / answer['steps']:.3g} s processor, "
            f"{answer['steps']})")


def compare(sides, rounds, steps, unit="a step"):
    """Alternating rounds; prints and returns what was found."""
    found = {name: [] for name in sides}
    for number in range(rounds):
        for name in list(sides) if number % 2 == 0 else list(sides)[::-1]:
            found[name].append(sides[name].steps(steps))
        print(f"  round {number + 1}: " + ", ".join(told(name, found[name][-1]) for name in sides)
              + f", load {os.getloadavg()[0]:.1f}", flush=True)
    each = {name: {key: [a[key] / a["steps"] for a in answers] for key in ("wall", "processor")} for name, answers in found.items()}
    for name, answers in found.items():
        print(f"{name}: {statistics.median(each[name]['processor']):.3g} s of processor {unit}, "
              f"{statistics.median(each[name]['wall']):.3g} s by the clock, peak {answers[-1]['peak_mb']:.0f} MiB over idle, "
              f"{answers[-1]['whole_mb']:.0f} MiB in all")

    def ratio(key):
        ratios = [b / a for a, b in zip(each["ours"][key], each["theirs"][key])]
        return f"{statistics.median(ratios):.2f} x ({min(ratios):.2f} to {max(ratios):.2f})"

    def memory(key):
        return f"{found['ours'][-1][key] / found['theirs'][-1][key]:.2f} x"

    print(f"speed, median of {rounds} rounds: {ratio('processor')} by processor time, {ratio('wall')} by the clock; memory "
          f"{memory('peak_mb')} over idle, {memory('whole_mb')} in all", flush=True)
    return found
