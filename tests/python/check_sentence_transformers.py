"""Check that an exported encoder gives in Sentence Transformers the vectors that it gives here; models/tests/it/encoders.rs
runs it.

    python3 tests/python/check_sentence_transformers.py FOLDER VECTORS.json

VECTORS.json holds `texts` and our `vectors` of them. Prints the lowest cosine; fails below .99999.
"""

import json
import sys

import numpy
import sentence_transformers

with open(sys.argv[2]) as file:
    given = json.load(file)
model = sentence_transformers.SentenceTransformer(sys.argv[1], device="cpu")
theirs = numpy.asarray(model.encode(given["texts"]), dtype=numpy.float64)
ours = numpy.asarray(given["vectors"], dtype=numpy.float64)
assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
lengths = numpy.linalg.norm(ours, axis=1) * numpy.linalg.norm(theirs, axis=1)
lowest = float(((ours * theirs).sum(axis=1) / lengths).min())
print(f"{model[0].auto_model.config.model_type}: lowest cosine {lowest:.9f}")
sys.exit(lowest < 0.99999)
