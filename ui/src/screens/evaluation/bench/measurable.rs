//! The systems that can be measured, the user's choice of them, and the result of the last measurement.

use super::material::{self, compares, takes};
use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::screens::evaluation::place::EvaluationTab;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{
    BenchAsked, BenchChoice, BenchChoices, BenchJudging, BenchOn, ExamSample, GeneralPairs,
    KeptBench, KeptOutcome,
};
use lexforge_domain::endpoint::Consent;
use std::collections::BTreeSet;

/// The kind of job that measures.
pub const BENCH: &str = "bench";
/// The seed of the draw of an exam's questions, as on the command line.
const SEED: u64 = 42;

/// What can be measured, and the last table.
#[derive(Clone, Copy)]
pub struct Measurable {
    /// Systems and snapshot.
    pub choices: Fetched<BenchChoices>,
    /// The last table; none inside = nothing was measured yet.
    pub last: Fetched<Option<KeptBench>>,
    /// The systems that are ticked, in their order.
    pub ticked: Memo<Vec<String>>,
    /// The system that the others are compared with.
    pub baseline: Memo<Option<String>>,
    /// The encoder of BERTScore.
    pub encoder: Memo<Option<String>>,
    /// What systems are measured on.
    pub on: Memo<BenchOn>,
    /// The pairs of general language that are measured beside test questions.
    pub general: Memo<Option<GeneralPairs>>,
    /// The last table on what is no snapshot's test questions; none inside = nothing was measured on it yet.
    pub outcome: Fetched<Option<KeptOutcome>>,
    /// There is something to measure on.
    pub ready: Memo<bool>,
}

/// Follows the workspace. Systems are looked for once the bench is shown: base models have to be looked at.
pub fn measurable() -> Measurable {
    let app = use_app();
    let place = app.evaluation;
    let choices = Fetched::<BenchChoices>::default();
    let last = Fetched::<Option<KeptBench>>::default();
    let shown = Memo::new(move |_| place.tab.get() == EvaluationTab::Bench);
    Effect::new(move |_| {
        app.changes.track();
        last.refresh(call(commands::LastBench {}));
        if shown.get() {
            choices.refresh(call(commands::BenchSystems {}));
        }
    });
    let on = Memo::new(move |_| {
        let chosen = place.on.get();
        choices.value.with(|choices| {
            let choices = choices.as_ref();
            choices.map_or_else(BenchOn::default, |c| material::chosen(c, chosen.as_ref()))
        })
    });
    let outcome = Fetched::<Option<KeptOutcome>>::default();
    Effect::new(move |before: Option<BenchOn>| {
        app.changes.track();
        let now = on.get();
        // A table on something else is not shown while this one is read.
        if before.as_ref() != Some(&now) {
            outcome.forget();
        }
        if shown.get() && now != BenchOn::Questions {
            outcome.refresh(call(commands::LastBenchOn { on: now.clone() }));
        }
        now
    });
    let ticked = Memo::new(move |_| {
        let (chosen, on) = (place.ticked.get(), on.get());
        choices.value.with(|choices| {
            let choices = choices.as_ref();
            choices.map_or_else(Vec::new, |c| ticked(c, &on, chosen.as_ref()))
        })
    });
    let baseline = Memo::new(move |_| {
        let (ticked, chosen) = (ticked.get(), place.baseline.get());
        last.value.with(|last| {
            let before = last
                .as_ref()
                .and_then(Option::as_ref)
                .and_then(|last| last.table.baseline.as_deref());
            baseline(&ticked, chosen.as_deref(), before)
        })
    });
    let encoder = Memo::new(move |_| {
        let before = last.value.with(|last| {
            let last = last.as_ref().and_then(Option::as_ref);
            last.and_then(|last| last.encoder.clone())
        });
        place.encoder.get().unwrap_or(before)
    });
    let general = Memo::new(move |_| match place.general.get() {
        Some(file) => file.map(|path| GeneralPairs::File { path }),
        None => last.value.with(|last| {
            let last = last.as_ref().and_then(Option::as_ref)?;
            last.general.as_ref().map(|_| GeneralPairs::Kept)
        }),
    });
    let ready = Memo::new(move |_| {
        choices.value.with(|choices| {
            let choices = choices.as_ref();
            choices.is_some_and(|c| !material::offered(c).is_empty())
        })
    });
    Measurable {
        choices,
        last,
        ticked,
        baseline,
        encoder,
        on,
        general,
        outcome,
        ready,
    }
}

impl Measurable {
    /// How many systems the last table has.
    pub fn count(self) -> Signal<Option<u64>> {
        Signal::derive(move || {
            self.last.value.with(|last| {
                let rows = &last.as_ref()?.as_ref()?.table.systems;
                let systems: BTreeSet<&str> = rows.iter().map(|row| row.system.as_str()).collect();
                Some(systems.len() as u64)
            })
        })
    }

    /// Ticks a system, or takes its tick away.
    pub fn tick(self, app: App, system: &str, on: bool) {
        let before = app.evaluation.ticked.get_untracked();
        let mut systems = self.choices.value.with_untracked(|choices| {
            let choices = choices.as_ref();
            choices.map_or_else(BTreeSet::new, |c| kept_ticks(c, before.as_ref()))
        });
        if on {
            systems.insert(system.to_owned());
        } else {
            systems.remove(system);
        }
        app.evaluation.ticked.set(Some(systems));
    }

    /// The bench of the ticked systems. Earlier measurements and a judge's opinion of them are used again. `agreed` is
    /// a person's consent to what is sent to endpoints.
    pub fn asked(self, app: App, agreed: Vec<Consent>) -> BenchAsked {
        let (on, place) = (self.on.get_untracked(), app.evaluation);
        let bare = BenchAsked {
            on: on.clone(),
            systems: self.ticked.get_untracked(),
            baseline: self.baseline.get_untracked().filter(|_| compares(&on)),
            agreed,
            ..BenchAsked::default()
        };
        if on == BenchOn::Questions {
            return BenchAsked {
                by_recipe: place.by_recipe.get_untracked(),
                general: self.general.get_untracked(),
                encoder: self.encoder.get_untracked(),
                judging: self.with_last(said_before).flatten(),
                ..bare
            };
        }
        let drawn = self.choices.value.with_untracked(|choices| {
            let choices = choices.as_ref();
            choices.is_some_and(|choices| material::drawn_from(choices, &on))
        });
        let each = place.each.get_untracked().filter(|_| drawn);
        BenchAsked {
            sample: each.map(|each| ExamSample { each, seed: SEED }),
            ..bare
        }
    }

    /// Measures the ticked systems.
    pub fn measure(self, app: App, agreed: Vec<Consent>) {
        let asked = self.asked(app, agreed);
        app.attempt(call(commands::MeasureBench { asked }), |_| ());
    }

    /// Makes the last table again, with the encoder that is chosen now. If `judging` is given, that judge is asked as
    /// well.
    pub fn again(self, app: App, judging: Option<BenchJudging>) {
        let Some((systems, baseline)) = self.with_last(asked_for) else {
            return;
        };
        let pairs = |last: &KeptBench| last.general.as_ref().map(|_| GeneralPairs::Kept);
        // Only earlier answers of an endpoint are used; it is not asked here.
        let asked = BenchAsked {
            systems,
            baseline,
            general: self.with_last(pairs).flatten(),
            encoder: self.encoder.get_untracked(),
            judging: judging.or_else(|| self.with_last(said_before).flatten()),
            ..BenchAsked::default()
        };
        app.attempt(call(commands::MeasureBench { asked }), |_| ());
    }

    /// What an endpoint would be sent if it judged the texts that the systems of the last table wrote. `None` if there
    /// is no table.
    pub fn plan_of(self, endpoint: String) -> Option<commands::PlanBenchJudging> {
        let (systems, baseline) = self.with_last(asked_for)?;
        Some(commands::PlanBenchJudging {
            systems,
            baseline,
            endpoint,
        })
    }

    fn with_last<T>(self, of: impl FnOnce(&KeptBench) -> T) -> Option<T> {
        let last = self.last.value;
        last.with_untracked(|last| last.as_ref().and_then(Option::as_ref).map(of))
    }
}

/// The systems and the baseline of a table, those that could not be measured among them.
fn asked_for(last: &KeptBench) -> (Vec<String>, Option<String>) {
    let mut systems = last.asked.clone();
    if systems.is_empty() {
        let rows = last.table.systems.iter().map(|row| row.system.clone());
        systems = rows.collect();
        // A decoder has a line for each scorer.
        systems.dedup();
    }
    (systems, last.table.baseline.clone())
}

/// The judge of a table. Its earlier replies are used again, and it is not asked.
fn said_before(last: &KeptBench) -> Option<BenchJudging> {
    let of_table = || {
        last.table
            .judge
            .as_ref()
            .map(|judge| judge.endpoint.clone())
    };
    Some(BenchJudging {
        endpoint: last.judge.clone().or_else(of_table)?,
        ..BenchJudging::default()
    })
}

/// The ticked systems: the chosen systems that still exist, or the usual ones if nobody has chosen. Systems that cannot
/// be measured on the chosen material are left out.
fn ticked(choices: &BenchChoices, on: &BenchOn, chosen: Option<&BTreeSet<String>>) -> Vec<String> {
    let ticked = wanted(choices, chosen).filter(|choice| takes(choices, on, choice));
    ticked.map(|choice| choice.system.clone()).collect()
}

/// All ticks, with those of systems that cannot be measured on what is shown now: they stand again where they can.
fn kept_ticks(choices: &BenchChoices, chosen: Option<&BTreeSet<String>>) -> BTreeSet<String> {
    let wanted = wanted(choices, chosen);
    wanted.map(|choice| choice.system.clone()).collect()
}

/// The chosen systems that still exist, or the usual ones if nobody has chosen.
fn wanted<'a>(
    choices: &'a BenchChoices,
    chosen: Option<&'a BTreeSet<String>>,
) -> impl Iterator<Item = &'a BenchChoice> {
    choices.systems.iter().filter(move |choice| match chosen {
        Some(chosen) => chosen.contains(&choice.system),
        None => choice.usual,
    })
}

/// The baseline among the ticked systems. It is the first of these that is ticked: the chosen system, the baseline of
/// the last table, the first base model that was not tuned, the first system.
fn baseline(ticked: &[String], chosen: Option<&str>, before: Option<&str>) -> Option<String> {
    let there = |name: &&str| ticked.iter().any(|system| system == name);
    let first_base = || ticked.iter().find(|system| system.starts_with("base "));
    chosen
        .filter(there)
        .or(before.filter(there))
        .map(str::to_owned)
        .or_else(|| first_base().or(ticked.first()).cloned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
