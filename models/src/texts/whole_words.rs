//! Which tokens of a text are together a word.

use crate::Result;
use crate::texts::tokenizer::TextTokenizer;
use lexforge_text::script::is_unspaced;
use std::ops::Range;

/// A text as tokens that are put together to words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeWords {
    /// All tokens, special ones included.
    pub ids: Vec<u32>,
    /// The tokens of each word, in order. Special tokens are in none; a mark is a word by itself.
    pub words: Vec<Range<usize>>,
    /// The text was longer than is read.
    pub cut: bool,
}

impl WholeWords {
    /// The words of a text: runs of letters and digits, however the tokenizer splits them. In a script without blanks
    /// between words each token counts as a word.
    ///
    /// # Errors
    /// If the tokenizer fails on the text.
    pub fn of(tokenizer: &TextTokenizer, text: &str) -> Result<Self> {
        let (tokens, places) = tokenizer.tokenize_with_places(text)?;
        let mut words: Vec<Range<usize>> = Vec::new();
        let mut before: Option<&Range<usize>> = None;
        let own = tokens.special.iter().zip(&places).enumerate();
        for (at, (_, place)) in own.filter(|(_, (special, _))| !**special) {
            match words.last_mut() {
                Some(word)
                    if word.end == at
                        && before.is_some_and(|before| goes_on(text, before, place)) =>
                {
                    word.end = at + 1;
                }
                _ => words.push(at..at + 1),
            }
            before = Some(place);
        }
        Ok(Self {
            ids: tokens.ids,
            words,
            cut: tokens.truncated,
        })
    }
}

/// Whether a token that covers some bytes of the text continues the word of the token before it.
fn goes_on(text: &str, before: &Range<usize>, next: &Range<usize>) -> bool {
    // Both tokens are bytes of one character.
    if next.start < before.end && next.end >= before.end {
        return true;
    }
    let in_word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let last = text.get(before.clone()).and_then(|t| t.chars().next_back());
    let first = text.get(next.clone()).and_then(|t| t.chars().next());
    next.start == before.end && last.is_some_and(in_word) && first.is_some_and(in_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_on_with_a_word_only_within_it() {
        let check = |text: &str, before: Range<usize>, next: Range<usize>, expected: bool| {
            assert_eq!(
                goes_on(text, &before, &next),
                expected,
                "{text} {before:?} {next:?}"
            );
        };
        check("recapitalise", 0..2, 2..9, true);
        check("pay tax", 0..3, 4..7, false);
        // With the blank in its bytes, as some tokenizers have it.
        check("pay tax", 0..3, 3..7, false);
        check("pay, tax", 0..3, 3..4, false);
        check("Tier1", 0..4, 4..5, true);
        check("银行", 0..3, 3..6, false);
        // A character that the tokenizer splits into two tokens.
        check("银行", 0..3, 0..3, true);
        check("은행은", 0..6, 6..9, true);
    }
}
