//! The reviewers and the plan of the review.

use crate::api::{LookAlike, PeopleView, ReviewPlan};
use crate::id::PersonId;
use crate::review::{Person, Role};

commands! {
    PeopleRequest;

    /// The reviewers of this workspace and the plan of the review.
    People {} -> PeopleView;

    /// Adds a person, or changes their role and share.
    PutPerson { name: String, role: Role, share: u32, like: LookAlike } -> Person;

    /// Decides under this person's name from now on.
    BePerson { person: PersonId } -> PeopleView;

    /// Changes how the workspace is reviewed.
    SetReviewPlan { plan: ReviewPlan } -> PeopleView;
}
