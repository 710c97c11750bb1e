//! Where the reader is among figures; it outlives a change of screen or language.

use leptos::prelude::*;
use std::collections::BTreeSet;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluationTab {
    /// One run before and after.
    #[default]
    Candidate,
    /// Systems side by side.
    Bench,
    /// Whether what is read and asked has moved.
    Drift,
}

/// Where the reader is among figures.
#[derive(Clone, Copy, Default)]
pub struct EvaluationPlace {
    /// The part that is shown.
    pub tab: RwSignal<EvaluationTab>,
    /// The ticked systems; `None` = those that are measured without a choice.
    pub ticked: RwSignal<Option<BTreeSet<String>>>,
    /// The system that the others are compared with, where one was chosen.
    pub baseline: RwSignal<Option<String>>,
    /// The encoder of BERTScore, where somebody chose: one, or none.
    pub encoder: RwSignal<Option<Option<String>>>,
}

impl EvaluationPlace {
    /// Begins anew, for another workspace.
    pub fn forget(self) {
        self.tab.set(EvaluationTab::default());
        self.ticked.set(None);
        self.baseline.set(None);
        self.encoder.set(None);
    }
}
