//! Statements about documents: what a policy is for, to whom it applies, or in which document something is written.
//!
//! "This policy defines requirements for suppliers" has most words of a rule about suppliers and does not say what is
//! done with them. It bears only on a rule that demands such a document.

use super::says_nothing::item;
use lexforge_text::lists::Word;
use lexforge_text::{is_han, numerals, word_lists};
use std::collections::HashSet;

word_lists! {
    /// Names of documents.
    DOCUMENTS: HashSet<Word> = "documents.txt";
    /// Verbs by which a document says what it is about.
    IS_ABOUT: HashSet<Word> = "is_about.txt";
    /// Verbs of a rule that demands a document.
    SETS_UP: HashSet<Word> = "sets_up.txt";
}

/// Words between "this" and the name of the document: "this information security policy".
const BEFORE_ITS_NAME: usize = 4;
/// Words between "is defined in" and the name of the document.
const BEFORE_ANOTHER: usize = 8;
/// Words between a verb and the document that it demands: "establish, document and implement access control policies".
const BEFORE_DEMANDED: usize = 12;
/// What is written somewhere: "is described in".
const WRITTEN: [&str; 5] = ["defined", "described", "outlined", "detailed", "explained"];
/// Words at which the name of a document has ended: "the plan that", "the owner in".
const BEHIND_ITS_NAME: [&str; 6] = ["in", "that", "to", "under", "which", "with"];
/// Chinese words before the name of another document.
const SEE_HAN: [&str; 2] = ["详见《", "参见《"];
/// What a Chinese document calls itself where it says why it was made: "制定本办法".
const ITSELF_HAN: [&str; 11] = [
    "办法", "制度", "规程", "细则", "预案", "政策", "流程", "规定", "规则", "规范", "标准",
];
/// Names of Chinese documents, and verbs that demand one.
const DOCUMENTS_HAN: [&str; 11] = [
    "办法", "制度", "规程", "细则", "预案", "政策", "流程", "规则", "计划", "方案", "手册",
];
const SETS_UP_HAN: [&str; 4] = ["制定", "建立", "健全", "制订"];

/// Whether a statement speaks of a document, and does not say what is done.
pub(super) fn speaks_of_one(statement: &str) -> bool {
    let statement = item(statement);
    // A passage of several sentences says more.
    let end = statement.trim_end_matches(['.', '。', ';', '；']);
    if end.contains(". ") || end.contains(['。', ';', '；']) {
        return false;
    }
    if end.contains(is_han) {
        return speaks_of_one_han(end);
    }
    let told = tokens(end);
    // Who writes how many or how long says more than what the document is about.
    let is_figure = |word: &String| numerals::english(word).is_some_and(|value| value > 1);
    let has_figure = end.contains(|c: char| c.is_ascii_digit()) || told.iter().any(is_figure);
    !has_figure && (says_its_purpose(&told) || says_where_it_is_written(&told))
}

/// Whether a Chinese statement, without its full stop, speaks of a document.
fn speaks_of_one_han(statement: &str) -> bool {
    // "权限按季度复核，详见《权限办法》" says what is done, and then where more is written.
    let is_one_clause = !statement.contains(['，', ',', '（', '(']);
    let applies = statement.starts_with('本') && statement.contains("适用于");
    let points = SEE_HAN.iter().any(|see| {
        let parts = statement.split_once(*see);
        parts.is_some_and(|(_, name)| name.ends_with('》'))
    });
    // "各部门制定本部门的预案" says what is done.
    let mut itself = ITSELF_HAN.iter().map(|name| format!("制定本{name}"));
    is_one_clause && (applies || points)
        || itself.any(|end| statement.ends_with(&end))
        || statement.contains("本文件旨在")
}

/// "The purpose of this policy is …", "This document describes …", "This policy applies to …".
fn says_its_purpose(told: &[String]) -> bool {
    (0..told.len()).filter(|at| told[*at] == "this").any(|at| {
        let behind = told.get(at + 1..).unwrap_or_default();
        let Some(name) = named(behind, BEFORE_ITS_NAME) else {
            return false;
        };
        let is_part = at >= 2 && told[at - 1] == "of";
        let part = if is_part { told[at - 2].as_str() } else { "" };
        // "For the purpose of this policy, the owner counts the tools" says what is done.
        let of_its_purpose = part == "purpose" && told[0] != "for";
        // "The owner reads this policy and explains it" says what the owner does.
        let is_subject = at <= 1 || part == "scope";
        let mut rest = behind[name + 1..].iter().map(String::as_str);
        let verb = rest.find(|word| !matches!(*word, "also" | "further" | "and"));
        of_its_purpose || is_subject && verb.is_some_and(|verb| IS_ABOUT.contains(verb))
    })
}

/// "Requirements for suppliers are defined in the Vendor Policy."
fn says_where_it_is_written(told: &[String]) -> bool {
    let Some(at) = told.iter().position(|word| word == "is" || word == "are") else {
        return false;
    };
    let rest = told.get(at + 1..).unwrap_or_default();
    let [written, place, rest @ ..] = rest else {
        return false;
    };
    let in_it = matches!(place.as_str(), "in" | "by");
    let ended = |word: &String| BEHIND_ITS_NAME.contains(&word.as_str());
    let end = rest.iter().position(ended).unwrap_or(rest.len());
    let Some(name) = named(&rest[..end], BEFORE_ANOTHER) else {
        return false;
    };
    // "… are described in the plan and reviewed by the owner" says what is done besides.
    let says_more = |word: &String| word == "is" || word == "are" || word.ends_with("ed");
    WRITTEN.contains(&written.as_str()) && in_it && !rest[name + 1..].iter().any(says_more)
}

/// Whether a rule demands that there is a document, as a policy or procedures.
pub(super) fn demands_one(rule: &str) -> bool {
    if rule.contains(is_han) {
        let has = |words: &[&str]| words.iter().any(|word| rule.contains(word));
        return has(&SETS_UP_HAN) && has(&DOCUMENTS_HAN);
    }
    let told = tokens(rule);
    (0..told.len()).any(|at| {
        let verb = told[at].as_str();
        let before = if at >= 1 { told[at - 1].as_str() } else { "" };
        let endings = ["ed", "d", "es", "s"].map(|ending| verb.strip_suffix(ending));
        let mut forms = endings.into_iter().flatten().chain([verb]);
        // "Policies are in place".
        let in_place = verb == "place" && before == "in";
        let sets_up = in_place || forms.any(|form| SETS_UP.contains(form));
        let passive = in_place || matches!(before, "be" | "is" | "are");
        let demanded = match passive {
            true => &told[..at],
            false => told.get(at + 1..).unwrap_or_default(),
        };
        let most = if passive { at } else { BEFORE_DEMANDED };
        sets_up && named(demanded, most).is_some()
    })
}

/// Whether a word in lower case is the name of a kind of document.
pub(super) fn names_one(word: &str) -> bool {
    DOCUMENTS.contains(word)
}

/// The place of the first name of a document behind at most so many words.
fn named(words: &[String], most: usize) -> Option<usize> {
    let mut first = words.iter().take(most + 1);
    first.position(|word| names_one(word))
}

/// Words in lower case, without the signs around them.
fn tokens(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_is_for_and_where_something_is_written_is_told_from_what_is_done() {
        for text in [
            "The purpose of this policy is to set rules for lent tools.",
            "a. This policy defines requirements for the oversight of carriers.",
            "This harbour safety policy also describes the roles of pilots.",
            "This document applies to all crews.",
            "Requirements for lent tools are defined in the Tool Policy (reference (b)).",
            "The choice of berths is described in Reference (a).",
            "The scope of this policy covers all crews.",
            "本办法适用于全体员工。",
            "为规范借用工具，制定本办法。",
            "借用要求详见《工具办法》。",
        ] {
            assert!(speaks_of_one(text), "{text}");
        }
        for text in [
            "This policy requires crews to lock the tools.",
            "This policy applies to all crews. Tools are locked at night.",
            "Lent tools are listed in the register.",
            "The purpose of each voyage is recorded.",
            "This procedure is tested each year.",
            "Tools are cleaned as described in the Tool Policy.",
            "This policy covers tools that are lent for more than 3 days.",
            "This policy covers tools that are lent for more than three days.",
            "This policy applies to all crews; tools are locked at night.",
            "The master and the pilot define the route in a plan.",
            "The owner reads this policy and explains it to crews.",
            "For the purpose of this policy, the owner counts the tools.",
            "Routes are defined by the pilot in the voyage plan.",
            "Berths are described in the port plan and reviewed by the master.",
            "员工按本办法归还工具。",
            "权限由港务长按季度复核，详见《权限办法》。",
            "各部门制定本部门的应急预案。",
        ] {
            assert!(!speaks_of_one(text), "{text}");
        }
    }

    #[test]
    fn a_rule_that_demands_a_document_is_told_from_others() {
        for rule in [
            "The harbour shall establish, document and implement a policy on lent tools.",
            "A procedure for lent tools shall be established.",
            "The harbour shall lay down rules for lent tools.",
            "Policies on lent tools are established and known.",
            "The harbour has a procedure for lent tools.",
            "The harbour shall put in place a plan for lent tools.",
            "Plans for lent tools shall be in place.",
            "港务局应当建立工具借用制度。",
            "港务局应当制定工具恢复计划。",
        ] {
            assert!(demands_one(rule), "{rule}");
        }
        for rule in [
            "In the tool policy, the harbour shall name who lends tools.",
            "As part of the tool policy, the harbour shall lay down criteria for lending.",
            "The harbour shall review the tool policy each year.",
            "船长应当归还工具。",
        ] {
            assert!(!demands_one(rule), "{rule}");
        }
    }
}
