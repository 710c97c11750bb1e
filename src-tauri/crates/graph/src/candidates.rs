//! Candidate sets: `S_sen` of sentences and the similar entities behind `C_tok`, with calibration.
//!
//! The bounds 0.90 and 0.75–0.90 belong to the encoder of the published code. Where another encoder puts
//! fewer than the wanted share of anchors above them, the lower bound is taken from the observed
//! nearest-neighbour cosines instead, and the build records which bound it used.

use crate::counting::intersects;
use crate::join::{Pair, pairs_between};
use crate::neighbours::{Neighbour, nearest};
use crate::similarity::folded;
use crate::{EntityNode, Matrix, SentenceNode, is_anchor};
use lexforge_domain::graph::GraphSettings;
use std::collections::HashMap;

/// Calibration goes no lower: below this cosine two sentences have nothing to do with each other.
const SENTENCE_FLOOR: f32 = 0.30;
/// The same for two entities.
const ENTITY_FLOOR: f32 = 0.35;
/// Most pairs of similar entities that are stored; beyond, each entity keeps its nearest ones.
const MOST_PAIRS: usize = 8_000_000;
/// A cosine that no pair reaches.
const NO_CEILING: f32 = 2.0;

/// Sentence-level candidates.
pub(crate) struct RelatedSentences {
    /// For each sentence its candidates, nearest first.
    pub of: Vec<Vec<Neighbour>>,
    /// The threshold in use.
    pub threshold: f32,
}

/// A window of cosines, both bounds exclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub low: f32,
    pub high: f32,
}

/// Similar entities.
pub(crate) struct SimilarEntityPairs {
    /// Pairs of rows, ascending.
    pub pairs: Vec<Pair>,
    /// How many pairs there are.
    pub count: u64,
    /// For each entity the most similar ones that occur in a sentence, nearest first.
    pub nearest: Vec<Vec<Neighbour>>,
    /// The window in use.
    pub window: Window,
}

/// `S_sen`: for each anchor the nearest anchors that share an entity or the type, `cos ≥ θ_sen`.
/// Sentences of the same words are no candidates of each other.
pub(crate) fn sentences(
    sentences: &[SentenceNode],
    vectors: &Matrix,
    entities_of: &[Vec<u32>],
    settings: &GraphSettings,
) -> RelatedSentences {
    let anchors: Vec<usize> = (0..sentences.len().min(vectors.rows))
        .filter(|&row| {
            is_anchor(sentences[row].kind, &sentences[row].text) && vectors.row(row).iter().any(|v| *v != 0.0)
        })
        .collect();
    let mut unit = vectors.select(&anchors);
    unit.normalize_rows();
    let groups = numbered(anchors.iter().map(|&row| sentences[row].group.clone()));
    let texts = numbered(anchors.iter().map(|&row| folded(&sentences[row].text)));
    let typed: Vec<bool> = anchors.iter().map(|&row| !sentences[row].group.is_empty()).collect();
    let edge_sen = |i: usize, j: usize| {
        texts[i] != texts[j]
            && ((typed[i] && groups[i] == groups[j]) || intersects(&entities_of[anchors[i]], &entities_of[anchors[j]]))
    };
    let floor = settings.sentence_threshold.min(SENTENCE_FLOOR);
    let lists = nearest(&unit, settings.max_candidates, floor, NO_CEILING, edge_sen);
    let best: Vec<f32> = lists.iter().filter_map(|l| l.first().map(|n| n.cosine)).collect();
    let threshold = calibrated(best, anchors.len(), settings.sentence_threshold, settings.calibrate_share, floor);
    let mut of = vec![Vec::new(); sentences.len()];
    for (list, &row) in lists.into_iter().zip(&anchors) {
        of[row] = list
            .into_iter()
            .filter(|n| n.cosine >= threshold)
            .map(|n| Neighbour { row: anchors[n.row as usize] as u32, ..n })
            .collect();
    }
    RelatedSentences { of, threshold }
}

/// All pairs of entities within the window, and each entity's nearest.
pub(crate) fn entities(
    entities: &[EntityNode],
    vectors: &Matrix,
    occurrences: &[Vec<u32>],
    settings: &GraphSettings,
) -> SimilarEntityPairs {
    let mut unit = Matrix { rows: vectors.rows.min(entities.len()), dim: vectors.dim, data: vectors.data.clone() };
    unit.data.truncate(unit.rows * unit.dim);
    unit.normalize_rows();
    let occurs = |row: usize| !occurrences[row].is_empty();
    let mut window = Window { low: settings.entity_low, high: settings.entity_high };
    let mut joined = pairs_between(&unit, window.low, window.high, MOST_PAIRS);
    let mentioned = (0..unit.rows).filter(|&row| occurs(row)).count();
    if joined.complete() {
        let mut has_one = vec![false; unit.rows];
        for pair in joined.pairs.iter().filter(|p| occurs(p.a as usize) && occurs(p.b as usize)) {
            has_one[pair.a as usize] = true;
            has_one[pair.b as usize] = true;
        }
        let reached = has_one.iter().filter(|h| **h).count();
        if (reached as f64) < f64::from(settings.calibrate_share) * mentioned as f64 {
            let floor = window.low.min(ENTITY_FLOOR);
            let both = |i: usize, j: usize| occurs(i) && occurs(j);
            let lists = nearest(&unit, 1, floor, window.high, both);
            let best = lists.iter().filter_map(|l| l.first().map(|n| n.cosine)).collect();
            let low = calibrated(best, mentioned, window.low, settings.calibrate_share, floor);
            // The window is open below; the anchor at the quantile belongs to it.
            window.low = low - f32::EPSILON;
            joined = pairs_between(&unit, window.low, window.high, MOST_PAIRS);
        }
    }
    let keep = settings.max_candidates;
    if joined.complete() {
        let mut lists = vec![Vec::new(); entities.len()];
        for pair in joined.pairs.iter().filter(|p| occurs(p.a as usize) && occurs(p.b as usize)) {
            lists[pair.a as usize].push(Neighbour { row: pair.b, cosine: pair.cosine });
            lists[pair.b as usize].push(Neighbour { row: pair.a, cosine: pair.cosine });
        }
        for list in &mut lists {
            list.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.row.cmp(&b.row)));
            list.truncate(keep);
            list.shrink_to_fit();
        }
        return SimilarEntityPairs { count: joined.count, pairs: joined.pairs, nearest: lists, window };
    }
    let mut lists = nearest(&unit, keep, window.low + f32::EPSILON, window.high, |i, j| occurs(i) && occurs(j));
    lists.resize(entities.len(), Vec::new());
    let mut pairs: Vec<Pair> = Vec::new();
    for (row, list) in lists.iter().enumerate() {
        let row = row as u32;
        pairs.extend(list.iter().map(|n| Pair { a: row.min(n.row), b: row.max(n.row), cosine: n.cosine }));
    }
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    pairs.dedup_by_key(|p| (p.a, p.b));
    SimilarEntityPairs { count: joined.count, pairs, nearest: lists, window }
}

/// `bound`, or, if fewer than `share` of `anchors` reach it, the greatest bound that this share reaches
/// (never below `floor`). `best` are the nearest-neighbour cosines of the anchors that have a neighbour.
fn calibrated(mut best: Vec<f32>, anchors: usize, bound: f32, share: f32, floor: f32) -> f32 {
    // A share such as 0.4 is a little more than 2/5 in binary: that must not ask for one more.
    let wanted = (f64::from(share) * anchors as f64 - 1e-6).ceil().max(0.0) as usize;
    if wanted == 0 || best.iter().filter(|c| **c >= bound).count() >= wanted {
        return bound;
    }
    best.sort_unstable_by(|a, b| b.total_cmp(a));
    best.get(wanted - 1).copied().unwrap_or(floor).clamp(floor, bound)
}

/// Numbers values by first occurrence.
fn numbered(values: impl Iterator<Item = String>) -> Vec<u32> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    values
        .map(|v| {
            let next = seen.len() as u32;
            *seen.entry(v).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_gives_way_only_when_too_few_reach_it() {
        let check = |best: &[f32], anchors: usize, expected: f32| {
            assert_eq!(calibrated(best.to_vec(), anchors, 0.9, 0.5, 0.3), expected, "{best:?} of {anchors}");
        };
        check(&[0.95, 0.91, 0.5, 0.4], 4, 0.9);
        check(&[0.95, 0.7, 0.5, 0.4], 4, 0.7);
        check(&[0.8], 4, 0.3);
        check(&[], 0, 0.9);
    }
}
