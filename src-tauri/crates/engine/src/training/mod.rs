//! Training: freezing snapshots, giving them out, deciding about runs, starting them, and exporting what they made.

mod adapt;
mod attacks;
mod clusters;
mod curves;
mod data;
mod dataset_card;
mod dataset_export;
mod departures;
mod detail;
mod export;
mod freeze;
mod item_counts;
mod items;
mod leaks;
mod meanings;
mod per_anchor;
mod power;
mod presets;
mod recipe;
mod start_from;
mod train;
mod triplets;
mod written;

use crate::workspace::OpenWorkspace;

pub(crate) use attacks::similar_terms;
pub(crate) use clusters::split_plan;
pub(crate) use curves::stage_curves;
pub use departures::recipe_cards;
pub(crate) use detail::bundle_items;
pub(crate) use item_counts::ItemCounts;
pub(crate) use items::{FrozenItem, SAMPLE, cluster_sizes, frozen, reads};
pub(crate) use presets::RETRIEVAL_TOO_ALIKE;
pub(crate) use recipe::{Recipe, slow_precision};
pub use train::inspect_for;
pub(crate) use train::{DEV_FILE, Decided, PASSAGES_FILE, TRAIN_FILE, job_of};
pub(crate) use triplets::{TripletTuning, left_out, readable, without_leaks};

/// The snapshots of an open workspace, and what is trained on them.
#[derive(Clone, Copy)]
pub struct Training<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Training<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}
