//! Whether a line begins a new block or goes on with the one before it.

use super::block::Block;
use super::ends::{ends_sentence, is_beside, leading, room_left};
use super::entries::{
    begins_entry, goes_on_in_marks, goes_on_in_title, is_dash_within, is_initial,
};
use super::usual::{Run, Usual};
use crate::layout::Line;
use crate::structure::captions::{is_caption, is_remark, opens_caption, opens_numbered};
use lexforge_ingest::numbering::{Label, Level, Scheme};
use lexforge_text::is_set_solid;

/// Type of headings, as a multiple of the usual size.
const LARGE: f32 = 1.4;

/// The number of an official document on a line of its own: `金规〔2024〕26号`.
pub(crate) fn document_number(text: &str) -> bool {
    let text = text.trim();
    let bracketed = text.contains(['〔', '［', '[', '【', '（', '('])
        || text.contains("年第")
        || text.contains('令');
    text.ends_with('号')
        && bracketed
        && text.chars().any(|c| c.is_ascii_digit())
        && text.chars().count() <= 40
        && !text.contains(['，', '。', '；', '《'])
}

/// The first line of an article and the next one stand no further apart than this, in ems.
const ARTICLE_PITCH: f32 = 3.0;
/// A line with this much free space, in ems, does not fill its place.
const SHORT: f32 = 4.0;
/// A line with fewer characters than this is not running text that cites an article.
const CITING: usize = 30;

/// Lines before and after two lines among which others may stand as far apart, and pairs from which on they do.
const AROUND: usize = 12;
const PAIRS: usize = 2;

/// `目 录` alone on its line.
fn names_contents(line: &Line) -> bool {
    let text = line.text();
    let name: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ["目录", "目次"].contains(&name.as_str())
}

/// Most characters of a line that adds something to a title.
const ADDED: usize = 60;

/// Whether the line closes a bracket with which the line before it begins. Example: `(adopted on … by order No 5`, and
/// on the next line `in force from …)`.
fn closes_bracket(lines: &[Line], block: &Block, line: &Line) -> bool {
    let [at] = block.lines[..] else {
        return false;
    };
    let before = &lines[at];
    let open = |line: &Line, signs: [char; 2]| line.chars.iter().any(|c| signs.contains(&c.ch));
    let down = line.baseline - before.baseline;
    let near = before.page == line.page && down > 0.0 && down < 2.6 * line.size;
    let (begins, ends) = (before.chars.first(), line.chars.last());
    near && begins.is_some_and(|c| ['(', '（'].contains(&c.ch))
        && ends.is_some_and(|c| [')', '）'].contains(&c.ch))
        && !open(before, [')', '）'])
        && !open(line, ['(', '（'])
        && before.chars.len() <= ADDED
        && line.chars.len() <= ADDED
}

/// Distance of a baseline from the one before, in ems, where both stand in one column of one page.
pub(super) fn gap_above(lines: &[Line], i: usize) -> Option<f32> {
    let before = &lines[i.checked_sub(1)?];
    let line = &lines[i];
    let down = line.baseline - before.baseline;
    (before.page == line.page && down > 0.0).then(|| down / line.size.max(0.1))
}

/// Type is larger than that of text from this multiple on.
const ABOVE_TEXT: f32 = 1.04;
/// Headings of two levels differ in size by at least this share.
const OTHER_SIZE: f32 = 0.03;

/// Whether both lines are larger than any text and differ in size. If they also differ in weight, they are headings of
/// two levels, and not one heading over two lines, however wide the first is.
fn other_heading(before: &Line, line: &Line, usual: Usual) -> bool {
    let (small, large) = (before.size.min(line.size), before.size.max(line.size));
    small > ABOVE_TEXT * usual.largest && large - small > OTHER_SIZE * large
}

/// Whether line `i` begins a new block after `block`.
pub(super) fn parts(
    lines: &[Line],
    block: &Block,
    i: usize,
    found: Option<&Label>,
    runs: &[Run],
    usual: Usual,
) -> bool {
    let Some(&at) = block.lines.last() else {
        return true;
    };
    let (before, line) = (&lines[at], &lines[i]);
    let remark = block
        .lines
        .first()
        .is_some_and(|&i| is_remark(&lines[i].text()));
    if !line.break_before && closes_bracket(lines, block, line) {
        return false;
    }
    let other_frame = before.page == line.page && before.framed != line.framed;
    if line.break_before
        || other_frame
        || opens_caption(&line.text())
        || opens_numbered(line)
        || (remark && is_caption(&line.text()))
        || names_contents(line)
        || names_contents(before)
        || document_number(&line.text())
        || document_number(&before.text())
    {
        return true;
    }
    // `Article 5` alone on its line is a heading, whatever follows.
    if at == block.lines[0]
        && block
            .label
            .as_ref()
            .is_some_and(|l| matches!(l.scheme, Scheme::Named(_)) && l.len >= before.chars.len())
    {
        return true;
    }
    let size = before.size.max(line.size);
    let ended = ends_sentence(before);
    if (before.size - line.size).abs() > if ended { 0.05 } else { 0.1 } * size {
        return true;
    }
    let first = block.lines[0];
    if goes_on_in_marks(before, line) || (found.is_none() && goes_on_in_title(block, before, line))
    {
        return false;
    }
    let down = line.baseline - before.baseline;
    let same_column = line.page == before.page && down > 0.0 && line.frame == before.frame;
    let full = !room_left(before, line, runs[at]);
    // `S. Enteritidis and` / `S. Typhimurium` is one sentence.
    let found = found.filter(|l| ended || !full || !is_initial(before, line, l, block));
    let clause_end = ended || ends_clause(before);
    let found = found.filter(|l| clause_end || !full || !is_dash_within(lines, block, i, l));
    if let Some(label) = found {
        let strong = matches!(label.scheme, Scheme::Named(_) | Scheme::Bullet);
        let gap = same_column && down > 1.5 * leading(lines, block, size);
        if strong || clause_end || !full || gap || before.bold != line.bold {
            let cited = reference_follows(line, label) || cites(before, line, label, runs[i]);
            if !full || ended || gap || !cited {
                return true;
            }
        }
        // A label that stands out to the left of its paragraph's text.
        if same_column
            && block
                .hang
                .is_some_and(|h| line.x0 / line.size.max(0.1) < h - 0.8)
            && clause_end
        {
            return true;
        }
    }
    if before.bold != line.bold && (ended || !full || other_heading(before, line, usual)) {
        return true;
    }
    let anew = line.chars.first().is_some_and(|c| c.ch.is_uppercase());
    let below_underlined = before.underlined && !line.underlined && !is_beside(before, line);
    if below_underlined && !full && anew {
        return true;
    }
    // No text runs on from one slide to the next.
    let begins_small = line.chars.first().is_some_and(|c| c.ch.is_lowercase());
    if line.page != before.page && line.frame.is_wide() && !begins_small {
        return true;
    }
    // Large type is no running text: what begins with a capital on the next page is another heading.
    let large = before.size > LARGE * usual.size && line.page != before.page;
    if large && line.chars.first().is_some_and(|c| c.ch.is_uppercase()) {
        return true;
    }
    if !same_column {
        // Column or page break: a sentence that has not ended goes on, and so does a caption before a small letter.
        let small = line.chars.first().is_some_and(|c| c.ch.is_lowercase());
        let caption = !small && opens_caption(&lines[first].text());
        // `the U.S.` / `institution` is one sentence.
        let ended = ended && !(small && ends_in_initial(before));
        return ended || caption || (before.bold && !full) || before.frame.turn != line.frame.turn;
    }
    if !full && begins_entry(lines, block, i, runs[at], usual.size) {
        return true;
    }
    let wide = down > 1.4 * leading(lines, block, size).max(1.0 * size);
    let even = || in_even_lines(lines, block, i) || article_goes_on(lines, block, line);
    if wide && (ended || !full || !even()) {
        return true;
    }
    let centred = before.bold && line.bold;
    let em = line.size.max(0.1);
    // A line of ideographs that stops short ends its paragraph when the next one is indented.
    let indented_cjk = is_cjk_line(before) && line.x0 > runs[i].left + 1.5 * em;
    if !centred && !full && (ended || indented_cjk) {
        return true;
    }
    let indented = line.x0 > before.x0 + em;
    if indented && !(at == first && block.label.is_some()) && (ended || !full) && !centred {
        return true;
    }
    let outdented = line.x0 < before.x0 - em && at != first;
    outdented && ended && !centred
}

/// Whether the line belongs to a text whose lines are wide apart. It must look like the line before it. Its distance to
/// that line must be the same as one of these:
/// - the distance to the next line;
/// - the distance between the last two lines of its paragraph;
/// - if it begins with a small letter: the distance between other lines around it.
///
/// A note above the text may have lines that are closer together; this does not matter.
fn in_even_lines(lines: &[Line], block: &Block, i: usize) -> bool {
    let Some(&at) = block.lines.last() else {
        return false;
    };
    let down = lines[i].baseline - lines[at].baseline;
    // The text of an item begins behind its mark, where its other lines begin.
    let behind_label = |at: usize| {
        let label = block.label.as_ref().filter(|_| at == block.lines[0]);
        let text = label.and_then(|l| lines[at].chars.get(l.len));
        text.map_or(lines[at].x0, |c| c.x0)
    };
    let even = |at: usize, next: usize| {
        let (Some(above), Some(below)) = (lines.get(at), lines.get(next)) else {
            return false;
        };
        let alike = (above.size - below.size).abs() < 0.05 * below.size
            && above.bold == below.bold
            && above.italic == below.italic;
        let edge = [above.x0, behind_label(at)];
        alike
            && above.page == below.page
            && above.frame == below.frame
            && above.cell.is_none()
            && below.cell.is_none()
            && (below.baseline - above.baseline - down).abs() < 0.04 * down
            && edge.iter().any(|x| (below.x0 - x).abs() < 0.5 * below.size)
    };
    let before = block.lines.len().checked_sub(2);
    let goes_on = before.is_some_and(|j| even(block.lines[j], at));
    // Two lines alone, the second in the midst of a sentence, are even where others of the page stand as far apart.
    let small = lines[i].chars.first().is_some_and(|c| c.ch.is_lowercase());
    let others = || {
        let near = at.saturating_sub(AROUND)..(i + AROUND).min(lines.len());
        let of_page = |j: &usize| {
            *j != at
                && lines[*j].page == lines[i].page
                && (lines[*j].size - lines[i].size).abs() < 0.05 * lines[i].size
        };
        near.filter(of_page).filter(|&j| even(j, j + 1)).count()
    };
    down < 2.2 * lines[i].size
        && even(at, i)
        && (goes_on || even(i, i + 1) || (small && others() >= PAIRS))
}

/// Whether the line continues the first line of a Chinese article. This first line is full and indented. The distance
/// between both lines may differ from the distances of other lines nearby, because these may belong to a title or a
/// formula.
fn article_goes_on(lines: &[Line], block: &Block, line: &Line) -> bool {
    let [first] = block.lines[..] else {
        return false;
    };
    let before = &lines[first];
    block.label.as_ref().is_some_and(is_chinese_article)
        && before.bold == line.bold
        && line.x0 < before.x0 + 0.5 * line.size
        && line.baseline - before.baseline < ARTICLE_PITCH * line.size
}

fn is_chinese_article(label: &Label) -> bool {
    label.scheme == Scheme::Named(Level::Article) && label.text.starts_with('第')
}

/// Whether a line begins with a provision that is only cited (`Article 5`). Otherwise it is a heading. The caller knows
/// that the line before is full and does not end a sentence. A Chinese article is cited if its line is not indented and
/// has no blank after the number. Any other provision is cited if its line is full, too, and only one blank follows its
/// number.
fn cites(before: &Line, line: &Line, label: &Label, run: Run) -> bool {
    let Scheme::Named(_) = label.scheme else {
        return false;
    };
    let last = label.len.checked_sub(1).and_then(|at| line.chars.get(at));
    let blank = last.is_some_and(|c| c.ch.is_whitespace());
    if before.bold || line.bold || line.frame.width <= 0.0 {
        return false;
    }
    if label.text.starts_with('第') {
        let at_edge = line.x0 < run.left + line.size;
        let runs_on = !blank && label.len < line.chars.len();
        return is_chinese_article(label) && at_edge && runs_on;
    }
    let long = line.x1 > run.right - SHORT * line.size;
    let plain = label.len == label.text.chars().count() + 1;
    blank && plain && long && !ends_clause(before) && before.chars.len() >= CITING
}

fn is_cjk_line(line: &Line) -> bool {
    line.chars.iter().filter(|c| is_set_solid(c.ch)).count() * 2 > line.chars.len()
}

/// The line ends with the stop of an initial: `the U.S.`
fn ends_in_initial(line: &Line) -> bool {
    let mut back = line.chars.iter().rev().map(|c| c.ch);
    back.next() == Some('.')
        && back.next().is_some_and(char::is_uppercase)
        && back.next().is_none_or(|c| !c.is_alphanumeric())
}

/// The line may end a list item: a comma, or `and`/`or`.
fn ends_clause(line: &Line) -> bool {
    let text = line.text();
    text.ends_with([',', '，', '、', '—', '–'])
        || text.ends_with(" and")
        || text.ends_with(" or")
        || text.ends_with("及")
}

/// Whether what follows the label shows that it is only a reference within a sentence: `(b) of`, `(a) or (b)`, `(c),`.
fn reference_follows(line: &Line, label: &Label) -> bool {
    let rest: String = line
        .chars
        .iter()
        .skip(label.len)
        .map(|c| c.ch)
        .take(24)
        .collect();
    let rest = rest.trim_start();
    rest.is_empty()
        || rest.starts_with([',', ';', ')', '.', '，', '；', '、', '。'])
        || [
            "of ", "or ", "and ", "to ", "in ", "above", "below", "thereof", "shall ", "项", "款",
            "所列", "至",
        ]
        .iter()
        .any(|w| rest.starts_with(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stop_of_an_initial_is_told_from_that_of_a_sentence() {
        for (text, is) in [
            ("the accounts of the U.S.", true),
            ("as said in annex B.", true),
            ("rules of the BSA.", false),
            ("the accounts of banks.", false),
            ("the accounts of the U.S", false),
        ] {
            assert_eq!(ends_in_initial(&Line::plain(1, 0, text)), is, "{text}");
        }
    }

    #[test]
    fn headings_of_two_levels_are_two_though_the_first_fills_its_line() {
        let count = |sizes: [f32; 2], bold: bool| {
            let body = "A bank that has lost a tenth of its capital reports it within ten days.";
            let texts = [
                "How the standards of performance of small banks are looked at, in short",
                "Overall rating of them all",
                body,
                body,
                body,
            ];
            let lines: Vec<Line> = (0usize..)
                .zip(texts)
                .map(|(row, text)| Line::plain(1, row, text))
                .collect();
            let mut lines = lines;
            (lines[0].size, lines[1].size) = (sizes[0], sizes[1]);
            (lines[0].bold, lines[1].bold) = (true, bold);
            let of_text = super::super::usual(&lines);
            let found = super::super::blocks(&lines, &[None; 5], of_text);
            found.iter().filter(|b| b.lines[0] < 2).count()
        };
        assert_eq!(count([2.4, 2.2], false), 2);
        // One heading over two lines.
        assert_eq!(count([2.4, 2.4], true), 1);
        assert_eq!(count([2.4, 2.4], false), 1);
    }
}
