#!/usr/bin/env python3
"""Measures how well an encoder finds the term of a definition, before and after its tuning: among all terms, and among similar
terms.

    cargo build --locked -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/definitions.py terms-fibo/fibo_terms_shared.jsonl [--folds 1,2,3,4,5] [--jobs 1] [--train …] [--against FILE] [--table]

FILE has a line for each term: `term`, `definition`, `hypernym_iris` (the broader terms that it is a kind of). Terms are divided
into five folds, and terms with a common broader term are always in the same fold. So the tuning never sees anything of the fold
that is measured: for each fold a workspace holds the terms of the other four as passages and their definitions as labelled
questions, `lexforge train --task retrieval` tunes the encoder there, and the fold's definitions are compared with terms by
cosine. Existing results are not computed again. Words after --train go to `lexforge train`.

Figures are mean reciprocal ranks: of each definition among all terms of the file, and among the terms of each broader term that
has four or more. Intervals (95 %) are by broader term; p is twice the share of the draws on the other side of zero.
WORK/ranks.jsonl has the rank of each definition; --against takes such a file of another system (tools/bench/definitions_recipe.py
writes one) and gives the paired difference.
"""
import argparse
import collections
import concurrent.futures
import importlib.machinery
import importlib.util
import json
import math
import operator
import pathlib
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("joint", str(ROOT / "tools" / "bench" / "joint.py"))
joint = importlib.util.module_from_spec(importlib.util.spec_from_loader("joint", loader))
loader.exec_module(joint)
demo = joint.demo

FOLDS = 5
SIBLINGS = 4
RESAMPLES = 10_000
# Python 3.12 and later have it; there it is faster.
product = getattr(math, "sumprod", lambda one, other: sum(map(operator.mul, one, other)))
RECIPE = ["--epochs", "3", "--batch-size", "32"]


def kinds(terms):
    """The terms of each broader term."""
    found = collections.defaultdict(list)
    for number, term in enumerate(terms):
        for broader in term["hypernym_iris"]:
            found[broader].append(number)
    return found


def folds(terms):
    """The fold of each term; terms that share a broader term, directly or through others, have one."""
    leads = list(range(len(terms)))

    def lead(number):
        while leads[number] != number:
            leads[number] = leads[leads[number]]
            number = leads[number]
        return number

    for members in kinds(terms).values():
        for other in members[1:]:
            leads[lead(other)] = lead(members[0])
    groups = collections.defaultdict(list)
    for number in range(len(terms)):
        groups[lead(number)].append(number)
    order = sorted(groups.values())
    random.Random(42).shuffle(order)
    order.sort(key=len, reverse=True)
    sizes, of = [0] * FOLDS, [0] * len(terms)
    for group in order:
        fold = sizes.index(min(sizes))
        sizes[fold] += len(group)
        for number in group:
            of[number] = fold
    return of


def embedded(model, texts, side, adapter, target):
    """A row for each text."""
    if not target.is_file():
        lines = target.with_suffix(".texts.jsonl")
        demo.write(lines, [{"text": text} for text in texts])
        words = ["models", "embed", model, "--input", lines, "--out", target, "--as", side]
        demo.lexforge(*words, *(["--adapter", adapter] if adapter else []))
    return joint.vectors(target)


def cosine(one, other):
    return product(one, other)


def rank(scores, right):
    """From 1; a draw counts half."""
    own = scores[right]
    return 1 + sum(s > own for s in scores) + (sum(s == own for s in scores) - 1) / 2


def ranks(terms, wanted, questions, passages):
    """For each wanted definition its reciprocal rank among all, and among the terms of each of its larger kinds."""
    larger = {broader: members for broader, members in kinds(terms).items() if len(members) >= SIBLINGS}
    found = []
    for number in wanted:
        scores = [cosine(questions[number], passage) for passage in passages]
        among = {broader: 1 / rank([scores[m] for m in members], members.index(number))
                 for broader, members in larger.items() if number in members}
        found.append({"term": number, "all": 1 / rank(scores, number), "siblings": among})
    return found


def tuned(terms, of, fold, arguments):
    """The folder of the adapter that learned from the other folds."""
    others = [number for number in range(len(terms)) if of[number] != fold]
    passages = [{"id": str(number), "text": terms[number]["term"]} for number in others]
    labels = [{"id": str(number), "question": terms[number]["definition"], "passage_ids": [str(number)]} for number in others]
    return learned(f"fold-{fold + 1}", passages, labels, RECIPE, arguments)


def learned(name, passages, labels, recipe, arguments):
    """The folder of the adapter that learned in a workspace of its own which passages answer which questions."""
    path, done = arguments.work / f"{name}.lexforge", arguments.work / f"{name}.run.json"
    if not done.is_file():
        for old in arguments.work.glob(f"{path.name}*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        files = arguments.work / f"{name}.jsonl", arguments.work / f"{name}.labels.jsonl"
        demo.write(files[0], passages)
        demo.write(files[1], labels)
        demo.lexforge("import", path, files[0])
        demo.lexforge("pairs", "import", path, files[1])
        asked = ["train", path, "--task", "retrieval", "--learn-from", "labels", "--base", arguments.encoder, "--threads",
                 arguments.threads, *recipe, *arguments.train, "--detach", "--json"]
        run = json.loads(demo.lexforge(*asked))["id"]
        subprocess.run([demo.PROGRAMS / "lexforge", "runs", "follow", path, str(run)], stdout=subprocess.DEVNULL)
        row = next(row for row in demo.records("runs", "list", path) if row["id"] == run)
        if row["state"] != "finished":
            sys.exit(f"failed: {name}, run {run} is {row['state']}: {row.get('failure')}")
        done.write_text(json.dumps(row), encoding="utf-8")
    row = json.loads(done.read_text(encoding="utf-8"))
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    (bundle,) = database.execute("SELECT bundle FROM run WHERE id = ?", (row["id"],)).fetchone()
    database.close()
    bundle = path.with_name(path.name + ".artifacts") / bundle
    result = json.loads((bundle / "result.json").read_text(encoding="utf-8"))
    return bundle / result["adapter"]


def figures(rows):
    """Values of each broader term: of all, by the first that a term names, and of siblings."""
    both = [(row["all"], next(iter(row["siblings"]), f"alone {row['term']}")) for row in rows]
    every = collections.defaultdict(list)
    for value, broader in both:
        every[broader].append(value)
    near = collections.defaultdict(list)
    for row in rows:
        for broader, value in row["siblings"].items():
            near[broader].append(value)
    return every, near


def drawn(groups, against=None):
    """Mean and interval over draws of groups; of the paired difference where there is another system."""
    names = sorted(groups)
    sums = [(sum(groups[n]) - (sum(against[n]) if against else 0.0), len(groups[n])) for n in names]
    mean = lambda chosen: sum(s for s, _ in chosen) / sum(n for _, n in chosen)
    dice = random.Random(42)
    means = sorted(mean(dice.choices(sums, k=len(sums))) for _ in range(RESAMPLES))
    low, high = (means[int(share * (RESAMPLES - 1))] for share in (0.025, 0.975))
    shown = f"{mean(sums):.3f} [{low:.3f}, {high:.3f}]"
    if not against:
        return shown
    # One draw more counts on either side, so that p is never zero.
    sides = sum(m <= 0 for m in means), sum(m >= 0 for m in means)
    return f"{shown}, p {min(1.0, 2 * (1 + min(sides)) / (1 + RESAMPLES)):.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "definitions")
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    parser.add_argument("--folds", default="1,2,3,4,5")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="folds that are tuned at a time")
    parser.add_argument("--against", type=pathlib.Path, help="ranks.jsonl of another system, on the same folds")
    parser.add_argument("--table", action="store_true", help="tune nothing, print what there is")
    parser.add_argument("--train", nargs=argparse.REMAINDER, default=[], help="further words for `lexforge train`")
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    terms = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    of = folds(terms)
    texts = {"question": [t["definition"] for t in terms], "passage": [t["term"] for t in terms]}
    before = [embedded(arguments.encoder, texts[side], side, None, arguments.work / f"base-{side}.safetensors")
              for side in ("question", "passage")]
    def after(fold):
        """The vectors by what learned from the other folds."""
        adapter = tuned(terms, of, fold, arguments)
        return [embedded(arguments.encoder, texts[side], side, adapter,
                         arguments.work / f"fold-{fold + 1}-{side}.safetensors") for side in ("question", "passage")]

    wanted_folds = [int(n) - 1 for n in arguments.folds.split(",")]
    if arguments.table:
        wanted_folds = [fold for fold in wanted_folds if (arguments.work / f"fold-{fold + 1}.run.json").is_file()]
    systems = {"untuned": [], "tuned": []}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        made = list(pool.map(after, wanted_folds))
    for fold, vectors in zip(wanted_folds, made):
        wanted = [number for number in range(len(terms)) if of[number] == fold]
        systems["untuned"] += ranks(terms, wanted, *before)
        systems["tuned"] += ranks(terms, wanted, *vectors)
        demo.say(f"fold {fold + 1}: {len(wanted)} definitions, among all "
                 + ", ".join(f"{name} {statistics.mean(r['all'] for r in rows[-len(wanted):]):.3f}"
                             for name, rows in systems.items()))
    if not systems["tuned"]:
        sys.exit("There is no tuned fold yet.")
    demo.write(arguments.work / "ranks.jsonl", systems["tuned"])
    print(f"`{arguments.encoder}`, {len(terms):,} terms, {len(systems['tuned']):,} definitions of folds that were not seen; recipe "
          f"`retrieval`, {' '.join(RECIPE + arguments.train)}.\n")
    print("| system | MRR among all terms | MRR among siblings |\n|---|---|---|")
    shown = {name: figures(rows) for name, rows in systems.items()}
    for name, (every, near) in shown.items():
        print(f"| {name} | {drawn(every)} | {drawn(near)} |")
    others = {"tuned less untuned": shown["untuned"]}
    if arguments.against:
        other = [json.loads(line) for line in arguments.against.read_text(encoding="utf-8").splitlines()]
        places = {row["term"] for row in systems["tuned"]}
        chosen = [row for row in other if row["term"] in places]
        if len(chosen) != len(places):
            sys.exit(f"error: {arguments.against} lacks definitions of these folds")
        others["tuned less the other system"] = figures(chosen)
        print("| the other system | {} | {} |".format(*map(drawn, others["tuned less the other system"])))
    for name, (every, near) in others.items():
        print(f"| *{name}* | {drawn(shown['tuned'][0], every)} | {drawn(shown['tuned'][1], near)} |")


if __name__ == "__main__":
    main()
