"""Record the sentence stage's loss and gradient as PyTorch computes them, for models/tests/gradients.rs.

    python3 tests/python/record_infonce.py > models/tests/data/infonce.json

Needs torch. Written item by item from the formula, so that it shares nothing with the product's
matrix form: N of an item is its answer, its own wrong choices and every choice of unrelated items.
"""

import json

import torch

TEXTS, HIDDEN, TEMPERATURE = 16, 8, 0.05
# (anchor, answer group, question, answer, wrong choices); texts by number.
ITEMS = [
    (1, 10, 0, 1, [2, 3]),
    (2, 20, 4, 5, [6, 3]),  # shares a wrong choice with the first
    (1, 30, 7, 8, [9]),  # same anchor as the first
    (3, 10, 10, 11, [12, 13]),  # answer is a near-duplicate of the first's
    (4, 40, 14, 15, [1, 6]),  # the first's answer is a wrong choice here
    (5, 50, 4, 13, [2]),  # same question as the second
]


def related(x, y):
    return x[0] == y[0] or x[1] == y[1] or x[2] == y[2] or x[3] == y[3]


def in_sum(item):
    inside = set()
    for other in ITEMS:
        if not related(item, other):
            inside |= {other[3], *other[4]}
    for other in ITEMS:
        if related(item, other):
            inside -= {other[3], *other[4]}
    return sorted(inside | {item[3], *item[4]})


torch.manual_seed(20)
raw = torch.randn(TEXTS, HIDDEN, dtype=torch.float64).round(decimals=4).requires_grad_(True)
unit = raw / raw.norm(dim=1, keepdim=True)
losses = []
for item in ITEMS:
    scores = torch.stack([unit[item[2]] @ unit[c] for c in in_sum(item)]) / TEMPERATURE
    right = unit[item[2]] @ unit[item[3]] / TEMPERATURE
    losses.append(-torch.log(torch.exp(right) / torch.exp(scores).sum()))
mean = torch.stack(losses).mean()
mean.backward()
rounded = lambda t: [round(x, 9) for x in t.flatten().tolist()]
print(json.dumps({
    "torch": torch.__version__.split("+")[0],
    "temperature": TEMPERATURE,
    "hidden": HIDDEN,
    "items": [dict(zip(("anchor", "answer_group", "question", "answer", "negatives"), i)) for i in ITEMS],
    "vectors": rounded(raw.detach()),
    "losses": rounded(torch.stack(losses).detach()),
    "gradient": rounded(raw.grad),
}))
