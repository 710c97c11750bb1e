//! LLaMA 2 and 3 (Touvron et al. 2023, Grattafiori et al. 2024; the names are those of Hugging Face's
//! `LlamaForCausalLM`).

use crate::Result;
use crate::architectures::decoder::{CommonFields, DecoderConfig, is_on};
use serde_json::Value;

/// Reads a `config.json` with `model_type` `llama`.
///
/// # Errors
/// As `CommonFields::of_value` and `CommonFields::plain`.
pub fn config(value: &Value) -> Result<DecoderConfig> {
    let mut config = CommonFields::of_value(value)?.plain("llama", value)?;
    let bias = is_on(value, "attention_bias");
    config.query_key_value_bias = bias;
    config.output_bias = bias;
    config.inner_bias = is_on(value, "mlp_bias");
    Ok(config)
}
