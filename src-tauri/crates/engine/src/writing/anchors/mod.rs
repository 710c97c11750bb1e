//! The anchors of questions: the sentences that are asked about, each with the material that a writer may use.

mod lone;
mod material;
mod rules;
mod shares;
mod view;

use crate::graph::Graph;
use crate::workspace::Result;
use crate::writing::Writing;
use lexforge_domain::api::Extent;
pub(crate) use lone::LoneRules;
pub(super) use material::Material;
pub(super) use shares::{Shares, split_from};
pub(super) use view::{Anchors, Place};

impl Writing<'_> {
    /// Calls `f` with all anchors of the corpus and with everything that a writer may use. The division into parts is
    /// balanced by the number of questions that are expected.
    pub(crate) fn with_anchors<T>(
        &self,
        extent: &Extent,
        f: impl FnOnce(&Anchors<'_>) -> Result<T>,
    ) -> Result<T> {
        let material = Material::load(self.workspace)?;
        let (graphs, settings) = (
            Graph::of(self.workspace).load_graphs()?,
            Graph::of(self.workspace).graph_settings()?,
        );
        let expected = Shares::expected(&graphs, &material, extent);
        let plan = split_from(&graphs, &expected, None, self.split_shares()?);
        f(&Anchors::new(&graphs, &settings, &plan, &material, extent))
    }
}
