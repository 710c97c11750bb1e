"""The record of faults: a line of JSON for each."""
import collections
import json


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def run_of(row):
    """What is known of a fault's run. Two calls may have taken the same seed."""
    return json.dumps({key: value for key, value in row.items() if key not in ("kind", "detail")})


def table(rows, all_kinds, every):
    """The record as a table; `every` is the number of steps between two checkpoints."""
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[row["kind"]].append(row)
    print("| Fault | Injected | Jobs doubled | False “failed” | Events lost | Events doubled | Most steps done again |")
    print("| --- | --- | --- | --- | --- | --- | --- |")

    def line(name, some):
        # Several faults meet the same run, which is looked at once.
        runs = {run_of(row): row for row in some}.values()
        total = [sum(row.get(key) or 0 for row in runs) for key in ("doubled_jobs", "false_failed", "lost", "doubled")]
        print("|", " | ".join(map(str, [name, len(some), *total, max((row.get("redone") or 0 for row in some), default=0)])), "|")

    for kind in all_kinds:
        line(kind, kinds[kind])
    line("all", rows)
    runs = {run_of(row): row for row in rows}
    print(f"\n{len(rows)} faults in {len(runs)} runs with a checkpoint every {every} steps; "
          f"{sum(not run['ok'] for run in runs.values())} runs with something wrong")
