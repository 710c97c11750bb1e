"""Compare what the worker computes of a decoder's folder with what Transformers makes of it.

    python3 tests/python/check_decoder.py FOLDER ASKED.json LOGITS.safetensors

ASKED holds, a list, {"question", "prompt", "ids"}: a question, what the chat template makes of it, and its tokens.
LOGITS holds the logits of each one's tokens in fp32, by its number in the list. Exit status: 0 the same prompts, the
same tokens and logits equal to 1e-4; 1 different; 77 packages missing.
"""

import json
import sys

try:
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM, AutoTokenizer
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

folder, asked, logits = sys.argv[1:4]
asked = json.load(open(asked, encoding="utf-8"))
ours = load_file(logits)
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
largest = 0.0
for number, one in enumerate(asked):
    messages = [{"role": "user", "content": one["question"]}]
    prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    if prompt != one["prompt"] or ids != one["ids"]:
        print(f"another prompt or other tokens: {prompt!r} {ids} and not {one['prompt']!r} {one['ids']}")
        sys.exit(1)
    with torch.no_grad():
        theirs = model(torch.tensor([ids])).logits[0]
    difference = (theirs - ours[str(number)]).abs().max().item()
    if not difference <= 1e-4:  # so also where it is no number
        print(f"prompt {number}: a logit differs by {difference}")
        sys.exit(1)
    largest = max(largest, difference)
print(f"{len(asked)} prompts and their tokens equal; largest difference of a logit {largest:.2e}")
