//! The reviewers and the plan of the review.

use super::PacketOrigin;
use crate::dataset::ReviewPolicy;
use crate::review::Person;
use serde::{Deserialize, Serialize};

/// How a workspace is reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewPlan {
    /// Share of the items that a second person looks at, 0 to 1.
    pub second_review: f64,
    /// Whether others' decisions are held back until one's own is made.
    pub blind: bool,
    /// α under which agreement is named as unreliable.
    pub gate: f64,
    /// Which terms graph and questions are made of.
    #[serde(default)]
    pub terms: ReviewPolicy,
}

impl Default for ReviewPlan {
    fn default() -> Self {
        Self {
            second_review: 0.0,
            blind: false,
            gate: 0.8,
            terms: ReviewPolicy::default(),
        }
    }
}

/// Who reviews here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeopleView {
    /// Everybody, by name.
    pub people: Vec<Person>,
    /// Under whose name decisions are made on this machine now.
    pub me: Person,
    /// The plan.
    pub plan: ReviewPlan,
    /// Where this workspace was made from a packet: for whom, and from which workspace.
    pub packet: Option<PacketOrigin>,
}
