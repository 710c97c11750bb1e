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
