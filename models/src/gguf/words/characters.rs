//! BPE over characters, as SentencePiece does it, by the scores of the tokens.

use super::SPACE;
use std::collections::HashMap;

/// SentencePiece's BPE: the neighbours whose union scores highest become one, until none are known.
pub(super) struct Characters {
    /// Score and number of each token.
    pub(super) known: HashMap<String, (f32, u32)>,
    /// Tokens that are never part of a word.
    pub(super) marks: Vec<(String, u32)>,
    /// A space before each piece of text.
    pub(super) space: bool,
}

impl Characters {
    pub(super) fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let found = self
                .marks
                .iter()
                .filter_map(|(mark, number)| Some((rest.find(mark.as_str())?, mark, *number)));
            // The first one, and of those in one place the longest.
            let next = found.min_by_key(|(at, mark, _)| (*at, usize::MAX - mark.len()));
            let words = &rest[..next.map_or(rest.len(), |(at, ..)| at)];
            if !words.is_empty() {
                self.words(words, &mut ids);
            }
            rest = match next {
                Some((at, mark, number)) => {
                    ids.push(number);
                    &rest[at + mark.len()..]
                }
                None => "",
            };
        }
        ids
    }

    fn words(&self, text: &str, ids: &mut Vec<u32>) {
        let text = text.replace(' ', SPACE);
        let begin = if self.space { SPACE } else { "" };
        let mut parts: Vec<String> = begin
            .chars()
            .chain(text.chars())
            .map(String::from)
            .collect();
        let union = |parts: &[String], at: usize| {
            let next = parts.get(at + 1)?;
            self.known
                .get(&format!("{}{next}", parts[at]))
                .map(|(score, _)| *score)
        };
        let mut scores: Vec<Option<f32>> = (0..parts.len()).map(|at| union(&parts, at)).collect();
        loop {
            let mut best: Option<(usize, f32)> = None;
            for (at, score) in scores.iter().enumerate() {
                if let Some(score) = *score
                    && best.is_none_or(|(_, highest)| score > highest)
                {
                    best = Some((at, score));
                }
            }
            let Some((at, _)) = best else { break };
            let next = parts.remove(at + 1);
            scores.remove(at + 1);
            parts[at].push_str(&next);
            scores[at] = union(&parts, at);
            if let Some(before) = at.checked_sub(1) {
                scores[before] = union(&parts, before);
            }
        }
        for part in parts {
            match self.known.get(&part) {
                Some((_, number)) => ids.push(*number),
                None => ids.extend(part.bytes().filter_map(|byte| {
                    self.known
                        .get(&format!("<0x{byte:02X}>"))
                        .map(|(_, number)| *number)
                })),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_union_comes_first_and_unknown_characters_fall_to_bytes() {
        let token = |text: &str, score: f32, number: u32| (text.to_owned(), (score, number));
        let known = [
            token("▁", -9.0, 0),
            token("a", -9.0, 1),
            token("b", -9.0, 2),
            token("ab", -2.0, 3),
            token("▁a", -1.0, 4),
            token("<0xC3>", -9.0, 5),
            token("<0xA9>", -9.0, 6),
        ];
        let characters = Characters {
            known: known.into(),
            marks: vec![("<s>".into(), 7), ("<s>>".into(), 8)],
            space: true,
        };
        assert_eq!(characters.encode("ab"), [4, 2]);
        assert_eq!(characters.encode("a ab"), [4, 4, 2]);
        assert_eq!(characters.encode("bab"), [0, 2, 3]);
        assert_eq!(characters.encode("<s>b<s>>é"), [7, 0, 2, 8, 0, 5, 6]);
        let bare = Characters {
            space: false,
            ..characters
        };
        assert_eq!(bare.encode("ab"), [3]);
    }
}
