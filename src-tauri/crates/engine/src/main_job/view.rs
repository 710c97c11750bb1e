//! A workspace at a glance.

use crate::engine::Engine;
use crate::targets::targets;
use crate::workspace::{Result, stem};
use lexforge_domain::api::{TargetPlace, WorkspaceView};

impl Engine {
    /// An overview of the workspace: its name and path, its counts, the languages of its documents, the head of its
    /// audit chain, its newest graph and snapshot, and the hosts of its endpoints and of the machines that can train.
    pub fn view(&self) -> Result<WorkspaceView> {
        let path = self.workspace().store.path().to_path_buf();
        let graph_state = self.graph().graph_state()?;
        let hosts = self.asking().endpoint_hosts()?;
        let machines = machines();
        Ok(self.workspace().store.read(|r| {
            let counts = r.counts()?;
            let mut languages: Vec<_> = r.documents()?.into_iter().map(|d| d.language).collect();
            languages.sort_unstable();
            languages.dedup();
            Ok(WorkspaceView {
                name: stem(&path),
                path: path.display().to_string(),
                documents: counts.documents,
                pages: counts.pages,
                sentences: counts.sentences,
                terms: counts.terms,
                questions: counts.questions,
                triplets: r.count_triplets()?,
                similarity: r.count_similarity_pairs()?,
                datasets: counts.datasets,
                runs: counts.runs,
                audit_head: r.audit_head()?,
                graph: r.latest_graph()?.map(|g| g.stats),
                graph_state,
                dataset: r.datasets()?.into_iter().next(),
                languages,
                hosts,
                machines,
            })
        })?)
    }
}

/// The hosts of the machines that a training can be sent to. What cannot be read is told where they are listed.
fn machines() -> Vec<String> {
    let ready = targets().unwrap_or_default().targets.into_iter();
    let mut hosts: Vec<String> = ready
        .filter(|target| target.worker.is_some())
        .filter_map(|target| match target.place {
            TargetPlace::Ssh { host } => Some(host),
            TargetPlace::Here => None,
        })
        .collect();
    hosts.sort();
    hosts.dedup();
    hosts
}
