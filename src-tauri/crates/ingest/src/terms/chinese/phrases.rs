//! Counting the runs of words that may be a name, with what stands around them.

use super::lexicon::{AFTER_VERB, BEFORE_NOUN, MODAL};
use super::usage::Usage;
use super::words::{Class, Words};
use lexforge_text::is_han;
use lexforge_text::numerals::is_clause_numeral;
use std::collections::HashMap;
use std::ops::Range;

/// Most words of a phrase.
const LONGEST: usize = 6;

/// Words that join what is of one kind.
const JOINING: [&str; 6] = ["和", "或", "或者", "及", "以及", "并"];

/// The numbers of a phrase's words; 0 fills the rest.
type Phrase = [u32; LONGEST];

/// The role of a word in this corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Noun,
    /// A verb that may be a part of a name.
    Deverbal,
    /// A verb that this corpus has before one noun.
    Learned,
    Modifier,
    Break,
}

/// The role of each word, by its number.
pub(super) fn roles(words: &Words, usage: &Usage) -> Vec<Role> {
    (0..words.len() as u32)
        .map(|id| match words.entry(id).class {
            Class::Noun => Role::Noun,
            Class::Deverbal => Role::Deverbal,
            Class::Verb if usage.is_attributive(id) => Role::Learned,
            Class::Modifier => Role::Modifier,
            Class::Verb | Class::Outside => Role::Break,
        })
        .collect()
}

/// Counts of one phrase.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub count: u32,
    /// Occurrences that fill a whole run.
    pub whole: u32,
    /// Occurrences after a word that stands before nouns.
    pub nominal: u32,
    /// Occurrences after a verb: as its object, if that is not another verb.
    pub object: u32,
    /// Occurrences after a word that stands before verbs: 应当, or an adverb.
    pub verbal: u32,
    /// Occurrences after an ordinal number: 支柱资本 of 第二支柱资本 is a piece.
    pub ordinal: u32,
    /// Occurrences before a word that stands after verbs.
    pub before_object: u32,
    /// Words of the same run before it, with counts; none where it begins the run.
    left: HashMap<u32, u32>,
    right: HashMap<u32, u32>,
    /// Words before its run that say something themselves, with counts.
    outside: HashMap<u32, u32>,
}

impl Counted {
    /// Different neighbours on each side; the ends of a run are all different.
    pub(super) fn neighbours(&self) -> [u32; 2] {
        [&self.left, &self.right].map(|side| {
            let within: u32 = side.values().sum();
            side.len() as u32 + (self.count - within)
        })
    }

    /// How often the commonest neighbour stands there, on the side where it does more often.
    pub(super) fn bound(&self) -> u32 {
        let most = |side: &HashMap<u32, u32>| side.values().copied().max().unwrap_or(0);
        // 能力人 of 限制民事行为能力人: the piece may be cut off at a word that is in no phrase, too.
        most(&self.left)
            .max(most(&self.right))
            .max(most(&self.outside))
    }

    /// The places where it stands show it to be a noun.
    pub(super) fn is_nominal(&self) -> bool {
        let nominal = self.nominal + self.object;
        nominal >= 2 && nominal >= 2 * self.verbal && 3 * nominal >= self.count
    }
}

/// The phrases that occur often enough, with their counts.
pub(super) fn counted(
    sentences: &[Vec<u32>],
    words: &Words,
    roles: &[Role],
) -> HashMap<Vec<u32>, Counted> {
    let around = Around::new(words);
    let mut counts: HashMap<Phrase, Counted> = HashMap::new();
    for sentence in sentences {
        let role = |at: usize| {
            roles
                .get(sentence[at] as usize)
                .copied()
                .unwrap_or(Role::Break)
        };
        let mut start = 0;
        while start < sentence.len() {
            if role(start) == Role::Break {
                start += 1;
                continue;
            }
            let end = (start..sentence.len())
                .find(|at| role(*at) == Role::Break)
                .unwrap_or(sentence.len());
            count_run(sentence, start..end, words, roles, &around, &mut counts);
            start = end;
        }
    }
    counts
        .into_iter()
        .filter(|(phrase, c)| c.count >= if phrase[1] == 0 { 4 } else { 3 })
        .map(|(phrase, c)| {
            let words = phrase.into_iter().take_while(|id| *id != 0).collect();
            (words, c)
        })
        .collect()
}

fn count_run(
    sentence: &[u32],
    run: Range<usize>,
    words: &Words,
    roles: &[Role],
    around: &Around,
    counts: &mut HashMap<Phrase, Counted>,
) {
    for first in run.clone() {
        if words.entry(sentence[first]).single {
            continue;
        }
        let mut phrase: Phrase = [0; LONGEST];
        for last in first..run.end.min(first + LONGEST) {
            let id = sentence[last];
            phrase[last - first] = id;
            let entry = words.entry(id);
            let ends = matches!(roles[id as usize], Role::Noun | Role::Deverbal)
                && (first == last || !entry.single || entry.suffix);
            if !ends {
                continue;
            }
            let c = counts.entry(phrase).or_default();
            let (begins, closes) = (first == run.start, last + 1 == run.end);
            c.count += 1;
            c.whole += u32::from(begins && closes);
            if !begins {
                *c.left.entry(sentence[first - 1]).or_default() += 1;
            } else if first > 0 && around.says[sentence[first - 1] as usize] {
                *c.outside.entry(sentence[first - 1]).or_default() += 1;
            }
            if !closes {
                *c.right.entry(sentence[last + 1]).or_default() += 1;
            }
            let before = first.checked_sub(1).map(|at| sentence[at] as usize);
            // 赔偿或者给付保险金: what joins verbs says that a verb follows.
            let joins_verbs = roles[sentence[first] as usize] == Role::Learned
                && first >= 2
                && around.joins[sentence[first - 1] as usize]
                && around.predicate[sentence[first - 2] as usize];
            c.ordinal += u32::from(before.is_some_and(|id| around.ordinal[id]));
            c.nominal += u32::from(!joins_verbs && before.is_some_and(|id| around.before_noun[id]));
            c.object += u32::from(before.is_some_and(|id| around.verb[id]));
            c.verbal += u32::from(joins_verbs || before.is_some_and(|id| around.before_verb[id]));
            let after = sentence.get(last + 1).map(|id| *id as usize);
            c.before_object += u32::from(after.is_some_and(|id| around.after_verb[id]));
        }
    }
}

/// The numbers of the words around a phrase.
struct Around {
    before_noun: Vec<bool>,
    ordinal: Vec<bool>,
    joins: Vec<bool>,
    says: Vec<bool>,
    predicate: Vec<bool>,
    verb: Vec<bool>,
    before_verb: Vec<bool>,
    after_verb: Vec<bool>,
}

impl Around {
    fn new(words: &Words) -> Self {
        let each = |test: &dyn Fn(&str, &str) -> bool| -> Vec<bool> {
            (0..words.len() as u32)
                .map(|id| words.entry(id))
                .map(|entry| test(&entry.text, &entry.tag))
                .collect()
        };
        Self {
            before_noun: each(&|word, tag| {
                BEFORE_NOUN.contains(word) || matches!(tag, "p" | "m" | "q")
            }),
            ordinal: each(&|word, _| {
                word.strip_prefix('第')
                    .is_some_and(|rest| rest.chars().all(is_clause_numeral))
            }),
            joins: each(&|word, _| JOINING.contains(&word)),
            says: each(&|word, tag| {
                // 现场监管 of 非现场监管 is a piece, too, and even says the opposite.
                tag.starts_with(['n', 'a', 'l', 'i', 'b', 'j', 'h'])
                    && !BEFORE_NOUN.contains(word)
                    && word.chars().all(is_han)
            }),
            predicate: each(&|_, tag| tag == "v"),
            verb: each(&|word, tag| tag.starts_with('v') && !MODAL.contains(word)),
            before_verb: each(&|word, tag| MODAL.contains(word) || tag == "d"),
            after_verb: each(&|word, tag| {
                word == "的" || AFTER_VERB.contains(word) || matches!(tag, "m" | "r")
            }),
        }
    }
}
