//! Scores of choices by their likelihood under a decoder (METHODS §1.4).

use crate::chat::Message;
use crate::continuations::{Continuations, common_beginning};
use crate::decoder::Attention;
use crate::language::{Exchange, LanguageModel};
use crate::lora::Pass;
use crate::sft::{Form, question_text};
use crate::terms::{Foretold, Table};
use crate::{Error, Result};
use lexforge_domain::Code;
use std::collections::BTreeMap;
use tch::Tensor;

/// What is asked where the likelihood of a choice without the question is measured.
pub const NO_QUESTION: &str = "Answer.";
/// Logits that are held at a time.
const LARGEST_TABLE: usize = 1 << 26;

/// The scores of one choice. Higher is likelier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceScore {
    /// `Σ log p(choice + end of answer | question with all choices listed)`: the primary one.
    pub likelihood: f64,
    /// The same for each byte of the choice.
    pub per_byte: f64,
    /// The same less `Σ log p(choice + end of answer | no question)`: what the question adds.
    pub pmi: f64,
}

impl LanguageModel {
    /// Scores of a question's choices, in the order in which they are listed to the model.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] where there is no choice or one is empty; else where template, tokenizer or
    /// libtorch refuse.
    pub fn choice_scores(&self, question: &str, choices: &[&str]) -> Result<Vec<ChoiceScore>> {
        if choices.is_empty() || choices.iter().any(|choice| choice.trim().is_empty()) {
            return Err(Error::told(
                Code::InvalidRequest,
                "A question to be scored has no choices, or an empty one.",
                "Remove the question or write its choices.",
            ));
        }
        let listed = question_text(question, choices, Form::Choices);
        let asked = self.answer_logs(&[Message::user(listed)], choices)?;
        let unasked = self.answer_logs(&[Message::user(NO_QUESTION)], choices)?;
        let score = |((&choice, asked), unasked): ((&&str, f64), f64)| ChoiceScore {
            likelihood: asked,
            per_byte: asked / choice.len() as f64,
            pmi: asked - unasked,
        };
        Ok(choices.iter().zip(asked).zip(unasked).map(score).collect())
    }

    /// `Σ log p(answer + end of answer | messages)` of several answers; what they share is read once.
    ///
    /// # Errors
    /// As [`LanguageModel::choice_scores`].
    pub fn answer_logs(&self, messages: &[Message], answers: &[&str]) -> Result<Vec<f64>> {
        let prompt = self.language.prompt(messages)?;
        let exchanges: Vec<Exchange> = answers
            .iter()
            .map(|answer| self.language.exchange_after(&prompt, &self.language.harmless(answer)))
            .collect::<Result<_>>()?;
        let texts: Vec<&[u32]> = exchanges.iter().map(|exchange| exchange.ids.as_slice()).collect();
        // An answer may melt into the end of the prompt in one text and not in another: all are scored from
        // the first token that may differ.
        let first = exchanges.iter().map(|e| e.answer).chain((texts.len() > 1).then(|| common_beginning(&texts)));
        let first = first.min().unwrap_or(0).max(1);
        self.logs_from(&texts, first)
    }

    /// `Σ log p` of the tokens of texts from this one on.
    fn logs_from(&self, texts: &[&[u32]], first: usize) -> Result<Vec<f64>> {
        let _no_grad = tch::no_grad_guard();
        let decoder = self.decoder.as_ref();
        let all = Continuations::of(&[texts.to_vec()], decoder.device())?;
        let hidden = decoder.hidden(&all.packed, Attention::Causal, Pass::Infer)?;
        let mut asked: Vec<(usize, Foretold)> = Vec::new();
        for (text, ids) in texts.iter().enumerate() {
            for (token, &id) in ids.iter().enumerate().skip(first) {
                asked.push((text, Foretold { row: all.foretelling(0, text, token), token: i64::from(id) }));
            }
        }
        let mut sums = vec![0.0; texts.len()];
        let rows_at_once = (LARGEST_TABLE / decoder.config().vocabulary as usize).max(1);
        for part in asked.chunks(rows_at_once) {
            let mut rows: Vec<i64> = part.iter().map(|(_, foretold)| foretold.row).collect();
            rows.sort_unstable();
            rows.dedup();
            let places: BTreeMap<i64, i64> = rows.iter().zip(0..).map(|(&row, place)| (row, place)).collect();
            let rows = Tensor::f_from_slice(&rows)?.f_to_device(decoder.device())?;
            let table = Table::new(&decoder.logits(&hidden.f_index_select(0, &rows)?)?)?;
            let foretold: Vec<Foretold> = part.iter().map(|&(_, foretold)| foretold).collect();
            let logs = Vec::<f64>::try_from(table.logs(&foretold, &places)?.f_to_kind(tch::Kind::Double)?)?;
            for ((text, _), log) in part.iter().zip(logs) {
                sums[*text] += log;
            }
        }
        Ok(sums)
    }
}
