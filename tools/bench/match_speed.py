#!/usr/bin/env python3
"""Measures how much time and memory `lexforge match` takes for 5,000 rules and 20,000 statements, by words.

    tools/bench/match_speed.py LEXFORGE OBLIQA [--rules 5000] [--statements 20000]
    tools/bench/match_speed.py LEXFORGE OBLIQA --large

OBLIQA is the folder retrieval-obliqa. Every second passage is a rule, and the other passages are the statements. Of both, there
are as many as asked for: where there are too few, they are repeated, each time with another number before the text. `--large` is
10,000 rules and 50,000 statements. The script prints a line of JSON; the memory is that of the matching alone, and the time of
the import stands apart.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def passages(folder):
    for number in range(1, 41):
        with open(os.path.join(folder, f"StructuredRegulatoryDocuments/{number}.json"), encoding="utf-8") as file:
            for row in json.load(file):
                text = " ".join(row["Passage"].split())
                if len(text) > 40:
                    yield text


def enough(texts, wanted, numbered):
    """As many of these texts as wanted. A text that comes again has another number before it."""
    texts = texts[:wanted]
    for n in range(wanted):
        turn = n // len(texts)
        text = texts[n % len(texts)]
        yield f"{turn + 1}. {text}" if numbered or turn else text


def corpus(path, texts):
    with open(path, "w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": str(number), "text": text}) + "\n")


def call(words):
    done = subprocess.run([*words, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("lexforge")
    options.add_argument("obliqa")
    options.add_argument("--rules", type=int, default=5_000)
    options.add_argument("--statements", type=int, default=20_000)
    options.add_argument("--large", action="store_true", help="10,000 rules and 50,000 statements")
    chosen = options.parse_args()
    rules, wanted = (10_000, 50_000) if chosen.large else (chosen.rules, chosen.statements)
    texts = list(dict.fromkeys(passages(chosen.obliqa)))
    binding = list(enough(texts[::2], rules, numbered=False))
    chosen_already = set(binding)
    others = [text for text in texts if text not in chosen_already]
    statements = list(enough(others, wanted, numbered=True))
    with tempfile.TemporaryDirectory() as folder:
        workspace = os.path.join(folder, "w.lexforge")
        files = [os.path.join(folder, name) for name in ("rules.jsonl", "statements.jsonl")]
        corpus(files[0], binding)
        corpus(files[1], statements)
        importing = time.monotonic()
        ids = {row["file"]: str(row["id"]) for row in call([chosen.lexforge, "import", workspace, *files])[0]["imported"]}
        imported = time.monotonic() - importing
        started = time.monotonic()
        words = ["match", workspace, "--rules", ids["rules.jsonl"], "--policies", ids["statements.jsonl"], "--words"]
        with open(os.path.join(folder, "rows"), "w+", encoding="utf-8") as out:
            child = subprocess.Popen([chosen.lexforge, *words, "--json"], stdout=out, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            seconds = time.monotonic() - started
            if status:
                sys.exit(f"the matching ended with {status}")
            out.seek(0)
            rows = sum(1 for line in out if line.strip())
        print(json.dumps({"rules": len(binding), "statements": len(statements), "rows": rows,
                          "import_seconds": round(imported, 1), "seconds": round(seconds, 1),
                          "processor": round(used.ru_utime + used.ru_stime, 1), "peak_mb": round(used.ru_maxrss / 1024)}))


if __name__ == "__main__":
    main()
