//! The last days against all that came before.

use super::permute::{Pooled, ways};
use super::side::{Unit, side};
use crate::resample::Draws;
use lexforge_domain::drift::{DriftRule, DriftSide, DriftState};

/// The article's rise of the mean pairwise cosine.
const RISE: f64 = 0.05;
/// Exchanges by which the article's rule is judged.
const EXCHANGES: usize = 2_000;
/// The random stream.
const PURPOSE: u64 = 31;
/// Days of a year.
const YEAR: f64 = 365.0;

/// The settings of a look at drift.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// When an alarm is raised.
    pub rule: DriftRule,
    /// Days that count as recent.
    pub window_days: f64,
    /// Days from one look to the next.
    pub every_days: f64,
    /// Series and types that are looked at together: each takes its share of the false alarms.
    pub together: usize,
    /// Seed of the permutations.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// What it says.
    pub state: DriftState,
    /// The last days.
    pub recent: DriftSide,
    /// Before.
    pub earlier: DriftSide,
    /// Recent − earlier mean pairwise cosine.
    pub change: f64,
    /// Two-sided; `None` if there is too little.
    pub p_value: Option<f64>,
    /// An alarm is raised at this p-value or below; none under the article's rule.
    pub threshold: Option<f64>,
    /// How often this would be an alarm in a year if nothing moved.
    pub false_alarms_a_year: f64,
}

/// The units up to `now` (in days): those of the last days, and those before.
fn parted<'u>(units: &[Unit<'u>], now: f64, window_days: f64) -> (Vec<Unit<'u>>, Vec<Unit<'u>>) {
    let seen = units.iter().filter(|u| u.day <= now).copied();
    seen.partition(|u| u.day > now - window_days)
}

/// How alike the texts of the last days up to `now` were, and those before.
pub fn sides(units: &[Unit<'_>], now: f64, dim: usize, window_days: f64) -> [DriftSide; 2] {
    let (recent, earlier) = parted(units, now, window_days);
    [side(&recent, dim), side(&earlier, dim)]
}

/// Looks at the units up to `now` (in days): those of the last days against those before.
pub fn look(units: &[Unit<'_>], now: f64, dim: usize, plan: &Plan) -> Found {
    let (recent, earlier) = parted(units, now, plan.window_days);
    let looks = YEAR / plan.every_days;
    let share = match plan.rule {
        DriftRule::RunLength { days } => {
            Some((plan.every_days / days / plan.together.max(1) as f64).min(0.5))
        }
        DriftRule::Article => None,
    };
    let quiet = Found {
        state: DriftState::TooFew,
        recent: side(&recent, dim),
        earlier: side(&earlier, dim),
        change: 0.0,
        p_value: None,
        threshold: share,
        false_alarms_a_year: 0.0,
    };
    if quiet.recent.texts < 2 || quiet.earlier.texts < 2 {
        return quiet;
    }
    let pooled = Pooled::new(&earlier, &recent, dim);
    let change = pooled.change();
    let mut draws = Draws::new(plan.seed, PURPOSE);
    let Some(threshold) = share else {
        let alarm = change > RISE;
        return Found {
            state: state(alarm),
            change,
            false_alarms_a_year: pooled.rises(RISE, EXCHANGES, &mut draws) * looks,
            ..quiet
        };
    };
    // There are so few ways to exchange the units that no result could be rare enough.
    if ways(recent.len() + earlier.len(), recent.len()) * threshold < 1.0 {
        return Found { change, ..quiet };
    }
    let p = pooled.p_value(threshold, &mut draws);
    Found {
        state: state(p <= threshold),
        change,
        p_value: Some(p),
        false_alarms_a_year: threshold * looks,
        ..quiet
    }
}

fn state(alarm: bool) -> DriftState {
    if alarm {
        DriftState::Alarm
    } else {
        DriftState::Quiet
    }
}
