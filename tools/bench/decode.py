#!/usr/bin/env python3
"""Compares the speed of decoding with Transformers' generate: same weights, prompts and type, greedy, in alternating rounds of
one run.

    cargo build -p lexforge-models --example decode
    tools/bench/decode.py

Needs torch, transformers and safetensors in the interpreter that runs it (the product does not). Each side is a process of its
own that waits while the other works. Two models: a Qwen3 of 40 million parameters with random weights and the demonstration
decoder. All prompts of a batch have the same length, so neither side pads. Answers never end early. The time of a round includes
reading the prompts. The tokens of both sides are compared."""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from lora_step import CONFIG, ROOT, Side


def theirs(plan):
    """The other side: Transformers."""
    import torch
    from transformers import AutoModelForCausalLM, GenerationConfig

    torch.set_num_threads(plan["threads"])
    model = AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32, attn_implementation="sdpa").eval()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        ids = torch.tensor(plan["prompts"][:asked["batch"]])
        settings = GenerationConfig(
            max_new_tokens=asked["tokens"], min_new_tokens=asked["tokens"], do_sample=False, use_cache=True,
            eos_token_id=None, pad_token_id=0)
        began, processor = time.perf_counter(), time.process_time()
        with torch.inference_mode():
            out = model.generate(ids, attention_mask=torch.ones_like(ids), generation_config=settings)
        wall, processor = time.perf_counter() - began, time.process_time() - processor
        print(json.dumps({"wall": wall, "processor": processor, "texts": out[:, ids.shape[1]:].tolist()}), flush=True)


def random_model(folder):
    """A folder with random weights."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(7)
    model = Qwen3ForCausalLM(Qwen3Config(**CONFIG))
    model.save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "generation_config.json").unlink(missing_ok=True)
    return sum(p.numel() for p in model.parameters())


def measure(name, model, vocabulary, arguments, folder):
    """One model at each batch size."""
    import torch

    torch.manual_seed(11)
    plan = {
        "model": str(model), "threads": arguments.threads,
        "prompts": torch.randint(3, vocabulary, (max(arguments.batches), arguments.prompt)).tolist(),
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(plan))
    pair = {
        "ours": Side([arguments.ours, str(path)]),
        "theirs": Side([sys.executable, str(Path(__file__).resolve()), "--side", str(path)]),
    }
    for batch in arguments.batches:
        ask = json.dumps({"batch": batch, "tokens": arguments.tokens})
        first = {side: process.steps(ask)["texts"] for side, process in pair.items()}  # warm
        tokens = [a == b for ours, others in zip(first["ours"], first["theirs"]) for a, b in zip(ours, others)]
        found = {side: [] for side in pair}
        for number in range(arguments.rounds):
            for side in list(pair) if number % 2 == 0 else list(pair)[::-1]:
                found[side].append(pair[side].steps(ask))
        middle = {side: {key: statistics.median(r[key] for r in rounds) for key in ("wall", "processor")}
                  for side, rounds in found.items()}
        rate = {side: batch * arguments.tokens / middle[side]["wall"] for side in pair}
        print(f"{name}, batch {batch}: ours {rate['ours']:.0f} tokens/s, theirs {rate['theirs']:.0f}: "
              f"{rate['ours'] / rate['theirs']:.2f} x by the clock, "
              f"{middle['theirs']['processor'] / middle['ours']['processor']:.2f} x by processor time; "
              f"{100 * sum(tokens) / len(tokens):.1f} % of {len(tokens)} tokens alike; load {os.getloadavg()[0]:.2f}",
              flush=True)
    for side in pair.values():
        side.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--ours", default=str(target / "debug/examples/decode"), help="the built example")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--prompt", type=int, default=64, help="tokens of a prompt")
    parser.add_argument("--tokens", type=int, default=64, help="tokens of an answer")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--models", nargs="+", default=["random", "demo"])
    parser.add_argument("--side", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        theirs(json.loads(Path(arguments.side).read_text()))
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if "random" in arguments.models:
            parameters = random_model(folder / "model")
            print(f"{parameters / 1e6:.1f} M parameters, prompts of {arguments.prompt}, answers of {arguments.tokens} "
                  f"tokens, fp32, {arguments.threads} threads")
            measure("random", folder / "model", CONFIG["vocab_size"], arguments, folder)
        if "demo" in arguments.models:
            demo = ROOT / "models" / "demo"
            measure("demo", demo, json.loads((demo / "config.json").read_text())["vocab_size"], arguments, folder)


if __name__ == "__main__":
    main()
