use super::fitting::fitting;
use super::lists::{goes_on_an_item, may_be_further, quoted_of_list};
use super::*;
use lexforge_domain::DocumentId;

fn body(of: &[(SentenceKind, &str, bool)]) -> Vec<Sentence> {
    (1..)
        .zip(of)
        .map(|(id, (kind, text, complete))| Sentence {
            id: SentenceId(id),
            document: DocumentId(1),
            position: 0,
            page: 1,
            section_id: None,
            section: String::new(),
            kind: *kind,
            text: (*text).to_owned(),
            complete: complete.then(|| (*text).to_owned()),
            boxes: Vec::new(),
            start: 0,
            end: 0,
            external_id: None,
        })
        .collect()
}

fn ids(question: &str, of: &[(SentenceKind, &str, bool)]) -> Vec<i64> {
    chosen(question, body(of)).iter().map(|s| s.id.0).collect()
}

#[test]
fn a_list_that_is_asked_for_is_whole() {
    use SentenceKind::{ListItem, Rule};
    let long = "of each vessel that is moored there overnight ".repeat(12);
    let items: Vec<String> = ["(a)", "(b)", "(c)"]
        .iter()
        .map(|label| format!("{label} the papers {long};"))
        .collect();
    let mut of = vec![
        (
            Rule,
            "The harbour master keeps a register of berths.",
            false,
        ),
        (Rule, "It shall contain the following:", false),
    ];
    of.extend(items.iter().map(|item| (ListItem, item.as_str(), true)));
    for asked in [
        "What must the register of berths contain?",
        "What information does the register of berths hold?",
    ] {
        assert_eq!(ids(asked, &of[..4]), [1, 2, 3, 4], "{asked}");
    }
    // If no list is asked for, a sentence that introduces a list is quoted with the list.
    assert_eq!(ids("Shall it contain the following?", &of), [2, 3, 4, 5]);
    // If one item is asked for, the sentence that introduces it and the item are quoted.
    assert_eq!(ids("Who holds papers moored overnight?", &of), [2, 3]);
}

#[test]
fn a_long_list_is_told_whose_subject_stands_before_what_leads_it_in() {
    use SentenceKind::{ListItem, Rule};
    let long = "of each vessel that is moored there overnight ".repeat(30);
    let items: Vec<String> = ["(a)", "(b)"]
        .iter()
        .map(|label| format!("{label} the papers {long};"))
        .collect();
    let mut of = vec![
        (Rule, "The harbour office is open.", false),
        (
            Rule,
            "The register of berths is kept by the harbour master.",
            false,
        ),
        (Rule, "It is blue.", false),
        (Rule, "It covers:", false),
    ];
    of.extend(items.iter().map(|item| (ListItem, item.as_str(), true)));
    let asked = "What must the register of berths cover?";
    assert_eq!(ids(asked, &of), [2, 3, 4, 5, 6]);
    // If no list is asked for, the list is not quoted.
    assert_eq!(ids("Who keeps the register of berths?", &of), [2]);
}

#[test]
fn of_sentences_that_fit_as_well_the_one_with_rarer_words_is_told() {
    use SentenceKind::Rule;
    let long = "of each vessel that is moored there overnight ".repeat(30);
    let first = format!("A master shall file a log {long}.");
    let of = [
        (Rule, first.as_str(), false),
        (Rule, "If a master refuses, the port writes a log.", false),
        (Rule, "Where each log is filed, a lamp burns.", false),
    ];
    let asked = "What happens if a master refuses to file a log?";
    assert_eq!(ids(asked, &of), [2]);
    assert_eq!(ids("Who shall file a log?", &of), [1]);
}

#[test]
fn a_list_goes_on_after_the_further_sentences_of_its_items() {
    use SentenceKind::{ListItem, Rule};
    let head = body(&[(Rule, "The register has parts:", false)]);
    let list = || {
        body(&[
            (ListItem, "• Names of the vessels.", true),
            (ListItem, "They are written in red.", false),
            (ListItem, "• Berths of the vessels.", false),
        ])
    };
    let going_on: Vec<bool> = list().iter().map(goes_on_an_item).collect();
    assert_eq!(going_on, [false, true, false]);
    // A paragraph after the list is none of them, unless its place has the label of an item.
    let mut after = body(&[(Rule, "The office signs it.", false)]).remove(0);
    assert!(!may_be_further(&after) && may_be_further(&list()[1]));
    after.section = "Article 5 › (b)".to_owned();
    assert!(may_be_further(&after));
    let told = |question, list| quoted_of_list(question, &head, list).len();
    assert_eq!(told("What are the parts of the register?", list()), 3);
    // Where one item is asked for, that one is quoted.
    assert_eq!(told("Which berths?", list()), 1);
    // Of a long list the items are quoted alone.
    let long: Vec<Sentence> = (0..8).flat_map(|_| list()).collect();
    assert_eq!(told("What are the parts of the register?", long), 16);
}

#[test]
fn items_of_a_list_that_is_asked_for_may_have_further_sentences() {
    use SentenceKind::{ListItem, Rule};
    let of = body(&[
        (Rule, "The register has parts:", false),
        (ListItem, "• Names of the vessels.", true),
        (Rule, "They are written in red.", false),
        (ListItem, "• Berths of the vessels.", true),
        (Rule, "It is kept in the office.", false),
        (Rule, "The log has parts:", false),
        (ListItem, "• Days.", true),
    ]);
    assert_eq!(past_the_items(&of, 1, true), 4);
    assert_eq!(past_the_items(&of, 1, false), 2);
    assert_eq!(past_the_items(&of, 4, true), 4);
    assert_eq!(past_the_items(&of, 6, false), 7);
}

#[test]
fn what_begins_with_the_term_that_is_asked_for_is_told_alone() {
    use SentenceKind::Rule;
    let of = [
        (Rule, "A berth may be called in several ways.", false),
        (
            Rule,
            "• Early berth: a berth that is taken before the office opens.",
            false,
        ),
        (
            Rule,
            "• Late berth: a berth that is taken after the office has closed.",
            false,
        ),
        (Rule, "Its lamp is red.", false),
        (
            Rule,
            "• Free berth: a berth that nobody has taken so far.",
            false,
        ),
    ];
    assert_eq!(ids("What does late berth mean?", &of), [3, 4]);
    assert_eq!(ids("What does a late berth mean for a berth?", &of), [3, 4]);
    assert_eq!(ids("Who takes a late berth?", &of), [1, 2, 3, 4, 5]);
}

#[test]
fn signs_make_items_and_footnotes_do_not_stand_between() {
    use SentenceKind::{Footnote, Rule, TableCell};
    let long = "and it has paid its dues for the year before ".repeat(22);
    let first = format!("To moor, a vessel must meet all criteria: • It is insured {long}.");
    let of = [
        (TableCell, first.as_str(), false),
        (TableCell, "• Its master has a licence.", false),
        (TableCell, "Another vessel pays more.", false),
    ];
    assert_eq!(
        ids("Which criteria must a vessel meet to moor?", &of),
        [1, 2]
    );
    let of = [
        (Rule, "A vessel is insured.", false),
        (Footnote, "(1) Gazette 12 of the harbour office.", false),
        (Rule, "Its master has a licence.", false),
    ];
    assert_eq!(ids("Is a vessel insured?", &of), [1, 3]);
    assert_eq!(ids("Which gazette of the harbour office?", &of), [2]);
}

#[test]
fn the_rows_that_are_asked_for_are_told_with_their_table() {
    use SentenceKind::{Rule, TableCell};
    let head = body(&[(Rule, "Table 3: Dues by length of vessel", false)]);
    let rows = || {
        body(&[
            (TableCell, "Barge\t20", true),
            (TableCell, "Schooner\t30", true),
            (TableCell, "Tug\t40", true),
        ])
    };
    let told = |question| -> Vec<String> {
        let rows = fitting(question, &head, rows());
        rows.into_iter().map(|row| row.text).collect()
    };
    assert_eq!(told("Which dues does a schooner pay?"), ["Schooner\t30"]);
    assert_eq!(told("Which dues does a vessel pay?").len(), 3);
    assert_eq!(told("What are the dues of a schooner and others?").len(), 3);
}

#[test]
fn names_of_tables_are_known() {
    use SentenceKind::{Rule, TableCell};
    let of = body(&[
        (Rule, "Table 3: Dues by length", false),
        (Rule, "表2 费用", false),
        (TableCell, "Length\tDues", false),
        (TableCell, "10 m\t20", true),
        (Rule, "Table manners are kept.", false),
    ]);
    let found: Vec<bool> = of.iter().map(names_a_table).collect();
    assert_eq!(found, [true, true, true, false, false]);
    assert!(is_row(&of[3]) && !is_row(&of[2]));
}

#[test]
fn the_item_that_tells_a_time_is_told_where_one_is_asked_for() {
    use SentenceKind::{ListItem, Rule};
    let head = body(&[(Rule, "The town lays down:", false)]);
    let items = || {
        body(&[
            (ListItem, "(a) who is appointed as master;", true),
            (ListItem, "(b) the term of four years;", true),
        ])
    };
    let told = |question| -> Vec<String> {
        let items = fitting(question, &head, items());
        items.into_iter().map(|item| item.text).collect()
    };
    assert_eq!(
        told("How long does a master who is appointed serve?"),
        ["(b) the term of four years;"]
    );
    assert_eq!(
        told("Who is appointed as master?"),
        ["(a) who is appointed as master;"]
    );
}

#[test]
fn a_heading_and_the_name_of_a_table_answer_nothing() {
    use SentenceKind::{Heading, ListItem, Rule, TableCell};
    for (kind, text, complete, names) in [
        (Heading, "Dues of vessels", false, true),
        (TableCell, "Dues", false, true),
        (TableCell, "Dues\t12", false, false),
        (TableCell, "Dues", true, false),
        (TableCell, "Dues are paid.", false, false),
        (
            TableCell,
            "dues that the master of a vessel pays each month at the counter",
            false,
            false,
        ),
        (Rule, "Table 3: Dues of vessels", false, true),
        (Rule, "Table 3 shows the dues of vessels.", false, false),
        (Rule, "Dues of vessels", false, false),
        (ListItem, "a. Enforcement", false, true),
        (ListItem, "(iii) Late dues", false, true),
        (ListItem, "a. It pays.", false, false),
        (ListItem, "a. 5 euros", false, false),
        (ListItem, "停泊费", false, false),
    ] {
        let of = body(&[(kind, text, complete)]);
        assert_eq!(only_names(&of[0]), names, "{text}");
    }
    for (text, number, points) in [
        ("5", true, false),
        ("5 berths", false, false),
        ("五", false, false),
        ("Refer to table 1 for the dues.", false, true),
        ("45 Refer to table 1 for the dues.", false, true),
        ("See Article 3.", false, true),
        ("Seek a pilot.", false, false),
        (
            "A master who needs more shall refer to table 1.",
            false,
            false,
        ),
    ] {
        let of = body(&[(Rule, text, false)]);
        assert_eq!(has_no_words(&of[0]), number, "{text}");
        assert_eq!(points_elsewhere(&of[0]), points, "{text}");
    }
}
