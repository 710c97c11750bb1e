//! MPNet (Song et al. 2020): BERT with other names, without token types, whose scores get a bias by distance besides.

use crate::Result;
use crate::architectures::bert::{BertConfig, Family, Names};
use crate::architectures::sizes::unsupported;
use serde_json::Value;

const NAMES: Names = Names {
    layers: "encoder.layer.",
    query: "attention.attn.q",
    key: "attention.attn.k",
    value: "attention.attn.v",
    attention_output: "attention.attn.o",
    attention_norm: "attention.LayerNorm",
    intermediate: "intermediate.dense",
    output: "output.dense",
    output_norm: "output.LayerNorm",
};

/// Buckets of distances, and the distance from which on all are alike: no configuration changes them.
const BUCKETS: i64 = 32;
const FARTHEST: i64 = 128;
/// The padding token, after whose position the first token's comes; no configuration changes it.
const PADDING: i64 = 1;

/// Reads a `config.json` with `model_type` `mpnet`.
///
/// # Errors
/// As `BertConfig::of_value`.
pub fn config(value: &Value) -> Result<BertConfig> {
    let buckets = value
        .get("relative_attention_num_buckets")
        .and_then(Value::as_i64)
        .unwrap_or(BUCKETS);
    if buckets != BUCKETS {
        return Err(unsupported(&format!(
            "relative_attention_num_buckets {buckets} (MPNet has {BUCKETS})"
        )));
    }
    let mut as_bert = value.clone();
    as_bert["type_vocab_size"] = 0.into();
    let mut config = BertConfig::of_value(as_bert)?;
    config.family = Family {
        name: "mpnet",
        prefix: "mpnet.",
        first_position: PADDING + 1,
        names: &NAMES,
        biases: Some(("encoder.relative_attention_bias.weight", BUCKETS, FARTHEST)),
    };
    Ok(config)
}
