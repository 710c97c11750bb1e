//! What a label is: how it numbers, its value, and how long it is.

/// How a label numbers what it is before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `Part`, `Book`, `Division`, `第…编`: rank of a named level, smaller is higher.
    Named(Level),
    /// `1.2.3`: a number of so many components.
    Decimal(u8),
    /// A list marker: its decoration and its kind of number.
    Item(Wrap, Count),
    /// A list marker without a number.
    Bullet,
}

/// Named levels from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Annex, Appendix, Schedule, 附件: stands beside the main text.
    Annex,
    /// Part, Book, 编.
    Part,
    /// Title, Division.
    Title,
    /// Chapter, 章.
    Chapter,
    /// Section, 节.
    Section,
    Subsection,
    /// Article, Rule, `§`, 条.
    Article,
}

/// The signs around a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// `(a)`, `（一）`.
    Both,
    /// `a)`, `1.)`.
    Close,
    /// `a.`, `1．`.
    Dot,
    /// `一、`.
    Comma,
    /// `①`.
    Circle,
    /// `[12]`.
    Square,
    /// A number before a gap.
    Bare,
}

/// Kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// 1, 2, 3.
    Digit,
    /// a, b, c.
    Lower,
    /// A, B, C.
    Upper,
    /// i, ii, iii.
    LowerRoman,
    /// I, II, III.
    UpperRoman,
    /// 一, 二, 三.
    Chinese,
}

/// A label at the beginning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// How it numbers.
    pub scheme: Scheme,
    /// Its number; the last component of a decimal one.
    pub value: u32,
    /// The components of a decimal number.
    pub parts: Vec<u32>,
    /// The second reading of an ambiguous letter: `(i)` is a letter after `(h)`, else a Roman numeral.
    pub other: Option<(Scheme, u32)>,
    /// The text as printed, without blanks around it.
    pub text: String,
    /// Characters of the line that it takes, blanks after it included.
    pub len: usize,
}

impl Label {
    /// The label is a list marker of any kind.
    pub fn is_marker(&self) -> bool {
        matches!(self.scheme, Scheme::Bullet | Scheme::Item(..))
    }

    /// The label numbers an item of a list rather than a section or a paragraph.
    pub fn is_list_item(&self) -> bool {
        match self.scheme {
            Scheme::Bullet => true,
            Scheme::Item(Wrap::Dot | Wrap::Bare, Count::Digit) => false,
            Scheme::Item(..) => true,
            Scheme::Named(_) | Scheme::Decimal(_) => false,
        }
    }
}
