//! Where lines end: how far apart they stand, whether the next word had room, whether a sentence ends.

use super::block::Block;
use super::usual::Run;
use crate::layout::Line;
use lexforge_text::is_set_solid;

/// The next line of a text stands no further below, in ems.
const NEAR: f32 = 3.5;
/// Baselines of lines that stand beside each other differ by less than this, in ems.
const BESIDE: f32 = 0.9;

/// Whether two lines stand beside each other, as the heads of two columns do.
pub(super) fn is_beside(line: &Line, other: &Line) -> bool {
    let apart = (line.baseline - other.baseline).abs();
    line.page == other.page && line.frame == other.frame && apart < BESIDE * line.size
}

/// Usual distance of baselines in the block; for a single line, a common one for its size.
pub(super) fn leading(lines: &[Line], block: &Block, size: f32) -> f32 {
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
    // For a block of one line, the next distance between lines in the same column counts.
    let Some(&at) = block.lines.last() else {
        return 1.2 * size;
    };
    // The rows of a table stand closer than the lines of a text: they tell only where there is no text.
    let (mut prose, mut rows) = (f32::MAX, f32::MAX);
    for pair in lines[at.saturating_sub(6)..(at + 8).min(lines.len())].windows(2) {
        let down = pair[1].baseline - pair[0].baseline;
        let alike =
            (pair[0].size - size).abs() < 0.1 * size && (pair[1].size - size).abs() < 0.1 * size;
        if pair[0].page == pair[1].page && alike && down > 0.5 * size && down < 3.0 * size {
            let row = pair.iter().any(|l| l.cell.is_some() || l.figure.is_some());
            let least = if row { &mut rows } else { &mut prose };
            *least = least.min(down);
        }
    }
    let known = if prose < f32::MAX { prose } else { rows };
    known.min(2.2 * size)
}

/// Whether the first word of `line` would have fitted at the end of `before`.
pub(super) fn room_left(before: &Line, line: &Line, run: Run) -> bool {
    // A centred line may stand too far from the next one to be in one run with it.
    let down = line.baseline - before.baseline;
    let below = line.page == before.page
        && line.frame == before.frame
        && down > 0.0
        && down < NEAR * line.size.max(before.size);
    let right = if below {
        run.right.max(line.x1)
    } else {
        run.right
    };
    let room = right - before.x1;
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

/// The line ends a sentence (closing quotes and brackets aside).
pub(super) fn ends_sentence(line: &Line) -> bool {
    // A web address may be parted anywhere.
    if line
        .text()
        .rsplit(' ')
        .next()
        .is_some_and(|word| word.contains("://"))
        && ends_with(line, '?')
    {
        return false;
    }
    let last = line
        .chars
        .iter()
        .rev()
        .map(|c| c.ch)
        .find(|c| !"\"'”’)）]』」》".contains(*c));
    last.is_some_and(|c| ".!?;:。！？；：".contains(c))
}

fn ends_with(line: &Line, last: char) -> bool {
    line.chars.last().is_some_and(|c| c.ch == last)
}
