//! Finds labels of table rows that look like headings. The last row of a table may continue on the next page. There it
//! may not be recognised as a part of a table, and its label may look like a heading. Such a label must not become a
//! heading. Otherwise all text after the table would be put under it.

use super::blocks::{Block, BlockKind};
use crate::layout::Line;

/// Lines whose left edges differ by less than this, in ems, stand in one column.
const EDGE: f32 = 0.3;
/// How far above its labels the name of a chart stands at most, in ems.
const ABOVE_CHART: f32 = 1.2;

/// Turns a block that looks like a heading into plain text if it is one of these:
/// - the label of a row: it is in the first column of a table above it and next to a line of another column;
/// - the head of one column, or of several;
/// - the name of a chart.
pub(crate) fn demote(blocks: &mut [Block], lines: &[Line]) {
    for block in blocks {
        if block.kind != BlockKind::Heading || block.label.is_some() {
            continue;
        }
        let demoted = is_row_label(block, lines)
            || heads_column(block, lines)
            || holds_heads(block, lines)
            || names_chart(block, lines);
        if demoted {
            block.kind = BlockKind::Text;
        }
    }
}

/// Whether a line is the name of a chart: it is closely above the chart's labels.
fn names_chart(block: &Block, lines: &[Line]) -> bool {
    let Some(&last) = block.lines.last() else {
        return false;
    };
    let head = &lines[last];
    lines.get(last + 1).is_some_and(|next| {
        let gap = next.top() - head.bottom();
        next.figure.is_some()
            && next.page == head.page
            && next.frame == head.frame
            && gap > -head.size
            && gap < ABOVE_CHART * head.size
    })
}

/// The head of a column: what comes next stands to its right on the same height, and is a cell or as bold.
fn heads_column(block: &Block, lines: &[Line]) -> bool {
    let (Some(&first), Some(&last)) = (block.lines.first(), block.lines.last()) else {
        return false;
    };
    let (head, end) = (&lines[first], &lines[last]);
    let em = head.size.max(0.1);
    let right = block
        .lines
        .iter()
        .fold(f32::MIN, |right, &i| right.max(lines[i].x1));
    let beside = head.baseline - 0.5 * em..end.baseline + 0.5 * em;
    lines.get(last + 1).is_some_and(|next| {
        next.page == head.page
            && next.frame == head.frame
            && next.x0 > right
            && beside.contains(&next.baseline)
            && (next.cell.is_some() || (next.bold && head.bold))
    })
}

/// The heads of several columns: lines of the block stand beside each other, and the cells of a table come next.
fn holds_heads(block: &Block, lines: &[Line]) -> bool {
    let Some(&last) = block.lines.last() else {
        return false;
    };
    let end = &lines[last];
    let own = || block.lines.iter().map(|&i| &lines[i]);
    let beside = |a: &Line, b: &Line| {
        a.page == b.page && a.x1 < b.x0 && (a.baseline - b.baseline).abs() < a.size.max(b.size)
    };
    own().any(|a| own().any(|b| beside(a, b)))
        && lines.get(last + 1).is_some_and(|next| {
            next.cell.is_some() && next.page == end.page && next.frame == end.frame
        })
}

fn is_row_label(block: &Block, lines: &[Line]) -> bool {
    let (Some(&first), Some(&last)) = (block.lines.first(), block.lines.last()) else {
        return false;
    };
    let (head, end) = (&lines[first], &lines[last]);
    let em = head.size.max(0.1);
    let on_page = |line: &&Line| line.page == head.page && line.frame == head.frame;
    let above: Vec<f32> = lines[..first]
        .iter()
        .rev()
        .take_while(|line| line.page == head.page)
        .filter(|line| line.cell.is_some() && line.frame == head.frame)
        .map(|line| line.x0)
        .collect();
    let in_column = |x: f32| above.iter().any(|edge| (edge - x).abs() < EDGE * em);
    if !in_column(head.x0) {
        return false;
    }
    let right = block
        .lines
        .iter()
        .fold(f32::MIN, |right, &i| right.max(lines[i].x1));
    let beside = head.baseline - 1.5 * em..end.baseline + 0.5 * em;
    // Lines of one page follow each other.
    let before = lines[..first].iter().rev().take_while(on_page);
    let after = lines[first..].iter().take_while(on_page);
    before
        .chain(after)
        .any(|line| line.x0 > right && beside.contains(&line.baseline) && in_column(line.x0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Cell;
    use crate::structure::blocks::{blocks, usual};

    /// A line with its left edge, in a cell of the first table where `cell` says its column.
    fn line(row: usize, left: f32, text: &str, cell: Option<u32>) -> Line {
        let mut line = Line::plain(1, row, text);
        line.x0 += left;
        line.x1 += left;
        line.cell = cell.map(|column| Cell::single(0, 0, column));
        line
    }

    /// The kind of block that a label in the first column becomes, with the prose beside it at this place.
    fn kind_of_label(second_column: f32) -> Option<BlockKind> {
        let mut lines = vec![
            line(0, 0.0, "Paragraph 3 on the limits", Some(0)),
            line(0, 40.0, "One respondent asks for a longer period.", Some(1)),
            line(4, 0.0, "Paragraph 7", None),
            line(
                4,
                second_column,
                "Some respondents ask what the board is to",
                None,
            ),
            line(
                5,
                second_column,
                "do where a limit is passed for a short time",
                None,
            ),
        ];
        lines[2].bold = true;
        let usual = usual(&lines);
        let mut blocks = blocks(&lines, &[None; 5], usual);
        demote(&mut blocks, &lines);
        let label = blocks.iter().find(|b| b.lines.first() == Some(&2));
        label.map(|b| b.kind)
    }

    #[test]
    fn a_head_beside_the_heads_of_other_columns_heads_nothing() {
        let kind = |bold: bool| {
            let mut lines = vec![
                line(0, 0.0, "Flows of", None),
                line(1, 0.0, "money", None),
                line(1, 40.0, "What is measured, and how it is limited", None),
            ];
            (lines[0].bold, lines[1].bold, lines[2].bold) = (true, true, bold);
            lines.push(line(
                3,
                0.0,
                "Money that comes in and goes out each day is counted in the evening, by hand, and told.",
                None,
            ));
            let usual = usual(&lines);
            let mut blocks = blocks(&lines, &[None; 4], usual);
            demote(&mut blocks, &lines);
            blocks[0].kind
        };
        assert_eq!(kind(true), BlockKind::Text);
        // Text beside a heading in the margin.
        assert_eq!(kind(false), BlockKind::Heading);
    }

    #[test]
    fn heads_beside_each_other_above_cells_head_nothing() {
        for (left, cell, kind) in [
            (40.0, Some(0), BlockKind::Text),
            (0.0, Some(0), BlockKind::Heading),
            (40.0, None, BlockKind::Heading),
        ] {
            let lines = [
                line(0, 0.0, "What is measured", None),
                line(0, left, "What is expected", None),
                line(3, 0.0, "Limits of a bank", cell),
            ];
            let mut block = Block {
                kind: BlockKind::Heading,
                lines: vec![0, 1],
                label: None,
                indent: 0.0,
                gap: None,
                scale: 1.0,
                hang: None,
                styled: true,
                framed: None,
                prominence: 2.0,
            };
            demote(std::slice::from_mut(&mut block), &lines);
            assert_eq!(block.kind, kind, "{left} {cell:?}");
        }
    }

    #[test]
    fn the_label_of_a_row_that_goes_over_the_page_heads_nothing() {
        assert_eq!(kind_of_label(40.0), Some(BlockKind::Text));
        // Prose beside a heading that is in no column of the table.
        assert_eq!(kind_of_label(52.0), Some(BlockKind::Heading));
    }
}
