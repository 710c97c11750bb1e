//! Whether the statements of a model are supported by the clauses that it cites.

use lexforge_augment::{Binding, Compared, GROUNDED, borne_out};
use lexforge_domain::api::Unsupported;
use lexforge_domain::text::Language;

/// A statement that shares less than this share of its content words with a clause is about something else.
/// Differences in wording between the two then mean nothing.
const ABOUT_THE_SAME: f64 = 0.5;

/// A statement, and the text that should support it.
pub(super) struct Claim<'c> {
    /// The statement.
    pub text: &'c str,
    /// The sentences that it cites, each with its lead-in.
    pub cited: &'c str,
    /// Where they stand.
    pub place: &'c str,
    pub question: &'c str,
    /// The language of what is cited.
    pub language: Language,
    /// Defined terms of both.
    pub terms: &'c [&'c str],
}

impl Claim<'_> {
    /// The reason why the cited text does not support a statement; `None` if the text supports it. There are two
    /// conditions. First, the statement must not differ from the text in anything that binds (see `keeps` in the crate
    /// augment). Second, the share [`GROUNDED`] of the statement's content words must be in the text. The same share is
    /// demanded of the answers in the data set.
    pub(super) fn fault(&self) -> Option<Unsupported> {
        let share = borne_out(self.text, &format!("{} {}", self.cited, self.place));
        if share < ABOUT_THE_SAME {
            return Some(Unsupported::LittleSupport);
        }
        let compared = Compared {
            anchor: self.cited,
            answer: self.text,
            asked: self.question,
            place: self.place,
            language: self.language,
            terms: self.terms,
        };
        let differs = compared.differences().into_iter().next();
        match differs {
            Some(difference) => Some(reason(difference.kind)),
            None => (share < GROUNDED).then_some(Unsupported::LittleSupport),
        }
    }
}

fn reason(kind: Binding) -> Unsupported {
    match kind {
        Binding::Number | Binding::Date => Unsupported::Figure,
        Binding::Modal => Unsupported::Force,
        Binding::Negation => Unsupported::Opposite,
        Binding::Condition => Unsupported::Condition,
        Binding::Direction => Unsupported::Direction,
        Binding::Quantifier => Unsupported::Extent,
        Binding::Actor => Unsupported::Actor,
        Binding::Term => Unsupported::Term,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTIFY: &str = "A controller shall notify the supervisory authority of a personal data breach within 72 hours, unless the breach is unlikely to result in a risk.";
    const LEND: &str = "银行不得向股东发放贷款，期限超过三十日的除外。";

    fn check(cited: &str, text: &str, language: Language, expected: Option<Unsupported>) {
        let claim = Claim {
            text,
            cited,
            place: "Act › Article 33",
            question: "",
            language,
            terms: &["personal data breach", "personal data"],
        };
        assert_eq!(claim.fault(), expected, "{text}");
    }

    #[test]
    fn what_binds_must_be_that_of_the_clause() {
        use Unsupported as U;
        let check = |text, expected| check(NOTIFY, text, Language::En, expected);
        check(NOTIFY, None);
        check(
            "The controller shall notify the supervisory authority of a personal data breach within 72 hours, unless the breach is unlikely to result in a risk.",
            None,
        );
        check(
            "A controller shall notify the supervisory authority of a personal data breach within 96 hours, unless the breach is unlikely to result in a risk.",
            Some(U::Figure),
        );
        check(
            "A controller may notify the supervisory authority of a personal data breach within 72 hours, unless the breach is unlikely to result in a risk.",
            Some(U::Force),
        );
        check(
            "A controller shall not notify the supervisory authority of a personal data breach within 72 hours, unless the breach is unlikely to result in a risk.",
            Some(U::Opposite),
        );
        check(
            "A controller shall notify the supervisory authority of a personal data breach within 72 hours.",
            Some(U::Condition),
        );
        check(
            "Every breach is free of charge and all documents are approved.",
            Some(U::LittleSupport),
        );
        check("", Some(U::LittleSupport));
    }

    #[test]
    fn the_same_holds_in_chinese() {
        use Unsupported as U;
        let check = |text, expected| check(LEND, text, Language::Zh, expected);
        check(LEND, None);
        check(
            "银行不得向股东发放贷款，期限超过六十日的除外。",
            Some(U::Figure),
        );
        check(
            "银行应当向股东发放贷款，期限超过三十日的除外。",
            Some(U::Opposite),
        );
        check("会议由董事长主持并形成纪要。", Some(U::LittleSupport));
    }
}
