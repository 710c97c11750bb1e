//! The nearest admissible neighbours of every vector, exactly, in one pass over the upper triangle.

use crate::Matrix;
use crate::blocks::visit_upper;
use crate::join::CHUNK;

/// A neighbour: its row and the cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Row number.
    pub row: u32,
    /// Cosine similarity.
    pub cosine: f32,
}

/// For every row the `keep` rows with the greatest cosine in `floor..ceiling` for which
/// `admissible(i, j)` holds, nearest first (ties: the smaller row first). The rows must have unit length;
/// `admissible` must be symmetric and is asked only where a pair would enter a list.
pub fn nearest(
    unit: &Matrix,
    keep: usize,
    floor: f32,
    ceiling: f32,
    admissible: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Vec<Neighbour>> {
    if keep == 0 {
        return vec![Vec::new(); unit.rows];
    }
    let states = visit_upper(
        unit,
        || Lists::new(unit.rows, keep, floor),
        |lists, block| {
            for (i, first, row) in block.rows() {
                for (chunk, values) in row[first..].chunks(CHUNK).enumerate() {
                    let j0 = block.col0 + first + chunk * CHUNK;
                    if !lists.any_enters(i, j0, values) {
                        continue;
                    }
                    for (offset, &cosine) in values.iter().enumerate() {
                        let j = j0 + offset;
                        let (into_i, into_j) = (cosine >= lists.worst[i], cosine >= lists.worst[j]);
                        if (into_i || into_j) && cosine < ceiling && admissible(i, j) {
                            lists.insert(i, Neighbour { row: j as u32, cosine });
                            lists.insert(j, Neighbour { row: i as u32, cosine });
                        }
                    }
                }
            }
        },
    );
    let mut merged = vec![Vec::new(); unit.rows];
    for (i, list) in merged.iter_mut().enumerate() {
        for state in &states {
            list.extend_from_slice(state.list(i));
        }
        list.sort_unstable_by(order);
        list.truncate(keep);
    }
    merged
}

/// Nearest first, ties by row: a total order, so that the kept lists do not depend on the order of visits.
fn order(a: &Neighbour, b: &Neighbour) -> std::cmp::Ordering {
    b.cosine.total_cmp(&a.cosine).then(a.row.cmp(&b.row))
}

/// One short sorted list a row, flat.
struct Lists {
    keep: usize,
    entries: Vec<Neighbour>,
    len: Vec<u32>,
    /// What a cosine must reach to enter: the floor while the list is not full, then the last entry's.
    worst: Vec<f32>,
}

impl Lists {
    fn new(rows: usize, keep: usize, floor: f32) -> Self {
        let empty = Neighbour { row: 0, cosine: 0.0 };
        Self { keep, entries: vec![empty; rows * keep], len: vec![0; rows], worst: vec![floor; rows] }
    }

    fn list(&self, i: usize) -> &[Neighbour] {
        &self.entries[i * self.keep..i * self.keep + self.len[i] as usize]
    }

    fn any_enters(&self, i: usize, j0: usize, values: &[f32]) -> bool {
        let mine = self.worst[i];
        let theirs = &self.worst[j0..j0 + values.len()];
        values.iter().zip(theirs).fold(false, |any, (&v, &worst)| any | (v >= mine) | (v >= worst))
    }

    fn insert(&mut self, i: usize, new: Neighbour) {
        if new.cosine < self.worst[i] {
            return;
        }
        let len = self.len[i] as usize;
        let list = &mut self.entries[i * self.keep..(i + 1) * self.keep];
        let place = list[..len].partition_point(|held| order(held, &new).is_lt());
        if place == self.keep {
            return;
        }
        let len = (len + 1).min(self.keep);
        list.copy_within(place..len - 1, place + 1);
        list[place] = new;
        self.len[i] = len as u32;
        if len == self.keep {
            self.worst[i] = list[len - 1].cosine;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::dot;
    use rand::{Rng, SeedableRng};

    #[test]
    fn lists_equal_a_full_sort() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(11);
        let mut m = Matrix::zeros(1060, 12);
        m.data.iter_mut().for_each(|v| *v = rng.random_range(-1.0..1.0));
        m.normalize_rows();
        let admissible = |i: usize, j: usize| !(i + j).is_multiple_of(3);
        let lists = nearest(&m, 5, 0.1, 0.9, admissible);
        for i in (0..m.rows).step_by(37) {
            let mut expected: Vec<(u32, f32)> = (0..m.rows)
                .filter(|&j| j != i && admissible(i, j))
                .map(|j| (j as u32, dot(m.row(i), m.row(j))))
                .filter(|&(_, c)| (0.1..0.9).contains(&c))
                .collect();
            expected.sort_by(|a, b| b.1.total_cmp(&a.1));
            let rows: Vec<u32> = lists[i].iter().map(|n| n.row).collect();
            assert_eq!(rows, expected[..5].iter().map(|e| e.0).collect::<Vec<_>>(), "row {i}");
        }
    }

    #[test]
    fn equal_cosines_are_ordered_by_row() {
        let m = Matrix::from_rows(&vec![vec![1.0, 0.0]; 6]);
        let lists = nearest(&m, 3, 0.5, 1.1, |_, _| true);
        assert_eq!(lists[4].iter().map(|n| n.row).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(lists[0].iter().map(|n| n.row).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
