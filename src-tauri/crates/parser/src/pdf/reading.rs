//! A page with the reading that is kept.

use crate::reader::RawPage;
use crate::reader::compare::Comparison;
use lexforge_domain::document::{DocumentWarning, ReadEngine};

/// A page with the reading that is kept.
pub(super) struct Reading {
    pub(super) page: RawPage,
    pub(super) engine: ReadEngine,
    pub(super) comparison: Comparison,
    /// The texts of its pictures, each as a page with nothing else on it.
    pub(super) insets: Vec<RawPage>,
    /// Why its text layer can hardly be right.
    pub(super) doubt: Option<String>,
}

pub(super) fn page_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

pub(super) fn warning(code: &str, page: Option<u32>, message: &str) -> DocumentWarning {
    DocumentWarning {
        code: code.to_owned(),
        page,
        message: message.to_owned(),
    }
}
