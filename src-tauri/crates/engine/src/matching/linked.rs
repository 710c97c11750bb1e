//! A graph of the texts of a set, used to measure what graph and terms find. The sets of the bench come without a
//! graph. So the graph is made here, in the same way as in a workspace. Its terms are found by patterns and were not
//! reviewed.

use super::reading::Set;
use super::sides::{Text, Vectors};
use super::ways::Ways;
use crate::models::{BaseModel, Embedding, embedded_in};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::Stage;
use lexforge_domain::graph::{GraphSettings, TypeOrigin};
use lexforge_domain::protocol::TextSide;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{DocumentId, SentenceId, TermId};
use lexforge_graph::{EntityNode, Matrix, SentenceNode, build};
use lexforge_ingest::mentions::MentionFinder;
use lexforge_ingest::terms;
use std::path::Path;

/// The ways of a set. Without vectors of the texts no two sentences and no two terms are similar.
pub(super) fn ways(
    set: &Set,
    vectors: Option<&Vectors>,
    base: Option<&BaseModel>,
    language: Language,
    folder: &Path,
    watcher: &dyn Watcher,
) -> Result<Ways> {
    let texts: Vec<String> = set
        .asked
        .texts
        .iter()
        .chain(&set.texts.texts)
        .map(Text::whole)
        .collect();
    let entities = entities(&texts, language);
    let vectors_of_terms = match base.filter(|_| vectors.is_some() && !entities.is_empty()) {
        Some(base) => {
            let named = entities.iter();
            let named: Vec<(TextSide, &str)> = named
                .map(|e| (TextSide::Passage, e.text.as_str()))
                .collect();
            let what = Embedding::of(Stage::Embed);
            let (rows, _) = embedded_in(folder, base, None, &named, &what, watcher)?;
            rows.normalized()
        }
        None => Matrix::default(),
    };
    let vectors_of_texts = vectors.map(|v| {
        let (asked, others) = &v.whole;
        Matrix {
            rows: asked.rows + others.rows,
            dim: asked.dim,
            data: [asked.data.as_slice(), &others.data].concat(),
        }
    });
    let asked = set.asked.texts.len();
    let sentences = sentences(set, &texts, &entities, language);
    let graph = build(
        &sentences,
        &vectors_of_texts.unwrap_or_default(),
        &entities,
        &vectors_of_terms,
        &GraphSettings::default(),
        "",
    );
    let mut between: Vec<(SentenceId, SentenceId, f32)> = graph
        .sentence_edges()
        .iter()
        .map(|e| (e.a, e.b, e.weight))
        .collect();
    let mut mentions: Vec<(SentenceId, TermId)> = Vec::new();
    for sentence in &sentences {
        let near = graph.sentence_candidates(sentence.id).into_iter();
        between.extend(near.map(|(other, cosine)| (sentence.id, other, cosine)));
        mentions.extend(sentence.entities.iter().map(|term| (sentence.id, *term)));
    }
    let similar: Vec<(TermId, TermId, f32)> = graph
        .similar_entities()
        .iter()
        .map(|s| (s.a, s.b, s.cosine))
        .collect();
    let names = entities.into_iter().map(|e| (e.id, e.text)).collect();
    let others = texts.len() - asked;
    Ok(Ways::of_graph(
        asked, others, &between, &mentions, &similar, names,
    ))
}

/// The terms that patterns find in the texts.
fn entities(texts: &[String], language: Language) -> Vec<EntityNode> {
    let sentences: Vec<(SentenceKind, &str)> = texts
        .iter()
        .map(|text| (SentenceKind::Rule, text.as_str()))
        .collect();
    let found = terms::candidates(&sentences, &[], language, terms::most(sentences.len()));
    let numbered = found.into_iter().zip(0..);
    numbered
        .map(|(term, number)| EntityNode {
            id: TermId(number),
            text: term.text,
        })
        .collect()
}

/// The texts as sentences of two documents, with the terms that each mentions.
fn sentences(
    set: &Set,
    texts: &[String],
    entities: &[EntityNode],
    language: Language,
) -> Vec<SentenceNode> {
    let named: Vec<(TermId, &str)> = entities.iter().map(|e| (e.id, e.text.as_str())).collect();
    let finder = MentionFinder::new(&named, language);
    let titles = set.asked.texts.iter().chain(&set.texts.texts);
    let asked = set.asked.texts.len();
    texts
        .iter()
        .zip(titles)
        .enumerate()
        .map(|(row, (text, titled))| {
            let document = DocumentId(i64::from(row >= asked));
            SentenceNode {
                id: SentenceId(row as i64),
                document,
                // A heading of one side is no heading of the other side.
                group: format!("{document} {}", titled.title),
                type_origin: TypeOrigin::TopSection,
                section: titled.title.clone(),
                kind: SentenceKind::Rule,
                text: text.clone(),
                entities: finder.find(text).into_iter().map(|m| m.0).collect(),
                refers_to: Vec::new(),
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::reading::Listed;
    use super::*;
    use crate::workspace::Silent;

    fn side(texts: &[&str]) -> Listed {
        let mut side = Listed::default();
        for (number, text) in texts.iter().enumerate() {
            side.ids.push(number.to_string());
            side.texts.push(Text {
                text: (*text).to_owned(),
                ..Text::default()
            });
            side.standards.push(None);
        }
        side
    }

    #[test]
    fn a_set_gets_a_graph_of_its_own_terms() {
        let set = Set {
            name: "own".to_owned(),
            asked: side(&[
                "The firm shall keep a recovery time objective (RTO) for each critical service.",
                "The firm shall appoint a data protection officer (DPO).",
            ]),
            texts: side(&[
                "The recovery time objective of a service is tested every year.",
                "The data protection officer answers to the board.",
                "Visitors sign in at the desk.",
            ]),
            links: vec![[0].into(), [1].into()],
        };
        let folder = Path::new("");
        let ways = ways(&set, None, None, Language::En, folder, &Silent).unwrap();
        for (rule, statement, term) in [
            (0, 0, "recovery time objective"),
            (1, 1, "data protection officer"),
        ] {
            let led = ways.of(rule);
            let graph = led.graph.unwrap();
            let best = (0..3).max_by(|a, b| graph[*a].total_cmp(&graph[*b]));
            assert_eq!(best, Some(statement), "{graph:?}");
            assert_eq!(led.edges.get(&statement), Some(&2));
            let shared = ways.shared(rule, statement);
            assert!(shared.iter().any(|name| name == term), "{shared:?}");
            assert_eq!(graph[2], 0.0);
        }
    }
}
