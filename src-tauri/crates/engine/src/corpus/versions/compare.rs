//! Compares two versions of a text, sentence by sentence: which sentences are the same, which have changed, which were
//! added or removed.
//!
//! Equal sentences are found by hashing, wherever they are, so a moved or renumbered clause does not count as changed.
//! The other sentences are paired by section and by rare word pairs that two sentences share, and only such pairs are
//! scored. So the work grows with the number of sentences and not with its square.

use super::words::{Bag, key};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_text::words;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Least similarity of two wordings of one sentence.
const ALIKE: f32 = 0.45;
/// Least similarity where both stand in the section of the same name.
const ALIKE_IN_SECTION: f32 = 0.3;
/// Word pairs that occur in more of the remaining sentences are not informative.
const COMMON: usize = 48;
/// Candidates that are scored for one sentence.
const CANDIDATES: usize = 8;
/// Remaining sentences of one section that are compared all with all.
const SECTION: usize = 24;

/// What became of the sentences; indices point into the two lists.
#[derive(Debug, Default, PartialEq)]
pub struct Comparison {
    /// Sentences that are only in the newer version.
    pub added: Vec<usize>,
    /// Sentences that are only in the older version.
    pub removed: Vec<usize>,
    /// In both, in other words: (older, newer), in the newer one's order.
    pub changed: Vec<(usize, usize)>,
    /// Sentences of the newer version that the older one has too.
    pub unchanged: u64,
}

/// One side of the comparison.
struct Side<'a> {
    sentences: &'a [Sentence],
    /// The words by which a sentence is recognised; `None` for a label alone and for a table of contents.
    keys: Vec<Option<String>>,
    /// The other side's sentence.
    partner: Vec<Option<usize>>,
}

impl<'a> Side<'a> {
    fn new(sentences: &'a [Sentence]) -> Self {
        let keys = sentences
            .iter()
            .map(|s| if is_contents(s) { None } else { key(s) })
            .collect();
        Self {
            sentences,
            keys,
            partner: vec![None; sentences.len()],
        }
    }

    fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.sentences.len()).filter(|&i| self.partner[i].is_none() && self.keys[i].is_some())
    }
}

/// A table of contents names what the text says again.
fn is_contents(sentence: &Sentence) -> bool {
    lexforge_ingest::is_contents(&sentence.section)
}

/// Compares two versions, each in reading order. Tables of contents take no part.
pub fn compare(old: &[Sentence], new: &[Sentence]) -> Comparison {
    let (mut old, mut new) = (Side::new(old), Side::new(new));
    match_equal(&mut old, &mut new);
    let changed = match_alike(&mut old, &mut new);
    let (mut removed, mut added) = (left(&old), left(&new));
    // If an article keeps only its number, its text was removed and not its number.
    cancel_labels(&old, &new, &mut removed, &mut added);
    let contents = new.sentences.iter().filter(|s| is_contents(s)).count();
    let unchanged = (new.sentences.len() - contents - added.len() - changed.len()) as u64;
    Comparison {
        added,
        removed,
        changed,
        unchanged,
    }
}

/// Pairs what says the same, in order; where one side has it more often, first within sections of the same name.
fn match_equal(old: &mut Side, new: &mut Side) {
    let mut places: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (i, key) in old.keys.iter().enumerate() {
        if let Some(key) = key {
            places.entry(key).or_default().0.push(i);
        }
    }
    for (j, key) in new.keys.iter().enumerate() {
        if let Some(both) = key.as_deref().and_then(|key| places.get_mut(key)) {
            both.1.push(j);
        }
    }
    let mut pairs = Vec::new();
    for (mut a, mut b) in places.into_values() {
        if a.len() != b.len() {
            let mut by_section: HashMap<&str, Vec<usize>> = HashMap::new();
            for &i in a.iter().rev() {
                by_section
                    .entry(&old.sentences[i].section)
                    .or_default()
                    .push(i);
            }
            let mut taken = HashSet::new();
            b.retain(|&j| {
                match by_section
                    .get_mut(new.sentences[j].section.as_str())
                    .and_then(Vec::pop)
                {
                    Some(i) => {
                        taken.insert(i);
                        pairs.push((i, j));
                        false
                    }
                    None => true,
                }
            });
            a.retain(|i| !taken.contains(i));
        }
        pairs.extend(a.into_iter().zip(b));
    }
    for (i, j) in pairs {
        old.partner[i] = Some(j);
        new.partner[j] = Some(i);
    }
}

/// Pairs what is left by likeness, the most alike first.
fn match_alike(old: &mut Side, new: &mut Side) -> Vec<(usize, usize)> {
    let bags = |side: &Side| -> BTreeMap<usize, Bag> {
        side.open()
            .map(|i| {
                (
                    i,
                    Bag::of(&words(side.keys[i].as_deref().unwrap_or_default())),
                )
            })
            .collect()
    };
    let (before, after) = (bags(old), bags(new));
    let mut by_pair: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut by_section: HashMap<&str, Vec<usize>> = HashMap::new();
    for (&i, bag) in &before {
        for pair in bag.marks() {
            by_pair.entry(pair).or_default().push(i);
        }
        by_section
            .entry(&old.sentences[i].section)
            .or_default()
            .push(i);
    }
    let mut scored: Vec<(f32, usize, usize)> = Vec::new();
    let mut shared: HashMap<usize, u32> = HashMap::new();
    for (&j, bag) in &after {
        shared.clear();
        for pair in bag.marks() {
            if let Some(places) = by_pair.get(&pair).filter(|p| p.len() <= COMMON) {
                for &i in places {
                    *shared.entry(i).or_default() += 1;
                }
            }
        }
        let mut candidates: Vec<(u32, usize)> = shared.iter().map(|(&i, &n)| (n, i)).collect();
        candidates.sort_unstable_by_key(|&(n, i)| (std::cmp::Reverse(n), i.abs_diff(j), i));
        candidates.truncate(CANDIDATES);
        let section = by_section
            .get(new.sentences[j].section.as_str())
            .filter(|s| s.len() <= SECTION);
        let section = section
            .into_iter()
            .flatten()
            .map(|&i| (0, i))
            .filter(|(_, i)| !shared.contains_key(i));
        candidates.extend(section);
        for (_, i) in candidates {
            let (a, b) = (&old.sentences[i], &new.sentences[j]);
            if shape(a.kind) != shape(b.kind) {
                continue;
            }
            let here = a.section == b.section;
            let likeness = before[&i].likeness(bag);
            if likeness >= if here { ALIKE_IN_SECTION } else { ALIKE } {
                scored.push((likeness + if here { 0.1 } else { 0.0 }, i, j));
            }
        }
    }
    scored.sort_by(|x, y| {
        y.0.total_cmp(&x.0)
            .then_with(|| (x.1.abs_diff(x.2), x.2).cmp(&(y.1.abs_diff(y.2), y.2)))
    });
    let mut changed = Vec::new();
    for (_, i, j) in scored {
        if old.partner[i].is_none() && new.partner[j].is_none() {
            old.partner[i] = Some(j);
            new.partner[j] = Some(i);
            changed.push((i, j));
        }
    }
    changed.sort_unstable_by_key(|&(_, j)| j);
    changed
}

/// Kinds between which a sentence may change.
fn shape(kind: SentenceKind) -> u8 {
    match kind {
        SentenceKind::Heading => 0,
        SentenceKind::TableCell => 1,
        SentenceKind::Footnote => 2,
        SentenceKind::Rule | SentenceKind::Definition | SentenceKind::ListItem => 3,
    }
}

/// The sentences without a partner. A label alone (`Article 5`) is treated with the text after it.
fn left(side: &Side) -> Vec<usize> {
    let mut fate = true;
    let mut out = Vec::new();
    for i in (0..side.sentences.len()).rev() {
        if is_contents(&side.sentences[i]) {
            continue;
        }
        if side.keys[i].is_some() {
            fate = side.partner[i].is_some();
        }
        if !fate {
            out.push(i);
        }
    }
    out.reverse();
    out
}

fn cancel_labels(old: &Side, new: &Side, removed: &mut Vec<usize>, added: &mut Vec<usize>) {
    let label = |side: &Side, i: usize| {
        side.keys[i]
            .is_none()
            .then(|| side.sentences[i].text.clone())
    };
    let mut gone: HashMap<String, usize> = HashMap::new();
    for &i in removed.iter() {
        if let Some(text) = label(old, i) {
            *gone.entry(text).or_default() += 1;
        }
    }
    let mut back: HashMap<String, usize> = HashMap::new();
    added.retain(|&j| {
        let Some(text) = label(new, j) else {
            return true;
        };
        let Some(count) = gone.get_mut(&text).filter(|n| **n > 0) else {
            return true;
        };
        *count -= 1;
        *back.entry(text).or_default() += 1;
        false
    });
    removed.retain(|&i| {
        let Some(count) = label(old, i)
            .and_then(|text| back.get_mut(&text))
            .filter(|n| **n > 0)
        else {
            return true;
        };
        *count -= 1;
        false
    });
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
