"""Compare the worker's embeddings under an adapter with those of PEFT.

    python3 tests/python/check_peft.py BASE_FOLDER ADAPTER_FOLDER TEXTS.jsonl EMBEDDINGS.safetensors MAX_LENGTH

Loads the base model and the adapter as a user of PEFT would, embeds the texts (mean over real tokens,
unit length) and compares. Exit status: 0 equal to 1e-4, 1 different, 77 packages missing.
"""

import json
import sys

try:
    import torch
    from peft import PeftModel
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoTokenizer
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

base, adapter, texts, embeddings, max_length = sys.argv[1:6]
texts = [json.loads(line)["text"] for line in open(texts, encoding="utf-8")]
ours = load_file(embeddings)["embeddings"]
tokenizer = AutoTokenizer.from_pretrained(base)
plain = AutoModel.from_pretrained(base).eval()


def embed(model):
    rows = []
    with torch.no_grad():
        for text in texts:
            tokens = tokenizer([text], truncation=True, max_length=int(max_length), return_tensors="pt")
            hidden = model(**tokens).last_hidden_state
            rows.append(torch.nn.functional.normalize(hidden.mean(1), dim=1)[0])
    return torch.stack(rows)


before = embed(plain)
with_adapter = embed(PeftModel.from_pretrained(plain, adapter).eval())
difference = (ours - with_adapter).abs().max().item()
effect = (with_adapter - before).abs().max().item()
print(f"largest difference from PEFT {difference:.2e}; largest effect of the adapter {effect:.2e}")
# An adapter without effect would agree whatever was in it.
sys.exit(0 if difference <= 1e-4 and effect > 10 * difference else 1)
