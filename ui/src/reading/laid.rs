//! A page that has no image: its text laid out to be read, with the same marker as a printed page.

use super::state::{unhover, use_reading};
use crate::components::blocks::Blocks;
use crate::components::law::lang_tag;
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::SentenceId;
use lexforge_domain::api::PageView;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_text::fold::spaced;

/// About how high a paragraph is, in pixels.
const PARAGRAPH: f64 = 74.0;

/// The page as text.
#[component]
pub fn Laid(
    page: PageView,
    /// The box that scrolls.
    scroller: NodeRef<Div>,
    /// Changes whenever that box scrolls.
    #[prop(into)]
    moved: Signal<i32>,
) -> impl IntoView {
    let reading = use_reading();
    let language = reading.document().map_or(Language::En, |d| d.language);
    let levels: Vec<u8> = reading.outline.value.with_untracked(|outline| {
        let sections = outline
            .as_ref()
            .map(|o| &o.sections[..])
            .unwrap_or_default();
        page.sentences
            .iter()
            .map(|s| {
                sections
                    .iter()
                    .find(|x| Some(x.id) == s.sentence.section_id)
                    .map_or(0, |x| x.level)
            })
            .collect()
    });
    let sentences: Vec<&Sentence> = page.sentences.iter().map(|s| &s.sentence).collect();
    let paragraphs = paragraphs(&page.text, page.offset, &sentences, &levels);
    let order: Vec<(SentenceId, usize)> = paragraphs
        .iter()
        .enumerate()
        .flat_map(|(at, p)| {
            p.pieces
                .iter()
                .filter_map(move |piece| Some((piece.sentence?, at)))
        })
        .collect();
    let target = Signal::derive(move || {
        let wanted = reading
            .hovered
            .get()
            .filter(|_| !reading.from_page.get())
            .or(reading.app.place.get().sentence)?;
        order
            .iter()
            .find(|(id, _)| *id == wanted)
            .map(|(_, at)| *at)
    });
    let each = move |paragraph: Paragraph| view! { <Para paragraph language/> };
    view! {
        <div class="paper laid">
            <Blocks items=paragraphs each estimate=PARAGRAPH scroller moved target/>
        </div>
    }
}

#[component]
fn Para(paragraph: Paragraph, language: Language) -> impl IntoView {
    let reading = use_reading();
    let class = match paragraph.shape {
        Shape::Heading(level) => format!("law laid-heading depth-{}", level.min(3)),
        Shape::Item => "law sm laid-item".to_owned(),
        Shape::Row => "law sm laid-row".to_owned(),
        Shape::Note => "law laid-note".to_owned(),
        Shape::Text => "law sm".to_owned(),
    };
    let pieces = paragraph.pieces.into_iter().map(|piece| match piece.sentence {
        None => view! { {piece.text} }.into_any(),
        Some(id) => view! {
            <span
                class="hl"
                class:on=move || reading.lit() == Some(id) || reading.quoted.with(|q| q.contains(&id))
                data-sentence=id.to_string()
                on:pointerenter=move |_| { reading.from_page.set(true); reading.hovered.set(Some(id)); }
                on:pointerleave=move |_| unhover(reading, id)
                on:click=move |_| reading.pin(id)
            >
                {piece.text}
            </span>
        }
        .into_any(),
    });
    view! { <p class=class lang=lang_tag(language)>{pieces.collect_view()}</p> }
}

/// How a paragraph is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// With the depth of its section.
    Heading(u8),
    Item,
    Row,
    Note,
    Text,
}

impl Shape {
    /// The shape of a paragraph that begins with such a sentence; `level` is the depth of its section.
    fn of(kind: SentenceKind, level: u8) -> Self {
        match kind {
            SentenceKind::Heading => Self::Heading(level),
            SentenceKind::ListItem => Self::Item,
            SentenceKind::TableCell => Self::Row,
            SentenceKind::Footnote => Self::Note,
            SentenceKind::Rule | SentenceKind::Definition => Self::Text,
        }
    }
}

/// A stretch of text, and the sentence that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    sentence: Option<SentenceId>,
}

impl Piece {
    /// Text that is no sentence.
    fn between(text: String) -> Self {
        Self {
            text,
            sentence: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Paragraph {
    shape: Shape,
    pieces: Vec<Piece>,
}

/// The text in paragraphs: sentences follow one another in a paragraph as long as no line ends between them. Text
/// between sentences (a number, a bullet) is put before the next sentence.
fn paragraphs(text: &str, offset: usize, sentences: &[&Sentence], levels: &[u8]) -> Vec<Paragraph> {
    let chars: Vec<char> = text.chars().collect();
    let cut = |from: usize, to: usize| -> String {
        chars
            .get(from.min(chars.len())..to.min(chars.len()))
            .unwrap_or_default()
            .iter()
            .collect()
    };
    let mut all: Vec<Paragraph> = Vec::new();
    let mut at = 0;
    for (i, sentence) in sentences.iter().enumerate() {
        let (start, end) = (
            sentence.start.saturating_sub(offset),
            sentence.end.saturating_sub(offset),
        );
        let gap = if start > at {
            cut(at, start)
        } else {
            String::new()
        };
        at = at.max(end);
        let shape = Shape::of(sentence.kind, levels.get(i).copied().unwrap_or(0));
        let piece = Piece {
            text: sentence.text.clone(),
            sentence: Some(sentence.id),
        };
        let marker = spaced(&gap);
        // A sentence that continues in the same paragraph is a piece of it, whatever its kind.
        match all.last_mut() {
            Some(last)
                if !gap.contains('\n')
                    && !matches!(shape, Shape::Heading(_))
                    && !is_heading(last) =>
            {
                let between = if marker.is_empty() {
                    gap.clone()
                } else {
                    format!(" {marker} ")
                };
                last.pieces.push(Piece::between(between));
                last.pieces.push(piece);
            }
            _ => {
                let mut pieces = Vec::new();
                if !marker.is_empty() {
                    pieces.push(Piece::between(format!("{marker} ")));
                }
                pieces.push(piece);
                all.push(Paragraph { shape, pieces });
            }
        }
    }
    let rest = cut(at, chars.len());
    for line in rest.lines().map(str::trim).filter(|line| !line.is_empty()) {
        all.push(Paragraph {
            shape: Shape::Text,
            pieces: vec![Piece::between(line.to_owned())],
        });
    }
    all
}

fn is_heading(paragraph: &Paragraph) -> bool {
    matches!(paragraph.shape, Shape::Heading(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;

    fn sentence(id: i64, kind: SentenceKind, text: &str, start: usize, end: usize) -> Sentence {
        Sentence {
            id: SentenceId(id),
            document: DocumentId(1),
            position: 0,
            page: 1,
            section_id: None,
            section: String::new(),
            kind,
            text: text.to_owned(),
            complete: None,
            boxes: Vec::new(),
            start,
            end,
            external_id: None,
        }
    }

    #[test]
    fn lines_end_paragraphs_and_numbers_stay() {
        let text = "Scope\nA firm shall report. It shall\nkeep records.\n(a) incidents;\nEnd";
        let place = |part: &str| {
            let from = text.find(part).unwrap_or_default();
            (from + 100, from + 100 + part.len())
        };
        let make = |id, kind, raw: &str, shown: &str| {
            let (start, end) = place(raw);
            sentence(id, kind, shown, start, end)
        };
        let sentences = [
            make(1, SentenceKind::Heading, "Scope", "Scope"),
            make(
                2,
                SentenceKind::Rule,
                "A firm shall report.",
                "A firm shall report.",
            ),
            make(
                3,
                SentenceKind::Rule,
                "It shall\nkeep records.",
                "It shall keep records.",
            ),
            make(4, SentenceKind::ListItem, "incidents;", "incidents;"),
        ];
        let all = paragraphs(
            text,
            100,
            &sentences.iter().collect::<Vec<_>>(),
            &[1, 1, 1, 1],
        );
        let shown: Vec<(Shape, String)> = all
            .iter()
            .map(|p| {
                (
                    p.shape,
                    p.pieces.iter().map(|piece| piece.text.as_str()).collect(),
                )
            })
            .collect();
        let want = [
            (Shape::Heading(1), "Scope"),
            (Shape::Text, "A firm shall report. It shall keep records."),
            (Shape::Item, "(a) incidents;"),
            (Shape::Text, "End"),
        ];
        assert_eq!(shown, want.map(|(shape, text)| (shape, text.to_owned())));
        assert_eq!(all[1].pieces[2].sentence, Some(SentenceId(3)));
    }
}
