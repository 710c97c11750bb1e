//! Triplets by a language model (docs/methods.md, "Financial embeddings"). The model lists the ways in which the
//! meaning of a sentence can shift, with a variant for each. A judge gives each variant a score, and variants with a
//! score of 8 or more are kept. Then the model writes the sentence in other words. These rewordings need a score of 9
//! or more.
//!
//! The next prompt depends only on the answers that are stored. So the work can stop at any moment and continue later.

use super::rewrites::{read_paraphrase, read_translation};
use super::{AnswerText, Answers, Judgement, Planned, PromptWriter, judge};
use crate::endpoint::Shape;
use crate::endpoint::object::{self, Unparseable};
use crate::fence::fenced;
use crate::keeps::translated_into;
use crate::validate::foreign_script;
use crate::wording::Why;
use crate::words::{length, likeness, normal};
use lexforge_domain::SentenceId;
use lexforge_domain::api::{PromptKind, ShiftType};
use lexforge_domain::text::Language;
use serde::Deserialize;
use std::collections::HashSet;

/// Lowest score that keeps a variant.
pub(crate) const VARIANT_KEPT: f64 = 8.0;
/// Lowest score that keeps a rewording.
pub(crate) const POSITIVE_KEPT: f64 = 9.0;
/// Variants of a sentence that are judged at most.
const MOST: usize = 3;
/// Prompts about a sentence at most: its variants, their judgements, the rewording and its judgement.
pub const PROMPTS_A_SENTENCE: u64 = MOST as u64 + 3;
/// The lowest similarity in words between a variant and its sentence. If a variant has less in common with the
/// sentence, an encoder can distinguish the two without training.
const CLOSE: f64 = 0.5;
/// Length of a variant as a share of its sentence's.
const LENGTHS: (f64, f64) = (0.5, 2.0);

/// Says what to ask a model about a sentence.
#[derive(Clone, Debug)]
pub struct TripletPrompter {
    pub writer: PromptWriter,
    /// The ways in which a meaning can shift.
    pub shifts: Vec<ShiftType>,
    /// The positive is a translation into the other language, if there is one, instead of a rewording.
    pub translated: bool,
}

/// A triplet that a model wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenTriplet {
    /// Tag of the shift.
    pub shift: String,
    /// The variant. Empty if none could be read.
    pub negative: String,
    /// The rewording. Empty if it was not requested.
    pub positive: String,
    /// The judge's scores of the two texts, in this order.
    pub scores: Vec<f64>,
    /// The judge's reason of the last score.
    pub note: String,
    /// Why the triplet was rejected; `None` = it is kept.
    pub reason: Option<String>,
}

/// The state of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum TripletStanding {
    /// These are to be asked next.
    Open(Vec<Planned>),
    /// No further prompt is needed. The list is empty if the sentence can express none of the shifts.
    Settled(Vec<WrittenTriplet>),
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Written {
    variants: Vec<Variant>,
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Variant {
    shift: String,
    text: String,
}

/// The intended kind of a text that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// It should say something else in nearly the same words.
    Variant,
    /// It should say the same in other words.
    Rewording,
    /// It should say the same in another language.
    Translation,
}

impl Meant {
    fn words(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Variant, Language::Zh) => "变体",
            (Self::Rewording, Language::Zh) => "改写",
            (Self::Translation, Language::Zh) => "改写（译成另一种语言）",
            (Self::Variant, _) => "a variant",
            (Self::Rewording, _) => "a rewording",
            (Self::Translation, _) => "a rewording, namely a translation into another language",
        }
    }
}

/// The state of an expected answer: read, still to be requested, or given up.
enum Got<T> {
    Read(T),
    Open(Box<Planned>),
    GivenUp(Unparseable),
}

impl TripletPrompter {
    /// The state of a sentence, as far as there are answers.
    pub fn standing(
        &self,
        id: SentenceId,
        text: &str,
        language: Language,
        answers: Answers<'_>,
    ) -> TripletStanding {
        let planned = |again| self.asked_for_variants(id, text, language, again);
        let variants = match self.waited(answers, planned, read_variants) {
            Got::Open(planned) => return TripletStanding::Open(vec![*planned]),
            Got::GivenUp(why) => {
                return TripletStanding::Settled(vec![turned_down("", "", why.tag())]);
            }
            Got::Read(variants) => variants,
        };
        let (mut open, mut settled, mut passed) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for (shift, negative) in variants {
            if let Some(fault) = self.fault(&shift, &negative, text, language, &mut seen) {
                settled.push(turned_down(&shift, &negative, fault));
                continue;
            }
            let about = (id, text, negative.as_str());
            match self.judged(about, Meant::Variant, language, answers) {
                Got::Open(planned) => open.push(*planned),
                Got::GivenUp(_) => settled.push(turned_down(&shift, &negative, "judge_unreadable")),
                Got::Read(Judgement { score, reason }) if score < VARIANT_KEPT => {
                    let mut one = turned_down(&shift, &negative, "negative_judged_below");
                    (one.scores, one.note) = (vec![score], reason);
                    settled.push(one);
                }
                Got::Read(judgement) => passed.push((shift, negative, judgement.score)),
            }
        }
        if !open.is_empty() {
            return TripletStanding::Open(open);
        }
        if passed.is_empty() {
            return TripletStanding::Settled(settled);
        }
        match self.positive(id, text, language, answers) {
            Err(planned) => TripletStanding::Open(vec![*planned]),
            Ok(positive) => {
                settled.extend(passed.into_iter().map(|(shift, negative, score)| {
                    let mut one = positive.clone();
                    (one.shift, one.negative) = (shift, negative);
                    one.scores.insert(0, score);
                    // The same text cannot be both the positive and the negative, whatever the judge's scores are.
                    if one.reason.is_none() && normal(&one.positive) == normal(&one.negative) {
                        one.reason = Some("positive_is_negative".to_owned());
                    }
                    one
                }));
                TripletStanding::Settled(settled)
            }
        }
    }

    /// Whether what says the same as a sentence of this language is a translation.
    pub fn translates(&self, language: Language) -> bool {
        self.translated && translated_into(language).is_some()
    }

    /// The sentence in other words or in the other language, with what the judge says about it. If an answer is still
    /// missing, the prompt that must be asked next.
    fn positive(
        &self,
        id: SentenceId,
        text: &str,
        language: Language,
        answers: Answers<'_>,
    ) -> Result<WrittenTriplet, Box<Planned>> {
        let translated = self.translates(language);
        let planned = match translated {
            true => self.writer.translation(id, text, language),
            false => self.writer.paraphrase(id, text, language),
        };
        let Some(answer) = answers(&planned.key) else {
            return Err(Box::new(planned));
        };
        let mut one = turned_down("", "", "");
        let (positive, fault) = match translated {
            true => read_translation(&answer, text, language),
            false => read_paraphrase(&answer, text, language),
        };
        one.positive = positive.unwrap_or_default();
        if let Some(fault) = fault {
            one.reason = Some(format!("positive_{}", fault.tag()));
            return Ok(one);
        }
        let about = (id, text, one.positive.as_str());
        let meant = match translated {
            true => Meant::Translation,
            false => Meant::Rewording,
        };
        match self.judged(about, meant, language, answers) {
            Got::Open(planned) => return Err(planned),
            Got::GivenUp(_) => one.reason = Some("judge_unreadable".to_owned()),
            Got::Read(Judgement { score, reason }) => {
                one.reason = (score < POSITIVE_KEPT).then(|| "positive_judged_below".to_owned());
                (one.scores, one.note) = (vec![score], reason);
            }
        }
        Ok(one)
    }

    /// The first prompt for the variants of a sentence.
    pub fn variants(&self, id: SentenceId, text: &str, language: Language) -> Planned {
        self.asked_for_variants(id, text, language, None)
    }

    fn asked_for_variants(
        &self,
        id: SentenceId,
        text: &str,
        language: Language,
        again: Option<(usize, Why)>,
    ) -> Planned {
        let name = |shift: &ShiftType| match language {
            Language::Zh => shift.zh.clone(),
            _ => shift.en.clone(),
        };
        let shifts: Vec<String> = self
            .shifts
            .iter()
            .map(|shift| format!("- {}: {}. {}", shift.tag, name(shift), shift.what))
            .collect();
        let (anchor, shifts) = (fenced("A", text), shifts.join("\n"));
        let filled = [("anchor", anchor.as_str()), ("shifts", shifts.as_str())];
        let words = self.writer.wordings.get(PromptKind::Triplet, language);
        let prompt = words.prompt(&filled, again, self.writer.max_tokens, variants_shape());
        self.writer.planned(prompt, vec![id])
    }

    /// The first prompt by which a text is judged.
    pub fn judgement(
        &self,
        about: (SentenceId, &str, &str),
        meant: Meant,
        language: Language,
    ) -> Planned {
        self.asked_to_judge(about, meant, language, None)
    }

    fn asked_to_judge(
        &self,
        (id, text, other): (SentenceId, &str, &str),
        meant: Meant,
        language: Language,
        again: Option<(usize, Why)>,
    ) -> Planned {
        let (anchor, other) = (fenced("A", text), fenced("B", other));
        let filled = [
            ("anchor", anchor.as_str()),
            ("other", other.as_str()),
            ("meant", meant.words(language)),
        ];
        let words = self.writer.wordings.get(PromptKind::TripletJudge, language);
        let prompt = words.prompt(&filled, again, self.writer.max_tokens, judge::shape());
        self.writer.planned(prompt, vec![id])
    }

    fn judged(
        &self,
        about: (SentenceId, &str, &str),
        meant: Meant,
        language: Language,
        answers: Answers<'_>,
    ) -> Got<Judgement> {
        let planned = |again| self.asked_to_judge(about, meant, language, again);
        self.waited(answers, planned, judge::read)
    }

    fn waited<T>(
        &self,
        answers: Answers<'_>,
        planned: impl Fn(Option<(usize, Why)>) -> Planned,
        read: impl Fn(&AnswerText) -> Result<T, Unparseable>,
    ) -> Got<T> {
        let mut why = Unparseable::Empty;
        for attempt in 0..=self.writer.reasks as usize {
            let again = (attempt > 0).then_some((attempt, Why::Unparseable(why)));
            let planned = planned(again);
            let Some(answer) = answers(&planned.key) else {
                return Got::Open(Box::new(planned));
            };
            match read(&answer) {
                Ok(read) => return Got::Read(read),
                Err(reason) => why = reason,
            }
        }
        Got::GivenUp(why)
    }

    /// Why a variant is not even judged.
    fn fault(
        &self,
        shift: &str,
        negative: &str,
        text: &str,
        language: Language,
        seen: &mut HashSet<String>,
    ) -> Option<&'static str> {
        let share = length(negative) as f64 / length(text).max(1) as f64;
        if !self.shifts.iter().any(|known| known.tag == shift) {
            Some("unknown_shift")
        } else if normal(negative) == normal(text) || !seen.insert(normal(negative)) {
            Some("copy")
        } else if !(LENGTHS.0..=LENGTHS.1).contains(&share) {
            Some("length")
        } else if foreign_script(negative, language) {
            Some("other_language")
        } else if likeness(negative, text) < CLOSE {
            Some("not_close")
        } else if seen.len() > MOST {
            Some("too_many")
        } else {
            None
        }
    }
}

fn turned_down(shift: &str, negative: &str, reason: &str) -> WrittenTriplet {
    WrittenTriplet {
        shift: shift.to_owned(),
        negative: negative.to_owned(),
        positive: String::new(),
        scores: Vec::new(),
        note: String::new(),
        reason: (!reason.is_empty()).then(|| reason.to_owned()),
    }
}

/// Reads the variants of a sentence from a model's answer. Returns for each variant the tag of its shift in meaning,
/// and its text.
///
/// # Errors
/// The reason why the answer cannot be read.
pub fn read_variants(answer: &AnswerText) -> Result<Vec<(String, String)>, Unparseable> {
    let written: Written = object::read(&answer.text, &answer.finish)?;
    let trimmed = |variant: Variant| {
        let text = variant.text.trim().to_owned();
        (variant.shift.trim().to_owned(), text)
    };
    Ok(written.variants.into_iter().map(trimmed).collect())
}

fn variants_shape() -> Shape {
    let text = serde_json::json!({"type": "string"});
    Shape {
        name: "variants",
        schema: serde_json::json!({
            "type": "object",
            "properties": {"variants": {"type": "array", "items": {
                "type": "object",
                "properties": {"shift": text, "text": text},
                "required": ["shift", "text"],
                "additionalProperties": false,
            }}},
            "required": ["variants"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
