#!/usr/bin/env python3
"""Compares the speed of tuning an encoder with the trainers of sentence-transformers and Transformers: same texts, same loss,
same threads.

    cargo build -p lexforge-models
    tools/bench/encoder_steps.py pairs
    tools/bench/encoder_steps.py triplets
    tools/bench/encoder_steps.py mlm

`pairs`: questions and passages, compared with `MultipleNegativesRankingLoss` and `SentenceTransformerTrainer`. `triplets`: the
same with a wrong passage for each question, compared with the same loss on three columns. `mlm`: masked whole words, compared
with Transformers' `Trainer` and its collator for masked language modelling. Texts are those of retrieval-adgm-train and
retrieval-obliqa below --data.

All weights are trained, or with --lora an adapter (sentence-transformers adds it with PEFT). Dropout is off on both sides,
because the worker has none when all weights are trained; with --dropout the other side keeps its own dropout. The losses of the
first batch must agree, except for `mlm`, where masks are random. Rounds alternate (tools/bench/beside.py). Needs torch,
sentence-transformers, transformers, datasets, accelerate and, with --lora, peft in the interpreter that runs it (the product does
not)."""

import json
import os
import random
import shutil
import sys
from pathlib import Path

import beside

RATE, TEMPERATURE, SEED = 5e-5, 0.05, 42
TARGETS, RANK = ["query", "key", "value", "dense"], 32
MASKED = 0.15


def texts_of(data, what, count):
    """The given number of items: a question, its passage and, for triplets, a passage of the same document that does not answer
    it. No text occurs twice, so no negative can be right by chance."""
    passages, of_document = {}, {}
    for path in sorted((data / "retrieval-obliqa/StructuredRegulatoryDocuments").glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            text = row["Passage"].strip()
            if len(text) > 60:
                passages[row["ID"]] = (text, row["DocumentID"])
                of_document.setdefault(row["DocumentID"], []).append(text)
    draw = random.Random(SEED)
    if what == "mlm":
        return draw.sample(sorted({text for text, _ in passages.values()}), count)
    seen, rows = set(), []
    for line in (data / "retrieval-adgm-train/questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = [passages[p] for p in row["passage_ids"] if p in passages]
        if not found or found[0][0] in seen or row["question"] in seen:
            continue
        texts = [row["question"], found[0][0]]
        if what == "triplets":
            others = [text for text in of_document[found[0][1]] if text not in seen and text != found[0][0]]
            if not others:
                continue
            texts.append(draw.choice(others))
        seen.update(texts)
        rows.append(texts)
    # A wrong passage that is another question's right one would be one text on one side and two on the other.
    if what == "triplets":
        right = {row[1] for row in rows}
        rows = [row for row in rows if row[2] not in right]
    draw.shuffle(rows)
    if len(rows) < count:
        sys.exit(f"only {len(rows)} items")
    return rows[:count]


# ---- the worker


def job_of(arguments, items, steps):
    """The worker's job, and its files."""
    objective, passages = {"temperature": TEMPERATURE, "pooling": "mean"}, None
    if arguments.what == "pairs":
        # No mined negatives and no doubt about others: those of the batch alone, as in the other side's loss.
        objective |= {"kind": "retrieval", "negatives": 0, "drawn_from": 1, "too_alike": sys.float_info.max}
        train = [{"id": str(n), "question": question, "clauses": [n], "by_words": []} for n, (question, _) in enumerate(items)]
        passages = [{"text": passage, "clause": n} for n, (_, passage) in enumerate(items)]
    elif arguments.what == "triplets":
        objective |= {"kind": "triplets", "loss": "multiple_negatives"}
        train = [{"id": n, "group": n, "source": a, "positive": b, "negative": c} for n, (a, b, c) in enumerate(items)]
    else:
        objective = {"kind": "masked_words", "share": MASKED, "pooling": "mean"}
        train = [{"id": n, "anchor": n, "question": "", "answer": "", "negatives": [], "answer_group": n, "rephrased": None,
                  "rule": text} for n, text in enumerate(items)]
    stage = {"objective": objective, "epochs": 1, "batch_size": arguments.batch, "micro_batch": None, "max_steps": steps,
             "learning_rate": RATE, "warmup_steps": 0, "decay": "linear", "weight_decay": 0.01, "max_grad_norm": 1.0,
             "patience": None}
    lora = {"r": RANK, "alpha": 2.0 * RANK, "dropout": 0.0, "targets": TARGETS} if arguments.lora else {
        "r": 0, "alpha": 0.0, "dropout": 0.0, "targets": []}
    inputs = {"train.jsonl": train, "dev.jsonl": []} | ({"passages.jsonl": passages} if passages else {})
    return {
        "kind": "train", "model": {"name": arguments.model, "sha256": ""}, "train": "inputs/train.jsonl",
        "dev": "inputs/dev.jsonl", "passages": "inputs/passages.jsonl" if passages else None, "replay": None, "adapter": None,
        "settings": {"tune": "lora" if arguments.lora else "all", "lora": lora, "stages": [stage],
                     "max_length": arguments.length, "precision": "fp32", "seed": SEED, "threads": arguments.threads},
        "checkpoint_every": 10_000, "evaluate_every": 10_000,
        "lineage": {"dataset": "", "corpus": "", "graph_date": "", "policy": ""}}, inputs


# ---- the other side


def theirs(plan):
    import torch
    import transformers

    torch.set_num_threads(plan["threads"])
    transformers.utils.logging.set_verbosity_error()
    settings = {
        "output_dir": plan["work"], "per_device_train_batch_size": plan["batch"], "max_steps": plan["steps"], "learning_rate": RATE,
        "warmup_steps": 0, "weight_decay": 0.01, "max_grad_norm": 1.0, "save_strategy": "no", "report_to": "none",
        "logging_strategy": "steps", "logging_steps": 1, "disable_tqdm": True, "use_cpu": True, "seed": SEED,
        "lr_scheduler_type": "linear"}
    kind = tuned_for_words if plan["what"] == "mlm" else tuned_for_vectors
    rounds, trainer, model, first = kind(plan, settings)
    if not plan["dropout"]:
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0

    class Stepped(transformers.TrainerCallback):
        def on_log(self, args, state, control, logs=None, **kwargs):
            # After each step, with its loss.
            if logs and "loss" in logs:
                rounds.stepped(float(logs["loss"]))

    trainer.add_callback(Stepped())
    trainer.remove_callback(transformers.PrinterCallback)
    rounds.wait()
    rounds.losses.append(first())
    rounds.done()
    rounds.wait()
    trainer.train()


def data_of(columns):
    """Columns as the trainers read them; with a fingerprint, since some versions of the library cannot make one."""
    from datasets import Dataset
    from datasets.table import InMemoryTable

    return Dataset(InMemoryTable.from_pydict(columns), fingerprint="items")


def tuned_for_vectors(plan, settings):
    import torch
    from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
    if plan["lora"]:
        import peft
    rounds = beside.Rounds()
    model = SentenceTransformer(plan["model"], device="cpu")
    model.max_seq_length = plan["length"]
    if plan["lora"]:
        model.add_adapter(peft.LoraConfig(r=RANK, lora_alpha=2 * RANK, lora_dropout=0.0, target_modules=TARGETS))
    names = ["anchor", "positive", "negative"][:len(plan["items"][0])]
    data = data_of({name: [item[n] for item in plan["items"]] for n, name in enumerate(names)})
    loss = MultipleNegativesRankingLoss(model, scale=1 / TEMPERATURE)
    trainer = SentenceTransformerTrainer(model=model, args=SentenceTransformerTrainingArguments(**settings), train_dataset=data,
                                         loss=loss)

    def first():
        with torch.no_grad():
            model.eval()
            columns = [model.preprocess([item[n] for item in plan["items"][:plan["batch"]]]) for n in range(len(names))]
            return loss(columns, None).item()

    return rounds, trainer, model, first


def tuned_for_words(plan, settings):
    import transformers

    rounds = beside.Rounds()
    model = transformers.AutoModelForMaskedLM.from_pretrained(plan["model"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(plan["model"])
    data = data_of(dict(tokenizer(plan["items"], truncation=True, max_length=plan["length"])))
    collator = transformers.DataCollatorForLanguageModeling(tokenizer, mlm_probability=MASKED)
    trainer = transformers.Trainer(model=model, args=transformers.TrainingArguments(**settings), train_dataset=data,
                                   data_collator=collator)
    return rounds, trainer, model, lambda: float("nan")


def main():
    parser = beside.options(__doc__)
    parser.add_argument("what", nargs="?", choices=["pairs", "triplets", "mlm"])
    parser.add_argument("--data", type=Path, default=beside.ROOT.parent / "shared/data")
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--length", type=int, default=128, help="most tokens of a text")
    parser.add_argument("--warm", type=int, default=2, help="steps before the first round")
    parser.add_argument("--steps", type=int, default=10, help="steps of a round")
    parser.add_argument("--lora", action="store_true", help="train an adapter instead of all weights, on both sides")
    parser.add_argument("--dropout", action="store_true", help="the other side keeps its dropout")
    arguments = parser.parse_args()
    if arguments.side:
        theirs(json.loads(Path(arguments.side).read_text()))
        return
    if not arguments.what:
        parser.error("what is to be measured is missing")
    if min(arguments.warm, arguments.steps) < 2:
        parser.error("a round has two steps at least")
    # One epoch on both sides; the worker may make a step or two more in a round.
    steps = arguments.warm + arguments.rounds * (arguments.steps + 2) + 2
    items = texts_of(arguments.data, arguments.what, steps * arguments.batch)
    work = arguments.work / arguments.what
    shutil.rmtree(work, ignore_errors=True)
    print(f"{arguments.what}: {len(items)} items, batches of {arguments.batch}, at most {arguments.length} tokens, "
          f"{'an adapter' if arguments.lora else 'all weights'}, {arguments.threads} threads, load {os.getloadavg()[0]:.1f}",
          flush=True)
    worker = beside.Worker(arguments)
    # One batch of which nothing is drawn but its order.
    worker.whole(work / "first", *job_of(arguments, items[:arguments.batch], 1))
    events = (work / "first/events.jsonl").read_text().splitlines()
    loss = next(e["loss"] for e in map(json.loads, events) if e["event"] == "progress" and e.get("loss") is not None)
    plan = {"what": arguments.what, "model": str(arguments.models / arguments.model), "items": items, "steps": steps,
            "batch": arguments.batch, "length": arguments.length, "threads": arguments.threads, "lora": arguments.lora,
            "dropout": arguments.dropout, "work": str(work / "out")}
    other = beside.Theirs(__file__, plan, work / "theirs", arguments.threads)
    of_other = other.steps(1)["losses"][0]
    print(f"loss of the first batch: ours {loss:.6f}, theirs {of_other:.6f}", flush=True)
    if arguments.what != "mlm" and abs(loss - of_other) > 1e-4:
        sys.exit("the losses differ: the two sides do not compute the same")
    job, inputs = job_of(arguments, items, steps)
    sides = {"ours": beside.Training(worker, work / "ours", job, inputs), "theirs": other}
    for side in sides.values():
        side.steps(arguments.warm)
    found = beside.compare(sides, arguments.rounds, arguments.steps)
    for name, answers in found.items():
        print(f"{name}: losses " + ", ".join(f"{loss:.3f}" for answer in answers for loss in answer["losses"]))
    for side in sides.values():
        side.end()


if __name__ == "__main__":
    main()
