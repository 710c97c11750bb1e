#!/usr/bin/env python3
"""Tests ten programs that write into one workspace at the same time for ten minutes. Each does what people do: it imports a
document, asks, decides about terms, adds a person, imports labels, searches terms. At the end the script checks that everything
is there that was reported as done. Every refusal must have had a message with a remedy, and no message may be one of the database
itself.

    tools/bench/writers.py [--writers 10] [--seconds 600] [--seed 1] [--record FILE]

The programs are those of LEXFORGE_BIN and LEXFORGE_PARSE, else the optimised ones (tools/optimised). Prints a line of JSON with
the counts and appends it to the record. Exit code 1: something was lost, or refused without such a message.
"""
import argparse
import collections
import contextlib
import importlib.util
import json
import pathlib
import random
import re
import sqlite3
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("kills", ROOT / "tools/bench/kills.py")
kills = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kills)
WS = kills.WS
# How often each is done, of a hundred.
SHARES = {"import": 30, "ask": 25, "decide": 20, "person": 10, "label": 10, "terms": 4, "search": 1}
# Words of the database and of a program that broke, which nobody should have to read.
BARE = re.compile(r"the database reports|constraint failed|database is locked|SQLITE_|database table is locked|panicked|RUST_BACKTRACE", re.I)
QUESTION = "Within how many hours is an operational incident reported?"


class Writer(threading.Thread):
    """One writer: what it was told, and what it was refused."""

    def __init__(self, product, number, seed, until):
        super().__init__()
        self.product, self.number, self.until = product, number, until
        self.random = random.Random(f"{seed} {number}")
        self.told = collections.defaultdict(list)
        self.refused, self.words_of, self.bare, self.longest = collections.Counter(), {}, [], 0.0

    def run(self):
        turn = 0
        while time.monotonic() < self.until:
            turn += 1
            what = self.random.choices(list(SHARES), list(SHARES.values()))[0]
            name = f"{self.number}-{turn}"
            started = time.monotonic()
            code, lines, errors = self.product.run(*self.words(what, name))
            self.longest = max(self.longest, time.monotonic() - started)
            if code == 0:
                self.told[what].append(self.mark(what, name, lines))
                continue
            failure = next((line["error"] for line in lines if isinstance(line.get("error"), dict)), None)
            failure = failure or next((f for line in lines for f in line.get("failed", [])), {})
            key = f"{what}: {failure.get('code', 'no code')}"
            self.refused[key] += 1
            self.words_of.setdefault(key, failure.get("message", "").replace(f"{self.product.folder}/", ""))
            if not failure.get("message") or not failure.get("hint") or BARE.search(errors + json.dumps(lines)):
                self.bare.append(f"{what}: {lines} {errors[-300:]}")

    def words(self, what, name):
        if what == "import":
            path = self.product.folder / f"rule-{name}.md"
            path.write_text(f"# Rules {name}\n\n## Article 1\n\nThe keeper of register {name} shall report each loss within "
                            f"{self.random.randrange(2, 90)} days.\n")
            return "import", WS, path.name
        if what == "label":
            path = self.product.folder / f"label-{name}.jsonl"
            path.write_text(json.dumps({"id": f"label-{name}", "question": f"Who reports losses of register {name}?",
                                        "passage_ids": []}) + "\n")
            return "pairs", "import", WS, path.name
        return {"ask": ("ask", WS, f"{QUESTION} {name}"), "search": ("search", WS, "incident"), "terms": ("terms", "extract", WS),
                "decide": ("terms", "decide", WS, str(self.random.randrange(1, 40)), self.random.choice(["--accept", "--reject"]),
                           "--reason", name),
                "person": ("people", "add", WS, f"Person {name}")}[what]

    def mark(self, what, name, lines):
        """By what it is found again."""
        return str(lines[0]["id"]) if what == "ask" else f"rule-{name}.md" if what == "import" else name


def found(product, told):
    """What of all that was told as done is not there."""
    with contextlib.closing(sqlite3.connect(product.folder / WS)) as database:
        def all_of(sql):
            return {str(row[0]) for row in database.execute(sql)}
        there = {"import": all_of("SELECT file FROM document"), "ask": all_of("SELECT id FROM reply"),
                 "decide": all_of("SELECT reason FROM decision"),
                 "person": {name.removeprefix("Person ") for name in all_of("SELECT name FROM person")},
                 "label": {name.removeprefix("label-") for name in all_of("SELECT name FROM pair")}}
        whole = database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    lost = {what: sorted(set(told[what]) - there[what]) for what in there}
    return {what: names for what, names in lost.items() if names}, whole


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--writers", type=int, default=10)
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--record", type=pathlib.Path, default=ROOT / "tools/bench/writers.jsonl")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="writers-") as scratch:
        product = kills.Product(scratch)
        product.must("import", WS, str(ROOT / "tools/sample/regulation.pdf"))
        product.must("terms", "extract", WS)
        until = time.monotonic() + chosen.seconds
        writers = [Writer(product, n, chosen.seed, until) for n in range(chosen.writers)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        told, refused, words = collections.defaultdict(list), collections.Counter(), {}
        for writer in writers:
            refused.update(writer.refused)
            words = {**writer.words_of, **words}
            for what, marks in writer.told.items():
                told[what] += marks
        verified = product.must("audit", "verify", WS)[0]
        lost, whole = found(product, told)
        bare = [said for writer in writers for said in writer.bare]
        row = {"writers": chosen.writers, "seconds": chosen.seconds, "seed": chosen.seed, "commit": kills.commit(),
               "done": {what: len(marks) for what, marks in sorted(told.items())}, "refused": dict(sorted(refused.items())),
               "words": dict(sorted(words.items())), "without_words": len(bare), "lost": {what: len(names) for what, names in lost.items()},
               "audit": {"ok": verified["ok"], "rows": verified["rows"]}, "whole": whole,
               "longest": round(max(writer.longest for writer in writers), 1)}
        row["ok"] = not lost and not bare and whole and verified["ok"] and all(told[what] for what in SHARES)
        print(json.dumps(row))
        for said in bare[:5] + [f"lost: {what} {names[:5]}" for what, names in lost.items()]:
            print(said, file=sys.stderr)
        with open(chosen.record, "a") as record:
            record.write(json.dumps(row) + "\n")
    return 0 if row["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
