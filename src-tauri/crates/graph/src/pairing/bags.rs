//! Texts as counted words, or as counted character n-grams of words.

use foldhash::HashMap;

/// Lengths of the n-grams of a word, in characters, with a mark at both of its ends.
const GRAMS: std::ops::RangeInclusive<usize> = 3..=5;

/// Words and n-grams by number.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    numbers: HashMap<String, u32>,
}

/// A text: which entries of a vocabulary it has, each with how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bag {
    /// Entry and count, ascending by entry.
    pub counts: Vec<(u32, u32)>,
    /// Sum of the counts.
    pub length: u32,
}

impl Vocabulary {
    /// The number of a word; a new one gets the next.
    pub fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let next = self.numbers.len() as u32;
        self.numbers.insert(word.to_owned(), next);
        next
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The entries in the order of their numbers.
    pub fn words(&self) -> Vec<&str> {
        let mut words: Vec<(&str, u32)> =
            self.numbers.iter().map(|(w, n)| (w.as_str(), *n)).collect();
        words.sort_unstable_by_key(|(_, number)| *number);
        words.into_iter().map(|(word, _)| word).collect()
    }

    /// Words as a bag.
    pub fn bag<W: AsRef<str>>(&mut self, words: &[W]) -> Bag {
        let numbers = words.iter().map(|word| self.number(word.as_ref()));
        let numbers = numbers.collect();
        Bag::of(numbers)
    }

    /// The character n-grams of words as a bag.
    pub fn grams<W: AsRef<str>>(&mut self, words: &[W]) -> Bag {
        let mut numbers = Vec::new();
        let mut gram = String::new();
        for word in words {
            let marked: Vec<char> = std::iter::once('\u{2}')
                .chain(word.as_ref().chars())
                .chain(['\u{3}'])
                .collect();
            for length in GRAMS {
                for part in marked.windows(length) {
                    gram.clear();
                    gram.extend(part);
                    numbers.push(self.number(&gram));
                }
            }
        }
        Bag::of(numbers)
    }
}

impl Bag {
    fn of(mut numbers: Vec<u32>) -> Self {
        numbers.sort_unstable();
        Self {
            counts: numbers
                .chunk_by(|a, b| a == b)
                .map(|same| (same[0], same.len() as u32))
                .collect(),
            length: numbers.len() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_grams_are_counted() {
        let mut words = Vocabulary::default();
        let bag = words.bag(&["report", "loss", "report"]);
        assert_eq!(
            (bag.counts.as_slice(), bag.length),
            (&[(0, 2), (1, 1)][..], 3)
        );
        assert_eq!(words.words(), ["report", "loss"]);
        let mut grams = Vocabulary::default();
        // "ab" with both marks: two of three and one of four characters.
        assert_eq!(grams.grams(&["ab"]).length, 3);
        assert_eq!(grams.grams(&[""]).length, 0);
    }
}
