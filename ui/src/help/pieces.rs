//! Markdown to the few pieces that a page of the help is made of.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A heading below the title.
    Heading(Vec<Self>),
    Paragraph(Vec<Self>),
    /// A list, with numbers or without.
    List {
        /// With numbers.
        numbered: bool,
        items: Vec<Self>,
    },
    /// An item of a list.
    Item(Vec<Self>),
    /// What is to be seen first.
    Strong(Vec<Self>),
    /// A name of something on the screen.
    Named(Vec<Self>),
    /// A key, or what is typed.
    Key(String),
    /// Lines that are typed or shown so.
    Typed(String),
    /// A table: its rows, the head first.
    Table(Vec<Self>),
    /// A row of a table, or its head.
    Row(Vec<Self>),
    /// A cell of a row.
    Cell(Vec<Self>),
    Words(String),
}

/// The pieces of a text. Markup without a kind of piece becomes plain words.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut open: Vec<(Option<Tag<'_>>, Vec<Piece>)> = vec![(None, Vec::new())];
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        let piece = match event {
            Event::Start(tag) => {
                open.push((Some(tag), Vec::new()));
                continue;
            }
            Event::End(_) => match open.pop() {
                Some((Some(tag), inner)) => closed(&tag, inner),
                // The parser closes only what it has opened.
                _ => continue,
            },
            Event::Code(words) => Piece::Key(words.into_string()),
            Event::SoftBreak | Event::HardBreak => Piece::Words(" ".to_owned()),
            Event::Text(words) => Piece::Words(words.into_string()),
            _ => continue,
        };
        if let Some((_, inner)) = open.last_mut() {
            inner.push(piece);
        }
    }
    open.into_iter().flat_map(|(_, inner)| inner).collect()
}

fn closed(tag: &Tag<'_>, inner: Vec<Piece>) -> Piece {
    match tag {
        Tag::Heading { .. } => Piece::Heading(inner),
        Tag::List(first) => Piece::List {
            numbered: first.is_some(),
            items: inner,
        },
        Tag::Item => Piece::Item(inner),
        Tag::Strong => Piece::Strong(inner),
        // The target of a link is not part of the program, so only the link's text is shown.
        Tag::Emphasis | Tag::Link { .. } => Piece::Named(inner),
        Tag::CodeBlock(_) => Piece::Typed(words(&inner)),
        Tag::Table(_) => Piece::Table(inner),
        Tag::TableHead | Tag::TableRow => Piece::Row(inner),
        Tag::TableCell => Piece::Cell(inner),
        _ => Piece::Paragraph(inner),
    }
}

/// The words of these pieces, without what marks them.
fn words(pieces: &[Piece]) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Words(text) | Piece::Key(text) | Piece::Typed(text) => text.clone(),
        _ => String::new(),
    };
    pieces
        .iter()
        .map(word)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Piece {
        Piece::Words(text.to_owned())
    }

    #[test]
    fn a_page_is_taken_apart() {
        let got = pieces("## Keys\n\nPress `A`, *or* **not**.\n\n1. one\n2. two\n");
        let expected = vec![
            Piece::Heading(vec![words("Keys")]),
            Piece::Paragraph(vec![
                words("Press "),
                Piece::Key("A".to_owned()),
                words(", "),
                Piece::Named(vec![words("or")]),
                words(" "),
                Piece::Strong(vec![words("not")]),
                words("."),
            ]),
            Piece::List {
                numbered: true,
                items: vec![
                    Piece::Item(vec![words("one")]),
                    Piece::Item(vec![words("two")]),
                ],
            },
        ];
        assert_eq!(got, expected);
    }

    #[test]
    fn tables_lines_and_links_are_pieces() {
        let got =
            pieces("| a | b |\n| --- | --- |\n| c | d |\n\n    one\n    two\n\n[there](x.md)\n");
        let cell = |text: &str| Piece::Cell(vec![words(text)]);
        let expected = vec![
            Piece::Table(vec![
                Piece::Row(vec![cell("a"), cell("b")]),
                Piece::Row(vec![cell("c"), cell("d")]),
            ]),
            Piece::Typed("one\ntwo".to_owned()),
            Piece::Paragraph(vec![Piece::Named(vec![words("there")])]),
        ];
        assert_eq!(got, expected);
    }
}
