//! Tests of `modernbert`.

use super::*;
use lexforge_domain::Code;

fn usual() -> Value {
    json!({"model_type": "modernbert", "vocab_size": 9, "hidden_size": 8, "intermediate_size": 12,
            "num_hidden_layers": 4, "num_attention_heads": 2, "max_position_embeddings": 32})
}

#[test]
fn both_forms_of_a_configuration_say_which_layers_are_local() {
    let read = ModernBertConfig::of_value(&usual()).unwrap();
    assert_eq!(read.local, [false, true, true, false]);
    assert_eq!(read.rope[0].theta, 160_000.0);
    assert_eq!(read.rope[1].theta, 10_000.0);
    let mut older = usual();
    older["global_attn_every_n_layers"] = 2.into();
    older["global_rope_theta"] = 80_000.into();
    let read = ModernBertConfig::of_value(&older).unwrap();
    assert_eq!(read.local, [false, true, false, true]);
    assert_eq!(read.rope[0].theta, 80_000.0);
    let mut newer = usual();
    newer["layer_types"] = json!([
        "sliding_attention",
        "full_attention",
        "full_attention",
        "full_attention"
    ]);
    newer["rope_parameters"] =
        json!({"full_attention": {"rope_type": "default", "rope_theta": 500.0}});
    let read = ModernBertConfig::of_value(&newer).unwrap();
    assert_eq!(read.local, [true, false, false, false]);
    assert_eq!((read.rope[0].theta, read.rope[1].theta), (500.0, 10_000.0));
}

#[test]
fn what_cannot_be_computed_is_refused_by_name() {
    let check = |name: &str, to: Value, code: Code, named: &str| {
        let mut value = usual();
        value[name] = to;
        let failure = ModernBertConfig::of_value(&value)
            .unwrap_err()
            .into_failure();
        assert_eq!(failure.code, code, "{name}");
        assert!(failure.message.contains(named), "{}", failure.message);
    };
    check(
        "hidden_activation",
        json!("mish"),
        Code::ModelUnsupported,
        "mish",
    );
    check("num_attention_heads", json!(3), Code::ModelMissing, "sizes");
    check(
        "layer_types",
        json!(["full_attention"]),
        Code::ModelMissing,
        "layer_types",
    );
    check(
        "layer_types",
        json!(["linear_attention"]),
        Code::ModelUnsupported,
        "linear_attention",
    );
}
