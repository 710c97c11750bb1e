//! What binds, and a rule with what is said of it.

use lexforge_domain::text::Language;

/// What kind of thing binds.
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
    /// What the rule has; empty where it has nothing of the kind.
    pub anchor: String,
    /// What the answer has; empty where it dropped it.
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
    /// What is said of it.
    pub answer: &'a str,
    /// The question that is answered, or empty: a condition that it names need not be named again.
    pub asked: &'a str,
    /// Where the rule stands: its heading and the like. The answer may name what is in it.
    pub place: &'a str,
    /// Their language.
    pub language: Language,
    /// Defined terms, those of the rule and others that could be taken for them.
    pub terms: &'a [&'a str],
}
