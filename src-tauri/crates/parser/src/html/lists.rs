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
    /// The place of its number of items in [`Countdowns`], where its numbers begin with that.
    counted: Option<usize>,
    /// `next` is what is to be added to that number.
    open_ended: bool,
}

/// How the label of an item begins whose number is known only at the end of its list. No page can say it.
const LATER: char = '\0';

/// The lists whose numbers count down from how many items there are: how each writes a number, and its items so far.
#[derive(Debug, Default)]
pub struct Countdowns(Vec<(Style, i64)>);

impl Countdowns {
    /// The label of an item, now that all items were counted.
    pub fn label(&self, label: String) -> Option<String> {
        let Some(later) = label.strip_prefix(LATER) else {
            return Some(label);
        };
        let (list, add) = later.split_once(' ')?;
        let (style, items) = self.0.get(list.parse::<usize>().ok()?)?;
        style.label(items.saturating_add(add.parse().ok()?))
    }
}

impl List {
    /// A list by its element's attributes.
    pub fn new(
        ordered: bool,
        kind: Option<&str>,
        css: Option<&str>,
        start: Option<i64>,
        reversed: bool,
        countdowns: &mut Countdowns,
    ) -> Self {
        let style = css
            .and_then(of_css)
            .or(kind.filter(|_| ordered).and_then(of_type))
            .unwrap_or(if ordered {
                Style::Decimal
            } else {
                Style::Bullet
            });
        let open_ended = reversed && start.is_none() && style != Style::None;
        if open_ended {
            countdowns.0.push((style, 0));
        }
        Self {
            style,
            next: start.unwrap_or(if open_ended { 0 } else { 1 }),
            step: if reversed { -1 } else { 1 },
            counted: open_ended.then(|| countdowns.0.len() - 1),
            open_ended,
        }
    }

    /// The label of the next item; `value` sets its number.
    pub fn label(&mut self, value: Option<i64>, countdowns: &mut Countdowns) -> Option<String> {
        let list = self.counted.and_then(|at| countdowns.0.get_mut(at));
        if let Some((_, items)) = list {
            *items += 1;
        }
        self.open_ended &= value.is_none();
        let number = value.unwrap_or(self.next);
        self.next = number.saturating_add(self.step);
        match self.counted.filter(|_| self.open_ended) {
            Some(at) => Some(format!("{LATER}{at} {number}")),
            None => self.style.label(number),
        }
    }
}

impl Style {
    /// The label of the item of this number.
    fn label(self, number: i64) -> Option<String> {
        let plain = || Some(format!("{number}."));
        let positive = u32::try_from(number).ok().filter(|n| *n > 0);
        match (self, positive) {
            (Self::None, _) => None,
            (Self::Bullet, _) => Some("•".to_owned()),
            (Self::Decimal, _) | (_, None) => plain(),
            (Self::LowerAlpha, Some(n)) => Some(format!("{}.", write::alphabetic(n))),
            (Self::UpperAlpha, Some(n)) => {
                Some(format!("{}.", write::alphabetic(n).to_uppercase()))
            }
            (Self::LowerRoman, Some(n)) => Some(format!("{}.", write::roman(n).to_lowercase())),
            (Self::UpperRoman, Some(n)) => Some(format!("{}.", write::roman(n))),
            (Self::Chinese, Some(n)) => Some(format!("{}、", write::chinese(n))),
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
