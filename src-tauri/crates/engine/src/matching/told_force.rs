//! Which matched documents are not in force, as papers say it.

use super::Matching;
use super::about::About;
use crate::answering::why_out_of_force;
use crate::workspace::{Result, today};
use lexforge_domain::DocumentId;
use lexforge_domain::api::OutOfForce;
use std::collections::HashMap;

impl Matching<'_> {
    /// The documents of the workspace that are not in force today, each with the reason. The reason follows from what a
    /// person set for the document.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn out_of_force(&self) -> Result<HashMap<DocumentId, OutOfForce>> {
        let today = today();
        let documents = self.workspace.store.read(|r| r.documents())?;
        let out = documents.iter();
        Ok(out
            .filter_map(|d| Some((d.id, d.out_of_force(&today)?)))
            .collect())
    }
}

impl About {
    /// The matched documents that are not in force on a day, by what a person set; `None` where all of them are.
    pub(super) fn not_in_force(&self) -> Option<String> {
        let request = &self.report.request;
        let matched = request.rules.iter().chain(&request.policies);
        let names: Vec<String> = matched
            .filter(|id| self.out_of_force(**id).is_some())
            .map(|id| format!("“{}”", self.short(*id)))
            .collect();
        let names = names.join("; ");
        (!names.is_empty()).then(|| {
            format!("Not in force on the day of this paper, and matched all the same: {names}.")
        })
    }

    /// Why a document is not in force on the day of the paper: "repealed from 2024-01-01". `None` where it is.
    pub(super) fn out_of_force(&self, id: DocumentId) -> Option<String> {
        let out = self.documents.get(&id)?.out_of_force(&self.day)?;
        Some(why_out_of_force(&out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::MatchVerdict;

    #[test]
    fn a_paper_says_that_a_matched_document_is_not_in_force() {
        let told = "Not in force on the day of this paper, and matched all the same: “Policy”.";
        for (id, until, expected) in [
            (2, "2999-12-31", None),
            // It takes no part.
            (3, "2020-12-31", None),
            (2, "2020-12-31", Some(told)),
        ] {
            let mut about = About::of_rules(&[("accepted", MatchVerdict::Covered)]);
            about.report.request.policies = vec![DocumentId(2)];
            about.end(DocumentId(id), until);
            assert_eq!(about.not_in_force().as_deref(), expected, "{id} {until}");
            // Beside each of its texts, too.
            let why = until
                .starts_with("2020")
                .then_some("was in force until 2020-12-31");
            assert_eq!(about.out_of_force(DocumentId(id)).as_deref(), why);
            let mut text = about.report.rows[0].rule.clone();
            text.document = DocumentId(id);
            let place = about.place(&text);
            assert_eq!(
                place.ends_with("page 1 (was in force until 2020-12-31)"),
                why.is_some(),
                "{place}"
            );
            assert!(why.is_some() || place.ends_with("page 1"), "{place}");
        }
    }
}
