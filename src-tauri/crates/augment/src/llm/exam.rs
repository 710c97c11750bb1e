//! Asks a model the questions of a bench: first with the choices, so that it names the right one, and then without
//! them.
//!
//! The prompts are files in `prompts/bench`. Users cannot edit them, so all systems of a table are asked the same. Each
//! question is asked once, because the other systems also get only one try.

use super::{AnswerText, Planned};
use crate::endpoint::object::{self, Unparseable};
use crate::endpoint::{Prompt, Shape};
use crate::fence::fenced;
use crate::wording::own_language;
use lexforge_domain::SentenceId;
use lexforge_domain::text::Language;
use serde::Deserialize;

/// Longest answer in free words that is kept, in characters: no sentence of a regulation is longer.
const LONGEST: usize = 2_000;

/// Says what to ask a model that is a system of the bench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamPrompter {
    /// Distinguishes models of the same name.
    pub identity: String,
    pub model: String,
    /// Most tokens of an answer.
    pub max_tokens: u32,
}

/// A question of the bench.
#[derive(Clone, Copy, Debug)]
pub struct ExamAsked<'a> {
    /// The sentences of documents that it is made of.
    pub sentences: &'a [SentenceId],
    pub language: Language,
    pub question: &'a str,
    /// Its choices, in the order in which they are listed.
    pub choices: &'a [String],
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Named {
    choices: Vec<usize>,
}

impl ExamPrompter {
    /// The question with its choices listed.
    pub fn choosing(&self, asked: ExamAsked<'_>) -> Planned {
        let system = match own_language(asked.language) {
            Language::Zh => include_str!("../../prompts/bench/choose.zh.txt"),
            _ => include_str!("../../prompts/bench/choose.en.txt"),
        };
        let listed = (1..).zip(asked.choices);
        let listed: Vec<String> = listed
            .map(|(number, choice): (usize, _)| fenced(&number.to_string(), choice))
            .collect();
        let user = format!("{}\n\n{}", fenced("Q", asked.question), listed.join("\n"));
        let prompt = Prompt::new(system.trim_end(), user, self.max_tokens);
        self.planned(prompt.in_shape(shape(asked.choices.len())), asked.sentences)
    }

    /// The question by itself.
    pub fn writing(&self, asked: ExamAsked<'_>) -> Planned {
        let system = match own_language(asked.language) {
            Language::Zh => include_str!("../../prompts/bench/write.zh.txt"),
            _ => include_str!("../../prompts/bench/write.en.txt"),
        };
        let user = fenced("Q", asked.question);
        let prompt = Prompt::new(system.trim_end(), user, self.max_tokens);
        self.planned(prompt, asked.sentences)
    }

    fn planned(&self, prompt: Prompt, sentences: &[SentenceId]) -> Planned {
        Planned {
            key: prompt.key(&self.identity, &self.model),
            prompt,
            sentences: sentences.to_vec(),
        }
    }
}

/// Reads which of `of` choices an answer names, counted from 0, in their order.
///
/// # Errors
/// The reason why the answer cannot be read. A number that belongs to no choice is an error, too.
pub fn read_choices(answer: &AnswerText, of: usize) -> Result<Vec<usize>, Unparseable> {
    let Named { mut choices } = object::read(&answer.text, &answer.finish)?;
    choices.sort_unstable();
    choices.dedup();
    if choices.is_empty() || choices.iter().any(|n| !(1..=of).contains(n)) {
        return Err(Unparseable::WrongContent);
    }
    Ok(choices.into_iter().map(|n| n - 1).collect())
}

/// The words of an answer to a question without choices; none where the model declined.
pub fn read_words(answer: &AnswerText) -> String {
    if matches!(answer.finish.as_str(), "refusal" | "content_filter") {
        return String::new();
    }
    answer.text.trim().chars().take(LONGEST).collect()
}

fn shape(choices: usize) -> Shape {
    let number = serde_json::json!({"type": "integer", "minimum": 1, "maximum": choices});
    Shape {
        name: "choices",
        schema: serde_json::json!({
            "type": "object",
            "properties": {"choices": {"type": "array", "items": number, "minItems": 1}},
            "required": ["choices"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn said(text: &str) -> AnswerText {
        AnswerText {
            text: text.to_owned(),
            finish: "stop".to_owned(),
        }
    }

    #[test]
    fn choices_are_named_by_numbers_that_there_are() {
        let read = |text: &str| read_choices(&said(text), 4);
        assert_eq!(read("{\"choices\": [2]}").unwrap(), [1]);
        assert_eq!(read("It is {\"choices\": [4, 1, 4]}.").unwrap(), [0, 3]);
        for wrong in [
            "{\"choices\": []}",
            "{\"choices\": [0]}",
            "{\"choices\": [5]}",
            "{\"choices\": [1, 9]}",
        ] {
            assert_eq!(read(wrong), Err(Unparseable::WrongContent), "{wrong}");
        }
        assert_eq!(read("the second"), Err(Unparseable::NoObject));
        assert_eq!(read("{\"choice\": 2}"), Err(Unparseable::WrongFields));
    }

    #[test]
    fn the_question_is_asked_with_its_choices_and_without() {
        let prompter = ExamPrompter {
            identity: "here".to_owned(),
            model: "m".to_owned(),
            max_tokens: 50,
        };
        let choices = ["the board", "the auditor"].map(str::to_owned);
        let sentences = [SentenceId(7)];
        let asked = |language| ExamAsked {
            sentences: &sentences,
            language,
            question: "Who approves the plan?",
            choices: &choices,
        };
        let choosing = prompter.choosing(asked(Language::En));
        let writing = prompter.writing(asked(Language::En));
        for planned in [&choosing, &writing] {
            assert_eq!(planned.sentences, sentences);
            assert!(planned.prompt.user.contains("Who approves the plan?"));
        }
        assert!(choosing.prompt.user.contains("the auditor"));
        assert!(!writing.prompt.user.contains("the auditor"));
        assert_ne!(choosing.key, writing.key);
        let chinese = prompter.choosing(asked(Language::Zh));
        assert!(chinese.prompt.system.contains("选项") && chinese.key != choosing.key);
        // Another order of the choices is another question.
        let turned = ["the auditor", "the board"].map(str::to_owned);
        let turned = ExamAsked {
            choices: &turned,
            ..asked(Language::En)
        };
        assert_ne!(prompter.choosing(turned).key, choosing.key);
        assert_eq!(read_words(&said(" The board.\n")), "The board.");
        let declined = AnswerText {
            finish: "refusal".to_owned(),
            ..said("I cannot say.")
        };
        assert_eq!(read_words(&declined), "");
    }
}
