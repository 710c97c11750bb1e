//! English: "This Regulation shall apply until …", "Directive … is repealed with effect from …".

use super::term::{Ends, Term, day, day_before, pattern};
use lexforge_text::calendar::MONTHS;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A day in words or figures, in three forms.
const DAY: &str = r"(?:(?P<d1>\d{1,2}) (?P<m1>[A-Z][a-z]+),? (?P<y1>\d{4})|(?P<m2>[A-Z][a-z]+) (?P<d2>\d{1,2}), (?P<y2>\d{4})|(?P<y3>\d{4})-(?P<n3>\d{2})-(?P<d3>\d{2}))";
/// The act itself, at the beginning of a sentence, behind its number.
const OWN: &str = r"^(?:\(?\w{1,3}[.)]\s*)?(?:(?:This|These|The present) (?:\w+ )?(?:Act|Code|Circular|Decision|Directive|Guidelines?|Handbook|Instrument|Law|Notice|Order|Ordinance|Policy|Procedures?|Regulations?|Rules?|Standards?|Statement|document|policy|procedure)) ";
/// What is said behind the day could make it the day of something else.
const END: &str = r"\s*(?:[.;]|$)";

/// The act of which the sentence before speaks. Elsewhere `It` is anything.
static IT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\(?\w{1,3}[.)]\s*)?It (?P<rest>(?:shall |will )?(?:(?:continue to )?appl(?:y|ies)|remains? in force|expires?|ceases? to apply)\b.*)",
    )
});
static BEGINS_WITH_OWN: LazyLock<Regex> = LazyLock::new(|| pattern(OWN));
/// The act is in force until a day.
static UNTIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{OWN}(?:shall |will |is to )?(?:(?:continue to )?appl(?:y|ies)|remains? (?:in force|in effect|valid)|(?:be|is|are) (?:in force|in effect|valid|effective)|have effect|has effect)(?: from [^,.;]{{1,40}}?(?:, \d{{4}})?)? (?:until|up to(?: and including)?|through) (?:and including )?{DAY}{END}"
    ))
});
/// The act ends on a day, which is its last.
static EXPIRES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{OWN}(?:shall |will )?expires? (?:on|at the end of|with effect from the end of) {DAY}{END}"
    ))
});
/// The act no longer has an effect from a day on.
static CEASES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{OWN}(?:shall |will )?ceases? to (?:apply|have effect|be in force|be effective) (?:on|from|as of|as from|with effect from) {DAY}{END}"
    ))
});
/// Another act is repealed.
static REPEALED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:is|are|shall be|shall stand) (?:hereby )?repealed\b"));
/// The day of a repeal, after the words of the repeal. `by the Order made on 3 March 1987` gives another day.
static WITH_EFFECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?:\bwith effect (?:from|on|as of)|^,? ?(?:effective|as of|as from|from|on)) (?:the )?{DAY}"
    ))
});
/// The day of a repeal before it, at the very beginning.
static AT_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^\s*(?:\(?\w{{1,3}}[.)]\s*)?(?i:with effect from|with effect on|from|on|as of|as from) (?:the )?{DAY},?\s+"
    ))
});
/// Another statement stands before the one of the repeal: "… is amended and …".
static OTHER_VERB: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:is|are|was|were|be|been|has|have|had|shall|will|may|must|can|appl(?:y|ies|ied)|enter(?:s|ed)?|takes?|took|comes?|came|ceases?|continues?|remains?|expires?|repeals|amends|replaces|becomes?)\b",
    )
});
/// What follows is about another act, or about the subject of this one.
static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r",? \b(?:laying down|amending|implementing|supplementing|repealing|replacing|correcting|transposing|establishing|(?:as (?:last )?)?amended|replaced by|according to|pursuant to|under|made|issued|adopted|in accordance with|referred to|concerning|relating to|for the purposes? of)\b",
    )
});
/// What follows certainly is no part of a title.
static AMENDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^,? (?:as (?:last )?amended|amended|replaced|made|issued|adopted)\b")
});
/// It is not repealed as a whole, or only on a condition.
static EXCEPT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:except|excepting|exceptions?|in so far as|insofar|to the extent|with regard to|in respect of|as regards|save|apart from|other than|if|unless|where|when|once|provided)\b",
    )
});
/// What is repealed is a part of an act, or is not repealed yet.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:articles?|sections?|subsections?|paragraphs?|points?|annex(?:es)?|chapters?|titles? [IVX\d]|schedules?|parts? [A-Z\d]|clauses?|rules? \d|regulations? \d+\b[^/]|recitals?|(?:provisions?|amendments?|references?|definitions?|requirements?|obligations?|powers?|sentences?|words?|entry|entries|parts?|so much) (?:of|in|to|from|under|made)|if|where|when|whenever|until|unless|once|provided|not|before|after|while|as soon as|in case|that)\b",
    )
});

/// Words of which each sentence that is read has one: the others are skipped quickly.
const MARKS: [&str; 6] = ["repealed", "until", "through", "up to", "expire", "cease"];

/// What an English sentence says, which follows another one.
pub(super) fn find(text: &str, before: Option<&str>) -> Vec<Term> {
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let follows_own = before.is_some_and(|before| BEGINS_WITH_OWN.is_match(before));
    let own = match IT.captures(text).filter(|_| follows_own) {
        Some(it) => last_day(&format!("This Act {}", &it["rest"])),
        None => last_day(text),
    };
    if let Some(last) = own {
        return vec![Term {
            of: None,
            ends: Ends::Until(last),
        }];
    }
    let mut found = Vec::new();
    let mut behind = 0;
    for clause in text.split(';') {
        let from = behind;
        behind += clause.len() + 1;
        let Some(verb) = REPEALED.find(clause) else {
            continue;
        };
        if EXCEPT.is_match(&text[from + verb.end()..]) {
            continue;
        }
        if let Some((named, first)) = named(&clause[..verb.start()]) {
            let day = WITH_EFFECT.captures(&clause[verb.end()..]);
            found.push(Term {
                of: Some(named),
                ends: Ends::Repealed(day.as_ref().and_then(read).or(first)),
            });
        }
    }
    found
}

/// The last day of the act in which a sentence stands.
fn last_day(text: &str) -> Option<String> {
    if EXCEPT.is_match(text) {
        return None;
    }
    let until = UNTIL.captures(text).or_else(|| EXPIRES.captures(text));
    until
        .as_ref()
        .and_then(read)
        .or_else(|| day_before(&CEASES.captures(text).as_ref().and_then(read)?))
}

/// The words before a repeal that name what is repealed, and the day that stands before them.
fn named(before: &str) -> Option<(String, Option<String>)> {
    if PART.is_match(before) {
        return None;
    }
    let at_first = AT_FIRST.captures(before);
    let day = at_first.as_ref().and_then(read);
    let named = &before[at_first.map_or(0, |first| first[0].len())..];
    let own_part = match OTHER_VERB.find_iter(named).last() {
        // What stands before another verb is its subject, and has its own day.
        Some(verb) => (named[verb.end()..].split_once(" and ")?.1, None),
        None => (named, day),
    };
    let (named, day) = own_part;
    let (named, beside) = match BESIDE.find(named) {
        Some(beside) => named.split_at(beside.start()),
        None => (named, ""),
    };
    let mut named = named.trim().to_owned();
    if named.is_empty() {
        return None;
    }
    // A title that says what the act is about may go on with what is left out here: it is not whole.
    if named.contains(" on ") && !beside.is_empty() && !AMENDED.is_match(beside) {
        named.push_str(" …");
    }
    Some((named, day))
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
            (
                "This Regulation shall apply until 31 December 2027 to foreign ships.",
                None,
            ),
            ("It shall apply until 31 December 2027.", None),
        ] {
            let expected: Vec<Term> = last
                .map(|last| Term {
                    of: None,
                    ends: Ends::Until(last.to_owned()),
                })
                .into_iter()
                .collect();
            assert_eq!(find(text, None), expected, "{text}");
        }
    }

    #[test]
    fn it_is_the_act_only_behind_a_sentence_about_it() {
        let act = "This Regulation shall enter into force on 1 January 2020.";
        for (before, text, last) in [
            (
                act,
                "It shall apply from 1 January 2020 until 30 June 2025.",
                Some("2025-06-30"),
            ),
            (act, "It expires on 30 June 2025.", Some("2025-06-30")),
            (
                act,
                "2. It shall cease to apply on 1 January 2026.",
                Some("2025-12-31"),
            ),
            (act, "It is valid until 30 June 2025.", None),
            (
                "The port issues a card.",
                "It shall apply until 30 June 2025.",
                None,
            ),
            (
                "The port issues a card.",
                "It is valid until 31 December 2025.",
                None,
            ),
        ] {
            let found = find(text, Some(before));
            let expected: Vec<Term> = last
                .map(|last| Term {
                    of: None,
                    ends: Ends::Until(last.to_owned()),
                })
                .into_iter()
                .collect();
            assert_eq!(found, expected, "{before} {text}");
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
                Some(("the Harbour Dues Act 1987", Some("2020-07-01"))),
            ),
            (
                "The Pilotage Rules 2001 are repealed.",
                Some(("The Pilotage Rules 2001", None)),
            ),
            (
                "Commission Implementing Regulation (EU) No 680/2014 laying down technical standards according to Regulation (EU) No 575/2013 is repealed.",
                Some(("Commission Implementing Regulation (EU) No 680/2014", None)),
            ),
            (
                "Regulation (EU) No 648/2012 is amended and Directive 97/9/EC is repealed.",
                Some(("Directive 97/9/EC", None)),
            ),
            (
                "From 1 July 2020, this Act applies and the Harbour Dues Act 1987 and the Pilotage Act 1990 are repealed.",
                Some(("the Harbour Dues Act 1987 and the Pilotage Act 1990", None)),
            ),
            (
                "Directive 95/46/EC, as amended by Regulation (EC) No 1882/2003, is repealed.",
                Some(("Directive 95/46/EC", None)),
            ),
            (
                "The Regulation on the fees of ports is repealed with effect from 1 July 2020.",
                Some(("The Regulation on the fees of ports", Some("2020-07-01"))),
            ),
            (
                "The Regulation on the fees of ports, as amended in 2001, is repealed.",
                Some(("The Regulation on the fees of ports", None)),
            ),
            // What is left out may belong to the title.
            (
                "The Regulation on the fees of ports concerning tugs is repealed.",
                Some(("The Regulation on the fees of ports …", None)),
            ),
            // The day on which it was made is not that of its repeal.
            (
                "The Harbour Dues Ordinance made on 3 March 1987 is repealed.",
                Some(("The Harbour Dues Ordinance", None)),
            ),
            (
                "The Harbour Dues Act 1987 is repealed by the Order made on 3 March 2010.",
                Some(("The Harbour Dues Act 1987", None)),
            ),
            (
                "On 1 July 2020 the Harbour Dues Act 1987 is repealed.",
                Some(("the Harbour Dues Act 1987", Some("2020-07-01"))),
            ),
            (
                "The Harbour Dues Act 1987 is repealed, except sections 4 and 5.",
                None,
            ),
            (
                "The Harbour Dues Act 1987 is repealed in so far as it concerns Article 5.",
                None,
            ),
            (
                "The Harbour Dues Act 1987 is repealed; this holds except for foreign ships.",
                None,
            ),
            (
                "A licence granted before the Harbour Dues Act 1987 is repealed remains valid.",
                None,
            ),
            ("The provisions of Directive 95/46/EC are repealed.", None),
            (
                "It is proposed that the Harbour Dues Act 1987 shall be repealed.",
                None,
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
            assert_eq!(find(text, None), expected, "{text}");
        }
    }
}
