"""Record values and gradients of the losses as PyTorch computes them, for models/tests/losses.rs.

    python3 tests/python/record_losses.py > models/tests/data/losses.json

Needs torch. Written token by token from the formulas in float64, so that it shares nothing with the product's
computation. The logits are a table: one row for every beginning of a text, as a causal model would give them.
"""

import json
import math

import torch

VOCABULARY, HIDDEN = 11, 6
# Tokens of the right text, first token of its sentence, tokens that its term is scored by, and for each wrong text:
# tokens, first token that differs, end of the term, tokens that the term is scored by.
ITEMS = [
    # Terms of one token and of two, after a question of two tokens.
    ([1, 2, 3, 4, 5, 9], 2, (3, 5), [([1, 2, 3, 6, 5, 9], 3, 4, (3, 5)), ([1, 2, 3, 7, 8, 5, 9], 3, 5, (3, 6))]),
    # A wrong term that goes on where the right one ends, and one that begins like the right one.
    ([1, 3, 4, 2, 9], 1, (2, 4), [([1, 3, 4, 6, 2, 9], 3, 4, (2, 5))]),
    # A wrong term that ends where the right one goes on.
    ([1, 5, 4, 6, 2, 9], 1, (2, 5), [([1, 5, 4, 2, 9], 3, 3, (2, 4)), ([1, 5, 4, 7, 2, 9], 3, 4, (2, 5))]),
]
torch.manual_seed(31)
rows = {}


def logits(beginning):
    beginning = tuple(beginning)
    if beginning not in rows:
        values = (2 * torch.randn(VOCABULARY, dtype=torch.float64)).round(decimals=4)
        rows[beginning] = values.requires_grad_(True)
    return rows[beginning]


def log_p(text, token):
    return torch.log_softmax(logits(text[:token]), 0)[text[token]]


def log_not_p(text, token):
    return torch.log(1 - torch.softmax(logits(text[:token]), 0)[text[token]])


def positive(item):
    text, answer = item[0], item[1]
    return -sum(log_p(text, i) for i in range(answer, len(text))) / (len(text) - answer)


def penalty(item):
    return sum(-log_not_p(wrong[0], wrong[1]) for wrong in item[3]) / len(item[3])


def contest(item):
    scores = [sum(log_p(text, i) for i in range(*scored)) for text, scored in
              [(item[0], item[2])] + [(wrong[0], wrong[3]) for wrong in item[3]]]
    return -torch.log_softmax(torch.stack(scores), 0)[0]


def mixed(item, lowered_only=False):
    total = 0
    for text, differs, end, _ in item[3]:
        wrong = set(range(differs, end)) or {differs}
        terms = [-log_not_p(text, i) if i in wrong else (0 if lowered_only else -log_p(text, i))
                 for i in range(differs, len(text))]
        total = total + sum(terms) / len(terms)
    return total / len(item[3])


def contrastive(item):
    """Contrastive token learning beside the likelihood: rivals are the answer's tokens before one."""
    text, answer = item[0], item[1]
    total = 0
    for i in range(answer, len(text)):
        own = logits(text[:i])
        rivals = sorted({v for v in text[answer:i] if v != text[i]})
        total = total + torch.log(1 + sum(torch.exp(own[v] - own[text[i]]) for v in rivals)) if rivals else total
    return positive(item) + total / (len(text) - answer)


def masked(item, own_position):
    """The second and the fourth token are masked by token 0; each is foretold by the position before it or by its own."""
    places = (1, 3)
    text = [0 if i in places else token for i, token in enumerate(item[0])]
    return -sum(torch.log_softmax(logits(text[:i + own_position]), 0)[item[0][i]] for i in places) / 2


LOSSES = {
    "sft": positive,
    "candidates": lambda item: contest(item) + penalty(item) + positive(item),
    "divergence": lambda item: penalty(item) + positive(item),
    "paper": lambda item: mixed(item) + positive(item),
    "paper_negative": lambda item: mixed(item, lowered_only=True),
    "contrastive_token": contrastive,
    "mntp": lambda item: masked(item, False),
    "mlm": lambda item: masked(item, True),
}


def run(loss):
    for row in rows.values():
        row.grad = None
    mean = sum(loss(item) for item in ITEMS) / len(ITEMS)
    mean.backward()
    gradient = [[round(x, 9) for x in (row.grad if row.grad is not None else torch.zeros(VOCABULARY)).tolist()]
                for row in rows.values()]
    return {"loss": round(mean.item(), 9), "gradient": gradient}


def vectors():
    """Losses over one vector a text."""
    torch.manual_seed(32)
    table = torch.randn(6, HIDDEN, dtype=torch.float64).round(decimals=4).requires_grad_(True)
    triples, margins, temperature = [(0, 1, 2), (3, 4, 5), (0, 4, 1)], [2.5, -1.0, 0.75], 0.1
    unit = table / table.norm(dim=1, keepdim=True)

    def triplet(s, p, n):
        right, wrong = math.e ** (unit[s] @ unit[p] / temperature), math.e ** (unit[s] @ unit[n] / temperature)
        return -torch.log(right / (right + wrong))

    cases = {}
    for name, loss in {
        "triplet": sum(triplet(*t) for t in triples) / 3,
        "margin_mse": sum((table[s] @ table[p] - table[s] @ table[n] - m) ** 2
                          for (s, p, n), m in zip(triples, margins)) / 3,
    }.items():
        table.grad = None
        loss.backward(retain_graph=True)
        cases[name] = {"loss": round(loss.item(), 9), "gradient": [[round(x, 9) for x in r] for r in table.grad.tolist()]}
    return {"table": table.tolist(), "triples": triples, "margins": margins, "temperature": temperature, "losses": cases}


for loss in LOSSES.values():  # fill the table
    for one in ITEMS:
        loss(one)
items = [{"ids": i[0], "answer": i[1], "scored": i[2], "wrong": [
    {"ids": w[0], "divergence": w[1], "term_end": w[2], "scored": w[3]} for w in i[3]]} for i in ITEMS]
print(json.dumps({
    "torch": torch.__version__.split("+")[0],
    "items": items,
    "beginnings": [list(beginning) for beginning in rows],
    "logits": [row.tolist() for row in rows.values()],
    "losses": {name: run(loss) for name, loss in LOSSES.items()},
    "vectors": vectors(),
}))
