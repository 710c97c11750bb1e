//! The different words of a corpus, each with a number and its class. Phrases are counted as sequences of these
//! numbers, so no text is copied.

use super::lexicon::{
    AGENT, ATTRIBUTIVE, BOUND, COMPOUNDING, EMPTY_MODIFIER, FUNCTION_CHARACTER, GENERIC,
    LIGHT_HEAD, NOUN,
};
use crate::terms::segmenter::{general_count, is_known, tag_of, tagged};
use lexforge_text::addresses::outside_addresses;
use lexforge_text::is_han;
use std::collections::HashMap;

/// Characters that may end a term by themselves: suffixes.
pub(super) const SUFFIXES: &str = "率额权法人费金业险债物款证书者员官量值数表";
/// Further suffixes of words that the dictionary takes for names of persons (银行卡, 安全性).
const SUFFIXES_OF_NAMED: &str = "卡性户";
/// Characters that end a word for a place or a time and no term: 期限内.
const PLACES: &str = "内上下中外前后";
/// Suffixes of those who act.
const ACTING: &str = "人者";
/// Dictionary entries counted no oftener than this were put in without being looked at: tags of them are often wrong.
const UNSEEN: usize = 4;

/// The role of a word in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A noun. It occurs in a phrase or at its end.
    Noun,
    /// A verb that also names things: as a noun, if the places where the phrase stands do not speak against it.
    Deverbal,
    /// Another verb. It ends the sequence, unless it occurs mostly before one noun in this corpus.
    Verb,
    /// Stands only before a noun.
    Modifier,
    /// In no phrase.
    Outside,
}

/// A word with its known properties.
#[derive(Debug)]
pub(super) struct Entry {
    pub text: Box<str>,
    pub tag: Box<str>,
    pub class: Class,
    /// One character.
    pub single: bool,
    /// A single character that may end a term.
    pub suffix: bool,
    /// Says something only together with others.
    pub generic: bool,
    /// Weak as the end of a term.
    pub light: bool,
    /// Names an act, whether the dictionary has it as a verb or as a noun.
    pub act: bool,
    /// Adds nothing in front.
    pub empty: bool,
    /// Names somebody who acts.
    pub agent: bool,
    /// An adjective or adverb: in the middle of nouns it is a predicate.
    pub adjective: bool,
    /// How often it stands as a word of its own, and not as half of a set phrase.
    pub alone: u32,
}

/// The number of everything that is no word: the end of a stretch of text, an address, a title.
pub(super) const BREAK: u32 = 0;

/// The words of a corpus.
#[derive(Debug)]
pub(super) struct Words {
    ids: HashMap<Box<str>, u32>,
    entries: Vec<Entry>,
    /// Words that stand for two: set phrases with their halves.
    halves: HashMap<Box<str>, Option<[u32; 2]>>,
}

impl Words {
    pub(super) fn new() -> Self {
        let mut words = Self {
            ids: HashMap::new(),
            entries: Vec::new(),
            halves: HashMap::new(),
        };
        words.id("", "x");
        words
    }

    pub(super) fn entry(&self, id: u32) -> &Entry {
        // Ids are made here alone; number 0 is always there.
        &self.entries[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The text of a phrase.
    pub(super) fn text(&self, phrase: &[u32]) -> String {
        phrase.iter().map(|id| &*self.entry(*id).text).collect()
    }

    fn id(&mut self, text: &str, tag: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.entries.len() as u32;
        self.ids.insert(text.into(), id);
        self.entries.push(Entry::new(text, tag));
        id
    }

    /// The words of a sentence. Titles in quotation marks and addresses are no language of it.
    pub(super) fn read(&mut self, text: &str) -> Vec<u32> {
        let mut ids = vec![BREAK];
        for part in outside_addresses(text) {
            for part in outside_titles(part) {
                for word in tagged(part) {
                    match self.halves_of(word.word, word.tag) {
                        Some(halves) => ids.extend(halves),
                        None => {
                            let id = self.id(word.word, word.tag);
                            self.entries[id as usize].alone += 1;
                            ids.push(id);
                        }
                    }
                }
                ids.push(BREAK);
            }
        }
        ids
    }

    /// Divides a dictionary entry of four characters into two words if both halves are words. This shows what kind of
    /// entry it is: the halves of 构成犯罪 make a clause, and those of 市场秩序 make a name.
    fn halves_of(&mut self, text: &str, tag: &str) -> Option<[u32; 2]> {
        if let Some(known) = self.halves.get(text) {
            return *known;
        }
        let halves = split(text, tag).map(|halves| halves.map(|(half, tag)| self.id(half, &tag)));
        self.halves.insert(text.into(), halves);
        halves
    }
}

fn split<'a>(text: &'a str, tag: &str) -> Option<[(&'a str, String); 2]> {
    // Four characters of three bytes.
    if text.len() != 12 || text.chars().count() != 4 || tag.starts_with("ns") {
        return None;
    }
    let (first, second) = text.split_at(6);
    let (one, two) = (tag_of(first)?, tag_of(second)?);
    let predicate = BOUND.contains(first)
        || (matches!(one.as_str(), "v" | "vd")
            && !COMPOUNDING.contains(first)
            && !ATTRIBUTIVE.contains(first));
    let parted = match tag {
        "l" | "i" | "nr" => true,
        "nt" => general_count(text) <= UNSEEN,
        _ => predicate || EMPTY_MODIFIER.contains(first) || general_count(text) <= UNSEEN,
    };
    parted.then_some([(first, one), (second, two)])
}

/// The parts of a text that are in no title: 《…》.
fn outside_titles(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '《' => {
                if depth == 0 {
                    parts.push(&text[from..at]);
                }
                depth += 1;
            }
            '》' => {
                depth = depth.saturating_sub(1);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    if depth == 0 {
        parts.push(&text[from..]);
    }
    parts
}

impl Entry {
    fn new(text: &str, tag: &str) -> Self {
        let length = text.chars().count();
        let ends = |marks: &str| text.chars().next_back().is_some_and(|c| marks.contains(c));
        let adjectival = matches!(tag, "a" | "ad" | "z" | "d");
        let listed =
            ATTRIBUTIVE.contains(text) || NOUN.contains(text) || COMPOUNDING.contains(text);
        Self {
            class: class_of(text, tag, length),
            single: length == 1,
            suffix: length == 1 && ends(SUFFIXES),
            generic: GENERIC.contains(text)
                || EMPTY_MODIFIER.contains(text)
                || LIGHT_HEAD.contains(text),
            act: COMPOUNDING.contains(text),
            light: LIGHT_HEAD.contains(text),
            empty: EMPTY_MODIFIER.contains(text),
            agent: ends(ACTING) || AGENT.iter().any(|agent| text.ends_with(agent)),
            adjective: adjectival && !listed,
            text: text.into(),
            tag: tag.into(),
            alone: 0,
        }
    }

    pub(super) fn is_verb(&self) -> bool {
        self.tag.starts_with('v')
    }
}

fn class_of(text: &str, tag: &str, length: usize) -> Class {
    let last = text.chars().next_back();
    let ends = |marks: &str| last.is_some_and(|c| marks.contains(c));
    if NOUN.contains(text) {
        return Class::Noun;
    }
    if text.is_empty() || BOUND.contains(text) {
        return Class::Outside;
    }
    if !text.chars().all(is_han) {
        let short_form = length > 1 && text.chars().all(|c| c.is_ascii_uppercase());
        return if short_form {
            Class::Noun
        } else {
            Class::Outside
        };
    }
    if ATTRIBUTIVE.contains(text) {
        return if tag == "n" {
            Class::Noun
        } else {
            Class::Modifier
        };
    }
    if COMPOUNDING.contains(text) {
        return if tag == "n" {
            Class::Noun
        } else {
            Class::Deverbal
        };
    }
    // 内外 of 表内外 is half a word.
    if (length > 2 && ends(PLACES)) || text.chars().all(|c| PLACES.contains(c)) {
        return Class::Outside;
    }
    if !is_known(text) {
        let function = |c: char| FUNCTION_CHARACTER.contains(c.encode_utf8(&mut [0; 4]) as &str);
        return if length == 1 || text.chars().any(function) {
            Class::Outside
        } else {
            Class::Noun
        };
    }
    match tag {
        "nr" if length > 2 && (ends(SUFFIXES) || ends(SUFFIXES_OF_NAMED)) => Class::Noun,
        "nr" => Class::Outside,
        "n" | "nz" | "j" | "nt" | "ng" | "nrt" | "nw" | "an" => Class::Noun,
        "l" | "i" if length == 3 => Class::Noun,
        "vn" => Class::Deverbal,
        tag if tag.starts_with('v') => Class::Verb,
        "a" | "ad" | "b" | "s" | "ns" | "k" | "h" | "ag" | "g" | "z" => Class::Modifier,
        _ => Class::Outside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut words = Words::new();
        words
            .read(text)
            .into_iter()
            .map(|id| words.entry(id).text.to_string())
            .collect()
    }

    #[test]
    fn titles_and_addresses_are_no_words() {
        assert_eq!(
            read("银行依照《储蓄管理条例》办理，见www.example.cn/cn。"),
            ["", "银行", "依照", "", "办理", "，", "见", "", "。", ""]
        );
        assert_eq!(outside_titles("甲《乙〈丙〉丁》戊"), ["甲", "戊"]);
    }

    #[test]
    fn a_set_phrase_is_two_words() {
        let text = read("构成犯罪的");
        assert_eq!(&text[1..3], ["构成", "犯罪"]);
    }

    #[test]
    fn some_single_characters_end_a_term() {
        // 首席合规官, 资本充足率; not 合规要.
        for (text, expected) in [("官", true), ("率", true), ("要", false), ("官员", false)] {
            let entry = Entry::new(text, tag_of(text).as_deref().unwrap_or("n"));
            assert_eq!(entry.suffix, expected, "{text}");
        }
    }

    #[test]
    fn classes() {
        let check = |text: &str, expected: Class| {
            let mut words = Words::new();
            let ids = words.read(text);
            assert_eq!(words.entry(ids[1]).class, expected, "{text}");
        };
        check("合同", Class::Noun);
        check("担保", Class::Deverbal);
        check("派出", Class::Modifier);
        check("应当", Class::Outside);
        check("IRB", Class::Noun);
        check("cn", Class::Outside);
        check("获知", Class::Verb);
    }
}
