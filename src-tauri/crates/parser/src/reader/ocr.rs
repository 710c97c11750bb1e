//! Reads pages without a text layer by optical character recognition.
//!
//! Tesseract does the work. It is a separate program that the user may have installed. It gets the page as an image and
//! answers with words and boxes. These become characters with places, as from any other reader.

use super::{Area, Glyph, RawPage, Stroke};
use lexforge_domain::text::Language;
use lexforge_ingest::tesseract::Tesseract;
use lexforge_text::is_set_solid;
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

/// Dots to the inch at which pages are drawn for it, as its authors recommend.
pub(crate) const DPI: f32 = 300.0;
/// Mean confidence below which a page is called doubtful and other languages are tried, in percent.
pub const DOUBTFUL: f32 = 75.0;
/// Confidence below which a word is named, in percent.
const WORD_IN_DOUBT: f32 = 50.0;
/// Most words that are named.
const NAMED: usize = 8;
/// Lines that are longer than this, in points, are no parts of letters.
const RULE: f32 = 36.0;
/// Tesseract's name for: find blocks, columns and lines.
const WHOLE: &str = "3";
/// Tesseract's name for: the image is one block of text.
const BLOCK: &str = "6";

/// A page as it was recognised.
#[derive(Debug)]
pub struct Recognised {
    /// Characters with places on the page.
    pub glyphs: Vec<Glyph>,
    /// Mean confidence of its characters, in percent.
    pub confidence: f32,
    /// The first few words that the program itself finds doubtful.
    pub in_doubt: Vec<String>,
    /// The language that it was read as.
    pub language: &'static str,
}

/// A word with its box in pixels.
#[derive(Debug)]
struct Word {
    text: String,
    confidence: f32,
    left: f32,
    right: f32,
}

/// A line of words.
#[derive(Debug, Default)]
struct Row {
    /// Block and paragraph that it is in.
    paragraph: (u32, u32),
    top: f32,
    height: f32,
    words: Vec<Word>,
}

/// An image and how it is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The image, as a PNG.
    pub png: &'a [u8],
    /// Its width and height in pixels.
    pub pixels: (u32, u32),
    /// The place on the page that it shows.
    pub area: Area,
    /// The language, where it is known.
    pub language: Option<Language>,
    /// How long it may take.
    pub seconds: u64,
}

impl Picture<'_> {
    /// Points to a pixel, across and down.
    fn scale(&self) -> (f32, f32) {
        (
            self.area.width() / self.pixels.0.max(1) as f32,
            self.area.height() / self.pixels.1.max(1) as f32,
        )
    }

    /// Has the page read and returns the rows and the language of the reading in which Tesseract has most confidence.
    /// If the language is unknown, every installed language is tried. If the result is doubtful and `others_too` is
    /// set, the other languages are tried as well.
    fn rows(
        &self,
        tesseract: &Tesseract,
        layout: &str,
        others_too: bool,
    ) -> Result<(Vec<Row>, &'static str), String> {
        let deadline = Instant::now() + Duration::from_secs(self.seconds);
        let (first, others): (Vec<_>, Vec<_>) = tesseract
            .languages()
            .iter()
            .partition(|(_, spoken)| self.language.is_none_or(|l| l == *spoken));
        let mut best: Option<(f32, Vec<Row>, &'static str)> = None;
        for (rank, (name, _)) in first.iter().chain(&others).enumerate() {
            let doubtful = best.as_ref().is_none_or(|b| b.0 < DOUBTFUL);
            if rank >= first.len() && !(doubtful && others_too) {
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let arguments = [
                "stdin", "stdout", "-l", name, "--psm", layout, "--dpi", "300", "tsv",
            ];
            let table = match tesseract.answer(&arguments, self.png, left) {
                Ok(table) => table,
                // The result in another language is better than none.
                Err(_) if best.is_some() => break,
                Err(why) => return Err(why),
            };
            let rows = rows(&table);
            let sure = confidence(rows.iter());
            if best.as_ref().is_none_or(|b| sure > b.0) {
                best = Some((sure, rows, name));
            }
        }
        best.map(|(_, rows, name)| (rows, name))
            .ok_or_else(|| "no language is installed".to_owned())
    }
}

/// Reads the image of a page.
///
/// # Errors
/// The reason why the page was not read.
pub fn read(tesseract: &Tesseract, picture: Picture<'_>) -> Result<Recognised, String> {
    let (rows, language) = picture.rows(tesseract, WHOLE, true)?;
    Ok(page(&rows, picture.scale(), language))
}

/// The text of a picture within a page.
#[derive(Debug)]
pub struct Inset {
    /// Its sentences, at their places on the page.
    pub prose: Recognised,
    /// Words beside those: labels of a chart, a logo.
    pub labels: Vec<String>,
}

/// Reads the image of a picture within a page. Words at places for which `is_written` returns true are skipped, because
/// the text layer has them.
///
/// # Errors
/// The reason why the picture was not read.
pub(crate) fn read_inset(
    tesseract: &Tesseract,
    picture: Picture<'_>,
    is_written: impl Fn(Area) -> bool,
) -> Result<Inset, String> {
    // The language of the text around it is that of the picture: a chart read in another one gives letters at random.
    let others_too = picture.language.is_none();
    let (mut rows, mut language) = picture.rows(tesseract, WHOLE, others_too)?;
    if rows.is_empty() {
        // Tesseract's layout analysis does not take a single line for a page.
        (rows, language) = picture.rows(tesseract, BLOCK, others_too)?;
    }
    let scale = picture.scale();
    for row in &mut rows {
        let (top, height) = (row.top, row.height);
        row.words.retain(|word| {
            let place = Area {
                x0: picture.area.x0 + word.left * scale.0,
                x1: picture.area.x0 + word.right * scale.0,
                y0: picture.area.y0 + top * scale.1,
                y1: picture.area.y0 + (top + height) * scale.1,
            };
            word.confidence >= WORD_IN_DOUBT && !is_written(place)
        });
    }
    rows.retain(|row| !row.words.is_empty());
    let prose = prose(&rows);
    let (kept, left): (Vec<Row>, Vec<Row>) = rows
        .into_iter()
        .partition(|row| prose.contains(&row.paragraph));
    let mut prose = page(&kept, scale, language);
    for glyph in &mut prose.glyphs {
        glyph.x += picture.area.x0;
        glyph.y += picture.area.y0;
    }
    let words = left.into_iter().flat_map(|row| row.words);
    let labels = words
        .map(|word| word.text)
        .filter(|text| says_something(text));
    Ok(Inset {
        prose,
        labels: labels.collect(),
    })
}

fn says_something(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 3 || word.chars().filter(|c| is_set_solid(*c)).count() >= 2
}

/// The paragraphs that read like sentences. If most words are in such paragraphs, all paragraphs are returned, so that
/// a heading or the last word of a list is not lost.
fn prose(rows: &[Row]) -> HashSet<(u32, u32)> {
    let mut paragraphs: BTreeMap<(u32, u32), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        paragraphs.entry(row.paragraph).or_default().push(row);
    }
    let words = |rows: &[&Row]| rows.iter().map(|r| r.words.len()).sum::<usize>();
    let (sentences, rest): (BTreeMap<_, _>, BTreeMap<_, _>) = paragraphs
        .into_iter()
        .partition(|(_, rows)| reads_like_sentences(rows));
    let of =
        |part: &BTreeMap<(u32, u32), Vec<&Row>>| part.values().map(|r| words(r)).sum::<usize>();
    let all = !sentences.is_empty() && of(&sentences) >= 2 * of(&rest);
    let rest = rest.into_keys().filter(|_| all);
    sentences.keys().copied().chain(rest).collect()
}

/// Read with confidence, and either ended as a sentence is, with four words or eight ideographs at least, or long.
fn reads_like_sentences(rows: &[&Row]) -> bool {
    let words = || rows.iter().flat_map(|r| &r.words).map(|w| w.text.as_str());
    let count = |text: &str, wanted: fn(char) -> bool| text.chars().filter(|c| wanted(*c)).count();
    let spelt = words()
        .filter(|w| count(w, char::is_alphabetic) >= 2)
        .count();
    let solid: usize = words().map(|w| count(w, is_set_solid)).sum();
    let ended = words()
        .next_back()
        .is_some_and(|w| w.ends_with(['.', ';', ':', '?', '!', '。', '；', '：', '？', '！']));
    let (spelt_enough, solid_enough) = if ended { (4, 8) } else { (12, 40) };
    (spelt >= spelt_enough || solid >= solid_enough)
        && 2 * spelt.max(solid) >= words().count()
        && confidence(rows.iter().copied()) >= DOUBTFUL
}

/// Mean confidence of the characters of some rows, in percent; 0 without any.
fn confidence<'a>(rows: impl Iterator<Item = &'a Row>) -> f32 {
    let (mut sum, mut characters) = (0.0f32, 0usize);
    for word in rows.flat_map(|row| &row.words) {
        let count = word.text.chars().count();
        sum += word.confidence * count as f32;
        characters += count;
    }
    sum / characters.max(1) as f32
}

/// The lines and words of Tesseract's output table. Its columns are: level, page, block, paragraph, line, word, left,
/// top, width, height, confidence, text.
fn rows(table: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(12, '\t').collect();
        let number = |i: usize| fields.get(i).and_then(|f| f.parse::<f32>().ok());
        let (Some(left), Some(top), Some(width), Some(height)) =
            (number(6), number(7), number(8), number(9))
        else {
            continue;
        };
        match fields.first().copied() {
            Some("4") => rows.push(Row {
                paragraph: (
                    number(2).unwrap_or_default() as u32,
                    number(3).unwrap_or_default() as u32,
                ),
                top,
                height,
                words: Vec::new(),
            }),
            Some("5") => {
                let (Some(confidence), Some(text)) = (number(10), fields.get(11)) else {
                    continue;
                };
                let text = text.trim();
                if let Some(row) = rows
                    .last_mut()
                    .filter(|_| !text.is_empty() && confidence >= 0.0)
                {
                    row.words.push(Word {
                        text: text.to_owned(),
                        confidence,
                        left,
                        right: left + width,
                    });
                }
            }
            _ => {}
        }
    }
    rows.retain(|row| !row.words.is_empty());
    rows
}

/// Characters with places, from words in pixels.
fn page(rows: &[Row], scale: (f32, f32), language: &'static str) -> Recognised {
    let mut recognised = Recognised {
        glyphs: Vec::new(),
        confidence: confidence(rows.iter()),
        in_doubt: Vec::new(),
        language,
    };
    let mut heights: Vec<f32> = rows.iter().map(|r| r.height).collect();
    heights.sort_by(f32::total_cmp);
    let usual = heights.get(heights.len() / 2).copied().unwrap_or(1.0);
    for row in rows {
        // A line's box is a little higher or lower with the letters that happen to stand in it.
        let height = if (row.height / usual - 1.0).abs() < 0.3 {
            usual
        } else {
            row.height
        };
        let size = height * scale.1 / 0.93;
        let below = descent(row) * size;
        let y = (row.top + row.height) * scale.1 - below;
        for (at, word) in row.words.iter().enumerate() {
            let next = row.words.get(at + 1);
            // The box of a Chinese word may run over those that follow it.
            let right = next
                .filter(|n| n.left > word.left)
                .map_or(word.right, |n| n.left.min(word.right));
            let count = word.text.chars().count();
            let advance = (right - word.left).max(1.0) * scale.0 / count.max(1) as f32;
            let letters = word.text.chars().any(char::is_alphanumeric);
            if word.confidence < WORD_IN_DOUBT && letters && recognised.in_doubt.len() < NAMED {
                recognised.in_doubt.push(word.text.clone());
            }
            let mut push = |ch: char, x: f32, advance: f32| {
                recognised.glyphs.push(Glyph {
                    ch,
                    x,
                    y,
                    advance,
                    size,
                    turn: 0,
                    vertical: false,
                    bold: false,
                    italic: false,
                    capital: false,
                });
            };
            for (i, ch) in word.text.chars().enumerate() {
                push(ch, word.left * scale.0 + advance * i as f32, advance);
            }
            // Between ideographs a word's end is no blank.
            let ends = (
                word.text.chars().last(),
                next.and_then(|n| n.text.chars().next()),
            );
            if let (Some(last), Some(first)) = ends
                && !(is_set_solid(last) || is_set_solid(first))
            {
                push(' ', right * scale.0, 0.0);
            }
        }
    }
    recognised
}

/// How far a line's box reaches below its baseline, in font sizes.
fn descent(row: &Row) -> f32 {
    let has = |wanted: fn(char) -> bool| row.words.iter().any(|w| w.text.chars().any(wanted));
    if has(is_set_solid) {
        0.1
    } else if has(|c| "gjpqy,;()[]Q".contains(c)) {
        0.21
    } else {
        0.0
    }
}

impl Recognised {
    /// The page with these characters for its own.
    pub fn on(self, page: &RawPage) -> RawPage {
        // The straight parts of letters that are drawn as shapes are no rules.
        let rule = |s: &Stroke| page.outlined == 0 || (s.x1 - s.x0).max(s.y1 - s.y0) > RULE;
        RawPage {
            width: page.width,
            height: page.height,
            glyphs: self.glyphs,
            strokes: page.strokes.iter().copied().filter(rule).collect(),
            outlined: 0,
            image_share: page.image_share,
            pictures: page.pictures.clone(),
            unmapped: Vec::new(),
        }
    }

    /// The message about it for the user.
    pub fn message(&self) -> String {
        let low = if self.confidence < DOUBTFUL {
            ", which is low"
        } else {
            ""
        };
        let words = match self.in_doubt.as_slice() {
            [] => String::new(),
            words => format!(" In doubt: “{}”.", words.join("”, “")),
        };
        format!(
            "Read by optical character recognition, mean confidence {:.0} %{low}: check it against the image.{words}",
            self.confidence
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
        1\t1\t0\t0\t0\t0\t0\t0\t1000\t1000\t-1\t\n\
        4\t1\t1\t1\t1\t0\t100\t100\t400\t50\t-1\t\n\
        5\t1\t1\t1\t1\t1\t100\t100\t400\t50\t90\t第一\n\
        5\t1\t1\t1\t1\t2\t200\t100\t50\t50\t40\t条\n\
        4\t1\t1\t1\t2\t0\t100\t200\t400\t48\t-1\t\n\
        5\t1\t1\t1\t2\t1\t100\t200\t200\t48\t96\tshall\n\
        5\t1\t1\t1\t2\t2\t320\t200\t180\t48\t96\treport\n\
        5\t1\t1\t1\t2\t3\t600\t200\t10\t48\t-1\t \n";

    #[test]
    fn words_become_characters_in_their_places() {
        let recognised = page(&rows(TABLE), (0.24, 0.24), "chi_sim");
        let text: String = recognised.glyphs.iter().map(|g| g.ch).collect();
        assert_eq!(text, "第一条shall report");
        // The first word's box runs over the second one's and is cut there.
        let places: Vec<f32> = recognised.glyphs.iter().take(3).map(|g| g.x).collect();
        assert_eq!(places, [24.0, 36.0, 48.0]);
        assert!(
            recognised
                .glyphs
                .windows(2)
                .all(|w| (w[0].size - w[1].size).abs() < 1e-3)
        );
        // 2 × 90 + 40 + 11 × 96 over 14 characters.
        assert!(
            (recognised.confidence - 91.14).abs() < 0.01,
            "{}",
            recognised.confidence
        );
        assert_eq!(recognised.in_doubt, ["条"]);
        assert!(recognised.message().contains("91 %") && recognised.message().contains("“条”"));
    }

    #[test]
    fn nothing_recognised_is_no_confidence() {
        let recognised = page(&rows("level\n1\t1\n"), (1.0, 1.0), "eng");
        assert!(recognised.glyphs.is_empty() && recognised.confidence == 0.0);
        assert!(recognised.message().contains("low"));
    }
}
