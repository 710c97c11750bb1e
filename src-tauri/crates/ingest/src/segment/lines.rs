//! Line breaks in running text: which of them only wrap a line, and which end a unit.

/// A break after a line shorter than this share of the text's widest line was meant.
const SHORT: f32 = 0.6;
/// Columns from which on a text is not wrapped by hand or by a printer: every break in it was meant.
const WRAPPED: usize = 160;
/// Words that nothing ends with: what follows belongs to them.
const CONNECTING: &[&str] = &[
    "a", "an", "and", "any", "as", "at", "between", "by", "each", "for", "from", "in", "into",
    "is", "are", "its", "of", "on", "or", "per", "such", "than", "that", "the", "their", "these",
    "this", "those", "to", "under", "upon", "versus", "v.", "vs.", "with", "within", "without",
    "which", "must", "shall", "may", "no.", "nos.", "art.", "sec.", "para.", "e.g.", "i.e.", "mr.",
    "ms.", "mrs.", "dr.", "st.", "cf.", "&", "§", "§§", "article", "section", "rule",
];

/// The places where a new unit begins. A line begins a unit in these cases: the line before it is blank, unless the
/// sentence clearly continues; the line before it is short and may end a unit, and the line itself looks like a
/// beginning; the line before it ends with a colon; or it is next to a line that consists of drawn strokes. Units also
/// begin at fields and paragraph marks within a line.
pub fn starts(chars: &[char]) -> Vec<usize> {
    let mut widest = 0;
    let mut lines: Vec<Line> = Vec::new();
    let (mut from, mut blank) = (0, false);
    for (i, &c) in chars.iter().chain(std::iter::once(&'\n')).enumerate() {
        if c != '\n' && c != '\u{C}' {
            continue;
        }
        widest = widest.max(i - from);
        let line = &chars[from..i];
        match (
            line.iter().position(|c| !c.is_whitespace()),
            line.iter().rposition(|c| !c.is_whitespace()),
        ) {
            (Some(first), Some(last)) => {
                lines.push(Line {
                    from: from + first,
                    to: from + last + 1,
                    after_blank: blank,
                });
                blank = false;
            }
            _ => blank = true,
        }
        blank |= c == '\u{C}';
        from = i + 1;
    }
    let short = if widest > WRAPPED {
        usize::MAX
    } else {
        (widest as f32 * SHORT) as usize
    };
    let mut out = Vec::new();
    for pair in lines.windows(2) {
        let [before, line] = pair else { continue };
        let (text, next) = (&chars[before.from..before.to], &chars[line.from..line.to]);
        let ends = (line.after_blank && !runs_on(text, next))
            || (text.len() < short && finished(text) && opens(next))
            || introduces(text, next)
            || drawn(text)
            || drawn(next);
        if ends && !versus(text) && !versus(next) {
            out.push(line.from);
        }
    }
    for line in &lines {
        fields(chars, line, &mut out);
        paragraph_marks(chars, line, &mut out);
    }
    out
}

struct Line {
    from: usize,
    to: usize,
    after_blank: bool,
}

/// The `v.` between the parties of a case ends the line, with or without a docket number before it.
fn versus(line: &[char]) -> bool {
    matches!(
        line,
        ['v', '.'] | ['v', 's', '.'] | [.., ' ', 'v', '.'] | [.., ' ', 'v', 's', '.']
    )
}

/// Whether a sentence continues after a blank line. This is so if the line before ends with a comma, or if it is
/// unfinished and the next line begins in lower case: `the information must⏎⏎derive value`.
fn runs_on(line: &[char], next: &[char]) -> bool {
    line.ends_with(&[',']) || (!finished(line) && next.first().is_some_and(|c| c.is_lowercase()))
}

/// Whether a line consists of strokes that separate texts: a rule, a column of brackets beside a caption.
pub fn drawn(line: &[char]) -> bool {
    let dashes = line.iter().filter(|c| "-–—".contains(**c)).count();
    (dashes == 0 || dashes >= 3)
        && line
            .iter()
            .all(|c| c.is_whitespace() || "_=|)(-–—".contains(*c))
}

/// `[¶]` in a quotation stands for a paragraph that began there.
fn paragraph_marks(chars: &[char], line: &Line, out: &mut Vec<usize>) {
    for (i, mark) in chars[line.from..line.to].windows(3).enumerate() {
        if mark == ['[', '¶', ']'] {
            out.extend([line.from + i, line.from + i + 3]);
        }
    }
}

/// The line may be the end of something.
fn finished(line: &[char]) -> bool {
    if line.last().is_none_or(|c| ",，、(（-–/".contains(*c)) {
        return false;
    }
    let word: String = line
        .iter()
        .rev()
        .take_while(|c| !c.is_whitespace())
        .take(12)
        .collect();
    let word: String = word.chars().rev().collect::<String>().to_lowercase();
    !CONNECTING.contains(&word.as_str())
}

/// The line may be the beginning of something.
fn opens(line: &[char]) -> bool {
    let first = line.iter().find(|c| !"\"'“‘([«".contains(**c));
    first.is_some_and(|c| {
        !c.is_lowercase() && (c.is_alphanumeric() || "*•●○▪■□◆–—-§《【".contains(*c))
    })
}

/// A colon at the end of a line introduces a list or a quotation.
fn introduces(line: &[char], next: &[char]) -> bool {
    line.last().is_some_and(|c| *c == ':' || *c == '：') && opens(next)
}

/// Finds where a field begins on a line with several fields: `Decision Date: 1/2/15    Archive Date: 3/4/15`. A field
/// begins after a wide gap, either with a name and a colon, or with a lone `)`. Court decisions print such a `)` beside
/// the names of the parties.
fn fields(chars: &[char], line: &Line, out: &mut Vec<usize>) {
    let text = &chars[line.from..line.to];
    let mut at = 0;
    while at < text.len() {
        let gap = text[at..].iter().take_while(|c| c.is_whitespace()).count();
        if gap == 0 {
            at += 1;
            continue;
        }
        let wide = gap >= 3 || text[at..at + gap].contains(&'\t');
        at += gap;
        if !wide {
            continue;
        }
        let name = text[at..]
            .iter()
            .take(30)
            .take_while(|c| c.is_alphabetic() || **c == ' ')
            .count();
        let named = name > 2 && text.get(at + name) == Some(&':') && text[at].is_uppercase();
        let beside = text[at] == ')' && text.get(at + 1).is_none_or(|c| c.is_whitespace());
        if named || beside {
            out.push(line.from + at);
        }
    }
}
