//! Weights from a formula, the same numbers as those of tests/python/formula_weights.py, bit for bit.

use lexforge_models::tensors::{self, NamedTensors};
use std::collections::BTreeMap;
use std::path::Path;
use tch::{Kind, Tensor};

/// The values of a tensor.
pub fn values(name: &str, shape: &[i64]) -> Tensor {
    let seed = name.bytes().fold(2_166_136_261u32, |h, byte| (h ^ u32::from(byte)).wrapping_mul(16_777_619));
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
        std::fs::write(folder.join("model.safetensors"), tensors::to_bytes(single).unwrap()).unwrap();
        return;
    }
    for (number, part) in parts.iter().enumerate() {
        std::fs::write(folder.join(file(number)), tensors::to_bytes(part).unwrap()).unwrap();
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map});
    std::fs::write(folder.join("model.safetensors.index.json"), index.to_string()).unwrap();
}
