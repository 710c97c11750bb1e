//! Training material that the present search makes for an encoder: for each question a list of clauses with the scores
//! by which they are ordered. The questions need no labels.

use super::Answering;
use super::clauses::Clauses;
use super::terms::is_shown;
use crate::workspace::{Result, Watcher, cancelled, tell};
use lexforge_domain::api::{AnswerIndex, QuestionFilter, Stage, TermFilter};
use lexforge_domain::protocol::{RetrievalItem, Taught};
use lexforge_domain::qca::QcaLevel;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, RunId, SentenceId};
use lexforge_ingest::numbering::label;
use lexforge_text::fold::letters;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;

/// Clauses of the teacher's order that are in a list; each step of the training draws some of them.
const LISTED: usize = 50;
/// Most questions without a label; what is more is left out by lot.
const MOST: usize = 2_000;
/// A heading or a term with fewer words than this says too little to serve as a question. In scripts without blanks,
/// characters are counted instead.
const LEAST: (usize, usize) = (2, 4);
/// Shares of all scores that lie below 0 and above 1 on the scale of the lists: a few strange ones do not set it.
const ENDS: (f64, f64) = (0.01, 0.99);

/// The source of a question without a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It was written for a sentence of the workspace.
    Question,
    Heading,
    /// It is a defined term.
    Term,
}

/// A question without a label.
pub(super) struct Unlabelled {
    /// Where it comes from.
    pub source: Source,
    /// The clause that the question was taken from: the clause of the sentence for which it was written, the clause
    /// under the heading, or the clause that defines the term.
    pub about: Option<u32>,
    /// The question, with no clause that is known to answer it.
    pub item: RetrievalItem,
}

impl Answering<'_> {
    /// Questions without a label, made of written questions, headings and defined terms. Each question is taken once.
    /// Questions in `known` and questions about held-out documents are left out.
    pub(super) fn unlabelled(
        &self,
        clauses: &Clauses,
        known: &[&str],
        held_out: &HashSet<DocumentId>,
        seed: u64,
    ) -> Result<Vec<Unlabelled>> {
        let mut found: Vec<(Source, Option<u32>, String, String)> = Vec::new();
        let clause_of = |sentence: SentenceId| clauses.map.clause(sentence);
        self.workspace.store.read(|r| {
            for row in r.questions(&QuestionFilter::default())?.rows {
                let question = row.question;
                let about = clause_of(question.draft.anchor_sentence);
                let usable = question.draft.level == QcaLevel::Sentence
                    && question.status != ReviewStatus::Rejected
                    && about.is_some()
                    && !held_out.contains(&row.document);
                if usable {
                    let id = format!("question {}", question.id);
                    found.push((Source::Question, about, id, question.draft.question));
                }
            }
            for document in &clauses.documents {
                if held_out.contains(&document.id) {
                    continue;
                }
                for sentence in r.sentences(Some(document.id))? {
                    let about = clause_of(sentence.id);
                    let heading = sentence.kind == SentenceKind::Heading && about.is_some();
                    if let Some(text) = heading_of(&sentence.text).filter(|_| heading) {
                        let id = format!("heading {}", sentence.id);
                        found.push((Source::Heading, about, id, text));
                    }
                }
            }
            let terms = r.terms(&TermFilter::default())?.rows;
            for term in terms.into_iter().filter(is_shown) {
                let seen = term
                    .definition_document
                    .is_some_and(|d| held_out.contains(&d));
                if let Some(text) = subject_of(&term.text).filter(|_| !seen) {
                    let about = term.definition_sentence.and_then(clause_of);
                    found.push((Source::Term, about, format!("term {}", term.id), text));
                }
            }
            Ok(())
        })?;
        let mut seen: HashSet<String> = known.iter().map(|question| letters(question)).collect();
        found.retain(|(_, _, _, text)| seen.insert(letters(text)));
        // By lot, which follows from the seed alone.
        let lot =
            |text: &str| -> [u8; 32] { Sha256::digest(format!("{seed} unlabelled {text}")).into() };
        found.sort_by_cached_key(|(_, _, _, text)| lot(text));
        found.truncate(MOST);
        let unlabelled = found
            .into_iter()
            .map(|(source, about, id, question)| Unlabelled {
                source,
                about,
                item: RetrievalItem {
                    id,
                    question,
                    clauses: Vec::new(),
                    by_words: Vec::new(),
                    teacher: Vec::new(),
                },
            });
        Ok(unlabelled.collect())
    }

    /// Gives each question the list of clauses in the order of its teacher. The teacher is a fitted ranker, or else an
    /// equal mixture of words and vectors. Labelled questions are ranked with weights that were fitted without the
    /// questions of their document. Questions without a label are left out if their list has fewer than two clauses.
    pub(super) fn teach(
        &self,
        labelled: &mut [RetrievalItem],
        unlabelled: &mut Vec<Unlabelled>,
        teacher: Option<RunId>,
        watcher: &dyn Watcher,
    ) -> Result<Taught> {
        let teacher = teacher.map(|run| self.teacher(run)).transpose()?;
        let items = labelled.iter().chain(unlabelled.iter().map(|u| &u.item));
        let items: Vec<&RetrievalItem> = items.collect();
        let questions: Vec<&str> = items.iter().map(|item| item.question.as_str()).collect();
        self.completed_search(None, None, watcher)?;
        let search = self.held_out(self.search(None, None, &questions)?, &questions)?;
        let mut lists = Vec::with_capacity(items.len());
        for (row, item) in items.iter().enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("No run was started."));
            }
            let all = items.len() as u64;
            tell(watcher, Stage::Train, "questions", row as u64, all);
            let ranked = self.scored(&search, row, &item.question)?;
            let mut list = listed(&ranked, &item.clauses);
            if let Some(cross) = &teacher {
                let scores = self.cross_scores(cross, &search.clauses, &item.question, &list)?;
                list = by_teacher(&list, &scores);
            }
            lists.push(list);
        }
        let scale = Scale::of(&lists);
        let items = labelled.iter_mut();
        let items = items.chain(unlabelled.iter_mut().map(|u| &mut u.item));
        for (item, list) in items.zip(lists) {
            let scored = list.into_iter();
            item.teacher = scored.map(|(c, score)| (c, scale.place(score))).collect();
        }
        unlabelled.retain(|one| one.item.teacher.len() > 1);
        let with_list = labelled.iter().filter(|item| item.teacher.len() > 1);
        Ok(Taught {
            labelled: with_list.count() as u64,
            ordered_by: teacher.map(|cross| cross.run),
            ..taught(&search.index, unlabelled)
        })
    }
}

/// The record of a teaching before the lists are made, without the labelled questions.
pub(super) fn taught(index: &AnswerIndex, unlabelled: &[Unlabelled]) -> Taught {
    let of = |source| unlabelled.iter().filter(|u| u.source == source).count() as u64;
    Taught {
        encoder: index.encoder.clone(),
        order_from: index.ranker.as_ref().map(|ranker| ranker.questions),
        ordered_by: None,
        labelled: 0,
        questions: of(Source::Question),
        headings: of(Source::Heading),
        terms: of(Source::Term),
    }
}

/// The subject of a heading, without its label.
fn heading_of(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let from = label(&chars, true).map_or(0, |label| label.len);
    subject_of(&chars.get(from..)?.iter().collect::<String>())
}

/// The subject of a term; `None` if the term says too little.
fn subject_of(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic()).trim();
    let unspaced = text.chars().filter(|c| lexforge_text::is_unspaced(*c));
    let says = text.split_whitespace().count() >= LEAST.0 || unspaced.count() >= LEAST.1;
    says.then(|| text.to_owned())
}

/// A list by what a cross-encoder says of each clause, as a probability.
fn by_teacher(list: &[(u32, f64)], scores: &[f32]) -> Vec<(u32, f64)> {
    let mut order: Vec<(u32, f64)> = list
        .iter()
        .zip(scores)
        .map(|((clause, _), score)| (*clause, 1.0 / (1.0 + f64::from(-score).exp())))
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order
}

/// The first clauses of a ranking, and those of it that are right.
fn listed(ranked: &[(u32, f64)], right: &[u32]) -> Vec<(u32, f64)> {
    let (first, behind) = ranked.split_at(LISTED.min(ranked.len()));
    let labelled = behind.iter().filter(|(clause, _)| right.contains(clause));
    first.iter().chain(labelled).copied().collect()
}

/// The scale on which the scores of all lists lie between 0 and 1, whatever the teacher counts by.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(lists: &[Vec<(u32, f64)>]) -> Self {
        let mut all: Vec<f64> = lists.iter().flatten().map(|(_, score)| *score).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * all.len().saturating_sub(1) as f64).round() as usize;
            all.get(place).copied().unwrap_or_default()
        };
        Self {
            low: at(ENDS.0),
            high: at(ENDS.1),
        }
    }

    fn place(&self, score: f64) -> f32 {
        let width = self.high - self.low;
        if width > 0.0 {
            ((score - self.low) / width).clamp(0.0, 1.0) as f32
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_first_clauses_and_what_is_right() {
        let ranked: Vec<(u32, f64)> = (0..100).map(|c| (c, 1.0 - f64::from(c) / 100.0)).collect();
        // The labelled clause 80 stands far behind; 500 was not found at all.
        let list = listed(&ranked, &[2, 80, 500]);
        let numbers: Vec<u32> = list.iter().map(|l| l.0).collect();
        assert_eq!(numbers, (0..50).chain([80]).collect::<Vec<_>>());
        assert_eq!(listed(&ranked[..3], &[]), ranked[..3]);
        assert!(listed(&[], &[1]).is_empty());
    }

    #[test]
    fn a_cross_encoder_puts_a_list_in_its_own_order() {
        let list = [(1, 0.9), (2, 0.5)];
        let order = by_teacher(&list, &[-1.0, 3.0]);
        let numbers: Vec<u32> = order.iter().map(|l| l.0).collect();
        assert_eq!(numbers, [2, 1]);
        assert!(order.iter().all(|l| l.1 > 0.0 && l.1 < 1.0));
    }

    #[test]
    fn scores_lie_on_one_scale() {
        let scores = (0..=200).map(|n| (0, f64::from(n) / 10.0 - 5.0)).collect();
        let scale = Scale::of(&[scores]);
        assert_eq!((scale.low, scale.high), (-4.8, 14.8));
        assert_eq!(scale.place(-5.0), 0.0);
        assert_eq!(scale.place(5.0), 0.5);
        assert_eq!(scale.place(15.0), 1.0);
        assert_eq!(Scale::of(&[vec![(1, 0.7)]]).place(0.7), 1.0);
        assert_eq!(Scale::of(&[]).place(0.7), 1.0);
    }

    #[test]
    fn a_heading_is_asked_for_without_its_number() {
        let of = |text: &str| heading_of(text).unwrap_or_default();
        assert_eq!(of("5.2 Client money"), "Client money");
        assert_eq!(of("Article 5 Client money"), "Client money");
        assert_eq!(of("第三章 资本充足率"), "资本充足率");
        assert_eq!((of("5.2 Scope"), of("5.2")), Default::default());
        assert_eq!(of("第三章 资本"), "");
        assert_eq!(subject_of("client money").as_deref(), Some("client money"));
        assert_eq!(subject_of("client"), None);
    }
}
