//! Reading the adapter that a work asks for: one that changes how texts are read, or a cross-encoder's.

use super::Adapter;
use crate::adapters::sidecar::{PairReading, Sidecar};
use crate::tensors::NamedTensors;
use crate::{Error, Result};
use lexforge_domain::Code;
use std::path::Path;

impl Adapter {
    /// Reads the folder of an adapter that this program or PEFT wrote.
    ///
    /// # Errors
    /// [`Code::BundleInvalid`] if it is incomplete or damaged. [`Code::ModelUnsupported`] if it uses a kind of
    /// adapter or an option that is not supported, or belongs to a cross-encoder.
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
    /// As [`Adapter::read`]; [`Code::ModelUnsupported`] if the folder holds another kind of adapter.
    pub(crate) fn read_of_pairs(folder: &Path) -> Result<Self> {
        let read = Self::read_any(folder)?;
        read.of_pairs()?;
        Ok(read)
    }

    /// The description beside a cross-encoder's adapter, how the cross-encoder reads pairs, and the tensors of its
    /// head.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if the adapter is not a cross-encoder's.
    pub fn of_pairs(&self) -> Result<(&Sidecar, PairReading, &NamedTensors)> {
        let sidecar = self.sidecar.as_ref();
        let pairs = sidecar.and_then(|sidecar| Some((sidecar, sidecar.pairs?)));
        match (pairs, &self.head) {
            (Some((sidecar, pairs)), Some(head)) => Ok((sidecar, pairs, head)),
            _ => Err(Error::told_of(
                Path::new(&self.folder),
                Code::ModelUnsupported,
                "The adapter is no cross-encoder's: it has no head that scores pairs of a question and a passage.",
                "Choose an adapter that was trained for reranking.",
            )),
        }
    }
}
