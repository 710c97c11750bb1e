#!/usr/bin/env python3
"""Compares the speed of a step of the joint recipe on an encoder (sentences and terms in one pass) with a plain PyTorch loop:
same items, same loss.

    cargo build -p lexforge-models
    tools/bench/joint_step.py --questions QUESTIONS.jsonl

QUESTIONS.jsonl is what `lexforge qca export WORKSPACE --json` gives. Settings are those of the preset `encoder-joint`: an adapter
of rank 16 on all linear layers, batches of 16, temperature .07, weights .4 and .6, at most 256 tokens; with --all-weights all
weights are trained. Questions about a term are used only if the term occurs exactly once in its rule and the article before it
need not change.

The other side is a loop in PyTorch over Transformers' BertModel: the distinct texts of a batch padded to the longest, one pass,
the mean over a text's or a term's tokens, both losses, one backward pass, clipping, fused AdamW. Its adapter is a few lines. The
loss of the first batch must agree. Rounds alternate (tools/bench/beside.py). Needs torch and transformers in the interpreter that
runs it (the product does not)."""

import json
import os
import random
import re
import shutil
import sys
from pathlib import Path

import beside

TEMPERATURE, WEIGHTS, RATE, SEED = 0.07, (0.4, 0.6), 5e-4, 42
RANK, ALPHA, DROPOUT, TARGETS = 16, 32.0, 0.05, ["query", "key", "value", "dense"]


def usable(row):
    """A question about sentences, or one about a term whose wrong sentences are plain to make."""
    if row["level"] == "sentence":
        return True
    term, text = row["choices"][row["answer"]], row.get("rephrased") or ""
    standing = rf"(?<![\w-]){re.escape(term)}(?![\w-])"
    once = all(len(re.findall(re.escape(term), t, re.IGNORECASE)) == 1 == len(re.findall(standing, t))
               for t in (text, row["anchor_text"]))
    article = re.search(rf"\b[Aa]n?\s+{re.escape(term)}", text)
    nested = any(term.lower() in other.lower() for n, other in enumerate(row["choices"]) if n != row["answer"])
    return once and not article and not nested and not text.startswith(term) and text.isascii() and row["anchor_text"].isascii()


def item_of(row):
    """An item as the worker reads it."""
    wrong = [choice for n, choice in enumerate(row["choices"]) if n != row["answer"]]
    return {"id": row["id"], "anchor": row["anchor_sentence"], "level": row["level"], "question": row["question"],
            "answer": row["choices"][row["answer"]], "negatives": wrong, "answer_group": -1, "rephrased": row.get("rephrased"),
            "rule": row["anchor_text"]}


# ---- the other side


class Loop:
    """The loop."""

    def __init__(self, plan):
        import torch
        from transformers import AutoModel, AutoTokenizer

        self.torch, self.plan = torch, plan
        torch.manual_seed(SEED)
        self.model = AutoModel.from_pretrained(plan["model"], dtype=torch.float32, attn_implementation="sdpa")
        self.tokenizer = AutoTokenizer.from_pretrained(plan["model"])
        self.model.train()
        for module in self.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        if not plan["all_weights"]:
            self.adapt()
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.trained, lr=RATE, weight_decay=0.01, fused=True)
        self.terms = {}
        self.items = [self.read(item) for item in plan["items"]]

    def adapt(self):
        """A low-rank adapter beside the linear layers."""
        torch = self.torch

        class Adapted(torch.nn.Module):
            def __init__(self, base):
                super().__init__()
                self.base, self.dropout = base, torch.nn.Dropout(DROPOUT)
                self.a = torch.nn.Parameter(torch.empty(RANK, base.in_features).uniform_(-1, 1) / base.in_features ** 0.5)
                self.b = torch.nn.Parameter(torch.zeros(base.out_features, RANK))

            def forward(self, x):
                return self.base(x) + self.dropout(x) @ self.a.T @ self.b.T * (ALPHA / RANK)

        for parameter in self.model.parameters():
            parameter.requires_grad_(False)
        for module in [m for name, m in self.model.named_modules() if "pooler" not in name]:
            for name, child in list(module.named_children()):
                if name in TARGETS and isinstance(child, torch.nn.Linear):
                    setattr(module, name, Adapted(child))

    def text(self, text, span=None):
        """Tokens of a text, and which of them are pooled."""
        read = self.tokenizer(text, truncation=True, max_length=self.plan["length"], return_offsets_mapping=True)
        ids = tuple(read["input_ids"])
        if span is None:
            return ids, (0, len(ids))
        inside = [n for n, (start, end) in enumerate(read["offset_mapping"]) if start < span[1] and end > span[0]]
        return ids, (inside[0], inside[-1] + 1)

    def read(self, item):
        """Level, anchor, group, question, answer and wrong choices of an item."""
        if item["level"] == "sentence":
            return (0, item["anchor"], None, self.text(item["question"]), self.text(item["answer"]),
                    [self.text(other) for other in item["negatives"]])
        term, sentence = item["answer"], item["rephrased"]

        def placed(text, word, at):
            return self.text(text, (at, at + len(word)))

        at = sentence.index(term)
        wrong = [placed(sentence[:at] + other + sentence[at + len(term):], other, at) for other in item["negatives"]]
        group = self.terms.setdefault(term.lower(), len(self.terms))
        return (1, item["anchor"], group, placed(item["rule"], term, item["rule"].index(term)), placed(sentence, term, at), wrong)

    def loss(self, items):
        torch = self.torch
        texts = {}
        for _, _, _, question, answer, wrong in items:
            for text in (question, answer, *wrong):
                texts.setdefault(text, len(texts))
        longest = max(len(ids) for ids, _ in texts)
        ids = torch.zeros(len(texts), longest, dtype=torch.long)
        mask = torch.zeros(len(texts), longest, dtype=torch.long)
        pooled = torch.zeros(len(texts), longest)
        for (tokens, (start, end)), row in texts.items():
            ids[row, :len(tokens)] = torch.tensor(tokens)
            mask[row, :len(tokens)] = 1
            pooled[row, start:end] = 1
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        vectors = torch.nn.functional.normalize((hidden * pooled[:, :, None]).sum(1) / pooled.sum(1, keepdim=True), dim=1)
        loss = 0.0
        for level, weight in enumerate(WEIGHTS):
            some = [(a, g, texts[q], texts[r], [texts[w] for w in wrong]) for l, a, g, q, r, wrong in items if l == level]
            if some:
                loss = loss + weight * self.contest(vectors, some)
        return loss

    def contest(self, vectors, items):
        """InfoNCE with the choices of all items of a level that cannot share an answer."""
        torch = self.torch
        inside = torch.zeros(len(items), len(vectors), dtype=torch.bool)
        for i, (anchor, group, question, answer, wrong) in enumerate(items):
            shares = [question == q or anchor == a or answer == r or (group is not None and group == g) for a, g, q, r, _ in items]
            for wanted in (False, True):
                for related, (_, _, _, r, w) in zip(shares, items):
                    if related == wanted:
                        inside[i, [r, *w]] = not wanted
            inside[i, question] = False
            inside[i, [answer, *wrong]] = True
        scores = vectors[[q for _, _, q, _, _ in items]] @ vectors.T / TEMPERATURE
        right = scores[torch.arange(len(items)), [r for _, _, _, r, _ in items]]
        return (scores.masked_fill(~inside, float("-inf")).logsumexp(1) - right).mean()

    def step(self, items):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(items)
        loss.backward()
        self.torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimizer.step()
        return loss.item()


def theirs(plan):
    import torch
    import transformers

    rounds = beside.Rounds()
    torch.set_num_threads(plan["threads"])
    transformers.utils.logging.set_verbosity_error()
    loop = Loop(plan)
    rounds.wait()
    with torch.no_grad():
        loop.model.eval()
        rounds.losses.append(loop.loss(loop.items[:plan["batch"]]).item())
        loop.model.train()
    rounds.done()
    order = list(range(len(loop.items)))
    random.Random(SEED).shuffle(order)
    rounds.wait()
    for start in range(0, len(order), plan["batch"]):
        rounds.stepped(loop.step([loop.items[n] for n in order[start:start + plan["batch"]]]))


def job_of(arguments, items, steps):
    objective = {"kind": "joint", "temperature": TEMPERATURE, "sentence": WEIGHTS[0], "token": WEIGHTS[1], "pooling": "mean"}
    stage = {"objective": objective, "epochs": 1, "batch_size": arguments.batch, "micro_batch": None, "max_steps": steps,
             "learning_rate": RATE, "warmup_steps": 0, "decay": "linear", "weight_decay": 0.01, "max_grad_norm": 1.0,
             "patience": None}
    lora = {"r": RANK, "alpha": ALPHA, "dropout": DROPOUT, "targets": TARGETS}
    if arguments.all_weights:
        lora = {"r": 0, "alpha": 0.0, "dropout": 0.0, "targets": []}
    return {
        "kind": "train", "model": {"name": arguments.model, "sha256": ""}, "train": "inputs/train.jsonl",
        "dev": "inputs/dev.jsonl", "replay": None, "adapter": None,
        "settings": {"tune": "all" if arguments.all_weights else "lora", "lora": lora, "stages": [stage],
                     "max_length": arguments.length, "precision": "fp32", "seed": SEED, "threads": arguments.threads},
        "checkpoint_every": 10_000, "evaluate_every": 10_000,
        "lineage": {"dataset": "", "corpus": "", "graph_date": "", "policy": ""}}, {"train.jsonl": items, "dev.jsonl": []}


def main():
    parser = beside.options(__doc__)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=256, help="most tokens of a text")
    parser.add_argument("--warm", type=int, default=2, help="steps before the first round")
    parser.add_argument("--steps", type=int, default=5, help="steps of a round")
    parser.add_argument("--all-weights", action="store_true", help="train all weights instead of an adapter, on both sides")
    arguments = parser.parse_args()
    if arguments.side:
        theirs(json.loads(Path(arguments.side).read_text()))
        return
    if not arguments.questions:
        parser.error("--questions is missing")
    rows = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if usable(row)]
    random.Random(SEED).shuffle(rows)
    if min(arguments.warm, arguments.steps) < 2:
        parser.error("a round has two steps at least")
    # One epoch on both sides; the worker may make a step or two more in a round.
    steps = arguments.warm + arguments.rounds * (arguments.steps + 2) + 2
    items = [item_of(row) for row in rows][:steps * arguments.batch]
    if len(items) < steps * arguments.batch:
        sys.exit(f"only {len(items)} items for {steps} steps")
    work = arguments.work / "joint"
    shutil.rmtree(work, ignore_errors=True)
    terms = sum(item["level"] == "token" for item in items)
    print(f"{len(items)} items, {terms} of them about a term, batches of {arguments.batch}, "
          f"{'all weights' if arguments.all_weights else 'an adapter'}, {arguments.threads} threads, load {os.getloadavg()[0]:.1f}",
          flush=True)
    worker = beside.Worker(arguments)
    worker.whole(work / "first", *job_of(arguments, items[:arguments.batch], 1))
    events = map(json.loads, (work / "first/events.jsonl").read_text().splitlines())
    loss = next(e["loss"] for e in events if e["event"] == "progress" and e.get("loss") is not None)
    plan = {"model": str(arguments.models / arguments.model), "items": items, "batch": arguments.batch, "length": arguments.length,
            "threads": arguments.threads, "all_weights": arguments.all_weights}
    other = beside.Theirs(__file__, plan, work / "theirs", arguments.threads)
    of_other = other.steps(1)["losses"][0]
    print(f"loss of the first batch: ours {loss:.6f}, theirs {of_other:.6f}", flush=True)
    if abs(loss - of_other) > 1e-4:
        sys.exit("the losses differ: the two sides do not compute the same")
    job, inputs = job_of(arguments, items, steps)
    sides = {"ours": beside.Training(worker, work / "ours", job, inputs), "theirs": other}
    for side in sides.values():
        side.steps(arguments.warm)
    beside.compare(sides, arguments.rounds, arguments.steps)
    for side in sides.values():
        side.end()


if __name__ == "__main__":
    main()
