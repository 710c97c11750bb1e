//! Tests of items of lists as complete sentences, on texts of our own.

use super::*;

/// Every sentence of a plain text that is made whole: (what it begins with, the whole).
fn completes(text: &str) -> Vec<(String, String)> {
    let mut document = crate::plain::parse("x", text.as_bytes()).unwrap();
    fill(&mut document);
    document
        .sentences
        .iter()
        .filter_map(|s| {
            Some((
                s.text.chars().take(4).collect::<String>().trim().to_owned(),
                s.complete.clone()?,
            ))
        })
        .collect()
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let found = completes(text);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn items_take_their_opening() {
    check(
        "Article 3\nDuties\n\n1. The firm must:\n(a) hold capital of 8 %; and\n(b) report losses.\n\n2. It applies at once.\n",
        &[
            ("(a)", "The firm must hold capital of 8 %."),
            ("(b)", "The firm must report losses."),
        ],
    );
    check(
        "Article 6\n\n1. Processing is lawful only if one of the following applies:\n(a) the person has agreed;\n(b) a law asks for it.\n",
        &[
            (
                "(a)",
                "Processing is lawful only if one of the following applies: the person has agreed.",
            ),
            (
                "(b)",
                "Processing is lawful only if one of the following applies: a law asks for it.",
            ),
        ],
    );
}

#[test]
fn lists_within_lists_and_tails() {
    check(
        "Article 7\n\n1. A bank shall:\n(a) keep records that show:\n(i) the amount; and\n(ii) the date;\n(b) Report losses,\n\nunless the \
         authority agrees otherwise.\n\n2. The bank pays.\n",
        &[
            (
                "(a)",
                "A bank shall keep records that show: the amount; and the date unless the authority agrees otherwise.",
            ),
            (
                "(i)",
                "A bank shall keep records that show the amount unless the authority agrees otherwise.",
            ),
            (
                "(ii)",
                "A bank shall keep records that show the date unless the authority agrees otherwise.",
            ),
            (
                "(b)",
                "A bank shall report losses, unless the authority agrees otherwise.",
            ),
        ],
    );
}

#[test]
fn other_bullets_are_a_list_within_the_list() {
    check(
        "Article 8\n\n1. The firm keeps an office that:\n• has an address with:\n– staff; and\n– records; and\n• is inspected.\n\n\
         2. It applies at once.\n",
        &[
            (
                "• ha",
                "The firm keeps an office that has an address with: staff; and records.",
            ),
            (
                "– st",
                "The firm keeps an office that has an address with staff.",
            ),
            (
                "– re",
                "The firm keeps an office that has an address with records.",
            ),
            ("• is", "The firm keeps an office that is inspected."),
        ],
    );
    // No colon leads to them.
    check(
        "Article 9\n\n1. The deputies of the council:\n• direct the plans for\n– all banks.\n– new branches.\n• report losses.\n\n\
         2. It applies at once.\n",
        &[
            (
                "• di",
                "The deputies of the council direct the plans for: all banks. new branches.",
            ),
            (
                "– al",
                "The deputies of the council direct the plans for all banks.",
            ),
            (
                "– ne",
                "The deputies of the council direct the plans for new branches.",
            ),
            ("• re", "The deputies of the council report losses."),
        ],
    );
}

#[test]
fn chinese_items() {
    check(
        "第八条 商业银行应当符合下列条件：\n（一）资本充足率不低于百分之八；\n（二）有健全的内部控制制度。\n第九条 银行应当报告。\n",
        &[
            (
                "（一）资",
                "商业银行应当符合下列条件：资本充足率不低于百分之八。",
            ),
            (
                "（二）有",
                "商业银行应当符合下列条件：有健全的内部控制制度。",
            ),
        ],
    );
}

#[test]
fn an_opening_that_announces_its_items_keeps_its_colon() {
    check(
        "第九条 有下列情形之一的，不得担任银行的董事、监事和高级管理人员：\n（一）未满十八周岁的；\n（二）有犯罪记录的。\n第十条 银行应当报告。\n",
        &[
            (
                "（一）未",
                "有下列情形之一的，不得担任银行的董事、监事和高级管理人员：未满十八周岁的。",
            ),
            (
                "（二）有",
                "有下列情形之一的，不得担任银行的董事、监事和高级管理人员：有犯罪记录的。",
            ),
        ],
    );
    for (opening, joined) in [
        ("监管机构对银行采取不同措施", "："),
        ("银行应当", ""),
        ("银行不得", ""),
        ("下列银行应当", "："),
    ] {
        let text = format!(
            "第九条 {opening}：\n（一）报告损失；\n（二）限制贷款。\n第十条 银行应当报告。\n"
        );
        let whole = |item: &str| format!("{opening}{joined}{item}");
        let expected = [
            ("（一）报", whole("报告损失。")),
            ("（二）限", whole("限制贷款。")),
        ];
        check(&text, &expected.each_ref().map(|(a, b)| (*a, b.as_str())));
    }
    check(
        "Article 2\n\n1. Banks report the following amounts on the last day of each month:\n(a) all loans; and\n(b) all losses.\n\n2. It applies at once.\n",
        &[
            (
                "(a)",
                "Banks report the following amounts on the last day of each month: all loans.",
            ),
            (
                "(b)",
                "Banks report the following amounts on the last day of each month: all losses.",
            ),
        ],
    );
}

#[test]
fn items_below_another_heading_take_no_opening_from_above_it() {
    let text = "# Guide\n\n## Deputies\n\nDeputies do the following (duties may vary):\n\n- supervise banks.\n\n\
                ### Assistants\n\nAssistants may\n\n- approve plans.\n";
    let mut document = crate::markdown::parse("x", text.as_bytes()).unwrap();
    fill(&mut document);
    let found: Vec<&str> = document
        .sentences
        .iter()
        .filter_map(|s| s.complete.as_deref())
        .collect();
    assert_eq!(
        found,
        ["Deputies do the following (duties may vary): supervise banks."]
    );
}

#[test]
fn headings_and_quoted_numbers_end_lists() {
    use SentenceKind::{Heading, Rule};
    for (label, title, kind, text, expected) in [
        ("", "Deputies", Heading, "Deputies", true),
        ("4.1", "Deputies", Heading, "4.1 Deputies", true),
        ("(b)", "Deputies", Heading, "(b) Deputies", false),
        ("4", "Duties", Heading, "Table 7: Deputies", false),
        ("(d)", "", Rule, "25. The bank considers:", true),
        ("25.", "", Rule, "25. The bank considers:", false),
        ("a)", "", Rule, "1. the amount;", false),
        ("(d)", "", Rule, "The bank pays.", false),
    ] {
        let section = ParsedSection {
            parent: None,
            level: 1,
            label: label.to_owned(),
            title: title.to_owned(),
            path: String::new(),
            page: 1,
        };
        let sentence = ParsedSentence {
            text: text.to_owned(),
            complete: None,
            page: 1,
            section: Some(0),
            kind,
            regions: Vec::new(),
            start: 0,
            end: 0,
            external_id: None,
        };
        assert_eq!(ends_lists(Some(&section), &sentence), expected, "{text}");
    }
}

#[test]
fn what_is_no_list_stays_alone() {
    check(
        "Article 1\n\n1. A bank is a firm.\n\n2. It takes deposits:\n\nA heading\n\n(a) a stray item.\n",
        &[],
    );
}

#[test]
fn an_opening_that_is_complete_announces_items_with_capitals() {
    check(
        "Article 4\n\n1. Review other factors:\n• New guidance.\n• Changes in staff.\n\n2. Banks should:\n• Keep records.\n• Report \
         losses.\n\n3. A rating comes from:\n• Association for Financial Markets.\n• Board members.\n\n4. It applies at once.\n",
        &[
            ("• Ne", "Review other factors: New guidance."),
            ("• Ch", "Review other factors: Changes in staff."),
            ("• Ke", "Banks should keep records."),
            ("• Re", "Banks should report losses."),
            (
                "• As",
                "A rating comes from Association for Financial Markets.",
            ),
            ("• Bo", "A rating comes from board members."),
        ],
    );
}
