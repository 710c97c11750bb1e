//! What people think of answers: a verdict on one, and which of two is better.

use super::RejectedPair;
use crate::id::AnswerId;
use crate::tags::{all, read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(AnswerVerdict, Preferred);
read_by_tag!(AnswerVerdict);

/// A person's judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum AnswerVerdict {
    /// It answers the question.
    Right,
    /// It does not.
    Wrong,
    /// Something that matters is missing.
    Incomplete,
    /// The documents do not answer the question: it should have said so.
    ShouldHaveRefused,
}

impl AnswerVerdict {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = all(Self::VARIANTS);
}

/// The result of importing the verdicts in a table of answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VerdictsReport {
    /// Answers that have a new verdict.
    pub judged: u64,
    /// Answers whose newest verdict was this one already.
    pub unchanged: u64,
    /// Answers of the table without a verdict.
    pub open: u64,
    /// Rows that were left out, with the reason.
    pub rejected: Vec<RejectedPair>,
}

/// An answer in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerRow {
    /// Its number.
    pub id: AnswerId,
    /// When it was asked, RFC 3339, UTC.
    pub asked: String,
    /// The question.
    pub question: String,
    /// Something was found.
    pub found: bool,
    /// Places cited.
    pub citations: usize,
    /// A person's newest judgement of it.
    pub verdict: Option<AnswerVerdict>,
    /// Cited documents that count otherwise by now; the answer itself says how.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changed: usize,
}

fn is_zero(changed: &usize) -> bool {
    *changed == 0
}

/// The better one of two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Preferred {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both are equally good.
    Equal,
    /// Neither is good.
    Neither,
}

impl Preferred {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Equal, Self::Neither];

    /// The choice of a tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.tag() == tag)
    }
}

/// Two answers to one question, and which of them a person found better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerPreference {
    /// The answer that stood first.
    pub first: AnswerId,
    /// The other.
    pub second: AnswerId,
    /// Which is better.
    pub preferred: Preferred,
    /// Whether the person did not see who wrote which answer.
    pub blind: bool,
    /// When it was said, RFC 3339, UTC.
    pub judged: String,
    /// Who said it.
    pub actor: String,
}
