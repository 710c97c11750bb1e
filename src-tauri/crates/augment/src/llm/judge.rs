//! Judging a question: a score from 0 to 10 with a reason.

use super::sentence::heading;
use super::{AnswerText, Answers, Planned};
use crate::anchor::Anchor;
use crate::endpoint::object::{self, Unparseable};
use crate::endpoint::{PromptKey, Shape};
use crate::fence::fenced;
use crate::wording::{Why, Wordings};
use lexforge_domain::api::PromptKind;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft};
use serde::Deserialize;
use std::sync::Arc;

/// Longest reason that is kept, in characters.
const LONGEST_REASON: usize = 400;

/// Says what to ask a judge about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgePrompter {
    /// Distinguishes models of the same name.
    pub identity: String,
    pub model: String,
    /// Most tokens of an answer.
    pub max_tokens: u32,
    /// How often the model is asked again if its answer cannot be read.
    pub reasks: u32,
    /// The wordings in use.
    pub wordings: Arc<Wordings>,
}

/// A judge's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// 0 to 10.
    pub score: f64,
    /// Why.
    pub reason: String,
}

/// The state of judging a question so far.
#[derive(Clone, Debug, PartialEq)]
pub enum Judging {
    /// It has its score.
    Scored(Judgement),
    /// This prompt must be sent next.
    Open(Box<Planned>),
    /// Every answer was tried; the last one's text and why it could not be read.
    GivenUp(String, Unparseable),
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Written {
    reason: String,
    score: f64,
}

impl JudgePrompter {
    /// The state of judging a question about its anchor. `unparseable` is called for each answer that cannot be read.
    pub fn judging(
        &self,
        anchor: &Anchor<'_>,
        draft: &QcaDraft,
        answers: Answers<'_>,
        unparseable: &mut dyn FnMut(Unparseable),
    ) -> Judging {
        let mut why = None;
        let mut last = None;
        for attempt in 0..=self.reasks as usize {
            let planned = self.planned(
                anchor,
                draft,
                why.map(|why| (attempt, Why::Unparseable(why))),
            );
            let Some(answer) = answers(&planned.key) else {
                return Judging::Open(Box::new(planned));
            };
            match read(&answer) {
                Ok(judgement) => return Judging::Scored(judgement),
                Err(reason) => {
                    unparseable(reason);
                    why = Some(reason);
                    last = Some((answer.text, reason));
                }
            }
        }
        let (text, reason) = last.unwrap_or((String::new(), Unparseable::Empty));
        Judging::GivenUp(text, reason)
    }

    /// The first prompt about a question.
    pub fn first(&self, anchor: &Anchor<'_>, draft: &QcaDraft) -> Planned {
        self.planned(anchor, draft, None)
    }

    fn planned(
        &self,
        anchor: &Anchor<'_>,
        draft: &QcaDraft,
        again: Option<(usize, Why)>,
    ) -> Planned {
        let text = match (heading(anchor).trim(), anchor.lead_in) {
            ("", None) => anchor.text.to_owned(),
            ("", Some(lead)) => format!("{lead} {}", anchor.text),
            (heading, None) => format!("[{heading}]\n{}", anchor.text),
            (heading, Some(lead)) => format!("[{heading}]\n{lead} {}", anchor.text),
        };
        let numbered: Vec<String> = draft
            .choices
            .iter()
            .zip(1..)
            .map(|(c, n)| format!("{n}. {c}"))
            .collect();
        let answer = draft.choices.get(draft.answer).map_or("", String::as_str);
        let (anchor_text, question) = (fenced("A", &text), fenced("Q", &draft.question));
        let (choices, answer) = (fenced("C", &numbered.join("\n")), fenced("R", answer));
        let filled = [
            ("anchor", anchor_text.as_str()),
            ("question", question.as_str()),
            ("choices", choices.as_str()),
            ("answer", answer.as_str()),
        ];
        let words = self.wordings.get(PromptKind::Judge, anchor.language);
        let prompt = words.prompt(&filled, again, self.max_tokens, shape());
        let key: PromptKey = prompt.key(&self.identity, &self.model);
        let mut sentences = vec![anchor.id];
        sentences.extend(
            draft
                .origins
                .iter()
                .filter_map(ChoiceOrigin::borrowed_from)
                .filter(|id| *id != anchor.id),
        );
        sentences.dedup();
        Planned {
            key,
            prompt,
            sentences,
        }
    }
}

/// Reads a judge's answer.
///
/// # Errors
/// The reason why it cannot be read; a score outside 0 to 10 is an error, too.
pub fn read(answer: &AnswerText) -> Result<Judgement, Unparseable> {
    let written: Written = object::read(&answer.text, &answer.finish)?;
    let reason = written.reason.trim();
    if !(0.0..=10.0).contains(&written.score) || reason.is_empty() {
        return Err(Unparseable::WrongContent);
    }
    Ok(Judgement {
        score: written.score,
        reason: reason.chars().take(LONGEST_REASON).collect(),
    })
}

pub(super) fn shape() -> Shape {
    Shape {
        name: "judgement",
        schema: serde_json::json!({
            "type": "object",
            "properties": {
                "reason": {"type": "string"},
                "score": {"type": "integer", "minimum": 0, "maximum": 10},
            },
            "required": ["reason", "score"],
            "additionalProperties": false,
        }),
    }
}
