//! That a document is not in force, in words.

use crate::i18n::tf;
use lexforge_domain::api::OutOfForce;

/// Why it is not.
pub fn why(out: &OutOfForce) -> String {
    match out {
        OutOfForce::Repealed { since } => tf("force.repealed", &[("day", since)]),
        OutOfForce::Expired { until } => tf("force.expired", &[("day", until)]),
        OutOfForce::NotYet { from } => tf("force.not_yet", &[("day", from)]),
    }
}
