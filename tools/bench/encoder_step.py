#!/usr/bin/env python3
"""What a step of tuning an encoder costs, against the trainer of Sentence Transformers (triplets) and Transformers (masked words).

    python3 tools/bench/encoder_step.py WORKER TRIPLETS.jsonl [--kinds mnr triplet mlm] [--steps 4 16] [--rounds 3] [--threads 2]

TRIPLETS.jsonl is what `lexforge triplets export` writes. Both sides tune all weights of all-MiniLM-L6-v2 (in LEXFORGE_MODELS or
~/.cache/lexforge/models) in fp32 on the processor, 16 items a step, texts of at most 128 tokens, AdamW; each side is a process of its own, in turn.
A side runs with few and with more steps; the difference is what its steps cost, without loading. Printed are processor time and clock
a step, their ratios, and the greatest memory over that of the loaded model. `mnr` compares with the positives and negatives of the whole batch,
`triplet` with its own negative alone; `mlm` masks 15 % of the tokens by whole words.

Needs torch and sentence-transformers; the product does not.
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = int(re.search(r"PROTOCOL_VERSION: u32 = (\d+)", (ROOT / "src-tauri/crates/domain/src/protocol/mod.rs").read_text())[1])
NAME, BATCH, LENGTH, RATE = "all-MiniLM-L6-v2", 16, 128, 5e-5


def models():
    return Path(os.environ.get("LEXFORGE_MODELS", Path.home() / ".cache/lexforge/models"))


def items(file, steps):
    lines = [json.loads(line) for line in Path(file).read_text().splitlines()]
    return (lines * (1 + steps * BATCH // len(lines)))[: steps * BATCH]


def job(kind, steps, threads):
    objective = {
        "mlm": {"kind": "masked_words", "share": 0.15, "pooling": "mean"},
        "mnr": {"kind": "triplets", "loss": "multiple_negatives", "temperature": 0.05, "pooling": "mean"},
        "triplet": {"kind": "triplets", "loss": "triplet", "temperature": 0.05, "pooling": "mean"},
    }[kind]
    stage = {"objective": objective, "epochs": 1, "batch_size": BATCH, "max_steps": steps, "learning_rate": RATE, "warmup_steps": 0,
             "decay": "constant", "weight_decay": 0.01, "max_grad_norm": 1.0}
    settings = {"tune": "all", "lora": {"r": 8, "alpha": 16.0, "dropout": 0.0, "targets": ["query"]}, "stages": [stage],
                "max_length": LENGTH, "precision": "fp32", "seed": 42, "threads": threads}
    return {"kind": "train", "model": {"name": NAME, "sha256": ""}, "train": "inputs/train.jsonl", "dev": "inputs/dev.jsonl",
            "settings": settings, "checkpoint_every": 0, "evaluate_every": 0,
            "lineage": {"dataset": "", "corpus": "", "graph_date": "", "policy": ""}}


def ours(arguments, kind, steps, folder):
    """Processor seconds, seconds, and greatest memory in MiB of a run of the worker."""
    bundle = Path(tempfile.mkdtemp(dir=folder))
    (bundle / "inputs").mkdir()
    rows = items(arguments.triplets, steps)
    if kind == "mlm":
        lines = [{"id": n, "anchor": n, "level": "sentence", "question": "", "answer": row["source"], "negatives": [], "answer_group": -1}
                 for n, row in enumerate(rows)]
    else:
        lines = [{"id": n, "group": n} | {key: row[key] for key in ("source", "positive", "negative")} for n, row in enumerate(rows)]
    (bundle / "inputs/train.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (bundle / "inputs/dev.jsonl").write_text("")
    (bundle / "job.json").write_text(json.dumps({"protocol_version": PROTOCOL, "job": job(kind, steps, arguments.threads)}))
    return measured([arguments.worker, "run", str(bundle), "--models", str(models())])


def loaded(arguments, folder):
    """The memory of a worker that has only loaded the model and read one short text."""
    bundle = Path(tempfile.mkdtemp(dir=folder))
    (bundle / "inputs").mkdir()
    (bundle / "inputs/texts.jsonl").write_text('{"text": "a"}\n')
    embed = {"kind": "embed", "model": {"name": NAME, "sha256": ""}, "input": "inputs/texts.jsonl", "output": "out.safetensors",
             "threads": arguments.threads}
    (bundle / "job.json").write_text(json.dumps({"protocol_version": PROTOCOL, "job": embed}))
    return measured([arguments.worker, "run", str(bundle), "--models", str(models())])[2]


def measured(command):
    began = time.monotonic()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said, stderr=said, env=os.environ | {"OMP_WAIT_POLICY": "passive"})
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            said.seek(0)
            sys.exit(said.read().decode(errors="replace"))
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def theirs(plan):
    """The other side, in a process of its own: prints its memory before the first step."""
    import torch
    torch.set_num_threads(plan["threads"])
    torch.manual_seed(42)
    rows = items(plan["triplets"], plan["steps"])
    at = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if plan["kind"] == "mlm":
        from transformers import AutoModelForMaskedLM, AutoTokenizer, DataCollatorForLanguageModeling, Trainer, TrainingArguments
        tokenizer = AutoTokenizer.from_pretrained(models() / NAME)
        model = AutoModelForMaskedLM.from_pretrained(models() / NAME)
        model.tie_weights()
        data = [tokenizer(row["source"], truncation=True, max_length=LENGTH) for row in rows]
        collator = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15, **plan["whole_words"])
        settings = TrainingArguments(plan["folder"], per_device_train_batch_size=BATCH, max_steps=plan["steps"], learning_rate=RATE,
                                     lr_scheduler_type="constant", weight_decay=0.01, report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True)
        print(at(), flush=True)
        Trainer(model=model, args=settings, train_dataset=data, data_collator=collator).train()
        return
    from datasets import Dataset
    from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments, losses
    model = SentenceTransformer(str(models() / NAME), device="cpu")
    model.max_seq_length = LENGTH
    loss = losses.MultipleNegativesRankingLoss(model) if plan["kind"] == "mnr" else losses.TripletLoss(model)
    data = Dataset.from_list([{"anchor": row["source"], "positive": row["positive"], "negative": row["negative"]} for row in rows])
    settings = SentenceTransformerTrainingArguments(plan["folder"], per_device_train_batch_size=BATCH, max_steps=plan["steps"], learning_rate=RATE,
                                                    lr_scheduler_type="constant", weight_decay=0.01, report_to=[], save_strategy="no", use_cpu=True,
                                                    disable_tqdm=True)
    print(at(), flush=True)
    SentenceTransformerTrainer(model=model, args=settings, train_dataset=data, loss=loss).train()


def other(arguments, kind, steps, folder):
    """As for ours, and its memory before the first step."""
    plan = {"kind": kind, "steps": steps, "threads": arguments.threads, "triplets": str(arguments.triplets), "folder": str(folder / "trainer"), "whole_words": {}}
    path, before = folder / "plan.json", folder / "before"
    path.write_text(json.dumps(plan))
    code = f"exec {sys.executable} {Path(__file__).resolve()} --side {path} > {before}"
    found = measured(["sh", "-c", code])
    return *found, float(before.read_text().split()[0])


def main():
    if "--side" in sys.argv:
        return theirs(json.loads(Path(sys.argv[-1]).read_text()))
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("worker")
    options.add_argument("triplets", type=Path)
    options.add_argument("--kinds", nargs="+", choices=["mnr", "triplet", "mlm"], default=["mnr", "triplet", "mlm"])
    options.add_argument("--steps", nargs=2, type=int, default=[4, 16], metavar=("FEW", "MORE"))
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--threads", type=int, default=2)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        floor = loaded(arguments, folder)
        for kind in arguments.kinds:
            compare(arguments, kind, folder, floor)


def compare(arguments, kind, folder, floor):
    few, more = arguments.steps
    times, peaks = {"ours": [], "theirs": []}, {"ours": [], "theirs": []}
    for _ in range(arguments.rounds):
        for name, run in (("ours", ours), ("theirs", other)):
            short, long = run(arguments, kind, few, folder), run(arguments, kind, more, folder)
            times[name].append([(b - a) / (more - few) for a, b in zip(short[:2], long[:2])])
            peaks[name].append(long[2] - (floor if name == "ours" else long[3]))
    middle = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in times.items()}
    for name in times:
        every = ", ".join(f"{row[0]:.2f}" for row in times[name])
        print(f"{kind} {name}: {middle[name][0]:.2f} s processor a step ({every}), {middle[name][1]:.2f} s clock, {max(peaks[name]):.0f} MiB over the loaded model")
    print(f"{kind}: {middle['theirs'][0] / middle['ours'][0]:.2f} x by processor, {middle['theirs'][1] / middle['ours'][1]:.2f} x by the clock, "
          f"{max(peaks['ours']) / max(peaks['theirs']):.2f} x the memory", flush=True)


if __name__ == "__main__":
    main()
