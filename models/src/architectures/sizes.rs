//! Sizes of a model, the largest that are taken, and the refusal of what is not supported.

use crate::{Error, Result};
use lexforge_domain::Code;

/// Sizes of a model, from its configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Layers.
    pub layers: usize,
    /// Hidden size.
    pub hidden: usize,
    /// Inner size of the feed-forward part.
    pub intermediate: usize,
    /// Entries of the embedding table.
    pub vocabulary: usize,
    /// Longest input in tokens.
    pub positions: usize,
}

/// The encoders that are read, as a remedy names them.
const ENCODERS: [&str; 9] = [
    "bert",
    "roberta",
    "xlm-roberta",
    "distilbert",
    "mpnet",
    "modernbert",
    "deberta-v2",
    "t5",
    "mt5",
];

/// The decoders that are read.
const DECODERS: [&str; 4] = ["qwen3", "qwen2", "llama", "mistral"];

/// The most bytes of a `config.json`. A larger file is not read.
pub(crate) const LARGEST_CONFIG: u64 = 16 << 20;

/// The largest sizes that are accepted. Each is several times the size in the largest published model. A configuration
/// can claim any size, and memory for it would be reserved before any weight is read.
pub(crate) const LARGEST: [(&str, f64); 25] = [
    ("num_hidden_layers", 2_000.0),
    ("hidden_size", 262_144.0),
    ("intermediate_size", 4_194_304.0),
    ("num_attention_heads", 4_096.0),
    ("num_key_value_heads", 4_096.0),
    ("head_dim", 8_192.0),
    ("vocab_size", 16_777_216.0),
    ("type_vocab_size", 65_536.0),
    ("max_position_embeddings", 134_217_728.0),
    ("max_window_layers", 2_000.0),
    ("local_attention", 134_217_728.0),
    ("max_relative_positions", 134_217_728.0),
    ("position_buckets", 134_217_728.0),
    ("embedding_size", 262_144.0),
    ("attention_head_size", 8_192.0),
    ("conv_kernel_size", 1_024.0),
    ("n_layers", 2_000.0),
    ("n_heads", 4_096.0),
    ("dim", 262_144.0),
    ("hidden_dim", 4_194_304.0),
    ("num_layers", 2_000.0),
    ("num_heads", 4_096.0),
    ("d_model", 262_144.0),
    ("d_ff", 4_194_304.0),
    ("relative_attention_num_buckets", 65_536.0),
];

/// Refuses sizes that no model has.
pub(crate) fn check_sizes(value: &serde_json::Value) -> Result<()> {
    for (name, most) in LARGEST {
        if let Some(found) = value
            .get(name)
            .and_then(serde_json::Value::as_f64)
            .filter(|found| *found > most)
        {
            return Err(Error::told(
                Code::ModelUnsupported,
                format!(
                    "The model's configuration says {name} {found}; the most that is taken is {most}."
                ),
                "Copy the model's folder again from where it was published; config.json is not that of a model.",
            ));
        }
    }
    Ok(())
}

/// The refusal of a feature, by its name.
pub fn unsupported(feature: &str) -> Error {
    let (encoders, decoders) = (ENCODERS.join(", "), DECODERS.join(", "));
    Error::told(
        Code::ModelUnsupported,
        format!("The model uses {feature}, which is not supported."),
        format!("Use an encoder ({encoders}) or a dense decoder ({decoders})."),
    )
}

/// Attention heads between which the numbers of a token cannot be divided.
pub(crate) fn uneven_heads(hidden: i64, heads: i64) -> Error {
    damaged(&format!(
        "has {hidden} numbers a token, which {heads} attention heads cannot share evenly"
    ))
}

/// A configuration that cannot be that of a model; `what` follows "The model's configuration".
pub(crate) fn damaged(what: &str) -> Error {
    Error::told(
        Code::ModelMissing,
        format!("The model's configuration {what}."),
        "Copy the model's folder again.",
    )
}
