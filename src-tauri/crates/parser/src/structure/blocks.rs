//! Lines to blocks: paragraphs, headings, table rows, footnotes.

use super::tables::{contents_lines, separator};
use crate::layout::{Line, Role};
use lexforge_ingest::numbering::{Label, Scheme, label};
use lexforge_text::is_set_solid;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text, numbered or not.
    Text,
    /// A heading.
    Heading,
    /// A row of a table.
    TableRow,
    /// A footnote.
    Footnote,
    /// A line of a table of contents.
    Contents,
}

/// Lines that belong together.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its lines, as indices into the document's lines.
    pub lines: Vec<usize>,
    /// The label at its beginning.
    pub label: Option<Label>,
    /// Left edge of its first line, in ems.
    pub indent: f32,
    /// Distance of its first baseline from the line before on the page, in ems; none at a page's start.
    pub gap: Option<f32>,
    /// Font size as a multiple of the usual one.
    pub scale: f32,
    /// Left edge of its later lines, in ems.
    pub hang: Option<f32>,
    /// It looks like a heading: bold, large, in capitals, or set apart.
    pub styled: bool,
    /// How prominent it looks: font size in points plus a little for weight and capitals.
    pub prominence: f32,
}

/// What is usual in the document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usual {
    /// Font size of most characters.
    pub size: f32,
    /// Bold is common, and so no sign of a heading.
    pub bold: bool,
}

/// The usual font size and weight, by characters.
pub fn usual(lines: &[Line]) -> Usual {
    let mut sizes: std::collections::HashMap<i32, usize> = std::collections::HashMap::new();
    let (mut bold, mut all) = (0usize, 0usize);
    for line in lines {
        *sizes.entry((line.size * 4.0).round() as i32).or_default() += line.chars.len();
        all += line.chars.len();
        bold += if line.bold { line.chars.len() } else { 0 };
    }
    let size = sizes
        .into_iter()
        .max_by_key(|&(size, count)| (count, size))
        .map_or(0.0, |(s, _)| s as f32 / 4.0);
    Usual {
        size,
        bold: bold * 2 > all,
    }
}

/// A stretch of lines in one column, top to bottom.
#[derive(Clone, Copy, Default)]
struct Run {
    left: f32,
    right: f32,
}

/// The blocks of a document whose lines stand in reading order; `notes` tells the footnotes' lines.
///
/// A paragraph that a page or column break parts goes on after the footnotes that stand between.
pub fn blocks(lines: &[Line], notes: &[Option<bool>], usual: Usual) -> Vec<Block> {
    let contents = contents_lines(lines);
    let runs = runs(lines);
    let mut blocks: Vec<Block> = Vec::new();
    let (mut body, mut note): (Option<usize>, Option<usize>) = (None, None);
    for i in 0..lines.len() {
        let kind = if notes[i].is_some() {
            BlockKind::Footnote
        } else if contents[i] || lines[i].role == Role::Contents {
            BlockKind::Contents
        } else if lines[i].cell.is_some() {
            BlockKind::TableRow
        } else {
            BlockKind::Text
        };
        let chars: Vec<char> = lines[i].chars.iter().map(|c| c.ch).collect();
        let found = if kind == BlockKind::Text {
            label(&chars, styled_line(&lines[i], usual, runs[i]))
        } else {
            None
        };
        let last = if kind == BlockKind::Footnote {
            note
        } else {
            body
        };
        let goes_on = last.filter(|&at| {
            let block = &blocks[at];
            block.kind == kind
                && match kind {
                    BlockKind::Contents => false,
                    BlockKind::TableRow => {
                        separator(&lines[block.lines[block.lines.len() - 1]], &lines[i]) != '\n'
                    }
                    BlockKind::Footnote => notes[i] == Some(false),
                    BlockKind::Text | BlockKind::Heading => {
                        !parts(lines, block, i, found.as_ref(), &runs)
                    }
                }
        });
        let left = lines[i].x0 / lines[i].size.max(0.1);
        if let Some(at) = goes_on {
            let block = &mut blocks[at];
            block.lines.push(i);
            block.hang = Some(block.hang.map_or(left, |h| h.min(left)));
            continue;
        }
        *(if kind == BlockKind::Footnote {
            &mut note
        } else {
            &mut body
        }) = Some(blocks.len());
        blocks.push(Block {
            kind,
            lines: vec![i],
            label: found,
            indent: left,
            gap: gap_above(lines, i),
            scale: lines[i].size / usual.size.max(0.1),
            hang: None,
            styled: false,
            prominence: 0.0,
        });
    }
    for block in &mut blocks {
        style(block, lines, usual, &runs);
    }
    join_headings(blocks, lines, usual)
}

/// A block in a heading's look that begins in the middle of a sentence goes on with the heading above it.
fn join_headings(blocks: Vec<Block>, lines: &[Line], usual: Usual) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let small = lines[block.lines[0]]
            .chars
            .first()
            .is_some_and(|c| c.ch.is_lowercase());
        let chars: usize = block.lines.iter().map(|&i| lines[i].chars.len()).sum();
        let end = block
            .lines
            .last()
            .and_then(|&i| lines[i].chars.last())
            .map_or('.', |c| c.ch);
        let set_off = !".;:,".contains(end)
            && block.prominence > usual.size + 0.1
            && block.label.is_none()
            && chars <= 300;
        match out.last_mut() {
            Some(head)
                if small
                    && set_off
                    && block.kind == BlockKind::Text
                    && head.kind == BlockKind::Heading
                    && (head.prominence - block.prominence).abs() < 0.15
                    && block.gap.is_some_and(|g| g < 3.0) =>
            {
                head.lines.extend(block.lines);
            }
            _ => out.push(block),
        }
    }
    out
}

/// The number of an official document on a line of its own: `金规〔2024〕26号`.
pub fn document_number(text: &str) -> bool {
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

/// Distance of a baseline from the one before, in ems, where both stand in one column of one page.
fn gap_above(lines: &[Line], i: usize) -> Option<f32> {
    let before = &lines[i.checked_sub(1)?];
    let line = &lines[i];
    let down = line.baseline - before.baseline;
    (before.page == line.page && down > 0.0).then(|| down / line.size.max(0.1))
}

/// Whether line `i` begins a new block after `block`.
fn parts(lines: &[Line], block: &Block, i: usize, found: Option<&Label>, runs: &[Run]) -> bool {
    let Some(&at) = block.lines.last() else {
        return true;
    };
    let (before, line) = (&lines[at], &lines[i]);
    if line.break_before || document_number(&line.text()) || document_number(&before.text()) {
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
    let down = line.baseline - before.baseline;
    let same_column = line.page == before.page && down > 0.0 && line.frame == before.frame;
    let full = !room_left(before, line, runs[at]);
    if let Some(label) = found {
        let strong = matches!(label.scheme, Scheme::Named(_) | Scheme::Bullet);
        let gap = same_column && down > 1.5 * leading(lines, block, size);
        let clause_end = ended || ends_clause(before);
        if strong || clause_end || !full || gap || before.bold != line.bold {
            let runs_on = full && !ended && reference_follows(line, label) && !gap;
            if !runs_on {
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
    if before.bold != line.bold && (ended || !full) {
        return true;
    }
    if !same_column {
        // Column or page break: a sentence that has not ended goes on.
        return ended || (before.bold && !full) || before.frame.turn != line.frame.turn;
    }
    if down > 1.4 * leading(lines, block, size).max(1.0 * size) {
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

/// Usual distance of baselines in the block; for a single line, a common one for its size.
fn leading(lines: &[Line], block: &Block, size: f32) -> f32 {
    let mut least = f32::MAX;
    for pair in block.lines.windows(2) {
        let down = lines[pair[1]].baseline - lines[pair[0]].baseline;
        if down > 0.3 * size {
            least = least.min(down);
        }
    }
    if least < f32::MAX {
        return least;
    }
    // The next pitch in the same column tells for a block of one line.
    let Some(&at) = block.lines.last() else {
        return 1.2 * size;
    };
    let mut pitches = Vec::new();
    for pair in lines[at.saturating_sub(6)..(at + 8).min(lines.len())].windows(2) {
        let down = pair[1].baseline - pair[0].baseline;
        let alike =
            (pair[0].size - size).abs() < 0.1 * size && (pair[1].size - size).abs() < 0.1 * size;
        if pair[0].page == pair[1].page && alike && down > 0.5 * size && down < 3.0 * size {
            pitches.push(down);
        }
    }
    pitches.into_iter().fold(f32::MAX, f32::min).min(2.2 * size)
}

/// Whether the first word of `line` would have found room at the end of `before`.
fn room_left(before: &Line, line: &Line, run: Run) -> bool {
    let room = run.right - before.x1;
    let cjk = line.chars.first().is_some_and(|c| is_set_solid(c.ch));
    if cjk {
        return room > 2.2 * before.size;
    }
    let end = line
        .chars
        .iter()
        .position(|c| c.ch == ' ')
        .unwrap_or(line.chars.len());
    let word = line
        .chars
        .get(end.saturating_sub(1))
        .map_or(0.0, |c| c.x1 - line.x0);
    room > word + 1.2 * before.size
}

fn is_cjk_line(line: &Line) -> bool {
    line.chars.iter().filter(|c| is_set_solid(c.ch)).count() * 2 > line.chars.len()
}

/// The line ends a sentence (closing quotes and brackets aside).
fn ends_sentence(line: &Line) -> bool {
    let last = line
        .chars
        .iter()
        .rev()
        .map(|c| c.ch)
        .find(|c| !"\"'”’)）]』」》".contains(*c));
    last.is_some_and(|c| ".!?;:。！？；：".contains(c))
}

/// The line may end a list item: a comma, or `and`/`or`.
fn ends_clause(line: &Line) -> bool {
    let text = line.text();
    text.ends_with([',', '，', '、', '—', '–'])
        || text.ends_with(" and")
        || text.ends_with(" or")
        || text.ends_with("及")
}

/// After the label goes on what only a reference goes on with: `(b) of`, `(a) or (b)`, `(c),`.
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

/// Runs of lines down one column, with their edges.
fn runs(lines: &[Line]) -> Vec<Run> {
    let mut out = vec![Run::default(); lines.len()];
    let mut start = 0;
    for end in 1..=lines.len() {
        let goes_on = end < lines.len() && {
            let (a, b) = (&lines[end - 1], &lines[end]);
            let down = b.baseline - a.baseline;
            a.page == b.page
                && a.frame == b.frame
                && down > 0.0
                && down < 3.5 * a.size.max(b.size)
                && (b.x0 - a.x0).abs() < 8.0 * a.size.max(b.size)
        };
        if !goes_on {
            let part = &lines[start..end];
            let left = part.iter().map(|l| l.x0).fold(f32::MAX, f32::min);
            let right = part.iter().map(|l| l.x1).fold(f32::MIN, f32::max);
            out[start..end].fill(Run { left, right });
            start = end;
        }
    }
    // A short run (the end of a column, a lone heading) borrows the widest right edge of its page's column.
    let ranges: Vec<Run> = out.clone();
    for i in 0..lines.len() {
        let near = i.saturating_sub(40)..(i + 40).min(lines.len());
        let widest = near
            .filter(|&j| {
                lines[j].page == lines[i].page
                    && (ranges[j].left - ranges[i].left).abs() < 3.0 * lines[i].size
            })
            .map(|j| ranges[j].right)
            .fold(f32::MIN, f32::max);
        out[i].right = out[i].right.max(widest);
    }
    out
}

fn styled_line(line: &Line, usual: Usual, run: Run) -> bool {
    match line.role {
        Role::Unknown => {}
        Role::Heading(_) => return true,
        _ => return (line.bold && !usual.bold) || is_caps(line),
    }
    let width = (run.right - run.left).max(1.0);
    let centred = line.x0 - run.left > 0.08 * width
        && ((line.x0 - run.left) - (run.right - line.x1)).abs() < 0.06 * width
        && line.x1 - line.x0 < 0.75 * width;
    (line.bold && !usual.bold)
        || line.size > 1.1 * usual.size
        || is_caps(line)
        || (centred && line.chars.len() < 90)
}

fn is_caps(line: &Line) -> bool {
    let letters = line.chars.iter().filter(|c| c.ch.is_alphabetic());
    let (mut upper, mut all) = (0, 0);
    for c in letters {
        all += 1;
        upper += usize::from(c.ch.is_uppercase());
    }
    all >= 4 && upper == all
}

/// A short line of its own in which every word of some length has a capital: `Filing Requirements`.
fn capitalised(line: &Line) -> bool {
    let text = line.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let long = words.iter().filter(|w| w.chars().count() > 3);
    let capital = |w: &str| {
        w.chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(|c| c.is_uppercase() || c.is_numeric())
    };
    (2..=9).contains(&words.len())
        && line.frame.width > 0.0
        && line.cells == 1
        && capital(words[0])
        && long.clone().count() >= 2
        && long.clone().all(|w| capital(w))
        && words
            .iter()
            .all(|w| w.chars().any(char::is_alphabetic) || *w == "&" || *w == "–" || *w == "-")
}

/// The gaps of the line are as wide as each other: its words are spread over a narrow column.
fn justified(line: &Line) -> bool {
    let gaps: Vec<f32> = line
        .chars
        .iter()
        .filter(|c| c.ch == ' ')
        .map(|c| c.x1 - c.x0)
        .collect();
    let (least, most) = gaps
        .iter()
        .fold((f32::MAX, 0f32), |(a, b), g| (a.min(*g), b.max(*g)));
    most < 4.0 * line.size && most < 1.8 * least
}

/// Decides whether the block is a heading, and how prominent.
fn style(block: &mut Block, lines: &[Line], usual: Usual, runs: &[Run]) {
    if block.kind != BlockKind::Text {
        return;
    }
    let all = |test: &dyn Fn(&Line) -> bool| block.lines.iter().all(|&i| test(&lines[i]));
    let size = lines[block.lines[0]].size;
    match lines[block.lines[0]].role {
        Role::Heading(level) => {
            block.kind = BlockKind::Heading;
            block.styled = true;
            // Any heading that the file names stands above one that only looks like it.
            block.prominence = usual.size + f32::from(10u8.saturating_sub(level));
            return;
        }
        Role::Definition | Role::Item => {
            block.prominence = size;
            return;
        }
        _ => {}
    }
    let bold = all(&|l| l.bold) && !usual.bold;
    let caps = all(&is_caps);
    let large = size > 1.1 * usual.size;
    block.styled = all(&|l| styled_line(l, usual, runs[block.lines[0]]));
    block.prominence =
        (size * 2.0).round() / 2.0 + if bold { 0.2 } else { 0.0 } + if caps { 0.1 } else { 0.0 };
    let chars: usize = block.lines.iter().map(|&i| lines[i].chars.len()).sum();
    let letters: usize = block
        .lines
        .iter()
        .map(|&i| {
            lines[i]
                .chars
                .iter()
                .filter(|c| c.ch.is_alphabetic())
                .count()
        })
        .sum();
    let Some(&last) = block.lines.last() else {
        return;
    };
    let end = lines[last].chars.last().map_or(' ', |c| c.ch);
    let open_end = ".;,:!。；，：！".contains(end);
    let numbered = block
        .label
        .as_ref()
        .is_some_and(|l| !matches!(l.scheme, Scheme::Bullet | Scheme::Item(..)));
    let short = chars <= 200 && block.lines.len() <= 4;
    let bullet = block
        .label
        .as_ref()
        .is_some_and(|l| l.scheme == Scheme::Bullet);
    let begins_small = bullet
        || lines[block.lines[0]]
            .chars
            .first()
            .is_some_and(|c| c.ch.is_lowercase());
    let italic = all(&|l| l.italic) && chars <= 90 && block.lines.len() == 1;
    let plain =
        block.label.is_none() && block.lines.len() == 1 && capitalised(&lines[block.lines[0]]);
    // Set apart by its place alone, a line with a clause's punctuation is a clause.
    let clause = block
        .lines
        .iter()
        .any(|&i| lines[i].chars.iter().any(|c| ",，;；。".contains(c.ch)));
    let looks = bold || large || caps || italic || plain || (numbered && block.styled && !clause);
    // Several cells on one baseline are the row of a table, or the head of one.
    let row = block
        .lines
        .iter()
        .any(|&i| lines[i].cells > 2 && !justified(&lines[i]));
    if looks
        && !row
        && short
        && letters >= 2
        && !begins_small
        && (!open_end || (numbered && end == '.' && chars <= 90))
    {
        block.kind = BlockKind::Heading;
    }
}

/// What the section tree needs to know of a block beside its shape.
pub struct BlockText {
    /// Its text.
    pub text: String,
    /// Page on which it begins.
    pub page: u32,
}
