//! Where the reader is among figures; it outlives a change of screen or language.

use leptos::prelude::*;
use lexforge_domain::api::BenchOn;
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
    /// What systems are measured on, where somebody chose.
    pub on: RwSignal<Option<BenchOn>>,
    /// How many questions of each subject of an exam are asked; `None` = all.
    pub each: RwSignal<Option<usize>>,
    /// Whether runs of one recipe are one system.
    pub by_recipe: RwSignal<bool>,
    /// The file of general language, where somebody chose: one, or none.
    pub general: RwSignal<Option<Option<String>>>,
}

impl EvaluationPlace {
    /// Begins again, for another workspace.
    pub fn forget(self) {
        self.tab.set(EvaluationTab::default());
        self.ticked.set(None);
        self.baseline.set(None);
        self.encoder.set(None);
        self.on.set(None);
        self.each.set(None);
        self.by_recipe.set(false);
        self.general.set(None);
    }
}
