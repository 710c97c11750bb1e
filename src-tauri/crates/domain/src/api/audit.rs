//! The audit chain: its rows, what its verification found, and a head that somebody signed.

use serde::{Deserialize, Serialize};

/// The result of `audit verify`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditReport {
    /// Whether the chain is unbroken, the covered rows are as it says, and whatever else was asked about it is true.
    pub ok: bool,
    /// Rows of the chain.
    pub rows: u64,
    /// Hash of the last row, hexadecimal.
    pub head: String,
    /// The first break.
    pub first_break: Option<AuditBreak>,
    /// The breaks that were found, the first one first; at most some dozens.
    #[serde(default)]
    pub breaks: Vec<AuditBreak>,
    /// The head that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_head: Option<KnownHead>,
    /// The signed head that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<SignatureFound>,
}

/// A head that somebody noted earlier, looked for in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownHead {
    /// The hash, hexadecimal.
    pub head: String,
    /// The row of the chain that has it; `None` = the chain does not contain it.
    pub row: Option<i64>,
    /// Rows that have come since.
    pub since: u64,
}

/// The content of a signed head, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureFound {
    /// When it was signed, as the signer says.
    pub time: String,
    /// The public key that it was signed with, hexadecimal.
    pub public_key: String,
    /// The signature fits what the file says.
    pub valid: bool,
    /// Whether it is the expected key.
    pub expected_key: bool,
}

/// The head of a chain with a signature: what `audit sign` writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedHead {
    /// `lexforge-head-1`.
    pub format: String,
    /// The identity of the workspace: the hash of its chain's first row.
    pub workspace: String,
    /// Rows of the chain.
    pub rows: u64,
    /// Hash of the last row, hexadecimal.
    pub head: String,
    /// When, RFC 3339, UTC: what the signer's clock said.
    pub time: String,
    /// Ed25519, 32 bytes, hexadecimal.
    pub public_key: String,
    /// Ed25519 over all of the above, 64 bytes, hexadecimal.
    pub signature: String,
}

/// The kinds of breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BreakKind {
    /// A row of the chain itself.
    #[default]
    Chain,
    /// Covered rows are not what the chain recorded.
    Rows,
    /// Derived data that does not follow from covered rows.
    Derived,
    /// Rows that no row of the chain covers.
    Uncovered,
    /// Tables, indexes or triggers are not those that this version makes.
    Schema,
    /// The file is damaged inside.
    File,
    /// The chain does not contain the head that was asked for.
    Head,
    /// The signed head cannot be relied on.
    Signature,
}

/// The place where the chain breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditBreak {
    /// The kind of break.
    #[serde(default)]
    pub kind: BreakKind,
    /// Number of the chain's row; that of the last one where the break is at none.
    pub sequence: i64,
    /// Its action.
    pub action: String,
    /// Its subject, for example `document 3`.
    pub subject: String,
    /// The fault: the row of a table, or the chain itself.
    pub message: String,
}

/// The rows of the audit chain to show; nothing set = all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditFilter {
    /// Only rows of this person or program.
    pub actor: Option<String>,
    /// Only rows of this part of the product: the word before the dot of the action, for example `document`.
    pub kind: Option<String>,
    /// From this time on, RFC 3339, UTC, or a beginning of it such as `2026-11-24`.
    pub from: Option<String>,
    /// Before this time, written likewise.
    pub to: Option<String>,
}

/// The values by which the rows of the audit chain can be filtered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFacets {
    /// The names of all people in the chain.
    pub actors: Vec<String>,
    /// The parts before the dots in the names of its actions.
    pub kinds: Vec<String>,
}

/// A row of the audit chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Number, from 1.
    pub sequence: i64,
    /// When, RFC 3339, UTC.
    pub time: String,
    /// Who.
    pub actor: String,
    /// What.
    pub action: String,
    /// About what.
    pub subject: String,
    /// Why.
    pub reason: String,
    /// Hash, hexadecimal.
    pub hash: String,
}
