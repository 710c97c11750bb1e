#!/usr/bin/env python3
"""Compares the speed of an epoch of the three stages (SFT, sentence, token) with Transformers + PEFT, which use dynamic padding
and length grouping. There are 500 questions of different lengths; weights, items and settings are the same. Both sides run each
stage in turn, in one run.

    cargo build -p lexforge-models --example epoch
    tools/bench/epoch.py --questions QUESTIONS.jsonl

QUESTIONS.jsonl is what `lexforge qca export WORKSPACE --json` gives of a workspace with at least 250 questions of each
level. The model is a Qwen3 of 30 million random weights with the demonstration decoder's tokenizer. Needs torch,
transformers, peft and safetensors in the interpreter that runs it (the product does not).

The other side does what a well-written training script does: Batches are padded to their longest text and grouped by length (as
by Transformers' `group_by_length`: runs of 50 batches, sorted), with attention masks, positions, and logits for all tokens. The
sentence stage reads the distinct texts of a batch. The token stage reads the question with the right sentence, and the question
with each wrong sentence. The losses of the first items, without dropout, must agree."""

import argparse
import importlib.util
import json
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("lora_step", ROOT / "tools" / "bench" / "lora_step.py")
lora_step = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lora_step)

NAMES = ["sft", "sentence", "token"]
FIRST = 8


def stage(objective, batch):
    return {"objective": objective, "epochs": 1, "batch_size": batch, "micro_batch": None, "learning_rate": 1e-4,
            "warmup_steps": 0, "decay": "linear", "max_grad_norm": 1.0, "weight_decay": 0.01, "max_steps": None,
            "patience": None}


def make(folder, arguments):
    """Model folder with random weights, the items, the plan."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    model = folder / "model"
    shutil.copytree(ROOT / "models" / "demo", model)
    config = {**lora_step.CONFIG, **{key: value for key, value in json.loads((model / "config.json").read_text()).items()
                                     if key in ("vocab_size", "eos_token_id", "bos_token_id", "pad_token_id")}}
    torch.manual_seed(7)
    decoder = Qwen3ForCausalLM(Qwen3Config(**config))
    decoder.save_pretrained(model)
    (model / "config.json").write_text(json.dumps(config))
    rows = [json.loads(line) for line in Path(arguments.questions).read_text(encoding="utf-8").splitlines()]
    draw = random.Random(1)
    draw.shuffle(rows)
    lines, counts = [], {"sentence": 0, "token": 0}
    for row in rows:
        if counts[row["level"]] < arguments.items // 2 and (row["level"] == "sentence" or row.get("rephrased")):
            counts[row["level"]] += 1
            lines.append({
                "id": row["id"], "anchor": row["anchor_sentence"], "level": row["level"], "question": row["question"],
                "answer": row["choices"][row["answer"]], "answer_group": -1, "rephrased": row.get("rephrased"),
                "rule": "", "negatives": [c for i, c in enumerate(row["choices"]) if i != row["answer"]],
            })
    if min(counts.values()) < arguments.items // 2:
        sys.exit(f"too few questions: {counts}")
    (folder / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    sentence = {"kind": "sentence", "temperature": 0.05, "in_batch": True, "pool": "batch", "pooling": "mean",
                "instruction": "", "all_levels": False}
    batch = arguments.batch
    return {
        "model": str(model), "items": str(folder / "items.jsonl"), "threads": arguments.threads, "seed": 42,
        "max_length": 512, "first": FIRST,
        "stages": [stage({"kind": "sft", "form": "open", "replay": 0.0}, batch), stage(sentence, batch),
                   stage({"kind": "token", "loss": "candidates"}, batch)],
        "lora": {"r": 16, "alpha": 32.0, "dropout": 0.05, "targets": ["all-linear"]},
        "parameters": sum(p.numel() for p in decoder.parameters()),
    }


class Theirs:
    """The other side."""

    def __init__(self, plan):
        import torch
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModelForCausalLM

        self.torch, self.plan = torch, plan
        torch.set_num_threads(plan["threads"])
        torch.manual_seed(42)
        model = AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32, attn_implementation="sdpa")
        lora = plan["lora"]
        self.model = get_peft_model(model, LoraConfig(
            r=lora["r"], lora_alpha=lora["alpha"], lora_dropout=lora["dropout"], target_modules="all-linear",
            task_type="CAUSAL_LM"))
        self.model.train()
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        self.stages = json.loads(Path(plan["tokens"]).read_text())
        self.losses = [self.answers, self.comparisons, self.terms]

    def padded(self, texts, bidirectional=False):
        """Inputs of texts, padded on the right."""
        torch = self.torch
        longest = max(len(text) for text in texts)
        ids = torch.zeros(len(texts), longest, dtype=torch.long)
        mask = torch.zeros(len(texts), longest, dtype=torch.long)
        for row, text in enumerate(texts):
            ids[row, :len(text)] = torch.tensor(text)
            mask[row, :len(text)] = 1
        if not bidirectional:
            return ids, mask, mask
        seen = mask.bool()[:, None, None, :].expand(-1, 1, longest, -1)
        additive = torch.zeros(seen.shape).masked_fill(~seen, torch.finfo(torch.float32).min)
        return ids, mask, additive

    def answers(self, items):
        torch = self.torch
        ids, _, mask = self.padded([item["ids"] for item in items])
        logits = self.model(input_ids=ids, attention_mask=mask, use_cache=False).logits
        learnt = torch.zeros_like(ids, dtype=torch.bool)
        for row, item in enumerate(items):
            learnt[row, max(item["answer"], 1):len(item["ids"])] = True
        logs = -torch.nn.functional.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
        learnt = learnt[:, 1:].float()
        return -((logs * learnt).sum(1) / learnt.sum(1)).mean()

    def comparisons(self, items):
        torch = self.torch
        texts, number = [], {}

        def of(text):
            key = tuple(text["ids"]), tuple(text["pooled"])
            if key not in number:
                number[key] = len(texts)
                texts.append(text)
            return number[key]

        rows = [(of(item["question"]), [of(choice) for choice in item["choices"]]) for item in items]
        ids, mask, additive = self.padded([text["ids"] for text in texts], bidirectional=True)
        base = self.model.get_base_model().model
        hidden = base(input_ids=ids, attention_mask=additive, use_cache=False).last_hidden_state
        pooled = mask.float()
        vectors = torch.nn.functional.normalize((hidden * pooled[:, :, None]).sum(1) / pooled.sum(1, keepdim=True), dim=1)
        inside = torch.zeros(len(items), len(texts), dtype=torch.bool)
        for i, (item, (question, choices)) in enumerate(zip(items, rows)):
            shares = [other["anchor"] == item["anchor"] or q == question or c[0] == choices[0]
                      for other, (q, c) in zip(items, rows)]
            for related, (_, c) in zip(shares, rows):
                if not related:
                    inside[i, c] = True
            for related, (_, c) in zip(shares, rows):
                if related:
                    inside[i, c] = False
            inside[i, choices] = True
        scores = vectors[[question for question, _ in rows]] @ vectors.T / 0.05
        total = scores.masked_fill(~inside, float("-inf")).logsumexp(1)
        right = scores[torch.arange(len(items)), [choices[0] for _, choices in rows]]
        return (total - right).mean()

    def terms(self, items):
        torch = self.torch
        texts = [text for item in items for text in [item["ids"], *(wrong["ids"] for wrong in item["wrong"])]]
        ids, _, mask = self.padded(texts)
        logits = self.model(input_ids=ids, attention_mask=mask, use_cache=False).logits
        logs = torch.nn.functional.log_softmax(logits[:, :-1].float(), -1)
        logs = logs.gather(2, ids[:, 1:, None]).squeeze(2)  # [texts, tokens − 1]: of the next token
        loss, row = 0.0, 0
        for item in items:
            k = len(item["wrong"])
            first = max(item["answer"], 1)
            loss = loss - logs[row, first - 1:len(item["ids"]) - 1].mean()
            scores = [logs[row, item["scored"][0] - 1:item["scored"][1] - 1].sum()]
            for n, wrong in enumerate(item["wrong"]):
                scores.append(logs[row + n + 1, wrong["scored"][0] - 1:wrong["scored"][1] - 1].sum())
                at = wrong["divergence"]
                rows = logits[row, at - 1].float()
                others = rows.masked_fill(torch.arange(rows.numel()) == wrong["ids"][at], float("-inf"))
                loss = loss - (others.logsumexp(0) - rows.logsumexp(0)) / k
            loss = loss - torch.log_softmax(torch.stack(scores), 0)[0]
            row += k + 1
        return loss / len(items)

    def length(self, item):
        if "question" in item:
            return max(len(text["ids"]) for text in [item["question"], *item["choices"]])
        return len(item["ids"])

    def epoch(self, number):
        torch = self.torch
        spec, items = self.plan["stages"][number], self.stages[number]
        optimizer = torch.optim.AdamW(self.trained, lr=spec["learning_rate"], weight_decay=spec["weight_decay"], fused=True)
        size = spec["batch_size"]
        order = torch.randperm(len(items)).tolist()
        grouped = []
        for start in range(0, len(order), 50 * size):
            grouped += sorted(order[start:start + 50 * size], key=lambda i: -self.length(items[i]))
        batches = [grouped[start:start + size] for start in range(0, len(grouped), size)]
        random.Random(number).shuffle(batches)
        began, processor = time.perf_counter(), time.process_time()
        losses = []
        for batch in batches:
            optimizer.zero_grad(set_to_none=True)
            loss = self.losses[number]([items[i] for i in batch])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.trained, spec["max_grad_norm"])
            optimizer.step()
            losses.append(loss.item())
        return {"wall": time.perf_counter() - began, "processor": time.process_time() - processor,
                "loss": sum(losses) / len(losses), "peak_mb": lora_step.status_mb("VmHWM:")}

    def serve(self):
        print(json.dumps({"items": [len(stage) for stage in self.stages]}), flush=True)
        for line in sys.stdin:
            word, number = line.split()
            if word == "first":
                # Without a gradient: only the value is compared.
                with self.torch.no_grad():
                    answer = {"loss": self.losses[int(number)](self.stages[int(number)][:FIRST]).item()}
            else:
                answer = self.epoch(int(number))
            print(json.dumps(answer), flush=True)


class Side(lora_step.Side):
    """One side's process, asked by words."""

    def ask(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self.answer()


def sides(arguments, plan, folder):
    path = folder / f"plan-{plan['lora']['dropout']}.json"
    path.write_text(json.dumps(plan))
    return {"ours": Side([arguments.ours, str(path)]),
            "theirs": Side([sys.executable, str(Path(__file__).resolve()), "--side", str(path)])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--ours", default=str(target / "debug/examples/epoch"), help="the built example")
    parser.add_argument("--questions")
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--side", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        Theirs(json.loads(Path(arguments.side).read_text())).serve()
        return
    if not arguments.questions:
        parser.error("--questions is missing")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        plan = make(folder, arguments)
        (folder / "plan.json").write_text(json.dumps(plan))
        tokens = lora_step.subprocess.run([arguments.ours, str(folder / "plan.json"), "tokens"], check=True,
                                          stdout=lora_step.subprocess.PIPE).stdout
        (folder / "tokens.json").write_bytes(tokens)
        plan["tokens"] = str(folder / "tokens.json")
        lengths = [sorted(len(item["ids"] if "ids" in item else item["question"]["ids"]) for item in stage)
                   for stage in json.loads(tokens)]
        print(f"{plan['parameters'] / 1e6:.1f} M parameters, batches of {arguments.batch}, {arguments.threads} threads, load "
              f"{os.getloadavg()[0]:.2f}; tokens of a stage's texts, least, median and most: "
              + ", ".join(f"{n} {l[0]} {l[len(l) // 2]} {l[-1]}" for n, l in zip(NAMES, lengths)), flush=True)
        still = {**plan, "lora": {**plan["lora"], "dropout": 0.0}}
        pair = sides(arguments, still, folder)
        for number, name in enumerate(NAMES):
            first = {side: pair[side].ask(f"first {number}")["loss"] for side in pair}
            print(f"{name}: loss of the first {FIRST} items ours {first['ours']:.6f}, theirs {first['theirs']:.6f}", flush=True)
            if abs(first["ours"] - first["theirs"]) > 1e-4:
                sys.exit("the losses differ: the two sides do not compute the same")
        for side in pair.values():
            side.end()
        pair = sides(arguments, plan, folder)
        found = {side: [] for side in pair}
        print(f"items: ours {pair['ours'].ready['items']}, theirs {pair['theirs'].ready['items']}")
        for turn in range(arguments.rounds):
            for number, name in enumerate(NAMES):
                for side in (list(pair) if (number + turn) % 2 == 0 else list(pair)[::-1]):
                    answer = pair[side].ask(f"epoch {number}")
                    found[side].append((name, answer))
                    print(f"  {name}, {side}: {answer['wall']:.1f} s, {answer['processor']:.1f} s processor, mean loss "
                          f"{answer['loss']:.3f}, load {os.getloadavg()[0]:.2f}", flush=True)
        for side in pair.values():
            side.end()
    total = {side: {key: sum(answer[key] for _, answer in of) for key in ("wall", "processor")} for side, of in found.items()}
    for name in NAMES:
        each = {side: sum(answer["processor"] for n, answer in of if n == name) for side, of in found.items()}
        print(f"{name}: {each['theirs'] / each['ours']:.2f} x by processor time")
    print(f"the epoch: {total['theirs']['wall'] / total['ours']['wall']:.2f} x by the clock, "
          f"{total['theirs']['processor'] / total['ours']['processor']:.2f} x by processor time "
          f"({total['ours']['processor']:.0f} s against {total['theirs']['processor']:.0f} s)")


if __name__ == "__main__":
    main()
