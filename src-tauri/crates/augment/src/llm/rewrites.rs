//! Other requests to a model about a sentence: to say it in other words, and to write what people would type to find
//! it.

use super::{AnswerText, Planned, PromptWriter};
use crate::endpoint::Shape;
use crate::endpoint::object::{self, Unparseable};
use crate::fence::fenced;
use crate::keeps::{Lost, lost, lost_in_translation, translated_into};
use crate::validate::foreign_script;
use crate::words::{content, length, normal};
use lexforge_domain::SentenceId;
use lexforge_domain::api::PromptKind;
use lexforge_domain::text::Language;
use lexforge_text::likeness::jaccard_of_sets;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;

/// Queries of one sentence.
const QUERIES: usize = 3;
/// Longest query, in characters of Latin script; a third of it in Chinese.
const LONGEST_QUERY: usize = 180;
/// Share of common content words from which a paraphrase is no paraphrase but a copy.
const COPY: f64 = 0.999;
/// How many times as long as its sentence a paraphrase may be, at least and at most.
const LENGTHS: (f64, f64) = (0.5, 1.8);
/// Characters of a Chinese sentence as a share of those of the same in English: a quarter to a half, as a rule.
const TRANSLATED: (f64, f64) = (0.1, 0.9);

/// Why a paraphrase or a list of queries is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteFault {
    /// It cannot be read.
    #[error("{0}")]
    Unparseable(#[from] Unparseable),
    /// Something that must stay is gone, or came in.
    #[error("{0}")]
    Lost(Lost),
    /// It says the same in the same words.
    #[error("it is the sentence itself, word for word")]
    Copy,
    /// It is much shorter or longer than it may be.
    #[error("it is too short or too long")]
    Length,
    /// It is in another language.
    #[error("it is not in the language of the text")]
    OtherLanguage,
    /// There are not three different queries.
    #[error("there are not three different queries")]
    Few,
}

impl RewriteFault {
    /// The tag under which it is counted.
    pub fn tag(&self) -> &'static str {
        match self {
            Self::Unparseable(why) => why.tag(),
            Self::Lost(lost) => lost.tag(),
            Self::Copy => "copy",
            Self::Length => "length",
            Self::OtherLanguage => "other_language",
            Self::Few => "few_queries",
        }
    }
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Paraphrase {
    paraphrase: String,
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Translation {
    translation: String,
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Queries {
    queries: Vec<String>,
}

impl PromptWriter {
    /// The prompt for a paraphrase of a sentence.
    pub fn paraphrase(&self, id: SentenceId, text: &str, language: Language) -> Planned {
        let property = serde_json::json!({"type": "string"});
        let kind = PromptKind::Paraphrase;
        self.about(kind, (id, text), language, "paraphrase", property)
    }

    /// The prompt for a translation of a sentence.
    pub fn translation(&self, id: SentenceId, text: &str, language: Language) -> Planned {
        let property = serde_json::json!({"type": "string"});
        let kind = PromptKind::Translation;
        self.about(kind, (id, text), language, "translation", property)
    }

    /// The prompt for queries that a sentence answers.
    pub fn queries(&self, id: SentenceId, text: &str, language: Language) -> Planned {
        let list = serde_json::json!({"type": "array", "items": {"type": "string"}});
        let kind = PromptKind::QueryGeneration;
        self.about(kind, (id, text), language, "queries", list)
    }

    fn about(
        &self,
        kind: PromptKind,
        (id, text): (SentenceId, &str),
        language: Language,
        name: &'static str,
        property: serde_json::Value,
    ) -> Planned {
        let schema = serde_json::json!({
            "type": "object", "properties": {name: property}, "required": [name], "additionalProperties": false,
        });
        let anchor = fenced("A", text);
        let words = self.wordings.get(kind, language);
        let prompt = words.prompt(
            &[("anchor", anchor.as_str())],
            None,
            self.max_tokens,
            Shape { name, schema },
        );
        self.planned(prompt, vec![id])
    }
}

/// Reads a paraphrase and checks what must stay: the text as read, and why it is not taken.
pub fn read_paraphrase(
    answer: &AnswerText,
    text: &str,
    language: Language,
) -> (Option<String>, Option<RewriteFault>) {
    read_as(answer, |written: Paraphrase| {
        let paraphrase = written.paraphrase.trim().to_owned();
        let fault = paraphrase_fault(&paraphrase, text, language);
        (paraphrase, fault)
    })
}

/// Reads a translation into the other language and checks what must stay: the text as read, and why it is not taken.
pub fn read_translation(
    answer: &AnswerText,
    text: &str,
    language: Language,
) -> (Option<String>, Option<RewriteFault>) {
    read_as(answer, |written: Translation| {
        let said = written.translation.trim().to_owned();
        let fault = translation_fault(&said, text, language);
        (said, fault)
    })
}

/// Reads an answer of a form. `judged` says what is taken of the answer, or why nothing is taken.
fn read_as<W: DeserializeOwned + PartialEq, T>(
    answer: &AnswerText,
    judged: impl FnOnce(W) -> (T, Option<RewriteFault>),
) -> (Option<T>, Option<RewriteFault>) {
    match object::read(&answer.text, &answer.finish) {
        Ok(written) => {
            let (said, fault) = judged(written);
            (Some(said), fault)
        }
        Err(why) => (None, Some(why.into())),
    }
}

fn translation_fault(said: &str, text: &str, language: Language) -> Option<RewriteFault> {
    let Some(into) = translated_into(language) else {
        return Some(RewriteFault::OtherLanguage);
    };
    let share = length(said) as f64 / length(text).max(1) as f64;
    let lengths = match into {
        Language::Zh => TRANSLATED,
        _ => (1.0 / TRANSLATED.1, 1.0 / TRANSLATED.0),
    };
    if foreign_script(said, into) || said.is_empty() {
        Some(RewriteFault::OtherLanguage)
    } else if !(lengths.0..=lengths.1).contains(&share) {
        Some(RewriteFault::Length)
    } else {
        lost_in_translation((text, language), (said, into)).map(RewriteFault::Lost)
    }
}

fn paraphrase_fault(paraphrase: &str, text: &str, language: Language) -> Option<RewriteFault> {
    let share = length(paraphrase) as f64 / length(text).max(1) as f64;
    if !(LENGTHS.0..=LENGTHS.1).contains(&share) {
        return Some(RewriteFault::Length);
    }
    if foreign_script(paraphrase, language) {
        return Some(RewriteFault::OtherLanguage);
    }
    if let Some(lost) = lost(text, paraphrase, language) {
        return Some(RewriteFault::Lost(lost));
    }
    (normal(paraphrase) == normal(text)).then_some(RewriteFault::Copy)
}

/// Reads queries: as read, and why they are not taken.
pub fn read_queries(
    answer: &AnswerText,
    text: &str,
    language: Language,
) -> (Option<Vec<String>>, Option<RewriteFault>) {
    read_as(answer, |written: Queries| {
        let queries = written.queries.iter().map(|q| q.trim().to_owned());
        let queries: Vec<String> = queries.collect();
        let fault = queries_fault(&queries, text, language);
        (queries, fault)
    })
}

fn queries_fault(queries: &[String], text: &str, language: Language) -> Option<RewriteFault> {
    let different: HashSet<String> = queries
        .iter()
        .map(|q| normal(q))
        .filter(|q| !q.is_empty())
        .collect();
    let longest = if language == Language::Zh {
        LONGEST_QUERY / 3
    } else {
        LONGEST_QUERY
    };
    let copies = |q: &String| {
        normal(q) == normal(text)
            || jaccard_of_sets(&content(q), &content(text)) >= COPY && length(q) > 20
    };
    if queries.len() != QUERIES || different.len() != QUERIES {
        Some(RewriteFault::Few)
    } else if queries.iter().any(|q| length(q) > longest) {
        Some(RewriteFault::Length)
    } else if queries.iter().any(|q| foreign_script(q, language)) {
        Some(RewriteFault::OtherLanguage)
    } else if queries.iter().any(copies) {
        Some(RewriteFault::Copy)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> AnswerText {
        AnswerText {
            text: text.to_owned(),
            finish: "stop".to_owned(),
        }
    }

    const RULE: &str = "A bank shall not pay more than EUR 500 to an agent within 30 days, unless the board approves.";
    const REGEL: &str = "银行不得在30日内向代理人支付超过500欧元的报酬，但董事会批准的除外。";

    #[test]
    fn a_paraphrase_keeps_every_number_date_modal_and_negation() {
        let check = |text: &str, said: &str, language, expected: Option<&str>| {
            let json = serde_json::json!({"paraphrase": said}).to_string();
            let (read, fault) = read_paraphrase(&answer(&json), text, language);
            assert_eq!(
                (read.as_deref(), fault.as_ref().map(RewriteFault::tag)),
                (Some(said), expected),
                "{said}"
            );
        };
        let en = |said, expected| check(RULE, said, Language::En, expected);
        en(
            "Unless the board approves, an agent shall not be paid more than EUR 500 by a bank within 30 days.",
            None,
        );
        en(
            "Unless the board approves, an agent shall not be paid more than EUR 600 by a bank within 30 days.",
            Some("number_changed"),
        );
        en(
            "Unless the board approves, an agent may not be paid more than EUR 500 by a bank within 30 days.",
            Some("modal_changed"),
        );
        en(
            "Unless the board approves, an agent shall be paid more than EUR 500 by a bank within 30 days.",
            Some("negation_changed"),
        );
        en(
            "If the board approves, an agent shall not be paid more than EUR 500 by a bank within 30 days.",
            Some("negation_changed"),
        );
        en(RULE, Some("copy"));
        en("No.", Some("length"));
        en(
            "除董事会批准外，银行不得在30日内向代理人支付超过500欧元的报酬，这是一条规定，任何人都必须遵守它。",
            Some("other_language"),
        );
        let zh = |said, expected| check(REGEL, said, Language::Zh, expected);
        zh(
            "除董事会批准的外，代理人在30日内不得从银行取得超过500欧元的报酬。",
            None,
        );
        zh(
            "除董事会批准的外，代理人在三十日内不得从银行取得超过500欧元的报酬。",
            None,
        );
        zh(
            "除董事会批准的外，代理人在60日内不得从银行取得超过500欧元的报酬。",
            Some("number_changed"),
        );
        zh(
            "除董事会批准的外，代理人在30日内可以从银行取得超过500欧元的报酬。",
            Some("modal_changed"),
        );
        let dated = "The report shall be filed by 31 March 2025.";
        let said = "By 30 March 2025 the report shall be filed.";
        check(dated, said, Language::En, Some("number_changed"));
        check(
            dated,
            "By 31 May 2025 the report shall be filed.",
            Language::En,
            Some("date_changed"),
        );
        check(
            dated,
            "By 31 March 2025 the report shall be filed.",
            Language::En,
            None,
        );
    }

    #[test]
    fn a_translation_is_in_the_other_language_and_keeps_what_binds() {
        let check = |text: &str, said: &str, language, expected: Option<&str>| {
            let json = serde_json::json!({"translation": said}).to_string();
            let (read, fault) = read_translation(&answer(&json), text, language);
            let tag = fault.as_ref().map(RewriteFault::tag);
            assert_eq!((read.as_deref(), tag), (Some(said), expected), "{said}");
        };
        check(RULE, REGEL, Language::En, None);
        check(REGEL, RULE, Language::Zh, None);
        let other = REGEL.replace("500", "600");
        check(RULE, &other, Language::En, Some("number_changed"));
        check(RULE, "银行。", Language::En, Some("length"));
        check(RULE, RULE, Language::En, Some("other_language"));
        check(RULE, REGEL, Language::Ko, Some("other_language"));
    }

    #[test]
    fn queries_are_three_and_differ() {
        let check = |queries: &[&str], expected: Option<&str>| {
            let json = serde_json::json!({"queries": queries}).to_string();
            let (_, fault) = read_queries(&answer(&json), RULE, Language::En);
            assert_eq!(
                fault.as_ref().map(RewriteFault::tag),
                expected,
                "{queries:?}"
            );
        };
        check(
            &[
                "How much may a bank pay an agent?",
                "agent payment limit",
                "paying our agents too much",
            ],
            None,
        );
        check(
            &["How much may a bank pay an agent?", "agent payment limit"],
            Some("few_queries"),
        );
        check(
            &[
                "How much may a bank pay?",
                "how much may a bank pay",
                "agent limit",
            ],
            Some("few_queries"),
        );
        check(
            &[RULE, "agent payment limit", "paying our agents too much"],
            Some("copy"),
        );
        check(
            &[
                "银行可以付给代理人多少钱？",
                "agent payment limit",
                "paying agents",
            ],
            Some("other_language"),
        );
        let (read, fault) = read_queries(&answer("no"), RULE, Language::En);
        assert_eq!(
            (read, fault),
            (None, Some(RewriteFault::Unparseable(Unparseable::NoObject)))
        );
    }
}
