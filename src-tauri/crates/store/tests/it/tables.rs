//! Every table: what is put in comes out. One file because a new table is tested beside the others or forgotten.

use crate::common;
use crate::common::{document, draft, fill, new_dataset, new_term, rulebook};
use lexforge_domain::api::{
    AugmentReport, BuildKind, QuestionFilter, RunState, TermFilter, Validity,
};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::endpoint::AskingState;
use lexforge_domain::graph::{EdgeKind, GraphSettings, SentenceEdge};
use lexforge_domain::qca::{QcaLevel, QuestionType, Split};
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};
use lexforge_store::verify::verify;
use lexforge_store::{
    BuildRecord, EmbeddingKind, Embeddings, MarkedEmbeddings, NewGraph, RunUpdate, StoreError,
    Workspace, WorkspaceCounts,
};
use tempfile::TempDir;

fn workspace() -> (TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    (folder, workspace)
}

#[test]
fn a_document_comes_out_as_it_went_in() {
    let (_folder, workspace) = workspace();
    let parsed = rulebook();
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| (i % 251) as u8).collect();
    let id = workspace
        .write("tester", |w| {
            w.insert_document(&parsed, "rulebook.pdf", &bytes)
        })
        .unwrap();
    workspace
        .read(|r| {
            let row = r.document(id)?;
            assert_eq!(
                (row.title.as_str(), row.pages, row.sentences, row.bytes),
                ("Rulebook", 2, 4, 3_000_000)
            );
            assert_eq!(
                (row.engines, row.warnings.clone()),
                (parsed.engines, parsed.warnings.clone())
            );
            assert_eq!(r.document_by_hash(&row.sha256)?, Some(id));
            assert_eq!(r.documents()?, vec![row]);
            assert_eq!(r.document_bytes(id)?, bytes);
            assert_eq!(
                r.document_text(id)?,
                format!("{}\u{c}{}", parsed.pages[0].text, parsed.pages[1].text)
            );
            let sections = r.sections(id)?;
            assert_eq!(
                sections.iter().map(|s| s.sentences).collect::<Vec<_>>(),
                [4, 2, 2]
            );
            assert_eq!(sections[2].parent, Some(sections[0].id));
            let sentences = r.sentences(None)?;
            assert_eq!(sentences.len(), 4);
            for (i, (stored, given)) in sentences.iter().zip(&parsed.sentences).enumerate() {
                assert_eq!(stored.text, given.text);
                assert_eq!(stored.boxes, given.regions);
                assert_eq!(
                    (stored.position as usize, stored.start, stored.end),
                    (i, given.start, given.end)
                );
                assert_eq!(r.sentence(stored.id)?, *stored);
            }
            assert_eq!(sentences[3].section, "Part I › Article 2");
            assert!(matches!(
                r.sentence(SentenceId(99)),
                Err(StoreError::NotFound { .. })
            ));
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_same_bytes_are_one_document() {
    let (_folder, workspace) = workspace();
    let insert = |file: &str| {
        workspace
            .write("tester", |w| w.insert_document(&rulebook(), file, b"same"))
            .unwrap()
    };
    let first = insert("a.pdf");
    let head = workspace.read(|r| r.audit_head()).unwrap();
    assert_eq!(insert("b.pdf"), first);
    assert_eq!(workspace.read(|r| r.audit_head()).unwrap(), head);
}

#[test]
fn the_corpus_hash_does_not_depend_on_the_order_of_import() {
    let hash = |order: &[&[u8]]| {
        let (_folder, workspace) = workspace();
        for bytes in order {
            workspace
                .write("tester", |w| w.insert_document(&rulebook(), "x.pdf", bytes))
                .unwrap();
        }
        workspace.read(|r| r.corpus_hash()).unwrap()
    };
    assert_eq!(hash(&[b"a", b"b"]), hash(&[b"b", b"a"]));
    assert_ne!(hash(&[b"a", b"b"]), hash(&[b"a", b"c"]));
}

#[test]
fn a_page_shows_its_sentences_with_their_terms() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let page = workspace.read(|r| r.page(filled.document, 1)).unwrap();
    assert_eq!(page.sentences.len(), 2);
    assert_eq!(page.sentences[0].terms, vec![(filled.terms[0], 17, 26)]);
    let page = workspace.read(|r| r.page(filled.document, 2)).unwrap();
    assert_eq!(page.sentences[0].terms, vec![(filled.terms[1], 23, 35)]);
    assert!(page.sentences[1].terms.is_empty());
    let failure: Failure = workspace
        .read(|r| r.page(filled.document, 3))
        .unwrap_err()
        .into();
    assert_eq!(failure.code, Code::NotFound);
}

#[test]
fn terms_are_listed_by_score_and_filtered() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let list = |filter: TermFilter| {
        let rows = workspace.read(|r| r.terms(&filter)).unwrap();
        (
            rows.rows.into_iter().map(|t| t.text).collect::<Vec<_>>(),
            rows.total,
        )
    };
    assert_eq!(
        list(TermFilter::default()),
        (vec!["client money".to_owned(), "own funds".to_owned()], 2)
    );
    let query = |q: &str| TermFilter {
        query: Some(q.to_owned()),
        ..TermFilter::default()
    };
    assert_eq!(list(query("FUND")), (vec!["own funds".to_owned()], 1));
    assert_eq!(list(query("%")), (vec![], 0));
    assert_eq!(
        list(TermFilter {
            limit: 1,
            offset: 1,
            ..TermFilter::default()
        }),
        (vec!["own funds".to_owned()], 2)
    );
    let contexts = workspace
        .read(|r| r.contexts_of(filled.terms[0], 50))
        .unwrap();
    assert_eq!(
        contexts
            .iter()
            .map(|c| (c.sentence.id, c.start))
            .collect::<Vec<_>>(),
        [(filled.sentences[0], 17), (filled.sentences[1], 0)]
    );
    assert_eq!(
        workspace.read(|r| r.similar_to(filled.terms[1])).unwrap(),
        vec![(filled.terms[0], 0.8)]
    );
}

#[test]
fn terms_extracted_again_keep_their_ids() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let terms = [new_term("Own Funds", 9.0), new_term("core capital", 1.0)];
    let replace = || {
        workspace
            .write("tester", |w| {
                w.replace_terms(
                    &terms,
                    &[(0, filled.sentences[0], 17, 26)],
                    ReviewPolicy::UnreviewedAutomatic,
                )
            })
            .unwrap()
    };
    let ids = replace();
    assert_eq!(ids[0], filled.terms[0]);
    assert!(
        ids[1] > filled.terms[1],
        "the id of a term that is gone is not given again"
    );
    assert_eq!(workspace.read(|r| r.mentions()).unwrap().len(), 1);
    let head = workspace.read(|r| r.audit_head()).unwrap();
    assert_eq!(replace(), ids);
    assert_eq!(
        workspace.read(|r| r.audit_head()).unwrap(),
        head,
        "nothing changed, so nothing is recorded"
    );
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn questions_are_listed_with_their_places_and_filtered() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let rows = workspace
        .read(|r| r.questions(&QuestionFilter::default()))
        .unwrap();
    assert_eq!(rows.total, 2);
    assert_eq!(
        rows.rows.iter().map(|q| q.question.id).collect::<Vec<_>>(),
        filled.questions
    );
    assert_eq!(rows.rows[1].section, "Part I › Article 2");
    assert_eq!(
        (rows.rows[1].page, rows.rows[1].document_title.as_str()),
        (2, "Rulebook")
    );
    assert_eq!(
        workspace.read(|r| r.question(filled.questions[0])).unwrap(),
        rows.rows[0]
    );
    let count = |filter: QuestionFilter| {
        let rows = workspace.read(|r| r.questions(&filter)).unwrap();
        assert_eq!(rows.rows.len() as u64, rows.total);
        rows.total
    };
    let all = QuestionFilter::default;
    assert_eq!(
        count(QuestionFilter {
            split: Some(Split::Test),
            ..all()
        }),
        1
    );
    assert_eq!(
        count(QuestionFilter {
            split: Some(Split::Dev),
            ..all()
        }),
        0
    );
    assert_eq!(
        count(QuestionFilter {
            level: Some(QcaLevel::Token),
            ..all()
        }),
        0
    );
    assert_eq!(
        count(QuestionFilter {
            question_type: Some(QuestionType::Obligation),
            ..all()
        }),
        2
    );
    assert_eq!(
        count(QuestionFilter {
            query: Some("broker".to_owned()),
            split: Some(Split::Test),
            ..all()
        }),
        1
    );
    assert_eq!(
        count(QuestionFilter {
            query: Some("9 percent".to_owned()),
            ..all()
        }),
        2
    );
    assert_eq!(
        count(QuestionFilter {
            query: Some("_".to_owned()),
            ..all()
        }),
        0
    );
}

#[test]
fn a_question_written_again_keeps_its_id() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let again = [
        (draft("A new one?", filled.sentences[1]), Split::Dev),
        (
            draft("What must a broker not do?", filled.sentences[2]),
            Split::Test,
        ),
    ];
    let ids = workspace
        .write("tester", |w| {
            w.replace_questions(&again, &AugmentReport::default())
        })
        .unwrap();
    assert_eq!(ids[1], filled.questions[1]);
    assert!(ids[0] > ids[1]);
    let report = workspace.read(|r| r.augment_report()).unwrap();
    assert_eq!(report, Some(AugmentReport::default()));
    assert_eq!(workspace.read(|r| r.counts()).unwrap().questions, 2);
}

#[test]
fn a_snapshot_keeps_its_items_when_the_questions_change() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let frozen = new_dataset(&filled.questions);
    workspace
        .write("tester", |w| {
            w.replace_questions(&[], &AugmentReport::default())
        })
        .unwrap();
    workspace
        .read(|r| {
            assert_eq!(r.dataset_items(filled.dataset, None)?, frozen.items);
            assert_eq!(
                r.dataset_items(filled.dataset, Some(Split::Train))?,
                frozen.items[..1]
            );
            assert_eq!(r.dataset_items(filled.dataset, Some(Split::Test))?, vec![]);
            let row = r.dataset(filled.dataset)?;
            assert_eq!(
                (row.hash.as_str(), row.seed, row.split_unit.as_str()),
                (frozen.hash.as_str(), u64::MAX, "section")
            );
            assert_eq!(r.datasets()?, vec![row]);
            Ok(())
        })
        .unwrap();
    let again = workspace
        .write("tester", |w| w.insert_dataset(&frozen))
        .unwrap();
    assert_eq!(again, filled.dataset);
}

#[test]
fn progress_writes_no_audit_row_and_a_change_of_state_does() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let rows = || {
        workspace
            .read(|r| Ok(r.audit_rows(0, None)?.len()))
            .unwrap()
    };
    let update = |update: RunUpdate| {
        workspace
            .write("tester", |w| w.update_run(filled.run, &update))
            .unwrap();
        assert!(workspace.read(verify).unwrap().ok);
        workspace.read(|r| r.run(filled.run)).unwrap().row
    };
    let before = rows();
    let row = update(RunUpdate {
        state: Some(RunState::Running),
        eta_s: Some(9.0),
        ..RunUpdate::default()
    });
    assert_eq!(
        (rows(), row.state, row.eta_s),
        (before + 1, RunState::Running, Some(9.0))
    );
    for step in 1..5 {
        update(RunUpdate {
            step: Some(step),
            of: Some(10),
            loss: Some(1.0),
            ..RunUpdate::default()
        });
    }
    assert_eq!(rows(), before + 1);
    let failure = Failure::new(Code::OutOfMemory, "no memory", "use a smaller batch");
    let row = update(RunUpdate {
        state: Some(RunState::Failed),
        failure: Some(failure.clone()),
        ..RunUpdate::default()
    });
    assert_eq!(
        (rows(), row.failure, row.eta_s, row.step),
        (before + 2, Some(failure), None, 4)
    );
    let row = update(RunUpdate {
        state: Some(RunState::Finished),
        adapter: Some("ab".to_owned()),
        best: Some(3),
        ..RunUpdate::default()
    });
    assert_eq!(
        (row.failure, row.adapter.as_deref(), row.best, row.evaluated),
        (None, Some("ab"), Some(3), true)
    );
    assert_eq!(rows(), before + 3);
    assert_eq!(workspace.read(|r| r.runs()).unwrap().len(), 1);
}

#[test]
fn the_newest_evaluation_is_shown() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let mut view = workspace
        .read(|r| r.evaluation(filled.run))
        .unwrap()
        .unwrap();
    view.report = "second.html".to_owned();
    workspace
        .write("tester", |w| w.put_evaluation(filled.run, &view))
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.evaluation(filled.run)).unwrap(),
        Some(view.clone())
    );
    let readable = view.clone();
    view.evaluation.after.accuracy = f64::NAN;
    assert!(
        workspace
            .write("tester", |w| w.put_evaluation(filled.run, &view))
            .is_err()
    );
    assert_eq!(
        workspace.read(|r| r.evaluation(filled.run)).unwrap(),
        Some(readable)
    );
}

#[test]
fn vectors_come_out_as_they_went_in_and_are_replaced_whole() {
    let (_folder, workspace) = workspace();
    let put = |n: i64| {
        let ids: Vec<i64> = (0..n).collect();
        let vectors: Vec<f32> = (0..n * 3).map(|i| i as f32 / 7.0).collect();
        workspace
            .write("tester", |w| {
                w.put_embeddings(EmbeddingKind::Term, "minilm", &ids, 3, &vectors)
            })
            .unwrap();
        let found = workspace
            .read(|r| r.embeddings(EmbeddingKind::Term, "minilm"))
            .unwrap()
            .unwrap();
        assert_eq!((found.ids, found.dim, found.vectors), (ids, 3, vectors));
    };
    put(1300);
    put(5);
    assert_eq!(
        workspace
            .read(|r| r.embeddings(EmbeddingKind::Sentence, "minilm"))
            .unwrap(),
        None
    );
    assert_eq!(
        workspace.read(|r| r.encoders(EmbeddingKind::Term)).unwrap(),
        ["minilm"]
    );
    assert!(
        workspace
            .write("tester", |w| w.put_embeddings(
                EmbeddingKind::Term,
                "minilm",
                &[1],
                3,
                &[0.0]
            ))
            .is_err()
    );
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn the_newest_graph_is_shown() {
    let (_folder, workspace) = workspace();
    assert_eq!(workspace.read(|r| r.latest_graph()).unwrap(), None);
    let filled = fill(&workspace);
    workspace
        .read(|r| {
            let build = r.latest_graph()?.unwrap();
            assert_eq!(
                (build.stats, build.corpus_hash.as_str()),
                (common::graph_stats(), "corpus")
            );
            assert_eq!(r.similar_entities()?.len(), 1);
            assert_eq!(r.sentence_edges()?[0].a, filled.sentences[0]);
            assert_eq!(r.sentence_candidates()?[0].candidate, filled.sentences[1]);
            assert_eq!(
                build.record.map(|record| (record.documents, record.terms)),
                Some((vec![filled.document], 2))
            );
            assert_eq!(r.graph_kept("sentences lsa")?, Some(vec![7; 2_500_000]));
            assert_eq!(r.graph_kept("terms lsa")?, Some(Vec::new()));
            assert_eq!(r.graph_kept("basis lsa")?, None);
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_update_names_its_parent_and_takes_its_place() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let (stats, parent) = (
        common::graph_stats(),
        workspace.read(|r| r.latest_graph()).unwrap().unwrap().id,
    );
    let edge = |b: usize, weight| SentenceEdge {
        a: filled.sentences[0],
        b: filled.sentences[b],
        kind: EdgeKind::Lexical,
        weight,
    };
    let edges = [edge(1, 0.8), edge(2, 0.9)];
    let new = NewGraph {
        settings: &GraphSettings {
            max_per_section: 3,
            ..GraphSettings::default()
        },
        stats: &stats,
        corpus_hash: "corpus 2",
        parent: Some(parent),
        record: &BuildRecord {
            kind: BuildKind::Update,
            joined_sentences: 1,
            ..BuildRecord::default()
        },
        similar: &[],
        edges: &edges,
        candidates: &[],
        kept: &[],
    };
    workspace
        .write("tester", |w| {
            w.insert_graph(&new)?;
            w.add_embeddings(
                EmbeddingKind::Sentence,
                "lsa",
                &[filled.sentences[0].0, 99],
                2,
                &[0.1, 0.2, 0.3, 0.4],
            )
        })
        .unwrap();
    workspace
        .read(|r| {
            let builds = r.graph_builds()?;
            assert_eq!(
                builds.iter().map(|b| b.parent).collect::<Vec<_>>(),
                [Some(parent), None]
            );
            assert_eq!(
                builds[0].record.as_ref().map(|b| b.kind),
                Some(BuildKind::Update)
            );
            assert_eq!(r.sentence_edges()?, edges);
            assert!(r.similar_entities()?.is_empty() && r.sentence_candidates()?.is_empty());
            assert_eq!(r.graph_kept("sentences lsa")?, None);
            let kept = r.embeddings(EmbeddingKind::Sentence, "lsa")?.unwrap();
            assert_eq!(
                (kept.ids.len(), kept.ids[5], &kept.vectors[10..]),
                (6, 99, &[0.3, 0.4][..])
            );
            Ok(())
        })
        .unwrap();
    let unfitting = |dim, values: &[f32]| {
        workspace
            .write("tester", |w| {
                w.add_embeddings(EmbeddingKind::Sentence, "lsa", &[1], dim, values)
            })
            .is_err()
    };
    assert!(unfitting(3, &[0.0; 3]) && unfitting(2, &[0.0; 3]));
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn marked_vectors_are_added_to_and_put_anew() {
    let (_folder, workspace) = workspace();
    let made = |ids: &[i64], dim: usize, marks: &[u64]| MarkedEmbeddings {
        embeddings: Embeddings {
            ids: ids.to_vec(),
            dim,
            vectors: ids.iter().flat_map(|id| vec![*id as f32; dim]).collect(),
        },
        marks: marks.to_vec(),
        reading: "{}".to_owned(),
    };
    let put = |new: &MarkedEmbeddings, anew: bool| {
        workspace.write("tester", |w| w.put_marked_embeddings("e 1", new, anew))
    };
    let kept = || {
        workspace
            .read(|r| {
                let vectors = r.embeddings(EmbeddingKind::Sentence, "e 1")?;
                Ok((r.marks_of("e 1")?, vectors.unwrap_or_default().vectors))
            })
            .unwrap()
    };
    put(&made(&[1, 2], 2, &[10, 20]), false).unwrap();
    put(&made(&[5], 2, &[50]), false).unwrap();
    let all = vec![(1, 10), (2, 20), (5, 50)];
    assert_eq!(kept(), (all, vec![1.0, 1.0, 2.0, 2.0, 5.0, 5.0]));
    // Another width, and marks that are too few, are refused.
    assert!(put(&made(&[6], 3, &[60]), false).is_err());
    assert!(put(&made(&[6], 2, &[]), false).is_err());
    put(&made(&[7], 3, &[70]), true).unwrap();
    assert_eq!(kept(), (vec![(7, 70)], vec![7.0; 3]));
    assert_eq!(workspace.read(verify).unwrap().first_break, None);
}

#[test]
fn search_finds_english_and_chinese() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let more = document(
        "More",
        &[
            "Brokers report to the regulator.",
            "银监会负责监管。",
            "第二条 商业银行的定义",
        ],
    );
    workspace
        .write("tester", |w| w.insert_document(&more, "more.pdf", b"more"))
        .unwrap();
    let find = |query: &str| -> Vec<String> {
        workspace
            .read(|r| r.search_lexical_in(query, None, 10))
            .unwrap()
            .into_iter()
            .map(|h| h.text.chars().take(8).collect())
            .collect()
    };
    assert_eq!(find("lending clients' money"), ["A broker"]);
    assert_eq!(
        find("own funds")[0],
        "Own fund",
        "the shorter sentence with the same words is first"
    );
    assert_eq!(find("资本充足率"), ["商业银行应当建立"]);
    assert_eq!(find("商业银行").len(), 2);
    assert_eq!(
        find("银").len(),
        3,
        "a single character is found inside a run"
    );
    assert_eq!(find("会").len(), 1);
    assert!(find("nothing of the kind").is_empty());
    assert!(find("the of \" ' AND OR * ( ").is_empty());
    let hit = &workspace
        .read(|r| r.search_lexical_in("broker client", None, 1))
        .unwrap()[0];
    assert_eq!(
        (hit.rank, hit.id, hit.page, hit.section.as_str()),
        (1, filled.sentences[2], 2, "Part I › Article 2")
    );
    assert_eq!(hit.boxes.len(), 1);
}

#[test]
fn words_too_common_to_read_still_count() {
    let (_folder, workspace) = workspace();
    let common = "alpha beta gamma delta epsilon zeta theta iota lambda kappa";
    let mut texts = vec![common; 25_000];
    texts.extend(["omega sigma rho", "omega kappa rho", "nothing here"]);
    workspace
        .write("tester", |w| {
            w.insert_document(&document("Large", &texts), "large.txt", b"large")
        })
        .unwrap();
    // 250,000 places: more than a search reads, so that `kappa` is looked for in the best sentences only.
    let hits = workspace
        .read(|r| r.search_lexical_in(&format!("omega {common}"), None, 30_000))
        .unwrap();
    let place = |text: &str| hits.iter().position(|h| h.text == text).unwrap();
    assert!(place("omega kappa rho") < place("omega sigma rho"));
    assert_eq!(hits.len(), 25_002);
    let again = workspace
        .read(|r| r.search_lexical_in(&format!("omega {common}"), None, 30_000))
        .unwrap();
    assert_eq!(hits, again);
}

#[test]
fn counts_and_settings() {
    let (_folder, workspace) = workspace();
    fill(&workspace);
    assert_eq!(
        workspace.read(|r| r.counts()).unwrap(),
        WorkspaceCounts {
            documents: 1,
            pages: 2,
            sentences: 4,
            terms: 2,
            questions: 2,
            datasets: 1,
            runs: 1
        }
    );
    assert_eq!(
        workspace.read(|r| r.setting("theme")).unwrap().as_deref(),
        Some("dark")
    );
    assert_eq!(workspace.read(|r| r.setting("other")).unwrap(), None);
}

#[test]
fn a_new_version_follows_an_older_one_and_never_in_a_circle() {
    let (_folder, workspace) = workspace();
    let import = |title: &str, bytes: &[u8]| {
        workspace
            .write("ann", |w| {
                w.insert_document(&document(title, &["A bank shall report."]), title, bytes)
            })
            .unwrap()
    };
    let (old, new) = (import("Rule 2020", b"a"), import("Rule 2024", b"b"));
    workspace
        .write("ann", |w| w.link_predecessor(new, Some(old)))
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.document(new)).unwrap().predecessor,
        Some(old)
    );
    assert!(
        workspace
            .write("ann", |w| w.link_predecessor(old, Some(new)))
            .is_err()
    );
    assert!(
        workspace
            .write("ann", |w| w.link_predecessor(old, Some(old)))
            .is_err()
    );
    workspace
        .write("ann", |w| w.link_predecessor(new, None))
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.document(new)).unwrap().predecessor,
        None
    );
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn how_long_a_document_is_in_force_is_set_and_the_newest_counts() {
    let (_folder, workspace) = workspace();
    let id = workspace
        .write("ann", |w| {
            w.insert_document(
                &document("Rule", &["A bank shall report."]),
                "rule.pdf",
                b"a",
            )
        })
        .unwrap();
    let set = || workspace.read(|r| r.document(id)).unwrap().validity;
    assert_eq!(set(), None);
    assert_eq!(workspace.read(|r| r.newest_validity()).unwrap(), 0);
    let until = Validity {
        until: Some("2025-12-31".to_owned()),
        ..Validity::default()
    };
    // The second takes the first back: the document counts as it states itself.
    for (n, validity) in (1..).zip([&until, &Validity::default()]) {
        workspace
            .write("ann", |w| w.set_validity(id, validity))
            .unwrap();
        assert_eq!(set().as_ref(), Some(validity));
        assert_eq!(workspace.read(|r| r.newest_validity()).unwrap(), n);
        let all = workspace.read(|r| r.validities()).unwrap();
        assert_eq!(all, [(id, validity.clone())]);
    }
    let unknown = workspace.write("ann", |w| w.set_validity(DocumentId(99), &until));
    assert!(unknown.is_err());
    let rows = workspace.read(|r| r.audit_rows(0, None)).unwrap();
    assert_eq!(
        rows.iter()
            .filter(|row| row.action == "document.force")
            .count(),
        2
    );
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn what_a_document_says_of_itself_comes_back() {
    let (_folder, workspace) = workspace();
    let mut parsed = document("Rule", &["A bank shall report."]);
    parsed.metadata.identifier = Some("Rule 7/2024".to_owned());
    parsed.pages[0].differences = vec![lexforge_domain::document::ReaderDifference {
        kept: "report".to_owned(),
        other: "rep0rt".to_owned(),
        context: ("shall ".to_owned(), ".".to_owned()),
        regions: Vec::new(),
    }];
    parsed.pages[0].removed = vec![lexforge_domain::document::RemovedLine {
        page: 1,
        text: "Page 1 of 1".to_owned(),
        why: lexforge_domain::document::RemovedWhy::Counts,
        region: None,
    }];
    parsed.sentences[0].complete = Some("Every bank shall report.".to_owned());
    let id = workspace
        .write("ann", |w| w.insert_document(&parsed, "rule.pdf", b"x"))
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.document(id)).unwrap().metadata,
        parsed.metadata
    );
    let page = workspace.read(|r| r.page(id, 1)).unwrap();
    assert_eq!(page.differences, parsed.pages[0].differences);
    assert_eq!(
        workspace.read(|r| r.removed_lines(id)).unwrap(),
        parsed.pages[0].removed
    );
    let unknown = DocumentId(99);
    assert!(workspace.read(|r| r.removed_lines(unknown)).is_err());
    assert!(workspace.read(verify).unwrap().ok);
    assert_eq!(
        page.sentences[0].sentence.complete,
        parsed.sentences[0].complete
    );
}

#[test]
fn an_endpoint_is_kept_replaced_and_removed() {
    let (_folder, workspace) = workspace();
    let mut endpoint = common::endpoint("the firm's own");
    workspace
        .write("tester", |w| w.put_endpoint(&endpoint))
        .unwrap();
    assert_eq!(
        workspace
            .read(|r| r.endpoint("the firm's own"))
            .unwrap()
            .as_ref(),
        Some(&endpoint)
    );
    endpoint.settings.price_in = Some(0.15);
    workspace
        .write("tester", |w| w.put_endpoint(&endpoint))
        .unwrap();
    assert_eq!(workspace.read(|r| r.endpoints()).unwrap(), [endpoint]);
    assert!(
        workspace
            .write("tester", |w| w.remove_endpoint("the firm's own"))
            .unwrap()
    );
    assert!(
        !workspace
            .write("tester", |w| w.remove_endpoint("the firm's own"))
            .unwrap()
    );
    assert!(workspace.read(|r| r.endpoints()).unwrap().is_empty());
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn the_fate_of_every_request_is_counted() {
    let (_folder, workspace) = workspace();
    let (answered, failed, hung) = ([1; 32], [2; 32], [3; 32]);
    let begin = || {
        workspace
            .write("tester", |w| w.begin_asking(&common::new_asking()))
            .unwrap()
    };
    let first = begin();
    workspace
        .write("tester", |w| {
            w.insert_request(first, &answered)?;
            assert!(w.insert_answer(first, &answered, &common::answer("yes"))?);
            // The first answer stays, whatever comes later.
            assert!(!w.insert_answer(first, &answered, &common::answer("no"))?);
            w.insert_request(first, &failed)?;
            w.fail_request(first, &failed, "busy", false)?;
            w.insert_request(first, &failed)?;
            w.fail_request(first, &failed, "stopped", true)?;
            w.insert_request(first, &failed)?;
            w.fail_request(first, &failed, "busy", false)?;
            w.insert_request(first, &hung)
        })
        .unwrap();
    // The chain holds while requests are under way, and after their program was gone.
    assert!(workspace.read(verify).unwrap().ok);
    assert_eq!(
        workspace
            .write("tester", |w| w.end_interrupted_askings())
            .unwrap(),
        1
    );
    assert!(workspace.read(verify).unwrap().ok);
    let counts = workspace.read(|r| r.asking_counts(first)).unwrap();
    assert_eq!((counts.calls, counts.answered, counts.retried), (5, 1, 2));
    assert_eq!((counts.uncertain, counts.possibly_billed_twice), (2, 1));
    assert_eq!(
        (counts.prompt_tokens, counts.completion_tokens, counts.cost),
        (100, 7, Some(0.5))
    );
    let reasons: Vec<(&str, u64)> = counts
        .failed
        .iter()
        .map(|(reason, n)| (reason.as_str(), *n))
        .collect();
    assert_eq!(reasons, [("busy", 2), ("interrupted", 1), ("stopped", 1)]);
    // A request that was left open counts when the same prompt is sent again.
    let second = begin();
    workspace
        .write("tester", |w| {
            w.insert_request(second, &hung)?;
            w.insert_answer(second, &hung, &common::answer("late"))?;
            w.end_asking(second, AskingState::Finished)
        })
        .unwrap();
    let counts = workspace.read(|r| r.asking_counts(second)).unwrap();
    assert_eq!(
        (counts.calls, counts.retried, counts.possibly_billed_twice),
        (1, 0, 1)
    );
    assert_eq!(
        workspace
            .read(|r| r.answer(&answered))
            .unwrap()
            .unwrap()
            .text,
        "yes"
    );
    assert_eq!(workspace.read(|r| r.answer(&failed)).unwrap(), None);
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn prompts_in_a_batch_file_wait_for_their_answers() {
    let (_folder, workspace) = workspace();
    let asking = workspace
        .write("tester", |w| {
            let asking = w.begin_asking(&common::new_asking())?;
            w.insert_written(asking, &[[1; 32], [2; 32]])?;
            w.end_asking(asking, AskingState::Finished)?;
            Ok(asking)
        })
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.written_prompts()).unwrap(),
        [([1; 32], asking), ([2; 32], asking)]
    );
    assert_eq!(
        workspace.read(|r| r.asking_counts(asking)).unwrap().calls,
        0
    );
    workspace
        .write("tester", |w| {
            assert_eq!(w.written_without_answer()?, 2);
            let reading = w.begin_asking(&common::new_asking())?;
            w.insert_answer(reading, &[1; 32], &common::answer("a"))?;
            assert_eq!(w.written_without_answer()?, 1);
            w.end_asking(reading, AskingState::Finished)
        })
        .unwrap();
    assert!(workspace.read(verify).unwrap().ok);
}
