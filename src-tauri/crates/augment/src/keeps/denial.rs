//! Finds out whether one of two texts denies what the other says: "does not receive instructions" and "receives
//! instructions", "lawfully" and "unlawfully".

use super::english::Text;
use super::lexicon::Mark;
use super::opposites::denied_by_a_syllable;
use super::token::Token;
use lexforge_domain::text::Language;

/// Whether a statement denies a deed that the rule does not deny, or the other way round: "does not receive
/// instructions" and "receives instructions". The verb and the word behind it must be in both. A text that denies with an
/// exception is not compared with one that has none. Only English is read.
pub fn reverses(rule: &str, statement: &str, language: Language) -> bool {
    if language == Language::Zh {
        return false;
    }
    let (rule, statement) = (Read::of(rule), Read::of(statement));
    // Of two denials each takes back the other: "no pilot leaves" is "a pilot shall not leave".
    (rule.denials + statement.denials) % 2 == 1
        && (rule.denies_what(&statement) || statement.denies_what(&rule))
}

/// Whether a statement has a word that denies one of the rule by a syllable: "unlawfully" and "lawfully". Words in a case
/// of the rule do not count. Only English is read.
pub fn reverses_a_word(rule: &str, statement: &str, language: Language) -> bool {
    if language == Language::Zh {
        return false;
    }
    let (rule, statement) = (Read::of(rule), Read::of(statement));
    (rule.denials + statement.denials).is_multiple_of(2)
        && denied_by_a_syllable(&rule.text, &rule.in_cases, &statement.text)
}

impl Text {
    /// For each token, whether it stands in a case: "where the risk is high".
    pub(super) fn in_cases(&self) -> Vec<bool> {
        let mut inside = vec![false; self.tokens.len()];
        for (at, mark, _) in self.marks() {
            if matches!(mark, Mark::If | Mark::When | Mark::Inclusive) {
                inside[self.clause(at)].fill(true);
            }
        }
        inside
    }
}

/// A text with what it denies.
struct Read {
    text: Text,
    in_cases: Vec<bool>,
    /// The places of the words that are denied.
    denied: Vec<usize>,
    /// How many words deny something.
    denials: usize,
}

impl Read {
    fn of(text: &str) -> Self {
        let text = Text::read(text);
        let in_cases = text.in_cases();
        let of = text
            .marks()
            .filter(|(at, mark, said)| is_denial(*mark, said) && !in_cases[*at]);
        let places: Vec<usize> = of.map(|(at, _, _)| at).collect();
        let denied = places.iter().filter_map(|at| text.governed_place(*at));
        Self {
            denied: denied.collect(),
            denials: places.len(),
            in_cases,
            text,
        }
    }

    /// Whether it denies a word that another text says, together with the word behind it.
    fn denies_what(&self, other: &Self) -> bool {
        // "Shall not moor without a permit" is kept by "moors with a permit only".
        let is_bounded = |text: &Text| text.has(Mark::Without) || text.has(Mark::Except);
        if is_bounded(&self.text) && !is_bounded(&other.text) {
            return false;
        }
        let tokens = &other.text.tokens;
        self.denied.iter().any(|place| {
            let verb = &self.text.tokens[*place];
            let mut behind = self.text.tokens[*place + 1..].iter();
            let goes_on = |token: &&Token| !matches!(token, Token::Break(';' | '.' | ':'));
            let next = behind.by_ref().take_while(goes_on).find_map(Token::stem);
            let mut same = (0..tokens.len())
                .filter(|at| !other.in_cases[*at] && tokens[*at].is_one_deed(verb))
                .peekable();
            same.peek().is_some()
                && same.all(|at| !other.denied.contains(&at))
                && next.is_some_and(|stem| other.text.has_stem(stem))
        })
    }
}

/// A denial of a deed, or a prohibition. "Without" and "unless" say in which case something is not so, and "in the absence
/// of" denies that something is there.
fn is_denial(mark: Mark, said: &str) -> bool {
    match mark {
        Mark::MustNot | Mark::ShouldNot => true,
        Mark::Not => !said.ends_with(" of") && !said.ends_with("than") && !said.starts_with("lack"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_two_texts_denies_what_the_other_says() {
        for (rule, statement, expected) in [
            (
                "It shall be as easy to leave the harbour as to enter it.",
                "It is not as easy to leave the harbour as it was to enter it last year.",
                true,
            ),
            (
                "The pilot does not receive instructions regarding the tasks.",
                "The pilot receives instructions from the master on how to do the tasks.",
                true,
            ),
            (
                "The master shall consult the pilot before sailing where there is no tide.",
                "We do not ask the pilot before sailing, even where we cannot see.",
                true,
            ),
            (
                "The line shall inform passengers of a delay, unless this is impossible.",
                "We never tell passengers of a delay.",
                true,
            ),
            (
                "The pilot shall not leave the vessel.",
                "The pilot never leaves the vessel.",
                false,
            ),
            (
                "The pilot shall not leave the vessel.",
                "No pilot leaves the vessel.",
                false,
            ),
            (
                "The pilot shall not leave the vessel.",
                "The pilot leaves the vessel.",
                true,
            ),
            (
                "In the absence of a pilot, the vessel shall moor where the tide allows.",
                "The vessel moors with a pilot where the tide allows.",
                false,
            ),
            // What is denied is another word than those of the rule.
            (
                "The pilot shall report the draught of the vessel.",
                "The pilot reports the draught, and does not wait for the tide.",
                false,
            ),
            (
                "The pilot shall not moor the vessel without a permit.",
                "The pilot moors the vessel with a permit only.",
                false,
            ),
            // Both speak of the same case.
            (
                "The pilot shall not moor the vessel without a permit.",
                "The pilot moors the vessel without a permit.",
                true,
            ),
        ] {
            assert_eq!(
                reverses(rule, statement, Language::En),
                expected,
                "{rule} | {statement}"
            );
        }
        assert!(!reverses("引航员不得离船。", "引航员离船。", Language::Zh));
    }

    #[test]
    fn a_syllable_denies_a_word() {
        for (rule, statement, expected) in [
            (
                "Vessels shall be moored safely and in a visible manner.",
                "Vessels are moored unsafely where the quay needs it.",
                true,
            ),
            (
                "Vessels shall be moored safely.",
                "No vessel is moored unsafely.",
                false,
            ),
            (
                "The master shall leave where vessels are moored unsafely.",
                "Vessels are moored safely.",
                false,
            ),
        ] {
            let found = reverses_a_word(rule, statement, Language::En);
            assert_eq!(found, expected, "{rule} | {statement}");
        }
    }
}
