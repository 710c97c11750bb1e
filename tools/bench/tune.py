#!/usr/bin/env python3
"""Measures an encoder before and after it is tuned for the search, on ObliQA's development questions.

    cargo build --release -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/tune.py [--data ../shared/data] [--work out/tune] [--bin target/release] [--only labels …] [--seed 42]
        [--encoder all-MiniLM-L6-v2] [--against FILE.run] [--train --all-weights …]

It can be tuned on: `labels` (retrieval-adgm-train), `own` (the questions that the product writes for these passages), `fold-1` to
`fold-5` (the development questions about other documents than those of the questions that are measured) and `all-1` to `all-5`
(such a fold with the labels). Without --only all of them are used, one after the other, which takes days on two cores. An
interrupted step continues where it stopped. The figures of each step are written to WORK/figures.json, with the rankings beside
it. Words after --train go to `lexforge train`.

At the end the script prints a table of all results with this encoder and these options, with all folds and all seeds together.
Intervals (95 %) are by document. With --against the table also has the paired difference from another ranking of the same
questions, in TREC's form.
"""
import argparse
import functools
import collections
import hashlib
import json
import random
import re
import shutil
import time
from pathlib import Path

from ask import HERE, Bench

FOLDS = 5
RESAMPLES = 2000
WAYS = {"dense": "vectors", "hybrid": "half and half", "ranked": "order learned"}
SOURCES = ["labels", "own"] + [f"{kind}-{n}" for kind in ("fold", "all") for n in range(1, FOLDS + 1)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=HERE.parent / "shared/data")
    options.add_argument("--work", type=Path, default=HERE / "out/tune")
    options.add_argument("--bin", type=Path, default=HERE / "target/release")
    options.add_argument("--only", nargs="+", choices=SOURCES, default=SOURCES, metavar="SOURCE")
    options.add_argument("--seed", type=int, default=42)
    options.add_argument("--encoder", help="what is tuned, by its name or folder; the product's own without it")
    options.add_argument("--against", type=Path, metavar="RUN", help="another system's ranking, in TREC's form")
    options.add_argument("--skip-untuned", action="store_true", help="do not measure the encoder as it comes")
    options.add_argument("--table", action="store_true", help="tune nothing, print what there is")
    options.add_argument("--train", nargs=argparse.REMAINDER, default=[], help="further words for `lexforge train`")
    options = options.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    tuning = Tuning(options)
    tuning.rulebooks()
    if not options.table:
        for mode in () if options.skip_untuned else ("lexical", "dense", "hybrid"):
            tuning.untuned(mode)
        for source in options.only:
            tuning.source(source, options.seed, options.train)
    for name, value in tuning.figures.items():
        print(name, json.dumps(value, ensure_ascii=False))
    tuning.table(options.train, options.against)


class Tuning(Bench):
    def __init__(self, options):
        super().__init__(options)
        self.encoder = options.encoder
        self.named = [Path(options.encoder).name] if options.encoder else []

    def name(self, source, seed, words):
        return " ".join([source, f"seed {seed}", *self.named, *words])

    def untuned(self, mode):
        """The encoder as it comes, on all questions."""
        name = " ".join(["untuned,", mode, *self.named])
        words = ["--encoder", self.encoder] if self.encoder and mode != "lexical" else []
        self.figure(name, lambda: self.measured(self.adgm, mode, "dev", words, plain("untuned", self.named, mode)))

    def source(self, source, seed, words):
        """Tunes on a source and measures on the questions that it may be measured on."""
        name = self.name(source, seed, words)
        path = self.work / f"{plain(name)}.lexforge"
        if not path.with_suffix(".done").exists():
            shutil.copyfile(self.adgm, path)
            beside = Path(f"{self.adgm}.artifacts")
            if beside.exists():
                shutil.copytree(beside, f"{path}.artifacts", dirs_exist_ok=True)
            path.with_suffix(".done").write_text("")
        self.figure(f"{name}, training", lambda: self.tuned(path, source, seed, words))
        run = self.figures[f"{name}, training"]["run"]
        with_run = ("--adapter", run)
        measure = lambda mode, way: self.figure(f"{name}, {way}", lambda: self.measured(
            path, mode, self.part_of(source), with_run, plain(name, way)))
        for mode in ("dense", "hybrid"):
            measure(mode, mode)
        if source == "own":
            return
        # Fitted on the labelled questions that the encoder has not learnt from; the command leaves the others out.
        fit = ("rank", "train", path, *with_run, "--json")
        self.figure(f"{name}, order learned", lambda: json.loads(self.lexforge(*fit)))
        measure("hybrid", "ranked")

    def part_of(self, source):
        return f"dev-{source[-1]}" if source[-1].isdigit() else "dev"

    def tuned(self, path, source, seed, words):
        """Tunes, or goes on where a tuning was broken off; minutes, memory and held-out figures."""
        began = time.monotonic()
        runs = [json.loads(r) for r in self.lexforge("runs", "list", path, "--json").splitlines()]
        if runs and runs[0]["state"] != "finished":
            self.lexforge("runs", "resume", path, runs[0]["id"])
        elif not runs:
            for file in self.questions(source):
                self.lexforge("pairs", "import", path, file)
            of = "labels"
            if source == "own":
                self.lexforge("augment", path, "--offline")
                of = "questions"
            base = ("--base", self.encoder) if self.encoder else ()
            self.lexforge("train", path, "--task", "retrieval", "--learn-from", of, "--seed", seed, *base, *words)
        run = json.loads(self.lexforge("runs", "list", path, "--json").splitlines()[0])
        result = max(Path(f"{path}.artifacts/bundles").glob("run-labels-*/result.json"))
        result = json.loads(result.read_text())
        kept = ("steps", "best_step", "seconds", "peak_memory_mb", "trainable_parameters", "stages")
        return {"run": run["id"], "waited": time.monotonic() - began} | {k: result[k] for k in kept}

    def measured(self, path, mode, part, words, name):
        queries, qrels = self.part(part)
        words = ("--queries", queries, "--qrels", qrels, "--mode", mode, "--trec", self.work / f"{name}.run", *words)
        return json.loads(self.lexforge("rank", "eval", path, *words, "--json"))

    def questions(self, source):
        """Files of the questions that a source learns from."""
        labels = self.data / "retrieval-adgm-train/questions.jsonl"
        if source == "own":
            return []
        if source == "labels":
            return [labels]
        kind, fold = source.split("-")
        others = self.work / f"dev-without-{fold}.jsonl"
        # None of its documents is in the fold.
        lines = self.queries.read_text().splitlines()
        others.write_text("".join(q + "\n" for q in lines if not self.documents(q) & self.fold(fold)))
        return [others] + ([labels] if kind == "all" else [])

    def part(self, part):
        """The questions that are measured: all, or those whose first passage is in a fold."""
        if part == "dev":
            return self.queries, self.qrels
        fold = self.fold(part.removeprefix("dev-"))
        queries = self.work / f"{part}.jsonl"
        lines = self.queries.read_text().splitlines()
        first = lambda q: self.document[json.loads(q)["passage_ids"][0]]
        queries.write_text("".join(q + "\n" for q in lines if first(q) in fold))
        return queries, self.qrels

    def table(self, words, against):
        """What was measured with this encoder and these words, the folds of a kind put together."""
        questions = [json.loads(line) for line in self.queries.read_text().splitlines()]
        right = {q["id"]: q["passage_ids"] for q in questions}
        document = {q["id"]: self.document[q["passage_ids"][0]] for q in questions}
        other = outcomes(against, right) if against else None
        print("\n| tuned on | " + " | ".join(f"{way}, Recall@10 | MAP@10" for way in WAYS.values()) + " |")
        print("|---" * (1 + 2 * len(WAYS)) + "|")
        for kind in ("untuned", "labels", "own", "fold", "all"):
            cells = []
            for way in WAYS:
                measured = self.of_kind(kind, way, words, right)
                for place in range(2):
                    cells.append(drawn({q: v[place] for q, v in measured.items()}, document,
                                       other and {q: v[place] for q, v in other.items()}))
            if any(cells):
                print(f"| {kind} | " + " | ".join(cells) + " |")

    def of_kind(self, kind, way, words, right):
        """Recall@10 and MAP@10 of each question: mean over the seeds for which every part of it was measured."""
        if kind == "untuned":
            file = self.work / f"{plain('untuned', self.named, way)}.run"
            return outcomes(file, right) if file.exists() else {}
        parts = [kind] if kind in ("labels", "own") else [f"{kind}-{n}" for n in range(1, FOLDS + 1)]
        found = collections.defaultdict(list)
        seeds = {int(seed) for name in self.figures for seed in re.findall(rf"^{parts[0]} seed (\d+)", name)}
        for seed in sorted(seeds):
            files = [self.work / f"{plain(self.name(part, seed, words), way)}.run" for part in parts]
            if all(file.exists() for file in files):
                for file, part in zip(files, parts):
                    asked = [json.loads(q)["id"] for q in self.part(self.part_of(part))[0].read_text().splitlines()]
                    for question, outcome in outcomes(file, {q: right[q] for q in asked}).items():
                        found[question].append(outcome)
        return {q: tuple(sum(v) / len(v) for v in zip(*all_seeds)) for q, all_seeds in found.items()}

    def documents(self, question):
        return {self.document[p] for p in json.loads(question)["passage_ids"]}

    @functools.cached_property
    def document(self):
        """The document of each passage."""
        return documents_of(self.data)

    def fold(self, number):
        return fold_of(number)


def documents_of(data):
    """The document of each passage."""
    folder = data / "retrieval-obliqa/StructuredRegulatoryDocuments"
    return {p["ID"]: n for n in range(1, 41) for p in json.loads((folder / f"{n}.json").read_text())}


def fold_of(number):
    """The documents of a fold: by their hash, so that it stays the same."""
    order = sorted(range(1, 41), key=lambda n: hashlib.sha256(str(n).encode()).hexdigest())
    return {n for place, n in enumerate(order) if place % FOLDS == int(number) - 1}


def plain(*words):
    """Words as a file's name."""
    parts = [part for word in words for part in ([word] if isinstance(word, str) else word)]
    return re.sub(r"[^\w.-]+", "-", " ".join(parts))


def outcomes(file, right):
    """Recall@10 and MAP@10 of each question, from a ranking in TREC's form; 0 where it has none."""
    ranked = collections.defaultdict(list)
    for line in file.read_text().splitlines():
        question, _, passage, _, score, _ = line.split()
        ranked[question].append((-float(score), passage))
    found = {}
    for question, passages in right.items():
        hits, precision = 0, 0.0
        for place, (_, passage) in enumerate(sorted(ranked[question])[:10], 1):
            if passage in passages:
                hits += 1
                precision += hits / place
        found[question] = (hits / len(passages), precision / len(passages))
    return found


def drawn(values, document, against=None):
    """Mean and interval over draws of documents, and of the difference from another system; empty where there is nothing."""
    if not values:
        return ""
    told = "{:.3f} [{:.3f}, {:.3f}]".format(*spread(values, document))
    if against:
        mean, low, high = spread({q: v - against[q] for q, v in values.items()}, document)
        told += f"; {mean:+.3f} [{low:+.3f}, {high:+.3f}]"
    return told


def spread(values, document):
    groups = collections.defaultdict(list)
    for question, value in values.items():
        groups[document[question]].append(value)
    sums = [(sum(groups[d]), len(groups[d])) for d in sorted(groups)]
    mean = lambda chosen: sum(s for s, _ in chosen) / sum(n for _, n in chosen)
    dice = random.Random(42)
    means = sorted(mean(dice.choices(sums, k=len(sums))) for _ in range(RESAMPLES))
    return mean(sums), means[int(0.025 * (RESAMPLES - 1))], means[int(0.975 * (RESAMPLES - 1))]


if __name__ == "__main__":
    main()
