//! Tests of `quality`.

use super::*;
use crate::reader::Glyph;

fn page(text: &str) -> RawPage {
    let mut page = RawPage {
        width: 1000.0,
        height: 1000.0,
        ..RawPage::default()
    };
    for (i, ch) in text.chars().enumerate() {
        let (x, y) = (10.0 * (i % 90) as f32, 20.0 + 20.0 * (i / 90) as f32);
        if ch == '?' {
            page.unmapped.push([x, y]);
            continue;
        }
        let (advance, size, turn) = (10.0, 10.0, 0);
        page.glyphs.push(Glyph {
            ch,
            x,
            y,
            advance,
            size,
            turn,
            vertical: false,
            bold: false,
            italic: false,
            capital: false,
        });
    }
    page
}

const RIGHT: &str = "The institution shall maintain a register of outsourcing arrangements and submit it each year.";

#[test]
fn the_reading_with_more_words_is_the_better_one() {
    let unmapped = "??? ??????????? shall ???????? a ???????? of ??????????? ???????????? and ?????? it each ????.";
    let shifted: String = RIGHT
        .chars()
        .map(|c| {
            if c.is_ascii_alphabetic() {
                char::from(c as u8 ^ 0x0B)
            } else {
                c
            }
        })
        .collect();
    for (main, second, expected) in [
        (unmapped, RIGHT, true),
        (RIGHT, unmapped, false),
        (shifted.as_str(), RIGHT, true),
        (RIGHT, shifted.as_str(), false),
        (RIGHT, RIGHT, false),
        ("", RIGHT, true),
        (RIGHT, "", false),
    ] {
        let better = second_is_better(&page(main), &page(second), &Vocabulary::of([]));
        assert_eq!(better.is_some(), expected, "{main} / {second}: {better:?}");
    }
}

#[test]
fn text_given_twice_is_worse() {
    let once = "第二条商业银行应当建立风险管理制度。第三条商业银行应当报告。第四条本办法由监督管理机构解释。";
    let twice = "第二条第二条商业银行应当建立风险管理制度。第三条第三条商业银行应当报告。第四条第四条本办法由监督管理机构解释。";
    let vocabulary = Vocabulary::of([]);
    assert_eq!(
        (
            Quality::of(&page(once), &vocabulary).doubled,
            Quality::of(&page(twice), &vocabulary).doubled
        ),
        (0, 9)
    );
    assert!(second_is_better(&page(once), &page(twice), &vocabulary).is_none());
    assert!(second_is_better(&page(twice), &page(once), &vocabulary).is_some());
}

#[test]
fn a_reading_without_places_is_not_taken() {
    let main = page(&"?".repeat(RIGHT.len()));
    let mut second = page(RIGHT);
    for glyph in &mut second.glyphs {
        (glyph.x, glyph.y) = (5.0, 900.0);
    }
    assert!(second_is_better(&main, &second, &Vocabulary::of([])).is_none());
}

/// The characters of a broken font stand for others, and the same wrong pairs stand on both pages.
#[test]
fn exchanged_chinese_characters_are_in_no_language() {
    let article = "第一条商业银行应当建立外包管理制度，明确各部门的职责，并按照规定向监督管理机构报告。\
        第二条外包活动涉及客户信息的，银行应当采取措施，保证信息的安全，不得因外包而降低服务的质量。\
        第三条银行应当每年对外包活动进行一次评估，评估的结果应当报董事会，重大问题应当及时处理。\
        第四条受托人不得将所受托的活动再委托他人，银行应当在合同中对此作出约定，并检查其执行的情况。\
        第五条监督管理机构可以要求银行提供外包活动的合同和评估报告，银行应当在十日以内提供。\
        第六条违反本办法的，由监督管理机构责令改正，并可以依照有关法律的规定给予处罚。";
    let turned = |c: char| match c {
        '\u{4E00}'..='\u{9FFF}' => {
            char::from_u32(0x4E00 + (u32::from(c) - 0x4E00 + 777) % 0x5000).unwrap_or(c)
        }
        _ => c,
    };
    let garbled = page(&article.chars().map(turned).collect::<String>());
    let right = page(article);
    let found = in_no_language(&[&garbled, &garbled, &right, &right]);
    for (found, is_garbled) in found.iter().zip([true, true, false, false]) {
        let named = matches!(found, Some(Strange::Ideographs(share)) if *share < 0.1);
        assert_eq!(
            (named, found.is_some()),
            (is_garbled, is_garbled),
            "{found:?}"
        );
    }
}
