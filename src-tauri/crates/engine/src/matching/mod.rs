//! Matching rules with the statements of policies: which statement covers which rule, how they differ, and which rules
//! are not covered. This module also measures methods of matching on sets in which people have said what belongs
//! together.

mod about;
mod alone;
mod alternatives;
mod apart;
mod benchmark;
mod carried;
mod changed;
mod coverage;
mod decide;
mod demands;
mod evidence;
mod export;
mod gap_report;
mod holding;
mod import;
mod judged_sets;
mod latest;
mod learned;
mod learned_verdict;
mod learned_weights;
mod lessons;
mod limits;
mod linked;
mod locate;
mod methods;
mod of_documents;
mod oscal;
mod oscal_ids;
mod oscal_read;
mod oscal_schema;
mod overview;
mod page;
mod pick;
mod proposals;
mod reading;
mod repeated;
mod reversed;
mod rows;
mod says_nothing;
mod separated;
mod sides;
mod thresholds;
mod told;
mod told_force;
mod told_learned;
mod tune;
mod tuned;
mod verdict;
mod ways;
mod weigh;
mod whom;
mod why_not;

use crate::workspace::OpenWorkspace;

pub use benchmark::{BenchmarkRequest, Benchmarked, benchmark};
pub use coverage::benchmark_coverage;
pub use told::difference as told_difference;

/// Rules against policies in an open workspace.
#[derive(Clone, Copy)]
pub struct Matching<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Matching<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}
