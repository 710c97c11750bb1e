//! Reading the adapter that a work asks for: one that changes how texts are read, or a cross-encoder's.

use super::Adapter;
use crate::{Error, Result};
use lexforge_domain::Code;
use std::path::Path;

impl Adapter {
    /// Reads an adapter's folder, ours or PEFT's own.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] where it is incomplete or damaged, [`Code::ModelUnsupported`] where it
    /// uses a kind of adapter or an option that is not supported, or is a cross-encoder's.
    pub fn read(folder: &Path) -> Result<Self> {
        let read = Self::read_any(folder)?;
        match &read.head {
            None => Ok(read),
            Some(_) => Err(Error::told_of(
                folder,
                Code::ModelUnsupported,
                "The adapter is a cross-encoder's: it scores pairs of a question and a passage, and does nothing else.",
                "Use it to rerank what a search finds, or choose another adapter here.",
            )),
        }
    }

    /// Reads the folder of a cross-encoder's adapter.
    ///
    /// # Errors
    /// As [`Adapter::read`]; [`Code::ModelUnsupported`] where it is none.
    pub fn read_of_pairs(folder: &Path) -> Result<Self> {
        let read = Self::read_any(folder)?;
        match &read.head {
            Some(_) => Ok(read),
            None => Err(Error::told_of(
                folder,
                Code::ModelUnsupported,
                "The adapter is no cross-encoder's: it has no head that scores pairs of a question and a passage.",
                "Choose an adapter that was trained for reranking.",
            )),
        }
    }
}
