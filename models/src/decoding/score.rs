//! Scores of choices by their likelihood under a decoder (docs/methods.md, "Evaluation").

use crate::adapters::lora::Pass;
use crate::architectures::continuations::{Continuations, common_beginning};
use crate::architectures::decoder::Attention;
use crate::decoding::chat::Message;
use crate::decoding::language::{Exchange, Language, LanguageModel};
use crate::error::finite;
use crate::losses::sft::{Form, question_text};
use crate::losses::terms::{Foretold, Table};
use crate::{Error, Result};
use lexforge_domain::Code;
use std::collections::BTreeMap;
use tch::Tensor;

/// The prompt with which the likelihood of a choice without the question is measured.
pub const NO_QUESTION: &str = "Answer.";
/// Logits that are held at a time.
const LARGEST_TABLE: usize = 1 << 26;

/// The scores of one choice. Higher is likelier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceScore {
    /// `Σ log p(choice + end of answer | question with all choices listed)`: the primary one.
    pub likelihood: f64,
    /// The likelihood divided by the bytes of the choice.
    pub per_byte: f64,
    /// The likelihood minus `Σ log p(choice + end of answer | no question)`: what the question adds.
    pub pmi: f64,
}

impl LanguageModel {
    /// Scores of a question's choices, in the order in which they are listed to the model.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if there is no choice or one is empty. Also if the template, the
    /// tokenizer or libtorch fails.
    pub fn choice_scores(&self, question: &str, choices: &[&str]) -> Result<Vec<ChoiceScore>> {
        let asked = self.language.asked(question, choices)?;
        let unasked = self.language.answers(NO_QUESTION, choices)?;
        let logs = self.answer_logs(&[&asked, &unasked])?;
        Ok(ChoiceScore::of(choices, &logs[0], &logs[1]))
    }

    /// `Σ log p(answer + end of answer | prompt)` for each answer of each group. The tokens that the answers of a group
    /// have in common are computed once.
    ///
    /// # Errors
    /// If libtorch fails, or a text is longer than the model's positions.
    pub fn answer_logs(&self, groups: &[&Answers]) -> Result<Vec<Vec<f64>>> {
        let _no_grad = tch::no_grad_guard();
        let decoder = self.decoder.as_ref();
        let texts: Vec<Vec<&[u32]>> = groups
            .iter()
            .map(|group| group.texts.iter().map(Vec::as_slice).collect())
            .collect();
        let all = Continuations::of(&texts, decoder.device())?;
        let hidden = decoder.hidden(&all.packed, Attention::Causal, Pass::Infer)?;
        let mut asked: Vec<((usize, usize), Foretold)> = Vec::new();
        for (group, answers) in groups.iter().enumerate() {
            for (text, ids) in answers.texts.iter().enumerate() {
                for (token, &id) in ids.iter().enumerate().skip(answers.first) {
                    let row = all.foretelling(group, text, token);
                    asked.push((
                        (group, text),
                        Foretold {
                            row,
                            token: i64::from(id),
                        },
                    ));
                }
            }
        }
        let mut sums: Vec<Vec<f64>> = groups
            .iter()
            .map(|group| vec![0.0; group.texts.len()])
            .collect();
        let rows_at_once = (LARGEST_TABLE / decoder.config().vocabulary as usize).max(1);
        for part in asked.chunks(rows_at_once) {
            let mut rows: Vec<i64> = part.iter().map(|(_, foretold)| foretold.row).collect();
            rows.sort_unstable();
            rows.dedup();
            let places: BTreeMap<i64, i64> = rows
                .iter()
                .zip(0..)
                .map(|(&row, place)| (row, place))
                .collect();
            let rows = Tensor::f_from_slice(&rows)?.f_to_device(decoder.device())?;
            let table = Table::new(&decoder.logits(&hidden.f_index_select(0, &rows)?)?)?;
            let foretold: Vec<Foretold> = part.iter().map(|&(_, foretold)| foretold).collect();
            let logs = Vec::<f64>::try_from(
                table
                    .logs(&foretold, &places)?
                    .f_to_kind(tch::Kind::Double)?,
            )?;
            for (((group, text), _), log) in part.iter().zip(logs) {
                sums[*group][*text] += finite(log)?;
            }
        }
        Ok(sums)
    }
}

impl ChoiceScore {
    /// The scores of choices from the logs of [`Language::asked`] and of the choices without any question.
    pub fn of(choices: &[&str], asked: &[f64], unasked: &[f64]) -> Vec<Self> {
        let score = |((choice, &asked), unasked): ((&&str, &f64), &f64)| Self {
            likelihood: asked,
            per_byte: asked / choice.len() as f64,
            pmi: asked - unasked,
        };
        choices.iter().zip(asked).zip(unasked).map(score).collect()
    }
}

/// Several answers to one prompt as tokens, each a whole text.
#[derive(Clone, Debug)]
pub struct Answers {
    texts: Vec<Vec<u32>>,
    /// First token that is scored: the first that may differ.
    first: usize,
}

impl Answers {
    /// The texts, each with the prompt.
    pub fn texts(&self) -> Vec<&[u32]> {
        self.texts.iter().map(Vec::as_slice).collect()
    }

    /// First token that is scored.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Tokens of the longest text.
    pub fn longest(&self) -> usize {
        self.texts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Tokens of the longest answer.
    pub(crate) fn longest_answer(&self) -> usize {
        self.longest() - self.first.min(self.longest())
    }

    /// Tokens that are computed, what the texts share counted once.
    pub fn tokens(&self) -> usize {
        self.first
            + self
                .texts
                .iter()
                .map(|text| text.len().saturating_sub(self.first))
                .sum::<usize>()
    }
}

impl Language {
    /// As [`Language::answers`], with the choices of a question as answers. The message has the question and all
    /// choices.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if there is no choice or one is empty; otherwise if template or tokenizer fail.
    pub fn asked(&self, question: &str, choices: &[&str]) -> Result<Answers> {
        self.answers(&question_text(question, choices, Form::Choices), choices)
    }

    /// Tokens of a question, up to the place where its answer begins.
    ///
    /// # Errors
    /// If the template or the tokenizer fails.
    pub fn question_tokens(
        &self,
        question: &str,
        choices: &[&str],
        form: Form,
    ) -> Result<Vec<u32>> {
        let message = Message::user(question_text(question, choices, form));
        Ok(self.encode(&self.prompt(&[message])?)?.ids)
    }

    /// Asks with a prompt that has only the choices and no question. This is a control: its accuracy must stay near
    /// chance.
    ///
    /// # Errors
    /// As [`Language::asked`].
    pub fn choices_alone(&self, choices: &[&str]) -> Result<Answers> {
        self.answers(
            question_text("", choices, Form::Choices).trim_start(),
            choices,
        )
    }

    /// Puts each answer behind a prompt with this message of the user, as tokens, so that the answers can be scored.
    ///
    /// # Errors
    /// As [`Language::asked`].
    pub fn answers(&self, message: &str, answers: &[&str]) -> Result<Answers> {
        if answers.is_empty() || answers.iter().any(|answer| answer.trim().is_empty()) {
            return Err(Error::told(
                Code::InvalidRequest,
                "A question to be scored has no choices, or an empty one.",
                "Remove the question or write its choices.",
            ));
        }
        let prompt = self.prompt(&[Message::user(message)])?;
        let exchanges: Vec<Exchange> = answers
            .iter()
            .map(|answer| self.exchange_after(&prompt, &self.harmless(answer)))
            .collect::<Result<_>>()?;
        let texts: Vec<&[u32]> = exchanges
            .iter()
            .map(|exchange| exchange.ids.as_slice())
            .collect();
        // The first token of an answer may merge with the end of the prompt in one text and not in another. So all
        // answers are scored from the first token that may differ.
        let first = exchanges
            .iter()
            .map(|e| e.answer)
            .chain((texts.len() > 1).then(|| common_beginning(&texts)));
        let first = first.min().unwrap_or(0).max(1);
        Ok(Answers {
            first,
            texts: exchanges.into_iter().map(|exchange| exchange.ids).collect(),
        })
    }
}
