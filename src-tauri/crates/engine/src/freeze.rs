//! Freezing a snapshot: copied, leak-checked, hashed.

use crate::augment::split_plan;
use crate::watcher::tell;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_domain::api::{AgreementRow, QuestionFilter, Stage};
use lexforge_domain::dataset::{Dataset, LeakReport, ReviewPolicy, ReviewRecord, SplitCounts};
use lexforge_domain::qca::{ChoiceOrigin, Qca, QcaLevel, Split};
use lexforge_domain::review::{Subject, SubjectKind, Verdict};
use lexforge_domain::{Code, Failure, SentenceId, TermId};
use lexforge_graph::leak;
use lexforge_store::{DatasetItem, NewDataset};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

impl Engine {
    /// Freeze the questions that a rule admits as a snapshot. A question whose term was rejected, is disputed or was joined
    /// to another is left out and counted, and so is one on the training side whose text stands, or nearly stands, on the
    /// held-out side. The same questions under the same rule give the same snapshot again.
    ///
    /// # Errors
    /// When there are no questions, or one of the three parts is empty.
    pub fn freeze(&self, policy: ReviewPolicy, watcher: &dyn Watcher) -> Result<Dataset> {
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
        let written = rows.len();
        let (questions, review) = self.admitted(rows.into_iter().map(|r| r.question).collect(), policy)?;
        let partitions = self.stored_partitions()?;
        let plan = split_plan(partitions.iter());
        let (kept, leak_check) = without_leaks(questions, &anchors);
        let corpus_hash = self.store.read(|r| r.corpus_hash())?;

        let mut hasher = Sha256::new();
        if policy != ReviewPolicy::UnreviewedAutomatic {
            hasher.update(policy.label().as_bytes());
        }
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
                return Err(too_few(name, kept.len(), written, policy));
            }
        }
        let new = NewDataset {
            policy,
            review,
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

    /// The questions that a rule admits and whose terms are in use, with what was left out.
    fn admitted(&self, questions: Vec<Qca>, policy: ReviewPolicy) -> Result<(Vec<Qca>, ReviewRecord)> {
        let verdicts: HashMap<Subject, Verdict> =
            self.store.read(|r| r.verdicts(SubjectKind::Question))?.into_iter().collect();
        // The rule is about questions; which terms may be asked about, the plan of the review says.
        let rule = self.term_policy()?;
        let terms = self.joined_terms(rule)?.standing;
        let unreviewed = Verdict::default();
        let agreement = self.agreement_on_questions()?;
        let mut record = ReviewRecord { agreement, terms: rule, ..ReviewRecord::default() };
        let mut kept = Vec::with_capacity(questions.len());
        for question in questions {
            let verdict = verdicts.get(&Subject::question(question.id)).unwrap_or(&unreviewed);
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

    /// How far reviewers agree on questions; none where no question has two decisions.
    fn agreement_on_questions(&self) -> Result<Option<AgreementRow>> {
        let overall = self.agreement(SubjectKind::Question)?.overall;
        Ok((overall.items > 0).then_some(overall))
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

/// The failure of a part without questions.
fn too_few(part: &str, kept: usize, written: usize, policy: ReviewPolicy) -> Failure {
    let (why, hint) = if policy == ReviewPolicy::UnreviewedAutomatic {
        (
            format!("{kept} questions are too few to be split"),
            "Import more documents, or a longer one, and build graph and questions again.",
        )
    } else {
        (
            format!("of {written} questions {kept} meet the rule “{}”", policy.label()),
            "Review more questions of that part, or choose a looser rule.",
        )
    };
    Failure::new(Code::TooLittleData, format!("The {part} part would be empty: {why}."), hint)
}

/// Whether a question's term stands for itself, and none of its wrong choices became another name for it.
fn sound(question: &Qca, terms: &HashMap<TermId, TermId>) -> bool {
    let Some(asked) = question.draft.anchor_term else { return true };
    let mut wrong = question.draft.origins.iter().filter_map(|origin| match origin {
        ChoiceOrigin::Term { term } => terms.get(term),
        _ => None,
    });
    terms.get(&asked) == Some(&asked) && wrong.all(|standing| *standing != asked)
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::review::fixture::{Fixture, plain};
    use lexforge_domain::api::NewDecision;
    use lexforge_domain::review::{Choice, Edit};

    #[test]
    fn a_rule_takes_what_it_admits_and_counts_the_rest() {
        let fixture = Fixture::of(10);
        let (one, two) = (&fixture.engine, fixture.other("Reviewer 2"));
        let question = |i: usize| Subject::question(fixture.questions[i]);
        let say = |engine: &Engine, subject, choice| engine.decide(&plain(subject, choice)).unwrap();
        say(one, question(0), Choice::Accept);
        say(one, question(1), Choice::Accept);
        say(&two, question(1), Choice::Accept);
        say(one, question(2), Choice::Accept);
        say(&two, question(2), Choice::Reject);
        say(one, question(3), Choice::Reject);
        say(one, question(4), Choice::Reject);
        let reason = "two choices are right, and both say so".to_owned();
        two.decide(&NewDecision { adjudicates: true, reason, ..plain(question(4), Choice::Accept) }).unwrap();
        // Of the questions that nobody decided about, two have no term any more.
        say(one, fixture.term(5), Choice::Reject);
        let edit = Edit { into: Some(fixture.terms[7]), ..Edit::default() };
        one.decide(&NewDecision { edit, ..plain(fixture.term(6), Choice::Merge) }).unwrap();
        for (policy, kept, not_admitted, terms_gone) in [
            (ReviewPolicy::UnreviewedAutomatic, 6, 2, 2),
            (ReviewPolicy::SingleReviewer, 3, 7, 0),
            (ReviewPolicy::TwoAgree, 2, 8, 0),
            (ReviewPolicy::Adjudicated, 1, 9, 0),
        ] {
            let rows = one.questions(&QuestionFilter::default()).unwrap().rows;
            let (questions, record) = one.admitted(rows.into_iter().map(|r| r.question).collect(), policy).unwrap();
            let found = (questions.len(), record.not_admitted, record.terms_gone);
            assert_eq!(found, (kept, not_admitted, terms_gone), "{policy:?}");
        }
        let failure = too_few("test", 3, 10, ReviewPolicy::SingleReviewer);
        assert_eq!(failure.code, Code::TooLittleData);
        assert!(failure.message.contains("of 10 questions 3 meet the rule"), "{}", failure.message);
    }
}
