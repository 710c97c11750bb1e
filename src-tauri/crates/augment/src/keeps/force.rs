//! The force of a text for its addressee, and on which side of a rule's force or figure another text stands.

use super::binding::Binding;
use super::chinese;
use super::english;
use super::lexicon::Mark;
use lexforge_domain::text::Language;

/// The force of a text for its addressee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Force {
    /// It obliges.
    Must,
    /// It forbids.
    MustNot,
    /// It recommends.
    Should,
    /// It allows.
    May,
    /// It frees.
    NeedNot,
}

/// On which side of the rule a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Somebody who follows the statement may break the rule.
    Looser,
    /// The statement is stricter than the rule.
    Stricter,
    /// It cannot be told.
    Other,
}

/// Something in which a statement is not the rule's equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The kind: a modal or a number.
    pub kind: Binding,
    /// The words of the rule.
    pub rule: String,
    /// The words of the statement. Empty if the statement says nothing about this.
    pub statement: String,
    /// Whether the statement is stricter or weaker here.
    pub side: Side,
    /// False if the weaker word governs a verb that the rule does not have: "may report" beside "shall notify".
    pub same_action: bool,
}

/// The strongest force of a text, with its words; `None` if it states what is.
pub fn force(text: &str, language: Language) -> Option<(Force, String)> {
    let forces = forces(text, language);
    let rank = |force: Force| match force {
        Force::MustNot => 0,
        Force::Must => 1,
        Force::Should => 2,
        Force::May => 3,
        Force::NeedNot => 4,
    };
    forces.into_iter().min_by_key(|(force, _)| rank(*force))
}

pub(super) fn forces(text: &str, language: Language) -> Vec<(Force, String)> {
    let of = |mark: Mark, said: &str| {
        let force = match mark {
            Mark::Must => Force::Must,
            Mark::MustNot | Mark::ShouldNot => Force::MustNot,
            Mark::Should => Force::Should,
            Mark::May => Force::May,
            Mark::NeedNot => Force::NeedNot,
            _ => return None,
        };
        Some((force, said.to_owned()))
    };
    if language == Language::Zh {
        let text = chinese::Text::read(text);
        text.marks().filter_map(|(m, said)| of(m, said)).collect()
    } else {
        let text = english::Text::read(text);
        text.marks()
            .filter_map(|(_, m, said)| of(m, said))
            .collect()
    }
}
