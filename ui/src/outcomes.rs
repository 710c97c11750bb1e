//! What background jobs came to, in words.

use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::App;
use leptos::prelude::*;
use lexforge_domain::api::{Outcome, Task};

/// The outcome of a job in one line. `None` if the screens show it in another way.
pub fn line(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Batch(report) => {
            let mut said = vec![tf(
                "outcome.batch",
                &[
                    ("answered", &format::count(report.answered)),
                    ("refused", &format::count(report.refused)),
                ],
            )];
            if report.empty > 0 {
                let empty = format::count(report.empty);
                said.push(tf("outcome.batch_empty", &[("empty", &empty)]));
            }
            said.push(tf("outcome.batch_out", &[("out", &report.out)]));
            if let Some(sheet) = &report.sheet {
                said.push(tf("outcome.sheet", &[("sheet", sheet)]));
                if report.other_sheets > 0 {
                    let others = format::count(report.other_sheets);
                    said.push(tf("outcome.sheet_others", &[("others", &others)]));
                }
            }
            if report.without_vectors > 0 {
                said.push(tn("outcome.batch_without_vectors", report.without_vectors));
            }
            Some(said.join(&t("outcome.between")))
        }
        Outcome::Ranker(report) if report.kept => Some(t("outcome.ranker_kept")),
        Outcome::Ranker(_) => Some(t("outcome.ranker_not")),
        Outcome::Rerank(report) if report.gap.is_none() => Some(t("outcome.rerank_kept")),
        Outcome::Rerank(_) => Some(t("outcome.rerank_not")),
        Outcome::Curve(_)
        | Outcome::GatePlan(_)
        | Outcome::TripletFigures(_)
        | Outcome::TermSpace(_)
        | Outcome::ExamLook(_) => None,
        Outcome::Exam(report) => Some(tf(
            "outcome.exam",
            &[
                ("name", &report.exam.name),
                ("n", &format::count(report.exam.questions)),
                ("out", &format::count(report.left_out)),
            ],
        )),
        Outcome::Triplets(report) => Some(tf(
            "outcome.triplets",
            &[
                ("n", &format::count(report.kept)),
                ("out", &format::count(report.turned_down.values().sum())),
            ],
        )),
        Outcome::Similarity(drawn) => Some(tn("outcome.similarity", drawn.drawn)),
        Outcome::Audit(report) if report.ok => Some(tn("outcome.audit_holds", report.rows)),
        Outcome::Audit(_) => Some(t("outcome.audit_broken")),
    }
}

/// The result of the newest finished job of these kinds.
fn newest(tasks: &[Task], kinds: &[&str]) -> Option<Outcome> {
    let ended = tasks
        .iter()
        .rev()
        .find(|task| kinds.contains(&task.kind.as_str()) && task.done);
    ended.and_then(|task| task.outcome.as_deref().cloned())
}

/// What the newest job of a kind that has ended came to, if it began in the workspace that is open.
pub fn newest_here(app: App, kind: &'static str) -> Memo<Option<Outcome>> {
    newest_among(app.tasks, app.elsewhere, [kind])
}

/// What the newest job of any of these kinds that has ended came to, if it began in the workspace that is open.
pub fn newest_of<const N: usize>(app: App, kinds: [&'static str; N]) -> Memo<Option<Outcome>> {
    newest_among(app.tasks, app.elsewhere, kinds)
}

/// It is a memo because every report of any job changes the list. What shows an outcome is drawn again only when the
/// outcome is another one. Otherwise a list would lose its place, and a button would be replaced under the mouse.
fn newest_among<const N: usize>(
    tasks: RwSignal<Vec<Task>>,
    elsewhere: RwSignal<u64>,
    kinds: [&'static str; N],
) -> Memo<Option<Outcome>> {
    Memo::new(move |_| {
        let elsewhere = elsewhere.get();
        tasks.with(|tasks| newest(begun_after(tasks, elsewhere), &kinds))
    })
}

/// The jobs after this one; they stand in the order in which they began.
fn begun_after(tasks: &[Task], id: u64) -> &[Task] {
    let at = tasks.partition_point(|task| task.id <= id);
    tasks.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{AuditReport, BatchReport};

    #[test]
    fn a_chain_that_does_not_hold_is_told_wherever_somebody_is() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut report = AuditReport {
            ok: true,
            rows: 7,
            ..AuditReport::default()
        };
        let said = |report: &AuditReport| line(&Outcome::Audit(Box::new(report.clone())));
        assert_eq!(
            said(&report).as_deref(),
            Some("The audit chain holds: 7 entries.")
        );
        report.rows = 1;
        assert_eq!(
            said(&report).as_deref(),
            Some("The audit chain holds: 1 entry.")
        );
        report.ok = false;
        assert!(said(&report).is_some_and(|said| said.contains("does not hold")));
    }

    #[test]
    fn jobs_of_another_workspace_are_left_out() {
        let tasks: Vec<Task> = (1..=3)
            .map(|id| Task::begun(id, "similarity", ""))
            .collect();
        for (elsewhere, expected) in [(0, 3), (2, 1), (3, 0)] {
            assert_eq!(begun_after(&tasks, elsewhere).len(), expected);
        }
    }

    #[test]
    fn what_shows_an_outcome_is_drawn_again_only_for_another_outcome() {
        let owner = Owner::new();
        owner.with(|| {
            let verified = |rows| {
                let report = AuditReport {
                    rows,
                    ..AuditReport::default()
                };
                Some(Box::new(Outcome::Audit(Box::new(report))))
            };
            let mut ended = Task::begun(1, "verify", "");
            (ended.done, ended.outcome) = (true, verified(7));
            let tasks = RwSignal::new(vec![ended, Task::begun(2, "bench", "")]);
            let came = newest_among(tasks, RwSignal::new(0), ["verify"]);
            let times = StoredValue::new(0);
            let drawn = Memo::new(move |_| {
                times.update_value(|times| *times += 1);
                came.get()
            });
            assert!(drawn.get().is_some());
            // Another job reports, and then it ends.
            tasks.update(|tasks| tasks[1].title = "of the bank".to_owned());
            assert!(drawn.get().is_some());
            tasks.update(|tasks| tasks[1].done = true);
            assert!(drawn.get().is_some());
            assert_eq!(times.get_value(), 1);
            tasks.update(|tasks| tasks[0].outcome = verified(8));
            assert!(matches!(drawn.get(), Some(Outcome::Audit(report)) if report.rows == 8));
            assert_eq!(times.get_value(), 2);
        });
    }

    #[test]
    fn a_batch_says_what_became_of_each_row_and_sheet() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut report = BatchReport {
            questions: 5,
            answered: 3,
            refused: 2,
            empty: 1,
            out: "/a/answers.csv".to_owned(),
            sheet: Some("Fragen".to_owned()),
            other_sheets: 2,
            without_vectors: 0,
        };
        let said = line(&Outcome::Batch(report.clone())).unwrap_or_default();
        assert_eq!(
            said,
            "3 answered, 2 without an answer. Rows without a question: 1. The answers are in /a/answers.csv. \
             The questions are those of the sheet “Fragen”. Other sheets, left alone: 2."
        );
        // Counts of zero are left out.
        (report.empty, report.other_sheets) = (0, 0);
        assert_eq!(
            line(&Outcome::Batch(report)).unwrap_or_default(),
            "3 answered, 2 without an answer. The answers are in /a/answers.csv. \
             The questions are those of the sheet “Fragen”."
        );
        report = BatchReport {
            answered: 1,
            without_vectors: 1,
            ..BatchReport::default()
        };
        let said = line(&Outcome::Batch(report)).unwrap_or_default();
        assert!(said.contains(" 1 sentence had no vector"), "{said}");
    }
}
