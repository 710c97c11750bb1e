//! What a sentence is good for: sentences that are made of terms ask for terms, the others for whole sentences.

use crate::candidates::anchor_words;
use crate::nodes::entity_rows;
use crate::{EntityNode, SentenceNode};
use lexforge_domain::graph::NodeClass;

/// The class of each sentence, as [`crate::build`] gives it.
pub fn node_classes(
    sentences: &[SentenceNode],
    entities: &[EntityNode],
    share: f32,
) -> Vec<NodeClass> {
    classes(
        sentences,
        &anchor_words(sentences),
        entities,
        &entity_rows(sentences, entities),
        share,
    )
}

/// The class of each sentence. The *term density* of a sentence is the share of its letters that belong to its terms,
/// each letter counted once. The sentences with the highest densities are anchor nodes. `share` says which share of the
/// sentences with terms these are. The other rules are context nodes. `words` holds the words of the sentences that can
/// be anchors.
pub(crate) fn classes(
    sentences: &[SentenceNode],
    words: &[Option<String>],
    entities: &[EntityNode],
    entities_of: &[Vec<u32>],
    share: f32,
) -> Vec<NodeClass> {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let of_entity: Vec<usize> = entities.iter().map(|e| letters(&e.text)).collect();
    let density = |row: usize| {
        let covered: usize = entities_of[row]
            .iter()
            .map(|e| of_entity[*e as usize])
            .sum();
        (covered as f64 / letters(&sentences[row].text).max(1) as f64).min(1.0)
    };
    let mut class = vec![NodeClass::Other; sentences.len()];
    let mut with_terms: Vec<(f64, usize)> = Vec::new();
    for (row, words) in words.iter().enumerate() {
        if words.is_some() {
            class[row] = NodeClass::Context;
            if !entities_of[row].is_empty() {
                with_terms.push((density(row), row));
            }
        }
    }
    with_terms.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let wanted = (f64::from(share.clamp(0.0, 1.0)) * with_terms.len() as f64).round() as usize;
    // Whoever is as dense as the last one belongs to it.
    let bound = wanted
        .checked_sub(1)
        .and_then(|last| with_terms.get(last))
        .map_or(f64::INFINITY, |last| last.0);
    for (density, row) in with_terms {
        if density >= bound {
            class[row] = NodeClass::Anchor;
        }
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::graph::TypeOrigin;
    use lexforge_domain::text::SentenceKind;
    use lexforge_domain::{DocumentId, SentenceId, TermId};

    #[test]
    fn the_denser_half_are_anchors() {
        let sentence = |kind, text: &str| SentenceNode {
            id: SentenceId(1),
            document: DocumentId(1),
            group: String::new(),
            type_origin: TypeOrigin::None,
            section: String::new(),
            kind,
            text: text.to_owned(),
            entities: Vec::new(),
            refers_to: Vec::new(),
        };
        let rule = |text| sentence(SentenceKind::Rule, text);
        let sentences = [
            rule("Own funds cover the risk exposure amount."),
            rule("Each year in the month of May somebody looks at own funds again with care."),
            rule("Nothing of the kind is mentioned in this sentence."),
            sentence(SentenceKind::Heading, "Own funds"),
            rule("Own funds cover the risk exposure amount."),
        ];
        let entity = |id, text: &str| EntityNode {
            id: TermId(id),
            text: text.to_owned(),
        };
        let entities = [entity(1, "own funds"), entity(2, "risk exposure amount")];
        let of = [vec![0, 1], vec![0], vec![], vec![0], vec![0, 1]];
        use NodeClass::{Anchor, Context, Other};
        let check = |share, expected: [NodeClass; 5]| {
            assert_eq!(
                classes(&sentences, &anchor_words(&sentences), &entities, &of, share),
                expected,
                "{share}"
            );
        };
        check(0.5, [Anchor, Context, Context, Other, Anchor]);
        check(0.34, [Anchor, Context, Context, Other, Anchor]);
        check(1.0, [Anchor, Anchor, Context, Other, Anchor]);
        check(0.0, [Context, Context, Context, Other, Context]);
    }
}
