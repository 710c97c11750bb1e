//! The meaning of a page's elements for its text.

/// The effect of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its content is never text.
    Skipped,
    /// Its content belongs to the site and not to the document, unless it is in the main content.
    Furniture,
    /// It begins and ends a paragraph.
    Block,
    /// A heading of this level.
    Heading(u8),
    /// A list; whether it is ordered.
    List(bool),
    /// An item of a list.
    Item,
    /// A term of a definition list.
    Term,
    /// A definition of a definition list.
    Definition,
    Table,
    Row,
    Cell,
    /// The line breaks in it are kept.
    Preformatted,
    /// A line break.
    Break,
    /// A rule or an image: it parts paragraphs.
    Rule,
    Bold,
    Italic,
    Raised,
    /// The page's name.
    Title,
    /// Data of the page about itself.
    Meta,
    /// Anything that flows in the text.
    Inline,
}

/// The role of the element with this name.
pub fn kind(name: &str) -> Kind {
    match name {
        "script" | "style" | "noscript" | "template" | "svg" | "iframe" | "object" | "embed"
        | "audio" | "video" | "canvas" | "select" | "button" | "textarea" | "map" | "applet"
        | "noframes" | "noembed" | "xmp" | "rt" | "rp" | "datalist" | "dialog" => Kind::Skipped,
        "nav" | "footer" => Kind::Furniture,
        "h1" => Kind::Heading(1),
        "h2" => Kind::Heading(2),
        "h3" => Kind::Heading(3),
        "h4" => Kind::Heading(4),
        "h5" => Kind::Heading(5),
        "h6" => Kind::Heading(6),
        "ol" => Kind::List(true),
        "ul" | "menu" | "dir" => Kind::List(false),
        "li" => Kind::Item,
        "dt" => Kind::Term,
        "dd" => Kind::Definition,
        "table" => Kind::Table,
        "tr" => Kind::Row,
        "td" | "th" => Kind::Cell,
        "pre" | "listing" | "plaintext" => Kind::Preformatted,
        "br" => Kind::Break,
        "hr" => Kind::Rule,
        "b" | "strong" => Kind::Bold,
        "i" | "em" | "cite" | "dfn" => Kind::Italic,
        "sup" => Kind::Raised,
        "title" => Kind::Title,
        "meta" => Kind::Meta,
        "p" | "div" | "section" | "article" | "main" | "body" | "html" | "head" | "header"
        | "aside" | "address" | "blockquote" | "center" | "fieldset" | "legend" | "figure"
        | "figcaption" | "form" | "details" | "summary" | "hgroup" | "dl" | "tbody" | "thead"
        | "tfoot" | "caption" | "optgroup" | "option" | "frameset" | "noindex" | "search" => {
            Kind::Block
        }
        _ => Kind::Inline,
    }
}

/// Elements that flow in the text and have no other role here.
const FLOWING: &[&str] = &[
    "a", "abbr", "acronym", "area", "base", "basefont", "bdi", "bdo", "bgsound", "big", "blink",
    "code", "col", "colgroup", "data", "del", "font", "frame", "image", "img", "input", "ins",
    "kbd", "keygen", "label", "link", "mark", "marquee", "math", "meter", "nobr", "output",
    "param", "picture", "progress", "q", "rb", "rtc", "ruby", "s", "samp", "slot", "small",
    "source", "span", "strike", "sub", "time", "track", "tt", "u", "var", "wbr",
];

/// Whether HTML has an element of this name.
pub(crate) fn is_element(name: &str) -> bool {
    kind(name) != Kind::Inline || FLOWING.contains(&name)
}

/// Elements that have no end.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
            | "basefont"
            | "frame"
            | "bgsound"
            | "keygen"
    )
}

/// Whether what is in the element of this name is struck out.
pub(crate) fn strikes(name: &str) -> bool {
    matches!(name, "del" | "s" | "strike")
}

/// Whether an attribute's value hides the element: `display: none`.
pub fn hides(style: &str) -> bool {
    let style: String = style
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    style.contains("display:none")
        || style.contains("visibility:hidden")
        || style.contains("mso-hide:all")
}

/// A class or role that marks notes.
pub fn is_note(class: &str) -> bool {
    class.split_whitespace().any(|c| {
        let c = c.to_ascii_lowercase();
        let c = c.strip_prefix("oj-").unwrap_or(&c);
        matches!(
            c,
            "note"
                | "notes"
                | "footnote"
                | "footnotes"
                | "endnote"
                | "endnotes"
                | "doc-footnote"
                | "doc-endnote"
                | "doc-endnotes"
                | "footnote-text"
                | "msofootnotetext"
                | "fn"
        )
    })
}
