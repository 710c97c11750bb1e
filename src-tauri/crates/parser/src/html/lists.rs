//! The numbers of list items, as a browser computes them.

use lexforge_text::numerals::write;

/// How a list numbers its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// 1, 2, 3.
    Decimal,
    /// a, b, c.
    LowerAlpha,
    /// A, B, C.
    UpperAlpha,
    /// i, ii, iii.
    LowerRoman,
    /// I, II, III.
    UpperRoman,
    /// 一, 二, 三.
    Chinese,
    Bullet,
    /// No label: the text has its own.
    None,
}

/// A list that is open.
#[derive(Clone, Copy, Debug)]
pub struct List {
    style: Style,
    next: i64,
    step: i64,
}

impl List {
    /// A list by its element's attributes.
    pub fn new(
        ordered: bool,
        kind: Option<&str>,
        css: Option<&str>,
        start: Option<i64>,
        reversed: bool,
    ) -> Self {
        let style = css
            .and_then(of_css)
            .or(kind.filter(|_| ordered).and_then(of_type))
            .unwrap_or(if ordered {
                Style::Decimal
            } else {
                Style::Bullet
            });
        Self {
            style,
            next: start.unwrap_or(1),
            step: if reversed { -1 } else { 1 },
        }
    }

    /// The label of the next item; `value` sets its number.
    pub fn label(&mut self, value: Option<i64>) -> Option<String> {
        let number = value.unwrap_or(self.next);
        self.next = number.saturating_add(self.step);
        let plain = || Some(format!("{number}."));
        let positive = u32::try_from(number).ok().filter(|n| *n > 0);
        match (self.style, positive) {
            (Style::None, _) => None,
            (Style::Bullet, _) => Some("•".to_owned()),
            (Style::Decimal, _) | (_, None) => plain(),
            (Style::LowerAlpha, Some(n)) => Some(format!("{}.", write::alphabetic(n))),
            (Style::UpperAlpha, Some(n)) => {
                Some(format!("{}.", write::alphabetic(n).to_uppercase()))
            }
            (Style::LowerRoman, Some(n)) => Some(format!("{}.", write::roman(n).to_lowercase())),
            (Style::UpperRoman, Some(n)) => Some(format!("{}.", write::roman(n))),
            (Style::Chinese, Some(n)) => Some(format!("{}、", write::chinese(n))),
        }
    }
}

fn of_type(kind: &str) -> Option<Style> {
    Some(match kind {
        "1" => Style::Decimal,
        "a" => Style::LowerAlpha,
        "A" => Style::UpperAlpha,
        "i" => Style::LowerRoman,
        "I" => Style::UpperRoman,
        _ => return None,
    })
}

fn of_css(style: &str) -> Option<Style> {
    let style: String = style
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    let value = ["list-style-type:", "list-style:"]
        .iter()
        .find_map(|key| style.split(key).nth(1))?;
    let value = value.split([';', '!']).next().unwrap_or(value);
    Some(match value {
        v if v.starts_with("none") => Style::None,
        v if v.contains("lower-alpha") || v.contains("lower-latin") => Style::LowerAlpha,
        v if v.contains("upper-alpha") || v.contains("upper-latin") => Style::UpperAlpha,
        v if v.contains("lower-roman") => Style::LowerRoman,
        v if v.contains("upper-roman") => Style::UpperRoman,
        v if v.contains("decimal") => Style::Decimal,
        v if v.contains("chinese") || v.contains("cjk") => Style::Chinese,
        v if v.contains("disc") || v.contains("circle") || v.contains("square") => Style::Bullet,
        _ => return None,
    })
}
