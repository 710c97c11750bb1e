#!/usr/bin/env python3
"""Measures the sentence graph: a complete build, and an update by one document. Compares the join with a blocked join in numpy
over the same vectors, in alternating rounds of one run.

    cargo build --release -p lexforge-graph --example graph_bench
    tools/bench/graph.py

Needs numpy in the interpreter that runs it (the product does not). It also measures the published method on a few sentences: each
entity of a sentence is compared with each entity of every other sentence, one cosine at a time, in Python. The published pipeline
also writes each edge to a graph server; this is left out here, which makes the published method look faster."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOW, HIGH = 0.75, 0.90
BLOCK = 2048


def ours(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def numpy_join(path):
    """Pairs with LOW < cosine < HIGH, by blocks of the upper triangle: (pairs, seconds, processor seconds)."""
    import numpy

    unit = numpy.load(path)
    began, spent = time.perf_counter(), time.process_time()
    pairs, found = 0, []
    for start in range(0, len(unit), BLOCK):
        rows = unit[start:start + BLOCK]
        for other in range(start, len(unit), BLOCK):
            product = rows @ unit[other:other + BLOCK].T
            near = (product > LOW) & (product < HIGH)
            if other == start:
                near = numpy.triu(near, 1)
            a, b = numpy.nonzero(near)
            found.append((a + start, b + other, product[a, b]))
            pairs += len(a)
    return pairs, time.perf_counter() - began, time.process_time() - spent


def published(sentences, each, dim):
    """Seconds for all entity pairs of all sentence pairs, each pair's cosine by itself."""
    import numpy

    draw = numpy.random.default_rng(42)
    entities = [[draw.standard_normal(dim, dtype=numpy.float32) for _ in range(each)] for _ in range(sentences)]
    began, edges = time.perf_counter(), 0
    for i in range(sentences):
        for j in range(i + 1, sentences):
            for one in entities[i]:
                for other in entities[j]:
                    cosine = one.dot(other) / (numpy.linalg.norm(one) * numpy.linalg.norm(other))
                    edges += LOW < cosine < HIGH
    return time.perf_counter() - began, sentences * (sentences - 1) // 2 * each * each


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    parser.add_argument("--program", default=Path(target) / "release" / "examples" / "graph_bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--entities", type=int, default=50_000)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--published", type=int, default=400, help="sentences of the published way; 0 leaves it out")
    arguments = parser.parse_args()
    print(f"load at the start: {os.getloadavg()[0]:.2f}")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.npy"
        ours(arguments.program, "vectors", path, arguments.entities, 384)
        ratios = []
        for turn in range(arguments.rounds):
            mine = ours(arguments.program, "join", path, LOW, HIGH)[0]
            # A process of its own for each round, as ours has.
            code = "import json,sys; sys.path.insert(0, sys.argv[1]); import graph; print(json.dumps(graph.numpy_join(sys.argv[2])))"
            theirs = subprocess.run([sys.executable, "-c", code, str(ROOT / "tools" / "bench"), str(path)],
                                    capture_output=True, text=True, check=True)
            pairs, seconds, processor = json.loads(theirs.stdout)
            ratios.append(seconds / mine["seconds"])
            print(f"join {turn + 1}: ours {mine['seconds']:.2f} s ({mine['processor']:.2f} s processor, {mine['pairs']:,} pairs), "
                  f"numpy {seconds:.2f} s ({processor:.2f} s processor, {pairs:,} pairs): {ratios[-1]:.2f} ×, "
                  f"by processor time {processor / mine['processor']:.2f} ×")
        print(f"join: {sorted(ratios)[len(ratios) // 2]:.2f} × numpy (median of {arguments.rounds})")

    for line in ours(arguments.program, "lexical", arguments.sentences):
        print(f"lexical edges of sub-words: {line['seconds']:.1f} s ({line['processor']:.1f} s processor; weights {line['weights']:.1f}, "
              f"vectors {line['vectors']:.1f}, join {line['join']:.1f}), {line['pairs']:,} pairs, {line['peak_mb']:.0f} MiB")
    for line in ours(arguments.program, "build", arguments.sentences, arguments.entities, 384, 10):
        if line["what"] == "build":
            stats = line["stats"]
            print(f"build: {line['seconds']:.1f} s ({line['processor']:.1f} s processor), {stats['peak_memory_mb']:.0f} MiB, "
                  f"edges {json.dumps(stats['edges'])}")
        else:
            print(f"update by one document: {line['seconds']:.2f} s ({line['processor']:.2f} s processor), "
                  f"{line['compared']} sentences compared with {line['sentences']:,}")
    if arguments.published:
        seconds, pairs = published(arguments.published, 10, 384)
        print(f"the published way, {arguments.published} sentences: {seconds:.1f} s for {pairs:,} pairs of entities")
    print(f"load at the end: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
