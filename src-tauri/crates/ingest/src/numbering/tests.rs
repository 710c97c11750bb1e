//! Tests of `numbering`.

use super::*;

fn read(text: &str, styled: bool) -> Option<(Scheme, u32, String)> {
    let chars: Vec<char> = text.chars().collect();
    label(&chars, styled).map(|l| (l.scheme, l.value, l.text))
}

#[test]
fn labels_are_read() {
    use Scheme::{Bullet, Decimal, Item, Named};
    for (text, styled, scheme, value, printed) in [
        ("Article 5", false, Named(Level::Article), 5, "Article 5"),
        ("CHAPTER II", true, Named(Level::Chapter), 2, "CHAPTER II"),
        (
            "Section 3. Definitions",
            false,
            Named(Level::Section),
            3,
            "Section 3",
        ),
        (
            "Rule 3.2.1 Capital",
            false,
            Named(Level::Article),
            1,
            "Rule 3.2.1",
        ),
        ("ANNEX", true, Named(Level::Annex), 1, "ANNEX"),
        (
            "§ 1026.3 Exempt transactions.",
            false,
            Named(Level::Article),
            3,
            "§ 1026.3",
        ),
        (
            "第八条　银行应当",
            false,
            Named(Level::Article),
            8,
            "第八条",
        ),
        ("第 一 章 总则", true, Named(Level::Chapter), 1, "第一章"),
        (
            "（二）风险管理；",
            false,
            Item(Wrap::Both, Count::Chinese),
            2,
            "（二）",
        ),
        (
            "三、监督管理",
            false,
            Item(Wrap::Comma, Count::Chinese),
            3,
            "三、",
        ),
        (
            "1.   This Regulation",
            false,
            Item(Wrap::Dot, Count::Digit),
            1,
            "1.",
        ),
        (
            "(12) Natural persons",
            false,
            Item(Wrap::Both, Count::Digit),
            12,
            "(12)",
        ),
        (
            "(b) the controller",
            false,
            Item(Wrap::Both, Count::Lower),
            2,
            "(b)",
        ),
        (
            "(iv) the processor",
            false,
            Item(Wrap::Both, Count::LowerRoman),
            4,
            "(iv)",
        ),
        ("3.2.1 Firms must", false, Decimal(3), 1, "3.2.1"),
        ("4.2. Scope", false, Decimal(2), 2, "4.2"),
        ("PRU 3.2.1 A firm", false, Decimal(3), 1, "PRU 3.2.1"),
        ("• item", false, Bullet, 0, "•"),
        ("☐ I act for myself", false, Bullet, 0, "☐"),
        ("附：", false, Named(Level::Annex), 1, "附"),
    ] {
        assert_eq!(
            read(text, styled),
            Some((scheme, value, printed.to_owned())),
            "{text}"
        );
    }
}

#[test]
fn the_number_of_a_paragraph_may_be_set_without_a_blank() {
    for (text, value, length) in [
        ("10.Banks report losses.", Some(10), 3),
        ("4.A bank reports losses.", Some(4), 2),
        ("140. Banks report losses.", Some(140), 5),
        ("2.5 million euro", None, 0),
        ("10.EU banks report losses.", Some(10), 3),
        ("10.E5 is a form.", None, 0),
        ("2024.Banks report losses.", None, 0),
        ("U.S. banks report losses.", None, 0),
        ("10.", Some(10), 3),
    ] {
        let chars: Vec<char> = text.chars().collect();
        let found = paragraph_label(&chars, false);
        assert_eq!(found.as_ref().map(|l| l.value), value, "{text}");
        assert_eq!(found.map_or(0, |l| l.len), length, "{text}");
    }
}

#[test]
fn references_and_quantities_are_no_labels() {
    for text in [
        "Article 5 shall apply to banks.",
        "Article 6(1) of that Regulation",
        "Section 4 of this Act",
        "第三条规定的机构",
        "第五条、第六条",
        "3.5 million euro",
        "31.12.2020 at the latest",
        "2016 was a year",
        "U.S. banks",
    ] {
        assert_eq!(read(text, false), None, "{text}");
    }
    assert_eq!(read("19 July 2018", true), None);
    assert_eq!(read("31 C.F.R. 103.22", true), None);
    assert_eq!(read("19 Capital", true).map(|l| l.1), Some(19));
}
