//! Words that the tables of all benches share.

use crate::remedies;
use lexforge_domain::api::BenchMissing;
use lexforge_domain::verdict::Verdict;
use std::fmt::Write as _;

/// What a comparison shows.
pub fn shows(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Undecided => "cannot be told apart",
    }
}

/// The systems that are not in the table: each with the reason, and what to do about it.
pub fn missing(all: &[BenchMissing]) -> String {
    let mut text = String::new();
    for one in all {
        let _ = write!(text, "\n  missing: {}: {}", one.system, one.failure.message);
        let hint = remedies::hint(&one.failure);
        if !hint.is_empty() {
            let _ = write!(text, "\n    {hint}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::{Code, Failure, Remedy};

    #[test]
    fn a_system_that_is_missing_has_its_reason_and_what_to_do() {
        let one = |system: &str, failure| BenchMissing {
            system: system.to_owned(),
            failure,
        };
        let gone = Failure::new(Code::NotFound, "There is no run 9.", Remedy::ListRuns);
        let plain = Failure::new(Code::ModelMissing, "It is gone.", "");
        assert_eq!(
            missing(&[one("run 9", gone), one("base x", plain)]),
            "\n  missing: run 9: There is no run 9.\n    List the runs: lexforge runs list WORKSPACE.\n  missing: base x: It is gone."
        );
        assert_eq!(missing(&[]), "");
    }
}
