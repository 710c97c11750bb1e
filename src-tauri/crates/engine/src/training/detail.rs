//! A run with everything that is known of it.

use super::Training;
use super::item_counts::ItemCounts;
use super::recipe;
use crate::runs::{Runs, device_of};
use crate::workspace::{Result, io_failure};
use lexforge_compute::Bundle;
use lexforge_domain::api::RunDetail;
use lexforge_domain::protocol::{Objective, RerankItem, RetrievalItem, TrainJob, TripletItem};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use serde::de::DeserializeOwned;
use std::io::Read;

/// Bytes of a bundle's training items that are read.
const LARGEST_ITEMS: u64 = 1 << 30;

impl Training<'_> {
    /// A run with its settings, its device, its results and its figures.
    ///
    /// # Errors
    /// When there is no such run, or the workspace cannot be read.
    pub fn run_detail(&self, id: RunId) -> Result<RunDetail> {
        let run = Runs::of(self.workspace).run(id)?;
        let spec = self.workspace.store.read(|r| r.run(id))?.spec;
        let job: TrainJob = serde_json::from_str(&spec).map_err(|e| {
            Failure::new(
                Code::WorkspaceInvalid,
                format!("The settings of run {id} cannot be read; another version made it: {e}."),
                Remedy::TrainAnew,
            )
        })?;
        // If the bundle was removed by hand, only the device is not known any more.
        let bundle = Runs::of(self.workspace).bundle(id).ok();
        let device = bundle
            .as_ref()
            .and_then(|b| device_of(b).ok())
            .unwrap_or_default();
        let mut stages = job.settings.stages.iter();
        let on_triplets = stages.any(|s| matches!(s.objective, Objective::Triplets(_)));
        let mut stages = job.settings.stages.iter();
        let on_pairs = stages.any(|s| matches!(s.objective, Objective::Rerank(_)));
        let counts = match (&bundle, &job.passages) {
            (Some(bundle), None) if on_triplets => {
                let items: Vec<TripletItem> = bundle_items(bundle, &job.train).unwrap_or_default();
                ItemCounts::triplets(items.len())
            }
            (None, _) => ItemCounts::default(),
            (Some(bundle), None) => ItemCounts {
                meanings: usize::try_from(job.lineage.meanings).unwrap_or_default(),
                ..ItemCounts::of(&bundle_items(bundle, &job.train).unwrap_or_default())
            },
            (Some(bundle), Some(_)) if on_pairs => {
                let items: Vec<RerankItem> = bundle_items(bundle, &job.train).unwrap_or_default();
                ItemCounts::labelled(items.iter().map(|item| item.positives.len()).sum())
            }
            (Some(bundle), Some(_)) => {
                let items: Vec<RetrievalItem> =
                    bundle_items(bundle, &job.train).unwrap_or_default();
                let alone = job.settings.stages.iter().any(|stage| {
                    matches!(&stage.objective, Objective::Retrieval(retrieval)
                        if retrieval.distillation.is_some_and(|d| d.is_alone()))
                });
                ItemCounts::labelled(items.iter().map(|item| item.items(alone)).sum())
            }
        };
        Ok(RunDetail {
            run,
            stages: recipe::stages(&job.settings, counts),
            settings: job.settings,
            device,
            result: Runs::of(self.workspace).train_result(id).ok(),
            evaluation: self.workspace.store.read(|r| r.evaluation(id))?,
            start_from: Runs::of(self.workspace)
                .chain(id)
                .ok()
                .and_then(|chain| chain.get(1).copied()),
            // As the device: what a bundle of another version says of it is missing, and nothing else.
            spent: Runs::of(self.workspace).spent(id).ok().flatten(),
        })
    }
}

/// The items that a bundle's run learns from.
pub(crate) fn bundle_items<T: DeserializeOwned>(bundle: &Bundle, file: &str) -> Result<Vec<T>> {
    let mut text = String::new();
    let read = bundle
        .open_file(file)?
        .take(LARGEST_ITEMS)
        .read_to_string(&mut text);
    read.map_err(|e| io_failure(&e, &bundle.folder().join(file)))?;
    // A line that is no item only loses its place in the count.
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}
