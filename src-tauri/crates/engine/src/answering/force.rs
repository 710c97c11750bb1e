//! The documents that are in force on a day.

use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::api::{AnswerNote, DocumentRow};
use lexforge_domain::{Code, DocumentId, Failure};
use std::collections::{HashMap, HashSet};

/// The documents that are in force on a day.
pub(super) struct InForce {
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// Documents that do not count.
    pub left_out: HashSet<DocumentId>,
    /// The newer version of a document that counts all the same, since the newer one does not apply yet.
    pub superseded_by: HashMap<DocumentId, DocumentId>,
    /// What a reader should know of it.
    pub notes: Vec<AnswerNote>,
}

impl InForce {
    /// Finds the documents of the corpus that are in force on a day. A version is in force until a newer version
    /// applies. A version that applies only later is left out in two cases: there is an older version, or the question
    /// names a day.
    pub fn on(day: &str, asked_for: bool, clauses: &Clauses) -> Self {
        let applies = |document: &DocumentRow| {
            let about = &document.metadata;
            let from = about.effective.as_ref().or(about.date.as_ref());
            // `2025` and `2025-11` stand before each of their days.
            from.is_none_or(|from| from.as_str() <= day)
        };
        let newer: HashMap<DocumentId, &DocumentRow> = clauses
            .documents
            .iter()
            .filter_map(|d| Some((d.predecessor?, d)))
            .collect();
        let (mut left_out, mut superseded_by) = (HashSet::new(), HashMap::new());
        let (mut older, mut not_yet) = (0, 0);
        for document in &clauses.documents {
            // A chain cannot be longer than there are documents, whatever the file says.
            let chain = std::iter::successors(newer.get(&document.id), |d| newer.get(&d.id))
                .take(clauses.documents.len());
            if !applies(document) && (asked_for || document.predecessor.is_some()) {
                left_out.insert(document.id);
                not_yet += 1;
            } else if chain.clone().any(|d| applies(d)) {
                left_out.insert(document.id);
                older += 1;
            } else if let Some(next) = newer.get(&document.id) {
                superseded_by.insert(document.id, next.id);
            }
        }
        let mut notes = Vec::new();
        if older > 0 {
            notes.push(AnswerNote::OlderVersionsLeftOut { documents: older });
        }
        if not_yet > 0 {
            notes.push(AnswerNote::NotYetInForce { documents: not_yet });
        }
        Self {
            day: day.to_owned(),
            left_out,
            superseded_by,
            notes,
        }
    }
}

/// A day, `YYYY-MM-DD`.
pub(super) fn day_of(text: &str) -> Result<String> {
    let form = time::macros::format_description!("[year]-[month]-[day]");
    time::Date::parse(text.trim(), form)
        .map(|_| text.trim().to_owned())
        .map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!("\u{201c}{text}\u{201d} is no day."),
                "Write it as year, month and day: 2026-03-31.",
            )
        })
}
