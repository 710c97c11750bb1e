//! Which base model, how its token vectors become one, and the hash of an adapter to it.

use crate::Sha256;
use serde::{Deserialize, Serialize};

/// A base model by name and content; the target resolves it among its own model folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRef {
    /// The folder's name, for example `all-MiniLM-L6-v2`.
    pub name: String,
    /// SHA-256 of `config.json`, followed by that of the weights' index where there is one, hexadecimal.
    /// Empty = not checked.
    pub sha256: String,
}

/// How token vectors become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// Mean over real tokens; padding is never counted.
    Mean,
    /// The first token.
    Cls,
    /// The last real token.
    Last,
}

/// The hash of the adapter's weights in a result.
pub(super) fn adapter_sha256<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Sha256, D::Error> {
    Sha256::field(deserializer, "adapter_sha256")
}
