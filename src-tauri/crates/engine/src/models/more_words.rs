//! Adds the workspace's own terms to the tokenizer of an encoder. Otherwise the tokenizer breaks some of these terms
//! into many pieces.

use super::Models;
use super::base::BaseModel;
use super::bases::hindrances;
use super::inspect::inspect;
use super::new_folder::{GivesWay, OUTPUT, put_in_place, refuse_what_stands};
use super::worker::{run_job, wrong_result};
use crate::workspace::{Result, Scratch, Watcher, clear, make_dir, tell};
use lexforge_domain::api::{Stage, TermFilter};
use lexforge_domain::protocol::{AddWordsJob, AddWordsResult, Job, JobResult};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{Code, Failure};
use std::path::Path;

/// The terms in the bundle.
const WORDS: &str = "inputs/words.jsonl";

impl Models<'_> {
    /// Makes a model folder from an encoder, with a tokenizer that does not break accepted terms into pieces. At most
    /// `most` terms are added, the most frequent ones first, and only terms that would be broken into `pieces` pieces
    /// or more. The vector of each new token starts as the mean of its pieces' vectors, and a training of all weights
    /// changes it from there. The folder is a base model like any other, and the workspace finds it by its name.
    ///
    /// # Errors
    /// When no term was accepted, no term is broken into so many pieces, something exists at `out`, or the worker or
    /// the model is missing. Nothing is left behind then.
    pub fn add_words(
        &self,
        base: Option<&str>,
        out: &Path,
        most: usize,
        pieces: usize,
        watcher: &dyn Watcher,
    ) -> Result<AddWordsResult> {
        refuse_what_stands(out, GivesWay::Never)?;
        let base = self.base(base)?;
        if let Some(problem) = hindrances(&inspect(&base, None, &[])?).into_iter().next() {
            return Err(problem);
        }
        let filter = TermFilter {
            status: Some(ReviewStatus::Accepted),
            ..TermFilter::default()
        };
        let mut terms = self.workspace.store.read(|r| r.terms(&filter))?.rows;
        terms.retain(|term| term.merged_into.is_none());
        terms.sort_by(|a, b| {
            b.mentions
                .cmp(&a.mentions)
                .then_with(|| a.text.cmp(&b.text))
        });
        if terms.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "No term was accepted yet, and only accepted terms are added to a vocabulary.",
                "Review terms first.",
            ));
        }
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let parent = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        make_dir(parent)?;
        clear(parent);
        let scratch = Scratch::new(parent, "export")?;
        tell(watcher, Stage::Export, &base.name, 0, 0);
        let job = Job::AddWords(AddWordsJob {
            model: base.reference(),
            words: WORDS.to_owned(),
            most,
            pieces,
            name: name.into_owned(),
            output: OUTPUT.to_owned(),
        });
        let lines = terms
            .iter()
            .map(|term| serde_json::json!({ "text": term.text }));
        let inputs = [(WORDS, lines.collect())];
        let cancelled = || watcher.cancelled();
        let folders = &base.folders;
        let result = run_job(&scratch, &job, &inputs, folders, &mut |_| {}, &cancelled)?;
        let JobResult::AddWords(mut made) = result else {
            return Err(wrong_result());
        };
        put_in_place(&scratch, out, GivesWay::Never)?;
        self.remember(&BaseModel::named(out.to_str()))?;
        made.output = out.display().to_string();
        Ok(made)
    }
}
