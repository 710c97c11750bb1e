//! Tests of `compare`.

use super::*;

/// A page of lines, every character ten points wide.
fn page(lines: &[&str]) -> RawPage {
    let mut page = RawPage {
        width: 1000.0,
        height: 1000.0,
        ..RawPage::default()
    };
    for (row, line) in lines.iter().enumerate() {
        for (column, ch) in line.chars().enumerate() {
            page.glyphs.push(Glyph {
                ch,
                x: 10.0 * column as f32,
                y: 20.0 + 20.0 * row as f32,
                advance: 10.0,
                size: 10.0,
                turn: 0,
                vertical: false,
                bold: false,
                italic: false,
                capital: false,
            });
        }
    }
    page
}

#[test]
fn what_a_person_would_not_call_different_is_not() {
    for (kept, other) in [
        (&["the bank  shall"][..], &["thebank", "shall"][..]),
        (&["“ﬁnancial” – office"], &["\"financial\" - office"]),
        (&["第一条，总行（分行）"], &["第一条,总行(分行)"]),
        (&["第二条商业银行"], &["第二条第二条商业银行"]),
        (
            &[
                "the first block of the page",
                "the second block, which is another one",
            ],
            &[
                "the second block, which is another one",
                "the first block of the page",
            ],
        ),
    ] {
        let comparison = compare(&page(kept), &page(other), 1);
        assert!(
            comparison.agreement.is_some_and(|a| a > 0.999),
            "{kept:?} {comparison:?}"
        );
        assert_eq!(comparison.count, 0, "{kept:?} {comparison:?}");
    }
    assert_eq!(compare(&page(&[]), &page(&[" "]), 1).agreement, None);
}

#[test]
fn a_difference_is_told_with_its_words_and_its_place() {
    let kept = page(&[
        "each institution shall report",
        "its liquidity monthly to it",
    ]);
    let other = page(&[
        "each institution shall not report",
        "its 1iquidity monthly to it",
    ]);
    let comparison = compare(&kept, &other, 4);
    assert_eq!(comparison.count, 2, "{comparison:?}");
    let [first, second] = &comparison.differences[..] else {
        return assert_eq!(comparison.differences.len(), 2);
    };
    assert_eq!(
        (first.kept.as_str(), first.other.as_str()),
        ("liquidity", "1iquidity")
    );
    assert!(
        first.context.0.ends_with("shall report its") && first.context.1.starts_with("monthly"),
        "{first:?}"
    );
    assert_eq!(
        first.regions,
        [Region {
            page: 4,
            x0: 40.0,
            y0: 31.5,
            x1: 130.0,
            y1: 42.5
        }]
    );
    assert_eq!((second.kept.as_str(), second.other.as_str()), ("", "not"));
    assert!(
        second.regions.is_empty() && second.context.0.ends_with("shall"),
        "{second:?}"
    );
}

#[test]
fn the_largest_come_first_and_the_rest_is_counted() {
    let words = |mark: char| -> Vec<String> {
        (0..20)
            .map(|i| format!("word {} same", mark.to_string().repeat(i % 7 + 1)))
            .collect()
    };
    let (kept, other) = (words('x'), words('y'));
    let lines = |l: &[String]| page(&l.iter().map(String::as_str).collect::<Vec<_>>());
    let comparison = compare(&lines(&kept), &lines(&other), 1);
    assert_eq!((comparison.count, comparison.differences.len()), (20, KEPT));
    let sizes: Vec<usize> = comparison
        .differences
        .iter()
        .map(|d| d.kept.len())
        .collect();
    assert!(
        sizes.is_sorted_by(|a, b| a >= b) && sizes[0] == 7,
        "{sizes:?}"
    );
}
