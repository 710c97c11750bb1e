"""Record what Transformers computes on tiny models of every architecture, for models/tests/architectures.rs.

    python3 tests/python/record_architectures.py > models/tests/data/architectures.json

Needs torch and transformers. Configurations are in the forms that folders on disk have, of Transformers 4
(rope_theta, rope_scaling) and of 5 (rope_parameters); weights come from formula_weights.py. Each sequence is run
by itself, so that no padding takes part.
"""

import json

import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForSequenceClassification

from formula_weights import fill

VOCABULARY = 29
SEQUENCES = [[3, 17, 8, 25, 11], [4, 9, 22, 5, 28, 13, 7, 19, 6, 10, 15], [12, 3, 26, 14, 20]]
DECODER = {
    "vocab_size": VOCABULARY, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 64, "rms_norm_eps": 1e-6,
    "hidden_act": "silu", "bos_token_id": 1, "eos_token_id": 2,
}
ENCODER = {
    "vocab_size": VOCABULARY, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2,
    "num_attention_heads": 4, "max_position_embeddings": 40, "type_vocab_size": 2, "hidden_act": "gelu",
    "layer_norm_eps": 1e-5, "pad_token_id": 1,
}
LLAMA3 = {
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}
DECODERS = {
    "qwen3": {"model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True, "rope_theta": 1000000.0},
    "qwen3-untied": {"model_type": "qwen3", "head_dim": 12, "tie_word_embeddings": False, "attention_bias": True,
                     "rope_parameters": {"rope_type": "default", "rope_theta": 5000.0}},
    "qwen3-yarn": {"model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True, "rope_theta": 10000.0,
                   "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}},
    "qwen2": {"model_type": "qwen2", "tie_word_embeddings": True, "rope_theta": 1000000.0},
    "qwen2-window": {"model_type": "qwen2", "tie_word_embeddings": False, "rope_theta": 10000.0,
                     "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
    "qwen2-window-off": {"model_type": "qwen2", "tie_word_embeddings": False, "rope_theta": 10000.0,
                         "use_sliding_window": False, "sliding_window": 4, "max_window_layers": 0},
    "llama2": {"model_type": "llama", "num_key_value_heads": None, "rms_norm_eps": 1e-5, "rope_theta": 10000.0},
    "llama3": {"model_type": "llama", "rope_theta": 500000.0, "rope_scaling": LLAMA3},
    "llama3-parameters": {"model_type": "llama", "tie_word_embeddings": True,
                          "rope_parameters": {**LLAMA3, "rope_theta": 500000.0}},
    "llama-linear": {"model_type": "llama", "rope_theta": 10000.0, "rope_scaling": {"type": "linear", "factor": 2.0}},
    "llama-dynamic": {"model_type": "llama", "rope_theta": 10000.0,
                      "rope_scaling": {"type": "dynamic", "factor": 2.0}},
    "llama-yarn": {"model_type": "llama", "rope_theta": 10000.0, "attention_bias": True, "mlp_bias": True,
                   "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16,
                                    "beta_fast": 16.0, "beta_slow": 2.0, "attention_factor": 0.8}},
    "mistral": {"model_type": "mistral", "rope_theta": 10000.0, "sliding_window": None},
    "mistral-window": {"model_type": "mistral", "rope_theta": 10000.0, "sliding_window": 4, "head_dim": 10},
}
ENCODERS = {
    "bert": {"model_type": "bert", "pad_token_id": 0},
    "roberta": {"model_type": "roberta", "type_vocab_size": 1},
    "xlm-roberta": {"model_type": "xlm-roberta", "type_vocab_size": 1, "hidden_act": "gelu_new"},
}
CLASSIFIERS = {
    "bert": {"model_type": "bert", "pad_token_id": 0, "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}},
    "xlm-roberta": {"model_type": "xlm-roberta", "type_vocab_size": 1,
                    "id2label": {"0": "a", "1": "b", "2": "c"}, "label2id": {"a": 0, "b": 1, "c": 2}},
}


def rounded(tensor):
    return [[round(x, 5) for x in row] for row in tensor.tolist()]


def make(factory, config):
    config = {key: value for key, value in config.items()}
    made = AutoConfig.for_model(**config)
    model = factory.from_config(made, attn_implementation="eager").eval()
    return model, fill(model)


def seen(length, window):
    """Additive mask under which a token sees those nearer than the window, on both sides."""
    at = torch.arange(length)
    far = (at[:, None] - at[None, :]).abs() >= (window or length)
    return torch.zeros(1, 1, length, length).masked_fill(far, torch.finfo(torch.float32).min)


cases = []
with torch.no_grad():
    for name, changes in DECODERS.items():
        config = {**DECODER, **changes, "architectures": ["ForCausalLM"]}
        model, tensors = make(AutoModelForCausalLM, config)
        case = {"name": name, "config": config, "tensors": tensors, "logits": [], "bidirectional": []}
        for ids in SEQUENCES:
            row = torch.tensor([ids])
            case["logits"].append(rounded(model(row).logits[0]))
            if name != "qwen2-window":  # its layers see different widths; the others have one mask
                window = config["sliding_window"] if name == "mistral-window" else None
                hidden = model.model(row, attention_mask=seen(len(ids), window)).last_hidden_state
                case["bidirectional"].append(rounded(hidden[0]))
        cases.append(case)
    for name, changes in ENCODERS.items():
        config = {**ENCODER, **changes}
        model, tensors = make(AutoModel, config)
        hidden = [rounded(model(torch.tensor([ids])).last_hidden_state[0]) for ids in SEQUENCES]
        cases.append({"name": name, "config": config, "tensors": tensors, "hidden": hidden})
    for name, changes in CLASSIFIERS.items():
        config = {**ENCODER, **changes}
        model, tensors = make(AutoModelForSequenceClassification, config)
        scores = []
        for ids in SEQUENCES:
            types = [0] * 3 + [min(1, config["type_vocab_size"] - 1)] * (len(ids) - 3)
            scores.append(rounded(model(torch.tensor([ids]), token_type_ids=torch.tensor([types])).logits)[0])
        cases.append({"name": f"{name}-classifier", "config": config, "tensors": tensors, "scores": scores})
print(json.dumps({
    "transformers": transformers.__version__,
    "torch": torch.__version__.split("+")[0],
    "sequences": SEQUENCES,
    "cases": cases,
}))
