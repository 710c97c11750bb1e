//! Exams: sets of questions that somebody else wrote, to measure models on. Nothing is trained on them.

use crate::tags::{read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(ExamKind);
read_by_tag!(ExamKind);

/// A question of an exam.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamQuestion {
    /// The question.
    pub question: String,
    /// Its choices, in the order of the exam; no two are the same.
    pub choices: Vec<String>,
    /// The right choices: indices from 0, ascending, at least one.
    pub answers: Vec<usize>,
    /// The subject that it belongs to; empty = none is named.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// The kind of question, in the exam's own words; empty = none is named.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
}

/// A use of a term with two meanings, of which one is right (docs/methods.md, "Terminology in practice").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermInContext {
    /// The term.
    pub term: String,
    /// The text in which it is shown; `None` = the term alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_in: Option<String>,
    /// The context that belongs to it.
    pub context_pos: String,
    /// The context with the wrong meaning. It uses the term in the meaning that another act gives it, or it gives the
    /// meaning of a similar term.
    pub context_neg: String,
    /// At which place the right context is shown, 0 or 1.
    pub label: usize,
    /// The act, or whatever else the pair comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<String>,
}

impl TermInContext {
    /// The text that represents the term when it is compared with its contexts.
    pub fn shown(&self) -> &str {
        self.shown_in.as_deref().unwrap_or(&self.term)
    }
}

/// Two texts with what somebody said of them: whether they belong together, or how alike they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExamPair {
    /// The one text; of a question with its passage the question.
    pub a: String,
    /// The other.
    pub b: String,
    /// 1 or 0 where they belong together or not; else how alike people found them, on any scale.
    pub score: f64,
    /// The first is a question, the second a passage that may answer it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
}

/// A text with its class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassedText {
    /// The text.
    pub text: String,
    /// Its class.
    pub class: String,
}

/// The kind of items of an exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum ExamKind {
    /// Questions with choices ([`ExamQuestion`]).
    Questions,
    /// Terms in contexts ([`TermInContext`]).
    Terms,
    /// Pairs of texts that belong together or not ([`ExamPair`]).
    Pairs,
    /// Pairs of texts with how alike they are ([`ExamPair`]).
    Similarity,
    /// Texts with their classes ([`ClassedText`]).
    Classes,
}
