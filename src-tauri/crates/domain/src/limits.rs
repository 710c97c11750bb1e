//! Limits on what people type, which the engine enforces and the page names before anything is sent.

/// The fewest characters of a workspace's new passphrase.
pub const SHORTEST_PASSPHRASE: usize = 8;

/// The fewest characters of the reason for which a machine's known key is replaced. An auditor reads it later.
pub const SHORTEST_KEY_REASON: usize = 10;

/// The most characters of a note on a matched rule.
pub const LONGEST_MATCH_NOTE: usize = 4_000;
