//! Simulated years.

use super::{Plan, Unit, direction, look};
use crate::resample::Draws;
use lexforge_domain::drift::{DriftRule, DriftState};

/// A number that is nearly normal, with variance one: the sum of twelve even ones.
fn normal(draws: &mut Draws) -> f64 {
    (0..12)
        .map(|_| draws.index(1 << 30) as f64 / f64::from(1u32 << 30))
        .sum::<f64>()
        - 6.0
}

/// A text's vector: noise, and `common` in the first dimension.
fn text(dim: usize, common: f64, draws: &mut Draws) -> Vec<f32> {
    let mut v: Vec<f64> = (0..dim).map(|_| normal(draws)).collect();
    v[0] += common;
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.iter().map(|x| (x / length) as f32).collect()
}

/// Texts of some days, so many a day.
fn days(
    from: usize,
    to: usize,
    a_day: usize,
    dim: usize,
    common: f64,
    draws: &mut Draws,
) -> Vec<(f64, Vec<f32>)> {
    (from..to)
        .flat_map(|day| std::iter::repeat_n(day as f64, a_day))
        .map(|day| (day, text(dim, common, draws)))
        .collect()
}

fn units(texts: &[(f64, Vec<f32>)]) -> Vec<Unit<'_>> {
    texts
        .iter()
        .map(|(day, sum)| Unit {
            day: *day,
            n: 1,
            sum,
        })
        .collect()
}

fn plan(every_days: f64) -> Plan {
    Plan {
        rule: DriftRule::default(),
        window_days: 7.0,
        every_days,
        together: 1,
        seed: 1,
    }
}

#[test]
fn a_thousand_stable_years_give_at_most_one_false_alarm_a_year() {
    const DIM: usize = 4;
    let mut draws = Draws::new(3, 0);
    let mut alarms = 0u32;
    // One long time of two questions a day, looked at every week over the last ten weeks.
    let texts = days(0, 1_000 * 365, 2, DIM, 0.8, &mut draws);
    let units = units(&texts);
    let mut looks = 0u32;
    for week in 10..(1_000 * 365 / 7) {
        let day = week * 7;
        let of = &units[(day - 70) * 2..day * 2];
        let plan = Plan {
            seed: week as u64,
            ..plan(7.0)
        };
        let found = look(of, (day - 1) as f64, DIM, &plan);
        assert_ne!(found.state, DriftState::TooFew);
        alarms += u32::from(found.state == DriftState::Alarm);
        looks += 1;
    }
    let a_year = f64::from(alarms) / 1_000.0;
    // Counts of independent looks: binomial, p = 7 / 365.
    let expected = f64::from(looks) * 7.0 / 365.0;
    let error = expected.sqrt() / 1_000.0;
    println!(
        "{alarms} alarms in 1,000 years of {looks} looks: {a_year:.3} a year, error {error:.3}"
    );
    // The figure that stands beside the choice of a rule.
    let shown = DriftRule::YEARLY_FALSE_ALARMS;
    assert!((a_year - shown).abs() < 0.0005, "{a_year} a year");
    assert!(a_year <= 1.0 + 3.0 * error, "{a_year} a year");
    assert!(
        a_year > 0.5,
        "a test that never alarms finds nothing: {a_year}"
    );
}

#[test]
fn a_shift_of_five_hundredths_is_found_within_a_week() {
    const DIM: usize = 32;
    const TRIALS: usize = 60;
    let mut draws = Draws::new(4, 0);
    // E cos of two texts is about (common / length)²: .02 before, .07 after.
    let common = |cosine: f64| (cosine * DIM as f64 / (1.0 - cosine)).sqrt();
    let (mut found, mut change) = (0, 0.0);
    for trial in 0..TRIALS {
        let mut texts = days(0, 60, 10, DIM, common(0.02), &mut draws);
        texts.extend(days(60, 67, 10, DIM, common(0.07), &mut draws));
        let units = units(&texts);
        let plan = Plan {
            seed: trial as u64,
            ..plan(1.0)
        };
        let seen =
            (60..67).any(|day| look(&units, f64::from(day), DIM, &plan).state == DriftState::Alarm);
        found += usize::from(seen);
        change += look(&units, 66.0, DIM, &plan).change / TRIALS as f64;
    }
    println!("{found} of {TRIALS} found; the mean pairwise cosine rose by {change:.3}");
    assert!((change - 0.05).abs() < 0.01, "{change}");
    assert!(found as f64 / TRIALS as f64 >= 0.95, "{found} of {TRIALS}");
}

#[test]
fn the_article_s_rule_shows_how_often_it_is_wrong() {
    let mut draws = Draws::new(5, 0);
    // Few and short texts: the mean of a month jumps by itself.
    let texts = days(0, 90, 1, 3, 0.8, &mut draws);
    let units = units(&texts);
    let article = Plan {
        rule: DriftRule::Article,
        window_days: 30.0,
        ..plan(1.0)
    };
    let found = look(&units, 89.0, 3, &article);
    println!("{} false alarms a year", found.false_alarms_a_year);
    // The figure that stands beside the choice of this rule.
    let shown = f64::from(DriftRule::ARTICLE_FALSE_ALARMS);
    assert!(
        (found.false_alarms_a_year - shown).abs() <= 0.5,
        "{found:?}"
    );
    assert_eq!((found.p_value, found.threshold), (None, None));
}

#[test]
fn too_little_is_said_and_documents_move_as_a_whole() {
    let unit = |day, n, sum: &'static [f32]| Unit { day, n, sum };
    assert_eq!(look(&[], 0.0, 2, &plan(1.0)).state, DriftState::TooFew);
    // One recent document of five like sentences against two: three ways to exchange, none of them rare.
    let few = [
        unit(0.0, 2, &[2.0, 0.0]),
        unit(1.0, 2, &[1.6, 1.2]),
        unit(10.0, 5, &[0.0, 5.0]),
    ];
    let found = look(&few, 10.0, 2, &plan(1.0));
    assert_eq!((found.state, found.p_value), (DriftState::TooFew, None));
    assert_eq!((found.recent.units, found.recent.texts), (1, 5));
    assert!((found.recent.mean_pairwise_cosine - 1.0).abs() < 1e-6);
    let way = direction(&few[..2], &few[2..], 2);
    assert!(way[0] < 0.0 && way[1] > 0.0, "{way:?}");
}
