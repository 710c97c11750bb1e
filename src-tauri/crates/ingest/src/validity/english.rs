//! English: "This Regulation shall apply until …", "Directive … is repealed with effect from …".

use super::term::{Ends, Term, day, day_before, pattern};
use lexforge_text::calendar::MONTHS;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A day in words or figures, in three forms.
const DAY: &str = r"(?:(?P<d1>\d{1,2}) (?P<m1>[A-Z][a-z]+),? (?P<y1>\d{4})|(?P<m2>[A-Z][a-z]+) (?P<d2>\d{1,2}), (?P<y2>\d{4})|(?P<y3>\d{4})-(?P<n3>\d{2})-(?P<d3>\d{2}))";
/// The act itself, at the beginning of a sentence, behind its number.
const OWN: &str = r"^(?:\(?\w{1,3}[.)]\s*)?(?:(?:This|These|The present) (?:\w+ )?(?:Act|Code|Circular|Decision|Directive|Guidelines?|Handbook|Instrument|Law|Notice|Order|Ordinance|Policy|Procedures?|Regulations?|Rules?|Standards?|Statement|document|policy|procedure)|It) ";

/// The act is in force until a day.
static UNTIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{OWN}(?:shall |will |is to )?(?:(?:continue to )?appl(?:y|ies)|remains? (?:in force|in effect|valid)|(?:be|is|are) (?:in force|in effect|valid|effective)|have effect|has effect)(?: from [^.;]{{1,60}}?)? (?:until|up to(?: and including)?|through) (?:and including )?{DAY}"
    ))
});
/// The act ends on a day, which is its last.
static EXPIRES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{OWN}(?:shall |will )?expires? (?:on|at the end of|with effect from the end of) {DAY}"
    ))
});
/// The act no longer has an effect from a day on.
static CEASES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{OWN}(?:shall |will )?ceases? to (?:apply|have effect|be in force|be effective) (?:on|from|as of|as from|with effect from) {DAY}"
    ))
});
/// Another act is repealed.
static REPEALED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:is|are|shall be|shall stand) (?:hereby )?repealed\b"));
/// The day of a repeal, before or behind it.
static WITH_EFFECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i:with effect from|with effect on|effective|as of|as from|from|on) (?:the )?{DAY}"
    ))
});
/// What is repealed is a part of an act, or is not repealed yet.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:articles?|sections?|subsections?|paragraphs?|points?|annex(?:es)?|chapters?|titles? [IVX\d]|schedules?|parts? [A-Z\d]|clauses?|rules? \d|regulations? \d+\b[^/]|recitals?|if|where|when|whenever|until|unless|once|provided|not)\b",
    )
});

/// Words of which each sentence that is read has one: the others are passed over quickly.
const MARKS: [&str; 6] = ["repealed", "until", "through", "up to", "expire", "cease"];

/// What an English sentence says.
pub(super) fn find(text: &str) -> Vec<Term> {
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let own = |ends| Term { of: None, ends };
    let until = UNTIL.captures(text).or_else(|| EXPIRES.captures(text));
    if let Some(day) = until.as_ref().and_then(read) {
        return vec![own(Ends::Until(day))];
    }
    if let Some(last) = CEASES
        .captures(text)
        .as_ref()
        .and_then(read)
        .and_then(|first| day_before(&first))
    {
        return vec![own(Ends::Until(last))];
    }
    let mut found = Vec::new();
    for clause in text.split(';') {
        let Some(verb) = REPEALED.find(clause) else {
            continue;
        };
        let (named, rest) = (&clause[..verb.start()], &clause[verb.end()..]);
        let day = WITH_EFFECT
            .captures(rest)
            .or_else(|| WITH_EFFECT.captures(named))
            .as_ref()
            .and_then(read);
        if PART.is_match(named) || named.trim().is_empty() {
            continue;
        }
        found.push(Term {
            of: Some(named.trim().to_owned()),
            ends: Ends::Repealed(day),
        });
    }
    found
}

/// The day that a pattern found.
fn read(found: &Captures) -> Option<String> {
    let part = |name| found.name(name).map(|part| part.as_str());
    let month = |name: &str| -> Option<u32> {
        let name = name.to_lowercase();
        let at = MONTHS.iter().position(|month| *month == name)?;
        u32::try_from(at + 1).ok()
    };
    if let (Some(year), Some(on)) = (part("y1"), part("d1")) {
        return day(year, month(part("m1")?)?, on);
    }
    if let (Some(year), Some(on)) = (part("y2"), part("d2")) {
        return day(year, month(part("m2")?)?, on);
    }
    day(part("y3")?, part("n3")?.parse().ok()?, part("d3")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_act_itself_ends() {
        for (text, last) in [
            (
                "This Regulation shall apply until 31 December 2027.",
                Some("2027-12-31"),
            ),
            (
                "It shall apply from 1 January 2020 until 30 June 2025.",
                Some("2025-06-30"),
            ),
            (
                "2. This Order shall expire on 1 March 2026.",
                Some("2026-03-01"),
            ),
            (
                "This Regulation expires on March 1, 2026.",
                Some("2026-03-01"),
            ),
            (
                "This Act shall cease to have effect on 1 January 2026.",
                Some("2025-12-31"),
            ),
            ("This policy is valid until 2026-05-31.", Some("2026-05-31")),
            ("These Rules remain in force until 29 February 2023.", None),
            (
                "Article 5 of this Regulation shall apply until 31 December 2027.",
                None,
            ),
            ("The licence shall be valid until 31 December 2027.", None),
            ("This Regulation shall apply from 31 December 2027.", None),
            ("The master keeps the log until 31 December 2027.", None),
        ] {
            let expected: Vec<Term> = last
                .map(|last| Term {
                    of: None,
                    ends: Ends::Until(last.to_owned()),
                })
                .into_iter()
                .collect();
            assert_eq!(find(text), expected, "{text}");
        }
    }

    #[test]
    fn another_act_is_repealed() {
        for (text, expected) in [
            (
                "Directive 95/46/EC is repealed with effect from 25 May 2018.",
                Some(("Directive 95/46/EC", Some("2018-05-25"))),
            ),
            (
                "With effect from 1 July 2020, the Harbour Dues Act 1987 is hereby repealed.",
                Some((
                    "With effect from 1 July 2020, the Harbour Dues Act 1987",
                    Some("2020-07-01"),
                )),
            ),
            (
                "The Pilotage Rules 2001 are repealed.",
                Some(("The Pilotage Rules 2001", None)),
            ),
            ("Article 5 of Directive 95/46/EC is repealed.", None),
            (
                "Where the Harbour Dues Act 1987 is repealed, dues remain due.",
                None,
            ),
            (
                "References to the repealed Directive are to this Regulation.",
                None,
            ),
            ("The Harbour Dues Act 1987 is not repealed.", None),
        ] {
            let expected: Vec<Term> = expected
                .map(|(of, day)| Term {
                    of: Some(of.to_owned()),
                    ends: Ends::Repealed(day.map(str::to_owned)),
                })
                .into_iter()
                .collect();
            assert_eq!(find(text), expected, "{text}");
        }
    }
}
