//! Tables without ruled lines whose columns are close together, or whose cells were written one by one. They are
//! recognised because texts begin at the same left edges on several baselines, with a free strip before each edge.

use crate::layout::{Line, Role};
use lexforge_ingest::numbering::label;

/// Narrowest gutter in the line that the others are compared with, in ems.
const GUTTER: f32 = 0.6;
/// Narrowest free strip before an edge in the other lines, in ems.
const STRIP: f32 = 0.45;
/// A gutter is at least so many times as wide as the narrowest blank of its line.
const WIDER: f32 = 1.8;
/// In the other lines the blank is at least so many times as wide as the narrowest one.
const CLEARLY: f32 = 1.4;
/// Left edges closer than this, in ems, are one.
const SAME_EDGE: f32 = 0.3;
/// Rows of one table stand no further apart than this, in ems.
const PITCH: f32 = 2.8;
/// Lines of one cell stand no further apart than this, in ems.
const WRAPPED: f32 = 1.7;
/// Lines that a table can have.
const MOST: usize = 400;
/// Mean number of characters from which on a column may be running text.
const PROSE: usize = 20;

/// Finds the tables in the lines of a page. It sorts the lines of each table by rows, marks the gaps between the cells,
/// and returns which lines belong to tables. Lines of a table of contents (`contents`) are left as they are.
pub fn mark(lines: &mut [Line], contents: &[bool]) -> Vec<bool> {
    let mut sure = vec![false; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let Some((count, edges)) = table(&lines[at..], &contents[at..]) else {
            at += 1;
            continue;
        };
        let own = &mut lines[at..at + count];
        into_rows(own);
        for line in own {
            line.gutters = gutters_at(line, &edges).unwrap_or_default();
            if let Some(&last) = line.gutters.last() {
                line.cells = line.cells.max(line.gutters.len() as u32 + 1);
                line.last_cell = line.chars.get(last + 1).map_or(line.x0, |c| c.x0);
            }
        }
        sure[at..at + count].fill(true);
        at += count;
    }
    sure
}

/// Puts lines in the order of their baselines, and from left to right on each.
fn into_rows(lines: &mut [Line]) {
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut from = 0;
    while from < lines.len() {
        let (baseline, size) = (lines[from].baseline, lines[from].size);
        let level = |l: &&Line| l.baseline - baseline < 0.3 * size;
        let to = from + lines[from..].iter().take_while(level).count();
        let to = to.max(from + 1);
        lines[from..to].sort_by(|a, b| a.x0.total_cmp(&b.x0));
        from = to;
    }
}

/// The number of lines of the table that begins with the first of these, and the left edges of its columns.
fn table(lines: &[Line], contents: &[bool]) -> Option<(usize, Vec<f32>)> {
    let first = lines.first().filter(|l| usable(l) && !contents[0])?;
    let size = first.size;
    let level = |l: &Line| (l.baseline - first.baseline).abs() < 0.3 * size;
    // The cells of the first row may be lines of their own.
    let mut edges: Vec<f32> = Vec::new();
    let mut right = f32::MIN;
    for line in lines {
        if !usable(line) || !level(line) || line.x0 < right {
            break;
        }
        edges.extend(starts(line));
        right = line.x1 + GUTTER * size;
    }
    if edges.len() < 2 {
        return None;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut lowest = first.baseline;
    for (i, line) in lines.iter().enumerate().take(MOST) {
        let near = line.baseline > first.baseline - 0.3 * size
            && line.baseline - lowest < PITCH * size
            && line.page == first.page
            && line.frame == first.frame
            && (line.size - size).abs() < 0.15 * size;
        let fits = usable(line) && !contents[i] && near;
        let Some(gutters) = fits.then(|| gutters_at(line, &edges)).flatten() else {
            break;
        };
        lowest = lowest.max(line.baseline);
        let cells = gutters.len() + 1;
        let same = |r: &&mut Row| (r.baseline - line.baseline).abs() < 0.3 * size;
        match rows.iter_mut().find(same) {
            Some(row) => {
                row.cells += cells;
                row.last = i;
                row.bold &= line.bold;
            }
            None => rows.push(Row {
                baseline: line.baseline,
                cells,
                first: i,
                last: i,
                bold: line.bold,
            }),
        }
    }
    let full: Vec<&Row> = rows.iter().filter(|r| r.cells > 1).collect();
    let headed = full.first()?.bold && full.iter().skip(1).all(|r| !r.bold);
    let enough = full.len() >= 3 || (full.len() == 2 && edges.len() >= 3 && headed);
    if !enough {
        return None;
    }
    // Text below the last row ends its cells, if it begins under another column than the first.
    let mut end = full.iter().map(|r| r.last).max()? + 1;
    while let Some(line) = lines
        .get(end)
        .filter(|_| rows.iter().any(|r| r.first == end))
    {
        let below = line.baseline - lines[end - 1].baseline;
        if line.x0 < edges[1] - SAME_EDGE * size || below > WRAPPED * size {
            break;
        }
        end += 1;
    }
    let own = &lines[..end];
    (!listed(own, &edges) && !columns_of_prose(own, &edges)).then_some((end, edges))
}

/// The text on one baseline.
struct Row {
    baseline: f32,
    cells: usize,
    first: usize,
    last: usize,
    bold: bool,
}

/// The line may belong to a table that nothing else shows.
fn usable(line: &Line) -> bool {
    line.cell.is_none() && !line.in_chart && line.role == Role::Unknown && line.frame.width > 0.0
}

/// The narrowest blank of a line.
fn least(line: &Line) -> f32 {
    let blanks = line.chars.iter().filter(|c| c.ch == ' ');
    blanks.map(|c| c.x1 - c.x0).fold(f32::MAX, f32::min)
}

/// Where the pieces of a line begin: after blanks that are wide, and wider than others of the line.
fn starts(line: &Line) -> Vec<f32> {
    let least = least(line);
    let wide = |w: f32| w >= GUTTER * line.size;
    let part = |w: f32| wide(w) && (w >= WIDER * least || wide(least));
    let after = line.chars.windows(2).filter_map(|w| {
        let blank = w[0].ch == ' ' && part(w[0].x1 - w[0].x0);
        blank.then_some(w[1].x0)
    });
    std::iter::once(line.x0).chain(after).collect()
}

/// Finds the blanks of a line that are right before one of the `edges`. `None` if the line does not fit the edges,
/// which means one of these:
/// - the line does not begin at an edge;
/// - there is text in the strip before an edge;
/// - the blank before an edge is narrow, and hardly wider than the narrowest blank of the line;
/// - a wide gap does not end at an edge.
fn gutters_at(line: &Line, edges: &[f32]) -> Option<Vec<usize>> {
    let near = SAME_EDGE * line.size;
    let least = least(line);
    let own = edges.iter().position(|e| (e - line.x0).abs() < near)?;
    let mut out = Vec::new();
    for edge in &edges[own + 1..] {
        if *edge > line.x1 {
            break;
        }
        let strip = |i: &usize| {
            let c = &line.chars[*i];
            c.ch == ' ' && c.x0 <= edge - STRIP * line.size && c.x1 > edge - near
        };
        let blank = (0..line.chars.len()).find(strip)?;
        let width = line.chars[blank].x1 - line.chars[blank].x0;
        if width < CLEARLY * least && least < GUTTER * line.size {
            return None;
        }
        if (line.chars.get(blank + 1)?.x0 - edge).abs() < near {
            out.push(blank);
        }
    }
    let wide = |i: usize| {
        line.chars[i].ch == ' ' && line.chars[i].x1 - line.chars[i].x0 > GUTTER * line.size
    };
    (0..line.chars.len())
        .all(|i| !wide(i) || out.contains(&i))
        .then_some(out)
}

/// The texts of one column, from top to bottom.
fn column<'a>(
    lines: &'a [Line],
    edges: &'a [f32],
    at: usize,
) -> impl Iterator<Item = (String, f32)> + 'a {
    lines.iter().filter_map(move |line| {
        let from = edges[at] - SAME_EDGE * line.size;
        let to = edges
            .get(at + 1)
            .map_or(f32::MAX, |e| e - SAME_EDGE * line.size);
        let chars = line.chars.iter().filter(|c| from <= c.x0 && c.x0 < to);
        let right = chars
            .clone()
            .filter(|c| c.ch != ' ')
            .map(|c| c.x1)
            .fold(f32::MIN, f32::max);
        let text: String = chars.map(|c| c.ch).collect();
        (!text.trim().is_empty()).then(|| (text.trim().to_owned(), right))
    })
}

/// The first of two columns holds nothing but the numbers or bullets of a list.
fn listed(lines: &[Line], edges: &[f32]) -> bool {
    if edges.len() > 2 {
        return false;
    }
    let texts: Vec<String> = column(lines, edges, 0).map(|(text, _)| text).collect();
    let marks = texts.iter().filter(|text| {
        let whole: Vec<char> = text.chars().chain(" Xx".chars()).collect();
        let labelled = label(&whole, false).is_some_and(|l| l.len >= text.chars().count());
        labelled || !text.chars().any(char::is_alphabetic) || text.chars().count() < 2
    });
    marks.count() * 2 >= texts.len()
}

/// Both columns are full of running text: their lines end at one right edge.
fn columns_of_prose(lines: &[Line], edges: &[f32]) -> bool {
    let prose = |at: usize| {
        let texts: Vec<(String, f32)> = column(lines, edges, at).collect();
        let right = texts.iter().map(|t| t.1).fold(f32::MIN, f32::max);
        let chars: usize = texts.iter().map(|t| t.0.chars().count()).sum();
        let full = texts
            .iter()
            .filter(|t| t.1 > right - 0.15 * (right - edges[at]));
        chars >= PROSE * texts.len() && full.count() * 10 >= texts.len() * 6
    };
    edges.len() <= 3 && (0..edges.len()).all(prose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::line::Frame;

    /// Lines of pieces at places (in ems of ten points), each character half an em wide, a baseline every 1.3 ems.
    fn page(rows: &[&[(f32, &str)]]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (row, pieces) in rows.iter().enumerate() {
            let mut line = Line::plain(1, row, "");
            for (at, text) in *pieces {
                let piece = Line::plain(1, row, text);
                let from = line.chars.last().map_or(0.0, |c| c.x1);
                if !line.chars.is_empty() {
                    line.chars
                        .push(crate::layout::LineChar::space(from, at * 10.0));
                }
                for c in piece.chars {
                    // Blanks between words are a quarter of an em wide.
                    let left = line.chars.last().map_or(at * 10.0, |c| c.x1.max(at * 10.0));
                    let width = if c.ch == ' ' { 2.5 } else { 5.0 };
                    line.chars.push(crate::layout::LineChar {
                        ch: c.ch,
                        x0: left,
                        x1: left + width,
                        raised: false,
                        capital: false,
                    });
                }
            }
            line.x0 = line.chars.first().map_or(0.0, |c| c.x0);
            line.x1 = line.chars.last().map_or(0.0, |c| c.x1);
            line.size = 10.0;
            line.cells = 1;
            line.baseline = 100.0 + 13.0 * row as f32;
            line.frame = Frame {
                turn: 0,
                width: 600.0,
                height: 800.0,
            };
            lines.push(line);
        }
        lines
    }

    fn marked(lines: &mut [Line]) -> Vec<bool> {
        mark(lines, &vec![false; lines.len()])
    }

    #[test]
    fn short_cells_with_narrow_gutters_are_a_table() {
        let mut lines = page(&[
            &[(5.0, "The limits apply to each class from the first day.")],
            &[(5.0, "Class"), (10.3, "Limit"), (13.6, "Review")],
            &[(5.0, "Sovereign"), (10.3, "25 %"), (13.6, "Quarterly")],
            &[(5.0, "Bank"), (10.3, "15 %"), (13.6, "Monthly")],
            &[(5.0, "Exceptions are approved by the board of the bank.")],
        ]);
        assert_eq!(marked(&mut lines), [false, true, true, true, false]);
        assert_eq!(lines[2].cells, 3);
        let pieces: Vec<String> = crate::layout::rows::split(&lines[2])
            .iter()
            .map(Line::text)
            .collect();
        assert_eq!(pieces, ["Sovereign", "25 %", "Quarterly"]);
    }

    #[test]
    fn two_rows_are_enough_below_a_bold_head_of_three() {
        for (bold, table) in [(true, true), (false, false)] {
            let mut lines = page(&[
                &[(5.0, "Class"), (10.3, "Limit"), (13.6, "Review")],
                &[(5.0, "Sovereign"), (10.3, "25 %"), (13.6, "Quarterly")],
            ]);
            lines[0].bold = bold;
            assert_eq!(marked(&mut lines), [table, table]);
        }
    }

    /// The cells of a row come one by one, the second over two lines.
    #[test]
    fn cells_that_come_one_by_one_stand_in_their_rows() {
        let mut lines = page(&[
            &[(5.0, "Unit"), (15.0, "Duty"), (30.0, "Frequency")],
            &[(5.0, "Risk control"), (15.0, "Report every breach")],
            &[(15.0, "to the board")],
            &[(30.0, "At least once a quarter")],
            &[
                (5.0, "Audit"),
                (15.0, "Test the controls"),
                (30.0, "Once a year"),
            ],
        ]);
        lines[3].baseline = lines[1].baseline;
        assert_eq!(marked(&mut lines), [true; 5]);
        assert_eq!(lines[2].text(), "At least once a quarter");
        assert_eq!(lines[3].text(), "to the board");
    }

    #[test]
    fn lists_and_prose_are_no_tables() {
        for rows in [
            // Numbers of a list, and bullets.
            &[
                &[(5.0, "(a)"), (7.5, "the bank reports")][..],
                &[(5.0, "(b)"), (7.5, "the bank records")],
                &[(5.0, "(c)"), (7.5, "the bank discloses")],
            ][..],
            &[
                &[(5.0, "–"), (6.5, "the bank reports")],
                &[(5.0, "–"), (6.5, "the bank records")],
                &[(5.0, "–"), (6.5, "the bank discloses")],
            ],
            // Words spread over a narrow column.
            &[
                &[(5.0, "an"), (7.0, "institution"), (13.5, "shall")],
                &[(5.0, "keep"), (8.2, "records"), (13.1, "of")],
                &[(5.0, "every"), (8.9, "breach"), (13.0, "and")],
            ],
            // Words spread over the line, the second of whose gaps stand below each other by chance.
            &[
                &[(5.0, "on"), (6.6, "a"), (7.7, "check"), (10.8, "and")],
                &[(5.0, "or"), (6.5, "is"), (8.0, "cash"), (10.7, "but")],
                &[(5.0, "of"), (6.5, "it"), (8.0, "bank"), (10.7, "who")],
            ],
            // Two columns of running text.
            &[
                &[
                    (5.0, "The bank keeps its register for"),
                    (24.0, "The authority may ask for more"),
                ],
                &[
                    (5.0, "five years and reviews it every"),
                    (24.0, "where risks are not covered by"),
                ],
                &[
                    (5.0, "year, and it tells the board of"),
                    (24.0, "what a bank has computed, with"),
                ],
            ],
        ] {
            let mut lines = page(rows);
            let found = marked(&mut lines);
            assert!(found.iter().all(|f| !f), "{:?}", lines[0].text());
        }
    }
}
