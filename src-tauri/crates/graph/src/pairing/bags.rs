//! Texts as counted words, or as counted character n-grams of words.

use foldhash::HashMap;

/// Lengths of the n-grams of a word, in characters, with a mark at both of its ends.
const GRAMS: std::ops::RangeInclusive<usize> = 3..=5;

/// Words and n-grams by number.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    numbers: HashMap<String, u32>,
    /// The n-grams of each word that was met: texts have the same few words again and again.
    grams: HashMap<String, Vec<u32>>,
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
        for word in words {
            let word = word.as_ref();
            if let Some(known) = self.grams.get(word) {
                numbers.extend(known);
                continue;
            }
            let own = self.grams_of(word);
            numbers.extend(&own);
            self.grams.insert(word.to_owned(), own);
        }
        Bag::of(numbers)
    }

    /// The numbers of a word's n-grams, short ones first.
    fn grams_of(&mut self, word: &str) -> Vec<u32> {
        let marked: Vec<char> = std::iter::once('\u{2}')
            .chain(word.chars())
            .chain(['\u{3}'])
            .collect();
        let (mut numbers, mut gram) = (Vec::new(), String::new());
        for part in GRAMS.flat_map(|length| marked.windows(length)) {
            gram.clear();
            gram.extend(part);
            numbers.push(self.number(&gram));
        }
        numbers
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
        // A word that was met before gives the same n-grams, as often as it stands there.
        let mut once = Vocabulary::default();
        let first = once.grams(&["abc", "abd"]);
        assert_eq!(once.grams(&["abc", "abd"]), first);
        let twice = once.grams(&["abd", "abc", "abc"]);
        let of = |gram: &str| once.numbers.get(gram).copied();
        let count = |gram| twice.counts.iter().find(|(one, _)| Some(*one) == of(gram));
        assert_eq!(count("abc").map(|c| c.1), Some(2));
        assert_eq!(count("\u{2}ab").map(|c| c.1), Some(3));
        assert_eq!(count("abd").map(|c| c.1), Some(1));
    }
}
