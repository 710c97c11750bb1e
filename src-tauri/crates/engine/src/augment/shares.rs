//! How many questions there are about each sentence: by that the split is balanced.

use super::corpus::Corpus;
use super::{TERMS_AN_ANCHOR, speaks_to_a_model, states_a_rule};
use crate::Watcher;
use crate::drafting::Drafted;
use crate::embed::Partition;
use lexforge_domain::SentenceId;
use lexforge_domain::api::Progress;
use lexforge_graph::SentenceGraph;
use lexforge_graph::split::SplitPlan;
use std::collections::{HashMap, HashSet};

/// What a question weighs, so that a share of one can be told too.
const QUESTION: u64 = 1000;

/// How many questions there are about each sentence, in thousandths.
#[derive(Default)]
pub(super) struct Shares(HashMap<SentenceId, u64>);

impl Shares {
    /// Before any is written: one about the sentence and one about each of its terms that has similar ones.
    pub(super) fn expected(graphs: &[(Partition, SentenceGraph)], corpus: &Corpus) -> Self {
        let mut of = HashMap::new();
        for (partition, graph) in graphs {
            for node in partition.sentences.iter().filter(|node| states_a_rule(node) && !speaks_to_a_model(node)) {
                let mentions = corpus.mentions.get(&node.id).into_iter().flatten();
                let terms: HashSet<_> = mentions.filter_map(|m| Some(corpus.standing(m.term)?.0)).collect();
                let asked = terms.into_iter().filter(|term| !graph.token_candidates(node.id, *term).is_empty()).count();
                of.insert(node.id, QUESTION * (1 + asked.min(TERMS_AN_ANCHOR)) as u64);
            }
        }
        Self(of)
    }

    /// As they were written under a plan. A sentence that the plan set aside gets what is written about others of which as
    /// much was expected.
    pub(super) fn counted(&self, drafted: &Drafted, plan: &SplitPlan) -> Self {
        let mut of: HashMap<SentenceId, u64> = HashMap::new();
        for one in &drafted.accepted {
            *of.entry(one.draft.anchor_sentence).or_default() += QUESTION;
        }
        let written: u64 = of.values().sum();
        let expected: u64 = plan.of.keys().map(|id| self.of(*id)).sum();
        for id in plan.set_aside.keys() {
            of.insert(*id, (self.of(*id) as f64 * written as f64 / expected.max(1) as f64) as u64);
        }
        Self(of)
    }

    /// What a sentence weighs.
    pub(super) fn of(&self, sentence: SentenceId) -> u64 {
        self.0.get(&sentence).copied().unwrap_or(0)
    }
}

/// One of two passes over the same ground, shown as half the way.
pub(super) struct Half<'a> {
    pub(super) watcher: &'a dyn Watcher,
    /// The second one.
    pub(super) second: bool,
}

impl Watcher for Half<'_> {
    fn progress(&self, progress: Progress) {
        let before = if self.second { progress.of } else { 0 };
        self.watcher.progress(Progress { done: (before + progress.done) / 2, ..progress });
    }

    fn cancelled(&self) -> bool {
        self.watcher.cancelled()
    }
}
