"""Writes model folders for the checks of tools/bench/gpu without any library: models whose weights follow the formula of the
recorded values (models/tests/it/common/formula.rs), and large random ones."""
import array
import json
import math
import random
import struct

ENDS = 1  # number of the token that ends an answer
FP32, BF16 = "F32", "BF16"
WIDTH = {FP32: 4, BF16: 2}
BLOCK = 1 << 24  # numbers that a large tensor repeats


def hashed(name, count):
    """The formula's numbers within ±1, before they are scaled."""
    seed, mask = 2166136261, 0xFFFFFFFF
    for byte in name.encode():
        seed = (seed ^ byte) * 16777619 & mask
    for i in range(count):
        h = seed + i * 0x9E3779B9 & mask
        h = (h ^ h >> 16) * 0x85EBCA6B & mask
        h = (h ^ h >> 13) * 0xC2B2AE35 & mask
        h ^= h >> 16
        yield (h >> 8) / (1 << 23) - 1.0


def formula(name, shape):
    """A tensor's values in fp32, as those that were recorded."""
    count = math.prod(shape)
    norm = "norm" in name.lower() and name.endswith("weight")
    around, spread = (0.0, 1.0 if "embed" in name else 0.3) if len(shape) == 2 else (1.0 if norm else 0.0, 0.1)
    single = lambda value: struct.unpack("f", struct.pack("f", value))[0]
    spread = single(spread)
    return array.array("f", (single(around + single(spread * value)) for value in hashed(name, count)))


def noise(kind):
    """Bytes of random numbers between 1/128 and 1/32 with a sign: the size of a large model's weights."""
    source = random.Random(7)
    data = bytearray(source.randbytes(BLOCK * WIDTH[kind]))
    width = WIDTH[kind]
    signs = bytes(0x3C if byte & 1 else 0xBC for byte in range(256))
    data[width - 1::width] = data[width - 1::width].translate(signs)
    return memoryview(bytes(data))


def ones(count, kind):
    return (b"\0\0\x80\x3f" if kind == FP32 else b"\x80\x3f") * count


def write_safetensors(path, tensors, kind):
    """`tensors`: name → (shape, a function that gives its bytes in pieces)."""
    header, at = {}, 0
    for name, (shape, _) in tensors.items():
        end = at + math.prod(shape) * WIDTH[kind]
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    part = path.with_suffix(".part")
    with open(part, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, pieces in tensors.values():
            for piece in pieces():
                file.write(piece)
    part.rename(path)


def read_rows(path):
    """The rows of an embed job's output."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    rows, width = json.loads(data[8:8 + length])["embeddings"]["shape"]
    values = array.array("f", data[8 + length:])
    return [values[row * width:(row + 1) * width] for row in range(rows)]


def describe(folder, config, end=ENDS):
    """Everything but the weights: each word `w7` is the token 7, and a token ends an answer."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [end]}))
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": {f"w{n}": n for n in range(config["vocab_size"])}, "unk_token": "w0"}}))
    # The last: a folder with a configuration is whole.
    (folder / "config.json").write_text(json.dumps(config))


def recorded(folder, case, end):
    """The folder of a recorded case, with the token that ends its texts."""
    pieces = lambda name, shape: lambda: [formula(name, shape).tobytes()]
    tensors = {name: (shape, pieces(name, shape)) for name, shape in sorted(case["tensors"].items())}
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "model.safetensors", tensors, FP32)
    describe(folder, case["config"], end)


def fill(folder, config, shapes, kind):
    """A folder of random weights; one that is whole stays."""
    if (folder / "config.json").exists() and json.loads((folder / "config.json").read_text()) == config:
        return
    folder.mkdir(parents=True, exist_ok=True)
    block = noise(kind)

    def pieces(name, shape):
        def give():
            count = math.prod(shape)
            if len(shape) == 1:
                yield ones(count, kind) if name.endswith("weight") else bytes(count * WIDTH[kind])
                return
            left = count * WIDTH[kind]
            while left:
                yield block[:left]
                left -= min(left, len(block))
        return give

    write_safetensors(folder / "model.safetensors", {n: (s, pieces(n, s)) for n, s in shapes.items()}, kind)
    describe(folder, config)


def decoder(size):
    """Configuration and shapes of a Qwen3."""
    vocabulary, hidden, inner, layers, heads, keys, head, longest = size
    config = {
        "model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "vocab_size": vocabulary, "hidden_size": hidden,
        "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": heads,
        "num_key_value_heads": keys, "head_dim": head, "max_position_embeddings": longest, "rms_norm_eps": 1e-6,
        "rope_theta": 1000000.0, "tie_word_embeddings": False, "hidden_act": "silu", "attention_bias": False,
        "torch_dtype": "bfloat16", "eos_token_id": ENDS}
    shapes = {"model.embed_tokens.weight": [vocabulary, hidden]}
    for layer in range(layers):
        for name, shape in {
                "input_layernorm": [hidden], "post_attention_layernorm": [hidden], "self_attn.q_norm": [head],
                "self_attn.k_norm": [head], "self_attn.q_proj": [heads * head, hidden],
                "self_attn.k_proj": [keys * head, hidden], "self_attn.v_proj": [keys * head, hidden],
                "self_attn.o_proj": [hidden, heads * head], "mlp.gate_proj": [inner, hidden],
                "mlp.up_proj": [inner, hidden], "mlp.down_proj": [hidden, inner]}.items():
            shapes[f"model.layers.{layer}.{name}.weight"] = shape
    return config, shapes | {"model.norm.weight": [hidden], "lm_head.weight": [vocabulary, hidden]}


def encoder(size):
    """Configuration and shapes of a BERT."""
    vocabulary, hidden, inner, layers, heads, longest = size
    config = {
        "model_type": "bert", "vocab_size": vocabulary, "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": inner, "max_position_embeddings": longest,
        "type_vocab_size": 2}
    shapes = {"embeddings.word_embeddings.weight": [vocabulary, hidden],
              "embeddings.position_embeddings.weight": [longest, hidden],
              "embeddings.token_type_embeddings.weight": [2, hidden]}
    wide = {"attention.self.query": (hidden, hidden), "attention.self.key": (hidden, hidden),
            "attention.self.value": (hidden, hidden), "attention.output.dense": (hidden, hidden),
            "intermediate.dense": (inner, hidden), "output.dense": (hidden, inner)}
    norms = ["embeddings.LayerNorm"]
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        for name, (outputs, inputs) in wide.items():
            shapes |= {f"{at}{name}.weight": [outputs, inputs], f"{at}{name}.bias": [outputs]}
        norms += [at + "attention.output.LayerNorm", at + "output.LayerNorm"]
    for name in norms:
        shapes |= {f"{name}.weight": [hidden], f"{name}.bias": [hidden]}
    return config, shapes
