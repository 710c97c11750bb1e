//! Graphs of small workspaces: built, added to, grown old, and of odd corpora.

mod by_language;
mod looked_at;
mod taken_over;

use super::build::words_name;
use super::{Encoder, GraphRequest};
use crate::review::fixture::document;
use crate::{Engine, Silent};
use lexforge_domain::api::{BuildKind, NewDecision, StaleReason};
use lexforge_domain::graph::{GraphSettings, SentenceEdge, SimilarEntities};
use lexforge_domain::review::{Choice, Edit, Subject};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, SentenceId};
use lexforge_graph::Earlier;
use lexforge_graph::tfidf::TfIdf;
use lexforge_store::SentenceCandidate;
use std::collections::{BTreeSet, HashMap};

const ACTORS: [&str; 6] = [
    "credit institution",
    "central depositary",
    "investment firm",
    "competent authority",
    "payment institution",
    "resolution fund",
];
const OBJECTS: [&str; 7] = [
    "own funds",
    "large exposures",
    "client assets",
    "settlement risk",
    "internal models",
    "recovery plan",
    "liquid assets",
];

/// A regulation of made-up rules.
fn rules(n: usize, count: usize) -> Vec<String> {
    (0..count)
        .map(|i| {
            let (actor, object) = (ACTORS[(i * 5 + n) % 6], OBJECTS[(i * 3 + n) % 7]);
            match i % 3 {
                0 => format!(
                    "Each {actor} shall report its {object} to the competent authority within {} days.",
                    i + n + 2
                ),
                1 => format!(
                    "A {actor} keeps records about its {object} and shows them to the auditor in year {}.",
                    i + 3 * n
                ),
                _ => format!(
                    "The {object} of the {actor} are never less than {} per cent of all exposures.",
                    i + 2 * n + 1
                ),
            }
        })
        .collect()
}

fn import(engine: &Engine, name: &str, texts: &[String], language: Language) -> DocumentId {
    let mut parsed = document(texts);
    (parsed.title, parsed.language) = (name.to_owned(), language);
    let bytes = format!("{name}\n{}", texts.join("\n"));
    engine
        .workspace()
        .store
        .write("tester", |w| {
            w.insert_document(&parsed, name, bytes.as_bytes())
        })
        .unwrap()
}

fn workspace(documents: usize) -> (tempfile::TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    for n in 0..documents {
        import(&engine, &format!("act {n}"), &rules(n, 24), Language::En);
    }
    engine.terms().extract_terms(&Silent).unwrap();
    (folder, engine)
}

fn by_counting() -> GraphRequest {
    GraphRequest {
        encoder: Encoder::Lsa,
        ..GraphRequest::default()
    }
}

/// The stored data of the newest graph.
fn stored(
    engine: &Engine,
) -> (
    Vec<SimilarEntities>,
    Vec<SentenceEdge>,
    Vec<SentenceCandidate>,
) {
    engine
        .workspace()
        .store
        .read(|r| {
            Ok((
                r.similar_entities()?,
                r.sentence_edges()?,
                r.sentence_candidates()?,
            ))
        })
        .unwrap()
}

/// If somebody builds again without naming an encoder, the present encoder stays in use. Otherwise the usual encoder
/// would replace it without notice.
#[test]
fn a_rebuild_keeps_the_encoder_and_the_settings_that_there_are() {
    let (_folder, engine) = workspace(3);
    let settings = GraphSettings {
        sentence_threshold: 0.5,
        ..GraphSettings::default()
    };
    let first = GraphRequest {
        settings: settings.clone(),
        ..by_counting()
    };
    engine.graph().build_graph(&first, &Silent).unwrap();
    let again = engine.graph().rebuild_graph(None, None, &Silent).unwrap();
    assert!(again.parts[0].encoder.starts_with("char-ngram LSA"));
    let builds = engine.graph().graph_builds().unwrap();
    assert_eq!((builds.len(), &builds[0].settings), (2, &settings));
    let other = GraphSettings::default();
    engine
        .graph()
        .rebuild_graph(Some(other.clone()), None, &Silent)
        .unwrap();
    assert_eq!(engine.graph().graph_builds().unwrap()[0].settings, other);
}

#[test]
fn a_document_is_added_without_a_rebuild_and_the_result_is_that_of_one() {
    let (_folder, engine) = workspace(6);
    engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    let first = engine.graph().graph_builds().unwrap().remove(0);
    assert_eq!(
        (
            first.kind,
            first.parent,
            first.documents.as_ref().map(Vec::len)
        ),
        (BuildKind::Whole, None, Some(6))
    );
    let part = first.stats.parts[0].clone();
    assert!(
        part.vectors.len() == 64 && part.dim == 128 && !part.thresholds_kept,
        "{part:?}"
    );
    let state = engine.graph().graph_state().unwrap();
    assert!(
        !state.stale() && !state.can_update && state.days == 0,
        "{state:?}"
    );

    import(&engine, "act 7", &rules(7, 12), Language::En);
    engine.terms().extract_terms(&Silent).unwrap();
    let state = engine.graph().graph_state().unwrap();
    assert!(
        state.can_update && state.sentences.added == 12 && state.documents.added == 1,
        "{state:?}"
    );
    assert_eq!(engine.view().unwrap().graph_state, state);
    // Before the update the graph is the one that was built, and still serves.
    let graphs = engine.graph().load_graphs().unwrap();
    assert_eq!(graphs[0].1.stats().sentences, 144);

    let update = engine.graph().update_graph(&Silent).unwrap();
    assert_eq!(
        (update.kind, update.parent),
        (BuildKind::Update, Some(first.id))
    );
    assert_eq!(
        (
            update.stats.sentences,
            update.documents.as_ref().map(Vec::len)
        ),
        (156, Some(7))
    );
    assert!(
        update.joined_sentences >= 12 && update.joined_sentences < 156,
        "{}",
        update.joined_sentences
    );
    let kept = &update.stats.parts[0];
    assert_eq!(
        (kept.thresholds, kept.thresholds_kept, kept.basis_kept),
        (part.thresholds, true, true)
    );
    assert_ne!(kept.vectors, part.vectors);
    assert!(engine.workspace().audit_verify().unwrap().ok);

    // A whole join of the same vectors with the same bounds.
    let partition = &engine.graph().stored_partitions().unwrap()[0];
    let words = engine
        .workspace()
        .store
        .read(|r| r.graph_kept(&words_name(&partition.encoder)))
        .unwrap()
        .unwrap();
    let words = TfIdf::from_bytes(&words).unwrap();
    let whole = lexforge_graph::build_after(
        &partition.sentences,
        &partition.sentence_vectors,
        &partition.entities,
        &partition.entity_vectors,
        &update.settings,
        &partition.encoder,
        Earlier {
            thresholds: Some(part.thresholds),
            words: Some(&words),
            ..Earlier::default()
        },
    );
    let (similar, edges, candidates) = stored(&engine);
    assert_eq!(similar, whole.similar_entities());
    let mut expected = whole.sentence_edges().to_vec();
    let mut found = edges;
    let ends = |e: &SentenceEdge| (e.kind, e.a, e.b);
    expected.sort_by_key(ends);
    found.sort_by_key(ends);
    assert_eq!(found, expected);
    let mut wanted: Vec<(SentenceId, SentenceId, f32)> = Vec::new();
    for node in &partition.sentences {
        wanted.extend(
            whole
                .sentence_candidates(node.id)
                .into_iter()
                .map(|(other, cosine)| (node.id, other, cosine)),
        );
    }
    let mut have: Vec<_> = candidates
        .iter()
        .map(|c| (c.anchor, c.candidate, c.cosine))
        .collect();
    wanted.sort_by_key(|c| (c.0, c.1));
    have.sort_by_key(|c| (c.0, c.1));
    assert!(wanted.len() > 100);
    assert_eq!(have, wanted);
    assert_eq!(whole.stats().edges, update.stats.edges);

    // If there is nothing new, nothing is compared, and the vectors stay the same.
    let again = engine.graph().update_graph(&Silent).unwrap();
    assert_eq!((again.joined_sentences, again.joined_terms), (0, 0));
    assert_eq!(again.stats.parts[0].vectors, kept.vectors);
    assert_eq!(engine.graph().graph_builds().unwrap().len(), 3);
}

#[test]
fn growth_and_changed_terms_are_said_and_stop_nothing() {
    let (_folder, engine) = workspace(4);
    engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    engine.review().act_as("Reviewer 1").unwrap();
    let term = engine
        .workspace()
        .store
        .read(|r| r.terms(&Default::default()))
        .unwrap()
        .rows
        .remove(0);
    let subjects = vec![Subject::term(term.id)];
    let reject = NewDecision {
        subjects,
        choice: Choice::Reject,
        edit: Edit::default(),
        reason: String::new(),
        adjudicates: false,
    };
    engine.review().decide(&reject).unwrap();
    let state = engine.graph().graph_state().unwrap();
    assert_eq!(
        state.reasons,
        [StaleReason::TermsChanged { terms: 1 }],
        "{state:?}"
    );
    engine.graph().update_graph(&Silent).unwrap();
    assert!(!engine.graph().graph_state().unwrap().stale());

    import(&engine, "act 9", &rules(9, 24), Language::En);
    let state = engine.graph().graph_state().unwrap();
    assert!(
        matches!(state.reasons[..], [StaleReason::Grown { percent }] if percent == 25.0),
        "{state:?}"
    );
    assert!(
        engine.graph().graph_census().is_ok() && engine.graph().load_graphs().is_ok(),
        "a stale graph still serves"
    );
    // An update takes the document in; the bounds are still those of the smaller corpus.
    engine.graph().update_graph(&Silent).unwrap();
    let state = engine.graph().graph_state().unwrap();
    assert!(
        matches!(state.reasons[..], [StaleReason::Grown { .. }]) && !state.can_update,
        "{state:?}"
    );
    engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    assert!(!engine.graph().graph_state().unwrap().stale());
}

#[test]
fn a_language_that_came_later_is_built_whole() {
    let (_folder, engine) = workspace(2);
    engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    let rules: Vec<String> = (0..8)
        .map(|i| format!("商业银行应当在{i}日内向监管机构报告流动性风险。"))
        .collect();
    import(&engine, "办法", &rules, Language::Zh);
    engine.terms().extract_terms(&Silent).unwrap();
    let build = engine.graph().update_graph(&Silent).unwrap();
    assert_eq!(
        (build.kind, build.parent, build.stats.sentences),
        (BuildKind::Whole, None, 56)
    );
}

#[test]
fn odd_corpora_give_a_graph_or_a_reason() {
    let one = |texts: &[String], terms: bool| {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        if !texts.is_empty() {
            import(&engine, "act", texts, Language::En);
        }
        if terms {
            engine.terms().extract_terms(&Silent).unwrap();
        }
        (folder, engine)
    };
    let own = |t: &str| vec![t.to_owned()];
    // For an empty workspace, and for a corpus without terms, the failure says what to do.
    for (texts, terms) in [(vec![], false), (rules(0, 5), false)] {
        let (_folder, engine) = one(&texts, terms);
        assert_eq!(
            engine
                .graph()
                .build_graph(&by_counting(), &Silent)
                .unwrap_err()
                .code,
            Code::StepMissing
        );
        assert_eq!(
            engine.graph().update_graph(&Silent).unwrap_err().code,
            Code::StepMissing
        );
        assert_eq!(engine.graph().graph_state().unwrap(), Default::default());
        assert_eq!(
            engine.graph().graph_calibration(None).unwrap_err().code,
            Code::StepMissing
        );
    }
    // One sentence.
    let (_folder, engine) = one(
        &own("‘Own funds’ means the sum of Tier 1 capital and Tier 2 capital of an institution."),
        true,
    );
    let stats = engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    assert_eq!(
        (stats.sentences, stats.isolated, stats.anchors_sentence),
        (1, 1, 0)
    );
    let report = engine.graph().graph_report().unwrap();
    assert_eq!(
        (report.census.isolated_count, report.census.isolated.len()),
        (1, 1)
    );
    assert!(engine.graph().graph_calibration(None).unwrap().parts[0].exact);
    assert_eq!(
        engine
            .graph()
            .update_graph(&Silent)
            .unwrap()
            .joined_sentences,
        0
    );
    // 500 identical sentences among others: 124,750 pairs of the same words.
    let mut texts = rules(1, 30);
    texts.extend(std::iter::repeat_n(
        "Each credit institution shall report its own funds without delay to all.".to_owned(),
        500,
    ));
    let (_folder, engine) = one(&texts, true);
    let stats = engine.graph().build_graph(&by_counting(), &Silent).unwrap();
    assert_eq!(stats.sentences, 530);
    let copies: BTreeSet<SentenceId> = {
        let all = engine
            .workspace()
            .store
            .read(|r| r.sentences(None))
            .unwrap();
        all.iter()
            .filter(|s| s.text.ends_with("to all."))
            .map(|s| s.id)
            .collect()
    };
    let mut of_anchor: HashMap<SentenceId, usize> = HashMap::new();
    for c in stored(&engine)
        .2
        .iter()
        .filter(|c| copies.contains(&c.candidate))
    {
        assert!(!copies.contains(&c.anchor));
        *of_anchor.entry(c.anchor).or_default() += 1;
    }
    assert!(of_anchor.values().all(|n| *n == 1), "{of_anchor:?}");
    let census = engine.graph().graph_census().unwrap();
    assert!(
        census.hubs.iter().any(|h| h.share > 0.9),
        "{:?}",
        census.hubs
    );
}
