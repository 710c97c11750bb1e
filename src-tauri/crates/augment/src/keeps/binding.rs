//! The kinds of parts that bind, and a rule together with a text about it.

use lexforge_domain::text::Language;

/// The kind of a part that binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binding {
    /// A number with its unit: an amount, a share, a length of time, the number of an article.
    Number,
    /// A month or a day.
    Date,
    /// A word that obliges, allows or advises.
    Modal,
    /// A negation, or a word that says the contrary.
    Negation,
    /// A condition or an exception.
    Condition,
    /// A direction: before or after, at least or at most, more or less.
    Direction,
    /// A quantifier: all, some, only; and how often.
    Quantifier,
    /// Who acts.
    Actor,
    /// A defined term.
    Term,
}

/// Something that binds and is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is.
    pub kind: Binding,
    /// The part in the rule. Empty if the rule has no part of this kind.
    pub anchor: String,
    /// The part in the answer. Empty if the answer dropped it.
    pub answer: String,
}

impl Difference {
    pub(super) fn new(kind: Binding, anchor: impl Into<String>, answer: impl Into<String>) -> Self {
        Self {
            kind,
            anchor: anchor.into(),
            answer: answer.into(),
        }
    }
}

/// A rule and what is said of it.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The rule.
    pub anchor: &'a str,
    /// The text about the rule.
    pub answer: &'a str,
    /// The question that is answered, or empty: a condition that it names need not be named again.
    pub asked: &'a str,
    /// The place of the rule, such as its heading. The answer may use words from it.
    pub place: &'a str,
    pub language: Language,
    /// Defined terms, those of the rule and others that could be taken for them.
    pub terms: &'a [&'a str],
}
