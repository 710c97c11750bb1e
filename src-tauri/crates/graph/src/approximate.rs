//! Nearest neighbours by an index (HNSW, Malkov and Yashunin 2018), for cases where comparing every pair would take too
//! long. The share of the exact neighbours that the index finds is measured on a sample.
//!
//! Several threads insert at once, so two builds may differ in a few neighbours. To get the same graph every time, stay
//! below [`approximate_over`](lexforge_domain::graph::GraphSettings::approximate_over).

use crate::Matrix;
use crate::matrix::dot;
use crate::neighbours::{Neighbour, Wanted, merged, nearest_of};
use crate::threads::{joined, threads};
use instant_distance::{Builder, Hnsw, Point, Search};
use lexforge_domain::graph::Recall;
use rand::SeedableRng;
use rand::seq::index;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Width of the search that finds the links of a new node.
const WIDTH_OF_BUILD: usize = 128;
/// Rows whose neighbours are also computed exactly.
pub(crate) const SAMPLE: usize = 500;
/// Seed of that sample.
const SEED: u64 = 42;

/// A row with its vector of unit length; the distance is `1 − cos`.
#[derive(Clone)]
struct Row<'a> {
    row: usize,
    vector: &'a [f32],
}

impl Point for Row<'_> {
    fn distance(&self, other: &Self) -> f32 {
        (1.0 - dot(self.vector, other.vector)).max(0.0)
    }
}

/// An approximation of the result of [`nearest_wanted`](crate::neighbours::nearest_wanted), with its measured recall.
pub(crate) fn nearest_approximately<A>(
    unit: &Matrix,
    wanted: &Wanted<'_, A>,
) -> (Vec<Vec<Neighbour>>, Recall)
where
    A: Fn(usize, usize) -> bool + Sync,
{
    let rows: Vec<usize> = (0..unit.rows)
        .filter(|&row| unit.row(row).iter().any(|v| *v != 0.0))
        .collect();
    // Not all that are near are admissible, and several may be of one key.
    let asked = (6 * wanted.keep).max(96);
    let points: Vec<Row<'_>> = rows
        .iter()
        .map(|&row| Row {
            row,
            vector: unit.row(row),
        })
        .collect();
    let builder = Builder::default()
        .seed(SEED)
        .ef_construction(WIDTH_OF_BUILD)
        .ef_search(2 * asked);
    let index: Hnsw<Row<'_>> = builder.build_hnsw(points).0;
    let found: Vec<(u32, Vec<Neighbour>)> = shared_out(&rows, Search::default, |search, row| {
        let asked = index.search(
            &Row {
                row,
                vector: unit.row(row),
            },
            search,
        );
        let near = asked.filter_map(|item| {
            let (other, cosine) = (item.point.row, dot(unit.row(row), item.point.vector));
            let fits = other != row && cosine >= wanted.floor && cosine < wanted.ceiling;
            (fits && (wanted.admissible)(row, other)).then_some(Neighbour {
                row: other as u32,
                cosine,
            })
        });
        (row as u32, near.collect())
    });
    let mut lists = vec![Vec::new(); unit.rows];
    for (row, near) in &found {
        for n in near {
            lists[*row as usize].push(*n);
            lists[n.row as usize].push(Neighbour { row: *row, ..*n });
        }
    }
    let lists: Vec<Vec<Neighbour>> = lists.into_iter().map(|list| merged(list, wanted)).collect();

    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(SEED);
    let sample: Vec<usize> = index::sample(&mut rng, rows.len(), SAMPLE.min(rows.len()))
        .iter()
        .map(|i| rows[i])
        .collect();
    let mut recall = Recall {
        rows: rows.len() as u64,
        sample: sample.len() as u64,
        ..Recall::default()
    };
    for (row, exact) in sample.iter().zip(nearest_of(unit, &sample, wanted)) {
        recall.expected += exact.len() as u64;
        recall.found += exact
            .iter()
            .filter(|n| lists[*row].iter().any(|l| l.row == n.row))
            .count() as u64;
    }
    (lists, recall)
}

/// The results of `work` for all rows, in no particular order. All cores work, each with its own state.
fn shared_out<S, T: Send>(
    rows: &[usize],
    new: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let (mut state, mut done) = (new(), Vec::new());
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(work(&mut state, *row));
        }
        done
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads()).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(joined).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::nearest_wanted;
    use rand::Rng;

    #[test]
    fn the_index_finds_nearly_all_and_the_recall_says_how_many() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(8);
        let mut m = Matrix::zeros(3000, 32);
        let centres: Vec<f32> = (0..60 * 32).map(|_| rng.random_range(-1.0..1.0)).collect();
        for row in 0..3000 {
            let centre = &centres[row % 60 * 32..][..32];
            m.row_mut(row)
                .iter_mut()
                .zip(centre)
                .for_each(|(v, c)| *v = c + rng.random_range(-0.5..0.5));
        }
        m.row_mut(17).fill(0.0);
        m.normalize_rows();
        let admissible = |i: usize, j: usize| i % 2 == j % 2;
        let wanted = Wanted {
            keep: 8,
            floor: 0.3,
            ceiling: 0.95,
            keys: &[],
            admissible,
        };
        let (lists, recall) = nearest_approximately(&m, &wanted);
        assert_eq!((recall.rows, recall.sample), (2999, 500));
        assert!(recall.share() > 0.9 && recall.expected > 3000, "{recall:?}");
        assert!(lists[17].is_empty());
        let exact = nearest_wanted(&m, &wanted);
        let (mut found, mut expected) = (0, 0);
        for (list, exact) in lists.iter().zip(&exact) {
            expected += exact.len();
            found += exact.iter().filter(|n| list.contains(n)).count();
        }
        assert!(
            (found as f64 / expected as f64 - recall.share()).abs() < 0.05,
            "{found} of {expected}, {recall:?}"
        );
    }

    #[test]
    fn nothing_to_index_is_nothing_found() {
        let wanted = Wanted {
            keep: 3,
            floor: 0.0,
            ceiling: 2.0,
            keys: &[],
            admissible: |_: usize, _: usize| true,
        };
        let (lists, recall) = nearest_approximately(&Matrix::zeros(4, 8), &wanted);
        assert_eq!((lists, recall), (vec![Vec::new(); 4], Recall::default()));
    }
}
