//! The third stage: the right term is compared with wrong terms in one place of a sentence (docs/methods.md,
//! "Training").
//!
//! A [`TokenItem`] has the question with the right sentence t and with each wrong sentence t̃. Let d be the first
//! token at which t̃ differs from t. The tokens before d are the same in both sentences. They are computed only once,
//! and learnt only in t. The row that predicts t_d also gives p(t̃_d | the common tokens).
//!
//! The loss differs from the published code. That code raises the wrong term's likelihood by ordinary cross-entropy.
//! It uses a new random output layer, does not shift the tokens by one, and has no positive.

use crate::losses::loss::{Placed, TokenLoss};
use crate::losses::terms::{Contest, Terms};
use std::ops::Range;

/// The kinds of losses of the token stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Three parts: a softmax contest of the candidates in their place, a penalty on each wrong candidate at its first
    /// different token, and the likelihood of t. The evaluation measures exactly this contest.
    #[default]
    Candidates,
    /// The penalty at the divergence and the likelihood of t.
    Divergence,
    /// Eq. 2 of TermGPT: `−Σ_j [ φ_j log p_j + (1−φ_j) log(1 − p_j) ]` over t̃ from d on, with φ = 0 on the wrong
    /// term's tokens, and the likelihood of t. If the wrong term is only the beginning of the right one (it has no
    /// token of its own from d on), φ = 0 at d, because the mistake is to end the term there.
    Paper,
}

/// A wrong sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Tokens of question and sentence.
    pub ids: Vec<u32>,
    /// First token that differs from the right sentence's.
    pub divergence: usize,
    /// End of the wrong term's tokens (of its first mention).
    pub term_end: usize,
    /// The tokens by which the term is scored: from the first token at which any candidate of the item differs, to the
    /// token after the term.
    pub scored: Range<usize>,
}

/// A question with the right sentence and with wrong ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenItem {
    /// Tokens of question and right sentence.
    pub ids: Vec<u32>,
    /// First token of the sentence.
    pub answer: usize,
    /// As [`Wrong::scored`], of the right term.
    pub scored: Range<usize>,
    /// The wrong sentences.
    pub wrong: Vec<Wrong>,
}

/// The stage's loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermLoss {
    /// The kind of loss.
    pub kind: Kind,
    /// Weight of the contest.
    pub contest: f64,
    /// The weight of the part of the loss that makes wrong terms less likely.
    pub penalty: f64,
    /// Weight of the likelihood of the right sentence.
    pub positive: f64,
}

impl TermLoss {
    /// The loss of a kind with all its parts.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            contest: 1.0,
            penalty: 1.0,
            positive: 1.0,
        }
    }

    /// The part alone that pushes wrong terms down.
    pub fn negative_only(kind: Kind) -> Self {
        Self {
            contest: 0.0,
            positive: 0.0,
            ..Self::new(kind)
        }
    }
}

impl TokenLoss for TermLoss {
    type Item = TokenItem;

    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Candidates => "candidates",
            Kind::Divergence => "divergence",
            Kind::Paper => "paper",
        }
    }

    fn texts<'a>(&self, item: &'a TokenItem) -> Vec<&'a [u32]> {
        let mut texts: Vec<&[u32]> = vec![&item.ids];
        // Only values that are used are computed.
        match self.kind {
            Kind::Paper => texts.extend(item.wrong.iter().map(|wrong| wrong.ids.as_slice())),
            Kind::Candidates => texts.extend(
                item.wrong
                    .iter()
                    .map(|wrong| &wrong.ids[..wrong.scored.end]),
            ),
            Kind::Divergence => {}
        }
        texts
    }

    fn add_terms(&self, item: &TokenItem, place: &Placed<'_>, share: f64, terms: &mut Terms) {
        let sentence = item.answer.max(1)..item.ids.len();
        if self.positive != 0.0 {
            let weight = share * self.positive / sentence.len().max(1) as f64;
            terms
                .raised
                .extend(sentence.map(|token| (place.foretold(0, token), weight)));
        }
        let each = share / item.wrong.len().max(1) as f64;
        for (number, wrong) in item.wrong.iter().enumerate() {
            let (first, length) = (wrong.divergence, wrong.ids.len());
            // The wrong sentence begins with the same tokens as the right one, up to `first`. So the row of the right
            // sentence predicts this token, too.
            let diverging = place.foretold_as(0, first, wrong.ids[first]);
            if self.kind != Kind::Paper {
                terms.lowered.push((diverging, each * self.penalty));
                continue;
            }
            let weight = each / (length - first) as f64;
            let end = wrong.term_end.clamp(first + 1, length);
            terms.lowered.push((diverging, weight * self.penalty));
            let own = |token: usize| place.foretold(number + 1, token);
            terms
                .lowered
                .extend((first + 1..end).map(|token| (own(token), weight * self.penalty)));
            if self.positive != 0.0 {
                terms
                    .raised
                    .extend((end..length).map(|token| (own(token), weight * self.positive)));
            }
        }
        if self.kind == Kind::Candidates && self.contest != 0.0 && !item.wrong.is_empty() {
            let scored = |text: usize, tokens: &Range<usize>| {
                tokens.clone().map(|t| place.foretold(text, t)).collect()
            };
            let mut candidates = vec![scored(0, &item.scored)];
            candidates.extend(
                item.wrong
                    .iter()
                    .enumerate()
                    .map(|(n, wrong)| scored(n + 1, &wrong.scored)),
            );
            terms.contests.push(Contest {
                candidates,
                weight: share * self.contest,
            });
        }
    }
}
