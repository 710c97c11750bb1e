#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use lexforge_domain::document::ParsedDocument;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// A package of these parts.
pub fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:mc=\"mc\" xmlns:wps=\"wps\"><w:body>{body}<w:sectPr>\
         <w:headerReference/></w:sectPr></w:body></w:document>"
    )
}

fn p(style: &str, text: &str) -> String {
    let style = if style.is_empty() {
        String::new()
    } else {
        format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>")
    };
    format!("<w:p>{style}<w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn numbered(id: u32, level: u32, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{id}\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

const STYLES: &str = "<w:styles xmlns:w='w'>
    <w:style w:type='paragraph' w:default='1' w:styleId='N'><w:name w:val='Normal'/></w:style>
    <w:style w:type='paragraph' w:styleId='T'><w:name w:val='Title'/></w:style>
    <w:style w:type='paragraph' w:styleId='H1'><w:name w:val='heading 1'/><w:pPr><w:outlineLvl w:val='0'/></w:pPr></w:style>
    <w:style w:type='paragraph' w:styleId='Art'><w:name w:val='Article'/><w:basedOn w:val='H2'/>
        <w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>
    <w:style w:type='paragraph' w:styleId='H2'><w:name w:val='heading 2'/><w:pPr><w:outlineLvl w:val='1'/></w:pPr></w:style>
    <w:style w:type='paragraph' w:styleId='TOC1'><w:name w:val='toc 1'/></w:style></w:styles>";

const NUMBERING: &str = "<w:numbering xmlns:w='w'><w:abstractNum w:abstractNumId='7'>
    <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='Article %1'/><w:pStyle w:val='Art'/></w:lvl>
    <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='(%2)'/></w:lvl>
    <w:lvl w:ilvl='2'><w:start w:val='1'/><w:numFmt w:val='lowerRoman'/><w:lvlText w:val='(%3)'/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId='8'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='chineseCountingThousand'/><w:lvlText w:val='第%1条'/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId='9'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val='&#xF0B7;'/></w:lvl></w:abstractNum>
    <w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num><w:num w:numId='2'><w:abstractNumId w:val='8'/></w:num>
    <w:num w:numId='3'><w:abstractNumId w:val='9'/></w:num>
    <w:num w:numId='4'><w:abstractNumId w:val='8'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='8'/></w:lvlOverride></w:num></w:numbering>";

const FOOTNOTES: &str = "<w:footnotes xmlns:w='w'><w:footnote w:type='separator' w:id='-1'><w:p><w:r><w:t>never</w:t></w:r></w:p></w:footnote>
    <w:footnote w:id='2'><w:p><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space='preserve'> See the Act.</w:t></w:r></w:p></w:footnote></w:footnotes>";

fn sentences(body: &str) -> (Vec<String>, ParsedDocument) {
    let bytes = package(&[
        ("word/document.xml", &document(body)),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", NUMBERING),
        ("word/footnotes.xml", FOOTNOTES),
        (
            "word/header1.xml",
            "<w:hdr><w:p><w:r><w:t>Running head</w:t></w:r></w:p></w:hdr>",
        ),
    ]);
    let document = parse("file", &bytes).unwrap();
    let path = |s: Option<usize>| s.map_or(String::new(), |i| document.sections[i].path.clone());
    let lines = document
        .sentences
        .iter()
        .map(|s| {
            format!(
                "{} {} [{}] {}",
                s.page,
                s.kind.tag(),
                path(s.section),
                s.text
            )
        })
        .collect();
    (lines, document)
}

#[track_caller]
fn has(found: &[String], expected: &[&str]) {
    for line in expected {
        assert!(found.iter().any(|f| f == line), "{line}\n{found:#?}");
    }
}

#[test]
fn numbers_headings_tables_and_notes_appear() {
    let body = [
        p("T", "Outsourcing Rule"),
        p("TOC1", "General 1"),
        p("H1", "General"),
        p("Art", "Scope"),
        "<w:p><w:r><w:t>This Rule applies to banks</w:t></w:r><w:r><w:rPr><w:rStyle w:val='x'/></w:rPr><w:footnoteReference w:id='2'/></w:r><w:r><w:t>.</w:t></w:r></w:p>".to_owned(),
        p("Art", "Duties"),
        p("", "A bank shall:"),
        numbered(1, 1, "keep a register;"),
        numbered(1, 1, "report breaches that are:"),
        numbered(1, 2, "material."),
        numbered(3, 0, "a loose point"),
        format!("<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>",
            p("", "Class"), p("", "Limit"), p("", "Banks"), p("", "25 %")),
        "<w:p><w:r><mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent><w:p><w:r><w:t>Boxed text.</w:t></w:r></w:p></w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>Boxed text.</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r><w:hyperlink><w:r><w:t>A link.</w:t></w:r></w:hyperlink></w:p>".to_owned(),
        "<w:p><w:r><w:lastRenderedPageBreak/><w:t>On page two.</w:t></w:r></w:p>".to_owned(),
    ]
    .concat();
    let (found, document) = sentences(&body);
    has(
        &found,
        &[
            "1 heading [Outsourcing Rule] Outsourcing Rule",
            "1 table_cell [Contents] General 1",
            "1 rule [General › Article 1] This Rule applies to banks.",
            "1 heading [General › Article 2] Article 2 Duties",
            "1 list_item [General › Article 2 › (b)] (b) report breaches that are:",
            "1 list_item [General › Article 2 › (b) › (i)] (i) material.",
            "1 footnote [Footnotes] 1 See the Act.",
        ],
    );
    assert!(
        found
            .iter()
            .any(|f| f.starts_with("1 list_item") && f.ends_with("• a loose point")),
        "{found:#?}"
    );
    assert!(
        found
            .iter()
            .any(|f| f.starts_with("1 table_cell") && f.ends_with("Banks\t25 %")),
        "{found:#?}"
    );
    assert!(
        found
            .iter()
            .any(|f| f.starts_with("2 rule") && f.ends_with("On page two.")),
        "{found:#?}"
    );
    assert_eq!(
        found.iter().filter(|f| f.contains("Boxed text.")).count(),
        1
    );
    assert!(found.iter().any(|f| f.contains("A link.")));
    let text: String = document.pages.iter().map(|p| p.text.as_str()).collect();
    assert!(!text.contains("Running head") && !text.contains("never"));
    assert_eq!(
        (document.title.as_str(), document.pages.len()),
        ("Outsourcing Rule", 2)
    );
    assert!(
        document
            .sections
            .iter()
            .any(|s| s.label == "Article 1" && s.title == "Scope"),
        "{:#?}",
        document.sections
    );
}

/// Heads over several columns, and cells that were merged downwards, stand where they are seen.
#[test]
fn merged_cells_head_the_columns_below_them() {
    let cell = |properties: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr><w:tcW w:w='9'/>{properties}</w:tcPr>{}</w:tc>",
            p("", text)
        )
    };
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let (down, goes_on) = ("<w:vMerge w:val='restart'/>", "<w:vMerge/>");
    let table = [
        row(&[
            cell(down, "Class"),
            cell("<w:gridSpan w:val='2'/>", "Minimum ratio"),
            cell(down, "Review"),
        ]),
        row(&[
            cell(goes_on, ""),
            cell("", "2023"),
            cell("", "2024"),
            cell(goes_on, ""),
        ]),
        row(&[
            cell(down, "Retail deposits"),
            cell("", "4.5"),
            cell("", "5.0"),
            cell("", "Yearly"),
        ]),
        row(&[
            cell(goes_on, ""),
            cell("", "4.7"),
            cell("", "5.2"),
            cell("", "Monthly"),
        ]),
        format!(
            "<w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>{}{}</w:tr>",
            cell("<w:gridSpan w:val='2'/>", "7.5 %"),
            cell("", "Weekly")
        ),
    ];
    let body = format!(
        "{}<w:tbl>{}</w:tbl>",
        p("", "The ratios are these."),
        table.concat()
    );
    let (_, document) = sentences(&body);
    let alone: Vec<&str> = document
        .sentences
        .iter()
        .filter_map(|s| s.complete.as_deref())
        .collect();
    let years = ["Minimum ratio › 2023", "Minimum ratio › 2024"];
    let [first, second] = years;
    assert_eq!(
        alone[..2],
        [
            format!("Class: Retail deposits; {first}: 4.5; {second}: 5.0; Review: Yearly"),
            format!("Class: Retail deposits; {first}: 4.7; {second}: 5.2; Review: Monthly"),
        ]
    );
    let places = |text: &str| {
        let mut cells = document.tables.iter().flat_map(|table| &table.cells);
        let found = cells.find(|cell| cell.text == text).unwrap();
        (found.row, found.column, found.rows, found.columns)
    };
    assert_eq!(places("Retail deposits"), (2, 0, 2, 1));
    assert_eq!(places("7.5 %"), (4, 1, 1, 2));
    assert_eq!(places("Weekly"), (4, 3, 1, 1));
}

#[test]
fn chinese_articles_are_counted() {
    let body = [
        numbered(2, 0, "为了规范贷款业务，制定本办法。"),
        numbered(2, 0, "贷款人应当遵守本办法。"),
        numbered(4, 0, "贷款期限不得超过三年。"),
        numbered(4, 0, "本办法自公布之日起施行。"),
    ]
    .concat();
    let (found, _) = sentences(&body);
    has(
        &found,
        &[
            "1 rule [第一条] 第一条 为了规范贷款业务，制定本办法。",
            "1 rule [第二条] 第二条 贷款人应当遵守本办法。",
            "1 rule [第八条] 第八条 贷款期限不得超过三年。",
            "1 rule [第九条] 第九条 本办法自公布之日起施行。",
        ],
    );
}

#[test]
fn tracked_changes_are_kept_or_left_out_and_counted() {
    let body = "<w:p><w:r><w:t xml:space='preserve'>The limit is </w:t></w:r><w:del><w:r><w:delText>25</w:delText></w:r></w:del><w:ins><w:r><w:t>20</w:t></w:r></w:ins><w:r><w:t xml:space='preserve'> %.</w:t></w:r></w:p>
        <w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>A bank shall </w:t></w:r></w:p><w:p><w:r><w:t>report.</w:t></w:r></w:p>
        <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden words</w:t></w:r><w:r><w:t>Shown.</w:t></w:r></w:p>
        <w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>gone row</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    let (found, document) = sentences(body);
    has(
        &found,
        &[
            "1 rule [] The limit is 20 %.",
            "1 rule [] A bank shall report.",
            "1 rule [] Shown.",
        ],
    );
    assert!(
        !found
            .iter()
            .any(|f| f.contains("gone row") || f.contains("hidden"))
    );
    let codes: Vec<(&str, bool)> = document
        .warnings
        .iter()
        .map(|w| (w.code.as_str(), w.message.contains("2 deletions")))
        .collect();
    assert_eq!(codes, [("tracked_changes", true), ("hidden_text", false)]);
}

#[test]
fn what_is_struck_out_is_left_out_and_told() {
    let struck = |mark: &str, text: &str| {
        format!("<w:r><w:rPr><w:{mark}/></w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let body = format!(
        "<w:p><w:r><w:t xml:space='preserve'>The limit is </w:t></w:r>{}{}{}<w:r><w:t>20 %.</w:t></w:r></w:p>",
        struck("strike", "25 % "),
        struck("dstrike", "or 30 % "),
        struck("strike w:val='0'", "no more than "),
    );
    let (found, document) = sentences(&body);
    has(&found, &["1 rule [] The limit is no more than 20 %."]);
    let told: Vec<&str> = document
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    assert_eq!(told, ["8 characters that are struck out were left out."]);
}

#[test]
fn bad_packages_cost_one_failure() {
    let good = document(&p("", "A rule."));
    let bomb = " ".repeat(200 << 20);
    let laughs = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><w:document><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:document>";
    let deep = document(&"<w:tbl><w:tr><w:tc>".repeat(3_000));
    let many = document(&"<x>".repeat(1_000_000));
    let (whole, unpacked) = (
        package(&[("word/document.xml", &good)]),
        package(&[("word/document.xml", &bomb)]),
    );
    assert!(unpacked.len() < 1 << 20, "the bomb is small on disk");
    for (name, bytes, expected) in [
        (
            "no document",
            package(&[("word/styles.xml", STYLES)]),
            "Damaged",
        ),
        ("bomb", unpacked, "TooLarge"),
        (
            "laughs",
            package(&[("word/document.xml", laughs)]),
            "Damaged",
        ),
        (
            "deep tables",
            package(&[("word/document.xml", &deep)]),
            "Damaged",
        ),
        (
            "deep elements",
            package(&[("word/document.xml", &many)]),
            "Damaged",
        ),
        (
            "no xml",
            package(&[("word/document.xml", "<w:document><w:p></w:document>")]),
            "Damaged",
        ),
        (
            "cut part",
            package(&[("word/document.xml", "<w:document><w:body><w:p>")]),
            "Damaged",
        ),
        ("cut", whole[..whole.len() / 2].to_vec(), "Damaged"),
        (
            "no text",
            package(&[("word/document.xml", &document("<w:p/>"))]),
            "NoText",
        ),
    ] {
        let error = parse("x", &bytes).expect_err(name);
        assert!(
            format!("{error:?}").starts_with(expected),
            "{name}: {error:?}"
        );
    }
}
