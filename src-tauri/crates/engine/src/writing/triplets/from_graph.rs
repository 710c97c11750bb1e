//! Triplets from the lexical graph (docs/methods.md, "Terminology in practice"): a rule, a rule in nearly the same
//! words, and a rule that shares hardly a word with it.
//!
//! Distant rules are chosen at random by the seed, because nearly all pairs are distant. Such triplets are easy,
//! although papers call them hard. Hard triplets contain changed rules; they are made in the other ways.

use super::offline::placed;
use crate::graph::Graph;
use crate::models::no_graph;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use crate::writing::Writing;
use crate::writing::anchors::{LoneRules, Material};
use lexforge_augment::{Binding, differences};
use lexforge_domain::api::{NewTriplet, Stage, TripletMaker, TripletOrigin, TripletReport};
use lexforge_domain::graph::{EdgeKind, SentenceEdge};
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy, SentenceId};
use lexforge_graph::SentenceNode;
use lexforge_graph::lexical::{distant, weights};
use lexforge_graph::split::split_by;
use lexforge_graph::tfidf::SparseVector;
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, HashMap};

/// Least cosine of sentences that are alike.
const ALIKE: f32 = 0.75;
/// Greatest cosine of sentences that are distant.
const DISTANT: f32 = 0.2;
/// How often a distant one is drawn for.
const DRAWS: usize = 50;

impl Writing<'_> {
    /// Makes triplets from the newest graph's lexical edges. They replace the earlier triplets of this kind. Each
    /// triplet consists of three rules: a rule, the rule most similar to it (unless this similar rule demands something
    /// else), and a distant rule of the same part and language.
    ///
    /// # Errors
    /// When no graph was built, or its tokenizer is gone, or the caller cancels; the earlier triplets are unchanged
    /// then.
    pub fn make_triplets_of_graph(
        &self,
        seed: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<TripletReport> {
        let seed = seed.unwrap_or(DEFAULT_SEED);
        let (build, edges) = self
            .workspace
            .store
            .read(|r| Ok((r.latest_graph()?, r.sentence_edges()?)))?;
        let settings = build.ok_or_else(no_graph)?.settings;
        let (material, rules) = (
            Material::load(self.workspace)?,
            LoneRules::of(self.workspace)?,
        );
        let nodes = &rules.nodes;
        let texts: Vec<&str> = nodes.iter().map(|node| node.text.as_str()).collect();
        let pieces = Graph::of(self.workspace).pieces(&settings, &texts, watcher)?;
        let counted: Vec<&str> = match &pieces {
            Some(pieces) => pieces.iter().map(String::as_str).collect(),
            None => texts,
        };
        let words = weights(&counted, pieces.is_some());
        let plan = split_by(nodes, |_| 1, seed);
        let part = |node: &SentenceNode| {
            let split = plan.of.get(&node.id).copied();
            split.map(|split| (split, material.language(node)))
        };
        let parted = Parted::of(
            nodes,
            nodes.iter().map(part).collect(),
            counted.iter().map(|text| words.vector(text)).collect(),
        );
        let mut alike = alike(nodes, &edges);
        let by = settings.lexical_tokenizer.as_deref().unwrap_or("words");
        let mut report = TripletReport {
            source: format!(
                "lexical graph: TF-IDF over {by}, alike from {ALIKE}, distant up to {DISTANT}"
            ),
            looked_at: nodes.len() as u64 + rules.to_a_model,
            unit: plan.unit.to_owned(),
            ..TripletReport::default()
        };
        let mut skip = |reason: &str, n: u64| {
            if n > 0 {
                *report.skipped.entry(reason.to_owned()).or_default() += n;
            }
        };
        skip("speaks_to_model", rules.to_a_model);
        let mut made = Vec::new();
        for (row, near) in alike.iter_mut().enumerate() {
            if row.is_multiple_of(256) {
                tell(
                    watcher,
                    Stage::Questions,
                    "triplets",
                    row as u64,
                    nodes.len() as u64,
                );
                if watcher.cancelled() {
                    return Err(cancelled("The triplets that were there are unchanged."));
                }
            }
            match parted.triplet(row, near, seed) {
                Ok(mut triplet) => {
                    placed(&mut triplet, &plan);
                    made.push(triplet);
                }
                Err(reason) => skip(reason, 1),
            }
        }
        if made.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "The graph has no two rules that are alike in their words and bind alike.",
                Remedy::ImportDocument,
            ));
        }
        for triplet in &made {
            report.kept += 1;
            let split = triplet.split.tag().to_owned();
            *report.by_split.entry(split).or_default() += 1;
        }
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.replace_triplets(TripletMaker::Graph, &made)
        })?;
        Ok(report)
    }
}

/// The rules of a corpus, each in its part of the dataset.
struct Parted<'a> {
    nodes: &'a [SentenceNode],
    /// The part and the language of each rule. `None` where nearly the same rule is in another part.
    parts: Vec<Option<(Split, Language)>>,
    vectors: Vec<SparseVector>,
    /// The rows of the rules of each part and language.
    among: BTreeMap<(Split, Language), Vec<usize>>,
}

impl<'a> Parted<'a> {
    fn of(
        nodes: &'a [SentenceNode],
        parts: Vec<Option<(Split, Language)>>,
        vectors: Vec<SparseVector>,
    ) -> Self {
        let mut among: BTreeMap<(Split, Language), Vec<usize>> = BTreeMap::new();
        for (row, part) in parts.iter().enumerate() {
            if let Some(part) = part {
                among.entry(*part).or_default().push(row);
            }
        }
        Self {
            nodes,
            parts,
            vectors,
            among,
        }
    }

    /// The triplet of a rule. `near` are the rows of the rules in nearly the same words, with their cosines.
    ///
    /// # Errors
    /// The reason why no triplet can be made.
    fn triplet(
        &self,
        row: usize,
        near: &mut [(usize, f32)],
        seed: u64,
    ) -> std::result::Result<NewTriplet, &'static str> {
        let (split, language) = self.parts[row].ok_or("repeated_elsewhere")?;
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let source = &self.nodes[row].text;
        let suits = |other: usize| {
            let text = &self.nodes[other].text;
            self.parts[other] == Some((split, language))
                && letters(text) != letters(source)
                && obliges_alike(source, text, language)
        };
        let positive = near.iter().find(|(other, _)| suits(*other));
        let (positive, _) = *positive.ok_or("no_alike_sentence")?;
        let among = &self.among[&(split, language)];
        let negative = distant(&self.vectors, row, among, DISTANT, DRAWS, seed);
        let negative = negative.ok_or("no_distant_sentence")?;
        let id = self.nodes[row].id;
        Ok(NewTriplet {
            sentence: Some(id),
            language,
            source: source.clone(),
            positive: self.nodes[positive].text.clone(),
            negative: self.nodes[negative].text.clone(),
            shift: String::new(),
            origin: TripletOrigin {
                by: TripletMaker::Graph,
                negative: "distant".to_owned(),
                removed: String::new(),
                added: String::new(),
                positive: vec!["alike".to_owned()],
                note: String::new(),
            },
            margin: None,
            split,
            group: id.0,
            cluster: id.0,
            reason: None,
        })
    }
}

/// For each rule the rows of the rules in nearly the same words, with their cosines.
fn alike(nodes: &[SentenceNode], edges: &[SentenceEdge]) -> Vec<Vec<(usize, f32)>> {
    let rows = nodes.iter().zip(0..).map(|(node, row)| (node.id, row));
    let row_of: HashMap<SentenceId, usize> = rows.collect();
    let mut alike = vec![Vec::new(); nodes.len()];
    for edge in edges {
        if edge.kind != EdgeKind::Lexical || edge.weight < ALIKE {
            continue;
        }
        if let (Some(&a), Some(&b)) = (row_of.get(&edge.a), row_of.get(&edge.b)) {
            alike[a].push((b, edge.weight));
            alike[b].push((a, edge.weight));
        }
    }
    alike
}

/// Whether two rules in nearly the same words do not say the contrary of each other: "may" is not "must", nor "not".
fn obliges_alike(one: &str, other: &str, language: Language) -> bool {
    let contrary = [Binding::Modal, Binding::Negation, Binding::Direction];
    let found = differences(one, other, language, &[]);
    found.iter().all(|found| !contrary.contains(&found.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_say_the_contrary_are_not_alike() {
        let rule = "The bank shall report the loss to the authority before the end of the month.";
        for (other, alike) in [
            (
                "The broker shall report the loss to the authority before the end of the month.",
                true,
            ),
            (
                "The bank may report the loss to the authority before the end of the month.",
                false,
            ),
            (
                "The bank shall not report the loss to the authority before the end of the month.",
                false,
            ),
        ] {
            assert_eq!(obliges_alike(rule, other, Language::En), alike, "{other}");
        }
    }
}
