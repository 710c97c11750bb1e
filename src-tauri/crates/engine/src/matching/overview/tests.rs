//! Tests of `overview`.

use super::*;
use crate::matching::about::About;
use lexforge_domain::api::Severity;

fn row(document: i64, section: &str) -> MatchRow {
    let mut report = About::of_rules(&[(UNREVIEWED, MatchVerdict::NotCovered)]).report;
    let mut row = report.rows.remove(0);
    row.rule.document = DocumentId(document);
    row.rule.section = section.to_owned();
    row
}

#[test]
fn a_chapter_is_the_first_heading_that_tells_rules_apart() {
    let rows = [
        row(1, "Act › Chapter I › Article 1"),
        row(1, "Act › Chapter I › Article 2"),
        row(1, "Act › Chapter II › Article 3"),
        row(2, "1"),
        row(2, "2 › a"),
        row(3, ""),
    ];
    let name = |document, path: &str, name: &str| {
        ((DocumentId(document), path.to_owned()), name.to_owned())
    };
    let names = Names::from([
        name(1, "Act › Chapter I", "Scope"),
        name(1, "Act › Chapter II", ""),
        name(2, "1", "1"),
        name(1, "2", "Of another document"),
    ]);
    let (chapters, of_rows) = chapters(&rows, &names);
    let titles: Vec<&str> = chapters.iter().map(|c| c.title.as_str()).collect();
    assert_eq!(titles, ["Chapter I Scope", "Chapter II", "1", "2", ""]);
    assert_eq!(of_rows, [0, 0, 1, 2, 3, 4]);
}

#[test]
fn a_corrected_rule_is_as_bad_as_its_verdict() {
    let found = row(1, "");
    for (verdict, expected) in [
        (MatchVerdict::NotCovered, Severity::High),
        (MatchVerdict::Partly, Severity::Medium),
        (MatchVerdict::Covered, Severity::None),
    ] {
        assert_eq!(severity_of(&found, verdict), expected);
    }
}

#[test]
fn people_agree_by_their_first_verdict_on_each_rule() {
    let said = |actor: &str, text: &str, verdict| MatchDecision {
        id: 0,
        rule: MatchText {
            text: text.to_owned(),
            ..row(1, "").rule
        },
        accepted: true,
        undecided: false,
        verdict,
        relation: None,
        policies: Vec::new(),
        note: String::new(),
        owner: String::new(),
        due: None,
        against: Vec::new(),
        made: String::new(),
        actor: actor.to_owned(),
    };
    let (covered, open) = (MatchVerdict::Covered, MatchVerdict::NotCovered);
    let alone = [said("A", "one", covered), said("A", "two", open)];
    assert_eq!(agreed(&alone), None);
    let both = [
        said("A", "one", covered),
        said("B", "one", covered),
        said("B", "one", open),
        said("A", "two", open),
        said("B", "two", open),
    ];
    let agreement = agreed(&both);
    assert_eq!(
        agreement.map(|a| (a.rules, a.people, a.alpha.value)),
        Some((2, 2, Some(1.0)))
    );
}
