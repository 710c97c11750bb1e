#!/usr/bin/env python3
"""The official OpenAI client against a running server: chat, streaming, embeddings, schemas, scores, errors.

    OPENAI_API_KEY=… tests/python/openai_client.py http://127.0.0.1:PORT/v1

The server serves the demonstration decoder as `demo` and an adapter of it as `one`. Every check is an assertion."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import openai
from openai import OpenAI
from pydantic import BaseModel

QUESTION = [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": "Who keeps the minutes?"}]


class Verdict(BaseModel):
    level: Literal["sentence", "paragraph"]
    sure: bool


def expect(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


def main():
    client = OpenAI(base_url=sys.argv[1], max_retries=0, timeout=120)
    assert [model.id for model in client.models.list()] == ["demo", "one"]
    assert client.models.retrieve("one").owned_by == "lexforge"

    settings = {"model": "demo", "messages": QUESTION, "temperature": 0, "max_tokens": 20}
    whole = client.chat.completions.create(**settings)
    text = whole.choices[0].message.content
    assert text and whole.choices[0].finish_reason in ("stop", "length")
    assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens
    pieces, usage = [], None
    for chunk in client.chat.completions.create(**settings, stream=True, stream_options={"include_usage": True}):
        usage = chunk.usage or usage
        pieces += [choice.delta.content or "" for choice in chunk.choices]
    assert "".join(pieces) == text and usage == whole.usage, (pieces, usage)
    # This helper takes an answer that is cut for a failure, so it is given an end.
    with client.chat.completions.stream(**settings, stop=text[6:9]) as stream:
        final = stream.get_final_completion()
    assert final.choices[0].message.content == text[:text.index(text[6:9])]
    other = client.chat.completions.create(**settings | {"model": "one"})
    assert other.choices[0].message.content != text

    seeded = settings | {"temperature": 1.2, "top_p": 0.9, "seed": 7, "n": 2, "logprobs": True, "top_logprobs": 2}
    first, second = (client.chat.completions.create(**seeded) for _ in range(2))
    assert [c.message.content for c in first.choices] == [c.message.content for c in second.choices]
    assert len(first.choices[0].logprobs.content[0].top_logprobs) == 2
    stopped = client.chat.completions.create(**settings, stop=text[3:6])
    assert stopped.choices[0].message.content == text[:text.index(text[3:6])]
    assert stopped.choices[0].finish_reason == "stop"

    verdict = client.chat.completions.parse(**settings | {"max_tokens": 100}, response_format=Verdict)
    assert isinstance(verdict.choices[0].message.parsed, Verdict), verdict
    schema = Verdict.model_json_schema() | {"additionalProperties": False}
    written = client.chat.completions.create(
        **settings | {"max_tokens": 200, "temperature": 1, "seed": 1},
        response_format={"type": "json_schema", "json_schema": {"name": "v", "schema": schema}})
    Verdict.model_validate_json(written.choices[0].message.content)

    # The client asks for Base64 unless it is told otherwise, and decodes it itself.
    texts = ["the board", "the board secretary", "董事会"]
    packed = client.embeddings.create(model="demo", input=texts)
    plain = client.embeddings.create(model="demo", input=texts, encoding_format="float")
    for a, b in zip(packed.data, plain.data, strict=True):
        assert len(a.embedding) == len(b.embedding)
        assert max(abs(x - y) for x, y in zip(a.embedding, b.embedding)) < 1e-6
        assert abs(sum(x * x for x in a.embedding) - 1) < 1e-4
    assert packed.usage.prompt_tokens > 3

    scores = client.post("/score", cast_to=object, body={"model": "demo", "question": "Who?", "choices": texts[:2]})
    assert [one["index"] for one in scores["data"]] == [0, 1] and scores["data"][0]["likelihood"] < 0

    error = expect(openai.NotFoundError, lambda: client.chat.completions.create(**settings | {"model": "gpt-4o"}))
    assert error.code == "model_not_found" and "demo" in error.message, error
    error = expect(openai.BadRequestError, lambda: client.chat.completions.create(
        **settings | {"messages": [{"role": "user", "content": "bank " * 9000}]}))
    assert error.code == "context_length_exceeded", error
    expect(openai.BadRequestError, lambda: client.chat.completions.create(**settings, tools=[
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]))
    expect(openai.AuthenticationError, lambda: client.with_options(api_key="another").models.list())

    def streamed(seed):
        chunks = client.chat.completions.create(**settings | {"temperature": 1, "seed": seed}, stream=True)
        return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)

    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(streamed, range(16)))
    assert together == [streamed(seed) for seed in range(16)]
    print(json.dumps({"openai": openai.__version__, "answer": text}, ensure_ascii=False))


if __name__ == "__main__":
    main()
