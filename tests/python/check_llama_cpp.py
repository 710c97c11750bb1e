"""Let llama.cpp answer from a GGUF file, and Transformers from the folder of merged weights in f32, for
models/tests/export.rs.

    python3 tests/python/check_llama_cpp.py MODEL.gguf FOLDER LARGEST

Greedy answers of both to a few prompts, up to the first character of several tokens. Where they part, the two tokens
must be a near tie; up to there the log-probabilities of the tokens must be within LARGEST of each other.
"""

import json
import sys

import torch
import xllamacpp
from transformers import AutoModelForCausalLM, AutoTokenizer

path, folder, largest = sys.argv[1], sys.argv[2], float(sys.argv[3])
QUESTIONS = ["Who keeps the minutes?", "What must a bank report within 30 days?", "商业银行应当在几日内报告大额风险暴露？",
             "Is EUR 1,250,000.50 a large exposure?"]
TOKENS = 12

tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
settings = xllamacpp.CommonParams()
settings.model.path = path
settings.n_ctx, settings.n_parallel, settings.warmup, settings.cpuparams.n_threads = 512, 1, False, 2
server = xllamacpp.Server(settings)

same, worst, compared = 0, 0.0, 0
for question in QUESTIONS:
    prompt = tokenizer.apply_chat_template([{"role": "user", "content": question}], tokenize=False,
                                           add_generation_prompt=True)
    answer = server.handle_completions({"prompt": prompt, "n_predict": TOKENS, "temperature": 0, "n_probs": 5,
                                        "logprobs": 5, "stream": False, "cache_prompt": False})
    answer = json.loads(answer) if isinstance(answer, str) else answer
    said = answer["choices"][0]["logprobs"]["content"]
    ids = tokenizer(prompt, return_tensors="pt", add_special_tokens=False).input_ids
    assert answer["usage"]["prompt_tokens"] == ids.shape[1], (question, answer["usage"], ids.shape)
    parted = False
    for step in said:
        with torch.no_grad():
            logs = torch.log_softmax(model(ids).logits[0, -1].double(), -1)
        if len(tokenizer.convert_ids_to_tokens(step["id"])) != len(step["bytes"]):
            break  # a character of several tokens is told as one, of which only the last is named
        best = int(logs.argmax())
        worst = max(worst, abs(float(logs[step["id"]]) - step["logprob"]))
        compared += 1
        if best != step["id"]:
            assert float(logs[best] - logs[step["id"]]) <= largest, (question, best, step)
            parted = True
            break
        ids = torch.cat([ids, torch.tensor([[best]])], 1)
    same += not parted
assert compared >= len(QUESTIONS) * 2, compared
assert worst <= largest, worst
print(f"{same} of {len(QUESTIONS)} greedy answers alike, {compared} tokens compared, largest difference of a "
      f"log-probability {worst:.2e}")
