//! Whether a sequence of words is a term. It is judged by its words, by the places where it occurs, and by how freely
//! its neighbours vary.

use super::lexicon::COMMON_TERM;
use super::phrases::{Counted, Role};
use super::usage::Usage;
use super::words::{Entry, SUFFIXES, Words};
use crate::terms::segmenter::general_share;
use std::collections::HashMap;

/// A single word with a term's suffix is a term from this many times its share of general language.
const OF_A_KIND: f64 = 6.0;
/// Another single word from so many times.
const SINGULAR: f64 = 40.0;
/// Further suffixes of single words that are terms.
const KINDS: &str = "税户单法业账息股会";
/// Suffixes that make an abstract of everything (一致性, 信息化).
const ABSTRACT: &str = "性化";
/// Words of a corpus from which on generic words must be met often together.
const LARGE: f64 = 30_000.0;
/// Share of one neighbour above which a phrase is a piece of a longer one.
const BOUND: f64 = 0.85;
/// A share lower than [`BOUND`], used with a second condition. A phrase is a piece of a longer one if it has the same
/// neighbour in more than this share of its occurrences, and another neighbour in fewer than three occurrences.
const NEARLY_BOUND: f64 = 0.55;

/// The phrases of a corpus, to be judged one by one.
pub(super) struct Termhood<'a> {
    pub words: &'a Words,
    pub roles: &'a [Role],
    pub usage: &'a Usage,
    pub counted: &'a HashMap<Vec<u32>, Counted>,
    /// Words of the corpus.
    pub total: f64,
}

impl Termhood<'_> {
    /// Whether the phrase is a term.
    pub(super) fn holds(&self, phrase: &[u32], c: &Counted) -> bool {
        let count = f64::from(c.count);
        let bound = f64::from(c.bound());
        if bound > BOUND * count || (bound > NEARLY_BOUND * count && count - bound < 3.0) {
            return false;
        }
        if 2 * c.ordinal > c.count {
            return false;
        }
        let entries: Vec<&Entry> = phrase.iter().map(|id| self.words.entry(*id)).collect();
        let independence = f64::from(c.whole) / count;
        match entries.as_slice() {
            [] => false,
            [word] => self.is_term(word, self.role(phrase[0]), c.count, independence),
            words => {
                c.neighbours().into_iter().all(|n| n >= 2)
                    && self.is_a_name(words, c.count, independence)
                    && !self.repeats_with_light_head(phrase, words)
                    && !self.is_somebodys(phrase, words, c)
                    && !self.is_clause(phrase, words, c)
            }
        }
    }

    /// Whether several words say enough together.
    fn is_a_name(&self, words: &[&Entry], count: u32, independence: f64) -> bool {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return false;
        };
        let length: usize = words.iter().map(|word| word.text.chars().count()).sum();
        let often = if self.total > LARGE { 8 } else { 4 };
        let generic = words.iter().all(|word| word.generic);
        let light = last.light && (generic || first.empty);
        let weak = generic && (independence < 0.5 || count < often || first.empty);
        (2..=16).contains(&length) && !light && !weak && independence >= 0.2
    }

    fn role(&self, id: u32) -> Role {
        self.roles.get(id as usize).copied().unwrap_or(Role::Break)
    }

    fn count_of(&self, phrase: &[u32]) -> Option<u32> {
        self.counted.get(phrase).map(|c| c.count)
    }

    /// Whether a single word is a term: it must be a noun that is much more frequent here than in general language.
    fn is_term(&self, word: &Entry, role: Role, count: u32, independence: f64) -> bool {
        if word.generic || word.alone < 4 || independence < 0.25 {
            return false;
        }
        if COMMON_TERM.contains(&*word.text) {
            return true;
        }
        if role != Role::Noun {
            return false;
        }
        let length = word.text.chars().count();
        let ends = |marks: &str| {
            word.text
                .chars()
                .next_back()
                .is_some_and(|c| marks.contains(c))
        };
        if length > 3 {
            return true;
        }
        let share = f64::from(count) / self.total.max(1.0);
        let contrast = share / general_share(&word.text);
        if length == 3 && (ends(SUFFIXES) || ends(KINDS)) {
            contrast >= OF_A_KIND
        } else {
            !ends(ABSTRACT) && contrast >= SINGULAR && count >= 6
        }
    }

    /// 监督检查结果 beside 监督检查, 具体内容 beside 内容: the rest is the term.
    fn repeats_with_light_head(&self, phrase: &[u32], words: &[&Entry]) -> bool {
        let (Some((last, before)), Some((_, rest))) = (phrase.split_last(), phrase.split_first())
        else {
            return false;
        };
        let light = self.words.entry(*last).light;
        (light && words.len() > 2 && self.counted.contains_key(before))
            || (words[0].empty && self.count_of(rest) > self.count_of(phrase).map(|c| 2 * c))
    }

    /// 商业银行资本充足率 beside 资本充足率: a thing and whose it is are two names, where the thing is mostly named without.
    fn is_somebodys(&self, phrase: &[u32], words: &[&Entry], c: &Counted) -> bool {
        (1..words.len()).any(|at| {
            let owner: usize = words[..at].iter().map(|w| w.text.chars().count()).sum();
            owner >= 4
                && words[at - 1].agent
                && words.last().is_some_and(|w| !w.agent)
                && self.count_of(&phrase[at..]).unwrap_or(0) >= 2 * c.count
        })
    }

    /// The words make a clause: a verb with its object, somebody who acts with a verb, a predicate among nouns.
    fn is_clause(&self, phrase: &[u32], words: &[&Entry], c: &Counted) -> bool {
        let last = words.len() - 1;
        let role = |at: usize| self.role(phrase[at]);
        let verb = |at: usize| matches!(role(at), Role::Deverbal | Role::Learned);
        let (nominal, verbal) = (c.nominal, c.verbal);
        let twice = (1..=last).any(|at| phrase[..at].contains(&phrase[at]))
            || words[0].text.contains(&*words[last].text);
        let predicate_adjective = words[1..last].iter().any(|word| word.adjective);
        let verbs_alone = (0..=last).all(verb) && c.count < 5;
        let said_of = words[last].light && last == 1 && c.count < 8;
        let of_little = said_of
            || words[0].light && (1..=last).any(verb)
            || words[0].empty && last == 1 && (role(last) == Role::Deverbal || words[last].single);
        // 涉嫌违法: one verb has the others as its object.
        let verb_of_verbs = role(0) == Role::Learned && (1..=last).all(verb);
        if twice || verb_of_verbs || predicate_adjective || verbs_alone || of_little {
            return true;
        }
        let somebody_acts = (1..=last)
            .any(|at| verb(at) && words[at - 1].agent && !(at + 1 == last && words[last].generic));
        if somebody_acts && !(c.is_nominal() && c.count >= 8) {
            return true;
        }
        if (1..=last).any(|at| role(at) == Role::Learned)
            && !(nominal >= 2 && 3 * nominal >= c.count)
        {
            return true;
        }
        if role(0) == Role::Learned
            && !(nominal >= 2 && nominal > 3 * verbal && 2 * nominal >= c.count)
        {
            return true;
        }
        if verb(0) && !(1..=last).all(verb) {
            return self.takes_an_object(phrase, words, c);
        }
        // 计量加权资产 beside the more frequent 加权资产, though the dictionary has 计量 as a noun.
        let rest = self.count_of(&phrase[1..]).unwrap_or(0);
        if words[0].act && last > 1 && 10 * rest > 13 * c.count && !c.is_nominal() {
            return true;
        }
        role(last) == Role::Deverbal && f64::from(c.before_object) > 0.34 * f64::from(c.count)
    }

    /// A phrase that begins with a verb: is the rest its object?
    fn takes_an_object(&self, phrase: &[u32], words: &[&Entry], c: &Counted) -> bool {
        let rest = &phrase[1..];
        // 披露信息 beside 信息披露: the name is the other one.
        let turned: Vec<u32> = rest.iter().chain(&phrase[..1]).copied().collect();
        if (c.verbal > 0 && c.verbal >= c.nominal) || self.counted.contains_key(&turned) {
            return true;
        }
        match words {
            [_, head] => {
                !head.suffix
                    && (!head.generic && !c.is_nominal()
                        || c.nominal <= c.verbal && self.usage.is_predicate(phrase[0]))
            }
            _ if matches!(self.role(phrase[1]), Role::Deverbal) => false,
            _ => {
                let alone = self.count_of(rest).unwrap_or(c.count);
                f64::from(alone) > 1.3 * f64::from(c.count) && !c.is_nominal()
            }
        }
    }
}
