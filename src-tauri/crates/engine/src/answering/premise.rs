//! What a question assumes, and whether a clause that answers it contradicts this.

use super::Answering;
use super::certified::not_here;
use super::clauses::Clauses;
use super::find::Found;
use super::force::InForce;
use crate::workspace::Result;
use lexforge_augment::{Binding, Compared, Difference};
use lexforge_domain::api::{Answer, CertificateGap, Citation, Premise, Statement};
use lexforge_domain::text::Language;
use lexforge_store::{stands_instead, words};
use lexforge_text::parts::Part;
use lexforge_text::{asked, granted, is_han};
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

/// Makes a statement that contradicts the assumption the whole answer. The certificate does not hold for it: labelled
/// questions are measured by the clauses that their own words find, and not by those that their assumptions find.
fn answered_by(statement: Statement, answer: &mut Answer) {
    answer.answer.clone_from(&statement.text);
    answer.statements = vec![statement];
    answer.found = true;
    answer.certificate = not_here(answer.certificate.clone(), CertificateGap::FalsePremise);
}

/// The assumption of a question, to be searched for separately. Of a Chinese question it is only looked for if it says
/// that something need not be done: such a one is plainly contradicted where a rule demands it.
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
                && differences.iter().any(|one| differs(one, sentence))
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

/// Share of the words that a sentence has, or has a word of rules in the place of: "tell" where it says "notify".
fn shared(asked: &HashSet<String>, sentence: &str) -> f64 {
    let own: HashSet<String> = words(sentence).into_iter().collect();
    let stands = |word: &&String| own.contains(*word) || stands_instead(word, |w| own.contains(w));
    asked.iter().filter(stands).count() as f64 / asked.len().max(1) as f64
}

/// The words of an assumption, without its figures. Words that only help to ask are left out as well, if enough other
/// words remain.
fn subject(assumed: &str) -> HashSet<String> {
    let of = |text: &str| -> HashSet<String> {
        let all = words(text).into_iter();
        all.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
            .collect()
    };
    let tells = |word: &&str| !asked::helps_to_ask(word);
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

/// Whether a difference contradicts the assumption of a question. Another modal verb, negation or figure contradicts
/// it. If the sentence merely lacks something that was assumed, this is no contradiction. A sentence that denies the
/// assumption altogether contradicts it, too: "The guide sets no rules."
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

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '。', ';', '；'])
        .map(str::trim)
        .filter(|s| !s.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made;
    use lexforge_domain::text::Language;
    use lexforge_domain::{DocumentId, SentenceId};

    fn citation(quote: &str, language: Language) -> Citation {
        Citation {
            document: DocumentId(1),
            title: String::new(),
            language,
            page: 1,
            section: String::new(),
            boxes: Vec::new(),
            quote: quote.to_owned(),
            sentence: SentenceId(1),
            external_id: None,
            superseded_by: None,
            out_of_force: None,
        }
    }

    #[test]
    fn a_false_premise_is_told_and_a_true_one_is_not() {
        let english = [citation(
            "The controller shall notify the personal data breach to the supervisory authority within 72 hours.",
            Language::En,
        )];
        let chinese = [citation(
            "商业银行应当在每季度结束后15日内向监管机构报告重大风险。",
            Language::Zh,
        )];
        for (question, citations, told) in [
            (
                "Since the controller need not notify the personal data breach to the supervisory authority, what is recorded?",
                &english,
                true,
            ),
            (
                "Given that the controller shall not notify the personal data breach to the authority, who does?",
                &english,
                true,
            ),
            (
                "Why need the controller not notify the personal data breach to the supervisory authority?",
                &english,
                true,
            ),
            (
                "Given that the controller shall notify the personal data breach within 48 hours, who does so?",
                &english,
                true,
            ),
            (
                "When does the 48-hour period for notifying the supervisory authority of a breach begin?",
                &english,
                true,
            ),
            (
                "既然商业银行应当在每季度结束后10日内向监管机构报告重大风险，由谁报告？",
                &chinese,
                true,
            ),
            ("为什么商业银行不得向监管机构报告重大风险？", &chinese, true),
            ("商业银行不得向监管机构报告重大风险，对吗？", &chinese, true),
            (
                "商业银行应当向监管机构报告重大风险，对吗？",
                &chinese,
                false,
            ),
            (
                "商业银行向监管机构报告重大风险30日的期限可以延长吗？",
                &chinese,
                true,
            ),
            (
                "商业银行向监管机构报告重大风险三十日的期限可以延长吗？",
                &chinese,
                true,
            ),
            (
                "商业银行向监管机构报告重大风险十五日的期限可以延长吗？",
                &chinese,
                false,
            ),
            (
                "Since the controller shall notify the personal data breach to the supervisory authority, how soon?",
                &english,
                false,
            ),
            (
                "Why must the controller notify the personal data breach to the supervisory authority?",
                &english,
                false,
            ),
            (
                "When does the 72-hour period for notifying the supervisory authority of a breach begin?",
                &english,
                false,
            ),
            (
                "Since the bank pays a fee, who notifies the breach?",
                &english,
                false,
            ),
            (
                "A controller need not notify the personal data breach to the supervisory authority, right?",
                &english,
                true,
            ),
            (
                "A controller shall notify the personal data breach to the supervisory authority, right?",
                &english,
                false,
            ),
            (
                "Who may extend the five hours for notifying the supervisory authority of a breach?",
                &english,
                true,
            ),
            // How it is meant is nothing that a rule must have.
            (
                "Since the controller need not report any breach to the authority at all, what is recorded?",
                &english,
                true,
            ),
            // In everyday words.
            (
                "Since the controller need not tell the authority of a personal data breach, what is recorded?",
                &english,
                true,
            ),
            (
                "When does the 30-day period for paying the fee of the register begin?",
                &english,
                false,
            ),
            (
                "为什么商业银行应当向监管机构报告重大风险？",
                &chinese,
                false,
            ),
            (
                "既然商业银行不需要向监管机构报告重大风险，那么由谁检查？",
                &chinese,
                true,
            ),
            ("商业银行不用向监管机构报告重大风险吧？", &chinese, true),
            // The rule demands something else at that time.
            (
                "既然商业银行在每季度结束后不用公布利润，那么由谁检查？",
                &chinese,
                false,
            ),
        ] {
            let found = contradicted(question, citations);
            assert_eq!(found.is_some(), told, "{question}: {found:?}");
        }
    }

    #[test]
    fn what_another_clause_frees_from_is_no_false_premise() {
        let rule = citation("商业银行应当向监管机构报告重大风险。", Language::Zh);
        let freed = citation("村镇银行免于向监管机构报告重大风险。", Language::Zh);
        let question = "村镇银行不用向监管机构报告重大风险吧？";
        let both = [rule.clone(), freed];
        assert_eq!(contradicted(question, &both), None);
        assert!(contradicted(question, &[rule]).is_some());
        for (sentence, freed) in [
            ("村镇银行免于报告。", true),
            ("银行应当报告，以避免损失。", false),
            ("银行应当报告经理的任免。", false),
            ("银行应当报告免职的经理，小型银行免报告。", true),
        ] {
            assert_eq!(frees(sentence), freed, "{sentence}");
        }
    }

    #[test]
    fn what_a_rule_denies_in_any_case_is_not_to_be_assumed() {
        let question = "Since the guide imposes duties on pilots, which are they?";
        for (rule, told) in [
            ("The guide does not impose duties on pilots.", true),
            ("The guide imposes duties on pilots.", false),
            (
                "The guide does not impose duties on pilots unless a port says so.",
                false,
            ),
            ("Pilots who do not impose duties read the guide.", false),
            ("The guide does not name the duties of a master.", false),
        ] {
            let found = contradicted(question, &[citation(rule, Language::En)]);
            assert_eq!(found.is_some(), told, "{rule}: {found:?}");
        }
    }

    #[test]
    fn an_assumption_is_looked_for() {
        let of = |question, language| assumption(question, language).map(|part| part.asked);
        let question = "Since the guide imposes duties on pilots, which are they?";
        let assumed = Some("the guide imposes duties on pilots".to_owned());
        assert_eq!(of(question, Language::En), assumed);
        assert_eq!(of(question, Language::Zh), None);
        assert_eq!(of("Since it pays, who?", Language::En), None);
        // In Chinese only what need not be done.
        let question = "既然停泊船舶不需要登记，那么由谁检查？";
        let assumed = Some("停泊船舶 登记".to_owned());
        assert_eq!(of(question, Language::Zh), assumed);
        let question = "既然停泊船舶需要登记，那么由谁检查？";
        assert_eq!(of(question, Language::Zh), None);
        assert_eq!(of("Who pays?", Language::En), None);
        let said = "The guide imposes duties on pilots, doesn't it?";
        let assumed = Some("The guide imposes duties on pilots".to_owned());
        assert_eq!(of(said, Language::En), assumed);
    }

    #[test]
    fn what_contradicts_an_assumption_answers_without_a_certificate() {
        let said = made::answer(&["The guide does not impose duties on pilots."], 0.7);
        for (valid, reason) in [(true, Some(CertificateGap::FalsePremise)), (false, None)] {
            let mut answer = made::answer(&[], 0.2);
            answer.certificate.valid = valid;
            answered_by(said.statements[0].clone(), &mut answer);
            assert!(answer.found && answer.answer == said.answer);
            let certificate = answer.certificate;
            assert_eq!((certificate.valid, certificate.reason), (false, reason));
        }
    }

    #[test]
    fn a_figure_that_another_clause_has_is_no_false_one() {
        let two = [
            citation("The bank shall report losses within 10 days.", Language::En),
            citation("The bank shall report gains within 20 days.", Language::En),
        ];
        let question = "When does the 20-day period for reporting gains of the bank begin?";
        assert_eq!(contradicted(question, &two), None);
        let other = "When does the 30-day period for reporting losses of the bank begin?";
        assert_eq!(contradicted(other, &two).map(|p| p.citation), Some(0));
    }
}
