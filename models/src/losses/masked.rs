//! Masked tokens, predicted from both sides. Masked next-token prediction (MNTP, LLM2Vec) predicts each token from the
//! position before it, as decoders do. Masked language modelling predicts it from its own position.

use crate::architectures::decoder::Attention;
use crate::losses::loss::{Placed, TokenLoss};
use crate::losses::terms::{Foretold, Terms};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A text with some tokens masked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskedText {
    /// Its tokens, masks in their places.
    pub ids: Vec<u32>,
    /// The masked places, each with the token that was there.
    pub hidden: Vec<(usize, u32)>,
}

impl MaskedText {
    /// Masks about `share` of a text's tokens: at least one, and never the first, which has no token before it.
    pub fn of(ids: &[u32], share: f64, mask: u32, random: &mut ChaCha8Rng) -> Self {
        let mut text = Self {
            ids: ids.to_vec(),
            hidden: Vec::new(),
        };
        let chosen: Vec<usize> = (1..ids.len())
            .filter(|_| random.random_bool(share.clamp(0.0, 1.0)))
            .collect();
        let chosen = match chosen.is_empty() && ids.len() > 1 {
            true => vec![random.random_range(1..ids.len())],
            false => chosen,
        };
        for place in chosen {
            text.hidden.push((place, ids[place]));
            text.ids[place] = mask;
        }
        text
    }
}

/// Likelihood of the masked tokens.
#[derive(Clone, Copy, Debug)]
pub struct Masked {
    /// From the position before (MNTP); else from its own.
    pub from_before: bool,
}

impl TokenLoss for Masked {
    type Item = MaskedText;

    fn name(&self) -> &'static str {
        if self.from_before { "mntp" } else { "mlm" }
    }

    fn attention(&self) -> Attention {
        Attention::Bidirectional
    }

    fn texts<'a>(&self, item: &'a MaskedText) -> Vec<&'a [u32]> {
        vec![&item.ids]
    }

    fn add_terms(&self, item: &MaskedText, place: &Placed<'_>, share: f64, terms: &mut Terms) {
        let weight = share / item.hidden.len().max(1) as f64;
        for &(at, token) in &item.hidden {
            let foretold = match self.from_before {
                true => place.foretold_as(0, at, token),
                false => Foretold {
                    row: place.row(0, at),
                    token: i64::from(token),
                },
            };
            terms.raised.push((foretold, weight));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn about_the_share_asked_for_is_masked_and_the_first_token_never() {
        let ids: Vec<u32> = (10..1010).collect();
        let masked = MaskedText::of(&ids, 0.15, 1, &mut ChaCha8Rng::seed_from_u64(7));
        assert!(
            (100..200).contains(&masked.hidden.len()),
            "{}",
            masked.hidden.len()
        );
        for &(place, token) in &masked.hidden {
            assert!(place > 0 && masked.ids[place] == 1 && ids[place] == token);
        }
        for seed in 0..20 {
            let masked = MaskedText::of(&[5, 6], 0.0, 1, &mut ChaCha8Rng::seed_from_u64(seed));
            assert_eq!((masked.ids, masked.hidden), (vec![5, 1], vec![(1, 6)]));
        }
        assert!(
            MaskedText::of(&[5], 0.5, 1, &mut ChaCha8Rng::seed_from_u64(0))
                .hidden
                .is_empty()
        );
    }
}
