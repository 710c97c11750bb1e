#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use lexforge_domain::text::SentenceKind;

/// Sentences as `kind [section] text`.
fn sentences(html: &str) -> Vec<String> {
    let document = parse("page", html.as_bytes()).unwrap();
    let path = |s: Option<usize>| s.map_or(String::new(), |i| document.sections[i].path.clone());
    document
        .sentences
        .iter()
        .map(|s| format!("{} [{}] {}", s.kind.tag(), path(s.section), s.text))
        .collect()
}

#[test]
fn headings_lists_tables_and_definitions_keep_what_they_are() {
    let html = "<!DOCTYPE html><html><head><title>Site</title><style>p{color:red}</style></head><body>
        <nav><ul><li>Home</li></ul></nav>
        <h1>Rule on Outsourcing</h1><!-- never shown -->
        <h2>1. Scope</h2><p>This Rule applies to every bank &amp; insurer.
        It does not apply to funds&nbsp;of funds.</p>
        <h2>2. Duties</h2><p>A bank shall:</p>
        <ol type='a' start=2><li>keep a register;<li><p>report breaches:</p><ol><li>at once</ol></ol>
        <ul><li>(x) own mark</li><li>plain bullet</li></ul>
        <table><tr><th>Class</th><th>Limit</th></tr><tr><td>Banks<td>25 %</tr></table>
        <dl><dt>outsourcing</dt><dd>an arrangement between a bank and a provider.</dd></dl>
        <script>if (a < b) document.write('<p>never</p>')</script>
        <p hidden>secret</p><p style='display: none'>secret</p><footer>Site map</footer></body></html>";
    let expected = [
        "heading [Rule on Outsourcing] Rule on Outsourcing",
        "heading [1] 1. Scope",
        "rule [1] This Rule applies to every bank & insurer.",
        "rule [1] It does not apply to funds of funds.",
        "heading [2] 2. Duties",
        "rule [2] A bank shall:",
    ];
    let found = sentences(html);
    assert_eq!(found[..6], expected, "{found:#?}");
    for (kind, text) in [
        ("list_item", "b. keep a register;"),
        ("list_item", "c. report breaches:"),
        ("list_item", "1. at once"),
        ("list_item", "(x) own mark"),
        ("list_item", "• plain bullet"),
        ("table_cell", "Class\tLimit"),
        ("table_cell", "Banks\t25 %"),
        (
            "definition",
            "outsourcing: an arrangement between a bank and a provider.",
        ),
    ] {
        assert!(
            found
                .iter()
                .any(|s| s.starts_with(kind) && s.ends_with(&format!("] {text}"))),
            "{kind} {text}: {found:#?}"
        );
    }
    for never in ["never", "secret", "Home", "Site map", "color"] {
        assert!(
            !found.iter().any(|s| s.contains(never)),
            "{never}: {found:#?}"
        );
    }
    let document = parse("page", html.as_bytes()).unwrap();
    assert_eq!(document.title, "Rule on Outsourcing");
    assert_eq!(document.warnings[0].code, "hidden_text");
}

#[test]
fn a_reversed_list_counts_down_from_its_items() {
    for (html, expected) in [
        (
            "<ol reversed><li>one<li>two<li>three</ol>",
            &["3.", "2.", "1."][..],
        ),
        ("<ol reversed start=9><li>one<li>two</ol>", &["9.", "8."]),
        (
            "<ol reversed type=a><li>one<li value=9>two<li>three</ol>",
            &["c.", "i.", "h."],
        ),
        (
            "<ol reversed><li>one<ol reversed type=I><li>two<li>three</ol><li>four</ol>",
            &["2.", "II.", "I.", "1."],
        ),
        (
            "<table><tr><td>Duties<td><ol reversed><li>one<li>two</ol></table><ol><li>three</ol>",
            &["2.", "1.", "1."],
        ),
        ("<ol reversed><li>never closed", &["1."]),
        ("<ul reversed><li>one<li>two</ul>", &["•", "•"]),
    ] {
        let (blocks, _) = fragment(html).unwrap();
        let mut labels = Vec::new();
        let mut rest: Vec<&Block> = blocks.iter().rev().collect();
        while let Some(block) = rest.pop() {
            match block {
                Block::Paragraph(paragraph) => labels.extend(paragraph.label.as_deref()),
                Block::Table(rows) => {
                    let cells = rows.iter().flatten().rev();
                    rest.extend(cells.flat_map(|cell| cell.blocks.iter().rev()));
                }
                _ => {}
            }
        }
        assert_eq!(labels, expected, "{html}");
    }
}

/// Pages of official journals know paragraphs and tables only.
#[test]
fn a_page_of_paragraphs_and_tables_gives_articles() {
    let html = "<p class='doc-ti'>REGULATION ON DEPOSITS</p>
        <p class='ti-art'>Article 1</p><p class='sti-art'>Subject matter</p>
        <p class='normal'>1. &#160; This Regulation lays down rules on deposits<span class='super note-tag'>\
        <a href='#n1'>(<sup>1</sup>)</a></span>.</p>
        <p>2. &#160; It applies to:</p>
        <table><tbody><tr><td><p>(a)</p></td><td><p>banks;</p></td></tr></tbody></table>
        <table><tbody><tr><td><p>(b)</p></td><td><p>funds that are:</p>
          <table><tr><td><p>(i)</p></td><td><p>open; or</p></td></tr></table></td></tr></tbody></table>
        <p class='ti-art'>Article 2</p><p class='sti-art'>Definitions</p><p>For this Regulation, ‘deposit’ means a sum that is repaid.</p>
        <hr class='note'><p class='note'><a>(<sup>1</sup>)</a> Official Journal L 1, 1.1.2020, p. 1.</p>";
    let found = sentences(html);
    for expected in [
        "rule [Article 1 › 2] 2. It applies to:",
        "list_item [Article 1 › 2 › (a)] (a) banks;",
        "list_item [Article 1 › 2 › (b) › (i)] (i) open; or",
        "definition [Article 2] For this Regulation, ‘deposit’ means a sum that is repaid.",
        "footnote [Footnotes] (1) Official Journal L 1, 1.1.2020, p. 1.",
    ] {
        assert!(
            found.iter().any(|s| s == expected),
            "{expected}: {found:#?}"
        );
    }
    let document = parse("page", html.as_bytes()).unwrap();
    let article = document
        .sections
        .iter()
        .find(|s| s.label == "Article 1")
        .unwrap();
    assert_eq!(article.title, "Subject matter");
}

#[test]
fn chinese_pages_are_read_in_the_encoding_that_they_name() {
    let html = "<html><head><meta http-equiv='Content-Type' content='text/html; charset=gb2312'></head><body>\
        <p align='center'><b>贷款管理办法</b></p><p>第一章 总则<br>第一条 为了规范贷款业务，制定本办法。<br>　　第二条 贷款人应当遵守本办法。</p></body></html>";
    let bytes = encoding_rs::GBK.encode(html).0.into_owned();
    let document = parse("page", &bytes).unwrap();
    let second = document
        .sentences
        .iter()
        .find(|s| s.text.contains("贷款人应当"))
        .unwrap();
    assert_eq!(
        document.sections[second.section.unwrap()].path,
        "第一章 › 第二条"
    );
    assert_eq!(
        (document.title.as_str(), document.warnings[0].code.as_str()),
        ("贷款管理办法", "text_encoding")
    );
}

#[test]
fn what_is_struck_out_is_left_out_and_told() {
    let read = |html: &str| -> (Vec<String>, Vec<String>) {
        let document = parse("page", html.as_bytes()).unwrap();
        let texts = document.sentences.into_iter().map(|s| s.text);
        let told = document.warnings.into_iter().map(|w| w.message);
        (texts.collect(), told.collect())
    };
    let (texts, told) = read(
        "<p>The limit is <del>25 %</del> 20 %.</p><p><s>Banks report.</s> Funds shall report.</p>",
    );
    assert_eq!(texts, ["The limit is 20 %.", "Funds shall report."]);
    assert_eq!(told, ["15 characters that are struck out were left out."]);
    // What is never closed takes nothing with it.
    let (texts, told) = read("<p>A bank <del>shall report.</p><p>Funds shall report.</p>");
    assert_eq!(texts, ["A bank shall report.", "Funds shall report."]);
    assert_eq!(told, [""; 0]);
}

#[test]
fn preformatted_rules_are_read_like_plain_text() {
    let found = sentences(
        "<pre>§ 1.1 Purpose.\n\nThis part sets limits on\nexposures of a bank.\n\n(a) First.\n</pre><p>After.</p>",
    );
    assert!(
        found
            .iter()
            .any(|s| s.ends_with("This part sets limits on exposures of a bank.")),
        "{found:#?}"
    );
}

#[test]
fn main_content_stands_for_the_page() {
    let html = "<div>Cookie notice of the site.</div><main><h1>Notice</h1><p>A bank shall report every incident to the \
                authority.</p></main><div>Related pages</div>";
    let document = parse("page", html.as_bytes()).unwrap();
    assert!(
        !document.pages[0].text.contains("Cookie")
            && document.pages[0].text.contains("every incident")
    );
    assert!(
        document
            .warnings
            .iter()
            .any(|w| w.code == "outside_main_content")
    );
}

#[test]
fn hostile_pages_cost_one_failure_or_their_text() {
    let deep = "<div>".repeat(1_000_000);
    let tables = "<table><tr><td>".repeat(5_000);
    let attributes = format!("<p {}>x</p>", "a ".repeat(100_000));
    for html in [&deep, &tables, &attributes] {
        assert!(matches!(
            parse("page", html.as_bytes()),
            Err(IngestError::Damaged(_))
        ));
    }
    assert!(matches!(
        parse("page", b"<script>alert(1)</script>"),
        Err(IngestError::NoText(_))
    ));
    // Ends without a start, and starts without an end, lose nothing.
    let ends = format!("{}<p>kept", "</div></p></b></td>".repeat(200_000));
    assert!(
        parse("page", ends.as_bytes()).unwrap().pages[0]
            .text
            .contains("kept")
    );
    let open = "<nav><p>A rule that no nav ends.";
    assert!(
        parse("page", open.as_bytes()).unwrap().pages[0]
            .text
            .contains("A rule")
    );
    let kinds = sentences("<li>one<li>two<td>three<dd>four");
    assert!(
        kinds
            .iter()
            .all(|s| s.starts_with(SentenceKind::ListItem.tag())
                || s.contains("three")
                || s.contains("four"))
    );
}
