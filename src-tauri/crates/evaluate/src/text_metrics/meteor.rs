//! METEOR (Lavie and Agarwal, WMT 2007) as nltk computes it. It matches equal words first, then words with the same
//! stem, then synonyms if there is a WordNet. Another order of the words makes the score lower. The words of one text
//! are matched from the last to the first; each is matched with the last word of the other text that fits and is still
//! free.

use super::wordnet::WordNet;
use lexforge_text::stem::stem;
use std::collections::HashMap;

const ALPHA: f64 = 0.9;
const BETA: i32 = 3;
const GAMMA: f64 = 0.5;

/// Stems that were found already.
#[derive(Debug, Default)]
pub(super) struct Stems(HashMap<String, String>);

impl Stems {
    fn of(&mut self, word: &str) -> String {
        if let Some(known) = self.0.get(word) {
            return known.clone();
        }
        let found = stem(word);
        self.0.insert(word.to_owned(), found.clone());
        found
    }
}

/// A place in a text and its word.
type Placed = (usize, String);

/// METEOR of an answer, the best over the right ones; all of them cut into words.
pub(super) fn meteor(
    answer: &[String],
    right: &[Vec<String>],
    stems: &mut Stems,
    wordnet: Option<&WordNet>,
) -> f64 {
    right
        .iter()
        .map(|one| against(answer, one, stems, wordnet))
        .fold(0.0, f64::max)
}

fn against(
    answer: &[String],
    right: &[String],
    stems: &mut Stems,
    wordnet: Option<&WordNet>,
) -> f64 {
    let placed = |words: &[String]| -> Vec<Placed> { words.iter().cloned().enumerate().collect() };
    let mut matches = Vec::new();
    let (mine, theirs) = matched(placed(answer), placed(right), &mut matches);
    let mut stemmed = |words: Vec<Placed>| -> Vec<Placed> {
        words
            .iter()
            .map(|(at, word)| (*at, stems.of(word)))
            .collect()
    };
    let (mine, theirs) = (stemmed(mine), stemmed(theirs));
    let (mine, theirs) = matched(mine, theirs, &mut matches);
    if let Some(wordnet) = wordnet {
        synonymous(mine, theirs, wordnet, &mut matches);
    }
    if matches.is_empty() {
        return 0.0;
    }
    matches.sort_unstable();
    let count = matches.len() as f64;
    let (precision, recall) = (count / answer.len() as f64, count / right.len() as f64);
    let mean = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
    let breaks = matches
        .windows(2)
        .filter(|pair| (pair[1].0, pair[1].1) != (pair[0].0 + 1, pair[0].1 + 1));
    let pieces = (1 + breaks.count()) as f64;
    (1.0 - GAMMA * (pieces / count).powi(BETA)) * mean
}

/// Puts pairs of equal words among the matches; gives back what found no partner.
fn matched(
    mine: Vec<Placed>,
    theirs: Vec<Placed>,
    matches: &mut Vec<(usize, usize)>,
) -> (Vec<Placed>, Vec<Placed>) {
    let mut free: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, (_, word)) in theirs.iter().enumerate() {
        free.entry(word).or_default().push(i);
    }
    let mut taken = vec![false; theirs.len()];
    let mut left = Vec::new();
    for (at, word) in mine.into_iter().rev() {
        match free.get_mut(word.as_str()).and_then(Vec::pop) {
            Some(i) => {
                taken[i] = true;
                matches.push((at, theirs[i].0));
            }
            None => left.push((at, word)),
        }
    }
    left.reverse();
    let mut taken = taken.into_iter();
    let others = theirs.into_iter().filter(|_| taken.next() != Some(true));
    (left, others.collect())
}

/// Adds pairs of synonyms to the matches. As in nltk, the stems that have no partner yet are looked up.
fn synonymous(
    mine: Vec<Placed>,
    mut theirs: Vec<Placed>,
    wordnet: &WordNet,
    matches: &mut Vec<(usize, usize)>,
) {
    for (at, word) in mine.into_iter().rev() {
        let like = wordnet.synonyms(&word);
        let partner = theirs
            .iter()
            .rposition(|(_, other)| like.contains(other.as_str()));
        if let Some(i) = partner {
            matches.push((at, theirs.remove(i).0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_metrics::wordnet::small;

    #[test]
    fn synonyms_count_where_there_is_a_wordnet() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let wordnet = small();
        // A match of all words but one: precision and recall 2/3, one piece or two.
        let apart = |pieces: f64| 2.0 / 3.0 * (1.0 - 0.5 * (pieces / 2.0).powi(3));
        // All three match, in one piece.
        let whole = 1.0 - 0.5 * (1.0_f64 / 3.0).powi(3);
        for (answer, right, without, with) in [
            ("a gap here", "a breach here", apart(2.0), whole),
            ("an oxen here", "an bullock here", apart(2.0), whole),
            // Two synonyms of one word: one of them finds it.
            ("gap gap here", "breach no here", 1.0 / 6.0, apart(2.0)),
            ("a man here", "a bullock here", apart(2.0), apart(2.0)),
            // The stem is looked up, and "notifi" is not in WordNet.
            ("tell the board", "notify the board", apart(1.0), apart(1.0)),
        ] {
            let (answer, right) = (words(answer), [words(right)]);
            let mut stems = Stems::default();
            let plain = meteor(&answer, &right, &mut stems, None);
            let found = meteor(&answer, &right, &mut stems, Some(&wordnet));
            assert!((plain - without).abs() < 1e-12, "{answer:?}: {plain}");
            assert!((found - with).abs() < 1e-12, "{answer:?}: {found}");
        }
    }
}
