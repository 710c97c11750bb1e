//! Compares two readings of a page: how much they agree, and where they differ.
//!
//! Only differences that a person would see count. These do not count: blanks, bullets, compatibility forms of
//! characters, the shapes of quotation marks and dashes, the order of blocks, and text that one reader gives twice
//! because it is printed twice to look bold.

use super::{Glyph, RawPage};
use crate::layout::line::Frame;
use crate::similarity::aligned;
use lexforge_domain::document::ReaderDifference;
use lexforge_domain::text::Region;
use lexforge_text::is_set_solid;
use std::collections::HashMap;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Most differences that are kept a page.
pub const KEPT: usize = 12;
/// Characters of context on either side.
const CONTEXT: usize = 32;
/// Characters of a difference that are kept; the rest is an ellipsis.
const LONGEST: usize = 400;
/// Agreement below which blocks are looked for that are in another order.
const IN_ORDER: f64 = 0.995;
/// If at least this many characters in a row are at another place in the other reading, only the order differs.
const MOVED: usize = 10;
/// How many places are tried for a stretch that is in several.
const TRIED: usize = 16;
/// If two differences have fewer characters than this between them, they are joined.
const JOINT: usize = 3;
/// If the product of the lengths of two readings is larger, only their characters are compared.
const COMPARABLE: usize = 20_000_000_000;

/// The comparison of two readings.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Share of characters on which they agree, 0 to 1; `None` where both are empty.
    pub agreement: Option<f64>,
    /// The largest differences, largest first, at most [`KEPT`].
    pub differences: Vec<ReaderDifference>,
    /// How many differences there are in all.
    pub count: usize,
}

/// The characters of a reading that count.
struct Reading<'a> {
    glyphs: &'a [Glyph],
    chars: Vec<char>,
    /// Index of each character's glyph.
    origin: Vec<u32>,
}

impl<'a> Reading<'a> {
    fn of(page: &'a RawPage) -> Self {
        let mut reading = Self {
            glyphs: &page.glyphs,
            chars: Vec::new(),
            origin: Vec::new(),
        };
        for (index, glyph) in page.glyphs.iter().enumerate() {
            alike(glyph.ch, |ch| {
                reading.chars.push(ch);
                reading.origin.push(index as u32);
            });
        }
        reading
    }

    fn glyph(&self, at: usize) -> Option<&'a Glyph> {
        self.glyphs.get(*self.origin.get(at)? as usize)
    }

    /// Whether a word ends before the character at `at`.
    fn parted(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let (Some(&a), Some(&b)) = (self.origin.get(before), self.origin.get(at)) else {
            return true;
        };
        let blank = a < b
            && self.glyphs[a as usize..b as usize]
                .iter()
                .any(|g| g.ch == ' ');
        a != b && (blank || a > b || parted(&self.glyphs[a as usize], &self.glyphs[b as usize]))
    }

    /// Whether a word goes on from the character before `at` to the one at `at`.
    fn within_word(&self, at: usize) -> bool {
        let lettered = |i: usize| {
            self.chars
                .get(i)
                .is_some_and(|c| c.is_alphanumeric() && !is_set_solid(*c))
        };
        at > 0 && lettered(at - 1) && lettered(at) && !self.parted(at)
    }

    /// The glyphs of a stretch as text, with a space wherever a word or a line ends.
    fn spelled(&self, range: Range<usize>) -> String {
        let mut text = String::new();
        let mut previous = None;
        for at in range {
            let origin = self.origin.get(at);
            if origin == previous {
                continue;
            }
            if previous.is_some() && self.parted(at) {
                text.push(' ');
            }
            text.extend(self.glyph(at).map(|g| g.ch));
            previous = origin;
        }
        text
    }
}

/// The characters by which `ch` is compared. Blanks, soft hyphens and bullets are left out. A compatibility form
/// becomes its normal form. All quotation marks become one character, and so do all dashes.
fn alike(ch: char, mut push: impl FnMut(char)) {
    match ch {
        '!'..='~' | '\u{3001}' | '\u{3002}' | '\u{4E00}'..='\u{9FFF}' => push(ch),
        '\u{AD}' => {}
        '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' | '´' => push('\''),
        '“' | '”' | '„' | '‟' | '″' => push('"'),
        '\u{2010}'..='\u{2015}' | '−' | '─' => push('-'),
        '·' | '∙' | '⋅' | '‧' | '•' | '●' | '▪' | '■' | '◆' | '○' => {}
        _ if ch.is_whitespace() || ch.is_control() => {}
        _ => std::iter::once(ch)
            .nfkc()
            .filter(|c| !c.is_whitespace())
            .for_each(push),
    }
}

/// A piece of one reading, and the piece that the other reading has in its place.
#[derive(Clone, Debug)]
struct Hunk {
    a: Range<usize>,
    b: Range<usize>,
}

impl Hunk {
    fn size(&self) -> usize {
        self.a.len().max(self.b.len())
    }
}

/// Compares the reading of page `number` that is kept with another one.
pub fn compare(kept: &RawPage, other: &RawPage, number: u32) -> Comparison {
    let (a, b) = (Reading::of(kept), Reading::of(other));
    let total = a.chars.len() + b.chars.len();
    if total == 0 {
        return Comparison::default();
    }
    if a.chars == b.chars {
        return Comparison {
            agreement: Some(1.0),
            ..Comparison::default()
        };
    }
    if a.chars.len().saturating_mul(b.chars.len()) > COMPARABLE {
        let agreement = 2.0 * common_characters(&a.chars, &b.chars) as f64 / total as f64;
        return Comparison {
            agreement: Some(agreement),
            differences: Vec::new(),
            count: 1,
        };
    }
    let mut b = b;
    let mut pairs = aligned(&a.chars, &b.chars);
    if (2 * pairs.len()) as f64 / (total as f64) < IN_ORDER {
        let sorted = in_order_of(&a, &b);
        let again = aligned(&a.chars, &sorted.chars);
        if again.len() > pairs.len() {
            (b, pairs) = (sorted, again);
        }
    }
    let mut hunks = hunks(&pairs, a.chars.len(), b.chars.len());
    let doubled: usize = hunks
        .iter()
        .filter(|h| is_doubled(h, &b.chars))
        .map(|h| h.b.len())
        .sum();
    hunks.retain(|h| !is_doubled(h, &b.chars));
    let agreement = (2 * pairs.len()) as f64 / (total - doubled).max(1) as f64;
    join(&mut hunks, &a);
    hunks.sort_by_key(|h| std::cmp::Reverse(h.size()));
    let count = hunks.len();
    let differences = hunks
        .iter()
        .take(KEPT)
        .map(|h| difference(h, &a, &b, kept, number))
        .collect();
    Comparison {
        agreement: Some(agreement),
        differences,
        count,
    }
}

/// Puts the text of `b` into the order of `a`: pieces that both have are moved to their order in `a`. Text of `b`
/// between two such pieces moves with the piece before it.
fn in_order_of<'a>(a: &Reading<'_>, b: &Reading<'a>) -> Reading<'a> {
    let mut places: HashMap<&[char], Vec<usize>> = HashMap::new();
    for (at, gram) in b.chars.windows(MOVED).enumerate() {
        let known = places.entry(gram).or_default();
        if known.len() < TRIED {
            known.push(at);
        }
    }
    // Stretches of `b` as (start, length), in the order of `a`.
    let mut tiles: Vec<(usize, usize)> = Vec::new();
    let mut taken = vec![false; b.chars.len()];
    let mut at = 0;
    while at + MOVED <= a.chars.len() {
        let candidates = places
            .get(&a.chars[at..at + MOVED])
            .map_or(&[][..], Vec::as_slice);
        let length = |&start: &usize| {
            let room = taken[start..].iter().take_while(|t| !**t).count();
            a.chars[at..]
                .iter()
                .zip(&b.chars[start..start + room])
                .take_while(|(x, y)| x == y)
                .count()
        };
        match candidates
            .iter()
            .map(|start| (length(start), *start))
            .max_by_key(|(length, _)| *length)
        {
            Some((length, start)) if length >= MOVED => {
                taken[start..start + length].fill(true);
                tiles.push((start, length));
                at += length;
            }
            _ => at += 1,
        }
    }
    let mut sorted = Reading {
        glyphs: b.glyphs,
        chars: Vec::new(),
        origin: Vec::new(),
    };
    let mut push = |range: Range<usize>| {
        sorted.chars.extend_from_slice(&b.chars[range.clone()]);
        sorted.origin.extend_from_slice(&b.origin[range]);
    };
    let gap = |from: usize| from + taken[from..].iter().take_while(|t| !**t).count();
    push(0..gap(0));
    for (start, length) in tiles {
        let end = start + length;
        push(start..gap(end));
    }
    sorted
}

/// How many characters two texts have in common, whatever their order.
fn common_characters(a: &[char], b: &[char]) -> usize {
    let mut counts = HashMap::<char, (usize, usize)>::new();
    for &ch in a {
        counts.entry(ch).or_default().0 += 1;
    }
    for &ch in b {
        counts.entry(ch).or_default().1 += 1;
    }
    counts.values().map(|(a, b)| a.min(b)).sum()
}

/// The stretches between the pairs.
fn hunks(pairs: &[(usize, usize)], a: usize, b: usize) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let mut next = (0, 0);
    for &(i, j) in pairs.iter().chain(std::iter::once(&(a, b))) {
        if i > next.0 || j > next.1 {
            hunks.push(Hunk {
                a: next.0..i,
                b: next.1..j,
            });
        }
        next = (i + 1, j + 1);
    }
    hunks
}

/// Whether the only difference of a hunk is that the other reading has the text beside it twice.
fn is_doubled(hunk: &Hunk, b: &[char]) -> bool {
    let (from, to, len) = (hunk.b.start, hunk.b.end, hunk.b.len());
    if !hunk.a.is_empty() || len == 0 {
        return false;
    }
    let copy = &b[from..to];
    from.checked_sub(len)
        .is_some_and(|start| &b[start..from] == copy)
        || b.get(to..to + len) == Some(copy)
}

/// Joins hunks that a character or two part, and widens each to whole words.
fn join(hunks: &mut Vec<Hunk>, a: &Reading<'_>) {
    let mut joined: Vec<Hunk> = Vec::new();
    for mut hunk in std::mem::take(hunks) {
        // The text between two hunks is equal on both sides, so both are widened by the same length.
        let room = joined.last().map_or((hunk.a.start, hunk.b.start), |l| {
            (
                hunk.a.start.saturating_sub(l.a.end),
                hunk.b.start.saturating_sub(l.b.end),
            )
        });
        let mut left = 0;
        while left < room.0.min(room.1) && a.within_word(hunk.a.start - left) {
            left += 1;
        }
        hunk = Hunk {
            a: hunk.a.start - left..hunk.a.end,
            b: hunk.b.start - left..hunk.b.end,
        };
        match joined.last_mut() {
            Some(last)
                if hunk.a.start >= last.a.end
                    && hunk.b.start >= last.b.end
                    && hunk.a.start - last.a.end == hunk.b.start - last.b.end
                    && hunk.a.start - last.a.end < JOINT =>
            {
                last.a.end = hunk.a.end;
                last.b.end = hunk.b.end;
            }
            _ => joined.push(hunk),
        }
    }
    let starts: Vec<(usize, usize)> = joined
        .iter()
        .skip(1)
        .map(|h| (h.a.start, h.b.start))
        .collect();
    for (i, hunk) in joined.iter_mut().enumerate() {
        let room = starts.get(i).map_or((usize::MAX, usize::MAX), |s| {
            (
                s.0.saturating_sub(hunk.a.end),
                s.1.saturating_sub(hunk.b.end),
            )
        });
        let mut right = 0;
        while right < room.0.min(room.1) && a.within_word(hunk.a.end + right) {
            right += 1;
        }
        (hunk.a.end, hunk.b.end) = (hunk.a.end + right, hunk.b.end + right);
    }
    *hunks = joined;
}

fn difference(
    hunk: &Hunk,
    a: &Reading<'_>,
    b: &Reading<'_>,
    kept: &RawPage,
    number: u32,
) -> ReaderDifference {
    let (start, end) = (hunk.a.start, hunk.a.end);
    let glyphs: Vec<&Glyph> = hunk.a.clone().filter_map(|at| a.glyph(at)).collect();
    ReaderDifference {
        kept: shortened(a.spelled(hunk.a.clone())),
        other: shortened(b.spelled(hunk.b.clone())),
        context: (
            a.spelled(start.saturating_sub(CONTEXT)..start),
            a.spelled(end..(end + CONTEXT).min(a.chars.len())),
        ),
        regions: regions(&glyphs, kept, number),
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Whether a word ends between two glyphs that follow each other.
fn parted(left: &Glyph, right: &Glyph) -> bool {
    if is_set_solid(left.ch) || is_set_solid(right.ch) {
        return false;
    }
    let ((x, y), along) = ((right.x - left.x, right.y - left.y), usize::from(left.turn));
    let (ux, uy) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][along % 4];
    let (gap, shift) = (x * ux + y * uy - left.advance, (x * uy - y * ux).abs());
    let size = left.size.max(right.size);
    gap > 0.17 * size || gap < -1.5 * size || shift > 0.7 * size
}

/// One rectangle for each line of glyphs.
fn regions(glyphs: &[&Glyph], page: &RawPage, number: u32) -> Vec<Region> {
    let placed: Vec<(Frame, f32, f32, &Glyph)> = glyphs
        .iter()
        .map(|&glyph| {
            let turn = (glyph.turn + u8::from(glyph.vertical)) % 4;
            let frame = Frame {
                turn,
                width: page.width,
                height: page.height,
            };
            let (x, y) = frame.of_page(glyph.x, glyph.y);
            (frame, x, y, glyph)
        })
        .collect();
    let same_line = |a: &(Frame, f32, f32, &Glyph), b: &(Frame, f32, f32, &Glyph)| {
        a.0.turn == b.0.turn
            && (a.2 - b.2).abs() < 0.6 * a.3.size.max(b.3.size)
            && b.1 > a.1 - a.3.size
    };
    let round = |v: f32| (v * 10.0).round() / 10.0;
    placed
        .chunk_by(same_line)
        .map(|line| {
            let frame = line[0].0;
            let left = line.iter().map(|g| g.1).fold(f32::MAX, f32::min);
            let right = line
                .iter()
                .map(|g| g.1 + g.3.advance)
                .fold(f32::MIN, f32::max);
            let top = line
                .iter()
                .map(|g| g.2 - 0.85 * g.3.size)
                .fold(f32::MAX, f32::min);
            let bottom = line
                .iter()
                .map(|g| g.2 + 0.25 * g.3.size)
                .fold(f32::MIN, f32::max);
            let (x0, y0, x1, y1) = frame.to_page(left, top, right, bottom);
            Region {
                page: number,
                x0: round(x0),
                y0: round(y0),
                x1: round(x1),
                y1: round(y1),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
