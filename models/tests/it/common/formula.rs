//! Weights from a formula, the same numbers as those of tests/python/formula_weights.py, bit for bit.

use lexforge_models::tensors::{self, NamedTensors};
use std::collections::BTreeMap;
use std::path::Path;
use tch::{Kind, Tensor};

/// The values of a tensor.
pub fn values(name: &str, shape: &[i64]) -> Tensor {
    let seed = name.bytes().fold(2_166_136_261u32, |h, byte| {
        (h ^ u32::from(byte)).wrapping_mul(16_777_619)
    });
    let norm = name.to_lowercase().contains("norm") && name.ends_with("weight");
    let (around, spread) = match shape.len() {
        2 if name.contains("embed") => (0.0f32, 1.0f32),
        2 => (0.0, 0.3),
        _ if norm => (1.0, 0.1),
        _ => (0.0, 0.1),
    };
    let count: i64 = shape.iter().product();
    let numbers: Vec<f32> = (0..count as u32)
        .map(|i| {
            let mut h = seed.wrapping_add(i.wrapping_mul(0x9E37_79B9));
            h ^= h >> 16;
            h = h.wrapping_mul(0x85EB_CA6B);
            h ^= h >> 13;
            h = h.wrapping_mul(0xC2B2_AE35);
            h ^= h >> 16;
            around + spread * ((h >> 8) as f32 / (1u32 << 23) as f32 - 1.0)
        })
        .collect();
    Tensor::from_slice(&numbers).view(shape)
}

/// Makes a model folder of a configuration and its tensors' shapes, in one file or in shards.
pub fn write_model(
    folder: &Path,
    config: &serde_json::Value,
    shapes: &BTreeMap<String, Vec<i64>>,
    kind: Kind,
    shards: usize,
) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let mut parts: Vec<NamedTensors> = (0..shards).map(|_| NamedTensors::new()).collect();
    let mut map = serde_json::Map::new();
    let file = |number: usize| format!("model-{:05}-of-{shards:05}.safetensors", number + 1);
    for (number, (name, shape)) in shapes.iter().enumerate() {
        parts[number % shards].insert(name.clone(), values(name, shape).to_kind(kind));
        map.insert(name.clone(), file(number % shards).into());
    }
    if let [single] = parts.as_slice() {
        std::fs::write(
            folder.join("model.safetensors"),
            tensors::to_bytes(single).unwrap(),
        )
        .unwrap();
        return;
    }
    for (number, part) in parts.iter().enumerate() {
        std::fs::write(folder.join(file(number)), tensors::to_bytes(part).unwrap()).unwrap();
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map});
    std::fs::write(
        folder.join("model.safetensors.index.json"),
        index.to_string(),
    )
    .unwrap();
}

/// Name of the tiny decoder's folder.
pub const DECODER: &str = "tiny-qwen3";

/// Makes a folder with a tiny Qwen3 beside the tiny BERT, whose tokenizer it shares.
pub fn tiny_decoder(models: &Path) {
    let folder = models.join(DECODER);
    let (vocabulary, hidden, inner) = (28i64, 24i64, 40i64);
    let config = serde_json::json!({
        "model_type": "qwen3", "vocab_size": vocabulary, "hidden_size": hidden, "intermediate_size": inner,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
        "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "tie_word_embeddings": true, "eos_token_id": 3,
    });
    write_model(
        &folder,
        &config,
        &qwen3_shapes(vocabulary, hidden, inner, 2, (4, 2, 8)),
        Kind::Float,
        1,
    );
    std::fs::copy(
        models.join(super::TINY).join("tokenizer.json"),
        folder.join("tokenizer.json"),
    )
    .unwrap();
}

/// Shapes of a tied Qwen3 with these heads, key heads and head size.
pub fn qwen3_shapes(
    vocabulary: i64,
    hidden: i64,
    inner: i64,
    layers: usize,
    (heads, key_heads, head): (i64, i64, i64),
) -> BTreeMap<String, Vec<i64>> {
    let mut shapes = BTreeMap::from([
        (
            "model.embed_tokens.weight".to_owned(),
            vec![vocabulary, hidden],
        ),
        ("model.norm.weight".to_owned(), vec![hidden]),
    ]);
    for layer in 0..layers {
        for (name, shape) in [
            ("input_layernorm", vec![hidden]),
            ("post_attention_layernorm", vec![hidden]),
            ("self_attn.q_proj", vec![heads * head, hidden]),
            ("self_attn.k_proj", vec![key_heads * head, hidden]),
            ("self_attn.v_proj", vec![key_heads * head, hidden]),
            ("self_attn.o_proj", vec![hidden, heads * head]),
            ("self_attn.q_norm", vec![head]),
            ("self_attn.k_norm", vec![head]),
            ("mlp.gate_proj", vec![inner, hidden]),
            ("mlp.up_proj", vec![inner, hidden]),
            ("mlp.down_proj", vec![hidden, inner]),
        ] {
            shapes.insert(format!("model.layers.{layer}.{name}.weight"), shape);
        }
    }
    shapes
}
