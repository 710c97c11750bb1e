//! Parts of a paragraph.

/// A stretch of text in one look. A line feed in it is a line break.
#[derive(Clone, Debug, Default)]
pub struct Span {
    pub text: String,
    pub bold: bool,
    pub italic: bool,
    /// Set small and above the line.
    pub raised: bool,
    /// A new page begins before it.
    pub new_page: bool,
}

impl Span {
    /// Adds text to the last span if it has the same look, or else as a new span.
    pub fn add(spans: &mut Vec<Self>, text: &str, bold: bool, italic: bool, raised: bool) {
        match spans.last_mut() {
            Some(s) if s.bold == bold && s.italic == italic && s.raised == raised => {
                s.text.push_str(text)
            }
            _ => spans.push(Self {
                text: text.to_owned(),
                bold,
                italic,
                raised,
                new_page: false,
            }),
        }
    }
}
