#!/usr/bin/env python3
"""Tunes an encoder for the search with Sentence Transformers, as its users would, to compare with tools/bench/tune.py, which
tunes with the product.

    python3 -m pip install torch sentence-transformers
    tools/bench/retrieval_recipe.py --model FOLDER [--data ../shared/data] [--work out/recipe] [--threads 2] [--seed 42]
    tools/bench/retrieval_recipe.py --table RUN …

All weights of the encoder learn from retrieval-adgm-train with the library's own multiple negatives
(MultipleNegativesRankingLoss: cosine, scale 20): a question, one of its right passages, and one that is drawn at random from
the first 30 by BM25 that are not right for it. With the very best of these the tuning gains nothing, since it often answers the
question, too. One epoch, batches of 32, texts of at most 192 tokens, AdamW without weight decay, learning rate from 5e-5 linearly
to zero, gradients clipped at 1; the loop is that of definitions_recipe.py.

WORK/encoder has the tuned encoder. WORK/dense.run has the first 100 passages by vectors for each development question of ObliQA,
in TREC's form. The product measures the same encoder, by vectors and with words, by
`lexforge rank eval WS --encoder WORK/encoder …`, and `tune.py --against` takes the difference. --table tunes nothing: it prints
Recall@10 and MAP@10 of rankings in TREC's form, with intervals (95 %, by document), the paired differences of all but the first
from the first, and the figures of each fold of tune.py.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import re

import definitions_recipe
import tune

LONGEST = 192
DEPTH = 100
FIRST = 30
K1, B = 1.2, 0.75


def passages_of(data):
    """Each passage's text by its name: its number and its words, as tools/bench/ask.py imports it."""
    found = {}
    for number in range(1, 41):
        file = data / f"retrieval-obliqa/StructuredRegulatoryDocuments/{number}.json"
        for passage in json.loads(file.read_text(encoding="utf-8")):
            found[passage["ID"]] = f"{passage['PassageID']} {passage['Passage']}".strip()
    return found


def questions_of(data):
    return json.loads((data / "retrieval-obliqa/ObliQA_dev.json").read_text(encoding="utf-8"))


def table(files, data):
    """The figures of rankings, over all questions and by fold."""
    of_passage, names = tune.documents_of(data), {}
    for number in range(1, 41):
        file = data / f"retrieval-obliqa/StructuredRegulatoryDocuments/{number}.json"
        names.update({(p["DocumentID"], p["PassageID"]): p["ID"] for p in json.loads(file.read_text(encoding="utf-8"))})
    right = {q["QuestionID"]: [names[p["DocumentID"], p["PassageID"]] for p in q["Passages"]] for q in questions_of(data)}
    document = {question: of_passage[passages[0]] for question, passages in right.items()}
    first = None
    for file in files:
        found = tune.outcomes(file, right)
        print(file)
        for place, name in enumerate(("Recall@10", "MAP@10")):
            values = {question: value[place] for question, value in found.items()}
            folds = [[v for q, v in values.items() if document[q] in tune.fold_of(n + 1)] for n in range(tune.FOLDS)]
            by_fold = ", ".join(f"{sum(own) / len(own):.4f} ({len(own)})" for own in folds)
            against = first and {question: value[place] for question, value in first.items()}
            print(f"  {name} {tune.drawn(values, document, against)}; by fold {by_fold}")
        first = first or found


class Bm25:
    """BM25 over words of letters and digits, without stems."""

    def __init__(self, texts):
        import numpy
        self.numpy, self.names = numpy, list(texts)
        counted = [collections.Counter(words(text)) for text in texts.values()]
        lengths = [sum(counts.values()) for counts in counted]
        mean, found = sum(lengths) / len(lengths), collections.defaultdict(list)
        for number, counts in enumerate(counted):
            for word, count in counts.items():
                spread = K1 * (1 - B + B * lengths[number] / mean)
                found[word].append((number, count / (count + spread)))
        self.found = {}
        for word, places in found.items():
            rare = math.log(1 + (len(lengths) - len(places) + 0.5) / (len(places) + 0.5))
            self.found[word] = numpy.array([place[0] for place in places]), rare * numpy.array([place[1] for place in places])

    def drawn(self, question, right, dice):
        """One of the best passages that are not right."""
        scores = self.numpy.zeros(len(self.names))
        for word in sorted(set(words(question)) & self.found.keys()):
            places, values = self.found[word]
            scores[places] += values
        best = self.numpy.argsort(-scores)[: len(right) + FIRST]
        return dice.choice([self.names[place] for place in best if self.names[place] not in right][:FIRST])


def words(text):
    return re.findall("[a-z0-9]+", text.lower())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = definitions_recipe.ROOT
    parser.add_argument("--model", type=pathlib.Path, help="folder of all-MiniLM-L6-v2 in the library's form")
    parser.add_argument("--table", type=pathlib.Path, nargs="+", metavar="RUN", help="print the figures of these rankings")
    parser.add_argument("--data", type=pathlib.Path, default=root.parent / "shared" / "data")
    parser.add_argument("--work", type=pathlib.Path, default=root / "out" / "recipe")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=42)
    arguments = parser.parse_args()
    if arguments.table:
        return table(arguments.table, arguments.data)
    if not arguments.model:
        parser.error("--model or --table is needed")
    arguments.work.mkdir(parents=True, exist_ok=True)
    texts = passages_of(arguments.data)
    import torch
    from sentence_transformers import SentenceTransformer
    torch.set_num_threads(arguments.threads)
    encoder = arguments.work / "encoder"
    if not encoder.is_dir():
        search, items, dice = Bm25(texts), [], random.Random(arguments.seed)
        for line in (arguments.data / "retrieval-adgm-train/questions.jsonl").read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            for right in asked["passage_ids"]:
                wrong = search.drawn(asked["question"], set(asked["passage_ids"]), dice)
                items.append((asked["question"], texts[right], texts[wrong]))
        definitions_recipe.demo.say(f"{len(items)} pairs")
        model = definitions_recipe.tuned(items, arguments, random.Random(arguments.seed), 1, LONGEST)
        model.save(str(encoder))
    model = SentenceTransformer(str(encoder), device="cpu")
    vectors = lambda all_texts: model.encode(all_texts, normalize_embeddings=True, convert_to_tensor=True, show_progress_bar=False)
    names = list(texts)
    asked = questions_of(arguments.data)
    near = vectors([question["Question"] for question in asked]) @ vectors([texts[name] for name in names]).T
    scores, places = near.topk(DEPTH)
    with (arguments.work / "dense.run").open("w", encoding="utf-8") as run:
        for question, own, where in zip(asked, scores.tolist(), places.tolist()):
            for rank, (score, place) in enumerate(zip(own, where), 1):
                run.write(f"{question['QuestionID']} Q0 {names[place]} {rank} {score:.6f} recipe\n")


if __name__ == "__main__":
    main()
