//! Decides which of two readings of a page is better.
//!
//! The measure is the share of a reading's letters that are in words. Words are those of the document's other pages,
//! function words of its language, and (counted half) everything that looks like a word. Meaningless characters,
//! control characters and text given twice make the share smaller.

use super::{RawPage, is_meaningless};
use lexforge_text::is_set_solid;
use std::collections::HashSet;

mod no_language;

pub(crate) use no_language::{Strange, in_no_language};

/// A reading is the better one from this much more of its letters in words.
const BETTER: f64 = 0.1;
/// Fewer letters are no ground for a judgement.
const FEWEST: f64 = 20.0;
/// Share of the second reader's characters that must stand where the main reader draws a glyph.
const SAME_PLACES: f64 = 0.8;
/// Longest text that is looked for a second time right behind itself.
const LONGEST_REPEAT: usize = 40;

/// Words that every English text is full of.
const ENGLISH: &str = "a about above after all also an and any are as at be been before between both but by can each for \
     from had has have if in into is it its may more must no not of on one only or other our out over own shall should so \
     some such than that the their them then there these they this those through to under until up upon was were what when \
     where which while who will with within would you your";
/// Characters that every Chinese text is full of, legal ones above all.
const CHINESE: &str = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方\
     后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外\
     天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想\
     已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九\
     区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己\
     美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石\
     记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克\
     何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听";

/// Words, and pairs of Chinese characters, that the document's trusted pages hold.
#[derive(Default)]
pub struct Vocabulary {
    words: HashSet<String>,
    pairs: HashSet<(char, char)>,
    common: HashSet<char>,
}

impl Vocabulary {
    /// The vocabulary of pages that can be trusted, and of the languages.
    pub fn of<'a>(pages: impl IntoIterator<Item = &'a RawPage>) -> Self {
        let mut vocabulary = Self {
            words: ENGLISH.split_whitespace().map(str::to_owned).collect(),
            common: CHINESE.chars().filter(|c| is_set_solid(*c)).collect(),
            pairs: HashSet::new(),
        };
        for page in pages {
            for token in tokens(page) {
                match token {
                    Token::Word(word) => {
                        vocabulary.words.insert(word.to_lowercase());
                    }
                    Token::Ideographs(run) => vocabulary
                        .pairs
                        .extend(run.windows(2).map(|w| (w[0], w[1]))),
                }
            }
        }
        vocabulary
    }
}

/// How good a reading is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Letters and characters without a meaning.
    pub letters: f64,
    /// The number of letters in words. Letters of what is only built like a word count for half.
    pub in_words: f64,
    /// Characters without a meaning.
    pub meaningless: usize,
    /// Characters that are given twice.
    pub doubled: usize,
}

impl Quality {
    /// Measures a reading.
    pub fn of(page: &RawPage, vocabulary: &Vocabulary) -> Self {
        let strange = page
            .glyphs
            .iter()
            .filter(|g| is_meaningless(g.ch) || g.ch.is_control())
            .count();
        let mut quality = Self {
            meaningless: page.unmapped.len() + strange,
            doubled: doubled(page),
            ..Self::default()
        };
        for token in tokens(page) {
            match token {
                Token::Word(word) => {
                    let length = word.chars().count() as f64;
                    quality.letters += length;
                    quality.in_words += length * word_weight(&word, vocabulary);
                }
                Token::Ideographs(run) => {
                    for (i, ch) in run.iter().enumerate() {
                        let before = i
                            .checked_sub(1)
                            .is_some_and(|b| vocabulary.pairs.contains(&(run[b], *ch)));
                        let after = run
                            .get(i + 1)
                            .is_some_and(|next| vocabulary.pairs.contains(&(*ch, *next)));
                        let known = before || after || vocabulary.common.contains(ch);
                        quality.letters += 1.0;
                        quality.in_words += if known { 1.0 } else { 0.3 };
                    }
                }
            }
        }
        quality.letters += quality.meaningless as f64;
        quality.in_words = (quality.in_words - quality.doubled as f64).max(0.0);
        quality
    }

    /// Share of the letters that are in words, 0 to 1.
    pub fn share(&self) -> f64 {
        if self.letters > 0.0 {
            self.in_words / self.letters
        } else {
            0.0
        }
    }
}

/// Whether the second reading of a page is measurably better than the main one, and stands where the page shows it.
pub(crate) fn second_is_better(
    main: &RawPage,
    second: &RawPage,
    vocabulary: &Vocabulary,
) -> Option<(Quality, Quality)> {
    let (of_main, of_second) = (
        Quality::of(main, vocabulary),
        Quality::of(second, vocabulary),
    );
    if of_second.letters < FEWEST {
        return None;
    }
    let cleaner = of_second.share() >= of_main.share() + BETTER
        && of_second.in_words >= 0.95 * of_main.in_words;
    let fuller = of_second.in_words > 2.0 * of_main.in_words
        && of_second.share() >= of_main.share().max(0.6);
    ((cleaner || fuller) && is_placed(main, second)).then_some((of_main, of_second))
}

/// Whether the places of the second reader's characters can be used. They must be where the main reader draws glyphs,
/// even if the main reader does not know what the glyphs mean. If the main reader draws no glyphs, the characters must
/// at least form lines.
fn is_placed(main: &RawPage, second: &RawPage) -> bool {
    let cell = |x: f32, y: f32| ((x / 4.0).floor() as i32, (y / 4.0).floor() as i32);
    let drawn = main
        .glyphs
        .iter()
        .filter(|g| g.ch != ' ')
        .map(|g| [g.x, g.y])
        .chain(main.unmapped.iter().copied());
    let mut places = HashSet::new();
    for [x, y] in drawn {
        let (column, row) = cell(x, y);
        for near in -1..=1 {
            places.extend([
                (column + near, row - 1),
                (column + near, row),
                (column + near, row + 1),
            ]);
        }
    }
    let letters = second.glyphs.iter().filter(|g| g.ch != ' ');
    if places.len() < 90 {
        let distinct: HashSet<(i32, i32)> = letters.clone().map(|g| cell(g.x, g.y)).collect();
        return 2 * distinct.len() > letters.count();
    }
    let placed = letters
        .clone()
        .filter(|g| places.contains(&cell(g.x, g.y)))
        .count();
    placed as f64 >= SAME_PLACES * letters.count() as f64
}

enum Token {
    Word(String),
    Ideographs(Vec<char>),
}

/// Words of letters and runs of ideographs; everything else says nothing about a reading.
fn tokens(page: &RawPage) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut previous: Option<(f32, f32, f32)> = None;
    for glyph in &page.glyphs {
        let ch = glyph.ch;
        // A new line or a wide gap ends a word, but not a run of ideographs.
        let apart = previous.is_none_or(|(end, y, size)| {
            (glyph.y - y).abs() > 0.5 * size || glyph.x - end > 0.17 * size
        });
        previous = Some((glyph.x + glyph.advance, glyph.y, glyph.size));
        if is_set_solid(ch) && ch.is_alphabetic() {
            match tokens.last_mut() {
                Some(Token::Ideographs(run)) if !run.is_empty() => run.push(ch),
                _ => tokens.push(Token::Ideographs(vec![ch])),
            }
        } else if ch.is_alphabetic() {
            match tokens.last_mut() {
                Some(Token::Word(word)) if !apart && !word.is_empty() => word.push(ch),
                _ => tokens.push(Token::Word(ch.to_string())),
            }
        } else if ch != '\u{AD}'
            && !matches!(tokens.last(), None | Some(Token::Word(_)) if matches!(ch, '\'' | '’'))
        {
            // An empty word separates the words before and after it.
            if !matches!(tokens.last(), Some(Token::Word(word)) if word.is_empty()) {
                tokens.push(Token::Word(String::new()));
            }
        }
    }
    tokens.retain(|t| !matches!(t, Token::Word(word) if word.is_empty()));
    tokens
}

fn word_weight(word: &str, vocabulary: &Vocabulary) -> f64 {
    if vocabulary.words.contains(&word.to_lowercase()) {
        return 1.0;
    }
    if is_built_like_a_word(word) { 0.5 } else { 0.0 }
}

/// Whether the letters of a word are arranged as in a real word: at most 30 letters, no letter three times in a row,
/// and capitals only at the start or throughout. In an ASCII word the vowels must also not be too far apart.
fn is_built_like_a_word(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    if chars.len() > 30 || chars.windows(3).any(|w| w[0] == w[1] && w[1] == w[2]) {
        return false;
    }
    let capitals = chars.iter().skip(1).filter(|c| c.is_uppercase()).count();
    if capitals > 0 && capitals + 1 < chars.len() {
        return false;
    }
    if !chars.iter().all(char::is_ascii) {
        return true;
    }
    let is_vowel = |c: &char| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let longest = chars.split(is_vowel).map(<[char]>::len).max().unwrap_or(0);
    let vowels = chars.iter().filter(|c| is_vowel(c)).count();
    longest <= 4 && (vowels > 0 || chars.len() <= 2 || capitals > 0)
}

/// Characters that stand twice in a row as a run of three or more.
fn doubled(page: &RawPage) -> usize {
    let chars: Vec<char> = page
        .glyphs
        .iter()
        .map(|g| g.ch)
        .filter(|c| !c.is_whitespace())
        .collect();
    let mut count = 0;
    let mut at = 0;
    while at < chars.len() {
        let longest = LONGEST_REPEAT.min((chars.len() - at) / 2);
        let run = (3..=longest).find(|&len| {
            let first = &chars[at..at + len];
            chars[at + len] == first[0]
                && first == &chars[at + len..at + 2 * len]
                && first.iter().any(|c| *c != first[0])
                && first.iter().any(|c| c.is_alphabetic())
        });
        count += run.unwrap_or(0);
        at += run.unwrap_or(1);
    }
    count
}

#[cfg(test)]
mod tests;
