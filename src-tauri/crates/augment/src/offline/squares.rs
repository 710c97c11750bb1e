//! Questions whose four choices are variants of one rule. The rule has two places with two possible values each (a
//! square).
//!
//! A choice has one place in common with each of two others, and differs from the third in both. Every second choice
//! has another modal of the same force. So no choice is more like the others than the rest, and the right one cannot be
//! found in this way.

use super::edits;
use super::patterns::{Edit, Part, Place, Variant};
use super::scene::{Family, Plan, Scene, Wrong, named};
use crate::clause::Clause;
use crate::words::contains_words;
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{ChoiceOrigin, QuestionType};
use lexforge_text::is_han;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Most pairs of changes of which questions are made.
pub(crate) const PAIRS: usize = 16;

/// One change to a rule that makes it say something else.
#[derive(Clone, Debug)]
struct Change {
    part: Part,
    edit: Edit,
    to: Clause,
    /// The source of the new words.
    sentence: SentenceId,
    /// Words that went and came.
    touched: [String; 2],
}

impl Scene<'_> {
    /// "What must X do as regards Y?": the rule, with one of two places changed, with the other, and with both.
    pub(crate) fn wording(
        &self,
        clause: &Clause,
        others: &[(String, SentenceId)],
        rng: &mut ChaCha8Rng,
    ) -> Vec<Plan> {
        let changes = self.changes(clause, others, rng);
        let mut pairs: Vec<(&Change, &Change)> = changes
            .iter()
            .enumerate()
            .flat_map(|(i, a)| changes.iter().skip(i + 1).map(move |b| (a, b)))
            .collect();
        pairs.shuffle(rng);
        // The action says more about a rule than the actor or the force.
        let content = |c: &Change| usize::from(matches!(c.part, Part::Predicate | Part::Lead));
        pairs.sort_by_key(|(a, b)| std::cmp::Reverse(content(a) + content(b)));
        let mut plans = Vec::new();
        let mut reworded = edits::reworded(self.p, &clause.predicate);
        reworded.shuffle(rng);
        reworded.truncate(2);
        for (one, other) in pairs {
            let words: Vec<Option<&String>> = std::iter::once(None)
                .chain(reworded.iter().map(Some))
                .collect();
            plans.extend(
                words
                    .iter()
                    .filter_map(|w| self.square(clause, one, other, (false, *w))),
            );
            plans.extend(self.square(clause, one, other, (true, None)));
            if plans.len() >= PAIRS {
                break;
            }
        }
        plans
    }

    /// The question about two changes of a rule. Its four choices are the right statement, two wrong ones with one
    /// change each, and a wrong one with both changes.
    ///
    /// The wording must not show which choice is right. So the right statement and the statement with both changes have
    /// one wording. The two statements with one change have another wording: they use another modal of the same force.
    /// `dress` says how the right statement is worded. Its first value says whether the statement keeps the modal of
    /// the rule. Its second value is a predicate in slightly different words, or `None`. Only the right statement and
    /// the statement with both changes get this predicate.
    fn square(
        &self,
        clause: &Clause,
        one: &Change,
        other: &Change,
        dress: (bool, Option<&String>),
    ) -> Option<Plan> {
        let (verbatim, reworded) = dress;
        if cancel(one, other) || cancel(other, one) {
            return None;
        }
        let both = combined(clause, &one.to, &other.to)?;
        let open = [one.part, other.part];
        let touched = || {
            one.touched
                .iter()
                .chain(&other.touched)
                .filter(|t| !t.is_empty())
        };
        let fits = |topic: &&String| {
            contains_words(&clause.predicate, topic)
                && !contains_words(&clause.subject, topic)
                && touched().all(|t| !contains_words(t, topic) && !contains_words(topic, t))
        };
        let topic = self.topics.iter().find(fits).map(String::as_str);
        let asked = (self.p.wording)(clause, &open, topic)?;
        if touched()
            .any(|t| contains_words(&asked.question, t) && !contains_words(&clause.subject, t))
        {
            return None;
        }
        let hidden = if open.contains(&Part::Subject) {
            named(&clause.subject)
        } else {
            String::new()
        };
        let hidden = if hidden.chars().any(is_han) {
            ""
        } else {
            hidden.as_str()
        };
        let question = (self.p.placed)(&asked.question, &self.place, hidden)?;
        // A rule cannot be found by its number alone, nor by its heading without the number.
        let bare = (self.p.placed)(
            &asked.question,
            &Place {
                heading: "",
                ..self.place
            },
            hidden,
        )?;
        // A Chinese article has several sentences. Its number alone does not say which is meant, so the question must
        // say who acts or what it is about.
        let headed =
            bare != question && (self.p.has_label)(&self.place) && !question.chars().any(is_han);
        let named =
            !open.contains(&Part::Subject) && ((self.p.has_label)(&self.place) || bare != question);
        if !(topic.is_some() || asked.says_lead || headed || named) {
            return None;
        }
        let said = |c: &Clause, usual: bool| -> Option<String> {
            let rule = Clause {
                duty: clause.duty,
                modal: clause.modal.clone(),
                ..c.clone()
            };
            let [usual_modal, other_modal] = (self.p.modals)(&rule, c.duty)?;
            let modal = if usual == verbatim {
                other_modal
            } else {
                usual_modal
            };
            let lead = if asked.says_lead { "" } else { c.lead.as_str() };
            let predicate = match reworded.filter(|_| !usual) {
                Some(reworded) => merged(&clause.predicate, &c.predicate, reworded)?,
                None => c.predicate.clone(),
            };
            Some((self.p.rule)(lead, &c.subject, &modal, &predicate))
        };
        let origin = |c: &Change| ChoiceOrigin::Edit {
            edit: c.edit.tag().to_owned(),
            sentence: c.sentence,
        };
        let wrong = vec![
            Wrong {
                text: said(&one.to, true)?,
                origin: origin(one),
            },
            Wrong {
                text: said(&other.to, true)?,
                origin: origin(other),
            },
            Wrong {
                text: said(&both, false)?,
                origin: origin(one),
            },
        ];
        let question_type = clause.duty.question_type();
        self.plan(
            Family::Wording,
            question_type,
            question,
            said(clause, false)?,
            wrong,
        )
    }

    /// "What is laid down as regards X?", for a sentence without a modal or without two changes of its parts.
    pub(crate) fn statement(&self, rng: &mut ChaCha8Rng) -> Vec<Plan> {
        let text = &self.anchor.text;
        let changes: Vec<Variant> = self.variants(text, rng);
        let mut reworded = edits::reworded(self.p, text);
        reworded.shuffle(rng);
        let mut plans = Vec::new();
        for (i, one) in changes.iter().enumerate() {
            for other in changes.iter().skip(i + 1) {
                plans.extend(
                    reworded
                        .iter()
                        .take(3)
                        .filter_map(|words| self.statement_on(text, one, other, words)),
                );
                if plans.len() >= PAIRS {
                    return plans;
                }
            }
        }
        plans
    }

    /// The question on two changes of a sentence, with the sentence in slightly other `words`.
    fn statement_on(
        &self,
        text: &str,
        one: &Variant,
        other: &Variant,
        words: &str,
    ) -> Option<Plan> {
        if one.added == other.added {
            return None;
        }
        let both = merged(text, &one.text, &other.text)?;
        let third = merged(text, &both, words)?;
        let touched = [&one.removed, &one.added, &other.removed, &other.added];
        let apart = |topic: &&String| {
            touched
                .iter()
                .all(|t| !contains_words(t, topic) && !contains_words(topic, t))
        };
        let topic = self.topics.iter().find(apart).map(String::as_str);
        let asked = (self.p.laid_down)(topic);
        let question = (self.p.placed)(&asked, &self.place, "")?;
        let bare = (self.p.placed)(
            &asked,
            &Place {
                heading: "",
                ..self.place
            },
            "",
        )?;
        let headed =
            bare != question && (self.p.has_label)(&self.place) && !question.chars().any(is_han);
        if topic.is_none() && !headed {
            return None;
        }
        if touched.iter().any(|t| contains_words(&asked, t)) {
            return None;
        }
        let wrong = vec![
            Wrong {
                text: one.text.clone(),
                origin: self.own(one.edit),
            },
            Wrong {
                text: other.text.clone(),
                origin: self.own(other.edit),
            },
            Wrong {
                text: third,
                origin: self.own(one.edit),
            },
        ];
        self.plan(
            Family::Wording,
            QuestionType::Statement,
            question,
            words.to_owned(),
            wrong,
        )
    }

    /// All that can be changed in one part of a rule.
    fn changes(
        &self,
        clause: &Clause,
        others: &[(String, SentenceId)],
        rng: &mut ChaCha8Rng,
    ) -> Vec<Change> {
        let p = self.p;
        let mut found: Vec<Change> = Vec::new();
        for variant in self.variants(&self.anchor.text, rng) {
            let Some(to) = p
                .grammar
                .clause(&variant.text)
                .filter(|to| to.duty == clause.duty)
            else {
                continue;
            };
            // The opening of a list is another sentence than its item, and who acts is changed below, with more care.
            let part = match (
                to.lead != clause.lead,
                to.subject != clause.subject,
                to.predicate != clause.predicate,
            ) {
                (true, false, false) if !self.is_item => Part::Lead,
                (false, false, true) => Part::Predicate,
                _ => continue,
            };
            let to = Clause {
                modal: clause.modal.clone(),
                ..to
            };
            let touched = [variant.removed, variant.added];
            found.push(Change {
                part,
                edit: variant.edit,
                to,
                sentence: self.anchor.id,
                touched,
            });
        }
        for (subject, sentence) in others.iter().take(6) {
            let (to, _) = edits::actor(p, clause, subject);
            let touched = [named(&clause.subject), named(subject)];
            found.push(Change {
                part: Part::Subject,
                edit: Edit::Actor,
                to,
                sentence: *sentence,
                touched,
            });
        }
        for (to, _) in edits::modal(p, clause) {
            let touched = [String::new(), String::new()];
            found.push(Change {
                part: Part::Modal,
                edit: Edit::Modal,
                to,
                sentence: self.anchor.id,
                touched,
            });
        }
        found
    }
}

/// Whether one change cancels the other: two negations of a rule have the meaning of the rule itself.
fn cancel(one: &Change, other: &Change) -> bool {
    // The statement would use one name for two different things.
    if !one.touched[1].is_empty() && one.touched[1] == other.touched[1] {
        return true;
    }
    let not = |c: &Change| {
        c.touched
            .iter()
            .any(|t| t.split(' ').any(|w| ["not", "no", "without"].contains(&w)))
    };
    not(one) && (not(other) || other.edit == Edit::Condition)
}

/// Two changes of a rule in one, where they do not touch each other.
fn combined(clause: &Clause, one: &Clause, other: &Clause) -> Option<Clause> {
    let duty = if one.duty == clause.duty {
        other.duty
    } else {
        one.duty
    };
    if one.duty != clause.duty && other.duty != clause.duty {
        return None;
    }
    let modal = if one.duty == clause.duty {
        &other.modal
    } else {
        &one.modal
    };
    Some(Clause {
        lead: merged(&clause.lead, &one.lead, &other.lead)?,
        subject: merged(&clause.subject, &one.subject, &other.subject)?,
        duty,
        modal: modal.clone(),
        predicate: merged(&clause.predicate, &one.predicate, &other.predicate)?,
    })
}

/// Two changes of a text in one, where they do not touch each other.
pub(crate) fn merged(original: &str, one: &str, other: &str) -> Option<String> {
    if one == original {
        return Some(other.to_owned());
    }
    if other == original {
        return Some(one.to_owned());
    }
    let (a, b) = (changed(original, one), changed(original, other));
    let (first, second) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    // Two changes of one word, or of two Chinese words that touch, are one.
    let between = original.get(first.1..second.0)?;
    if first.1 >= second.0 || between.chars().all(is_han) && between.chars().count() < 2 {
        return None;
    }
    let parts = [
        original.get(..first.0)?,
        &first.2,
        original.get(first.1..second.0)?,
        &second.2,
        original.get(second.1..)?,
    ];
    Some(parts.concat())
}

/// The range of bytes of `original` that differs in `text`, and the text that replaces it.
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
    // Whole words: "measures" and "measurement" do not share one.
    let part = |text: &str, at: usize| {
        let (before, after) = (text.get(..at).unwrap_or(""), text.get(at..).unwrap_or(""));
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
        word(before.chars().next_back()) && word(after.chars().next())
    };
    while part(original, start) || part(text, start) {
        start -= original
            .get(..start)
            .and_then(|b| b.chars().next_back())
            .map_or(1, char::len_utf8)
            .min(start);
        if start == 0 {
            break;
        }
    }
    while same > 0 && (part(original, original.len() - same) || part(text, text.len() - same)) {
        same -= original
            .get(original.len() - same..)
            .and_then(|a| a.chars().next())
            .map_or(1, char::len_utf8);
    }
    (
        start,
        original.len() - same,
        text.get(start..text.len() - same)
            .unwrap_or_default()
            .to_owned(),
    )
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
        assert_eq!(
            merged(text, one, "keep the records for ten years before the sale"),
            None
        );
        // "measures" and "measurement methods" stand in one place.
        let text = "compute the measures of the bank";
        let (one, other) = (
            "compute the strategies of the bank",
            "compute the measurement methods of the bank",
        );
        assert_eq!(merged(text, one, other), None);
        assert_eq!(
            merged("保存两年", "保存三年", "保存两年").as_deref(),
            Some("保存三年")
        );
    }
}
