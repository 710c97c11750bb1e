"""Record the joint loss and its gradients on an encoder as PyTorch computes them, for models/tests/it/gradients.rs.

    python3 tests/python/record_joint.py > models/tests/it/data/joint.json

Needs torch and transformers. The encoder is a BERT with the weights of formula_weights.py and an adapter on all of its linear
layers. Words are tokens of their own, and the loss is written item by item from the formula in float64, so that it shares
nothing with the product's tokenizer, packing and matrices: .4 × InfoNCE of whole texts + .6 × InfoNCE of terms, where a term's
vector is the mean over its own words.
"""

import json

import torch
import transformers
from transformers import BertConfig, BertModel

from formula_weights import fill, values

# As in models/tests/it/common/mod.rs.
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = ("the bank shall report loan risk capital board approve keep supervisor executive limit client must not may register "
         "audit year every of a to").split()
TEMPERATURE, WEIGHTS = 0.07, [0.4, 0.6]
RANK, ALPHA, TARGETS = 2, 4.0, ["query", "key", "value", "dense"]
CONFIG = {
    "model_type": "bert", "vocab_size": len(SPECIALS) + len(WORDS), "hidden_size": 16, "intermediate_size": 24,
    "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 40, "type_vocab_size": 2,
    "hidden_act": "gelu", "layer_norm_eps": 1e-12, "pad_token_id": 0,
}
# Anchor, near-duplicate group of the answer, question, answer, wrong choices.
SENTENCES = [
    (1, 10, "must the bank report", "the bank shall report every loan", ["the bank may report every loan", "the board shall report"]),
    (2, 20, "may the client register", "the client must not register", ["the client may register", "the board shall report"]),
    # Of the anchor of the first.
    (1, 30, "the board must keep", "the board shall keep the audit of the year", ["the board may not keep the audit"]),
    # Its answer says much the same as that of the second.
    (3, 20, "the limit of capital", "the client must never register", ["to limit the capital", "every year the risk"]),
]
# Anchor, rule, rephrased sentence, term, wrong terms.
TERMS = [
    (1, "the supervisor shall approve the loan", "every loan the supervisor must approve", "supervisor", ["executive supervisor", "board"]),
    # The same term in another rule: right there too.
    (4, "the audit shall keep the supervisor", "the year of the supervisor", "supervisor", ["client"]),
    # A term of two words, of which the second is a term of others.
    (5, "the executive supervisor may report the risk", "to the executive supervisor the bank shall report", "executive supervisor", ["supervisor", "client"]),
    (6, "every client must register", "the client shall register the loan limit", "client", ["bank", "executive supervisor", "board"]),
]


def tokens(text):
    inner = [SPECIALS.index("[UNK]") if w not in WORDS else len(SPECIALS) + WORDS.index(w) for w in text.split()]
    return [SPECIALS.index("[CLS]"), *inner, SPECIALS.index("[SEP]")]


def words_of(text, term, longer=()):
    """From which token of a text to which the term stands first, not as a part of a longer one."""
    words, wanted = text.split(), term.split()
    for at in range(len(words)):
        if words[at:at + len(wanted)] != wanted:
            continue
        covered = any(
            words[start:start + len(other.split())] == other.split() and start <= at
            and at + len(wanted) <= start + len(other.split())
            for other in longer if len(other) > len(term) for start in range(len(words)))
        if not covered:
            return (at + 1, at + 1 + len(wanted))
    raise ValueError((text, term))


def whole(text, pooling):
    last = len(tokens(text))
    return {"mean": (0, last), "cls": (0, 1), "last": (last - 1, last)}[pooling]


def joint(vector, pooling):
    """The losses of both levels; `vector(text, from, to)` is the vector of a part of a text."""
    of = lambda text: (text, *whole(text, pooling))
    sentences = [(anchor, group, of(question), of(answer), [of(w) for w in wrong])
                 for anchor, group, question, answer, wrong in SENTENCES]
    terms = []
    for anchor, rule, rephrased, term, wrong in TERMS:
        right = (rephrased, *words_of(rephrased, term, wrong))
        replaced = []
        for other in wrong:
            words = rephrased.split()
            words[right[1] - 1:right[2] - 1] = other.split()
            replaced.append((" ".join(words), right[1], right[1] + len(other.split())))
        terms.append((anchor, term, (rule, *words_of(rule, term, wrong)), right, replaced))
    return [level(items, vector) for items in (sentences, terms)]


def level(items, vector):
    related = lambda x, y: x[0] == y[0] or x[1] == y[1] or x[2] == y[2] or x[3] == y[3]
    losses = []
    for item in items:
        inside, outside = set(), set()
        for other in items:
            (outside if related(item, other) else inside).update({other[3], *other[4]})
        inside = sorted((inside - outside) | {item[3], *item[4]})
        scores = torch.stack([vector(*item[2]) @ vector(*c) for c in inside]) / TEMPERATURE
        right = vector(*item[2]) @ vector(*item[3]) / TEMPERATURE
        losses.append(-torch.log(torch.exp(right - scores.max()) / torch.exp(scores - scores.max()).sum()))
    return torch.stack(losses).mean()


model = BertModel(BertConfig(**CONFIG, attn_implementation="eager"), add_pooling_layer=False).eval()
shapes = fill(model)
model = model.double()
adapter = {}


def adapted(path, layer):
    a, b = (f"base_model.model.{path}.lora_{part}.weight" for part in "AB")
    adapter[a] = values(a, (RANK, layer.in_features)).double().requires_grad_(True)
    adapter[b] = values(b, (layer.out_features, RANK)).double().requires_grad_(True)
    layer.register_forward_hook(lambda _, given, out: out + ALPHA / RANK * (given[0] @ adapter[a].T @ adapter[b].T))


for path, layer in model.named_modules():
    if path.split(".")[-1] in TARGETS and isinstance(layer, torch.nn.Linear):
        adapted(path, layer)

cases = []
for pooling in ["mean", "cls", "last"]:
    known = {}

    def vector(text, first, past):
        if text not in known:
            known[text] = model(torch.tensor([tokens(text)])).last_hidden_state[0]
        mean = known[text][first:past].mean(0)
        return mean / mean.norm()

    losses = joint(vector, pooling)
    loss = sum(weight * part for weight, part in zip(WEIGHTS, losses))
    for tensor in adapter.values():
        tensor.grad = None
    loss.backward()
    cases.append({
        "pooling": pooling,
        "levels": [round(part.item(), 9) for part in losses],
        "loss": round(loss.item(), 9),
        "gradients": {name: [round(x, 8) for x in tensor.grad.flatten().tolist()] for name, tensor in sorted(adapter.items())},
    })

items = []
for anchor, group, question, answer, wrong in SENTENCES:
    items.append({"id": len(items), "anchor": anchor, "level": "sentence", "question": question, "answer": answer,
                  "negatives": wrong, "answer_group": group})
for anchor, rule, rephrased, term, wrong in TERMS:
    items.append({"id": len(items), "anchor": anchor, "level": "token", "question": "every year", "answer": term,
                  "negatives": wrong, "answer_group": -1, "rephrased": rephrased, "rule": rule})
print(json.dumps({
    "torch": torch.__version__.split("+")[0],
    "transformers": transformers.__version__,
    "config": CONFIG,
    "tensors": shapes,
    "lora": {"r": RANK, "alpha": ALPHA, "dropout": 0.0, "targets": TARGETS},
    "temperature": TEMPERATURE,
    "weights": WEIGHTS,
    "items": items,
    "cases": cases,
}))
