//! Exams of other tasks: pairs of texts that belong together or not, scored pairs, texts with a class.

use super::Evaluations;
use super::exams::{Brought, ExamRequest, bytes, name_of, refused};
use crate::workspace::Result;
use lexforge_domain::api::ExamReport;
use lexforge_domain::exam::{ClassedText, ExamKind, ExamPair};
use lexforge_domain::{Code, Failure};
use lexforge_ingest::exam;
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

impl Evaluations<'_> {
    /// Brings in an exam whose kind its first file told. Lines of another kind are left out with the reason.
    ///
    /// # Errors
    /// When a file cannot be read, nothing in it can be used, or what it holds measures nothing: all pairs of one label or one
    /// score, all texts of one class.
    pub(super) fn import_task(
        &self,
        request: &ExamRequest,
        files: &[PathBuf],
        kind: ExamKind,
    ) -> Result<ExamReport> {
        if request.subject.is_some() {
            return Err(Failure::new(
                Code::InvalidRequest,
                "Questions with choices alone have a subject.",
                "Leave the subject out.",
            ));
        }
        let mut seen = HashMap::new();
        if kind == ExamKind::Classes {
            let mut brought: Brought<ClassedText> = Brought::default();
            for path in files {
                let found = exam::classed(&bytes(path)?).map_err(|e| refused(e, path))?;
                brought.take(&name_of(path), found, &mut seen, |one: &ClassedText| {
                    letters(&one.text)
                });
            }
            let mut classes: BTreeMap<String, u64> = BTreeMap::new();
            for one in &brought.items {
                *classes.entry(one.class.clone()).or_default() += 1;
            }
            if classes.len() == 1 {
                return Err(one_only("All texts are of one class."));
            }
            return self.keep(request, files, kind, 0, classes, brought);
        }
        let labelled = kind == ExamKind::Pairs;
        let mut brought: Brought<ExamPair> = Brought::default();
        for path in files {
            let found = exam::pairs(&bytes(path)?, labelled).map_err(|e| refused(e, path))?;
            brought.take(&name_of(path), found, &mut seen, |pair: &ExamPair| {
                let mut both = [letters(&pair.a), letters(&pair.b)];
                if !pair.asks {
                    both.sort_unstable();
                }
                both.join("\n")
            });
        }
        let alike = brought
            .items
            .windows(2)
            .all(|two| two[0].score == two[1].score);
        if alike && !brought.items.is_empty() {
            return Err(one_only(if labelled {
                "All pairs have one label."
            } else {
                "All pairs have one score."
            }));
        }
        self.keep(request, files, kind, 0, BTreeMap::new(), brought)
    }
}

/// What measures nothing, since nobody could be wrong.
fn one_only(what: &str) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!("{what} By these no system can be told from another."),
        "Bring in an exam that has several; nothing of this one was kept.",
    )
}
