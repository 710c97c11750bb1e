//! Published worked examples, to four decimals. Figures that a publication prints with fewer decimals were computed
//! anew from its table with two independent programs (the `krippendorff` and `irrCAC` packages of Python, and
//! statsmodels).

use super::*;
use crate::error::EvaluateError;
use crate::item::testing::assert_near;
use lexforge_domain::agreement::Undefined;

const QUICK: Resampling = Resampling {
    count: 400,
    seed: 7,
};

/// A table of raters' rows, a character an item: a digit or letter is a category, a dot a hole.
fn rows(categories: usize, raters: &[&str]) -> Ratings {
    let cells: Vec<Vec<char>> = raters
        .iter()
        .map(|row| row.chars().filter(|c| !c.is_whitespace()).collect())
        .collect();
    let mut ratings = Ratings::new(categories);
    for item in 0..cells[0].len() {
        let said = cells.iter().enumerate().filter(|(_, row)| row[item] != '.');
        let category = |c: char| c.to_digit(36).map(|d| if d >= 10 { d - 10 } else { d });
        let item: Vec<(u32, u32)> = said
            .map(|(rater, row)| (rater as u32, category(row[item]).unwrap()))
            .collect();
        ratings.push(&item).unwrap();
    }
    ratings
}

/// Two raters' cross table of counts.
fn crossed(table: &[&[u32]]) -> Ratings {
    let mut ratings = Ratings::new(table.len());
    for (a, row) in table.iter().enumerate() {
        for (b, &times) in row.iter().enumerate() {
            for _ in 0..times {
                ratings.push(&[(0, a as u32), (1, b as u32)]).unwrap();
            }
        }
    }
    ratings
}

/// A table of counts: a row an item, a column a category, raters unknown.
fn counted(table: &[[u32; 5]]) -> Ratings {
    let mut ratings = Ratings::new(5);
    for row in table {
        let said = row
            .iter()
            .enumerate()
            .flat_map(|(category, &n)| (0..n).map(move |_| category as u32));
        let item: Vec<(u32, u32)> = said
            .enumerate()
            .map(|(rater, category)| (rater as u32, category))
            .collect();
        ratings.push(&item).unwrap();
    }
    ratings
}

fn near(what: &str, figure: Interval, expected: f64) {
    let value = figure.value.unwrap_or(f64::NAN);
    assert!(
        (value - expected).abs() < 0.000_05,
        "{what}: {value} where {expected} is published"
    );
    assert!(
        figure.low.unwrap() <= value && value <= figure.high.unwrap(),
        "{what}: {figure:?}"
    );
}

#[test]
fn cohen_1960() {
    // Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20.
    // Table 1, proportions .25 .13 .12 / .12 .02 .16 / .03 .15 .02 of 200: pₒ .29, chance .35, κ −.09.
    let first = crossed(&[&[50, 26, 24], &[24, 4, 32], &[6, 30, 4]]);
    let found = cohen(&first, 0, 1, QUICK);
    near("percent, table 1", found.percent, 0.29);
    near("κ, table 1", found.kappa, -0.0923);
    // Table 2, frequencies of 200: pₒ .70, chance .41, κ .492.
    let second = crossed(&[&[88, 14, 18], &[10, 40, 10], &[2, 6, 12]]);
    let found = cohen(&second, 0, 1, QUICK);
    near("percent, table 2", found.percent, 0.70);
    near("κ, table 2", found.kappa, 0.4915);
    assert_eq!(found.items, 200);
}

#[test]
fn fleiss_1971() {
    // Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76. Table 1:
    // diagnoses of 30 patients by six psychiatrists each: depression, personality disorder, schizophrenia, neurosis,
    // other; κ .430.
    let found = agreement(
        &counted(&[
            [0, 0, 0, 6, 0],
            [0, 3, 0, 0, 3],
            [0, 1, 4, 0, 1],
            [0, 0, 0, 0, 6],
            [0, 3, 0, 3, 0],
            [2, 0, 4, 0, 0],
            [0, 0, 4, 0, 2],
            [2, 0, 3, 1, 0],
            [2, 0, 0, 4, 0],
            [0, 0, 0, 0, 6],
            [1, 0, 0, 5, 0],
            [1, 1, 0, 4, 0],
            [0, 3, 3, 0, 0],
            [1, 0, 0, 5, 0],
            [0, 2, 0, 3, 1],
            [0, 0, 5, 0, 1],
            [3, 0, 0, 1, 2],
            [5, 1, 0, 0, 0],
            [0, 2, 0, 4, 0],
            [1, 0, 2, 0, 3],
            [0, 0, 0, 0, 6],
            [0, 1, 0, 5, 0],
            [0, 2, 0, 1, 3],
            [2, 0, 0, 4, 0],
            [1, 0, 0, 4, 1],
            [0, 5, 0, 1, 0],
            [4, 0, 0, 0, 2],
            [0, 2, 0, 4, 0],
            [1, 0, 5, 0, 0],
            [0, 0, 0, 0, 6],
        ]),
        &Weights::Identity,
        QUICK,
    );
    near("percent", found.percent, 0.5556);
    near("Fleiss' κ", found.fleiss, 0.4302);
    near("α", found.alpha, 0.4334);
    near("AC1", found.gwet, 0.4479);
    assert_eq!((found.items, found.single, found.raters), (30, 0, 6));
}

#[test]
fn krippendorff_2011() {
    // Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability. University of Pennsylvania.
    let alpha = |categories, raters: &[&str]| {
        agreement(&rows(categories, raters), &Weights::Identity, QUICK)
    };
    // Section A: binary data, two observers, ten units: α .095.
    near("A", alpha(2, &["0100000000", "1110010100"]).alpha, 0.0952);
    // Section B: nominal data, two observers, twelve units: α .692.
    near(
        "B",
        alpha(5, &["aabbdcccedda", "babbbccceddd"]).alpha,
        0.6920,
    );
    // Section C: nominal data, four observers, missing values, twelve units: α .743.
    let found = alpha(
        6,
        &[
            "123321412...",
            "1233224125.3",
            ".3332342251.",
            "1233244125 1.",
        ],
    );
    near("C", found.alpha, 0.7434);
    // Unit 12 has one value; it cannot be paired.
    assert_eq!((found.items, found.single, found.raters), (11, 1, 4));
}

#[test]
fn gwet_2008_and_2014() {
    // Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement. British
    // Journal of Mathematical and Statistical Psychology 61. 125 subjects, 118 + 5 + 2 + 0: agreement .944, κ −.0234,
    // AC1 .9408.
    let high = crossed(&[&[118, 5], &[2, 0]]);
    let found = agreement(&high, &Weights::Identity, QUICK);
    near("percent", found.percent, 0.944);
    near("AC1 of two", found.gwet, 0.9408);
    near("π, which is Fleiss' κ of two", found.fleiss, -0.0288);
    near("κ", cohen(&high, 0, 1, QUICK).kappa, -0.0234);
    // Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition: four raters, twelve subjects, missing
    // values (the table is Krippendorff's): AC1 .7754, agreement .8182; and AC2 with linear and quadratic weights.
    let mut four = rows(
        5,
        &[
            "012210301...",
            "0122113014.2",
            ".22212311 40.",
            "0122133014 0.",
        ],
    );
    for (what, weights, ac2) in [
        ("identity", Weights::Identity, 0.7754),
        ("linear", Weights::Linear, 0.8587),
        ("quadratic", Weights::Quadratic, 0.9140),
    ] {
        let found = agreement(&four, &weights, QUICK);
        near(what, found.gwet, ac2);
        near("percent", found.percent, 0.8182);
        // The same weights, given one by one.
        let table = (0..25).map(|i| weights.of(i / 5, i % 5, 5)).collect();
        assert_eq!(
            agreement(&four, &Weights::Table(table), QUICK).gwet.value,
            found.gwet.value,
            "{what}"
        );
    }
    // An item that nobody rated changes nothing.
    let before = agreement(&four, &Weights::Identity, QUICK);
    four.push(&[]).unwrap();
    assert_eq!(agreement(&four, &Weights::Identity, QUICK), before);
}

#[test]
fn what_cannot_be_said_is_not_said() {
    use Undefined::{NoPairs, OneCategory};
    type Told = Result<f64, Undefined>;
    let told = |i: Interval| i.value.ok_or_else(|| i.undefined.unwrap());
    let check = |what: &str, ratings: &Ratings, expected: [Told; 4]| {
        let found = agreement(ratings, &Weights::Identity, QUICK);
        let all = [found.percent, found.alpha, found.fleiss, found.gwet];
        assert_eq!(all.map(told), expected, "{what}");
        for figure in all.into_iter().chain([cohen(ratings, 0, 1, QUICK).kappa]) {
            let numbers = [figure.value, figure.low, figure.high]
                .into_iter()
                .flatten();
            assert!(
                numbers.into_iter().all(f64::is_finite),
                "{what}: {figure:?}"
            );
            assert_eq!(figure.low.is_some(), figure.high.is_some(), "{what}");
        }
    };
    let one = [Ok(1.0), Err(OneCategory), Err(OneCategory), Ok(1.0)];
    check("no item", &Ratings::new(3), [Err(NoPairs); 4]);
    check("nobody rated", &rows(2, &["...", "..."]), [Err(NoPairs); 4]);
    check("one rater", &rows(2, &["0101"]), [Err(NoPairs); 4]);
    check(
        "two raters who never met",
        &rows(2, &["01..", "..01"]),
        [Err(NoPairs); 4],
    );
    check("one item, agreed", &rows(2, &["0", "0"]), one);
    check("all the same", &rows(3, &["1111", "1111", "1111"]), one);
    check(
        "a scale of one category",
        &rows(1, &["00", "00"]),
        [one[0], one[1], one[2], Err(OneCategory)],
    );
    check(
        "one item, disputed",
        &rows(2, &["0", "1"]),
        [Ok(0.0), Ok(0.0), Ok(-1.0), Ok(-1.0)],
    );
    // One item says nothing about the spread.
    assert_eq!(
        agreement(&rows(2, &["0", "1"]), &Weights::Identity, QUICK)
            .percent
            .low,
        None
    );
    assert_eq!(
        told(cohen(&rows(2, &["000", "000"]), 0, 1, QUICK).kappa),
        Err(OneCategory)
    );
    assert_eq!(
        told(cohen(&rows(2, &["000", "000"]), 0, 4, QUICK).kappa),
        Err(NoPairs)
    );
    assert_eq!(
        told(cohen(&rows(2, &["01", "01"]), 0, 1, QUICK).kappa),
        Ok(1.0)
    );
}

#[test]
fn fleiss_takes_the_most_common_number_of_ratings() {
    // Three items of two ratings, two items of three: the two-rating items count. 2 / 3 agree; marginals 3 / 6 each.
    let found = agreement(
        &rows(2, &["01100", "01011", "...10"]),
        &Weights::Identity,
        QUICK,
    );
    assert_near(found.fleiss.value.unwrap(), (2.0 / 3.0 - 0.5) / 0.5, 1e-12);
    // As many of either: the three-rating items. Agreement (1 + 1 / 3) / 2, marginals 2 / 6 and 4 / 6.
    let found = agreement(
        &rows(2, &["0110", "0111", "..10"]),
        &Weights::Identity,
        QUICK,
    );
    assert_near(
        found.fleiss.value.unwrap(),
        (2.0 / 3.0 - 5.0 / 9.0) / (4.0 / 9.0),
        1e-12,
    );
}

#[test]
fn thousands_of_categories_are_no_trouble() {
    let mut ratings = Ratings::new(5_000);
    for i in 0..5_000_u32 {
        let other = if i % 10 == 0 { (i + 1) % 5_000 } else { i };
        ratings.push(&[(0, i), (1, other), (2, i)]).unwrap();
    }
    let found = agreement(
        &ratings,
        &Weights::Identity,
        Resampling { count: 20, seed: 1 },
    );
    let expected = 0.9 + 0.1 / 3.0;
    assert_near(found.percent.value.unwrap(), expected, 1e-9);
    for figure in [found.alpha, found.fleiss, found.gwet] {
        assert_near(figure.value.unwrap(), expected, 1e-3);
        assert!(
            figure.low.unwrap() < expected && expected < figure.high.unwrap(),
            "{figure:?}"
        );
    }
}

#[test]
fn the_interval_of_a_share_is_the_binomial_one() {
    // 240 of 300 items are agreed on: percent agreement is a binomial share; 1.96 · √(.8 · .2 / 300) = .0453.
    let ratings = crossed(&[&[120, 30], &[30, 120]]);
    let found = agreement(
        &ratings,
        &Weights::Identity,
        Resampling {
            count: 10_000,
            seed: 3,
        },
    );
    assert_near(found.percent.low.unwrap(), 0.8 - 0.0453, 0.004);
    assert_near(found.percent.high.unwrap(), 0.8 + 0.0453, 0.004);
    // Even marginals: κ = 2p − 1, so that its interval is twice as wide.
    let kappa = cohen(
        &ratings,
        0,
        1,
        Resampling {
            count: 10_000,
            seed: 3,
        },
    )
    .kappa;
    assert_near(kappa.low.unwrap(), 0.6 - 0.0906, 0.008);
    assert_near(kappa.high.unwrap(), 0.6 + 0.0906, 0.008);
    // The same seed gives the same interval.
    assert_eq!(
        agreement(&ratings, &Weights::Identity, QUICK),
        agreement(&ratings, &Weights::Identity, QUICK)
    );
}

#[test]
fn ratings_without_a_place_are_refused() {
    let mut ratings = Ratings::new(2);
    for bad in [&[(0, 2)][..], &[(1, 0), (1, 0)], &[(0, 0), (0, 1)]] {
        assert!(
            matches!(
                ratings.push(bad),
                Err(EvaluateError::Rating { item: 0, .. })
            ),
            "{bad:?}"
        );
    }
    assert!(ratings.is_empty());
    ratings.push(&[(9, 1), (3, 0)]).unwrap();
    assert_eq!((ratings.len(), ratings.raters()), (1, vec![3, 9]));
}
