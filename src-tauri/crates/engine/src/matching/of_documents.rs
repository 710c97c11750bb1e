//! Statements about documents: what a policy is for, to whom it applies, or in which document something is written.
//!
//! "This policy defines requirements for suppliers" has most words of a rule about suppliers and does not say what is
//! done with them. It bears only on a rule that demands such a document.

use super::says_nothing::item;
use lexforge_text::is_han;
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
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
/// Chinese beginnings and parts of sentences about a document.
const SPEAKS_HAN: [&str; 4] = ["制定本", "详见《", "参见《", "本文件旨在"];
/// Names of Chinese documents, and verbs that demand one.
const DOCUMENTS_HAN: [&str; 7] = ["办法", "制度", "规程", "细则", "预案", "政策", "流程"];
const SETS_UP_HAN: [&str; 4] = ["制定", "建立", "健全", "制订"];

/// Whether a statement speaks of a document, and does not say what is done.
pub(super) fn speaks_of_one(statement: &str) -> bool {
    let statement = item(statement);
    // A passage of several sentences says more.
    let end = statement.trim_end_matches(['.', '。']);
    if end.contains(". ") || end.contains('。') {
        return false;
    }
    if statement.contains(is_han) {
        let applies = statement.starts_with('本') && statement.contains("适用于");
        return applies || SPEAKS_HAN.iter().any(|part| statement.contains(part));
    }
    let told = tokens(&statement);
    // Who writes how many or how long says more than what the document is about.
    let has_figure = statement.contains(|c: char| c.is_ascii_digit());
    !has_figure && (says_its_purpose(&told) || says_where_it_is_written(&told))
}

/// "The purpose of this policy is …", "This document describes …", "This policy applies to …".
fn says_its_purpose(told: &[String]) -> bool {
    (0..told.len()).filter(|at| told[*at] == "this").any(|at| {
        let behind = told.get(at + 1..).unwrap_or_default();
        let Some(name) = named(behind, BEFORE_ITS_NAME) else {
            return false;
        };
        let of_its_purpose = at >= 2 && told[at - 1] == "of" && told[at - 2] == "purpose";
        let mut rest = behind[name + 1..].iter().map(String::as_str);
        let verb = rest.find(|word| !matches!(*word, "also" | "further" | "and"));
        of_its_purpose || verb.is_some_and(|verb| IS_ABOUT.contains(verb))
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
    WRITTEN.contains(&written.as_str()) && in_it && named(rest, BEFORE_ANOTHER).is_some()
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
        let forms = [Some(verb), verb.strip_suffix("ed"), verb.strip_suffix('d')];
        let sets_up = forms.into_iter().flatten().any(|f| SETS_UP.contains(f));
        let passive = at >= 1 && told[at - 1] == "be";
        let demanded = match passive {
            true => &told[..at],
            false => told.get(at + 1..).unwrap_or_default(),
        };
        let most = if passive { at } else { BEFORE_DEMANDED };
        sets_up && named(demanded, most).is_some()
    })
}

/// The place of the first name of a document behind at most so many words.
fn named(words: &[String], most: usize) -> Option<usize> {
    let mut first = words.iter().take(most + 1);
    first.position(|word| DOCUMENTS.contains(word.as_str()))
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
            "本办法适用于全体员工。",
            "为规范借用工具，制定本办法。",
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
            "The master and the pilot define the route in a plan.",
            "员工按本办法归还工具。",
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
            "港务局应当建立工具借用制度。",
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
