//! Where test questions are from: the sentence, its page, and the class of its document.

use crate::evaluation::Evaluations;
use crate::evaluation::scorers::RESAMPLES;
use crate::graph::Graph;
use crate::training::FrozenItem;
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::api::ConfusedPair;
use lexforge_domain::metrics::GroupMetrics;
use lexforge_domain::{DocumentId, QcaId, SentenceId};
use lexforge_evaluate::{ScoredItem, qca};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where questions come from. A question whose sentence is no longer in the workspace is in neither map.
#[derive(Default)]
pub(super) struct Places {
    pages: HashMap<SentenceId, (DocumentId, u32)>,
    classes: HashMap<QcaId, String>,
}

impl Evaluations<'_> {
    /// The places of these questions. A document without a class has its format as its class.
    pub(super) fn places(&self, items: &[FrozenItem]) -> Result<Places> {
        let anchor = |item: &FrozenItem| item.question.draft.anchor_sentence;
        let ids: Vec<SentenceId> = items.iter().map(anchor).collect();
        let (sentences, documents) = self
            .workspace
            .store
            .read(|r| Ok((r.sentences_by_ids(&ids)?, r.documents()?)))?;
        let own = Graph::of(self.workspace).document_classes()?;
        let class_of: HashMap<DocumentId, &str> = documents
            .iter()
            .map(|document| {
                let class = own.get(&document.id).map(String::as_str);
                (document.id, class.unwrap_or(document.format.tag()))
            })
            .collect();
        let pages: HashMap<SentenceId, (DocumentId, u32)> = sentences
            .iter()
            .map(|sentence| (sentence.id, (sentence.document, sentence.page)))
            .collect();
        let classes = items
            .iter()
            .filter_map(|item| {
                let (document, _) = pages.get(&anchor(item))?;
                let class = class_of.get(document)?;
                Some((item.question.id, (*class).to_owned()))
            })
            .collect();
        Ok(Places { pages, classes })
    }
}

impl Places {
    /// The accuracy by class of document; nothing where all are of one class.
    pub(super) fn by_class(&self, items: &[ScoredItem]) -> BTreeMap<String, GroupMetrics> {
        let known: Vec<ScoredItem> = items
            .iter()
            .filter(|item| self.classes.contains_key(&item.id))
            .cloned()
            .collect();
        let class = |item: &ScoredItem| self.classes.get(&item.id).map_or("", String::as_str);
        let all: HashSet<&str> = known.iter().map(class).collect();
        if all.len() < 2 {
            return BTreeMap::new();
        }
        let mut groups = qca::groups(&known, class, RESAMPLES, DEFAULT_SEED);
        // The gap of cosines is shown only for the whole set.
        for group in groups.values_mut() {
            group.choice_cosine_gap = 0.0;
        }
        groups
    }

    /// The pairs, with the pages of their questions.
    pub(super) fn of_pairs(&self, pairs: &[ConfusedPair]) -> Vec<ConfusedPair> {
        let mut pairs = pairs.to_vec();
        for at in pairs.iter_mut().flat_map(|pair| &mut pair.at) {
            if let Some((document, page)) = self.pages.get(&at.sentence) {
                (at.document, at.page) = (Some(*document), Some(*page));
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::ConfusedAt;
    use lexforge_domain::qca::{QcaLevel, QuestionType};

    fn item(id: i64, right: bool) -> ScoredItem {
        ScoredItem {
            id: QcaId(id),
            cluster: id,
            level: QcaLevel::Token,
            question_type: QuestionType::Term,
            answer: 0,
            scores: if right {
                vec![1.0, 0.0]
            } else {
                vec![0.0, 1.0]
            },
        }
    }

    #[test]
    fn figures_stand_by_class_where_there_are_several() {
        let classes = [(1, "act"), (2, "act"), (3, "policy")];
        let places = Places {
            classes: classes
                .map(|(id, class)| (QcaId(id), class.to_owned()))
                .into(),
            ..Places::default()
        };
        // The fourth is of a document that is gone.
        let items = [item(1, true), item(2, false), item(3, true), item(4, true)];
        let found = places.by_class(&items);
        let of = |class: &str| found.get(class).map(|group| (group.n, group.accuracy));
        assert_eq!((of("act"), of("policy")), (Some((2, 0.5)), Some((1, 1.0))));
        assert_eq!(found.len(), 2);
        // If there is only one class, it equals the whole.
        assert!(places.by_class(&items[..2]).is_empty());
    }

    #[test]
    fn a_confused_pair_leads_to_its_page() {
        let at = |sentence| ConfusedAt {
            question: "Who?".to_owned(),
            sentence: SentenceId(sentence),
            document: None,
            page: None,
        };
        let pair = ConfusedPair {
            gold: "board".to_owned(),
            predicted: "auditor".to_owned(),
            n: 2,
            at: vec![at(5), at(6)],
        };
        let places = Places {
            pages: [(SentenceId(5), (DocumentId(2), 7))].into(),
            ..Places::default()
        };
        let found = places.of_pairs(&[pair]);
        let places: Vec<_> = found[0]
            .at
            .iter()
            .map(|at| (at.document, at.page))
            .collect();
        assert_eq!(places, [(Some(DocumentId(2)), Some(7)), (None, None)]);
    }
}
