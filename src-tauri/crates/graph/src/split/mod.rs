//! Divides the questions into train, dev and test parts by 6:1:3 or other shares. Whole documents or whole sections
//! stay together in one part.
//!
//! With ten documents or more, the unit that stays together is the document. With fewer, it is a section: the article
//! or recital if the section paths name one, or else the smallest section that is not a large part of its document.
//! Units that are mostly the same (versions, mirrored articles) are treated as one unit. A single sentence that is
//! nearly repeated elsewhere does not join units. The part that has most of its near-duplicates keeps them, and those
//! in other parts are set aside.
//!
//! The unit of inference (cluster) is the article or section if sections were split, and the anchor if whole documents
//! were split.

mod mirrored;
mod parts;
mod units;

use crate::near::{groups, near_pairs};
use crate::{SentenceNode, is_anchor};
use lexforge_domain::dataset::ClusterKind;
use lexforge_domain::qca::{Split, SplitShares};
use lexforge_domain::{DocumentId, SentenceId};
use std::collections::{BTreeMap, HashMap};
use units::{Units, number};

/// From this many documents on the document is the unit; below, 6:1:3 could not be met.
const DOCUMENTS: usize = 10;
/// Which sentence belongs to which part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitPlan {
    /// The part of each sentence; none of those that are set aside.
    pub of: HashMap<SentenceId, Split>,
    /// Sentences that were set aside, because another part has nearly the same sentence. They belong to no part. For
    /// each of them, the part of the other sentences of its unit is stored. No question asks about these sentences, and
    /// no wrong choice is taken from them.
    pub set_aside: BTreeMap<SentenceId, Split>,
    /// The units that were kept whole: `document` or `section`.
    pub unit: &'static str,
    /// Near-duplicate group of each sentence, named by the id of its first sentence.
    pub group_of: HashMap<SentenceId, i64>,
    /// What a cluster is.
    pub cluster_kind: ClusterKind,
    /// The cluster of an anchor: its article or section if sections were split, or else the anchor with its
    /// near-duplicates. It is identified by the id of its first sentence.
    pub cluster_of: HashMap<SentenceId, i64>,
    /// The parts of each cluster. Each article, section or anchor is given as its document and its name there.
    pub clusters: BTreeMap<i64, Vec<(DocumentId, String)>>,
}

impl SplitPlan {
    /// The part that a sentence's unit is in, as its index in [`Split::ALL`]. The sentence itself may be set aside.
    fn part_of_unit(&self, sentence: SentenceId) -> Option<usize> {
        let part = self
            .of
            .get(&sentence)
            .or_else(|| self.set_aside.get(&sentence))?;
        Split::ALL.iter().position(|split| split == part)
    }
}

/// Splits the sentences. The same seed gives the same split. A sentence that can be an anchor counts as four questions,
/// any other sentence as one.
pub fn split(sentences: &[SentenceNode], seed: u64) -> SplitPlan {
    split_by(
        sentences,
        |s| if is_anchor(s.kind, &s.text) { 4 } else { 1 },
        seed,
    )
}

/// Splits the sentences by the number of questions about each.
pub fn split_by(
    sentences: &[SentenceNode],
    questions: impl Fn(&SentenceNode) -> u64,
    seed: u64,
) -> SplitPlan {
    split_from(sentences, questions, None, SplitShares::default(), seed)
}

/// Splits the sentences as [`split_by`] does, but with the given shares, and starting from an earlier split of these
/// sentences. A unit moves to another part only if this brings the sizes of the parts nearer to the shares. So most
/// counts that were made with the earlier split stay right.
pub fn split_from(
    sentences: &[SentenceNode],
    questions: impl Fn(&SentenceNode) -> u64,
    earlier: Option<&SplitPlan>,
    shares: SplitShares,
    seed: u64,
) -> SplitPlan {
    let documents: HashMap<DocumentId, usize> =
        sentences.iter().fold(HashMap::new(), |mut count, s| {
            *count.entry(s.document).or_default() += 1;
            count
        });
    let by_document = documents.len() >= DOCUMENTS;
    let Units {
        of: unit_of,
        names,
        articles,
    } = if by_document {
        whole_documents(sentences)
    } else {
        units::sections(sentences)
    };
    let texts: Vec<&str> = sentences.iter().map(|s| s.text.as_str()).collect();
    let pairs = near_pairs(&texts, |_, _| true);
    let group_of = groups(sentences.len(), &pairs);
    let first = mirrored::joined(&unit_of, &pairs);
    let joined: Vec<usize> = unit_of.iter().map(|unit| first[*unit]).collect();
    let weights: Vec<u64> = sentences.iter().map(questions).collect();
    let stood: BTreeMap<usize, usize> = joined
        .iter()
        .zip(sentences)
        .filter_map(|(unit, sentence)| Some((*unit, earlier?.part_of_unit(sentence.id)?)))
        .collect();
    let shares = shares.parts();
    let parts = parts::assign(&joined, &group_of, &weights, &stood, shares, seed);

    let cluster_kind = match (by_document, articles) {
        (true, _) => ClusterKind::Anchor,
        (false, true) => ClusterKind::Article,
        (false, false) => ClusterKind::Section,
    };
    let mut plan = SplitPlan {
        unit: if by_document { "document" } else { "section" },
        cluster_kind,
        ..SplitPlan::default()
    };
    let mut first_of_unit: HashMap<usize, i64> = HashMap::new();
    for (row, sentence) in sentences.iter().enumerate() {
        let keeper = parts::keeper(&parts.votes[&group_of[row]]);
        let part = parts.of_unit[&joined[row]];
        if keeper == part {
            plan.of.insert(sentence.id, Split::ALL[part]);
        } else {
            plan.set_aside.insert(sentence.id, Split::ALL[part]);
        }
        let group = sentences[group_of[row]].id.0;
        let unit = *first_of_unit.entry(joined[row]).or_insert(sentence.id.0);
        let cluster = if by_document { group } else { unit };
        plan.group_of.insert(sentence.id, group);
        plan.cluster_of.insert(sentence.id, cluster);
        let member = match by_document {
            true => (sentence.document, sentence.section.clone()),
            false => (sentence.document, names[unit_of[row]].clone()),
        };
        let members = plan.clusters.entry(cluster).or_default();
        // An anchor is called by its first sentence; of a unit, all that it was joined of are named.
        if members.is_empty() || (!by_document && !members.contains(&member)) {
            members.push(member);
        }
    }
    plan
}

/// Each document as one unit.
fn whole_documents(sentences: &[SentenceNode]) -> Units {
    Units {
        of: number(sentences.iter().map(|s| s.document)),
        names: Vec::new(),
        articles: false,
    }
}
