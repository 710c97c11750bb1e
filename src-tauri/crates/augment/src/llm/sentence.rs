//! Questions whose choices are sentences: one for an anchor and its nearest usable neighbour, or one for each pair
//! (docs/methods.md, "Questions").

use super::plan::{AnswerText, Plan};
use crate::anchor::{Anchor, Neighbour};
use crate::clause::{Grammar, Parsed, parse};
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

/// Name under which the origin of a choice records that it borrows from the neighbour.
pub(super) const BORROWED: &str = "borrowed";

/// Most neighbours that are looked at.
const SHOWN: usize = 8;
/// A neighbour that shares more of its words says much the same: it may be right as well.
pub(super) const TOO_LIKE: f64 = 0.6;

/// The plan of a question about an anchor and a neighbour.
pub(super) struct SentencePlan {
    anchor: SentenceId,
    heading: String,
    text: String,
    neighbour: Parsed,
    rng: ChaCha8Rng,
}

/// An anchor that can be asked about, as its questions are made of it.
struct Asked {
    grammar: &'static dyn Grammar,
    parsed: Parsed,
    rng: ChaCha8Rng,
}

fn asked(anchor: &Anchor<'_>, seed: u64) -> Result<Asked, SkipReason> {
    let grammar = grammar(anchor.language).ok_or(SkipReason::LanguageUnsupported)?;
    if !anchor.is_rule() {
        return Err(SkipReason::NotARule);
    }
    let mut rng = seed::stream(seed, anchor.id.0, 3);
    let text = grammar.cleaned(anchor.text, anchor.lead_in, &mut rng)?;
    if length(&text) > grammar.longest() {
        return Err(SkipReason::TooLong);
    }
    if anchor.neighbours.is_empty() {
        return Err(SkipReason::NoNeighbour);
    }
    let parsed = parse(grammar, anchor.id, text, None);
    Ok(Asked {
        grammar,
        parsed,
        rng,
    })
}

/// The plan for an anchor with its nearest usable neighbour, or why there is none.
pub(super) fn plan(anchor: &Anchor<'_>, seed: u64) -> Result<SentencePlan, SkipReason> {
    let mut asked = asked(anchor, seed)?;
    let neighbour = neighbours(&mut asked, anchor).into_iter().next();
    let neighbour = neighbour.ok_or(SkipReason::NoUsableNeighbour)?;
    Ok(planned(anchor, &asked, neighbour, asked.rng.clone()))
}

/// A plan for each neighbour of an anchor, nearest first, or why it makes none.
pub(super) fn pairs(
    anchor: &Anchor<'_>,
    seed: u64,
) -> Result<Vec<Result<SentencePlan, SkipReason>>, SkipReason> {
    let asked = asked(anchor, seed)?;
    let others = anchor.neighbours.iter().filter(|n| is_other(anchor, n));
    let pair = |other: &Neighbour<'_>| {
        // Of its own stream: what else is a candidate does not change the question of a pair.
        let mut rng = seed::of_pair(seed, anchor.id.0, other.id.0, 5);
        let neighbour = usable(&asked, other, &mut rng).ok_or(SkipReason::NoUsableNeighbour)?;
        Ok(planned(anchor, &asked, neighbour, rng))
    };
    Ok(others.map(pair).collect())
}

fn planned(anchor: &Anchor<'_>, asked: &Asked, neighbour: Parsed, rng: ChaCha8Rng) -> SentencePlan {
    SentencePlan {
        anchor: anchor.id,
        heading: heading(anchor).to_owned(),
        text: asked.parsed.text.clone(),
        neighbour,
        rng,
    }
}

/// Whether a neighbour can be a wrong choice. The result is false for the anchor itself. It is also false for another
/// act's definition of the term that the anchor defines, because a separate question asks about this definition.
fn is_other(anchor: &Anchor<'_>, neighbour: &Neighbour<'_>) -> bool {
    let defines = |(id, _): &(SentenceId, &str)| *id == neighbour.id;
    neighbour.id != anchor.id && !anchor.elsewhere.iter().any(defines)
}

/// The heading of the anchor, else the last part of its section's path, which may be one.
pub(super) fn heading<'a>(anchor: &Anchor<'a>) -> &'a str {
    if anchor.heading.trim().is_empty() {
        anchor.section.rsplit(" › ").next().unwrap_or("")
    } else {
        anchor.heading
    }
}

/// The neighbours that a language model is shown: complete sentences that say something else than the anchor and are
/// about as long.
fn neighbours(asked: &mut Asked, anchor: &Anchor<'_>) -> Vec<Parsed> {
    let mut rng = asked.rng.clone();
    let found = anchor
        .neighbours
        .iter()
        .filter(|n| is_other(anchor, n))
        .filter_map(|n| usable(asked, n, &mut rng))
        .take(SHOWN)
        .collect();
    asked.rng = rng;
    found
}

/// A neighbour that is a complete sentence, says something else, and is about as long.
fn usable(asked: &Asked, neighbour: &Neighbour<'_>, rng: &mut ChaCha8Rng) -> Option<Parsed> {
    let (grammar, own) = (asked.grammar, &asked.parsed.text);
    let text = grammar
        .cleaned(neighbour.text, neighbour.lead_in, rng)
        .ok()?;
    let ratio = length(&text) as f64 / length(own) as f64;
    let fair = length(&text) <= grammar.longest()
        && (0.4..=2.5).contains(&ratio)
        && likeness(&text, own) < TOO_LIKE;
    fair.then(|| parse(grammar, neighbour.id, text, None))
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "type")]
    question_type: Kind,
    question: String,
    right: String,
    neighbour: String,
    hard_1: String,
    hard_2: String,
}

/// The types that a question about a sentence can have.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Definition,
    Obligation,
    Prohibition,
    Permission,
    Threshold,
    Deadline,
    Statement,
}

impl From<Kind> for QuestionType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Definition => Self::Definition,
            Kind::Obligation => Self::Obligation,
            Kind::Prohibition => Self::Prohibition,
            Kind::Permission => Self::Permission,
            Kind::Threshold => Self::Threshold,
            Kind::Deadline => Self::Deadline,
            Kind::Statement => Self::Statement,
        }
    }
}

impl Plan for SentencePlan {
    fn level(&self) -> QcaLevel {
        QcaLevel::Sentence
    }

    fn kind(&self) -> PromptKind {
        PromptKind::SentenceQca
    }

    fn sentences(&self) -> Vec<SentenceId> {
        vec![self.anchor, self.neighbour.id]
    }

    fn prompt(&self, words: &Wording, max_tokens: u32, again: Option<(usize, Why)>) -> Prompt {
        let anchor = if self.heading.trim().is_empty() {
            fenced("A", &self.text)
        } else {
            fenced("A", &format!("[{}]\n{}", self.heading.trim(), self.text))
        };
        let neighbour = fenced("B", &self.neighbour.text);
        words.prompt(
            &[
                ("anchor", anchor.as_str()),
                ("neighbour", neighbour.as_str()),
            ],
            again,
            max_tokens,
            shape(),
        )
    }

    fn read(&self, answer: &AnswerText) -> Result<QcaDraft, Unparseable> {
        let written: Written = object::read(&answer.text, &answer.finish)?;
        let texts = [
            &written.right,
            &written.neighbour,
            &written.hard_1,
            &written.hard_2,
        ]
        .map(|t| t.trim().to_owned());
        let question = written.question.trim().to_owned();
        if question.is_empty() || texts.iter().any(String::is_empty) {
            return Err(Unparseable::WrongContent);
        }
        let borrowed = ChoiceOrigin::Edit {
            edit: BORROWED.to_owned(),
            sentence: self.neighbour.id,
        };
        let origins = [
            ChoiceOrigin::Anchor,
            ChoiceOrigin::Neighbour {
                sentence: self.neighbour.id,
            },
            borrowed.clone(),
            borrowed,
        ];
        let draft = QcaDraft {
            question,
            ..QcaDraft::new(
                QcaLevel::Sentence,
                written.question_type.into(),
                self.anchor,
                QuestionSource::Llm,
            )
        };
        let choices = texts.into_iter().zip(origins).collect();
        let rng = &mut self.rng.clone();
        Ok(distractors::with_choices(draft, choices, rng))
    }
}

fn shape() -> Shape {
    let text = || serde_json::json!({"type": "string"});
    let kinds = [
        "definition",
        "obligation",
        "prohibition",
        "permission",
        "threshold",
        "deadline",
        "statement",
    ];
    Shape {
        name: "sentence_question",
        schema: serde_json::json!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": kinds},
                "question": text(),
                "right": text(),
                "neighbour": text(),
                "hard_1": text(),
                "hard_2": text(),
            },
            "required": ["type", "question", "right", "neighbour", "hard_1", "hard_2"],
            "additionalProperties": false,
        }),
    }
}
