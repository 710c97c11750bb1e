#!/usr/bin/env python3
"""Measures how well `lexforge match` finds out what documents cover, on sets that people have labelled.

    python3 tools/bench/coverage.py LEXFORGE SET [--documents N] [--words] [--keep ROWS.jsonl]
    python3 tools/bench/coverage.py --from ROWS.jsonl

SET is a folder of the kind of coverage-gdpr-dpa, coverage-gdpr-privacy or coverage-contractnli. Each document of the set is
imported as passages with the requirements beside it, and matched. The script prints these figures with intervals over whole
documents: the area under the curve of the probability; the precision at which 50 to 95 % of the requirements that are not covered
are found (the least likely first, equally likely ones together); how often each verdict is right; and how many of the labelled
passages of a covered requirement are among the first ten. The product does not see the labels. --keep writes the result for each
pair to a file, and --from prints the figures of such a file again without matching. --from also accepts a file with other
probabilities for the same pairs. If its lines lack a field (verdict, evidence), the figure for this field is left out.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

# Shares of what is not covered that are to be found.
RECALLS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95]


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def read(folder):
    """Requirements, passages by document, and labels by document and requirement: (label, evidence)."""
    there = lambda name: os.path.join(folder, name)
    passages, labels = {}, {}
    if os.path.exists(there("hypotheses.jsonl")):
        requirements = lines(there("hypotheses.jsonl"))
        for document in lines(there("documents.jsonl")):
            spans = enumerate(document["spans"])
            passages[document["id"]] = [(i, document["text"][a:b]) for i, (a, b) in spans]
        for row in lines(there("labels.jsonl")):
            labels[row["document_id"], row["hypothesis_id"]] = (row["label"], row["evidence_spans"])
        return requirements, passages, labels
    requirements = lines(there("requirements.jsonl"))
    name, unit = ("sentences", "sentence") if os.path.exists(there("sentences.jsonl")) else ("passages", "passage")
    for row in lines(there(name + ".jsonl")):
        if row.get("kind", "paragraph") == "paragraph":
            passages.setdefault(row["document_id"], []).append((row[unit], row["text"]))
    for row in lines(there("coverage.jsonl")):
        label = "entailed" if row["covered"] else "not_mentioned"
        labels[row["document_id"], row["requirement_id"]] = (label, row["evidence_" + name])
    return requirements, passages, labels


def call(lexforge, *args):
    done = subprocess.run([lexforge, *args, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(args)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]


def corpus(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        for name, text in rows:
            if text.strip():
                file.write(json.dumps({"id": name, "text": text}) + "\n")


def matched(args, requirements, passages):
    """The rows of each document."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = os.path.join(folder, "w.lexforge")
        files = [os.path.join(folder, "requirements.jsonl")]
        corpus(files[0], [("r:" + r["id"], r["text"]) for r in requirements])
        for document, of in passages.items():
            path = os.path.join(folder, f"d{len(files)}.jsonl")
            corpus(path, [(f"{document}:{i}", text) for i, text in of])
            files.append(path)
        call(args.lexforge, "new", workspace)
        imported = call(args.lexforge, "import", workspace, *files)[0]["imported"]
        ids = {row["file"]: str(row["id"]) for row in imported}
        rules = ids["requirements.jsonl"]
        for number, document in enumerate(passages, start=1):
            policies = ids.get(f"d{number}.jsonl")
            if policies:
                more = ["--words"] if args.words else []
                rows = call(args.lexforge, "match", workspace, "--rules", rules, "--policies", policies, *more)
                yield document, rows


def auc(scored):
    """How often a covered pair's probability is above one that is not covered; ties count half."""
    scored = sorted(scored)
    below, won, at = 0, 0.0, 0
    positives = sum(covered for _, covered in scored)
    negatives = len(scored) - positives
    while at < len(scored):
        end = at
        while end < len(scored) and scored[end][0] == scored[at][0]:
            end += 1
        here = sum(covered for _, covered in scored[at:end])
        others = end - at - here
        won += here * (below + others / 2)
        below += others
        at = end
    return won / (positives * negatives) if positives and negatives else float("nan")


def curve(scored):
    """The precision at which each share of what is not covered is found."""
    scored = sorted(scored)
    missing = sum(not covered for _, covered in scored)
    points, found, at = {}, 0, 0
    while missing and at < len(scored):
        end = at
        while end < len(scored) and scored[end][0] == scored[at][0]:
            found += not scored[end][1]
            end += 1
        for recall in RECALLS:
            if found >= recall * missing:
                points.setdefault(recall, found / end)
        at = end
    return {f"not covered: precision at recall {recall:.2f}": points.get(recall, float("nan")) for recall in RECALLS}


def figures(rows):
    scored = [(row["probability"], row["label"] != "not_mentioned") for row in rows]
    told = {"covered": "entailed", "partly": "entailed", "contradicted": "contradicted", "not_covered": "not_mentioned"}
    right = [told[row["verdict"]] == row["label"] for row in rows if row.get("verdict")]
    evidence = [row["evidence"] for row in rows if row.get("evidence") is not None]
    any_of = [row["any"] for row in rows if row.get("evidence") is not None]
    gone = [row for row in rows if row["label"] == "contradicted"]
    said = [row for row in rows if row.get("verdict") == "contradicted"]
    both = sum(row["label"] == "contradicted" for row in said)
    mean = lambda values: sum(values) / len(values) if values else float("nan")
    return {
        "auc": auc(scored),
        **curve(scored),
        "accuracy": mean(right),
        "evidence recall@10": mean(evidence),
        "some evidence in the first ten": mean(any_of),
        "contradicted: recall": both / len(gone) if gone else float("nan"),
        "contradicted: precision": both / len(said) if said else float("nan"),
    }


def told(args):
    """What is told of each pair of a document and a requirement, with its label."""
    requirements, passages, labels = read(args.set)
    if args.documents:
        passages = dict(list(passages.items())[: args.documents])
    for document, rows in matched(args, requirements, passages):
        for row in rows:
            requirement = row["rule"]["external_id"].removeprefix("r:")
            label, evidence = labels[document, requirement]
            listed = {p.get("external_id") for p in row["policies"][:10]}
            hits = [f"{document}:{i}" in listed for i in evidence]
            yield {
                "document": document,
                "requirement": requirement,
                "probability": row["probability"],
                "verdict": row["verdict"],
                "label": label,
                "evidence": sum(hits) / len(hits) if hits else None,
                "any": any(hits),
            }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lexforge", nargs="?")
    parser.add_argument("set", nargs="?")
    parser.add_argument("--documents", type=int, default=0, help="only so many")
    parser.add_argument("--words", action="store_true", help="compare words alone")
    parser.add_argument("--keep", help="write what was told of each pair to this file")
    parser.add_argument("--from", dest="kept", help="the figures of such a file")
    args = parser.parse_args()
    if not args.kept and not args.set:
        parser.error("a program and a set are needed, or --from")
    rows = lines(args.kept) if args.kept else list(told(args))
    if args.keep:
        with open(args.keep, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    by_document = {}
    for row in rows:
        by_document.setdefault(row["document"], []).append(row)
    documents = list(by_document.values())
    flat = lambda of: [row for rows in of for row in rows]
    found = figures(flat(documents))
    draws = random.Random(7)
    drawn = [figures(flat(draws.choices(documents, k=len(documents)))) for _ in range(500)]
    name = os.path.basename((args.kept or args.set).rstrip("/"))
    print(f"{name}: {len(rows)} pairs, {len(documents)} documents")
    for name, value in found.items():
        values = sorted(d[name] for d in drawn if d[name] == d[name])
        if value == value and values:
            low, high = values[int(0.025 * len(values))], values[int(0.975 * (len(values) - 1))]
            print(f"  {name}: {value:.3f} [{low:.3f}, {high:.3f}]")


if __name__ == "__main__":
    main()
