//! The similar entities behind `C_tok`.

use super::bounds::{NO_CEILING, calibrated, quantile};
use crate::approximate::nearest_approximately;
use crate::join::{Joined, Pair, pairs_between, pairs_with};
use crate::neighbours::{Neighbour, Wanted, nearest_wanted, order};
use crate::{EntityNode, Matrix};
use lexforge_domain::graph::{BoundScale, GraphSettings, Recall, Thresholds};

/// Below this cosine two entities have nothing to do with each other.
const ENTITY_FLOOR: f32 = 0.35;

/// Most pairs of similar entities of one graph that are stored; beyond, each entity keeps its nearest ones.
pub const MOST_PAIRS: usize = 8_000_000;

/// Similar entities that an approximate join looks for.
const APPROXIMATE_PAIRS: usize = 48;

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
