//! The words of a sentence without its number and its typography: keys, words, and how alike two sets of words are.

use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::numbering::{Scheme, Wrap, paragraph_label};
use lexforge_text::fold::is_invisible;
use lexforge_text::is_unspaced;
use lexforge_text::likeness::hash;
use std::collections::HashMap;

/// A sentence's words without its number and typography; `None` if there is nothing but the number.
pub fn key(sentence: &Sentence) -> Option<String> {
    let chars: Vec<char> = sentence.text.chars().collect();
    let rest = &chars[numbering(sentence, &chars).min(chars.len())..];
    rest.iter()
        .any(|c| c.is_alphanumeric())
        .then(|| level(rest))
}

/// How many characters at the beginning only number the sentence. In a table a number is content.
fn numbering(sentence: &Sentence, chars: &[char]) -> usize {
    if sentence.kind == SentenceKind::TableCell {
        return 0;
    }
    let Some(label) = paragraph_label(chars, sentence.kind == SentenceKind::Heading) else {
        return 0;
    };
    let certain = match label.scheme {
        Scheme::Named(_) | Scheme::Bullet => true,
        Scheme::Item(wrap, _) => !matches!(wrap, Wrap::Dot | Wrap::Bare),
        Scheme::Decimal(_) => false,
    };
    // `1.` and `3.2` number a sentence where its section bears the number.
    let last = sentence.section.rsplit(" › ").next().unwrap_or_default();
    if certain || label.text.trim_end_matches(['.', '．', '、']) == last {
        label.len
    } else {
        0
    }
}

/// The characters without blanks, with plain quotes, dashes and Latin forms.
fn level(chars: &[char]) -> String {
    let mut out = String::with_capacity(chars.len());
    let mut before: Option<char> = None;
    let mut gap = false;
    for &c in chars {
        let c = match c {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
            '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '‚' | '\'' => '"',
            '–' | '—' | '‑' | '‐' | '−' => '-',
            c if is_invisible(c) => continue,
            c => c,
        };
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        // A blank counts between two words only.
        let word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
        if gap && before.is_some_and(word) && word(c) {
            out.push(' ');
        }
        gap = false;
        before = Some(c);
        out.push(c);
    }
    out
}

/// The words and word pairs of a sentence, counted.
pub struct Bag {
    words: HashMap<u64, u32>,
    pairs: HashMap<u64, u32>,
    count: u32,
}

impl Bag {
    /// The bag of these words.
    pub fn of(tokens: &[String]) -> Self {
        let counted = |size: usize| {
            let mut counts: HashMap<u64, u32> = HashMap::new();
            for window in tokens.windows(size) {
                *counts.entry(hash(window)).or_default() += 1;
            }
            counts
        };
        Self {
            words: counted(1),
            pairs: counted(2),
            count: tokens.len() as u32,
        }
    }

    /// Marks by which a sentence with some of the same words is found.
    pub fn marks(&self) -> impl Iterator<Item = u64> + '_ {
        let few = self.count < 5;
        self.pairs
            .keys()
            .copied()
            .chain(self.words.keys().copied().filter(move |_| few))
    }

    /// Mean of the Dice coefficients of words and of word pairs, 0 to 1.
    pub fn likeness(&self, other: &Self) -> f32 {
        let dice = |a: &HashMap<u64, u32>, b: &HashMap<u64, u32>, all: u32| {
            let (small, large) = if a.len() < b.len() { (a, b) } else { (b, a) };
            let shared: u32 = small
                .iter()
                .map(|(k, n)| large.get(k).map_or(0, |m| *n.min(m)))
                .sum();
            if all == 0 {
                0.0
            } else {
                2.0 * shared as f32 / all as f32
            }
        };
        let words = dice(&self.words, &other.words, self.count + other.count);
        let pairs = (self.count.saturating_sub(1)) + (other.count.saturating_sub(1));
        if pairs == 0 {
            words
        } else {
            (words + dice(&self.pairs, &other.pairs, pairs)) / 2.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typography_is_levelled() {
        assert_eq!(
            level(&"10 % of “it” ".chars().collect::<Vec<_>>()),
            "10%of\"it\""
        );
        assert_eq!(
            level(&"at all times".chars().collect::<Vec<_>>()),
            "at all times"
        );
    }
}
