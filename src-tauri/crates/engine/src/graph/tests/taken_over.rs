//! Vectors that were made before the first build of the graph. The tests show that searches use them, and that the
//! build takes them over. The tests store such vectors as the worker would have made them. No worker runs here, so a
//! successful build shows that no text was embedded again.

use super::{import, rules};
use crate::corpus::Corpus;
use crate::models::{Shipped, ahead_label, minilm_label};
use crate::{Engine, GraphRequest, Silent};
use lexforge_domain::api::TermFilter;
use lexforge_domain::text::Language;
use lexforge_store::{EmbeddingKind, Embeddings, MarkedEmbeddings};
use sha2::Digest as _;

const DIM: usize = 8;

/// A vector of unit length, another one for each id.
fn vector(id: i64) -> Vec<f32> {
    let values: Vec<f32> = (1..=DIM).map(|k| (id as f32 * k as f32).sin()).collect();
    let length = values.iter().map(|v| v * v).sum::<f32>().sqrt();
    values.iter().map(|v| v / length).collect()
}

fn put(engine: &Engine, texts: &[(i64, String)]) {
    let mark = |text: &str| {
        let digest = sha2::Sha256::digest(text);
        u64::from_be_bytes(digest[..8].try_into().unwrap())
    };
    let new = MarkedEmbeddings {
        embeddings: Embeddings {
            ids: texts.iter().map(|(id, _)| *id).collect(),
            dim: DIM,
            vectors: texts.iter().flat_map(|(id, _)| vector(*id)).collect(),
        },
        marks: texts.iter().map(|(_, text)| mark(text)).collect(),
        reading: String::new(),
    };
    let store = &engine.workspace().store;
    let put = store.write("tester", |w| {
        w.put_marked_embeddings(&ahead_label(), &new, false)
    });
    put.unwrap();
}

fn sentences(engine: &Engine) -> Vec<(i64, String)> {
    let all = engine.workspace().store.read(|r| r.sentences(None));
    let all = all.unwrap().into_iter();
    all.map(|s| (s.id.0, s.text)).collect()
}

fn workspace() -> (tempfile::TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    import(&engine, "act 1", &rules(1, 24), Language::En);
    import(
        &engine,
        "法",
        &["本办法自发布之日起施行。".to_owned()],
        Language::Zh,
    );
    (folder, engine)
}

/// The sentences of English documents.
fn english(engine: &Engine) -> Vec<(i64, String)> {
    let mut all = sentences(engine);
    all.retain(|(_, text)| text.is_ascii());
    all
}

#[test]
fn vectors_are_searched_once_every_sentence_has_one() {
    let (_folder, engine) = workspace();
    let corpus = Corpus::of(engine.workspace());
    let all = english(&engine);
    assert_eq!(
        corpus.lacking_by(Shipped::MiniLm).unwrap(),
        all.len() as u64
    );
    let (some, others) = all.split_at(10);
    put(&engine, some);
    assert_eq!(
        corpus.lacking_by(Shipped::MiniLm).unwrap(),
        others.len() as u64
    );
    assert!(corpus.sentence_vectors().unwrap().is_empty());
    put(&engine, others);
    assert_eq!(corpus.lacking_by(Shipped::MiniLm).unwrap(), 0);
    let parts = corpus.sentence_vectors().unwrap();
    assert_eq!(parts.len(), 1);
    assert_eq!(
        (parts[0].encoder.as_str(), parts[0].languages.as_slice()),
        (minilm_label().as_str(), [Language::En].as_slice())
    );
    let cosines = corpus.cosines(&parts[0], &vector(all[3].0)).unwrap();
    let at = parts[0].ids.iter().position(|id| *id == all[3].0).unwrap();
    assert!(parts[0].ids.len() == all.len() && (cosines[at] - 1.0).abs() < 1e-5);

    import(&engine, "act 2", &rules(2, 5), Language::En);
    assert_eq!(corpus.lacking_by(Shipped::MiniLm).unwrap(), 5);
    assert!(corpus.sentence_vectors().unwrap().is_empty());
}

#[test]
fn a_build_embeds_nothing_that_was_embedded_and_takes_it_over() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    import(&engine, "act 1", &rules(1, 24), Language::En);
    import(&engine, "act 2", &rules(2, 24), Language::En);
    engine.terms().extract_terms(&Silent).unwrap();
    let store = &engine.workspace().store;
    let terms = store.read(|r| r.terms(&TermFilter::default())).unwrap();
    let terms = terms.rows.into_iter().zip(1..);
    let terms: Vec<(i64, String)> = terms.map(|(term, n)| (-n, term.text)).collect();
    let all = sentences(&engine);
    put(&engine, &all);
    put(&engine, &terms);
    engine
        .graph()
        .build_graph(&GraphRequest::default(), &Silent)
        .unwrap();

    let of = |label: &str| {
        let kept = store.read(|r| r.embeddings(EmbeddingKind::Sentence, label));
        kept.unwrap()
    };
    assert_eq!(of(&ahead_label()), None);
    let kept = of(&minilm_label()).unwrap();
    assert_eq!(kept.ids.len(), all.len());
    for (id, row) in kept.ids.iter().zip(kept.vectors.chunks(DIM)) {
        assert_eq!(row, vector(*id));
    }
    let corpus = Corpus::of(engine.workspace());
    assert_eq!(corpus.lacking_by(Shipped::MiniLm).unwrap(), 0);

    // Sentences added after the build are searched together with the graph. The graph itself does not change.
    import(&engine, "act 3", &rules(3, 6), Language::En);
    assert_eq!(corpus.lacking_by(Shipped::MiniLm).unwrap(), 6);
    put(&engine, &sentences(&engine)[all.len()..]);
    assert_eq!(corpus.lacking_by(Shipped::MiniLm).unwrap(), 0);
    let parts = corpus.sentence_vectors().unwrap();
    assert_eq!((parts.len(), parts[0].ids.len()), (1, all.len() + 6));
    let covered: usize = engine
        .graph()
        .stored_partitions()
        .unwrap()
        .iter()
        .map(|p| p.sentences.len())
        .sum();
    assert_eq!(covered, all.len());
    assert_eq!(of(&minilm_label()).unwrap().ids.len(), all.len());
}
