//! The sentences about which questions can be asked.

use lexforge_graph::{SentenceNode, is_anchor};
use lexforge_ingest::{addressed, is_contents, is_footnotes};

/// Terms of one anchor that are asked for: more would make one rule dominate the lesson.
pub(super) const TERMS_AN_ANCHOR: usize = 4;

/// Whether a question may be asked about a sentence. The sentence must be running text, not an entry of a table of
/// contents and not a footnote.
pub(super) fn states_a_rule(node: &SentenceNode) -> bool {
    let top = node.section.split(" › ").next().unwrap_or_default();
    !is_contents(top) && !is_footnotes(top) && is_anchor(node.kind, &node.text)
}

/// Whether a sentence addresses a language model instead of a reader. Such a sentence may be a trap. So no question is
/// asked about it, and it is not used as a choice.
pub(super) fn speaks_to_a_model(node: &SentenceNode) -> bool {
    addressed::to_a_model(&node.text)
}
