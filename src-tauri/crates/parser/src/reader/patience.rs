//! Limits how much a file may make the reader draw. Forms can draw other forms. A file of two kilobytes with thirty
//! forms, each drawing the next one twice, asks for a thousand million drawings.

use lexforge_ingest::error::IngestError;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A page of the largest maps and tables needs about a tenth of this.
const STEPS_A_FILE: u64 = 5_000_000;
/// What a form, a group or another clip counts for: pages have some hundreds, and each costs as much as many lines.
pub(crate) const NESTED: u64 = 20;
/// More for each further page.
const STEPS_A_PAGE: u64 = 200_000;

/// The number of drawing steps that a file has left.
pub struct Patience(u64);

/// The end of patience, thrown through the interpreter, which knows no other way to be stopped.
struct Exhausted;

impl Patience {
    /// For a file of so many pages.
    pub(crate) fn for_pages(pages: u32) -> Self {
        Self(STEPS_A_FILE + STEPS_A_PAGE * u64::from(pages))
    }

    /// Takes `counts` of the steps that are left. If fewer are left, this ends the reading that [`reading`] runs.
    pub fn step(&mut self, counts: u64) {
        match self.0.checked_sub(counts) {
            Some(left) => self.0 = left,
            // No panic hook is called: this is no fault of the program.
            None => resume_unwind(Box::new(Exhausted)),
        }
    }
}

/// Runs `work`, which reads a part of a file. `work` is stopped when it needs more drawing steps than the file has left
/// ([`Patience`]).
///
/// # Errors
/// [`IngestError::Nesting`] if `work` was stopped.
pub fn reading(work: impl FnOnce()) -> Result<(), IngestError> {
    // If reading stops in the middle, the part that was read is discarded with the file.
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| match thrown.downcast::<Exhausted>() {
        Ok(_) => IngestError::Nesting,
        Err(other) => resume_unwind(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_after_its_steps_and_other_panics_go_on() {
        let mut patience = Patience(3);
        assert!(reading(|| (0..3).for_each(|_| patience.step(1))).is_ok());
        assert!(matches!(
            reading(|| patience.step(1)),
            Err(IngestError::Nesting)
        ));
        let other = catch_unwind(|| reading(|| resume_unwind(Box::new(7))));
        assert!(other.is_err_and(|thrown| thrown.downcast_ref::<i32>() == Some(&7)));
    }
}
