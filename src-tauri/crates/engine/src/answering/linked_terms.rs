//! Where the terms of an answer stand in its question and in its statements, so that they can be shown as links.

use super::Answering;
use super::force::InForce;
use super::terms::is_shown;
use crate::workspace::Result;
use lexforge_domain::TermId;
use lexforge_domain::api::{Answer, TermFilter, TermPlace};
use lexforge_domain::text::Language;
use lexforge_ingest::mentions::MentionFinder;
use lexforge_text::language::{detect, of_short};
use std::collections::{BTreeMap, HashSet};

/// Terms shown with an answer at most, those that only its texts name among them.
const MOST_LINKED: usize = 12;

impl Answering<'_> {
    /// Stores for each term of an answer where it occurs in the question and in the statements. Other terms that occur
    /// there are added to the terms of the answer, in reading order.
    pub(super) fn link_terms(&self, answer: &mut Answer, in_force: &InForce) -> Result<()> {
        let filter = TermFilter::default();
        let known = self.workspace.store.read(|r| r.terms(&filter))?.rows;
        let known = known.iter().filter(|term| is_shown(term));
        let names: Vec<(TermId, &str)> = known.map(|term| (term.id, term.text.as_str())).collect();
        let standing = standing(answer, &names);
        let mut have: HashSet<TermId> = answer.terms.iter().map(|term| term.id).collect();
        for (id, _) in &standing {
            if answer.terms.len() >= MOST_LINKED {
                break;
            }
            if have.insert(*id)
                && let Some(term) = self.with_definitions(*id, in_force)?
            {
                answer.terms.push(term);
            }
        }
        for term in &mut answer.terms {
            let own = standing.iter().filter(|(id, _)| *id == term.id);
            term.places = own.map(|(_, place)| *place).collect();
        }
        Ok(())
    }
}

/// The places of terms in the question and then in the statements. If terms overlap, only the one that begins first is
/// taken; if several begin at the same place, the longest one. So places in one text never overlap.
fn standing(answer: &Answer, names: &[(TermId, &str)]) -> Vec<(TermId, TermPlace)> {
    if names.is_empty() {
        return Vec::new();
    }
    let question = answer.question.as_str();
    let asked_in = of_short(question).unwrap_or_else(|| detect(question));
    let mut texts: Vec<(Option<usize>, &str, Language)> = vec![(None, question, asked_in)];
    for (at, statement) in answer.statements.iter().enumerate() {
        let cited = statement.citations.first();
        let language = cited
            .and_then(|at| answer.citations.get(*at))
            .map_or(asked_in, |citation| citation.language);
        texts.push((Some(at), &statement.text, language));
    }
    let mut finders: BTreeMap<Language, MentionFinder> = BTreeMap::new();
    let mut places = Vec::new();
    for (statement, text, language) in texts {
        let finder = finders
            .entry(language)
            .or_insert_with(|| MentionFinder::new(names, language));
        let mut free = 0;
        for (id, start, end) in finder.find(text) {
            if start >= free {
                free = end;
                let place = TermPlace {
                    statement,
                    start,
                    end,
                };
                places.push((id, place));
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::answer;

    /// What is linked in a question and in one statement: (statement, words).
    fn linked(question: &str, said: &str, names: &[&str]) -> Vec<(Option<usize>, String)> {
        let mut answer = answer(&[said], 0.9);
        answer.question = question.to_owned();
        let known: Vec<(TermId, &str)> = (1..).map(TermId).zip(names.iter().copied()).collect();
        let words = |place: TermPlace| -> String {
            let text = match place.statement {
                None => question,
                Some(_) => said,
            };
            let (start, end) = (place.start as usize, place.end as usize);
            text.chars().skip(start).take(end - start).collect()
        };
        standing(&answer, &known)
            .into_iter()
            .map(|(_, place)| (place.statement, words(place)))
            .collect()
    }

    #[test]
    fn the_longest_term_is_linked_in_question_and_statement() {
        for (question, said, names, in_question, in_statement) in [
            (
                "Who reports personal data breaches?",
                "The controller reports the personal data breach and all personal data.",
                vec!["personal data", "personal data breach", "controller"],
                vec!["personal data breaches"],
                vec!["controller", "personal data breach", "personal data"],
            ),
            (
                "被保险人如何报告？",
                "被保险人应当通知保险人。",
                vec!["保险人", "被保险人"],
                vec!["被保险人"],
                vec!["被保险人", "保险人"],
            ),
            (
                "Is it done?",
                "Nothing is defined here.",
                vec!["IT", "fine"],
                vec![],
                vec![],
            ),
        ] {
            let in_question = in_question.into_iter().map(|w| (None, w.to_owned()));
            let in_statement = in_statement.into_iter().map(|w| (Some(0), w.to_owned()));
            let expected: Vec<_> = in_question.chain(in_statement).collect();
            assert_eq!(linked(question, said, &names), expected, "{question}");
        }
    }
}
