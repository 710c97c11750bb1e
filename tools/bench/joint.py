#!/usr/bin/env python3
"""Measures how much each level improves an encoder that learns both levels in one pass: sentences alone, terms alone, both
(docs/methods.md, 'Training').

    cargo build --locked -p lexforge-cli -p lexforge-parser -p lexforge-models
    tools/bench/joint.py --corpus FOLDER [--seeds 42,43,44] [--steps 160] [--minutes 30]

FOLDER is searched for the General Data Protection Regulation by its SHA-256 (tools/bench/ablation.json). It becomes a workspace
with a frozen snapshot under --work. For each seed `lexforge train --preset encoder-joint --sweep weights=…` trains the variants
on all-MiniLM-L6-v2; the test questions are then answered by the cosine of question and choice. Existing results are not computed
again, so an interrupted run can continue. The standard output is a Markdown table of all results so far.

Intervals and p-values are those of tools/bench/ablation.py: whole clusters, mean over items and seeds.
"""
import argparse
import datetime
import importlib.machinery
import importlib.util
import json
import pathlib
import sqlite3
import struct
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("ablation", str(ROOT / "tools" / "bench" / "ablation.py"))
ablation = importlib.util.module_from_spec(importlib.util.spec_from_loader("ablation", loader))
loader.exec_module(ablation)
demo = ablation.demo

SET = "privacy"
MODEL = "all-MiniLM-L6-v2"
# Name → weights of sentences and terms.
VARIANTS = {"both": ".4/.6", "sentences": "1/0", "terms": "0/1"}
ablation.FULL = "both"
ablation.TITLES = {"both": "both levels, .4 and .6", "sentences": "sentences alone", "terms": "terms alone"}


def vectors(path):
    """Rows of the tensor that an embedding job wrote."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    tensor = json.loads(data[8:8 + length])["embeddings"]
    rows, width = tensor["shape"]
    begin = 8 + length + tensor["data_offsets"][0]
    values = struct.unpack(f"<{rows * width}f", data[begin:begin + 4 * rows * width])
    return [values[i * width:(i + 1) * width] for i in range(rows)]


def credits(label, adapter, arguments, questions):
    """1 for each question whose right choice is the nearest to it, shared among equals."""
    target = arguments.work / "vectors" / f"{label}.safetensors"
    texts = [text for item in questions for text in (item["question"]["question"], *item["question"]["choices"])]
    if not target.is_file():
        job = {"kind": "embed", "model": {"name": MODEL, "sha256": ""}, "input": "inputs/texts.jsonl",
               "output": "vectors.safetensors", "normalize": True, "threads": arguments.threads}
        ablation.work(arguments, job, {"texts.jsonl": [{"text": text} for text in texts]}, adapter, target)
    rows, out, at = vectors(target), [], 0
    if len(rows) != len(texts):
        sys.exit(f"error: {target} belongs to other questions\nhint: remove it")
    for item in questions:
        n = len(item["question"]["choices"])
        asked, choices = rows[at], rows[at + 1:at + 1 + n]
        at += 1 + n
        scores = [sum(a * b for a, b in zip(asked, choice)) for choice in choices]
        out.append(ablation.credit(scores, item["question"]["answer"]))
    return out


def adapters(path, seed, arguments):
    """Folder of each variant's adapter and the minutes that it took, from a sweep that goes on where it was."""
    sweep = json.loads(demo.lexforge(
        "train", path, "--preset", "encoder-joint", "--seed", seed, "--max-steps", arguments.steps, "--threads",
        arguments.threads, "--sweep", "weights=" + ",".join(VARIANTS.values()), "--json"))
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    bundles = dict(database.execute("SELECT id, bundle FROM run").fetchall())
    database.close()
    found = {}
    for variant, row in zip(VARIANTS, sweep["rows"], strict=True):
        if row["dev"] is None:
            sys.exit(f"failed: {variant}, seed {seed}: {row['failure']}")
        bundle = path.with_name(path.name + ".artifacts") / bundles[row["run"]]
        result = json.loads((bundle / "result.json").read_text(encoding="utf-8"))
        found[variant] = (bundle / result["adapter"], 60 * row["minutes"], row["dev"]["value"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "joint")
    parser.add_argument("--seeds", default="42,43,44")
    parser.add_argument("--steps", type=int, default=160)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="begin no seed after so many; 0 = no limit")
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    documents = json.loads(ablation.DOCUMENTS.read_text(encoding="utf-8"))["documents"]
    chosen = [document for document in documents if document["set"] == SET]
    there = (arguments.work / f"{SET}.frozen").is_file()
    path = ablation.prepare(SET, chosen, {} if there else demo.find(arguments.corpus, chosen), arguments.work)
    parts = {split: ablation.items(path, split) for split in ("train", "dev", "test")}
    test = parts["test"]
    demo.say(", ".join(f"{split} {len(part)}" for split, part in parts.items()))
    rows = {ablation.BASE: {0: credits("base", None, arguments, test)}, **{variant: {} for variant in VARIANTS}}
    seconds = {}
    for seed in arguments.seeds.split(","):
        if arguments.minutes and time.monotonic() - begun > 60 * arguments.minutes:
            demo.say(f"seed {seed} and what follows is left for another time")
            break
        for variant, (adapter, took, dev) in adapters(path, seed, arguments).items():
            right = credits(f"{variant}-{seed}", adapter, arguments, test)
            rows[variant][seed] = right
            seconds.setdefault(variant, []).append(took)
            demo.say(f"{(time.monotonic() - begun) / 60:.1f} min: {variant}, seed {seed}: dev {dev:.3f}, "
                     f"test {sum(right) / len(right):.3f} ({took:.0f} s to train)")
    made = sorted({seed for seeds in rows.values() for seed in seeds if seed})
    print(f"{datetime.date.today()}, `{MODEL}`, preset `encoder-joint`, at most {arguments.steps} steps of 16 items, "
          f"{arguments.threads} thread(s), seeds {', '.join(made)}.")
    counts = f"Train {len(parts['train'])}, dev {len(parts['dev'])}"
    for title, level in (("All questions", None), ("Questions about sentences", "sentence"), ("Questions about terms", "token")):
        places = [i for i, item in enumerate(test) if level in (None, item["question"]["level"])]
        if not places:
            print(f"\n### {title}\n\nThere is none in the test part.")
            continue
        some = [test[i] for i in places]
        of = {variant: {seed: [right[i] for i in places] for seed, right in seeds.items()} for variant, seeds in rows.items()}
        controls = {"chance": [1 / len(item["question"]["choices"]) for item in some],
                    "longest choice": [ablation.credit([len(c) for c in item["question"]["choices"]], item["question"]["answer"])
                                       for item in some]}
        ablation.print_table(title, some, of, controls, counts, seconds)


if __name__ == "__main__":
    main()
