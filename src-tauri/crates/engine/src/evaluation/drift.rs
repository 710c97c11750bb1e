//! Drift: what is new is sampled, and compared with what was there before.

use super::Evaluations;
use super::panel::{evenly, fingerprint, panel_state};
use super::texts::dot;
use crate::graph::Graph;
use crate::models::{BaseModel, DEFAULT_ENCODER, Models, inspect, suits_minilm};
use crate::runs::{Runs, train_job};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, now};
use lexforge_domain::api::{ModelKind, Stage, TermFilter};
use lexforge_domain::drift::{
    DriftAround, DriftMover, DriftReport, DriftRule, DriftSample, DriftSeries, DriftState,
    DriftTest, DriftUnit, PanelReading, PanelState,
};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_evaluate::drift::{Plan, Unit, direction, look};
use lexforge_graph::Matrix;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Sentences of a document that stand for it.
const OF_DOCUMENT: usize = 64;
/// Texts of the fixed panel.
const PANEL: usize = 32;
/// Shorter sentences say too little.
const LEAST_CHARACTERS: usize = 20;
/// What moved most is shown by so many texts.
const MOVERS: usize = 10;
/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Days of the article's rule.
const MONTH: f64 = 30.0;

/// How drift is looked for.
#[derive(Clone, Copy, Debug)]
pub struct DriftRequest {
    /// When an alarm is raised.
    pub rule: DriftRule,
    /// Days that count as recent; under the article's rule these are 30.
    pub window_days: f64,
    /// Days from one look to the next.
    pub every_days: f64,
}

impl Default for DriftRequest {
    fn default() -> Self {
        Self {
            rule: DriftRule::default(),
            window_days: 7.0,
            every_days: 1.0,
        }
    }
}

/// What makes the vectors.
struct Watching {
    base: BaseModel,
    adapter: Option<PathBuf>,
    label: String,
}

impl Watching {
    /// Whether it was made for this language; of a tuned model of the user's own that is the user's business.
    fn reads(&self, language: Language) -> bool {
        self.base.name != DEFAULT_ENCODER || suits_minilm(language)
    }
}

/// Texts that are to be embedded, and what they belong to.
struct NewUnit {
    unit: DriftUnit,
    texts: Vec<String>,
}

impl Evaluations<'_> {
    /// Whether samples were taken here: an import then takes the next.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn is_watched(&self) -> Result<bool> {
        Ok(self.workspace.store.read(|r| r.has_drift_samples())?)
    }

    /// Take a sample of what is new since the last: documents, questions that were asked, and the fixed panel.
    ///
    /// # Errors
    /// When there is no document that the encoder reads, or worker or model is missing.
    pub fn sample_drift(&self, watcher: &dyn Watcher) -> Result<DriftSample> {
        let watching = self.watching()?;
        let before = self
            .workspace
            .store
            .read(|r| r.drift_samples(&watching.label))?;
        let known: HashSet<&str> = before
            .iter()
            .flat_map(|s| s.units.iter().map(|u| u.key.as_str()))
            .collect();
        let new = self.new_units(&watching, &known)?;
        let panel: Vec<String> = match before.iter().find_map(|s| s.panel.as_ref()) {
            Some(panel) => panel.texts.clone(),
            None => panel_of(&new),
        };
        if panel.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is no document that the encoder reads, so there is nothing to watch.",
                Remedy::ImportDocument,
            ));
        }
        let texts: Vec<&str> = panel
            .iter()
            .chain(new.iter().flat_map(|n| &n.texts))
            .map(String::as_str)
            .collect();
        let vectors = self.embedded(&watching, &texts, watcher)?;
        let mut at = panel.len();
        let units = new
            .into_iter()
            .map(|n| {
                let rows = at..at + n.texts.len();
                at = rows.end;
                DriftUnit {
                    n: n.texts.len() as u32,
                    sum: sum(&vectors, rows),
                    ..n.unit
                }
            })
            .collect();
        let sample = DriftSample {
            made: now(),
            encoder: watching.label,
            panel: Some(PanelReading {
                vectors: fingerprint(&vectors, panel.len()),
                texts: panel,
            }),
            units,
        };
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.put_drift_sample(&sample))?;
        Ok(sample)
    }

    /// Take a sample, and say what moved.
    ///
    /// # Errors
    /// As [`Evaluations::sample_drift`].
    pub fn drift(&self, request: &DriftRequest, watcher: &dyn Watcher) -> Result<DriftReport> {
        let sample = self.sample_drift(watcher)?;
        let samples = self
            .workspace
            .store
            .read(|r| r.drift_samples(&sample.encoder))?;
        let today = day(&sample.made);
        let window_days = match request.rule {
            DriftRule::Article => MONTH,
            DriftRule::RunLength { .. } => request.window_days,
        };
        let units: Vec<&DriftUnit> = samples.iter().flat_map(|s| &s.units).collect();
        let mut groups: BTreeMap<(DriftSeries, &str), Vec<&DriftUnit>> = BTreeMap::new();
        for unit in units {
            groups
                .entry((unit.series, unit.stratum.as_str()))
                .or_default()
                .push(unit);
        }
        let plan = Plan {
            rule: request.rule,
            window_days,
            every_days: request.every_days,
            together: groups.len(),
            seed: DEFAULT_SEED,
        };
        let mut tests = Vec::new();
        for ((series, stratum), units) in &groups {
            tests.push(self.tested(*series, stratum, units, today, &plan, watcher)?);
        }
        let panel = panel_state(&samples);
        let around = self.around(today - window_days, today)?;
        let moved = tests.iter().any(|t| t.state == DriftState::Alarm);
        let fault = matches!(panel, PanelState::Fault { .. });
        Ok(DriftReport {
            made: sample.made,
            encoder: sample.encoder,
            rule: request.rule,
            window_days,
            alarm: moved || fault,
            advice: advice(moved, fault, &around),
            panel,
            tests,
            around,
        })
    }

    fn tested(
        &self,
        series: DriftSeries,
        stratum: &str,
        units: &[&DriftUnit],
        today: f64,
        plan: &Plan,
        watcher: &dyn Watcher,
    ) -> Result<DriftTest> {
        let dim = units.first().map_or(0, |u| u.sum.len());
        let of: Vec<Unit<'_>> = units
            .iter()
            .map(|u| Unit {
                day: day(&u.at),
                n: u.n,
                sum: &u.sum,
            })
            .collect();
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
            self.movers(&keys, &way, watcher)?
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

    /// The texts of these units that lie farthest in a direction.
    fn movers(&self, keys: &[&str], way: &[f32], watcher: &dyn Watcher) -> Result<Vec<DriftMover>> {
        let watching = self.watching()?;
        let all = self.new_units(&watching, &HashSet::new())?;
        let texts: Vec<(String, &str)> = all
            .iter()
            .filter(|n| keys.contains(&n.unit.key.as_str()))
            .flat_map(|n| n.texts.iter().map(|t| (n.unit.key.clone(), t.as_str())))
            .collect();
        let plain: Vec<&str> = texts.iter().map(|(_, t)| *t).collect();
        let vectors = self.embedded(&watching, &plain, watcher)?;
        let mut movers: Vec<DriftMover> = texts
            .into_iter()
            .enumerate()
            .map(|(row, (key, text))| DriftMover {
                key,
                text: text.to_owned(),
                moved: dot(vectors.row(row), way),
            })
            .collect();
        movers.sort_by(|a, b| b.moved.total_cmp(&a.moved));
        movers.truncate(MOVERS);
        Ok(movers)
    }

    /// The active encoder; where none is active, the one that comes with Lexforge.
    fn watching(&self) -> Result<Watching> {
        let active = self
            .workspace
            .store
            .read(|r| r.newest_deployment(ModelKind::Encoder))?;
        let Some(run) = active.and_then(|d| d.run) else {
            let base = Models::of(self.workspace).base(None)?;
            let model = inspect(&base, None, &[])?;
            return Ok(Watching {
                label: format!("{} {}", base.name, short(&model.sha256)),
                base,
                adapter: None,
            });
        };
        let row = Runs::of(self.workspace).run(run)?;
        let job = train_job(&Runs::of(self.workspace).bundle(run)?)?;
        let adapter = Runs::of(self.workspace)
            .train_result(run)?
            .adapter_sha256
            .to_string();
        Ok(Watching {
            label: format!(
                "{} {} + run {run} {}",
                row.base,
                short(&job.model.sha256),
                short(&adapter)
            ),
            base: BaseModel {
                sha256: job.model.sha256,
                ..Models::of(self.workspace).base(Some(&row.base))?
            },
            adapter: Some(Runs::of(self.workspace).adapter_dir(run)?),
        })
    }

    fn embedded(
        &self,
        watching: &Watching,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Matrix> {
        if texts.is_empty() {
            return Ok(Matrix {
                rows: 0,
                dim: 0,
                data: Vec::new(),
            });
        }
        let (vectors, _) = Models::of(self.workspace).embed_texts(
            &watching.base,
            watching.adapter.as_deref(),
            texts,
            Stage::Evaluate,
            watcher,
        )?;
        Ok(vectors)
    }

    /// Documents and questions that are not known yet.
    fn new_units(&self, watching: &Watching, known: &HashSet<&str>) -> Result<Vec<NewUnit>> {
        let classes = Graph::of(self.workspace).document_classes()?;
        let store = &self.workspace.store;
        let (documents, replies) = store.read(|r| Ok((r.documents()?, r.replies()?)))?;
        let mut new = Vec::new();
        for document in documents {
            let key = format!("document {}", document.id);
            if known.contains(key.as_str()) || !watching.reads(document.language) {
                continue;
            }
            let sentences = store.read(|r| r.sentences(Some(document.id)))?;
            let texts: Vec<String> = sentences
                .into_iter()
                .map(|s| s.text)
                .filter(|t| t.chars().count() >= LEAST_CHARACTERS)
                .collect();
            let texts = evenly(&texts, OF_DOCUMENT);
            if !texts.is_empty() {
                let stratum = classes
                    .get(&document.id)
                    .cloned()
                    .unwrap_or_else(|| document.format.tag().to_owned());
                new.push(unit(
                    key,
                    DriftSeries::Sentences,
                    stratum,
                    document.imported,
                    texts,
                ));
            }
        }
        for reply in replies {
            let key = format!("answer {}", reply.id);
            if known.contains(key.as_str()) || reply.question.is_empty() {
                continue;
            }
            let texts = vec![reply.question];
            new.push(unit(
                key,
                DriftSeries::Questions,
                String::new(),
                reply.asked,
                texts,
            ));
        }
        Ok(new)
    }

    fn around(&self, since: f64, now: f64) -> Result<DriftAround> {
        let unreviewed = TermFilter {
            status: Some(ReviewStatus::Unreviewed),
            limit: 1,
            ..TermFilter::default()
        };
        let (replies, terms, builds) = self
            .workspace
            .store
            .read(|r| Ok((r.replies()?, r.terms(&unreviewed)?.total, r.graph_builds()?)))?;
        let (recent, before): (Vec<_>, Vec<_>) =
            replies.iter().partition(|r| day(&r.asked) > since);
        let refused = |of: &[&lexforge_domain::api::AnswerRow]| {
            (!of.is_empty())
                .then(|| of.iter().filter(|r| !r.found).count() as f64 / of.len() as f64)
        };
        Ok(DriftAround {
            questions: recent.len() as u32,
            refused: refused(&recent),
            refused_before: refused(&before),
            unreviewed_terms: terms,
            graph_age_days: builds.first().map(|b| (now - day(&b.created)).max(0.0)),
        })
    }
}

fn unit(
    key: String,
    series: DriftSeries,
    stratum: String,
    at: String,
    texts: Vec<String>,
) -> NewUnit {
    NewUnit {
        unit: DriftUnit {
            key,
            series,
            stratum,
            at,
            n: 0,
            sum: Vec::new(),
        },
        texts,
    }
}

fn panel_of(new: &[NewUnit]) -> Vec<String> {
    let texts: Vec<String> = new.iter().flat_map(|n| n.texts.iter().cloned()).collect();
    evenly(&texts, PANEL)
}

fn sum(vectors: &Matrix, rows: std::ops::Range<usize>) -> Vec<f32> {
    let mut sum = vec![0f64; vectors.dim];
    for row in rows {
        for (s, v) in sum.iter_mut().zip(vectors.row(row)) {
            *s += f64::from(*v);
        }
    }
    sum.into_iter().map(|s| s as f32).collect()
}

fn advice(moved: bool, fault: bool, around: &DriftAround) -> Vec<String> {
    let mut advice = Vec::new();
    if fault {
        advice.push(
            "The same texts give other vectors under the same encoder: check the model's files (models inspect), the \
             program's version and the machine before anything else."
                .to_owned(),
        );
    }
    if moved {
        advice.push(
            "Read the sentences that moved it. If they belong to the work, build the graph again, mine negatives anew, and \
             measure again whether answers hold (calibrate); if not, take the documents out."
                .to_owned(),
        );
    }
    if around.graph_age_days.is_some_and(|days| days > 91.0) {
        advice.push("The graph is older than a quarter: build it again.".to_owned());
    }
    advice
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// A time in days; what is no time is long ago.
fn day(time: &str) -> f64 {
    OffsetDateTime::parse(time, &Rfc3339).map_or(0.0, |t| t.unix_timestamp() as f64 / DAY)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn a_day_later_is_one_more() {
        assert_eq!(
            day("2026-03-02T12:00:00Z") - day("2026-03-01T12:00:00Z"),
            1.0
        );
        assert_eq!(day("never"), 0.0);
    }
}
