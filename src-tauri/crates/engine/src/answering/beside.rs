//! Finds the deadline, amount or permission that a question asks for, if it is not in the sentence that fits best but
//! in a sentence beside it: "Each master files a report. It is due by June 30."

use super::Answering;
use super::clauses::{Clauses, is_listed, leads_in};
use super::holding::Wanted;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_store::words;
use lexforge_text::permits;

/// How far after what is quoted it is looked for, in sentences: what is further away is of something else.
const MOST_AFTER: usize = 2;
/// How far before it.
const MOST_BEFORE: usize = 1;

impl Answering<'_> {
    /// A question may ask for a time, an amount or a permission. Where no quoted sentence holds one, this adds the
    /// nearest sentence of the same paragraph that does, and the sentences between. It looks first at what follows,
    /// then at what comes before.
    pub(super) fn what_is_wanted(
        &self,
        question: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<()> {
        let Some(wanted) = Wanted::of(question) else {
            return Ok(());
        };
        let is_held = |sentence: &Sentence| wanted.is_in(&sentence.text);
        if body.iter().any(is_held) || !body.iter().all(is_prose) {
            return Ok(());
        }
        let quoted: Vec<String> = body.iter().flat_map(|s| words(&s.text)).collect();
        let holds = |sentence: &Sentence| {
            is_held(sentence) && belongs(&wanted, question, &quoted, &sentence.text)
        };
        let after = self.paragraph(body.last(), clauses, true, MOST_AFTER + 1)?;
        if let Some(count) = until_held(&after, holds) {
            body.extend(after.into_iter().take(count));
            return Ok(());
        }
        let mut before = self.paragraph(body.first(), clauses, false, MOST_BEFORE)?;
        if let Some(at) = before.iter().position(holds) {
            before.truncate(at + 1);
            before.reverse();
            drop(body.splice(0..0, before));
        }
        Ok(())
    }

    /// The sentences of the same paragraph after one, or before it, the nearest first.
    fn paragraph(
        &self,
        from: Option<&Sentence>,
        clauses: &Clauses,
        forward: bool,
        most: usize,
    ) -> Result<Vec<Sentence>> {
        let mut found: Vec<Sentence> = Vec::new();
        self.walk(from, clauses, forward, |sentence| {
            // At the end of a page.
            if sentence.kind == SentenceKind::Footnote {
                return true;
            }
            let same = |from: &Sentence| {
                (from.section_id, &from.section) == (sentence.section_id, &sentence.section)
            };
            let goes_on = from.is_some_and(same) && is_prose(&sentence);
            if goes_on {
                found.push(sentence);
            }
            goes_on && found.len() < most
        })?;
        Ok(found)
    }
}

/// Whether to quote a sentence in addition to what is `quoted` for this question. The caller knows that the sentence
/// holds the kind of thing that is asked for. If this is a figure, nothing more is needed. If it is a permission or a
/// duty, this is not enough, because most sentences of rules allow or require something. Such a sentence must also
/// contain a word of the question that is not quoted yet.
fn belongs(wanted: &Wanted, question: &str, quoted: &[String], text: &str) -> bool {
    let adds = || {
        let own = words(text);
        let mut asked = words(question).into_iter();
        asked.any(|word| own.contains(&word) && !quoted.contains(&word) && !permits::binds(&word))
    };
    matches!(wanted, Wanted::Figure(_)) || adds()
}

/// The number of sentences to take, up to and including the first one that `holds` accepts. If `holds` accepts the next
/// sentence as well, it is also taken: "The dues are 5 euros. For large vessels they are 9 euros."
fn until_held(sentences: &[Sentence], holds: impl Fn(&Sentence) -> bool) -> Option<usize> {
    let first = sentences.iter().take(MOST_AFTER).position(&holds)?;
    let next = sentences.get(first + 1).is_some_and(holds);
    Some(first + 1 + usize::from(next))
}

/// Whether a sentence is running text: it introduces no list and is not part of one.
fn is_prose(sentence: &Sentence) -> bool {
    let runs = matches!(sentence.kind, SentenceKind::Rule | SentenceKind::Definition);
    runs && !is_listed(sentence) && !leads_in(sentence)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;

    #[test]
    fn sentences_are_quoted_up_to_the_first_that_holds_it_and_one_more() {
        let until = |texts: &[&str]| {
            let of = |text: &&str| sentence(SentenceKind::Rule, text);
            let sentences: Vec<Sentence> = texts.iter().map(of).collect();
            until_held(&sentences, |s| s.text.contains("euros"))
        };
        assert_eq!(until(&["They are 5 euros."]), Some(1));
        assert_eq!(until(&["They are paid.", "5 euros."]), Some(2));
        assert_eq!(until(&["5 euros.", "9 euros.", "20 euros."]), Some(2));
        assert_eq!(until(&["5 euros.", "They are paid.", "9 euros."]), Some(1));
        assert_eq!(until(&["They are paid."]), None);
        assert_eq!(
            until(&["They are paid.", "They are due.", "5 euros."]),
            None
        );
        assert_eq!(until(&[]), None);
    }

    #[test]
    fn a_permission_belongs_to_a_question_by_a_word_of_its_own() {
        let question = "Can the survey of a new barge be waived?";
        let wanted = Wanted::of(question).unwrap();
        let quoted = words("The office surveys each new barge.");
        for (text, holds, fits) in [
            ("The master may waive the survey.", true, true),
            ("The master may paint the barge.", true, false),
            ("The master waives the survey.", false, true),
        ] {
            assert_eq!(wanted.is_in(text), holds, "{text}");
            assert_eq!(belongs(&wanted, question, &quoted, text), fits, "{text}");
        }
        assert!(Wanted::of("Who waives the survey?").is_none());
        let due = Wanted::of("When is the survey due?").unwrap();
        assert!(belongs(&due, "When is it due?", &[], "By June 30."));
    }

    #[test]
    fn lists_and_tables_are_no_running_text() {
        for (kind, text, prose) in [
            (SentenceKind::Rule, "It is due.", true),
            (SentenceKind::Rule, "It states:", false),
            (SentenceKind::Rule, "• the name", false),
            (SentenceKind::TableCell, "It is due.", false),
            (SentenceKind::Heading, "Dues", false),
        ] {
            assert_eq!(is_prose(&sentence(kind, text)), prose, "{text}");
        }
    }
}
