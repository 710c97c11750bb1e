//! Where the reader is among questions and answers; it outlives a change of screen or language.

use crate::fetched::Fetched;
use leptos::prelude::*;
use lexforge_domain::api::{
    Answer, AnswerChange, AnswerRow, AnswerWay, AnswerWayRow, Certificate, Inquiry,
    SearchEncoderRow,
};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::text::Region;
use lexforge_domain::{AnswerId, DocumentId, Failure, SentenceId};

/// The reader's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The answer to a new question.
    Ask(String),
    /// An answer that was given before.
    Kept(AnswerId),
}

/// Something in an answer that stands on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// What a statement cites, by its place among the citations.
    Citation(usize),
    /// One of the nearest clauses.
    Passage(usize),
    /// A definition: the term's place, and the definition's.
    Definition(usize, usize),
    /// A clause that a cited one refers to, by its place among these.
    Referred(usize),
}

/// The place of a spot.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub document: DocumentId,
    pub title: String,
    /// The page, from 1.
    pub page: u32,
    pub sentence: SentenceId,
    /// The regions of its words. Empty if only the sentence is known.
    pub boxes: Vec<Region>,
    /// Its words; empty where only the sentence is known.
    pub quote: String,
}

/// The place that a spot of an answer refers to.
pub fn target(answer: &Answer, spot: Spot) -> Option<Target> {
    let citation = match spot {
        Spot::Citation(at) => answer.citations.get(at)?,
        Spot::Passage(at) => &answer.passages.get(at)?.place,
        Spot::Referred(at) => answer.refers.get(at)?.place.as_ref()?,
        Spot::Definition(term, at) => {
            let definition = answer.terms.get(term)?.definitions.get(at)?;
            return Some(Target {
                document: definition.document,
                title: definition.title.clone(),
                page: definition.page,
                sentence: definition.sentence,
                boxes: Vec::new(),
                quote: String::new(),
            });
        }
    };
    Some(Target {
        document: citation.document,
        title: citation.title.clone(),
        page: citation.page,
        sentence: citation.sentence,
        boxes: citation.boxes.clone(),
        quote: citation.quote.clone(),
    })
}

/// The citation that a reader comes to first: that of a premise, else that of the first statement.
pub fn first_cited(answer: &Answer) -> Option<usize> {
    let premise = answer.premise.iter().map(|premise| premise.citation);
    let said = answer.statements.iter().flat_map(|s| &s.citations).copied();
    premise.chain(said).find(|at| *at < answer.citations.len())
}

/// The spots that the keys walk: the citations, or the nearest clauses where nothing is cited.
pub fn walked(answer: &Answer) -> Vec<Spot> {
    if answer.citations.is_empty() {
        (0..answer.passages.len()).map(Spot::Passage).collect()
    } else {
        (0..answer.citations.len()).map(Spot::Citation).collect()
    }
}

/// The spot so many places on; the ends hold.
pub fn next(spots: &[Spot], now: Option<Spot>, by: i64) -> Option<Spot> {
    let last = spots.len().checked_sub(1)?;
    let at = now.and_then(|now| spots.iter().position(|spot| *spot == now));
    let at = match at {
        Some(at) => (at as i64 + by).clamp(0, last as i64) as usize,
        None if by < 0 => last,
        None => 0,
    };
    spots.get(at).copied()
}

/// What is open over the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// A file of questions.
    Batch,
    /// Two answers to one question.
    Compare,
    /// Labelled questions and what is learned from them.
    Labels,
}

/// Where the reader is among questions and answers.
#[derive(Clone, Copy, Default)]
pub struct AskPlace {
    /// The text in the question's box.
    pub typed: RwSignal<String>,
    /// The answer that is shown.
    pub answer: RwSignal<Option<Answer>>,
    /// What happened since an answer was given, by its number.
    pub since: RwSignal<Option<(AnswerId, Vec<AnswerChange>)>>,
    /// The answer that was shown before the page was loaded again; it is fetched when the screen is.
    pub left: RwSignal<Option<AnswerId>>,
    /// The request that is running.
    pub under_way: RwSignal<Option<Wish>>,
    /// The latest request that failed, and why.
    pub failed: RwSignal<Option<(Wish, Failure)>>,
    /// What of the answer the page shows.
    pub spot: RwSignal<Option<Spot>>,
    /// The answers that were given, newest first.
    pub history: Fetched<Vec<AnswerRow>>,
    /// How often answers are wrong, as the workspace is now.
    pub certificate: Fetched<Certificate>,
    /// The day for which answers are asked, as it was typed; empty = today.
    pub as_of: RwSignal<String>,
    /// Who is to answer.
    pub way: RwSignal<AnswerWay>,
    /// Who can answer now.
    pub ways: Fetched<Vec<AnswerWayRow>>,
    /// What questions can be searched with.
    pub encoders: Fetched<Vec<SearchEncoderRow>>,
    /// A question that would send something, with its plan. Nobody has agreed to it yet.
    pub consent: RwSignal<Option<(Inquiry, AskPlan)>>,
    /// A measurement that would send something, with its plan. Nobody has agreed to it yet.
    pub measuring: RwSignal<Option<(AnswerWay, AskPlan)>>,
    /// The job that answers the question that is on its way.
    pub task: RwSignal<Option<u64>>,
    /// The answers without a verdict are shown one after the other.
    pub queue: RwSignal<bool>,
    /// What is open over the screen.
    pub over: RwSignal<Option<Over>>,
    turn: StoredValue<u64>,
}

impl AskPlace {
    /// Begins a request of the reader, and drops an earlier request that is still running. The returned number shows
    /// later whether this request is still the latest.
    pub fn begin(self, wish: Wish) -> u64 {
        self.turn.update_value(|turn| *turn += 1);
        self.failed.set(None);
        self.left.set(None);
        self.task.set(None);
        self.under_way.set(Some(wish));
        self.turn.get_value()
    }

    /// What happened since this answer was given, as far as it was asked for.
    pub fn changes(self, answer: Option<AnswerId>) -> Vec<AnswerChange> {
        self.since.with(|since| match since {
            Some((of, changes)) if Some(*of) == answer => changes.clone(),
            _ => Vec::new(),
        })
    }

    /// The answer that is shown, or will be.
    pub fn open_answer(self) -> Option<AnswerId> {
        let shown = self
            .answer
            .with(|answer| answer.as_ref().and_then(|a| a.id));
        shown.or(self.left.get())
    }

    /// As [`AskPlace::open_answer`], but without tracking changes.
    pub fn open_answer_untracked(self) -> Option<AnswerId> {
        untrack(|| self.open_answer())
    }

    /// Whether no other request was made meanwhile.
    pub fn is_latest(self, turn: u64) -> bool {
        self.turn.get_value() == turn
    }

    /// Puts the answer away, for a new question.
    pub fn clear(self) {
        self.turn.update_value(|turn| *turn += 1);
        self.under_way.set(None);
        self.failed.set(None);
        self.left.set(None);
        self.task.set(None);
        self.queue.set(false);
        self.answer.set(None);
        self.since.set(None);
        self.spot.set(None);
    }

    /// The day that answers apply to; `None` = today.
    pub fn day(self) -> Option<String> {
        let typed = self.as_of.get_untracked();
        let day = typed.trim();
        (!day.is_empty()).then(|| day.to_owned())
    }

    /// Begins anew, for another workspace.
    pub fn forget(self) {
        self.clear();
        self.typed.set(String::new());
        self.as_of.set(String::new());
        self.history.forget();
        self.certificate.forget();
        self.way.set(AnswerWay::Extractive);
        self.ways.forget();
        self.encoders.forget();
        self.consent.set(None);
        self.measuring.set(None);
        self.over.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_premise_is_read_before_the_statements() {
        let mut answer = super::super::sample::answer();
        assert_eq!(first_cited(&answer), Some(0));
        answer.premise = Some(lexforge_domain::api::Premise {
            assumed: String::new(),
            citation: 1,
        });
        assert_eq!(first_cited(&answer), Some(1));
        answer.citations.clear();
        assert_eq!(first_cited(&answer), None);
    }

    #[test]
    fn the_keys_walk_from_end_to_end() {
        let spots = [Spot::Citation(0), Spot::Citation(1), Spot::Citation(2)];
        for (now, by, expected) in [
            (None, 1, 0),
            (None, -1, 2),
            (Some(Spot::Citation(0)), 1, 1),
            (Some(Spot::Citation(2)), 1, 2),
            (Some(Spot::Citation(0)), -1, 0),
            (Some(Spot::Passage(1)), 1, 0),
        ] {
            assert_eq!(
                next(&spots, now, by),
                Some(Spot::Citation(expected)),
                "{now:?} {by}"
            );
        }
        assert_eq!(next(&[], None, 1), None);
    }
}
