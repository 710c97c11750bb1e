//! Tests of `bert`.

use crate::architectures::architecture::Config;
use lexforge_domain::Code;

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let good = r#"{"model_type":"bert","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,
            "intermediate_size":16,"max_position_embeddings":32}"#;
    assert_eq!(Config::of_text(good).unwrap().sizes().hidden, 8);
    let check = |from: &str, to: &str, code: Code, named: &str| {
        let failure = Config::of_text(&good.replace(from, to))
            .unwrap_err()
            .into_failure();
        assert_eq!(failure.code, code, "{to}");
        assert!(failure.message.contains(named), "{}", failure.message);
    };
    check("\"bert\"", "\"albert\"", Code::ModelUnsupported, "albert");
    check(
        "\"model_type\":\"bert\",",
        "",
        Code::ModelUnsupported,
        "model_type",
    );
    check(
        "\"vocab_size\":10",
        "\"vocab_size\":10,\"hidden_act\":\"mish\"",
        Code::ModelUnsupported,
        "mish",
    );
    check(
        "\"hidden_size\":8",
        "\"hidden_size\":9",
        Code::ModelMissing,
        "9 numbers a token, which 2 attention heads cannot share evenly",
    );
    let relative = "\"vocab_size\":10,\"position_embedding_type\":\"relative_key\"";
    check(
        "\"vocab_size\":10",
        relative,
        Code::ModelUnsupported,
        "relative_key",
    );
    check(
        "\"vocab_size\":10",
        "\"vocab_size\":10,\"is_decoder\":true",
        Code::ModelUnsupported,
        "is_decoder",
    );
    check(
        "\"num_attention_heads\":2",
        "\"num_attention_heads\":3",
        Code::ModelMissing,
        "8 numbers a token, which 3 attention heads cannot share evenly",
    );
    check("\"vocab_size\":10,", "", Code::ModelMissing, "vocab_size");
}
