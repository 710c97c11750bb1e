//! Chinese candidates: runs of content words as the segmenter and its parts of speech give them.

use super::cvalue::cvalues;
use super::named::{Named, is_text, named};
use super::segmenter::tagged;
use jieba_rs::Tag;
use lexforge_domain::extract::Defined;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_text::lists::Word;
use lexforge_text::{is_han, word_lists};
use std::collections::{HashMap, HashSet};

/// Most words of a phrase.
const LONGEST: usize = 6;
/// What defined terms get on top.
const DEFINED_BONUS: f64 = 10.0;

word_lists! {
    STOP: HashSet<Word> = "chinese/phrase_bounds.txt";
    GENERIC: HashSet<Word> = "chinese/generic.txt";
}

/// Words before a predicate: what follows them is used as a verb there.
const MODALS: &[&str] = &[
    "应当", "应", "可以", "可", "不得", "必须", "须", "需", "不", "未", "已", "能够", "依法",
    "拒绝", "自行", "擅自", "予以",
];

/// Single characters that may end a term: suffixes.
const SUFFIXES: &str = "率额权法人费金业险债物款证书者员量值数表";

/// How a word may stand in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// May end a phrase.
    Head,
    /// May only stand before a head.
    Modifier,
    /// Ends the run.
    Break,
}

fn role(word: &str, tag: &str) -> Role {
    let han = word.chars().all(is_han);
    let latin = word.chars().all(|c| c.is_ascii_alphabetic()) && word.len() > 1;
    if STOP.contains(word) || !(han || latin) {
        return Role::Break;
    }
    match tag {
        "n" | "nz" | "vn" | "l" | "j" | "an" | "eng" | "nt" | "ng" | "i" | "nrt" | "nw" | "x" => {
            Role::Head
        }
        "v" | "vi" | "vd" => Role::Head,
        "a" | "b" | "ad" | "s" | "f" | "ns" | "k" | "h" | "m" | "t" | "nr" | "ag" | "vg" | "g"
        | "z" => Role::Modifier,
        _ => Role::Break,
    }
}

#[derive(Debug, Default)]
struct Counted {
    count: u32,
    whole: u32,
    left: HashSet<String>,
    right: HashSet<String>,
    /// The last word is tagged as a verb or verbal noun.
    verbal: bool,
}

pub(super) fn candidates(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
) -> Vec<TermCandidate> {
    let segmented: Vec<Vec<Tag<'_>>> = sentences
        .iter()
        .filter(|(kind, _)| is_text(*kind))
        .map(|(_, text)| tagged(text))
        .collect();
    let predicates = predicates(&segmented);
    let mut counted: HashMap<Vec<String>, Counted> = HashMap::new();
    for words in &segmented {
        let roles: Vec<Role> = words.iter().map(|w| role(w.word, w.tag)).collect();
        let mut start = 0;
        while start < words.len() {
            if roles[start] == Role::Break {
                start += 1;
                continue;
            }
            let end = (start..words.len())
                .find(|&i| roles[i] == Role::Break)
                .unwrap_or(words.len());
            for first in start..end {
                for last in first..end.min(first + LONGEST) {
                    // A predicate may end a phrase ("贷款发放"), but inside it makes a clause of it.
                    let clause = words[first..last]
                        .iter()
                        .any(|w| predicates.contains(w.word));
                    if roles[last] != Role::Head
                        || clause
                        || !bounds(words[first].word, words[last].word, first == last)
                    {
                        continue;
                    }
                    let phrase: Vec<String> = words[first..=last]
                        .iter()
                        .map(|w| w.word.to_owned())
                        .collect();
                    let entry = counted.entry(phrase).or_default();
                    entry.count += 1;
                    entry.whole += u32::from(first == start && last + 1 == end);
                    entry.verbal |= words[last].tag.starts_with('v');
                    let neighbour = |i: Option<usize>| {
                        i.and_then(|i| words.get(i))
                            .map_or("", |w| w.word)
                            .to_owned()
                    };
                    entry.left.insert(neighbour(first.checked_sub(1)));
                    entry.right.insert(neighbour(Some(last + 1)));
                }
            }
            start = end;
        }
    }
    counted.retain(|words, c| c.count >= if words.len() == 1 { 4 } else { 3 });
    let frequency: HashMap<Vec<String>, u32> =
        counted.iter().map(|(w, c)| (w.clone(), c.count)).collect();
    let values = cvalues(&frequency);

    let mut found: HashMap<String, TermCandidate> = HashMap::new();
    for (words, c) in &counted {
        let text = words.concat();
        let length = text.chars().count();
        let independence = f64::from(c.whole) / f64::from(c.count);
        if !(2..=16).contains(&length) || !stands_alone(words, c, independence) {
            continue;
        }
        // Freedom at both ends: a fragment of one longer term has always the same neighbour.
        let freedom = (c.left.len().min(c.right.len()) as f64 / f64::from(c.count).sqrt()).min(1.0);
        let score = values[words] * (0.2 + 0.8 * independence) * freedom;
        if score > 0.0 {
            let known = found
                .entry(text.clone())
                .or_insert_with(|| candidate(text, FoundBy::Phrase, 0.0, 0));
            known.score += score;
            known.count += c.count;
        }
    }
    add_defined(sentences, defined, &mut found);
    found.into_values().collect()
}

/// Words that this corpus uses as predicates: verbs of which a good part stands after a modal or a negation.
fn predicates<'a>(segmented: &[Vec<Tag<'a>>]) -> HashSet<&'a str> {
    let mut counts: HashMap<&str, (u32, u32)> = HashMap::new();
    for words in segmented {
        for (i, word) in words
            .iter()
            .enumerate()
            .filter(|(_, w)| w.tag.starts_with('v'))
        {
            let entry = counts.entry(word.word).or_default();
            entry.0 += 1;
            entry.1 += u32::from(i > 0 && MODALS.contains(&words[i - 1].word));
        }
    }
    counts
        .into_iter()
        .filter(|(_, (count, modal))| *modal >= 2 && 20 * modal > *count)
        .map(|(word, _)| word)
        .collect()
}

/// Whether words may begin and end a phrase: single characters are prefixes of nothing, and suffixes by list.
fn bounds(first: &str, last: &str, alone: bool) -> bool {
    let single = |w: &str| w.chars().count() == 1;
    !single(first) && (alone || !single(last) || SUFFIXES.contains(last))
}

fn candidate(text: String, found: FoundBy, score: f64, count: u32) -> TermCandidate {
    TermCandidate {
        normal: text.clone(),
        text,
        found,
        score,
        count,
        definition: None,
        names: Vec::new(),
        class: String::new(),
        language: Language::Zh,
    }
}

fn stands_alone(words: &[String], c: &Counted, independence: f64) -> bool {
    let generic = words
        .iter()
        .filter(|w| GENERIC.contains(w.as_str()))
        .count();
    if words.len() == 1 {
        return generic == 0 && !c.verbal && independence >= 0.25;
    }
    if c.left.len() < 2 || c.right.len() < 2 {
        return false;
    }
    if generic == words.len() {
        independence >= 0.5
    } else {
        independence >= 0.2
    }
}

fn add_defined(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
    found: &mut HashMap<String, TermCandidate>,
) {
    for (
        normal,
        Named {
            written: term,
            definition,
            names,
        },
    ) in named(defined, str::to_owned)
    {
        let length = term.chars().count();
        if !(2..=25).contains(&length) {
            continue;
        }
        let count = sentences
            .iter()
            .map(|(_, text)| text.matches(term.as_str()).count() as u32)
            .sum::<u32>()
            .max(1);
        let entry = found
            .entry(normal)
            .or_insert_with(|| candidate(term, FoundBy::Defined, f64::from(count), count));
        entry.found = FoundBy::Defined;
        entry.score = entry.score.max(f64::from(count)) + DEFINED_BONUS;
        entry.definition = Some(definition);
        entry.names = names;
    }
}
