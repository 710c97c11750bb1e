//! Review: who decided what about which item, and what follows from all decisions together.
//!
//! A decision is never changed or removed. If a person undoes a decision, this is stored as a further decision. The
//! result of an item's decisions (its [`Verdict`]) is computed only from them. For each reviewer, the newest decision
//! that was not undone counts. Decisions are ordered by ([`Decision::made`], [`Decision::uid`]) and not by the order in
//! which they arrived. So decisions that come back from colleagues give the same result in any order. A decision that a
//! person made on another machine never overrules a later decision that the same person made here, even if its time
//! says that it is later.

mod choice;
mod score;
mod subject;

use crate::id::{ActId, PersonId, TermId};
use crate::tags::{read_by_tag, tagged};
use crate::term::ReviewStatus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use strum::{EnumString, IntoStaticStr};

tagged!(Role);
read_by_tag!(Role);

pub use choice::Choice;
pub use score::Score;
pub use subject::{Subject, SubjectKind};

/// The changes to an item that come with a decision. Missing fields stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// A term: how it is written. A question: the question's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A term: its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// A merged term: the term that it is another name for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<TermId>,
    /// A question: its choices. A triplet: its positive and its negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
}

impl Edit {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The kind of work that a person does in the review. It gives no rights: everybody who has the file may review. It is
/// shown next to the person's name when others read their decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Imports regulations and asks questions.
    ComplianceOfficer,
    /// Validates terms and questions.
    #[default]
    DomainExpert,
    /// Trains and evaluates.
    Operator,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::ComplianceOfficer, Self::DomainExpert, Self::Operator];
}

/// A person who reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Their id in this workspace.
    pub id: PersonId,
    /// The person's mark, the same in every workspace and packet and independent of the name: 32 hexadecimal digits.
    pub uid: String,
    /// Name, unique in the workspace.
    pub name: String,
    /// What they do.
    pub role: Role,
    /// Share of the items that are theirs to look at first, in parts of the sum of all shares; 0 = none are assigned.
    #[serde(default)]
    pub share: u32,
}

/// One decision of one person about one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Its mark, the same wherever it is merged: 32 hexadecimal digits.
    pub uid: String,
    /// The act to which it belongs.
    pub act: ActId,
    /// About what.
    pub subject: Subject,
    /// Who.
    pub person: PersonId,
    /// What.
    pub choice: Choice,
    /// The changes that come with it.
    #[serde(default, skip_serializing_if = "Edit::is_empty")]
    pub edit: Edit,
    /// Why, in the person's words; may be empty, but not for an adjudication.
    #[serde(default)]
    pub reason: String,
    /// When, RFC 3339, UTC, to the millisecond.
    pub made: String,
    /// Whether it ends a conflict for everybody.
    #[serde(default)]
    pub adjudicates: bool,
    /// The packet with which it *claims* to have come (its SHA-256); `None` = made in this workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet: Option<String>,
    /// Whether its person took it back.
    #[serde(default)]
    pub undone: bool,
}

/// The result of an item's decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The status of the item. A pair is `accepted` as soon as reviewers agree on its choice.
    pub status: ReviewStatus,
    /// The common choice; `None` while unreviewed or in conflict.
    pub choice: Option<Choice>,
    /// Reviewers whose decision counts, skips left out.
    pub reviewers: u32,
    /// The number of those whose choice equals the result.
    pub agreeing: u32,
    /// Whether somebody adjudicated.
    pub adjudicated: bool,
    /// The final text, class and synonym.
    #[serde(default, skip_serializing_if = "Edit::is_empty")]
    pub edit: Edit,
}

impl Default for Verdict {
    fn default() -> Self {
        Self {
            status: ReviewStatus::Unreviewed,
            choice: None,
            reviewers: 0,
            agreeing: 0,
            adjudicated: false,
            edit: Edit::default(),
        }
    }
}

/// The most seconds by which the clocks of two machines may differ. A time that differs more is not believed.
pub const CLOCKS_DIFFER_SECONDS: i64 = 60 * 60;

/// The decisions of one person about one item that count, the oldest first.
///
/// They are ordered by the times that they state, with one exception. If a decision was recorded here after another
/// one, it counts as the later one, even if its time is earlier. So a decision that was made while a clock was far
/// ahead does not overrule all later ones.
fn in_order<'a>(of_person: &[&'a Decision]) -> Vec<&'a Decision> {
    let key = |d: &&'a Decision| {
        let here_later = of_person
            .iter()
            .filter(|e| e.packet.is_none() && e.act > d.act)
            .map(|e| e.made.as_str())
            .min();
        // If two decisions have the same time, the one that was made earlier comes first.
        let (time, own) = match here_later.filter(|later| *later < d.made.as_str()) {
            Some(later) => (later, false),
            None => (d.made.as_str(), true),
        };
        (time.to_owned(), own, d.made.clone(), d.uid.clone())
    };
    let mut ordered = of_person.to_vec();
    ordered.sort_by_cached_key(key);
    ordered
}

/// The result of the decisions about one item. `decisions` are all decisions about it, in any order.
///
/// For each person, the newest decision that was not undone counts; skips do not count. The newest adjudication
/// overrules all other decisions. Without an adjudication, all people must make the same choice (in a merge also the
/// same term); otherwise there is a conflict. If several people accept the item with different edits, this is no
/// conflict, and the newest edit of text or class is used. Scores need not be equal. Two scores that are more than
/// [`Score::APART`] apart are a conflict; otherwise the half step nearest to the mean of all scores counts.
pub fn verdict(decisions: &[Decision]) -> Verdict {
    let (adjudication, newest) = counted(decisions);
    let says = |d: &Decision| {
        (
            d.choice,
            (d.choice == Choice::Merge).then_some(d.edit.into).flatten(),
        )
    };
    let settled = match (adjudication, newest.first()) {
        (Some(decision), _) => decision,
        (None, None) => return Verdict::default(),
        (None, Some(&first)) => {
            let scores: Vec<Score> = newest.iter().filter_map(|d| d.choice.score()).collect();
            if scores.len() == newest.len() {
                return of_scores(&scores);
            }
            if newest.iter().any(|d| says(d) != says(first)) {
                let reviewers = newest.len() as u32;
                return Verdict {
                    status: ReviewStatus::Conflict,
                    reviewers,
                    ..Verdict::default()
                };
            }
            first
        }
    };
    let same = |d: &&&Decision| says(d) == says(settled);
    // The newest word on each of text, class and choices, by those who say what was settled.
    let mut edit = Edit {
        into: settled
            .edit
            .into
            .filter(|_| settled.choice == Choice::Merge),
        ..Edit::default()
    };
    for decision in adjudication.iter().chain(newest.iter().filter(same)) {
        let said = &decision.edit;
        edit.text = edit.text.or_else(|| said.text.clone());
        edit.class = edit.class.or_else(|| said.class.clone());
        edit.choices = edit.choices.or_else(|| said.choices.clone());
    }
    Verdict {
        status: match settled.choice {
            Choice::Reject => ReviewStatus::Rejected,
            Choice::Merge => ReviewStatus::Merged,
            _ => ReviewStatus::Accepted,
        },
        choice: Some(settled.choice),
        reviewers: newest.len() as u32,
        agreeing: newest.iter().filter(same).count() as u32,
        adjudicated: adjudication.is_some(),
        edit,
    }
}

/// The newest adjudication of an item, and each person's last decision, the newest first. Skips and decisions that were
/// taken back are left out.
fn counted(decisions: &[Decision]) -> (Option<&Decision>, Vec<&Decision>) {
    let order = |d: &&Decision| (d.made.clone(), d.uid.clone());
    let mut counted: Vec<&Decision> = decisions
        .iter()
        .filter(|d| !d.undone && d.choice != Choice::Skip)
        .collect();
    counted.sort_by_key(order);
    let adjudication = counted.iter().rev().find(|d| d.adjudicates).copied();
    let mut newest: Vec<&Decision> = Vec::new();
    let people: BTreeSet<PersonId> = counted.iter().map(|d| d.person).collect();
    for person in people {
        let of_person: Vec<&Decision> = counted
            .iter()
            .filter(|d| d.person == person && !d.adjudicates)
            .copied()
            .collect();
        newest.extend(in_order(&of_person).last());
    }
    newest.sort_by_key(|d| std::cmp::Reverse(order(d)));
    (adjudication, newest)
}

/// The scores of an item that count: the one that settled it for everybody, and each person's.
pub fn scores(decisions: &[Decision]) -> (Option<Score>, Vec<(PersonId, Score)>) {
    let (adjudication, newest) = counted(decisions);
    let of = |d: &&Decision| Some((d.person, d.choice.score()?));
    (
        adjudication.and_then(|d| d.choice.score()),
        newest.iter().filter_map(of).collect(),
    )
}

/// The result of different people's scores.
fn of_scores(scores: &[Score]) -> Verdict {
    let reviewers = scores.len() as u32;
    let points = || scores.iter().map(|score| score.points());
    let (low, high) = points().fold((f64::MAX, f64::MIN), |(low, high), p| {
        (low.min(p), high.max(p))
    });
    if high - low > Score::APART {
        return Verdict {
            status: ReviewStatus::Conflict,
            reviewers,
            ..Verdict::default()
        };
    }
    let settled = Score::nearest(points().sum::<f64>() / f64::from(reviewers.max(1)));
    Verdict {
        status: ReviewStatus::Accepted,
        choice: Some(Choice::Score(settled)),
        reviewers,
        agreeing: scores.iter().filter(|score| **score == settled).count() as u32,
        ..Verdict::default()
    }
}

#[cfg(test)]
mod tests;
