//! Number, articles and capitals.

use super::lexicon;
use crate::words;
use lexforge_text::plural;

/// Grammatical number of a noun phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// One.
    Singular,
    /// Several.
    Plural,
}

/// Number of a noun phrase by its determiner, its "and", else the ending of its head noun.
pub(crate) fn number(phrase: &str) -> Number {
    let lower = phrase.to_lowercase();
    let tokens: Vec<&str> = lower.split_whitespace().collect();
    if matches!(
        tokens.first(),
        Some(&("a" | "an" | "each" | "every" | "any" | "no" | "this" | "that"))
    ) {
        return Number::Singular;
    }
    if tokens.contains(&"and") {
        return Number::Plural;
    }
    // "the records maintained by a bank": the participle ends the noun as well.
    let ends = |at: usize| {
        tokens.get(at).is_some_and(|t| {
            lexicon::AFTER_HEAD.contains(t)
                || t.ends_with("ed")
                    && tokens
                        .get(at + 1)
                        .is_some_and(|n| lexicon::AFTER_HEAD.contains(n))
        })
    };
    let head = (1..tokens.len())
        .find(|at| ends(*at))
        .unwrap_or(tokens.len());
    match tokens.get(head.wrapping_sub(1)) {
        Some(noun) if is_plural(noun) => Number::Plural,
        _ => Number::Singular,
    }
}

/// Whether a noun looks like a plural.
pub(crate) fn is_plural(noun: &str) -> bool {
    let noun = noun
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    plural::singular(&noun) != noun
        || matches!(
            noun.as_str(),
            "criteria" | "persons" | "people" | "children"
        )
}

/// Whether a noun is used without "a" and without a plural.
pub(crate) fn is_uncounted(noun: &str) -> bool {
    let noun = noun
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let counted = lexicon::COUNTED_IN_ING.contains(&noun.as_str());
    lexicon::UNCOUNTED.contains(&noun.as_str())
        || !counted
            && ["ing", "ness", "ism"]
                .iter()
                .any(|e| noun.ends_with(e) && noun.len() > e.len() + 2)
}

/// Whether a noun can stand without a determiner in the singular ("where authorisation is refused").
pub(crate) fn stands_alone(noun: &str) -> bool {
    let lower = noun
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let abstract_noun = ["ation", "ition", "ence", "ance", "ment", "ity", "sion"]
        .iter()
        .any(|e| lower.ends_with(e));
    is_uncounted(noun)
        || abstract_noun
            && ![
                "organisation",
                "organization",
                "authority",
                "entity",
                "document",
                "instrument",
            ]
            .contains(&lower.as_str())
}

/// The plural of a phrase: of its head, the last word before a preposition.
pub(crate) fn plural(phrase: &str) -> String {
    on_head(phrase, |noun| {
        let lower = noun.to_lowercase();
        if is_plural(noun) || lower.ends_with("data") || lower.ends_with("information") {
            return noun.to_owned();
        }
        // Rules write "persons"; of a word with other letters the shared rule knows no plural.
        if lower == "person" || !noun.is_ascii() {
            return format!("{noun}s");
        }
        let many = plural::plural(&lower);
        let kept = kept(&lower, &many);
        format!("{}{}", &noun[..kept], &many[kept..])
    })
}

pub(crate) fn singular(phrase: &str) -> String {
    on_head(phrase, |noun| {
        let lower = noun.to_lowercase();
        let stem = plural::singular(&lower);
        if stem == lower || !noun.is_ascii() {
            return noun.to_owned();
        }
        let kept = kept(&lower, &stem);
        let end = &stem[kept..];
        let shouted = noun.chars().all(|c| !c.is_lowercase());
        let end = if shouted {
            end.to_uppercase()
        } else {
            end.to_owned()
        };
        format!("{}{end}", &noun[..kept])
    })
}

/// The number of bytes that two forms of a word have in common at the beginning. This part is written unchanged, so
/// that its capitals stay: "DPOs", "Criteria".
fn kept(one: &str, other: &str) -> usize {
    one.bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count()
}

fn on_head(phrase: &str, change: impl Fn(&str) -> String) -> String {
    let mut parts: Vec<String> = phrase.split(' ').map(str::to_owned).collect();
    let head = parts
        .iter()
        .skip(1)
        .position(|t| lexicon::AFTER_HEAD.contains(&t.as_str()))
        .map_or(parts.len(), |p| p + 1);
    if let Some(noun) = parts.get_mut(head.wrapping_sub(1)) {
        *noun = change(noun);
    }
    parts.join(" ")
}

/// The indefinite article before a phrase, by the sound that its spelling suggests.
pub(crate) fn article(phrase: &str) -> &'static str {
    let first = phrase.split_whitespace().next().unwrap_or("");
    let lower = first.to_lowercase();
    let spelt_out = first.chars().filter(|c| c.is_alphabetic()).count() > 1
        && first
            .chars()
            .filter(|c| c.is_alphabetic())
            .all(char::is_uppercase);
    let vowel = if spelt_out {
        lower.starts_with(['a', 'e', 'f', 'h', 'i', 'l', 'm', 'n', 'o', 'r', 's', 'x'])
    } else if ["uni", "use", "usu", "eu", "one", "uti"]
        .iter()
        .any(|p| lower.starts_with(p))
    {
        false
    } else if ["hour", "hono", "heir"]
        .iter()
        .any(|p| lower.starts_with(p))
    {
        true
    } else {
        lower.starts_with(['a', 'e', 'i', 'o', 'u', '8'])
    };
    if vowel { "an" } else { "a" }
}

/// The first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let skip = text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
    let (head, tail) = text.split_at(skip);
    let mut chars = tail.chars();
    chars.next().map_or_else(
        || text.to_owned(),
        |c| format!("{head}{}{}", c.to_uppercase(), chars.as_str()),
    )
}

/// The text with its first letter in lower case. The letter is not changed if the first word may be a name: if it has
/// another capital inside, or if the next word begins with a capital. A function word ("The") is changed even before a
/// capital.
pub(crate) fn uncapital(text: &str) -> String {
    let mut tokens = text.split_whitespace();
    let first = tokens.next().unwrap_or("");
    let lower = first.to_lowercase();
    let bare = lower.trim_end_matches(|c: char| !c.is_alphanumeric());
    let ordinary = words::is_stop(bare) || lexicon::OPENERS.contains(&bare);
    let inner = first.chars().skip(1).any(char::is_uppercase);
    let name = tokens
        .next()
        .is_some_and(|t| t.starts_with(char::is_uppercase));
    if inner || (!ordinary && name) || first.chars().count() == 1 && first != "A" {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| {
        format!("{}{}", c.to_lowercase(), chars.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_subjects() {
        let check = |phrase, expected| assert_eq!(number(phrase), expected, "{phrase}");
        check("the controller", Number::Singular);
        check("Member States", Number::Plural);
        check("the controller and the processor", Number::Plural);
        check("each bank and branch", Number::Singular);
        check("the members of the board", Number::Plural);
        check("the board of directors", Number::Singular);
        check("the business", Number::Singular);
        check("the records maintained by a bank", Number::Plural);
    }

    #[test]
    fn plural_and_back() {
        for (one, many) in [
            ("supervisory authority", "supervisory authorities"),
            ("data breach", "data breaches"),
            ("holder of a permit", "holders of a permit"),
            ("Relevant Person", "Relevant Persons"),
            ("survey", "surveys"),
            ("risk analysis", "risk analyses"),
            ("DPO", "DPOs"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
        assert_eq!(plural("personal data"), "personal data");
    }

    #[test]
    fn articles() {
        let check = |phrase, expected| assert_eq!(article(phrase), expected, "{phrase}");
        check("authority", "an");
        check("undertaking", "an");
        check("university", "a");
        check("hour", "an");
        check("MLRO", "an");
        check("bank", "a");
    }

    #[test]
    fn capitals() {
        assert_eq!(uncapital("The controller"), "the controller");
        assert_eq!(uncapital("Member States"), "Member States");
        assert_eq!(uncapital("A Relevant Person"), "a Relevant Person");
        assert_eq!(uncapital("Processing of data"), "processing of data");
        assert_eq!(uncapital("MLRO"), "MLRO");
        assert_eq!(capital("the bank"), "The bank");
    }
}
