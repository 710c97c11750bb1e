//! Reads text in pictures on pages that have a text layer, for example a regulation that is shown as an image.
//!
//! If the shapes in an image form rows as letters do, Tesseract reads them, and the sentences are put at their place
//! among the others. If Tesseract cannot read them, a warning gives the page and the share that stays unread. Parts
//! that the text layer covers are not read again.

use super::looked::{Looked, at};
use super::reading::{Reading, page_number, warning};
use super::recognition::{is_scanned, language_of};
use super::side_by_side::side_by_side;
use crate::layout::lines::units;
use crate::layout::order::order;
use crate::layout::{Line, Role};
use crate::reader::hayro::open;
use crate::reader::ink::{Grey, seems_written};
use crate::reader::ocr::{self, DPI, Inset, Picture};
use crate::reader::{Area, Drawn, Glyph, RawPage, Source};
use crate::render::{grey, grey_as_png};
use hayro_syntax::Pdf;
use lexforge_domain::document::{DocumentWarning, ReadEngine};
use lexforge_domain::text::Language;
use lexforge_ingest::options::ParseOptions;
use lexforge_ingest::tesseract::Tesseract;
use std::collections::HashSet;

/// A picture narrower than this contains no line of text, in points.
const NARROWEST: f32 = 30.0;
/// A picture lower than this contains no line of text, in points.
const LOWEST: f32 = 7.0;
/// Strips of one picture lie no farther apart, in points.
const STRIPS: f32 = 2.0;
/// How far marks reach beyond the box of their character, in font sizes.
const AROUND: f32 = 0.35;
/// White around a picture that is read, in points.
const MARGIN: usize = 12;
/// Lines that a picture's text may go down from its place to the end of a sentence.
const DOWN: usize = 12;
/// Most words that a warning names.
const NAMED: usize = 12;

/// Examines the pictures of all pages with a text layer, reads their text, and reports what was read and what was not.
pub fn read(
    readings: &mut [Reading],
    source: &Source,
    options: &ParseOptions,
    on_page: &mut dyn FnMut(u32, u32),
    warnings: &mut Vec<DocumentWarning>,
) {
    let jobs = jobs(readings);
    if jobs.is_empty() {
        return;
    }
    let tesseract = match options.ocr.clone() {
        None => Err("Tesseract, which reads images, is not installed or switched off".to_owned()),
        Some(program) => Tesseract::open(program, options.guard.clone()),
    };
    let work = Work {
        tesseract,
        pdf: open(source).map_err(|e| e.to_string()),
        seconds: options.ocr_page_seconds,
        language: language_of(readings),
    };
    let of = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
    let mut done = 0;
    let mut outcomes = Vec::with_capacity(jobs.len());
    side_by_side(
        &jobs,
        |job| work.look(job),
        |at, outcome| {
            done += 1;
            on_page(done, of);
            outcomes.push((at, outcome));
        },
    );
    // The order in which pages were finished is nobody's concern.
    outcomes.sort_by_key(|(at, _)| *at);
    for (at, outcome) in outcomes {
        let index = jobs[at].index;
        take(&mut readings[index], outcome, page_number(index), warnings);
    }
}

/// A page with its pictures, and where its text layer has characters.
struct Job {
    index: usize,
    areas: Vec<Area>,
    written: Vec<Area>,
}

/// Pages with pictures to be examined. A picture that is on several pages (a logo, a ground) is examined once.
fn jobs(readings: &[Reading]) -> Vec<Job> {
    let mut seen = HashSet::new();
    let mut jobs = Vec::new();
    for (index, reading) in readings.iter().enumerate() {
        let page = &reading.page;
        if reading.engine == ReadEngine::Ocr || is_scanned(page) || page.glyphs.is_empty() {
            continue;
        }
        let areas: Vec<Area> = joined(&page.pictures)
            .into_iter()
            .filter(|p| p.area.width() >= NARROWEST && p.area.height() >= LOWEST)
            .filter(|p| seen.insert(p.key))
            .map(|p| p.area)
            .collect();
        if !areas.is_empty() {
            jobs.push(Job {
                index,
                areas,
                written: page.glyphs.iter().map(around).collect(),
            });
        }
    }
    jobs
}

/// Pictures that touch are one: scanners and printers cut them into strips.
fn joined(pictures: &[Drawn]) -> Vec<Drawn> {
    let mut joined: Vec<Drawn> = Vec::new();
    for &picture in pictures {
        if picture.area.width() <= 0.0 || picture.area.height() <= 0.0 {
            continue;
        }
        let mut whole = picture;
        // A picture that was joined may touch further ones.
        while let Some(at) = joined
            .iter()
            .position(|p| p.area.meets(&whole.area, STRIPS))
        {
            let other = joined.swap_remove(at);
            whole.area = Area {
                x0: whole.area.x0.min(other.area.x0),
                y0: whole.area.y0.min(other.area.y0),
                x1: whole.area.x1.max(other.area.x1),
                y1: whole.area.y1.max(other.area.y1),
            };
            // The key must not depend on the order of the strips. So the keys are added. With XOR, the keys of two
            // equal strips would cancel each other.
            whole.key = whole.key.wrapping_add(other.key);
        }
        joined.push(whole);
    }
    joined.sort_by(|a, b| {
        let (a, b) = (a.area, b.area);
        a.y0.total_cmp(&b.y0).then(a.x0.total_cmp(&b.x0))
    });
    joined
}

/// The area that the shape of a character covers.
fn around(glyph: &Glyph) -> Area {
    let (size, more) = (glyph.size, AROUND * glyph.size);
    let (x, y, advance) = (glyph.x, glyph.y, glyph.advance);
    let upright = |x0: f32, x1: f32, y0: f32, y1: f32| Area {
        x0: x0 - more,
        x1: x1 + more,
        y0: y0 - more,
        y1: y1 + more,
    };
    match glyph.turn {
        _ if glyph.vertical => upright(x - size, x + size, y - size, y + size),
        0 => upright(x, x + advance, y - 0.75 * size, y + 0.25 * size),
        1 => upright(x - 0.25 * size, x + 0.75 * size, y, y + advance),
        2 => upright(x - advance, x, y - 0.25 * size, y + 0.75 * size),
        _ => upright(x - 0.75 * size, x + 0.25 * size, y - advance, y),
    }
}

/// The result for a page's pictures.
struct Outcome {
    /// The share of the page that is covered by pictures with something in them that looks like text.
    share: f32,
    insets: Vec<Inset>,
    /// The reason why one of them was not read.
    unread: Option<String>,
}

/// Data that every page needs.
struct Work {
    tesseract: Result<Tesseract, String>,
    pdf: Result<Pdf, String>,
    seconds: u64,
    language: Option<Language>,
}

impl Work {
    fn look(&self, job: &Job) -> Outcome {
        let mut outcome = Outcome {
            share: 0.0,
            insets: Vec::new(),
            unread: None,
        };
        if let Err(why) = self.read(job, &mut outcome) {
            outcome.unread = Some(why);
        }
        outcome
    }

    fn read(&self, job: &Job, outcome: &mut Outcome) -> Result<(), String> {
        let number = page_number(job.index);
        let pdf = self.pdf.as_ref().map_err(Clone::clone)?;
        let page = pdf.pages().get(job.index).ok_or("the page is gone")?;
        let (width, height) = page.render_dimensions();
        let looked = Looked::draw(pdf, (page, number), &job.areas, &job.written)?;
        let holds_text = |area: &&Area| seems_written(&looked.picture(area), looked.dpi());
        let areas: Vec<&Area> = job.areas.iter().filter(holds_text).collect();
        let taken: f32 = areas.iter().map(|a| a.width() * a.height()).sum();
        outcome.share = (taken / (width * height).max(1.0)).min(1.0);
        if areas.is_empty() {
            return Ok(());
        }
        let tesseract = self.tesseract.as_ref().map_err(Clone::clone)?;
        let full = grey(pdf, number, DPI).map_err(|e| e.to_string())?;
        let scale = full.width as f32 / width.max(1.0);
        for area in areas {
            let margin = (MARGIN as f32 * scale) as usize;
            let part = framed(&cut(&full, area, scale), margin);
            let beyond = margin as f32 / scale;
            let shown = Picture {
                png: &grey_as_png(&part, number).map_err(|e| e.to_string())?,
                pixels: (part.width as u32, part.height as u32),
                area: Area {
                    x0: area.x0 - beyond,
                    y0: area.y0 - beyond,
                    x1: area.x0 - beyond + part.width as f32 / scale,
                    y1: area.y0 - beyond + part.height as f32 / scale,
                },
                language: self.language,
                seconds: self.seconds,
            };
            let is_written = |word: Area| {
                let (x, y) = (word.x0.midpoint(word.x1), word.y0.midpoint(word.y1));
                job.written.iter().any(|glyph| glyph.holds(x, y))
            };
            outcome
                .insets
                .push(ocr::read_inset(tesseract, shown, is_written)?);
        }
        Ok(())
    }
}

/// The part of a page at `scale` pixels to the point.
fn cut(page: &Grey, area: &Area, scale: f32) -> Grey {
    let window = at(area, scale);
    page.part((window.left, window.right), (window.top, window.bottom))
}

/// A picture with white around it: Tesseract does not see letters that touch the edge.
fn framed(picture: &Grey, margin: usize) -> Grey {
    let width = picture.width + 2 * margin;
    let height = picture.height + 2 * margin;
    let mut pixels = vec![u8::MAX; width * height];
    let rows = picture.pixels.chunks_exact(picture.width.max(1));
    for (row, shown) in rows.enumerate() {
        let from = (row + margin) * width + margin;
        pixels[from..from + picture.width].copy_from_slice(shown);
    }
    Grey {
        pixels,
        width,
        height,
    }
}

/// Puts the text of pictures among the page's characters, and reports what was done.
fn take(reading: &mut Reading, outcome: Outcome, number: u32, warnings: &mut Vec<DocumentWarning>) {
    let share = 100.0 * outcome.share;
    if let Some(why) = outcome.unread {
        let message = format!(
            "Pictures on {share:.0} % of the page seem to hold text, which was not read: {why}."
        );
        warnings.push(warning("picture_unread", Some(number), &message));
    }
    let mut labels = Vec::new();
    for inset in outcome.insets {
        labels.extend(inset.labels);
        if inset.prose.glyphs.is_empty() {
            continue;
        }
        let message = format!(
            "Text of a picture ({share:.0} % of the page). {}",
            inset.prose.message()
        );
        warnings.push(warning("picture_text", Some(number), &message));
        reading.insets.push(inset.prose.on(&RawPage {
            strokes: Vec::new(),
            pictures: Vec::new(),
            ..reading.page.clone()
        }));
    }
    if !labels.is_empty() {
        let more = labels.len().saturating_sub(NAMED);
        labels.truncate(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let message = format!(
            "Pictures on the page hold words that form no sentence; they are not part of its text: “{}”{more}.",
            labels.join("”, “")
        );
        warnings.push(warning("picture_labels", Some(number), &message));
    }
}

/// Inserts the lines read from pictures among the lines of the page. The page's own lines do not change. If a picture
/// is within a sentence, its text comes after the sentence.
pub fn insert(lines: &mut Vec<Line>, insets: &[RawPage], number: u32) {
    for inset in insets {
        let mut said = order(units(inset, number));
        let Some(first) = said.first_mut() else {
            continue;
        };
        first.break_before = true;
        let place = first.baseline;
        let (x0, x1) = (
            said.iter().map(|l| l.x0).fold(f32::MAX, f32::min),
            said.iter().map(|l| l.x1).fold(f32::MIN, f32::max),
        );
        for line in &mut said {
            line.role = Role::Body;
        }
        let above = |line: &Line| line.baseline <= place && line.x0 < x1 && x0 < line.x1;
        let at = lines.iter().rposition(above).map_or(0, |i| i + 1);
        let ends = |i: usize| {
            i.checked_sub(1).and_then(|i| lines.get(i)).is_none_or(|l| {
                l.text()
                    .trim_end()
                    .ends_with(['.', ';', ':', '?', '!', '。', '；', '：', '？', '！'])
            })
        };
        let at = (at..=lines.len().min(at + DOWN))
            .find(|&i| ends(i))
            .unwrap_or(at);
        if let Some(next) = lines.get_mut(at) {
            next.break_before = true;
        }
        lines.splice(at..at, said);
    }
}

#[cfg(test)]
mod tests;
