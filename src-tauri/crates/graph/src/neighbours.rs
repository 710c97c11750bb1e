//! The nearest admissible neighbours of every vector, computed exactly in one pass over the upper triangle. Also
//! updates the lists of neighbours when rows are added.

use crate::Matrix;
use crate::blocks::{visit_between, visit_groups, visit_upper};
use crate::join::CHUNK;
use crate::matrix::{dot, rounding};

/// A neighbour: its row and the cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Row number.
    pub row: u32,
    /// Cosine similarity.
    pub cosine: f32,
}

/// Which neighbours are looked for.
pub(crate) struct Wanted<'a, A> {
    /// At most so many for a row.
    pub keep: usize,
    /// With a cosine of at least this …
    pub floor: f32,
    /// … and below this.
    pub ceiling: f32,
    /// The key of each row; rows with the same words have the same key. Of the rows with one key, a list holds only the
    /// nearest. If `keys` is empty, every row has its own key.
    pub keys: &'a [u32],
    /// Which rows may be neighbours; symmetric, asked only where a pair would enter a list.
    pub admissible: A,
}

/// For every row, the `keep` rows with the greatest cosine in `floor..ceiling` for which `admissible(i, j)` holds. The
/// nearest comes first; of rows with equal cosines, the one with the smaller number. The rows must have unit length.
/// `admissible` must be symmetric. It is called only for pairs that are near enough to enter a list.
pub fn nearest(
    unit: &Matrix,
    keep: usize,
    floor: f32,
    ceiling: f32,
    admissible: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Vec<Neighbour>> {
    nearest_wanted(
        unit,
        &Wanted {
            keep,
            floor,
            ceiling,
            keys: &[],
            admissible,
        },
    )
}

/// [`nearest`] with all options.
pub(crate) fn nearest_wanted<A>(unit: &Matrix, wanted: &Wanted<'_, A>) -> Vec<Vec<Neighbour>>
where
    A: Fn(usize, usize) -> bool + Sync,
{
    if wanted.keep == 0 {
        return vec![Vec::new(); unit.rows];
    }
    let new = || Lists::new(unit, wanted.keep, wanted.floor, wanted.keys);
    let states = visit_upper(unit, new, |lists, block| {
        for (i, first, row) in block.rows() {
            for (chunk, values) in row[first..].chunks(CHUNK).enumerate() {
                let j0 = block.col0 + first + chunk * CHUNK;
                if !lists.any_enters(i, j0, values) {
                    continue;
                }
                for (offset, &seen) in values.iter().enumerate() {
                    let j = j0 + offset;
                    if (seen >= lists.entry[i] || seen >= lists.entry[j])
                        && (wanted.admissible)(i, j)
                    {
                        lists.enter(unit, wanted.ceiling, (i, j), true);
                    }
                }
            }
        }
    });
    (0..unit.rows).map(|i| of_all(&states, i, wanted)).collect()
}

/// The same as [`nearest_wanted`], if only rows of the same group are admissible. Only pairs within groups are
/// compared. A group is a list of row numbers, ascending; a row may be in several groups.
pub(crate) fn nearest_in_groups<A>(
    unit: &Matrix,
    groups: &[Vec<u32>],
    wanted: &Wanted<'_, A>,
) -> Vec<Vec<Neighbour>>
where
    A: Fn(usize, usize) -> bool + Sync,
{
    if wanted.keep == 0 {
        return vec![Vec::new(); unit.rows];
    }
    let new = || Lists::new(unit, wanted.keep, wanted.floor, wanted.keys);
    let states = visit_groups(unit, groups, new, |lists, rows, cols, values| {
        for (&i, row) in rows.iter().zip(values.chunks_exact(cols.len())) {
            for (&j, &seen) in cols.iter().zip(row) {
                let (i, j) = (i as usize, j as usize);
                if i < j
                    && (seen >= lists.entry[i] || seen >= lists.entry[j])
                    && (wanted.admissible)(i, j)
                {
                    lists.enter(unit, wanted.ceiling, (i, j), true);
                }
            }
        }
    });
    (0..unit.rows).map(|i| of_all(&states, i, wanted)).collect()
}

/// The same lists as [`nearest_wanted`] gives, but computed from earlier lists after rows were added.
///
/// `kept` has for each row its earlier list, with the present row numbers. It has `None` if the row had no list, or if
/// an entry of the list was removed or changed; such rows are compared with all others. `new` says which rows are new
/// or have changed. They are compared with all others, too, and may enter the lists of other rows.
pub(crate) fn renewed<A>(
    unit: &Matrix,
    kept: Vec<Option<Vec<Neighbour>>>,
    new: &[bool],
    wanted: &Wanted<'_, A>,
) -> Vec<Vec<Neighbour>>
where
    A: Fn(usize, usize) -> bool + Sync,
{
    if wanted.keep == 0 {
        return vec![Vec::new(); unit.rows];
    }
    let rows: Vec<usize> = (0..unit.rows).filter(|&row| kept[row].is_none()).collect();
    let left = unit.select(&rows);
    let fresh = || {
        let mut lists = Lists::new(unit, wanted.keep, wanted.floor, wanted.keys);
        kept.iter()
            .enumerate()
            .for_each(|(row, list)| lists.put(row, list.as_deref().unwrap_or_default()));
        lists
    };
    let states = visit_between(&left, unit, fresh, |lists, block| {
        for (r, row) in block.all_rows() {
            let i = rows[r];
            for (chunk, values) in row.chunks(CHUNK).enumerate() {
                let j0 = block.col0 + chunk * CHUNK;
                if !lists.any_enters(i, j0, values) {
                    continue;
                }
                for (offset, &seen) in values.iter().enumerate() {
                    let j = j0 + offset;
                    let into_other = new[i] && kept[j].is_some();
                    if i != j
                        && (seen >= lists.entry[i] || (into_other && seen >= lists.entry[j]))
                        && (wanted.admissible)(i, j)
                    {
                        lists.enter(unit, wanted.ceiling, (i, j), into_other);
                    }
                }
            }
        }
    });
    let renewed = |(i, kept): (usize, Option<Vec<Neighbour>>)| match kept {
        // Most lists are what they were.
        Some(list) if states.iter().all(|s| s.list(i) == list) => list,
        _ => of_all(&states, i, wanted),
    };
    kept.into_iter().enumerate().map(renewed).collect()
}

/// The neighbours of some rows (by number) among all, as [`nearest_wanted`] gives them.
pub(crate) fn nearest_of<A>(
    unit: &Matrix,
    rows: &[usize],
    wanted: &Wanted<'_, A>,
) -> Vec<Vec<Neighbour>>
where
    A: Fn(usize, usize) -> bool + Sync,
{
    let left = unit.select(rows);
    let states = visit_between(
        &left,
        unit,
        || vec![Vec::new(); rows.len()],
        |lists: &mut Vec<Vec<Neighbour>>, block| {
            let slack = rounding(unit.dim);
            for (r, row) in block.all_rows() {
                let i = rows[r];
                for (offset, &seen) in row.iter().enumerate() {
                    let j = block.col0 + offset;
                    if seen >= wanted.floor - slack && i != j && (wanted.admissible)(i, j) {
                        let cosine = dot(unit.row(i), unit.row(j));
                        if cosine >= wanted.floor && cosine < wanted.ceiling {
                            lists[r].push(Neighbour {
                                row: j as u32,
                                cosine,
                            });
                        }
                    }
                }
                lists[r] = merged(std::mem::take(&mut lists[r]), wanted);
            }
        },
    );
    (0..rows.len())
        .map(|r| merged(states.iter().flat_map(|s| &s[r]).copied().collect(), wanted))
        .collect()
}

/// A row's list from what several threads found for it.
fn of_all<A>(states: &[Lists<'_>], row: usize, wanted: &Wanted<'_, A>) -> Vec<Neighbour> {
    let found = states.iter().flat_map(|lists| lists.list(row));
    merged(found.copied().collect(), wanted)
}

/// A row's list from what was found for it in several places.
pub(crate) fn merged<A>(mut list: Vec<Neighbour>, wanted: &Wanted<'_, A>) -> Vec<Neighbour> {
    list.sort_unstable_by(order);
    list.dedup_by_key(|n| n.row);
    if !wanted.keys.is_empty() {
        let mut seen: Vec<u32> = Vec::with_capacity(wanted.keep);
        list.retain(|n| {
            let key = wanted.keys[n.row as usize];
            seen.len() < wanted.keep && !seen.contains(&key) && {
                seen.push(key);
                true
            }
        });
    }
    list.truncate(wanted.keep);
    list
}

/// Nearest first, ties by row: a total order, so that the kept lists do not depend on the order of visits.
pub(crate) fn order(a: &Neighbour, b: &Neighbour) -> std::cmp::Ordering {
    b.cosine.total_cmp(&a.cosine).then(a.row.cmp(&b.row))
}

/// One short sorted list a row, flat.
struct Lists<'a> {
    keep: usize,
    keys: &'a [u32],
    floor: f32,
    slack: f32,
    entries: Vec<Neighbour>,
    len: Vec<u32>,
    /// For each row, the bound that a product must reach before its exact cosine is computed and the other row may
    /// enter the list. The products are computed in blocks, and so with rounding errors. As long as the list is not
    /// full, the bound is the floor, afterwards it is the cosine of the last entry. In both cases the largest possible
    /// error of a product is subtracted.
    entry: Vec<f32>,
}

impl<'a> Lists<'a> {
    fn new(unit: &Matrix, keep: usize, floor: f32, keys: &'a [u32]) -> Self {
        let (empty, slack) = (
            Neighbour {
                row: 0,
                cosine: 0.0,
            },
            rounding(unit.dim),
        );
        let entries = vec![empty; unit.rows * keep];
        Self {
            keep,
            keys,
            floor,
            slack,
            entries,
            len: vec![0; unit.rows],
            entry: vec![floor - slack; unit.rows],
        }
    }

    fn list(&self, i: usize) -> &[Neighbour] {
        &self.entries[i * self.keep..i * self.keep + self.len[i] as usize]
    }

    /// Puts a list that is in order into an empty place.
    fn put(&mut self, i: usize, list: &[Neighbour]) {
        let len = list.len().min(self.keep);
        self.entries[i * self.keep..i * self.keep + len].copy_from_slice(&list[..len]);
        self.len[i] = len as u32;
        if len == self.keep {
            self.entry[i] = list[len - 1].cosine - self.slack;
        }
    }

    fn any_enters(&self, i: usize, j0: usize, values: &[f32]) -> bool {
        let mine = self.entry[i];
        let theirs = &self.entry[j0..j0 + values.len()];
        values
            .iter()
            .zip(theirs)
            .fold(false, |any, (&v, &entry)| any | (v >= mine) | (v >= entry))
    }

    /// Enters row `j` into the list of row `i`, and where `both` the other way round as well, by their exact cosine.
    fn enter(&mut self, unit: &Matrix, ceiling: f32, (i, j): (usize, usize), both: bool) {
        let cosine = dot(unit.row(i), unit.row(j));
        let neighbour = |row: usize| Neighbour {
            row: row as u32,
            cosine,
        };
        if cosine < ceiling {
            self.insert(i, neighbour(j));
            if both {
                self.insert(j, neighbour(i));
            }
        }
    }

    fn insert(&mut self, i: usize, new: Neighbour) {
        let mut len = self.len[i] as usize;
        let list = &mut self.entries[i * self.keep..(i + 1) * self.keep];
        if new.cosine < self.floor || (len == self.keep && order(&list[len - 1], &new).is_le()) {
            return;
        }
        let same = |n: &Neighbour| match self.keys.get(new.row as usize) {
            Some(key) => self.keys[n.row as usize] == *key,
            // A pair that is met again.
            None => n.row == new.row,
        };
        if let Some(held) = list[..len].iter().position(same) {
            if order(&list[held], &new).is_le() {
                return;
            }
            list.copy_within(held + 1..len, held);
            len -= 1;
        }
        let place = list[..len].partition_point(|held| order(held, &new).is_lt());
        let len = (len + 1).min(self.keep);
        list.copy_within(place..len - 1, place + 1);
        list[place] = new;
        self.len[i] = len as u32;
        if len == self.keep {
            self.entry[i] = list[len - 1].cosine - self.slack;
        }
    }
}

#[cfg(test)]
mod tests;
