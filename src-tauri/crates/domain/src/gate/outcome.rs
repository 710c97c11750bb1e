//! The answers of a system.

use crate::id::QcaId;
use serde::{Deserialize, Serialize};

/// How one system answered one test question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemOutcome {
    /// The question.
    pub id: QcaId,
    /// Its cluster: the anchor rule, or the article or section of a single document.
    pub cluster: i64,
    /// Place of the right choice.
    pub answer: usize,
    /// Place of the choice that the system gives; `None` where it gives none.
    pub chosen: Option<usize>,
    /// cos(question, right choice) − mean cos(question, wrong choice); `None` where there is no such number.
    pub gap: Option<f64>,
}

/// The answers of one system to the test questions of a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcomes {
    /// `embedding` or `likelihood`: only answers under the same scorer are compared.
    pub scorer: String,
    /// SHA-256 of the base model, hexadecimal.
    pub base: String,
    /// SHA-256 of the adapter, hexadecimal; `None` = the base as it is.
    pub adapter: Option<String>,
    /// Question by question.
    pub items: Vec<ItemOutcome>,
}
