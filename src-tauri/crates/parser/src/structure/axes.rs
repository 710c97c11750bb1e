//! The places of lines on their page, and the horizontal scales of charts. A scale is a row of numbers that rise in
//! equal steps at equal distances. There is no text directly above it, and there are no rows of a table below it.

use crate::layout::Line;
use crate::layout::line::Frame;
use crate::layout::rows::split;
use std::collections::BTreeSet;

/// Numbers from which on a row of them may be a scale.
const TICKS: usize = 4;
/// The middles of two numbers of a scale are further apart than this, in ems.
const PITCH: f32 = 1.5;
/// Height above a scale where nothing is written, and below it where no row of a table is, in ems.
const CLEAR: (f32, f32) = (4.0, 12.0);
/// A line below the numbers that has at least this many pieces is the row of a table.
const CELLS: usize = 3;
/// A page of more lines is a drawing.
const MOST: usize = 2_000;

/// A line and its rectangle on the page.
#[derive(Clone, Copy)]
pub struct Place {
    pub x0: f32,
    pub y0: f32,
    pub x1: f32,
    pub y1: f32,
}

impl Place {
    /// As the frame of most of the page sees it.
    pub fn of(line: &Line, frame: Frame) -> Option<Self> {
        let region = line.region(0, line.chars.len())?;
        let (a, b) = (
            frame.of_page(region.x0, region.y0),
            frame.of_page(region.x1, region.y1),
        );
        Some(Self {
            x0: a.0.min(b.0),
            y0: a.1.min(b.1),
            x1: a.0.max(b.0),
            y1: a.1.max(b.1),
        })
    }

    pub fn middle(&self) -> (f32, f32) {
        ((self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0)
    }
}

/// A level scale: its line, where it stands, and its font size.
pub struct Axis {
    pub line: usize,
    pub place: Place,
    pub size: f32,
}

/// The level scales among the lines of a page that stand in its frame.
pub fn axes(lines: &[Line], places: &[Option<Place>], frame: Frame) -> Vec<Axis> {
    let in_frame = |i: &usize| lines[*i].frame == frame && lines[*i].cell.is_none();
    let mut found = Vec::new();
    if lines.len() > MOST {
        return found;
    }
    for line in (0..lines.len()).filter(in_frame) {
        let Some(place) = places[line] else { continue };
        let Some(ticks) = ticks(&lines[line]) else {
            continue;
        };
        let size = lines[line].size;
        let others = (0..lines.len())
            .filter(|&i| i != line && lines[i].frame == frame)
            .filter_map(|i| Some((&lines[i], places[i]?)))
            .filter(|(_, p)| p.x0 < place.x1 && place.x0 < p.x1);
        let others: Vec<(&Line, Place)> = others.collect();
        let bare = others.iter().all(|(_, p)| {
            let middle = p.middle().1;
            middle >= place.y0 || middle < place.y0 - CLEAR.0 * size
        });
        if rise(&ticks, size) && bare && !heads_rows(&ticks, &others, place, size) {
            found.push(Axis { line, place, size });
        }
    }
    found
}

/// A number of a scale.
struct Tick {
    middle: f32,
    value: f64,
}

/// The words of a line with their middles.
fn words(line: &Line) -> Vec<(f32, String)> {
    line.chars
        .split(|c| c.ch == ' ')
        .filter_map(|word| {
            let middle = (word.first()?.x0 + word.last()?.x1) / 2.0;
            Some((middle, word.iter().map(|c| c.ch).collect()))
        })
        .collect()
}

/// The numbers of a line; `None` if it holds anything else, or too few.
fn ticks(line: &Line) -> Option<Vec<Tick>> {
    let ticks: Option<Vec<Tick>> = words(line)
        .into_iter()
        .map(|(middle, text)| number(&text).map(|value| Tick { middle, value }))
        .collect();
    ticks.filter(|ticks| ticks.len() >= TICKS)
}

/// The numbers rise in equal steps at equal distances. Charts side by side have the same scale again.
fn rise(ticks: &[Tick], size: f32) -> bool {
    let [first, second, ..] = ticks else {
        return false;
    };
    let step = second.value - first.value;
    let pitch = second.middle - first.middle;
    let even = |w: &&[Tick]| {
        let rise = w[1].value - w[0].value;
        let apart = w[1].middle - w[0].middle;
        (rise - step).abs() < 0.02 * step && (apart - pitch).abs() < 0.12 * pitch
    };
    let again = |w: &[Tick]| {
        let apart = w[1].middle - w[0].middle;
        (w[1].value - first.value).abs() < 0.02 * step && apart > 0.5 * pitch
    };
    step > 0.0
        && pitch > PITCH * size
        && ticks.windows(2).take_while(even).count() + 1 >= TICKS
        && ticks.windows(2).all(|w| even(&w) || again(w))
}

/// Whether the numbers are column heads and not the scale of a chart. This is so if there is a row of a table below
/// them, or if there are other numbers below several of them.
fn heads_rows(ticks: &[Tick], others: &[(&Line, Place)], place: Place, size: f32) -> bool {
    let pitch = ticks[1].middle - ticks[0].middle;
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (line, p) in others {
        if p.y0 < place.y0 + 0.2 * size || p.y0 > place.y1 + CLEAR.1 * size {
            continue;
        }
        let pieces = split(line);
        if line.cell.is_some() || pieces.len() >= CELLS {
            return true;
        }
        for piece in pieces {
            let words = words(&piece);
            let counts =
                |text: &str| number(text).is_some() || !text.contains(char::is_alphanumeric);
            if words.iter().all(|(_, text)| counts(text)) {
                for (middle, _) in words {
                    let over = |t: &Tick| (t.middle - middle).abs() < 0.5 * pitch;
                    taken.extend(ticks.iter().position(over));
                }
            }
        }
    }
    taken.len() >= 2
}

/// The number that a text is: "14000", "0.35", "40%", "1 500".
pub fn number(text: &str) -> Option<f64> {
    let text = text
        .trim()
        .trim_end_matches('%')
        .replace([' ', '\u{a0}'], "");
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let plain = text
        .chars()
        .all(|c| c.is_ascii_digit() || ".,-–−".contains(c));
    if digits == 0 || !plain || text.len() > 12 {
        return None;
    }
    let text = text.replace(['–', '−'], "-");
    // "1.500" and "1,500" are thousands where three digits follow; "0.350" is a fraction.
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text.as_str(), ""));
    if part.len() == 3 && whole.trim_start_matches('-') != "0" {
        return format!("{whole}{part}").parse().ok();
    }
    format!("{whole}.{part}0").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::LineChar;

    const FRAME: Frame = Frame {
        turn: 0,
        width: 600.0,
        height: 800.0,
    };

    /// A line of pieces that begin at these places, ten points in size.
    fn row(baseline: f32, pieces: &[(f32, &str)]) -> Line {
        let mut line = Line::plain(1, 0, "");
        for (left, text) in pieces {
            if let Some(last) = line.chars.last() {
                let edge = last.x1;
                line.chars.push(LineChar::space(edge, *left));
            }
            for (at, ch) in text.chars().enumerate() {
                let x0 = left + 5.0 * at as f32;
                line.chars.push(LineChar {
                    ch,
                    x0,
                    x1: x0 + 5.0,
                    raised: false,
                    capital: false,
                });
            }
        }
        line.x0 = line.chars.first().map_or(0.0, |c| c.x0);
        line.x1 = line.chars.last().map_or(0.0, |c| c.x1);
        (line.baseline, line.size, line.frame) = (baseline, 10.0, FRAME);
        line
    }

    fn found(lines: &[Line]) -> Vec<String> {
        let places: Vec<Option<Place>> = lines.iter().map(|l| Place::of(l, FRAME)).collect();
        let axes = axes(lines, &places, FRAME);
        axes.iter().map(|a| lines[a.line].text()).collect()
    }

    #[test]
    fn numbers_that_rise_below_a_bare_place_are_a_scale() {
        let at = |texts: [&'static str; 4]| -> Vec<(f32, &'static str)> {
            [100.0, 140.0, 180.0, 220.0]
                .into_iter()
                .zip(texts)
                .collect()
        };
        let years = at(["2021", "2022", "2023", "2024"]);
        let prose = (60.0, "Losses of the banks fell in the year 2024.");
        for (why, lines, scale) in [
            (
                "a chart",
                vec![row(200.0, &[prose]), row(300.0, &years)],
                true,
            ),
            (
                "text above",
                vec![row(285.0, &[prose]), row(300.0, &years)],
                false,
            ),
            (
                "rows below",
                vec![
                    row(300.0, &years),
                    row(
                        314.0,
                        &[(20.0, "Large"), (105.0, "12"), (145.0, "9"), (185.0, "8")],
                    ),
                ],
                false,
            ),
            (
                "values below, one by one",
                vec![
                    row(300.0, &years),
                    row(314.0, &[(105.0, "12")]),
                    row(314.0, &[(145.0, "9")]),
                ],
                false,
            ),
            (
                "no equal steps",
                vec![row(300.0, &at(["1", "2", "4", "9"]))],
                false,
            ),
            (
                "no equal distances",
                vec![row(
                    300.0,
                    &[(100.0, "1"), (140.0, "2"), (150.0, "3"), (220.0, "4")],
                )],
                false,
            ),
            (
                "words",
                vec![row(300.0, &at(["May", "June", "July", "Aug"]))],
                false,
            ),
        ] {
            assert_eq!(found(&lines).len(), usize::from(scale), "{why}");
        }
    }

    #[test]
    fn numbers_are_read_in_their_spellings() {
        for (text, value) in [
            ("14000", Some(14_000.0)),
            ("0.350", Some(0.35)),
            ("1.500", Some(1_500.0)),
            ("40%", Some(40.0)),
            ("1 500", Some(1_500.0)),
            ("-2.5", Some(-2.5)),
            ("2a", None),
            ("–", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }
}
