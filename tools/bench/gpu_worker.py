"""Drives `lexforge-worker` for tools/bench/gpu: job bundles, the server, and the memory of a card."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

from gpu_record import NotRun, OutOfMemory, OutOfTime

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROTOCOL = int(re.search(r"PROTOCOL_VERSION: u32 = (\d+)",
                         (ROOT / "src-tauri/crates/domain/src/protocol/mod.rs").read_text())[1])
LIBTORCH = "2.11"
TOKEN = "checks"


def library_folders(named):
    """The folders of libtorch and of the libraries that it needs: the named folder, or else those of an installed PyTorch with
    the worker's version. If there are none, the worker uses its own libtorch."""
    if named:
        return [named]
    command = [sys.executable, "-c", "import torch; print(torch.__version__, torch.__file__, sep='\\n')"]
    found = subprocess.run(command, capture_output=True, text=True)
    version, _, file = found.stdout.strip().partition("\n")
    if found.returncode != 0 or not version.startswith(LIBTORCH + "."):
        return []
    torch = pathlib.Path(file).parent
    return [torch / "lib", *sorted(torch.parent.glob("nvidia/*/lib"))]


def starts(worker):
    return subprocess.run([worker, "--version"], capture_output=True).returncode == 0


class CardMemory:
    """The most MiB that a card holds more while it runs than before, as nvidia-smi says."""

    def __init__(self):
        self.peak, self.over, self.before = 0.0, threading.Event(), self.used()
        self.thread = threading.Thread(target=self.look, daemon=True)

    @staticmethod
    def ask(what):
        command = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader,nounits"]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.splitlines()
        except (OSError, subprocess.SubprocessError):
            return []

    def used(self):
        lines = self.ask("memory.used")
        with contextlib.suppress(ValueError):
            return [float(line) for line in lines]
        return []

    def look(self):
        while not self.over.wait(0.1):
            self.peak = max([self.peak, *(now - before for now, before in zip(self.used(), self.before))])

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


class Bench:
    """Worker, device and the folder that everything is written into."""

    def __init__(self, worker, device, work, libraries, small):
        self.worker, self.device, self.work, self.small = worker, device, work, small
        self.models = work / "models"
        self.until = time.monotonic() + 180  # for the first question
        self.environment = os.environ | {"OMP_WAIT_POLICY": "passive", "LEXFORGE_TOKEN": TOKEN}
        for name in ("RANK", "WORLD_SIZE", "LEXFORGE_MODELS"):
            self.environment.pop(name, None)
        if libraries:
            known = [self.environment["LD_LIBRARY_PATH"]] if self.environment.get("LD_LIBRARY_PATH") else []
            self.environment["LD_LIBRARY_PATH"] = os.pathsep.join([*map(str, libraries), *known])

    @property
    def on_cpu(self):
        return self.device == "cpu"

    def around(self, device):
        """The environment of a worker on this device."""
        return self.environment | ({"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {})

    def call(self, *arguments, device=None):
        """What a worker prints."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise OutOfTime
        try:
            done = subprocess.run([self.worker, *map(str, arguments)], capture_output=True, text=True, timeout=left,
                                  env=self.around(device or self.device), cwd=ROOT)
        except subprocess.TimeoutExpired:
            raise OutOfTime from None
        return checked(done.returncode, done.stdout, done.stderr)

    def version(self):
        return json.loads(self.call("--version", "--json"))

    def cards(self):
        return [name for name in self.version()["devices"] if name.startswith("cuda")]

    def bundle(self, name, job, files, adapter=None):
        """A fresh bundle. `files`: name in inputs/ → lines."""
        folder = self.work / "bundles" / re.sub(r"[^\w.-]+", "-", name)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "inputs").mkdir(parents=True)
        for file, lines in files.items():
            (folder / "inputs" / file).write_text("".join(json.dumps(line) + "\n" for line in lines))
        if adapter:
            shutil.copytree(adapter, folder / "adapter")
            job = job | {"adapter": "adapter"}
        (folder / "job.json").write_text(json.dumps({"protocol_version": PROTOCOL, "job": job}))
        return folder

    def run(self, bundle, *more, device=None):
        """Runs a bundle to its end; its result."""
        self.call("run", bundle, "--models", self.models, *more, device=device)
        used = {event["device"].partition(":")[0] for event in events(bundle) if event["event"] == "started"}
        if used != {device or self.device}:
            raise RuntimeError(f"the worker computed on {' and '.join(sorted(used))}, and not on {device or self.device}")
        return json.loads((bundle / "result.json").read_text())

    def run_and_kill(self, bundle, step):
        """Runs a bundle and kills the worker at a step; the step that it had told of."""
        with open(bundle / "stderr.log", "wb") as errors:
            child = subprocess.Popen([self.worker, "run", bundle, "--models", self.models], stdout=subprocess.DEVNULL,
                                     stderr=errors, env=self.around(self.device), cwd=ROOT)
        try:
            while child.poll() is None:
                if time.monotonic() > self.until:
                    raise OutOfTime
                made = [event["step"] for event in progress(bundle)]
                if made and made[-1] >= step:
                    return made[-1]
                time.sleep(0.005)
        finally:
            child.kill()
            child.wait()
        if (bundle / "result.json").exists():
            raise RuntimeError("the run ended before it could be cut")
        return checked(child.returncode, "", (bundle / "stderr.log").read_text())

    @contextlib.contextmanager
    def server(self, model):
        """A server of a model; gives a function that asks for an answer to a message."""
        port_file = self.work / "port.json"
        port_file.unlink(missing_ok=True)
        log = self.work / "serve.log"
        with open(log, "wb") as errors:
            child = subprocess.Popen(
                [self.worker, "serve", "--model", model, "--models", self.models, "--port-file", port_file],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, env=self.around(self.device), cwd=ROOT)
        try:
            while not port_file.exists():
                if time.monotonic() > self.until:
                    raise OutOfTime
                if child.poll() is not None:
                    checked(child.returncode or 1, "", log.read_text())
                time.sleep(0.02)
            port = json.loads(port_file.read_text())["port"]
            used = health(port, self.until)["device"]
            if used.partition(":")[0] != self.device:
                raise RuntimeError(f"the server computes on {used}, and not on {self.device}")
            yield lambda message, tokens: asked(port, model, message, tokens, self.until)
            child.send_signal(signal.SIGTERM)
            if child.wait(timeout=30) != 0:
                checked(child.returncode, "", log.read_text())
        finally:
            child.kill()
            child.wait()


def spoken(port, method, path, body, until):
    """What the server answers, and the seconds that it took."""
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=left)
    began = time.monotonic()
    try:
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
        reply = connection.getresponse()
        answer = json.loads(reply.read())
    except TimeoutError:
        raise OutOfTime from None
    finally:
        connection.close()
    if reply.status != 200:
        raise RuntimeError(f"HTTP {reply.status}: {answer.get('error', answer)}")
    return answer, time.monotonic() - began


def health(port, until):
    return spoken(port, "GET", "/health", None, until)[0]


def asked(port, model, message, tokens, until):
    """An answer of exactly so many tokens: its text, and the seconds that it took."""
    body = {"model": model, "messages": [{"role": "user", "content": message}], "temperature": 0, "max_tokens": tokens,
            "min_tokens": tokens}
    answer, seconds = spoken(port, "POST", "/v1/chat/completions", body, until)
    if answer["usage"]["completion_tokens"] != tokens:
        raise RuntimeError(f"{answer['usage']['completion_tokens']} tokens were written instead of {tokens}")
    return answer["choices"][0]["message"]["content"], seconds


def checked(code, out, errors):
    """The output of a program that ended well; else its last words as an error."""
    if code == 0:
        return out
    told = errors.strip().splitlines()[-3:]
    words = " ".join(line.strip() for line in told) or f"exit status {code}"
    if "error[out_of_memory]" in errors:
        raise OutOfMemory(words)
    if code < 0:
        words = f"ended by signal {-code}: {words}"
    raise RuntimeError(words)


def events(bundle):
    """Whole events of a bundle."""
    path = bundle / "events.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines if line]


def progress(bundle):
    """One event for each step that was made, the last word on it."""
    steps = {event["step"]: event for event in events(bundle)
             if event["event"] == "progress" and event.get("loss") is not None}
    return [steps[step] for step in sorted(steps)]


def losses(bundle):
    return [event["loss"] for event in progress(bundle)]


def pace(bundle):
    """Median seconds a step and tokens a second, without the first step. A step's first event counts, not its repetition."""
    first = {}
    for event in events(bundle):
        if event["event"] == "progress" and event.get("loss") is not None:
            first.setdefault(event["step"], event)
    made = [first[step] for step in sorted(first)]
    if len(made) < 2:
        raise NotRun("fewer than two steps were made")
    return (statistics.median(b["time"] - a["time"] for a, b in zip(made, made[1:])),
            statistics.median(event["tokens_per_s"] for event in made[1:]))


def resident_before(bundle):
    """MiB that the worker held before it loaded anything."""
    return next((e["memory_mb"] for e in events(bundle) if e["event"] == "progress" and e["stage"] == "load"), 0.0) or 0.0
