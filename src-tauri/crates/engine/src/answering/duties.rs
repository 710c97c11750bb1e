//! Duties that an English question asks about, and sentences that impose or lift them.

use super::own_words::share_in;
use lexforge_domain::document::Sentence;
use lexforge_store::{formal, words};
use lexforge_text::duty;
use lexforge_text::expected::Beside;
use std::collections::HashSet;

/// The duty that a question asks about, by its verb.
pub(super) enum Duty {
    /// Who has it: "Who must appoint a warden?"
    LaidOn(String),
    /// With whom it is done: "Who must be told of a wreck?"
    DoneTo(String),
    /// Until when it is done: "When must a wreck be reported?"
    Due(String),
}

impl Duty {
    /// The duty that an English question asks about. `None` where it asks for something else.
    pub(super) fn asked_of(question: &str) -> Option<Self> {
        let laid = duty::asked_of(question).map(Self::LaidOn);
        laid.or_else(|| duty::done_to_whom(question).map(Self::DoneTo))
    }

    /// Whether one of the sentences imposes the duty in so many words and has all of the question's own words. If the time
    /// is asked for, the sentence also says when.
    pub(super) fn is_outright_in(&self, own: &HashSet<String>, sentences: &[Sentence]) -> bool {
        let imposes = |s: &Sentence| match self {
            Self::LaidOn(verb) => duty::is_laid_outright(&s.text, |word| is_form_of(verb, word)),
            Self::Due(verb) => {
                Beside::Time.is_in(&s.text)
                    && duty::is_demanded(&s.text, |word| is_form_of(verb, word))
            }
            Self::DoneTo(_) => false,
        };
        sentences
            .iter()
            .any(|s| imposes(s) && share_in(own, s) >= 1.0)
    }

    /// The duty whose bearer or whose time an English question asks for. `None` for a question about what need not or must
    /// not be done.
    pub(super) fn of_whom_or_when(question: &str) -> Option<Self> {
        let denies = |word: &String| matches!(word.as_str(), "not" | "never" | "without");
        if lexforge_text::words(question).iter().any(denies) {
            return None;
        }
        let laid = duty::asked_of(question).map(Self::LaidOn);
        laid.or_else(|| duty::due_when(question).map(Self::Due))
    }

    /// Whether one of the sentences lifts the duty, and none says that it must be done all the same.
    pub(super) fn is_only_lifted(&self, sentences: &[Sentence]) -> bool {
        let (Self::LaidOn(verb) | Self::DoneTo(verb) | Self::Due(verb)) = self;
        let is_verb = |word: &str| is_form_of(verb, word);
        let is_lifted = |s: &Sentence| duty::is_lifted(&s.text, is_verb);
        let is_demanded =
            |s: &Sentence| duty::demands(&s.text) && duty::is_demanded(&s.text, is_verb);
        sentences.iter().any(is_lifted)
            && !sentences.iter().any(|s| !is_lifted(s) && is_demanded(s))
    }

    /// Whether one of the sentences imposes the duty and has this share of the question's own words.
    pub(super) fn is_in(&self, own: &HashSet<String>, sentences: &[Sentence], share: f64) -> bool {
        let imposes = |sentence: &str| match self {
            Self::LaidOn(verb) => duty::is_laid(sentence, |word| is_form_of(verb, word)),
            Self::DoneTo(verb) | Self::Due(verb) => {
                duty::is_demanded(sentence, |word| is_form_of(verb, word))
            }
        };
        sentences
            .iter()
            .any(|s| imposes(&s.text) && share_in(own, s) >= share)
    }
}

/// Whether a word is a form of a verb, or of a verb that rules use instead of it.
fn is_form_of(verb: &str, word: &str) -> bool {
    let asked = words(verb);
    let stands =
        |one: &String| asked.contains(one) || asked.iter().any(|a| formal(a).contains(one));
    words(word).iter().any(stands)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;
    use crate::answering::own_words::own_words;
    use lexforge_domain::text::SentenceKind;

    const HALF: f64 = 0.5;

    fn rules(texts: &[&str]) -> Vec<Sentence> {
        let of = |text: &&str| sentence(SentenceKind::Rule, text);
        texts.iter().map(of).collect()
    }

    #[test]
    fn a_duty_and_its_time_are_said_outright() {
        for (question, text, said) in [
            (
                "Who must file a berth log?",
                "A pilot must file a berth log.",
                true,
            ),
            (
                "Who must file a berth log?",
                "A pilot must file a log.",
                false,
            ),
            (
                "Who must file a berth log?",
                "A berth log must be filed.",
                false,
            ),
            (
                "When must a wreck be reported?",
                "A master must notify a wreck within 3 days.",
                true,
            ),
            (
                "When must a wreck be reported?",
                "A master must notify a wreck.",
                false,
            ),
            (
                "When must a wreck be reported?",
                "A wreck is towed within 3 days.",
                false,
            ),
        ] {
            let duty = Duty::of_whom_or_when(question).unwrap();
            let found = duty.is_outright_in(&own_words(question), &rules(&[text]));
            assert_eq!(found, said, "{question} {text}");
        }
    }

    #[test]
    fn what_is_denied_is_no_duty() {
        for question in [
            "Who must not file a log?",
            "When must a wreck not be reported?",
            "When must a berth be painted without delay?",
        ] {
            assert!(Duty::of_whom_or_when(question).is_none(), "{question}");
        }
    }

    #[test]
    fn a_duty_that_is_lifted_may_be_laid_beside_it() {
        let duty = Duty::asked_of("Who must file a log?").unwrap();
        for (texts, only) in [
            (&["A tug is not required to file a log."][..], true),
            (
                &["A tug need not file a log.", "Barges must file a log."],
                false,
            ),
            (
                &["A tug need not file a log.", "Barges should be seen."],
                true,
            ),
            (&["Barges must file a log."], false),
        ] {
            assert_eq!(duty.is_only_lifted(&rules(texts)), only, "{texts:?}");
        }
    }

    /// Whether the duty that a question asks for is in each text, by half of the question's words and by all of them.
    fn check_duty(question: &str, texts: &[(&str, bool, bool)]) {
        let duty = Duty::asked_of(question).unwrap();
        for (text, half, whole) in texts {
            let found = |share| duty.is_in(&own_words(question), &rules(&[*text]), share);
            assert_eq!((found(HALF), found(1.0)), (*half, *whole), "{text}");
        }
    }

    #[test]
    fn who_must_be_told_is_said_by_a_sentence_that_demands_it() {
        let question = "Who has to be told when a wreck is found?";
        let told = [
            (
                "The rule requires that the board be notified of each wreck found.",
                true,
                true,
            ),
            ("The board must be notified of a wreck.", true, false),
            ("The board must be notified of a fee.", false, false),
            ("A master who found a wreck is free of fees.", false, false),
        ];
        check_duty(question, &told);
    }

    #[test]
    fn a_duty_is_laid_by_a_sentence_that_has_the_verb() {
        let question = "Who must appoint a quay warden?";
        let laid = [
            ("Each quay shall designate a warden.", true, true),
            ("Each port shall designate a warden.", true, false),
            ("Several quays may appoint one warden.", false, false),
            ("A quay shall hear the warden.", false, false),
        ];
        check_duty(question, &laid);
    }
}
