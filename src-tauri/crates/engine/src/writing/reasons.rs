//! Why questions are missing, in words: for the command line and for the report of a run.

use lexforge_augment::{Rejection, SkipReason};
use lexforge_domain::api::AugmentReport;
use std::collections::BTreeMap;

/// A reason in words, by the tag under which it is counted. An unknown tag, for example in the report of an earlier
/// version, is shown with blanks between its words.
pub fn reason_in_words(tag: &str) -> String {
    SkipReason::from_tag(tag)
        .map(|reason| reason.to_string())
        .or_else(|| Rejection::from_tag(tag).map(|reason| reason.to_string()))
        .unwrap_or_else(|| tag.replace('_', " "))
}

/// A report that counts under words instead of tags.
pub(crate) fn in_words(report: AugmentReport) -> AugmentReport {
    AugmentReport {
        rejected: counted(&report.rejected),
        skipped: counted(&report.skipped),
        ..report
    }
}

fn counted(by_tag: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut by_words: BTreeMap<String, u64> = BTreeMap::new();
    for (tag, n) in by_tag {
        *by_words.entry(reason_in_words(tag)).or_default() += *n;
    }
    by_words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_under_words() {
        let counts = |of: &[(&str, u64)]| -> BTreeMap<String, u64> {
            of.iter()
                .map(|(name, n)| ((*name).to_owned(), *n))
                .collect()
        };
        let report = in_words(AugmentReport {
            rejected: counts(&[("not_grounded", 3), ("near_duplicate", 2)]),
            skipped: counts(&[("few_similar_terms", 176), ("no_edit", 74)]),
            source: "a writer".to_owned(),
            ..AugmentReport::default()
        });
        assert_eq!(
            report.rejected,
            counts(&[
                ("the answer does not come from the anchor", 3),
                ("near duplicate", 2)
            ])
        );
        assert_eq!(
            report.skipped,
            counts(&[
                ("too few similar terms for wrong choices", 176),
                ("no minimal change that makes the sentence wrong", 74)
            ])
        );
        assert_eq!(report.source, "a writer");
    }
}
