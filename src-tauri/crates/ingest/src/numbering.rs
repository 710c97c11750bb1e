//! Labels of sections, articles, paragraphs and list items, read from the beginning of a line.
//!
//! The tables of all languages are in this one file, because they must fit together: a label that one table recognises
//! cannot be recognised by another one.

mod label;

pub use label::{Count, Label, Level, Scheme, Wrap};

use lexforge_text::calendar::MONTHS;
use lexforge_text::fold;
use lexforge_text::numerals::{alphabetic, chinese, english, is_clause_numeral, roman};

/// Words that name a level, singular, lower case.
const NAMES: [(&str, Level); 17] = [
    ("part", Level::Part),
    ("book", Level::Part),
    ("title", Level::Title),
    ("division", Level::Title),
    ("chapter", Level::Chapter),
    ("section", Level::Section),
    ("sec.", Level::Article),
    ("subsection", Level::Subsection),
    ("subpart", Level::Chapter),
    ("article", Level::Article),
    ("art.", Level::Article),
    ("rule", Level::Article),
    ("regulation", Level::Article),
    ("annex", Level::Annex),
    ("appendix", Level::Annex),
    ("schedule", Level::Annex),
    ("attachment", Level::Annex),
];

/// The label at the beginning of `line`; `styled` lines (bold, centred, large) may be headings.
pub fn label(line: &[char], styled: bool) -> Option<Label> {
    let start = line.iter().position(|c| !c.is_whitespace())?;
    let text = &line[start..];
    let mut found = chinese_level(text)
        .or_else(|| english_level(text, styled))
        .or_else(|| marker(text, styled))?;
    found.len += start;
    while line.get(found.len).is_some_and(|c| c.is_whitespace()) {
        found.len += 1;
    }
    Some(found)
}

/// The label of a paragraph, which may also be set without a blank after it: `10.Banks`.
pub fn paragraph_label(line: &[char], styled: bool) -> Option<Label> {
    label(line, styled).or_else(|| tight(line))
}

/// `10.Banks`, `4.A bank` or `94.IRRBB`: a number and a full stop right before the capital of a word or of an
/// abbreviation.
fn tight(line: &[char]) -> Option<Label> {
    let start = line.iter().position(|c| !c.is_whitespace())?;
    let text = &line[start..];
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let [stop, capital, next, ..] = text.get(digits..)? else {
        return None;
    };
    let word = capital.is_ascii_uppercase() && (next.is_ascii_alphabetic() || *next == ' ');
    if !(1..=3).contains(&digits) || *stop != '.' || !word {
        return None;
    }
    let number: String = text[..digits].iter().collect();
    let mut found = counted(&number, Wrap::Dot, text, digits + 1)?;
    found.len += start;
    Some(found)
}

fn made(scheme: Scheme, value: u32, text: &[char], len: usize) -> Label {
    let label: String = text[..len].iter().collect();
    Label {
        scheme,
        value,
        parts: Vec::new(),
        other: None,
        text: label.trim().to_owned(),
        len,
    }
}

/// `第八条`, `第一章`, `附件2`.
fn chinese_level(text: &[char]) -> Option<Label> {
    if text.starts_with(&['附']) {
        // `附：` alone on its line heads what is attached.
        if matches!(text, [_, ':' | '：']) {
            return Some(made(Scheme::Named(Level::Annex), 1, text, 1));
        }
        text.get(1).filter(|c| "件录表".contains(**c))?;
        let mut end = 2;
        while text.get(end).is_some_and(|c| c.is_whitespace()) {
            end += 1;
        }
        let from = end;
        while text.get(end).is_some_and(|&c| is_clause_numeral(c)) {
            end += 1;
        }
        let number: String = text[from..end].iter().collect();
        let after = text.get(end);
        let closed = after.is_none_or(|c| c.is_whitespace() || "：:.、".contains(*c));
        let len = if number.is_empty() { 2 } else { end };
        let short = text.len() <= 40;
        return (closed && short).then(|| {
            made(
                Scheme::Named(Level::Annex),
                chinese_value(&number).unwrap_or(1),
                text,
                len,
            )
        });
    }
    if text.first() != Some(&'第') {
        return None;
    }
    let mut at = 1;
    let mut number = String::new();
    // Blanks inside a label (第 一 章) are typesetting.
    while let Some(&c) = text.get(at) {
        if is_clause_numeral(c) {
            number.push(c);
        } else if !c.is_whitespace() {
            break;
        }
        at += 1;
    }
    let value = chinese_value(&number)?;
    let level = match text.get(at)? {
        '编' | '篇' => Level::Part,
        '章' => Level::Chapter,
        '节' => Level::Section,
        '条' => Level::Article,
        _ => return None,
    };
    at += 1;
    if text.get(at) == Some(&'之') {
        let from = at + 1;
        let mut end = from;
        while text.get(end).is_some_and(|&c| is_clause_numeral(c)) {
            end += 1;
        }
        if end > from {
            at = end;
        }
    }
    let printed: String = text[..at].iter().filter(|c| !c.is_whitespace()).collect();
    let rest = &text[at..];
    let gap = rest.first().is_none_or(|c| c.is_whitespace());
    // A reference at the beginning of a line runs on: 第三条规定的, 第五条、第六条.
    let runs_on = rest
        .iter()
        .find(|c| !c.is_whitespace())
        .is_some_and(|c| "、，。；和至及或与第款项的）)".contains(*c))
        || ["规定", "所称", "所列", "至第", "第一款"]
            .iter()
            .any(|w| starts_with(rest, w));
    if !gap && runs_on {
        return None;
    }
    let mut label = made(Scheme::Named(level), value, text, at);
    label.text = printed;
    Some(label)
}

fn starts_with(text: &[char], word: &str) -> bool {
    let mut chars = text.iter();
    word.chars().all(|w| chars.next() == Some(&w))
}

/// `Article 5`, `CHAPTER II`, `§ 1026.3`.
fn english_level(text: &[char], styled: bool) -> Option<Label> {
    if text[0] == '§' {
        let mut at = 1;
        while text.get(at).is_some_and(|c| c.is_whitespace() || *c == '§') {
            at += 1;
        }
        let from = at;
        while text
            .get(at)
            .is_some_and(|c| c.is_ascii_alphanumeric() || (*c == '.' || *c == '-'))
        {
            at += 1;
        }
        while at > from && text[at - 1] == '.' {
            at -= 1;
        }
        let number: String = text[from..at].iter().collect();
        let value = number
            .rsplit(['.', '-'])
            .next()
            .and_then(|n| n.trim_end_matches(char::is_alphabetic).parse().ok())?;
        return Some(made(Scheme::Named(Level::Article), value, text, at));
    }
    let space = text
        .iter()
        .position(|c| c.is_whitespace())
        .unwrap_or(text.len());
    if !(3..=10).contains(&space) || !text[0].is_ascii_uppercase() {
        return None;
    }
    let word: String = text[..space].iter().collect::<String>().to_lowercase();
    let &(_, level) = NAMES
        .iter()
        .find(|(name, _)| *name == word.trim_end_matches(':'))?;
    let mut at = space;
    while text.get(at).is_some_and(|c| c.is_whitespace()) {
        at += 1;
    }
    let from = at;
    while text
        .get(at)
        .is_some_and(|c| c.is_ascii_alphanumeric() || *c == '.' || *c == '-' || *c == '–')
    {
        at += 1;
    }
    while at > from && !text[at - 1].is_ascii_alphanumeric() {
        at -= 1;
    }
    let number: String = text[from..at].iter().collect();
    let value = if number.is_empty() {
        // `ANNEX` alone on its line.
        let alone = level == Level::Annex && text.len() == space;
        return alone.then(|| made(Scheme::Named(level), 1, text, space));
    } else {
        number_value(&number)?
    };
    // The text that follows shows whether it is a heading or a sentence that begins with a reference.
    let rest = &text[at..];
    let next = rest.iter().find(|c| !c.is_whitespace());
    let heading = match next {
        None => true,
        Some(':' | '.' | '–' | '—' | '-' | '|' | '：') => {
            let after = rest.iter().skip_while(|c| c.is_whitespace()).nth(1);
            after.is_none_or(|c| c.is_whitespace() || c.is_uppercase())
        }
        Some(c) if c.is_uppercase() || *c == '[' || is_quote(*c) => {
            rest.first().is_some_and(|c| c.is_whitespace()) && (styled || title_like(rest))
        }
        Some(_) => false,
    };
    if !heading {
        return None;
    }
    let mut len = at;
    if matches!(rest.first(), Some('.' | ':' | '：')) {
        len += 1;
    } else if let Some(skip) = rest.iter().position(|c| !c.is_whitespace())
        && "–—-:|".contains(rest[skip])
    {
        len += skip + 1;
    }
    let mut label = made(Scheme::Named(level), value, text, at);
    label.text = fold::spaced(&label.text);
    label.len = len;
    Some(label)
}

fn is_quote(c: char) -> bool {
    "\"'“‘«".contains(c)
}

/// A short run of words without the end of a sentence.
fn title_like(rest: &[char]) -> bool {
    let text: String = rest.iter().collect();
    let text = text.trim();
    text.split_whitespace().count() <= 14 && !text.ends_with(['.', ';', ',', ':'])
}

/// The value of a Chinese numeral or of digits.
fn chinese_value(number: &str) -> Option<u32> {
    chinese(number).and_then(|value| value.try_into().ok())
}

fn number_value(number: &str) -> Option<u32> {
    let last = number.rsplit(['.', '-', '–']).next()?;
    let digits: String = last.chars().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() {
        let tail = &last[digits.len()..];
        return if tail.len() <= 3 {
            digits.parse().ok()
        } else {
            None
        };
    }
    roman(last)
        .or_else(|| (last.len() == 1).then(|| alphabetic(last)).flatten())
        .or_else(|| english(&last.to_lowercase()).filter(|value| *value > 0))
}

/// `(a)`, `1.`, `3.2.1`, `一、`, `①`, `•`.
fn marker(text: &[char], styled: bool) -> Option<Label> {
    let first = text[0];
    let second = text.get(1).copied();
    if "•●○◦▪■□☐☑☒◆➢►✓✔⁃‣·*".contains(first)
        || ("–—-−".contains(first) && second.is_some_and(char::is_whitespace))
        || (first == 'o' && second == Some(' ') && text.get(2).is_some_and(|c| c.is_alphabetic()))
    {
        return (text.len() > 1).then(|| made(Scheme::Bullet, 0, text, 1));
    }
    if ('①'..='⑳').contains(&first) {
        let value = first as u32 - '①' as u32 + 1;
        return Some(made(
            Scheme::Item(Wrap::Circle, Count::Digit),
            value,
            text,
            1,
        ));
    }
    if "(（[".contains(first) {
        let close = text.iter().take(12).position(|c| ")）]".contains(*c))?;
        let inner: String = text[1..close]
            .iter()
            .filter(|c| !c.is_whitespace())
            .collect();
        let wrap = if first == '[' {
            Wrap::Square
        } else {
            Wrap::Both
        };
        let mut label = counted(&inner, wrap, text, close + 1)?;
        label.text = format!("{first}{inner}{}", text[close]);
        return Some(label);
    }
    // A rulebook's prefix: `PRU 3.2.1`.
    let mut from = 0;
    let prefix = text.iter().take_while(|c| c.is_ascii_uppercase()).count();
    if (2..=6).contains(&prefix) && second.is_some() && text.get(prefix) == Some(&' ') {
        from = prefix + 1;
    }
    let end = from
        + text[from..]
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric() || **c == '.')
            .count();
    let token: String = text[from..end].iter().collect();
    let body = token.trim_end_matches('.');
    let components: Vec<&str> = body.split('.').collect();
    if components.len() >= 2 {
        return decimal(text, &components, from, from + body.len(), end, styled);
    }
    if from > 0 {
        return None;
    }
    let body_len = body.chars().count();
    if is_clause_numeral(first) && !first.is_ascii_digit() {
        let end = text.iter().take_while(|&&c| is_clause_numeral(c)).count();
        let wrap = match text.get(end)? {
            '、' | '，' => Wrap::Comma,
            '.' | '．' => Wrap::Dot,
            _ => return None,
        };
        let number: String = text[..end].iter().collect();
        return Some(made(
            Scheme::Item(wrap, Count::Chinese),
            chinese_value(&number)?,
            text,
            end + 1,
        ));
    }
    if body.is_empty() {
        return None;
    }
    let next = text.get(body_len).copied();
    let after = text.get(body_len + 1).copied();
    let spaced = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || !c.is_ascii());
    match next {
        Some('.') if after == Some(')') => counted(body, Wrap::Close, text, body_len + 2),
        Some('.' | '．') if spaced(after) => counted(body, Wrap::Dot, text, body_len + 1),
        Some('、') => counted(body, Wrap::Comma, text, body_len + 1),
        Some(')' | '）') if spaced(after) || after.is_some_and(char::is_alphabetic) => {
            counted(body, Wrap::Close, text, body_len + 1)
        }
        // A bare number is a label only if the line looks like a heading, because sentences begin with numbers, too.
        Some(' ')
            if styled
                && body.len() <= 3
                && after.is_some_and(char::is_uppercase)
                // `31 C.F.R. 103` cites a code.
                && text.get(body_len + 2) != Some(&'.')
                && !is_date(&text[body_len..]) =>
        {
            body.chars()
                .all(|c| c.is_ascii_digit())
                .then(|| counted(body, Wrap::Bare, text, body_len))
                .flatten()
        }
        _ => None,
    }
}

/// A month and a year follow, as in `19 July 2018`.
fn is_date(rest: &[char]) -> bool {
    let rest: String = rest.iter().collect();
    let mut words = rest.split_whitespace();
    let month = words
        .next()
        .is_some_and(|w| MONTHS.contains(&w.to_lowercase().as_str()));
    month
        && words
            .next()
            .is_none_or(|w| w.starts_with(|c: char| c.is_ascii_digit()))
}

fn decimal(
    text: &[char],
    components: &[&str],
    from: usize,
    body_end: usize,
    end: usize,
    styled: bool,
) -> Option<Label> {
    let spaced = text
        .get(end)
        .is_none_or(|c| c.is_whitespace() || !c.is_ascii());
    let next = text[end..].iter().find(|c| !c.is_whitespace());
    // `3.5 million` and `12.5 %` are quantities.
    let wordy =
        next.is_none_or(|c| c.is_uppercase() || !c.is_ascii() || is_quote(*c) || "([".contains(*c));
    if !spaced || components.len() > 6 || !(wordy || styled || components.len() > 2) {
        return None;
    }
    let mut parts = Vec::new();
    for (i, part) in components.iter().enumerate() {
        let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let value = if i == 0 && part.len() == 1 && digits.is_empty() {
            alphabetic(part)?
        } else if digits.is_empty() || part.len() - digits.len() > 2 || digits.len() > 4 {
            return None;
        } else {
            digits.parse().ok()?
        };
        parts.push(value);
    }
    // Dates (31.12.2020) and money are no labels.
    if parts.iter().any(|&p| p > 999)
        || (components.len() == 2 && components[1].len() > 1 && components[1].starts_with('0'))
    {
        return None;
    }
    let depth = u8::try_from(parts.len()).unwrap_or(u8::MAX);
    let mut label = made(Scheme::Decimal(depth), *parts.last()?, text, body_end);
    if from > 0 {
        label.text = fold::spaced(&label.text);
    }
    label.parts = parts;
    label.len = end;
    Some(label)
}

/// A marker whose inside is `inner`: digits, a letter, a Roman or Chinese numeral.
fn counted(inner: &str, wrap: Wrap, text: &[char], len: usize) -> Option<Label> {
    let scheme = |count| Scheme::Item(wrap, count);
    let value_of_digits = |s: &str| s.parse::<u32>().ok().filter(|v| *v <= 999);
    let digits = inner.trim_end_matches(|c: char| c.is_ascii_lowercase());
    if inner.starts_with(|c: char| c.is_ascii_digit()) && inner.len() - digits.len() <= 1 {
        return value_of_digits(digits).map(|v| made(scheme(Count::Digit), v, text, len));
    }
    if inner.starts_with(|c: char| !c.is_ascii()) && inner.chars().all(is_clause_numeral) {
        return chinese_value(inner).map(|v| made(scheme(Count::Chinese), v, text, len));
    }
    let lower = inner.starts_with(|c: char| c.is_ascii_lowercase());
    let letter =
        alphabetic(inner).map(|v| (scheme(if lower { Count::Lower } else { Count::Upper }), v));
    let numeral = roman(inner).map(|v| {
        (
            scheme(if lower {
                Count::LowerRoman
            } else {
                Count::UpperRoman
            }),
            v,
        )
    });
    let (main, other) = match (letter, numeral) {
        // A single i, v or x is first read as a numeral; the sequence decides.
        (Some(letter), Some(numeral)) => (numeral, Some(letter)),
        (Some(letter), None) => (letter, None),
        (None, Some(numeral)) => (numeral, None),
        (None, None) => return None,
    };
    let mut label = made(main.0, main.1, text, len);
    label.other = other;
    Some(label)
}

#[cfg(test)]
mod tests;
