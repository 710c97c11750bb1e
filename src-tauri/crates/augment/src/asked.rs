//! Checks on the text of a question (docs/methods.md, "Questions"): whether it gives its answer away, whether it merely
//! copies the rule, and whether the sentence that answers it says more than is asked.

use crate::anchor::Anchor;
use crate::english::lexicon::{ANSWERS_WITH, IRREGULAR};
use crate::words::{content, is_stop};
use lexforge_domain::qca::QcaDraft;
use lexforge_domain::text::Language;
use lexforge_text::likeness::{jaccard_of_sets, shingles};
use lexforge_text::stem::stem;
use lexforge_text::{is_han, words};
use std::collections::HashSet;

/// From this likeness on, only the differing words tell a wrong choice from the answer.
const NEAR: f64 = 0.4;
/// A question copies the rule if it has at least this share of the rule's shingles (shingles of the asked term are not
/// counted). If only the term is replaced by a gap or by "what", the question has all of them. If the question asks for
/// a part of the rule, or has another word order, it has 0.4 to 0.9 of them.
const COPIED: f64 = 0.9;
/// The least number of shingles of a rule (about a dozen words) for which copying is checked. A shorter rule can hardly
/// be asked about in other words, for example a rule that only says who keeps a register. The first figure is for
/// English, the second for Chinese, where a shingle is about one word.
const LONG: (usize, usize) = (60, 24);

/// Whether the words of the question give the answer away. A reader can exclude a wrong choice by the words alone in
/// one case: the question has all words that are in the answer and not in this choice, and no word that is in this
/// choice and not in the answer. The result is true if every wrong choice that is similar to the answer can be excluded
/// in this way.
pub(crate) fn told_by_the_question(draft: &QcaDraft, answer: &str) -> bool {
    let (question, answer) = (content(&draft.question), content(answer));
    let others = draft
        .choices
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != draft.answer)
        .map(|(_, c)| content(c));
    let near: Vec<HashSet<String>> = others
        .filter(|other| jaccard_of_sets(&answer, other) >= NEAR)
        .collect();
    let told = |other: &HashSet<String>| {
        let mut own = answer.difference(other).peekable();
        own.peek().is_some()
            && own.all(|w| question.contains(w))
            && other.difference(&answer).all(|w| !question.contains(w))
    };
    !near.is_empty() && near.iter().all(told)
}

/// Whether the question is a copy of the rule, apart from the term that it asks for.
pub(crate) fn copies(question: &str, anchor: &Anchor<'_>, term: Option<&str>) -> bool {
    let parts: Vec<&str> = match term {
        Some(term) if !term.is_empty() => anchor.text.split(term).collect(),
        _ => vec![anchor.text],
    };
    let rule: HashSet<u64> = parts.iter().flat_map(|part| shingles(part)).collect();
    let long = match anchor.language {
        Language::Zh => LONG.1,
        _ => LONG.0,
    };
    let asked = shingles(question);
    let common = asked.iter().filter(|s| rule.contains(*s)).count();
    rule.len() >= long && common as f64 >= COPIED * rule.len() as f64
}

/// The first word that a rephrased sentence adds to the words of the question and the term; `None` if it adds none.
/// Function words ("the", "of") do not count. A word that is only in the rule counts as added, too, because an answer
/// must not say more than the question asks.
pub(crate) fn added(
    rephrased: &str,
    question: &str,
    term: &str,
    language: Language,
) -> Option<String> {
    match language {
        Language::Zh => added_characters(rephrased, question, term),
        _ => added_word(rephrased, question, term),
    }
}

fn added_word(rephrased: &str, question: &str, term: &str) -> Option<String> {
    let known: HashSet<String> = words(question)
        .iter()
        .chain(&words(term))
        .map(|w| plain_form(w))
        .collect();
    words(rephrased).into_iter().find(|word| {
        let small = is_stop(word)
            || ANSWERS_WITH.contains(&word.as_str())
            || word.chars().count() == 1 && !word.chars().all(char::is_numeric);
        !small && !known.contains(&plain_form(word))
    })
}

/// A word without its ending, a verb of its own forms in the plain one.
fn plain_form(word: &str) -> String {
    let plain = IRREGULAR.iter().find(|(form, _)| *form == word);
    stem(plain.map_or(word, |(_, plain)| *plain))
}

/// [`added`] for Chinese, which has no blanks between words. The term is removed from the rephrased sentence. The rest
/// must consist of two kinds of pieces: pieces of the question with two or more characters, and words that every answer
/// may have. A single Chinese character of the question is allowed only beside the term or a punctuation mark. The
/// result is the first character that cannot be covered in this way.
fn added_characters(rephrased: &str, question: &str, term: &str) -> Option<String> {
    let asked = words(question);
    let own: Vec<Vec<String>> = crate::chinese::lexicon::ANSWERS_WITH
        .iter()
        .map(|word| words(word))
        .collect();
    rephrased
        .split(term)
        .flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
        .find_map(|part| uncovered(&words(part), &asked, &own))
}

fn uncovered(part: &[String], asked: &[String], own: &[Vec<String>]) -> Option<String> {
    let stands = |piece: &[String]| asked.windows(piece.len()).any(|w| w == piece);
    let fits = |from: usize, to: usize| {
        let piece = &part[from..to];
        let alone =
            piece.len() == 1 && (from == 0 || to == part.len() || !piece[0].chars().any(is_han));
        own.iter().any(|word| word == piece) || (piece.len() > 1 || alone) && stands(piece)
    };
    // Whether the sentence can be laid out up to each place.
    let mut reached = vec![false; part.len() + 1];
    reached[0] = true;
    for from in 0..part.len() {
        if reached[from] {
            for (to, reached) in reached.iter_mut().enumerate().skip(from + 1) {
                *reached |= fits(from, to);
            }
        }
    }
    let last = reached.iter().rposition(|r| *r).unwrap_or(0);
    part.get(last).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::text::SentenceKind;

    #[test]
    fn an_answer_says_what_was_asked_and_the_term() {
        let check =
            |language, term: &str, question: &str, rephrased: &str, expected: Option<&str>| {
                let found = added(rephrased, question, term, language);
                assert_eq!(found.as_deref(), expected, "{question} {rephrased}");
            };
        let en = Language::En;
        for (term, question, rephrased, expected) in [
            (
                "life rafts",
                "What must a ferry operator inspect every six months?",
                "A ferry operator must inspect its life rafts every six months.",
                None,
            ),
            // Other forms of the same words.
            (
                "data protection officer",
                "By whom must the register of processing be kept?",
                "The data protection officer keeps the register of processing.",
                None,
            ),
            (
                "supervisory authority",
                "Whom does a controller notify of breaches?",
                "The supervisory authorities are notified of a breach by the controllers.",
                None,
            ),
            (
                "pseudonymisation",
                "What is the processing of data without names?",
                "The processing of data without names is called pseudonymisation.",
                None,
            ),
            (
                "auditor",
                "Who may enter the premises?",
                "The auditor is allowed to enter the premises.",
                None,
            ),
            // The answer contains a part of the rule that the question does not ask for.
            (
                "life rafts",
                "What must a ferry operator inspect?",
                "A ferry operator must inspect its life rafts every six months.",
                Some("six"),
            ),
            (
                "supervisory authority",
                "Whom must a controller notify of a breach?",
                "The controller notifies the competent supervisory authority of a breach.",
                Some("competent"),
            ),
            (
                "supervisory authority",
                "Whom must a controller notify of a breach within 72 hours?",
                "The controller notifies the supervisory authority of a breach within 48 hours.",
                Some("48"),
            ),
            // Another word for what was asked.
            (
                "supervisory authority",
                "Whom must a controller tell of a breach?",
                "The controller notifies the supervisory authority of a breach.",
                Some("notifies"),
            ),
        ] {
            check(en, term, question, rephrased, expected);
        }
        for (term, question, rephrased, expected) in [
            (
                "救生筏",
                "渡轮经营者应当每六个月检查一次什么？",
                "渡轮经营者每六个月检查一次救生筏。",
                None,
            ),
            (
                "统计报表",
                "商业银行在每季度结束后二十日内应当向监督管理机构报送什么？",
                "商业银行应当在每季度结束后二十日内向监督管理机构报送统计报表。",
                None,
            ),
            (
                "监督管理机构",
                "谁负责核准高级管理人员的任职资格？",
                "高级管理人员的任职资格由监督管理机构核准。",
                None,
            ),
            (
                "所得税",
                "企业按照利润应当缴什么？",
                "企业应当按照利润缴所得税。",
                None,
            ),
            (
                "救生筏",
                "渡轮经营者应当检查什么？",
                "渡轮经营者每六个月检查救生筏。",
                Some("每"),
            ),
            (
                "统计报表",
                "商业银行应当向监督管理机构报送什么？",
                "商业银行应当向监督管理机构及时报送统计报表。",
                Some("时"),
            ),
            (
                "监督管理机构",
                "谁负责核准任职资格？",
                "地方监督管理机构负责核准任职资格。",
                Some("方"),
            ),
        ] {
            check(Language::Zh, term, question, rephrased, expected);
        }
    }

    #[test]
    fn a_question_is_not_the_rule_with_a_gap() {
        let check = |language, rule: &str, term: Option<&str>, question: &str, expected| {
            let anchor = Anchor::new(SentenceId(1), rule, language, SentenceKind::Rule);
            assert_eq!(copies(question, &anchor, term), expected, "{question}");
        };
        let rule = "The ferry operator shall inspect its life rafts before each voyage, together with the \
                    regional inspector, and keep a record of it.";
        let en = |question: &str, expected| {
            check(Language::En, rule, Some("life rafts"), question, expected)
        };
        en(&rule.replace("life rafts", "…").replace('.', "?"), true);
        en(
            &format!(
                "What is missing here: {}?",
                rule.replace("life rafts", "___")
            ),
            true,
        );
        en(&rule.replace("life rafts", "what").to_uppercase(), true);
        en(
            "What must a ferry operator inspect before each voyage, together with the regional inspector?",
            false,
        );
        en("What is inspected before a ferry sails?", false);
        // The whole rule as the question about the rule.
        check(
            Language::En,
            rule,
            None,
            &format!("Is it right that {}", rule.to_lowercase()),
            true,
        );
        check(
            Language::En,
            rule,
            None,
            "What must a ferry operator do before each voyage?",
            false,
        );
        // A short rule leaves no other words.
        check(
            Language::En,
            "The auditor shall keep a register of licences.",
            Some("auditor"),
            "Who shall keep a register of licences?",
            false,
        );
        let rule = "商业银行应当在每季度结束后二十日内向国务院银行业监督管理机构报送统计报表。";
        let zh = |question: &str, expected| {
            check(Language::Zh, rule, Some("统计报表"), question, expected)
        };
        zh(
            "商业银行应当在每季度结束后二十日内向国务院银行业监督管理机构报送什么？",
            true,
        );
        zh("每季度结束后，商业银行要报送的是什么？", false);
        check(
            Language::Zh,
            "渡轮经营者应当每六个月检查一次救生筏。",
            Some("救生筏"),
            "渡轮经营者应当每六个月检查一次什么？",
            false,
        );
    }
}
