"""Record the loss of masked words and its gradients as PyTorch computes them, for models/tests/it/masked_words.rs.

    python3 tests/python/record_mlm.py > models/tests/it/data/mlm.json

Needs torch and transformers. The encoders have the weights of formula_weights.py, and the loss is that of Transformers' own
models with a head, in float64, over texts one by one: it shares nothing with the product's packing.
"""

import json

import torch
import transformers
from transformers import (BertConfig, BertForMaskedLM, DistilBertConfig, DistilBertForMaskedLM, ModernBertConfig,
                          ModernBertForMaskedLM, RobertaConfig, RobertaForMaskedLM)

from formula_weights import fill

VOCABULARY = 28
# Tokens of texts, masks in their places, and which token stands where instead of what is seen. 0 is the mask.
TEXTS = [
    ([2, 0, 5, 6, 0, 8, 3], {1: 4, 4: 7}),
    ([2, 9, 9, 0, 3], {1: 10, 3: 11}),
    ([2, 12, 13, 14, 15, 16, 17, 0, 0, 20, 3], {6: 17, 7: 18, 8: 19}),
]
BERT = {
    "vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
    "max_position_embeddings": 40, "hidden_act": "gelu", "pad_token_id": 1,
}
FAMILIES = {
    "bert": (BertConfig, BertForMaskedLM, {**BERT, "type_vocab_size": 2, "layer_norm_eps": 1e-12}),
    "roberta": (RobertaConfig, RobertaForMaskedLM, {**BERT, "type_vocab_size": 1, "layer_norm_eps": 1e-5}),
    "distilbert": (DistilBertConfig, DistilBertForMaskedLM, {
        "vocab_size": VOCABULARY, "dim": 16, "hidden_dim": 24, "n_layers": 2, "n_heads": 4, "max_position_embeddings": 40,
        "activation": "gelu", "pad_token_id": 1}),
    "modernbert": (ModernBertConfig, ModernBertForMaskedLM, {
        "vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
        "max_position_embeddings": 40, "pad_token_id": 1, "bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2,
        "sep_token_id": 3, "norm_eps": 1e-5}),
}


def record(name):
    config, kind, figures = FAMILIES[name]
    model = kind(config(**figures, attn_implementation="eager")).eval()
    shapes = fill(model)
    model = model.double()
    masked = sum(len(hidden) for _, hidden in TEXTS)
    loss = 0.0
    for ids, hidden in TEXTS:
        logits = model(torch.tensor([ids])).logits[0].log_softmax(-1)
        loss = loss - sum(logits[place, token] for place, token in hidden.items()) / masked
    loss.backward()
    gradients = {n: [round(x, 8) for x in p.grad.flatten().tolist()] for n, p in model.named_parameters() if p.grad is not None}
    keep = ("word", "tok_", "head", "cls.", "vocab", "decoder", "layer.0.attention.self.query.weight")
    return {
        "config": {"model_type": name, **figures},
        "tensors": shapes,
        "loss": round(loss.item(), 9),
        "gradients": {n: g for n, g in gradients.items() if any(part in n for part in keep)},
    }


print(json.dumps({
    "torch": torch.__version__.split("+")[0],
    "transformers": transformers.__version__,
    "texts": [{"ids": ids, "hidden": sorted(hidden.items())} for ids, hidden in TEXTS],
    "cases": [record(name) for name in FAMILIES],
}))
