//! Masked language modelling that masks whole words (Devlin et al. 2018, docs/methods.md, "Rules and policies"). The
//! encoder gives a vector for each token of the masked text. From the vector of each masked token a head predicts which
//! token was there. The head uses the vectors of all tokens of the vocabulary for this. The loss is the mean over the
//! masked tokens of a batch.

use crate::Result;
use crate::adapters::lora::Pass;
use crate::architectures::encoder::{Encoder, Vectors};
use crate::architectures::packing::{Packed, by_length};
use crate::architectures::recompute::Way;
use crate::architectures::word_head::WordHead;
use crate::losses::masked::MaskedText;
use crate::losses::over_words::OverWords;
use crate::losses::terms::{Foretold, Terms};
use crate::texts::whole_words::WholeWords;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use tch::Tensor;

/// Of what is masked, the share of tokens that become the mask.
const BECOMES_MASK: f64 = 0.8;
/// And the share of these that become the mask or another token. The others stay unchanged.
const CHANGES: f64 = 0.9;

/// How words are masked.
#[derive(Clone, Copy, Debug)]
pub struct Masking {
    /// Share of a text's tokens.
    pub share: f64,
    /// The mask.
    pub mask: u32,
    /// Tokens from which another is drawn: those below this number.
    pub vocabulary: u32,
}

impl Masking {
    /// Masks randomly chosen whole words of a text, until about the required share of its tokens is masked. If the text
    /// has a word, at least one word is masked. A word that would exceed the share by much is skipped.
    pub fn of(&self, text: &WholeWords, random: &mut ChaCha8Rng) -> MaskedText {
        let tokens: usize = text.words.iter().map(ExactSizeIterator::len).sum();
        let wanted = ((tokens as f64 * self.share).round() as usize).max(1);
        let mut order: Vec<usize> = (0..text.words.len()).collect();
        order.shuffle(random);
        let (mut chosen, mut masked) = (Vec::new(), 0);
        for &word in &order {
            let own = text.words[word].len();
            if masked + own <= wanted {
                chosen.push(word);
                masked += own;
            }
        }
        if chosen.is_empty() {
            chosen.extend(order.first());
        }
        chosen.sort_unstable();
        let mut made = MaskedText {
            ids: text.ids.clone(),
            hidden: Vec::new(),
        };
        for place in chosen.into_iter().flat_map(|word| text.words[word].clone()) {
            made.hidden.push((place, text.ids[place]));
            let drawn: f64 = random.random();
            if drawn < BECOMES_MASK {
                made.ids[place] = self.mask;
            } else if drawn < CHANGES {
                made.ids[place] = random.random_range(0..self.vocabulary.max(1));
            }
        }
        made
    }
}

/// An encoder with the head that foretells words, and the table of the words' vectors.
#[derive(Clone, Copy)]
pub struct Foreteller<'a> {
    /// The encoder.
    pub encoder: &'a Encoder,
    /// The head.
    pub head: &'a WordHead,
    /// The words' vectors.
    pub words: &'a Tensor,
}

impl Foreteller<'_> {
    /// Texts packed by length, with the likelihood of each masked token, which counts `weight`.
    fn packed(&self, texts: &[&MaskedText], weight: f64) -> Result<(Packed, Terms)> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
        let order = by_length(&lengths);
        let sorted: Vec<&[u32]> = order.iter().map(|&i| texts[i].ids.as_slice()).collect();
        let packed = Packed::of(&sorted, self.encoder.device())?;
        let mut terms = Terms::default();
        for (&text, (start, _)) in order.iter().zip(packed.texts()) {
            terms
                .raised
                .extend(texts[text].hidden.iter().map(|&(place, token)| {
                    let foretold = Foretold {
                        row: start + place as i64,
                        token: i64::from(token),
                    };
                    (foretold, weight)
                }));
        }
        Ok((packed, terms))
    }

    fn over_words(&self) -> OverWords<'_> {
        OverWords {
            head: self.head,
            words: self.words,
        }
    }

    /// Adds the gradient of the part of the loss that belongs to these texts to the trained parameters, times the scale
    /// of `way`. Returns this part of the loss.
    pub fn backward(&self, texts: &[&MaskedText], weight: f64, way: Way) -> Result<f64> {
        let (packed, terms) = self.packed(texts, weight)?;
        self.encoder
            .stack(&packed, Pass::Train)?
            .backward(way.recompute, &mut |hidden| {
                self.over_words().backward(hidden, &terms, way.scale)
            })
    }

    /// The part of the loss that belongs to these texts, without dropout and without a gradient.
    pub fn value(&self, texts: &[&MaskedText], weight: f64) -> Result<f64> {
        let _no_grad = tch::no_grad_guard();
        let (packed, terms) = self.packed(texts, weight)?;
        let hidden = self.encoder.stack(&packed, Pass::Infer)?.run()?;
        self.over_words().value(&hidden, &terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    const MASKING: Masking = Masking {
        share: 0.15,
        mask: 4,
        vocabulary: 1000,
    };

    /// Words of one, two and three tokens between two special ones.
    fn text() -> WholeWords {
        let mut words = Vec::new();
        let mut at = 1;
        for number in 0..40 {
            let tokens = 1 + number % 3;
            words.push(at..at + tokens);
            at += tokens;
        }
        WholeWords {
            ids: (1000..1001 + at as u32).collect(),
            words,
            cut: false,
        }
    }

    #[test]
    fn whole_words_are_masked_in_their_share_and_in_three_ways() {
        let text = text();
        let tokens = text.ids.len() - 2;
        let (mut all, mut masks, mut others, mut same) = (0, 0, 0, 0);
        for seed in 0..400 {
            let masked = MASKING.of(&text, &mut ChaCha8Rng::seed_from_u64(seed));
            assert_eq!(
                masked,
                MASKING.of(&text, &mut ChaCha8Rng::seed_from_u64(seed))
            );
            // Each word is hidden whole or not at all.
            let hidden: Vec<usize> = masked.hidden.iter().map(|h| h.0).collect();
            for word in &text.words {
                let n = word.clone().filter(|at| hidden.contains(at)).count();
                assert!(n == 0 || n == word.len(), "{word:?}");
            }
            // Not more than the share, and nearly all of it: the rest is too small for another word.
            let wanted = (tokens as f64 * 0.15).round() as usize;
            assert!((wanted - 2..=wanted).contains(&hidden.len()), "{hidden:?}");
            all += hidden.len();
            for &(place, token) in &masked.hidden {
                assert_eq!(text.ids[place], token);
                match masked.ids[place] {
                    4 => masks += 1,
                    now if now == token => same += 1,
                    now => {
                        assert!(now < 1000);
                        others += 1;
                    }
                }
            }
            // All other tokens are unchanged.
            for (place, (was, now)) in text.ids.iter().zip(&masked.ids).enumerate() {
                assert!(was == now || hidden.contains(&place));
            }
        }
        let share = |n: i32| f64::from(n) / all as f64;
        assert!((share(masks) - 0.8).abs() < 0.02, "{masks} of {all}");
        assert!((share(others) - 0.1).abs() < 0.02, "{others} of {all}");
        assert!((share(same) - 0.1).abs() < 0.02, "{same} of {all}");
    }

    #[test]
    fn a_text_of_one_long_word_is_masked_and_one_of_none_is_not() {
        let of = |words: Vec<std::ops::Range<usize>>| {
            let text = WholeWords {
                ids: (10..20).collect(),
                words,
                cut: false,
            };
            let masked = MASKING.of(&text, &mut ChaCha8Rng::seed_from_u64(1));
            masked.hidden.len()
        };
        assert_eq!(of(std::iter::once(1..9).collect()), 8);
        assert_eq!(of(Vec::new()), 0);
    }
}
