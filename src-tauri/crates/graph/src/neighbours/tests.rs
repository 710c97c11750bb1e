//! Tests of `neighbours`.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(rows: usize, dim: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut m = Matrix::zeros(rows, dim);
    m.data
        .iter_mut()
        .for_each(|v| *v = rng.random_range(-1.0..1.0));
    m.normalize_rows();
    m
}

/// The lists by sorting everything.
fn by_sorting<A: Fn(usize, usize) -> bool>(
    m: &Matrix,
    wanted: &Wanted<'_, A>,
    i: usize,
) -> Vec<Neighbour> {
    let all = (0..m.rows)
        .filter(|&j| j != i && (wanted.admissible)(i, j))
        .map(|j| Neighbour {
            row: j as u32,
            cosine: dot(m.row(i), m.row(j)),
        })
        .filter(|n| n.cosine >= wanted.floor && n.cosine < wanted.ceiling);
    merged(all.collect(), wanted)
}

#[test]
fn lists_equal_a_full_sort() {
    let m = random(1060, 12, 11);
    // Three rows to a key, so that many lists meet a key again.
    let keys: Vec<u32> = (0..1060).map(|i| i / 3).collect();
    for keys in [&[][..], &keys] {
        let admissible = |i: usize, j: usize| !(i + j).is_multiple_of(3);
        let wanted = Wanted {
            keep: 5,
            floor: 0.1,
            ceiling: 0.9,
            keys,
            admissible,
        };
        let lists = nearest_wanted(&m, &wanted);
        let rows: Vec<usize> = (0..m.rows).step_by(37).collect();
        for (i, of_row) in rows.iter().zip(nearest_of(&m, &rows, &wanted)) {
            assert_eq!(lists[*i], by_sorting(&m, &wanted, *i), "row {i}");
            assert_eq!(lists[*i], of_row, "row {i}");
        }
    }
}

#[test]
fn added_changed_and_removed_rows_leave_what_a_whole_pass_gives() {
    let (before, keys) = (random(1300, 10, 3), |n: usize| {
        (0..n as u32).map(|i| i / 2).collect::<Vec<_>>()
    });
    // Rows 0..1200 were there; then 40 of them went (every thirtieth), 25 changed, and 100 came.
    let old: Vec<usize> = (0..1200).collect();
    let now: Vec<usize> = (0..1300).filter(|i| *i >= 1200 || i % 30 != 7).collect();
    let changed = |i: usize| i >= 1200 || i % 48 == 5;
    let mut after = before.select(&now);
    for (row, i) in now.iter().enumerate() {
        if *i < 1200 && changed(*i) {
            after.row_mut(row).rotate_left(3);
        }
    }
    let admissible = |i: usize, j: usize| (i % 5) != (j % 5);
    let keys_then = keys(1200);
    let then = nearest_wanted(
        &before.select(&old),
        &Wanted {
            keep: 6,
            floor: 0.2,
            ceiling: 2.0,
            keys: &keys_then,
            admissible,
        },
    );
    let row_of = |i: u32| now.iter().position(|n| *n == i as usize);
    let kept: Vec<Option<Vec<Neighbour>>> = now
        .iter()
        .map(|&i| {
            if changed(i) {
                return None;
            }
            let mapped = then[i].iter().map(|n| {
                let row = row_of(n.row).filter(|_| !changed(n.row as usize))?;
                Some(Neighbour {
                    row: row as u32,
                    ..*n
                })
            });
            mapped.collect()
        })
        .collect();
    let new: Vec<bool> = now.iter().map(|&i| changed(i)).collect();
    assert!(
        kept.iter()
            .zip(&new)
            .any(|(kept, new)| kept.is_none() && !new),
        "the test needs rows that lost one"
    );
    let keys_now: Vec<u32> = now.iter().map(|i| *i as u32 / 2).collect();
    let admissible_now = |i: usize, j: usize| admissible(now[i], now[j]);
    let wanted = Wanted {
        keep: 6,
        floor: 0.2,
        ceiling: 2.0,
        keys: &keys_now,
        admissible: admissible_now,
    };
    assert_eq!(
        renewed(&after, kept, &new, &wanted),
        nearest_wanted(&after, &wanted)
    );
}

#[test]
fn groups_give_what_comparing_everything_gives() {
    let m = random(2600, 11, 23);
    // One group of 1,300 rows, larger than a block, and many small ones that overlap it.
    let mut groups: Vec<Vec<u32>> = vec![(0..2600).step_by(2).collect()];
    groups.extend((0..200).map(|g| (g * 7..2600).step_by(211).collect::<Vec<u32>>()));
    groups.push(Vec::new());
    let mut together = vec![Vec::new(); 2600];
    for (g, rows) in groups.iter().enumerate() {
        rows.iter()
            .for_each(|r| together[*r as usize].push(g as u32));
    }
    let keys: Vec<u32> = (0..2600).map(|i| i / 2).collect();
    for keys in [&[][..], &keys] {
        let admissible =
            |i: usize, j: usize| crate::counting::intersects(&together[i], &together[j]);
        let wanted = Wanted {
            keep: 7,
            floor: 0.1,
            ceiling: 2.0,
            keys,
            admissible,
        };
        assert_eq!(
            nearest_in_groups(&m, &groups, &wanted),
            nearest_wanted(&m, &wanted)
        );
    }
}

#[test]
fn equal_cosines_are_ordered_by_row() {
    let m = Matrix::from_rows(&vec![vec![1.0, 0.0]; 6]);
    let lists = nearest(&m, 3, 0.5, 1.1, |_, _| true);
    assert_eq!(
        lists[4].iter().map(|n| n.row).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    assert_eq!(
        lists[0].iter().map(|n| n.row).collect::<Vec<_>>(),
        [1, 2, 3]
    );
}

#[test]
fn two_thousand_rows_of_one_key_take_one_place() {
    let mut m = Matrix::from_rows(&vec![vec![1.0, 0.1]; 2000]);
    m.data.extend([1.0, 0.0, 1.0, 0.4]);
    m.rows += 2;
    m.normalize_rows();
    let keys: Vec<u32> = (0..2002).map(|i: u32| i.saturating_sub(1999)).collect();
    let admissible = |i: usize, j: usize| keys[i] != keys[j];
    let lists = nearest_wanted(
        &m,
        &Wanted {
            keep: 4,
            floor: 0.5,
            ceiling: 2.0,
            keys: &keys,
            admissible,
        },
    );
    assert_eq!(
        lists[2000].iter().map(|n| n.row).collect::<Vec<_>>(),
        [0, 2001]
    );
    assert_eq!(
        lists[7].iter().map(|n| n.row).collect::<Vec<_>>(),
        [2000, 2001]
    );
}
