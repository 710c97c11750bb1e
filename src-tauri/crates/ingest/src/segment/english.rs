//! Sentence ends in alphabetic text.

use super::abbreviations::{is_closing, is_open, is_ordinary, is_reporter, is_starter, is_title};
use super::enclosed::{brackets, quoted};
use lexforge_text::is_hangul;

const BULLETS: &[char] = &['•', '●', '⁃', '▪', '-', '–', '−'];
const CLOSERS: &str = "\"'”’)]»";

/// Places right after a sentence's end; `items` are places at which list items begin, ascending.
pub fn ends(chars: &[char], items: &[usize]) -> Vec<usize> {
    let text = Text {
        chars,
        brackets: brackets(chars),
        quoted: quoted(chars),
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut items = items.iter().copied().peekable();
    let mut i = 0;
    while i < chars.len() {
        if !".!?…。！？".contains(chars[i]) {
            i += 1;
            continue;
        }
        while let Some(item) = items.next_if(|&item| item <= i) {
            start = start.max(item);
        }
        let stop = text.stop(i);
        if text.is_end(start, &stop) {
            // Of `word. . . . Next` the first stop ends the sentence, the ellipsis belongs to what follows.
            start = if text.quoted[i] && stop.spaced && stop.count >= 4 && stop.past == stop.marks {
                // In a quotation whole sentences are left out there.
                out.push(i + 1);
                stop.past
            } else if stop.attached_ellipsis && text.goes_on(stop.past) {
                i + 1
            } else {
                stop.past
            };
            out.push(start);
            while let Some(past) = text.page_star(start).or_else(|| text.left_out(start)) {
                out.push(past);
                start = past;
            }
        }
        i = stop.past.max(i + 1);
    }
    out
}

/// A full stop or another mark that may end a sentence, with what clings to it.
struct Stop {
    /// Where it stands.
    at: usize,
    /// The index after the marks themselves.
    marks: usize,
    /// The index after the quotation marks, brackets and footnote numbers that follow it.
    past: usize,
    /// How many marks.
    count: usize,
    /// Blanks stand between the marks.
    spaced: bool,
    /// Four or more spaced marks, the first of them directly after a word.
    attached_ellipsis: bool,
}

struct Text<'a> {
    chars: &'a [char],
    brackets: Vec<u32>,
    quoted: Vec<bool>,
}

impl Text<'_> {
    fn get(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    /// The marks from `at` on, spaced ellipses included, and what closes after them.
    fn stop(&self, at: usize) -> Stop {
        let (mut marks, mut count, mut spaced) = (at + 1, 1, false);
        loop {
            if self.get(marks).is_some_and(|c| ".!?…".contains(c)) {
                marks += 1;
            } else if self.chars[at] == '.'
                && self.get(marks) == Some(' ')
                && self.get(marks + 1) == Some('.')
            {
                marks += 2;
                spaced = true;
            } else {
                break;
            }
            count += 1;
        }
        let mut past = self.closed(marks);
        if let Some(noted) = self.note(past) {
            past = noted;
        }
        let word = at > 0 && self.chars[at - 1].is_alphanumeric();
        Stop {
            at,
            marks,
            past,
            count,
            spaced,
            attached_ellipsis: word && spaced && count >= 4,
        }
    }

    /// One past the quotation marks and brackets that close at `from`, a blank between two of them included.
    fn closed(&self, from: usize) -> usize {
        let mut past = from;
        loop {
            if self.get(past).is_some_and(|c| CLOSERS.contains(c)) {
                past += 1;
            } else if past > from
                && self
                    .get(past)
                    .is_some_and(|c| c == ' ' || c == '\u{2009}' || c == '\u{a0}')
                && self.get(past + 1) == Some('”')
            {
                past += 2;
            } else {
                return past;
            }
        }
    }

    /// One past the number of a note directly after a stop: `[4]`, `[*]`, `.4 Next`.
    fn note(&self, at: usize) -> Option<usize> {
        let mut past = at;
        let digits = self.chars[at..]
            .iter()
            .take(3)
            .take_while(|c| c.is_ascii_digit())
            .count();
        if (1..=2).contains(&digits)
            && at >= 4
            && self.chars[at - 4..at - 1].iter().all(|c| c.is_lowercase())
            && self.get(at + digits).is_some_and(char::is_whitespace)
        {
            past += digits;
        }
        while self.get(past) == Some('[') {
            let inner = self.chars[past + 1..]
                .iter()
                .take_while(|c| c.is_ascii_digit() || **c == '*')
                .count();
            if !(1..=3).contains(&inner) || self.get(past + 1 + inner) != Some(']') {
                break;
            }
            past += inner + 2;
        }
        (past > at).then_some(past)
    }

    /// Text in the same paragraph goes on after `from` with a capital.
    fn goes_on(&self, from: usize) -> bool {
        let blank = self.chars[from..]
            .iter()
            .take_while(|c| c.is_whitespace() && **c != '\n')
            .count();
        self.get(from + blank).is_some_and(char::is_uppercase)
    }

    /// One past the marks that stand for sentences left out: `in heaven. * * * I need you`, in a quotation also dots.
    fn left_out(&self, from: usize) -> Option<usize> {
        let rest = &self.chars[from..];
        let blank = rest.iter().take_while(|c| **c == ' ').count();
        let past = from + blank + 5;
        let marks = rest.get(blank..blank + 5)?;
        let quoted = from > 0 && (self.quoted[from - 1] || CLOSERS.contains(self.chars[from - 1]));
        let dots = quoted && marks == ['.', ' ', '.', ' ', '.'] && self.get(past) == Some(' ');
        (blank > 0 && (dots || marks == ['*', ' ', '*', ' ', '*']) && self.begins(past))
            .then_some(past)
    }

    /// One past a reporter's page number between two sentences: `*1163 See …`.
    fn page_star(&self, from: usize) -> Option<usize> {
        let blank = self.chars[from..]
            .iter()
            .take_while(|c| c.is_whitespace())
            .count();
        let at = from + blank;
        // After a note's number no blank is needed: `[4]*635 One`.
        let parted = blank > 0 || (from > 0 && self.chars[from - 1] == ']');
        if !parted || self.get(at) != Some('*') {
            return None;
        }
        let digits = self.chars[at + 1..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .count();
        let past = at + 1 + digits;
        ((1..=5).contains(&digits)
            && self.get(past).is_some_and(char::is_whitespace)
            && self.begins(past))
        .then_some(past)
    }

    /// The next word may begin a sentence.
    fn begins(&self, from: usize) -> bool {
        let next = self.chars[from..]
            .iter()
            .find(|c| !c.is_whitespace() && !"\"'“‘([".contains(**c));
        next.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
    }

    fn is_end(&self, start: usize, stop: &Stop) -> bool {
        let Some(after) = self.get(stop.past) else {
            return true;
        };
        let mark = self.chars[stop.at];
        if "。！？".contains(mark) {
            return true;
        }
        if after == '*' && self.page_star(stop.past).is_some() {
            return true;
        }
        if !after.is_whitespace() {
            // Korean is often set without a blank after the stop.
            return mark == '.'
                && stop.count == 1
                && is_hangul(after)
                && stop.at > 0
                && is_hangul(self.chars[stop.at - 1]);
        }
        let rest = &self.chars[stop.past..];
        let Some(lead) = rest.iter().position(|c| !c.is_whitespace()) else {
            return true;
        };
        let next_chars = &rest[lead..];
        let opening = next_chars
            .iter()
            .take_while(|c| "\"'“‘([«".contains(**c))
            .count();
        let next = &next_chars[opening..];
        let length = next
            .iter()
            .take_while(|c| c.is_alphanumeric() || **c == '\'')
            .count();
        let next = Next {
            chars: &next[..length],
            after: next.get(length).copied(),
        };
        if next.head().is_some_and(char::is_lowercase) || ",;:)]&".contains(next_chars[0]) {
            // Lower case continues the sentence. Markers of a list (`a.`, `(b)`) are found elsewhere.
            return false;
        }
        if self.in_brackets(start, stop.past) {
            return false;
        }
        if stop.count == 3 && mark == '.' {
            // An ellipsis inside a sentence; a name or `I` after it proves nothing.
            return !stop.spaced && next.starts_sentence() && next.chars != ['I'];
        }
        if mark != '.' || stop.count > 1 {
            return true;
        }
        if self
            .get(stop.marks)
            .is_some_and(|c| CLOSERS.contains(c) && c != ')' && c != ']')
        {
            return true;
        }
        let from = self.chars[start..stop.at]
            .iter()
            .rposition(|c| c.is_whitespace())
            .map_or(start, |p| start + p + 1);
        from == stop.at || self.judge(start, from, stop.at, &next)
    }

    /// The place stands between brackets that opened after the sentence had begun.
    fn in_brackets(&self, start: usize, place: usize) -> bool {
        let Some(open) = self.brackets[place].checked_sub(1).map(|o| o as usize) else {
            return false;
        };
        open > start && self.chars[start..open].iter().any(|c| c.is_alphanumeric())
    }

    /// Judges a single stop at `stop` by the word before it, which begins at `from`, and by the word after it.
    fn judge(&self, start: usize, from: usize, stop: usize, next: &Next) -> bool {
        let opening = self.chars[from..stop]
            .iter()
            .take_while(|c| "([\"“‘'—–".contains(**c))
            .count();
        let written: String = self.chars[from + opening..stop].iter().collect();
        let lower = written.to_lowercase();
        if self.only_label(start, from, stop) {
            return false;
        }
        if lower == "id" || lower == "ibid" {
            // A citation is complete, unless its page follows.
            return next.head().is_some_and(char::is_uppercase) && !next.abbreviated();
        }
        let tail = written.rsplit('.').next().unwrap_or_default();
        // An abbreviation may follow digits or a comma without a blank: `82Stat.`, `13,p.`. One or two letters after a
        // digit are part of the number and not an abbreviation: `31st`, `8d`.
        let glued = written
            .rsplit(|c: char| c.is_ascii_digit() || c == ',')
            .next()
            .filter(|g| *g != written && is_open(&g.to_lowercase()))
            .filter(|g| g.len() > 2 || written.trim_end_matches(*g).ends_with(','));
        if is_open(&lower)
            || (tail != written && tail.len() > 2 && is_open(&tail.to_lowercase()))
            || glued.is_some()
        {
            // `no.` as an answer, `p.` as a letter and the like are rarer than the abbreviation, and `NOS` is none.
            let acronym = written.len() > 2 && written.chars().all(char::is_uppercase);
            return (acronym || is_ordinary(&written)) && next.starts_sentence();
        }
        if next.ordinal() && written.starts_with(char::is_uppercase) {
            return false;
        }
        let mut parts = lower.split('.');
        let dotted = lower.contains('.')
            && parts.all(|p| (1..=2).contains(&p.len()) && p.starts_with(char::is_alphabetic));
        // `Fed.R.Crim.P.`: rules and reporters set without blanks; a capital by itself, as in `Regulation J.`.
        let dotted = dotted
            || (tail.chars().count() == 1
                && written
                    .split('.')
                    .all(|p| p.chars().count() <= 5 && p.starts_with(char::is_uppercase)));
        let capital = written.starts_with(char::is_uppercase);
        if lower == "a.m" || lower == "p.m" {
            return next.starts_sentence()
                && !(next.is_title() && self.opens_with_time(start, from));
        }
        if is_closing(&lower)
            || dotted
            || (capital && (is_reporter(&written) || (tail != written && is_reporter(tail))))
        {
            return next.starts_sentence();
        }
        // A reporter that is not listed: `12 Cal.`, `Vet. App.`, before a number or another abbreviation.
        if capital
            && lower.chars().count() <= 6
            && (next.digits() || next.abbreviated())
            && self.cited(start, from)
        {
            return false;
        }
        true
    }

    /// Whether there is only a list marker or a heading's label before the stop: `1.`, `(a).`, `Article 5.`.
    fn only_label(&self, start: usize, from: usize, stop: usize) -> bool {
        let before: String = self.chars[start..from]
            .iter()
            .filter(|c| !c.is_whitespace())
            .collect();
        let before = before.trim_start_matches(BULLETS);
        let word: String = self.chars[from..stop].iter().collect();
        let word = word.trim_start_matches(BULLETS);
        if before.is_empty() {
            return is_marker(word) && !matches!(word, "Id" | "id");
        }
        let named = [
            "article", "art.", "section", "sec.", "rule", "chapter", "part", "§", "§§", "annex",
            "schedule",
        ];
        before.chars().count() <= 8
            && named.contains(&before.to_lowercase().as_str())
            && is_marker(word)
    }

    /// The sentence so far is a time of day after a preposition: `At 5 a.m.`.
    fn opens_with_time(&self, start: usize, from: usize) -> bool {
        let before: String = self.chars[start..from].iter().collect();
        let mut words = before.split_whitespace();
        let preposition = words.next().is_some_and(|w| {
            [
                "at", "by", "before", "after", "from", "until", "around", "on", "since",
            ]
            .contains(&w.to_lowercase().as_str())
        });
        preposition && words.count() <= 2
    }

    /// The word before the one at `from` is a number or an abbreviation itself.
    fn cited(&self, start: usize, from: usize) -> bool {
        let before = self.chars[start..from]
            .iter()
            .rev()
            .find(|c| !c.is_whitespace());
        before.is_some_and(|c| c.is_ascii_digit() || *c == '.')
    }
}

/// The word after a stop.
struct Next<'a> {
    chars: &'a [char],
    after: Option<char>,
}

impl Next<'_> {
    fn head(&self) -> Option<char> {
        self.chars.first().copied()
    }

    /// It begins sentences and is rarely a name.
    fn starts_sentence(&self) -> bool {
        self.head().is_some_and(char::is_uppercase)
            && self.chars.len() <= 15
            // `No. 5` is no beginning.
            && !(self.after == Some('.') && self.chars == ['N', 'o'])
            && is_starter(&self.chars.iter().collect::<String>().to_lowercase())
    }

    /// `2d`, `4th`.
    fn ordinal(&self) -> bool {
        let digits = self.chars.iter().take_while(|c| c.is_ascii_digit()).count();
        let tail: String = self.chars[digits..].iter().collect();
        digits > 0 && ["d", "st", "nd", "rd", "th"].contains(&tail.as_str())
    }

    /// Whether it begins with a digit.
    fn digits(&self) -> bool {
        self.head().is_some_and(|c| c.is_ascii_digit())
    }

    /// Whether it is a short capitalised word with its own full stop.
    fn abbreviated(&self) -> bool {
        self.after == Some('.')
            && self.chars.len() <= 5
            && self.head().is_some_and(char::is_uppercase)
    }

    /// A form of address, which a name follows.
    fn is_title(&self) -> bool {
        self.chars.len() <= 4 && is_title(&self.chars.iter().collect::<String>())
    }
}

/// A list marker's inside: digits, one or two letters, a Roman numeral.
fn is_marker(word: &str) -> bool {
    let word = word.to_lowercase();
    let inner = word.trim_matches(['(', ')']);
    let digits = !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || c == '.');
    let letter = inner.chars().count() <= 2 && inner.chars().all(char::is_alphabetic);
    let numeral = inner.len() <= 5 && inner.chars().all(|c| "ivxlc".contains(c));
    digits || letter || numeral
}
