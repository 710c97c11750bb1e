//! Texts, and terms in them, as the model that is trained reads them.

use super::lesson::Trainee;
use crate::Result;
use crate::decoding::language::Language;
use crate::texts::tokenizer::TextTokenizer;
use lexforge_domain::protocol::Pooling;
use std::ops::Range;

/// A text as tokens, and which of them are pooled.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    pub(super) ids: Vec<u32>,
    pub(super) pooled: Range<usize>,
}

/// A text, and whether it was cut.
pub(super) type Encoded = (Tokens, bool);

/// Turns texts into tokens, from which vectors are made.
pub(super) struct Reader<'a> {
    tokens: By<'a>,
    /// How the vector of a whole text is made.
    whole: Pooling,
    longest: usize,
}

enum By<'a> {
    Encoder(&'a TextTokenizer),
    Decoder(&'a Language),
}

impl<'a> Reader<'a> {
    /// As a model reads; the vectors of whole texts are made by a pooling.
    pub(super) fn of(trainee: &'a Trainee, whole: Pooling, longest: usize) -> Self {
        let tokens = match trainee {
            Trainee::Encoder(encoder) => By::Encoder(&encoder.tokenizer),
            Trainee::Decoder(model) => By::Decoder(&model.language),
        };
        Self {
            tokens,
            whole,
            longest,
        }
    }

    /// The pooling to use when [`Tokens::pooled`] says which tokens are pooled. It is always the mean over these
    /// tokens. First-token and last-token pooling select one token, and the mean over one token is the token itself. So
    /// terms, which are averaged, can be in the same batch.
    pub(super) fn pooling(&self) -> Pooling {
        match self.whole {
            Pooling::Mean | Pooling::Cls | Pooling::Last => Pooling::Mean,
            other => other,
        }
    }

    /// A text as it is read: without what a tokenizer would take for its own marks.
    pub(super) fn harmless(&self, text: &str) -> String {
        match self.tokens {
            By::Encoder(_) => text.to_owned(),
            By::Decoder(language) => language.harmless(text),
        }
    }

    /// A whole text.
    pub(super) fn text(&self, text: &str) -> Result<Encoded> {
        let (ids, own, cut) = match self.tokens {
            By::Encoder(tokenizer) => {
                let read = tokenizer
                    .tokenize(&[text])?
                    .into_iter()
                    .next()
                    .unwrap_or_default();
                (read.ids, None, read.truncated)
            }
            By::Decoder(language) => {
                let read = language.compared("", text, self.longest)?;
                (read.ids, Some(read.pooled), read.cut)
            }
        };
        let all = own.unwrap_or(0..ids.len());
        let pooled = match self.whole {
            Pooling::Cls => all.start..all.start + 1,
            Pooling::Last => all.end - 1..all.end,
            _ => all,
        };
        Ok((Tokens { ids, pooled }, cut))
    }

    /// A term, at some bytes of a text; `None` if it would lie beyond the longest length.
    pub(super) fn term(&self, text: &str, bytes: &Range<usize>) -> Result<Option<Tokens>> {
        let (ids, pooled) = match self.tokens {
            By::Encoder(tokenizer) => match tokenizer.placed(text, bytes)? {
                Some(placed) => placed,
                None => return Ok(None),
            },
            By::Decoder(language) => {
                let encoded = language.encode(text)?;
                let pooled = encoded.of_bytes(bytes);
                if encoded.ids.len() >= self.longest {
                    return Ok(None);
                }
                let mut ids = encoded.ids;
                ids.push(language.end());
                (ids, pooled)
            }
        };
        Ok((!pooled.is_empty()).then_some(Tokens { ids, pooled }))
    }
}
