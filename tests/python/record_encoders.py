"""Record what Transformers and Sentence Transformers compute on tiny random encoders, for models/tests/it/encoders.rs.

    python3 tests/python/record_encoders.py > models/tests/it/data/encoders.json

Needs torch, transformers, peft, sentence-transformers, sentencepiece and protobuf. Weights come from formula_weights.py, and
tokenizers are trained on the texts below, so that nothing of any published model is in the file. `cases` are token vectors
of single sequences, so that no padding takes part; `folders` are whole folders of Sentence Transformers with the vectors of
texts.
"""

import base64
import io
import json
import logging
import os
import tempfile

import sentence_transformers
import sentencepiece
import torch
import transformers
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from tokenizers import (
    Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers,
)
from transformers import AutoConfig, AutoModel, AutoModelForMaskedLM, T5EncoderModel, MT5EncoderModel, T5Model
from transformers.convert_slow_tokenizer import import_protobuf

from formula_weights import fill, values

VOCABULARY = 29
LONG = [(7 * i + 3) % 25 + 4 for i in range(30)]
SEQUENCES = [[3, 17, 8, 25, 11], [4, 9, 22, 5, 28, 13, 7, 19, 6, 10, 15], [12, 3, 26, 14, 20], LONG]
BERT = {
    "vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
    "num_attention_heads": 4, "max_position_embeddings": 40, "hidden_act": "gelu", "layer_norm_eps": 1e-5,
    "pad_token_id": 1,
}
DISTILBERT = {
    "model_type": "distilbert", "vocab_size": VOCABULARY, "dim": 16, "hidden_dim": 24, "n_layers": 2, "n_heads": 4,
    "max_position_embeddings": 40, "activation": "gelu", "pad_token_id": 0,
}
MPNET = {**BERT, "model_type": "mpnet", "relative_attention_num_buckets": 32}
MODERN = {
    "model_type": "modernbert", "vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 24,
    "num_hidden_layers": 3, "num_attention_heads": 2, "max_position_embeddings": 40, "hidden_activation": "gelu",
    "norm_eps": 1e-5, "local_attention": 6, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    "cls_token_id": 1, "sep_token_id": 2,
}
DEBERTA = {
    **BERT, "model_type": "deberta-v2", "layer_norm_eps": 1e-7, "pad_token_id": 0, "type_vocab_size": 0,
    "relative_attention": True, "max_relative_positions": -1,
}
T5 = {
    "model_type": "t5", "vocab_size": VOCABULARY, "d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 2, "num_heads": 4,
    "relative_attention_num_buckets": 8, "relative_attention_max_distance": 20, "pad_token_id": 0, "eos_token_id": 1,
    "decoder_start_token_id": 0, "is_encoder_decoder": True,
}
QWEN3 = {
    "model_type": "qwen3", "vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4, "max_position_embeddings": 64,
    "rms_norm_eps": 1e-6, "hidden_act": "silu", "bos_token_id": 1, "eos_token_id": 2, "tie_word_embeddings": True,
}
CASES = {
    "distilbert": (AutoModel, DISTILBERT),
    "distilbert-headed": (AutoModelForMaskedLM, {**DISTILBERT, "activation": "relu"}),
    "mpnet": (AutoModel, MPNET),
    "mpnet-headed": (AutoModelForMaskedLM, MPNET),
    # As Transformers 4 writes it, and as Transformers 5 does.
    "modernbert": (AutoModel, {**MODERN, "global_attn_every_n_layers": 2, "global_rope_theta": 500.0,
                               "local_rope_theta": 100.0}),
    "modernbert-headed": (AutoModelForMaskedLM, {
        **MODERN, "norm_bias": True, "attention_bias": True, "mlp_bias": True,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 300.0},
                            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}}),
    "deberta-v3": (AutoModel, {**DEBERTA, "position_buckets": 8, "norm_rel_ebd": "layer_norm", "share_att_key": True,
                               "pos_att_type": "p2c|c2p", "position_biased_input": False}),
    "deberta-v2": (AutoModelForMaskedLM, {
        **DEBERTA, "position_buckets": 6, "norm_rel_ebd": "layer_norm", "pos_att_type": ["p2c", "c2p"],
        "conv_kernel_size": 3, "conv_act": "gelu", "type_vocab_size": 2, "embedding_size": 12}),
    "deberta-by-query": (AutoModel, {**DEBERTA, "pos_att_type": ["c2p"], "max_relative_positions": 9}),
    "deberta-without-distances": (AutoModel, {**DEBERTA, "relative_attention": False}),
    "t5": (T5EncoderModel, {**T5, "feed_forward_proj": "relu"}),
    "t5-gated": (T5EncoderModel, {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "t5-whole": (T5Model, {**T5, "feed_forward_proj": "gated-silu"}),
    "mt5": (MT5EncoderModel, {**T5, "model_type": "mt5", "feed_forward_proj": "gated-gelu"}),
}
# Linear layers by the last parts of their names: all that there are but the poolers, which token vectors do not go through.
TARGETS = {
    "distilbert": ["q_lin", "k_lin", "v_lin", "out_lin", "lin1", "lin2"],
    "mpnet": ["attn.q", "attn.k", "attn.v", "attn.o", "intermediate.dense", "output.dense"],
    "modernbert": ["Wqkv", "Wo", "Wi"],
    "deberta-v3": ["query_proj", "key_proj", "value_proj", "dense"],
    "deberta-by-query": ["pos_key_proj", "value_proj"],
    "t5-gated": ["q", "k", "v", "o", "wi_0", "wi_1", "wo"],
}
TEXTS = [
    "The board approves the loan.",
    "A bank shall keep a register of every outsourcing arrangement, and shall review the register once a year.",
    "商业银行应当建立健全贷款审批制度。",
    "Ｆｕｌｌ　ｗｉｄｔｈ ② and  two   spaces",
    "a",
    "",
]
# Full-width letters, the wide blank and a number in a circle, as SentencePiece's own tables fold them.
RULES = [(chr(0xFF01 + i), chr(0x21 + i)) for i in range(94)] + [("\u3000", " "), ("②", "2")]


def rounded(rows, digits=7):
    return [[round(float(x), digits) for x in row] for row in rows]


def build(factory, config):
    made = AutoConfig.for_model(**json.loads(json.dumps(config)))
    if hasattr(factory, "from_config"):
        return factory.from_config(made, attn_implementation="eager").eval()
    made._attn_implementation = "eager"
    return factory(made).eval()


def hidden(model, ids):
    row = torch.tensor([ids])
    if isinstance(model, T5Model):
        return model.encoder(row).last_hidden_state[0]
    return getattr(model, model.base_model_prefix, model)(row).last_hidden_state[0]


def adapted(factory, config, targets):
    """Token vectors under an adapter of PEFT's whose weights come from the formula, too."""
    model = build(factory, config)
    fill(model)
    model = get_peft_model(model, LoraConfig(r=3, lora_alpha=6, target_modules=targets, task_type="FEATURE_EXTRACTION"))
    shapes = {}
    for name, parameter in model.named_parameters():
        if "lora_" in name:
            stored = name.replace(".default.", ".")
            parameter.copy_(values(stored, tuple(parameter.shape)))
            shapes[stored] = list(parameter.shape)
    vectors = [rounded(hidden(model.base_model.model, ids)) for ids in SEQUENCES[:2]]
    return {"targets": targets, "tensors": shapes, "hidden": vectors}


def charsmap():
    """A compiled table of SentencePiece for the rules above."""
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "rules.tsv")
        with open(table, "w") as file:
            for old, new in RULES:
                code = lambda text: " ".join(f"{ord(letter):X}" for letter in text)
                file.write(f"{code(old)}\t{code(new)}\n")
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXTS[:2] * 4), model_writer=model, vocab_size=40, hard_vocab_limit=False,
            normalization_rule_tsv=table, minloglevel=2,
        )
        proto = import_protobuf().ModelProto()
        proto.ParseFromString(model.getvalue())
        return base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()


def template(first, last, tokenizer):
    special = [(token, tokenizer.token_to_id(token)) for token in (first, last) if token]
    single = " ".join(token for token in (first, "$A", last) if token)
    pair = " ".join(token for token in (first, "$A", last, "$B", last) if token)
    return processors.TemplateProcessing(single=single, pair=pair, special_tokens=special)


def wordpiece(first, last, unknown, pad):
    tokenizer = Tokenizer(models.WordPiece(unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=90, special_tokens=[first, pad, last, unknown], show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = template(first, last, tokenizer)
    return tokenizer


def byte_level():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=["[PAD]", "[CLS]", "[SEP]", "[UNK]"], show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = template("[CLS]", "[SEP]", tokenizer)
    return tokenizer


def unigram(special, unknown, first, last):
    """As the converters of Transformers make it of a model of SentencePiece."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Precompiled(base64.b64decode(charsmap())), normalizers.Strip(left=False, right=True),
        normalizers.Replace(Regex(" {2,}"), "▁"),
    ])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token=unknown, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = template(first, last, tokenizer)
    return tokenizer


def modules(*kinds):
    paths = ["" if kind == "Transformer" else f"{number}_{kind}" for number, kind in enumerate(kinds)]
    return [{"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for i, (kind, path) in enumerate(zip(kinds, paths))]


def pooling(mode):
    keys = ["cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"]
    return {"word_embedding_dimension": 16, **{f"pooling_mode_{key}": key == mode for key in keys}}


def dense(outputs, bias, function):
    return {"in_features": 16, "out_features": outputs, "bias": bias, "activation_function": f"torch.nn.modules.{function}"}


def folder_cases():
    bert = wordpiece("[CLS]", "[SEP]", "[UNK]", "[PAD]")
    mpnet = wordpiece("<s>", "</s>", "[UNK]", "<pad>")
    modern = byte_level()
    deberta = unigram(["[PAD]", "[CLS]", "[SEP]", "[UNK]"], "[UNK]", "[CLS]", "[SEP]")
    t5 = unigram(["<pad>", "</s>", "<unk>"], "<unk>", None, "</s>")
    usual = ("Transformer", "Pooling")
    dot = {"similarity_fn_name": "dot"}
    v3 = CASES["deberta-v3"][1]
    return [
        ("distilbert", AutoModel, DISTILBERT, bert,
         {"modules.json": modules(*usual, "Dense", "Normalize"), "1_Pooling/config.json": pooling("cls_token"),
          "2_Dense/config.json": dense(8, True, "activation.Tanh"), "sentence_bert_config.json": {"max_seq_length": 32}}),
        ("mpnet", AutoModel, {**MPNET, "vocab_size": 90}, mpnet,
         {"modules.json": modules(*usual, "Normalize"), "1_Pooling/config.json": pooling("mean_tokens"),
          "sentence_bert_config.json": {"max_seq_length": 12}}),
        ("modernbert", AutoModel, CASES["modernbert"][1], modern,
         {"modules.json": modules(*usual), "1_Pooling/config.json": pooling("weightedmean_tokens"),
          "config_sentence_transformers.json": dot, "sentence_bert_config.json": {"max_seq_length": 40}}),
        ("deberta", AutoModel, v3, deberta,
         {"modules.json": modules(*usual), "1_Pooling/config.json": pooling("lasttoken"),
          "config_sentence_transformers.json": {"prompts": {"query": "a bank: ", "document": "board: "}, **dot},
          "sentence_bert_config.json": {"max_seq_length": 40}}),
        ("t5", T5EncoderModel, CASES["t5-gated"][1], t5,
         {"modules.json": modules(*usual, "Dense", "Normalize"), "1_Pooling/config.json": pooling("mean_tokens"),
          "2_Dense/config.json": dense(12, False, "linear.Identity"), "sentence_bert_config.json": {"max_seq_length": 20}}),
        # A decoder that is published as an encoder: its tokens see what comes before them.
        ("qwen3", AutoModel, QWEN3, modern,
         {"modules.json": modules(*usual, "Normalize"), "1_Pooling/config.json": pooling("lasttoken"),
          "config_sentence_transformers.json": {"prompts": {"query": "Instruct: find\nQuery:", "document": ""},
                                                "similarity_fn_name": "cosine"},
          "sentence_bert_config.json": {"max_seq_length": 60}}),
        # The same without a word on how it makes vectors: the mean of its tokens, which see what comes before them.
        ("qwen3-bare", AutoModel, QWEN3, modern, {}),
        ("deberta-max", AutoModel, v3, deberta,
         {"modules.json": modules(*usual), "1_Pooling/config.json": pooling("max_tokens"),
          "config_sentence_transformers.json": dot, "sentence_bert_config.json": {"max_seq_length": 40}}),
        ("deberta-root", AutoModel, v3, deberta,
         {"modules.json": modules(*usual), "1_Pooling/config.json": pooling("mean_sqrt_len_tokens"),
          "config_sentence_transformers.json": dot, "sentence_bert_config.json": {"max_seq_length": 40}}),
    ]


def folder(name, factory, config, tokenizer, files):
    size = tokenizer.get_vocab_size()
    config = {**config, "vocab_size": size}
    model = build(factory, config)
    shapes = fill(model)
    written = {"config.json": config, "tokenizer.json": json.loads(tokenizer.to_str()), **files}
    special = {"pad_token": "<pad>" if tokenizer.token_to_id("<pad>") is not None else "[PAD]"}
    written["tokenizer_config.json"] = {"tokenizer_class": "PreTrainedTokenizerFast", **special}
    weights = {"": shapes}
    for path in [path for path in files if path.endswith("Dense/config.json")]:
        layer = files[path]
        own = {"linear.weight": [layer["out_features"], layer["in_features"]]}
        if layer["bias"]:
            own["linear.bias"] = [layer["out_features"]]
        weights[os.path.dirname(path)] = own
    with tempfile.TemporaryDirectory() as root:
        for path, content in written.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w") as file:
                json.dump(content, file)
        for path, own in weights.items():
            tensors = {tensor: values(tensor, tuple(shape)) for tensor, shape in own.items()}
            save_file(tensors, os.path.join(root, path, "model.safetensors"), metadata={"format": "pt"})
        loaded = sentence_transformers.SentenceTransformer(root, device="cpu", model_kwargs={"attn_implementation": "eager"})
        texts = [text for text in TEXTS if text or name != "t5"]
        # Of a folder that lists no modules, vectors have unit length here: they are compared by cosine.
        how = {"batch_size": 1, "normalize_embeddings": "modules.json" not in files}
        vectors = {
            "plain": rounded(loaded.encode(texts, **how)),
            "question": rounded(loaded.encode_query(texts, **how)),
            "passage": rounded(loaded.encode_document(texts, **how)),
        }
    return {"name": name, "files": written, "tensors": weights, "texts": texts, "vectors": vectors}


def main():
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    cases = []
    with torch.no_grad():
        for name, (factory, config) in CASES.items():
            model = build(factory, config)
            shapes = fill(model)
            vectors = [rounded(hidden(model, ids)) for ids in SEQUENCES]
            case = {"name": name, "config": config, "tensors": shapes, "hidden": vectors}
            if name in TARGETS:
                case["adapted"] = adapted(factory, config, TARGETS[name])
            cases.append(case)
        folders = [folder(*case) for case in folder_cases()]
    print(json.dumps({
        "transformers": transformers.__version__,
        "sentence_transformers": sentence_transformers.__version__,
        "torch": torch.__version__.split("+")[0],
        "sequences": SEQUENCES,
        "cases": cases,
        "folders": folders,
    }, ensure_ascii=False))


if __name__ == "__main__":
    main()
