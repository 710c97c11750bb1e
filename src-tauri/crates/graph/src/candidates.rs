//! Candidate sets: `S_sen` of sentences and the similar entities behind `C_tok`, with calibration.
//!
//! The bounds 0.90 and 0.75–0.90 are taken from the published code and suit its encoder. Another encoder may put fewer
//! anchors above them than required. Then the lower bound is taken from the observed nearest-neighbour cosines, and the
//! build records the bound used. Bounds can also be given as quantiles of these cosines.
//!
//! One file because sets and bounds are found in one pass over the same lists.

use crate::approximate::nearest_approximately;
use crate::choice::{Shape, chosen, looked_for};
use crate::counting::intersects;
use crate::join::{Joined, Pair, pairs_between, pairs_with};
use crate::neighbours::{Neighbour, Wanted, nearest_in_groups, nearest_wanted, order, renewed};
use crate::threads::in_chunks;
use crate::{EntityNode, Matrix, SentenceNode, is_anchor};
use foldhash::{HashMap, HashMapExt};
use lexforge_domain::graph::{BoundScale, GraphSettings, Recall, Thresholds};
use lexforge_text::fold::letters;
use std::collections::BTreeSet;
use std::hash::Hash;

/// Calibration goes no lower: below this cosine two sentences have nothing to do with each other.
const SENTENCE_FLOOR: f32 = 0.30;
/// Below this cosine two entities have nothing to do with each other.
const ENTITY_FLOOR: f32 = 0.35;
/// Most pairs of similar entities of one graph that are stored; beyond, each entity keeps its nearest ones.
pub const MOST_PAIRS: usize = 8_000_000;
/// Similar entities that an approximate join looks for.
const APPROXIMATE_PAIRS: usize = 48;
/// Share of all pairs up to which pairs are compared group by group: small products are slower than large ones.
const WORTH_GROUPING: f64 = 0.3;
/// A cosine that no pair reaches.
pub(crate) const NO_CEILING: f32 = 2.0;

/// Sentence-level candidates.
pub(crate) struct RelatedSentences {
    /// For each sentence its candidates, nearest first.
    pub of: Vec<Vec<Neighbour>>,
    /// For each sentence its nearest related ones; the candidates were chosen from these.
    pub near: Vec<Vec<Neighbour>>,
    /// The chosen ones among the nearest, as bits.
    pub chosen: Vec<u64>,
    /// The threshold in use.
    pub threshold: f32,
    /// Sentences that were compared with all others.
    pub compared: usize,
    /// Recall, where the join was approximate.
    pub recall: Option<Recall>,
}

/// What is known of sentences from an earlier build, by their rows of now.
pub(crate) struct KnownSentence {
    /// Its nearest sentences; none of them is gone or has changed.
    pub near: Vec<Neighbour>,
    /// The chosen ones among the nearest, as bits.
    pub chosen: u64,
}

/// The sentences of an earlier build, as rows of now.
pub(crate) struct KnownSentences {
    /// For each row what is known; `None` if it is new, has changed, or has lost a neighbour.
    pub of: Vec<Option<KnownSentence>>,
    /// Which rows are new or have changed.
    pub new: Vec<bool>,
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
    /// How many pairs there are; of an approximate join, how many were found.
    pub count: u64,
    /// For each entity the most similar ones that occur in a sentence, nearest first.
    pub nearest: Vec<Vec<Neighbour>>,
    /// The window in use.
    pub window: Window,
    /// Entities that were compared with all others.
    pub compared: usize,
    /// Recall, where the join was approximate.
    pub recall: Option<Recall>,
}

/// The entities of an earlier build, as rows of now.
pub(crate) struct KnownEntities {
    /// All pairs of similar entities that are both unchanged, ascending.
    pub pairs: Vec<Pair>,
    /// Rows of the entities that are new or have changed, ascending.
    pub new: Vec<usize>,
}

/// The sentences that can be anchors and candidates, with the data that decides which of them may be candidates of each
/// other.
pub(crate) struct Anchors<'a> {
    pub rows: Vec<usize>,
    /// Their vectors, of unit length.
    pub unit: Matrix,
    /// Sentences of the same words have the same number.
    pub texts: Vec<u32>,
    groups: Vec<u32>,
    typed: Vec<bool>,
    sections: Vec<u32>,
    entities_of: &'a [Vec<u32>],
}

impl<'a> Anchors<'a> {
    /// `words` as [`anchor_words`] gives them.
    pub(crate) fn new(
        sentences: &[SentenceNode],
        words: &[Option<String>],
        vectors: &Matrix,
        entities_of: &'a [Vec<u32>],
    ) -> Self {
        let rows: Vec<usize> = (0..sentences.len().min(vectors.rows))
            .filter(|&row| words[row].is_some() && vectors.row(row).iter().any(|v| *v != 0.0))
            .collect();
        let unit = vectors.selected_unit(&rows);
        let section = |row: usize| (sentences[row].document, sentences[row].section.as_str());
        Self {
            unit,
            texts: numbered(rows.iter().map(|&row| words[row].as_deref())),
            groups: numbered(rows.iter().map(|&row| sentences[row].group.as_str())),
            typed: rows
                .iter()
                .map(|&row| !sentences[row].group.is_empty())
                .collect(),
            sections: numbered(rows.iter().map(|&row| section(row))),
            rows,
            entities_of,
        }
    }

    /// The groups of sentences that can be related: the anchors of each type, and the anchors that mention each entity.
    /// `None` if comparing within groups would cost about as much as comparing all sentences, for example because a
    /// term is in every sentence.
    pub(crate) fn groups(&self) -> Option<Vec<Vec<u32>>> {
        let mut by_type: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut by_entity: HashMap<u32, Vec<u32>> = HashMap::new();
        for (place, &row) in self.rows.iter().enumerate() {
            if self.typed[place] {
                by_type
                    .entry(self.groups[place])
                    .or_default()
                    .push(place as u32);
            }
            for &entity in &self.entities_of[row] {
                by_entity.entry(entity).or_default().push(place as u32);
            }
        }
        let mut groups: Vec<Vec<u32>> = by_type
            .into_values()
            .chain(by_entity.into_values())
            .filter(|rows| rows.len() > 1)
            .collect();
        // The largest first, so that no worker is left with one at the end.
        groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let pairs: f64 = groups.iter().map(|rows| (rows.len() as f64).powi(2)).sum();
        (pairs < WORTH_GROUPING * (self.rows.len() as f64).powi(2)).then_some(groups)
    }

    /// `edge_sen` between two anchors that do not say the same.
    pub(crate) fn related(&self, i: usize, j: usize) -> bool {
        self.texts[i] != self.texts[j]
            && ((self.typed[i] && self.groups[i] == self.groups[j])
                || intersects(
                    &self.entities_of[self.rows[i]],
                    &self.entities_of[self.rows[j]],
                ))
    }
}

/// No sentence candidate has a lower cosine, whatever the calibration.
pub(crate) fn sentence_floor(settings: &GraphSettings) -> f32 {
    match settings.scale {
        BoundScale::Cosine => settings.sentence_threshold.min(SENTENCE_FLOOR),
        BoundScale::Quantile => SENTENCE_FLOOR,
    }
}

/// The sentence threshold as a cosine. `best` are the nearest-neighbour cosines of the anchors that have a neighbour.
pub(crate) fn sentence_bound(best: Vec<f32>, anchors: usize, settings: &GraphSettings) -> f32 {
    let floor = sentence_floor(settings);
    match settings.scale {
        BoundScale::Cosine => calibrated(
            best,
            anchors,
            settings.sentence_threshold,
            settings.calibrate_share,
            floor,
        ),
        BoundScale::Quantile => quantile(best, settings.sentence_threshold)
            .unwrap_or(floor)
            .max(floor),
    }
}

/// `S_sen`: for each anchor the nearest anchors that share an entity or the type with it and have `cos ≥ θ_sen`.
/// Sentences with the same words are never candidates of each other. Among the candidates of another sentence, they
/// take only one place together.
pub(crate) fn sentences(
    sentences: &[SentenceNode],
    anchors: &Anchors<'_>,
    settings: &GraphSettings,
    threshold: Option<f32>,
    known: Option<KnownSentences>,
) -> RelatedSentences {
    let wanted = Wanted {
        keep: looked_for(settings.max_candidates),
        floor: sentence_floor(settings),
        ceiling: NO_CEILING,
        keys: &anchors.texts,
        admissible: |i: usize, j: usize| anchors.related(i, j),
    };
    let approximate = anchors.rows.len() > settings.approximate_over;
    let mut place_of = vec![u32::MAX; sentences.len()];
    anchors
        .rows
        .iter()
        .enumerate()
        .for_each(|(place, &row)| place_of[row] = place as u32);
    let (mut recall, mut compared, mut chosen_before) = (None, anchors.rows.len(), None);
    let near = match known {
        Some(mut known) => {
            let (mut kept, mut bits) = (Vec::new(), Vec::new());
            for &row in &anchors.rows {
                let of_row = known.of[row].take();
                bits.push(of_row.as_ref().map(|k| k.chosen));
                kept.push(of_row.and_then(|k| {
                    let place = |n: Neighbour| {
                        let row = place_of[n.row as usize];
                        (row != u32::MAX).then_some(Neighbour { row, ..n })
                    };
                    k.near.into_iter().map(place).collect::<Option<Vec<_>>>()
                }));
            }
            let new: Vec<bool> = anchors.rows.iter().map(|&row| known.new[row]).collect();
            compared = kept.iter().filter(|k| k.is_none()).count();
            let near = renewed(&anchors.unit, kept.clone(), &new, &wanted);
            // As long as a list stays the same, the choice from it stays the same.
            for ((bits, before), now) in bits.iter_mut().zip(&kept).zip(&near) {
                *bits = bits.filter(|_| before.as_ref() == Some(now));
            }
            chosen_before = Some(bits);
            near
        }
        None if approximate => {
            let (near, measured) = nearest_approximately(&anchors.unit, &wanted);
            recall = Some(measured);
            near
        }
        None => match anchors.groups() {
            Some(groups) => nearest_in_groups(&anchors.unit, &groups, &wanted),
            None => nearest_wanted(&anchors.unit, &wanted),
        },
    };
    let threshold = threshold.unwrap_or_else(|| {
        let best = near
            .iter()
            .filter_map(|l| l.first().map(|n| n.cosine))
            .collect();
        sentence_bound(best, anchors.rows.len(), settings)
    });
    let bits = choose(
        sentences,
        anchors,
        &near,
        threshold,
        settings,
        chosen_before,
    );
    let mut related = RelatedSentences {
        of: vec![Vec::new(); sentences.len()],
        near: vec![Vec::new(); sentences.len()],
        chosen: vec![0; sentences.len()],
        threshold,
        compared,
        recall,
    };
    for ((list, bits), &row) in near.into_iter().zip(bits).zip(&anchors.rows) {
        let list: Vec<Neighbour> = list
            .into_iter()
            .map(|n| Neighbour {
                row: anchors.rows[n.row as usize] as u32,
                ..n
            })
            .collect();
        related.of[row] = list
            .iter()
            .enumerate()
            .filter(|(p, _)| bits >> p & 1 == 1)
            .map(|(_, n)| *n)
            .collect();
        related.near[row] = list;
        related.chosen[row] = bits;
    }
    related
}

/// Which of each anchor's nearest are its candidates, as bits. `before` has the bits that are still valid.
fn choose(
    sentences: &[SentenceNode],
    anchors: &Anchors<'_>,
    near: &[Vec<Neighbour>],
    threshold: f32,
    settings: &GraphSettings,
    before: Option<Vec<Option<u64>>>,
) -> Vec<u64> {
    let mut bits: Vec<Option<u64>> = before.unwrap_or_else(|| vec![None; near.len()]);
    let open: Vec<usize> = (0..near.len()).filter(|&i| bits[i].is_none()).collect();
    let reach = |i: usize| {
        let list: &[Neighbour] = &near[i];
        &list[..list.partition_point(|n| n.cosine >= threshold)]
    };
    let involved: BTreeSet<u32> = open.iter().flat_map(|&i| reach(i)).map(|n| n.row).collect();
    let involved: Vec<u32> = involved.into_iter().collect();
    let made = in_chunks(&involved, |i| {
        Shape::of(&sentences[anchors.rows[*i as usize]].text)
    });
    let mut shapes: Vec<Option<&Shape>> = vec![None; near.len()];
    involved
        .iter()
        .zip(&made)
        .for_each(|(i, shape)| shapes[*i as usize] = Some(shape));
    let alike = |a: u32, b: u32| match (shapes[a as usize], shapes[b as usize]) {
        (Some(a), Some(b)) => a.nearly_equals(b),
        _ => false,
    };
    let section = |i: u32| anchors.sections[i as usize];
    let most = settings.max_candidates;
    let found = in_chunks(&open, |&i| {
        chosen(
            reach(i),
            most,
            settings.max_per_section.max(1),
            section,
            alike,
        )
    });
    open.iter()
        .zip(found)
        .for_each(|(&i, found)| bits[i] = Some(found));
    bits.into_iter().map(Option::unwrap_or_default).collect()
}

/// The vectors of entities, of unit length.
pub(crate) fn entity_unit(entities: &[EntityNode], vectors: &Matrix) -> Matrix {
    let rows = vectors.rows.min(entities.len());
    let mut unit = Matrix {
        rows,
        dim: vectors.dim,
        data: vectors.data[..rows * vectors.dim].to_vec(),
    };
    unit.normalize_rows();
    unit
}

/// All pairs of entities within the window, and each entity's nearest.
pub(crate) fn entities(
    entities: &[EntityNode],
    vectors: &Matrix,
    occurrences: &[Vec<u32>],
    settings: &GraphSettings,
    thresholds: Option<Thresholds>,
    known: Option<KnownEntities>,
) -> SimilarEntityPairs {
    let unit = entity_unit(entities, vectors);
    let occurs = |row: usize| !occurrences[row].is_empty();
    let both = |i: usize, j: usize| occurs(i) && occurs(j);
    let given = thresholds.map(|t| Window {
        low: t.entity_low,
        high: t.entity_high,
    });
    if let (Some(window), Some(known)) = (given, known) {
        let mut pairs = known.pairs;
        pairs.extend(pairs_with(&unit, &known.new, window.low, window.high));
        pairs.sort_unstable_by_key(|p| (p.a, p.b));
        let joined = Joined {
            count: pairs.len() as u64,
            pairs,
        };
        let nearest = lists_of(
            &joined.pairs,
            entities.len(),
            settings.max_candidates,
            occurs,
        );
        let (count, compared) = (joined.count, known.new.len());
        return SimilarEntityPairs {
            pairs: joined.pairs,
            count,
            nearest,
            window,
            compared,
            recall: None,
        };
    }
    if unit.rows > settings.approximate_over {
        return entities_by_index(&unit, entities.len(), settings, given, occurs);
    }
    let mentioned = (0..unit.rows).filter(|&row| occurs(row)).count();
    let (window, joined) = match given {
        Some(window) => (
            window,
            pairs_between(&unit, window.low, window.high, MOST_PAIRS),
        ),
        None => exact_window(&unit, mentioned, settings, occurs),
    };
    let compared = unit.rows;
    if joined.complete() {
        let nearest = lists_of(
            &joined.pairs,
            entities.len(),
            settings.max_candidates,
            occurs,
        );
        return SimilarEntityPairs {
            count: joined.count,
            pairs: joined.pairs,
            nearest,
            window,
            compared,
            recall: None,
        };
    }
    let (floor, ceiling) = (window.low.next_up(), window.high);
    let wanted = Wanted {
        keep: settings.max_candidates,
        floor,
        ceiling,
        keys: &[],
        admissible: both,
    };
    let mut nearest = nearest_wanted(&unit, &wanted);
    nearest.resize(entities.len(), Vec::new());
    let pairs = pairs_of(&nearest);
    SimilarEntityPairs {
        count: joined.count,
        pairs,
        nearest,
        window,
        compared,
        recall: None,
    }
}

/// The window that the settings come to, with its pairs.
fn exact_window(
    unit: &Matrix,
    mentioned: usize,
    settings: &GraphSettings,
    occurs: impl Fn(usize) -> bool + Sync,
) -> (Window, Joined) {
    let nearest_cosines = |floor: f32, ceiling: f32| -> Vec<f32> {
        let admissible = |i: usize, j: usize| occurs(i) && occurs(j);
        let lists = nearest_wanted(
            unit,
            &Wanted {
                keep: 1,
                floor,
                ceiling,
                keys: &[],
                admissible,
            },
        );
        lists
            .iter()
            .filter_map(|l| l.first().map(|n| n.cosine))
            .collect()
    };
    if settings.scale == BoundScale::Quantile {
        let window = window_of_quantiles(nearest_cosines(-1.0, NO_CEILING), settings);
        let joined = pairs_between(unit, window.low, window.high, MOST_PAIRS);
        return (window, joined);
    }
    let mut window = Window {
        low: settings.entity_low,
        high: settings.entity_high,
    };
    let mut joined = pairs_between(unit, window.low, window.high, MOST_PAIRS);
    if joined.complete() {
        let mut has_one = vec![false; unit.rows];
        for pair in joined
            .pairs
            .iter()
            .filter(|p| occurs(p.a as usize) && occurs(p.b as usize))
        {
            has_one[pair.a as usize] = true;
            has_one[pair.b as usize] = true;
        }
        let reached = has_one.iter().filter(|h| **h).count();
        if (reached as f64) < f64::from(settings.calibrate_share) * mentioned as f64 {
            let best = nearest_cosines(window.low.min(ENTITY_FLOOR), window.high);
            window.low = lowered(best, mentioned, settings);
            joined = pairs_between(unit, window.low, window.high, MOST_PAIRS);
        }
    }
    (window, joined)
}

/// The lower bound of similar entities after calibration. `best` are the nearest-neighbour cosines below the upper
/// bound.
pub(crate) fn lowered(best: Vec<f32>, mentioned: usize, settings: &GraphSettings) -> f32 {
    let (bound, floor) = (settings.entity_low, settings.entity_low.min(ENTITY_FLOOR));
    let low = calibrated(best, mentioned, bound, settings.calibrate_share, floor);
    // The window is open below; the anchor at the quantile belongs to it.
    if low < bound {
        low - f32::EPSILON
    } else {
        bound
    }
}

/// The window between two quantiles of the nearest-neighbour cosines.
pub(crate) fn window_of_quantiles(best: Vec<f32>, settings: &GraphSettings) -> Window {
    let low = quantile(best.clone(), settings.entity_low)
        .unwrap_or(ENTITY_FLOOR)
        .max(ENTITY_FLOOR);
    let high = quantile(best, settings.entity_high).unwrap_or(1.0);
    // Both bounds are exclusive; what lies at a quantile belongs to the window.
    Window {
        low: low - f32::EPSILON,
        high: high.max(low) + f32::EPSILON,
    }
}

/// [`entities`] by the index.
fn entities_by_index(
    unit: &Matrix,
    entities: usize,
    settings: &GraphSettings,
    given: Option<Window>,
    occurs: impl Fn(usize) -> bool + Sync,
) -> SimilarEntityPairs {
    let admissible = |i: usize, j: usize| occurs(i) && occurs(j);
    let mut wanted = Wanted {
        keep: APPROXIMATE_PAIRS,
        floor: ENTITY_FLOOR.min(settings.entity_low),
        ceiling: NO_CEILING,
        keys: &[],
        admissible,
    };
    if let Some(window) = given {
        (wanted.floor, wanted.ceiling) = (window.low.next_up(), window.high);
    } else if settings.scale == BoundScale::Cosine {
        wanted.ceiling = settings.entity_high;
    }
    let (mut nearest, recall) = nearest_approximately(unit, &wanted);
    let mentioned = (0..unit.rows).filter(|&row| occurs(row)).count();
    let window = given.unwrap_or_else(|| {
        let best = nearest
            .iter()
            .filter_map(|l| l.first().map(|n| n.cosine))
            .collect();
        match settings.scale {
            BoundScale::Cosine => Window {
                low: lowered(best, mentioned, settings),
                high: settings.entity_high,
            },
            BoundScale::Quantile => window_of_quantiles(best, settings),
        }
    });
    nearest
        .iter_mut()
        .for_each(|list| list.retain(|n| n.cosine > window.low && n.cosine < window.high));
    nearest.resize(entities, Vec::new());
    let pairs = pairs_of(&nearest);
    nearest
        .iter_mut()
        .for_each(|list| list.truncate(settings.max_candidates));
    let (count, compared) = (pairs.len() as u64, unit.rows);
    SimilarEntityPairs {
        pairs,
        count,
        nearest,
        window,
        compared,
        recall: Some(recall),
    }
}

/// Each entity's nearest ones that occur, from all pairs.
fn lists_of(
    pairs: &[Pair],
    entities: usize,
    keep: usize,
    occurs: impl Fn(usize) -> bool,
) -> Vec<Vec<Neighbour>> {
    let mut lists = vec![Vec::new(); entities];
    for pair in pairs
        .iter()
        .filter(|p| occurs(p.a as usize) && occurs(p.b as usize))
    {
        lists[pair.a as usize].push(Neighbour {
            row: pair.b,
            cosine: pair.cosine,
        });
        lists[pair.b as usize].push(Neighbour {
            row: pair.a,
            cosine: pair.cosine,
        });
    }
    for list in &mut lists {
        list.sort_unstable_by(order);
        list.truncate(keep);
        list.shrink_to_fit();
    }
    lists
}

/// The pairs that lists of nearest ones hold, ascending, each once.
fn pairs_of(lists: &[Vec<Neighbour>]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for (row, list) in lists.iter().enumerate() {
        let row = row as u32;
        pairs.extend(list.iter().map(|n| Pair {
            a: row.min(n.row),
            b: row.max(n.row),
            cosine: n.cosine,
        }));
    }
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    pairs.dedup_by_key(|p| (p.a, p.b));
    pairs
}

/// The bound to use. If at least `share` of the `anchors` reach `bound`, it is `bound`. Otherwise it is the highest
/// bound that this share reaches, but never below `floor`. `best` are the nearest-neighbour cosines of the anchors that
/// have a neighbour.
fn calibrated(mut best: Vec<f32>, anchors: usize, bound: f32, share: f32, floor: f32) -> f32 {
    // A share such as 0.4 is a little more than 2/5 in binary: that must not ask for one more.
    let wanted = (f64::from(share) * anchors as f64 - 1e-6).ceil().max(0.0) as usize;
    if wanted == 0 || best.iter().filter(|c| **c >= bound).count() >= wanted {
        return bound;
    }
    best.sort_unstable_by(|a, b| b.total_cmp(a));
    best.get(wanted - 1)
        .copied()
        .unwrap_or(floor)
        .clamp(floor, bound)
}

/// The value at a quantile, 0 to 1: the smallest one that this share of the values does not exceed.
pub(crate) fn quantile(mut values: Vec<f32>, q: f32) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let rank = (f64::from(q.clamp(0.0, 1.0)) * values.len() as f64 - 1e-6)
        .ceil()
        .max(1.0) as usize;
    values
        .get(rank.min(values.len()).saturating_sub(1))
        .copied()
}

/// The folded words of each sentence that can be an anchor: sentences that say the same have the same.
pub(crate) fn anchor_words(sentences: &[SentenceNode]) -> Vec<Option<String>> {
    in_chunks(sentences, |s| {
        is_anchor(s.kind, &s.text).then(|| letters(&s.text))
    })
}

/// Numbers values by first occurrence.
fn numbered<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<u32> {
    let mut seen: HashMap<T, u32> = HashMap::new();
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
            assert_eq!(
                calibrated(best.to_vec(), anchors, 0.9, 0.5, 0.3),
                expected,
                "{best:?} of {anchors}"
            );
        };
        check(&[0.95, 0.91, 0.5, 0.4], 4, 0.9);
        check(&[0.95, 0.7, 0.5, 0.4], 4, 0.7);
        check(&[0.8], 4, 0.3);
        check(&[], 0, 0.9);
    }

    #[test]
    fn quantiles_are_values_that_were_seen() {
        let values = || vec![0.4, 0.1, 0.3, 0.2, 0.5];
        for (q, expected) in [
            (0.0, 0.1),
            (0.2, 0.1),
            (0.21, 0.2),
            (0.5, 0.3),
            (0.99, 0.5),
            (1.0, 0.5),
            (7.0, 0.5),
        ] {
            assert_eq!(quantile(values(), q), Some(expected), "{q}");
        }
        assert_eq!(quantile(Vec::new(), 0.5), None);
    }
}
