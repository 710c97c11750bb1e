use super::*;
use crate::Engine;
use crate::review::fixture::{document, open_as, plain};
use lexforge_domain::api::AugmentReport;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::graph::{GraphSettings, GraphStats, SentenceEdge, SimilarEntities};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::review::{Choice, Subject};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_store::{BuildRecord, NewGraph, NewTerm, SentenceCandidate};

/// Two documents: the first has `many` sentences about "duty", the second three; "charge" is near "duty".
struct Corpus {
    _folder: tempfile::TempDir,
    engine: Engine,
    duty: TermId,
    charge: TermId,
    sentences: Vec<SentenceId>,
}

fn term(text: &str) -> NewTerm {
    NewTerm::of(TermCandidate {
        class: "obligation".to_owned(),
        ..TermCandidate::new(text, FoundBy::Phrase, Language::En)
    })
}

impl Corpus {
    fn of(many: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("rules.lexforge")).unwrap();
        engine.review().act_as("Reviewer 1").unwrap();
        let first: Vec<String> = (0..many)
            .map(|i| format!("Each duty is kept {i} times."))
            .collect();
        let second: Vec<String> = [
            "A charge is no duty.",
            "Each charge is written down.",
            "Nothing else.",
        ]
        .map(str::to_owned)
        .to_vec();
        let (terms, sentences) = engine
            .workspace()
            .store
            .write("tester", |w| {
                w.insert_document(&document(&first), "first.txt", b"first")?;
                let mut other = document(&second);
                other.title = "Charges (General Charge Rules)".to_owned();
                w.insert_document(&other, "second.txt", b"second")?;
                let sentences: Vec<SentenceId> = w.sentences(None)?.iter().map(|s| s.id).collect();
                let of_first = (0..many).map(|i| (0, sentences[i], 5, 9));
                let of_second = [(1, many, 2, 8), (0, many, 15, 19), (1, many + 1, 5, 11)];
                let of_second =
                    of_second.map(|(term, at, from, to)| (term, sentences[at], from, to));
                let mentions: Vec<(usize, SentenceId, u32, u32)> =
                    of_first.chain(of_second).collect();
                let terms = w.replace_terms(
                    &[term("duty"), term("charge")],
                    &mentions,
                    ReviewPolicy::UnreviewedAutomatic,
                )?;
                let pair = SimilarEntities {
                    a: terms[0],
                    b: terms[1],
                    cosine: 0.84,
                };
                let (from, to) = (sentences[0], sentences[many + 1]);
                let edges = [
                    SentenceEdge {
                        a: from,
                        b: to,
                        kind: EdgeKind::Reference,
                        weight: 1.0,
                    },
                    SentenceEdge {
                        a: sentences[0],
                        b: sentences[1],
                        kind: EdgeKind::Lexical,
                        weight: 0.9,
                    },
                ];
                let near = SentenceCandidate {
                    anchor: sentences[0],
                    candidate: sentences[1],
                    cosine: 0.95,
                };
                w.insert_graph(&NewGraph {
                    settings: &GraphSettings::default(),
                    stats: &GraphStats::default(),
                    corpus_hash: "hash",
                    parent: None,
                    record: &BuildRecord::default(),
                    similar: &[pair],
                    edges: &edges,
                    candidates: &[near],
                    kept: &[],
                })?;
                let draft = QcaDraft {
                    question: "What is kept?".to_owned(),
                    choices: vec!["duty".to_owned(), "charge".to_owned()],
                    origins: vec![ChoiceOrigin::Anchor, ChoiceOrigin::Term { term: terms[1] }],
                    anchor_term: Some(terms[0]),
                    ..QcaDraft::new(
                        QcaLevel::Token,
                        QuestionType::Term,
                        sentences[0],
                        QuestionSource::Offline,
                    )
                };
                w.replace_questions(&[(draft, Split::Train)], &AugmentReport::default())?;
                Ok((terms, sentences))
            })
            .unwrap();
        Self {
            _folder: folder,
            engine,
            duty: terms[0],
            charge: terms[1],
            sentences,
        }
    }

    fn around(&self, request: &NeighbourhoodRequest) -> Neighbourhood {
        let found = self.engine.graph().neighbourhood(request).unwrap();
        assert!(
            found.nodes.len() <= MOST_NODES,
            "{} nodes",
            found.nodes.len()
        );
        let drawn: Vec<NodeRef> = found.nodes.iter().filter_map(|n| n.what.node()).collect();
        assert_eq!(
            drawn.iter().collect::<HashSet<_>>().len(),
            drawn.len(),
            "a node is drawn twice"
        );
        for (at, node) in found.nodes.iter().enumerate() {
            assert!(
                node.link.is_none_or(|link| link.from < at),
                "a node stands before its parent"
            );
        }
        found
    }
}

/// The nodes in words: how far, by which edge, what, and how many behind it.
fn said(found: &Neighbourhood) -> Vec<String> {
    let what = |node: &GraphNode| match &node.what {
        NodeContent::Term { text, .. } => text.clone(),
        NodeContent::Sentence {
            document, clause, ..
        } => format!("{document} {clause}"),
        NodeContent::Hub { document, .. } => document.clone(),
    };
    let name = |node: &GraphNode| {
        let far = node
            .link
            .map_or(0, |link| if link.from == 0 { 1 } else { 2 });
        let kind = node.link.map_or("", |link| match link.kind {
            EdgeKind::SimilarEntity => "~",
            EdgeKind::SharedEntity => "=",
            EdgeKind::Reference => ">",
            EdgeKind::Lexical => "≈",
            _ => "°",
        });
        let more = if node.folded > 0 {
            format!(" +{}", node.folded)
        } else {
            String::new()
        };
        format!("{far}{kind}{}{more}", what(node))
    };
    found.nodes.iter().map(name).collect()
}

#[test]
fn a_term_stands_among_similar_terms_and_its_sentences() {
    let corpus = Corpus::of(50);
    let found = corpus.around(&NeighbourhoodRequest::of(NodeRef::term(corpus.duty)));
    assert_eq!(
        said(&found),
        [
            "0duty",
            "1~charge",
            "2=GCR 1",
            "1=Rules on duties 1",
            "2≈Rules on duties 1",
            "1=Rules on duties +49",
            "1=GCR 1"
        ]
        .map(str::to_owned),
        "{:#?}",
        said(&found)
    );
    // The similar term, and in the second ring the sentence that could be taken for the first one.
    assert_eq!(found.counts[&EdgeKind::SimilarEntity], 1 + 1);
    // 51 sentences that mention it, and those of "charge" in the second ring.
    assert!(
        found.counts[&EdgeKind::SharedEntity] >= 51,
        "{:?}",
        found.counts
    );
    assert_eq!(found.nodes[1].link.unwrap().strength, Some(0.84));
}

#[test]
fn a_kind_that_is_not_asked_for_is_counted_only() {
    let corpus = Corpus::of(3);
    let request = NeighbourhoodRequest {
        kinds: vec![EdgeKind::SimilarEntity],
        steps: 1,
        ..NeighbourhoodRequest::of(NodeRef::term(corpus.duty))
    };
    let found = corpus.around(&request);
    assert_eq!(said(&found), ["0duty", "1~charge"]);
    assert_eq!(found.counts[&EdgeKind::SharedEntity], 4);
    let none = corpus.around(&NeighbourhoodRequest {
        kinds: Vec::new(),
        ..request
    });
    assert_eq!(said(&none), ["0duty"]);
}

#[test]
fn a_sentence_stands_among_its_terms_and_what_it_refers_to() {
    let corpus = Corpus::of(30);
    let request = NeighbourhoodRequest {
        steps: 1,
        ..NeighbourhoodRequest::of(NodeRef::sentence(corpus.sentences[0]))
    };
    let found = corpus.around(&request);
    let all = said(&found);
    assert!(
        all.contains(&"1=duty".to_owned()) && all.contains(&"1>GCR 1".to_owned()),
        "{all:?}"
    );
    let reference = found
        .nodes
        .iter()
        .find(|n| n.link.is_some_and(|l| l.kind == EdgeKind::Reference))
        .unwrap();
    assert!(reference.link.unwrap().referred_to);
    let back = NeighbourhoodRequest {
        steps: 1,
        ..NeighbourhoodRequest::of(NodeRef::sentence(corpus.sentences[31]))
    };
    let back = corpus.around(&back);
    let reference = back
        .nodes
        .iter()
        .find(|n| n.link.is_some_and(|l| l.kind == EdgeKind::Reference))
        .unwrap();
    assert!(!reference.link.unwrap().referred_to);
}

#[test]
fn one_document_and_accepted_terms_only() {
    let corpus = Corpus::of(3);
    let of = NeighbourhoodRequest::of(NodeRef::term(corpus.duty));
    let second = corpus.engine.corpus().documents().unwrap()[1].id;
    let found = corpus.around(&NeighbourhoodRequest {
        document: Some(second),
        ..of.clone()
    });
    // A sentence that mentions both terms counts once.
    assert_eq!(found.counts[&EdgeKind::SharedEntity], 1 + 1);
    let accepted = NeighbourhoodRequest {
        accepted_only: true,
        ..of
    };
    assert!(!said(&corpus.around(&accepted)).contains(&"1~charge".to_owned()));
    corpus
        .engine
        .review()
        .decide(&plain(Subject::term(corpus.charge), Choice::Accept))
        .unwrap();
    assert!(said(&corpus.around(&accepted)).contains(&"1~charge".to_owned()));
    corpus
        .engine
        .review()
        .decide(&plain(Subject::term(corpus.charge), Choice::Reject))
        .unwrap();
    let all = NeighbourhoodRequest {
        accepted_only: false,
        ..accepted
    };
    assert!(
        !said(&corpus.around(&all)).contains(&"1~charge".to_owned()),
        "a rejected term is no node"
    );
}

#[test]
fn a_hub_is_unfolded_and_listed() {
    let corpus = Corpus::of(120);
    let mut request = NeighbourhoodRequest::of(NodeRef::term(corpus.duty));
    let found = corpus.around(&request);
    let hub = found.nodes.iter().find(|n| n.folded > 100).unwrap();
    let key = hub.link.unwrap().group;
    let listed = corpus
        .engine
        .graph()
        .group_members(&request, &key, 100, 50)
        .unwrap();
    assert_eq!((listed.total, listed.rows.len()), (120, 20));
    request.unfold = Some(key);
    let found = corpus.around(&request);
    let of_group = found
        .nodes
        .iter()
        .filter(|n| n.link.is_some_and(|l| l.group == key) && n.what.node().is_some());
    assert!(of_group.count() >= 5, "{:?}", said(&found));
}

#[test]
fn an_edge_says_who_marked_it_and_which_questions_ask() {
    let corpus = Corpus::of(3);
    let (duty, charge) = (NodeRef::term(corpus.duty), NodeRef::term(corpus.charge));
    corpus
        .engine
        .review()
        .decide(&plain(
            Subject::pair(corpus.duty, corpus.charge),
            Choice::Confusable,
        ))
        .unwrap();
    let edge = corpus.engine.graph().graph_edge(charge, duty).unwrap();
    assert_eq!((edge.one.node, edge.other.node), (charge, duty));
    assert_eq!(edge.settled, Some(Choice::Confusable));
    assert_eq!(
        edge.marked
            .iter()
            .map(|d| d.by.name.as_str())
            .collect::<Vec<_>>(),
        ["Reviewer 1"]
    );
    assert_eq!(edge.questions, 1);
    let passage = edge.other.passage.unwrap();
    assert_eq!(passage.marks, [(5, 9)]);
    assert_eq!(edge.reasons[0].strength, Some(0.84));

    let mention = corpus
        .engine
        .graph()
        .graph_edge(duty, NodeRef::sentence(corpus.sentences[0]))
        .unwrap();
    assert_eq!(
        (mention.questions, mention.other.passage.unwrap().marks),
        (1, vec![(5, 9)])
    );
    assert_ne!(
        mention.one.passage.unwrap().sentence.id,
        corpus.sentences[0]
    );

    let (a, b) = (
        NodeRef::sentence(corpus.sentences[0]),
        NodeRef::sentence(corpus.sentences[1]),
    );
    let pair = corpus.engine.graph().graph_edge(a, b).unwrap();
    let kinds: Vec<EdgeKind> = pair.reasons.iter().map(|r| r.kind).collect();
    assert!(
        kinds.contains(&EdgeKind::Lexical) && kinds.contains(&EdgeKind::SharedEntity),
        "{kinds:?}"
    );
    assert!(
        kinds.contains(&EdgeKind::SimilarEntity) && kinds.contains(&EdgeKind::SameType),
        "{kinds:?}"
    );
}

#[test]
fn in_a_blind_review_an_edge_holds_others_marks_back() {
    let corpus = Corpus::of(3);
    let subject = Subject::pair(corpus.duty, corpus.charge);
    corpus
        .engine
        .review()
        .decide(&plain(subject, Choice::Confusable))
        .unwrap();
    let mut plan = corpus.engine.review().people().unwrap().plan;
    plan.blind = true;
    corpus.engine.review().set_review_plan(plan).unwrap();
    let other = open_as(corpus.engine.workspace().path(), "Reviewer 2");
    let edge = other
        .graph()
        .graph_edge(NodeRef::term(corpus.duty), NodeRef::term(corpus.charge))
        .unwrap();
    assert!(
        edge.blind && edge.marked.is_empty() && edge.settled.is_none(),
        "{edge:?}"
    );
}

#[test]
fn a_node_that_is_gone_is_a_failure() {
    let corpus = Corpus::of(1);
    for node in [NodeRef::term(TermId(99)), NodeRef::sentence(SentenceId(99))] {
        assert!(
            corpus
                .engine
                .graph()
                .neighbourhood(&NeighbourhoodRequest::of(node))
                .is_err()
        );
    }
    // Nothing mentions this sentence and no other is like it, so it has no neighbours.
    let alone = corpus.around(&NeighbourhoodRequest {
        kinds: vec![EdgeKind::Reference, EdgeKind::Lexical],
        ..NeighbourhoodRequest::of(NodeRef::sentence(corpus.sentences[3]))
    });
    assert_eq!(alone.nodes.len(), 1);
}
