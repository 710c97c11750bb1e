//! Tests of `markdown`.

use super::*;

#[test]
fn markdown_keeps_its_structure() {
    let text = "---\ntitle: Outsourcing\nowner: Purchasing\n---\n# Outsourcing policy\n\n## Article 1 Scope\n\nThis policy applies to *all* units.[^1]\nIt \
                binds the board.\n\n1. first duty\n2. second duty\n   - nested point\n\n(a) a clause;\n(b) another clause.\n\n\
                | Class | Limit |\n|---|---|\n| Banks | 25 % |\n\nprovider\n: a person that supplies a service.\n\n\
                <div onclick=\"x()\"><p>Raw <b>markup</b>.</p></div>\n\n![picture](x.png)\n\n[^1]: See the law.\n";
    let document = parse("x", text.as_bytes()).unwrap();
    let path = |s: Option<usize>| s.map_or(String::new(), |i| document.sections[i].path.clone());
    let found: Vec<String> = document
        .sentences
        .iter()
        .map(|s| format!("{} [{}] {}", s.kind.tag(), path(s.section), s.text))
        .collect();
    for (kind, text) in [
        ("heading", "Outsourcing policy"),
        ("rule", "This policy applies to all units."),
        ("rule", "It binds the board."),
        ("list_item", "1. first duty"),
        ("list_item", "• nested point"),
        ("list_item", "(b) another clause."),
        ("table_cell", "Banks\t25 %"),
        ("definition", "provider: a person that supplies a service."),
        ("rule", "Raw markup."),
        ("footnote", "1 See the law."),
    ] {
        let ending = format!("] {text}");
        assert!(
            found
                .iter()
                .any(|s| s.starts_with(kind) && s.ends_with(&ending)),
            "{kind} {text}: {found:#?}"
        );
    }
    assert!(found.iter().any(|s| s.contains("[Article 1")), "{found:#?}");
    assert!(!document.pages[0].text.contains("picture"));
    assert_eq!(document.title, "Outsourcing");
    assert_eq!(document.metadata.owner.as_deref(), Some("Purchasing"));
    assert!(!document.pages[0].text.contains("Purchasing"));
}

#[test]
fn a_command_for_a_new_page_is_no_text() {
    let text = "# Keys\n\nKeys are kept.\n\n\\pagebreak\n\n&nbsp;\n\nKeys are changed by \\newpage twice.\n";
    let document = parse("x", text.as_bytes()).unwrap();
    let texts: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Keys",
            "Keys are kept.",
            "Keys are changed by \\newpage twice."
        ]
    );
}

#[test]
fn items_that_are_set_in_below_a_letter_are_no_code() {
    let items = "a. The duties are:\n\n    i. *Managers* report losses;\n\n    ii. *Others* keep records.\n";
    let code = "The program adds:\n\n    a = b *c* d\n";
    let sentences = |text: &str| -> Vec<String> {
        let document = parse("x", text.as_bytes()).unwrap();
        document
            .sentences
            .iter()
            .map(|s| format!("{} {}", s.kind.tag(), s.text))
            .collect()
    };
    assert_eq!(
        sentences(items)[1..],
        [
            "list_item i. Managers report losses;",
            "list_item ii. Others keep records.",
        ]
    );
    // Code keeps its stars.
    let found = sentences(code);
    assert!(found.concat().contains("a = b *c* d"), "{found:#?}");
}

#[test]
fn the_numbers_of_items_are_followed_by_what_is_written() {
    for (text, expected) in [
        ("1. one\n2. two)\n", ["1.", "2."]),
        ("3) one\n4) two\n", ["3)", "4)"]),
        (" 7) one\n\n    more (a)\n\n 8) two.\n", ["7)", "8)"]),
        ("> 1) one\n> 2) two\n", ["1)", "2)"]),
        ("1) one\n   - within\n", ["1)", "•"]),
        ("- one)\n- 2) two\n", ["•", "2)"]),
    ] {
        let mut state = State::default();
        state.read(text).unwrap();
        let label = |block: &Block| match block {
            Block::Paragraph(paragraph) => paragraph.label.clone(),
            _ => None,
        };
        let labels: Vec<String> = state.blocks.iter().filter_map(label).collect();
        assert_eq!(labels, expected, "{text}");
    }
}

#[test]
fn a_head_never_leads_in_the_items_of_a_list() {
    let text = "name: Logs\nmeets:\n  SET:\n    - A1\nrevisions:\n  - date: 2024-03-05\n---\n\n1. All systems shall keep logs.\n\n\
                ---\nBetween two rules stands text.\n---\n";
    let mut document = parse("x", text.as_bytes()).unwrap();
    crate::complete::fill(&mut document);
    let texts: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "1. All systems shall keep logs.",
            "Between two rules stands text."
        ]
    );
    assert!(document.sentences.iter().all(|s| s.complete.is_none()));
    assert_eq!(document.title, "Logs");
    assert_eq!(document.metadata.date.as_deref(), Some("2024-03-05"));
    assert_eq!(document.warnings.len(), 1, "{:?}", document.warnings);
}

#[test]
fn what_is_struck_out_is_left_out_and_told() {
    let text =
        "The limit is ~~25 %~~ 20 %.\n\nBanks <del>may</del> shall report.\n\n~~Funds report.~~\n";
    let document = parse("x", text.as_bytes()).unwrap();
    let texts: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts, ["The limit is 20 %.", "Banks shall report."]);
    let told: Vec<&str> = document
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    assert_eq!(told, ["18 characters that are struck out were left out."]);
}

#[test]
fn html_in_markdown_takes_nothing_that_it_does_not_close_and_tells_the_rest() {
    let text = "A bank <s>shall report.\n\nFunds <del>shall report.\n\n- An agent <s>may report\n- A firm may report\n\n\
                <p>The fee is <del>2 %</del> 1 %.</p><p hidden>Draft.</p>\n";
    let document = parse("x", text.as_bytes()).unwrap();
    let texts: Vec<&str> = document.sentences.iter().map(|s| s.text.as_str()).collect();
    let expected = [
        "A bank shall report.",
        "Funds shall report.",
        "• An agent may report",
        "• A firm may report",
        "The fee is 1 %.",
    ];
    assert_eq!(texts, expected);
    let told: Vec<&str> = document
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    let expected = [
        "6 characters that the page hides from its readers were left out.",
        "2 characters that are struck out were left out.",
    ];
    assert_eq!(told, expected);
}

#[test]
fn hostile_nesting_is_refused() {
    let deep = format!("{}x", "> ".repeat(3_000));
    assert!(matches!(
        parse("x", deep.as_bytes()),
        Err(IngestError::Damaged(_))
    ));
}

#[test]
fn a_drawn_table_has_rows() {
    let text = "Levels:\n\n+------+----------+\n| Who  | May      |\n+======+==========+\n| Board| read and |\n|      | write.   |\n+------+----------+\n";
    let document = parse("levels", text.as_bytes()).unwrap();
    let rows: Vec<&str> = document
        .sentences
        .iter()
        .filter(|s| s.kind.tag() == "table_cell")
        .map(|s| s.text.as_str())
        .collect();
    assert!(rows.contains(&"Board\tread and write."), "{rows:?}");
}

#[test]
fn what_is_to_be_filled_in_is_text() {
    let cases = [
        (
            "<Company Name> shall keep records.",
            "<Company Name> shall keep records.",
        ),
        (
            "The <role> of [Company Name] signs.",
            "The <role> of [Company Name] signs.",
        ),
        ("[Owner]: Ann\n\n[Owner]: Bob", "[Owner]: Ann|[Owner]: Bob"),
        (
            "| Who | Does |\n|---|---|\n| <person> | signs |",
            "Who Does|<person> signs",
        ),
        (
            "<Insert date>\n\nSigned by <name>.",
            "<Insert date>|Signed by <name>.",
        ),
        ("<div>\nHeld by <owner>.\n</div>", "Held by <owner>."),
        ("`<name>` stays as it is.", "<name> stays as it is."),
        // Markup and addresses are none.
        (
            "A <b>bank</b> and a <x>firm</x> report.<br>",
            "A bank and a firm report.",
        ),
        (
            "See <x-note kind=\"a\"> the [rules][r].\n\n[r]: rules.md",
            "See the rules.",
        ),
        (
            "See the [rules][r].\n\n[r]: https://example.org",
            "See the rules.",
        ),
    ];
    for (text, expected) in cases {
        let document = parse("x", text.as_bytes()).unwrap();
        let found: Vec<String> = document
            .sentences
            .iter()
            .map(|s| s.text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(found.join("|"), expected, "{text}");
    }
}
