#!/usr/bin/env python3
"""Runs the tests of the window several times beside a load, to find those that fail now and then.

    tools/bench/windows.py run [--rounds 10] [--load 4] [--beside 0] [--minutes M] [--record FILE]
    tools/bench/windows.py check [--rounds 10] [--load 4] [--record FILE]

`run` first runs each test once, then each a second time, and so on. The load is so many processes that compute without an end.
With `--beside`, so many of them are processes that run already, such as compilers: only the others are started, and the
record says how many that were. What a test came to is recorded at once, with the machine's load average of that minute;
what a failed test printed goes to the standard error. With `--minutes` the run ends after that time; the next one goes on
with what is not recorded yet for the same sources. `check` only judges the record. `make test` must have built everything
before.
Exit code 1: a test has failed, or not all were run so often.
"""
import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "tools/bench/windows.jsonl"
SOURCES = ROOT / "tests/tests/it/window"
TEST = re.compile(r"#\[(?:tokio::)?test[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)")
LINE = re.compile(r"^\s*([A-Z][A-Z +]*[A-Z])\s*\[\s*([\d.]+)s\]\s*(?:\(\s*\d+/\d+\)\s*)?\S+ (window::\S+)\s*$")


def names(folder=SOURCES):
    """The tests of the window, as the test program calls them."""
    found = []
    for file in sorted(folder.rglob("*.rs")):
        parts = file.relative_to(folder).with_suffix("").parts
        module = ["window", *[part for part in parts if part != "mod"]]
        found += ["::".join([*module, name]) for name in TEST.findall(file.read_text(encoding="utf-8"))]
    return found


def outcome(line):
    """(test, whether it passed, seconds) of a line with which a test has ended; none of any other line."""
    match = LINE.match(line)
    if not match or match[1].split()[0] in ("SLOW", "TERMINATING", "SETUP", "SKIP", "START"):
        return None
    return match[3], match[1] in ("PASS", "LEAK", "PASS + LEAK"), float(match[2])


def done(rows, sources, load):
    """How often each test was run on these sources beside this load."""
    return collections.Counter(row["test"] for row in rows if (row["sources"], row["load"]) == (sources, load))


def due(tests, counts, rounds):
    """The tests that were run least often, if that is not often enough."""
    least = min((counts[test] for test in tests), default=rounds)
    return [test for test in tests if counts[test] == least] if least < rounds else []


def judged(rows, tests, sources, rounds, load):
    """(lines that say how it stands, whether every test was run so often and none has failed)."""
    counts = done(rows, sources, load)
    mine = [row for row in rows if (row["sources"], row["load"]) == (sources, load)]
    failed = collections.Counter(row["test"] for row in mine if not row["passed"])
    whole = min((counts[test] for test in tests), default=0)
    lines = [f"{len(mine)} runs of {len(tests)} tests beside a load of {load}: each at least {whole} of {rounds} times, "
             f"{sum(failed.values())} failed"]
    others = sum(row["beside"] > 0 for row in mine)
    if others:
        averages = sorted(row["average"] for row in mine)
        lines.append(f"in {others} of them, part of the load was programs that ran already; load average "
                     f"{averages[0]:.1f} to {averages[-1]:.1f}")
    lines += [f"{count:>6} of {counts[test]} failed: {test}" for test, count in failed.most_common()]
    medians = sorted(((statistics.median(row["seconds"] for row in mine if row["test"] == test), test)
                      for test in {row["test"] for row in mine}), reverse=True)
    lines += [f"{seconds:>8.1f} s  {test}" for seconds, test in medians[:10]]
    return lines, whole >= rounds and not failed


def sources():
    """The state of the sources: the commit, and whether something is changed that is not committed."""
    said = [subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
            for words in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])]
    changed = [line for line in said[1].splitlines() if not line.endswith(".jsonl")]
    return said[0] + (" changed" if changed else "")


def read(record):
    return [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()] if record.is_file() else []


def busy():
    """Computes for as long as the program that began it lives, also where that is killed."""
    parent = multiprocessing.parent_process()
    while parent.is_alive():
        for _ in range(10_000_000):
            pass


def end(child):
    """Ends a program that leads a session, with all that it has begun."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGTERM)


def run_part(tests, until, told):
    """Runs these tests and tells what each came to, until they have ended or the time is over."""
    chosen = " | ".join(f"test(={test})" for test in tests)
    child = subprocess.Popen([ROOT / "tools/test", "--product", f"package(lexforge-tests) & ({chosen})"], cwd=ROOT, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                             env=os.environ | {"NEXTEST_STATUS_LEVEL": "all", "CARGO_TERM_COLOR": "never"})
    # Whatever is cut off by the end of the time came to nothing and is not recorded.
    signal.signal(signal.SIGALRM, lambda *_: end(child))
    if until is not None:
        signal.setitimer(signal.ITIMER_REAL, max(1.0, until - time.monotonic()))
    seen = set()
    try:
        for line in child.stdout:
            came = outcome(line)
            if came and came[0] not in seen and (until is None or time.monotonic() < until):
                seen.add(came[0])
                told(*came)
            elif not came:
                print(line.rstrip(), file=sys.stderr)
        child.wait()
    except BaseException:
        # The tests are in a session of their own, where Ctrl-C does not reach them.
        end(child)
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return len(seen)


def started(load, beside):
    """How many processes are started for this load, where so many run already."""
    if not 0 <= beside <= load:
        raise ValueError(f"--beside {beside}: of a load of {load}, 0 to {load} can run already")
    return load - beside


def run(options):
    tests, state = names(), sources()
    until = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    load = [multiprocessing.Process(target=busy, daemon=True) for _ in range(started(options.load, options.beside))]
    for process in load:
        process.start()

    def tell(test, passed, seconds):
        row = {"test": test, "passed": passed, "seconds": seconds, "load": options.load, "beside": options.beside,
               "average": round(os.getloadavg()[0], 1), "sources": state}
        with open(options.record, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{'passed' if passed else 'FAILED'} {seconds:>7.1f} s  {test}", flush=True)

    try:
        while until is None or time.monotonic() < until:
            left = due(tests, done(read(options.record), state, options.load), options.rounds)
            if not left or not run_part(left, until, tell):
                break
    finally:
        for process in load:
            process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "check"))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--load", type=int, default=4)
    parser.add_argument("--beside", type=int, default=0)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--record", type=pathlib.Path, default=RECORD)
    options = parser.parse_args()
    # Told to end, it ends as with Ctrl-C, and ends what it has begun.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        started(options.load, options.beside)
    except ValueError as wrong:
        parser.error(str(wrong))
    if options.what == "run":
        run(options)
    lines, held = judged(read(options.record), names(), sources(), options.rounds, options.load)
    print("\n".join(lines))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
