"""Record adapters that PEFT makes, what they change, and eight steps of training, for models/tests/decoder_lora.rs.

    python3 tests/python/record_peft.py > models/tests/data/peft_decoder.json

Needs torch, transformers and peft. Weights of the models and of the adapters come from formula_weights.py; the
adapters' configurations and tensor names are those that PEFT itself writes.
"""

import json
import pathlib
import tempfile

import peft
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM

from formula_weights import fill, values

BASE = {
    "model_type": "qwen3", "vocab_size": 29, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 64,
    "rms_norm_eps": 1e-6, "hidden_act": "silu", "tie_word_embeddings": True, "rope_theta": 1000000.0,
    "eos_token_id": 2,
}
IDS = [4, 9, 22, 5, 28, 13, 7, 19, 6, 10, 15]
# Tokens and the first one of the answer.
TRAINING = [([3, 17, 8, 25, 11, 2], 3), (IDS + [2], 7), ([12, 3, 26, 2], 1), ([20, 21, 5, 5, 9, 2], 4)]
ADAPTERS = {
    "all-linear": (AutoModelForCausalLM, dict(task_type="CAUSAL_LM", r=4, lora_alpha=8, target_modules="all-linear")),
    "rank-stabilised": (AutoModelForCausalLM, dict(task_type="CAUSAL_LM", r=3, lora_alpha=6, use_rslora=True,
                                                   target_modules=["q_proj", "v_proj"])),
    "pattern": (AutoModelForCausalLM, dict(task_type="CAUSAL_LM", r=2, lora_alpha=4, lora_dropout=0.1,
                                           target_modules=r".*\.1\.mlp\.(up|down)_proj")),
    "bare": (AutoModel, dict(task_type="FEATURE_EXTRACTION", r=2, lora_alpha=4, target_modules=["o_proj", "gate_proj"])),
}


def base(factory):
    model = factory.from_config(AutoConfig.for_model(**BASE), attn_implementation="eager").eval()
    if factory is AutoModel:  # the same weights under shorter names
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                parameter.copy_(values(f"model.{name}", tuple(parameter.shape)))
        return model, None
    return model, fill(model)


def rounded(tensor):
    return [[round(x, 5) for x in row] for row in tensor.tolist()]


cases, shapes = [], None
for name, (factory, config) in ADAPTERS.items():
    model, found = base(factory)
    shapes = found or shapes
    model = get_peft_model(model, LoraConfig(**config)).eval()
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        made = json.loads((pathlib.Path(folder) / "adapter_config.json").read_text())
        tensors = {key: list(t.shape) for key, t in load_file(pathlib.Path(folder) / "adapter_model.safetensors").items()}
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if ".default." in key:
                parameter.copy_(values(key.replace(".default.", "."), tuple(parameter.shape)))
        out = model(input_ids=torch.tensor([IDS]))
    made["target_modules"] = sorted(made["target_modules"]) if isinstance(made["target_modules"], list) else made["target_modules"]
    values_out = out.logits if factory is AutoModelForCausalLM else out.last_hidden_state
    cases.append({"name": name, "config": made, "tensors": tensors, "out": rounded(values_out[0])})

torch.manual_seed(0)
model, _ = base(AutoModelForCausalLM)
model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", r=4, lora_alpha=8, target_modules="all-linear")).train()
trained = {key: p for key, p in model.named_parameters() if p.requires_grad}
with torch.no_grad():
    for key, parameter in trained.items():
        if "lora_A" in key:  # B stays zero, as PEFT begins
            parameter.copy_(values(key.replace(".default.", "."), tuple(parameter.shape)))
optimizer = torch.optim.AdamW(trained.values(), lr=5e-3, weight_decay=0.01)
losses = []
for _ in range(8):
    each = []
    for ids, answer in TRAINING:
        labels = [-100] * answer + ids[answer:]
        out = model(input_ids=torch.tensor([ids]), labels=torch.tensor([labels]))
        each.append(out.loss)  # the mean over the answer's tokens
    loss = sum(each) / len(each)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained.values(), 1.0)
    optimizer.step()
    losses.append(round(loss.item(), 7))
print(json.dumps({
    "peft": peft.__version__, "torch": torch.__version__.split("+")[0], "config": BASE, "tensors": shapes, "ids": IDS,
    "adapters": cases,
    "training": {"items": [{"ids": i, "answer": a} for i, a in TRAINING], "rate": 5e-3, "weight_decay": 0.01,
                 "max_grad_norm": 1.0, "losses": losses},
}))
