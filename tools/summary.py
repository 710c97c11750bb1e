"""Summarises a test run: the times of its steps, its slowest tests, and the tests that were skipped, with the reasons.

usage: summary.py JUNIT SKIPPED [SECONDS STEP]...
"""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

SLOWEST = 20
ROOMS = 12


def tests(path):
    """Each test of nextest's report as (seconds, program, name); none where nothing was run."""
    if not Path(path).is_file():
        return []
    found = []
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            found.append((float(case.get("time", "0")), suite.get("name", "?"), case.get("name", "?")))
    return sorted(found, reverse=True)


def by_room(all_tests):
    """(seconds, number of tests, room) of those that take the most together: a program's tests, or a module of its tests where it
    has many."""
    seconds, count = Counter(), Counter()
    for took, program, name in all_tests:
        room = f"{program} {name.split('::')[0]}" if program.endswith("::it") else program
        seconds[room] += took
        count[room] += 1
    return [(took, count[room], room) for room, took in seconds.most_common(ROOMS)]


def skipped(path):
    """(kind, test, what is missing) of each note that a test left."""
    if not Path(path).is_file():
        return []
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t", 2)) for line in lines if line.count("\t") >= 2]


def report(junit, notes, steps):
    """The lines of the summary."""
    lines = ["", "== what it took"]
    for step in steps:
        seconds, name = step.split(" ", 1)
        lines.append(f"{int(seconds):>6} s  {name}")
    all_tests = tests(junit)
    if all_tests:
        lines += ["", f"== the slowest of {len(all_tests)} tests"]
        lines += [f"{seconds:>8.1f} s  {program} {name}" for seconds, program, name in all_tests[:SLOWEST]]
        lines += ["", f"== where most of their {sum(test[0] for test in all_tests):,.0f} s were (several run at a time)"]
        lines += [f"{seconds:>8.1f} s  {count:>5} ×  {room}" for seconds, count, room in by_room(all_tests)]
    notes = sorted(set(skipped(notes)))
    for kind, title in [("missing", "something is missing that make setup or the data folder provides"),
                        ("unavailable", "few machines have what they need")]:
        of_kind = [note for note in notes if note[0] == kind]
        names = {test for _, test, _ in of_kind}
        lines += ["", f"== {len(names)} skipped: {title}"]
        for what, count in Counter(what for _, _, what in of_kind).most_common():
            lines.append(f"{count:>6} ×  {what}")
    return lines


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print("\n".join(report(sys.argv[1], sys.argv[2], sys.argv[3:])))
