//! Headings at the beginning of a paragraph: bold or italic words after which a sentence of its own begins on the same
//! line.

use crate::layout::Line;
use lexforge_text::is_set_solid;

/// A heading of more characters is emphasis.
const LONGEST: usize = 90;
/// If fewer words follow, they are no paragraph after a heading.
const REST: usize = 4;

/// Number of characters of the heading at the beginning of a paragraph, without the blanks after it; 0 if there is no
/// such heading. `origins` gives for each character of `chars` its line, and its index in that line.
pub fn length(chars: &[char], origins: &[(usize, &Line)]) -> usize {
    let marked = origins
        .iter()
        .take_while(|(at, line)| *at < line.lead.chars)
        .count();
    let bold = origins[..marked].iter().all(|(_, line)| line.lead.bold);
    let head = &chars[..marked];
    let length = head.iter().rposition(|c| *c != ' ').map_or(0, |at| at + 1);
    if length == 0 || length > LONGEST || marked >= chars.len() {
        return 0;
    }
    let rest: &[char] = &chars[length..];
    let next = rest.iter().copied().find(|c| *c != ' ');
    let solid = next.is_some_and(is_set_solid);
    // `Source:` and `Note:` name a remark, not what a paragraph is about.
    let several = bold && (solid || head[..length].contains(&' '));
    let stopped = match head[length - 1] {
        '.' | '。' => true,
        ':' | '：' => several,
        _ => false,
    };
    let begins = head[0].is_uppercase() || is_set_solid(head[0]);
    let letters = head.iter().filter(|c| c.is_alphabetic()).count() >= if solid { 2 } else { 4 };
    let anew = next.is_some_and(|c| c.is_uppercase() || "“‘\"'(".contains(c) || is_set_solid(c));
    let apart = rest.first() == Some(&' ');
    // Without a full stop, the sentence after it must begin with a capital. Ideographs have no capitals.
    let told = stopped || (bold && apart && !solid && next.is_some_and(char::is_uppercase));
    let words = rest.split(|c| *c == ' ').filter(|w| !w.is_empty()).count();
    let enough = words >= REST || rest.iter().filter(|c| is_set_solid(**c)).count() >= 2 * REST;
    // `Article 5.` within a sentence, and a sentence in bold, are no headings.
    let sentence = head[..length - 1].iter().any(|c| ";。；".contains(*c))
        || head[..length]
            .windows(3)
            .any(|w| ".!?".contains(w[0]) && w[1] == ' ' && w[2].is_uppercase());
    if begins && letters && anew && told && enough && !sentence {
        length
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::line::Lead;

    /// The heading found where the first `chars` characters are bold (or italic only).
    fn found(text: &str, chars: usize, bold: bool) -> String {
        let mut line = Line::plain(1, 0, text);
        line.lead = Lead { chars, bold };
        let all: Vec<char> = text.chars().collect();
        let origins: Vec<(usize, &Line)> = (0..all.len()).map(|at| (at, &line)).collect();
        all[..length(&all, &origins)].iter().collect()
    }

    #[test]
    fn headings_run_in_and_emphasis_does_not() {
        let of = |head: &str, rest: &str, bold| {
            found(&format!("{head} {rest}"), head.chars().count(), bold)
        };
        for (head, rest, bold, is) in [
            (
                "Background",
                "On October 29 the authority published it.",
                true,
                true,
            ),
            (
                "Board responsibility.",
                "The board shall approve it yearly.",
                true,
                true,
            ),
            ("Scope.", "This guide applies to every bank.", false, true),
            ("Scope", "This guide applies to every bank.", false, false),
            ("Banks", "that lend must report their limits.", true, false),
            (
                "The bank reports it. The board decides.",
                "It does so every year.",
                true,
                false,
            ),
            ("总体要求。", "银行应当建立健全内部控制制度。", true, true),
            ("Note:", "None.", true, false),
            (
                "Source:",
                "Statistics of the authority, yearly report.",
                false,
                false,
            ),
            (
                "Internal audit:",
                "Audit tests the controls once a year.",
                true,
                true,
            ),
        ] {
            let expected = if is { head } else { "" };
            assert_eq!(of(head, rest, bold), expected, "{head} {rest}");
        }
        assert_eq!(found("All of it is bold here and stays.", 33, true), "");
    }
}
