//! Which matched documents are not in force, as papers say it.

use super::about::About;

impl About {
    /// The matched documents that are not in force on a day, by what a person set; `None` where all of them are.
    pub(super) fn not_in_force(&self, day: &str) -> Option<String> {
        let request = &self.report.request;
        let matched = request.rules.iter().chain(&request.policies);
        let names: Vec<String> = matched
            .filter(|id| {
                let document = self.documents.get(*id);
                document.is_some_and(|d| d.out_of_force(day).is_some())
            })
            .map(|id| format!("“{}”", self.short(*id)))
            .collect();
        let names = names.join("; ");
        (!names.is_empty()).then(|| {
            format!("Not in force on the day of this paper, and matched all the same: {names}.")
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;
    use lexforge_domain::api::{DocumentRow, MatchVerdict, Validity};

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
            let mut document: DocumentRow = serde_json::from_value(serde_json::json!({
                "id": id, "file": "a.md", "title": "Policy", "format": "text", "language": "en", "pages": 1,
                "sentences": 1, "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0},
                "reader_agreement": null, "warnings": [], "sha256": "", "bytes": 1, "imported": "",
                "predecessor": null
            }))
            .unwrap();
            document.validity = Some(Validity {
                until: Some(until.to_owned()),
                ..Validity::default()
            });
            about.documents.insert(document.id, document);
            assert_eq!(
                about.not_in_force("2026-01-01").as_deref(),
                expected,
                "{id} {until}"
            );
        }
    }
}
