//! Whether a run may go live: its answers against those of another, on the test questions of its snapshot.

use super::Evaluations;
use super::controls::{choices_alone, told};
use super::gate_general::{Measures, check_given, not_compared};
use super::outcomes::outcomes;
use super::scorers::{EMBEDDING, PRIMARY};
use super::texts::Texts;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::training::{FrozenItem, Training};
use crate::workspace::{DEFAULT_SEED, Result, Silent, Watcher, tell};
use lexforge_domain::api::{EvaluationView, GateAgainst, GateRequest, ModelKind, Stage};
use lexforge_domain::dataset::{Dataset, ReviewPolicy};
use lexforge_domain::gate::{Characteristic, GateDecision, GatePolicy, ItemOutcome, Outcomes};
use lexforge_domain::qca::Split;
use lexforge_domain::{Code, DatasetId, Failure, Remedy, RunId};
use lexforge_evaluate::gate::{Assumption, Evidence, Paired, assumed, characteristic, decide};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The setting that holds the workspace's rule.
const POLICY: &str = "gate.policy";
/// Simulated pairs of models behind a characteristic.
pub(super) const SIMULATIONS: usize = 2_000;

/// The system that the candidate is compared with.
struct Reference {
    outcomes: Outcomes,
    words: String,
    run: Option<RunId>,
    /// The snapshot that the run was trained on, if it is not the one that is measured on.
    other_snapshot: Option<DatasetId>,
}

impl Evaluations<'_> {
    /// The workspace's own rule, or the usual rule if the workspace has none.
    ///
    /// # Errors
    /// When the workspace or its rule cannot be read: the usual rule is not used instead, because it may be milder.
    pub fn gate_policy(&self) -> Result<GatePolicy> {
        let kept = self.workspace.store.read(|r| r.setting(POLICY))?;
        kept.map_or_else(|| Ok(GatePolicy::default()), |text| policy_of(&text))
    }

    /// Stores a rule as the workspace's own. From then on every activation has to pass it.
    ///
    /// # Errors
    /// When a figure of the rule makes no sense, or the workspace cannot be written.
    pub fn keep_gate_policy(&self, policy: &GatePolicy) -> Result<()> {
        check(policy)?;
        let text = serde_json::json!(policy).to_string();
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.set_setting(POLICY, &text))?;
        Ok(())
    }

    /// Decides whether a run may become active. A run without an evaluation is evaluated first. The run is compared
    /// with another model on the same questions. Questions that the other model has not answered yet are asked now.
    ///
    /// # Errors
    /// When the run has not finished or its model is missing. Also when the two models cannot be compared, because
    /// they were measured with different scorers or have no question in common.
    pub fn gate(&self, request: &GateRequest, watcher: &dyn Watcher) -> Result<GateDecision> {
        self.decided(request, Measures::All, watcher)
    }

    /// The gate's decision. A rule that demands more than is known or measured now cannot decide.
    pub(super) fn decided(
        &self,
        request: &GateRequest,
        measures: Measures,
        watcher: &dyn Watcher,
    ) -> Result<GateDecision> {
        let policy = match &request.policy {
            Some(policy) => policy.clone(),
            None => self.gate_policy()?,
        };
        check(&policy)?;
        if policy.general_floor.is_some() {
            check_given(&request.general)?;
        }
        let (view, candidate) = self.candidate(request.run, watcher)?;
        let dataset = &view.dataset;
        let reference = self.reference(request, &view, &candidate, watcher)?;
        let (old, new) = in_common(&reference.outcomes.items, &candidate.items);
        let paired = Paired::new(&old, &new)?;
        let general = match policy.general_floor {
            Some(_) => self.general_of(request, &view.hashes, policy.level, measures, watcher)?,
            None => None,
        };
        let attacks = match policy.attack_floor {
            Some(_) if measures != Measures::Nothing => {
                let (scorer, level) = (&candidate.scorer, policy.level);
                self.under_attack(request.run, dataset.id, scorer, level, watcher)?
            }
            _ => None,
        };
        let exports = Training::of(self.workspace).exports(request.run)?;
        let evidence = Evidence {
            unit: dataset.clusters_by().tag().to_owned(),
            shortcuts: choices_alone(&view),
            unreviewed: dataset.policy == ReviewPolicy::UnreviewedAutomatic,
            leaks: dataset.leak_check.leaks.len() as u32,
            general: general.as_ref().map(|general| general.change),
            attacks,
            export_proved: exports.iter().any(|e| e.result.parity.is_some()),
            same_model: reference.outcomes.base == candidate.base
                && reference.outcomes.adapter == candidate.adapter,
            other_snapshot: reference.other_snapshot,
        };
        tell(watcher, Stage::Evaluate, "gate", 0, 1);
        let decided = decide(&paired, &policy, &evidence);
        let characteristic = self.characteristic(&paired, &old, &policy);
        tell(watcher, Stage::Evaluate, "gate", 1, 1);
        Ok(GateDecision {
            run: request.run,
            verdict: decided.verdict,
            reasons: decided.reasons.into_iter().map(told).collect(),
            against: reference.words,
            against_run: reference.run,
            dataset: dataset.id,
            dataset_hash: dataset.hash.clone(),
            adapter: view.hashes.adapter.clone(),
            scorer: candidate.scorer,
            unit: dataset.clusters_by().tag().to_owned(),
            questions: paired.questions() as u32,
            anchors: paired.anchors() as u32,
            needed: decided.needed,
            figures: decided.figures,
            characteristic,
            seeds: self.seeds_of(request.run, &view)?,
            general: general.map(|general| general.measured),
            policy,
        })
    }

    /// The gate's decision on a run by the workspace's rule. The run is compared with the active model, from stored
    /// answers only. `None` if a model would have to be run first. For general language the last measured figures are
    /// used.
    pub fn gate_of_kept(&self, run: RunId) -> Result<Option<GateDecision>> {
        let request = GateRequest {
            run,
            against: GateAgainst::Active,
            policy: None,
            general: Vec::new(),
        };
        let Some(view) = self.evaluation(run)? else {
            return Ok(None);
        };
        if self.kept_of(&view, Some(&view.hashes.adapter))?.is_none() {
            return Ok(None);
        }
        if let Some(other) = self.compared_run(&request)?
            && self.kept_answers(other, &view)?.is_none()
        {
            return Ok(None);
        }
        self.decided(&request, Measures::Nothing, &Silent).map(Some)
    }

    /// The run that a run is compared with; none = its base.
    fn compared_run(&self, request: &GateRequest) -> Result<Option<RunId>> {
        Ok(match request.against {
            GateAgainst::Base => None,
            GateAgainst::Run(run) => Some(run),
            GateAgainst::Active => {
                let row = Runs::of(self.workspace).run(request.run)?;
                let kind = ModelKind::of(&row);
                let active = self.workspace.store.read(|r| r.newest_deployment(kind))?;
                active.and_then(|active| active.run)
            }
        })
    }

    /// What another run answered to the test questions of an evaluation, where it is kept.
    pub(super) fn kept_answers(
        &self,
        run: RunId,
        view: &EvaluationView,
    ) -> Result<Option<Outcomes>> {
        let job = train_job(&Runs::of(self.workspace).bundle(run)?)?;
        let adapter = Runs::of(self.workspace).train_result(run)?.adapter_sha256;
        Ok(self.workspace.store.read(|r| {
            r.outcomes(
                view.dataset.id,
                &view.evaluation.scorer,
                &job.model.sha256,
                Some(adapter.as_ref()),
            )
        })?)
    }

    /// It is computed from the two compared models or, if they hardly differ, from the usual assumption.
    fn characteristic(
        &self,
        paired: &Paired,
        items: &[ItemOutcome],
        policy: &GatePolicy,
    ) -> Characteristic {
        if paired.discordant() > 0.0 {
            return characteristic(paired, policy, SIMULATIONS, DEFAULT_SEED);
        }
        assumed(
            &sizes(items.iter().map(|i| i.cluster)),
            Assumption::default(),
            policy,
            SIMULATIONS,
            DEFAULT_SEED,
        )
    }

    /// The evaluation of a run, with its answers. The run is evaluated now if it was not evaluated before, or if an
    /// earlier version evaluated it without keeping the answers.
    fn candidate(&self, run: RunId, watcher: &dyn Watcher) -> Result<(EvaluationView, Outcomes)> {
        if let Some(view) = self.evaluation(run)?
            && let Some(kept) = self.kept_of(&view, Some(&view.hashes.adapter))?
        {
            return Ok((view, kept));
        }
        let view = self.evaluate(run, watcher)?;
        let kept = self
            .kept_of(&view, Some(&view.hashes.adapter))?
            .ok_or_else(|| not_compared("its answers were not kept"))?;
        Ok((view, kept))
    }

    fn kept_of(&self, view: &EvaluationView, adapter: Option<&str>) -> Result<Option<Outcomes>> {
        Ok(self.workspace.store.read(|r| {
            r.outcomes(
                view.dataset.id,
                &view.evaluation.scorer,
                &view.hashes.base,
                adapter,
            )
        })?)
    }

    fn reference(
        &self,
        request: &GateRequest,
        view: &EvaluationView,
        candidate: &Outcomes,
        watcher: &dyn Watcher,
    ) -> Result<Reference> {
        let Some(run) = self.compared_run(request)? else {
            return Ok(Reference {
                outcomes: self
                    .kept_of(view, None)?
                    .ok_or_else(|| not_compared("the answers of the base were not kept"))?,
                words: format!("base {}", view.evaluation.base),
                run: None,
                other_snapshot: None,
            });
        };
        let row = Runs::of(self.workspace).run(run)?;
        let dataset = &view.dataset;
        let kept = self.kept_answers(run, view)?;
        let outcomes = match kept {
            Some(kept) => kept,
            None => self.answer_test(run, dataset, watcher)?,
        };
        if outcomes.scorer != candidate.scorer {
            return Err(not_compared(
                "the one answers by its vectors and the other by likelihood",
            ));
        }
        Ok(Reference {
            outcomes,
            words: format!("run {run}"),
            run: Some(run),
            other_snapshot: row.dataset.filter(|own| *own != dataset.id),
        })
    }

    /// The answers of a run to the test questions of a snapshot, which need not be its own; they are kept.
    fn answer_test(
        &self,
        run: RunId,
        dataset: &Dataset,
        watcher: &dyn Watcher,
    ) -> Result<Outcomes> {
        let row = Runs::of(self.workspace).run(run)?;
        let job = train_job(&Runs::of(self.workspace).bundle(run)?)?;
        let adapter = Runs::of(self.workspace).adapter_dir(run)?;
        let base = BaseModel {
            sha256: job.model.sha256.clone(),
            ..Models::of(self.workspace).base(Some(&row.base))?
        };
        let readable = Training::of(self.workspace).readable(dataset, &base)?;
        let items: Vec<FrozenItem> = readable
            .items
            .into_iter()
            .filter(|i| i.question.split == Split::Test)
            .collect();
        let (scorer, items) = if readable.model.decoder {
            let precision = job.settings.precision;
            let scores = self.score_choices(&base, Some(&adapter), precision, &items, watcher)?;
            (PRIMARY, scores.outcomes())
        } else {
            let texts = Texts::of(&items, &HashMap::new());
            let vectors = Models::of(self.workspace)
                .embed_texts(
                    &base,
                    Some(&adapter),
                    &texts.strs(),
                    Stage::Evaluate,
                    watcher,
                )?
                .0;
            (EMBEDDING, outcomes(&texts.score(&items, &vectors)))
        };
        let result = Runs::of(self.workspace).train_result(run)?;
        let answers = Outcomes {
            scorer: scorer.to_owned(),
            base: base.sha256.clone(),
            adapter: Some(result.adapter_sha256.to_string()),
            items,
        };
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.put_outcomes(dataset.id, &answers)
        })?;
        Ok(answers)
    }
}

fn policy_of(kept: &str) -> Result<GatePolicy> {
    serde_json::from_str(kept).map_err(|error| {
        Failure::new(
            Code::WorkspaceInvalid,
            format!("The rule of the gate that was kept cannot be read: {error}."),
            Remedy::VerifyAudit,
        )
    })
}

/// How many questions each cluster has.
pub(super) fn sizes(clusters: impl Iterator<Item = i64>) -> Vec<usize> {
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for cluster in clusters {
        *sizes.entry(cluster).or_default() += 1;
    }
    sizes.into_values().collect()
}

/// The questions that both answered, in the candidate's order.
fn in_common(
    reference: &[ItemOutcome],
    candidate: &[ItemOutcome],
) -> (Vec<ItemOutcome>, Vec<ItemOutcome>) {
    let of_reference: HashMap<_, &ItemOutcome> = reference.iter().map(|i| (i.id, i)).collect();
    let mut seen = HashSet::new();
    candidate
        .iter()
        .filter(|item| seen.insert(item.id))
        .filter_map(|item| Some((**of_reference.get(&item.id)?, *item)))
        .unzip()
}

/// A rule that nothing can be decided by is refused.
pub(super) fn check(policy: &GatePolicy) -> Result<()> {
    let wrong = if policy.measures.is_empty() {
        Some("it names no measure")
    } else if policy
        .measures
        .iter()
        .any(|m| !(m.margin > 0.0 && m.margin < 1.0))
    {
        Some("a margin must be greater than 0 and less than 100 points")
    } else if !(policy.level > 0.5 && policy.level < 1.0) {
        Some("the level must lie between .5 and 1")
    } else if !(0.0..=1.0).contains(&policy.shortcut) {
        Some("what a control may exceed chance by must lie between 0 and 100 points")
    } else if policy
        .attack_floor
        .is_some_and(|floor| !(floor > 0.0 && floor < 1.0))
    {
        Some("what may be lost under attack must be greater than 0 and less than 100 points")
    } else if policy
        .general_floor
        .is_some_and(|floor| !(0.0..1.0).contains(&floor))
    {
        // It is a correlation. In points it would never stop anything.
        Some("what may be lost of general language must lie between 0 and 1, as a correlation")
    } else {
        None
    };
    match wrong {
        None => Ok(()),
        Some(why) => Err(Failure::invalid(
            format!("The rule of the gate cannot hold: {why}."),
            "Change the rule: a usual one has margins of 2 points at level .95.",
        )),
    }
}

#[cfg(test)]
mod tests;
