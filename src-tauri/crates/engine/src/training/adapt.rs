//! Adapting an encoder to the language of the workspace's documents before it learns to compare texts. The encoder
//! learns by filling in masked words, or by restoring damaged sentences (docs/methods.md, "Rules and policies").

use super::Training;
use super::item_counts::ItemCounts;
use super::items::frozen;
use super::recipe::Recipe;
use super::triplets::{TripletTuning, readable, without_leaks};
use crate::models::{Models, hindrances};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use crate::writing::LoneRules;
use lexforge_domain::api::{Preset, QuestionFilter, RunPlan, RunRow, TrainRequest, TripletFilter};
use lexforge_domain::protocol::TrainItem;
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};
use lexforge_graph::SentenceNode;
use lexforge_graph::split::{SplitPlan, split_by};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Sentences to which an encoder can be adapted.
const FEWEST: usize = 20;

impl Training<'_> {
    /// Adapts an encoder to the workspace's sentences. A worker process does the run. It continues after this process
    /// has ended.
    ///
    /// # Errors
    /// When there are too few sentences, the request makes no sense, or the worker or the model is missing.
    pub fn adapt(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let tuning = self.adaptation(request)?;
        self.start_tuning(tuning, request.on.clone(), watcher)
    }

    /// Says what an adaptation would do and need, but starts nothing. `problems` lists everything that would prevent
    /// it.
    ///
    /// # Errors
    /// As [`Training::adapt`], except for what is listed in `problems`.
    pub(crate) fn plan_adaptation(&self, request: &TrainRequest) -> Result<RunPlan> {
        self.adaptation(request)?.plan()
    }

    fn adaptation(&self, request: &TrainRequest) -> Result<TripletTuning<TrainItem>> {
        let documents = self.workspace.store.read(|r| r.documents())?;
        let languages: HashMap<DocumentId, Language> =
            documents.iter().map(|d| (d.id, d.language)).collect();
        let language = |node: &SentenceNode| {
            let found = languages.get(&node.document);
            found.copied().unwrap_or(Language::Other)
        };
        let mut nodes = LoneRules::of(self.workspace)?.nodes;
        let base = Models::of(self.workspace).base(request.base.as_deref())?;
        let mut by_language: BTreeMap<Language, Vec<&str>> = BTreeMap::new();
        for node in &nodes {
            let texts = by_language.entry(language(node)).or_default();
            texts.push(&node.text);
        }
        let (model, unread) = readable(&base, &by_language)?;
        nodes.retain(|node| !unread.contains_key(&language(node)));
        let all = nodes.len();
        let plan = split_by(&nodes, |_| 1, request.seed.unwrap_or(DEFAULT_SEED));
        let Parts { train, dev, test } = Parts::of(nodes, &plan, &self.held_out()?);
        let held_out = [dev.clone(), test].concat();
        let (train, leaked) = without_leaks(train, &held_out, |node| [node.text.clone()]);
        let mut problems = hindrances(&model);
        if train.len() < FEWEST {
            problems.push(Failure::new(
                Code::TooLittleData,
                format!(
                    "There are {} sentences to learn from that {} reads; an encoder is adapted to {FEWEST} or more.",
                    train.len(),
                    model.name
                ),
                "Import more documents. Sentences of documents and sections that are held out are not learnt from.",
            ));
        }
        let counts = ItemCounts {
            rules: train.len(),
            ..ItemCounts::default()
        };
        let wanted = TrainRequest {
            preset: request
                .preset
                .filter(|p| p.adapts())
                .or(Some(Preset::Adapt)),
            ..request.clone()
        };
        let mut recipe = Recipe::of(&wanted, &model, counts)?;
        recipe.warnings.extend(unread.iter().map(|(language, n)| {
            format!(
                "Sentences in the language {} are left out ({n}): {} does not read it.",
                language.tag(),
                model.name
            )
        }));
        if train.len() < all {
            recipe.warnings.push(format!(
                "{} of {all} sentences are not learnt from: they are held out, repeat another one, or nearly the same text is held out ({leaked}).",
                all - train.len()
            ));
        }
        Ok(TripletTuning {
            base,
            model,
            recipe,
            train: items(train),
            dev: items(dev),
            policy: "sentences of the documents".to_owned(),
            taught: None,
            problems,
        })
    }

    /// The part (train, dev, test) of each sentence that a question asks about or a triplet was made of. Questions of
    /// the workspace and of snapshots count. If a sentence is held out by any of them, it is held out here.
    fn held_out(&self) -> Result<HashMap<SentenceId, Split>> {
        let store = &self.workspace.store;
        let mut asked: Vec<(SentenceId, Split)> = Vec::new();
        let questions = store.read(|r| r.questions(&QuestionFilter::default()))?;
        let questions = questions.rows.into_iter().map(|row| row.question);
        asked.extend(questions.map(|q| (q.draft.anchor_sentence, q.split)));
        for dataset in self.datasets()? {
            for item in store.read(|r| r.dataset_items(dataset.id, None))? {
                asked.push((frozen(&item)?.question.draft.anchor_sentence, item.split));
            }
        }
        let triplets = store.read(|r| r.triplets(&TripletFilter::default()))?;
        let triplets = triplets.rows.into_iter().map(|row| row.triplet);
        asked.extend(triplets.filter_map(|t| Some((t.sentence?, t.split))));
        let mut parts = HashMap::new();
        for (sentence, split) in asked {
            let part = parts.entry(sentence).or_insert(split);
            *part = further_out(*part, split);
        }
        Ok(parts)
    }
}

/// Of two parts, the one that is further from training.
fn further_out(one: Split, other: Split) -> Split {
    let order = |split: Split| Split::ALL.iter().position(|part| *part == split);
    match order(other) > order(one) {
        true => other,
        false => one,
    }
}

/// Sentences by what is done with them.
#[derive(Default)]
struct Parts {
    train: Vec<SentenceNode>,
    dev: Vec<SentenceNode>,
    test: Vec<SentenceNode>,
}

impl Parts {
    /// Puts each document as a whole into one part (each section, if there are few documents). If a document has
    /// questions, it goes into one of their parts: the one that is furthest from training. A document without questions
    /// is used for training. If there are no questions at all, the parts of the plan are used.
    fn of(nodes: Vec<SentenceNode>, plan: &SplitPlan, asked: &HashMap<SentenceId, Split>) -> Self {
        let unit = |node: &SentenceNode| match plan.unit {
            "document" => node.document.0,
            _ => plan.cluster_of.get(&node.id).copied().unwrap_or(node.id.0),
        };
        let mut units: HashMap<i64, Split> = HashMap::new();
        for node in &nodes {
            if let Some(&split) = asked.get(&node.id) {
                let part = units.entry(unit(node)).or_insert(split);
                *part = further_out(*part, split);
            }
        }
        let (mut parts, mut seen) = (Self::default(), HashSet::new());
        for node in nodes {
            let part = match units.is_empty() {
                true => plan.of.get(&node.id).copied(),
                false => Some(units.get(&unit(&node)).copied().unwrap_or(Split::Train)),
            };
            match part {
                Some(Split::Train) if seen.insert(node.text.trim().to_owned()) => {
                    parts.train.push(node);
                }
                Some(Split::Dev) => parts.dev.push(node),
                Some(Split::Test) => parts.test.push(node),
                _ => {}
            }
        }
        parts
    }
}

fn items(nodes: Vec<SentenceNode>) -> Vec<TrainItem> {
    let nodes = nodes.into_iter();
    nodes
        .map(|node| TrainItem::of_text(node.id.0, node.text))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use lexforge_domain::graph::TypeOrigin;
    use lexforge_domain::text::SentenceKind;

    /// Twelve documents of six sentences; no two sentences are alike.
    fn nodes() -> Vec<SentenceNode> {
        let who = [
            "credit institution",
            "insurance broker",
            "pension trustee",
            "payment agent",
            "fund depositary",
            "statutory auditor",
            "clearing house",
            "market operator",
            "rating agency",
            "mortgage lender",
            "savings union",
            "custodian of tokens",
        ];
        let what = [
            "capital",
            "register",
            "records",
            "clients' money",
            "transfers",
            "branches",
        ];
        (0..72)
            .map(|n: i64| SentenceNode {
                id: SentenceId(n + 1),
                document: DocumentId(n / 6 + 1),
                group: String::new(),
                type_origin: TypeOrigin::default(),
                section: String::new(),
                kind: SentenceKind::Rule,
                text: format!(
                    "The {} shall report its {}.",
                    who[(n / 6) as usize],
                    what[(n % 6) as usize]
                ),
                entities: Vec::new(),
                refers_to: Vec::new(),
            })
            .collect()
    }

    #[test]
    fn no_sentence_of_a_document_that_is_held_out_is_learnt() {
        let plan = split_by(&nodes(), |_| 1, 42);
        assert_eq!(plan.unit, "document");
        let asked: HashMap<SentenceId, Split> = [
            // In document 1 one sentence is tested and another is learnt. A sentence of document 2 is in the dev part.
            (SentenceId(1), Split::Train),
            (SentenceId(3), Split::Test),
            (SentenceId(7), Split::Dev),
            (SentenceId(13), Split::Train),
        ]
        .into();
        let parts = Parts::of(nodes(), &plan, &asked);
        let documents = |part: &[SentenceNode]| -> Vec<i64> {
            let mut of: Vec<i64> = part.iter().map(|node| node.document.0).collect();
            of.dedup();
            of
        };
        assert_eq!(documents(&parts.test), [1]);
        assert_eq!(documents(&parts.dev), [2]);
        assert_eq!(documents(&parts.train), (3..=12).collect::<Vec<_>>());

        // Without questions the parts of the plan are used, and some are held out.
        let parts = Parts::of(nodes(), &plan, &HashMap::new());
        assert!(!parts.test.is_empty() && !parts.dev.is_empty());
        assert!(parts.train.len() > parts.test.len());
        for node in &parts.train {
            assert_eq!(plan.of.get(&node.id), Some(&Split::Train));
        }
    }

    #[test]
    fn what_is_held_out_anywhere_is_held_out() {
        assert_eq!(further_out(Split::Train, Split::Dev), Split::Dev);
        assert_eq!(further_out(Split::Test, Split::Dev), Split::Test);
        assert_eq!(further_out(Split::Train, Split::Train), Split::Train);
    }
}
