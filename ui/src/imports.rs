//! The files that failed in the imports since the application started, and what became of them.

use lexforge_domain::Failure;
use lexforge_domain::api::Task;

/// The files that failed, each with the number of its import. Left out are imports whose failures were dismissed, files
/// that were skipped, and files that a later import read (recognised by their path).
pub fn open_failures(
    tasks: &[Task],
    seen: &[u64],
    skipped: &[(u64, String)],
) -> Vec<(u64, Failure)> {
    let imports: Vec<&Task> = tasks
        .iter()
        .filter(|t| t.kind == "import" && !seen.contains(&t.id))
        .collect();
    let mut open = Vec::new();
    for (at, task) in imports.iter().enumerate() {
        for failure in task.import.iter().flat_map(|report| &report.failed) {
            let again = imports[at + 1..]
                .iter()
                .any(|later| took_up(later, failure));
            let put_away = skipped
                .iter()
                .any(|(id, path)| *id == task.id && Some(path) == failure.path.as_ref());
            if !again && !put_away {
                open.push((task.id, failure.clone()));
            }
        }
    }
    open
}

/// Whether an import has dealt with a file that failed in an earlier one.
fn took_up(later: &Task, failure: &Failure) -> bool {
    let Some(report) = &later.import else {
        return false;
    };
    let file = failure.file.as_deref();
    report
        .failed
        .iter()
        .any(|f| f.path.is_some() && f.path == failure.path)
        || report
            .imported
            .iter()
            .any(|d| Some(d.file.as_str()) == file)
        || report
            .unchanged
            .iter()
            .any(|d| Some(d.file.as_str()) == file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::Code;
    use lexforge_domain::api::ImportReport;
    use lexforge_domain::api::UnchangedDocument;

    fn import(id: u64, failed: &[&str], known: &[&str]) -> Task {
        let failure = |name: &&str| {
            Failure::new(Code::PasswordRequired, "locked", "give it")
                .in_file(*name)
                .at_path(format!("/in/{name}"))
        };
        let report = ImportReport {
            failed: failed.iter().map(failure).collect(),
            unchanged: known
                .iter()
                .map(|name| UnchangedDocument {
                    id: lexforge_domain::DocumentId(1),
                    file: (*name).to_owned(),
                })
                .collect(),
            ..ImportReport::default()
        };
        Task {
            done: true,
            import: Some(report),
            ..Task::begun(id, "import", "")
        }
    }

    #[test]
    fn a_failure_stays_until_it_is_dealt_with() {
        let names =
            |tasks: &[Task], seen: &[u64], skipped: &[(u64, String)]| -> Vec<(u64, String)> {
                open_failures(tasks, seen, skipped)
                    .into_iter()
                    .map(|(id, f)| (id, f.file.unwrap_or_default()))
                    .collect()
            };
        let first = import(1, &["a.pdf", "b.pdf"], &[]);
        let both = [(1, "a.pdf".to_owned()), (1, "b.pdf".to_owned())];
        assert_eq!(names(std::slice::from_ref(&first), &[], &[]), both);
        // Opened at the second try; failed again, which the second import says; skipped; put away.
        assert_eq!(
            names(&[first.clone(), import(2, &[], &["a.pdf"])], &[], &[]),
            both[1..]
        );
        let again = names(&[first.clone(), import(2, &["a.pdf"], &[])], &[], &[]);
        assert_eq!(again, [(1, "b.pdf".to_owned()), (2, "a.pdf".to_owned())]);
        assert_eq!(
            names(
                std::slice::from_ref(&first),
                &[],
                &[(1, "/in/b.pdf".to_owned())]
            ),
            both[..1]
        );
        assert!(names(&[first], &[1], &[]).is_empty());
    }
}
