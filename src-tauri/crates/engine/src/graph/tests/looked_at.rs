//! Views of a graph: the types and classes of its sentences, a neighbourhood, an export.

use super::{by_counting, stored, workspace};
use crate::Silent;
use crate::graph::ShownCentre;
use lexforge_domain::graph::{NodeClass, TypeOrigin};
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};
use lexforge_store::EmbeddingKind;

#[test]
fn a_user_s_class_is_the_type_of_a_document_s_sentences() {
    let (_folder, engine) = workspace(3);
    let documents: Vec<DocumentId> = engine
        .workspace()
        .store
        .read(|r| r.documents())
        .unwrap()
        .iter()
        .map(|d| d.id)
        .collect();
    engine
        .graph()
        .set_document_class(documents[0], " loan management ")
        .unwrap();
    engine
        .graph()
        .set_document_class(documents[1], "loan management")
        .unwrap();
    let refused: Failure = engine
        .graph()
        .set_document_class(DocumentId(99), "x")
        .unwrap_err();
    assert_eq!(refused.code, Code::NotFound);
    let stats = engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    assert_eq!(stats.edges.same_type, 48 * 47 / 2 + 24 * 23 / 2);
    assert_eq!(
        (
            stats.types[&TypeOrigin::UserClass],
            stats.types[&TypeOrigin::TopSection]
        ),
        (48, 24)
    );
    let census = engine.graph().graph_census().unwrap();
    assert_eq!(census.largest_types[0], ("loan management".to_owned(), 48));
    assert_eq!(census.classes, stats.classes);
    assert!(census.classes[&NodeClass::Anchor] > 20);
    engine.graph().set_document_class(documents[0], "").unwrap();
    assert_eq!(engine.graph().document_classes().unwrap().len(), 1);
    assert_eq!(
        engine.graph().update_graph(&Silent).unwrap().stats.types[&TypeOrigin::UserClass],
        24
    );
}

#[test]
fn a_neighbourhood_is_shown_and_the_graph_exported() {
    let (_folder, engine) = workspace(3);
    engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    let term = engine
        .workspace()
        .store
        .read(|r| r.terms(&Default::default()))
        .unwrap()
        .rows
        .remove(0);
    let shown = engine
        .graph()
        .graph_show(&ShownCentre::Term(term.text.to_uppercase()), 3)
        .unwrap();
    assert_eq!(shown.centre, term.text);
    let by_id = engine
        .graph()
        .graph_show(&ShownCentre::Term(term.id.to_string()), 3)
        .unwrap();
    assert_eq!(by_id, shown);
    let anchor = stored(&engine).2[0];
    let shown = engine
        .graph()
        .graph_show(&ShownCentre::Sentence(anchor.anchor), 2)
        .unwrap();
    assert!(
        shown.candidates >= 1
            && shown.neighbours[0].candidate
            && shown.neighbours[0].page == Some(3),
        "{shown:?}"
    );
    assert_eq!(
        engine
            .graph()
            .graph_show(&ShownCentre::Term("no such".to_owned()), 3)
            .unwrap_err()
            .code,
        Code::NotFound
    );
    assert_eq!(
        engine
            .graph()
            .graph_show(&ShownCentre::Sentence(SentenceId(-1)), 3)
            .unwrap_err()
            .code,
        Code::NotFound
    );

    let (nodes, edges) = engine.graph().graph_export().unwrap();
    let newest = engine.workspace().store.read(|r| r.latest_graph());
    let stats = newest.unwrap().unwrap().stats;
    assert_eq!(nodes.len() as u64, stats.sentences + stats.entities);
    let of = |kind| edges.iter().filter(|e| e.kind == kind).count() as u64;
    use lexforge_domain::graph::EdgeKind::{Lexical, Reference, SimilarEntity};
    let e = stats.edges;
    assert_eq!(
        (of(SimilarEntity), of(Lexical), of(Reference)),
        (e.similar_entity, e.lexical, e.reference)
    );
    // The vectors of a term that is no more are no entity's.
    let kept = engine
        .workspace()
        .store
        .read(|r| r.embeddings(EmbeddingKind::Term, &stats.encoder))
        .unwrap()
        .unwrap();
    assert_eq!(kept.ids.len() as u64, stats.entities);
}
