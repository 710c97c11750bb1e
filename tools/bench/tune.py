#!/usr/bin/env python3
"""Figures of an encoder that is tuned for the search: ObliQA's development questions, before and after.

    cargo build --release -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/tune.py [--data ../shared/data] [--work out/tune] [--bin target/release] [--only labels …] [--seed 42]

What it is tuned on: `labels` (retrieval-adgm-train), `own` (the questions that the product writes for these passages),
`fold-1` to `fold-5` (the development questions of other documents; a question that is measured is about none of them) and
`all-1` to `all-5` (such a fold with the labels). Without --only all of them, one after the other: days on two cores. A step that
was broken off goes on where it stopped; the figures of each stand in WORK/figures.json.
"""
import argparse
import functools
import hashlib
import json
import shutil
import subprocess
import time
from pathlib import Path

from ask import HERE, Bench

FOLDS = 5
SOURCES = ["labels", "own"] + [f"{kind}-{n}" for kind in ("fold", "all") for n in range(1, FOLDS + 1)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=HERE.parent / "shared/data")
    options.add_argument("--work", type=Path, default=HERE / "out/tune")
    options.add_argument("--bin", type=Path, default=HERE / "target/release")
    options.add_argument("--only", nargs="+", choices=SOURCES, default=SOURCES, metavar="SOURCE")
    options.add_argument("--seed", type=int, default=42)
    options.add_argument("--train", nargs=argparse.REMAINDER, default=[], help="further words for `lexforge train`")
    options = options.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    tuning = Tuning(options)
    tuning.rulebooks()
    for mode in ("lexical", "dense", "hybrid"):
        tuning.figure(f"untuned, {mode}", lambda mode=mode: tuning.measured(tuning.adgm, mode, "dev", ()))
    for source in options.only:
        tuning.source(source, options.seed, options.train)
    for name, value in tuning.figures.items():
        print(name, json.dumps(value, ensure_ascii=False))


class Tuning(Bench):
    def source(self, source, seed, words):
        """Tunes on a source and measures on the questions that it may be measured on."""
        name = " ".join([source, f"seed {seed}", *words])
        path = self.work / f"{name.replace(' ', '-')}.lexforge"
        if not path.with_suffix(".done").exists():
            shutil.copyfile(self.adgm, path)
            beside = Path(f"{self.adgm}.artifacts")
            if beside.exists():
                shutil.copytree(beside, f"{path}.artifacts", dirs_exist_ok=True)
            path.with_suffix(".done").write_text("")
        self.figure(f"{name}, training", lambda: self.tuned(path, source, seed, words))
        run = self.figures[f"{name}, training"]["run"]
        part = f"dev-{source[-1]}" if source[-1].isdigit() else "dev"
        with_run = ("--adapter", run)
        for mode in ("dense", "hybrid"):
            self.figure(f"{name}, {mode}", lambda mode=mode: self.measured(path, mode, part, with_run))
        if source == "labels":
            # Fitted on the labels: the encoder has learnt from them too, so that this is the order's own gain at most.
            labels = self.data / "retrieval-adgm-train/questions.jsonl"
            fit = ("rank", "train", path, "--labels", labels, *with_run, "--json")
            self.figure(f"{name}, order learned", lambda: json.loads(self.lexforge(*fit)))
            self.figure(f"{name}, ranked", lambda: self.measured(path, "hybrid", part, with_run))

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
            self.lexforge("train", path, "--task", "retrieval", "--learn-from", of, "--seed", seed, *words)
        run = json.loads(self.lexforge("runs", "list", path, "--json").splitlines()[0])
        result = max(Path(f"{path}.artifacts/bundles").glob("run-labels-*/result.json"))
        result = json.loads(result.read_text())
        kept = ("steps", "best_step", "seconds", "peak_memory_mb", "trainable_parameters", "stages")
        return {"run": run["id"], "waited": time.monotonic() - began} | {k: result[k] for k in kept}

    def measured(self, path, mode, part, words):
        queries, qrels = self.part(part)
        run = self.work / f"{path.stem}-{mode}.run"
        words = ("--queries", queries, "--qrels", qrels, "--mode", mode, "--trec", run, *words)
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

    def documents(self, question):
        return {self.document[p] for p in json.loads(question)["passage_ids"]}

    @functools.cached_property
    def document(self):
        """The document of each passage."""
        folder = self.data / "retrieval-obliqa/StructuredRegulatoryDocuments"
        return {p["ID"]: n for n in range(1, 41) for p in json.loads((folder / f"{n}.json").read_text())}

    def fold(self, number):
        """The documents of a fold: by their hash, so that it stays the same."""
        order = sorted(range(1, 41), key=lambda n: hashlib.sha256(str(n).encode()).hexdigest())
        return {n for place, n in enumerate(order) if place % FOLDS == int(number) - 1}


if __name__ == "__main__":
    main()
