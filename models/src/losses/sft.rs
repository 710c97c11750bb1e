//! The first stage: `L_SFT = −Σ log p(y | x)` over the answer's tokens (docs/methods.md, "Training"), the mean over an
//! item's tokens and then over the items.

use crate::Result;
use crate::decoding::chat::Message;
use crate::decoding::language::{Exchange, Language};
use crate::losses::loss::{Placed, TokenLoss};
use crate::losses::terms::Terms;

/// How a question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With its choices listed, in the order given.
    Choices,
    /// The question alone, without its choices.
    Open,
}

/// The text of a question in a form. The choices are listed as they are: who calls this has shuffled them.
pub fn question_text(question: &str, choices: &[&str], form: Form) -> String {
    match form {
        Form::Open => question.to_owned(),
        Form::Choices => {
            let listed: String = choices
                .iter()
                .map(|choice| format!("\n- {choice}"))
                .collect();
            format!("{question}\n{listed}")
        }
    }
}

/// A question and its answer as tokens; `form` says how the question lists its choices.
///
/// # Errors
/// If the template or the tokenizer fails.
pub fn exchange(
    language: &Language,
    question: &str,
    choices: &[&str],
    answer: &str,
    form: Form,
) -> Result<Exchange> {
    language.exchange(
        &[Message::user(question_text(question, choices, form))],
        answer,
    )
}

/// Likelihood of the answer, its end included; the question is read and not learnt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sft;

impl TokenLoss for Sft {
    type Item = Exchange;

    fn name(&self) -> &'static str {
        "sft"
    }

    fn texts<'a>(&self, item: &'a Exchange) -> Vec<&'a [u32]> {
        vec![&item.ids]
    }

    fn add_terms(&self, item: &Exchange, place: &Placed<'_>, share: f64, terms: &mut Terms) {
        // No token comes before the first token of a text, so nothing predicts it.
        let tokens = item.answer.max(1)..item.ids.len();
        let weight = share / tokens.len().max(1) as f64;
        terms
            .raised
            .extend(tokens.map(|token| (place.foretold(0, token), weight)));
    }
}
