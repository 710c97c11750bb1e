"""Record embeddings of Sentence Transformers, for models/tests/minilm.rs.

    python3 tests/python/record_embeddings.py MODEL_FOLDER > models/tests/data/minilm_embeddings.json

Needs sentence-transformers. Values are rounded to 7 digits; inputs are cut at 256 tokens.
"""

import json
import sys

import sentence_transformers

LONG = (
    "The institution shall keep a register of every outsourcing arrangement, shall review it once a year, and shall"
    " give it to the competent authority without undue delay. "
)
TEXTS = [
    "An executive supervisor approves a loan above the limit.",
    "A supervisor does not approve loans.",
    "",
    " ",
    "a",
    "!?",
    "Capital requirements: 8.5 % of risk-weighted assets (Art. 92(1)(c)), as of 1 January 2025.",
    "Straße, naïve café, ﬁnancial coöperation and Ünïcödé.",
    "商业银行应当建立健全贷款审批制度。",
    "The 董事会 approves the policy 😀 twice a year.",
    "antidisestablishmentarianism pseudopseudohypoparathyroidism",
    "UPPER CASE and lower case\tand\nwhite   space",
    LONG.strip(),
    (LONG * 20).strip(),
]
model = sentence_transformers.SentenceTransformer(sys.argv[1], device="cpu")
model.max_seq_length = 256
vectors = model.encode(TEXTS, batch_size=4)
print(json.dumps({
    "sentence_transformers": sentence_transformers.__version__,
    "max_length": 256,
    "texts": TEXTS,
    "vectors": [[round(float(x), 7) for x in row] for row in vectors],
}, ensure_ascii=False))
