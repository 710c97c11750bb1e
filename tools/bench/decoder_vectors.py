#!/usr/bin/env python3
"""Compares the speed of making a decoder's vectors for the sentence graph with Transformers, which groups texts by length: same
sentences, same vectors.

    cargo build -p lexforge-models
    tools/bench/decoder_vectors.py --sentences SENTENCES.jsonl
    tools/bench/decoder_vectors.py --sentences SENTENCES.jsonl --demo

SENTENCES.jsonl is what `lexforge docs WORKSPACE --sentences --json` gives (or any lines with a "text"). The model is a Qwen3 of
about 40 million random weights with the demonstration decoder's tokenizer, or that decoder itself. The worker reads the texts as
it does for the graph by a decoder whose folder does not say how it makes vectors: each token sees those before it, and the vector
is that of the last one. The other side does the same; it sorts the texts by their length and pads batches of --batch to their
longest. The vectors must agree.

The worker's time is the time of a job over all sentences minus the time of a job over the first few. The other side's time is
that of the sentences alone, including tokenising (tools/bench/beside.py). Needs torch, transformers and safetensors in the
interpreter that runs it (the product does not)."""

import json
import os
import shutil
import struct
import sys
from array import array
from pathlib import Path

import beside

FEW = 16
CONFIG = {"hidden_size": 512, "intermediate_size": 1536, "num_hidden_layers": 11, "num_attention_heads": 8,
          "num_key_value_heads": 4, "head_dim": 64}
DEMO = "lexforge-demo"


def random_model(models, folder):
    """A folder as the demonstration decoder's, with more and random weights."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    shutil.copytree(models / DEMO, folder)
    config = json.loads((folder / "config.json").read_text()) | CONFIG | {"torch_dtype": "float32"}
    torch.manual_seed(7)
    model = Qwen3ForCausalLM(Qwen3Config(**config))
    model.save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps(config))
    return sum(p.numel() for p in model.parameters())


def theirs(plan):
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModel, AutoTokenizer

    rounds = beside.Rounds()
    torch.set_num_threads(plan["threads"])
    model = AutoModel.from_pretrained(plan["model"], dtype=torch.float32, attn_implementation="sdpa").eval()
    tokenizer = AutoTokenizer.from_pretrained(plan["model"])

    def vectors(texts):
        ids = tokenizer(texts, truncation=True, max_length=plan["length"])["input_ids"]
        order = sorted(range(len(ids)), key=lambda n: -len(ids[n]))
        found = torch.empty(len(ids), model.config.hidden_size)
        for start in range(0, len(order), plan["batch"]):
            some = order[start:start + plan["batch"]]
            longest = len(ids[some[0]])
            batch = torch.zeros(len(some), longest, dtype=torch.long)
            mask = torch.zeros(len(some), longest, dtype=torch.long)
            for row, n in enumerate(some):
                batch[row, :len(ids[n])] = torch.tensor(ids[n])
                mask[row, :len(ids[n])] = 1
            hidden = model(input_ids=batch, attention_mask=mask, use_cache=False).last_hidden_state
            last = hidden[torch.arange(len(some)), mask.sum(1) - 1]
            found[some] = torch.nn.functional.normalize(last, dim=1)
        return found

    with torch.inference_mode():
        while True:
            rounds.wait()
            found = vectors(plan["texts"][:rounds.of])
            rounds.done()
            save_file({"embeddings": found.contiguous()}, plan["out"])


def rows_of(path):
    """The vectors of a safetensors file, one after another."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    tensor = json.loads(data[8:8 + length])["embeddings"]
    begin, end = tensor["data_offsets"]
    return array("f", data[8 + length + begin:8 + length + end])


class Ours:
    """The worker: a job over all texts less one over the few first."""

    def __init__(self, worker, work, job, texts):
        self.worker, self.work, self.job, self.texts, self.number = worker, work, job, texts, 0

    def steps(self, count):
        self.number += 1
        few, every = (self.worker.whole(self.work / f"ours-{self.number}-{n}", self.job,
                                        {"texts.jsonl": [{"text": text} for text in self.texts[:n]]}) for n in (FEW, count))
        return every | {key: every[key] - few[key] for key in ("wall", "processor")} | {"steps": count - FEW}


def main():
    parser = beside.options(__doc__)
    parser.add_argument("--sentences", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--length", type=int, default=256, help="most tokens of a text")
    parser.add_argument("--demo", action="store_true", help="the demonstration decoder as it is")
    arguments = parser.parse_args()
    if arguments.side:
        theirs(json.loads(Path(arguments.side).read_text()))
        return
    if not arguments.sentences:
        parser.error("--sentences is missing")
    work = arguments.work / "decoder"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    name = DEMO
    if not arguments.demo:
        name = "random"
        print(f"{random_model(arguments.models, work / 'models' / name) / 1e6:.1f} M parameters")
        arguments.models = work / "models"
    lines = map(json.loads, arguments.sentences.read_text(encoding="utf-8").splitlines())
    # The worker computes a text that comes twice once.
    texts = list(dict.fromkeys(line["text"] for line in lines if line["text"].strip()))[:arguments.count]
    words = sorted(len(text.split()) for text in texts)
    print(f"{len(texts)} sentences, words: least {words[0]}, median {words[len(words) // 2]}, most {words[-1]}; "
          f"{arguments.threads} threads, load {os.getloadavg()[0]:.1f}", flush=True)
    worker = beside.Worker(arguments)
    job = {"kind": "embed", "model": {"name": name, "sha256": ""}, "adapter": None, "input": "inputs/texts.jsonl",
           "output": "out.safetensors", "pooling": "last", "causal": True, "normalize": True, "max_length": arguments.length,
           "threads": arguments.threads}
    ours = Ours(worker, work, job, texts)
    worker.whole(work / "first", job, {"texts.jsonl": [{"text": text} for text in texts[:FEW]]})
    reading = json.loads((work / "first/result.json").read_text())["reading"]
    print(f"pooling {reading['pooling']}, {'causal' if reading.get('causal') else 'seen from both sides'}", flush=True)
    plan = {"model": str(arguments.models / name), "texts": texts, "threads": arguments.threads, "batch": arguments.batch,
            "length": arguments.length, "out": str(work / "theirs.safetensors")}
    other = beside.Theirs(__file__, plan, work / "theirs", arguments.threads)
    other.steps(FEW)
    beside.compare({"ours": ours, "theirs": other}, arguments.rounds, len(texts), "a sentence")
    other.end()
    first, second = rows_of(work / f"ours-{ours.number}-{len(texts)}/out.safetensors"), rows_of(work / "theirs.safetensors")
    difference = max(abs(a - b) for a, b in zip(first, second, strict=True))
    print(f"largest difference of a number {difference:.1e}")
    if difference > 1e-4:
        sys.exit("the vectors differ: the two sides do not compute the same")


if __name__ == "__main__":
    main()
