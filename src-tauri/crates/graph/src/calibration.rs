//! The data for choosing an encoder's thresholds: histograms of the cosines of its vectors, and the number of links
//! that given bounds would result in.

use crate::approximate::nearest_approximately;
use crate::candidates::{
    self, Anchors, NO_CEILING, anchor_words, entity_unit, lowered, sentence_bound,
    window_of_quantiles,
};
use crate::counting::postings;
use crate::join::pairs_between;
use crate::matrix::dot;
use crate::neighbours::{Wanted, nearest_wanted};
use crate::nodes::entity_rows;
use crate::{EntityNode, Matrix, SentenceNode};
use lexforge_domain::api::{Histogram, PartCalibration};
use lexforge_domain::graph::{BoundScale, GraphSettings, Thresholds};
use rand::{Rng, SeedableRng};

/// Pairs that are drawn at random for a histogram.
const SAMPLED_PAIRS: usize = 50_000;
/// Width of a bin.
const BIN: f32 = 0.02;
/// Seed of the draws.
const SEED: u64 = 42;

/// The observed cosines, and the links that the bounds of the settings would result in. The function needs the same
/// vectors as [`crate::build`]. The caller fills in `encoder` and the languages.
pub fn calibration(
    sentences: &[SentenceNode],
    sentence_vectors: &Matrix,
    entities: &[EntityNode],
    entity_vectors: &Matrix,
    settings: &GraphSettings,
) -> PartCalibration {
    let entities_of = entity_rows(sentences, entities);
    let occurrences = postings(&entities_of, entities.len());
    let unit = entity_unit(entities, entity_vectors);
    let anchors = Anchors::new(
        sentences,
        &anchor_words(sentences),
        sentence_vectors,
        &entities_of,
    );
    let approximate = unit.rows.max(anchors.rows.len()) > settings.approximate_over;
    let occurs = |row: usize| !occurrences[row].is_empty();
    let mentioned = (0..unit.rows).filter(|&row| occurs(row)).count();

    let nearest_entity = |floor: f32, ceiling: f32| {
        let admissible = |i: usize, j: usize| occurs(i) && occurs(j);
        first_cosines(
            &unit,
            &Wanted {
                keep: 1,
                floor,
                ceiling,
                keys: &[],
                admissible,
            },
            settings,
        )
    };
    let to_any = nearest_entity(-1.0, NO_CEILING);
    let window = match settings.scale {
        BoundScale::Quantile => window_of_quantiles(to_any.clone(), settings),
        BoundScale::Cosine => {
            let below = nearest_entity(-1.0, settings.entity_high);
            let low = lowered(below, mentioned, settings);
            candidates::Window {
                low,
                high: settings.entity_high,
            }
        }
    };
    let within = nearest_entity(window.low.next_up(), window.high);
    let related = |i: usize, j: usize| anchors.related(i, j);
    let of_sentences = first_cosines(
        &anchors.unit,
        &Wanted {
            keep: 1,
            floor: -1.0,
            ceiling: NO_CEILING,
            keys: &[],
            admissible: related,
        },
        settings,
    );
    let sentence = sentence_bound(of_sentences.clone(), anchors.rows.len(), settings);
    let given = |bound: f32| settings.scale == BoundScale::Cosine && bound < 1.0;
    PartCalibration {
        encoder: String::new(),
        languages: Vec::new(),
        entity_pairs: histogram(&sampled(&unit)),
        sentence_pairs: histogram(&sampled(&anchors.unit)),
        thresholds: Thresholds {
            entity_low: window.low,
            entity_high: window.high,
            sentence,
        },
        at_quantiles: [
            share_below(&to_any, window.low),
            share_below(&to_any, window.high),
            share_below(&of_sentences, sentence),
        ],
        lowered: [
            given(settings.entity_low) && window.low < settings.entity_low,
            given(settings.sentence_threshold) && sentence < settings.sentence_threshold,
        ],
        pairs_in_window: if unit.rows > settings.approximate_over {
            within.len() as u64
        } else {
            pairs_between(&unit, window.low, window.high, 0).count
        },
        entities_with_similar: (within.len() as u64, mentioned as u64),
        sentences_with_candidate: (
            of_sentences.iter().filter(|c| **c >= sentence).count() as u64,
            anchors.rows.len() as u64,
        ),
        entity_nearest: histogram(&to_any),
        sentence_nearest: histogram(&of_sentences),
        exact: !approximate,
    }
}

/// The cosine of each row with its nearest, for those that have one.
fn first_cosines<A>(unit: &Matrix, wanted: &Wanted<'_, A>, settings: &GraphSettings) -> Vec<f32>
where
    A: Fn(usize, usize) -> bool + Sync,
{
    let lists = if unit.rows > settings.approximate_over {
        nearest_approximately(unit, wanted).0
    } else {
        nearest_wanted(unit, wanted)
    };
    lists
        .iter()
        .filter_map(|l| l.first().map(|n| n.cosine))
        .collect()
}

/// Cosines of pairs of different rows drawn at random.
fn sampled(unit: &Matrix) -> Vec<f32> {
    if unit.rows < 2 {
        return Vec::new();
    }
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(SEED);
    (0..SAMPLED_PAIRS)
        .map(|_| {
            let a = rng.random_range(0..unit.rows);
            let b = (a + rng.random_range(1..unit.rows)) % unit.rows;
            dot(unit.row(a), unit.row(b))
        })
        .collect()
}

/// Share of the values below a bound.
fn share_below(values: &[f32], bound: f32) -> f32 {
    let below = values.iter().filter(|v| **v < bound).count();
    if values.is_empty() {
        0.0
    } else {
        below as f32 / values.len() as f32
    }
}

/// Bins of two hundredths that hold all values, and the quantiles.
pub fn histogram(values: &[f32]) -> Histogram {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else {
        return Histogram::default();
    };
    let first = (least / BIN).floor() as i32;
    let last = ((most / BIN).ceil() as i32).max(first + 1);
    let mut counts = vec![0u64; (last - first) as usize];
    for value in &sorted {
        let bin = ((value / BIN).floor() as i32 - first).clamp(0, last - first - 1);
        counts[bin as usize] += 1;
    }
    let at = |q: f32| {
        let rank = (f64::from(q) * sorted.len() as f64).ceil().max(1.0) as usize;
        (q, sorted[rank.min(sorted.len()) - 1])
    };
    Histogram {
        low: first as f32 * BIN,
        high: last as f32 * BIN,
        counts,
        total: sorted.len() as u64,
        quantiles: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
            .map(at)
            .to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_holds_every_value() {
        let found = histogram(&[0.51, 0.5, 0.55, 0.999, 1.0]);
        assert_eq!((found.counts.len(), found.total), (25, 5));
        assert!((found.low - 0.5).abs() < 1e-6 && (found.high - 1.0).abs() < 1e-6);
        assert_eq!(found.counts.iter().sum::<u64>(), 5);
        assert_eq!(
            (found.counts[0], found.counts[2], found.counts[24]),
            (2, 1, 2)
        );
        assert_eq!(found.quantiles[4], (0.5, 0.55));
        assert_eq!(histogram(&[]), Histogram::default());
        assert_eq!(histogram(&[0.0]).counts, [1]);
    }
}
