//! What binds in a rule, and whether another text still has it.
//!
//! Two comparisons. [`lost()`] is for a paraphrase of the whole rule: both texts are reduced to what binds and must have the
//! same (METHODS §3). [`differences`] is for an answer, which may take a part of the rule: nothing that binds may be
//! changed, turned round or added, and what governs the part that is answered may not be dropped. What binds is numbers
//! with their units, dates, periods, modals, negations, exceptions and conditions, directions, quantifiers, who acts, and
//! defined terms; the words for it stand in `words/`.
//!
//! It compares words and does not understand them: what is said in words that no list has passes.

mod actors;
mod chinese;
mod conditions;
mod english;
mod figures;
mod forces;
mod lexicon;
mod lost;
mod numbers;
mod opposites;
mod quantifiers;
mod terms;
mod zh_rules;

pub use lost::{Lost, lost};

use crate::words::tidy;
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
    fn new(kind: Binding, anchor: impl Into<String>, answer: impl Into<String>) -> Self {
        Self { kind, anchor: anchor.into(), answer: answer.into() }
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

/// What binds in the rule and is not the same in the answer; empty where the answer holds.
pub fn differences(anchor: &str, answer: &str, language: Language, defined_terms: &[&str]) -> Vec<Difference> {
    Compared { anchor, answer, asked: "", place: "", language, terms: defined_terms }.differences()
}

impl Compared<'_> {
    /// What binds in the rule and is not the same in the answer; empty where the answer holds.
    pub fn differences(&self) -> Vec<Difference> {
        let mut found = Vec::new();
        let plain = |text: &str| tidy(text).to_lowercase();
        if plain(self.anchor) == plain(self.answer) {
            return found;
        }
        if self.language == Language::Zh {
            zh_rules::compare(self, &mut found);
        } else {
            let texts = english::Texts::of(self);
            figures::compare(&texts.figures(), &mut found);
            forces::compare(&texts, &mut found);
            opposites::compare(&texts, &mut found);
            opposites::replaced(&texts, &mut found);
            figures::directions(&texts, &mut found);
            quantifiers::compare(&texts, &mut found);
            conditions::compare(&texts, &mut found);
            actors::compare(&texts, &mut found);
        }
        terms::compare(self, &mut found);
        found.sort_by_key(|difference| difference.kind);
        found.dedup();
        found
    }
}
