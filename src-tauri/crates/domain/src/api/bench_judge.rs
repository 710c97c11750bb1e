//! A judge's report on the answers of systems, and its agreement with people.

use crate::endpoint::{AskCounts, Consent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The judge of what systems write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchJudging {
    /// The endpoint's name, or `local`.
    pub endpoint: String,
    /// Whether the judge is asked. If not, only its stored answers count.
    pub asks: bool,
    /// The person's consent.
    pub consent: Option<Consent>,
}

/// The report on the judge of a bench, in addition to the marks of each system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchJudge {
    /// The endpoint.
    pub endpoint: String,
    /// The model behind it.
    pub model: String,
    /// The host that was talked to.
    pub host: String,
    /// Counts of the requests and answers.
    pub asked: AskCounts,
    /// Each system compared with the baseline.
    pub pairs: Vec<JudgedPair>,
    /// How far the judge agrees with people who compared two answers. `None` if nobody compared any.
    pub preferences: Option<ExpertAgreement>,
    /// How far it agrees with what people said of single answers; `None` where nobody said anything.
    pub verdicts: Option<ExpertAgreement>,
}

/// The marks of what a system wrote.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgedFigures {
    /// Answers with marks: what was judged, and the empty ones.
    pub n: usize,
    /// Mean of all five marks, 1 to 5.
    pub mean: f64,
    /// Cluster bootstrap interval of it; none with fewer than two clusters.
    pub ci95: Option<[f64; 2]>,
    /// Mean of each mark, by its name.
    pub marks: BTreeMap<String, f64>,
    /// Answers without a word: they have the lowest marks and are not asked about.
    pub empty: usize,
    /// Answers about which no reply of the judge could be read.
    pub unreadable: usize,
    /// Answers about which the judge has not replied.
    pub unanswered: usize,
    /// Answers whose rule is no longer in the workspace: nobody can judge them.
    pub without_rule: usize,
}

/// Two systems' written answers to the same questions, compared by a judge. Each pair of answers is shown in both
/// orders, and counts for a system only if its answer is preferred in both orders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgedPair {
    /// The system.
    pub system: String,
    /// The one that it is compared with.
    pub against: String,
    /// Pairs that count: those of the next three.
    pub n: usize,
    /// The system is preferred.
    pub better: usize,
    /// The other is.
    pub worse: usize,
    /// The number of pairs in which neither is better. Answers with the same words are not shown to the judge.
    pub neither: usize,
    /// Share of pairs in which the system is preferred, less the share in which the other is.
    pub lead: f64,
    /// Cluster bootstrap interval of it; none with fewer than two clusters.
    pub ci95: Option<[f64; 2]>,
    /// The judge said something else in the other order: they count for nobody.
    pub contradicted: usize,
    /// Pairs about which no reply of the judge could be read.
    pub unreadable: usize,
    /// Pairs about which the judge has not replied in both orders.
    pub unanswered: usize,
}

/// How far a judge agrees with people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpertAgreement {
    /// Judgements of people that the judge was asked about and answered clearly.
    pub n: usize,
    /// The number of those where the judge agrees.
    pub agreed: usize,
    /// The number of judgements where the judge contradicts itself, cannot be read, or has not replied.
    pub unclear: usize,
    /// Judgements of people about answers that cannot be shown: without words, or without a clause.
    pub not_shown: usize,
}
