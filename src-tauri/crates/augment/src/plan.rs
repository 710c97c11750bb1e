//! The question of a rule, the statement that answers it, and the statements that do not.
//!
//! The four choices of a question are one sentence with one place left open (a stem): who acts, when, how much, in
//! which case, with which force, what a term means. What fills the place comes from the anchor for the right choice
//! and from its neighbours, or from figures of the same kind, for the others. All four answer the question, so that
//! nothing but the rule tells them apart; and none of them has the words around its place that the corpus has, so
//! that the one that stands there cannot be found by its wording.

use crate::balance;
use crate::clause::{Ask, Clause, Duty, Edit, FigureKind, Grammar, Parsed, Variant};
use crate::words::{contains_words, content, is_han, is_stop, length, likeness, words};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::rc::Rc;

/// What the statements of a question differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Who acts.
    Actor,
    /// In which case a rule applies.
    Condition,
    /// What a term means.
    Meaning,
    /// A number or a time limit.
    Figure,
    /// Whether something is required, recommended, allowed or forbidden.
    Status,
    /// What somebody has to do.
    Doing,
}

impl Family {
    /// All families, in a fixed order.
    pub(crate) const ALL: [Self; 6] =
        [Self::Actor, Self::Condition, Self::Meaning, Self::Figure, Self::Status, Self::Doing];

    /// How readily a family is taken where several are possible: rare and telling ones first.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Meaning => 6.0,
            Self::Figure => 4.0,
            Self::Condition => 2.0,
            Self::Actor => 1.5,
            Self::Doing => 1.0,
            Self::Status => 0.8,
        }
    }
}

/// Fewest content words of the anchor that a question names, so that it asks for one rule and not for many; in
/// Chinese, where a word of four characters counts as three pairs, nearly twice as many.
const NAMED: usize = 3;
/// Two predicates that share more of their words may be the same duty.
const SAME_DUTY: f64 = 0.3;
/// Two conditions that share more of their words may be the same case.
const SAME_CASE: f64 = 0.4;
/// Share of the questions on the force of an ordinary obligation that is written: asked always, "required" would be
/// right nearly always.
const OF_OBLIGATIONS: f64 = 0.3;
/// Words of a run that counts as taken from a text.
const RUN: usize = 4;

/// A subject without the function words before its name.
fn named(subject: &str) -> String {
    let all = words(subject);
    let from = all.iter().position(|w| !is_stop(w)).unwrap_or(0);
    all.get(from..).unwrap_or_default().join(" ")
}

/// How many runs of words of `changed` do not stand in `original`.
fn broken(original: &str, changed: &str) -> usize {
    let (original, changed) = (words(original), words(changed));
    let known: HashSet<&[String]> = original.windows(RUN).collect();
    changed.windows(RUN).filter(|run| !known.contains(run)).count()
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

impl Plan {
    /// Whether the right statement is longer than every wrong one.
    pub(crate) fn right_is_longest(&self) -> bool {
        self.wrong.iter().all(|w| length(&w.text) < length(&self.right))
    }
}

/// What a plan needs to know of its anchor.
pub(crate) struct Scene<'s> {
    pub(crate) grammar: &'s dyn Grammar,
    pub(crate) anchor: &'s Parsed,
    pub(crate) neighbours: &'s [Rc<Parsed>],
    pub(crate) heading: &'s str,
    /// Title of the document.
    pub(crate) title: &'s str,
    /// (mention text, similar terms)
    pub(crate) terms: &'s [(String, Vec<String>)],
}

impl Scene<'_> {
    /// All questions that the anchor gives with its neighbours.
    pub(crate) fn plans(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        plans.extend(self.meaning(rng));
        plans.extend(self.figures(rng));
        if let Some(clause) = &self.anchor.clause {
            plans.extend(self.actor(clause));
            plans.extend(self.condition(clause));
            plans.extend(self.status(clause, rng));
            plans.extend(self.doing(clause, rng));
        }
        plans
    }

    /// "What does X mean?": the meanings of other terms.
    fn meaning(&self, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let (term, meaning) = self.anchor.definition.as_ref()?;
        let said = |meaning: &str| self.grammar.define(term, meaning);
        let telling = content(term);
        let tells = |meaning: &str| content(meaning).intersection(&telling).count();
        let mut wrong: Vec<Wrong> = Vec::new();
        for neighbour in self.neighbours {
            let Some((other, theirs)) = &neighbour.definition else { continue };
            let same = contains_words(other, term)
                || contains_words(term, other)
                || contains_words(theirs, term)
                || likeness(theirs, meaning) > 0.5;
            if !same {
                wrong.push(Wrong { text: said(theirs), origin: borrowed(Edit::Splice, neighbour.id) });
            }
        }
        // A meaning that alone has the words of its term is found without knowing it.
        wrong.shuffle(rng);
        if tells(meaning) > 0 {
            let telling = |w: &Wrong| tells(&w.text.replacen(term.as_str(), "", 1)) > 0;
            let (alike, others): (Vec<Wrong>, Vec<Wrong>) = wrong.into_iter().partition(telling);
            if alike.is_empty() {
                return None;
            }
            wrong = alike.into_iter().chain(others).take(balance::WRONG).collect();
        }
        let question = self.grammar.question(Ask::Meaning, self.anchor)?;
        let question = if contains_words(self.title, term) { question } else { self.titled(&question) };
        self.plan(Family::Meaning, QuestionType::Definition, question, said(meaning), wrong)
    }

    /// "Within what period must X do Y?": other figures of the same kind, those of the neighbours first.
    fn figures(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        for stem in self.grammar.figures(self.anchor) {
            let question = match &self.anchor.clause {
                Some(clause) => self.placed(&stem.question, "", clause),
                None => self.titled(&stem.question),
            };
            let question_type =
                if stem.kind == FigureKind::Time { QuestionType::Deadline } else { QuestionType::Threshold };
            let below = stem.below.choose_multiple(rng, 3).cloned().collect::<Vec<_>>();
            let above = stem.above.choose_multiple(rng, 3).cloned().collect::<Vec<_>>();
            // The right figure is as often the smallest as the largest of the four.
            let places: Vec<usize> = (0..4).filter(|low| *low <= below.len() && 3 - low <= above.len()).collect();
            let Some(low) = places.choose(rng).copied() else { continue };
            let others = below.into_iter().take(low).chain(above.into_iter().take(3 - low));
            let wrong = others
                .map(|figure| Wrong { text: stem.statement(&figure), origin: borrowed(Edit::Number, self.anchor.id) })
                .collect();
            let right = stem.statement(&stem.figure);
            plans.extend(self.plan(Family::Figure, question_type, question, right, wrong));
        }
        plans
    }

    /// "Who must do X?": others who act.
    fn actor(&self, clause: &Clause) -> Option<Plan> {
        let grammar = self.grammar;
        if !grammar.is_actor(clause) {
            return None;
        }
        let own = named(&clause.subject);
        let right = grammar.actor(clause, &clause.subject)?;
        let fits = |other: &str, name: &str| {
            // "A bank" and "the bank" are one subject; the object would turn into its own subject: "the
            // controller shall notify the controller".
            !contains_words(&own, name)
                && !contains_words(name, &own)
                && !contains_words(&clause.predicate, name)
                && !contains_words(&clause.lead, name)
                && grammar.interchangeable(&clause.subject, other)
        };
        let mut taken: Vec<String> = Vec::new();
        let mut wrong: Vec<Wrong> = Vec::new();
        for neighbour in self.neighbours {
            let Some(theirs) = neighbour.clause.as_ref().filter(|c| grammar.is_agent(&c.subject)) else { continue };
            let name = named(&theirs.subject);
            if likeness(&theirs.predicate, &clause.predicate) > SAME_DUTY {
                // The other one has the same duty: shown, it would be right as well.
                wrong.retain(|w| !contains_words(&w.text, &name));
                taken.push(name);
                continue;
            }
            if taken.contains(&name) || !fits(&theirs.subject, &name) {
                continue;
            }
            if let Some(text) = grammar.actor(clause, &theirs.subject) {
                wrong.push(Wrong { text, origin: borrowed(Edit::Actor, neighbour.id) });
            }
            taken.push(name);
        }
        for (mention, similar) in self.terms.iter().filter(|t| contains_words(&clause.subject, &t.0)) {
            for other in similar.iter().filter(|o| grammar.is_agent(o)) {
                let subject = grammar.with_actor(&clause.subject, mention, other);
                let Some(subject) = subject.filter(|s| !taken.contains(&named(s)) && fits(s, &named(other))) else {
                    continue;
                };
                taken.push(named(&subject));
                if let Some(text) = grammar.actor(clause, &subject) {
                    wrong.push(Wrong { text, origin: borrowed(Edit::Actor, self.anchor.id) });
                }
            }
        }
        if contains_words(&clause.lead, &own) || contains_words(&clause.predicate, &own) {
            return None;
        }
        // Among several documents a question needs a title, and one that names the answer gives it away.
        if contains_words(self.title, &own) && own.chars().any(is_han) {
            return None;
        }
        let question = self.placed(&grammar.who(clause)?, &own, clause);
        self.plan(Family::Actor, clause.duty.question_type(), question, right, wrong)
    }

    /// "In which case must X do Y?": the conditions of other rules.
    fn condition(&self, clause: &Clause) -> Option<Plan> {
        let grammar = self.grammar;
        let own = grammar.case(&clause.lead)?;
        let right = grammar.conditional(clause, &own)?;
        let mut wrong: Vec<Wrong> = Vec::new();
        let mut cases = vec![own];
        for neighbour in self.neighbours {
            let Some(theirs) = &neighbour.clause else { continue };
            let Some(case) = grammar.case(&theirs.lead) else { continue };
            let same = cases.iter().any(|c| likeness(c, &case) > SAME_CASE)
                || likeness(&theirs.predicate, &clause.predicate) > SAME_DUTY;
            if same {
                continue;
            }
            if let Some(text) = grammar.conditional(clause, &case) {
                wrong.push(Wrong { text, origin: borrowed(Edit::Splice, neighbour.id) });
                cases.push(case);
            }
        }
        let question = self.placed(&grammar.in_which_case(clause)?, "", clause);
        self.plan(Family::Condition, clause.duty.question_type(), question, right, wrong)
    }

    /// "Is X required or allowed to do Y?"
    fn status(&self, clause: &Clause, rng: &mut ChaCha8Rng) -> Option<Plan> {
        if clause.duty == Duty::Must && !rng.random_bool(OF_OBLIGATIONS) {
            return None;
        }
        if !self.grammar.is_actor(clause) {
            return None;
        }
        let (question, mut said) = self.grammar.statuses(clause)?;
        let at = said.iter().position(|(duty, _)| *duty == clause.duty)?;
        let right = said.remove(at).1;
        let wrong =
            said.into_iter().map(|(_, text)| Wrong { text, origin: borrowed(Edit::Modal, self.anchor.id) }).collect();
        let question = self.placed(&question, "", clause);
        self.plan(Family::Status, clause.duty.question_type(), question, right, wrong)
    }

    /// "What must X do in case of Y?": the rule and a neighbour's, each as it is and with one thing changed. Seen
    /// without the question the two pairs are alike.
    fn doing(&self, clause: &Clause, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let grammar = self.grammar;
        let mut plans = Vec::new();
        let acts = grammar.is_actor(clause);
        let own = named(&clause.subject);
        let changes = self.predicates_changed(self.anchor, clause, rng);
        let Some((change, changed)) = changes.choose(rng) else { return plans };
        let Some(question) = grammar.question(Ask::Do, self.anchor) else { return plans };
        if contains_words(&question, &change.removed) || contains_words(&question, &change.added) {
            return plans;
        }
        let question = self.titled(&question);
        let asked = content(&question);
        // As it stands the rule is nearer to the corpus than its change; reworded, where it can be, it is as near as
        // that, and farther than what was borrowed.
        let reworded = self.reworded(change, clause, rng);
        let right = grammar.doing(clause, reworded.as_deref().unwrap_or(&clause.predicate));
        let (Some(right), Some(first)) = (right, grammar.doing(clause, changed)) else { return plans };
        for neighbour in self.neighbours {
            let Some(theirs) = &neighbour.clause else { continue };
            let unfit = contains_words(&theirs.predicate, &own)
                || grammar.is_actor(theirs) != acts
                || likeness(&theirs.predicate, &clause.predicate) > SAME_DUTY
                || content(&theirs.predicate).intersection(&asked).count() > 2 && named(&theirs.subject) == own;
            if unfit {
                continue;
            }
            let changes = self.predicates_changed(neighbour, theirs, rng);
            let Some((edit, other)) = changes.choose(rng) else { continue };
            let (Some(second), Some(third)) = (grammar.doing(clause, &theirs.predicate), grammar.doing(clause, other))
            else {
                continue;
            };
            let wrong = vec![
                Wrong { text: first.clone(), origin: borrowed(change.edit, self.anchor.id) },
                Wrong { text: second, origin: ChoiceOrigin::Neighbour { sentence: neighbour.id } },
                Wrong { text: third, origin: borrowed(edit.edit, neighbour.id) },
            ];
            let question_type = clause.duty.question_type();
            plans.extend(self.plan(Family::Doing, question_type, question.clone(), right.clone(), wrong));
            if plans.len() == 3 {
                break;
            }
        }
        plans
    }

    /// Changes of a rule that leave everything but its predicate as it is, with the changed predicate.
    fn predicates_changed(&self, of: &Parsed, clause: &Clause, rng: &mut ChaCha8Rng) -> Vec<(Variant, String)> {
        let all = self.grammar.edits(of, self.terms, rng);
        all.into_iter()
            .filter(|v| v.edit != Edit::Modal)
            .filter_map(|v| {
                let other = self.grammar.clause(&v.text)?;
                let only = other.lead == clause.lead && other.subject == clause.subject && other.duty == clause.duty;
                (only && other.predicate != clause.predicate).then_some((v, other.predicate))
            })
            .collect()
    }

    /// The predicate of the anchor in slightly other words, about as far from the original as its change.
    fn reworded(&self, change: &Variant, clause: &Clause, rng: &mut ChaCha8Rng) -> Option<String> {
        let cost = |text: &str| broken(&self.anchor.text, text);
        let wanted = cost(&change.text);
        let all: Vec<(usize, String)> = self
            .grammar
            .rewordings(self.anchor)
            .into_iter()
            .filter(|v| v.edit != Edit::Modal && !contains_words(&change.removed, &v.removed))
            .filter_map(|v| {
                let other = self.grammar.clause(&v.text)?;
                let only = other.lead == clause.lead && other.subject == clause.subject && other.modal == clause.modal;
                (only && other.predicate != clause.predicate).then(|| (cost(&v.text).abs_diff(wanted), other.predicate))
            })
            .collect();
        let least = all.iter().map(|a| a.0).min()?;
        let fair: Vec<&String> = all.iter().filter(|a| a.0 <= least + 1).map(|a| &a.1).collect();
        fair.choose(rng).map(|p| (*p).clone())
    }

    /// The question with the place of its rule: heading or title, unless that names what is asked for.
    fn placed(&self, question: &str, hidden: &str, clause: &Clause) -> String {
        let heading = if clause.lead.is_empty() { self.heading } else { "" };
        let heading = if !hidden.is_empty() && contains_words(heading, hidden) { "" } else { heading };
        let title = if !hidden.is_empty() && contains_words(self.title, hidden) { "" } else { self.title };
        self.grammar.placed(question, heading, title)
    }

    fn titled(&self, question: &str) -> String {
        self.grammar.placed(question, "", self.title)
    }

    /// The plan, if its question leads to the anchor and there are three wrong statements.
    fn plan(
        &self,
        family: Family,
        question_type: QuestionType,
        question: String,
        right: String,
        mut wrong: Vec<Wrong>,
    ) -> Option<Plan> {
        let asked = content(&question);
        let own = content(&self.anchor.text);
        let base = if question.chars().any(is_han) { 2 * NAMED - 1 } else { NAMED };
        let places = family == Family::Meaning || asked.intersection(&own).count() >= base;
        let mut seen: Vec<&str> = vec![&right];
        let mut distinct: Vec<bool> = Vec::new();
        for w in &wrong {
            distinct.push(!seen.contains(&w.text.as_str()));
            seen.push(&w.text);
        }
        let mut keep = distinct.into_iter();
        wrong.retain(|_| keep.next().unwrap_or(false));
        (places && wrong.len() >= balance::WRONG).then_some(Plan { family, question_type, question, right, wrong })
    }
}

fn borrowed(edit: Edit, sentence: SentenceId) -> ChoiceOrigin {
    ChoiceOrigin::Edit { edit: edit.tag().to_owned(), sentence }
}
