#!/usr/bin/env python3
"""Compares the speed of a LoRA step with Transformers + PEFT: same weights, data and settings, in alternating rounds of one run.

    cargo build -p lexforge-models --example lora_step
    tools/bench/lora_step.py
    tools/bench/lora_step.py --precisions fp32 bf16 nf4

Needs torch, transformers, peft and safetensors in the interpreter that runs it (the product does not). Each side is a process of
its own that waits while the other works. On both sides, memory is the peak of the resident set minus the resident set after
loading, when all weights have been read once. The first losses, without dropout, must agree."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "vocab_size": 28672, "hidden_size": 512,
    "intermediate_size": 1536, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 4,
    "head_dim": 64, "max_position_embeddings": 1024, "rms_norm_eps": 1e-6, "rope_theta": 1000000.0,
    "tie_word_embeddings": True, "hidden_act": "silu", "attention_bias": False, "torch_dtype": "float32",
    "eos_token_id": 0,
}


def make(folder, arguments):
    """Model folder with random weights, and the batch."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(7)
    model = Qwen3ForCausalLM(Qwen3Config(**CONFIG))
    model.save_pretrained(folder / "model")
    (folder / "model" / "config.json").write_text(json.dumps(CONFIG))
    texts = torch.randint(1, CONFIG["vocab_size"], (arguments.batch, arguments.length)).tolist()
    return {
        "model": str(folder / "model"), "texts": texts, "threads": arguments.threads, "rank": 16, "alpha": 32.0,
        "dropout": 0.05, "rate": 1e-4, "weight_decay": 0.01, "max_grad_norm": 1.0, "recompute": arguments.recompute,
        "parameters": sum(p.numel() for p in model.parameters()),
    }


def status_mb(key):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    return 0.0


def theirs(plan):
    """The other side: Transformers and PEFT, with PyTorch's fused AdamW."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.set_num_threads(plan["threads"])
    torch.manual_seed(42)
    model = AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32, attn_implementation="sdpa")
    settings = LoraConfig(r=plan["rank"], lora_alpha=plan["alpha"], lora_dropout=plan["dropout"],
                          target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(model, settings)
    if plan["recompute"]:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        model.enable_input_require_grads()
    model.train()
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=plan["rate"], weight_decay=plan["weight_decay"], fused=True)
    ids = torch.tensor(plan["texts"])
    for parameter in model.parameters():
        parameter.detach().sum()
    baseline = status_mb("VmRSS:")
    Path("/proc/self/clear_refs").write_text("5")
    print(json.dumps({"baseline_mb": baseline}), flush=True)
    for line in sys.stdin:
        began, processor = time.perf_counter(), time.process_time()
        losses = []
        for _ in range(int(line)):
            optimizer.zero_grad(set_to_none=True)
            loss = model(input_ids=ids, labels=ids, use_cache=False).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, plan["max_grad_norm"])
            optimizer.step()
            losses.append(loss.item())
        wall, processor = time.perf_counter() - began, time.process_time() - processor
        peak = status_mb("VmHWM:") - baseline
        print(json.dumps({"wall": wall, "processor": processor, "peak_mb": peak, "losses": losses}), flush=True)


class Side:
    """One side's process."""

    def __init__(self, command):
        environment = os.environ | {"OMP_WAIT_POLICY": "passive", "TOKENIZERS_PARALLELISM": "false"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)
        self.ready = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("a side ended too early")
        return json.loads(line)

    def steps(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return self.answer()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def sides(arguments, plan, folder):
    path = folder / f"plan-{plan['dropout']}.json"
    path.write_text(json.dumps(plan))
    return {
        "ours": Side([arguments.ours, str(path)]),
        "theirs": Side([sys.executable, str(Path(__file__).resolve()), "--side", str(path)]),
    }


def in_rounds(pair, arguments):
    """Alternating rounds; for each side its medians a step and its peak of memory over loading."""
    for side in pair.values():
        side.steps(2)  # warm
    found = {name: [] for name in pair}
    for number in range(arguments.rounds):
        order = list(pair) if number % 2 == 0 else list(pair)[::-1]
        for name in order:
            found[name].append(pair[name].steps(arguments.steps))
        print(f"  round {number + 1}: " + ", ".join(
            f"{name} {found[name][-1]['wall'] / arguments.steps:.3f} s "
            f"({found[name][-1]['processor'] / arguments.steps:.2f} s processor)" for name in pair)
            + f", load {os.getloadavg()[0]:.2f}", flush=True)
    for side in pair.values():
        side.end()
    middle = {name: {key: statistics.median(r[key] for r in rounds) / arguments.steps for key in ("wall", "processor")}
              | {"peak_mb": rounds[-1]["peak_mb"], "loss": rounds[-1]["losses"][-1]} for name, rounds in found.items()}
    for name, figures in middle.items():
        print(f"{name:7} {figures['wall']:.3f} s a step, {figures['processor']:.3f} s processor, {figures['peak_mb']:.0f} "
              f"MiB at the peak over loading, {pair[name].ready['baseline_mb']:.0f} MiB loaded, last loss {figures['loss']:.4f}")
    return middle


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--ours", default=str(target / "debug/examples/lora_step"), help="the built example")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=2, help="steps a round")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--recompute", action="store_true", help="each layer again for its gradient, on both sides")
    parser.add_argument("--precisions", nargs="+", metavar="NAME",
                        help="our side alone, at each of these precisions: fp32 bf16 nf4")
    parser.add_argument("--side", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        theirs(json.loads(Path(arguments.side).read_text()))
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        plan = make(folder, arguments)
        print(f"{plan['parameters'] / 1e6:.1f} M parameters, batch {arguments.batch} x {arguments.length}, "
              f"{arguments.threads} threads, load {os.getloadavg()[0]:.2f}")
        if arguments.precisions:
            pair = {}
            for precision in arguments.precisions:
                path = folder / f"plan-{precision}.json"
                path.write_text(json.dumps(plan | {"precision": precision}))
                pair[precision] = Side([arguments.ours, str(path)])
            in_rounds(pair, arguments)
            return
        pair = sides(arguments, plan | {"dropout": 0.0}, folder)
        first = {name: side.steps(1)["losses"][0] for name, side in pair.items()}
        for side in pair.values():
            side.end()
        print(f"first loss without dropout: ours {first['ours']:.6f}, theirs {first['theirs']:.6f}")
        if abs(first["ours"] - first["theirs"]) > 1e-4:
            sys.exit("the losses differ: the two sides do not compute the same")
        middle = in_rounds(sides(arguments, plan, folder), arguments)
    ours, others = middle["ours"], middle["theirs"]
    print(f"speed {others['wall'] / ours['wall']:.2f} x by the clock, {others['processor'] / ours['processor']:.2f} x "
          f"by processor time; memory {ours['peak_mb'] / others['peak_mb']:.2f} x")


if __name__ == "__main__":
    main()
