//! Whether a block looks like a heading, and how prominent it is.

use super::block::{Block, BlockKind};
use super::usual::{Run, Usual};
use crate::layout::{Line, Role};
use crate::structure::captions::is_remark;
use lexforge_ingest::numbering::Scheme;

pub(super) fn styled_line(line: &Line, usual: Usual, run: Run) -> bool {
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
        || line.size > 1.1 * usual.largest
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

/// Whether the first word after a label of `label` characters begins with a small letter. The result is false for a
/// name with a capital inside, such as `e-Reports` and `eIDAS`. It is true for a small letter of a formula (`𝑥`).
fn begins_small(line: &Line, label: usize) -> bool {
    let rest = line.chars.iter().skip(label).map(|c| c.ch);
    let word: Vec<char> = rest
        .skip_while(|c| *c == ' ')
        .take_while(|c| c.is_alphabetic() || *c == '-')
        .collect();
    let is_name = word.iter().any(|c| c.is_uppercase()) && !word.iter().any(|c| of_formula(*c));
    word.first().is_some_and(|c| c.is_lowercase()) && !is_name
}

/// A letter of Unicode's block for formulas: `𝑥`.
pub(super) fn of_formula(c: char) -> bool {
    ('\u{1D400}'..='\u{1D7FF}').contains(&c)
}

/// Decides whether a block is a heading, and how prominent it is. `apart` says that it looks different from the text
/// around it. `entry` says that it is an entry of a list; in such a list capitals do not show a heading.
pub(super) fn style(
    block: &mut Block,
    lines: &[Line],
    usual: Usual,
    runs: &[Run],
    (apart, entry): (bool, bool),
) {
    if block.kind != BlockKind::Text {
        return;
    }
    let all = |test: &dyn Fn(&Line) -> bool| block.lines.iter().all(|&i| test(&lines[i]));
    let size = lines[block.lines[0]].size;
    match lines[block.lines[0]].role {
        Role::Heading(level) => {
            block.kind = BlockKind::Heading;
            block.styled = true;
            // A heading that the file names is above any heading that only looks like one.
            block.prominence = usual.size + f32::from(10u8.saturating_sub(level));
            return;
        }
        Role::Definition | Role::Item => {
            block.prominence = size;
            return;
        }
        _ => {}
    }
    let bold = all(&|l| l.bold) && (apart || !usual.bold);
    let caps = all(&is_caps);
    let large = size > 1.1 * usual.largest;
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
    // The letter that numbers a heading may be small: `a. Scope`.
    let label = block.label.as_ref().filter(|_| apart).map_or(0, |l| l.len);
    let begins_small = bullet || begins_small(&lines[block.lines[0]], label);
    let italic = all(&|l| l.italic) && chars <= 90 && block.lines.len() == 1;
    let plain = !entry
        && block.label.is_none()
        && block.lines.len() == 1
        && capitalised(&lines[block.lines[0]]);
    // A line that is set apart by its place alone is a clause if it has the punctuation of one.
    let clause = block
        .lines
        .iter()
        .any(|&i| lines[i].chars.iter().any(|c| ",，;；。".contains(c.ch)));
    // The title of a slide or of a page may end with a colon.
    let titled = end == ':' && large && bold && block.lines.len() == 1 && chars <= 90;
    let look = bold || large || caps || italic || plain || apart;
    let looks = look || (numbered && block.styled && !clause);
    let remark = is_remark(&lines[block.lines[0]].text());
    // Several cells on one baseline are the row of a table, or the head of one.
    let row = block
        .lines
        .iter()
        .any(|&i| lines[i].cells > 2 && !justified(&lines[i]));
    if looks
        && !row
        && !remark
        && short
        && letters >= 2
        && !begins_small
        && (!open_end || titled || (numbered && end == '.' && chars <= 90))
    {
        block.kind = BlockKind::Heading;
    }
}
