//! Asking language models behind endpoints: the endpoints themselves, the prompts that are sent, the consent to each,
//! and the answers.

mod ask;
mod batch;
mod check;
mod confirmed;
mod endpoints;
mod keys;
mod ledger;
mod pace;
mod prompts;
mod reach;
mod request;
mod stored_answers;
mod target;

use crate::workspace::OpenWorkspace;

pub(crate) use ask::{Agreed, Heard, Judged, add, agreed, plan_of, reasks};
pub use batch::BatchOut;
pub(crate) use batch::{BATCH, Batch, no_model, unreadable_record};
pub(crate) use ledger::Price;
pub(crate) use prompts::parsed;
pub use request::{AskRequest, JudgeRequest, LocalModel};
pub(crate) use stored_answers::StoredAnswers;
pub(crate) use target::Target;

/// Asking language models for an open workspace.
#[derive(Clone, Copy)]
pub struct Asking<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Asking<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}
