"""Read a GGUF file with the format's own package and compare it with a folder of merged weights in f32, for
models/tests/export.rs.

    python3 tests/python/check_gguf.py MODEL.gguf FOLDER

Names come from the package's map of tensors, numbers from its own quantisation: tensors of f16 and q8_0 must be the
same bytes.
"""

import json
import pathlib
import sys

import gguf
import numpy
from safetensors.numpy import load_file

path, folder = sys.argv[1], pathlib.Path(sys.argv[2])
config = json.loads((folder / "config.json").read_text())
weights = {}
for part in sorted(folder.glob("*.safetensors")):
    weights.update(load_file(part))
reader = gguf.GGUFReader(path)
fields = {name: field.contents() for name, field in reader.fields.items()}

name = {"mistral": "llama"}.get(config["model_type"], config["model_type"])
assert fields["general.architecture"] == name, fields["general.architecture"]
heads = config["num_attention_heads"]
keys = config.get("num_key_value_heads") or heads
head = config.get("head_dim") or config["hidden_size"] // heads
expected = {
    "block_count": config["num_hidden_layers"], "embedding_length": config["hidden_size"],
    "feed_forward_length": config["intermediate_size"], "attention.head_count": heads,
    "attention.head_count_kv": keys, "attention.key_length": head, "attention.value_length": head,
    "rope.dimension_count": head, "vocab_size": config["vocab_size"],
}
for field, value in expected.items():
    assert fields[f"{name}.{field}"] == value, (field, fields[f"{name}.{field}"], value)
assert abs(fields[f"{name}.rope.freq_base"] - config["rope_theta"]) < 1e-3
assert len(fields["tokenizer.ggml.tokens"]) == len(fields["tokenizer.ggml.token_type"]) == config["vocab_size"]
assert len(set(fields["tokenizer.ggml.tokens"])) == config["vocab_size"]

architecture = {text: number for number, text in gguf.MODEL_ARCH_NAMES.items()}[name]
names = gguf.get_tensor_name_map(architecture, config["num_hidden_layers"])
tensors = {tensor.name: tensor for tensor in reader.tensors}
extra = {"rope_freqs.weight"} & set(tensors)


def turned(own, tensor):
    """LLaMA's rows in the order in which its readers turn them."""
    count = {"q_proj": heads, "k_proj": keys}.get(own.split(".")[-2])
    if name != "llama" or count is None:
        return tensor
    shape = tensor.shape
    return tensor.reshape(count, 2, shape[0] // count // 2, *shape[1:]).swapaxes(1, 2).reshape(shape)


worst = 0.0
for own, tensor in weights.items():
    there = names.get_name(own, try_suffixes=(".weight", ".bias"))
    found = tensors.pop(there)
    tensor = numpy.ascontiguousarray(turned(own, tensor)).astype(numpy.float32)
    read = gguf.quants.dequantize(found.data, found.tensor_type)
    assert read.shape == tensor.shape, (there, read.shape, tensor.shape)
    if found.tensor_type != gguf.GGMLQuantizationType.F32:
        same = gguf.quants.quantize(tensor, found.tensor_type)
        assert numpy.array_equal(same.view(numpy.uint8).ravel(), found.data.view(numpy.uint8).ravel()), there
    else:
        assert numpy.array_equal(read, tensor), there
    worst = max(worst, float(numpy.abs(read - tensor).max()))
assert set(tensors) == extra, set(tensors) ^ extra
kinds = sorted({tensor.tensor_type.name for tensor in reader.tensors})
print(f"{len(reader.tensors)} tensors ({', '.join(kinds)}), {len(fields)} fields, largest rounding {worst:.2e}")
