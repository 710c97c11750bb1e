#!/usr/bin/env python3
"""Fits the weights of the probability that a policy covers a rule, by words alone, on some sets, and tests them on another set.

    python3 tools/bench/coverage_weights.py --fit WORDS.jsonl SHARE.jsonl [--fit ...] --on WORDS.jsonl SHARE.jsonl [--rows OUT]

The files are what `coverage.py LEXFORGE SET --words --keep FILE` writes with two programs: one whose WORDS_ALONE
(src-tauri/crates/engine/src/matching/weigh.rs) are ([1.0, 0.0], 0.0), and one with ([0.0, 1.0], 0.0). With these weights the
logit of a probability equals one figure: the cosine of words, or the share of the rule's words. As in the product, the figure is
the best one among the policy's nearest statements. A pair counts as covered if people found that the policy speaks about the rule
at all.

The script prints the weights. For the test set it prints the share of right verdicts (covered from .5 on, never contradicted)
with intervals by document: with these weights, with weights fitted on the other documents of the same set (five folds), and if
the most frequent label is always chosen. --rows writes the pairs with their new probabilities, in the form that `coverage.py
--from` reads.
"""

import argparse
import collections
import hashlib
import json
import math
import random

FOLDS, RESAMPLES, SEED = 5, 1000, 7


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def pairs(words, share):
    """Each pair with its two figures."""
    key = lambda row: (row["document"], row["requirement"])
    other = {key(row): row["probability"] for row in lines(share)}
    logit = lambda p: math.log(p / (1 - p))
    return [{**row, "figures": (logit(row["probability"]), logit(other[key(row)]))} for row in lines(words)]


def weigh(weights, figures):
    return 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, (*figures, 1.0)))))


def solved(matrix, values):
    """The solution of a small system of equations."""
    rows = [[*row, value] for row, value in zip(matrix, values)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(len(rows)):
            if k != i:
                by = rows[k][i] / rows[i][i]
                rows[k] = [a - by * b for a, b in zip(rows[k], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def fitted(rows):
    """The most likely weights of both figures and the constant (Newton's steps)."""
    weights = [0.0, 0.0, 0.0]
    for _ in range(50):
        slope, bend = [0.0] * 3, [[1e-9 * (i == k) for k in range(3)] for i in range(3)]
        for row in rows:
            figures = (*row["figures"], 1.0)
            p = weigh(weights, row["figures"])
            off = (row["label"] != "not_mentioned") - p
            for i in range(3):
                slope[i] += off * figures[i]
                for k in range(3):
                    bend[i][k] += p * (1 - p) * figures[i] * figures[k]
        step = solved(bend, slope)
        weights = [w + s for w, s in zip(weights, step)]
        if max(map(abs, step)) < 1e-10:
            break
    return weights


def tell(what, rows, said):
    """The share of right verdicts with its interval by document."""
    by_document = collections.defaultdict(list)
    for row, label in zip(rows, said):
        by_document[row["document"]].append(row["label"] == label)
    documents = list(by_document.values())
    share = lambda of: sum(map(sum, of)) / sum(map(len, of))
    draws = random.Random(SEED)
    drawn = sorted(share(draws.choices(documents, k=len(documents))) for _ in range(RESAMPLES))
    low, high = drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES) - 1]
    print(f"{what}: {share(documents):.3f} [{low:.3f}, {high:.3f}]")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fit", nargs=2, action="append", required=True)
    parser.add_argument("--on", nargs=2, required=True)
    parser.add_argument("--rows")
    args = parser.parse_args()
    learned_from = [row for files in args.fit for row in pairs(*files)]
    weights = fitted(learned_from)
    print(f"{len(learned_from)} pairs: words {weights[0]:.3f}, share {weights[1]:.3f}, constant {weights[2]:.3f}")
    tried = pairs(*args.on)
    told = lambda p: "entailed" if p >= 0.5 else "not_mentioned"
    chances = [weigh(weights, row["figures"]) for row in tried]
    tell("these weights", tried, [told(p) for p in chances])
    by_hash = sorted({row["document"] for row in tried}, key=lambda d: hashlib.sha256(d.encode()).hexdigest())
    fold_of = {document: i % FOLDS for i, document in enumerate(by_hash)}
    own = [fitted([row for row in tried if fold_of[row["document"]] != fold]) for fold in range(FOLDS)]
    crossed = [weigh(own[fold_of[row["document"]]], row["figures"]) for row in tried]
    tell("weights of the other documents", tried, [told(p) for p in crossed])
    print("all of the set: words {:.3f}, share {:.3f}, constant {:.3f}".format(*fitted(tried)))
    usual = collections.Counter(row["label"] for row in tried).most_common(1)[0][0]
    tell(f"most frequent label ({usual})", tried, [usual] * len(tried))
    if args.rows:
        with open(args.rows, "w", encoding="utf-8") as file:
            for row, p in zip(tried, chances):
                kept = {name: row[name] for name in ("document", "requirement", "label")}
                verdict = "covered" if p >= 0.5 else "not_covered"
                file.write(json.dumps({**kept, "probability": p, "verdict": verdict}) + "\n")


if __name__ == "__main__":
    main()
