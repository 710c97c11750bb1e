//! Lines that programs print around a text: the address, the time of printing, page counts, an invitation to scan a
//! code.
//!
//! Such a line is recognised by its place in the margin and by its form. So one page is enough to recognise it.
//! (Running heads are recognised only by comparing several pages.)

use super::line::Line;
use super::rows::split;
use std::collections::{HashMap, HashSet};

/// A row of more characters is running text.
const LONGEST: usize = 240;
/// A single address must be this far from the text, in its ems.
const APART: f32 = 2.0;
/// Longest invitation, in characters.
const INVITATION: usize = 30;

/// The form of a piece of a row in the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `3/12`: it counts pages where the numbers fit.
    Fraction(i64, i64),
    /// `Page 3 of 12`, `第3页 共12页`.
    Count,
    /// `https://…`, `file:///…`.
    Address,
    /// A date with the time of day.
    Time,
    /// `扫一扫`.
    Invitation,
}

/// For every page, the lines in its margin that a program printed around the text. `edges` gives the lines in the
/// margin, beginning at the edge of the page.
pub fn rows(pages: &[Vec<Line>], edges: &[Vec<usize>]) -> Vec<HashSet<usize>> {
    let forms: Vec<Vec<Row>> = pages
        .iter()
        .zip(edges)
        .map(|(page, edge)| margin(page, edge))
        .collect();
    let counts = counting(&forms);
    let fits = |form: &Form, number: usize| match form {
        Form::Fraction(n, of) => counts.contains(&(n - number as i64, *of)),
        _ => true,
    };
    forms
        .iter()
        .enumerate()
        .map(|(number, rows)| {
            let sure = |row: &&Row| {
                let forms = row.forms.iter().flatten().filter(|f| fits(f, number));
                let other = row.forms.iter().filter(|f| f.is_none()).count();
                let address = forms.clone().all(|f| *f == Form::Address);
                let several = forms.clone().count() > 1;
                let any = forms.count() > 0;
                any && other <= 2 && !row.prose && (!address || several || row.apart)
            };
            // A row is taken out only if all rows further out are taken out, too.
            rows.iter()
                .take_while(sure)
                .flat_map(|row| row.lines.iter().copied())
                .collect()
        })
        .collect()
}

/// A short line that asks to be scanned with a telephone.
pub fn invites(text: &str) -> bool {
    let asks = ["扫一扫", "扫描二维码", "扫描下方二维码"];
    let lower = text.to_lowercase();
    let english = ["scan the qr code", "scan this qr code"];
    let short = text.chars().count() <= INVITATION;
    let ends = text.trim_end().ends_with(['.', '。', '；', ';', '！']);
    short
        && !ends
        && (asks.iter().any(|a| text.contains(a)) || english.iter().any(|a| lower.contains(a)))
}

/// The text on one baseline of the margin.
struct Row {
    lines: Vec<usize>,
    /// The form of each piece.
    forms: Vec<Option<Form>>,
    /// Whether it reads like running text.
    prose: bool,
    /// The distance to the text is larger than between lines.
    apart: bool,
}

/// The rows of a margin, from the edge inwards.
fn margin(page: &[Line], edge: &[usize]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut at = 0;
    while at < edge.len() {
        let (baseline, size) = (page[edge[at]].baseline, page[edge[at]].size);
        let level = |i: &&usize| (page[**i].baseline - baseline).abs() < 0.5 * size;
        let lines: Vec<usize> = edge[at..].iter().take_while(level).copied().collect();
        at += lines.len();
        let pieces: Vec<String> = lines
            .iter()
            .flat_map(|&i| split(&page[i]))
            .map(|l| l.text())
            .collect();
        let length: usize = pieces.iter().map(|p| p.chars().count()).sum();
        let forms: Vec<Option<Form>> = pieces.iter().flat_map(|p| forms(p)).collect();
        let sentence = pieces
            .iter()
            .any(|p| form(p).is_none() && p.trim_end().ends_with(['.', ';', '。', '；']));
        let apart = page
            .iter()
            .enumerate()
            .filter(|(i, _)| !lines.contains(i))
            .all(|(_, l)| (l.baseline - baseline).abs() > APART * size.max(l.size));
        rows.push(Row {
            lines,
            forms,
            prose: sentence || length > LONGEST,
            apart,
        });
    }
    rows
}

/// Finds fractions that count pages, such as `3/12`. Each is returned as two numbers: its first number minus the index
/// of its page, and its second number. A fraction counts if the same two numbers result on several pages, which shows
/// that it is counted up from page to page. The second number must not look like a year. In a file of one page, `1/1`
/// is enough.
fn counting(pages: &[Vec<Row>]) -> HashSet<(i64, i64)> {
    let mut seen: HashMap<(i64, i64), usize> = HashMap::new();
    for (number, rows) in pages.iter().enumerate() {
        let found: HashSet<(i64, i64)> = rows
            .iter()
            .flat_map(|r| r.forms.iter().flatten())
            .filter_map(|f| match f {
                Form::Fraction(n, of) => Some((n - number as i64, *of)),
                _ => None,
            })
            .collect();
        for key in found {
            *seen.entry(key).or_default() += 1;
        }
    }
    let count = pages.len();
    seen.into_iter()
        .filter(|&((shift, of), times)| {
            let whole = shift == 1 && of == count as i64;
            whole || (times >= 2 && !(1900..=2100).contains(&of))
        })
        .map(|(key, _)| key)
        .collect()
}

/// The forms in a piece: an address and the count of the pages may stand closely together.
fn forms(piece: &str) -> Vec<Option<Form>> {
    let piece = piece.trim();
    if let Some((address, count)) = piece.rsplit_once(' ')
        && form(address) == Some(Form::Address)
    {
        return vec![form(address), form(count)];
    }
    // `Internal – Page 3 of 12`
    if let Some((_, count)) = piece.rsplit_once(['|', '–', '—', '·', '•'])
        && form(count) == Some(Form::Count)
    {
        return vec![None, Some(Form::Count)];
    }
    vec![form(piece)]
}

fn form(piece: &str) -> Option<Form> {
    let piece = piece.trim();
    if let Some((n, of)) = fraction(piece) {
        return Some(Form::Fraction(n, of));
    }
    let begins = ["http://", "https://", "file:///", "www."];
    if begins.iter().any(|b| piece.starts_with(b)) && !piece.contains(char::is_whitespace) {
        return Some(Form::Address);
    }
    if counts_pages(piece) {
        return Some(Form::Count);
    }
    if tells_time(piece) {
        return Some(Form::Time);
    }
    invites(piece).then_some(Form::Invitation)
}

/// `3/12`, and `3 / 12`.
fn fraction(piece: &str) -> Option<(i64, i64)> {
    let (n, of) = piece.split_once('/')?;
    let number = |t: &str| {
        let t = t.trim();
        let digits = (1..=5).contains(&t.len()) && t.chars().all(|c| c.is_ascii_digit());
        t.parse::<i64>().ok().filter(|_| digits)
    };
    let (n, of) = (number(n)?, number(of)?);
    (1..=of).contains(&n).then_some((n, of))
}

/// `Page 3 of 12`, `第3页 共12页`, `第3页/共12页`.
fn counts_pages(piece: &str) -> bool {
    let lower = piece.to_lowercase();
    let bare: String = lower
        .chars()
        .filter(|c| !c.is_whitespace() && !"/，,|-".contains(*c))
        .collect();
    let numbers = |text: &str, between: &str| {
        text.split_once(between).is_some_and(|(n, of)| {
            let number = |t: &str| !t.is_empty() && t.chars().all(|c| c.is_ascii_digit());
            number(n) && number(of)
        })
    };
    let english = bare.strip_prefix("page").is_some_and(|r| numbers(r, "of"));
    // Some fonts print the radical that looks like the character for page.
    let chinese = bare
        .replace('\u{2EDA}', "页")
        .strip_prefix('第')
        .and_then(|r| r.strip_suffix('页'))
        .is_some_and(|r| numbers(r, "页共"));
    english || chinese
}

/// A date in figures with the time of day, and nothing else but words for printing.
fn tells_time(piece: &str) -> bool {
    let mut text = piece.to_lowercase();
    for mark in ["打印时间", "打印日期", ",", "，", "上午", "下午"] {
        text = text.replace(&format!("{mark}："), " ").replace(mark, " ");
    }
    for mark in ["年", "月", "日"] {
        text = text.replace(mark, if mark == "日" { " " } else { "/" });
    }
    let (mut date, mut time) = (false, false);
    for word in text.split_whitespace() {
        let numbers = |mark: char| {
            let parts: Vec<&str> = word.split(mark).collect();
            let digits =
                |p: &&str| (1..=4).contains(&p.len()) && p.chars().all(|c| c.is_ascii_digit());
            if parts.iter().all(digits) {
                parts.len()
            } else {
                0
            }
        };
        if ['/', '-', '.'].into_iter().any(|m| numbers(m) == 3) {
            date = true;
        } else if (2..=3).contains(&numbers(':')) {
            time = true;
        } else if ![
            "am", "pm", "a.m.", "p.m.", "printed", "on", "at", "date:", ":",
        ]
        .contains(&word)
        {
            return false;
        }
    }
    date && time
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::line::Frame;

    fn line(text: &str, baseline: f32) -> Line {
        let mut line = Line::plain(1, 0, text);
        line.baseline = baseline;
        line.size = 8.0;
        line.frame = Frame {
            turn: 0,
            width: 600.0,
            height: 800.0,
        };
        line
    }

    #[test]
    fn forms_are_told() {
        for (text, expected) in [
            ("11/25/26, 12:51 PM", Some(Form::Time)),
            ("25.11.2026 09:05", Some(Form::Time)),
            ("2026年11月25日 下午3:07", Some(Form::Time)),
            ("打印时间：2026-11-25 15:07:00", Some(Form::Time)),
            ("25 November 2026", None),
            ("2026-11-25", None),
            ("At 10:30 the bank opens", None),
            ("https://www.example.org/rules?id=7", Some(Form::Address)),
            ("see https://www.example.org", None),
            ("2/7", Some(Form::Fraction(2, 7))),
            ("9/7", None),
            ("575/2013/x", None),
            ("Page 3 of 12", Some(Form::Count)),
            ("page 3", None),
            ("第 3 页 共 12 页", Some(Form::Count)),
            ("第3页/共12页", Some(Form::Count)),
            ("第三条", None),
            ("手机扫一扫打开此页", Some(Form::Invitation)),
            ("客户扫一扫付款的，银行应当核对。", None),
        ] {
            assert_eq!(form(text), expected, "{text}");
        }
    }

    /// The lines of a page's lower margin that are kept, when the text ends at 700.
    fn kept(rows: &[(&str, f32)], pages: usize) -> Vec<String> {
        let page: Vec<Line> = std::iter::once(line("A bank shall report.", 700.0))
            .chain(rows.iter().map(|(text, at)| line(text, *at)))
            .collect();
        let mut edge: Vec<usize> = (1..page.len()).collect();
        edge.sort_by(|&a, &b| page[b].baseline.total_cmp(&page[a].baseline));
        let mut all = vec![page.clone()];
        let mut edges = vec![edge];
        all.resize(pages, Vec::new());
        edges.resize(pages, Vec::new());
        let gone = &super::rows(&all, &edges)[0];
        (1..page.len())
            .filter(|i| !gone.contains(i))
            .map(|i| page[i].text())
            .collect()
    }

    #[test]
    fn rows_of_the_margin_go_and_text_stays() {
        for (rows, pages, stays) in [
            (
                &[("https://www.example.org/a", 780.0), ("1/1", 780.0)][..],
                1,
                0,
            ),
            (&[("https://www.example.org/a 1/1", 780.0)][..], 1, 0),
            (&[("https://www.example.org/a", 780.0)][..], 4, 0),
            // The end of a reference that is wrapped stands as close as a line of text.
            (
                &[
                    ("See the guide at", 765.0),
                    ("https://www.example.org/a", 775.0),
                ][..],
                4,
                2,
            ),
            (&[("Internal – Page 3 of 12", 780.0)][..], 1, 0),
            (&[("Circular 4/2026", 780.0)][..], 1, 1),
            (&[("4/2026", 780.0)][..], 1, 1),
            // A row of a table at the foot of one of several pages counts nothing.
            (&[("Tier one", 780.0), ("3/8", 780.0)][..], 4, 2),
            (&[("Tier one", 780.0), ("3/8", 780.0)][..], 1, 2),
            (
                &[("The limit is checked.", 780.0), ("1/1", 780.0)][..],
                1,
                2,
            ),
        ] {
            assert_eq!(kept(rows, pages).len(), stays, "{rows:?}");
        }
    }
}
