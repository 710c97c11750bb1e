"""How a model in four bits is written as a folder: `python3 -m unittest discover -s tools`. The file is made here."""
import json
import pathlib
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import four_bits  # noqa: E402  (found beside this file)

HIDDEN, LAYERS, INNER, POSITIONS, TYPES = 32, 1, 64, 4, 2
PIECES = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("\u2581", -2.0), ("港口", -3.5), ("<mask>", 0.0)]
REPLACED = {"\x07": "", "\u200b": " ", "Ａ": "A", "㎡": "m2"}


def packed(count, scale=0.5):
    """Blocks whose weights go through all 16 values, and what they say."""
    blocks, says = b"", []
    for block in range(count // 32):
        values = [(block + at) % 16 for at in range(32)]
        blocks += struct.pack("<e", scale) + bytes(values[at] | values[at + 16] << 4 for at in range(16))
        says += [(value - 8) * scale for value in values]
    return blocks, says


def model(spoil=lambda name, entry: entry):
    """A file of one small layer, and what each of its tensors says."""
    sizes = {"hidden": HIDDEN, "layers": LAYERS, "inner": INNER, "words": len(PIECES), "positions": POSITIONS, "types": TYPES}
    texts = [piece.encode() for piece, _ in PIECES]
    offsets = [sum(map(len, texts[:at])) for at in range(len(texts) + 1)]
    head = four_bits.MAGIC + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, 2, INNER, len(PIECES), POSITIONS, TYPES, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, offsets[-1]) + struct.pack(f"<{len(offsets)}I", *offsets)
    head += struct.pack(f"<{len(PIECES)}f", *(score for _, score in PIECES)) + b"".join(texts)
    norm = b"".join(struct.pack(f"<IB{len(to)}I", ord(c), len(to), *map(ord, to)) for c, to in REPLACED.items())
    head += struct.pack("<iI", len(REPLACED), len(norm)) + norm
    says, entries, body = {}, [], b""
    for name, stored, shape in four_bits.shapes(sizes):
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        if len(shape) > 1 and stored not in ("emb.pos", "emb.type"):
            data, says[name] = packed(count)
            kind = four_bits.FOUR_BITS
        else:
            says[name] = [at / 4 for at in range(count)]
            data, kind = struct.pack(f"<{count}f", *says[name]), four_bits.F32
        entries.append((stored, kind, count, len(body), len(data)))
        body += data
    length = len(head) + 4 + sum(2 + len(name) + 21 for name, *_ in entries)
    head += struct.pack("<i", len(entries))
    for name, *entry in entries:
        kind, count, start, size = spoil(name, entry)
        head += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, start + length, size)
    return head + body, says


class FourBits(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "model"
        self.folder.mkdir()
        self.file = pathlib.Path(scratch.name) / "file"

    def convert(self, data):
        self.file.write_bytes(data)
        four_bits.convert(self.file, self.folder)

    def read(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def test_each_weight_is_what_its_bits_say(self):
        data, says = model()
        self.convert(data)
        written = (self.folder / "model.safetensors").read_bytes()
        length, = struct.unpack_from("<Q", written)
        header = json.loads(written[8 : 8 + length])
        self.assertEqual(sorted(header), sorted([*says, "__metadata__"]))
        for name, expected in says.items():
            begin, end = header[name]["data_offsets"]
            found = struct.unpack(f"<{len(expected)}e", written[8 + length + begin : 8 + length + end])
            self.assertEqual(list(found), expected, name)
        self.assertEqual(header["encoder.layer.0.intermediate.dense.weight"]["shape"], [INNER, HIDDEN])
        self.assertEqual(header["encoder.layer.0.intermediate.dense.bias"]["shape"], [INNER])

    def test_the_folder_says_how_texts_are_read(self):
        self.convert(model()[0])
        config = self.read("config.json")
        self.assertEqual((config["model_type"], config["vocab_size"], config["layer_norm_eps"]), ("bert", len(PIECES), 1e-12))
        self.assertEqual(self.read("config_sentence_transformers.json")["prompts"], {"query": "query: ", "passage": "passage: "})
        self.assertEqual(self.read("sentence_bert_config.json")["max_seq_length"], POSITIONS)
        self.assertIn("MIT", (self.folder / "README.md").read_text(encoding="utf-8"))

    def test_the_tokenizer_has_the_pieces_and_what_is_not_usual_is_replaced_first(self):
        self.convert(model()[0])
        tokenizer = self.read("tokenizer.json")
        self.assertEqual([tuple(pair) for pair in tokenizer["model"]["vocab"]], PIECES)
        self.assertEqual([one["id"] for one in tokenizer["added_tokens"]], [0, 1, 2, 3, 6])
        steps = tokenizer["normalizer"]["normalizers"]
        # NFKC knows the wide letter and the square metre.
        self.assertEqual(steps[0], four_bits.regex("[\\x{7}]", ""))
        self.assertEqual(steps[1], four_bits.regex("[\\x{200B}]", " "))
        self.assertEqual([step["type"] for step in steps], ["Replace", "Replace", "Replace", "NFKC", "Replace", "Replace"])

    def test_a_file_that_is_not_whole_or_another_is_refused(self):
        data, _ = model()
        for spoilt in (b"", b"E5S2" + data[4:], data[:60], data[:-1]):
            with self.assertRaises(four_bits.Damaged, msg=len(spoilt)):
                self.convert(spoilt)

    def test_a_tensor_of_another_size_is_refused(self):
        def longer(name, entry):
            return [entry[0], entry[1] * 2, entry[2], entry[3] * 2] if name == "l0.q.b" else entry

        with self.assertRaisesRegex(four_bits.Damaged, "l0.q.b"):
            self.convert(model(longer)[0])


if __name__ == "__main__":
    unittest.main()
