//! The four sentences of a question and the question that tells them apart.
//!
//! The choices are always the anchor, a change of the anchor, a neighbour and a change of the
//! neighbour. Seen without the question the four are symmetric: the anchor is neither the middle of
//! them nor, once one rewording is spent on it, the one nearest to the corpus. What is left to
//! decide by is the rule itself.

use crate::clause::{Ask, Clause, Edit, Grammar, Parsed, Variant};
use crate::words::{contains_words, content, is_han, is_stop, length, words};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::QuestionType;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// What is changed in a question's sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Family {
    /// The subjects change places.
    Actor,
    /// The conditions change places.
    Condition,
    /// The definitions change places.
    Meaning,
    /// A number or a time limit.
    Figure,
    /// The modal.
    Modal,
    /// A negation, an opposite or a similar term.
    Sense,
}

impl Family {
    /// All families, in a fixed order.
    pub(crate) const ALL: [Self; 6] =
        [Self::Actor, Self::Condition, Self::Meaning, Self::Figure, Self::Modal, Self::Sense];

    /// How readily a family is taken where several are possible: rare and telling ones first.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Meaning => 4.0,
            Self::Figure => 2.5,
            Self::Condition => 1.2,
            Self::Actor | Self::Modal | Self::Sense => 1.0,
        }
    }
}

/// Fewest content words of the anchor that a question names, so that it asks for one rule and not for many; in
/// Chinese, where a word of four characters counts as three pairs, nearly twice as many.
const NAMED: usize = 3;

/// Words of a run that counts as taken from a text.
const RUN: usize = 5;

/// A subject without the function words before its name.
fn named(subject: &str) -> String {
    let all = words(subject);
    let from = all.iter().position(|w| !is_stop(w)).unwrap_or(0);
    all.get(from..).unwrap_or_default().join(" ")
}

/// How many runs of five words of `changed` do not stand in `original`.
fn broken(original: &str, changed: &str) -> usize {
    let (original, changed) = (words(original), words(changed));
    let known: HashSet<&[String]> = original.windows(RUN).collect();
    changed.windows(RUN).filter(|run| !known.contains(run)).count()
}

/// A question before its choices are put in order.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) family: Family,
    pub(crate) question_type: QuestionType,
    pub(crate) question: String,
    /// Anchor, changed anchor, neighbour, changed neighbour.
    pub(crate) texts: [String; 4],
    /// Change of the anchor, change of the neighbour.
    pub(crate) edits: [Edit; 2],
    pub(crate) neighbour: SentenceId,
    /// Each of the four sentences differs from the corpus; otherwise anchor and neighbour are as they stand.
    pub(crate) even: bool,
}

impl Plan {
    /// Whether the answer is longer than (its own change, the neighbour).
    pub(crate) fn longer(&self) -> [bool; 2] {
        let [a, changed, b, _] = [0, 1, 2, 3].map(|i| self.texts.get(i).map_or(0, |t| length(t)));
        [a > changed, a > b]
    }
}

/// What a plan needs to know of its anchor.
pub(crate) struct Scene<'s> {
    pub(crate) grammar: &'s dyn Grammar,
    pub(crate) anchor: &'s Parsed,
    pub(crate) topics: &'s [String],
    pub(crate) heading: &'s str,
    /// (mention text, similar terms)
    pub(crate) terms: &'s [(String, Vec<String>)],
}

impl Scene<'_> {
    /// All questions that anchor and neighbour make together.
    pub(crate) fn plans(&self, neighbour: &Parsed, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        plans.extend(self.meanings_swapped(neighbour, rng));
        if let (Some(a), Some(b)) = (&self.anchor.clause, &neighbour.clause) {
            plans.extend(self.subjects_swapped(a, b, neighbour, rng));
            plans.extend(self.conditions_swapped(a, b, neighbour, rng));
        }
        plans.extend(self.one_thing_changed(neighbour, rng));
        plans
    }

    fn meanings_swapped(&self, neighbour: &Parsed, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let (term, meaning) = self.anchor.definition.as_ref()?;
        let (other, other_meaning) = neighbour.definition.as_ref()?;
        if contains_words(other, term) && contains_words(term, other) || contains_words(other_meaning, term) {
            return None;
        }
        let question = self.ask(Ask::Meaning, rng)?;
        let define = |t: &str, m: &str| self.grammar.define(t, m);
        let texts =
            [define(term, meaning), define(term, other_meaning), define(other, other_meaning), define(other, meaning)];
        self.plan(Family::Meaning, QuestionType::Definition, question, texts, [Edit::Splice; 2], neighbour)
    }

    fn subjects_swapped(&self, a: &Clause, b: &Clause, neighbour: &Parsed, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let grammar = self.grammar;
        // "A bank" and "the bank" are one subject.
        let (own, other) = (named(&a.subject), named(&b.subject));
        let alike = contains_words(&own, &other) || contains_words(&other, &own);
        if alike || !grammar.is_actor(a) || !grammar.is_actor(b) || !grammar.interchangeable(a, b) {
            return None;
        }
        // The object would turn into its own subject: "the controller shall notify the controller".
        if contains_words(&a.predicate, &other) || contains_words(&b.predicate, &own) {
            return None;
        }
        if contains_words(&a.lead, &other) || contains_words(&a.lead, &own) {
            return None;
        }
        let question = self.ask(Ask::Who, rng)?;
        let with = |clause: &Clause, subject: &str| {
            grammar.render(&clause.lead, subject, &grammar.same_force(clause, subject), &clause.predicate)
        };
        let texts = [with(a, &a.subject), with(a, &b.subject), with(b, &b.subject), with(b, &a.subject)];
        self.plan(Family::Actor, a.duty.question_type(), question, texts, [Edit::Actor; 2], neighbour)
    }

    fn conditions_swapped(&self, a: &Clause, b: &Clause, neighbour: &Parsed, rng: &mut ChaCha8Rng) -> Option<Plan> {
        if a.lead.is_empty() || b.lead.is_empty() || crate::words::likeness(&a.lead, &b.lead) > 0.4 {
            return None;
        }
        let question = self.ask(Ask::Condition, rng)?;
        let with = |lead: &str, c: &Clause| self.grammar.render(lead, &c.subject, &c.modal, &c.predicate);
        let (first, second, even) = self.shown(neighbour, None, None, rng);
        let texts = [first, with(&b.lead, a), second, with(&a.lead, b)];
        let plan =
            self.plan(Family::Condition, a.duty.question_type(), question, texts, [Edit::Splice; 2], neighbour)?;
        Some(Plan { even, ..plan })
    }

    /// Plans in which anchor and neighbour each have one word changed.
    fn one_thing_changed(&self, neighbour: &Parsed, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let own = self.grammar.edits(self.anchor, self.terms, rng);
        let others = self.grammar.edits(neighbour, self.terms, rng);
        let mut plans = Vec::new();
        for change in &own {
            let same: Vec<&Variant> = others.iter().filter(|v| v.edit == change.edit).collect();
            let pool: Vec<&Variant> = if same.is_empty() { others.iter().collect() } else { same };
            let Some(other) = pool.choose(rng) else { continue };
            let Some((family, question_type, question)) = self.question_for(change, neighbour, rng) else { continue };
            let (first, second, even) = self.shown(neighbour, Some(change), Some(other), rng);
            let texts = [first, change.text.clone(), second, other.text.clone()];
            let plan = self.plan(family, question_type, question, texts, [change.edit, other.edit], neighbour);
            plans.extend(plan.map(|p| Plan { even, ..p }));
        }
        plans
    }

    /// A question that the change answers wrongly and that does not itself say what was changed.
    fn question_for(
        &self,
        change: &Variant,
        neighbour: &Parsed,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Family, QuestionType, String)> {
        let duty = self.anchor.clause.as_ref().map(|c| c.duty.question_type());
        let (family, ask, question_type) = match change.edit {
            Edit::Modal => (Family::Modal, Ask::Rule, duty?),
            Edit::Time => (Family::Figure, Ask::TimeLimit, QuestionType::Deadline),
            Edit::Number => (Family::Figure, Ask::Limit, QuestionType::Threshold),
            _ if self.anchor.definition.is_some() => (Family::Sense, Ask::Meaning, QuestionType::Definition),
            _ => match duty {
                Some(duty) => (Family::Sense, Ask::Do, duty),
                None => (Family::Sense, Ask::Statement, QuestionType::Statement),
            },
        };
        let mut topics: Vec<String> = self
            .topics
            .iter()
            .filter(|t| !contains_words(t, &change.removed) && !contains_words(t, &change.added))
            .cloned()
            .collect();
        // What the neighbour does not speak of leads away from it.
        let others = content(&neighbour.text);
        topics.sort_by_key(|t| content(t).is_subset(&others));
        let question = self.grammar.question(ask, self.anchor, &topics, self.heading, rng)?;
        let told = contains_words(&question, &change.removed) || contains_words(&question, &change.added);
        (change.edit == Edit::Modal || !told).then_some((family, question_type, question))
    }

    fn ask(&self, ask: Ask, rng: &mut ChaCha8Rng) -> Option<String> {
        self.grammar.question(ask, self.anchor, self.topics, self.heading, rng)
    }

    /// Anchor and neighbour as they are shown: both reworded in one place, so that each of the four sentences
    /// differs from the corpus once; both as they stand where one of them cannot be reworded.
    fn shown(
        &self,
        neighbour: &Parsed,
        own: Option<&Variant>,
        other: Option<&Variant>,
        rng: &mut ChaCha8Rng,
    ) -> (String, String, bool) {
        let first = self.reworded(self.anchor, own, rng);
        let second = self.reworded(neighbour, other, rng);
        match (first, second) {
            (Some(first), Some(second)) => (first, second, true),
            _ => (self.anchor.text.clone(), neighbour.text.clone(), false),
        }
    }

    fn reworded(&self, sentence: &Parsed, change: Option<&Variant>, rng: &mut ChaCha8Rng) -> Option<String> {
        let clash = |v: &Variant| {
            change
                .is_some_and(|c| v.text == c.text || (c.edit != Edit::Modal && contains_words(&c.removed, &v.removed)))
        };
        let all: Vec<Variant> = self.grammar.rewordings(sentence).into_iter().filter(|v| !clash(v)).collect();
        // The rewording is to cost as much of the original as the change does.
        let cost = |text: &str| broken(&sentence.text, text);
        let wanted = change.map_or(RUN, |c| cost(&c.text));
        // One that costs less would leave this sentence nearer to the corpus than the changed one.
        let unfair = |v: &Variant| {
            let cost = cost(&v.text);
            if cost < wanted { 2 * (wanted - cost) } else { cost - wanted }
        };
        let least = all.iter().map(unfair).min()?;
        let fair: Vec<&Variant> = all.iter().filter(|v| unfair(v) <= least + 1).collect();
        fair.choose(rng).map(|v| v.text.clone())
    }

    /// The plan, if its question leads to the anchor and not to the neighbour.
    fn plan(
        &self,
        family: Family,
        question_type: QuestionType,
        question: String,
        texts: [String; 4],
        edits: [Edit; 2],
        neighbour: &Parsed,
    ) -> Option<Plan> {
        let asked = content(&question);
        let own = content(&self.anchor.text);
        let other = content(&neighbour.text);
        let leads = asked.iter().filter(|w| own.contains(*w) && !other.contains(*w)).count();
        let misleads = asked.iter().filter(|w| other.contains(*w) && !own.contains(*w)).count();
        let named = if question.chars().any(is_han) { 2 * NAMED - 1 } else { NAMED };
        let places = family == Family::Meaning || asked.intersection(&own).count() >= named;
        (leads > misleads && places).then_some(Plan {
            family,
            question_type,
            question,
            texts,
            edits,
            neighbour: neighbour.id,
            even: true,
        })
    }
}
