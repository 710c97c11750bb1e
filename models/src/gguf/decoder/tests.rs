//! Tests of `decoder`.

use super::*;
use crate::architectures::architecture::Config;

fn config(text: &str) -> DecoderConfig {
    let text = format!(
        r#"{{"vocab_size":64,"hidden_size":32,"intermediate_size":48,"num_hidden_layers":2,"num_attention_heads":4,
            "num_key_value_heads":2,"head_dim":8,"max_position_embeddings":128,{text}}}"#
    );
    match Config::of_text(&text).unwrap() {
        Config::Decoder(config) => config,
        Config::Encoder(_) => unreachable!(),
    }
}

#[test]
fn tensors_have_the_formats_names() {
    let check = |name: &str, expected: Option<&str>| {
        assert_eq!(name_of(name).as_deref(), expected, "{name}")
    };
    check("model.embed_tokens.weight", Some("token_embd.weight"));
    check("norm.weight", Some("output_norm.weight"));
    check("lm_head.weight", Some("output.weight"));
    check(
        "model.layers.11.self_attn.o_proj.weight",
        Some("blk.11.attn_output.weight"),
    );
    check(
        "layers.0.self_attn.k_norm.weight",
        Some("blk.0.attn_k_norm.weight"),
    );
    check(
        "model.layers.3.mlp.down_proj.bias",
        Some("blk.3.ffn_down.bias"),
    );
    check("model.layers.3.self_attn.rotary_emb.inv_freq", None);
    check("model.layers.x.mlp.down_proj.weight", None);
}

#[test]
fn llamas_queries_are_turned_and_come_back() {
    let config = config(r#""model_type":"llama""#);
    let name = "model.layers.0.self_attn.q_proj.weight";
    let rows = Tensor::arange(32, (Kind::Float, Device::Cpu)).view([32, 1]);
    let out = turned(&config, name, &rows).unwrap();
    // The first head has rows 0 to 7; dimension i comes before its other half i + 4.
    let first: Vec<f32> = Vec::try_from(out.narrow(0, 0, 8).view([8])).unwrap();
    assert_eq!(first, [0.0, 4.0, 1.0, 5.0, 2.0, 6.0, 3.0, 7.0]);
    assert_eq!(turned_back(&config, name, &out).unwrap(), rows);
    assert_eq!(
        turned(&config, "model.layers.0.self_attn.v_proj.weight", &rows).unwrap(),
        rows
    );
    assert_eq!(
        turned(&self::config(r#""model_type":"qwen3""#), name, &rows).unwrap(),
        rows
    );
}

#[test]
fn what_readers_would_compute_differently_is_refused_by_name() {
    let named = |text: &str| check(&config(text)).unwrap_err().into_failure().message;
    assert!(
            named(r#""model_type":"qwen2","use_sliding_window":true,"sliding_window":16,"max_window_layers":1"#)
                .contains("use_sliding_window")
        );
    assert!(named(r#""model_type":"qwen3","attention_bias":true"#).contains("attention_bias"));
    assert!(
            named(r#""model_type":"llama","rope_scaling":{"rope_type":"yarn","factor":4.0,"beta_fast":16}"#)
                .contains("YaRN")
        );
    let windowed = config(r#""model_type":"mistral","sliding_window":64"#);
    assert!(check(&windowed).unwrap()[0].contains("64 tokens"));
    assert_eq!((context(&windowed), architecture(&windowed)), (64, "llama"));
    assert!(
        check(&config(
            r#""model_type":"llama","attention_bias":true,"mlp_bias":true"#
        ))
        .unwrap()
        .is_empty()
    );
}

#[test]
fn llama_3s_scaling_becomes_divisors() {
    let scaled = config(
        r#""model_type":"llama","rope_theta":500000.0,"rope_scaling":{"rope_type":"llama3","factor":8.0,
            "low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":64}"#,
    );
    let divisors = rotary_divisors(&scaled).unwrap();
    // Wavelengths 2π, 167, 4443 and more: kept, divided, divided.
    assert_eq!(divisors.len(), 4);
    assert!(
        (divisors[0] - 1.0).abs() < 1e-6
            && (divisors[1] - 8.0).abs() < 1e-5
            && (divisors[3] - 8.0).abs() < 1e-5
    );
    assert!(rotary_divisors(&config(r#""model_type":"llama""#)).is_none());
}
