//! Plans questions about a rule. A plan has a question, the statement that answers it, and wrong statements.
//!
//! For most kinds of questions all choices are the same sentence with one gap. The gap stands for the actor, a time
//! limit or another figure, what is required or allowed, or the meaning of a term. In the right choice the anchor's
//! words fill the gap. In the wrong choices other words fill it: those of other sentences, similar figures, or changed
//! words of the anchor. Every choice is a possible answer, so only somebody who knows the rule can choose. The words
//! around the gap are not those of the corpus, so the right choice cannot be found by its wording.
//!
//! Questions about a whole rule, or about a definition that is changed, differ in two places instead (`squares.rs`).

use super::patterns::{Edit, Place};
use super::scene::{Family, Plan, Scene, WRONG, Wrong, named};
use super::squares::{PAIRS, merged};
use crate::clause::{Clause, Duty};
use crate::words::{contains_words, content, likeness};
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
use lexforge_text::is_han;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Two predicates that share more of their words may be the same duty.
const SAME_DUTY: f64 = 0.3;
/// A subject without its determiner, in the capitals that it has.
pub(crate) fn bare(subject: &str) -> &str {
    ["the ", "a ", "an ", "each ", "every ", "any "]
        .iter()
        .find_map(|d| subject.strip_prefix(d))
        .unwrap_or(subject)
}

impl Scene<'_> {
    /// All questions that the anchor gives with its neighbours.
    pub(crate) fn plans(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        let whole = crate::words::length(&self.anchor.text) <= self.p.grammar.longest();
        if whole {
            plans.extend(self.meaning(rng));
            plans.extend(self.figures(rng));
        }
        if let Some(clause) = &self.anchor.clause {
            let others = self.others(clause);
            plans.extend(self.actor(clause, &others));
            plans.extend(self.status(clause));
            if whole {
                plans.extend(self.wording(clause, &others, rng));
            }
        }
        if whole
            && !plans.iter().any(|p| p.family == Family::Wording)
            && self.anchor.definition.is_none()
        {
            plans.extend(self.statement(rng));
        }
        plans
    }

    /// "What does X mean?": its meaning changed in two places, or the meanings of other terms.
    fn meaning(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let Some((term, meaning)) = self.anchor.definition.as_ref() else {
            return Vec::new();
        };
        if self.part_of_definition {
            return Vec::new();
        }
        let question = (self.p.what_means)(term);
        let place = Place {
            section: "",
            heading: "",
            ..self.place
        };
        let Some(question) = (self.p.placed)(&question, &place, "") else {
            return Vec::new();
        };
        let said = |meaning: &str, usual: bool| (self.p.define)(term, meaning, usual);
        let changes = self.meanings_changed(term, meaning, rng);
        if let Some(plan) = self.meaning_here(term, meaning, &changes) {
            return vec![plan];
        }
        let mut plans = Vec::new();
        for (i, one) in changes.iter().enumerate() {
            for other in changes.iter().skip(i + 1) {
                let Some(both) = merged(meaning, &one.1, &other.1) else {
                    continue;
                };
                let wrong = [
                    (one.0, &one.1, true),
                    (other.0, &other.1, true),
                    (other.0, &both, false),
                ]
                .map(|(edit, text, usual)| Wrong {
                    text: said(text, usual),
                    origin: self.own(edit),
                });
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

    /// "What is meant by X within the meaning of this act?" The wrong choices are other acts' definitions of the term.
    /// If there are too few, changed forms of this act's own definition are added.
    fn meaning_here(&self, term: &str, meaning: &str, changes: &[(Edit, String)]) -> Option<Plan> {
        if self.elsewhere.is_empty() || self.place.title.is_empty() {
            return None;
        }
        let said = |meaning: &str| (self.p.define)(term, meaning, false);
        let others = self.elsewhere.iter().map(|(sentence, theirs)| Wrong {
            text: said(theirs.trim_end_matches(['.', ';', '。', '；'])),
            origin: ChoiceOrigin::Neighbour {
                sentence: *sentence,
            },
        });
        let changed = changes.iter().map(|(edit, changed)| Wrong {
            text: said(changed),
            origin: self.own(*edit),
        });
        self.plan(
            Family::Meaning,
            QuestionType::Definition,
            (self.p.what_means_here)(term, self.place.title),
            said(meaning),
            others.chain(changed).take(WRONG).collect(),
        )
    }

    /// Changes of a meaning: (what was done, the meaning).
    fn meanings_changed(
        &self,
        term: &str,
        meaning: &str,
        rng: &mut ChaCha8Rng,
    ) -> Vec<(Edit, String)> {
        let text = (self.p.define)(term, meaning, true);
        let (before, after) = text.split_once(meaning).unwrap_or_default();
        let all = self.variants(&text, rng);
        all.iter()
            .filter(|v| !contains_words(term, &v.removed) && !contains_words(term, &v.added))
            .filter_map(|v| {
                let changed = v.text.strip_prefix(before)?.strip_suffix(after)?;
                (changed != meaning).then(|| (v.edit, changed.to_owned()))
            })
            .collect()
    }

    /// The meanings of other terms as wrong meanings of this one.
    fn other_meanings(
        &self,
        term: &str,
        meaning: &str,
        question: &str,
        rng: &mut ChaCha8Rng,
    ) -> Option<Plan> {
        let said = |meaning: &str| (self.p.define)(term, meaning, false);
        let telling = content(term);
        let tells = |meaning: &str| content(meaning).intersection(&telling).count();
        let mut wrong: Vec<Wrong> = Vec::new();
        for neighbour in self.neighbours {
            let Some((other, theirs)) = &neighbour.definition else {
                continue;
            };
            let same = contains_words(other, term)
                || contains_words(term, other)
                || contains_words(theirs, term)
                || self.p.grammar.is_agent(term) != self.p.grammar.is_agent(other)
                || likeness(theirs, meaning) > 0.5;
            if !same {
                let origin = ChoiceOrigin::Edit {
                    edit: Edit::Splice.tag().to_owned(),
                    sentence: neighbour.id,
                };
                wrong.push(Wrong {
                    text: said(theirs),
                    origin,
                });
            }
        }
        wrong.shuffle(rng);
        // A meaning that alone has the words of its term is found without knowing it.
        if tells(meaning) > 0 {
            wrong.retain(|w| tells(&w.text.replacen(term, "", 1)) > 0);
        }
        self.plan(
            Family::Meaning,
            QuestionType::Definition,
            question.to_owned(),
            said(meaning),
            wrong,
        )
    }

    /// "Within what period must X do Y?": other figures of the same kind, smaller and larger ones.
    fn figures(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let mut plans = Vec::new();
        for stem in (self.p.figure_stems)(self.anchor) {
            let Some(question) = (self.p.placed)(&stem.question, &self.place, "") else {
                continue;
            };
            let below = stem
                .below
                .choose_multiple(rng, 3)
                .cloned()
                .collect::<Vec<_>>();
            let above = stem
                .above
                .choose_multiple(rng, 3)
                .cloned()
                .collect::<Vec<_>>();
            // The right figure is as often the smallest as the largest of the four.
            let places: Vec<usize> = (0..4)
                .filter(|low| *low <= below.len() && 3 - low <= above.len())
                .collect();
            let Some(low) = places.choose(rng).copied() else {
                continue;
            };
            let others = below
                .into_iter()
                .take(low)
                .chain(above.into_iter().take(3 - low));
            let wrong = others
                .map(|figure| Wrong {
                    text: stem.statement(&figure),
                    origin: self.own(Edit::Number),
                })
                .collect();
            let right = stem.statement(&stem.figure);
            plans.extend(self.plan(Family::Figure, stem.question_type, question, right, wrong));
        }
        plans
    }

    /// Others who act and could stand in the place of the subject, with the sentence that names them.
    fn others(&self, clause: &Clause) -> Vec<(String, SentenceId)> {
        let p = self.p;
        if !(p.is_actor)(clause) {
            return Vec::new();
        }
        let own = named(&clause.subject);
        // `named` removes the article, so that "a bank" and "the bank" are one subject. An actor that the rule names
        // elsewhere cannot become the subject, since that would give "the controller shall notify the controller".
        let reads = |other: &str| {
            let said = |subject: &str| format!("{subject} {} {}", clause.modal, clause.predicate);
            self.usage
                .is_none_or(|usage| usage.reads(&said(&clause.subject), &said(other)))
        };
        let fits = |other: &str, name: &str| {
            reads(other)
                && !contains_words(&clause.predicate, name)
                && !contains_words(&clause.lead, name)
                && !p.grammar.may_include(bare(&clause.subject), bare(other))
                && p.grammar.interchangeable(&clause.subject, other)
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
                let clause = n
                    .clause
                    .as_ref()
                    .filter(|c| p.grammar.is_agent(&c.subject))?;
                Some((n.id, clause, named(&clause.subject)))
            })
        };
        // Somebody with much the same duty would be right as well.
        let theirs = || theirs().filter(|(_, c, _)| p.grammar.is_noun(&c.subject));
        let same: Vec<String> = theirs()
            .filter(|(_, theirs, _)| likeness(&theirs.predicate, &clause.predicate) > SAME_DUTY)
            .map(|(_, _, name)| name)
            .collect();
        for (id, theirs, name) in theirs().filter(|(_, _, name)| !same.contains(name)) {
            offer(theirs.subject.clone(), name, id);
        }
        let similar = self
            .terms
            .iter()
            .filter(|t| contains_words(&clause.subject, &t.0))
            .flat_map(|t| &t.1);
        for other in similar
            .chain(self.agents)
            .filter(|o| p.grammar.is_agent(o) && p.grammar.is_noun(o))
        {
            let mention = self
                .terms
                .iter()
                .map(|t| &t.0)
                .find(|m| contains_words(&clause.subject, m))
                .unwrap_or(&own);
            let Some(subject) = (p.with_actor)(&clause.subject, mention, other) else {
                continue;
            };
            let name = named(&subject);
            if !same.contains(&name) {
                offer(subject, name, self.anchor.id);
            }
        }
        found
    }

    /// A plan for "Who must do X?"; the wrong choices are others who act.
    fn actor(&self, clause: &Clause, others: &[(String, SentenceId)]) -> Option<Plan> {
        let p = self.p;
        let own = named(&clause.subject);
        if !(p.is_actor)(clause)
            || contains_words(&clause.lead, &own)
            || contains_words(&clause.predicate, &own)
        {
            return None;
        }
        let right = (p.actor)(clause, &clause.subject)?;
        // Among several documents a question needs a title, and one that names the answer gives it away.
        if contains_words(self.place.title, &own) && own.chars().any(is_han) {
            return None;
        }
        let wrong = others
            .iter()
            .filter_map(|(subject, sentence)| {
                let text = (p.actor)(clause, subject)?;
                Some(Wrong {
                    text,
                    origin: ChoiceOrigin::Edit {
                        edit: Edit::Actor.tag().to_owned(),
                        sentence: *sentence,
                    },
                })
            })
            .collect();
        let question = (p.placed)(&(p.who)(clause)?, &self.place, &own)?;
        self.plan(
            Family::Actor,
            clause.duty.question_type(),
            question,
            right,
            wrong,
        )
    }

    /// "Is X required or allowed to do Y?"
    fn status(&self, clause: &Clause) -> Option<Plan> {
        if !(self.p.is_actor)(clause) {
            return None;
        }
        // What a recital recommends is often required by an article, and in a guideline "should" is more than advice.
        if clause.duty == Duty::Should {
            return None;
        }
        let (question, mut said) = (self.p.statuses)(clause)?;
        let at = said.iter().position(|(duty, _)| *duty == clause.duty)?;
        let right = said.remove(at).1;
        let wrong = said
            .into_iter()
            .map(|(_, text)| Wrong {
                text,
                origin: self.own(Edit::Modal),
            })
            .collect();
        let question = (self.p.placed)(&question, &self.place, "")?;
        self.plan(
            Family::Status,
            clause.duty.question_type(),
            question,
            right,
            wrong,
        )
    }
}
