#!/usr/bin/env python3
"""Measures how similar the found wording of a definition is to the right wording (gold), for the acts of a folder like
definitions-eu-law.

    python3 tools/bench/definition_texts.py LEXFORGE SET [--worst 20]

SET has `definitions.jsonl` (`regulation`, `term`, `definition`) and `definition_articles/ACT_artN.txt`. Each article is read by
`lexforge text definitions`. The similarity of two wordings is 1 − edits / length of the longer one, where edits are the fewest
characters put in, taken out or replaced (Levenshtein). It is computed twice: on the texts with runs of blanks reduced to one
blank, and on lower-case letters and digits only, because gold and text differ in quotation marks and blanks. A definition that is
not found counts as 0. Definitions below .99 in letters and digits are counted by the kind of difference: the gold contains the
end of the wording twice, the gold is longer than the wording, or another difference. A person has to decide which of the two is
right.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile


def edits(one, other):
    """The edit distance, a column at a time in the bits of one number (Myers 1999, as Hyyrö wrote it)."""
    if not one or not other:
        return max(len(one), len(other))
    full, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    at = {}
    for place, character in enumerate(one):
        at[character] = at.get(character, 0) | 1 << place
    more, less, distance = full, 0, len(one)
    for character in other:
        equal = at.get(character, 0)
        diagonal = (((equal & more) + more) ^ more) | equal | less
        up = less | (~(diagonal | more) & full)
        down = diagonal & more
        distance += bool(up & last) - bool(down & last)
        up = (up << 1 | 1) & full
        down = down << 1 & full
        more = down | (~(diagonal | up) & full)
        less = up & diagonal
    return distance


def similarity(one, other):
    return 1.0 if one == other else 1 - edits(one, other) / max(len(one), len(other))


def plain(text):
    return " ".join(text.split())


def folded(text):
    return "".join(c for c in text.lower() if c.isalnum())


def how(gold, found):
    """How two wordings differ, both as small letters and digits."""
    if found and gold.count(found[-30:]) > 1:
        return "the gold holds it twice"
    return "the gold goes on" if found and gold.startswith(found) else "else"


def definitions(lexforge, path):
    # The file's own bytes: the command reads UTF-8.
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "article.txt"
        copy.write_bytes(path.read_bytes())
        done = subprocess.run(
            [lexforge, "text", "definitions", str(copy), "--language", "en", "--json"],
            check=True, capture_output=True, text=True,
        )
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lexforge")
    parser.add_argument("set", type=pathlib.Path)
    parser.add_argument("--worst", type=int, default=20)
    given = parser.parse_args()
    gold = [json.loads(line) for line in (given.set / "definitions.jsonl").read_text(encoding="utf-8").splitlines()]
    mine = {}
    for path in sorted((given.set / "definition_articles").iterdir()):
        mine[path.stem.rsplit("_art", 1)[0]] = definitions(given.lexforge, path)
    for name, form in (("blanks alone", plain), ("small letters and digits", folded)):
        scores = []
        for row in gold:
            # Where an act defines a term more than once, the first counts, as in the test of the crate.
            found = next((d for d in mine.get(row["regulation"], []) if folded(d["term"]) == folded(row["term"])), None)
            score = similarity(form(found["definition"]), form(row["definition"])) if found else 0.0
            scores.append((score, row, found))
        values = sorted(score for score, _, _ in scores)
        share = {bound: sum(v >= bound for v in values) for bound in (1.0, 0.99, 0.95, 0.9, 0.5)}
        print(f"{name}: n {len(values)}, not found {sum(f is None for _, _, f in scores)}, mean {sum(values) / len(values):.4f}, "
              f"median {values[len(values) // 2]:.4f}, 1st percentile {values[len(values) // 100]:.4f}, least {values[0]:.4f}; "
              + ", ".join(f"{count} at {bound} or more ({count / len(values):.4f})" for bound, count in share.items()))
    low = []
    for score, row, found in scores:
        if score < 0.99:
            low.append((score, row, found, how(form(row["definition"]), form((found or {}).get("definition", "")))))
    for kind in sorted({k for *_, k in low}):
        print(f"below 0.99, {kind}: {sum(k == kind for *_, k in low)}")
    for score, row, found, kind in sorted(low, key=lambda s: s[0])[: given.worst]:
        print(f"  {score:.3f} {row['regulation']} {row['term']}: {kind}\n    gold {row['definition'][-110:]!r}\n    mine {(found or {}).get('definition', '')[-110:]!r}")


if __name__ == "__main__":
    main()
