//! What samples say: series by type of document, the panel, and the course of it all.

use super::day::day;
use super::panel::{panel_marks, panel_state};
use super::request::DriftRequest;
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::drift::{
    DriftAdvice, DriftAround, DriftHistory, DriftMover, DriftPoint, DriftReport, DriftSample,
    DriftSeries, DriftState, DriftTest, DriftUnit, DriftView, PanelState,
};
use lexforge_evaluate::drift::{Plan, Unit, direction, look, sides};
use std::collections::{BTreeMap, HashSet};

/// A course is shown over so many samples.
const SHOWN: usize = 60;
/// Days of a quarter.
const QUARTER: f64 = 91.0;

/// Says which texts of these units lie farthest in a direction.
pub(super) type Movers<'m> = &'m dyn Fn(&[&str], &[f32]) -> Result<Vec<DriftMover>>;

/// The units of a series of one type of document.
type Groups<'s> = BTreeMap<(DriftSeries, &'s str), Vec<&'s DriftUnit>>;

/// The units by series and type. If two programs sampled at the same time, both took the new units; each counts once.
fn groups(samples: &[DriftSample]) -> Groups<'_> {
    let mut groups = Groups::new();
    let mut known: HashSet<&str> = HashSet::new();
    let all = samples.iter().flat_map(|s| &s.units);
    for unit in all.filter(|unit| known.insert(&unit.key)) {
        groups
            .entry((unit.series, unit.stratum.as_str()))
            .or_default()
            .push(unit);
    }
    groups
}

fn in_days<'u>(units: &[&'u DriftUnit]) -> Vec<Unit<'u>> {
    units
        .iter()
        .map(|u| Unit {
            day: day(&u.at),
            n: u.n,
            sum: &u.sum,
        })
        .collect()
}

/// The report about these samples, as of the newest one.
pub(super) fn report_of(
    samples: &[DriftSample],
    request: &DriftRequest,
    around: DriftAround,
    movers: Movers<'_>,
) -> Result<DriftReport> {
    let (made, encoder) = samples.last().map_or_else(Default::default, |newest| {
        (newest.made.clone(), newest.encoder.clone())
    });
    let groups = groups(samples);
    let plan = Plan {
        rule: request.rule,
        window_days: request.recent_days(),
        every_days: request.every_days,
        together: groups.len(),
        seed: DEFAULT_SEED,
    };
    let mut tests = Vec::new();
    for ((series, stratum), units) in &groups {
        tests.push(tested(*series, stratum, units, day(&made), &plan, movers)?);
    }
    let panel = panel_state(samples);
    let moved = tests.iter().any(|t| t.state == DriftState::Alarm);
    let fault = matches!(panel, PanelState::Fault { .. });
    Ok(DriftReport {
        made,
        encoder,
        rule: request.rule,
        window_days: plan.window_days,
        alarm: moved || fault,
        advice: advice(moved, fault, &around),
        panel,
        tests,
        around,
    })
}

fn tested(
    series: DriftSeries,
    stratum: &str,
    units: &[&DriftUnit],
    today: f64,
    plan: &Plan,
    movers: Movers<'_>,
) -> Result<DriftTest> {
    let dim = units.first().map_or(0, |u| u.sum.len());
    let of = in_days(units);
    let found = look(&of, today, dim, plan);
    let movers = if found.state == DriftState::Alarm {
        let is_recent = |unit: &Unit<'_>| unit.day > today - plan.window_days;
        let (recent, earlier): (Vec<Unit>, Vec<Unit>) = of.iter().partition(|u| is_recent(u));
        let way = direction(&earlier, &recent, dim);
        let keys: Vec<&str> = units
            .iter()
            .zip(&of)
            .filter(|(_, u)| is_recent(u))
            .map(|(unit, _)| unit.key.as_str())
            .collect();
        movers(&keys, &way)?
    } else {
        Vec::new()
    };
    Ok(DriftTest {
        series,
        stratum: stratum.to_owned(),
        state: found.state,
        recent: found.recent,
        earlier: found.earlier,
        change: found.change,
        p_value: found.p_value,
        threshold: found.threshold,
        false_alarms_a_year: found.false_alarms_a_year,
        movers,
    })
}

fn advice(moved: bool, fault: bool, around: &DriftAround) -> Vec<DriftAdvice> {
    let old = around.graph_age_days.is_some_and(|days| days > QUARTER);
    let all = [
        (fault, DriftAdvice::CheckModel),
        (moved, DriftAdvice::ReadWhatMoved),
        (old, DriftAdvice::BuildGraph),
    ];
    all.into_iter()
        .filter(|(on, _)| *on)
        .map(|(_, what)| what)
        .collect()
}

/// The view of these samples for the window; there is at least one sample. The findings are those that were stored with
/// the newest sample. If an earlier version of the program took that sample, it stored no findings. Then the sample is
/// examined again, but the texts that caused the change cannot be shown.
pub(super) fn view_of(samples: &[DriftSample], around: DriftAround) -> Result<DriftView> {
    let kept = samples.last().and_then(|newest| newest.found.as_deref());
    let report = match kept {
        Some(found) => found.clone(),
        None => report_of(
            samples,
            &DriftRequest::default(),
            around.clone(),
            &|_, _| Ok(Vec::new()),
        )?,
    };
    let history = courses(samples, report.window_days);
    let marks = panel_marks(samples);
    Ok(DriftView {
        report: Some(report),
        around,
        encoder_changed: false,
        samples: samples.len() as u32,
        panel: marks[marks.len().saturating_sub(SHOWN)..].to_vec(),
        history,
    })
}

/// The course of each series over the newest samples.
fn courses(samples: &[DriftSample], window_days: f64) -> Vec<DriftHistory> {
    let shown = &samples[samples.len().saturating_sub(SHOWN)..];
    groups(samples)
        .into_iter()
        .map(|((series, stratum), units)| {
            let dim = units.first().map_or(0, |u| u.sum.len());
            let of = in_days(&units);
            let point = |sample: &DriftSample| {
                let [recent, earlier] = sides(&of, day(&sample.made), dim, window_days)
                    .map(|side| (side.texts > 1).then_some(side.mean_pairwise_cosine));
                let found = sample.found.as_deref().map(|found| found.tests.as_slice());
                let alarm = found.unwrap_or_default().iter().any(|t| {
                    t.state == DriftState::Alarm && t.series == series && t.stratum == stratum
                });
                DriftPoint {
                    at: sample.made.clone(),
                    recent,
                    earlier,
                    alarm,
                }
            };
            DriftHistory {
                series,
                stratum: stratum.to_owned(),
                points: shown.iter().map(point).collect(),
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
