//! Answers as a word processor's document (Office Open XML): each question with its answer, the cited places, and free
//! space where the reader can write a verdict.

use super::force::is_out_of_force;
use super::read_as::{read_otherwise, stand_nowhere};
use crate::workspace::package;
use lexforge_domain::api::{Answer, AnswerNote, Citation, OutOfForce, Referred, Refusal};
use lexforge_domain::text::Language;
use lexforge_text::language;
use std::fmt::Write as _;

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>"#;
const PACKAGE: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
const PARTS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="120"/></w:pPr><w:rPr><w:sz w:val="22"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="28"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:sz w:val="24"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/><w:pPr><w:ind w:left="567"/></w:pPr><w:rPr><w:i/></w:rPr></w:style></w:styles>"#;
const BEGIN: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#;
/// A4 with margins of two and a half centimetres.
const END: &str = r#"<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>"#;

/// The fixed words of the document besides questions, answers and quotes.
struct Words {
    read: &'static str,
    nowhere: &'static str,
    denied: &'static str,
    only_out_of_force: &'static str,
    part_out_of_force: &'static str,
    /// Before and after the day of a repeal, the last day, and the first one.
    repealed: (&'static str, &'static str),
    expired: (&'static str, &'static str),
    not_yet: (&'static str, &'static str),
    not_found: &'static str,
    unsure: &'static str,
    nearest: &'static str,
    sources: &'static str,
    /// Before and after one page, and before and after the first and the last one.
    page: (&'static str, &'static str),
    pages: (&'static str, &'static str),
    newer: &'static str,
    refers: &'static str,
    elsewhere: &'static str,
    verdict: &'static str,
    entry: &'static str,
    between: &'static str,
}

const ENGLISH: Words = Words {
    read: "The question was read otherwise: ",
    nowhere: "These words of the question stand in no document: ",
    denied: "The question takes for granted what the documents deny: ",
    only_out_of_force: "No document that is in force answers this. What follows is from documents that are not in force.",
    part_out_of_force: "No document that is in force answers one part. What is said to it is from documents that are not in force: ",
    repealed: ("repealed from ", ""),
    expired: ("was in force until ", ""),
    not_yet: ("in force only from ", ""),
    not_found: "Not in these documents.",
    unsure: "Not sure: the nearest clause may answer.",
    nearest: "The nearest clause",
    sources: "Citations",
    page: ("page ", ""),
    pages: ("pages ", ""),
    newer: "a newer version of the document is in the workspace",
    refers: "The cited clauses refer to",
    elsewhere: "not in these documents",
    verdict: "Verdict (right, wrong, incomplete, should have refused): ",
    entry: "Audit entry",
    between: ", ",
};
const CHINESE: Words = Words {
    read: "已改按以下写法查找：",
    nowhere: "问题中的这些词在所有文档中均未出现：",
    denied: "问题以文档所否定的内容为前提：",
    only_out_of_force: "有效的文档均未回答此问题。以下内容出自无效力的文档。",
    part_out_of_force: "以下部分，有效的文档均未回答，对它的回答出自无效力的文档：",
    repealed: ("自 ", " 起废止"),
    expired: ("有效期至 ", "，已过"),
    not_yet: ("自 ", " 起方施行"),
    not_found: "文档中没有答案。",
    unsure: "无法确定：最接近的条文可能是答案。",
    nearest: "最接近的条文",
    sources: "引用",
    page: ("第 ", " 页"),
    pages: ("第 ", " 页"),
    newer: "工作区中有该文档的新版本",
    refers: "所引条文还指向",
    elsewhere: "不在这些文档中",
    verdict: "评定（正确、错误、不完整、应当拒答）：",
    entry: "审计条目",
    between: "，",
};

/// The bytes of a document with these answers.
pub(super) fn document(answers: &[Answer]) -> Result<Vec<u8>, String> {
    let mut body = String::new();
    for answer in answers {
        put(&mut body, answer);
    }
    wrapped(&body)
}

/// The bytes of a document with these paragraphs.
pub(crate) fn wrapped(paragraphs: &str) -> Result<Vec<u8>, String> {
    let body = format!("{BEGIN}{paragraphs}{END}");
    let parts = [
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", PACKAGE),
        ("word/_rels/document.xml.rels", PARTS),
        ("word/styles.xml", STYLES),
        ("word/document.xml", body.as_str()),
    ];
    package(&parts).ok_or_else(|| "The document is too large.".to_owned())
}

/// Adds one question with its answer and sources.
fn put(body: &mut String, answer: &Answer) {
    let words = match language::detect(&answer.question) {
        Language::Zh => &CHINESE,
        _ => &ENGLISH,
    };
    paragraph(body, Some("Heading1"), &answer.question);
    if let Some(read) = read_otherwise(answer) {
        paragraph(body, None, &format!("{}{read}", words.read));
    }
    if let Some(nowhere) = stand_nowhere(answer) {
        paragraph(body, None, &format!("{}{nowhere}", words.nowhere));
    }
    if is_out_of_force(answer) {
        paragraph(body, None, words.only_out_of_force);
    }
    for note in &answer.notes {
        if let AnswerNote::PartOutOfForce { part, .. } = note {
            paragraph(body, None, &format!("{}{part}", words.part_out_of_force));
        }
    }
    // An answer to a question with a false assumption must not look like a yes.
    if let Some(premise) = &answer.premise {
        let (assumed, at) = (&premise.assumed, premise.citation + 1);
        paragraph(body, None, &format!("{}{assumed} [{at}]", words.denied));
    }
    if answer.found {
        let kept: Vec<_> = answer.statements.iter().filter(|s| s.kept).collect();
        for statement in &kept {
            let cited: String = statement
                .citations
                .iter()
                .map(|at| format!(" [{}]", at + 1))
                .collect();
            paragraph(body, None, &format!("{}{cited}", statement.text));
        }
        for part in answer.parts.iter().filter(|p| p.statements.is_empty()) {
            let refused = match part.unsure {
                true => words.unsure,
                false => words.not_found,
            };
            let open = format!("{}: {refused}", part.question);
            paragraph(body, None, &open);
        }
        paragraph(body, None, words.sources);
        for (at, citation) in answer.citations.iter().enumerate() {
            // A citation that only struck statements have is not listed as a source.
            let denies = answer.premise.as_ref().is_some_and(|p| p.citation == at);
            if denies || kept.iter().any(|s| s.citations.contains(&at)) {
                source(body, &format!("[{}] ", at + 1), citation, words);
            }
        }
        refers(body, &answer.refers, words);
    } else {
        let refused = match answer.refusal() {
            Some(Refusal::Unsure) => words.unsure,
            _ => words.not_found,
        };
        paragraph(body, None, refused);
        if let Some(clause) = answer.passages.first() {
            paragraph(body, None, words.nearest);
            source(body, "", &clause.place, words);
        }
    }
    paragraph(body, None, words.verdict);
    if let Some(entry) = answer.audit_entry {
        paragraph(body, None, &format!("{} {entry}", words.entry));
    }
}

/// The clauses that the cited ones refer to, a line each.
fn refers(body: &mut String, to: &[Referred], words: &Words) {
    if !to.is_empty() {
        paragraph(body, None, words.refers);
    }
    for referred in to {
        let place = match &referred.place {
            Some(place) => place_line(place, words),
            None => words.elsewhere.to_owned(),
        };
        let line = format!("[{}] {}: {place}", referred.from + 1, referred.text);
        paragraph(body, None, &line);
    }
}

fn source(body: &mut String, number: &str, citation: &Citation, words: &Words) {
    let place = format!("{number}{}", place_line(citation, words));
    paragraph(body, None, &place);
    paragraph(body, Some("Quote"), &citation.quote);
}

/// Document, section and page of a place.
fn place_line(citation: &Citation, words: &Words) -> String {
    let mut place = citation.title.clone();
    if !citation.section.is_empty() {
        let _ = write!(place, "{}{}", words.between, citation.section);
    }
    let _ = write!(place, "{}{}", words.between, on_pages(citation, words));
    if citation.superseded_by.is_some() {
        let _ = write!(place, " ({})", words.newer);
    }
    if let Some(out) = &citation.out_of_force {
        let ((before, after), day) = match out {
            OutOfForce::Repealed { since } => (words.repealed, since),
            OutOfForce::Expired { until } => (words.expired, until),
            OutOfForce::NotYet { from } => (words.not_yet, from),
        };
        let _ = write!(place, " ({before}{day}{after})");
    }
    place
}

/// The page of a quote, or its first and its last one: the sentence that answers may stand on either.
fn on_pages(citation: &Citation, words: &Words) -> String {
    let first = citation.page;
    let last = citation.boxes.iter().map(|place| place.page).max();
    match last.filter(|last| *last > first) {
        Some(last) => format!("{}{first}–{last}{}", words.pages.0, words.pages.1),
        None => format!("{}{first}{}", words.page.0, words.page.1),
    }
}

/// A paragraph of plain text; what XML cannot hold is left out.
pub(crate) fn paragraph(body: &mut String, style: Option<&str>, text: &str) {
    body.push_str("<w:p>");
    if let Some(style) = style {
        let _ = write!(body, r#"<w:pPr><w:pStyle w:val="{style}"/></w:pPr>"#);
    }
    body.push_str(r#"<w:r><w:t xml:space="preserve">"#);
    for c in text.chars() {
        match c {
            '&' => body.push_str("&amp;"),
            '<' => body.push_str("&lt;"),
            '>' => body.push_str("&gt;"),
            '\n' => body.push_str(r#"</w:t><w:br/><w:t xml:space="preserve">"#),
            '\t' => body.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => body.push(c),
        }
    }
    body.push_str("</w:t></w:r></w:p>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::answer;
    use lexforge_domain::api::Premise;
    use lexforge_domain::text::Region;

    #[test]
    fn a_false_assumption_is_told_with_the_clause_that_denies_it() {
        let mut answer = answer(&["The master notifies a breach.", "It is due."], 0.8);
        answer.question = "Since no breach is notified, what is recorded?".to_owned();
        // The clause that denies it supports no statement.
        answer.statements.truncate(1);
        answer.premise = Some(Premise {
            assumed: "no breach is notified".to_owned(),
            citation: 1,
        });
        let mut body = String::new();
        put(&mut body, &answer);
        let told =
            "The question takes for granted what the documents deny: no breach is notified [2]";
        assert!(body.contains(told), "{body}");
        assert!(body.contains("It is due."), "{body}");
    }

    #[test]
    fn what_the_cited_clauses_refer_to_is_listed_with_its_place() {
        let mut answer = answer(&["The master notifies under Article 9(2)."], 0.8);
        let one = |text: &str, place: Option<Citation>| Referred {
            from: 0,
            text: text.to_owned(),
            instrument: place.is_none().then(|| "the Port Act".to_owned()),
            place,
        };
        let mut place = answer.citations[0].clone();
        (place.section, place.page) = ("Article 9 › 2".to_owned(), 4);
        let title = place.title.clone();
        answer.refers = vec![one("Article 9(2)", Some(place)), one("the Port Act", None)];
        let mut body = String::new();
        put(&mut body, &answer);
        for told in [
            "The cited clauses refer to".to_owned(),
            format!("[1] Article 9(2): {title}, Article 9 › 2, page 4"),
            "[1] the Port Act: not in these documents".to_owned(),
        ] {
            assert!(body.contains(&told), "{told} is not in {body}");
        }
    }

    #[test]
    fn rows_of_a_table_have_lines_of_their_own() {
        let mut body = String::new();
        paragraph(&mut body, None, "材料\t期限\n录音\t6个月");
        let told =
            r#"材料 期限</w:t><w:br/><w:t xml:space="preserve">录音 6个月</w:t></w:r></w:p>"#;
        assert!(body.ends_with(told), "{body}");
    }

    #[test]
    fn a_quote_over_several_pages_names_the_first_and_the_last() {
        let mut answer = answer(&["停泊费应当按时缴纳。"], 0.8);
        answer.question = "停泊费什么时候缴纳？".to_owned();
        let on = |page: u32| Region::from((page, 0.0, 0.0, 1.0, 1.0));
        for (boxes, chinese, english) in [
            (Vec::new(), "第 4 页", "page 4"),
            (vec![on(4), on(4)], "第 4 页", "page 4"),
            // What is read with it begins on the page before.
            (vec![on(3), on(4)], "第 4 页", "page 4"),
            (vec![on(4), on(6), on(5)], "第 4–6 页", "pages 4–6"),
        ] {
            let citation = &mut answer.citations[0];
            (citation.page, citation.boxes) = (4, boxes);
            assert_eq!(on_pages(citation, &CHINESE), chinese);
            assert_eq!(on_pages(citation, &ENGLISH), english);
        }
        answer.notes = vec![AnswerNote::StandNowhere {
            words: vec!["岸电".to_owned()],
        }];
        let mut body = String::new();
        put(&mut body, &answer);
        for told in ["第 4–6 页", "问题中的这些词在所有文档中均未出现：岸电"]
        {
            assert!(body.contains(told), "{body}");
        }
    }

    #[test]
    fn what_is_not_in_force_is_told() {
        let mut answer = answer(&["The master notifies a breach."], 0.8);
        answer.notes = vec![AnswerNote::OnlyOutOfForce { documents: 1 }];
        for (out, chinese, english) in [
            (
                OutOfForce::Repealed {
                    since: "2025-01-01".to_owned(),
                },
                "（自 2025-01-01 起废止）",
                "(repealed from 2025-01-01)",
            ),
            (
                OutOfForce::Expired {
                    until: "2025-12-31".to_owned(),
                },
                "（有效期至 2025-12-31，已过）",
                "(was in force until 2025-12-31)",
            ),
        ] {
            let citation = &mut answer.citations[0];
            citation.out_of_force = Some(out);
            let zh = place_line(citation, &CHINESE)
                .replace(" (", "（")
                .replace(')', "）");
            assert!(zh.ends_with(chinese), "{zh}");
            let en = place_line(citation, &ENGLISH);
            assert!(en.ends_with(english), "{en}");
        }
        let mut body = String::new();
        put(&mut body, &answer);
        assert!(body.contains(ENGLISH.only_out_of_force), "{body}");
        assert!(body.contains("was in force until 2025-12-31"), "{body}");
        answer.notes = vec![AnswerNote::PartOutOfForce {
            part: "who notifies it".to_owned(),
            documents: 1,
        }];
        let mut body = String::new();
        put(&mut body, &answer);
        let told = format!("{}who notifies it", ENGLISH.part_out_of_force);
        assert!(body.contains(&told), "{body}");
        assert!(!body.contains(ENGLISH.only_out_of_force), "{body}");
    }

    #[test]
    fn what_a_question_was_taken_for_is_told() {
        let mut answer = answer(&["The master notifies a breach."], 0.8);
        answer.question = "Who notifies a breech?".to_owned();
        answer.notes = vec![AnswerNote::ReadAs {
            typed: "breech".to_owned(),
            read: "breach".to_owned(),
        }];
        let mut body = String::new();
        put(&mut body, &answer);
        let told = "The question was read otherwise: breech → breach";
        assert!(body.contains(told), "{body}");
    }
}
