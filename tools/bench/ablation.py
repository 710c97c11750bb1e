#!/usr/bin/env python3
"""Measures how much each stage and each token loss improves a decoder that has not read the documents (docs/methods.md,
'Training'):

    cargo build --locked -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/ablation.py --corpus FOLDER [--sets regulations-zh,privacy,manuals] [--seeds 42,43,44]
        [--base lexforge-demo] [--preset quick-look] [--max-steps 40] [--batch-size 8] [--minutes 40] [--jobs 2]

FOLDER is searched for the documents of tools/bench/ablation.json by their SHA-256. Each set becomes a workspace with a frozen
snapshot under --work. The settings are those of `lexforge train --plan` for the preset; the worker trains one stage at a time and
continues from the adapter of the stage before. So variants that begin with the same stages share these. It scores the snapshot's
test questions by likelihood of the choice and its end, with all choices listed. Existing results are not computed again, so an
interrupted run can continue. The standard output is a Markdown table of all results so far.

Accuracy is the mean over items and seeds. Intervals (95 %) and p-values are computed over whole clusters (the anchor rule; of a
single document the article): a percentile bootstrap, and random swaps of two variants' answers to a cluster.
"""
import argparse
import concurrent.futures
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
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "tools" / "bench" / "ablation.json"
RESAMPLES = 2000
FULL = "candidates"
# Name → its stages; the first one is what the others are compared with.
VARIANTS = {
    FULL: ("sft", "sentence", "token-candidates"),
    "divergence": ("sft", "sentence", "token-divergence"),
    "paper": ("sft", "sentence", "token-paper"),
    "w/o SFT": ("sentence", "token-candidates"),
    "w/o CL": ("sft",),
    "w/o token": ("sft", "sentence"),
    "w/o sentence": ("sft", "token-candidates"),
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


def items(path, split):
    """Questions of the newest snapshot in one of its parts."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = database.execute("SELECT json FROM dataset_item WHERE split = ? AND dataset = "
                            "(SELECT max(id) FROM dataset) ORDER BY position", (split,)).fetchall()
    database.close()
    return [json.loads(row[0]) for row in rows]


def some(of, most):
    """Whole clusters, drawn alike in every run, of at most so many questions; 0 = all."""
    if not most or len(of) <= most:
        return of
    clusters = sorted({item["cluster"] for item in of})
    random.Random(1).shuffle(clusters)
    chosen, n = set(), 0
    for cluster in clusters:
        size = sum(item["cluster"] == cluster for item in of)
        if n + size <= most:
            chosen.add(cluster)
            n += size
    return [item for item in of if item["cluster"] in chosen]


def train_item(item):
    """A line of a train job."""
    question = item["question"]
    return {"id": question["id"], "anchor": question["anchor_sentence"], "level": question["level"],
            "question": question["question"], "answer": question["choices"][question["answer"]],
            "negatives": [c for i, c in enumerate(question["choices"]) if i != question["answer"]],
            "answer_group": item["answer_group"], "rephrased": question.get("rephrased"), "rule": ""}


def work(arguments, job, inputs, adapter, result):
    """Runs a job in a bundle of its own and gives what it left."""
    with tempfile.TemporaryDirectory(dir=arguments.work) as bundle:
        bundle = pathlib.Path(bundle) / "bundle"
        (bundle / "inputs").mkdir(parents=True)
        if adapter:
            shutil.copytree(adapter, bundle / "adapter")
        job = {**job, "adapter": "adapter" if adapter else None}
        (bundle / "job.json").write_text(json.dumps({"protocol_version": protocol(), "job": job}), encoding="utf-8")
        for name, lines in inputs.items():
            demo.write(bundle / "inputs" / name, lines)
        done = subprocess.run([demo.PROGRAMS / "lexforge-worker", "run", bundle], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit(f"failed: a job of the kind {job['kind']}: {done.stderr.decode()[-800:]}")
        target = result
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        answer = json.loads((bundle / "result.json").read_text(encoding="utf-8"))
        source = bundle / answer["adapter"] if job["kind"] == "train" else bundle / answer["output"]
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, part)
        os.replace(part, target)
        return answer


def protocol():
    said = subprocess.run([demo.PROGRAMS / "lexforge-worker", "--version", "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(said.stdout)["protocol_version"]


def score(name, label, adapter, arguments, questions):
    """What the worker gives for each question."""
    target = arguments.work / "scores" / f"{name}-{label}.jsonl"
    if not target.is_file():
        job = {"kind": "score", "model": {"name": arguments.base, "sha256": ""}, "input": "inputs/questions.jsonl",
               "output": "scores.jsonl", "generate": False, "embed": False, "max_new_tokens": 1, "precision": "fp32",
               "threads": arguments.threads}
        lines = [{"id": item["question"]["id"], "question": item["question"]["question"],
                  "choices": item["question"]["choices"]} for item in questions]
        work(arguments, job, {"questions.jsonl": lines}, adapter, target)
    return target


def train(name, stages, seed, settings, arguments, parts):
    """The adapter after these stages, which goes on from the one after all but the last, and the seconds of all."""
    before, seconds = (None, 0.0)
    if len(stages) > 1:
        before, seconds = train(name, stages[:-1], seed, settings, arguments, parts)
    target = arguments.work / "adapters" / name / f"{seed}-{'-'.join(stages)}"
    took = target.with_name(target.name + ".seconds")
    if not target.is_dir():
        kind, _, loss = stages[-1].partition("-")
        stage = next(stage for stage in settings["stages"] if stage["objective"]["kind"] == kind)
        stage = {**stage, "patience": None}
        if loss:
            stage["objective"] = {**stage["objective"], "loss": loss}
        job = {"kind": "train", "model": {"name": arguments.base, "sha256": ""}, "train": "inputs/train.jsonl",
               "dev": "inputs/dev.jsonl", "replay": None,
               "settings": {**settings, "stages": [stage], "seed": int(seed), "threads": arguments.threads},
               "checkpoint_every": arguments.max_steps, "evaluate_every": arguments.max_steps,
               "lineage": {"dataset": "", "corpus": "", "graph_date": "", "policy": ""}}
        begun = time.monotonic()
        train_lines, dev_lines = ([train_item(item) for item in part] for part in parts)
        work(arguments, job, {"train.jsonl": train_lines, "dev.jsonl": dev_lines}, before, target)
        took.write_text(str(time.monotonic() - begun), encoding="utf-8")
    return target, seconds + float(took.read_text(encoding="utf-8"))


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
    parser.add_argument("--preset", default="quick-look")
    parser.add_argument("--max-steps", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--learning-rate", type=float)
    parser.add_argument("--train-items", type=int, default=0, help="at most so many, in whole clusters; 0 = all")
    parser.add_argument("--dev-items", type=int, default=64)
    parser.add_argument("--test-items", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="seeds that are trained side by side")
    parser.add_argument("--minutes", type=float, default=0, help="begin nothing after so many; 0 = no limit")
    parser.add_argument("--prepare", action="store_true", help="stop when the workspaces are there")
    parser.add_argument("--table", action="store_true", help="only print what there is")
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    documents = json.loads(DOCUMENTS.read_text(encoding="utf-8"))["documents"]
    sets = {}
    for name in arguments.sets.split(","):
        chosen = [document for document in documents if document["set"] == name]
        there = (arguments.work / f"{name}.frozen").is_file()
        path = prepare(name, chosen, {} if there else demo.find(arguments.corpus, chosen), arguments.work)
        parts = [some(items(path, split), most) for split, most in
                 (("train", arguments.train_items), ("dev", arguments.dev_items), ("test", arguments.test_items))]
        sets[name] = (path, *parts)
        demo.say(f"{name}: {', '.join(str(len(part)) for part in parts)} questions to train, select and test")
    if arguments.prepare:
        return
    wanted, seeds = arguments.variants.split(","), arguments.seeds.split(",")
    rows = {name: {variant: {} for variant in [BASE, *wanted]} for name in sets}
    seconds = {name: {} for name in sets}
    over = lambda: arguments.table or arguments.minutes and time.monotonic() - begun > 60 * arguments.minutes
    plans = {}
    for name, (path, *_) in sets.items():
        options = ["--base", arguments.base, "--preset", arguments.preset, "--threads", arguments.threads,
                   "--max-steps", arguments.max_steps, "--batch-size", arguments.batch_size]
        if arguments.learning_rate:
            options += ["--learning-rate", arguments.learning_rate]
        plans[name] = json.loads(demo.lexforge("train", path, *options, "--plan", "--json"))["settings"]

    def one(task):
        name, variant, seed = task
        path, train_part, dev_part, test_part = sets[name]
        label = f"{variant}-{seed}".replace("/", "").replace(" ", "-")
        if not (arguments.work / "scores" / f"{name}-{label}.jsonl").is_file() and over():
            return
        adapter, took = train(name, VARIANTS[variant], seed, plans[name], arguments, (train_part, dev_part))
        scored = score(name, label, adapter, arguments, test_part)
        right = answers(scored, test_part)
        rows[name][variant][seed] = right
        seconds[name].setdefault(variant, []).append(took)
        demo.say(f"{(time.monotonic() - begun) / 60:.1f} min: {name}, {variant}, seed {seed}: "
                 f"{sum(right) / len(right):.3f} ({took:.0f} s to train)")

    for name, (_, _, _, test_part) in sets.items():
        base = answers(score(name, BASE, None, arguments, test_part), test_part)
        rows[name][BASE] = {0: base}
        demo.say(f"{name}, base: {sum(base) / len(base):.3f}")
    # A seed of a set is one chain, since its variants share stages.
    chains = [[(name, variant, seed) for variant in wanted] for name in sets for seed in seeds]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for done in [pool.submit(lambda chain: [one(task) for task in chain], chain) for chain in chains]:
            done.result()

    rate = next(iter(plans.values()))["stages"][0]["learning_rate"]
    print(f"{datetime.date.today()}, base `{arguments.base}`, preset `{arguments.preset}`, at most {arguments.max_steps} steps "
          f"a stage of {arguments.batch_size} items, learning rate {rate}, {arguments.threads} thread(s), seeds {arguments.seeds}.")
    for name, (path, *parts) in sets.items():
        counts = f"Train {len(parts[0])}, dev {len(parts[1])}"
        controls = shortcuts(path, parts[2], score(name, BASE, None, arguments, parts[2]))
        print_table(name, parts[2], rows[name], controls, counts, seconds[name])
    if len(sets) > 1:
        # Clusters of different sets are different clusters.
        together = [{**item, "cluster": f"{name} {item['cluster']}"} for name, parts in sets.items() for item in parts[3]]
        pooled = {}
        for variant in [BASE, *wanted]:
            shared = [s for s in rows[next(iter(sets))][variant] if all(s in rows[name][variant] for name in sets)]
            pooled[variant] = {s: [v for name in sets for v in rows[name][variant][s]] for s in shared}
        print_table("All sets together", together, pooled, {}, "The sets above", {})


if __name__ == "__main__":
    main()
