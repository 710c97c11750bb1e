//! A sentence reconstructed from a damaged one (TSDAE, Wang et al. 2021). Most of its words are deleted, the encoder
//! makes one vector of the rest, and from this vector a decoder writes the whole sentence. The loss is the mean over
//! the tokens of a batch's sentences.

use crate::Result;
use crate::adapters::lora::Pass;
use crate::architectures::encoder::{Encoder, PooledEncoder, Text, Vectors};
use crate::architectures::packing::{Packed, by_length};
use crate::architectures::recompute::Way;
use crate::architectures::sentence_decoder::SentenceDecoder;
use crate::losses::over_words::OverWords;
use crate::losses::terms::{Foretold, Terms};
use crate::texts::whole_words::WholeWords;
use lexforge_domain::protocol::Pooling;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tch::{Kind, Tensor};

/// A sentence and what is left of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damaged {
    /// All of its tokens: at least two.
    pub whole: Vec<u32>,
    /// The tokens that are left.
    pub left: Vec<u32>,
}

impl Damaged {
    /// Deletes each word of a text with this probability, whole ones; one always stays. Special tokens stay.
    pub fn of(text: &WholeWords, share: f64, random: &mut ChaCha8Rng) -> Self {
        let share = share.clamp(0.0, 1.0);
        let words = text.words.iter();
        let mut deleted: Vec<bool> = words.map(|_| random.random_bool(share)).collect();
        if !deleted.is_empty() && !deleted.contains(&false) {
            let stays = random.random_range(0..deleted.len());
            deleted[stays] = false;
        }
        let mut stays = vec![true; text.ids.len()];
        for (word, _) in text.words.iter().zip(&deleted).filter(|(_, gone)| **gone) {
            stays[word.clone()].fill(false);
        }
        let left = text.ids.iter().zip(stays).filter(|(_, stays)| *stays);
        Self {
            whole: text.ids.clone(),
            left: left.map(|(&id, _)| id).collect(),
        }
    }

    /// Tokens that are foretold: all but the first, which nothing comes before.
    pub fn foretold(&self) -> usize {
        self.whole.len().saturating_sub(1)
    }

    /// Tokens that go through encoder and decoder.
    pub fn tokens(&self) -> usize {
        self.left.len() + self.whole.len()
    }
}

/// An encoder with the decoder that restores sentences from its vectors, and the table of the words' vectors.
#[derive(Clone, Copy)]
pub struct Restorer<'a> {
    /// The encoder.
    pub encoder: &'a Encoder,
    /// How its token vectors become one vector.
    pub pooling: Pooling,
    /// The decoder.
    pub decoder: &'a SentenceDecoder,
    /// The words' vectors.
    pub words: &'a Tensor,
}

/// A batch as the two read it.
struct Batch<'a> {
    /// The remaining words of the sentences, in the order of packing.
    left: Vec<Text<'a>>,
    /// The whole sentences without their last tokens.
    packed: Packed,
    /// Of each token, which sentence it belongs to.
    sentence: Tensor,
    /// The likelihood of each token's next one.
    terms: Terms,
}

impl<'a> Restorer<'a> {
    fn batch<'t>(&self, texts: &[&'t Damaged], weight: f64) -> Result<Batch<'t>> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.foretold()).collect();
        let order = by_length(&lengths);
        let read: Vec<&[u32]> = order
            .iter()
            .map(|&i| &texts[i].whole[..lengths[i]])
            .collect();
        let packed = Packed::of(&read, self.encoder.device())?;
        let mut terms = Terms::default();
        let mut sentence: Vec<i64> = Vec::with_capacity(lengths.iter().sum());
        for (number, (&text, (start, length))) in order.iter().zip(packed.texts()).enumerate() {
            sentence.extend((0..length).map(|_| number as i64));
            let next = texts[text].whole.iter().skip(1);
            terms
                .raised
                .extend(next.zip(start..start + length).map(|(&token, row)| {
                    let foretold = Foretold {
                        row,
                        token: i64::from(token),
                    };
                    (foretold, weight)
                }));
        }
        Ok(Batch {
            left: order
                .iter()
                .map(|&i| texts[i].left.as_slice().into())
                .collect(),
            packed,
            sentence: Tensor::f_from_slice(&sentence)?.f_to_device(self.encoder.device())?,
            terms,
        })
    }

    fn vectors(&self) -> PooledEncoder<'a> {
        PooledEncoder {
            encoder: self.encoder,
            pooling: self.pooling,
        }
    }

    fn over_words(&self) -> OverWords<'a> {
        OverWords {
            head: &self.decoder.head,
            words: self.words,
        }
    }

    /// Adds the gradient of the part of the loss that belongs to these texts to the trained parameters, times the scale
    /// of `way`. Returns this part of the loss. Each token has the weight `weight`.
    pub fn backward(&self, texts: &[&Damaged], weight: f64, way: Way) -> Result<f64> {
        let batch = self.batch(texts, weight)?;
        // The gradient by the decoder's vectors is computed first, a few tokens at a time, and has the scale already.
        let plain = Way { scale: 1.0, ..way };
        let mut loss = 0.0;
        self.vectors()
            .backward(&batch.left, Pass::Train, plain, &mut |vectors| {
                let hidden =
                    self.decoder
                        .hidden(&batch.packed, self.words, vectors, &batch.sentence)?;
                let (value, gradient) =
                    self.over_words()
                        .backward(&hidden.f_detach()?, &batch.terms, way.scale)?;
                loss = value;
                // The gradient of this sum by the decoder's vectors is exactly the one that was computed.
                Ok(hidden.f_mul(&gradient)?.f_sum(Kind::Float)?)
            })?;
        Ok(loss)
    }

    /// The part of the loss that belongs to these texts, without dropout and without a gradient.
    pub fn value(&self, texts: &[&Damaged], weight: f64) -> Result<f64> {
        let _no_grad = tch::no_grad_guard();
        let batch = self.batch(texts, weight)?;
        let vectors = self.vectors().encode_texts(&batch.left, Pass::Infer)?;
        let hidden = self
            .decoder
            .hidden(&batch.packed, self.words, &vectors, &batch.sentence)?;
        self.over_words().value(&hidden, &batch.terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Words of one, two and three tokens between two special ones.
    fn text(words: usize) -> WholeWords {
        let mut all = Vec::new();
        let mut at = 1;
        for number in 0..words {
            let tokens = 1 + number % 3;
            all.push(at..at + tokens);
            at += tokens;
        }
        WholeWords {
            ids: (1000..1001 + at as u32).collect(),
            words: all,
            cut: false,
        }
    }

    fn damaged(text: &WholeWords, share: f64, seed: u64) -> Damaged {
        Damaged::of(text, share, &mut ChaCha8Rng::seed_from_u64(seed))
    }

    #[test]
    fn whole_words_are_deleted_in_their_share_and_special_tokens_stay() {
        let text = text(40);
        let (mut words, mut deleted) = (0, 0);
        for seed in 0..400 {
            let made = damaged(&text, 0.6, seed);
            assert_eq!(made, damaged(&text, 0.6, seed));
            assert_eq!(made.whole, text.ids);
            assert_eq!(made.left.first(), text.ids.first());
            assert_eq!(made.left.last(), text.ids.last());
            // The remaining tokens keep their order.
            assert!(made.left.is_sorted());
            for word in &text.words {
                let own = &text.ids[word.clone()];
                let n = own.iter().filter(|id| made.left.contains(id)).count();
                assert!(n == 0 || n == own.len(), "{word:?}");
                words += 1;
                deleted += usize::from(n == 0);
            }
        }
        let share = deleted as f64 / words as f64;
        assert!((share - 0.6).abs() < 0.02, "{share}");
    }

    #[test]
    fn of_a_text_that_would_be_lost_one_word_stays() {
        let short = text(3);
        for seed in 0..20 {
            let left = damaged(&short, 1.0, seed).left;
            let stays = |word: &&std::ops::Range<usize>| {
                short.ids[(*word).clone()]
                    .iter()
                    .all(|id| left.contains(id))
            };
            assert_eq!(short.words.iter().filter(stays).count(), 1, "{left:?}");
        }
        let none = damaged(&text(0), 1.0, 1);
        assert_eq!(none.left, none.whole);
        assert_eq!((none.foretold(), none.tokens()), (1, 4));
    }
}
