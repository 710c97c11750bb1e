"""What tools/bench/gpu has found so far: a state file that a broken-off run goes on from, and the table made of it."""
import functools
import json
import time

PASSED, FAILED, LACKED, NOT_RUN = "passed", "failed", "out of memory", "not run"
# Seconds of a part: three of them, and what they begin with, are within 25 minutes.
PART_S = 490
OUTCOMES = (PASSED, FAILED, LACKED, NOT_RUN)


class NotRun(Exception):
    """A check that cannot run here, with the reason."""


class OutOfMemory(Exception):
    """The device had too little memory, in the worker's words."""


class OutOfTime(Exception):
    """A program took longer than it was given."""


class Record:
    """Outcome of each case, kept in a file after each."""

    def __init__(self, path, machine):
        self.path = path
        self.state = {"machine": machine, "cases": {}, "cut": {}}
        if path.exists():
            kept = json.loads(path.read_text())
            if kept["machine"] != machine:
                raise SystemExit(f"error: {path} holds what another machine, worker or size gave:\n"
                                 f"  there {kept['machine']}\n  here  {machine}\n"
                                 "hint: begin anew with --fresh, or name another --work.")
            self.state = kept

    def done(self, case):
        return case.key in self.state["cases"]

    def write(self):
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.state, indent=1, ensure_ascii=False) + "\n")
        part.replace(self.path)

    def keep(self, case, outcome, figures, why, seconds):
        entry = {"outcome": outcome, "figures": figures, "why": why, "seconds": round(seconds, 1)}
        self.state["cases"][case.key] = entry
        self.state["cut"].pop(case.key, None)
        self.write()
        return entry

    def figures(self, key):
        """Figures of a case that passed."""
        found = self.state["cases"].get(key)
        return found["figures"] if found and found["outcome"] == PASSED else None


class Case:
    """One thing that passes or fails. `run(bench)` gives figures (name → [value, unit]) and, where it fails, why."""

    def __init__(self, part, check, name, run, usual=30, limit=150):
        self.part, self.check, self.name, self.run = part, check, name, run
        self.usual, self.limit = usual, limit  # seconds

    @property
    def key(self):
        return f"{self.check}: {self.name}" if self.name else self.check


def run_part(cases, record, bench, seconds, say=functools.partial(print, flush=True), clock=time.monotonic):
    """Runs what is not done until the time is over; how many are left. Whatever one case does, the others run."""
    end = clock() + seconds
    left = [case for case in cases if not record.done(case)]
    for number, case in enumerate(left):
        if end - clock() < case.usual:
            return len(left) - number
        began = clock()
        bench.until = min(began + case.limit, end)
        figures, why, outcome = {}, "", PASSED
        try:
            figures, why = case.run(bench)
            outcome = FAILED if why else PASSED
        except NotRun as reason:
            outcome, why = NOT_RUN, str(reason)
        except OutOfMemory as reason:
            outcome, why = LACKED, str(reason)
        except OutOfTime:
            # Cut by the end of the part alone it is tried once more.
            if bench.until < began + case.limit and case.key not in record.state["cut"]:
                record.state["cut"][case.key] = round(clock() - began, 1)
                record.write()
                return len(left) - number
            outcome, why = FAILED, f"took longer than {clock() - began:.0f} s"
        except Exception as error:  # a failing check never hides the others
            outcome, why = FAILED, f"{type(error).__name__}: {error}"
        entry = record.keep(case, outcome, figures, why, clock() - began)
        say(f"{outcome:13} {case.key}  {told(figures)}{'  ' if figures and why else ''}{why}  [{entry['seconds']:.0f} s]")
    return 0


def told(figures):
    return ", ".join(f"{name} {number(value)}{' ' if unit else ''}{unit}" for name, (value, unit) in figures.items())


def number(value):
    if isinstance(value, str):
        return value
    if value and (abs(value) < 1e-3 or abs(value) >= 1e6):
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def counts(record, cases):
    """How many cases have each outcome, and how many have none yet."""
    found = [record.state["cases"][case.key]["outcome"] for case in cases if record.done(case)]
    return {outcome: found.count(outcome) for outcome in OUTCOMES} | {"still to run": len(cases) - len(found)}


def table(record, cases, date, command="tools/bench/gpu"):
    """The findings in Markdown, for docs/benchmarks/models.md: a row a check, the worst figure of its cases."""
    lines = [f"{date}, {record.state['machine']}. Of {len(cases)} cases "
             + ", ".join(f"{n} {outcome}" for outcome, n in counts(record, cases).items() if n) + ".",
             "", f"    {command}", "",
             "| check | cases | outcome | figures (of several cases the largest) |", "|---|---|---|---|"]
    reasons = []
    for check in dict.fromkeys(case.check for case in cases):
        own = [case for case in cases if case.check == check]
        entries = [record.state["cases"][case.key] for case in own if record.done(case)]
        found = [entry["outcome"] for entry in entries]
        outcome = ", ".join(f"{found.count(o)} {o}" if len(own) > 1 else o for o in OUTCOMES if o in found)
        missing = len(own) - len(found)
        if missing:
            outcome += f"{', ' if outcome else ''}{missing} still to run"
        worst = {}
        for entry in entries:
            for name, (value, unit) in entry["figures"].items():
                if name not in worst or value > worst[name][0]:
                    worst[name] = (value, unit)
        lines.append(f"| {check} | {len(own)} | {outcome} | {told(worst) or '–'} |")
        reasons += [f"- {case.key}: {record.state['cases'][case.key]['outcome']}: {record.state['cases'][case.key]['why']}"
                    for case in own if record.done(case) and record.state["cases"][case.key]["why"]]
    if reasons:
        lines += ["", *reasons]
    return "\n".join(lines) + "\n"
