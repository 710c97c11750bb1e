//! The facts about an anchor that a question needs, and a question before its choices are chosen and ordered.

use super::edits;
use super::patterns::{Edit, Patterns, Place, Variant};
use crate::clause::Parsed;
use crate::usage::Usage;
use crate::words::{content, is_stop};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
use lexforge_text::{is_han, words};
use rand_chacha::ChaCha8Rng;
use std::rc::Rc;

/// The part in which the statements of a question differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Who acts.
    Actor,
    /// What a term means.
    Meaning,
    /// A number or a time limit.
    Figure,
    /// Which item is in a list.
    Item,
    /// Whether something is required, recommended, allowed or forbidden.
    Status,
    /// What a rule says, in two places.
    Wording,
}

impl Family {
    /// All families, in a fixed order.
    pub(crate) const ALL: [Self; 6] = [
        Self::Actor,
        Self::Meaning,
        Self::Figure,
        Self::Item,
        Self::Status,
        Self::Wording,
    ];

    /// How readily a family is taken where several are possible: rare and telling ones first.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Meaning => 6.0,
            Self::Figure => 4.0,
            Self::Actor => 2.0,
            Self::Item => 2.0,
            Self::Wording => 2.0,
            Self::Status => 1.0,
        }
    }
}

/// A question must contain at least this many content words of its rule, so that it fits no other rule. For Chinese the
/// number is nearly doubled, because a word of four characters counts as three pairs.
const NAMED: usize = 3;

/// A subject without the function words before its name.
pub(crate) fn named(subject: &str) -> String {
    if subject.chars().any(is_han) {
        return subject.to_owned();
    }
    let all = words(subject);
    let from = all.iter().position(|w| !is_stop(w)).unwrap_or(0);
    all.get(from..).unwrap_or_default().join(" ")
}

/// A wrong statement.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    pub(crate) text: String,
    pub(crate) origin: ChoiceOrigin,
}

/// A question before its choices are chosen and put in order.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) family: Family,
    pub(crate) question_type: QuestionType,
    pub(crate) question: String,
    pub(crate) right: String,
    /// At least three.
    pub(crate) wrong: Vec<Wrong>,
}

/// Wrong statements of a question.
pub(crate) const WRONG: usize = 3;

/// The facts about an anchor that a plan needs.
pub(crate) struct Scene<'s> {
    pub(crate) p: &'s Patterns,
    pub(crate) anchor: &'s Parsed,
    pub(crate) neighbours: &'s [Rc<Parsed>],
    pub(crate) place: Place<'s>,
    /// Other acts' definitions of the term that the anchor defines.
    pub(crate) elsewhere: &'s [(SentenceId, &'s str)],
    /// (mention text, similar terms)
    pub(crate) terms: &'s [(String, Vec<String>)],
    /// Terms of the sentences around that name somebody who acts.
    pub(crate) agents: &'s [String],
    /// Which words stand next to each other in the corpus, if that is known.
    pub(crate) usage: Option<&'s Usage>,
    /// Mentions of the anchor that stand by themselves.
    pub(crate) topics: &'s [String],
    /// Whether the anchor is an item of a list.
    pub(crate) is_item: bool,
    /// Whether the anchor is an item of a list that defines.
    pub(crate) part_of_definition: bool,
}

impl Scene<'_> {
    /// Sentences that say something else by one change and read as the corpus writes.
    pub(crate) fn variants(&self, text: &str, rng: &mut ChaCha8Rng) -> Vec<Variant> {
        let mut all = edits::all(self.p, text, self.terms, rng);
        let Some(usage) = self.usage else { return all };
        all.retain(|v| match v.edit {
            Edit::Number => true,
            // Longer opposites bring their own context.
            Edit::Negation | Edit::Condition
                if v.added.contains(' ') || v.removed.contains(' ') =>
            {
                true
            }
            Edit::Action if !v.added.chars().any(is_han) => usage.writes(&v.added),
            _ => usage.reads(text, &v.text),
        });
        all
    }

    /// The origin of a change to the anchor itself.
    pub(crate) fn own(&self, edit: Edit) -> ChoiceOrigin {
        ChoiceOrigin::Edit {
            edit: edit.tag().to_owned(),
            sentence: self.anchor.id,
        }
    }

    /// The plan, if its question leads to the anchor and there are three wrong statements.
    pub(crate) fn plan(
        &self,
        family: Family,
        question_type: QuestionType,
        question: String,
        right: String,
        mut wrong: Vec<Wrong>,
    ) -> Option<Plan> {
        let asked = content(&question);
        let own = content(&self.anchor.text);
        let base = if question.chars().any(is_han) {
            2 * NAMED - 1
        } else {
            NAMED
        };
        let places = matches!(family, Family::Meaning | Family::Wording)
            || asked.intersection(&own).count() >= base;
        let mut seen: Vec<&str> = vec![&right];
        let mut distinct: Vec<bool> = Vec::new();
        for w in &wrong {
            distinct.push(!seen.contains(&w.text.as_str()));
            seen.push(&w.text);
        }
        let mut keep = distinct.into_iter();
        wrong.retain(|_| keep.next().unwrap_or(false));
        (places && wrong.len() >= WRONG).then_some(Plan {
            family,
            question_type,
            question,
            right,
            wrong,
        })
    }
}
