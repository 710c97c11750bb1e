//! The job that adds words to an encoder's vocabulary.

use crate::Result;
use crate::data::{Records, TextLine};
use crate::export::more_words::{self, Wanted};
use crate::folder::ModelFolders;
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use lexforge_domain::protocol::{AddWordsJob, AddWordsResult, JobResult};

/// Makes the folder in the bundle.
///
/// # Errors
/// As [`more_words::write`]; if the words cannot be read.
pub fn add_words(
    bundle: &HeldBundle,
    job: &AddWordsJob,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let base = folders.find(&job.model)?;
    let lines = Records::<TextLine>::open(&bundle.path(&job.words)?)?;
    let words: Vec<String> = lines
        .map(|line| line.map(|line| line.text))
        .collect::<Result<_>>()?;
    let wanted = Wanted {
        words: &words,
        most: job.most,
        pieces: job.pieces,
    };
    let folder = bundle.path(&job.output)?;
    let made = more_words::write(&base, &folder, &job.name, wanted)?;
    Ok(Outcome::Finished(JobResult::AddWords(AddWordsResult {
        output: job.output.clone(),
        vocabulary: made.vocabulary,
        added: made.added,
    })))
}
