//! Triplets: made of the workspace's sentences, read in and given out as files, listed and decided.

mod exchange;
mod from_graph;
mod offline;
mod with_model;

use super::Writing;
use crate::workspace::{Result, io_failure};
use lexforge_augment::shifts;
use lexforge_domain::api::{
    Rows, ShiftType, TripletCounts, TripletFilter, TripletRow, TripletsRequest, shift_is,
};
use lexforge_domain::{Code, Failure, Remedy};
use std::path::Path;

impl Writing<'_> {
    /// Triplets that match a filter, in the order in which they were made.
    pub fn triplets(&self, filter: &TripletFilter) -> Result<Rows<TripletRow>> {
        Ok(self.workspace.store.read(|r| r.triplets(filter))?)
    }

    /// How many triplets there are, by verdict, by shift and by the reason why drafts were rejected.
    pub fn triplet_counts(&self) -> Result<TripletCounts> {
        Ok(self.workspace.store.read(|r| r.triplet_counts())?)
    }
}

/// The shifts that a request wants.
fn chosen(request: &TripletsRequest) -> Result<Vec<ShiftType>> {
    let known = |tag: &String| request.shifts.iter().any(|shift| shift_is(&shift.tag, tag));
    if let Some(unknown) = request.only.iter().find(|tag| !known(tag)) {
        return Err(Failure::invalid(
            format!("No shift is called {unknown}."),
            "Name shifts or classes of the list of shifts.",
        ));
    }
    let mut shifts = request.shifts.clone();
    shifts.retain(|shift| {
        request.only.is_empty() || request.only.iter().any(|tag| shift_is(&shift.tag, tag))
    });
    Ok(shifts)
}

/// The failure if triplets are needed and there are none.
fn no_triplets() -> Failure {
    Failure::new(
        Code::StepMissing,
        "The workspace has no such triplets.",
        Remedy::MakeTriplets,
    )
}

/// The text of a file that a person named.
fn text_of(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).map_err(|e| io_failure(&e, file))
}

/// A text without the byte order mark that some editors put before it.
fn plain(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// The kinds of shifts that come with the product, with those of a user's file, as [`shift_types`] puts them together.
///
/// # Errors
/// When the file cannot be read or has another format.
pub fn shift_types_of(own: Option<&Path>) -> Result<Vec<ShiftType>> {
    let own = own.map(text_of).transpose()?;
    shift_types(own.as_deref())
}

/// The kinds of shifts that come with the product, followed by the kinds of a user's file. If a tag occurs in both, the
/// user's kind is used.
///
/// # Errors
/// When the file has another format.
pub fn shift_types(own: Option<&str>) -> Result<Vec<ShiftType>> {
    let own = own
        .map(|text| shifts::read(plain(text)))
        .transpose()
        .map_err(|why| {
            Failure::invalid(
                format!("The ways of shifting cannot be read: {why}."),
                "Give a JSON list of {\"tag\", \"en\", \"zh\", \"what\", \"edits\"?}.",
            )
        })?;
    let mut all = own.unwrap_or_default();
    for shift in shifts::shipped() {
        if all.iter().all(|known| known.tag != shift.tag) {
            all.push(shift);
        }
    }
    Ok(all)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_shifts_of_a_file_stand_before_the_known_ones_and_replace_them() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("shifts.json");
        let shipped = shift_types_of(None).unwrap();
        let own =
            |tag: &str| format!(r#"{{"tag":"{tag}","en":"mine","zh":"自定","what":"the mood"}}"#);
        let list = format!("\u{feff}[{},{}]", own("mine.mood"), own(&shipped[0].tag));
        std::fs::write(&file, list).unwrap();
        let all = shift_types_of(Some(&file)).unwrap();
        assert_eq!(all.len(), shipped.len() + 1);
        assert_eq!(
            (all[0].tag.as_str(), all[1].en.as_str()),
            ("mine.mood", "mine")
        );
        std::fs::write(&file, format!("[{0},{0}]", own("mine.mood"))).unwrap();
        let failure = shift_types_of(Some(&file)).unwrap_err();
        assert!(failure.message.contains("mine.mood"), "{}", failure.message);
    }

    #[test]
    fn a_request_names_shifts_by_tag_or_by_class() {
        let all = shift_types(None).unwrap();
        let of = |only: &[&str]| {
            let request = TripletsRequest {
                only: only.iter().map(|&tag| tag.to_owned()).collect(),
                ..TripletsRequest::usual(all.clone())
            };
            chosen(&request).map(|shifts| shifts.len())
        };
        let temporal = all.iter().filter(|s| s.class() == "temporal").count();
        assert_eq!(of(&[]).unwrap(), all.len());
        assert_eq!(of(&["temporal"]).unwrap(), temporal);
        assert_eq!(of(&["temporal.time_limit"]).unwrap(), 1);
        assert_eq!(of(&["temporal", "rule_based.force"]).unwrap(), temporal + 1);
        assert!(of(&["tempo"]).is_err());
    }
}
