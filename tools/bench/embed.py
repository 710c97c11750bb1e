#!/usr/bin/env python3
"""Compares the speed of embedding sentences of different lengths with sentence-transformers and its default sorting, with
all-MiniLM-L6-v2.

    cargo build -p lexforge-models
    tools/bench/embed.py --sentences SENTENCES.jsonl

SENTENCES.jsonl is what `lexforge docs WORKSPACE --sentences --json` gives (or any lines with a "text"). Each side is a process
that embeds the first 64 and then all of them; the difference is the time for the rest, without the time for loading. The vectors
must agree. Needs torch, sentence-transformers and safetensors in the interpreter that runs it (the product does not)."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FEW = 64


def measured(command, environment):
    """Seconds by the clock and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wall = time.perf_counter() - began
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}: {done.stderr[-800:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def theirs(arguments):
    import torch
    from safetensors.torch import save_file
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(arguments.threads)
    texts = [json.loads(line)["text"] for line in Path(arguments.side).read_text(encoding="utf-8").splitlines()]
    model = SentenceTransformer(str(arguments.model), device="cpu")
    model.max_seq_length = arguments.max_length
    vectors = model.encode(texts, convert_to_tensor=True, normalize_embeddings=True, show_progress_bar=False)
    save_file({"embeddings": vectors.contiguous()}, arguments.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--ours", default=str(target / "debug/lexforge-worker"), help="the built worker")
    parser.add_argument("--model", type=Path, default=ROOT / ".deps/models/all-MiniLM-L6-v2")
    parser.add_argument("--sentences")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--max-length", type=int, default=256)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--side", help=argparse.SUPPRESS)
    parser.add_argument("--out", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        theirs(arguments)
        return
    if not arguments.sentences:
        parser.error("--sentences is missing")
    from safetensors.torch import load_file

    rows = [json.loads(line)["text"] for line in Path(arguments.sentences).read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row.strip()][:arguments.count]
    if len(rows) < arguments.count:
        sys.exit(f"only {len(rows)} sentences")
    lengths = sorted(len(row.split()) for row in rows)
    print(f"{len(rows)} sentences, words: least {lengths[0]}, median {lengths[len(lengths) // 2]}, most {lengths[-1]}; "
          f"{arguments.threads} threads, at most {arguments.max_length} tokens, load {os.getloadavg()[0]:.2f}", flush=True)
    environment = os.environ | {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(arguments.threads),
                                "HF_HUB_OFFLINE": "1"}
    protocol = json.loads(subprocess.run([arguments.ours, "--version", "--json"], check=True,
                                         stdout=subprocess.PIPE).stdout)["protocol_version"]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)

        def ours(name, texts):
            bundle = folder / name
            (bundle / "inputs").mkdir(parents=True)
            (bundle / "inputs/texts.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in texts))
            (bundle / "job.json").write_text(json.dumps({"protocol_version": protocol, "job": {
                "kind": "embed", "model": {"name": arguments.model.name, "sha256": ""}, "adapter": None,
                "input": "inputs/texts.jsonl", "output": "out.safetensors", "pooling": "mean", "normalize": True,
                "max_length": arguments.max_length, "threads": arguments.threads}}))
            wall, processor, _ = measured([arguments.ours, "run", bundle, "--models", arguments.model.parent], environment)
            return wall, processor, bundle / "out.safetensors"

        def other(name, texts):
            path, out = folder / f"{name}.jsonl", folder / f"{name}.safetensors"
            path.write_text("".join(json.dumps({"text": t}) + "\n" for t in texts))
            wall, processor, _ = measured(
                [sys.executable, __file__, "--side", str(path), "--out", str(out), "--model", str(arguments.model),
                 "--threads", str(arguments.threads), "--max-length", str(arguments.max_length)], environment)
            return wall, processor, out

        best = {}
        for number in range(arguments.rounds):
            for side, act in ([("ours", ours), ("theirs", other)] if number % 2 == 0 else [("theirs", other), ("ours", ours)]):
                few = act(f"{side}-few-{number}", rows[:FEW])
                every = act(f"{side}-all-{number}", rows)
                took = every[0] - few[0], every[1] - few[1]
                kept = best.get(side)
                best[side] = (*((min(took[0], kept[0]), min(took[1], kept[1])) if kept else took), every[2])
                print(f"  round {number + 1}, {side}: {took[0]:.1f} s, {took[1]:.1f} s processor, load {os.getloadavg()[0]:.2f}",
                      flush=True)
        a, b = (load_file(best[side][2])["embeddings"].float() for side in ("ours", "theirs"))
        difference = (a - b).abs().max().item()
        if difference > 1e-4:
            sys.exit(f"the vectors differ by {difference}: the two sides do not compute the same")
        for side, (wall, processor, _) in best.items():
            print(f"{side}: {(len(rows) - FEW) / wall:.0f} sentences/s, {(len(rows) - FEW) / processor:.0f} a second of processor")
        print(f"speed {best['theirs'][0] / best['ours'][0]:.2f} x by the clock, {best['theirs'][1] / best['ours'][1]:.2f} x by "
              f"processor time; largest difference of a number {difference:.1e}")


if __name__ == "__main__":
    main()
