//! Freezing a snapshot: copied, leak-checked, hashed.

use crate::augment::split_plan;
use crate::watcher::tell;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_domain::api::{QuestionFilter, Stage};
use lexforge_domain::dataset::{Dataset, LeakReport, ReviewPolicy, SplitCounts};
use lexforge_domain::qca::{Qca, QcaLevel, Split};
use lexforge_domain::{Code, Failure, SentenceId};
use lexforge_graph::leak;
use lexforge_store::{DatasetItem, NewDataset};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

impl Engine {
    /// Freeze the questions as a snapshot. A question on the training side whose text stands, or nearly stands, on the
    /// held-out side is left out and counted. The same questions give the same snapshot again.
    ///
    /// # Errors
    /// When there are no questions, or one of the three parts is empty.
    pub fn freeze(&self, watcher: &dyn Watcher) -> Result<Dataset> {
        tell(watcher, Stage::Freeze, "", 0, 1);
        let rows = self.store.read(|r| r.questions(&QuestionFilter::default()))?.rows;
        if rows.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There are no questions to freeze.",
                "Write them first: lexforge augment WORKSPACE --offline.",
            ));
        }
        let anchors: HashMap<SentenceId, String> =
            rows.iter().map(|r| (r.question.draft.anchor_sentence, r.anchor_text.clone())).collect();
        let questions: Vec<Qca> = rows.into_iter().map(|r| r.question).collect();
        let partitions = self.stored_partitions()?;
        let plan = split_plan(partitions.iter());
        let (kept, leak_check) = without_leaks(questions, &anchors);
        let corpus_hash = self.store.read(|r| r.corpus_hash())?;

        let mut hasher = Sha256::new();
        let mut items = Vec::with_capacity(kept.len());
        for question in &kept {
            let anchor = question.draft.anchor_sentence;
            let cluster = plan.cluster_of.get(&anchor).copied().unwrap_or(anchor.0);
            let answer_group = plan.group_of.get(&anchor).copied().unwrap_or(anchor.0);
            let json = serde_json::json!({ "question": question, "cluster": cluster, "answer_group": answer_group })
                .to_string();
            // Ids are this workspace's own; the hash is of what the questions say, so that it is the same everywhere.
            let said = said(question, anchors.get(&anchor).map_or("", String::as_str));
            hasher.update((said.len() as u64).to_le_bytes());
            hasher.update(said.as_bytes());
            items.push(DatasetItem { qca: question.id, split: question.split, cluster, answer_group, json });
        }
        let [train, dev, test] = Split::ALL.map(|split| counts(&kept, split));
        for (name, part) in [("training", train), ("development", dev), ("test", test)] {
            if part.anchors == 0 {
                return Err(Failure::new(
                    Code::TooLittleData,
                    format!("The {name} part would be empty: {} questions are too few to be split.", kept.len()),
                    "Import more documents, or a longer one, and build graph and questions again.",
                ));
            }
        }
        let new = NewDataset {
            policy: ReviewPolicy::UnreviewedAutomatic,
            hash: hex::encode(hasher.finalize()),
            train,
            dev,
            test,
            split_unit: plan.unit.to_owned(),
            leak_check,
            corpus_hash,
            seed: DEFAULT_SEED,
            items,
        };
        let id = self.store.write(&self.actor, |w| w.insert_dataset(&new))?;
        tell(watcher, Stage::Freeze, "", 1, 1);
        self.dataset(id)
    }

    /// All snapshots, newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn datasets(&self) -> Result<Vec<Dataset>> {
        Ok(self.store.read(|r| r.datasets())?)
    }

    pub(crate) fn dataset(&self, id: lexforge_domain::DatasetId) -> Result<Dataset> {
        Ok(self.store.read(|r| r.dataset(id))?)
    }
}

/// A question without ids, in canonical form.
fn said(question: &Qca, anchor: &str) -> String {
    let d = &question.draft;
    serde_json::json!([
        question.split,
        d.level,
        d.question_type,
        d.question,
        d.choices,
        d.answer,
        d.rephrased,
        anchor,
        d.source
    ])
    .to_string()
}

/// Drop training and development questions that leak into a later part; say how many.
fn without_leaks(questions: Vec<Qca>, anchors: &HashMap<SentenceId, String>) -> (Vec<Qca>, LeakReport) {
    let mut kept = questions;
    let before = kept.len();
    let mut report = check(&kept, anchors);
    // One pass suffices, since dropping a question can only take texts away; the second check proves it.
    if !report.leaks.is_empty() {
        let leaking: HashSet<i64> = report.leaks.iter().map(|l| l.train.0).collect();
        kept = kept.into_iter().enumerate().filter(|(i, _)| !leaking.contains(&(*i as i64))).map(|(_, q)| q).collect();
        let compared = report.compared;
        report = check(&kept, anchors);
        report.compared = compared;
    }
    report.removed = (before - kept.len()) as u64;
    (kept, report)
}

/// Compare what training sees with what development and test ask, and development with test. Texts are known by their
/// question's place in the list.
fn check(questions: &[Qca], anchors: &HashMap<SentenceId, String>) -> LeakReport {
    let mut parts: [Vec<(SentenceId, &str, &str)>; 3] = Default::default();
    for (i, question) in questions.iter().enumerate() {
        let at = SentenceId(i as i64);
        let draft = &question.draft;
        let mut texts: Vec<(&str, &str)> = Vec::new();
        if let Some(anchor) = anchors.get(&draft.anchor_sentence) {
            texts.push((anchor, "anchor"));
        }
        if draft.level == QcaLevel::Sentence {
            // Terms recur in every part by their nature; whole sentences must not.
            texts.extend(draft.choices.iter().map(|c| (c.as_str(), "distractor")));
        }
        for (text, role) in texts {
            parts[question.split as usize].push((at, text, role));
        }
    }
    let held = |split: Split| parts[split as usize].iter().map(move |(at, text, role)| (*at, split, *text, *role));
    let mut report =
        leak::check(&parts[Split::Train as usize], &held(Split::Dev).chain(held(Split::Test)).collect::<Vec<_>>());
    let between = leak::check(&parts[Split::Dev as usize], &held(Split::Test).collect::<Vec<_>>());
    report.leaks.extend(between.leaks);
    report
}

fn counts(questions: &[Qca], split: Split) -> SplitCounts {
    let part = || questions.iter().filter(move |q| q.split == split);
    let of = |level| part().filter(|q| q.draft.level == level).count() as u32;
    let anchors: HashSet<SentenceId> = part().map(|q| q.draft.anchor_sentence).collect();
    SplitCounts { sentence: of(QcaLevel::Sentence), token: of(QcaLevel::Token), anchors: anchors.len() as u32 }
}
