//! Drift: what is new is sampled, and compared with what was there before.

mod around;
mod day;
mod found;
mod material;
mod panel;
mod request;
mod since;
mod terms;
mod watching;

use super::Evaluations;
use super::texts::dot;
use crate::workspace::{Result, Watcher, now};
use day::day;
use found::{report_of, view_of};
use lexforge_domain::api::ModelKind;
use lexforge_domain::drift::{
    DriftMover, DriftReport, DriftRule, DriftSample, DriftUnit, DriftView, PanelReading,
};
use lexforge_domain::review::CLOCKS_DIFFER_SECONDS;
use lexforge_domain::{Code, Failure};
use lexforge_graph::Matrix;
use material::{NewUnit, PlacedText};
use panel::{evenly, fingerprint};
pub use request::DriftRequest;
pub use since::Since;
use std::collections::{HashMap, HashSet};
use terms::terms_of;
use watching::Watching;

/// Texts of the fixed panel.
const PANEL: usize = 32;
/// So many of the texts that moved most are shown.
const MOVERS: usize = 10;
/// Days by which a sample may be ahead of this machine's clock: other machines write into the workspace, too.
const AHEAD: f64 = CLOCKS_DIFFER_SECONDS as f64 / 86_400.0;

impl Evaluations<'_> {
    /// Whether drift is watched in this workspace. It is watched if samples were taken before; then every import takes
    /// the next sample.
    pub fn is_watched(&self) -> Result<bool> {
        let newest = self.workspace.store.read(|r| r.last_drift_sample())?;
        Ok(newest.is_some())
    }

    /// Whether drift is watched in this workspace and the newest sample is older than `every_days` days. A sample with
    /// a time in the future was taken while a clock was wrong; it is ignored here.
    pub fn drift_is_due(&self, every_days: f64) -> Result<bool> {
        let newest = self.workspace.store.read(|r| r.last_drift_sample())?;
        Ok(newest.is_some_and(|(made, _)| is_due(day(&made), day(&now()), every_days)))
    }

    /// Takes a sample of what is new since the last one: documents, questions that users asked, and the fixed panel of
    /// texts. Then it reports what has changed, and stores sample and report.
    ///
    /// # Errors
    /// When the encoder reads no document, the worker or the model is missing, or the workspace cannot be written.
    pub fn drift(&self, request: &DriftRequest, watcher: &dyn Watcher) -> Result<DriftReport> {
        let watching = self.watching()?;
        let store = &self.workspace.store;
        let mut samples = store.read(|r| r.drift_samples(&watching.label))?;
        let sample = self.sampled(&watching, &samples, watcher)?;
        samples.push(sample.clone());
        let today = day(&sample.made);
        let around = self.around(&samples, today - request.recent_days(), today)?;
        let report = report_of(&samples, request, around, &|keys, way| {
            self.movers(&watching, keys, way, watcher)
        })?;
        let sample = DriftSample {
            found: Some(Box::new(report.clone())),
            ..sample
        };
        store.write(&self.workspace.actor, |w| w.put_drift_sample(&sample))?;
        Ok(report)
    }

    /// How the next sample is judged: by this rule, else by that of the last sample, else by the default.
    pub fn drift_as_before(&self, rule: Option<DriftRule>) -> Result<DriftRequest> {
        let rule = match rule {
            Some(rule) => Some(rule),
            None => {
                let samples = self.newest_samples()?;
                let found = samples.last().and_then(|newest| newest.found.as_deref());
                found.map(|found| found.rule)
            }
        };
        Ok(DriftRequest {
            rule: rule.unwrap_or_default(),
            ..DriftRequest::default()
        })
    }

    /// The last findings and how they changed over time. Nothing is measured for this.
    pub fn drift_view(&self) -> Result<DriftView> {
        let samples = self.newest_samples()?;
        let today = day(&now());
        let found = samples.last().and_then(|newest| newest.found.as_deref());
        let recent = found.map_or(DriftRequest::default().recent_days(), |f| f.window_days);
        let around = self.around(&samples, today - recent, today)?;
        let Some(newest) = samples.last() else {
            return Ok(DriftView {
                around,
                ..DriftView::default()
            });
        };
        let active = self
            .workspace
            .store
            .read(|r| r.newest_deployment(ModelKind::Encoder))?;
        let changed = active.is_some_and(|active| day(&active.made) > day(&newest.made));
        Ok(DriftView {
            encoder_changed: changed,
            ..view_of(&samples, around)?
        })
    }

    /// The samples that were taken with the encoder of the newest, oldest first.
    fn newest_samples(&self) -> Result<Vec<DriftSample>> {
        Ok(self.workspace.store.read(|r| {
            Ok(match r.last_drift_sample()? {
                Some((_, encoder)) => r.drift_samples(&encoder)?,
                None => Vec::new(),
            })
        })?)
    }

    fn sampled(
        &self,
        watching: &Watching,
        before: &[DriftSample],
        watcher: &dyn Watcher,
    ) -> Result<DriftSample> {
        // Documents that are added while texts are embedded belong to the next sample.
        let made = now();
        let known = before.iter().flat_map(|s| &s.units);
        let known: HashSet<&str> = known.map(|u| u.key.as_str()).collect();
        let new = self.new_units(watching, &known)?;
        let known = before.iter().flat_map(|s| &s.terms);
        let known: HashSet<&str> = known.map(|t| t.key.as_str()).collect();
        let with_terms = self.new_terms(watching, &known)?;
        let panel: Vec<String> = match before.iter().find_map(|s| s.panel.as_ref()) {
            Some(panel) => panel.texts.clone(),
            None => panel_of(&new),
        };
        if panel.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is no document that the encoder reads, so there is nothing to watch.",
                "Import a document in its language, or activate an encoder that reads those that are here.",
            ));
        }
        // The panel alone: what is computed beside it must not be able to change its last bits.
        let texts: Vec<&str> = panel.iter().map(String::as_str).collect();
        let of_panel = self.watched_vectors(watching, &texts, watcher)?;
        let units = new.iter().flat_map(|n| &n.texts).map(|t| t.text.as_str());
        let others = with_terms.iter().flat_map(|d| &d.sentences);
        let others = others.map(|(text, _)| text.as_str());
        let mut rows: HashMap<&str, usize> = HashMap::new();
        let mut texts: Vec<&str> = Vec::new();
        for text in units.chain(others) {
            rows.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            });
        }
        let vectors = self.watched_vectors(watching, &texts, watcher)?;
        let vector = |text: &str| rows.get(text).map(|&row| vectors.row(row));
        let terms = with_terms.iter().map(|d| terms_of(d, vector)).collect();
        let units = new
            .iter()
            .map(|n| DriftUnit {
                n: n.texts.len() as u32,
                sum: sum(n.texts.iter().filter_map(|t| vector(&t.text)), vectors.dim),
                ..n.unit.clone()
            })
            .collect();
        Ok(DriftSample {
            made,
            encoder: watching.label.clone(),
            panel: Some(PanelReading {
                vectors: fingerprint(&of_panel, panel.len()),
                texts: panel,
            }),
            units,
            terms,
            found: None,
        })
    }

    /// The texts of these units that lie farthest in a direction.
    fn movers(
        &self,
        watching: &Watching,
        keys: &[&str],
        way: &[f32],
        watcher: &dyn Watcher,
    ) -> Result<Vec<DriftMover>> {
        let all = self.new_units(watching, &HashSet::new())?;
        let texts: Vec<(&NewUnit, &PlacedText)> = all
            .iter()
            .filter(|n| keys.contains(&n.unit.key.as_str()))
            .flat_map(|n| n.texts.iter().map(move |t| (n, t)))
            .collect();
        let plain: Vec<&str> = texts.iter().map(|(_, t)| t.text.as_str()).collect();
        let vectors: Matrix = self.watched_vectors(watching, &plain, watcher)?;
        let mut movers: Vec<DriftMover> = texts
            .into_iter()
            .enumerate()
            .map(|(row, (of, text))| DriftMover {
                key: of.unit.key.clone(),
                file: of.file.clone(),
                text: text.text.clone(),
                moved: dot(vectors.row(row), way),
                place: Some(text.place),
            })
            .collect();
        movers.sort_by(|a, b| b.moved.total_cmp(&a.moved));
        movers.truncate(MOVERS);
        Ok(movers)
    }
}

/// Whether the next sample is due, by days.
fn is_due(newest: f64, today: f64, every: f64) -> bool {
    let age = today - newest;
    age >= every || age < -AHEAD
}

fn panel_of(new: &[NewUnit]) -> Vec<String> {
    let texts: Vec<String> = new
        .iter()
        .flat_map(|n| n.texts.iter().map(|t| t.text.clone()))
        .collect();
    evenly(&texts, PANEL)
}

fn sum<'v>(vectors: impl Iterator<Item = &'v [f32]>, dim: usize) -> Vec<f32> {
    let mut sum = vec![0f64; dim];
    for vector in vectors {
        for (s, v) in sum.iter_mut().zip(vector) {
            *s += f64::from(*v);
        }
    }
    sum.into_iter().map(|s| s as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_due_after_its_days_and_where_the_last_one_is_of_a_time_to_come() {
        for (newest, today, due) in [
            (100.0, 100.5, false),
            (100.0, 101.0, true),
            (100.0, 103.0, true),
            // The clock was set back by half an hour, and by a year.
            (100.0, 100.0 - 0.5 / 24.0, false),
            (465.0, 100.0, true),
        ] {
            assert_eq!(is_due(newest, today, 1.0), due, "{newest} {today}");
        }
    }
}
