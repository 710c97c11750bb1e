//! A question and a passage as one input of a cross-encoder.

use crate::architectures::classifier::PairTokens;
use crate::texts::tokenizer::{PairFrame, TextTokenizer};
use crate::{Error, Result};
use lexforge_domain::Code;

/// Puts a question and a passage together. Where both are too long for one input, it is the passage that is cut.
#[derive(Clone, Debug)]
pub struct Pairing {
    frame: PairFrame,
    /// The model has token types that show which text a token belongs to.
    typed: bool,
    /// Tokens that the two texts may have together.
    room: usize,
    /// Tokens that a question may have at least, however long the passage is.
    question: usize,
}

impl Pairing {
    /// Prepares pairs of at most `longest` tokens. If a pair is too long, the question keeps at least the share
    /// `question_share` of them. If the model has fewer than two token `types`, the tokens get no types.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if the limit is too small for two texts. Also if the tokenizer fails.
    pub fn of(
        tokenizer: &TextTokenizer,
        types: i64,
        longest: usize,
        question_share: f64,
    ) -> Result<Self> {
        let frame = tokenizer.pair_frame()?;
        let special: usize = frame.around.iter().map(Vec::len).sum();
        let room = longest.saturating_sub(special);
        if room < 2 {
            return Err(Error::told(
                Code::InvalidRequest,
                format!(
                    "max_length is {longest}, which leaves no room for a question and a passage."
                ),
                "Use a max_length between 64 and the model's longest input (inspect shows it).",
            ));
        }
        Ok(Self {
            frame,
            typed: types > 1,
            room,
            question: ((longest as f64 * question_share) as usize).clamp(1, room - 1),
        })
    }

    /// The two texts' own tokens as one input, and whether anything was cut.
    pub fn pair(&self, question: &[u32], passage: &[u32]) -> (PairTokens, bool) {
        let cut = question.len() + passage.len() > self.room;
        let asked = match cut {
            false => question.len(),
            true => {
                let left = self.room.saturating_sub(passage.len());
                question.len().min(self.question.max(left))
            }
        };
        let read = passage.len().min(self.room - asked);
        let mut pair = PairTokens::default();
        let mut put = |ids: &mut dyn Iterator<Item = (u32, u32)>| {
            for (id, kind) in ids {
                pair.ids.push(id);
                if self.typed {
                    pair.types.push(kind);
                }
            }
        };
        let PairFrame { around, types } = &self.frame;
        put(&mut around[0].iter().copied());
        put(&mut question[..asked].iter().map(|&id| (id, types[0])));
        put(&mut around[1].iter().copied());
        put(&mut passage[..read].iter().map(|&id| (id, types[1])));
        put(&mut around[2].iter().copied());
        (pair, cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(room: usize, question: usize, typed: bool) -> Pairing {
        Pairing {
            frame: PairFrame {
                around: [vec![(101, 0)], vec![(102, 0)], vec![(102, 1)]],
                types: [0, 1],
            },
            typed,
            room,
            question,
        }
    }

    #[test]
    fn a_pair_has_its_special_tokens_and_types() {
        let (pair, cut) = pairing(8, 4, true).pair(&[1, 2], &[7, 8, 9]);
        assert_eq!(pair.ids, [101, 1, 2, 102, 7, 8, 9, 102]);
        assert_eq!(pair.types, [0, 0, 0, 0, 1, 1, 1, 1]);
        assert!(!cut);
        let (untyped, _) = pairing(8, 4, false).pair(&[1, 2], &[7, 8, 9]);
        assert_eq!((untyped.ids, untyped.types), (pair.ids, Vec::new()));
    }

    #[test]
    fn the_passage_is_cut_and_the_question_only_beyond_its_share() {
        let own = |question: &[u32], passage: &[u32]| {
            let (pair, cut) = pairing(6, 3, true).pair(question, passage);
            let ids: Vec<u32> = pair.ids.into_iter().filter(|id| *id < 100).collect();
            (ids, cut)
        };
        let long: Vec<u32> = (10..30).collect();
        assert_eq!(own(&[1, 2], &long), (vec![1, 2, 10, 11, 12, 13], true));
        assert_eq!(own(&[1, 2, 3, 4], &long), (vec![1, 2, 3, 10, 11, 12], true));
        // A question may have what a short passage leaves.
        assert_eq!(
            own(&[1, 2, 3, 4, 5, 6], &[10]),
            (vec![1, 2, 3, 4, 5, 10], true)
        );
        assert_eq!(
            own(&[1, 2, 3, 4, 5], &[10]),
            (vec![1, 2, 3, 4, 5, 10], false)
        );
        assert_eq!(own(&long, &[]), ((10..16).collect::<Vec<u32>>(), true));
    }
}
