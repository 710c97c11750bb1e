//! A hyphen at the end of a line: does it belong to a compound, or does it only part a word between two lines?

use crate::layout::Line;
use std::collections::HashMap;

/// Compounds at ends of lines from which on a document that parts no word there is known to part none.
const PROVED: usize = 2;
/// This many compounds at line ends outweigh one word that may be divided there by chance.
const AGAINST: usize = 4;
/// Prefixes that occur before a hyphen, and rarely alone.
const BEFORE_HYPHENS: [&str; 4] = ["non", "self", "semi", "multi"];

/// Words that are written together with the one after them as often as alone.
const JOINED: [&str; 12] = [
    "under", "over", "out", "up", "with", "where", "there", "here", "any", "some", "every",
    "through",
];

/// Whether the hyphen or slash at the end of a line is within a compound. Then there is no space between the line and
/// the next one. `back` gives the characters of the line from the last to the first; `next` is the first character of
/// the next line.
pub(crate) fn ends_compound(mut back: impl Iterator<Item = char>, next: char) -> bool {
    let parts = back.next().is_some_and(|last| matches!(last, '-' | '/'));
    parts && back.next().is_some_and(char::is_alphanumeric) && next.is_alphanumeric()
}

/// The evidence in a document about its words.
#[derive(Default)]
pub struct Words {
    /// Words and compounds that stand inside lines, lower case, with how often they do.
    known: HashMap<String, usize>,
    /// Every hyphen stays: the document parts no words between lines.
    parts_none: bool,
    /// Whether some word that is divided between lines occurs undivided elsewhere.
    parts_some: bool,
}

/// The letters on both sides of a hyphen at the end of a line.
struct Parted {
    head: String,
    tail: String,
    /// Whether the character before the head or after the tail is a hyphen: `over-the-counter`.
    chained: bool,
}

impl Parted {
    fn of(text: &[char], next: &Line) -> Option<Self> {
        let before = &text[..text.len().checked_sub(1)?];
        let letters = before.iter().rev().take_while(|c| c.is_alphabetic());
        let at = before.len() - letters.count();
        let mut rest = next.chars.iter().map(|c| c.ch).peekable();
        let mut tail = String::new();
        while let Some(letter) = rest.next_if(|c| c.is_alphabetic()) {
            tail.push(letter);
        }
        let goes_on = rest.next() == Some('-') && rest.next().is_some_and(char::is_alphabetic);
        let parted = Self {
            head: before[at..].iter().collect::<String>().to_lowercase(),
            tail,
            chained: goes_on || before[..at].ends_with(&['-']),
        };
        let small = parted.tail.starts_with(char::is_lowercase);
        (!parted.head.is_empty() && small).then_some(parted)
    }

    fn word(&self) -> String {
        format!("{}{}", self.head, self.tail).to_lowercase()
    }

    fn compound(&self) -> String {
        format!("{}-{}", self.head, self.tail).to_lowercase()
    }
}

fn ends_with_hyphen(line: &Line) -> bool {
    line.chars.last().is_some_and(|c| c.ch == '-')
}

impl Words {
    /// The evidence in the lines of a document about words at the ends of lines.
    pub fn of(lines: &[Line]) -> Self {
        if !lines.iter().any(ends_with_hyphen) {
            return Self::default();
        }
        let known = known(lines);
        let (mut words, mut compounds) = (0, 0);
        for pair in lines.windows(2).filter(|pair| ends_with_hyphen(&pair[0])) {
            let text: Vec<char> = pair[0].chars.iter().map(|c| c.ch).collect();
            let Some(parted) = Parted::of(&text, &pair[1]) else {
                continue;
            };
            match spelling(&known, &parted) {
                Some(Spelling::Word) => words += 1,
                Some(Spelling::Compound) => compounds += 1,
                None => {}
            }
        }
        Self {
            known,
            parts_none: compounds >= PROVED && AGAINST * words < compounds,
            parts_some: words > 0,
        }
    }

    /// Whether the hyphen at the end of `text` only parts a word between two lines.
    pub fn parts(&self, text: &[char], next: &Line) -> bool {
        let Some(parted) = Parted::of(text, next) else {
            return false;
        };
        if let Some(spelling) = spelling(&self.known, &parted) {
            return spelling == Spelling::Word;
        }
        if self.parts_none || parted.chained || BEFORE_HYPHENS.contains(&parted.head.as_str()) {
            return false;
        }
        // What may be a compound is one, unless the document is known to part words.
        let whole =
            self.known.contains_key(&parted.head) && !JOINED.contains(&parted.head.as_str());
        if whole && !self.parts_some {
            return false;
        }
        let tail = parted.tail.to_lowercase();
        !(self.known.contains_key(&parted.head) && self.known.contains_key(&tail))
    }
}

/// How a document writes what is parted at the end of a line.
#[derive(PartialEq, Eq)]
enum Spelling {
    Word,
    Compound,
}

/// The spelling that stands inside lines; where both do, the more frequent one. `None` if neither does.
fn spelling(known: &HashMap<String, usize>, parted: &Parted) -> Option<Spelling> {
    let times = |text: String| known.get(&text).copied().unwrap_or(0);
    match (times(parted.word()), times(parted.compound())) {
        (0, 0) => None,
        (word, compound) if word >= compound => Some(Spelling::Word),
        _ => Some(Spelling::Compound),
    }
}

fn known(lines: &[Line]) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    let mut count = |word: &str| *words.entry(word.to_owned()).or_default() += 1;
    let mut broken = false;
    for line in lines {
        let text = line.text().to_lowercase();
        let mut text = text.as_str();
        let parted = ends_with_hyphen(line);
        // A word that is hyphenated at the end of a line is not counted, and neither is its rest on the next line.
        if std::mem::replace(&mut broken, parted) {
            text = text.split_once(' ').map_or("", |(_, rest)| rest);
        }
        if parted {
            text = text.rsplit_once(' ').map_or("", |(rest, _)| rest);
        }
        for word in text.split(|c: char| !c.is_alphabetic() && c != '-') {
            let word = word.trim_matches('-');
            if word.contains('-') {
                count(word);
            }
            word.split('-').filter(|w| w.len() > 1).for_each(&mut count);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each hyphen at the end of a line only parts a word.
    fn parted(lines: &[&str]) -> Vec<bool> {
        let lines: Vec<Line> = lines.iter().map(|text| Line::plain(1, 0, text)).collect();
        let words = Words::of(&lines);
        let pairs = lines.windows(2).filter(|pair| ends_with_hyphen(&pair[0]));
        pairs
            .map(|pair| {
                let text: Vec<char> = pair[0].chars.iter().map(|c| c.ch).collect();
                words.parts(&text, &pair[1])
            })
            .collect()
    }

    #[test]
    fn a_document_that_parts_no_words_keeps_every_hyphen() {
        let compounds = [
            "a cross-border loan and a well-known client of a cross-",
            "border bank, which is a well-",
            "known one, has a fast-",
            "emerging risk.",
        ];
        assert_eq!(parted(&compounds), [false, false, false]);
        let few = [
            "a bank with work in work-",
            "like situations is under-",
            "stated.",
        ];
        assert_eq!(parted(&few), [false, true]);
        // If a document divides words, this also applies to words that occur only once in it.
        let words = [
            "the capital of a cross-border bank is its cap-",
            "ital, and the bor-",
            "rower is known to the cross-",
            "border bank.",
        ];
        assert_eq!(parted(&words), [true, true, false]);
    }

    #[test]
    fn of_two_spellings_the_more_frequent_one_counts() {
        let lines = [
            "back-testing is internal back-testing, and one office has backtesting;",
            "a takeover is a take-over, and takeovers are the takeover of banks by back-",
            "testing or by a take-",
            "over.",
        ];
        assert_eq!(parted(&lines), [false, true]);
    }

    #[test]
    fn a_hyphen_after_a_hyphen_belongs_to_a_compound() {
        let lines = [
            "they are traded over-the-",
            "counter, and back-",
            "to-back, and under-",
            "stated.",
        ];
        assert_eq!(parted(&lines), [false, false, true]);
    }
}
