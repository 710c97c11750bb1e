//! What happened since an answer was given to the documents that it cites.

use crate::answer_text::many;
use lexforge_domain::api::{Answer, AnswerChange, DocumentChange, OutOfForce};
use serde::Serialize;

/// An answer from the history as JSON has it: as it was given, and beside it what happened since.
#[derive(Serialize)]
pub struct Again<'a> {
    /// The answer, unchanged.
    #[serde(flatten)]
    pub answer: &'a Answer,
    /// What happened since; left out where nothing did.
    #[serde(skip_serializing_if = "<[AnswerChange]>::is_empty")]
    pub since: &'a [AnswerChange],
}

/// What happened since, a line each, to stand before the answer; empty where nothing did.
pub fn since(changes: &[AnswerChange]) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let lines: String = changes.iter().map(|c| format!("  {}\n", line(c))).collect();
    format!("Since this answer was given:\n{lines}\n")
}

/// In a line of the list: how many of the documents that an answer cites count otherwise by now; empty where none does.
pub fn changed(documents: usize) -> String {
    match documents {
        0 => String::new(),
        n => format!(" · {} changed since", many(n as u64, "cited document")),
    }
}

fn line(changed: &AnswerChange) -> String {
    let numbers = changed.citations.iter().map(|at| format!("[{}]", at + 1));
    let cited = format!("{} “{}”", numbers.collect::<String>(), changed.title);
    match &changed.change {
        DocumentChange::Removed => format!("{cited} is no longer in the workspace."),
        DocumentChange::InForce => format!("{cited} counts as in force again."),
        DocumentChange::Replaced { by } => {
            format!("{cited} was replaced by a newer version: document {by}.")
        }
        DocumentChange::Newer { by } => {
            format!("{cited} has a newer version, which applies only later: document {by}.")
        }
        DocumentChange::OutOfForce { out_of_force } => match out_of_force {
            OutOfForce::Repealed { since } => format!("{cited} is repealed from {since}."),
            OutOfForce::Expired { until } => format!("{cited} was in force only until {until}."),
            OutOfForce::NotYet { from } => format!("{cited} is in force only from {from}."),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;

    #[test]
    fn the_list_counts_what_changed_and_says_nothing_where_nothing_did() {
        assert_eq!(changed(0), "");
        assert_eq!(changed(1), " · 1 cited document changed since");
        assert_eq!(changed(2), " · 2 cited documents changed since");
    }

    #[test]
    fn each_change_is_a_line_with_the_citations_that_it_concerns() {
        assert_eq!(since(&[]), "");
        let changed = |citations: &[usize], change| AnswerChange {
            document: DocumentId(1),
            title: "Harbour Dues Act 1987".to_owned(),
            citations: citations.to_vec(),
            change,
        };
        let until = "2020-06-30".to_owned();
        let told = since(&[
            changed(
                &[0, 2],
                DocumentChange::OutOfForce {
                    out_of_force: OutOfForce::Expired { until },
                },
            ),
            changed(&[1], DocumentChange::Replaced { by: DocumentId(3) }),
        ]);
        assert_eq!(
            told,
            "Since this answer was given:\n  [1][3] “Harbour Dues Act 1987” was in force only until 2020-06-30.\n  \
             [2] “Harbour Dues Act 1987” was replaced by a newer version: document 3.\n\n"
        );
    }
}
