"""Record what Transformers makes of chat templates, for models/tests/language.rs.

    python3 tests/python/record_chat.py TOKENIZER_QWEN2_FOLDER > models/tests/data/chat.json

Needs transformers. The templates are our own and use what published ones use: namespaces, reversed slices, string
methods, whitespace control, undefined variables, macros, loop controls. Of the Qwen2 tokenizer's template only the
outcome is recorded.
"""

import json
import pathlib
import sys

import transformers
from transformers.utils.chat_template_utils import render_jinja_template

THOUGHTS = """\
{%- set found = namespace(asked=-1) %}
{%- for turn in messages[::-1] %}
    {%- set place = messages|length - loop.index %}
    {%- if found.asked < 0 and turn.role == "user" and turn.content is string and not turn.content.startswith('#') %}
        {%- set found.asked = place %}
    {%- endif %}
{%- endfor %}
{%- if tools %}
    {{- 'TOOLS ' + (tools | tojson) }}
{%- endif %}
{%- for turn in messages %}
    {%- set said = turn.content if turn.content is string else '' %}
    {%- if turn.role != "assistant" %}
        {{- '<|begin|>' ~ turn.role ~ '\\n' ~ said ~ '<|stop|>\\n' }}
    {%- else %}
        {%- set thought = '' %}
        {%- if turn.thought is string %}
            {%- set thought = turn.thought %}
        {%- elif '</think>' in said %}
            {%- set thought = said.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set said = said.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > found.asked and (thought or loop.last) %}
            {{- '<|begin|>assistant\\n<think>' ~ thought.strip('\\n') ~ '</think>' ~ said ~ '<|stop|>\\n' }}
        {%- else %}
            {{- '<|begin|>assistant\\n' ~ said ~ '<|stop|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|begin|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think></think>' }}
    {%- endif %}
{%- endif %}
"""
HEADERS = """\
{{- bos_token }}
{%- if day is not defined %}
    {%- if strftime_now is defined and false %}
        {%- set day = strftime_now("%d") %}
    {%- else %}
        {%- set day = "no day" %}
    {%- endif %}
{%- endif %}
{%- set first, rest = "", messages %}
{%- if messages[0]['role'] == 'system' %}
    {%- set first = messages[0]['content']|trim %}
    {%- set rest = messages[1:] %}
{%- endif %}
{{- "[[system]] " + day + ": " + first|upper + "\\n" }}
{%- for turn in rest %}
    {{- '[[' + turn['role'] + ']] ' + turn['content'] | trim + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '[[assistant]] ' }}
{%- endif %}
"""
TURNS = """\
{%- if messages[0]["role"] == "system" %}
    {%- set order = messages[0]["content"] %}
    {%- set turns = messages[1:] %}
{%- else %}
    {%- set turns = messages %}
{%- endif %}
{%- macro asked(text) %}<ask>{{ text }}</ask>{% endmacro %}
{%- for turn in turns %}
    {%- if (turn["role"] == "user") != (loop.index0 % 2 == 0) %}
        {{- raise_exception("one after the other, please") }}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{% for turn in turns %}
    {% if turn["role"] == "user" %}
        {%- if loop.first and order is defined %}
            {{- asked(order + " / " + turn["content"]) }}
        {%- else %}
            {{- asked(turn["content"]) }}
        {%- endif %}
    {%- else %}
        {{- " " + turn["content"].strip() + eos_token }}
        {%- if not loop.last %}{% continue %}{% endif %}
    {%- endif %}
{%- endfor %}
"""


def said(*texts, system=None):
    messages = [{"role": "system", "content": system}] if system else []
    return messages + [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]


CONVERSATIONS = [
    said("Who approves the loan?"),
    said("  Who?\n", system=" Be brief. "),
    said("董事会秘书是谁？", "<think>\nWell.\n</think>\n\nA person & \"one\" <b>.", "And 'now'?", system="中文"),
]
folder = pathlib.Path(sys.argv[1])
qwen2 = json.loads((folder / "tokenizer_config.json").read_text())["chat_template"]
cases = []
for name, template in {"thoughts": THOUGHTS, "headers": HEADERS, "turns": TURNS, "qwen2": qwen2}.items():
    rendered = [
        render_jinja_template(
            conversations=[messages], chat_template=template, add_generation_prompt=True, enable_thinking=False,
            bos_token="<s>", eos_token="</s>",
        )[0][0]
        for messages in CONVERSATIONS
    ]
    cases.append({"name": name, "template": None if name == "qwen2" else template, "rendered": rendered})
print(json.dumps({"transformers": transformers.__version__, "conversations": CONVERSATIONS, "cases": cases},
                 ensure_ascii=False, indent=1))
