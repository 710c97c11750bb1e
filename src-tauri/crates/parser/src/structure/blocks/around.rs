//! Whether a block looks different from the text around it. It is compared with its neighbours and not with the whole
//! document, because the headings of a chapter may be only a little larger than the chapter's text.

use super::block::{Block, BlockKind};
use super::ends::is_beside;
use super::looks::of_formula;
use super::usual::Usual;
use crate::layout::{Line, Role};
use crate::structure::captions::{is_caption, is_remark};
use lexforge_ingest::numbering::{Count, Scheme};
use std::ops::Range;

/// A block must be at least this many times as large as the text around it.
const LARGER: f32 = 1.06;
/// Most lines of the block.
const LINES: usize = 2;
/// A line from here up to this far above, in ems, is beside the block or close to it.
const CLOSE: Range<f32> = -3.0..1.3;
/// How far below the text begins, in ems.
const BELOW: Range<f32> = 0.9..4.5;
/// Running text is as wide as this, in ems.
const WIDE: f32 = 18.0;
/// Blocks below in which running text begins.
const AHEAD: usize = 4;

/// Whether the block looks like a heading next to its neighbours: there is space above it, running text below it, and
/// it is larger than the lines above and below. It may be bold instead, if these lines are not bold and bold is not
/// used for something else in the document.
pub(super) fn stands_out(blocks: &[Block], at: usize, lines: &[Line], usual: Usual) -> bool {
    let block = &blocks[at];
    let (Some(&first), Some(&last)) = (block.lines.first(), block.lines.last()) else {
        return false;
    };
    let (head, end) = (&lines[first], &lines[last]);
    let em = head.size.max(0.1);
    if block.kind != BlockKind::Text || block.lines.len() > LINES || em < 0.98 * usual.size {
        return false;
    }
    let bold = usual.bold && block.lines.iter().all(|&i| lines[i].bold);
    let over =
        |other: &Line| em > LARGER * other.size || (bold && !other.bold && em > 0.98 * other.size);
    // Footnotes stand between the text of two pages.
    let after = blocks[at + 1..].iter();
    let after = after.filter(|b| b.kind != BlockKind::Footnote).take(AHEAD);
    let after: Vec<&Block> = after.collect();
    let Some(next) = after.first().filter(|b| b.kind == BlockKind::Text) else {
        return false;
    };
    let below = &lines[next.lines[0]];
    let right = block
        .lines
        .iter()
        .fold(f32::MIN, |right, &i| right.max(lines[i].x1));
    let over_text = over(below)
        && below.page == end.page
        && below.frame == end.frame
        && BELOW.contains(&((below.baseline - end.baseline) / em))
        && below.x0 < right
        && head.x0 < below.x1
        && !is_remark(&below.text());
    if !over_text {
        return false;
    }
    let wide = |i: &usize| lines[*i].x1 - lines[*i].x0 > WIDE * lines[*i].size;
    let mut texts = after.iter().filter(|b| b.kind == BlockKind::Text);
    let running = texts.find(|b| b.lines.iter().any(wide));
    let over_running = running.is_some_and(|b| over(&lines[b.lines[0]]));
    if !over_running {
        return false;
    }
    let before = blocks[..at]
        .iter()
        .rev()
        .find(|b| b.kind != BlockKind::Footnote);
    let free = before.is_none_or(|b| {
        let above = &lines[b.lines[b.lines.len() - 1]];
        let near = above.page == head.page && above.frame == head.frame;
        let close = near && CLOSE.contains(&((head.baseline - above.baseline) / em));
        let other_page = above.page != head.page && b.kind != BlockKind::Text;
        b.kind == BlockKind::Heading || other_page || (!close && over(above))
    });
    let printed = |i: &usize| {
        let line = &lines[*i];
        line.role == Role::Unknown && line.frame.width > 0.0 && !line.in_chart
    };
    free && block.lines.iter().all(printed) && !is_caption(&head.text())
}

/// Whether a letter is the number of a heading. This is so if the whole block is bold, the text right below it is not,
/// and the blocks above and below are not items of the same list.
pub(super) fn is_lettered(blocks: &[Block], at: usize, lines: &[Line], usual: Usual) -> bool {
    let block = &blocks[at];
    let bold = |b: &Block| b.lines.iter().all(|&i| lines[i].bold);
    let lettered = block
        .label
        .as_ref()
        .is_some_and(|l| matches!(l.scheme, Scheme::Item(_, count) if count != Count::Digit));
    if block.kind != BlockKind::Text || !lettered || usual.bold || !bold(block) {
        return false;
    }
    let text = |b: &&Block| b.kind != BlockKind::Footnote;
    let (Some(next), Some(&last)) = (blocks[at + 1..].iter().find(text), block.lines.last()) else {
        return false;
    };
    let (head, below) = (&lines[block.lines[0]], &lines[next.lines[0]]);
    let leads = next.kind == BlockKind::Text
        && !lines[next.lines[0]].bold
        && below.page == lines[last].page
        && below.frame == lines[last].frame
        && below.baseline > lines[last].baseline;
    // `c)` may be a letter or a Roman number.
    let wrap = |b: &Block| match b.label.as_ref().map(|l| l.scheme) {
        Some(Scheme::Item(wrap, count)) if count != Count::Digit => Some(wrap),
        _ => None,
    };
    let like = |b: &Block| wrap(b) == wrap(block) && lines[b.lines[0]].page == head.page;
    let before = blocks[..at].iter().rev().find(text);
    leads && !like(next) && !before.is_some_and(like)
}

/// Whether the block is underlined throughout and stands above plain text. Some documents mark their headings so, in the
/// type of the text. Links are underlined, too, but a list of them stands on several lines, and an address names itself.
pub(super) fn is_underlined(blocks: &[Block], at: usize, lines: &[Line], usual: Usual) -> bool {
    let block = &blocks[at];
    let printed = |i: &usize| {
        let line = &lines[*i];
        let of_text = line.role == Role::Unknown && line.cells <= 1 && !line.in_chart;
        line.underlined && of_text && line.size > 0.98 * usual.size
    };
    let whole = block.lines.len() <= LINES && block.lines.iter().all(printed);
    if block.kind != BlockKind::Text || block.label.is_some() || !whole {
        return false;
    }
    let text = |b: &&Block| b.kind != BlockKind::Footnote;
    let above_text = blocks[at + 1..].iter().find(text).is_some_and(|next| {
        let below = &lines[next.lines[0]];
        let begins_small = below.chars.first().is_some_and(|c| c.ch.is_lowercase());
        let plain = !below.underlined && !begins_small && !is_remark(&below.text());
        let beside = block.lines.iter().any(|&i| is_beside(&lines[i], below));
        next.kind == BlockKind::Text && plain && !beside
    });
    let in_list = blocks[..at].iter().rev().find(text).is_some_and(|before| {
        let above = before.lines.last().is_some_and(|&i| lines[i].underlined);
        before.kind != BlockKind::Heading && above
    });
    let is_address = block.lines.iter().any(|&i| {
        let text = lines[i].text().to_lowercase();
        ["://", "www.", "@"].iter().any(|sign| text.contains(sign))
    });
    // The line of a fraction is drawn below its upper half.
    let of_fraction = |c: char| of_formula(c) || "=+−×÷√∑".contains(c);
    let mut chars = block.lines.iter().flat_map(|&i| &lines[i].chars);
    above_text && !in_list && !is_address && !chars.any(|c| of_fraction(c.ch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::blocks::{blocks, usual};

    const TEXT: &str = "The board reads what each bank reports on every day of business.";

    /// The kinds of the blocks of some lines, of which those in `underlined` are underlined, with running text above.
    fn kinds(texts: &[&str], underlined: &[usize]) -> Vec<(String, BlockKind)> {
        let all = [TEXT, TEXT].into_iter().chain(texts.iter().copied());
        let mut lines: Vec<Line> = all
            .enumerate()
            .map(|(at, text)| {
                let mut line = Line::plain(1, at, text);
                (line.frame.width, line.frame.height) = (100.0, 140.0);
                line
            })
            .collect();
        lines[2].break_before = true;
        for at in underlined {
            lines[at + 2].underlined = true;
        }
        let found = blocks(&lines, &vec![None; lines.len()], usual(&lines));
        let text = |b: &Block| {
            let texts: Vec<String> = b.lines.iter().map(|&i| lines[i].text()).collect();
            texts.join("|")
        };
        let own = found.iter().filter(|b| b.lines[0] >= 2);
        own.map(|b| (text(b), b.kind)).collect()
    }

    #[test]
    fn an_underlined_line_above_text_is_a_heading() {
        let heading = |text: &str| (text.to_owned(), BlockKind::Heading);
        let text = |text: &str| (text.to_owned(), BlockKind::Text);
        assert_eq!(
            kinds(&["Lending", TEXT], &[0]),
            [heading("Lending"), text(TEXT)]
        );
        assert_eq!(
            kinds(&["Rules for loans to", "Persons abroad", TEXT], &[0, 1])[0].1,
            BlockKind::Heading,
            "two lines"
        );
        for (why, texts, underlined) in [
            ("a sentence", &["It reports.", TEXT][..], &[0][..]),
            ("links", &["Bank Handbook", "Credit Manual", TEXT], &[0, 1]),
            ("not underlined", &["Lending", TEXT], &[]),
            ("an address", &["Www.example.org", TEXT], &[0]),
            ("above a small letter", &["Lending", "and loans"], &[0]),
            ("at the end", &["Lending"], &[0]),
            ("a fraction", &["Losses − Gains", TEXT], &[0]),
            (
                "a fraction in letters of formulas",
                &["𝐼𝑅𝐶 𝑓𝑢𝑙𝑙", TEXT],
                &[0],
            ),
        ] {
            let found = kinds(texts, underlined);
            let plain = found.iter().all(|(_, kind)| *kind == BlockKind::Text);
            assert!(plain, "{why}: {found:?}");
        }
    }

    #[test]
    fn an_underlined_head_of_a_column_is_no_heading() {
        for (down, is) in [(2.4, true), (1.0, false)] {
            let texts = [
                TEXT,
                TEXT,
                "Measure of risk",
                "What the authority expects of banks",
            ];
            let mut lines: Vec<Line> = texts
                .iter()
                .enumerate()
                .map(|(at, text)| Line::plain(1, at, text))
                .collect();
            lines[2].break_before = true;
            lines[2].underlined = true;
            lines[3].baseline = lines[2].baseline + down;
            let found = blocks(&lines, &[None; 4], usual(&lines));
            let head = found.iter().find(|b| b.lines[0] == 2);
            let heading = head.is_some_and(|b| b.kind == BlockKind::Heading);
            assert_eq!(heading, is, "{found:?}");
        }
    }

    #[test]
    fn a_letter_in_bold_above_plain_text_numbers_a_heading() {
        let text = "The board reads what each bank reports on every day of business.";
        for (why, before, bold, after, expected) in [
            ("above text", text, true, text, BlockKind::Heading),
            ("plain", text, false, text, BlockKind::Text),
            (
                "above the next item",
                text,
                true,
                "b) Monthly reports",
                BlockKind::Text,
            ),
            (
                "below an item",
                "c) Yearly reports",
                true,
                text,
                BlockKind::Text,
            ),
        ] {
            let texts = [text, text, before, "a) Daily reports", after, text];
            let mut lines: Vec<Line> = texts
                .iter()
                .enumerate()
                .map(|(at, text)| Line::plain(1, 2 * at, text))
                .collect();
            lines[3].bold = bold;
            let usual = usual(&lines);
            let found = blocks(&lines, &[None; 6], usual);
            let kind = found.iter().find(|b| b.lines[0] == 3).map(|b| b.kind);
            assert_eq!(kind, Some(expected), "{why}");
        }
    }
}
