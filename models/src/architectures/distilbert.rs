//! DistilBERT (Sanh et al. 2019): BERT with other names, without token types.

use crate::Result;
use crate::architectures::bert::{BertConfig, Family, Names};
use crate::architectures::sizes::unsupported;
use serde_json::Value;

const NAMES: Names = Names {
    layers: "transformer.layer.",
    query: "attention.q_lin",
    key: "attention.k_lin",
    value: "attention.v_lin",
    attention_output: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    intermediate: "ffn.lin1",
    output: "ffn.lin2",
    output_norm: "output_layer_norm",
};

/// How BERT calls what DistilBERT's configuration holds.
const FIELDS: [(&str, &str); 5] = [
    ("hidden_size", "dim"),
    ("num_hidden_layers", "n_layers"),
    ("num_attention_heads", "n_heads"),
    ("intermediate_size", "hidden_dim"),
    ("hidden_act", "activation"),
];

/// Reads a `config.json` with `model_type` `distilbert`.
///
/// # Errors
/// As `BertConfig::of_value`.
pub fn config(value: &Value) -> Result<BertConfig> {
    let mut as_bert = value.clone();
    for (bert, own) in FIELDS {
        if let Some(number) = value.get(own) {
            as_bert[bert] = number.clone();
        }
    }
    as_bert["type_vocab_size"] = 0.into();
    as_bert["layer_norm_eps"] = 1e-12.into();
    if value.get("is_decoder") == Some(&Value::Bool(true)) {
        return Err(unsupported("DistilBERT as a decoder (is_decoder)"));
    }
    let mut config = BertConfig::of_value(as_bert)?;
    config.family = Family {
        name: "distilbert",
        prefix: "distilbert.",
        names: &NAMES,
        ..Family::default()
    };
    Ok(config)
}
