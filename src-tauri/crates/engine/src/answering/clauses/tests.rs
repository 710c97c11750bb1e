use super::*;

/// Sentences by kind and section; with a mark for an item that something leads in.
fn sentences(of: &[(SentenceKind, &str, bool)]) -> Vec<Sentence> {
    (1..)
        .zip(of)
        .map(|(id, (kind, section, item))| Sentence {
            id: SentenceId(id),
            document: DocumentId(1),
            position: 0,
            page: 1,
            section_id: None,
            section: (*section).to_owned(),
            kind: *kind,
            text: "It is said here.".to_owned(),
            complete: item.then(|| "It is said here, with its lead-in.".to_owned()),
            boxes: Vec::new(),
            start: 0,
            end: 0,
            external_id: None,
        })
        .collect()
}

fn found(format: DocumentFormat, of: &[(SentenceKind, &str, bool)]) -> Vec<(i64, i64)> {
    runs(format, &sentences(of))
        .into_iter()
        .map(|(from, to)| (from.0, to.0))
        .collect()
}

#[test]
fn a_clause_has_its_heading_and_the_items_of_its_list() {
    use SentenceKind::{Heading, ListItem, Rule};
    let of = [
        (Heading, "Article 5", false),
        (Rule, "Article 5 › 1", false),
        (ListItem, "Article 5 › 1 › (a)", true),
        (ListItem, "Article 5 › 1 › (b)", true),
        (Rule, "Article 5 › 2", false),
        (Rule, "Article 5 › 2", false),
        (Rule, "Article 6 › (1)", false),
        (Rule, "Article 6 › (2)", false),
        (Heading, "Contents", false),
        (Heading, "Annex", false),
    ];
    assert_eq!(
        found(DocumentFormat::Pdf, &of),
        [(1, 4), (5, 6), (7, 7), (8, 8), (10, 10)]
    );
    // A passage of a corpus file is a clause as it is.
    assert_eq!(found(DocumentFormat::Jsonl, &of[..2]), [(1, 1), (2, 2)]);
}

#[test]
fn a_footnote_cuts_no_clause_and_the_next_definition_is_another() {
    use SentenceKind::{Definition, Footnote, ListItem, Rule};
    let of = [
        (Rule, "Article 5 › 1", false),
        (ListItem, "Article 5 › 1 › (a)", true),
        (Footnote, "Footnotes", false),
        (ListItem, "Article 5 › 1 › (b)", true),
        (Footnote, "Footnotes", false),
        (Rule, "Article 6", false),
        (Definition, "Article 7 › (1)", false),
        (ListItem, "Article 7 › (2)", true),
        (ListItem, "Article 7 › (2) › (a)", true),
    ];
    assert_eq!(
        found(DocumentFormat::Pdf, &of),
        [(1, 4), (5, 5), (6, 6), (7, 7), (8, 9)]
    );
    // Each recital is a clause, with all of its sentences.
    let recitals = [
        (ListItem, "Recitals › (1)", true),
        (ListItem, "Recitals › (1)", false),
        (ListItem, "Recitals › (2)", true),
    ];
    assert_eq!(found(DocumentFormat::Pdf, &recitals), [(1, 2), (3, 3)]);
}

#[test]
fn items_of_a_paragraph_that_is_filed_elsewhere_stay_with_it() {
    use SentenceKind::{ListItem, Rule};
    let mut of = sentences(&[
        (Rule, "4 › (e)", false),
        (ListItem, "4 › (a)", true),
        (ListItem, "4 › (b)", true),
    ]);
    let runs_of = |of: &[Sentence]| runs(DocumentFormat::Pdf, of).len();
    assert_eq!(runs_of(&of), 3);
    of[0].text = "The policy states:".to_owned();
    assert_eq!(runs_of(&of), 1);
}

#[test]
fn the_next_item_of_a_long_list_is_not_read_with_a_sentence_of_the_one_before() {
    use SentenceKind::{ListItem, Rule};
    let mut of = vec![(Rule, "4", false); 15];
    of.extend([
        (ListItem, "4 › (a)", true),
        (ListItem, "4 › (a)", false),
        (ListItem, "4 › (b)", true),
    ]);
    let found = found(DocumentFormat::Pdf, &of);
    assert!(found.ends_with(&[(17, 17), (18, 18)]), "{found:?}");
}

#[test]
fn each_footnote_is_a_clause_by_itself() {
    use SentenceKind::Footnote;
    let mut of = sentences(&[(Footnote, "Footnotes", false); 3]);
    for (sentence, text) in of.iter_mut().zip(["1 See Annex A.", "It is out.", "2 No."]) {
        sentence.text = text.to_owned();
    }
    assert_eq!(runs(DocumentFormat::Pdf, &of).len(), 2);
}

#[test]
fn what_stands_beside_the_rules_is_known() {
    for (section, beside) in [
        ("Recitals › (4)", true),
        ("5 › 5.2 › Summary of responses to the consultation", true),
        ("Annex › References › Laws", true),
        ("Article 4 › 1", false),
        ("Preference shares", false),
        ("References to repealed acts", false),
        ("Impact assessment", false),
    ] {
        assert_eq!(beside_the_rules(section), beside, "{section}");
    }
}

#[test]
fn an_item_is_named_by_its_label() {
    let of = |section| sentences(&[(SentenceKind::ListItem, section, true)]).remove(0);
    let question = "What does Article 5(b) say?";
    assert!(is_named(&of("Article 5 › (b)"), question));
    assert!(!is_named(&of("Article 5 › (a)"), question));
    assert!(!is_named(&of(""), question));
}

#[test]
fn what_is_too_long_is_divided() {
    use SentenceKind::{ListItem, Rule};
    let mut of = vec![(Rule, "", false); 20];
    of.push((ListItem, "", true));
    let runs = found(DocumentFormat::Text, &of);
    assert_eq!(runs.len(), 20);
    assert_eq!(runs.last(), Some(&(20, 21)));
    let long = vec![(ListItem, "", true); 30];
    assert_eq!(found(DocumentFormat::Text, &long).len(), 30);
}

#[test]
fn a_sentence_that_is_meant_by_its_number_is_no_passage_of_a_corpus_file() {
    let id = SentenceId;
    let mut map = ClauseMap::default();
    map.add("a", &[(id(1), id(1)), (id(2), id(2)), (id(3), id(3))]);
    // A corpus file that came later calls its passage by a number.
    let clauses = Clauses {
        corpus: String::new(),
        links: 0,
        map,
        document: vec![0, 0, 0],
        bare_headings: HashSet::new(),
        beside: HashSet::new(),
        headings: Vec::new(),
        named: BTreeSet::new(),
        defined: Vec::new(),
        documents: Vec::new(),
        by_external_id: HashMap::from([("2".to_owned(), Some(id(3))), ("3".to_owned(), None)]),
    };
    let own = own_id(id(2));
    for (passage, expected) in [
        (own.as_str(), Some(2)),
        ("2", Some(3)),
        ("1", Some(1)),
        // Two files call different passages so, and none of them is the sentence of this number.
        ("3", None),
        ("#9", None),
        ("#", None),
    ] {
        let found = clauses.sentence_of(passage).map(|sentence| sentence.0);
        assert_eq!(found, expected, "{passage}");
    }
}

#[test]
fn an_id_of_two_files_means_the_later_version_or_what_both_say() {
    let row = |id: i64, predecessor: Option<i64>| -> DocumentRow {
        let value = serde_json::json!({
            "id": id, "file": "a.jsonl", "title": "a", "format": "jsonl", "language": "en", "pages": 1, "sentences": 1,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": predecessor
        });
        serde_json::from_value(value).unwrap()
    };
    let passage = |id: i64, document: i64, text: &str| {
        Sentence::alone(
            SentenceId(id),
            DocumentId(document),
            SentenceKind::Rule,
            text,
        )
    };
    // The third is the version after the first; the fourth is the version before the second.
    let documents = [row(1, None), row(2, Some(4)), row(3, Some(1)), row(4, None)];
    for (one, other, texts, expected) in [
        (1, 2, ["Report.", "Lunch."], None),
        (1, 2, ["Report.", "Report."], Some(1)),
        (1, 3, ["Report.", "Report at once."], Some(3)),
        (2, 4, ["Report.", "Report at once."], Some(2)),
    ] {
        let [first, second] = texts;
        let (first, second) = (passage(one, one, first), passage(other, other, second));
        let meant = meant_by_both(&first, &second, &documents);
        assert_eq!(meant.map(|id| id.0), expected, "{one} {other}");
    }
}
