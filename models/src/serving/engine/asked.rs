//! Turns a request into tokens for the model, or refuses it with a reason.

use super::Engine;
use crate::decoding::language::Compared;
use crate::decoding::score::{ChoiceScore, NO_QUESTION};
use crate::serving::constraint::{Constraint, Constraints};
use crate::serving::refusal::Refusal;
use crate::serving::served::{Base, decoder_of};
use crate::serving::work::{ChoicesAsked, EmbedAsked, Form, Scored};
use crate::texts::tokenizer::TokenizedText;

/// The greatest number of bytes in a token. By this a text can be refused as too long before it is divided into tokens.
const LONGEST_TOKEN: usize = 256;

impl Engine {
    /// The tokens of a question.
    pub(super) fn question(
        &self,
        messages: &[crate::decoding::chat::Message],
    ) -> Result<Vec<u32>, Refusal> {
        let model = self.served.decoder()?;
        let positions = self.served.positions;
        let text = model.language.prompt(messages)?;
        if text.len() / LONGEST_TOKEN > positions {
            return Err(Refusal::too_long(
                text.len() / LONGEST_TOKEN,
                positions - 1,
                "The conversation",
            ));
        }
        let ids = model.language.encode(&text)?.ids;
        if ids.is_empty() {
            return Err(Refusal::invalid(
                "invalid_request",
                "The conversation is empty. Ask something.",
            ));
        }
        if ids.len() >= positions {
            return Err(Refusal::too_long(
                ids.len(),
                positions - 1,
                "The conversation",
            ));
        }
        Ok(ids)
    }

    /// The constraint for answers of this form.
    pub(super) fn constraint(&mut self, form: &Form) -> Result<Option<Constraint>, Refusal> {
        let Form::Schema(schema) = form else {
            return Ok(None);
        };
        let constraints = match self.constraints.take() {
            Some(constraints) => constraints,
            None => {
                let model = self.served.decoder()?;
                Constraints::of(&model.language, model.decoder.config().vocabulary as usize)?
            }
        };
        let constraints = self.constraints.insert(constraints);
        constraints.of_schema(schema).map(Some)
    }

    /// Texts as tokens.
    pub(super) fn texts(
        &self,
        adapter: Option<usize>,
        asked: &EmbedAsked,
    ) -> Result<Vec<Compared>, Refusal> {
        let reading = self.served.reading(adapter);
        let what = |number: usize| format!("Text {number}");
        let enormous = asked
            .texts
            .iter()
            .position(|text| text.len() / LONGEST_TOKEN > reading.longest);
        if let Some(number) = enormous.filter(|_| !asked.cut) {
            let least = asked.texts[number].len() / LONGEST_TOKEN;
            return Err(Refusal::too_long(least, reading.longest, &what(number)));
        }
        let texts: Vec<Compared> = match self.served.base() {
            Base::Encoder(encoder) => {
                let texts: Vec<&str> = asked.texts.iter().map(String::as_str).collect();
                let read = |tokens: TokenizedText| Compared {
                    pooled: 0..tokens.ids.len(),
                    ids: tokens.ids,
                    cut: tokens.truncated,
                };
                encoder
                    .tokenizer
                    .tokenize(&texts)?
                    .into_iter()
                    .map(read)
                    .collect()
            }
            Base::Decoder(model) => {
                let mut texts = Vec::with_capacity(asked.texts.len());
                for (text, &asking) in asked.texts.iter().zip(&asked.asking) {
                    let instruction = if asking {
                        reading.instruction.as_str()
                    } else {
                        ""
                    };
                    texts.push(
                        model
                            .language
                            .compared(instruction, text, reading.longest)?,
                    );
                }
                texts
            }
        };
        if let Some(number) = texts
            .iter()
            .position(|text| text.cut)
            .filter(|_| !asked.cut)
        {
            let message = format!(
                "{} has more tokens than the {} that the model takes. Send a shorter text, or set \"truncate\": true.",
                what(number),
                reading.longest
            );
            return Err(Refusal::invalid("context_length_exceeded", message));
        }
        Ok(texts)
    }

    /// Scores of a question's choices.
    pub(super) fn choices(
        &mut self,
        adapter: Option<usize>,
        asked: &ChoicesAsked,
    ) -> Result<Scored, Refusal> {
        let positions = self.served.positions;
        let model = decoder_of(self.served.with(adapter))?;
        let choices: Vec<&str> = asked.choices.iter().map(String::as_str).collect();
        let said = model.language.asked(&asked.question, &choices)?;
        let alone = model.language.answers(NO_QUESTION, &choices)?;
        let longest = said.longest().max(alone.longest());
        if longest > positions {
            return Err(Refusal::too_long(
                longest,
                positions,
                "The question with its choices",
            ));
        }
        let logs = model.answer_logs(&[&said, &alone])?;
        Ok(Scored {
            scores: ChoiceScore::of(&choices, &logs[0], &logs[1]),
            tokens: said.tokens() + alone.tokens(),
        })
    }
}
