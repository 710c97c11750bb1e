//! Qwen2 and Qwen2.5, in which only queries, keys and values have a bias. (Yang et al. 2024; the names are those of
//! Hugging Face's `Qwen2ForCausalLM`.)

use crate::Result;
use crate::architectures::decoder::{CommonFields, DecoderConfig, qwen_windows};
use serde_json::Value;

/// Reads a `config.json` with `model_type` `qwen2`.
///
/// # Errors
/// As `CommonFields::of_value` and `CommonFields::plain`.
pub fn config(value: &Value) -> Result<DecoderConfig> {
    let mut config = CommonFields::of_value(value)?.plain("qwen2", value)?;
    config.query_key_value_bias = true;
    config.windows = qwen_windows(value, config.layers)?;
    Ok(config)
}
