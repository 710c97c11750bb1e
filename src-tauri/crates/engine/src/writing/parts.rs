//! Which share of the questions each part is to have.

use super::Writing;
use crate::workspace::Result;
use lexforge_domain::qca::SplitShares;
use lexforge_domain::{Code, Failure};

/// The setting's key.
const SHARES: &str = "split.shares";

impl Writing<'_> {
    /// The shares of questions that go into the training, dev and test parts.
    pub fn split_shares(&self) -> Result<SplitShares> {
        let kept = self.workspace.store.read(|r| r.setting(SHARES))?;
        kept.map_or(Ok(SplitShares::default()), |text| {
            SplitShares::read(&text).ok_or_else(|| {
                Failure::new(
                    Code::WorkspaceInvalid,
                    format!("The shares of the parts that the workspace has on record cannot be read: {text}."),
                    "Set them again, as in 6:1:3.",
                )
            })
        })
    }

    /// Sets the shares of the parts. Existing questions keep their parts until they are written again.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn set_split_shares(&self, shares: SplitShares) -> Result<()> {
        let workspace = self.workspace;
        Ok(workspace.store.write(&workspace.actor, |w| {
            w.set_setting(SHARES, &shares.to_string())
        })?)
    }
}
