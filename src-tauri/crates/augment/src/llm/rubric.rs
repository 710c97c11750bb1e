//! Judging written answers: five marks for one, and which of two is better.

use super::{AnswerText, Answers, Planned};
use crate::endpoint::Shape;
use crate::endpoint::object::{self, Unparseable};
use crate::fence::fenced;
use crate::wording::{Why, Wordings};
use lexforge_domain::SentenceId;
use lexforge_domain::api::PromptKind;
use lexforge_domain::text::Language;
use serde::Deserialize;
use std::sync::Arc;
use strum::IntoStaticStr;

/// The marks by their names, in the order of [`Marks::all`].
pub const MARKS: [&str; 5] = ["correct", "complete", "grounded", "restrained", "plain"];
/// The highest mark; the lowest is 1.
pub(crate) const HIGHEST_MARK: u8 = 5;

/// Says what to ask a judge about written answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubricPrompter {
    /// Distinguishes models of the same name.
    pub identity: String,
    pub model: String,
    /// Most tokens of an answer.
    pub max_tokens: u32,
    /// How often the judge is asked again if its reply cannot be read.
    pub reasks: u32,
    /// The wordings in use.
    pub wordings: Arc<Wordings>,
}

/// A question and the rule by which its answers are judged.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The sentences that the rule consists of.
    pub sentences: &'a [SentenceId],
    pub rule: &'a str,
    pub language: Language,
    pub question: &'a str,
}

/// The marks of an answer, each from 1 to `HIGHEST_MARK`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// One sentence on the worst fault.
    pub reason: String,
    /// It says what the rule says.
    pub correct: u8,
    /// It says all that was asked for.
    pub complete: u8,
    /// Everything that the answer says is in the rule.
    pub grounded: u8,
    /// It says no more than the rule.
    pub restrained: u8,
    /// It is understood at first reading.
    pub plain: u8,
}

impl Marks {
    /// All five, as [`MARKS`] names them.
    pub fn all(&self) -> [u8; 5] {
        [
            self.correct,
            self.complete,
            self.grounded,
            self.restrained,
            self.plain,
        ]
    }
}

/// Which of two answers is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum Better {
    /// The one that stood first.
    First,
    /// The other.
    Second,
    /// No difference matters.
    Neither,
}

impl Better {
    /// The word by which a judge says it.
    pub fn tag(self) -> &'static str {
        self.into()
    }
}

/// The state of asking a judge.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged<T> {
    /// It has answered.
    Read(T),
    /// This prompt must be sent next.
    Open(Box<Planned>),
    /// Every answer was tried, and none could be read.
    GivenUp,
}

impl<T> Judged<T> {
    /// The prompt that must be sent next, if there is one.
    pub fn open(self) -> Option<Planned> {
        match self {
            Self::Open(planned) => Some(*planned),
            Self::Read(_) | Self::GivenUp => None,
        }
    }
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Choice {
    reason: String,
    better: Better,
}

impl RubricPrompter {
    /// The state of marking an answer. `unparseable` is called for each reply that cannot be read.
    pub fn marks(
        &self,
        asked: Asked<'_>,
        answer: &str,
        answers: Answers<'_>,
        unparseable: &mut dyn FnMut(Unparseable),
    ) -> Judged<Marks> {
        let answer = [("answer", fenced("W", answer))];
        let planned = |again| {
            self.planned(
                PromptKind::AnswerMarks,
                asked,
                &answer,
                again,
                marks_shape(),
            )
        };
        self.waited(answers, planned, read_marks, unparseable)
    }

    /// The state of comparing two answers, shown in this order.
    pub fn better(
        &self,
        asked: Asked<'_>,
        [first, second]: [&str; 2],
        answers: Answers<'_>,
        unparseable: &mut dyn FnMut(Unparseable),
    ) -> Judged<Better> {
        let both = [
            ("first", fenced("F", first)),
            ("second", fenced("S", second)),
        ];
        let planned =
            |again| self.planned(PromptKind::AnswerPair, asked, &both, again, pair_shape());
        self.waited(answers, planned, read_better, unparseable)
    }

    fn planned(
        &self,
        kind: PromptKind,
        asked: Asked<'_>,
        answers: &[(&'static str, String)],
        again: Option<(usize, Why)>,
        shape: Shape,
    ) -> Planned {
        let (rule, question) = (fenced("A", asked.rule), fenced("Q", asked.question));
        let mut filled = vec![("anchor", rule.as_str()), ("question", question.as_str())];
        filled.extend(answers.iter().map(|(name, text)| (*name, text.as_str())));
        let words = self.wordings.get(kind, asked.language);
        let prompt = words.prompt(&filled, again, self.max_tokens, shape);
        Planned {
            key: prompt.key(&self.identity, &self.model),
            prompt,
            sentences: asked.sentences.to_vec(),
        }
    }

    fn waited<T>(
        &self,
        answers: Answers<'_>,
        planned: impl Fn(Option<(usize, Why)>) -> Planned,
        read: impl Fn(&AnswerText) -> Result<T, Unparseable>,
        unparseable: &mut dyn FnMut(Unparseable),
    ) -> Judged<T> {
        let mut again = None;
        for attempt in 1..=self.reasks as usize + 1 {
            let planned = planned(again);
            let Some(answer) = answers(&planned.key) else {
                return Judged::Open(Box::new(planned));
            };
            match read(&answer) {
                Ok(read) => return Judged::Read(read),
                Err(why) => {
                    unparseable(why);
                    again = Some((attempt, Why::Unparseable(why)));
                }
            }
        }
        Judged::GivenUp
    }
}

/// Reads the marks of a judge's reply.
///
/// # Errors
/// The reason why it cannot be read; a mark that is not a whole number from 1 to 5 is an error, too.
pub fn read_marks(answer: &AnswerText) -> Result<Marks, Unparseable> {
    let marks: Marks = object::read(&answer.text, &answer.finish)?;
    match marks.all().iter().all(|m| (1..=HIGHEST_MARK).contains(m)) {
        true => Ok(marks),
        false => Err(Unparseable::WrongContent),
    }
}

/// Reads which of two answers a judge finds better.
///
/// # Errors
/// The reason why it cannot be read.
pub fn read_better(answer: &AnswerText) -> Result<Better, Unparseable> {
    let choice: Choice = object::read(&answer.text, &answer.finish)?;
    match choice.reason.trim().is_empty() {
        false => Ok(choice.better),
        true => Err(Unparseable::WrongContent),
    }
}

fn marks_shape() -> Shape {
    let mark = serde_json::json!({"type": "integer", "minimum": 1, "maximum": HIGHEST_MARK});
    let mut properties = serde_json::Map::new();
    properties.insert("reason".to_owned(), serde_json::json!({"type": "string"}));
    properties.extend(MARKS.map(|name| (name.to_owned(), mark.clone())));
    let required: Vec<&str> = std::iter::once("reason").chain(MARKS).collect();
    Shape {
        name: "marks",
        schema: serde_json::json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    }
}

fn pair_shape() -> Shape {
    Shape {
        name: "preference",
        schema: serde_json::json!({
            "type": "object",
            "properties": {
                "reason": {"type": "string"},
                "better": {"type": "string", "enum": ["first", "second", "neither"]},
            },
            "required": ["reason", "better"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::endpoint::PromptKey;
    use std::cell::RefCell;

    fn text(text: &str) -> AnswerText {
        AnswerText {
            text: text.to_owned(),
            finish: "stop".to_owned(),
        }
    }

    const GOOD: &str =
        r#"{"reason":"none","correct":5,"complete":4,"grounded":3,"restrained":2,"plain":1}"#;

    #[test]
    fn marks_are_whole_numbers_from_one_to_five_and_nothing_else() {
        assert_eq!(read_marks(&text(GOOD)).unwrap().all(), [5, 4, 3, 2, 1]);
        for (from, to) in [
            ("5", "6"),
            ("1", "0"),
            ("4", "4.5"),
            ("\"plain\":1", "\"plain\":1,\"x\":1"),
            (",\"plain\":1", ""),
        ] {
            assert!(read_marks(&text(&GOOD.replace(from, to))).is_err(), "{to}");
        }
        let better = |word: &str| {
            let reply = format!("Well: {{\"reason\":\"S is wrong\",\"better\":\"{word}\"}}");
            read_better(&text(&reply))
        };
        assert_eq!(better("first"), Ok(Better::First));
        assert_eq!(better("neither"), Ok(Better::Neither));
        assert_eq!(better("F"), Err(Unparseable::WrongFields));
    }

    #[test]
    fn a_reply_that_cannot_be_read_is_asked_for_anew_and_counted() {
        let prompter = RubricPrompter {
            identity: "here".to_owned(),
            model: "m".to_owned(),
            max_tokens: 100,
            reasks: 1,
            wordings: Arc::new(Wordings::default()),
        };
        let ids = [SentenceId(3)];
        let asked = Asked {
            sentences: &ids,
            rule: "A bank shall keep records.",
            language: Language::En,
            question: "What shall a bank keep?",
        };
        let kept: RefCell<Vec<(PromptKey, AnswerText)>> = RefCell::default();
        let answers = |key: &PromptKey| {
            let kept = kept.borrow();
            let found = kept.iter().find(|(known, _)| known == key);
            found.map(|(_, answer)| answer.clone())
        };
        let mut faults = Vec::new();
        let mut asks = Vec::new();
        for reply in ["no marks", "{}"] {
            let Judged::Open(planned) =
                prompter.marks(asked, "Records.", &answers, &mut |why| faults.push(why))
            else {
                panic!("it was not asked");
            };
            assert_eq!(planned.sentences, [SentenceId(3)]);
            asks.push(planned.prompt.user.clone());
            kept.borrow_mut().push((planned.key, text(reply)));
        }
        assert!(asks[1].starts_with(&asks[0]) && asks[1].contains("Answer 1 could not be used"));
        faults.clear();
        let ended = prompter.marks(asked, "Records.", &answers, &mut |why| faults.push(why));
        assert_eq!(ended, Judged::GivenUp);
        assert_eq!(faults, [Unparseable::NoObject, Unparseable::WrongFields]);
        // The two orders of a pair are two prompts.
        let key = |pair: [&str; 2]| match prompter.better(asked, pair, &answers, &mut |_| ()) {
            Judged::Open(planned) => planned.key,
            other => panic!("{other:?}"),
        };
        assert_ne!(key(["Records.", "Books."]), key(["Books.", "Records."]));
    }
}
