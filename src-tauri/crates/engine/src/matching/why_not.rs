//! Why a statement does not cover a rule.

use super::apart::Apart;
use super::holding::{left_out, shared};
use super::pick::Picked;
use super::told::counted;
use super::verdict::{Beside, SAME_MATTER, looser_figures};
use lexforge_domain::api::{DifferenceKind, DifferenceSide, WhyNot, WhyNotReason};
use lexforge_domain::text::SentenceKind;

impl Beside {
    /// Why it does not cover the rule.
    pub fn why_not(&self, rule: &Picked, statement: &Picked) -> WhyNot {
        let quoted = |words: &[String]| {
            let quoted: Vec<String> = words.iter().map(|w| format!("“{w}”")).collect();
            quoted.join(", ")
        };
        let (reason, words, text) = if statement.kind == SentenceKind::Definition {
            let text = "It says what a word means and binds nobody.".to_owned();
            (WhyNotReason::BindsNobody, Vec::new(), text)
        } else if statement.kind == SentenceKind::Heading {
            let text = "It is a title, and does not say what is done.".to_owned();
            (WhyNotReason::Title, Vec::new(), text)
        } else if self.of_a_document {
            let text = "It says what a document is for or where something is written, and not what is done.".to_owned();
            (WhyNotReason::OfADocument, Vec::new(), text)
        } else if self.quotes {
            let text =
                "It quotes a text or copies the rules, and does not say what is done.".to_owned();
            (WhyNotReason::Quotes, Vec::new(), text)
        } else if let Some(d) = self
            .differences
            .iter()
            .find(|d| matches!(d.side, DifferenceSide::Weaker | DifferenceSide::Looser))
        {
            let words = vec![d.rule.clone(), d.policy.clone()];
            let text = format!(
                "It says {} where the rule says {}.",
                quoted(&words[1..]),
                quoted(&words[..1])
            );
            (WhyNotReason::TooWeak, words, text)
        } else if let Some(d) = self
            .differences
            .iter()
            .find(|d| !d.rule.is_empty() && !d.policy.is_empty())
        {
            let words = vec![d.rule.clone(), d.policy.clone()];
            let text = format!(
                "It has {} where the rule has {}.",
                quoted(&words[1..]),
                quoted(&words[..1])
            );
            (WhyNotReason::Differs, words, text)
        } else if self.likeness.covered < SAME_MATTER {
            let words = shared(&rule.shown.text, &statement.shown.text);
            let text = if words.is_empty() {
                "It is about something else: it has none of the rule's words.".to_owned()
            } else {
                format!(
                    "It is about something else: of the rule's words it has only {}.",
                    quoted(&words)
                )
            };
            (WhyNotReason::AnotherMatter, words, text)
        } else if let Some(Apart::OwnWords(words) | Apart::Heading(words)) = &self.apart {
            let text = format!(
                "It has none of the words that tell this rule from the others under its heading: {}.",
                quoted(words)
            );
            (WhyNotReason::AnotherRule, words.clone(), text)
        } else if self.apart == Some(Apart::Review) {
            let text = "The rule demands a review or an update, and it speaks of none or of that of something else.".to_owned();
            (WhyNotReason::NoReview, Vec::new(), text)
        } else {
            let words = left_out(&rule.shown.text, &statement.shown.text);
            let text = format!("It says nothing of {}.", quoted(&words));
            (WhyNotReason::LeavesOut, words, text)
        };
        // The two may be too unlike for a verdict by their figures. A reader still wants to know of them.
        let is_compared = self
            .differences
            .iter()
            .any(|d| d.kind != DifferenceKind::Silent);
        let figures = match rule.language == statement.language && !is_compared {
            true => looser_figures(rule, statement),
            false => Vec::new(),
        };
        let text = figures.iter().fold(text, |text, (of_rule, said)| {
            let figure = format!(
                "It says {} where the rule says {}.",
                quoted(&[counted(said)]),
                quoted(&[counted(of_rule)])
            );
            format!("{text} {figure}")
        });
        WhyNot {
            reason,
            words,
            text,
        }
    }
}
