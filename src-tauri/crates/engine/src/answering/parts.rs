//! A question that asks for several things: each part is answered by itself, and all of them make one answer.

use super::Answering;
use super::certified::not_here;
use super::clauses::Clauses;
use super::find::{Found, NEAREST};
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{
    Answer, AnswerNote, AnswerPart, CertificateGap, Inquiry, Refusal, Statement,
};
use lexforge_domain::text::Language;
use lexforge_store::{ClauseHit, words};
use lexforge_text::parts::{self, Part};
use lexforge_text::parts_han;
use std::collections::HashSet;

/// A clause needs at least this share of the best score to be quoted instead of the best clause.
const NEAR_THE_BEST: f64 = 0.75;

impl Answering<'_> {
    /// The earlier questions: the question of the answer that is named, and the one that it continued.
    pub(super) fn said_before(&self, inquiry: &Inquiry) -> Result<Option<String>> {
        let Some(id) = inquiry.after else {
            return Ok(None);
        };
        let answer = self.kept_answer(id)?;
        let earlier = answer.notes.iter().find_map(|note| match note {
            AnswerNote::ReadWith { question } => Some(question.as_str()),
            _ => None,
        });
        Ok(Some(match earlier {
            Some(earlier) => format!("{earlier} {}", answer.question),
            None => answer.question,
        }))
    }

    /// Removes clauses that were found for a part of a question but answer only another part. The clauses that stay
    /// contain the words that are only in this part, or the time or amount that it asks for.
    pub(super) fn narrow(&self, part: &Part, clauses: &Clauses, found: &mut Found) -> Result<()> {
        if part.is_compared && !found.features.certain {
            found.hits.clear();
        }
        // If this part asks for a time or an amount, its other words are also in another part. So a clause with these
        // words may still lack the time or the amount.
        if let Some(wanted) = part.wanted {
            let best = found.hits.first().map_or(0.0, |hit| hit.1);
            let near = found
                .hits
                .iter()
                .filter(|hit| hit.1 >= NEAR_THE_BEST * best);
            let mut telling = HashSet::new();
            for (clause, _) in near {
                let quote = self.quote_in_context(&part.asked, *clause, clauses)?;
                if quote.is_some_and(|quote| wanted.is_in(&quote.text())) {
                    telling.insert(*clause);
                }
            }
            if !telling.is_empty() {
                keep(found, &telling);
            }
        }
        if part.adds.is_empty() || found.hits.is_empty() {
            return Ok(());
        }
        let store = &self.workspace.store;
        let adds =
            store.read(|r| r.rank_clauses(&part.adds, &clauses.map, |_| true, usize::MAX))?;
        let whole = |hit: &ClauseHit| hit.words.iter().all(|has| *has);
        let have: HashSet<u32> = adds
            .hits
            .iter()
            .filter(|hit| whole(hit))
            .map(|hit| hit.clause)
            .collect();
        keep(found, &have);
        Ok(())
    }
}

/// The parts of a question that asks for several things. Only English and Chinese questions are divided, because the
/// question words of other languages are not known.
pub(super) fn several(question: &str, language: Language) -> Vec<Part> {
    let parts = match language {
        Language::En => parts::of(question),
        Language::Zh => Vec::new(),
        Language::Ko | Language::Other => return Vec::new(),
    };
    match parts.is_empty() {
        true => parts_han::of(question),
        false => parts,
    }
}

/// Keeps only those clauses found for one part of a question that are also among the nearest to the whole question.
/// Without the rest of the question, a part may seem to be about something else ("and what are the consequences?"). If
/// a clause certainly answers the part, such as the definition of the term, nothing is removed.
pub(super) fn keep_near(found: &mut Found, whole: &Found) {
    if !found.features.certain {
        keep(found, &whole.hits.iter().map(|hit| hit.0).collect());
    }
}

/// Keeps only these clauses; one of them must be about as near as the best one was.
fn keep(found: &mut Found, these: &HashSet<u32>) {
    let best = found.hits.first().map_or(0.0, |hit| hit.1);
    found
        .hits
        .retain(|(clause, score)| *score >= NEAR_THE_BEST * best && these.contains(clause));
}

/// The answers to the parts of a question as one answer. If no part is answered, the answer is `whole`.
pub(super) fn merged(
    question: &str,
    parts: &[Part],
    answers: Vec<Answer>,
    whole: Answer,
) -> Answer {
    let answers: Vec<Answer> = parts
        .iter()
        .zip(answers)
        .map(|(part, answer)| with_what_is_wanted(part, answer))
        .collect();
    let are_answered = answers.iter().filter(|answer| answer.found).count();
    let as_a_whole = whole.found && parts.iter().any(|part| part.or_whole);
    if are_answered == 0 || (as_a_whole && are_answered < parts.len()) {
        return of_all_that_is_compared(parts, whole);
    }
    // All of it is right where the least likely part is.
    let answered = answers.iter().filter(|answer| answer.found);
    let least_likely = answered.map(|answer| answer.probability);
    let least_likely = least_likely.fold(1.0, f64::min);
    let mut all = Answer {
        question: question.to_owned(),
        found: true,
        probability: least_likely,
        // Questions that ask for one thing were measured. An answer in parts is right only if every part is right.
        certificate: not_here(whole.certificate, CertificateGap::SeveralParts),
        statements: Vec::new(),
        citations: Vec::new(),
        passages: Vec::new(),
        premise: None,
        terms: Vec::new(),
        notes: Vec::new(),
        ..whole
    };
    for (part, answer) in parts.iter().zip(answers) {
        let first = all.citations.len();
        let unsure = answer.refusal() == Some(Refusal::Unsure);
        if all.premise.is_none() {
            all.premise = answer.premise.map(|mut premise| {
                premise.citation += first;
                premise
            });
        }
        all.citations.extend(answer.citations);
        let mut told = Vec::new();
        for mut statement in answer.statements {
            let same = |other: &Statement| other.text == statement.text;
            // If a statement answers two parts, it is listed once.
            let place = all.statements.iter().position(same);
            told.push(place.unwrap_or(all.statements.len()));
            if place.is_none() {
                for at in &mut statement.citations {
                    *at += first;
                }
                all.statements.push(statement);
            }
        }
        all.parts.push(AnswerPart {
            question: part.said.clone(),
            statements: told,
            unsure,
        });
        for note in answer.notes {
            if !all.notes.contains(&note) {
                all.notes.push(note);
            }
        }
        for term in answer.terms {
            if !all.terms.iter().any(|known| known.id == term.id) {
                all.terms.push(term);
            }
        }
        all.passages.extend(answer.passages);
    }
    all.passages.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut seen: HashSet<SentenceId> = HashSet::new();
    all.passages
        .retain(|clause| seen.insert(clause.place.sentence));
    all.passages.truncate(NEAREST);
    settle(&mut all);
    all
}

/// The answer to a comparison of things that nothing defines: without statements that do not name all of them.
fn of_all_that_is_compared(parts: &[Part], mut whole: Answer) -> Answer {
    let compared = parts.iter().filter(|part| part.is_compared);
    let named: HashSet<String> = compared.flat_map(|part| words(&part.adds)).collect();
    if named.is_empty() {
        return whole;
    }
    whole.statements.retain(|s| {
        let own: HashSet<String> = words(&s.text).into_iter().collect();
        named.is_subset(&own)
    });
    whole.found &= !whole.statements.is_empty();
    settle(&mut whole);
    whole
}

/// The answer to one part of a question, without the statements that lack the time or amount that the part asks for.
/// The words that these statements share with the question belong to the other parts.
pub(super) fn with_what_is_wanted(part: &Part, mut answer: Answer) -> Answer {
    if let Some(wanted) = part.wanted {
        answer.statements.retain(|s| wanted.may_be_told_in(&s.text));
        answer.found &= !answer.statements.is_empty();
        settle(&mut answer);
    }
    answer
}

/// Brings citations and words of an answer in line with its statements.
fn settle(answer: &mut Answer) {
    without_what_nothing_cites(answer);
    let kept = answer.statements.iter().filter(|s| s.kept);
    answer.answer = kept.map(|s| s.text.as_str()).collect::<Vec<_>>().join("\n");
}

/// Leaves out citations to which no statement and no premise leads.
fn without_what_nothing_cites(answer: &mut Answer) {
    let mut cited: Vec<usize> = answer
        .statements
        .iter()
        .flat_map(|s| s.citations.iter().copied())
        .chain(answer.premise.iter().map(|premise| premise.citation))
        .collect();
    cited.sort_unstable();
    cited.dedup();
    let place = |at: usize| cited.binary_search(&at).unwrap_or_default();
    for at in answer.statements.iter_mut().flat_map(|s| &mut s.citations) {
        *at = place(*at);
    }
    if let Some(premise) = &mut answer.premise {
        premise.citation = place(premise.citation);
    }
    let mut at = 0;
    answer.citations.retain(|_| {
        at += 1;
        cited.binary_search(&(at - 1)).is_ok()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::answer;
    use crate::answering::probability::Features;
    use lexforge_domain::api::Clause;
    use lexforge_text::expected::Beside;

    #[test]
    fn a_question_has_parts_in_the_languages_whose_words_that_ask_are_known() {
        for (question, language, parts) in [
            (
                "Who signs the log and who audits the office?",
                Language::En,
                2,
            ),
            ("停泊费由谁缴？停泊日期由哪个机构登记？", Language::Zh, 2),
            (
                "Wer unterschreibt das Buch? Wer prüft das Amt?",
                Language::Other,
                0,
            ),
            ("누가 서명합니까? 누가 감사합니까?", Language::Ko, 0),
        ] {
            assert_eq!(several(question, language).len(), parts, "{question}");
        }
    }

    fn part(said: &str, wanted: Option<Beside>) -> Part {
        Part {
            wanted,
            ..Part::whole(said)
        }
    }

    /// The statements of the merged answer for each part.
    fn told(parts: &[Part], answers: Vec<Answer>) -> Vec<(String, Vec<String>)> {
        let all = merged("Both?", parts, answers, answer(&["the whole"], 0.7));
        for statement in &all.statements {
            let quote = &all.citations[statement.citations[0]].quote;
            assert_eq!(*quote, statement.text);
        }
        let texts = |places: &[usize]| -> Vec<String> {
            let of = places.iter().map(|at| all.statements[*at].text.clone());
            of.collect()
        };
        let parts = all.parts.iter();
        parts
            .map(|part| (part.question.clone(), texts(&part.statements)))
            .collect()
    }

    #[test]
    fn each_part_has_its_statements() {
        let parts = [part("who", None), part("how long", Some(Beside::Time))];
        let (rule, other) = ("A master reports within 10 days.", "A pilot pays dues.");
        // One clause answers both parts. A clause without the time answers only the first.
        let found = told(
            &parts,
            vec![answer(&[rule], 0.8), answer(&[other, rule], 0.7)],
        );
        assert_eq!(found[0], ("who".to_owned(), vec![rule.to_owned()]));
        assert_eq!(found[1], ("how long".to_owned(), vec![rule.to_owned()]));
        // The second part has no answer: the other clause lacks the time, or no clause was found.
        for second in [answer(&[other], 0.7), answer(&[], 0.3)] {
            let found = told(&parts, vec![answer(&[other], 0.8), second]);
            assert_eq!(found[0].1, [other]);
            assert!(found[1].1.is_empty());
        }
    }

    #[test]
    fn a_part_that_a_clause_may_answer_is_not_said_to_be_in_no_document() {
        let parts = [part("who", None), part("why", None)];
        let near = |probability: f64| {
            let mut none = answer(&[], probability);
            let place = answer(&["It is due."], 0.8).citations.remove(0);
            none.passages = vec![Clause {
                place,
                text: "It is due.".to_owned(),
                score: 1.0,
                marks: Vec::new(),
                lacks: Vec::new(),
            }];
            none
        };
        for (second, unsure) in [
            (near(0.55), true),
            (near(0.1), false),
            (answer(&[], 0.55), false),
            (answer(&["It is paid."], 0.7), false),
        ] {
            let answers = vec![answer(&["A master pays."], 0.9), second];
            let all = merged("Both?", &parts, answers, answer(&["the whole"], 0.7));
            assert_eq!((all.parts[0].unsure, all.parts[1].unsure), (false, unsure));
        }
    }

    #[test]
    fn an_answer_in_parts_is_as_likely_as_its_least_likely_part_and_has_no_certificate() {
        let parts = [part("who", None), part("why", None)];
        let (one, other) = (
            answer(&["A master pays."], 0.9),
            answer(&["It is due."], 0.7),
        );
        let mut whole = answer(&["the whole"], 0.8);
        let all = |whole: &Answer, answers| merged("Both?", &parts, answers, whole.clone());
        let never = all(&whole, vec![one.clone(), other.clone()]);
        assert!((never.probability - 0.7).abs() < 1e-12);
        assert_eq!(never.certificate.reason, None);
        whole.certificate.valid = true;
        let void = all(&whole, vec![one.clone(), other]);
        assert!(!void.certificate.valid);
        assert_eq!(void.certificate.reason, Some(CertificateGap::SeveralParts));
        // A part without an answer does not change the other part.
        let half = all(&whole, vec![one, answer(&[], 0.2)]);
        assert!((half.probability - 0.9).abs() < 1e-12);
        // If the question is answered as a whole, the certificate applies.
        let none = all(&whole, vec![answer(&[], 0.1), answer(&[], 0.2)]);
        assert!(none.certificate.valid);
    }

    #[test]
    fn what_answers_a_part_is_near_to_the_whole_question() {
        let found = |hits: &[(u32, f64)], certain| {
            let mut features = Features::default();
            features.certain = certain;
            Found {
                hits: hits.to_vec(),
                features,
            }
        };
        let whole = found(&[(4, 1.0), (7, 0.6), (8, 0.5)], false);
        for (certain, hits, left) in [
            (false, [(9, 1.0), (7, 0.8), (8, 0.7)], [7].as_slice()),
            (false, [(9, 1.0), (3, 0.9), (8, 0.7)], &[]),
            (true, [(9, 1.0), (3, 0.9), (8, 0.7)], &[9, 3, 8]),
        ] {
            let mut part = found(&hits, certain);
            keep_near(&mut part, &whole);
            let clauses: Vec<u32> = part.hits.iter().map(|hit| hit.0).collect();
            assert_eq!(clauses, left);
        }
    }

    #[test]
    fn what_nothing_defines_is_compared_where_a_clause_names_both() {
        let term = |adds: &str| Part {
            adds: adds.to_owned(),
            is_compared: true,
            ..Part::whole(adds)
        };
        let parts = [term("day berths"), term("night berths")];
        let none = || vec![answer(&[], 0.3), answer(&[], 0.2)];
        let (both, one) = (
            "There are day berths and night berths.",
            "A night berth has a lamp.",
        );
        let named = merged("Both?", &parts, none(), answer(&[one, both], 0.7));
        assert!(named.found && named.answer == both && named.citations.len() == 1);
        let refused = merged("Both?", &parts, none(), answer(&[one], 0.7));
        assert!(!refused.found && refused.statements.is_empty());
    }

    #[test]
    fn where_no_part_is_answered_the_whole_may_be() {
        let parts = [part("who", None), part("why", None)];
        let none = || vec![answer(&[], 0.3), answer(&[], 0.2)];
        let all = merged("Both?", &parts, none(), answer(&["the whole"], 0.7));
        assert!(all.found && all.parts.is_empty() && all.statements[0].text == "the whole");
        let refused = merged("Both?", &parts, none(), answer(&[], 0.4));
        assert!(!refused.found && refused.parts.is_empty());
    }
}
