//! How far reviewers agree on the items of a kind.

use crate::agreement::{AgreementRow, PairAgreement};
use crate::review::SubjectKind;
use serde::{Deserialize, Serialize};

/// Agreement of the reviewers: each person's first decision on each item counts, before any adjudication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementView {
    /// The kind of items.
    pub kind: SubjectKind,
    /// All classes together.
    pub overall: AgreementRow,
    /// Class by class.
    pub by_class: Vec<AgreementRow>,
    /// Each two reviewers.
    pub pairs: Vec<PairAgreement>,
    /// Resamples behind the intervals (by item), with their seed.
    pub resamples: u32,
    /// Seed of the resamples.
    pub seed: u64,
    /// α under which a class is named as unreliable; the workspace's setting.
    pub gate: f64,
    /// Names that look alike and count as one reviewer here, because nobody said that they belong to different people.
    /// The second name of each pair is the one that is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<(String, String)>,
}
