#!/usr/bin/env python3
"""Measures how well systems choose between two acts' definitions of a term, with `lexforge bench --terms` on legal definitions.

    python3 tools/bench/terms_apart.py LEXFORGE SET [--systems "tfidf,lsa,bm25,base all-MiniLM-L6-v2"]

SET is a folder of the kind of definitions-eu-law. A use is the definition of another term in the same act that contains the term.
The system must choose between that act's definition of the term and another act's different definition. Definitions that only
refer to another act are left out. The script prints the figures by system, with intervals over terms, and by act.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

USES = 6  # most uses of a term in an act
REFERS = re.compile(
    r"(as )?defined (in|by)|within the meaning of|the meaning given|the meaning assigned|the same meaning as|as referred to in"
)


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def words(text):
    return re.findall(r"\w+", text.lower())


def only_refers(term, definition):
    """Whether a definition leaves the meaning to another act: what stands before the reference is hardly more than the term."""
    found = REFERS.search(definition.lower())
    if not found:
        return False
    before = [w for w in words(definition[: found.start()]) if w not in ("a", "an", "the") and w not in words(term)]
    return len(before) <= 2


def pairs(folder):
    by_act = {}
    for row in lines(os.path.join(folder, "definitions.jsonl")):
        by_act.setdefault(row["regulation"], []).append(row)
    for row in lines(os.path.join(folder, "same_term_different_acts.jsonl")):
        term = row["term"]
        holds = re.compile(r"(?<!\w)" + re.escape(term.lower()) + r"(s|es)?(?!\w)")
        own = [d for d in row["definitions"] if not only_refers(term, d["definition"])]
        for right in own:
            uses = [
                d
                for d in by_act.get(right["regulation"], [])
                if words(d["term"]) != words(term) and holds.search(d["definition"].lower())
            ]
            for wrong in own:
                if wrong["regulation"] == right["regulation"] or words(wrong["definition"]) == words(right["definition"]):
                    continue
                for use in uses[:USES]:
                    yield {
                        "term": term,
                        "shown_in": f"{use['term']}: {use['definition']}",
                        "context_pos": f"{term}: {right['definition']}",
                        "context_neg": f"{term}: {wrong['definition']}",
                        "act": right["regulation"],
                    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lexforge")
    parser.add_argument("set")
    parser.add_argument("--systems", default="tfidf,lsa,bm25,base all-MiniLM-L6-v2")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        there = lambda name: os.path.join(folder, name)
        with open(there("acts.jsonl"), "w", encoding="utf-8") as file:
            for pair in pairs(args.set):
                file.write(json.dumps(pair) + "\n")

        def call(*arguments):
            done = subprocess.run([args.lexforge, *arguments], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(arguments)}: {done.stderr}")
            return done.stdout

        workspace = there("w.lexforge")
        call("new", workspace)
        call("terms", "apart", "import", workspace, there("acts.jsonl"))
        print(call("bench", workspace, "--terms", "acts", "--systems", args.systems))


if __name__ == "__main__":
    main()
