//! A sentence with gaps. The text between the gaps must match. The texts in the gaps are kept.

use crate::script::is_unspaced;

/// The fixed words of a pattern identify a sentence if they have at least this many bytes. If they have fewer, the
/// sentence is recognised only if each gap is filled with a single word.
const SURE: usize = 9;

/// A piece of a sentence in the reader's language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    /// What filled the gap of this number, in the order of the English sentence.
    Gap(usize),
}

/// An English sentence with gaps, and how it is said in another language.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The texts before, between and after the gaps: one more than there are gaps.
    literals: Vec<String>,
    /// Whether a gap is in quotation marks: what others wrote is not a sentence of the product.
    quoted: Vec<bool>,
    said: Vec<Piece>,
    /// How much of the sentence is given: the more, the surer.
    weight: usize,
}

impl Pattern {
    /// Reads `The file has {n} bytes` and its translation. Gaps have names; `{{` and `}}` are braces.
    pub(super) fn new(english: &str, translation: &str) -> Self {
        let (literals, names) = cut(without_stop(english, '.'));
        let mut literals: Vec<String> = literals.iter().map(|words| brace(words)).collect();
        if let Some(first) = literals.first_mut() {
            *first = lower_first(first);
        }
        let quoted = literals
            .iter()
            .zip(literals.iter().skip(1))
            .map(|(before, after)| {
                before.ends_with(['“', '"', '`', '‘']) && after.starts_with(['”', '"', '`', '’'])
            })
            .collect();
        let (words, order) = cut(without_stop(translation, '。'));
        let mut said = Vec::new();
        for (at, words) in words.iter().enumerate() {
            if !words.is_empty() {
                said.push(Piece::Words(brace(words)));
            }
            let gap = order
                .get(at)
                .and_then(|name| names.iter().position(|n| n == name));
            said.extend(gap.map(Piece::Gap));
        }
        Self {
            weight: literals.iter().map(String::len).sum(),
            literals,
            quoted,
            said,
        }
    }

    /// How much of the sentence is given, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.weight
    }

    /// Whether a gap begins the sentence, with its letters as they are.
    pub(super) fn begins_open(&self) -> bool {
        self.literals.first().is_some_and(String::is_empty)
    }

    /// The texts that fill the gaps of this pattern; `None` if the text is another sentence. The caller gives the text
    /// twice, with a small first letter: `stopped` is without its final full stop, `with_stop` has it. `with_stop` is
    /// tried only if `stopped` does not fit and the pattern ends with a gap, because then the full stop may be part of
    /// what fills this gap.
    pub(super) fn fill<'t>(&self, stopped: &'t str, with_stop: &'t str) -> Option<Vec<&'t str>> {
        let ends_open = self.literals.last().is_some_and(String::is_empty);
        self.fill_exactly(stopped)
            .or_else(|| self.fill_exactly(with_stop).filter(|_| ends_open))
    }

    fn fill_exactly<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, rest) = self.literals.split_first()?;
        let mut left = text.strip_prefix(first.as_str())?;
        let Some((last, between)) = rest.split_last() else {
            return left.is_empty().then(Vec::new);
        };
        left = left.strip_suffix(last.as_str())?;
        let mut fillings = Vec::with_capacity(rest.len());
        for literal in between {
            let (filling, after) = left.split_once(literal.as_str())?;
            fillings.push(filling);
            left = after;
        }
        fillings.push(left);
        let sure = self.weight >= SURE || !fillings.iter().any(|filling| filling.contains(' '));
        sure.then_some(fillings)
    }

    /// The sentence in the other language, with its gaps filled by `say`, which is told whether a gap is a quotation.
    pub(super) fn say(&self, fillings: &[&str], say: impl Fn(&str, bool) -> String) -> String {
        let mut text = String::new();
        for piece in &self.said {
            let next = match piece {
                Piece::Words(words) => words.clone(),
                Piece::Gap(at) => match fillings.get(*at) {
                    Some(filling) => say(filling, self.quoted.get(*at) == Some(&true)),
                    None => continue,
                },
            };
            join(&mut text, &next);
        }
        text
    }
}

/// Adds `next` to `text` as Chinese is written. If `text` ends with a Chinese full stop, a Chinese punctuation mark at
/// the beginning of `next` is left out. There is a blank between a Chinese character and a Latin letter or digit, and
/// none between two Chinese characters.
fn join(text: &mut String, next: &str) {
    let next = match next.strip_prefix(['。', '；', '，']) {
        Some(rest) if text.ends_with('。') => rest,
        _ => next,
    };
    let ends = |one: fn(char) -> bool, other: fn(char) -> bool, a: &str, b: &str| {
        a.chars().next_back().is_some_and(one) && b.chars().next().is_some_and(other)
    };
    let latin = |c: char| c.is_ascii_alphanumeric();
    if ends(is_unspaced, is_unspaced, text.trim_end(), next.trim_start()) {
        text.truncate(text.trim_end().len());
        text.push_str(next.trim_start());
        return;
    }
    if ends(is_unspaced, latin, text, next) || ends(latin, is_unspaced, text, next) {
        text.push(' ');
    }
    text.push_str(next);
}

/// A text without the full stop at its end.
pub(super) fn without_stop(text: &str, stop: char) -> &str {
    text.strip_suffix(stop).unwrap_or(text)
}

/// A text with its first letter small, as it stands within another sentence.
pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}

fn brace(words: &str) -> String {
    words.replace("{{", "{").replace("}}", "}")
}

/// The texts around the gaps, and the names of the gaps.
fn cut(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut literals, mut names) = (Vec::new(), Vec::new());
    let (mut begin, mut at) = (0, 0);
    while let Some(found) = text[at..].find(['{', '}']) {
        let brace = at + found;
        if text[brace..].starts_with("{{") || text[brace..].starts_with("}}") {
            at = brace + 2;
            continue;
        }
        let Some(length) = text[brace..].find('}') else {
            break;
        };
        literals.push(&text[begin..brace]);
        names.push(&text[brace + 1..brace + length]);
        (begin, at) = (brace + length + 1, brace + length + 1);
    }
    literals.push(&text[begin..]);
    (literals, names)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(english: &str, translation: &str, text: &str, expected: Option<&str>) {
        let pattern = Pattern::new(english, translation);
        let said = pattern
            .fill(text, text)
            .map(|fillings| pattern.say(&fillings, |filling, _| filling.to_owned()));
        assert_eq!(said.as_deref(), expected);
    }

    #[test]
    fn gaps_are_filled_in_the_order_of_either_language() {
        let (en, zh) = ("{a} of {b} files failed", "{b} 个文件中 {a} 个失败");
        check(en, zh, "3 of 8 files failed", Some("8 个文件中 3 个失败"));
        check(
            "{a} lies in {b}",
            "{a} 位于 {b}",
            "x lies in y",
            Some("x 位于 y"),
        );
    }

    #[test]
    fn without_gaps_the_whole_sentence_is_compared() {
        check("No text", "没有文本", "no text", Some("没有文本"));
        check("No text", "没有文本", "no texts", None);
        check("{n} bytes", "{n} 字节", "bytes", None);
    }

    #[test]
    fn gaps_may_be_empty_or_side_by_side() {
        let (en, zh) = (
            "{host} answers{status}.{said}",
            "{host} 回答{status}。{said}",
        );
        check(en, zh, "h answers.", Some("h 回答。"));
        check(en, zh, "h answers (401). No", Some("h 回答 (401)。 No"));
        check("{a}{b} x", "{b}{a}", "1 x", Some("1"));
    }

    #[test]
    fn braces_can_be_said() {
        let (en, zh) = ("{{{1}}} is missing: {2}", "缺少 {{{1}}}：{2}");
        check(en, zh, "{rule} is missing: text", Some("缺少 {rule}：text"));
    }

    #[test]
    fn a_quotation_is_known() {
        let pattern = Pattern::new("“{a}” is no {b}.", "“{a}”不是{b}。");
        assert_eq!(pattern.quoted, [true, false]);
    }
}
