#!/usr/bin/env python3
"""Compares the speed of scoring multiple-choice questions with a plain Transformers loop: same likelihoods of the same choices.

    cargo build -p lexforge-models
    tools/bench/scoring.py --questions QUESTIONS.jsonl

QUESTIONS.jsonl is what `lexforge qca export WORKSPACE --json` gives; questions with four choices are used, and repeated from the
start until there are --count of them. The model is the demonstration decoder. For each choice three likelihoods are computed on
both sides: after the question with all choices listed, after the choices alone, and after no question.

The other side does what a short script would do. Each of the twelve texts of a question is computed as a whole. The texts of
--batch/12 questions are padded to the longest and computed together, with logits for all tokens. With --sorted all texts are
first put in order by their length. The likelihoods must agree. The worker's time is the time of a job over all questions minus
the time of a job over the first few (tools/bench/beside.py). Needs torch and transformers in the interpreter that runs it (the
product does not)."""

import json
import os
import shutil
import sys
from pathlib import Path

import beside

FEW = 4
KINDS = 3
NO_QUESTION = "Answer."


def theirs(plan):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    rounds = beside.Rounds()
    torch.set_num_threads(plan["threads"])
    model = AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32, attn_implementation="sdpa").eval()
    tokenizer = AutoTokenizer.from_pretrained(plan["model"])
    end = model.config.eos_token_id

    def prompt(message):
        return tokenizer.apply_chat_template([{"role": "user", "content": message}], tokenize=False, add_generation_prompt=True)

    def texts_of(item):
        listed = "".join(f"\n- {choice}" for choice in item["choices"])
        for message in (f"{item['question']}\n{listed}", f"\n{listed}".lstrip(), NO_QUESTION):
            before = prompt(message)
            first = len(tokenizer(before, add_special_tokens=False)["input_ids"])
            for choice in item["choices"]:
                yield tokenizer(before + choice, add_special_tokens=False)["input_ids"] + [end], first

    def likelihoods(items):
        texts = [text for item in items for text in texts_of(item)]
        order = list(range(len(texts)))
        if plan["sorted"]:
            order.sort(key=lambda n: -len(texts[n][0]))
        found = [0.0] * len(texts)
        for start in range(0, len(order), plan["batch"]):
            some = order[start:start + plan["batch"]]
            longest = max(len(texts[n][0]) for n in some)
            ids = torch.zeros(len(some), longest, dtype=torch.long)
            mask = torch.zeros(len(some), longest, dtype=torch.long)
            scored = torch.zeros(len(some), longest - 1, dtype=torch.bool)
            for row, n in enumerate(some):
                text, first = texts[n]
                ids[row, :len(text)] = torch.tensor(text)
                mask[row, :len(text)] = 1
                scored[row, first - 1:len(text) - 1] = True
            logits = model(input_ids=ids, attention_mask=mask, use_cache=False).logits
            logs = torch.log_softmax(logits[:, :-1].float(), -1).gather(2, ids[:, 1:, None]).squeeze(2)
            for n, value in zip(some, (logs * scored).sum(1).tolist()):
                found[n] = value
        return found

    with torch.inference_mode():
        while True:
            rounds.wait()
            found = likelihoods(plan["items"][:rounds.of])
            rounds.done()
            Path(plan["out"]).write_text(json.dumps(found))


class Ours:
    """The worker: a job over all questions less one over the few first."""

    def __init__(self, worker, work, job, items):
        self.worker, self.work, self.job, self.items, self.number = worker, work, job, items, 0

    def steps(self, count):
        self.number += 1
        few, every = (self.worker.whole(self.work / f"ours-{self.number}-{n}", self.job, {"items.jsonl": self.items[:n]})
                      for n in (FEW, count))
        return every | {key: every[key] - few[key] for key in ("wall", "processor")} | {"steps": count - FEW}


def main():
    parser = beside.options(__doc__)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--model", default="lexforge-demo")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=24, help="texts at a time on the other side")
    parser.add_argument("--sorted", action="store_true", help="the other side sorts its texts by their length")
    arguments = parser.parse_args()
    if arguments.side:
        theirs(json.loads(Path(arguments.side).read_text()))
        return
    if not arguments.questions:
        parser.error("--questions is missing")
    rows = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if len(row["choices"]) == 4]
    if not rows:
        sys.exit("no question has four choices")
    items = [{"id": n, "question": rows[n % len(rows)]["question"], "choices": rows[n % len(rows)]["choices"]}
             for n in range(arguments.count)]
    work = arguments.work / "scoring"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    print(f"{len(items)} questions of four choices, {len(rows)} of them different, {arguments.threads} threads, load "
          f"{os.getloadavg()[0]:.1f}", flush=True)
    worker = beside.Worker(arguments)
    job = {"kind": "score", "model": {"name": arguments.model, "sha256": ""}, "adapter": None, "input": "inputs/items.jsonl",
           "output": "scores.jsonl", "generate": False, "open": False, "embed": False, "max_new_tokens": 1, "precision": "fp32",
           "threads": arguments.threads}
    ours = Ours(worker, work, job, items)
    plan = {"model": str(arguments.models / arguments.model), "items": items, "threads": arguments.threads,
            "batch": arguments.batch, "sorted": arguments.sorted, "out": str(work / "theirs.json")}
    other = beside.Theirs(__file__, plan, work / "theirs", arguments.threads)
    other.steps(FEW)
    beside.compare({"ours": ours, "theirs": other}, arguments.rounds, len(items), "a question")
    # Only once it waits again has it written what it found.
    other.end()
    lines = (work / f"ours-{ours.number}-{len(items)}/scores.jsonl").read_text().splitlines()
    found, worst, too_long = json.loads((work / "theirs.json").read_text()), 0.0, 0
    for n, line in enumerate(map(json.loads, lines)):
        if line["too_long"]:
            too_long += 1
            continue
        asked, alone, nothing = (found[4 * KINDS * n + 4 * kind:][:4] for kind in range(KINDS))
        mine = line["likelihood"], line["choices_only"], [a - b for a, b in zip(line["likelihood"], line["pmi"])]
        for a, b in zip(mine, (asked, alone, nothing)):
            worst = max(worst, *(abs(x - y) for x, y in zip(a, b)))
    print(f"largest difference of a likelihood {worst:.1e}; {too_long} too long")
    if worst > 1e-2:
        sys.exit("the likelihoods differ: the two sides do not compute the same")


if __name__ == "__main__":
    main()
