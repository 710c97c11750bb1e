//! Triplets: made of the workspace's sentences, read in and given out as files, listed and decided.

mod exchange;
mod from_graph;
mod offline;
mod with_model;

use super::Writing;
use crate::workspace::Result;
use lexforge_augment::shifts;
use lexforge_domain::api::{Rows, ShiftType, TripletFilter, TripletRow};
use lexforge_domain::{Code, Failure, Remedy};

pub use offline::TripletsRequest;

impl Writing<'_> {
    /// Triplets that match a filter, in the order in which they were made.
    pub fn triplets(&self, filter: &TripletFilter) -> Result<Rows<TripletRow>> {
        Ok(self.workspace.store.read(|r| r.triplets(filter))?)
    }
}

/// The failure if triplets are needed and there are none.
fn no_triplets() -> Failure {
    Failure::new(
        Code::StepMissing,
        "The workspace has no such triplets.",
        Remedy::MakeTriplets,
    )
}

/// The kinds of shifts that come with the product, followed by the kinds of a user's file. If a tag occurs in both, the
/// user's kind is used.
///
/// # Errors
/// When the file has another format.
pub fn shift_types(own: Option<&str>) -> Result<Vec<ShiftType>> {
    let own = own.map(shifts::read).transpose().map_err(|why| {
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
