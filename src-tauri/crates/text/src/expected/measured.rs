//! What is counted or measured in the answer to a question.

use crate::figures::ENGLISH_UNITS;

/// The noun whose number an English question asks for: "branches" in "How many branches may a bank open?" `None` for
/// units of time, because an answer may use another unit.
pub fn counted(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let (_, behind) = lower.split_once("how many ")?;
    let word = behind.split(|c: char| !c.is_alphanumeric()).next()?;
    let of_time = ENGLISH_UNITS.contains(&word);
    // "How many times" asks how often.
    let names = word.chars().nth(2).is_some() && !of_time && word != "times";
    names.then(|| word.to_owned())
}

/// The thing that an English question measures in units of time: "leave" in "How many working days of paid leave does a
/// master get?" `None` if the question names no such thing.
pub fn measured(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let (_, behind) = lower.split_once("how many ")?;
    let words: Vec<&str> = behind
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let of = words.iter().take(3).position(|word| *word == "of")?;
    let unit = words.get(of.checked_sub(1)?)?;
    let behind = &words[of + 1..];
    let end = behind
        .iter()
        .take(LONGEST_NAME + 1)
        .position(|word| BEHIND_A_NAME.contains(word))?;
    let thing = behind[..end].last()?;
    let is_named = thing.chars().nth(2).is_some()
        && !ENGLISH_UNITS.contains(thing)
        && !OFTEN_UNNAMED.contains(thing);
    (ENGLISH_UNITS.contains(unit) && is_named).then(|| (*thing).to_owned())
}

/// The thing whose bound an English question asks for: "capital" in "What is the minimum capital of a port?" A clause
/// that has no word of it cannot tell the bound. `None` for words that rules leave out ("amount"), and for times.
pub fn bounded(question: &str) -> Option<String> {
    let lower = question.trim().to_lowercase();
    let begin = ["what is the ", "what's the ", "what’s the "];
    let rest = begin.iter().find_map(|begin| lower.strip_prefix(begin))?;
    let words: Vec<&str> = rest
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let (bound, behind) = words.split_first()?;
    if !BOUNDS.contains(bound) {
        return None;
    }
    let ends = |word: &&str| BEHIND_A_NAME.contains(word) || BEHIND_A_BOUND.contains(word);
    let name: Vec<&str> = behind
        .iter()
        .copied()
        .take_while(|word| !ends(word))
        .collect();
    let thing = name.last().filter(|_| name.len() <= LONGEST_NAME)?;
    let is_named = thing.chars().nth(2).is_some()
        && !ENGLISH_UNITS.contains(thing)
        && !OFTEN_UNNAMED.contains(thing)
        && !UNNAMED_BOUNDS.contains(thing);
    is_named.then(|| name.join(" "))
}

/// What is kept, as the end of a question for how long names it: "pilot training" in "How long are the records of pilot
/// training kept?" A clause that speaks of none of it is about other records. `None` if nothing is named behind "of", or
/// if it names who keeps ("the head of a port keep") or since when ("after the end of a voyage").
pub fn kept(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let (_, asked) = lower.split_once("how long ")?;
    let is_keeping = |word: &str| KEEPING.contains(&word);
    let parts = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    if !parts(asked).iter().any(|word| is_keeping(word)) {
        return None;
    }
    let thing = SINCE_WHEN.iter().fold(asked, |text, begin| {
        text.split_once(begin).map_or(text, |(before, _)| before)
    });
    let (_, behind) = thing.rsplit_once(" of ")?;
    let words = parts(behind);
    let keeps = words.iter().find(|word| is_keeping(word));
    if keeps.is_some_and(|word| KEEPS.contains(&word.as_str())) {
        return None;
    }
    let ends = |word: &&str| {
        BEHIND_A_NAME.contains(word) || BEHIND_A_BOUND.contains(word) || *word == "be"
    };
    let words = words.iter().map(String::as_str);
    let name: Vec<&str> = words
        .filter(|word| {
            !matches!(
                *word,
                "the" | "my" | "our" | "its" | "their" | "any" | "all"
            )
        })
        .take_while(|word| !ends(word) && !is_keeping(word))
        .collect();
    let is_name = (1..=LONGEST_NAME).contains(&name.len());
    is_name.then(|| name.join(" "))
}

/// Words for keeping something.
const KEEPING: [&str; 9] = [
    "keep",
    "kept",
    "retain",
    "retained",
    "store",
    "stored",
    "preserve",
    "preserved",
    "archived",
];
/// Those of them before which stands who keeps.
const KEEPS: [&str; 4] = ["keep", "retain", "store", "preserve"];
/// Words that begin the time or the case in which something is kept.
const SINCE_WHEN: [&str; 12] = [
    " after ",
    " before ",
    " from ",
    " since ",
    " following ",
    " upon ",
    " once ",
    " when ",
    " if ",
    " in case of ",
    " in the case of ",
    " for ",
];
/// Words that ask for a bound.
const BOUNDS: [&str; 6] = [
    "minimum", "maximum", "lowest", "highest", "smallest", "largest",
];
/// Words behind the name of what has the bound, besides those of [`BEHIND_A_NAME`].
const BEHIND_A_BOUND: [&str; 18] = [
    "of", "that", "which", "on", "at", "to", "from", "under", "with", "if", "when", "by", "within",
    "between", "i", "we", "you", "it",
];
/// Things whose bound rules tell without naming them: "up to 5 euros", "at least 5 pilots", "for three years".
const UNNAMED_BOUNDS: [&str; 48] = [
    "deadline",
    "interval",
    "gap",
    "extension",
    "validity",
    "retention",
    "turnaround",
    "wait",
    "stay",
    "cost",
    "price",
    "charge",
    "fee",
    "rate",
    "ratio",
    "quantity",
    "weight",
    "speed",
    "distance",
    "temperature",
    "frame",
    "timeframe",
    "payment",
    "claim",
    "amount",
    "number",
    "sum",
    "level",
    "value",
    "size",
    "limit",
    "threshold",
    "share",
    "percentage",
    "period",
    "time",
    "term",
    "duration",
    "length",
    "frequency",
    "age",
    "fine",
    "fines",
    "penalty",
    "penalties",
    "sanction",
    "requirement",
    "requirements",
];

/// Words of the name of such a thing, at most.
const LONGEST_NAME: usize = 4;
/// Things that rules tell without their name: "at least 48 hours before departure" is a notice.
const OFTEN_UNNAMED: [&str; 4] = ["notice", "warning", "delay", "grace"];
/// Words that follow such a name.
const BEHIND_A_NAME: [&str; 26] = [
    "do", "does", "did", "is", "are", "was", "were", "must", "may", "can", "could", "shall",
    "should", "will", "would", "has", "have", "had", "per", "in", "for", "a", "each", "every",
    "before", "after",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_named() {
        for (question, thing) in [
            (
                "How long do we have to keep the records of our pilot training?",
                Some("pilot training"),
            ),
            (
                "How long must copies of a log be kept after a voyage?",
                None,
            ),
            ("For how long are records of spills kept?", Some("spills")),
            (
                "How long must a log be kept after the end of voyages?",
                None,
            ),
            ("How long does the board of pilots keep minutes?", None),
            ("How long must a log be kept?", None),
            ("How long is the closing of a port announced before?", None),
            ("Who keeps the records of spills?", None),
        ] {
            assert_eq!(kept(question).as_deref(), thing, "{question}");
        }
    }

    #[test]
    fn the_thing_whose_bound_is_asked_for_is_named() {
        for (question, thing) in [
            ("What is the minimum capital of a port?", Some("capital")),
            (
                "What is the maximum spring dues for a tanker?",
                Some("spring dues"),
            ),
            ("What’s the lowest deposit?", Some("deposit")),
            ("What is the maximum amount of a deposit?", None),
            ("What is the maximum fine for a spill?", None),
            ("What is the minimum age of a pilot?", None),
            ("What is the maximum delay for a report?", None),
            ("What is the minimum log retention?", None),
            ("What is the maximum interval between two drills?", None),
            ("What is the minimum?", None),
            ("What is the capital of a port?", None),
            ("Who pays the minimum capital?", None),
        ] {
            assert_eq!(bounded(question).as_deref(), thing, "{question}");
        }
    }
}
