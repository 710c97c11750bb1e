//! Questions about a term that several acts define: what does the term mean in its own act? The wrong choices are the
//! definitions of the other acts.

use super::plan::{AnswerText, Plan};
use super::sentence::{BORROWED, TOO_LIKE};
use crate::anchor::Anchor;
use crate::endpoint::object::{self, Unparseable};
use crate::endpoint::{Prompt, Shape};
use crate::fence::fenced;
use crate::grammar::grammar;
use crate::reasons::SkipReason;
use crate::wording::{Why, Wording};
use crate::words::{length, likeness};
use crate::{distractors, seed};
use lexforge_domain::SentenceId;
use lexforge_domain::api::PromptKind;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

/// Wrong choices of a question.
const WRONG: usize = 3;

/// The plan of a question about a term that other acts define differently.
pub(super) struct MeaningPlan {
    anchor: SentenceId,
    term: String,
    act: String,
    own: String,
    /// Other acts' definitions of the term, at most three.
    others: Vec<(SentenceId, String)>,
    rng: ChaCha8Rng,
}

/// The plan for an anchor that defines a term which other acts define differently. `None` if the anchor defines no such
/// term, or if its act has no name that a question could use.
pub(super) fn plan(anchor: &Anchor<'_>, seed: u64) -> Option<Result<MeaningPlan, SkipReason>> {
    let (term, own) = anchor.definition?;
    let act = anchor.document_title.trim();
    if anchor.elsewhere.is_empty() || act.is_empty() {
        return None;
    }
    let longest = grammar(anchor.language)?.longest();
    let own = bare(own);
    if length(own) > longest {
        return Some(Err(SkipReason::TooLong));
    }
    let mut others: Vec<(SentenceId, String)> = Vec::new();
    for (sentence, theirs) in &anchor.elsewhere {
        let theirs = bare(theirs);
        // Acts that copy a definition from each other say one thing.
        let known = others.iter().map(|(_, text)| text.as_str());
        let said = known
            .chain([own])
            .any(|text| likeness(text, theirs) >= TOO_LIKE);
        if !said && length(theirs) <= longest && others.len() < WRONG {
            others.push((*sentence, theirs.to_owned()));
        }
    }
    if others.is_empty() {
        return Some(Err(SkipReason::NoUsableNeighbour));
    }
    Some(Ok(MeaningPlan {
        anchor: anchor.id,
        term: term.to_owned(),
        act: act.to_owned(),
        own: own.to_owned(),
        others,
        rng: seed::stream(seed, anchor.id.0, 7),
    }))
}

/// A meaning without the sign that ends it.
fn bare(meaning: &str) -> &str {
    meaning.trim().trim_end_matches(['.', ';', '。', '；'])
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Written {
    question: String,
    right: String,
    others: Vec<String>,
    hard: Vec<String>,
}

impl Plan for MeaningPlan {
    fn level(&self) -> QcaLevel {
        QcaLevel::Sentence
    }

    fn kind(&self) -> PromptKind {
        PromptKind::MeaningQca
    }

    fn sentences(&self) -> Vec<SentenceId> {
        let others = self.others.iter().map(|(sentence, _)| *sentence);
        [self.anchor].into_iter().chain(others).collect()
    }

    fn prompt(&self, words: &Wording, max_tokens: u32, again: Option<(usize, Why)>) -> Prompt {
        let others: Vec<String> = (1..)
            .zip(&self.others)
            .map(|(number, (_, text)): (usize, _)| fenced(&number.to_string(), text))
            .collect();
        let hard = (WRONG - self.others.len()).to_string();
        let (term, act) = (fenced("T", &self.term), fenced("N", &self.act));
        let (own, others) = (fenced("A", &self.own), others.join("\n"));
        words.prompt(
            &[
                ("term", term.as_str()),
                ("act", act.as_str()),
                ("own", own.as_str()),
                ("others", others.as_str()),
                ("hard", hard.as_str()),
            ],
            again,
            max_tokens,
            shape(),
        )
    }

    fn read(&self, answer: &AnswerText) -> Result<QcaDraft, Unparseable> {
        let written: Written = object::read(&answer.text, &answer.finish)?;
        let counts = (written.others.len(), written.hard.len());
        if counts != (self.others.len(), WRONG - self.others.len()) {
            return Err(Unparseable::WrongContent);
        }
        let question = written.question.trim().to_owned();
        let mut choices = vec![(written.right, ChoiceOrigin::Anchor)];
        for ((sentence, _), text) in self.others.iter().zip(written.others) {
            let origin = ChoiceOrigin::Neighbour {
                sentence: *sentence,
            };
            choices.push((text, origin));
        }
        for ((sentence, _), text) in self.others.iter().cycle().zip(written.hard) {
            let origin = ChoiceOrigin::Edit {
                edit: BORROWED.to_owned(),
                sentence: *sentence,
            };
            choices.push((text, origin));
        }
        let choices: Vec<(String, ChoiceOrigin)> = choices
            .into_iter()
            .map(|(text, origin)| (text.trim().to_owned(), origin))
            .collect();
        if question.is_empty() || choices.iter().any(|(text, _)| text.is_empty()) {
            return Err(Unparseable::WrongContent);
        }
        let draft = QcaDraft {
            question,
            ..QcaDraft::new(
                QcaLevel::Sentence,
                QuestionType::Definition,
                self.anchor,
                QuestionSource::Llm,
            )
        };
        let rng = &mut self.rng.clone();
        Ok(distractors::with_choices(draft, choices, rng))
    }
}

fn shape() -> Shape {
    let text = || serde_json::json!({"type": "string"});
    let texts = || serde_json::json!({"type": "array", "items": {"type": "string"}});
    Shape {
        name: "meaning_question",
        schema: serde_json::json!({
            "type": "object",
            "properties": {
                "question": text(),
                "right": text(),
                "others": texts(),
                "hard": texts(),
            },
            "required": ["question", "right", "others", "hard"],
            "additionalProperties": false,
        }),
    }
}
