//! Recognises lines that begin something new although no sentence ends before them, and lines that continue a sentence
//! although they look like a beginning. Examples are the entries of a list of references, names in quotation marks, and
//! initials.

use super::block::Block;
use super::ends::{ends_sentence, leading, room_left};
use super::usual::Run;
use crate::layout::{Line, Role};
use lexforge_ingest::numbering::{Count, Label, Level, Scheme, Wrap};
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words that need another one after them: no entry of a list ends with one.
    OPEN: HashSet<Word> = "english/open.txt";
}

/// An entry leaves at least this share of its column free where it ends.
const FREE: f32 = 0.35;
/// Columns narrower than this, in ems, hold few words a line, so their edge is ragged.
const NARROW: f32 = 16.0;
/// Lines that begin in one place differ by less than this, in ems.
const SAME: f32 = 0.5;
/// The lines of an entry after its first one are set in by more than this, in ems.
const HANGS: f32 = 0.8;
/// Marks that enclose a name which may be parted between two lines.
const MARKS: [(char, char); 2] = [('《', '》'), ('〈', '〉')];

/// Whether line `i` begins a new entry, for example of a list of references. The line before it must have free space at
/// its end; in running text, the first word of line `i` would be there. In addition, both lines begin at the same left
/// edge, or the lines of the entry before are indented below its first line.
pub(super) fn begins_entry(lines: &[Line], block: &Block, i: usize, run: Run, usual: f32) -> bool {
    let (Some(&first), Some(&last)) = (block.lines.first(), block.lines.last()) else {
        return false;
    };
    let (head, before, line) = (&lines[first], &lines[last], &lines[i]);
    let em = line.size.max(0.1);
    let printed = line.role == Role::Unknown && line.frame.width > 0.0;
    let plain = |l: &Line| !l.bold && l.size <= 1.1 * usual && l.cells <= 1 && !l.in_chart;
    let running = printed && plain(before) && plain(line) && block.framed.is_none();
    let Some(begin) = line.chars.first().map(|c| c.ch) else {
        return false;
    };
    let anew = begin.is_uppercase() || begin.is_ascii_digit() || "“‘\"".contains(begin);
    let aligned = (line.x0 - head.x0).abs() < SAME * em;
    // A number or a letter alone is no entry: `I` above `REGULATIONS`.
    let words = block.lines.iter().map(|&at| lines[at].text());
    let is_one_word = words
        .map(|text| text.split_whitespace().count())
        .sum::<usize>()
        < 2;
    if !running || !anew || !aligned || is_one_word || block.label.is_some() || is_open(before) {
        return false;
    }
    let hangs = |&at: &usize| lines[at].x0 > line.x0 + HANGS * em;
    let rest = &block.lines[1..];
    if !rest.is_empty() && rest.iter().all(hangs) {
        return true;
    }
    // Where several lines of a paragraph stop short, its own column is narrower.
    let width = run.right - run.left;
    let short = |at: usize| run.right - lines[at].x1 > FREE * width;
    let earlier = &block.lines[..block.lines.len() - 1];
    let alone = short(last) && !earlier.iter().any(|&at| short(at));
    width > NARROW * em && alone && !rest.iter().any(hangs)
}

/// Whether line `i` begins an entry right below `block`, which is an entry, too, since nothing else parts them.
pub(super) fn close_entries(
    lines: &[Line],
    block: &Block,
    i: usize,
    runs: &[Run],
    usual: f32,
) -> bool {
    let Some(&last) = block.lines.last() else {
        return false;
    };
    let (before, line) = (&lines[last], &lines[i]);
    let down = line.baseline - before.baseline;
    let size = before.size.max(line.size);
    let close = before.page == line.page
        && before.frame == line.frame
        && down > 0.0
        && down <= 1.4 * leading(lines, block, size).max(size);
    close
        && !line.break_before
        && !ends_sentence(before)
        && room_left(before, line, runs[last])
        && begins_entry(lines, block, i, runs[last], usual)
}

/// Whether the line cannot end an entry: it ends with a comma, with an open bracket, or with a word that needs another.
fn is_open(line: &Line) -> bool {
    let text = line.text();
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let count = |sign: char| text.chars().filter(|c| *c == sign).count();
    // If a line also has small letters, a last word in capitals is a letter or an abbreviation: `Forms of Part A`,
    // `Report of Ports AS`.
    let capitals = last.chars().all(char::is_uppercase);
    let is_name = capitals && (last == "A" || text.chars().any(char::is_lowercase));
    (!is_name && OPEN.contains(last.to_lowercase().as_str()))
        || text.ends_with([',', '-', '–', '—', '/', '&'])
        || count('(') > count(')')
        || count('“') > count('”')
}

/// Whether the line before ends in the midst of a name in quotation marks, which the next line closes.
pub(super) fn goes_on_in_marks(before: &Line, line: &Line) -> bool {
    let down = line.baseline - before.baseline;
    let below = before.page == line.page && before.frame == line.frame && down > 0.0;
    let alike = below && before.bold == line.bold && down < 2.5 * line.size;
    alike
        && MARKS.iter().any(|&(opens, closes)| {
            let opened = before.chars.iter().rposition(|c| c.ch == opens);
            let closed = before.chars.iter().rposition(|c| c.ch == closes);
            let open = opened.is_some_and(|at| closed.is_none_or(|end| end < at));
            let mut signs = line.chars.iter().map(|c| c.ch);
            open && signs.find(|c| [opens, closes].contains(c)) == Some(closes)
        })
}

/// Words after which a Chinese title has not ended.
const JOINS: [char; 5] = ['和', '与', '及', '、', '的'];

/// Whether the line goes on with the title of a Chinese chapter, which ends in a word that joins two others.
pub(super) fn goes_on_in_title(block: &Block, before: &Line, line: &Line) -> bool {
    let down = line.baseline - before.baseline;
    let near = before.page == line.page && down > 0.0 && down < 3.0 * line.size;
    let chapter = block
        .label
        .as_ref()
        .is_some_and(|l| matches!(l.scheme, Scheme::Named(level) if level != Level::Article));
    let joins = before.chars.last().is_some_and(|c| JOINS.contains(&c.ch));
    chapter && near && joins && before.bold == line.bold && line.chars.len() <= 40
}

/// Whether the label is the initial of a name inside a sentence: `S. Typhimurium` after `S. Enteritidis and`. This is
/// so if the letter does not continue the numbering of the open item, and the text before it does not end like an item.
pub(super) fn is_initial(before: &Line, line: &Line, label: &Label, block: &Block) -> bool {
    let Scheme::Item(Wrap::Dot, Count::Upper | Count::UpperRoman) = label.scheme else {
        return false;
    };
    let text = before.text();
    let joined = [" and", " or"].iter().any(|word| {
        text.strip_suffix(word)
            .is_some_and(|rest| !rest.ends_with([',', ';', ':', '.']))
    });
    let aligned = (line.x0 - before.x0).abs() < SAME * line.size;
    let of_list = block.label.as_ref().is_some_and(|l| {
        matches!(l.scheme, Scheme::Item(Wrap::Dot, _)) && l.value + 1 == label.value
    });
    joined && aligned && label.value != 1 && !of_list
}

/// Lines after a dash among which another one shows a list.
const LISTED: usize = 8;

/// Whether the dash at the beginning of line `i` stands within a sentence: `reports of the group` / `– if there is one –
/// each year`. The caller knows that the line before is full and has no mark at its end. Items of a list begin with a
/// dash, too, but there are several, and they are set in or begin with a capital.
pub(super) fn is_dash_within(lines: &[Line], block: &Block, i: usize, label: &Label) -> bool {
    let line = &lines[i];
    let dash = |l: &Line| l.chars.first().is_some_and(|c| "-–—".contains(c.ch));
    let aligned = |l: &Line| (line.x0 - l.x0).abs() < SAME * line.size;
    let Some(before) = block.lines.last().map(|&at| &lines[at]) else {
        return false;
    };
    let small = line
        .chars
        .get(label.len)
        .is_some_and(|c| c.ch.is_lowercase());
    let above = block.lines.iter().any(|&at| dash(&lines[at]));
    let below = || {
        let mut next = lines[i + 1..].iter().take(LISTED);
        next.any(|l| dash(l) && aligned(l))
    };
    label.scheme == Scheme::Bullet && dash(line) && aligned(before) && small && !above && !below()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::blocks::{BlockKind, blocks, usual};

    /// The lines, each with the place where it begins, below running text, and their blocks.
    fn found(lines: &[(f32, &str)]) -> (Vec<Line>, Vec<Block>) {
        let wide =
            "Banks report what they lend to persons who stand close to them every year, and on.";
        let all = [wide, wide, wide].into_iter().map(|text| (0.0, text));
        let mut lines: Vec<Line> = all
            .chain(lines.iter().copied())
            .enumerate()
            .map(|(at, (left, text))| {
                let mut line = Line::plain(1, at, text);
                line.frame.width = 100.0;
                line.frame.height = 140.0;
                line.x0 += left;
                line.x1 += left;
                for c in &mut line.chars {
                    c.x0 += left;
                    c.x1 += left;
                }
                line
            })
            .collect();
        lines[3].break_before = true;
        let found = blocks(&lines, &vec![None; lines.len()], usual(&lines));
        (lines, found)
    }

    /// The texts of their blocks.
    fn parted(lines: &[(f32, &str)]) -> Vec<String> {
        let (lines, found) = found(lines);
        let of = |b: &Block| {
            let texts: Vec<String> = b.lines.iter().map(|&i| lines[i].text()).collect();
            texts.join("|")
        };
        let own = |b: &&Block| b.lines[0] >= 3;
        found.iter().filter(own).map(of).collect()
    }

    #[test]
    fn a_dash_within_a_sentence_begins_no_item() {
        let full = "The bank counts what it lends to the persons who stand close to it in all of its group";
        for (lines, expected) in [
            (&[full, "– if it is in one – and says so each year."][..], 1),
            (
                &[
                    full,
                    "– the loans of the bank",
                    "– the shares that it holds",
                ],
                3,
            ),
            (&[full, "– The loans of the bank"], 2),
            (&["The bank counts", "– the loans that it gives"], 2),
        ] {
            let lines: Vec<(f32, &str)> = lines.iter().map(|text| (0.0, *text)).collect();
            let found = parted(&lines);
            assert_eq!(found.len(), expected, "{found:?}");
        }
    }

    #[test]
    fn entries_of_a_list_without_stops_are_parted() {
        for (why, lines, expected) in [
            (
                "short lines",
                &[
                    (0.0, "Act on the Limits of Loans"),
                    (0.0, "Act on Branches (all banks)"),
                    (0.0, "12 Rules on Capital"),
                ][..],
                3,
            ),
            (
                "hanging lines",
                &[
                    (
                        0.0,
                        "Act on the Limits of Loans of Banks to Persons Who Stand Close to Them and",
                    ),
                    (4.0, "families of theirs"),
                    (
                        0.0,
                        "Act on Branches of Banks, and on what their Supervisors Read of Them in",
                    ),
                    (4.0, "Newspapers of theirs"),
                ][..],
                2,
            ),
            (
                "an open line",
                &[(0.0, "The board of the"), (0.0, "Bank reports it to all.")][..],
                1,
            ),
            (
                "a word that needs another",
                &[
                    (0.0, "The board reports under"),
                    (0.0, "Rules of its own, to all."),
                ][..],
                1,
            ),
            (
                "a letter and an abbreviation that are no such words",
                &[
                    (0.0, "Forms of the banks, Part A"),
                    (0.0, "Report of Ports AS"),
                    (0.0, "Forms of the branches"),
                ][..],
                3,
            ),
            (
                "a comma",
                &[
                    (0.0, "The board reports,"),
                    (0.0, "Monday by Monday, to all."),
                ][..],
                1,
            ),
            (
                "a small letter",
                &[(0.0, "The board reports it"), (0.0, "to all of them.")][..],
                1,
            ),
            (
                "a long line",
                &[
                    (
                        0.0,
                        "The board reports it to the persons who read it every year and to its",
                    ),
                    (0.0, "Owners at once."),
                ][..],
                1,
            ),
        ] {
            assert_eq!(parted(lines).len(), expected, "{why}: {:?}", parted(lines));
        }
    }

    #[test]
    fn entries_in_capitals_are_no_headings() {
        let texts = [
            "“Commercial Lending Limits”",
            "“Country Risk Management”",
            "“Cash Accounts”",
        ];
        let lines = texts.iter().map(|text| (0.0, *text));
        let (_, found) = found(&lines.collect::<Vec<_>>());
        let own: Vec<BlockKind> = found
            .iter()
            .filter(|b| b.lines[0] >= 3)
            .map(|b| b.kind)
            .collect();
        assert_eq!(own, [BlockKind::Text; 3]);
    }

    #[test]
    fn an_initial_in_a_sentence_numbers_no_item() {
        let long = "The samples of food that the offices took in that year held much of S. Aba and";
        for (before, line, one) in [
            (long, "S. Bora, which is rare.", true),
            (
                &long.replace(" and", "; and"),
                "S. Bora, which is rare.",
                false,
            ),
        ] {
            let found = parted(&[(0.0, before), (0.0, line)]);
            assert_eq!(found.len() == 1, one, "{found:?}");
        }
    }

    #[test]
    fn the_title_of_a_chapter_goes_on_after_a_word_that_joins() {
        for (title, rest, one) in [
            ("第三章 知情权、选择权和", "交易权", true),
            ("第三章 知情权、选择权", "交易权", false),
        ] {
            let found = parted(&[(8.0, title), (20.0, rest)]);
            assert_eq!(found.len() == 1, one, "{found:?}");
        }
    }

    #[test]
    fn a_name_in_marks_goes_on() {
        for (before, line, is) in [
            ("附件为主管部门就《限额办", "法》答问", true),
            ("附件为主管部门就《限额办法》", "法》答问", false),
            ("附件为主管部门就《限额办", "《另一办法》答问", false),
        ] {
            let lines = [Line::plain(1, 0, before), Line::plain(1, 1, line)];
            assert_eq!(
                goes_on_in_marks(&lines[0], &lines[1]),
                is,
                "{before} {line}"
            );
        }
    }
}
