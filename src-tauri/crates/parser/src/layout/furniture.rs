//! Running heads, running feet and page numbers, which are called furniture here.
//!
//! A line is furniture in three cases. It is at the outer edge of its page, and lines with the same words (digits
//! ignored) are at the same place on other pages. Or it is nothing but a page number. Or a program printed it around
//! the text ([`super::printed`]). Only the outermost lines are examined, so a clause that is repeated inside a page
//! stays. Removed lines are kept with the reason, so that a person can see them.

use super::line::Line;
use super::printed;
use lexforge_domain::document::{RemovedLine, RemovedWhy};
use lexforge_ingest::numbering::{Scheme, label};
use std::collections::{HashMap, HashSet};

/// How deep into the page, as a share of its height, heads and feet may reach.
const MARGIN: f32 = 0.14;
/// How many lines at either edge may be furniture.
const DEPTH: usize = 5;
/// A foot that is fixed stands on at least one page of so many.
const MANY: usize = 3;
/// Lines of one paragraph stand closer than this, in ems.
const LEADING: f32 = 1.5;

/// The lines that were removed from the pages.
#[derive(Debug, Default)]
pub struct Removed {
    /// The heads of the first page, among which a document without a title page has its title.
    pub heads: Vec<Line>,
    /// Everything, page by page.
    pub lines: Vec<Vec<RemovedLine>>,
}

/// Takes running heads and feet out of the pages (each a list of lines in reading order).
pub fn remove(pages: &mut [Vec<Line>]) -> Removed {
    let mut doomed: Vec<Vec<Option<RemovedWhy>>> =
        pages.iter().map(|p| vec![None; p.len()]).collect();
    for top in [true, false] {
        let edges: Vec<Vec<usize>> = pages.iter().map(|p| edge(p, top)).collect();
        let mut seen: HashMap<(String, i32), Vec<usize>> = HashMap::new();
        for (number, (page, edge)) in pages.iter().zip(&edges).enumerate() {
            for &i in edge {
                let (key, place) = (key(&page[i]), place(&page[i], top));
                for near in [place - 1, place, place + 1] {
                    let on = seen.entry((key.clone(), near)).or_default();
                    if on.last() != Some(&number) {
                        on.push(number);
                    }
                }
            }
        }
        let numbering = numbering(pages, &edges);
        let running = running(pages, &edges);
        let printed = printed::rows(pages, &edges);
        let wanted = pages.len().clamp(2, 3);
        let fixed = fixed(pages, &edges, wanted);
        for (number, (page, edge)) in pages.iter().zip(&edges).enumerate() {
            let mut outer_baseline: Option<f32> = None;
            // If a typed rule is repeated on other pages, the lines above it are the running head, whatever they say.
            let ruled = edge.iter().rposition(|&i| {
                let on = seen.get(&(key(&page[i]), place(&page[i], top)));
                top && is_rule(&page[i]) && on.is_some_and(|on| on.len() > 1)
            });
            for (depth, &i) in edge.iter().enumerate() {
                let line = &page[i];
                let again = |line: &Line, key: String| {
                    seen.get(&(key.clone(), place(line, top)))
                        .is_some_and(|on| {
                            let near = on.iter().filter(|&&p| p.abs_diff(number) <= 12).count();
                            on.len() >= wanted
                                && near >= wanted.min(2)
                                && (pages.len() > 2 || has_no_letters(&key))
                        })
                };
                let ends = || {
                    let fixed = fixed.contains(&line.text());
                    !top && !fixed && ends_text(page, line, |l| again(l, key(l)))
                };
                let repeated = again(line, key(line)) && !ends();
                let counted = page_number(line)
                    .is_some_and(|n| numbering.contains(&(n - number as i64)))
                    || numbers_of(line)
                        .iter()
                        .any(|n| running.contains(&(n - number as i64)));
                // Two lines on one baseline are one row of furniture.
                let level =
                    outer_baseline.is_some_and(|b| (b - line.baseline).abs() < 0.5 * line.size);
                let why = [
                    (repeated, RemovedWhy::Repeats),
                    (ruled.is_some_and(|at| depth <= at), RemovedWhy::Changes),
                    (counted, RemovedWhy::Counts),
                    (printed[number].contains(&i), RemovedWhy::Printed),
                ];
                if let Some((_, why)) = why.into_iter().find(|(holds, _)| *holds) {
                    doomed[number][i] = Some(why);
                } else if !level {
                    break;
                }
                outer_baseline = Some(line.baseline);
            }
        }
        changing(pages, &edges, top, &mut doomed);
        if top {
            facing(pages, &edges, &mut doomed);
        }
    }
    invitations(pages, &mut doomed);
    let heads: Vec<Line> = pages
        .first()
        .into_iter()
        .flatten()
        .zip(doomed.first().into_iter().flatten())
        .filter(|(line, why)| {
            let head = why.is_some_and(|why| why != RemovedWhy::Printed);
            head && line.bottom() < 0.5 * line.frame.extent()
        })
        .map(|(line, _)| line.clone())
        .collect();
    let mut lines = Vec::with_capacity(pages.len());
    for (page, doomed) in pages.iter_mut().zip(doomed) {
        lines.push(taken(page, &doomed));
        let mut doomed = doomed.into_iter();
        page.retain(|_| doomed.next().flatten().is_none());
    }
    Removed { heads, lines }
}

/// The lines of a page that go, from top to bottom.
fn taken(page: &[Line], doomed: &[Option<RemovedWhy>]) -> Vec<RemovedLine> {
    let mut gone: Vec<(&Line, RemovedWhy)> = page
        .iter()
        .zip(doomed)
        .filter_map(|(line, why)| Some((line, (*why)?)))
        .collect();
    gone.sort_by(|a, b| {
        let (a, b) = (a.0, b.0);
        a.baseline
            .total_cmp(&b.baseline)
            .then(a.x0.total_cmp(&b.x0))
    });
    gone.into_iter()
        .map(|(line, why)| RemovedLine {
            page: line.page,
            text: line.text(),
            why,
            region: line.region(0, line.chars.len()),
        })
        .collect()
}

/// Below the text of its last page a site asks to be opened on a telephone.
fn invitations(pages: &[Vec<Line>], doomed: &mut [Vec<Option<RemovedWhy>>]) {
    let (Some(page), Some(doomed)) = (pages.last(), doomed.last_mut()) else {
        return;
    };
    let last = (0..page.len())
        .filter(|&i| doomed[i].is_none())
        .max_by(|&a, &b| page[a].baseline.total_cmp(&page[b].baseline));
    if let Some(last) = last.filter(|&i| page.len() > 1 && printed::invites(&page[i].text())) {
        doomed[last] = Some(RemovedWhy::Printed);
    }
}

/// Marks running heads whose words change with the chapter. On most pages a repeating head has the same height and
/// size. If the outermost line of another page has this height and size, it is a running head, too.
fn changing(
    pages: &[Vec<Line>],
    edges: &[Vec<usize>],
    top: bool,
    doomed: &mut [Vec<Option<RemovedWhy>>],
) {
    let slot = |line: &Line| (place(line, top), (line.size * 2.0).round() as i32);
    let mut slots: HashMap<(i32, i32), (usize, usize)> = HashMap::new();
    for (number, (page, edge)) in pages.iter().zip(edges).enumerate() {
        let mut seen = HashSet::new();
        for &i in edge {
            if seen.insert(slot(&page[i])) {
                let counts = slots.entry(slot(&page[i])).or_default();
                counts.0 += usize::from(doomed[number][i].is_some());
                counts.1 += 1;
            }
        }
    }
    for (number, (page, edge)) in pages.iter().zip(edges).enumerate() {
        for &i in edge {
            let (gone, all) = slots.get(&slot(&page[i])).copied().unwrap_or_default();
            if doomed[number][i].is_none() {
                if gone < 4 || gone * 10 < all * 6 || page[i].chars.len() > 120 {
                    break;
                }
                doomed[number][i] = Some(RemovedWhy::Changes);
            }
        }
    }
}

/// Marks running heads that differ between left and right pages, if a document has too few pages for the other rules.
/// Of three successive pages, the first and the last have the same head. The page between them has another head of the
/// same size and height, at the opposite edge.
fn facing(pages: &[Vec<Line>], edges: &[Vec<usize>], doomed: &mut [Vec<Option<RemovedWhy>>]) {
    let outermost = |number: usize| Some((*edges[number].first()?, number));
    for number in 2..pages.len() {
        let three = [number - 2, number - 1, number].map(outermost);
        let [Some(first), Some(between), Some(last)] = three else {
            continue;
        };
        let [a, b, c] = [first, between, last].map(|(i, number)| &pages[number][i]);
        let slot = |line: &Line| (place(line, true), (line.size * 2.0).round() as i32);
        let same = |x: f32, y: f32| (x - y).abs() < 2.0 * a.size;
        let left = same(a.x0, b.frame.width - b.x1) && a.x1 < b.x0;
        let right = same(b.x0, a.frame.width - a.x1) && b.x1 < a.x0;
        let heads = slot(a) == slot(b)
            && slot(a) == slot(c)
            && key(a) == key(c)
            && key(a) != key(b)
            && !has_no_letters(&key(a));
        if heads && (left || right) && b.chars.len() <= 120 {
            for ((i, number), why) in [
                (first, RemovedWhy::Repeats),
                (between, RemovedWhy::Changes),
                (last, RemovedWhy::Repeats),
            ] {
                doomed[number][i].get_or_insert(why);
            }
        }
    }
}

/// Indices of the outermost lines, from the edge inwards.
fn edge(page: &[Line], top: bool) -> Vec<usize> {
    let outer = |line: &Line| {
        let height = line.frame.extent();
        if top {
            line.bottom() < MARGIN * height
        } else {
            line.top() > (1.0 - MARGIN) * height
        }
    };
    // The tables that extend into the inner part of the page. Their lines are not running heads, because such a table
    // may continue from the page before and begin with its column heads. A table that is completely inside the margin
    // may be the frame around a running head.
    let inner: HashSet<u32> = page
        .iter()
        .filter(|l| !outer(l))
        .filter_map(|l| l.cell)
        .map(|c| c.table)
        .collect();
    let mut indices: Vec<usize> = (0..page.len())
        .filter(|&i| {
            let line = &page[i];
            // Rules that are cut off at the page's end may take its number in.
            let outside =
                line.cell.is_none_or(|c| !inner.contains(&c.table)) || page_number(line).is_some();
            outer(line) && outside
        })
        .collect();
    indices.sort_by(|&a, &b| {
        let order = page[a].baseline.total_cmp(&page[b].baseline);
        if top { order } else { order.reverse() }
    });
    indices.truncate(DEPTH);
    indices
}

/// The words by which a line is recognised on other pages. Every run of digits is replaced by one `#`. Numbered
/// headings at the top of several pages (`Article 15`, `Article 25`) keep their numbers, because they are different
/// lines.
fn key(line: &Line) -> String {
    let chars: Vec<char> = line.chars.iter().map(|c| c.ch).collect();
    if label(&chars, true).is_some_and(|l| l.scheme != Scheme::Bullet)
        && page_number(line).is_none()
    {
        return chars.into_iter().filter(|c| !c.is_whitespace()).collect();
    }
    let mut key = String::new();
    // Front matter counts in small Roman numerals.
    let text: String = chars.iter().collect();
    let counted = |word: &str| {
        if roman(word).is_some() {
            "0".to_owned()
        } else {
            word.to_owned()
        }
    };
    let text = text.split(' ').map(counted).collect::<Vec<_>>().join(" ");
    for ch in text.chars() {
        if ch.is_ascii_digit() {
            if !key.ends_with('#') {
                key.push('#');
            }
        } else if !ch.is_whitespace() {
            key.extend(ch.to_lowercase());
        }
    }
    key
}

/// The lines that stand on many pages with the same numbers, too. The end of a note does not.
fn fixed(pages: &[Vec<Line>], edges: &[Vec<usize>], wanted: usize) -> HashSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (page, edge) in pages.iter().zip(edges) {
        let texts: HashSet<String> = edge.iter().map(|&i| page[i].text()).collect();
        for text in texts {
            *counts.entry(text).or_default() += 1;
        }
    }
    let many = |count: usize| count >= wanted && count * MANY >= pages.len();
    let texts = counts.into_iter().filter(|(_, count)| many(*count));
    texts.map(|(text, _)| text).collect()
}

/// Whether a line at the foot of a page ends a sentence of the line above it, as the last line of a footnote does. Then
/// it is not a running foot. If the line above occurs on other pages, too (`again`), both are part of a running foot.
fn ends_text(page: &[Line], line: &Line, again: impl Fn(&Line) -> bool) -> bool {
    let stops = |l: &Line| l.text().ends_with(['.', ';', ':', '。', '；', '：']);
    let above = |l: &&Line| {
        let down = line.baseline - l.baseline;
        (0.5 * line.size..LEADING * line.size).contains(&down)
            && (l.size - line.size).abs() < 0.1 * line.size
            && l.x0.max(line.x0) < l.x1.min(line.x1)
    };
    stops(line) && page.iter().filter(above).any(|l| !stops(l) && !again(l))
}

/// A rule that is typed: `________`.
fn is_rule(line: &Line) -> bool {
    line.chars.len() >= 10 && line.chars.iter().all(|c| "_-–—─═".contains(c.ch))
}

fn has_no_letters(key: &str) -> bool {
    !key.chars().any(char::is_alphabetic)
}

/// Height of the line on the page in steps of half a percent of the page, measured from its edge.
fn place(line: &Line, top: bool) -> i32 {
    let height = line.frame.extent().max(1.0);
    let from_edge = if top {
        line.baseline
    } else {
        height - line.baseline
    };
    (from_edge / height * 200.0).round() as i32
}

/// The number on a line that holds nothing else but decoration and words for `page`.
fn page_number(line: &Line) -> Option<i64> {
    let text = line.text();
    let mut rest = text.trim().to_lowercase();
    for word in ["page", "第", "页", "共", "of", "p."] {
        rest = rest.replace(word, " ");
    }
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || "-–—|/·•[]()".contains(c));
    let first = rest.split(|c: char| c.is_whitespace() || c == '/').next()?;
    let tail_is_number = rest[first.len()..]
        .chars()
        .all(|c| c.is_ascii_digit() || c.is_whitespace() || c == '/');
    if !tail_is_number {
        return None;
    }
    first
        .parse()
        .ok()
        .or_else(|| roman(first))
        .filter(|n| (1..100_000).contains(n))
}

fn roman(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > 7 {
        return None;
    }
    let values: Option<Vec<i64>> = text
        .chars()
        .map(|c| match c {
            'i' => Some(1),
            'v' => Some(5),
            'x' => Some(10),
            'l' => Some(50),
            'c' => Some(100),
            _ => None,
        })
        .collect();
    let values = values?;
    Some(
        values
            .iter()
            .enumerate()
            .map(|(i, &v)| {
                if values.get(i + 1).is_some_and(|&n| n > v) {
                    -v
                } else {
                    v
                }
            })
            .sum(),
    )
}

/// Whole numbers at the ends of a line of several words or cells: `Annual Report 12`, `Annual Report 12/300`.
fn edge_numbers(line: &Line) -> Vec<i64> {
    let text = line.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < 2 || line.chars.len() > 120 || text.trim_end().ends_with(['.', ';']) {
        return Vec::new();
    }
    let ends = [words.first(), words.last()].into_iter().flatten();
    // `12/300` is one page of all.
    ends.map(|w| w.split_once('/').map_or(*w, |(page, _)| page))
        .filter(|w| w.len() <= 4)
        .filter_map(|w| w.parse().ok())
        .collect()
}

/// The numbers of a line that may count the pages.
fn numbers_of(line: &Line) -> Vec<i64> {
    let mut numbers = edge_numbers(line);
    numbers.extend(page_number(line));
    numbers
}

/// The differences between printed page numbers and page indices, for numbers at either end of the outermost row. A
/// difference counts only if it occurs on at least three pages and on more than half of them. Other numbers in that row
/// are not page numbers.
fn running(pages: &[Vec<Line>], edges: &[Vec<usize>]) -> Vec<i64> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for (index, (page, edge)) in pages.iter().zip(edges).enumerate() {
        let outermost = edge.first().map(|&i| &page[i]);
        // The number may be a line of its own beside the words.
        let row = edge.iter().map(|&i| &page[i]).take_while(|line| {
            outermost.is_some_and(|o| (o.baseline - line.baseline).abs() < 0.5 * line.size)
        });
        let numbers: HashSet<i64> = row.flat_map(numbers_of).collect();
        for n in numbers {
            *counts.entry(n - index as i64).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|&(_, count)| count >= 3 && count * 2 > pages.len())
        .map(|(shift, _)| shift)
        .collect()
}

/// Differences between printed number and page index that hold on several pages.
fn numbering(pages: &[Vec<Line>], edges: &[Vec<usize>]) -> Vec<i64> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for (index, (page, edge)) in pages.iter().zip(edges).enumerate() {
        for &i in edge {
            if let Some(n) = page_number(&page[i]) {
                *counts.entry(n - index as i64).or_default() += 1;
            }
        }
    }
    let wanted = pages.len().clamp(1, 3).min(2);
    counts
        .into_iter()
        .filter(|&(_, count)| count >= wanted)
        .map(|(shift, _)| shift)
        .collect()
}

#[cfg(test)]
mod tests;
