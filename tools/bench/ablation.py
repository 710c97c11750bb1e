#!/usr/bin/env python3
"""What each stage and each token loss brings, on a decoder that has not read the documents (METHODS §1.3, last point):

    cargo build --locked -p lexforge-cli -p lexforge-ingest -p lexforge-models
    tools/bench/ablation.py --corpus FOLDER [--sets privacy,manuals,regulations-zh] [--seeds 42,43,44]
        [--base lexforge-demo] [--preset thorough] [--max-steps 40] [--batch-size 8] [--threads 1] [--minutes 40]

FOLDER is searched for the documents of tools/bench/ablation.json by their SHA-256. Each set becomes a workspace with a
frozen snapshot under --work; each variant is trained by `lexforge train` with each seed and scored by the worker on the
snapshot's test questions (likelihood of the choice and its end, with all choices listed). What has been scored is not
done again, so that a run that was broken off goes on; seeds come first to last, so that a run that ends early has whole
seeds. Standard output is a Markdown table of what there is.

Accuracy is the mean over items and seeds. Intervals (95 %) and p-values are those of whole clusters (the anchor rule; of
a single document the article): a percentile bootstrap, and random swaps of two variants' answers to a cluster.
"""
import argparse
import datetime
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "tools" / "bench" / "ablation.json"
RESAMPLES = 2000
FULL = "candidates"
# Name → options of `lexforge train`; the first one is what the others are compared with.
VARIANTS = {
    FULL: ["--token-loss", "candidates"],
    "divergence": ["--token-loss", "divergence"],
    "paper": ["--token-loss", "paper"],
    "w/o SFT": ["--without", "sft"],
    "w/o CL": ["--without", "sentence", "--without", "token"],
    "w/o token": ["--without", "token"],
    "w/o sentence": ["--without", "sentence"],
}
TITLES = {FULL: "full, token loss `candidates`", "divergence": "full, token loss `divergence`",
          "paper": "full, token loss `paper`"}
BASE = "base"

loader = importlib.machinery.SourceFileLoader("demo_model", str(ROOT / "tools" / "demo-model"))
demo = importlib.util.module_from_spec(importlib.util.spec_from_loader("demo_model", loader))
loader.exec_module(demo)


def prepare(name, documents, found, work):
    """The workspace of a set with its snapshot; one that is there is kept."""
    path, done = work / f"{name}.lexforge", work / f"{name}.frozen"
    if not done.is_file():
        demo.say(f"{name}: {len(documents)} documents")
        demo.workspace(path, documents, found, True)
        demo.lexforge("dataset", "freeze", path)
        done.touch()
    return path


def items(path):
    """Test questions of the newest snapshot."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = database.execute("SELECT json FROM dataset_item WHERE split = 'test' AND dataset = "
                            "(SELECT max(id) FROM dataset) ORDER BY position").fetchall()
    counts = dict(database.execute("SELECT split, count(*) FROM dataset_item WHERE dataset = "
                                   "(SELECT max(id) FROM dataset) GROUP BY split"))
    database.close()
    return [json.loads(row[0]) for row in rows], counts


def score(path, name, adapter, base, arguments, questions):
    """What the worker gives for each question."""
    target = arguments.work / "scores" / f"{path.stem}-{name.replace('/', '').replace(' ', '-')}.jsonl"
    if target.is_file():
        return target
    bundle = arguments.work / "score.bundle"
    shutil.rmtree(bundle, ignore_errors=True)
    (bundle / "inputs").mkdir(parents=True)
    if adapter:
        shutil.copytree(adapter, bundle / "adapter")
    job = {"kind": "score", "model": {"name": base, "sha256": ""}, "adapter": "adapter" if adapter else None,
           "input": "inputs/questions.jsonl", "output": "scores.jsonl", "generate": False, "embed": False,
           "max_new_tokens": 1, "precision": arguments.precision, "threads": arguments.threads}
    version = json.loads(subprocess.run([demo.PROGRAMS / "lexforge-worker", "--version", "--json"], check=True,
                                        stdout=subprocess.PIPE).stdout)["protocol_version"]
    (bundle / "job.json").write_text(json.dumps({"protocol_version": version, "job": job}), encoding="utf-8")
    demo.write(bundle / "inputs" / "questions.jsonl",
               [{"id": item["question"]["id"], "question": item["question"]["question"],
                 "choices": item["question"]["choices"]} for item in questions])
    subprocess.run([demo.PROGRAMS / "lexforge-worker", "run", bundle], check=True, stdout=subprocess.DEVNULL)
    target.parent.mkdir(exist_ok=True)
    os.replace(bundle / "scores.jsonl", target)
    shutil.rmtree(bundle)
    return target


def train(path, variant, seed, arguments):
    """The folder of a trained adapter, the seconds it took, and the run's row."""
    kept = arguments.work / "runs" / f"{path.stem}-{variant.replace('/', '').replace(' ', '-')}-{seed}.json"
    if kept.is_file():
        run = json.loads(kept.read_text(encoding="utf-8"))
    else:
        begun = time.monotonic()
        options = ["--base", arguments.base, "--preset", arguments.preset, "--seed", seed, "--threads", arguments.threads,
                   "--max-steps", arguments.max_steps, "--batch-size", arguments.batch_size, *VARIANTS[variant]]
        if arguments.learning_rate:
            options += ["--learning-rate", arguments.learning_rate]
        run = json.loads(demo.lexforge("train", path, *options, "--json"))
        run["seconds"] = time.monotonic() - begun
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(run), encoding="utf-8")
    return path.with_name(path.name + ".artifacts") / "adapters" / run["adapter"], run["seconds"]


def credit(scores, answer):
    """1 where the right choice has the greatest score, shared among equals."""
    if not scores:
        return 0.0
    top = max(scores)
    return (scores[answer] == top) / sum(s == top for s in scores)


def answers(file, questions, field="likelihood"):
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [credit(line[field], item["question"]["answer"]) for line, item in zip(lines, questions, strict=True)]


def tokens(text):
    """Words in lower case, each East Asian character by itself."""
    out, word = [], ""
    for c in text:
        alone = "⺀" <= c <= "鿿" or "가" <= c <= "힣" or "豈" <= c <= "﫿" or ord(c) > 0x20000
        if alone or not c.isalnum():
            out += [word] if word else []
            out += [c] if alone else []
            word = ""
        else:
            word += c.lower()
    return out + ([word] if word else [])


def overlap(choices, grams, whole):
    """How much of each choice stands in the corpus word for word, as the product's own control counts it."""
    out = []
    for choice in choices:
        row = tokens(choice)
        n = min(len(row), 4)
        covered = set()
        for start in range(len(row) - n + 1):
            if tuple(row[start:start + n]) in grams:
                covered.update(range(start, start + n))
        out.append(len(covered) / max(len(row), 1) + (tuple(row) in whole))
    return out


def shortcuts(path, questions, base_scores):
    """Accuracy of rules that never read the question."""
    sentences = [tokens(s["text"]) for s in demo.records("docs", path, "--sentences")]
    grams = {tuple(s[i:i + n]) for s in sentences for n in range(1, 5) for i in range(len(s) - n + 1)}
    whole = {tuple(s) for s in sentences}
    of = lambda scores: [credit(scores(item["question"]["choices"]), item["question"]["answer"]) for item in questions]
    return {"choices only (base, without the question)": answers(base_scores, questions, "choices_only"),
            "longest choice": of(lambda choices: [len(c) for c in choices]),
            "corpus overlap": of(lambda choices: overlap(choices, grams, whole)),
            "chance": [1 / len(item["question"]["choices"]) for item in questions]}


def by_cluster(values, questions):
    """[(sum, count)] of clusters, in one order for all."""
    sums = {}
    for value, item in zip(values, questions):
        cluster = sums.setdefault(item["cluster"], [0.0, 0])
        cluster[0] += value
        cluster[1] += 1
    return [tuple(sums[cluster]) for cluster in sorted(sums, key=str)]


def percentile(values, share):
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def interval(clusters):
    """Mean over items with the interval of a bootstrap of whole clusters."""
    draw = random.Random(42)
    means = []
    for _ in range(RESAMPLES):
        drawn = draw.choices(clusters, k=len(clusters))
        means.append(sum(s for s, _ in drawn) / sum(n for _, n in drawn))
    means.sort()
    return sum(s for s, _ in clusters) / sum(n for _, n in clusters), percentile(means, .025), percentile(means, .975)


def p_value(differences):
    """Two-sided, by swapping the two systems' answers to a cluster."""
    draw = random.Random(43)
    observed = abs(sum(differences)) - 1e-9
    moved = [d for d in differences if d]
    larger = sum(abs(sum(d if draw.random() < .5 else -d for d in moved)) >= observed for _ in range(RESAMPLES))
    return (1 + larger) / (1 + RESAMPLES)


def three(value):
    text = f"{abs(value):.3f}"
    return ("−" if value < 0 and float(text) else "") + text.lstrip("0")


def cell(figures):
    return f"{three(figures[0])} [{three(figures[1])}, {three(figures[2])}]"


def print_table(name, questions, rows, controls, counts, seconds):
    """One set. `rows`: variant → for each seed the answers to every item."""
    print(f"\n### {name}\n")
    clusters = len({str(item["cluster"]) for item in questions})
    print(f"{counts}; test: {len(questions)} questions in {clusters} clusters.\n")
    print("| variant | seeds | accuracy [95 %] | against full [95 %] | p | seconds to train |")
    print("|---|---|---|---|---|---|")
    mean = {variant: [sum(v) / len(v) for v in zip(*seeds.values())] for variant, seeds in rows.items() if seeds}
    for variant, values in mean.items():
        seeds = rows[variant]
        against = p = ""
        if variant != FULL and FULL in mean:
            # The same seeds on both sides; the base has none and stands against all of them.
            shared = [s for s in rows[FULL] if s in seeds] if variant != BASE else list(rows[FULL])
            full = [sum(v) / len(v) for v in zip(*(rows[FULL][s] for s in shared))] if shared else None
            own = [sum(v) / len(v) for v in zip(*(seeds[s] for s in shared))] if variant != BASE and shared else values
            if full:
                paired = by_cluster([a - b for a, b in zip(own, full)], questions)
                against, p = cell(interval(paired)), three(p_value([s for s, _ in paired]))
        title = TITLES.get(variant, "base, untouched" if variant == BASE else variant)
        took = seconds.get(variant, [])
        print(f"| {title} | {len(seeds) if variant != BASE else '–'} | {cell(interval(by_cluster(values, questions)))} "
              f"| {against or '–'} | {p or '–'} | {f'{sum(took) / len(took):.0f}' if took else '–'} |")
    for control, values in controls.items():
        print(f"| *{control}* | – | {cell(interval(by_cluster(values, questions)))} | – | – | – |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "ablation")
    parser.add_argument("--sets", default="regulations-zh,privacy,manuals")
    parser.add_argument("--seeds", default="42,43,44")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--base", default="lexforge-demo")
    parser.add_argument("--preset", default="thorough")
    parser.add_argument("--max-steps", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--learning-rate", type=float)
    parser.add_argument("--precision", default="fp32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="start no training after so many; 0 = none of it")
    parser.add_argument("--prepare", action="store_true", help="stop when the workspaces are there")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    documents = json.loads(DOCUMENTS.read_text(encoding="utf-8"))["documents"]
    sets = {}
    for name in arguments.sets.split(","):
        chosen = [document for document in documents if document["set"] == name]
        if not (arguments.work / f"{name}.frozen").is_file():
            found = demo.find(arguments.corpus, chosen)
        path = prepare(name, chosen, locals().get("found"), arguments.work)
        sets[name] = (path, *items(path))
        demo.say(f"{name}: {sets[name][2]}")
    if arguments.prepare:
        return
    rows = {name: {BASE: {}} | {v: {} for v in arguments.variants.split(",")} for name in sets}
    seconds = {name: {} for name in sets}
    base_scores = {}
    for name, (path, questions, _) in sets.items():
        base_scores[name] = score(path, BASE, None, arguments.base, arguments, questions)
        rows[name][BASE] = {0: answers(base_scores[name], questions)}
    for seed in arguments.seeds.split(","):
        for name, (path, questions, _) in sets.items():
            for variant in arguments.variants.split(","):
                kept = arguments.work / "runs" / f"{path.stem}-{variant.replace('/', '').replace(' ', '-')}-{seed}.json"
                if arguments.minutes and time.monotonic() - begun > 60 * arguments.minutes and not kept.is_file():
                    demo.say(f"left out: {name}, {variant}, seed {seed}: the time is over")
                    continue
                adapter, took = train(path, variant, seed, arguments)
                scored = score(path, f"{variant}-{seed}", adapter, arguments.base, arguments, questions)
                rows[name][variant][seed] = answers(scored, questions)
                seconds[name].setdefault(variant, []).append(took)
                right = rows[name][variant][seed]
                demo.say(f"{name}, {variant}, seed {seed}: {sum(right) / len(right):.3f} ({took:.0f} s to train)")
    print(f"{datetime.date.today()}, base `{arguments.base}`, preset `{arguments.preset}`, at most {arguments.max_steps} steps "
          f"a stage of {arguments.batch_size} items, {arguments.threads} thread(s), seeds {arguments.seeds}.")
    for name, (path, questions, counts) in sets.items():
        listed = ", ".join(f"{split} {counts[split]}" for split in ("train", "dev", "test") if split in counts)
        print_table(name, questions, rows[name], shortcuts(path, questions, base_scores[name]), listed, seconds[name])
    if len(sets) > 1:
        # Clusters of different sets are different clusters.
        together = [{**item, "cluster": f"{name} {item['cluster']}"} for name, (_, q, _) in sets.items() for item in q]
        pooled = {}
        for variant in [BASE, *arguments.variants.split(",")]:
            seeds = [s for s in rows[next(iter(sets))][variant] if all(s in rows[name][variant] for name in sets)]
            pooled[variant] = {s: [v for name in sets for v in rows[name][variant][s]] for s in seeds}
        print_table("All sets together", together, pooled, {}, "the sets above", {})


if __name__ == "__main__":
    main()
