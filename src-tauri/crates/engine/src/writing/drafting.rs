//! The drafts of a writer for all anchors, which of them are kept, and which a person should look at first.

use super::Writing;
use super::anchors::{Anchors, Place};
use crate::graph::{CANDIDATES_CHANGED, with_changed_candidates};
use crate::review::FIRST_IN_REVIEW;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use lexforge_augment::{Deduplicator, QuestionWriter, SkipReason, turned_down, validate};
use lexforge_domain::QcaId;
use lexforge_domain::api::{
    AugmentReport, RejectedDraft, RejectedDraftRow, RejectedFilter, Rows, Stage,
};
use lexforge_domain::qca::{QcaDraft, QcaLevel, QuestionType, Split};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Questions that a person should look at first.
const SAMPLE: usize = 30;

/// A draft that passed the checks.
pub(crate) struct Accepted {
    pub draft: QcaDraft,
    /// The part of the dataset of its anchor.
    pub split: Split,
    /// The place of its anchor.
    pub place: Place,
}

/// The drafts of a writer.
pub(crate) struct Drafted {
    /// What passed.
    pub accepted: Vec<Accepted>,
    /// The counts of the other drafts.
    pub report: AugmentReport,
    /// Drafts that failed the checks, for people to look at.
    pub rejected: Vec<RejectedDraft>,
    /// Drafts of the writer that were not taken, by reason; what it rejected itself is not among them.
    pub refused: BTreeMap<String, u64>,
}

/// The drafts of a writer for all anchors: those that pass the checks, and the counts of the others.
pub(crate) fn drafts(
    anchors: &Anchors<'_>,
    writer: &mut dyn QuestionWriter,
    watcher: &dyn Watcher,
) -> Result<Drafted> {
    let mut report = AugmentReport {
        source: writer.describe(),
        ..AugmentReport::default()
    };
    for (reason, sentences) in [
        (SkipReason::SpeaksToModel, anchors.speaking_to_a_model()),
        (SkipReason::RepeatedElsewhere, anchors.set_aside()),
    ] {
        if sentences > 0 {
            report.skipped.insert(reason.tag().to_owned(), sentences);
        }
    }
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let mut seen = Deduplicator::new();
    let of = anchors.sentences();
    for (done, (place, anchor)) in (1_u64..).zip(anchors.iter()) {
        if done.is_multiple_of(64) {
            tell(watcher, Stage::Questions, "", done, of);
            if watcher.cancelled() {
                return Err(cancelled("The questions that were there are unchanged."));
            }
        }
        let Some((anchor, split)) = anchor else {
            continue;
        };
        for drafted in [
            writer.sentence_questions(&anchor),
            writer.token_questions(&anchor),
        ] {
            match drafted {
                Err(skip) => {
                    *report
                        .skipped
                        .entry(skip.reason.tag().to_owned())
                        .or_default() += 1
                }
                Ok(drafts) => {
                    for draft in drafts {
                        match validate(&draft, &anchor).and_then(|()| seen.admit(&draft)) {
                            Ok(()) => accepted.push(Accepted {
                                draft,
                                split,
                                place,
                            }),
                            Err(rejection) => {
                                *refused.entry(rejection.tag().to_owned()).or_default() += 1;
                                rejected.push(turned_down(&draft, rejection.tag(), 0))
                            }
                        }
                    }
                }
            }
        }
        rejected.extend(writer.turned_down());
    }
    // Answers that could not be read are counted with the asking.
    for draft in rejected.iter().filter(|draft| !draft.question.is_empty()) {
        *report.rejected.entry(draft.reason.clone()).or_default() += 1;
    }
    tell(watcher, Stage::Questions, "", of, of);
    Ok(Drafted {
        accepted,
        report,
        rejected,
        refused,
    })
}

impl Writing<'_> {
    /// Replaces all questions by the drafted ones, and stores the rejected drafts. A sample of the questions comes
    /// first in the review. With `unless_none`, the earlier questions stay if no question was drafted.
    pub(crate) fn keep_drafted(
        &self,
        drafted: Drafted,
        unless_none: bool,
    ) -> Result<AugmentReport> {
        let Drafted {
            accepted,
            mut report,
            rejected,
            refused: _,
        } = drafted;
        for one in &accepted {
            let by_split = report
                .questions
                .entry(one.draft.level.tag().to_owned())
                .or_default();
            *by_split.entry(one.split.tag().to_owned()).or_default() += 1;
        }
        report.shares = Some(self.split_shares()?);
        let first = sample(&accepted, DEFAULT_SEED);
        let questions: Vec<(QcaDraft, Split)> = accepted
            .into_iter()
            .map(|one| (one.draft, one.split))
            .collect();
        report.sample = self.workspace.store.write(&self.workspace.actor, |w| {
            w.replace_rejected(&rejected)?;
            if unless_none && questions.is_empty() {
                return Ok(Vec::new());
            }
            let ids = w.replace_questions(&questions, &report)?;
            let first: Vec<QcaId> = first.iter().filter_map(|i| ids.get(*i).copied()).collect();
            let changed = with_changed_candidates(w)?;
            if !changed.is_empty() {
                // Questions written now have the present candidates. Older questions that stay, because somebody
                // decided about them, still have their old candidates.
                let written: BTreeSet<&QcaId> = ids.iter().collect();
                let left: Vec<&QcaId> = changed.iter().filter(|id| !written.contains(id)).collect();
                w.set_setting(CANDIDATES_CHANGED, &serde_json::json!(left).to_string())?;
            }
            let known = w.setting(FIRST_IN_REVIEW)?;
            let text = serde_json::json!(first).to_string();
            if known.as_deref() != Some(text.as_str()) {
                w.set_setting(FIRST_IN_REVIEW, &text)?;
            }
            Ok(first)
        })?;
        Ok(report)
    }

    /// Drafts that were rejected when questions were last written, and answers from which no draft could be made.
    pub fn rejected_drafts(&self, filter: &RejectedFilter) -> Result<Rows<RejectedDraftRow>> {
        Ok(self.workspace.store.read(|r| r.rejected_drafts(filter))?)
    }
}

/// The questions that a person should look at first, by their indices in `accepted`. They are [`SAMPLE`] questions,
/// taken in turn from each level and type. The seed determines the order.
fn sample(accepted: &[Accepted], seed: u64) -> Vec<usize> {
    type Stratum = Vec<([u8; 32], usize)>;
    let mut of: BTreeMap<(QcaLevel, QuestionType), Stratum> = BTreeMap::new();
    for (i, one) in accepted.iter().enumerate() {
        let said = format!(
            "{seed}\n{}\n{}",
            one.draft.anchor_sentence, one.draft.question
        );
        let stratum = of
            .entry((one.draft.level, one.draft.question_type))
            .or_default();
        stratum.push((Sha256::digest(said.as_bytes()).into(), i));
    }
    of.values_mut().for_each(|stratum| stratum.sort_unstable());
    let longest = of.values().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(|i| of.values().filter_map(move |s| s.get(i)).map(|(_, at)| *at))
        .take(SAMPLE)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;

    #[test]
    fn the_sample_has_something_of_every_level_and_type() {
        use lexforge_domain::qca::QuestionSource;
        let one = |i: i64| {
            let token = i % 10 == 0;
            let types = [
                QuestionType::Obligation,
                QuestionType::Deadline,
                QuestionType::Definition,
            ];
            let draft = QcaDraft {
                question: format!("Question {i}?"),
                ..QcaDraft::new(
                    if token {
                        QcaLevel::Token
                    } else {
                        QcaLevel::Sentence
                    },
                    if token {
                        QuestionType::Term
                    } else {
                        types[usize::from(i % 7 == 0) + usize::from(i == 55)]
                    },
                    SentenceId(i),
                    QuestionSource::Offline,
                )
            };
            Accepted {
                draft,
                split: Split::Train,
                place: (0, 0),
            }
        };
        let accepted: Vec<Accepted> = (0..200).map(one).collect();
        let taken = sample(&accepted, 1);
        assert_eq!(
            (
                taken.len(),
                taken.iter().collect::<std::collections::HashSet<_>>().len()
            ),
            (SAMPLE, SAMPLE)
        );
        let of = |kind| {
            taken
                .iter()
                .filter(|i| accepted[**i].draft.question_type == kind)
                .count()
        };
        // The rarest type has one question, which is in it; the others share the rest.
        let rare = accepted
            .iter()
            .filter(|a| a.draft.question_type == QuestionType::Definition)
            .count();
        assert_eq!(of(QuestionType::Definition), rare.min(10));
        assert!(
            of(QuestionType::Term) >= 9
                && of(QuestionType::Deadline) >= 9
                && of(QuestionType::Obligation) >= 9
        );
        assert_eq!(taken, sample(&accepted, 1));
        assert_ne!(taken, sample(&accepted, 2));
        assert!(sample(&[], 1).is_empty());
    }
}
