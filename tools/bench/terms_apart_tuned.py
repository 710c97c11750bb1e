#!/usr/bin/env python3
"""Measures how well an encoder distinguishes the meanings of terms that acts define differently, before and after its tuning on
other terms.

    cargo build --locked -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/terms_apart_tuned.py definitions-eu-law [--encoder all-MiniLM-L6-v2] [--jobs 2] [--table] [--train …]

The pairs are those of tools/bench/terms_apart.py: a use of a term, its own act's definition and another act's. The terms are
divided into five folds. For each fold there is a workspace. Its passages are the definitions of all acts, without the terms of
the fold. Its labelled questions are the uses of the remaining terms; the right answer to a use is the definition of its own act.
`lexforge train --task retrieval` tunes the encoder there, with the nearest other definitions as negatives, and the fold's pairs
are compared by cosine. The tuning for a fold sees neither the definitions nor the uses of the fold's terms. Existing results are
not computed again.

Intervals (95 %) are by term, as in `lexforge bench --terms`; the difference is paired. Words after --train go to
`lexforge train`.
"""
import argparse
import collections
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def module(name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "tools" / "bench" / f"{name}.py"))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(made)
    return made


apart, definitions, systems = module("terms_apart"), module("definitions"), module("systems")
demo = definitions.demo

FOLDS = 5
RESAMPLES = 2000
RECIPE = ["--epochs", "3", "--batch-size", "32"]


def folds(pairs):
    """The fold of each term: the largest first, each into the fold that has the fewest pairs."""
    sizes = collections.Counter(pair["term"] for pair in pairs)
    held, of = [0] * FOLDS, {}
    for term, size in sorted(sizes.items(), key=lambda one: (-one[1], one[0])):
        fold = held.index(min(held))
        held[fold] += size
        of[term] = fold
    return of


def material(rows, terms):
    """Passages and labelled questions of a fold: definitions of terms that are not held out, and the uses of these in their acts."""
    held = {" ".join(apart.words(term)) for term in terms}
    kept = [row for row in rows if " ".join(apart.words(row["term"])) not in held
            and not apart.only_refers(row["term"], row["definition"])]
    passages = [{"id": str(i), "text": f"{row['term']}: {row['definition']}"} for i, row in enumerate(kept)]
    by_act = collections.defaultdict(list)
    for i, row in enumerate(kept):
        by_act[row["regulation"]].append((i, row))
    labels = []
    for own in by_act.values():
        for i, row in own:
            holds = re.compile(r"(?<!\w)" + re.escape(row["term"].lower()) + r"(s|es)?(?!\w)")
            uses = [other for j, other in own if j != i and apart.words(other["term"]) != apart.words(row["term"])
                    and holds.search(other["definition"].lower())]
            labels += [{"id": f"{i}-{n}", "question": f"{use['term']}: {use['definition']}", "passage_ids": [str(i)]}
                       for n, use in enumerate(uses[:apart.USES])]
    return passages, labels


def gaps(pairs, name, adapter, arguments):
    """For each pair how much nearer its own definition lies to the use than the other one."""
    texts = {"question": [pair["shown_in"] for pair in pairs],
             "passage": [pair[which] for pair in pairs for which in ("context_pos", "context_neg")]}
    rows = {side: definitions.embedded(arguments.encoder, texts[side], side, adapter, arguments.work / f"{name}-{side}.safetensors")
            for side in texts}
    cosine = definitions.cosine
    return [cosine(use, rows["passage"][2 * i]) - cosine(use, rows["passage"][2 * i + 1])
            for i, use in enumerate(rows["question"])]


def right(gap):
    return 1.0 if gap > 0 else 0.5 if gap == 0 else 0.0


def interval(values, terms):
    """Mean with the interval of a bootstrap of whole terms."""
    sums = collections.defaultdict(lambda: [0.0, 0])
    for value, term in zip(values, terms):
        sums[term][0] += value
        sums[term][1] += 1
    groups, dice = [sums[term] for term in sorted(sums)], random.Random(42)
    mean = lambda of: sum(s for s, _ in of) / sum(n for _, n in of)
    if len(groups) == 1:
        return systems.three(mean(groups))
    means = sorted(mean(dice.choices(groups, k=len(groups))) for _ in range(RESAMPLES))
    low, high = (means[int(share * (RESAMPLES - 1))] for share in (0.025, 0.975))
    return f"{systems.three(mean(groups))} [{systems.three(low)}, {systems.three(high)}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "terms-apart")
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="folds side by side")
    parser.add_argument("--folds", default="1,2,3,4,5")
    parser.add_argument("--table", action="store_true", help="tune nothing, print what there is")
    parser.add_argument("--train", nargs=argparse.REMAINDER, default=[], help="further words for `lexforge train`")
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows = apart.lines(os.path.join(arguments.folder, "definitions.jsonl"))
    # One that stands there twice counts once, as in a set that is brought in.
    pairs = list({json.dumps(pair): pair for pair in apart.pairs(arguments.folder)}.values())
    of = folds(pairs)

    def one(fold):
        held = [term for term in of if of[term] == fold]
        if arguments.table and not (arguments.work / f"fold-{fold + 1}.run.json").is_file():
            return []
        try:
            adapter = definitions.learned(f"fold-{fold + 1}", *material(rows, held), RECIPE, arguments)
        except SystemExit as problem:
            demo.say(str(problem))
            return []
        tested = [pair for pair in pairs if pair["term"] in held]
        before = gaps(tested, f"fold-{fold + 1}-before", None, arguments)
        after = gaps(tested, f"fold-{fold + 1}-after", adapter, arguments)
        demo.say(f"fold {fold + 1}: {len(tested)} pairs of {len(held)} terms, {sum(map(right, before)) / len(tested):.3f} → "
                 f"{sum(map(right, after)) / len(tested):.3f}")
        return list(zip(tested, before, after))

    with systems.side_by_side(arguments.jobs) as pool:
        found = [row for part in pool.map(one, [int(n) - 1 for n in arguments.folds.split(",")]) for row in part]
    if not found:
        raise SystemExit("There is no tuned fold yet.")
    print(f"`{arguments.encoder}`, {len(found)} pairs of {len({p['term'] for p, _, _ in found})} terms in folds that were not seen; "
          f"recipe `retrieval`, {' '.join(RECIPE + arguments.train)}.\n")
    print("| | pairs (terms) | untuned | tuned | tuned less untuned | gap untuned | gap tuned |\n|---|---|---|---|---|---|---|")
    acts = collections.Counter(pair["act"] for pair, _, _ in found)
    for act in [None, *(act for act, _ in acts.most_common())]:
        some = [row for row in found if act in (None, row[0]["act"])]
        terms = [pair["term"] for pair, _, _ in some]
        before, after = [b for _, b, _ in some], [a for _, _, a in some]
        was, now = [right(b) for b in before], [right(a) for a in after]
        cells = [interval(values, terms) for values in (was, now, [n - w for n, w in zip(now, was)], before, after)]
        print(f"| {act or 'all acts'} | {len(some)} ({len(set(terms))}) | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
