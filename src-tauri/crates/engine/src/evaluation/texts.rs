//! The texts of test questions, each embedded once, and what their vectors score.

use crate::training::FrozenItem;
use lexforge_domain::SentenceId;
use lexforge_domain::document::Sentence;
use lexforge_domain::metrics::SpaceAudit;
use lexforge_evaluate::{ScoredItem, space};
use lexforge_graph::Matrix;
use std::collections::HashMap;

/// The different texts of a set of items, each embedded once.
pub(super) struct Texts {
    list: Vec<String>,
    at: HashMap<String, usize>,
    anchors: Vec<usize>,
}

impl Texts {
    pub(super) fn of(items: &[FrozenItem], sentences: &HashMap<SentenceId, Sentence>) -> Self {
        // The empty text stands for the question that the choices-only control leaves out.
        let mut texts = Self {
            list: Vec::new(),
            at: HashMap::new(),
            anchors: Vec::new(),
        };
        texts.add("");
        for item in items {
            texts.add(&item.question.draft.question);
            item.question.draft.choices.iter().for_each(|c| {
                texts.add(c);
            });
        }
        texts.add_anchors(sentences);
        texts
    }

    /// The questions alone.
    pub(super) fn of_questions(items: &[FrozenItem]) -> Self {
        let texts = items.iter().map(|item| &item.question.draft.question);
        Self::only(texts)
    }

    /// Questions and choices, without what an evaluation of a space needs.
    pub(super) fn of_questions_and_choices(items: &[FrozenItem]) -> Self {
        Self::only(items.iter().flat_map(|item| {
            let draft = &item.question.draft;
            std::iter::once(&draft.question).chain(&draft.choices)
        }))
    }

    /// The choices alone.
    pub(super) fn of_choices(items: &[FrozenItem]) -> Self {
        Self::only(items.iter().flat_map(|item| &item.question.draft.choices))
    }

    fn only<'t>(list: impl Iterator<Item = &'t String>) -> Self {
        let mut texts = Self::of_anchors(&HashMap::new());
        for text in list {
            texts.add(text);
        }
        texts
    }

    pub(super) fn of_anchors(sentences: &HashMap<SentenceId, Sentence>) -> Self {
        let mut texts = Self {
            list: Vec::new(),
            at: HashMap::new(),
            anchors: Vec::new(),
        };
        texts.add_anchors(sentences);
        texts
    }

    fn add_anchors(&mut self, sentences: &HashMap<SentenceId, Sentence>) {
        let mut anchors: Vec<&Sentence> = sentences.values().collect();
        anchors.sort_unstable_by_key(|s| s.id);
        self.anchors = anchors.into_iter().map(|s| self.add(&s.text)).collect();
    }

    fn add(&mut self, text: &str) -> usize {
        if let Some(at) = self.at.get(text) {
            return *at;
        }
        let at = self.list.len();
        self.list.push(text.to_owned());
        self.at.insert(text.to_owned(), at);
        at
    }

    pub(super) fn strs(&self) -> Vec<&str> {
        self.list.iter().map(String::as_str).collect()
    }

    pub(super) fn row<'a>(&self, vectors: &'a Matrix, text: &str) -> &'a [f32] {
        self.at.get(text).map_or(&[], |at| vectors.row(*at))
    }

    /// cos(question, choice) for every choice of every item.
    pub(super) fn score(&self, items: &[FrozenItem], vectors: &Matrix) -> Vec<ScoredItem> {
        items
            .iter()
            .map(|i| {
                scored(i, |c| {
                    dot(
                        self.row(vectors, &i.question.draft.question),
                        self.row(vectors, c),
                    )
                })
            })
            .collect()
    }

    /// The space of the anchors' vectors, and how near questions lie to their right choices.
    pub(super) fn space(&self, items: &[FrozenItem], vectors: &Matrix) -> SpaceAudit {
        let pairs = items.iter().filter_map(|item| {
            let draft = &item.question.draft;
            let right = draft.choices.get(draft.answer)?;
            Some((self.row(vectors, &draft.question), self.row(vectors, right)))
        });
        SpaceAudit {
            alignment: space::alignment(pairs),
            ..space::audit(&self.anchor_rows(vectors), vectors.dim)
        }
    }

    pub(super) fn anchor_rows(&self, vectors: &Matrix) -> Vec<f32> {
        self.anchors
            .iter()
            .flat_map(|at| vectors.row(*at).iter().copied())
            .collect()
    }
}

pub(super) fn scored(item: &FrozenItem, score: impl Fn(&str) -> f64) -> ScoredItem {
    let choices = &item.question.draft.choices;
    with_scores(item, choices.iter().map(|c| score(c)).collect())
}

/// A question with the scores of its choices.
pub(super) fn with_scores(item: &FrozenItem, scores: Vec<f64>) -> ScoredItem {
    let draft = &item.question.draft;
    ScoredItem {
        id: item.question.id,
        cluster: item.cluster,
        level: draft.level,
        question_type: draft.question_type,
        answer: draft.answer,
        scores,
    }
}

/// The cosine of unit vectors.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}
