//! What background jobs came to, in words.

use crate::format;
use crate::i18n::{t, tf};
use lexforge_domain::api::{Outcome, Task};

/// What a job came to; none where the screens show it in another way.
pub fn line(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Batch(report) => {
            let mut said = tf(
                "outcome.batch",
                &[
                    ("answered", &format::count(report.answered)),
                    ("refused", &format::count(report.refused)),
                    ("empty", &format::count(report.empty)),
                    ("out", &report.out),
                ],
            );
            if let Some(sheet) = &report.sheet {
                let others = format::count(report.other_sheets);
                let sheet = [("sheet", sheet.as_str()), ("others", &others)];
                said = format!("{said} {}", tf("outcome.sheet", &sheet));
            }
            Some(said)
        }
        Outcome::Ranker(report) if report.kept => Some(t("outcome.ranker_kept")),
        Outcome::Ranker(_) => Some(t("outcome.ranker_not")),
        Outcome::Curve(_) => None,
    }
}

/// What the newest job of a kind that has ended came to.
pub fn newest(tasks: &[Task], kind: &str) -> Option<Outcome> {
    let ended = tasks
        .iter()
        .rev()
        .find(|task| task.kind == kind && task.done);
    ended.and_then(|task| task.outcome.as_deref().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::BatchReport;

    #[test]
    fn a_batch_says_what_became_of_each_row_and_sheet() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let report = BatchReport {
            questions: 5,
            answered: 3,
            refused: 2,
            empty: 1,
            out: "/a/answers.csv".to_owned(),
            sheet: Some("Fragen".to_owned()),
            other_sheets: 2,
        };
        let said = line(&Outcome::Batch(report)).unwrap_or_default();
        for part in ["3", "2", "1", "/a/answers.csv", "Fragen"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
