//! A model is mapped into memory and not read, so loading takes almost no memory. This test is the only one in its
//! program, because it measures the whole process.
#![cfg(target_os = "linux")]

use crate::common::formula::write_model;
use lexforge_models::architectures::architecture::Config;
use serde_json::json;
use std::collections::BTreeMap;
use tch::{Device, Kind};

/// Anonymous memory of this process in KiB.
fn anonymous() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("RssAnon"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn loading_takes_next_to_no_anonymous_memory() {
    let root = tempfile::tempdir().unwrap();
    let (vocabulary, hidden) = (40_000, 256); // 20 MB in bf16
    let config = json!({
        "model_type": "qwen2", "vocab_size": vocabulary, "hidden_size": hidden, "intermediate_size": 8,
        "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 32,
        "tie_word_embeddings": true,
    });
    let at = |name: &str| format!("model.layers.0.{name}");
    let mut shapes = BTreeMap::from([
        (
            "model.embed_tokens.weight".to_owned(),
            vec![vocabulary, hidden],
        ),
        ("model.norm.weight".to_owned(), vec![hidden]),
        (at("input_layernorm.weight"), vec![hidden]),
        (at("post_attention_layernorm.weight"), vec![hidden]),
        (at("self_attn.o_proj.weight"), vec![hidden, hidden]),
        (at("mlp.gate_proj.weight"), vec![8, hidden]),
        (at("mlp.up_proj.weight"), vec![8, hidden]),
        (at("mlp.down_proj.weight"), vec![hidden, 8]),
    ]);
    for name in ["q_proj", "k_proj", "v_proj"] {
        shapes.insert(
            at(&format!("self_attn.{name}.weight")),
            vec![hidden, hidden],
        );
        shapes.insert(at(&format!("self_attn.{name}.bias")), vec![hidden]);
    }
    let folder = root.path().join("m");
    write_model(&folder, &config, &shapes, Kind::BFloat16, 2);
    let config = Config::of_folder(&folder).unwrap();
    let before = anonymous();
    let model = config.load_decoder(&folder, None, Device::Cpu).unwrap();
    let grown = anonymous().saturating_sub(before);
    assert!(grown < 2048, "{grown} KiB");
    // In another type it must be a copy: what is measured can grow.
    let wide = config
        .load_decoder(&folder, Some(Kind::Float), Device::Cpu)
        .unwrap();
    assert!(anonymous().saturating_sub(before) > 30_000);
    drop((model, wide));
}
