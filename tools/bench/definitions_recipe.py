#!/usr/bin/env python3
"""Tunes with Sentence Transformers as its users would, to compare with tools/bench/definitions.py, which tunes with the product:
same folds and scores.

    python3 -m pip install torch sentence-transformers
    tools/bench/definitions_recipe.py terms-fibo/fibo_terms_shared.jsonl --model FOLDER --work WORK [--folds 1,2,3,4,5] [--threads 2]

For each fold all weights of the encoder learn from the definitions of the other folds with the library's own multiple negatives
(MultipleNegativesRankingLoss: cosine, scale 20): a definition, its term, and one additional negative, which is a term with the
same broader term. If there is no such term, any other term is used. Three epochs, batches of 32, AdamW without weight decay,
learning rate from 5e-5 linearly to zero, gradients clipped at 1. Texts of a batch are read in groups of similar length. This
saves padding and changes nothing but the random numbers of dropout.

WORK/fold-N.jsonl has the reciprocal ranks of a fold, and an existing fold is not computed again. WORK/ranks.jsonl has those of
all folds so far, for `definitions.py --against`.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import pathlib
import random
import statistics
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("definitions", str(ROOT / "tools" / "bench" / "definitions.py"))
definitions = importlib.util.module_from_spec(importlib.util.spec_from_loader("definitions", loader))
loader.exec_module(definitions)
demo = definitions.demo

EPOCHS, BATCH, RATE = 3, 32, 5e-5
GROUP = 8


def triples(terms, others, dice):
    """Definition, term and a negative: a sibling of the same folds where there is one."""
    kinds, known, found = definitions.kinds(terms), set(others), []
    for number in others:
        near = sorted({other for broader in terms[number]["hypernym_iris"] for other in kinds[broader]
                       if other in known and other != number})
        wrong = dice.choice(near) if near else dice.choice([other for other in others if other != number])
        found.append((terms[number]["definition"], terms[number]["term"], terms[wrong]["term"]))
    return found


def vectors_of(model, read, column):
    """A row for each text of a column, in its order."""
    import torch
    order = sorted(range(len(column)), key=lambda i: len(column[i]))
    parts = [model(read([column[i] for i in order[at:at + GROUP]]))["sentence_embedding"] for at in range(0, len(order), GROUP)]
    back = sorted(range(len(order)), key=order.__getitem__)
    return torch.cat(parts)[back]


def tuned(items, arguments, dice, epochs=EPOCHS, longest=None):
    """The encoder after its epochs. `longest` is the most tokens of a text that are read."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.losses import MultipleNegativesRankingLoss
    torch.manual_seed(arguments.seed)
    model = SentenceTransformer(str(arguments.model), device="cpu")
    model.max_seq_length = longest or model.max_seq_length
    loss = MultipleNegativesRankingLoss(model)
    steps = epochs * -(-len(items) // BATCH)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0, fused=True)
    falls = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.0, 1 - step / steps))
    read = getattr(model, "preprocess", model.tokenize)
    model.train()
    begun, step = time.monotonic(), 0
    for _ in range(epochs):
        dice.shuffle(items)
        for at in range(0, len(items), BATCH):
            columns = zip(*items[at:at + BATCH])
            value = loss.compute_loss_from_embeddings([vectors_of(model, read, column) for column in columns], None)
            value.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            falls.step()
            optimiser.zero_grad()
            step += 1
            if step % 10 == 0:
                demo.say(f"step {step} of {steps}, loss {value.item():.3f}, {time.monotonic() - begun:.0f} s")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="folder of all-MiniLM-L6-v2 in the library's form")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out" / "definitions-recipe")
    parser.add_argument("--folds", default="1,2,3,4,5")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=42)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    terms = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    of = definitions.folds(terms)
    for fold in (int(n) - 1 for n in arguments.folds.split(",")):
        target = arguments.work / f"fold-{fold + 1}.jsonl"
        if not target.is_file():
            import torch
            torch.set_num_threads(arguments.threads)
            dice = random.Random(arguments.seed)
            others = [number for number in range(len(terms)) if of[number] != fold]
            model = tuned(triples(terms, others, dice), arguments, dice)
            vectors = [model.encode([term[key] for term in terms], normalize_embeddings=True, show_progress_bar=False).tolist()
                       for key in ("definition", "term")]
            wanted = [number for number in range(len(terms)) if of[number] == fold]
            demo.write(target, definitions.ranks(terms, wanted, *vectors))
        rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
        near = [value for row in rows for value in row["siblings"].values()]
        demo.say(f"fold {fold + 1}: {len(rows)} definitions, {statistics.mean(row['all'] for row in rows):.3f} among all, "
                 f"{statistics.mean(near):.3f} among siblings ({len(near)})")
    made = sorted(arguments.work.glob("fold-*.jsonl"))
    (arguments.work / "ranks.jsonl").write_text("".join(file.read_text(encoding="utf-8") for file in made), encoding="utf-8")


if __name__ == "__main__":
    main()
