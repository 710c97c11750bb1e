//! RoBERTa (Liu et al. 2019) and XLM-RoBERTa (Conneau et al. 2020). They are BERT with other tensor names, one token
//! type, and positions that begin after the number of the padding token. (The dense vector of bge-m3 is the vector of
//! the first token.)

use crate::Result;
use crate::architectures::bert::{BertConfig, Family};
use serde_json::Value;

/// The padding token where the configuration does not speak of it.
const USUAL_PADDING: i64 = 1;

/// Reads a `config.json` with `model_type` `roberta` or `xlm-roberta`.
///
/// # Errors
/// As `BertConfig::of_value`.
pub fn config(name: &str, value: &Value) -> Result<BertConfig> {
    let mut config = BertConfig::of_value(value.clone())?;
    let padding = value
        .get("pad_token_id")
        .and_then(Value::as_i64)
        .unwrap_or(USUAL_PADDING);
    config.family = Family {
        name: if name == "roberta" {
            "roberta"
        } else {
            "xlm-roberta"
        },
        prefix: "roberta.",
        first_position: padding.max(0) + 1,
        ..Family::default()
    };
    Ok(config)
}
