//! Qwen3 without experts. Queries and keys are normalised for each head, and all heads together may be wider than the
//! hidden size. (Yang et al. 2025; the names are those of Hugging Face's `Qwen3ForCausalLM`.)

use crate::Result;
use crate::architectures::decoder::{CommonFields, DecoderConfig, is_on, qwen_windows};
use serde_json::Value;

/// Head size of every published model, which a configuration may leave out.
const USUAL_HEAD: i64 = 128;

/// Reads a `config.json` with `model_type` `qwen3`.
///
/// # Errors
/// As `CommonFields::of_value` and `CommonFields::plain`.
pub fn config(value: &Value) -> Result<DecoderConfig> {
    let mut config = CommonFields::of_value(value)?.plain("qwen3", value)?;
    if value.get("head_dim").is_none_or(Value::is_null) {
        config.head = USUAL_HEAD;
    }
    let bias = is_on(value, "attention_bias");
    config.query_key_norm = true;
    config.query_key_value_bias = bias;
    config.output_bias = bias;
    config.windows = qwen_windows(value, config.layers)?;
    Ok(config)
}
