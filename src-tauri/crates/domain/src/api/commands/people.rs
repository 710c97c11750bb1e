//! Who reviews, and by what plan.

use crate::api::{LookAlike, PeopleView, ReviewPlan};
use crate::id::PersonId;
use crate::review::{Person, Role};

commands! {
    PeopleRequest;

    /// Who reviews here, and by what plan.
    People {} -> PeopleView;

    /// Adds a person, or changes their role and share.
    PutPerson { name: String, role: Role, share: u32, like: LookAlike } -> Person;

    /// Decides under this person's name from now on.
    BePerson { person: PersonId } -> PeopleView;

    /// Changes how the workspace is reviewed.
    SetReviewPlan { plan: ReviewPlan } -> PeopleView;
}
