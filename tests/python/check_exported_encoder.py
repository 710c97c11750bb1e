#!/usr/bin/env python3
"""Check that encoders which the product made open in Sentence Transformers with the vectors that they have here.

    python3 tests/python/check_exported_encoder.py --bin target/debug [--work DIR] [--only KIND …]

It makes a workspace of the sample regulation, accepts terms, adds them to the tokenizer of all-MiniLM-L6-v2 (`models add-words`), and tunes
all weights of that folder or of the base by each kind of training that needs no labels: `words` (added words alone, not tuned), `mlm`,
`tsdae`, `triplets`, `mnr` and `margins` (imported triplets with margins). Each is exported (`models export --format merged --dtype f32`), and the vectors of
texts with and without added words are compared: those of `models embed` here, and those of Sentence Transformers on the processor.
Prints the greatest difference of a number of a unit vector; fails above 1e-4, or where a tokenizer parts a text otherwise.

Needs sentence-transformers and safetensors; LEXFORGE_MODELS and LIBTORCH as for the product.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
BASE = "all-MiniLM-L6-v2"
BOUND = 1e-4
FURTHER = [
    "The firm keeps a list.",
    "Visitors wear a badge and sign in at the reception.",
    "An exit plan, tested each year; see Article 12(3)!",
    "short",
]
# How each kind is trained, and whether it begins from the folder with added words.
KINDS = {
    "words": None,
    "mlm": (["--task", "adapt"], True),
    "tsdae": (["--task", "adapt", "--objective", "tsdae"], True),
    "triplets": (["--task", "triplets"], True),
    "mnr": (["--task", "triplets", "--triplet-loss", "multiple-negatives"], False),
    "margins": (["--task", "triplets", "--triplet-loss", "margin-mse"], False),
}


class Product:
    def __init__(self, binaries, work):
        self.program, self.work = str(binaries / "lexforge"), work
        self.environment = os.environ | {
            "LEXFORGE_ACTOR": "Check",
            "LEXFORGE_PARSE": str(binaries / "lexforge-parse"),
            "LEXFORGE_WORKER": str(binaries / "lexforge-worker"),
        }

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, cwd=self.work, env=self.environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def lines(self, *words):
        return [json.loads(line) for line in self.run(*words, "--json").splitlines() if line.strip()]


def accepted_terms(product, workspace):
    """Accepts the first terms that were found, so that they may become words."""
    product.run("terms", "extract", workspace)
    terms = product.lines("terms", "list", workspace)[:60]
    product.run("terms", "decide", workspace, *[term["id"] for term in terms], "--accept")
    return [term["text"] for term in terms]


def with_margins(product, workspace, document):
    """Triplets of a workspace with a margin each, as a teacher would say it, in a workspace of their own."""
    file, other = product.work / "margins.jsonl", "margins.lexforge"
    product.run("triplets", "export", workspace, file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    kept = ("source", "positive", "negative", "split")
    rows = [{key: line[key] for key in kept} | {"margin": 4.0 + n % 3} for n, line in enumerate(lines)]
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    product.run("import", other, document)
    product.run("triplets", "import", other, file)
    return other


def compared(product, folder, texts, name):
    """The greatest difference of a number of a unit vector."""
    import numpy
    import sentence_transformers
    from safetensors.numpy import load_file

    given, out = product.work / f"{name}.texts.jsonl", product.work / f"{name}.safetensors"
    given.write_text("".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts))
    out.unlink(missing_ok=True)
    product.run("models", "embed", folder, "--input", given, "--out", out)
    ours = load_file(out)["embeddings"].astype(numpy.float64)
    model = sentence_transformers.SentenceTransformer(str(folder), device="cpu")
    theirs = numpy.asarray(model.encode(texts), dtype=numpy.float64)
    unit = [rows / numpy.linalg.norm(rows, axis=1, keepdims=True) for rows in (ours, theirs)]
    assert unit[0].shape == unit[1].shape, (unit[0].shape, unit[1].shape)
    difference = float(numpy.abs(unit[0] - unit[1]).max())
    print(f"{name}: {len(texts)} texts, vocabulary {len(model.tokenizer)}, greatest difference {difference:.2e}", flush=True)
    return difference


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", type=Path, default=HERE / "target/debug")
    options.add_argument("--work", type=Path, default=HERE / "out/exported-encoder")
    options.add_argument("--document", type=Path, default=HERE / "tools/sample/regulation.pdf")
    options.add_argument("--only", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND")
    options.add_argument("--steps", type=int, default=6, help="steps of each training")
    options = options.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    product, workspace = Product(options.bin.resolve(), options.work.resolve()), "a.lexforge"
    document = options.document.resolve()
    product.run("import", workspace, document)
    terms = accepted_terms(product, workspace)
    product.run("triplets", "make", workspace, "--offline")
    sentences = [row["text"] for row in product.lines("docs", workspace, "--sentences", "1")]
    with_words = product.work / "with-words"
    product.run("models", "add-words", workspace, "--out", with_words, "--base", BASE)
    texts = [*terms, *[text for text in sentences if any(term.lower() in text.lower() for term in terms)][:60], *FURTHER]
    worst = 0.0
    for kind in options.only:
        if KINDS[kind] is None:
            worst = max(worst, compared(product, with_words, texts, kind))
            continue
        words, from_words = KINDS[kind]
        of = with_margins(product, workspace, document) if kind == "margins" else workspace
        base = with_words if from_words else BASE
        product.run("train", of, *words, "--base", base, "--all-weights", "--max-steps", options.steps)
        run = product.lines("runs", "list", of)[0]["id"]
        folder = product.work / f"{kind}-exported"
        product.run("models", "export", of, run, "--format", "merged", "--dtype", "f32", "--out", folder)
        worst = max(worst, compared(product, folder, texts, kind))
    sys.exit(worst > BOUND)


if __name__ == "__main__":
    main()
