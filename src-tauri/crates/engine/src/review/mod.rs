//! Review: who decides, what to decide next, deciding, taking back, what differs, and packets for colleagues.

mod agreement;
mod assignment;
mod cards;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod changed_tests;
mod checks;
mod conflicts;
mod decide;
mod filled;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod fixture;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod forged_tests;
mod identity;
mod joined;
mod merge;
mod names;
mod note;
mod order;
mod packet_file;
mod packet_fill;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod packet_tests;
mod packets;
mod people;
mod queue;
mod score_sheet;
mod scored;
mod settings;
mod subject;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;

use crate::workspace::OpenWorkspace;

pub(crate) use joined::JoinedTerms;
pub(crate) use packets::open_packet;
pub(crate) use settings::{FIRST_IN_REVIEW, plan};

/// The review that goes on in an open workspace.
#[derive(Clone, Copy)]
pub struct Review<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Review<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}
