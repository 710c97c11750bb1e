#!/usr/bin/env python3
"""Kills the command line with SIGKILL at random instants of every use case, and checks afterwards: Does the workspace open? Is
its audit chain valid and complete? Are its pages intact? Are leftovers removed and child processes gone? Is everything there that
was reported as done? Does the same command succeed when it is repeated? Every kill is written as a line of a record; a later call
continues where the record ends.

    tools/bench/kills.py run [--kills 500] [--seconds S] [--seed 1] [--record FILE] [--use NAME …]
    tools/bench/kills.py table [--record FILE]

The programs are those of LEXFORGE_BIN, LEXFORGE_PARSE and LEXFORGE_WORKER, else the optimised ones (tools/optimised). The instant
is chosen at random within the time that the use case takes on this machine without a kill. Exit code 1: a kill did harm.
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "tools/bench/kills.jsonl"
WS = "a.lexforge"
TRAIN = ("train", WS, "--base", "lexforge-demo", "--threads", "1", "--seed", "7", "--max-steps", "6", "--checkpoint-every", "2")
LEFT = re.compile(r"(lexforge-[a-z]+-\d+-\d+|.*\.lexforge\.\d+\.new)")
LONGEST = 900
POLICY = """# Operational policy

We record every operational incident in a register within one business day of its detection.

The exit plan for a critical outsourcing may be tested at least once every 12 months.

The performance of the service provider is reviewed at least once a year.
"""
GLOSSARY = "term,definition,status\nliquidity buffer,Assets that can be sold at once.,\nrecovery plan,What is done in a crisis.,\n"
QUESTIONS = "question\nWithin how many hours is an operational incident reported?\nHow often is the exit plan tested?\n"
LABELS = [{"question": "How often is the exit plan tested?", "passage_ids": ["1"]}]
EXAM = [{"question": "What is a recovery plan?", "choices": ["a plan", "a loan", "a fee", "a tax"], "answer": "a plan"}]

# A use case: its name, the state of the workspace that it starts from, the words of its command, and the file, folder or
# workspace that it makes. If this is complete, it is removed before the same command is repeated.
Use = collections.namedtuple("Use", "name state words made")
USES = [Use(name, state, words.split() if isinstance(words, str) else list(words), made) for name, state, words, made in (
    ("import", "empty", f"import {WS} copy-0.pdf copy-1.pdf copy-2.pdf", None),
    ("import more", "read", f"import {WS} copy-0.pdf copy-1.pdf policy.md", None),
    ("terms", "read", f"terms extract {WS}", None),
    ("glossary", "terms", f"terms import {WS} glossary.csv", None),
    ("decide", "terms", f"terms decide {WS} 1 2 3 4 5 6 7 8 --accept", None),
    ("graph", "terms", f"graph build {WS} --encoder lsa", None),
    ("questions", "graph", f"augment {WS} --offline", None),
    ("triplets", "graph", f"triplets make {WS} --offline", None),
    ("snapshot", "questions", f"dataset freeze {WS}", None),
    ("ask", "questions", ["ask", WS, "Within how many hours is an operational incident reported?"], None),
    ("ask a table", "questions", f"ask {WS} --batch q.csv --out answers.docx", "answers.docx"),
    ("labels", "read", f"pairs import {WS} labels.jsonl", None),
    ("exam", "read", f"exam import {WS} exam.jsonl --name e", None),
    ("match", "both", f"match {WS} --rules 1 --policies 2 --words", None),
    ("match export", "matched", f"match export {WS} --out gaps.docx", "gaps.docx"),
    ("backup", "frozen", f"workspace backup {WS} copy.lexforge", "copy.lexforge"),
    ("restore", "frozen", f"workspace restore backup.lexforge new.lexforge", "new.lexforge"),
    ("restore over", "frozen", f"workspace restore backup.lexforge {WS} --replace", None),
    ("snapshot export", "frozen", f"dataset export {WS} --out given", "given"),
    ("packet", "terms", ["packet", "write", WS, "share.json", "--for", "Reviewer 2", "--most", "20"], "share.json"),
    ("packet merge", "sent", f"packet merge {WS} answer.json", None),
    ("train", "frozen", TRAIN, None),
    ("train, worker killed", "frozen", TRAIN, None),
    ("model export", "trained", f"models export {WS} --format peft --out peft", "peft"),
    ("evaluation", "trained", f"eval {WS}", None),
)]


class Product:
    """The command line in a folder of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "dist"
        self.environment = dict(os.environ, LEXFORGE_STATE=str(self.folder / "state"), TMPDIR=str(self.folder / "tmp"),
                                LEXFORGE_MODELS=str(ROOT / "models/demo"), LEXFORGE_ACTOR="Reviewer 1", OMP_WAIT_POLICY="passive")
        (self.folder / "tmp").mkdir(exist_ok=True)
        for variable, name in (("LEXFORGE_BIN", "lexforge"), ("LEXFORGE_PARSE", "lexforge-parse"),
                               ("LEXFORGE_WORKER", "lexforge-worker")):
            program = self.environment.setdefault(variable, str(built / name))
            if not pathlib.Path(program).is_file():
                sys.exit(f"{program} is not built: name it in {variable}, or run tools/optimised")

    def start(self, words, out):
        return subprocess.Popen([self.environment["LEXFORGE_BIN"], *words, "--json"], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def run(self, *words):
        """Exit code and lines of a command."""
        done = subprocess.run([self.environment["LEXFORGE_BIN"], *words, "--json"], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONGEST)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("{", "["))], done.stderr

    def must(self, *words):
        code, lines, errors = self.run(*words)
        if code:
            raise RuntimeError(f"{words}: {lines}\n{errors}")
        return lines

    def chain(self, file=WS):
        """The entries of the audit chain, the oldest first, by what they are and do not change."""
        rows = self.must("audit", "list", file, "--limit", "100000")
        return [(row["hash"], row["action"]) for row in sorted(rows, key=lambda row: row["sequence"])]

    def processes(self):
        """Processes that belong to this folder and live, but for zombies."""
        mark, found = f"LEXFORGE_STATE={self.folder}/state".encode(), []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0") and (entry / "stat").read_text().rsplit(") ", 1)[1][0] != "Z":
                    found.append((int(entry.name), (entry / "comm").read_text().strip()))
            except OSError:
                pass
        return found

    def workers(self):
        return [pid for pid, name in self.processes() if name.startswith("lexforge-work")]


def prepare(site, states):
    """The states from which use cases start, each a folder; what a training makes only where a use case asks for it."""
    work = Product(site / "now") if (site / "now").mkdir() is None else None
    pages = (ROOT / "tools/sample/regulation.pdf").read_bytes()
    for n in range(3):                     # what follows the last %%EOF belongs to no page
        (work.folder / f"copy-{n}.pdf").write_bytes(pages + f"% copy {n}\n".encode())
    for name, text in (("policy.md", POLICY), ("glossary.csv", GLOSSARY), ("q.csv", QUESTIONS)):
        (work.folder / name).write_text(text)
    for name, rows in (("labels.jsonl", LABELS), ("exam.jsonl", EXAM)):
        (work.folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    def keep(name):
        shutil.copytree(work.folder, site / name, symlinks=True)

    keep("empty")
    work.must("import", WS, str(ROOT / "tools/sample/regulation.pdf"))
    keep("read")
    work.must("import", WS, "policy.md")
    keep("both")
    work.must("match", WS, "--rules", "1", "--policies", "2", "--words")
    keep("matched")
    reset(site, work, "read")
    work.must("terms", "extract", WS)
    keep("terms")
    work.must("packet", "write", WS, "share.json", "--for", "Reviewer 2", "--most", "8")
    work.must("packet", "open", "share.json", "mine.lexforge")
    for _ in range(3):
        item = work.must("terms", "queue", "mine.lexforge")[0]["item"]
        work.must("terms", "decide", "mine.lexforge", str(item["term"]["id"]), "--reject")
    work.must("packet", "answer", "mine.lexforge", "answer.json")
    keep("sent")
    reset(site, work, "terms")
    for name, words in (("graph", f"graph build {WS} --encoder lsa"), ("questions", f"augment {WS} --offline"),
                        ("frozen", f"dataset freeze {WS}")):
        work.must(*words.split())
        if name == "frozen":
            work.must("workspace", "backup", WS, "backup.lexforge")
        keep(name)
    if "trained" in states:
        work.must(*TRAIN)
        keep("trained")


def reset(site, product, state):
    """Puts a state into a folder. Times stay, as they would in a folder that nobody copied."""
    for entry in product.folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    shutil.copytree(site / state, product.folder, symlinks=True, dirs_exist_ok=True)


def ended(product, seconds):
    """Waits until nobody works in the folder."""
    until = time.monotonic() + seconds
    while (left := product.processes()) and time.monotonic() < until:
        time.sleep(0.02)
    return [name for _, name in left]


def undisturbed(site, product, use):
    """How long it takes, and what it adds to the chain."""
    reset(site, product, use.state)
    before = len(product.chain()) if (product.folder / WS).exists() else 0
    started = time.monotonic()
    product.must(*use.words)
    took = time.monotonic() - started
    added = collections.Counter(action for _, action in product.chain()[before:])
    adapter = product.must("runs", "list", WS)[0]["adapter"] if use.name.startswith("train") else None
    return {"took": took, "added": added, "adapter": adapter}


def kill(site, product, use, usual, draw):
    """One kill, and what is found; none where the command had ended before."""
    reset(site, product, use.state)
    file = product.folder / WS
    # A restored workspace has the backup's entries, as the one in its place has.
    before = product.chain("backup.lexforge" if use.name == "restore over" else WS) if file.exists() else []
    instant = draw.uniform(0.002, usual["took"])
    with open(product.folder / "tmp/out", "w+") as out:
        started = time.monotonic()
        client = product.start(use.words, out)
        time.sleep(max(0.0, started + instant - time.monotonic()))
        if client.poll() is not None:
            ended(product, 60)
            return None
        workers = product.workers() if use.name.endswith("worker killed") else []
        if use.name.endswith("worker killed") and not workers:
            client.kill()
            client.wait()
            return None
        for pid in workers or [client.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        code = client.wait()
        out.seek(0)
        said = out.read()
    notes, found = [], {}
    if workers and code == 0:
        return None                        # it had done its work
    if workers and " · died · " not in said and "worker_died" not in said:
        notes.append(f"the worker's death is not told: {said[-300:]}")
    since = time.monotonic()               # a worker goes on with its job, whoever started it; nobody else does
    left = ended(product, 10)
    found["processes"] = all(name.startswith("lexforge-work") for name in left) and not ended(product, LONGEST)
    notes += [f"{name} lives" for name in left if not found["processes"]]
    worked = round(time.monotonic() - since)
    look(product, use, usual, before, said, found, notes)
    return {"use": use.name, "instant": round(instant, 3), "took": round(usual["took"], 3),
            "killed": "worker" if workers else "client", "worked_on": worked, "found": found, "notes": notes, "ok": all(found.values()) and not notes}


def look(product, use, usual, before, said, found, notes):
    """What is found after the kill."""
    file = product.folder / WS
    # Leftovers of which nobody can say whose they are stay for an hour: they are made that old.
    old = time.time() - 2 * 3600
    for path in product.folder.rglob("*"):
        if any(LEFT.fullmatch(part) for part in path.relative_to(product.folder).parts) and not path.is_symlink():
            os.utime(path, (old, old))
    files = [WS] if file.exists() else []
    if before and not files:
        found["opens"] = False
        notes.append("the workspace is gone")
    if use.made and use.made.endswith(".lexforge") and (product.folder / use.made).exists():
        files.append(use.made)
    for name in files:
        code, lines, errors = product.run("docs", name)
        found["opens"] = found.get("opens", True) and code == 0
        if code:
            notes.append(f"docs {name}: {lines} {errors[-300:]}")
            continue
        code, lines, errors = product.run("audit", "verify", name)
        found["verified"] = found.get("verified", True) and code == 0 and lines[0]["ok"]
        with contextlib.closing(sqlite3.connect(product.folder / name)) as database:
            whole = database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            sound = not database.execute("PRAGMA foreign_key_check").fetchall()
        found["whole"] = found.get("whole", True) and whole and sound
    after = product.chain() if file.exists() else []
    found["kept"] = after[:len(before)] == before
    told = bool(re.search(r"^\{(?!.*\"error\")", said, re.M))
    if told and not use.name.startswith("train"):   # it had said what it did; a training says each step, and its adapter is compared
        added = collections.Counter(action for _, action in after[len(before):])
        found["told"] = all(added[action] >= n for action, n in usual["added"].items())
    remains = [str(p.relative_to(product.folder)) for p in product.folder.rglob("*") if LEFT.fullmatch(p.name)]
    # What was written to another place is looked for when something is written there again.
    code, errors = again(product, use, usual, notes)
    found["again"] = code
    if not code:
        notes.append(errors)
    remains = [str(p.relative_to(product.folder)) for p in product.folder.rglob("*") if LEFT.fullmatch(p.name)] if remains else []
    found["cleared"] = not remains
    notes += [f"left: {name}" for name in remains[:3]]


def again(product, use, usual, notes):
    """Does the same once more; a run that was cut short is resumed, and ends with the adapter that it would have had."""
    if use.made:
        made = product.folder / use.made
        for path in [pathlib.Path(f"{made}{end}") for end in ("", "-wal", "-shm", ".artifacts")]:
            if path.is_dir():
                shutil.rmtree(path)
            elif path.exists():
                path.unlink()
    runs = product.must("runs", "list", WS) if use.name.startswith("train") else []
    if runs and runs[0]["state"] == "finished":
        code, lines, errors = 0, [], ""
    elif runs:
        code, lines, errors = product.run("runs", "resume", WS)
    else:
        code, lines, errors = product.run(*use.words)
    if code:
        return False, f"{lines} {errors[-400:]}"
    if usual["adapter"] and product.must("runs", "list", WS)[0]["adapter"] != usual["adapter"]:
        return False, "another adapter"
    if not product.must("audit", "verify", WS)[0]["ok"]:
        return False, "the chain does not hold"
    return True, ""


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def commit():
    said = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip()


def run(chosen):
    uses = [use for use in USES if not chosen.use or use.name in chosen.use]
    if not uses:
        sys.exit("no use case has such a name; there are: " + ", ".join(use.name for use in USES))
    done = [row for row in records(chosen.record) if row["seed"] == chosen.seed and row["use"] in {use.name for use in uses}]
    until = time.monotonic() + chosen.seconds if chosen.seconds else None
    harm, state = 0, commit()
    with tempfile.TemporaryDirectory(prefix="kills-") as scratch:
        site = pathlib.Path(scratch)
        prepare(site, {use.state for use in uses})
        (site / "try").mkdir()
        product, usual = Product(site / "try"), {}
        number, misses = len(done), collections.Counter()
        while number < chosen.kills and (until is None or time.monotonic() < until):
            use = uses[number % len(uses)]
            if use.name not in usual:
                usual[use.name] = undisturbed(site, product, use)
            draw = random.Random(f"{chosen.seed} {number} {misses[number]}")
            row = kill(site, product, use, usual[use.name], draw)
            if row is None:
                misses[number] += 1
                if misses[number] > 50:
                    sys.exit(f"{use.name} always ends before it is killed")
                continue
            row.update(seed=chosen.seed, number=number, commit=state)
            with open(chosen.record, "a") as record:
                record.write(json.dumps(row) + "\n")
            harm += not row["ok"]
            print(f"{number + 1}/{chosen.kills} {use.name} after {row['instant']} s: {'ok' if row['ok'] else row}", flush=True)
            number += 1
    return 1 if harm else 0


def table(chosen):
    rows = records(chosen.record)
    print("| use case | kills | whole, and done again | otherwise |\n|---|---|---|---|")
    for use in USES:
        own = [row for row in rows if row["use"] == use.name]
        good = sum(row["ok"] for row in own)
        print(f"| {use.name} | {len(own)} | {good} | {len(own) - good} |")
    good = sum(row["ok"] for row in rows)
    print(f"| all | {len(rows)} | {good} | {len(rows) - good} |")
    for row in rows:
        if not row["ok"]:
            print(json.dumps(row))
    return 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    verbs = arguments.add_subparsers(required=True)
    for name, verb in (("run", run), ("table", table)):
        own = verbs.add_parser(name)
        own.set_defaults(verb=verb)
        own.add_argument("--record", type=pathlib.Path, default=RECORD)
    own = verbs.choices["run"]
    own.add_argument("--kills", type=int, default=500)
    own.add_argument("--seconds", type=float)
    own.add_argument("--seed", type=int, default=1)
    own.add_argument("--use", nargs="*", default=[])
    chosen = arguments.parse_args()
    sys.exit(chosen.verb(chosen))


if __name__ == "__main__":
    main()
