//! The anchors of questions: the sentences that are asked about, each with what a writer may use.

mod material;
mod rules;
mod shares;
mod view;

use crate::{Engine, Result};
pub(super) use material::Material;
pub(super) use shares::{Shares, split_from};
pub(super) use view::{Anchors, Place};

impl Engine {
    /// Hands out every anchor of the corpus with what a writer may use. The split is balanced by what is expected to be
    /// asked.
    pub(crate) fn with_anchors<T>(&self, f: impl FnOnce(&Anchors<'_>) -> Result<T>) -> Result<T> {
        let material = Material::load(self)?;
        let (graphs, settings) = (self.load_graphs()?, self.graph_settings()?);
        let plan = split_from(&graphs, &Shares::expected(&graphs, &material), None);
        f(&Anchors::new(&graphs, &settings, &plan, &material))
    }
}
