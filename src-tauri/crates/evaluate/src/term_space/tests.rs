//! Tests of `term_space`.

use super::*;

fn row(found: &Found, measure: SpaceMeasure) -> &SpaceRow {
    found
        .rows
        .iter()
        .find(|row| row.measure == measure)
        .unwrap()
}

/// More values than the measure with the most directions has.
const DIM: usize = 12;

/// Vectors of `terms` terms with three mentions each: a direction of the term's own, and a little noise.
fn made(terms: usize, noise: f32, seed: u64) -> (Vec<usize>, Vec<f32>) {
    let mut draws = Draws::new(seed, 0);
    let mut value = || draws.index(2001) as f32 / 1000.0 - 1.0;
    let (mut of, mut rows) = (Vec::new(), Vec::new());
    for term in 0..terms {
        let own: Vec<f32> = (0..DIM).map(|_| value()).collect();
        for _ in 0..3 {
            of.push(term);
            rows.extend(own.iter().map(|v| v + noise * value()));
        }
    }
    (of, rows)
}

#[test]
fn mentions_of_one_term_make_the_alignment_and_each_term_counts_once() {
    // Term 0: two mentions at a right angle, squared distance 2. Term 1: three equal ones, 0. Term 2: only one.
    let rows = [
        1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 1.0, 0.0_f32,
    ];
    let terms = [0, 0, 1, 1, 1, 2];
    let pairs: Vec<(usize, &[f32])> = terms.into_iter().zip(rows.chunks_exact(2)).collect();
    let found = alignment(&pairs, 2).unwrap();
    assert!((found - 1.0).abs() < 1e-6, "{found}");
    assert_eq!(alignment(&pairs[5..], 2), None);
}

#[test]
fn every_mention_of_a_term_is_left_out_with_it() {
    let terms: Vec<usize> = (0..90).map(|row| row / 3 * 7).collect();
    let found = groups(&terms, 1);
    for (row, group) in found.iter().enumerate() {
        assert_eq!(*group, found[row / 3 * 3]);
    }
    let mut sizes = [0; GROUPS];
    found.iter().for_each(|&group| sizes[group] += 1);
    assert!(
        sizes.iter().all(|&size| size == 3 || size == 6),
        "{sizes:?}"
    );
    assert_eq!(groups(&[4, 4, 9], 1).iter().max(), Some(&1));
}

#[test]
fn the_difference_is_that_of_the_two_and_its_interval_says_what_changed() {
    let (terms, before) = made(60, 0.05, 7);
    let (_, after) = made(60, 0.8, 7);
    let found = of_terms(
        &Mentions {
            dim: DIM,
            terms: &terms,
            before: &before,
            after: Some(&after),
        },
        1,
        &|_, _| true,
    )
    .unwrap();
    assert_eq!((found.groups, found.rows.len()), (20, 6));
    let change = row(&found, SpaceMeasure::Alignment);
    let [before_value, after_value] = [change.before, change.after].map(|of| of.unwrap().value);
    let difference = change.difference.unwrap();
    assert!((difference.value - (after_value - before_value)).abs() < 1e-9);
    assert!(difference.low > 0.0, "{change:?}");
    for row in &found.rows {
        let of = row.before.unwrap();
        assert!(of.low < of.value && of.value < of.high, "{row:?}");
    }
    // Nothing changed: the difference is exactly zero.
    let same = of_terms(
        &Mentions {
            dim: DIM,
            terms: &terms,
            before: &before,
            after: Some(&before),
        },
        1,
        &|_, _| true,
    )
    .unwrap();
    let none = row(&same, SpaceMeasure::Isoscore).difference.unwrap();
    assert!(
        none.value.abs() < 1e-12 && none.high.abs() < 1e-12,
        "{none:?}"
    );
}

/// Of 200 made sets of terms, about 95 in 100 of the intervals hold the value that very many terms have.
#[test]
fn the_interval_holds_the_true_value_about_as_often_as_it_says() {
    let of = |seed: u64| {
        let (of, rows) = made(40, 0.3, seed);
        let mentions = Mentions {
            dim: DIM,
            terms: &of,
            before: &rows,
            after: None,
        };
        row(
            &of_terms(&mentions, 1, &|_, _| true).unwrap(),
            SpaceMeasure::Alignment,
        )
        .before
        .unwrap()
    };
    let (terms, rows) = made(20_000, 0.3, 99);
    let pairs: Vec<(usize, &[f32])> = terms.into_iter().zip(rows.chunks_exact(DIM)).collect();
    let truth = alignment(&pairs, DIM).unwrap();
    let held = (0..200)
        .map(|seed| of(1000 + seed))
        .filter(|found| found.low <= truth && truth <= found.high)
        .count();
    assert!((178..=199).contains(&held), "{held} of 200");
}

/// Whoever watches is asked before each audit, and where they say no, nothing more is measured.
#[test]
fn it_can_be_ended_between_two_audits() {
    let (terms, rows) = made(60, 0.3, 7);
    let mentions = Mentions {
        dim: DIM,
        terms: &terms,
        before: &rows,
        after: Some(&rows),
    };
    let asked = |last: usize| {
        let told = std::cell::RefCell::new(Vec::new());
        let found = of_terms(&mentions, 1, &|done, of| {
            told.borrow_mut().push((done, of));
            done < last
        });
        (found.is_some(), told.into_inner())
    };
    let all: Vec<(usize, usize)> = (0..42).map(|done| (done, 42)).collect();
    assert_eq!(asked(42), (true, all.clone()));
    for last in [0, 3, 21, 41] {
        assert_eq!(asked(last), (false, all[..=last].to_vec()));
    }
}

#[test]
fn what_is_not_defined_has_no_figure() {
    let found = of_terms(
        &Mentions {
            dim: 2,
            terms: &[0, 1],
            before: &[1.0, 0.0, 0.0, 1.0],
            after: None,
        },
        1,
        &|_, _| true,
    )
    .unwrap();
    let alignment = row(&found, SpaceMeasure::Alignment);
    assert_eq!((alignment.before, alignment.after), (None, None));
    // Without either term there is no pair left.
    assert_eq!(row(&found, SpaceMeasure::MeanPairwiseCosine).before, None);
}
