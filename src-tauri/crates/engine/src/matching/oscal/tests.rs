//! Tests of `oscal`.

use super::super::oscal_ids::{words_of, words_token};
use super::*;
use lexforge_domain::api::{MatchCandidate, MatchDecision, MatchLearned};

#[test]
fn names_are_those_that_other_tools_take() {
    let made = uuid("something");
    assert_eq!(made.len(), 36);
    assert_eq!(made.as_bytes()[14], b'5');
    assert!(matches!(made.as_bytes()[19], b'8' | b'9' | b'a' | b'b'));
    assert_eq!(made, uuid("something"));
    assert_eq!(href("Own policy.md"), "./Own%20policy.md");
    assert_eq!(line(" a\n b "), "a b");
}

#[test]
fn a_decision_whose_text_has_changed_is_open_again() {
    let method = |status: &str| {
        let rules = [
            ("accepted", MatchVerdict::NotCovered),
            (status, MatchVerdict::NotCovered),
        ];
        let file = About::of_rules(&rules).collection();
        file["mapping-collection"]["provenance"]["method"].clone()
    };
    assert_eq!(method("accepted"), "human");
    assert_eq!(method(STALE), "hybrid");
}

#[test]
fn a_rule_that_was_decided_without_a_statement_is_told_where_its_document_has_no_mapping() {
    let file = About::of_rules(&[("corrected", MatchVerdict::Covered)]).collection();
    let told = &file["mapping-collection"]["provenance"]["mapping-description"];
    let told = told.as_str().unwrap_or_default();
    assert!(told.ends_with("that could be named here: R-1."), "{told}");
}

#[test]
fn a_map_says_what_its_probability_rests_on() {
    let mut about = About::of_rules(&[("unreviewed", MatchVerdict::Covered)]);
    about.report.rows[0].policies = vec![MatchCandidate {
        statement: text(Some("P-1"), ""),
        score: 1.0,
        votes: 1,
        covers: true,
        found_by: Vec::new(),
        edges: None,
        terms: Vec::new(),
    }];
    let said = |about: &About| {
        let file = about.collection();
        let map = &file["mapping-collection"]["mappings"][0]["maps"][0];
        let props = map["props"].as_array().cloned().unwrap_or_default();
        let rests = props
            .into_iter()
            .find(|prop| prop["name"] == "probability-rests-on");
        rests.map(|prop| prop["value"].clone())
    };
    let plain = "fitted on public contracts, not learned from decisions";
    assert_eq!(said(&about), Some(json!(plain)));
    about.report.rows[0].learned = Some(MatchLearned {
        decisions: 34,
        of_all: 90,
        pooled: false,
        needed: 5,
    });
    let learned = "learned from 34 decisions about this rule in other policies";
    assert_eq!(said(&about), Some(json!(learned)));
}

#[test]
fn statements_of_several_documents_do_not_each_meet_the_rule() {
    use MatchRelation::{Equal, Intersects, Subset, Superset};
    for (relation, documents, expected) in [
        (Equal, &[2][..], &["equal-to"][..]),
        (Subset, &[2, 2], &["subset-of"]),
        (Equal, &[2, 3], &["intersects-with", "intersects-with"]),
        (Subset, &[2, 3, 2], &["intersects-with", "intersects-with"]),
        (Superset, &[2, 3], &["superset-of", "superset-of"]),
        (Intersects, &[2], &["intersects-with"]),
    ] {
        let mut about = About::of_rules(&[("corrected", MatchVerdict::Covered)]);
        let row = &mut about.report.rows[0];
        let policies = documents.iter().map(|document| MatchText {
            document: DocumentId(*document),
            ..text(Some("P-1"), "")
        });
        row.decision = Some(MatchDecision {
            id: 1,
            rule: row.rule.clone(),
            accepted: false,
            undecided: false,
            verdict: MatchVerdict::Covered,
            relation: Some(relation),
            policies: policies.collect(),
            note: String::new(),
            owner: String::new(),
            due: None,
            against: Vec::new(),
            made: String::new(),
            actor: "Ada".to_owned(),
        });
        let file = about.collection();
        let mappings = file["mapping-collection"]["mappings"].as_array().cloned();
        let said: Vec<Value> = mappings
            .into_iter()
            .flatten()
            .map(|mapping| mapping["maps"][0]["relationship"].clone())
            .collect();
        assert_eq!(said, expected, "{relation:?} {documents:?}");
    }
}

fn text(id: Option<&str>, section: &str) -> MatchText {
    MatchText {
        id: lexforge_domain::SentenceId(7),
        document: DocumentId(1),
        page: 1,
        text: "Records are kept.".to_owned(),
        section: section.to_owned(),
        external_id: id.map(str::to_owned),
    }
}

#[test]
fn a_text_is_named_by_its_own_id_or_by_its_words_and_section() {
    let own = |id: &str| token(&text(Some(id), ""));
    assert_eq!(
        (own("AC-1(a)"), own("1.2")),
        ("AC-1_a_".to_owned(), "s_1.2".to_owned())
    );
    // Such an id can contain neither of these two characters. Yet the two ids must differ.
    assert_ne!(own("第1条"), own("第1款"));
    let (one, other) = (token(&text(None, "Records")), token(&text(None, "Office")));
    assert_ne!(one, other);
    assert_eq!(words_of(&one), words_of(&other));
    assert_eq!(words_of(&one), Some(words_token(&text(None, "")).as_str()));
    assert_eq!((words_of("s_1.2"), words_of("s_12_3")), (None, None));
}
