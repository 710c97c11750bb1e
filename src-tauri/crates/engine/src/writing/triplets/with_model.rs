//! Triplets that a language model behind an endpoint writes. The model is asked in the same way as for questions: with
//! consent, and with a record in the ledger. So making triplets can stop at any moment and continue later.

use super::offline::placed;
use crate::asking::{
    Agreed, AskRequest, Asking, Judged, StoredAnswers, Target, agreed, plan_of, reasks,
};
use crate::corpus::Corpus;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled};
use crate::writing::Writing;
use crate::writing::anchors::{LoneRules, Material};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::{
    AnswerText, PROMPTS_A_SENTENCE, Planned, TripletPrompter, TripletStanding, WrittenTriplet,
};
use lexforge_domain::api::{
    NewTriplet, TripletMaker, TripletOrigin, TripletReport, TripletsRequest,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_graph::SentenceNode;
use lexforge_graph::split::split_by;
use std::collections::{BTreeMap, HashSet};

/// How a positive in the other language is named in its origin.
pub(super) const TRANSLATION: &str = "translation";

/// The sentences from which triplets are to be made, and who is asked.
struct Wanted {
    rules: LoneRules,
    material: Material,
    prompter: TripletPrompter,
    target: Target,
}

impl Writing<'_> {
    /// The prompts that making triplets could send at most, and the host they would go to. This function itself sends
    /// nothing.
    ///
    /// # Errors
    /// When there is no such endpoint or model.
    pub fn plan_triplets(
        &self,
        ask: &AskRequest,
        request: &TripletsRequest,
        watcher: &dyn Watcher,
    ) -> Result<AskPlan> {
        let wanted = self.wanted(ask, request)?;
        self.at_most(&wanted, ask, watcher)
    }

    /// Makes triplets with the model behind an endpoint, which also judges them. They replace the earlier triplets of
    /// this kind. Prompts that got no answer are left for the next time.
    ///
    /// # Errors
    /// [`Code::ConsentMissing`](lexforge_domain::Code::ConsentMissing) where prompts would leave this machine and the
    /// request carries no consent to exactly these prompts. The endpoint's failure: every answer that had arrived is
    /// kept, and the same request continues from there.
    pub fn make_triplets_with(
        &self,
        ask: &AskRequest,
        request: &TripletsRequest,
        watcher: &dyn Watcher,
    ) -> Result<TripletReport> {
        let wanted = self.wanted(ask, request)?;
        let plan = self.at_most(&wanted, ask, watcher)?;
        let consent = agreed(&plan, ask.consent.as_ref())?;
        let mut asked: HashSet<PromptKey> = HashSet::new();
        let mut left = ask.limit;
        loop {
            let mut open = self.open(&wanted, watcher)?;
            open.retain(|planned| !asked.contains(&planned.key));
            open.truncate(left.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)));
            if open.is_empty() {
                break;
            }
            left = left.map(|n| n.saturating_sub(open.len() as u64));
            asked.extend(open.iter().map(|planned| planned.key));
            self.ask_open_triplets(&wanted, &open, &consent, watcher)?;
        }
        self.keep_written(&wanted, request)
    }

    fn wanted(&self, ask: &AskRequest, request: &TripletsRequest) -> Result<Wanted> {
        let target = Asking::of(self.workspace).asked_target(ask)?;
        let writer = self.prompt_writer(&target, ask)?;
        let prompter = TripletPrompter {
            writer: lexforge_augment::PromptWriter {
                reasks: reasks(ask.reasks),
                ..writer
            },
            shifts: super::chosen(request)?,
            translated: request.translated,
        };
        Ok(Wanted {
            rules: LoneRules::of(self.workspace)?,
            material: Material::load(self.workspace)?,
            prompter,
            target,
        })
    }

    /// What all of it would send at most: later prompts are about the same sentences.
    fn at_most(&self, wanted: &Wanted, ask: &AskRequest, watcher: &dyn Watcher) -> Result<AskPlan> {
        let open = self.open(wanted, watcher)?;
        let all: Vec<&Planned> = open.iter().collect();
        let mut plan = plan_of(self.workspace, &wanted.target, &all, 0)?;
        let most = plan.prompts * PROMPTS_A_SENTENCE;
        plan.prompts = ask.limit.map_or(most, |limit| limit.min(most));
        plan.characters *= PROMPTS_A_SENTENCE;
        plan.at_most = true;
        Ok(plan)
    }

    /// The prompts that are to be asked next.
    fn open(&self, wanted: &Wanted, watcher: &dyn Watcher) -> Result<Vec<Planned>> {
        let answers = StoredAnswers::of(self.workspace);
        let (mut open, mut seen) = (Vec::new(), HashSet::new());
        for (n, node) in wanted.rules.nodes.iter().enumerate() {
            if n.is_multiple_of(64) && watcher.cancelled() {
                return Err(cancelled("Every answer that had arrived is kept."));
            }
            if let TripletStanding::Open(planned) = wanted.standing(node, &answers) {
                open.extend(planned.into_iter().filter(|p| seen.insert(p.key)));
            }
        }
        answers.all_read()?;
        Ok(open)
    }

    fn ask_open_triplets(
        &self,
        wanted: &Wanted,
        open: &[Planned],
        consent: &Consent,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let all: Vec<&Planned> = open.iter().collect();
        let plan = plan_of(self.workspace, &wanted.target, &all, 0)?;
        let writer = &wanted.prompter.writer;
        let made = serde_json::json!({
            "identity": writer.identity,
            "model": writer.model,
            "wordings": writer.wordings.own_hashes(),
            "translated": wanted.prompter.translated,
            "shifts": wanted.prompter.shifts.iter().map(|s| &s.tag).collect::<Vec<_>>(),
        });
        let agreed = Agreed {
            purpose: "triplets",
            plan: &plan,
            consent,
            made: ("triplets", made),
        };
        let judged = |_: usize, _: &AnswerText| -> Judged { (1, BTreeMap::new()) };
        let prompts = open.iter().map(|p| (p.key, p.prompt.clone())).collect();
        Corpus::of(self.workspace).note_standing("triplets")?;
        let asking = Asking::of(self.workspace);
        asking.ask_agreed(&wanted.target, &agreed, prompts, &judged, watcher)?;
        Ok(())
    }

    /// Makes triplets of the answers that are there.
    fn keep_written(&self, wanted: &Wanted, request: &TripletsRequest) -> Result<TripletReport> {
        let answers = StoredAnswers::of(self.workspace);
        let rules = &wanted.rules;
        let plan = split_by(&rules.nodes, |_| 1, request.seed.unwrap_or(DEFAULT_SEED));
        let mut report = TripletReport {
            source: wanted.target.endpoint.model.clone(),
            looked_at: rules.nodes.len() as u64 + rules.to_a_model,
            unit: plan.unit.to_owned(),
            ..TripletReport::default()
        };
        report.skip("speaks_to_model", rules.to_a_model);
        let mut made = Vec::new();
        for node in &rules.nodes {
            let Some(split) = plan.of.get(&node.id).copied() else {
                report.skip("repeated_elsewhere", 1);
                continue;
            };
            let written = match wanted.standing(node, &answers) {
                TripletStanding::Open(_) => {
                    report.skip("not_answered", 1);
                    continue;
                }
                TripletStanding::Settled(written) => written,
            };
            if written.is_empty() {
                report.skip("no_shift", 1);
            }
            for one in written {
                match &one.reason {
                    Some(reason) => *report.turned_down.entry(reason.clone()).or_default() += 1,
                    None => {
                        report.kept += 1;
                        *report.by_shift.entry(one.shift.clone()).or_default() += 1;
                        *report.by_split.entry(split.tag().to_owned()).or_default() += 1;
                    }
                }
                made.push(NewTriplet {
                    split,
                    ..triplet(one, node, wanted)
                });
            }
        }
        answers.all_read()?;
        for triplet in &mut made {
            placed(triplet, &plan);
        }
        // If nothing of a model could be used, the existing triplets stay.
        if report.kept > 0 {
            self.workspace.store.write(&self.workspace.actor, |w| {
                w.replace_triplets(TripletMaker::Endpoint, &made)
            })?;
        }
        Ok(report)
    }
}

impl Wanted {
    fn standing(&self, node: &SentenceNode, stored: &StoredAnswers<'_>) -> TripletStanding {
        let answers = |key: &PromptKey| stored.get(key);
        let language = self.material.language(node);
        self.prompter
            .standing(node.id, &node.text, language, &answers)
    }
}

fn triplet(one: WrittenTriplet, node: &SentenceNode, wanted: &Wanted) -> NewTriplet {
    let model = &wanted.target.endpoint.model;
    let scores: Vec<String> = one.scores.iter().map(f64::to_string).collect();
    let language = wanted.material.language(node);
    let translated = wanted.prompter.translates(language);
    let how = translated.then(|| TRANSLATION.to_owned());
    let note = [scores.join(", "), one.note].join(" ").trim().to_owned();
    NewTriplet {
        sentence: Some(node.id),
        language,
        source: node.text.clone(),
        positive: one.positive,
        negative: one.negative,
        shift: one.shift,
        origin: TripletOrigin {
            by: TripletMaker::Endpoint,
            negative: model.clone(),
            removed: String::new(),
            added: String::new(),
            positive: [Some(model.clone()), how].into_iter().flatten().collect(),
            note,
        },
        margin: None,
        split: lexforge_domain::qca::Split::Train,
        group: node.id.0,
        cluster: node.id.0,
        reason: one.reason,
    }
}
