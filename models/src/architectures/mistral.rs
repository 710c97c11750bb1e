//! Mistral: LLaMA with attention limited to a window of earlier tokens (Jiang et al. 2023; the names are those of
//! Hugging Face's `MistralForCausalLM`).

use crate::Result;
use crate::architectures::decoder::{CommonFields, DecoderConfig};
use crate::architectures::sizes::damaged;
use crate::architectures::sizes::unsupported;
use serde_json::Value;

/// The window where the configuration does not speak of it (version 0.1 of the 7B model).
const USUAL_WINDOW: i64 = 4096;

/// Reads a `config.json` with `model_type` `mistral`.
///
/// # Errors
/// As `CommonFields::of_value` and `CommonFields::plain`.
pub fn config(value: &Value) -> Result<DecoderConfig> {
    let mut config = CommonFields::of_value(value)?.plain("mistral", value)?;
    if value
        .get("layer_types")
        .is_some_and(|types| !types.is_null())
    {
        return Err(unsupported("layers of several kinds (layer_types)"));
    }
    let window = match value.get("sliding_window") {
        None => Some(USUAL_WINDOW),
        Some(Value::Null) => None,
        Some(given) => Some(
            given
                .as_i64()
                .filter(|&n| n > 0)
                .ok_or_else(|| damaged("has an impossible sliding_window"))?,
        ),
    };
    config.windows = vec![window; config.layers];
    Ok(config)
}
