//! The names of the clusters of a snapshot, and the number of questions in each.

use super::Training;
use crate::graph::{Graph, Partition};
use crate::workspace::{DEFAULT_SEED, Result};
use crate::writing::Writing;
use lexforge_domain::api::{DocumentRow, ExportedQuestion, QuestionFilter};
use lexforge_domain::dataset::{ClusterKind, ClusterSizes};
use lexforge_domain::document::Sentence;
use lexforge_domain::qca::Split;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_graph::SentenceNode;
use lexforge_graph::split::SplitPlan;
use std::collections::{BTreeMap, HashMap};

/// The plan that divides a whole corpus into units, clusters and groups, for all encoders together. The parts (train,
/// dev, test) in this plan are balanced by numbers of sentences.
pub(crate) fn split_plan<'a>(partitions: impl Iterator<Item = &'a Partition>) -> SplitPlan {
    let nodes: Vec<SentenceNode> = partitions
        .flat_map(|p| p.sentences.iter().cloned())
        .collect();
    lexforge_graph::split::split(&nodes, DEFAULT_SEED)
}

/// The clusters of a plan with their names.
pub(crate) struct Named<'a> {
    plan: &'a SplitPlan,
    documents: HashMap<DocumentId, String>,
    positions: HashMap<SentenceId, u32>,
}

impl<'a> Named<'a> {
    /// The names of the clusters, which are the names of the sections in their documents. If there are several
    /// documents, the name of the document is added.
    pub(crate) fn new(
        plan: &'a SplitPlan,
        documents: &[DocumentRow],
        sentences: &[Sentence],
    ) -> Self {
        let called = |d: &DocumentRow| {
            let alike = |same: &dyn Fn(&DocumentRow) -> bool| {
                documents.iter().filter(|o| same(o)).count() > 1
            };
            if !alike(&|o: &DocumentRow| o.file == d.file) {
                d.file.clone()
            } else if !alike(&|o: &DocumentRow| o.title == d.title) {
                d.title.clone()
            } else {
                format!("{} ({})", d.title, d.id)
            }
        };
        let documents = match documents {
            [] | [_] => HashMap::new(),
            several => several.iter().map(|d| (d.id, called(d))).collect(),
        };
        Self {
            plan,
            documents,
            positions: sentences.iter().map(|s| (s.id, s.position)).collect(),
        }
    }

    /// The cluster of an anchor.
    pub(crate) fn of(&self, anchor: SentenceId) -> i64 {
        self.plan
            .cluster_of
            .get(&anchor)
            .copied()
            .unwrap_or(anchor.0)
    }

    /// The name of a cluster: `Article 37`, or `Article 37, GDPR.pdf`.
    pub(crate) fn name(&self, cluster: i64) -> String {
        let members = self
            .plan
            .clusters
            .get(&cluster)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let position = self
            .positions
            .get(&SentenceId(cluster))
            .map(|position| format!("sentence {}", position + 1));
        let own = |(document, name): &(DocumentId, String)| {
            let sentence = position
                .as_deref()
                .filter(|_| self.plan.cluster_kind == ClusterKind::Anchor);
            let document = self.documents.get(document).map(String::as_str);
            let parts = [
                Some(name.as_str()).filter(|name| !name.is_empty()),
                sentence,
                document,
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        if members.is_empty() {
            // A sentence that is in no graph any more is a cluster by itself.
            return format!("anchor {cluster}");
        }
        members.iter().map(own).collect::<Vec<_>>().join(" = ")
    }
}

/// Number and sizes of the clusters by part, from the part and the cluster's name of each question.
pub(crate) fn sizes<'n>(
    questions: impl Iterator<Item = (Split, &'n str)>,
) -> BTreeMap<String, ClusterSizes> {
    let mut parts: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for (split, name) in questions {
        *parts
            .entry(split.tag())
            .or_default()
            .entry(name)
            .or_default() += 1;
    }
    let of = |clusters: &BTreeMap<&str, u32>| {
        let mut counts: Vec<u32> = clusters.values().copied().collect();
        counts.sort_unstable();
        let middle = counts
            .get((counts.len().max(1) - 1) / 2..=counts.len() / 2)
            .unwrap_or_default();
        let largest = clusters
            .iter()
            .max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
        ClusterSizes {
            clusters: counts.len() as u32,
            median: middle.iter().map(|n| f64::from(*n)).sum::<f64>() / middle.len().max(1) as f64,
            largest: largest.map_or(0, |(_, n)| *n),
            largest_name: largest
                .map(|(name, _)| (*name).to_owned())
                .unwrap_or_default(),
        }
    };
    parts
        .iter()
        .map(|(part, clusters)| ((*part).to_owned(), of(clusters)))
        .collect()
}

impl Training<'_> {
    /// Every question with the cluster that it would have in a snapshot. The clusters are missing if the graph must be
    /// built again first.
    pub fn exported_questions(&self) -> Result<Vec<ExportedQuestion>> {
        let rows = Writing::of(self.workspace)
            .questions(&QuestionFilter::default())?
            .rows;
        let (sentences, documents) = self
            .workspace
            .store
            .read(|r| Ok((r.sentences(None)?, r.documents()?)))?;
        let plan = Graph::of(self.workspace)
            .stored_partitions()
            .ok()
            .map(|partitions| split_plan(partitions.iter()));
        let named = plan
            .as_ref()
            .map(|plan| Named::new(plan, &documents, &sentences));
        let cluster = |anchor: SentenceId| {
            let named = named.as_ref()?;
            Some(named.name(named.of(anchor))).filter(|name| !name.is_empty())
        };
        Ok(rows
            .into_iter()
            .map(|row| ExportedQuestion {
                cluster: cluster(row.question.draft.anchor_sentence),
                row,
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_tell_number_median_and_the_largest_by_name() {
        let questions = [
            (Split::Train, "Article 2"),
            (Split::Train, "Article 9"),
            (Split::Train, "Article 9"),
            (Split::Train, "Article 9"),
            (Split::Test, "Article 1"),
            (Split::Test, "Article 3"),
            (Split::Test, "Recital 4"),
            (Split::Test, "Recital 4"),
        ];
        let found = sizes(questions.into_iter());
        let of = |part: &str| {
            let c = &found[part];
            (c.clusters, c.median, c.largest, c.largest_name.as_str())
        };
        assert_eq!(of("train"), (2, 2.0, 3, "Article 9"));
        assert_eq!(of("test"), (3, 1.0, 2, "Recital 4"));
        assert!(!found.contains_key("dev"));
    }
}
