//! Texts to token numbers.

use crate::architectures::classifier::PairTokens;
use crate::texts::vocabulary;
use crate::{Error, Result};
use lexforge_domain::Code;
use std::ops::Range;
use std::path::Path;
use tokenizers::{Encoding, PostProcessor, Token, Tokenizer, TruncationParams};

/// A model folder's tokenizer. It adds no padding (batches are packed), and cuts texts by our own rule and not by the
/// rule in the file.
pub struct TextTokenizer {
    tokenizer: Tokenizer,
    unknown: Option<u32>,
}

/// A text as tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenizedText {
    /// Token numbers, special tokens included; never empty.
    pub ids: Vec<u32>,
    /// Which of them are special tokens that the tokenizer put around the text.
    pub special: Vec<bool>,
    /// The text was longer than `max_length` tokens.
    pub truncated: bool,
    /// Tokens that the text itself gave (no special ones), after the cut.
    pub own_tokens: usize,
    /// How many of them are the unknown token.
    pub unknown_tokens: usize,
}

/// The tokens that a tokenizer puts around two texts that are read together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairFrame {
    /// Special tokens, each with its type: before the first text, between the two, and after the second.
    pub around: [Vec<(u32, u32)>; 3],
    /// Types of the tokens of the one text and the other.
    pub types: [u32; 2],
}

impl TextTokenizer {
    /// Reads the tokenizer of a model folder.
    ///
    /// # Errors
    /// As [`vocabulary::tokenizer`]; [`Code::InvalidRequest`] if `max_length` is too small for any text.
    pub fn open(folder: &Path, max_length: usize) -> Result<Self> {
        let mut tokenizer = vocabulary::tokenizer(folder)?;
        // Space for the special tokens of one text and one token more.
        if max_length < 4 {
            return Err(Error::told(
                Code::InvalidRequest,
                format!("max_length is {max_length}, which leaves no room for text."),
                "Use a max_length between 16 and the model's longest input (inspect shows it).",
            ));
        }
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(TruncationParams {
                max_length,
                ..Default::default()
            }))
            .map_err(|e| {
                Error::told(
                    Code::InvalidRequest,
                    format!("{e}"),
                    "Use a larger max_length.",
                )
            })?;
        let unknown = ["[UNK]", "<unk>", "<UNK>"]
            .iter()
            .find_map(|token| tokenizer.token_to_id(token));
        Ok(Self { tokenizer, unknown })
    }

    /// Entries of the vocabulary, added tokens included.
    pub fn vocabulary(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// Tokenizes texts, in their order.
    ///
    /// # Errors
    /// If the tokenizer fails on a text.
    pub fn tokenize(&self, texts: &[&str]) -> Result<Vec<TokenizedText>> {
        let encodings = self
            .tokenizer
            .encode_batch_fast(texts.to_vec(), true)
            .map_err(vocabulary::failed)?;
        Ok(encodings.iter().map(|e| self.tokenized(e)).collect())
    }

    fn tokenized(&self, encoding: &Encoding) -> TokenizedText {
        let mask = encoding.get_special_tokens_mask();
        let special: Vec<bool> = mask.iter().map(|&mask| mask != 0).collect();
        let own = |index: usize| !special[index];
        let ids = encoding.get_ids().to_vec();
        let unknown_tokens = match self.unknown {
            Some(unknown) => ids
                .iter()
                .enumerate()
                .filter(|&(i, &id)| id == unknown && own(i))
                .count(),
            None => 0,
        };
        TokenizedText {
            truncated: !encoding.get_overflowing().is_empty(),
            own_tokens: (0..ids.len()).filter(|&i| own(i)).count(),
            unknown_tokens,
            special,
            ids,
        }
    }

    /// A text as tokens, with the range of bytes in the text that each token covers.
    ///
    /// # Errors
    /// If the tokenizer fails on the text.
    pub fn tokenize_with_places(&self, text: &str) -> Result<(TokenizedText, Vec<Range<usize>>)> {
        let encoding = self.encoded(text)?;
        let places = encoding.get_offsets().iter();
        let places = places.map(|&(start, end)| start..end).collect();
        Ok((self.tokenized(&encoding), places))
    }

    fn encoded(&self, text: &str) -> Result<Encoding> {
        self.tokenizer
            .encode(text, true)
            .map_err(vocabulary::failed)
    }

    /// The token that replaces a masked one, if the tokenizer has such a token.
    pub fn mask(&self) -> Option<u32> {
        ["[MASK]", "<mask>"]
            .iter()
            .find_map(|token| self.tokenizer.token_to_id(token))
    }

    /// The tokens of the texts themselves, in the order of the texts, without special tokens. Each text is cut at the
    /// greatest length that any input can have.
    ///
    /// # Errors
    /// If the tokenizer fails on a text.
    pub fn own_tokens(&self, texts: &[&str]) -> Result<Vec<Vec<u32>>> {
        let own = |text: TokenizedText| {
            let ids = text.ids.into_iter().zip(text.special);
            ids.filter(|(_, special)| !special).map(|(id, _)| id)
        };
        let texts = self.tokenize(texts)?.into_iter();
        Ok(texts.map(|text| own(text).collect()).collect())
    }

    /// The special tokens around two texts that are read together.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn pair_frame(&self) -> Result<PairFrame> {
        let mut frame = PairFrame {
            types: [0, 1],
            ..PairFrame::default()
        };
        let Some(processor) = self.tokenizer.get_post_processor() else {
            return Ok(frame);
        };
        // Find out which special tokens are put around two ordinary tokens.
        let text = || Encoding::from_tokens(vec![Token::new(0, String::new(), (0, 0))], 0);
        let both = processor
            .process(text(), Some(text()), true)
            .map_err(vocabulary::failed)?;
        let tokens = both.get_ids().iter().zip(both.get_type_ids());
        let mut part = 0;
        for ((&id, &kind), &special) in tokens.zip(both.get_special_tokens_mask()) {
            match (special, frame.types.get_mut(part)) {
                (0, Some(of_text)) => {
                    *of_text = kind;
                    part += 1;
                }
                _ => frame.around[part].push((id, kind)),
            }
        }
        Ok(frame)
    }

    /// The tokens of a text, and which of them cover a given range of bytes. `None` if the text had to be cut, because
    /// the bytes could lie beyond the cut.
    ///
    /// # Errors
    /// If the tokenizer fails on the text.
    pub fn placed(
        &self,
        text: &str,
        bytes: &Range<usize>,
    ) -> Result<Option<(Vec<u32>, Range<usize>)>> {
        let encoding = self.encoded(text)?;
        if !encoding.get_overflowing().is_empty() {
            return Ok(None);
        }
        let special = encoding.get_special_tokens_mask();
        let within = |&(i, &(start, end)): &(usize, &(usize, usize))| {
            special[i] == 0 && start < bytes.end && end > bytes.start
        };
        let mut tokens = encoding.get_offsets().iter().enumerate().filter(within);
        let range = match tokens.next() {
            Some((first, _)) => first..tokens.next_back().map_or(first, |(last, _)| last) + 1,
            None => 0..0,
        };
        Ok(Some((encoding.get_ids().to_vec(), range)))
    }

    /// Tokenizes pairs of texts for a cross-encoder; a pair that is too long loses tokens of its longer
    /// text.
    ///
    /// # Errors
    /// If the tokenizer fails on a text.
    pub fn tokenize_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairTokens>> {
        let encodings = self
            .tokenizer
            .encode_batch_fast(pairs.to_vec(), true)
            .map_err(vocabulary::failed)?;
        let pair = |e: Encoding| PairTokens {
            ids: e.get_ids().to_vec(),
            types: e.get_type_ids().to_vec(),
        };
        Ok(encodings.into_iter().map(pair).collect())
    }
}
