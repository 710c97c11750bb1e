//! What a question assumes, and whether a clause that answers it contradicts this.

use super::Answering;
use super::certified::not_here;
use super::clauses::Clauses;
use super::find::Found;
use super::force::InForce;
use crate::workspace::Result;
use lexforge_augment::{Binding, Compared, Difference, held, tells_how_long};
use lexforge_domain::api::{Answer, CertificateGap, Citation, Premise, Statement};
use lexforge_domain::text::Language;
use lexforge_store::{stands_instead, words};
use lexforge_text::parts::Part;
use lexforge_text::{asked, granted, is_han, when};
use std::collections::HashSet;

/// Share of the assumption's words that a clause must have, to be about the same.
const ABOUT_THE_SAME: f64 = 0.6;
/// The share if the question assumes only a figure, because other words of the question come after it.
const ABOUT_THE_FIGURE: f64 = 0.5;
/// Share of the words of what need not be done that a sentence must have which demands it.
const OF_THE_DENIED: f64 = 0.4;
/// An assumption of fewer words says too little to be contradicted.
const FEWEST_WORDS: usize = 3;

/// Words of a sentence that may bind what it denies to a case, or to one of several things.
const ONLY_IN_A_CASE: [&str; 14] = [
    "if", "where", "when", "unless", "whether", "except", "until", "who", "whose", "which", "that",
    "only", "provided", "without",
];

impl Answering<'_> {
    /// A question may assume something that the documents contradict. This function searches with the words of the
    /// assumption, because the words of the whole question may not find the contradicting clause. If it finds such a
    /// clause, it puts the clause first and returns `true`.
    pub(super) fn contradicted_elsewhere(
        &self,
        question: &str,
        (assumed, found): (&Part, &Found),
        (clauses, in_force): (&Clauses, &InForce),
        answer: &mut Answer,
    ) -> Result<bool> {
        let said = self.said(&assumed.asked, &found.hits, clauses, in_force)?;
        let Some(premise) = contradicted(question, &said.citations) else {
            return Ok(false);
        };
        let cited = answer.citations.len();
        let at = premise.citation;
        answer.citations.extend(said.citations.into_iter().nth(at));
        answer.premise = Some(Premise {
            citation: cited,
            ..premise
        });
        // If nothing else answers the question, this clause does.
        if !answer.found {
            let told = said.statements.into_iter();
            let mut told = told.filter(|s| s.citations == [at] && s.kept);
            if let Some(mut statement) = told.next() {
                statement.citations = vec![cited];
                answered_by(statement, answer);
            }
        }
        Ok(true)
    }
}

/// Replaces the whole answer by one statement, which contradicts the assumption. The certificate does not hold for this
/// answer: it was measured on clauses that the words of the questions find, and this clause was found by the words of
/// the assumption.
fn answered_by(statement: Statement, answer: &mut Answer) {
    answer.answer.clone_from(&statement.text);
    answer.statements = vec![statement];
    answer.found = true;
    answer.certificate = not_here(answer.certificate.clone(), CertificateGap::FalsePremise);
}

/// The assumption of a question, which is then searched for separately. In a Chinese question an assumption is used
/// only if it says that something is not required. If a rule requires this thing, it clearly contradicts the
/// assumption.
pub(super) fn assumption(question: &str, language: Language) -> Option<Part> {
    let assumed = granted::clause(question).or_else(|| granted::asserted(question))?;
    let asked = match language {
        Language::En => assumed.to_owned(),
        Language::Zh if granted::denied(assumed).is_some() => granted::without_denial(assumed),
        _ => return None,
    };
    (words(&asked).len() >= FEWEST_WORDS).then(|| Part::whole(&asked))
}

/// The first citation that contradicts what the question takes for granted.
pub(super) fn contradicted(question: &str, citations: &[Citation]) -> Option<Premise> {
    let said_otherwise = granted::clause(question)
        .or_else(|| granted::asserted(question))
        .filter(|assumed| words(assumed).len() >= FEWEST_WORDS)
        .and_then(|assumed| contradicts(assumed, ABOUT_THE_SAME, citations, otherwise));
    said_otherwise.or_else(|| {
        granted::figures(question)
            .into_iter()
            .find_map(|assumed| contradicts(assumed, ABOUT_THE_FIGURE, citations, another_figure))
    })
}

/// The first citation about the same that differs from an assumption in what counts.
fn contradicts(
    assumed: &str,
    about: f64,
    citations: &[Citation],
    differs: fn(&Difference, &str) -> bool,
) -> Option<Premise> {
    let asked = subject(&granted::without_denial(assumed));
    let denied: HashSet<String> = granted::denied(assumed)
        .map(|denied| words(denied).into_iter().collect())
        .unwrap_or_default();
    let mut found = None;
    for (place, citation) in citations.iter().enumerate() {
        for sentence in sentences(&citation.quote) {
            let compared = Compared {
                anchor: sentence,
                answer: assumed,
                asked: "",
                place: &citation.section,
                language: citation.language,
                terms: &[],
            };
            let differences = compared.differences();
            // Another clause has the figure: it may be that one that the question means.
            let figures_stand = !differences.iter().any(is_figure);
            if figures_stand && has_figure(assumed) && shared(&asked, sentence) > 0.0 {
                return None;
            }
            // Another clause says that it need not be done: it may be that one that the question means.
            let is_freed = || granted::denied(sentence).is_some() || frees(sentence);
            if !denied.is_empty() && is_freed() && shared(&asked, sentence) >= about {
                return None;
            }
            // A rule that demands something else of the same body contradicts nothing.
            let is_demanded = denied.is_empty() || shared(&denied, sentence) >= OF_THE_DENIED;
            if found.is_none()
                && is_demanded
                && shared(&asked, sentence) >= about
                && (differences.iter().any(|one| differs(one, sentence))
                    || has_another_time(sentence, assumed, &differences, citation.language))
            {
                found = Some(Premise {
                    assumed: assumed.to_owned(),
                    citation: place,
                });
            }
        }
    }
    found
}

/// Whether a Chinese sentence frees somebody from a duty: 免于报告, and not 避免损失 or 免职.
fn frees(sentence: &str) -> bool {
    let mut places = sentence.match_indices('免');
    places.any(|(at, free)| {
        let (before, after) = (&sentence[..at], &sentence[at + free.len()..]);
        !before.ends_with(['避', '以', '任', '难']) && !after.starts_with(['职', '疫'])
    })
}

/// Share of the words that a sentence has, or has a word of rules instead: "tell" where it says "notify".
fn shared(asked: &HashSet<String>, sentence: &str) -> f64 {
    let own: HashSet<String> = words(sentence).into_iter().collect();
    let stands = |word: &&String| own.contains(*word) || stands_instead(word, |w| own.contains(w));
    asked.iter().filter(stands).count() as f64 / asked.len().max(1) as f64
}

/// The words of an assumption, without its figures and their units of time. Words that only help to ask are left out as
/// well, if enough other words remain.
fn subject(assumed: &str) -> HashSet<String> {
    let of = |text: &str| -> HashSet<String> {
        let all = words(text).into_iter();
        all.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
            .collect()
    };
    let tells = |word: &&str| !asked::helps_to_ask(word) && !when::is_unit_of_time(word);
    let telling: Vec<&str> = assumed.split_whitespace().filter(tells).collect();
    let telling = of(&telling.join(" "));
    match telling.len() >= FEWEST_WORDS {
        true => telling,
        false => of(assumed),
    }
}

fn has_figure(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit()) || !granted::figures(text).is_empty()
}

fn is_figure(difference: &Difference) -> bool {
    matches!(difference.kind, Binding::Number | Binding::Date)
}

/// Whether a difference between a sentence and the assumption of a question is a contradiction. It is one if the
/// sentence has another modal verb, negation or figure. It is also one if the sentence denies the assumption
/// altogether: "The guide sets no rules." It is none if the sentence only lacks something that was assumed.
fn otherwise(difference: &Difference, sentence: &str) -> bool {
    let said = !difference.answer.is_empty();
    match difference.kind {
        Binding::Modal => said,
        Binding::Negation => said || denies_in_any_case(sentence),
        _ => another_figure(difference, sentence),
    }
}

/// Whether what an English sentence denies is not denied in a case alone.
fn denies_in_any_case(sentence: &str) -> bool {
    let mut parts = sentence.split(|c: char| !c.is_alphanumeric());
    let in_a_case = |word: &str| ONLY_IN_A_CASE.contains(&word.to_lowercase().as_str());
    !sentence.chars().any(is_han) && !parts.any(in_a_case)
}

/// The clause has a figure of the same unit that is another one.
fn another_figure(difference: &Difference, _: &str) -> bool {
    is_figure(difference) && !difference.answer.is_empty() && !difference.anchor.is_empty()
}

/// The clause has another length of time in another unit: 72 hours where 10 days are assumed. Three days are the same.
/// How long something is kept is no other time than one by which it is done, nor is how often it is done.
fn has_another_time(
    sentence: &str,
    assumed: &str,
    differences: &[Difference],
    language: Language,
) -> bool {
    let is_alone = |said: &str| {
        let mut own = differences.iter().filter(|one| one.answer == said);
        own.any(|one| one.kind == Binding::Number && one.anchor.is_empty())
    };
    // The assumption is the first of the two, so that a time counts only if the sentence has none that is equal to it.
    let others = held(assumed, sentence, language);
    let mut others = others
        .iter()
        .filter(|one| one.kind == Binding::Number && is_time(&one.rule));
    tells_how_long(sentence) == tells_how_long(assumed)
        && says_how_often(sentence) == says_how_often(assumed)
        && others.any(|one| is_alone(&one.rule))
}

/// Whether a figure counts units of time.
fn is_time(figure: &str) -> bool {
    let mut words = figure.split(|c: char| !c.is_alphanumeric());
    words.any(when::is_unit_of_time) || figure.contains(['时', '日', '天', '周', '月', '年'])
}

/// Whether an English text has a figure that says how often: "every 12 months".
fn says_how_often(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let mut behind = words.iter().skip(at + 1).take(2);
        word.eq_ignore_ascii_case("every") && behind.any(|word| when::is_unit_of_time(word))
    })
}

/// The sentences of a text. The point in "4.5 %" ends none.
fn sentences(text: &str) -> Vec<&str> {
    let digit_at = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let ends = text
        .match_indices(['.', '。', ';', '；'])
        .filter(|(at, stop)| {
            *stop != "." || !(digit_at(at + 1) && at.checked_sub(1).is_some_and(digit_at))
        });
    let mut from = 0;
    let mut found = Vec::new();
    for end in ends.map(|(at, stop)| at + stop.len()).chain([text.len()]) {
        found.push(text[from..end].trim());
        from = end;
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests;
