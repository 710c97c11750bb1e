//! Tests of `compare`.

use super::*;
use lexforge_domain::{DocumentId, SentenceId};

/// Lines `section | text`; a `#` before the text makes it a heading.
fn sentences(lines: &str) -> Vec<Sentence> {
    let rows = lines.lines().map(str::trim).filter(|l| !l.is_empty());
    rows.enumerate()
        .map(|(i, line)| {
            let (section, text) = line.split_once('|').unwrap();
            let (kind, text) = match text.trim().strip_prefix('#') {
                Some(heading) => (SentenceKind::Heading, heading.trim()),
                None => (SentenceKind::Rule, text.trim()),
            };
            sentence(i, section.trim(), kind, text)
        })
        .collect()
}

fn sentence(i: usize, section: &str, kind: SentenceKind, text: &str) -> Sentence {
    Sentence {
        position: i as u32,
        section: section.to_owned(),
        ..Sentence::alone(SentenceId(i as i64), DocumentId(1), kind, text)
    }
}

fn check(old: &str, new: &str, expected: &[&str], unchanged: u64) {
    let (a, b) = (sentences(old), sentences(new));
    let found = compare(&a, &b);
    let mut lines: Vec<String> = found
        .removed
        .iter()
        .map(|&i| format!("- {}", a[i].text))
        .collect();
    lines.extend(found.added.iter().map(|&j| format!("+ {}", b[j].text)));
    lines.extend(
        found
            .changed
            .iter()
            .map(|&(i, j)| format!("~ {} => {}", a[i].text, b[j].text)),
    );
    assert_eq!(lines, expected, "{old}\n{new}");
    assert_eq!(found.unchanged, unchanged);
}

const BASE: &str = "
        Article 1 | # Article 1
        Article 1 | # Scope
        Article 1 | This Rule applies to every bank that takes deposits.
        Article 2 | # Article 2
        Article 2 | # Limits
        Article 2 › 1 | 1. An exposure shall not exceed 25 % of the eligible capital.
        Article 2 › 2 | 2. The bank shall report every breach to the authority within three days.";

#[test]
fn the_same_text_has_no_changes() {
    check(BASE, BASE, &[], 7);
    // Blanks and typographic quotes and dashes are no change.
    check(
        "A | The “limit” is 5 % – always.",
        "A | The \"limit\" is 5% - always.",
        &[],
        1,
    );
}

#[test]
fn a_changed_number_is_a_change() {
    check(
        BASE,
        &BASE.replace("25 %", "20 %"),
        &[
            "~ 1. An exposure shall not exceed 25 % of the eligible capital. => 1. An exposure shall not exceed 20 % of the eligible capital.",
        ],
        6,
    );
    // In a table the number is the text.
    let row = |t: &str| vec![sentence(0, "", SentenceKind::TableCell, t)];
    assert_eq!(
        compare(&row("2.5 Sovereigns 10"), &row("3.5 Sovereigns 10")).changed,
        [(0, 0)]
    );
}

#[test]
fn an_inserted_article_renumbers_and_changes_nothing_else() {
    let new = "
        Article 1 | # Article 1
        Article 1 | # Scope
        Article 1 | This Rule applies to every bank that takes deposits.
        Article 2 | # Article 2
        Article 2 | # Governance
        Article 2 | The board shall approve the risk policy once a year.
        Article 3 | # Article 3
        Article 3 | # Limits
        Article 3 › 1 | 1. An exposure shall not exceed 25 % of the eligible capital.
        Article 3 › 2 | (b) The bank shall report every breach to the authority within three days.";
    check(
        BASE,
        new,
        &[
            "+ Article 2",
            "+ Governance",
            "+ The board shall approve the risk policy once a year.",
        ],
        7,
    );
}

#[test]
fn moved_sentences_are_unchanged_and_others_come_and_go() {
    let mut lines: Vec<&str> = BASE.trim().lines().collect();
    let last = lines.pop().unwrap();
    lines.insert(3, last);
    check(BASE, &lines.join("\n"), &[], 7);
    check(
        BASE,
        &BASE.replace(
            "2. The bank shall report every breach to the authority within three days.",
            "2. Deleted.",
        ),
        &[
            "- 2. The bank shall report every breach to the authority within three days.",
            "+ 2. Deleted.",
        ],
        6,
    );
}

#[test]
fn chinese_articles_are_compared_by_their_characters() {
    check(
        "第一条 | 第一条 为了规范贷款业务，根据有关法律，制定本办法。\n第二条 | 第二条 贷款期限不得超过三年。",
        "第一条 | 第一条 为了规范贷款业务，根据有关法律，制定本办法。\n第二条 | 第二条 贷款人应当设立独立的风险部门。\n第三条 | 第三条 贷款期限不得超过五年。",
        &[
            "+ 第二条 贷款人应当设立独立的风险部门。",
            "~ 第二条 贷款期限不得超过三年。 => 第三条 贷款期限不得超过五年。",
        ],
        1,
    );
}

#[test]
fn ten_thousand_sentences_that_all_changed_are_paired() {
    let make = |amount: &str| -> Vec<Sentence> {
        (0..10_000)
                .map(|i| {
                    let text = format!(
                        "Institution number {i} shall hold {amount} of {} against the exposure class k{} at all times.",
                        i * 7 % 1000,
                        i % 97
                    );
                    sentence(i, &format!("Article {}", i / 10), SentenceKind::Rule, &text)
                })
                .collect()
    };
    let (old, new) = (make("capital"), make("own funds"));
    let found = compare(&old, &new);
    assert_eq!(found.changed.len(), 10_000);
    assert!(
        found.changed.iter().all(|&(i, j)| i == j),
        "each with its own earlier wording"
    );
}
