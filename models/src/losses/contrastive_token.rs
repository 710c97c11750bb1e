//! Contrastive token learning (Jiang et al. 2022), a method to compare with. The loss contains the likelihood of each
//! token of the answer. In addition, each token is compared with the tokens before it:
//! `Σ_t log(1 + Σ_{v in the M tokens before t, v ≠ t} exp(l_v − l_t)) / T`, where l are the logits at t.

use crate::decoding::language::Exchange;
use crate::losses::loss::{Placed, TokenLoss};
use crate::losses::terms::{Rivals, Terms};

/// Tokens before one that are its rivals (M of the paper).
const BEFORE: usize = 60;

/// The loss; its items are a question and a sentence that answers it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContrastiveToken;

impl TokenLoss for ContrastiveToken {
    type Item = Exchange;

    fn name(&self) -> &'static str {
        "contrastive_token"
    }

    fn texts<'a>(&self, item: &'a Exchange) -> Vec<&'a [u32]> {
        vec![&item.ids]
    }

    fn add_terms(&self, item: &Exchange, place: &Placed<'_>, share: f64, terms: &mut Terms) {
        let tokens = item.answer.max(1)..item.ids.len();
        let weight = share / tokens.len().max(1) as f64;
        for token in tokens {
            let right = place.foretold(0, token);
            terms.raised.push((right, weight));
            let first = item.answer.max(token.saturating_sub(BEFORE));
            let mut others: Vec<i64> = item.ids[first..token]
                .iter()
                .map(|&id| i64::from(id))
                .collect();
            others.retain(|&other| other != right.token);
            others.sort_unstable();
            others.dedup();
            if !others.is_empty() {
                terms.rivals.push(Rivals {
                    right,
                    others,
                    weight,
                });
            }
        }
    }
}
