//! Requests and answers, stored in the workspace.

use crate::workspace::{OpenWorkspace, Result, file_failure, io_failure};
use lexforge_augment::endpoint::{Answer, Entry, Ledger};
use lexforge_domain::endpoint::EndpointSettings;
use lexforge_domain::{AskingId, Code, Failure};
use lexforge_files::inside;
use lexforge_store::StoredAnswer;
use std::fs::{File, TryLockError};
use std::path::Path;

/// File whose lock says that an asking of this workspace is at work. The system gives it back however a program ends.
const LOCK_FILE: &str = "asking.lock";

/// Keeps the entries of one asking.
pub(crate) struct StoreLedger<'e> {
    workspace: &'e OpenWorkspace,
    asking: AskingId,
    price: Price,
}

/// Prices of a million tokens of prompt and of answer.
#[derive(Clone, Copy)]
pub(crate) struct Price(Option<f64>, Option<f64>);

impl Price {
    pub(crate) fn of(settings: &EndpointSettings) -> Self {
        Self(settings.price_in, settings.price_out)
    }

    /// The answer as it is kept.
    pub(crate) fn stored(self, answer: &Answer) -> StoredAnswer {
        StoredAnswer {
            model: answer.model.clone(),
            text: answer.text.clone(),
            finish: answer.finish.clone(),
            prompt_tokens: answer.prompt_tokens,
            completion_tokens: answer.completion_tokens,
            cost: self.cost(answer.prompt_tokens, answer.completion_tokens),
        }
    }

    /// The cost of this many tokens; `None` without a price or a count.
    pub(crate) fn cost(self, prompt: Option<u64>, completion: Option<u64>) -> Option<f64> {
        let part = |price: Option<f64>, tokens: Option<u64>| Some(price? * tokens? as f64 / 1e6);
        match (part(self.0, prompt), part(self.1, completion)) {
            (None, None) => None,
            (read, written) => Some(read.unwrap_or(0.0) + written.unwrap_or(0.0)),
        }
    }
}

impl<'e> StoreLedger<'e> {
    pub(crate) fn new(
        workspace: &'e OpenWorkspace,
        asking: AskingId,
        settings: &EndpointSettings,
    ) -> Self {
        Self {
            workspace,
            asking,
            price: Price::of(settings),
        }
    }
}

impl Ledger for StoreLedger<'_> {
    fn commit(&mut self, entries: &[Entry]) -> Result<()> {
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            for entry in entries {
                match entry {
                    Entry::Asked(key) => w.insert_request(self.asking, key)?,
                    Entry::Answered(key, answer) => {
                        w.insert_answer(self.asking, key, &self.price.stored(answer))?;
                    }
                    Entry::Failed(key, failure) => {
                        w.fail_request(
                            self.asking,
                            key,
                            failure.fault.tag(),
                            failure.fault.is_uncertain(),
                        )?;
                    }
                }
            }
            Ok(())
        })?)
    }
}

/// The lock of the one asking that a workspace has at a time; it lasts as long as the file is open.
pub(crate) fn lock(artifacts: &Path) -> Result<File> {
    let path = artifacts.join(LOCK_FILE);
    let file = inside::open_to_lock(artifacts, LOCK_FILE, true).map_err(file_failure)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Failure::new(
            Code::WorkspaceBusy,
            "An endpoint is being asked for this workspace already.",
            "Wait until that has ended, or cancel it; every answer is kept.",
        )),
        Err(TryLockError::Error(e)) => Err(io_failure(&e, &path)),
    }
}
