use super::*;
use crate::item::testing::assert_near;

fn recorded(rows: usize, dim: usize) -> Vec<f32> {
    let value =
        |i: usize, j: usize| (((i * 37 + j * 101 + i * j * 13) % 97) as f64 / 97.0 - 0.3) as f32;
    (0..rows)
        .flat_map(|i| (0..dim).map(move |j| value(i, j)))
        .collect()
}

#[test]
fn measures_agree_with_the_paper_s_algorithm() {
    // numpy 2: all pairs of unit rows; IsoScore step by step with numpy.linalg.eigh and numpy.cov.
    let check = |rows, dim, mean_cosine: f64, isoscore: f64| {
        let audit = audit(&recorded(rows, dim), dim);
        assert_near(audit.mean_pairwise_cosine, mean_cosine, 1e-7);
        assert_near(audit.isoscore, isoscore, 1e-7);
        assert_eq!(audit.n, rows);
    };
    check(20, 6, 0.180331528696, 0.791259693965);
    check(5, 9, -0.004655219930, 0.276060554353);
}

#[test]
fn explained_variance_uniformity_and_alignment_are_numpys() {
    // numpy 2: squared singular values of the centred rows; all pairs of unit rows; each row with the one after it.
    let check = |rows: usize, dim: usize, shares: [f64; 3], uniformity: f64, aligned: f64| {
        let vectors = recorded(rows, dim);
        let audit = audit(&vectors, dim);
        let explained = audit.explained.unwrap();
        for (found, expected) in explained.iter().zip(shares) {
            assert_near(*found, expected, 1e-7);
        }
        // There are fewer directions than are asked about.
        assert_near(explained[EXPLAINED_BY.len() - 1], 1.0, 1e-12);
        assert_near(audit.uniformity.unwrap(), uniformity, 1e-7);
        assert_eq!(audit.uniformity_of, None);
        let all: Vec<&[f32]> = vectors.chunks_exact(dim).collect();
        let pairs = all.iter().zip(&all[1..]).map(|(a, b)| (*a, *b));
        assert_near(alignment(pairs).unwrap(), aligned, 1e-7);
    };
    check(
        20,
        6,
        [0.292865435888, 0.517916858509, 0.834122214202],
        -2.3557912396654412,
        1.4697448219197162,
    );
    check(
        5,
        9,
        [0.406065013351, 0.692414025769, 1.0],
        -3.219313341146861,
        1.879721232857168,
    );
}

#[test]
fn blocks_of_rows_give_what_all_at_once_give() {
    // More rows than a block has: each pair counts once, whichever blocks its rows lie in.
    let (rows, dim) = (BLOCK + 300, 3);
    let vectors = recorded(rows, dim);
    let unit: Vec<Vec<f64>> = vectors
        .chunks_exact(dim)
        .map(|row| row.iter().map(|&v| f64::from(v) / norm(row)).collect())
        .collect();
    let mut sum = 0.0;
    for (i, a) in unit.iter().enumerate() {
        for b in &unit[..i] {
            let distance: f64 = a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum();
            sum += (-2.0 * distance).exp();
        }
    }
    let expected = (sum / (rows * (rows - 1) / 2) as f64).ln();
    assert_near(audit(&vectors, dim).uniformity.unwrap(), expected, 1e-9);
}

#[test]
fn too_many_rows_to_compare_are_drawn_and_said_to_be() {
    let vectors = recorded(MOST_COMPARED + 500, 2);
    let found = audit(&vectors, 2);
    assert_eq!(found.n, MOST_COMPARED + 500);
    assert_eq!(found.uniformity_of, Some(MOST_COMPARED));
    let places = drawn(MOST_COMPARED + 500);
    assert_eq!(places, drawn(MOST_COMPARED + 500));
    let mut once = places.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), MOST_COMPARED, "none is drawn twice");
    // What is compared are these rows, in the order in which they were drawn.
    let chosen: Vec<f32> = places
        .iter()
        .flat_map(|&i| vectors[2 * i..2 * i + 2].iter().copied())
        .collect();
    let rows: Vec<&[f32]> = chosen.chunks_exact(2).collect();
    assert_eq!(found.uniformity, Some(uniformity(&rows, 2)));
}

#[test]
fn the_ends_of_the_scales() {
    // The corners of a square around the origin fill both dimensions evenly; points on a line fill one.
    let square = audit(&[1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0], 2);
    assert_near(square.isoscore, 1.0, 1e-6);
    assert_near(square.explained.unwrap()[0], 0.5, 1e-12);
    let line = audit(&[1.0, 1.0, 2.0, 2.0, 3.0, 3.0], 2);
    assert_near(line.isoscore, 0.0, 1e-6);
    assert_near(line.mean_pairwise_cosine, 1.0, 1e-12);
    assert_near(line.explained.unwrap()[0], 1.0, 1e-12);
    assert_near(line.uniformity.unwrap(), 0.0, 1e-12);
    // Rows that are all alike vary in no direction.
    assert_eq!(audit(&[1.0, 2.0, 1.0, 2.0], 2).explained, None);
    // Opposite rows are as far apart as can be.
    let pair: (&[f32], &[f32]) = (&[1.0, 0.0], &[-2.0, 0.0]);
    assert_near(alignment([pair]).unwrap(), 4.0, 1e-12);
}

#[test]
fn unusable_rows_are_left_out() {
    let usable = audit(&[1.0, 0.0, 0.0, 1.0], 2);
    assert_eq!(
        audit(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, f32::NAN, 1.0], 2),
        usable
    );
    assert_eq!(usable.n, 2);
    assert_eq!(audit(&[], 0), SpaceAudit::default());
    let one = audit(&[1.0, 2.0], 2);
    assert_eq!(one.mean_pairwise_cosine, 0.0);
    assert_eq!((one.explained, one.uniformity), (None, None));
    let zero: (&[f32], &[f32]) = (&[0.0, 0.0], &[1.0, 0.0]);
    assert_eq!(alignment([zero]), None);
}

#[test]
fn rows_that_come_one_after_the_other_give_the_same_and_a_failure_ends_it() {
    let (rows, dim) = (BLOCK + 7, 4);
    let vectors = recorded(rows, dim);
    let mut passes = 0;
    let found = audit_passes(dim, |each| {
        passes += 1;
        vectors.chunks_exact(dim).for_each(each);
        Ok::<(), String>(())
    });
    assert_eq!(found, Ok(audit(&vectors, dim)));
    assert_eq!(passes, 2);
    let mut passes = 0;
    let failed = audit_passes(dim, |each| {
        passes += 1;
        vectors.chunks_exact(dim).for_each(each);
        if passes == 2 { Err("cut off") } else { Ok(()) }
    });
    assert_eq!(failed, Err("cut off"));
    // Rows that are added between the passes count nothing.
    let mut passes = 0;
    let found = audit_passes(dim, |each| {
        passes += 1;
        vectors.chunks_exact(dim).for_each(&mut *each);
        if passes == 2 {
            each(&[9.0, 9.0, 9.0, 9.0]);
        }
        Ok::<(), String>(())
    });
    assert_eq!(found, Ok(audit(&vectors, dim)));
}
