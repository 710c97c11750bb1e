//! Names of people: how they are kept, and when two of them are one or look like one.

use crate::workspace::Result;
use lexforge_domain::Failure;
use lexforge_domain::shown::acts;
use lexforge_text::fold::tidy;
use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

/// Longest name of a person, in scalar values.
pub(super) const LONGEST_NAME: usize = 100;

/// The joiners that Persian and Indic scripts need inside words.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// A name as it is kept.
pub(super) fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    let refused = |message: String| {
        Err(Failure::invalid(
            message,
            "Give the name under which the decisions are to stand.",
        ))
    };
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control)
    {
        return refused(format!(
            "A person's name has 1 to {LONGEST_NAME} characters, on one line."
        ));
    }
    if name.chars().any(|c| acts(c) && !JOINERS.contains(&c)) || normal(name).is_empty() {
        return refused(
            "A person's name has letters that can be seen, and no marks that turn the direction of reading.".to_owned(),
        );
    }
    Ok(name.to_owned())
}

/// A name of an account, made fit to be a person's.
pub(super) fn fitted(name: &str) -> String {
    let name: String = name
        .trim()
        .chars()
        .filter(|c| !acts(*c) && !c.is_control())
        .take(LONGEST_NAME)
        .collect();
    if normal(&name).is_empty() {
        "local user".to_owned()
    } else {
        name.trim().to_owned()
    }
}

/// A name in the form in which names are compared: in one fixed Unicode normal form, without invisible characters, with
/// one blank between words, and in lower case.
fn normal(name: &str) -> String {
    // Upper case first: it writes some letters as two that lower case keeps.
    seen(name).to_uppercase().to_lowercase()
}

fn seen(name: &str) -> String {
    tidy(&name.nfkc().collect::<String>())
}

/// A name, made ready to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Compared {
    normal: String,
    /// How the name looks (the skeleton of Unicode's TR39): as written, in lower case, in upper case.
    looks: [String; 3],
}

impl Compared {
    pub(super) fn of(name: &str) -> Self {
        let seen = seen(name);
        let looks = |text: &str| skeleton(text).collect::<String>();
        Self {
            looks: [
                looks(&seen).to_lowercase(),
                looks(&seen.to_lowercase()),
                looks(&seen.to_uppercase()),
            ],
            normal: normal(name),
        }
    }

    /// Whether both are one name, however it is typed.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.normal == other.normal
    }

    /// Whether a reader could take one for the other.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        self.is(other)
            || self
                .looks
                .iter()
                .zip(&other.looks)
                .any(|(one, other)| one == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_several_spellings() {
        let compared = |a: &str, b: &str| {
            (
                Compared::of(a).is(&Compared::of(b)),
                Compared::of(a).looks_like(&Compared::of(b)),
            )
        };
        for (a, b, is, looks) in [
            ("Bea", "Bea", true, true),
            ("Bea", "BEA", true, true),
            ("Bea", "B\u{200d}ea", true, true),
            ("Bea", "Ｂｅａ", true, true),
            ("Bea Moll", " Bea \u{a0} Moll", true, true),
            ("Bea", "Ве\u{430}", false, true),
            ("bea", "ВЕА", false, true),
            ("José", "Jose\u{301}", true, true),
            ("Paul", "PauI", false, true),
            ("Weiß", "WEISS", true, true),
            ("Reviewer 1", "Reviewer l", false, true),
            ("Reviewer 1", "Reviewer 2", false, false),
            ("Maria", "Marla", false, false),
            ("王伟", "王玮", false, false),
            ("Jan", "Jana", false, false),
        ] {
            assert_eq!(compared(a, b), (is, looks), "{a} / {b}");
            assert_eq!(compared(b, a), (is, looks), "{b} / {a}");
        }
    }

    #[test]
    fn names_that_act_or_cannot_be_seen_are_refused() {
        for name in [
            "",
            "  ",
            "a\nb",
            "a\u{1b}[31m",
            "a\u{202e}b",
            "a\u{2066}b",
            "\u{200b}",
            "\u{200d}",
            "a\u{e0041}",
            "a\u{2028}b",
        ] {
            assert!(checked_name(name).is_err(), "{name:?}");
            assert!(checked_name(&fitted(name)).is_ok(), "{name:?}");
        }
        for name in ["Bea", " Bea ", "مهسا\u{200c}خانم", "王伟", "O’Neil"] {
            assert_eq!(checked_name(name).ok().as_deref(), Some(name.trim()));
        }
    }
}
