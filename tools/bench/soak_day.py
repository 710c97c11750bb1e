#!/usr/bin/env python3
"""Simulates a day of a firm's work in one workspace: with libfaketime a day takes 24 minutes. A watch (`lexforge watch`) and the
window (on a display of its own, Xvfb) stay open all the time, while documents are imported, questions asked, decisions made,
people added, labels imported, terms searched, policies matched and backups made, each at fixed minutes of every hour. The day
includes midnight and the change to summer time. After each simulated hour the script checks how much memory and how many files
the two programs use, and which files are left over. At the end it checks that everything is there that was reported as done.

    tools/bench/soak_day.py run [--hours 25] [--rate 60] [--site FOLDER] [--record FILE]
    tools/bench/soak_day.py back [--back HOURS] [--rate 60] [--record FILE]
    tools/bench/soak_day.py check [--record FILE]

`run` continues with the hour at which its folder stopped. `back` is short: it sets the clock back while the programs are open.
`check` only judges the record. Two things are not simulated: the monotonic clock, by which programs wait, and the times of files.
The programs are those of LEXFORGE_BIN, LEXFORGE_APP, LEXFORGE_PARSE and LEXFORGE_WORKER, else the optimised ones
(tools/optimised). Exit code 1: something grew, was left over, was lost or has changed.
"""
import argparse
import contextlib
import csv
import datetime
import hashlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zoneinfo

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("writers", ROOT / "tools/bench/writers.py")
writers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(writers)
kills, WS = writers.kills, writers.WS
RECORD = ROOT / "tools/bench/soak_day.jsonl"
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
QUESTIONS = ("Within how many hours is an operational incident reported?", "How often is the exit plan tested?",
             "What is a recovery plan?", "Who may waive the fee for a bicycle?", "What shall the institution keep a register of?")
# What is done at which minute, and in which hours: every so many.
PLAN = ((2, "import", 1), (9, "ask", 1), (14, "decide", 1), (18, "person", 1), (21, "label", 1), (25, "terms", 4),
        (30, "match", 4), (36, "backup", 3), (41, "fixed", 1))
DEEDS = [what for _, what, _ in PLAN if what != "fixed"]
LOOK = 54                                  # the minute at which it is looked at what is held
PATIENCE, LEAST = 20, 3                    # minutes; an hour that begins later has so many deeds
EVERY = 1 / 24                             # days between two looks of the watch
LOG_BYTES, LOG_FILES = 512 << 10, 4        # a log is renamed when it is full, and so many are kept of a program


def night():
    """The last night before today in which the clock goes forward: noon of the day before."""
    today = datetime.date.today()
    ends = [datetime.date(year, 3, day) for year in (today.year - 1, today.year) for day in range(25, 32)]
    sunday = max(day for day in ends if day.weekday() == 6 and day < today)
    return datetime.datetime.combine(sunday - datetime.timedelta(days=1), datetime.time(12), ZONE)


class Clock:
    """The simulated time: seconds since 1970 that pass faster."""

    def __init__(self, start, rate):
        self.start, self.rate, self.since = start, rate, time.monotonic()

    def now(self):
        return self.start + (time.monotonic() - self.since) * self.rate

    def until(self, moment):
        """Waits; says how many simulated minutes late it is already."""
        late = (self.now() - moment) / 60
        if late < 0:
            time.sleep(-late * 60 / self.rate)
        return max(0.0, late)

    def words(self):
        """The time as libfaketime reads it, for a program that starts now."""
        return f"@{datetime.datetime.fromtimestamp(self.now(), ZONE):%Y-%m-%d %H:%M:%S} x{self.rate:g}"


class Firm(kills.Product):
    """The workspace, the command line and the programs that stay open, with the simulated time."""

    def __init__(self, folder, clock):
        super().__init__(folder)
        self.clock, self.open, self.others, self.known = clock, {}, [], set()
        library = next((str(p) for p in pathlib.Path("/usr/lib").glob("**/faketime/libfaketimeMT.so.1")), None)
        if library is None:
            sys.exit("libfaketime is not installed: apt-get install libfaketime")
        # Waiting with a time limit asks the system itself, which knows no simulated time: that clock stays as it is.
        self.environment |= {"LD_PRELOAD": library, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "Europe/Berlin",
                             "LEXFORGE_LOG": "trace", "XDG_DATA_HOME": str(self.folder / "home")}
        (self.folder / "home").mkdir(exist_ok=True)

    def run(self, *words):
        self.environment["FAKETIME"] = self.clock.words()
        return super().run(*words)

    def stay(self, name, words, display=None):
        """A program that stays open. It reads its time from a file, so that the time can be set under it."""
        place = self.folder / f"{name}.time"
        environment = {k: v for k, v in self.environment.items() if k != "FAKETIME"}
        environment |= {"FAKETIME_TIMESTAMP_FILE": str(place), "FAKETIME_CACHE_DURATION": "1"} | ({"DISPLAY": display} if display else {})
        place.write_text(f"{self.clock.words()}\n")
        with open(self.folder / f"{name}.out", "a") as out:
            self.open[name] = subprocess.Popen(words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                               stderr=subprocess.STDOUT, start_new_session=True)

    def set_back(self, seconds):
        """Sets the clock back for all programs, those that are open as well."""
        self.clock.start -= seconds
        for name in self.open:
            new = self.folder / f"{name}.time.new"     # the program may read it at any instant, and counts from then on
            new.write_text(f"{self.clock.words()}\n")
            new.replace(self.folder / f"{name}.time")

    def begin(self):
        self.stay("watch", [self.environment["LEXFORGE_BIN"], "watch", WS, "--every", f"{EVERY}", "--json"])
        app = os.environ.get("LEXFORGE_APP", str(pathlib.Path(self.environment["LEXFORGE_BIN"]).parent / "lexforge-app"))
        if not pathlib.Path(app).is_file() or not shutil.which("Xvfb"):
            print("the window or Xvfb is missing: only the watch stays open")
            return
        read, write = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                                  pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        self.others.append(screen)
        with os.fdopen(read) as told:
            self.stay("window", [app, str(self.folder / WS)], f":{told.readline().strip()}")

    def end(self):
        """Ends the programs, and removes what libfaketime leaves of programs of this folder."""
        every = list(self.open.values()) + self.others
        for process in every:
            process.terminate()
        for process in every:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            if process.poll() is None:
                process.kill()
                process.wait()
        self.open, self.others = {}, []

    def held(self, name):
        """What a program and its children hold: memory in MB, open files, threads, children, and how many of them are dead."""
        process = self.open[name]
        if process.poll() is not None:
            return {"ended": process.returncode}
        every, own = tree(process.pid), proc(process.pid)
        return {"memory": own["memory"], "files": own["files"], "threads": own["threads"], "children": len(every) - 1,
                "memory_all": round(sum(p["memory"] for p in every), 1), "files_all": sum(p["files"] for p in every),
                "zombies": sum(p["state"] == "Z" for p in every)}

    def left(self):
        """Temporary files: those of the system's folder, and half-made ones anywhere."""
        half = (p for p in self.folder.rglob("*") if kills.LEFT.fullmatch(p.name))
        return sorted({str(p.relative_to(self.folder)) for p in [*(self.folder / "tmp").iterdir(), *half]})


def proc(pid):
    place = pathlib.Path("/proc") / str(pid)
    try:
        status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines() if ":" in line)
        state = status["State"].split()[0]
        files = len(list((place / "fd").iterdir())) if state != "Z" else 0
    except OSError:
        return {"memory": 0.0, "files": 0, "threads": 0, "state": "gone", "parent": 0}
    return {"memory": round(int(status.get("VmRSS", "0 kB").split()[0]) / 1024, 1), "files": files,
            "threads": int(status["Threads"]), "state": state, "parent": int(status["PPid"])}


def tree(root):
    """A process and all that descend from it."""
    every = {int(p.name): proc(p.name) for p in pathlib.Path("/proc").glob("[0-9]*")}
    inside, grown = {root}, True
    while grown:
        more = {pid for pid, about in every.items() if about["parent"] in inside and pid not in inside}
        grown, inside = bool(more), inside | more
    return [every[pid] for pid in inside if pid in every and every[pid]["state"] != "gone"]


def size(path):
    return path.stat().st_size if path.exists() else 0


def answers(table, columns=None):
    """A fingerprint of a table of answers: of its bytes, or of some columns."""
    if columns is None:
        return hashlib.sha256(table.read_bytes()).hexdigest()[:16]
    with open(table, encoding="utf-8-sig", newline="") as text:
        rows = [[row[c] for c in columns] for row in csv.DictReader(text)]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def prepare(firm):
    shutil.copy(ROOT / "tools/sample/regulation.pdf", firm.folder / "regulation.pdf")
    (firm.folder / "policy.md").write_text(kills.POLICY)
    (firm.folder / "fixed.csv").write_text("question\n" + "".join(f"{q}\n" for q in QUESTIONS))
    firm.must("import", WS, "regulation.pdf", "policy.md")
    firm.must("terms", "extract", WS)
    firm.must("workspace", "backup", WS, "first.lexforge")
    # The logs are full nearly, so that a day fills them.
    for log in (firm.folder / "state/logs").rglob("lexforge.log"):
        with open(log, "a") as out:
            out.write("filled for the trial\n" * ((LOG_BYTES - (72 << 10) - size(log)) // 21))


def fixed(firm):
    """The five questions: in the workspace, where the corpus grows, and in a copy of its first backup, where nothing does."""
    for name in ("answers.csv", "again.csv", "again.lexforge"):
        (firm.folder / name).unlink(missing_ok=True)
    shutil.rmtree(firm.folder / "again.lexforge.artifacts", ignore_errors=True)
    firm.must("ask", WS, "--batch", "fixed.csv", "--out", "answers.csv")
    firm.must("workspace", "restore", "first.lexforge", "again.lexforge")
    firm.must("ask", "again.lexforge", "--batch", "fixed.csv", "--out", "again.csv")
    here = answers(firm.folder / "answers.csv", ("question", "found", "answer", "document", "section", "page", "quote"))
    return f"{here} {answers(firm.folder / 'again.csv')}"


def deed(firm, what, name, told):
    """Does one thing as people do it; what it was told as done is remembered."""
    folder = firm.folder
    if what == "import":
        (folder / f"rule-{name}.md").write_text(f"# Garden {name}\n\n## Article 1\n\nThe warden of garden {name} shall water its "
                                                f"roses within {len(told['import']) % 60 + 2} days.\n")
    if what == "label":
        row = {"id": f"label-{name}", "question": f"Who waters garden {name}?", "passage_ids": []}
        (folder / f"label-{name}.jsonl").write_text(json.dumps(row) + "\n")
    words = {"import": ("import", WS, f"rule-{name}.md"), "ask": ("ask", WS, f"{QUESTIONS[0]} {name}"),
             "decide": ("terms", "decide", WS, str(len(told["decide"]) % 40 + 1), "--accept", "--reason", name),
             "person": ("people", "add", WS, f"Person {name}"), "label": ("pairs", "import", WS, f"label-{name}.jsonl"),
             "terms": ("terms", "extract", WS), "match": ("match", WS, "--rules", "1", "--policies", "2", "--words"),
             "backup": ("workspace", "backup", WS, f"backup-{name}.lexforge")}[what]
    code, lines, errors = firm.run(*words)
    if code:
        return f"{what} {name}: {lines} {errors[-300:]}"
    told[what].append(f"rule-{name}.md" if what == "import" else str(lines[0]["id"]) if what == "ask" else name)
    return None


def looks(firm):
    """Minutes between the looks of the watch, as it said, how many there were, and the samples that other programs took."""
    gaps, said = [], set()
    for place in firm.folder.glob("watch*.out"):   # one for each time that it was begun
        made = [json.loads(line)["made"] for line in place.read_text().splitlines() if line.startswith('{"made"')]
        at = [datetime.datetime.fromisoformat(time_.replace("Z", "+00:00")).timestamp() / 60 for time_ in made]
        gaps, said = gaps + [round(b - a, 1) for a, b in zip(at, at[1:])], said | set(made)
    with contextlib.closing(sqlite3.connect(firm.folder / WS)) as database:
        others = [row[0] for row in database.execute("SELECT made FROM drift_sample ORDER BY id") if row[0] not in said]
    return gaps, len(said), others


def logs_of(firm):
    """The sizes of the logs: of the programs, and of each workspace in a folder of its own."""
    place = firm.folder / "state/logs"
    return {str(p.relative_to(place)): size(p) for p in sorted(place.rglob("*.log"))}


def hour_row(firm, hour, late, refused, fingerprint):
    """What is held and what lies around after an hour; a moment's files are waited for."""
    left, until = firm.left(), time.monotonic() + 20
    while set(left) - firm.known and time.monotonic() < until:
        time.sleep(0.5)
        left = [name for name in firm.left() if name in left]
    firm.known = set(left)
    for _ in range(10):                    # a child that has just ended is a moment without its parent's look
        programs = {name: firm.held(name) for name in firm.open}
        if not any(p.get("zombies") for p in programs.values()):
            break
        time.sleep(0.5)
    verified = firm.must("audit", "verify", WS)[0]
    logs = logs_of(firm)
    return {"hour": hour, "time": f"{datetime.datetime.fromtimestamp(firm.clock.now(), ZONE):%Y-%m-%dT%H:%M%z}",
            "programs": programs, "workspace": size(firm.folder / WS), "wal": size(firm.folder / f"{WS}-wal"), "logs": logs,
            "left": left, "audit": {"ok": verified["ok"], "rows": verified["rows"]}, "answers": fingerprint,
            "late": round(late, 1), "refused": refused, "load": round(os.getloadavg()[0], 1)}


def finish(firm, told, rows_before):
    """What of all that was told as done is there, and whether the backups open."""
    lost, whole = writers.found(firm, told)
    for name in told["backup"]:
        code, lines, _ = firm.run("audit", "verify", f"backup-{name}.lexforge")
        if code or not lines[0]["ok"]:
            lost.setdefault("backup", []).append(name)
    with contextlib.closing(sqlite3.connect(firm.folder / WS)) as database:
        if database.execute("SELECT count(*) FROM matching").fetchone()[0] < len(told["match"]):
            lost["match"] = ["one of them"]
    logs = logs_of(firm)
    days = {line[:10] for log in logs for line in (firm.folder / "state/logs" / log).read_text().splitlines() if line[:2] == "20"}
    verified = firm.must("audit", "verify", WS)[0]
    return {"logs": logs, "log_days": sorted(days), "done": {what: len(marks) for what, marks in sorted(told.items())}, "lost": lost, "whole": whole,
            "audit": {"ok": verified["ok"] and verified["rows"] >= rows_before, "rows": verified["rows"]}, "left": firm.left()}


def keep(record, row):
    print(json.dumps(row), flush=True)
    with open(record, "a") as out:
        out.write(json.dumps(row) + "\n")


def run(chosen):
    state, start = chosen.site / "day.json", night().timestamp()
    before = json.loads(state.read_text()) if state.exists() else {"hour": 0, "sequence": int(time.time()), "told": {what: [] for what in DEEDS}}
    told, commit, rows = before["told"], kills.commit(), 0
    chosen.site.mkdir(parents=True, exist_ok=True)
    clock = Clock(max(start + before["hour"] * 3600, before.get("time", 0)), chosen.rate)
    firm, known = Firm(chosen.site, clock), shared()
    if (chosen.site / "watch.out").exists():
        (chosen.site / "watch.out").rename(chosen.site / f"watch-{before['hour']}.out")
    try:
        if not state.exists():
            prepare(firm)
            clock.since = time.monotonic()
        firm.begin()
        for hour in range(before["hour"], chosen.hours):
            late, refused, skipped, fingerprint = 0.0, [], 0, None
            due = [(minute, what) for minute, what, every in PLAN if hour % every == 0]
            if clock.now() > start + hour * 3600 + PATIENCE * 60:
                # A busy machine does less in its day, which is as long: what was done least comes first.
                due.sort(key=lambda one: (one[1] == "fixed", len(told.get(one[1], ()))))
                skipped, due = len(due) - LEAST - 1, due[:LEAST] + due[-1:]
            for minute, what in due:
                late = max(late, clock.until(start + hour * 3600 + minute * 60))
                if what == "fixed":
                    fingerprint = fixed(firm)
                elif said := deed(firm, what, f"{hour:02}-{minute}", told):
                    refused.append(said)
            clock.until(start + hour * 3600 + LOOK * 60)
            row = {"run": before["sequence"], "commit": commit, **hour_row(firm, hour + 1, late, refused, fingerprint)}
            row |= {"stretch": before["hour"], "skipped": skipped}
            rows = row["audit"]["rows"]
            keep(chosen.record, row)
            state.write_text(json.dumps({**before, "hour": hour + 1, "time": clock.now(), "told": told}))
            clock.until(start + (hour + 1) * 3600)
        gaps, seen, others = looks(firm)
        firm.end()
        keep(chosen.record, {"run": before["sequence"], "commit": commit, "end": True, "hours": chosen.hours, "rate": chosen.rate,
                             "looks": seen, "others": len(others), "gaps": [min(gaps, default=0), max(gaps, default=0)],
                             **finish(firm, told, rows)})
    finally:
        firm.end()
        forget(known)
    return check(chosen)


def back(chosen):
    """An hour and a half, the clock set back, two hours and a half more."""
    with tempfile.TemporaryDirectory(prefix="soak-back-") as scratch:
        clock = Clock(night().timestamp(), chosen.rate)
        firm, told, known = Firm(scratch, clock), {what: [] for what in DEEDS}, shared()
        try:
            prepare(firm)
            firm.begin()
            refused, number = [], 0
            chain, began, jumped, heard = [], time.monotonic(), False, []
            # Its own times tell nothing here: a program that sleeps takes the new time when it wakes.
            threading.Thread(target=listen, args=(firm, heard), daemon=True).start()
            while (passed := (time.monotonic() - began) * chosen.rate / 3600) < 4:
                if passed >= 1.5 and not jumped:
                    firm.must("terms", "decide", WS, "40", "--accept", "--reason", "before")
                    chain, jumped = firm.chain(), True
                    firm.set_back(chosen.back * 3600)
                    firm.must("terms", "decide", WS, "40", "--reject", "--reason", "after")
                for what in ("import", "ask", "decide", "person", "label"):
                    number += 1
                    if said := deed(firm, what, f"{number}", told):
                        refused.append(said)
                time.sleep(900 / chosen.rate)
            (_, seen, others), kept = looks(firm), firm.chain()[:len(chain)] == chain
            gaps = [round((b - a) * chosen.rate / 60, 1) for a, b in zip(heard, heard[1:])]
            programs = {name: firm.held(name) for name in firm.open}
            firm.end()
            # The later of two decisions of one person counts, although its time may be the earlier one.
            status = next(t["status"] for t in firm.must("terms", "list", WS, "--limit", "100000") if t["id"] == 40)
            row = {"run": int(time.time()), "commit": kills.commit(), "back": chosen.back, "rate": chosen.rate, "looks": seen,
                   "hours": round(passed, 2), "gaps": gaps, "others": len(others),
                   "kept": kept, "later_counts": status == "rejected", "refused": refused, "programs": programs,
                   **finish(firm, told, len(chain))}
            keep(chosen.record, row)
        finally:
            firm.end()
            forget(known)
    return check(chosen)


def listen(firm, heard):
    """Notes by the steady clock when the watch said something new."""
    while "watch" in firm.open:
        with contextlib.suppress(OSError):
            lines = (firm.folder / "watch.out").read_text().splitlines()
            if sum(line.startswith('{"made"') for line in lines) > len(heard):
                heard.append(time.monotonic())
        time.sleep(0.2)


def shared():
    return {p.name for p in pathlib.Path("/dev/shm").glob("*faketime*")} if pathlib.Path("/dev/shm").is_dir() else set()


def forget(known):
    """Removes what libfaketime left in shared memory of programs that have ended since."""
    for name in shared() - known:
        pid = name.rsplit("_", 1)[-1]
        if pid.isdigit() and not pathlib.Path(f"/proc/{pid}").exists():
            (pathlib.Path("/dev/shm") / name).unlink(missing_ok=True)


def faults_of_hours(rows):
    """What the hours of one run show that must not be; memory and files are compared within what ran without a stop."""
    said, before = [], []
    for row in rows:
        at = f"hour {row['hour']}"
        # What is there at one look alone was in work.
        said += [f"{at}: left {name}" for name in row["left"] if name in before]
        before = row["left"]
        said += [f"{at}: {name} has ended" for name, p in row["programs"].items() if "ended" in p]
        said += [f"{at}: {name} has {p['zombies']} dead children" for name, p in row["programs"].items() if p.get("zombies")]
        said += [f"{at}: refused {words}" for words in row["refused"]]
        said += [f"{at}: the chain does not hold"] * (not row["audit"]["ok"])
        said += [f"{at}: {name} is {bytes_} bytes long" for name, bytes_ in row["logs"].items() if bytes_ > 1.1 * LOG_BYTES]
        said += [f"{at}: {name} is one too many" for name in row["logs"] if name.endswith(f".{LOG_FILES}.log")]
        # In the first hour the window makes the vectors, with which it is searched by meaning, too.
        said += [f"{at}: other answers"] * (row["hour"] > 2 and row["answers"] != rows[1]["answers"])
    for stretch in sorted({row["stretch"] for row in rows}):
        own = [row for row in rows if row["stretch"] == stretch]
        if len(own) < 4:
            continue
        for name in own[1]["programs"]:
            of = [row["programs"].get(name, {}) for row in own]
            if any("memory" not in p for p in of):
                continue
            for key in ("memory", "memory_all"):
                if of[-1][key] > 1.2 * of[1][key]:
                    said.append(f"{name}: {key} {of[1][key]} MB after the second hour, {of[-1][key]} MB after the last")
            # Growth is more at each of the last three looks than at any of the second to the fourth.
            if len(of) >= 7 and min(p["files"] for p in of[-3:]) > max(p["files"] for p in of[1:4]):
                said.append(f"{name}: open files {[p['files'] for p in of]}")
    return said


def faults_of_end(row):
    """What must not be at the end of a run, and of a run whose clock was set back."""
    said = [f"lost: {what} {names[:5]}" for what, names in row["lost"].items()] + [f"left {name}" for name in row["left"]]
    said += ["the chain does not hold"] * (not row["audit"]["ok"]) + ["the pages are not whole"] * (not row["whole"])
    every = EVERY * 24 * 60
    if "back" not in row:
        low, high = row["gaps"]
        if row["hours"] > 13:
            said += [f"the log has these days: {row['log_days']}"] * (len(row["log_days"]) < 2)
            said += ["no full log was renamed"] * (not any(name.endswith("lexforge.1.log") for name in row["logs"]))
        said += [f"the watch looked after {low} minutes"] * (low < 0.95 * every)
        said += [f"the watch looked not for {high} minutes"] * (high > 2 * every)
        return said
    said += ["what was in the chain before is not"] * (not row["kept"]) + ["the earlier decision counts"] * (not row["later_counts"])
    said += [f"refused {words}" for words in row["refused"]]
    said += [f"the watch has ended: {row['programs']['watch']}"] * ("ended" in row["programs"]["watch"])
    said += [f"the watch looked after {row['gaps']} minutes"] * (
        not row["gaps"] or min(row["gaps"]) < 0.95 * every or max(row["gaps"]) > 2 * every)
    return said


def check(chosen):
    rows = kills.records(chosen.record)
    bad = 0
    for number in sorted({row["run"] for row in rows}):
        own = [row for row in rows if row["run"] == number]
        hours = [row for row in own if "hour" in row]
        said = faults_of_hours(hours) if hours else []
        said += [fault for row in own if "hour" not in row for fault in faults_of_end(row)]
        bad += bool(said)
        print(f"run {number}: {len(hours)} hours, " + ("held" if not said else "not held"))
        for fault in said:
            print(f"  {fault}")
    return 1 if bad else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    verbs = arguments.add_subparsers(required=True)
    for name, verb in (("run", run), ("back", back), ("check", check)):
        own = verbs.add_parser(name)
        own.set_defaults(verb=verb)
        own.add_argument("--record", type=pathlib.Path, default=RECORD)
        if name != "check":
            own.add_argument("--rate", type=float, default=60)
    verbs.choices["run"].add_argument("--hours", type=int, default=25)
    verbs.choices["run"].add_argument("--site", type=pathlib.Path, default=ROOT / "target/soak-day")
    verbs.choices["back"].add_argument("--back", type=float, default=1)
    chosen = arguments.parse_args()
    # Who ends this program ends those that it has open.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(chosen.verb(chosen))


if __name__ == "__main__":
    main()
