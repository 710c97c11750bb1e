//! The question of a rule, the statement that answers it, and the statements that do not.
//!
//! The choices of most questions are one sentence with one place left open (a stem): who acts, when, how much, in
//! which case, with which force, what a term means. What fills the place comes from the anchor for the right choice
//! and from its neighbours, or from figures of the same kind, for the others. All four answer the question, so that
//! nothing but the rule tells them apart; and none of them has the words around its place that the corpus has, so
//! that the one that stands there cannot be found by its wording.
//!
//! The choices of a question on wording are the rule with two places of two values each (a square). Every choice shares
//! one place with two of the others and differs from the third in both, and every second one has another modal of the
//! same force, so that no choice is the middle of the four.
//!
//! One file because the families share what they know of an anchor and the way in which changes are put together.

use crate::balance;
use crate::clause::{Clause, Duty, Edit, FigureKind, Grammar, Parsed, Part, Place, Variant};
use crate::words::{contains_words, content, is_han, is_stop, likeness, words};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
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
    /// Which item stands in a list.
    Item,
    /// Whether something is required, recommended, allowed or forbidden.
    Status,
    /// What a rule says, in two places.
    Wording,
}

impl Family {
    /// All families, in a fixed order.
    pub(crate) const ALL: [Self; 7] =
        [Self::Actor, Self::Condition, Self::Meaning, Self::Figure, Self::Item, Self::Status, Self::Wording];

    /// How readily a family is taken where several are possible: rare and telling ones first.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Meaning => 6.0,
            Self::Figure => 4.0,
            Self::Condition => 3.0,
            Self::Actor => 2.0,
            Self::Item => 2.0,
            Self::Wording => 2.0,
            Self::Status => 1.0,
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
/// Share of the questions on the force of an ordinary obligation that is written: asked always, "obliged" would be
/// right nearly always.
const OF_OBLIGATIONS: f64 = 0.65;
/// Most pairs of changes of which questions are made.
const PAIRS: usize = 16;

/// A subject without the function words before its name.
fn named(subject: &str) -> String {
    if subject.chars().any(is_han) {
        return subject.to_owned();
    }
    let all = words(subject);
    let from = all.iter().position(|w| !is_stop(w)).unwrap_or(0);
    all.get(from..).unwrap_or_default().join(" ")
}

/// A subject without its determiner, in the capitals that it has.
fn bare(subject: &str) -> &str {
    ["the ", "a ", "an ", "each ", "every ", "any "].iter().find_map(|d| subject.strip_prefix(d)).unwrap_or(subject)
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

/// One change to a rule that makes it say something else.
#[derive(Clone, Debug)]
struct Change {
    part: Part,
    edit: Edit,
    to: Clause,
    /// Where the new words come from.
    sentence: SentenceId,
    /// Words that went and came.
    touched: [String; 2],
}

/// What a plan needs to know of its anchor.
pub(crate) struct Scene<'s> {
    pub(crate) grammar: &'s dyn Grammar,
    pub(crate) anchor: &'s Parsed,
    pub(crate) neighbours: &'s [Rc<Parsed>],
    pub(crate) place: Place<'s>,
    /// (mention text, similar terms)
    pub(crate) terms: &'s [(String, Vec<String>)],
    /// Terms of the sentences around that name somebody who acts.
    pub(crate) agents: &'s [String],
    /// Mentions of the anchor that stand by themselves.
    pub(crate) topics: &'s [String],
    /// Whether the anchor is an item of a list.
    pub(crate) is_item: bool,
    /// Whether the anchor is an item of a list that defines.
    pub(crate) part_of_definition: bool,
}

impl Scene<'_> {
    /// All questions that the anchor gives with its neighbours.
    pub(crate) fn plans(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        plans.extend(self.meaning(rng));
        plans.extend(self.figures(rng));
        if let Some(clause) = &self.anchor.clause {
            let others = self.others(clause);
            plans.extend(self.actor(clause, &others));
            plans.extend(self.condition(clause));
            plans.extend(self.status(clause, rng));
            plans.extend(self.wording(clause, &others, rng));
        }
        if !plans.iter().any(|p| p.family == Family::Wording) && self.anchor.definition.is_none() {
            plans.extend(self.statement(rng));
        }
        plans
    }

    /// "What does X mean?": its meaning changed in two places, or the meanings of other terms.
    fn meaning(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let Some((term, meaning)) = self.anchor.definition.as_ref() else { return Vec::new() };
        if self.part_of_definition {
            return Vec::new();
        }
        let question = self.grammar.what_means(term);
        let place = Place { section: "", heading: "", ..self.place };
        let Some(question) = self.grammar.placed(&question, &place, "") else { return Vec::new() };
        let said = |meaning: &str, usual: bool| self.grammar.define(term, meaning, usual);
        let changes = self.meanings_changed(term, meaning, rng);
        let mut plans = Vec::new();
        for (i, one) in changes.iter().enumerate() {
            for other in changes.iter().skip(i + 1) {
                let Some(both) = merged(meaning, &one.1, &other.1) else { continue };
                let wrong = [(one.0, &one.1, true), (other.0, &other.1, true), (other.0, &both, false)]
                    .map(|(edit, text, usual)| Wrong { text: said(text, usual), origin: self.own(edit) });
                plans.extend(self.plan(
                    Family::Meaning,
                    QuestionType::Definition,
                    question.clone(),
                    said(meaning, false),
                    wrong.to_vec(),
                ));
            }
        }
        plans.shuffle(rng);
        plans.truncate(PAIRS);
        if plans.is_empty() {
            plans.extend(self.other_meanings(term, meaning, &question, rng));
        }
        plans
    }

    /// Changes of a meaning: (what was done, the meaning).
    fn meanings_changed(&self, term: &str, meaning: &str, rng: &mut ChaCha8Rng) -> Vec<(Edit, String)> {
        let text = self.grammar.define(term, meaning, true);
        let (before, after) = text.split_once(meaning).unwrap_or_default();
        let parsed = Parsed { id: self.anchor.id, text: text.clone(), clause: None, definition: None };
        let all = self.grammar.edits(&parsed, self.terms, rng);
        all.iter()
            .filter(|v| !contains_words(term, &v.removed) && !contains_words(term, &v.added))
            .filter_map(|v| {
                let changed = v.text.strip_prefix(before)?.strip_suffix(after)?;
                (changed != meaning).then(|| (v.edit, changed.to_owned()))
            })
            .collect()
    }

    /// The meanings of other terms as wrong meanings of this one.
    fn other_meanings(&self, term: &str, meaning: &str, question: &str, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let said = |meaning: &str| self.grammar.define(term, meaning, false);
        let telling = content(term);
        let tells = |meaning: &str| content(meaning).intersection(&telling).count();
        let mut wrong: Vec<Wrong> = Vec::new();
        for neighbour in self.neighbours {
            let Some((other, theirs)) = &neighbour.definition else { continue };
            let same = contains_words(other, term)
                || contains_words(term, other)
                || contains_words(theirs, term)
                || self.grammar.is_agent(term) != self.grammar.is_agent(other)
                || likeness(theirs, meaning) > 0.5;
            if !same {
                let origin = ChoiceOrigin::Edit { edit: Edit::Splice.tag().to_owned(), sentence: neighbour.id };
                wrong.push(Wrong { text: said(theirs), origin });
            }
        }
        wrong.shuffle(rng);
        // A meaning that alone has the words of its term is found without knowing it.
        if tells(meaning) > 0 {
            wrong.retain(|w| tells(&w.text.replacen(term, "", 1)) > 0);
        }
        self.plan(Family::Meaning, QuestionType::Definition, question.to_owned(), said(meaning), wrong)
    }

    /// "Within what period must X do Y?": other figures of the same kind, smaller and larger ones.
    fn figures(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        for stem in self.grammar.figures(self.anchor) {
            let Some(question) = self.grammar.placed(&stem.question, &self.place, "") else { continue };
            let question_type =
                if stem.kind == FigureKind::Time { QuestionType::Deadline } else { QuestionType::Threshold };
            let below = stem.below.choose_multiple(rng, 3).cloned().collect::<Vec<_>>();
            let above = stem.above.choose_multiple(rng, 3).cloned().collect::<Vec<_>>();
            // The right figure is as often the smallest as the largest of the four.
            let places: Vec<usize> = (0..4).filter(|low| *low <= below.len() && 3 - low <= above.len()).collect();
            let Some(low) = places.choose(rng).copied() else { continue };
            let others = below.into_iter().take(low).chain(above.into_iter().take(3 - low));
            let wrong =
                others.map(|figure| Wrong { text: stem.statement(&figure), origin: self.own(Edit::Number) }).collect();
            let right = stem.statement(&stem.figure);
            plans.extend(self.plan(Family::Figure, question_type, question, right, wrong));
        }
        plans
    }

    /// Others who act and could stand in the place of the subject, with the sentence that names them.
    fn others(&self, clause: &Clause) -> Vec<(String, SentenceId)> {
        let grammar = self.grammar;
        if !grammar.is_actor(clause) {
            return Vec::new();
        }
        let own = named(&clause.subject);
        // "A bank" and "the bank" are one subject; the object would turn into its own subject: "the controller
        // shall notify the controller".
        let fits = |other: &str, name: &str| {
            !contains_words(&clause.predicate, name)
                && !contains_words(&clause.lead, name)
                && !grammar.may_include(bare(&clause.subject), bare(other))
                && grammar.interchangeable(&clause.subject, other)
        };
        let mut taken: Vec<String> = Vec::new();
        let mut found: Vec<(String, SentenceId)> = Vec::new();
        let mut offer = |subject: String, name: String, sentence: SentenceId| {
            if !taken.contains(&name) && fits(&subject, &name) {
                found.push((subject, sentence));
            }
            taken.push(name);
        };
        let theirs = || {
            self.neighbours.iter().filter_map(|n| {
                let clause = n.clause.as_ref().filter(|c| grammar.is_agent(&c.subject))?;
                Some((n.id, clause, named(&clause.subject)))
            })
        };
        // Somebody with much the same duty would be right as well.
        let theirs = || theirs().filter(|(_, c, _)| grammar.is_noun(&c.subject));
        let same: Vec<String> = theirs()
            .filter(|(_, theirs, _)| likeness(&theirs.predicate, &clause.predicate) > SAME_DUTY)
            .map(|(_, _, name)| name)
            .collect();
        for (id, theirs, name) in theirs().filter(|(_, _, name)| !same.contains(name)) {
            offer(theirs.subject.clone(), name, id);
        }
        let similar = self.terms.iter().filter(|t| contains_words(&clause.subject, &t.0)).flat_map(|t| &t.1);
        for other in similar.chain(self.agents).filter(|o| grammar.is_agent(o) && grammar.is_noun(o)) {
            let mention = self.terms.iter().map(|t| &t.0).find(|m| contains_words(&clause.subject, m)).unwrap_or(&own);
            let Some(subject) = grammar.with_actor(&clause.subject, mention, other) else { continue };
            let name = named(&subject);
            if !same.contains(&name) {
                offer(subject, name, self.anchor.id);
            }
        }
        found
    }

    /// "Who must do X?": others who act.
    fn actor(&self, clause: &Clause, others: &[(String, SentenceId)]) -> Option<Plan> {
        let grammar = self.grammar;
        let own = named(&clause.subject);
        if !grammar.is_actor(clause) || contains_words(&clause.lead, &own) || contains_words(&clause.predicate, &own) {
            return None;
        }
        let right = grammar.actor(clause, &clause.subject)?;
        // Among several documents a question needs a title, and one that names the answer gives it away.
        if contains_words(self.place.title, &own) && own.chars().any(is_han) {
            return None;
        }
        let wrong = others
            .iter()
            .filter_map(|(subject, sentence)| {
                let text = grammar.actor(clause, subject)?;
                Some(Wrong {
                    text,
                    origin: ChoiceOrigin::Edit { edit: Edit::Actor.tag().to_owned(), sentence: *sentence },
                })
            })
            .collect();
        let question = grammar.placed(&grammar.who(clause)?, &self.place, &own)?;
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
                let origin = ChoiceOrigin::Edit { edit: Edit::Splice.tag().to_owned(), sentence: neighbour.id };
                wrong.push(Wrong { text, origin });
                cases.push(case);
            }
        }
        let question = grammar.placed(&grammar.in_which_case(clause)?, &self.place, "")?;
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
        // What a recital recommends is often what an article requires, and what a guideline says should be done is more
        // than advice.
        if clause.duty == Duty::Should {
            return None;
        }
        let (question, mut said) = self.grammar.statuses(clause)?;
        let at = said.iter().position(|(duty, _)| *duty == clause.duty)?;
        let right = said.remove(at).1;
        let wrong = said.into_iter().map(|(_, text)| Wrong { text, origin: self.own(Edit::Modal) }).collect();
        let question = self.grammar.placed(&question, &self.place, "")?;
        self.plan(Family::Status, clause.duty.question_type(), question, right, wrong)
    }

    /// "What must X do as regards Y?": the rule, with one of two places changed, with the other, and with both.
    fn wording(&self, clause: &Clause, others: &[(String, SentenceId)], rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let changes = self.changes(clause, others, rng);
        let mut pairs: Vec<(&Change, &Change)> =
            changes.iter().enumerate().flat_map(|(i, a)| changes.iter().skip(i + 1).map(move |b| (a, b))).collect();
        pairs.shuffle(rng);
        // What is done tells more of a rule than who does it and with which force.
        let content = |c: &Change| usize::from(matches!(c.part, Part::Predicate | Part::Lead));
        pairs.sort_by_key(|(a, b)| std::cmp::Reverse(content(a) + content(b)));
        let mut plans = Vec::new();
        let mut reworded = self.grammar.reworded(&clause.predicate);
        reworded.shuffle(rng);
        reworded.truncate(2);
        for (one, other) in pairs {
            let words: Vec<Option<&String>> = std::iter::once(None).chain(reworded.iter().map(Some)).collect();
            plans.extend(words.iter().filter_map(|w| self.square(clause, one, other, (false, *w))));
            plans.extend(self.square(clause, one, other, (true, None)));
            if plans.len() >= PAIRS {
                break;
            }
        }
        plans
    }

    /// The question on two changes of a rule. The right statement has the modal of the rule, or another one and perhaps
    /// the predicate in slightly other words, as `dress` says; so has one wrong statement.
    fn square(&self, clause: &Clause, one: &Change, other: &Change, dress: (bool, Option<&String>)) -> Option<Plan> {
        let (verbatim, reworded) = dress;
        if cancel(one, other) || cancel(other, one) {
            return None;
        }
        let both = combined(clause, &one.to, &other.to)?;
        let open = [one.part, other.part];
        let touched = || one.touched.iter().chain(&other.touched).filter(|t| !t.is_empty());
        let fits = |topic: &&String| {
            contains_words(&clause.predicate, topic)
                && !contains_words(&clause.subject, topic)
                && touched().all(|t| !contains_words(t, topic) && !contains_words(topic, t))
        };
        let topic = self.topics.iter().find(fits).map(String::as_str);
        let words: Vec<&str> = touched().map(String::as_str).collect();
        let asked = self.grammar.wording(clause, &open, topic, &words)?;
        if touched().any(|t| contains_words(&asked.question, t) && !contains_words(&clause.subject, t)) {
            return None;
        }
        let hidden = if open.contains(&Part::Subject) { named(&clause.subject) } else { String::new() };
        let hidden = if hidden.chars().any(is_han) { "" } else { hidden.as_str() };
        let question = self.grammar.placed(&asked.question, &self.place, hidden)?;
        // By its number alone a rule is not found, nor without it by its heading.
        let bare = self.grammar.placed(&asked.question, &Place { heading: "", ..self.place }, hidden)?;
        // A Chinese article has several sentences; one of its own is told by who acts or by what it is about.
        let headed = bare != question && self.grammar.has_label(&self.place) && !question.chars().any(is_han);
        let named = !open.contains(&Part::Subject) && (self.grammar.has_label(&self.place) || bare != question);
        if !(topic.is_some() || asked.says_lead || headed || named) {
            return None;
        }
        let said = |c: &Clause, usual: bool| -> Option<String> {
            let [usual_modal, other_modal] = self.grammar.modals(c, c.duty)?;
            let modal = if usual == verbatim { other_modal } else { usual_modal };
            let lead = if asked.says_lead { "" } else { c.lead.as_str() };
            let predicate = match reworded.filter(|_| !usual) {
                Some(reworded) => merged(&clause.predicate, &c.predicate, reworded)?,
                None => c.predicate.clone(),
            };
            Some(self.grammar.rule(lead, &c.subject, &modal, &predicate))
        };
        let origin = |c: &Change| ChoiceOrigin::Edit { edit: c.edit.tag().to_owned(), sentence: c.sentence };
        let wrong = vec![
            Wrong { text: said(&one.to, true)?, origin: origin(one) },
            Wrong { text: said(&other.to, true)?, origin: origin(other) },
            Wrong { text: said(&both, false)?, origin: origin(one) },
        ];
        let question_type = clause.duty.question_type();
        self.plan(Family::Wording, question_type, question, said(clause, false)?, wrong)
    }

    /// "What is laid down as regards X?", for a sentence without a modal or without two changes of its parts.
    fn statement(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let text = &self.anchor.text;
        let changes: Vec<Variant> =
            self.grammar.edits(self.anchor, self.terms, rng).into_iter().filter(|v| v.edit != Edit::Modal).collect();
        let mut reworded = self.grammar.reworded(text);
        reworded.shuffle(rng);
        let mut plans = Vec::new();
        for (i, one) in changes.iter().enumerate() {
            for other in changes.iter().skip(i + 1) {
                plans.extend(reworded.iter().take(3).filter_map(|words| self.statement_on(text, one, other, words)));
                if plans.len() >= PAIRS {
                    return plans;
                }
            }
        }
        plans
    }

    /// The question on two changes of a sentence, with the sentence in slightly other `words`.
    fn statement_on(&self, text: &str, one: &Variant, other: &Variant, words: &str) -> Option<Plan> {
        if one.added == other.added {
            return None;
        }
        let both = merged(text, &one.text, &other.text)?;
        let third = merged(text, &both, words)?;
        let touched = [&one.removed, &one.added, &other.removed, &other.added];
        let apart = |topic: &&String| touched.iter().all(|t| !contains_words(t, topic) && !contains_words(topic, t));
        let topic = self.topics.iter().find(apart).map(String::as_str);
        let asked = self.grammar.laid_down(topic);
        let question = self.grammar.placed(&asked, &self.place, "")?;
        let bare = self.grammar.placed(&asked, &Place { heading: "", ..self.place }, "")?;
        let headed = bare != question && self.grammar.has_label(&self.place) && !question.chars().any(is_han);
        if topic.is_none() && !headed {
            return None;
        }
        if touched.iter().any(|t| contains_words(&asked, t)) {
            return None;
        }
        let wrong = vec![
            Wrong { text: one.text.clone(), origin: self.own(one.edit) },
            Wrong { text: other.text.clone(), origin: self.own(other.edit) },
            Wrong { text: third, origin: self.own(one.edit) },
        ];
        self.plan(Family::Wording, QuestionType::Statement, question, words.to_owned(), wrong)
    }

    /// All that can be changed in one part of a rule.
    fn changes(&self, clause: &Clause, others: &[(String, SentenceId)], rng: &mut ChaCha8Rng) -> Vec<Change> {
        let grammar = self.grammar;
        let mut found: Vec<Change> = Vec::new();
        for variant in grammar.edits(self.anchor, self.terms, rng) {
            if variant.edit == Edit::Modal {
                continue;
            }
            let Some(to) = grammar.clause(&variant.text).filter(|to| to.duty == clause.duty) else { continue };
            let parts = [
                (Part::Lead, to.lead != clause.lead),
                (Part::Subject, to.subject != clause.subject),
                (Part::Predicate, to.predicate != clause.predicate),
            ];
            let mut changed = parts.iter().filter(|p| p.1).map(|p| p.0);
            // Who acts is changed below, with more care.
            let open = [Part::Lead, Part::Predicate];
            // The opening of a list is another sentence than its item.
            let open = if self.is_item { &open[1..] } else { &open[..] };
            if let (Some(part), None) = (changed.next(), changed.next())
                && open.contains(&part)
            {
                let touched = [variant.removed, variant.added];
                let to = Clause { modal: clause.modal.clone(), ..to };
                found.push(Change { part, edit: variant.edit, to, sentence: self.anchor.id, touched });
            }
        }
        for (subject, sentence) in others.iter().take(6) {
            let touched = [named(&clause.subject), named(subject)];
            let to = Clause { subject: subject.clone(), ..clause.clone() };
            found.push(Change { part: Part::Subject, edit: Edit::Actor, to, sentence: *sentence, touched });
        }
        for duty in grammar.other_duties(clause) {
            let Some([modal, _]) = grammar.modals(clause, duty) else { continue };
            let to = Clause { duty, modal, ..clause.clone() };
            let touched = [String::new(), String::new()];
            found.push(Change { part: Part::Modal, edit: Edit::Modal, to, sentence: self.anchor.id, touched });
        }
        found
    }

    /// The origin of a change to the anchor itself.
    fn own(&self, edit: Edit) -> ChoiceOrigin {
        ChoiceOrigin::Edit { edit: edit.tag().to_owned(), sentence: self.anchor.id }
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
        let places = matches!(family, Family::Meaning | Family::Wording) || asked.intersection(&own).count() >= base;
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

/// Whether one change takes back what the other did: to disregard a thing unless is to regard it if.
fn cancel(one: &Change, other: &Change) -> bool {
    const DENIES: &[&str] = &["disregard", "exclude", "reject", "refuse", "forbid", "withhold", "waive"];
    const EXCEPTS: &[&str] = &["unless", "if", "Except where", "Where"];
    // One name for two things: nobody would write it.
    if !one.touched[1].is_empty() && one.touched[1] == other.touched[1] {
        return true;
    }
    let denies = one.edit == Edit::Action && one.touched.iter().any(|t| DENIES.contains(&t.as_str()));
    denies && other.touched.iter().any(|t| EXCEPTS.contains(&t.as_str()) || t.contains("not"))
}

/// Two changes of a rule in one, where they do not touch each other.
fn combined(clause: &Clause, one: &Clause, other: &Clause) -> Option<Clause> {
    let duty = if one.duty == clause.duty { other.duty } else { one.duty };
    if one.duty != clause.duty && other.duty != clause.duty {
        return None;
    }
    let modal = if one.duty == clause.duty { &other.modal } else { &one.modal };
    Some(Clause {
        lead: merged(&clause.lead, &one.lead, &other.lead)?,
        subject: merged(&clause.subject, &one.subject, &other.subject)?,
        duty,
        modal: modal.clone(),
        predicate: merged(&clause.predicate, &one.predicate, &other.predicate)?,
    })
}

/// Two changes of a text in one, where they do not touch each other.
fn merged(original: &str, one: &str, other: &str) -> Option<String> {
    if one == original {
        return Some(other.to_owned());
    }
    if other == original {
        return Some(one.to_owned());
    }
    let (a, b) = (changed(original, one), changed(original, other));
    let (first, second) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    if first.1 >= second.0 {
        return None;
    }
    let parts =
        [original.get(..first.0)?, &first.2, original.get(first.1..second.0)?, &second.2, original.get(second.1..)?];
    Some(parts.concat())
}

/// Bytes of `original` that `text` has otherwise, and what it has instead.
fn changed(original: &str, text: &str) -> (usize, usize, String) {
    let mut start = 0;
    for (a, b) in original.chars().zip(text.chars()) {
        if a != b {
            break;
        }
        start += a.len_utf8();
    }
    let most = (original.len() - start).min(text.len() - start);
    let mut same = 0;
    for (a, b) in original.chars().rev().zip(text.chars().rev()) {
        if a != b || same + a.len_utf8() > most {
            break;
        }
        same += a.len_utf8();
    }
    (start, original.len() - same, text.get(start..text.len() - same).unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_changes_make_a_third() {
        let text = "keep the records for two years before the sale";
        let one = "keep the records for six years before the sale";
        let other = "keep the records for two years after the sale";
        let both = "keep the records for six years after the sale";
        assert_eq!(merged(text, one, other).as_deref(), Some(both));
        assert_eq!(merged(text, other, one).as_deref(), Some(both));
        // Two values of one place do not go together.
        assert_eq!(merged(text, one, "keep the records for ten years before the sale"), None);
        assert_eq!(merged("保存两年", "保存三年", "保存两年").as_deref(), Some("保存三年"));
    }
}
