//! How many questions there are about each sentence: by that the split is balanced.

use super::material::Material;
use super::rules::{TERMS_AN_ANCHOR, speaks_to_a_model, states_a_rule};
use crate::graph::Partition;
use crate::workspace::DEFAULT_SEED;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Extent, Per};
use lexforge_domain::qca::SplitShares;
use lexforge_graph::split::SplitPlan;
use lexforge_graph::{SentenceGraph, SentenceNode};
use std::collections::{HashMap, HashSet};

/// The weight of a question. It is more than 1, so that parts of a question can be counted.
const QUESTION: u64 = 1000;

/// How many questions there are about each sentence, in thousandths.
#[derive(Default)]
pub(crate) struct Shares(HashMap<SentenceId, u64>);

impl Shares {
    /// The expected number of questions, before any question is written: one for each sentence (or one for each of its
    /// pairs), and one for each of its terms that has similar terms.
    pub(crate) fn expected(
        graphs: &[(Partition, SentenceGraph)],
        material: &Material,
        extent: &Extent,
    ) -> Self {
        let mut of = HashMap::new();
        for (partition, graph) in graphs {
            for node in partition
                .sentences
                .iter()
                .filter(|node| states_a_rule(node) && !speaks_to_a_model(node))
            {
                let mentions = material.mentions.get(&node.id).into_iter().flatten();
                let terms: HashSet<_> = mentions
                    .filter_map(|m| Some(material.standing(m.term)?.0))
                    .collect();
                let asked = terms
                    .into_iter()
                    .filter(|term| !graph.token_candidates(node.id, *term).is_empty())
                    .count();
                let all = match extent.per {
                    Per::Anchor => 1 + asked.min(TERMS_AN_ANCHOR),
                    Per::Pair => graph.sentence_candidates(node.id).len().max(1) + asked,
                } as u64;
                let most = extent.most_per_anchor.unwrap_or(u64::MAX);
                of.insert(node.id, QUESTION * all.min(most));
            }
        }
        Self(of)
    }

    /// The number of questions written under a plan for each sentence. `written` lists the sentence of each question.
    /// For a sentence that was set aside, the number is estimated: its planned number, times the ratio of written to
    /// planned questions of the other sentences.
    pub(crate) fn counted(
        &self,
        written: impl Iterator<Item = SentenceId>,
        plan: &SplitPlan,
    ) -> Self {
        let mut of: HashMap<SentenceId, u64> = HashMap::new();
        for sentence in written {
            *of.entry(sentence).or_default() += QUESTION;
        }
        let written: u64 = of.values().sum();
        let expected: u64 = plan.of.keys().map(|id| self.of(*id)).sum();
        for id in plan.set_aside.keys() {
            of.insert(
                *id,
                (self.of(*id) as f64 * written as f64 / expected.max(1) as f64) as u64,
            );
        }
        Self(of)
    }

    /// The weight of a sentence.
    pub(crate) fn of(&self, sentence: SentenceId) -> u64 {
        self.0.get(&sentence).copied().unwrap_or(0)
    }
}

/// The split of a whole corpus by the number of questions, beginning with an earlier one where there is one.
pub(crate) fn split_from(
    graphs: &[(Partition, SentenceGraph)],
    shares: &Shares,
    earlier: Option<&SplitPlan>,
    wanted: SplitShares,
) -> SplitPlan {
    let nodes: Vec<SentenceNode> = graphs
        .iter()
        .flat_map(|(p, _)| p.sentences.iter().cloned())
        .collect();
    let questions = |node: &SentenceNode| shares.of(node.id);
    lexforge_graph::split::split_from(&nodes, questions, earlier, wanted, DEFAULT_SEED)
}
