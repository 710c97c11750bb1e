//! The calibration view: what thresholds stand on, without building anything.

use super::Graph;
use crate::workspace::Result;
use lexforge_domain::api::GraphCalibration;
use lexforge_domain::graph::GraphSettings;

impl Graph<'_> {
    /// How the cosines of each encoder's stored vectors are distributed, and which links the bounds of these settings
    /// would give. Without settings, the settings of the newest graph are used.
    ///
    /// # Errors
    /// When no graph was built: this examines the vectors of a graph.
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
