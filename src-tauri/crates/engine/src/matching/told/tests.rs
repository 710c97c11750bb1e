//! Tests of `told`.

use super::*;
use lexforge_domain::api::{DifferenceKind, MatchCandidate};

#[test]
fn what_differs_is_said_in_a_sentence() {
    let said = |rule: &str, policy: &str, side| {
        difference(&MatchDifference {
            kind: DifferenceKind::Number,
            rule: rule.to_owned(),
            policy: policy.to_owned(),
            side,
        })
    };
    assert_eq!(
        said("1 hour", "2 business day", DifferenceSide::Looser),
        "The rule says “1 hour”, the policy “2 business days”: the policy demands less."
    );
    assert_eq!(
        said("board, yearly", "", DifferenceSide::Silent),
        "The policy says nothing of “board, yearly”."
    );
    assert_eq!(
        said("the bank", "the agent", DifferenceSide::Other),
        "The rule says “the bank”, the policy “the agent”."
    );
}

#[test]
fn a_paper_says_what_found_a_statement() {
    let text = |id: i64| MatchText {
        id: lexforge_domain::SentenceId(id),
        document: DocumentId(2),
        page: 1,
        text: "We keep an exit plan.".to_owned(),
        section: String::new(),
        external_id: None,
    };
    let mut about = About::of_rules(&[(UNREVIEWED, MatchVerdict::Partly)]);
    let told = about.opening().len();
    about.report.channels = vec![MatchChannel::Words, MatchChannel::Meaning];
    assert_eq!(
        about.opening().len(),
        told,
        "that is what is compared anyway"
    );
    about.report.channels.push(MatchChannel::Graph);
    assert!(
        about
            .opening()
            .contains(&"Candidates were found by: words, meaning, graph.".to_owned())
    );
    for (found_by, edges, terms, expected) in [
        (vec![MatchChannel::Words], Some(2), vec![], "words"),
        (
            vec![MatchChannel::Graph, MatchChannel::Terms],
            Some(2),
            vec!["exit plan".to_owned()],
            "graph (2 edges), accepted terms (exit plan)",
        ),
        (vec![MatchChannel::Graph], Some(1), vec![], "graph (1 edge)"),
        (vec![], None, vec![], ""),
    ] {
        let row = &mut about.report.rows[0];
        row.policies = vec![MatchCandidate {
            statement: text(7),
            score: 1.0,
            votes: 1,
            covers: true,
            found_by,
            edges,
            terms,
        }];
        assert_eq!(super::found_by(row, &text(7)), expected);
        // A statement that a person linked was found by nothing.
        assert_eq!(super::found_by(row, &text(8)), "");
    }
}

#[test]
fn a_paper_says_whose_verdicts_it_holds() {
    let said = |statuses: &[&str]| {
        let rules = statuses
            .iter()
            .map(|status| (*status, MatchVerdict::Covered));
        let rules: Vec<(&str, MatchVerdict)> = rules.collect();
        About::of_rules(&rules).opening()[3..].join(" ")
    };
    assert_eq!(
        said(&[UNREVIEWED, UNREVIEWED]),
        "No person has decided about any of these rules: each verdict is that of the program alone."
    );
    assert_eq!(
        said(&["accepted", "corrected"]),
        "A person has decided about each of these rules."
    );
    // If the text of a rule has changed, its row shows the program's result again.
    assert_eq!(
        said(&["accepted", STALE]),
        "A person has decided about each of these rules. Re-opened, because a text has changed since the decision: 1 of the 2 rules. \
             Their verdicts are again those of the program alone."
    );
}

#[test]
fn a_rule_that_is_open_again_has_the_word_of_the_window() {
    let rules = [
        ("accepted", MatchVerdict::Covered),
        (STALE, MatchVerdict::Covered),
    ];
    let counts = About::of_rules(&rules).counts();
    let end = "; 1 accepted; 0 corrected; 1 re-opened; 0 unreviewed";
    assert!(counts.ends_with(end), "{counts}");
}

#[test]
fn a_paper_says_that_a_newer_version_was_not_matched() {
    let mut about = About::of_rules(&[("accepted", MatchVerdict::Covered)]);
    about.report.request.policies = vec![DocumentId(2)];
    let warned = |about: &About| -> Vec<String> {
        let lines = about.opening().into_iter();
        lines
            .filter(|line| line.contains("newer version"))
            .collect()
    };
    for (id, title, predecessor, expected) in [
        (1, "Act", None, vec![]),
        (2, "Policy", None, vec![]),
        // A newer version of a document that takes no part.
        (3, "Notice", Some(7), vec![]),
        (
            4,
            "Policy",
            Some(2),
            vec![
                "A newer version is here and was not matched: “Policy”. Match again before you rely on this.",
            ],
        ),
    ] {
        let document = document(id, title, predecessor);
        about.documents.insert(document.id, document);
        assert_eq!(warned(&about), expected, "{id}");
    }
}

fn document(id: i64, title: &str, predecessor: Option<i64>) -> DocumentRow {
    serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.md", "title": title, "format": "text", "language": "en", "pages": 1, "sentences": 1,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": predecessor
        }))
        .unwrap()
}

#[test]
fn a_time_is_told_to_the_minute() {
    assert_eq!(when("2026-11-26T20:31:56Z"), "2026-11-26 20:31 UTC");
    assert_eq!(when(""), "");
}
