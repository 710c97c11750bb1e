//! Questions and answers: SFT in both forms with replay, and contrastive token learning.

use super::lesson::{Material, TOO_LONG, count};
use super::parts::Parts;
use super::token_lesson::{Source, TokenLesson, random_of};
use crate::Result;
use crate::decoding::language::{Exchange, Language, LanguageModel};
use crate::losses::contrastive_token::ContrastiveToken;
use crate::losses::sft::{self, Form, Sft};
use lexforge_domain::protocol::{QuestionForm, TrainItem};
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// Tokens by which the choices in another order may be longer.
const LEEWAY: usize = 8;

/// A question with its answer, and in which forms it fits.
pub(super) struct Asked {
    id: i64,
    question: String,
    answer: String,
    wrong: Vec<String>,
    with_choices: bool,
}

/// Questions in the form asked for.
pub(super) struct Answers {
    form: QuestionForm,
    asked: Parts<Asked>,
    /// Plain text, in pieces.
    replay: Vec<Exchange>,
    /// The share of it in each batch.
    share: f64,
    seed: u64,
}

/// SFT (docs/methods.md, "Training").
pub(super) fn answers(
    language: &Language,
    material: &Material,
    form: QuestionForm,
    replay: f64,
) -> Result<TokenLesson<Sft, Answers>> {
    let mut left_out = BTreeMap::new();
    let asked = Parts::of(material, &mut left_out, |items, left_out| {
        asked(language, items, form, material.longest, left_out)
    })?;
    let mut pieces = Vec::new();
    if replay > 0.0 {
        for text in &material.replay {
            let ids = language.encode(&language.harmless(text))?.ids;
            let pieces_of = ids.chunks(material.longest).filter(|piece| piece.len() > 1);
            pieces.extend(pieces_of.map(|piece| Exchange {
                ids: piece.to_vec(),
                ..Exchange::default()
            }));
        }
    }
    let source = Answers {
        form,
        asked,
        replay: pieces,
        share: replay,
        seed: material.seed,
    };
    Ok(TokenLesson::new(Sft, source, left_out))
}

/// Pieces of plain text beside so many questions. The last batch of an epoch has fewer questions than the others.
fn pieces_beside(questions: usize, share: f64) -> usize {
    (questions as f64 * share / (1.0 - share)).round() as usize
}

/// The questions that fit.
fn asked(
    language: &Language,
    items: &[TrainItem],
    form: QuestionForm,
    longest: usize,
    left_out: &mut BTreeMap<String, u64>,
) -> Result<Vec<Asked>> {
    let mut asked = Vec::with_capacity(items.len());
    for item in items {
        let length = |choices: &[&str], form| -> Result<usize> {
            Ok(
                sft::exchange(language, &item.question, choices, &item.answer, form)?
                    .ids
                    .len(),
            )
        };
        let choices: Vec<&str> = std::iter::once(&item.answer)
            .chain(&item.negatives)
            .map(String::as_str)
            .collect();
        let with_choices =
            form != QuestionForm::Open && length(&choices, Form::Choices)? + LEEWAY <= longest;
        let fits = match form {
            QuestionForm::Choices => with_choices,
            // An item that fits with its choices also fits without them.
            QuestionForm::Open | QuestionForm::Both => {
                with_choices || length(&[], Form::Open)? <= longest
            }
        };
        if fits {
            let (question, answer) = (item.question.clone(), item.answer.clone());
            asked.push(Asked {
                id: item.id,
                question,
                answer,
                wrong: item.negatives.clone(),
                with_choices,
            });
        } else {
            count(left_out, TOO_LONG, 1);
        }
    }
    Ok(asked)
}

impl Answers {
    fn exchange(&self, language: &Language, asked: &Asked, epoch: u64) -> Result<Exchange> {
        let mut random = random_of(self.seed, asked.id, epoch);
        let mut choices: Vec<&str> = std::iter::once(&asked.answer)
            .chain(&asked.wrong)
            .map(String::as_str)
            .collect();
        choices.shuffle(&mut random);
        let listed = match self.form {
            QuestionForm::Choices => true,
            QuestionForm::Open => false,
            QuestionForm::Both => random.random_bool(0.5) && asked.with_choices,
        };
        let form = if listed { Form::Choices } else { Form::Open };
        sft::exchange(language, &asked.question, &choices, &asked.answer, form)
    }
}

impl Source for Answers {
    type Kept = Asked;
    type Item = Exchange;

    fn parts(&self) -> &Parts<Asked> {
        &self.asked
    }

    fn item(
        &self,
        model: &LanguageModel,
        asked: &Asked,
        _number: usize,
        epoch: u64,
    ) -> Result<Exchange> {
        self.exchange(&model.language, asked, epoch)
    }

    fn beside(&self, epoch: u64, batch: u64, items: usize) -> Vec<Exchange> {
        if self.replay.is_empty() {
            return Vec::new();
        }
        let mut random = random_of(self.seed, batch as i64, epoch);
        (0..pieces_beside(items, self.share))
            .map(|_| self.replay[random.random_range(0..self.replay.len())].clone())
            .collect()
    }
}

/// Contrastive token learning over questions and their answers. The answer is the rephrased sentence or, if there is
/// none, the right choice.
pub(super) fn contrastive(
    language: &Language,
    material: &Material,
) -> Result<TokenLesson<ContrastiveToken, Parts<Exchange>>> {
    let mut left_out = BTreeMap::new();
    let exchanges = Parts::of(material, &mut left_out, |items, left_out| {
        let mut fitting = Vec::new();
        for item in items {
            let answer = item.rephrased.as_deref().unwrap_or(&item.answer);
            let exchange = sft::exchange(language, &item.question, &[], answer, Form::Open)?;
            if exchange.ids.len() <= material.longest {
                fitting.push(exchange);
            } else {
                count(left_out, TOO_LONG, 1);
            }
        }
        Ok(fitting)
    })?;
    Ok(TokenLesson::new(ContrastiveToken, exchanges, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_batch_has_no_larger_share_of_plain_text() {
        for (questions, share, pieces) in [
            (16, 0.2, 4),
            (8, 0.2, 2),
            (3, 0.2, 1),
            (1, 0.2, 0),
            (2, 0.5, 2),
            (16, 0.0, 0),
        ] {
            assert_eq!(
                pieces_beside(questions, share),
                pieces,
                "{questions} {share}"
            );
        }
    }
}
