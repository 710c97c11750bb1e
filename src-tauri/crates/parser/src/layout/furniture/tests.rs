//! Tests of running heads and feet.

use super::*;
use crate::layout::line::Frame;

fn line(text: &str, baseline: f32) -> Line {
    let mut line = Line::plain(1, 0, text);
    line.baseline = baseline;
    line.size = 10.0;
    line.frame = Frame {
        turn: 0,
        width: 600.0,
        height: 800.0,
    };
    line
}

#[test]
fn heads_over_a_typed_rule_go_though_each_stands_on_one_page() {
    let mut pages: Vec<Vec<Line>> = ["Methods of the study", "What was found"]
        .iter()
        .map(|head| {
            vec![
                line(head, 40.0),
                line("____________________", 52.0),
                line(&format!("{head} is told in this chapter."), 90.0),
            ]
        })
        .collect();
    remove(&mut pages);
    let left: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(left, [1, 1]);
}

#[test]
fn heads_and_numbers_go_and_clauses_stay() {
    let mut pages: Vec<Vec<Line>> = (1..=5)
        .map(|n| {
            vec![
                line(&format!("L 119/{n} Official Journal"), 40.0),
                line("The same clause on every page.", 400.0),
                line(
                    &format!(
                        "Clause {} of its page",
                        "abcde".chars().nth(n - 1).unwrap_or('x')
                    ),
                    90.0,
                ),
                line(&format!("- {} -", n + 6), 780.0),
            ]
        })
        .collect();
    let removed = remove(&mut pages);
    let gone: Vec<(&str, RemovedWhy)> = removed.lines[1]
        .iter()
        .map(|l| (l.text.as_str(), l.why))
        .collect();
    assert_eq!(
        gone,
        [
            ("L 119/2 Official Journal", RemovedWhy::Repeats),
            ("- 8 -", RemovedWhy::Repeats)
        ]
    );
    assert!(removed.lines.iter().flatten().all(|l| l.region.is_some()));
    for page in &pages {
        let texts: Vec<String> = page.iter().map(Line::text).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert!(texts[0].starts_with("The same clause") && texts[1].starts_with("Clause"));
    }
}

#[test]
fn heads_that_alternate_and_count_go() {
    let mut pages: Vec<Vec<Line>> = (1..=4)
        .map(|n| {
            let head = if n % 2 == 0 {
                format!("Annual Report {n}")
            } else {
                format!("The Bank {n}")
            };
            vec![
                line(&head, 40.0),
                line("The clause of this page.", 300.0 + 10.0 * n as f32),
            ]
        })
        .collect();
    remove(&mut pages);
    assert!(
        pages
            .iter()
            .all(|p| p.len() == 1 && p[0].text().starts_with("The clause"))
    );
}

/// Text that a browser prints around a page is recognised on a single page.
#[test]
fn what_a_browser_prints_around_one_page_goes() {
    let mut pages = vec![vec![
        line("11/25/26, 12:51 PM", 20.0),
        line("A bank shall keep a register.", 60.0),
        line("Records are kept for five years.", 300.0),
        line("file:///C:/rules/circular.html", 788.0),
        line("1/1", 788.0),
    ]];
    let removed = remove(&mut pages);
    let texts: Vec<String> = pages[0].iter().map(Line::text).collect();
    assert_eq!(
        texts,
        [
            "A bank shall keep a register.",
            "Records are kept for five years."
        ]
    );
    assert_eq!(removed.lines[0].len(), 3);
    assert!(removed.heads.is_empty());
}

/// The invitation stands below the text, wherever that ends.
#[test]
fn an_invitation_to_scan_is_no_rule() {
    let mut pages = vec![vec![
        line("第一条 银行应当保存记录。", 100.0),
        line("手机扫一扫打开此页", 300.0),
    ]];
    remove(&mut pages);
    assert_eq!(pages[0].len(), 1);
    let mut alone = vec![vec![line("手机扫一扫打开此页", 300.0)]];
    remove(&mut alone);
    assert_eq!(alone[0].len(), 1, "a page is never emptied by it");
}

#[test]
fn numbers_of_pages_are_read() {
    for (text, expected) in [
        ("12", Some(12)),
        ("- 3 -", Some(3)),
        ("Page 4 of 10", Some(4)),
        ("第 5 页 共 9 页", Some(5)),
        ("xiv", Some(14)),
        ("7/88", Some(7)),
        ("2016 Regulation", None),
        ("Article 5", None),
    ] {
        assert_eq!(page_number(&line(text, 0.0)), expected, "{text}");
    }
}

#[test]
fn heads_of_facing_pages_go_and_titles_of_slides_stay() {
    let left = |opposite: bool| {
        let mut pages: Vec<Vec<Line>> = ["3. Limits", "Large loans", "3. Limits"]
            .iter()
            .enumerate()
            .map(|(at, head)| {
                let mut head = line(head, 40.0);
                (head.x0, head.x1) = (60.0, 140.0);
                if opposite && at == 1 {
                    (head.x0, head.x1) = (460.0, 540.0);
                }
                vec![head, line(&format!("Page {at} tells of loans."), 300.0)]
            })
            .collect();
        remove(&mut pages);
        pages.iter().map(Vec::len).collect::<Vec<_>>()
    };
    assert_eq!(left(true), [1, 1, 1]);
    assert_eq!(left(false), [2, 2, 2]);
}

#[test]
fn a_number_beside_the_words_of_a_foot_counts_the_pages_too() {
    let mut pages: Vec<Vec<Line>> = (0..3)
        .map(|at| {
            let mut page = vec![line(
                &format!("{} tells of loans.", ["One", "Two", "Three"][at]),
                300.0,
            )];
            let number = 114 + at;
            if at == 1 {
                page.push(line(&number.to_string(), 780.0));
                page.push(line(&format!("Journal of loans, {number}/312"), 780.0));
            } else {
                page.push(line(
                    &format!("{number} Journal of loans, {number}/312"),
                    780.0,
                ));
            }
            page
        })
        .collect();
    remove(&mut pages);
    let left: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(left, [1, 1, 1]);
}

#[test]
fn the_last_line_of_a_note_is_no_running_foot_though_only_its_numbers_differ() {
    for (foot, left) in [
        (["Notes on the act of the ", " (OJ L 55,"], 3),
        (["Papers of the institute ", ""], 1),
    ] {
        let mut pages: Vec<Vec<Line>> = (1..=4)
            .map(|n| {
                let own = ["north", "south", "east", "west"][n - 1];
                let own = if foot[1].is_empty() { "" } else { own };
                vec![
                    line(&format!("Clause {n}{n} of its page."), 400.0),
                    line(&format!("{}{own}{}", foot[0], foot[1]), 760.0),
                    line(&format!("{n}.2.2031, p. 1{n})."), 772.0),
                ]
            })
            .collect();
        remove(&mut pages);
        let counts: Vec<usize> = pages.iter().map(Vec::len).collect();
        assert_eq!(counts, [left; 4], "{foot:?}");
    }
}

#[test]
fn a_foot_that_says_the_same_on_all_pages_goes_though_the_chapter_above_it_changes() {
    // The last line of a note may be the same on a few of many pages.
    let left = |foot: &str, on: u8, all: u8| {
        let mut pages: Vec<Vec<Line>> = (0..all)
            .map(|n| {
                let own = char::from(b'A' + n);
                let mut page = vec![
                    line(&format!("Clause {n}{n} of its page."), 400.0),
                    line(&format!("On {own} and the rest"), 760.0),
                ];
                page.extend((n < on).then(|| line(foot, 772.0)));
                page
            })
            .collect();
        remove(&mut pages);
        let last = |page: &Vec<Line>| page.iter().any(|l| l.text() == foot);
        pages.iter().filter(|page| last(page)).count()
    };
    let foot = "\u{a9} Northern Bank. All rights reserved.";
    assert_eq!(left(foot, 4, 4), 0);
    assert_eq!(left(foot, 4, 12), 0);
    assert_eq!(left("of the act on banks (OJ L 55, p. 13).", 3, 12), 3);
}
