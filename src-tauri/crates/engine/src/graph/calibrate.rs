//! The calibration view: what thresholds stand on, without building anything.

use super::Graph;
use crate::workspace::Result;
use lexforge_domain::api::GraphCalibration;
use lexforge_domain::graph::GraphSettings;

impl Graph<'_> {
    /// The distribution of cosines of each encoder's stored vectors, and what bounds these settings would give. Without
    /// settings, those of the newest graph.
    ///
    /// # Errors
    /// When no graph was built, since its vectors are what is examined.
    pub fn graph_calibration(&self, settings: Option<&GraphSettings>) -> Result<GraphCalibration> {
        let settings = match settings {
            Some(settings) => settings.clone(),
            None => self.graph_settings()?,
        };
        settings.check()?;
        let parts = self.stored_partitions()?.into_iter().map(|p| {
            let mut part = lexforge_graph::calibration::calibration(
                &p.sentences,
                &p.sentence_vectors,
                &p.entities,
                &p.entity_vectors,
                &settings,
            );
            (part.encoder, part.languages) = (p.encoder, p.languages);
            part
        });
        Ok(GraphCalibration {
            scale: settings.scale,
            parts: parts.collect(),
            settings,
        })
    }
}
