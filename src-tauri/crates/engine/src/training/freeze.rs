//! Freezing a snapshot: copied, leak-checked, measured by the shortcut controls, hashed.

use super::Training;
use super::clusters::{Named, sizes, split_plan};
use super::leaks::{Material, without_leaks};
use crate::graph::Graph;
use crate::review::Review;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, tell};
use lexforge_augment::SkipReason;
use lexforge_domain::agreement::AgreementRow;
use lexforge_domain::api::{QuestionFilter, Stage};
use lexforge_domain::dataset::{
    Dataset, ReviewPolicy, ReviewRecord, SnapshotShortcut, SplitCounts,
};
use lexforge_domain::qca::{ChoiceOrigin, Qca, QcaLevel, Split};
use lexforge_domain::review::{Subject, SubjectKind, Verdict};
use lexforge_domain::{Code, Failure, Remedy, SentenceId, TermId};
use lexforge_evaluate::form::{self, CHOICES_ALONE};
use lexforge_evaluate::overlap::CorpusIndex;
use lexforge_graph::split::SplitPlan;
use lexforge_store::{DatasetItem, NewDataset};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};

impl Training<'_> {
    /// Freezes the questions that a rule admits as a snapshot. A question is left out and counted if its term was
    /// rejected, is disputed or was merged into another. A training question is also left out if its text, or almost
    /// the same text, is in a held-out part. The same questions under the same rule give the same snapshot again.
    ///
    /// # Errors
    /// When there are no questions, or one of the three parts is empty.
    pub fn freeze(&self, policy: ReviewPolicy, watcher: &dyn Watcher) -> Result<Dataset> {
        tell(watcher, Stage::Freeze, "", 0, 1);
        let rows = self
            .workspace
            .store
            .read(|r| r.questions(&QuestionFilter::default()))?
            .rows;
        if rows.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There are no questions to freeze.",
                Remedy::WriteQuestions,
            ));
        }
        let anchors: HashMap<SentenceId, String> = rows
            .iter()
            .map(|r| (r.question.draft.anchor_sentence, r.anchor_text.clone()))
            .collect();
        let written = rows.len();
        let (questions, review) =
            self.admitted(rows.into_iter().map(|r| r.question).collect(), policy)?;
        let partitions = Graph::of(self.workspace).stored_partitions()?;
        let plan = split_plan(partitions.iter());
        let (sentences, documents, corpus_hash, written_report) =
            self.workspace.store.read(|r| {
                Ok((
                    r.sentences(None)?,
                    r.documents()?,
                    r.corpus_hash()?,
                    r.augment_report()?,
                ))
            })?;
        let named = Named::new(&plan, &documents, &sentences);
        let (kept, leak_check) =
            without_leaks(questions, &Material::new(&sentences, &documents, plan.unit));
        let index = CorpusIndex::new(sentences.iter().map(|s| s.text.as_str()));
        let shortcuts = shortcuts(&kept, &index);
        let flagged = shortcuts
            .iter()
            .any(|s| s.row.flagged && CHOICES_ALONE.contains(&s.row.name.as_str()));

        let Frozen { items, names, hash } = Frozen::of(&kept, policy, &plan, &named, &anchors);
        let [train, dev, test] = Split::ALL.map(|split| counts(&kept, split));
        for (name, part) in [("training", train), ("development", dev), ("test", test)] {
            if part.anchors == 0 {
                return Err(too_few(name, kept.len(), written, policy));
            }
        }
        let new = NewDataset {
            policy,
            review,
            hash,
            train,
            dev,
            test,
            by_type: by_type(&kept),
            shortcuts,
            flagged,
            split_unit: plan.unit.to_owned(),
            shares: written_report.as_ref().and_then(|report| report.shares),
            cluster_kind: plan.cluster_kind,
            clusters: sizes(
                kept.iter()
                    .map(|q| q.split)
                    .zip(names.iter().map(String::as_str)),
            ),
            set_aside: written_report
                .and_then(|report| {
                    report
                        .skipped
                        .get(SkipReason::RepeatedElsewhere.tag())
                        .copied()
                })
                .unwrap_or(0),
            leak_check,
            corpus_hash,
            seed: DEFAULT_SEED,
            items,
        };
        let id = self
            .workspace
            .store
            .write(&self.workspace.actor, |w| w.insert_dataset(&new))?;
        tell(watcher, Stage::Freeze, "", 1, 1);
        self.dataset(id)
    }

    /// The questions that the review policy admits and whose terms are in use, and a record of those that were left
    /// out.
    fn admitted(
        &self,
        questions: Vec<Qca>,
        policy: ReviewPolicy,
    ) -> Result<(Vec<Qca>, ReviewRecord)> {
        let verdicts: HashMap<Subject, Verdict> = self
            .workspace
            .store
            .read(|r| r.verdicts(SubjectKind::Question))?
            .into_iter()
            .collect();
        // The rule is about questions; which terms may be asked about, the plan of the review says.
        let rule = Review::of(self.workspace).term_policy()?;
        let terms = Review::of(self.workspace).joined_terms(rule)?.standing;
        let unreviewed = Verdict::default();
        let agreement = self.agreement_on_questions()?;
        let mut record = ReviewRecord {
            agreement,
            terms: rule,
            ..ReviewRecord::default()
        };
        let mut kept = Vec::with_capacity(questions.len());
        for question in questions {
            let verdict = verdicts
                .get(&Subject::question(question.id))
                .unwrap_or(&unreviewed);
            if !policy.admits(verdict) {
                record.not_admitted += 1;
            } else if !sound(&question, &terms) {
                record.terms_gone += 1;
            } else {
                kept.push(question);
            }
        }
        Ok((kept, record))
    }

    /// How far reviewers agree on questions; `None` where no question has two decisions.
    fn agreement_on_questions(&self) -> Result<Option<AgreementRow>> {
        let overall = Review::of(self.workspace)
            .agreement(SubjectKind::Question)?
            .overall;
        Ok((overall.items > 0).then_some(overall))
    }

    /// All snapshots of the workspace, newest first.
    pub fn datasets(&self) -> Result<Vec<Dataset>> {
        Ok(self.workspace.store.read(|r| r.datasets())?)
    }

    pub(crate) fn dataset(&self, id: lexforge_domain::DatasetId) -> Result<Dataset> {
        Ok(self.workspace.store.read(|r| r.dataset(id))?)
    }
}

/// The failure of a part without questions.
fn too_few(part: &str, kept: usize, written: usize, policy: ReviewPolicy) -> Failure {
    let (why, hint) = if policy == ReviewPolicy::UnreviewedAutomatic {
        (
            format!("{kept} questions are too few to be split"),
            "Import more documents, or a longer one, and build graph and questions again.",
        )
    } else {
        (
            format!(
                "of {written} questions {kept} meet the rule “{}”",
                policy.label()
            ),
            "Review more questions of that part, or choose a looser rule.",
        )
    };
    Failure::new(
        Code::TooLittleData,
        format!("The {part} part would be empty: {why}."),
        hint,
    )
}

/// Whether a question's term was not merged into another term, and none of its wrong choices is now another name of it.
fn sound(question: &Qca, terms: &HashMap<TermId, TermId>) -> bool {
    let Some(asked) = question.draft.anchor_term else {
        return true;
    };
    let mut wrong = question
        .draft
        .origins
        .iter()
        .filter_map(|origin| match origin {
            ChoiceOrigin::Term { term } => terms.get(term),
            _ => None,
        });
    terms.get(&asked) == Some(&asked) && wrong.all(|standing| *standing != asked)
}

/// Questions in the form in which a snapshot keeps them.
struct Frozen {
    items: Vec<DatasetItem>,
    /// The name of each item's cluster.
    names: Vec<String>,
    hash: String,
}

impl Frozen {
    fn of(
        kept: &[Qca],
        policy: ReviewPolicy,
        plan: &SplitPlan,
        named: &Named<'_>,
        anchors: &HashMap<SentenceId, String>,
    ) -> Self {
        let mut hasher = Sha256::new();
        if policy != ReviewPolicy::UnreviewedAutomatic {
            hasher.update(policy.label().as_bytes());
        }
        // Questions that are frozen already with clusters of the old kind become a snapshot of their own.
        hasher.update(plan.cluster_kind.tag().as_bytes());
        let mut items = Vec::with_capacity(kept.len());
        let mut names = Vec::with_capacity(kept.len());
        for question in kept {
            let anchor = question.draft.anchor_sentence;
            let cluster = named.of(anchor);
            let cluster_name = named.name(cluster);
            let answer_group = plan.group_of.get(&anchor).copied().unwrap_or(anchor.0);
            let json = serde_json::json!({
                "question": question,
                "cluster": cluster,
                "cluster_name": cluster_name,
                "answer_group": answer_group,
            })
            .to_string();
            names.push(cluster_name);
            // Ids differ between workspaces. So the hash covers the content of the questions, and is the same
            // everywhere.
            let said = said(question, anchors.get(&anchor).map_or("", String::as_str));
            hasher.update((said.len() as u64).to_le_bytes());
            hasher.update(said.as_bytes());
            items.push(DatasetItem {
                qca: question.id,
                split: question.split,
                cluster,
                answer_group,
                json,
            });
        }
        Self {
            items,
            names,
            hash: hex::encode(hasher.finalize()),
        }
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

/// The shortcut controls of each level.
fn shortcuts(questions: &[Qca], corpus: &CorpusIndex) -> Vec<SnapshotShortcut> {
    let of_level = |level: QcaLevel| {
        let items: Vec<(&[String], usize)> = questions
            .iter()
            .filter(|q| q.draft.level == level)
            .map(|q| (q.draft.choices.as_slice(), q.draft.answer))
            .collect();
        form::controls(&items, corpus)
            .into_iter()
            .map(move |row| SnapshotShortcut { level, row })
    };
    [QcaLevel::Sentence, QcaLevel::Token]
        .into_iter()
        .flat_map(of_level)
        .collect()
}

/// How many questions there are by level and type.
fn by_type(questions: &[Qca]) -> BTreeMap<String, BTreeMap<String, u32>> {
    let mut counts: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for question in questions {
        let of_level = counts
            .entry(question.draft.level.tag().to_owned())
            .or_default();
        *of_level
            .entry(question.draft.question_type.tag().to_owned())
            .or_default() += 1;
    }
    counts
}

fn counts(questions: &[Qca], split: Split) -> SplitCounts {
    let part = || questions.iter().filter(move |q| q.split == split);
    let of = |level| part().filter(|q| q.draft.level == level).count() as u32;
    let anchors: HashSet<SentenceId> = part().map(|q| q.draft.anchor_sentence).collect();
    SplitCounts {
        sentence: of(QcaLevel::Sentence),
        token: of(QcaLevel::Token),
        anchors: anchors.len() as u32,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
