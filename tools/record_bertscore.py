"""Writes the values that the test of BERTScore compares with: models/tests/it/data/minilm_bertscore.json.

    pip install numpy tokenizers
    python tools/record_bertscore.py FOLDER_OF_ALL_MINILM_L6_V2

It computes BERT's layers and the matching of bert-score 0.3.13 directly in numpy, in double precision, from the model's own
files. It does not use libtorch, transformers or the program bert-score. So the values are independent of the product, but they
are not recorded from that program.
"""

import json
import math
import struct
import sys
from pathlib import Path

import numpy
from tokenizers import Tokenizer

LONGEST = 512
HEADS = 12
LAYERS = 6

ITEMS = [
    ("The bank keeps the records for five years.", ["The bank shall keep records for at least five years."]),
    ("The auditor informs the supervisor.", ["The board approves the report.", "The auditor shall inform the supervisory authority without delay."]),
    ("", ["An empty answer has no token."]),
    ("A personal data breach is notified within 72 hours.", ["A personal data breach is notified within 72 hours."]),
    ("Capital is high.", ["The own funds requirement is 8 % of the risk-weighted exposure amount."]),
    ("  Blanks around an answer count for nothing.  ", ["Blanks at the edges of an answer are not counted."]),
    ("the rule " * 600, ["The rule is longer than the encoder can read."]),
]


def tensors(folder):
    data = (folder / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8 : 8 + length])
    kinds = {"F32": numpy.float32, "F16": numpy.float16, "I64": numpy.int64}
    found = {}
    for name, about in head.items():
        if name == "__metadata__":
            continue
        first, past = about["data_offsets"]
        values = numpy.frombuffer(data[8 + length + first : 8 + length + past], dtype=kinds[about["dtype"]])
        found[name] = values.reshape(about["shape"]).astype(numpy.float64)
    return found


def norm(x, weights, name):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, weights, name):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def gelu(x):
    return 0.5 * x * (1.0 + numpy.vectorize(math.erf)(x / math.sqrt(2.0)))


def hidden_states(ids, weights):
    """The vectors of all tokens after the embeddings and after each layer."""
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, weights, "embeddings.LayerNorm")
    states = [x]
    for number in range(LAYERS):
        at = f"encoder.layer.{number}."
        size = x.shape[1] // HEADS
        split = lambda y: y.reshape(len(ids), HEADS, size).transpose(1, 0, 2)
        q, k, v = (split(linear(x, weights, at + "attention.self." + name)) for name in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(size)
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        seen = (scores / scores.sum(-1, keepdims=True)) @ v
        seen = linear(seen.transpose(1, 0, 2).reshape(len(ids), -1), weights, at + "attention.output.dense")
        x = norm(x + seen, weights, at + "attention.output.LayerNorm")
        inner = linear(gelu(linear(x, weights, at + "intermediate.dense")), weights, at + "output.dense")
        x = norm(x + inner, weights, at + "output.LayerNorm")
        states.append(x)
    return states


def main(folder):
    weights = tensors(folder)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    texts = {text for answer, right in ITEMS for text in [answer, *right]}
    read = {text: tokenizer.encode(text.strip()) for text in texts}
    states = {text: hidden_states(numpy.array(read[text].ids), weights) for text in texts}
    references = [text for _, right in ITEMS for text in right]
    held = {}
    for text in references:
        for token in set(read[text].ids):
            held[token] = held.get(token, 0) + 1
    idf = lambda token: math.log((len(references) + 1) / (held.get(token, 0) + 1))

    def weighing(text, rare):
        both = zip(read[text].ids, read[text].special_tokens_mask)
        return numpy.array([0.0 if special else (idf(token) if rare else 1.0) for token, special in both])

    def score(answer, right, layer, rare):
        if sum(read[answer].special_tokens_mask) == len(read[answer].ids):
            return [0.0, 0.0, 0.0]
        unit = lambda x: x / numpy.linalg.norm(x, axis=1, keepdims=True)
        cosines = unit(states[answer][layer]) @ unit(states[right][layer]).T
        a, r = weighing(answer, rare), weighing(right, rare)
        precision = (cosines.max(1) * a).sum() / a.sum()
        recall = (cosines.max(0) * r).sum() / r.sum()
        return [precision, recall, 2 * precision * recall / (precision + recall)]

    runs = []
    for layer, rare in [(LAYERS, False), (3, False), (LAYERS, True)]:
        scores = []
        for answer, right in ITEMS:
            each = numpy.array([score(answer, one, layer, rare) for one in right])
            scores.append([round(value, 7) for value in each.max(0).tolist()])
        runs.append({"layer": layer, "idf": rare, "scores": scores})
    items = [{"prediction": answer, "references": right} for answer, right in ITEMS]
    here = Path(__file__).resolve().parent.parent / "models/tests/it/data/minilm_bertscore.json"
    here.write_text(json.dumps({"items": items, "runs": runs}, indent=1) + "\n")


main(Path(sys.argv[1]))
