//! Which sentences of an act or of another document with rules oblige somebody.
//!
//! A duty does ("shall"). So does the right of somebody else ("The data subject shall have the right to …"): whoever
//! answers for the data has to grant it. And so does what allows something in one case alone ("may transfer data only
//! if …").

use lexforge_augment::Force;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_text::rights;
use std::collections::HashMap;

/// A holder of a right with at least as many duties in a document is one of those whom the document binds. Its rights
/// oblige nobody: "The controller shall have the right to ask for a fee".
const FEW_DUTIES: usize = 2;
/// What follows "shall" where the subject does nothing: "the data subject shall be informed".
const SUFFERS: [&str; 7] = [
    "be ",
    "not be ",
    "have the right",
    "have a right",
    "receive ",
    "not have ",
    "enjoy ",
];
/// The most bytes between "may" and "only".
const NEAR: usize = 40;
/// Chinese words that allow something in one case alone.
const ONLY_HAN: [&str; 6] = ["方可", "方能", "只能", "仅可", "仅能", "只可"];

/// The sentences of a document, in which the duties of those who have rights are looked up.
pub(super) struct Duties {
    texts: Vec<String>,
    language: Language,
    /// Who has rights, and whether the document binds them as well.
    holders: HashMap<String, bool>,
}

impl Duties {
    /// For the sentences of a document.
    pub fn of(sentences: &[Sentence], language: Language) -> Self {
        Self {
            texts: sentences.iter().map(|s| s.text.to_lowercase()).collect(),
            language,
            holders: HashMap::new(),
        }
    }

    /// Whether a sentence of the document obliges somebody.
    pub fn demands(&mut self, text: &str, force: Option<Force>) -> bool {
        match force {
            Some(Force::Must | Force::MustNot | Force::Should) => true,
            Some(Force::NeedNot) => false,
            Some(Force::May) | None => {
                allows_one_case_alone(text, self.language)
                    || rights::holder(text).is_some_and(|holder| !self.binds(holder))
            }
        }
    }

    /// Whether the document obliges the holder of a right, too.
    fn binds(&mut self, holder: &str) -> bool {
        let holder = holder.to_lowercase();
        if let Some(known) = self.holders.get(&holder) {
            return *known;
        }
        let duties: Vec<String> = match self.language {
            Language::Zh => vec![format!("{holder}应当"), format!("{holder}不得")],
            _ => vec![format!("{holder} shall "), format!("{holder} must ")],
        };
        let acts = |text: &&String| {
            let mut found = duties.iter().filter_map(|duty| {
                let (_, rest) = text.split_once(duty.as_str())?;
                Some(!SUFFERS.iter().any(|verb| rest.starts_with(verb)))
            });
            found.any(|acts| acts)
        };
        let of = self.texts.iter().filter(acts).take(FEW_DUTIES).count();
        let binds = !holder.is_empty() && of == FEW_DUTIES;
        self.holders.insert(holder, binds);
        binds
    }
}

/// Whether a sentence allows something in one case alone: "may transfer data only if", 经批准方可.
fn allows_one_case_alone(text: &str, language: Language) -> bool {
    if language == Language::Zh {
        return ONLY_HAN.iter().any(|word| text.contains(word));
    }
    let lower = text.to_lowercase();
    let Some((_, allowed)) = lower.split_once(" may ") else {
        return false;
    };
    let part = allowed.split([';', '.', ':']).next().unwrap_or_default();
    let near = part.split(',').next().unwrap_or_default();
    near.starts_with("only ")
        || [
            " only if ",
            " only where ",
            " only when ",
            " only after ",
            " only on ",
        ]
        .iter()
        .any(|only| part.contains(only))
        || near
            .find(" only ")
            .is_some_and(|at| near[..at].len() <= NEAR)
}

/// A sentence about the act itself obliges nobody: "This Regulation shall enter into force".
pub(super) fn is_of_the_act(text: &str) -> bool {
    const ITSELF: [&str; 9] = [
        "this regulation ",
        "this directive ",
        "this decision ",
        "this act ",
        "this article ",
        "this chapter ",
        "this section ",
        "this annex ",
        "it shall apply from",
    ];
    let lower = text.trim_start().to_lowercase();
    let lower = lower.trim_start_matches(|c: char| !c.is_alphabetic());
    ITSELF.iter().any(|begin| lower.starts_with(begin))
        || speaks_of_its_parts(lower)
        || (text.starts_with("本法") || text.starts_with("本办法") || text.starts_with("本规定"))
            && ["施行", "适用"].iter().any(|word| text.contains(word))
}

/// Whether a sentence only says how far another rule applies: "Paragraph 1 shall not apply where …", "The right
/// referred to in paragraph 1 shall not affect …".
fn speaks_of_its_parts(lower: &str) -> bool {
    const PARTS: [&str; 15] = [
        "paragraph ",
        "paragraphs ",
        "point ",
        "points ",
        "article ",
        "articles ",
        "the obligation",
        "the right referred to",
        "the right to ",
        "that right",
        "the exercise of the right",
        "those rules",
        "the provisions",
        "all provisions",
        "the derogations",
    ];
    const REACH: [&str; 6] = [
        "apply",
        "not apply",
        "be applied",
        "not affect",
        "not adversely affect",
        "remain in force",
    ];
    let Some((subject, rest)) = lower.split_once(" shall ") else {
        return false;
    };
    // No duty consists in leaving another rule as it is, or in what is not required.
    [
        "be without prejudice to ",
        "not affect the lawfulness of ",
        "not require any ",
    ]
    .iter()
    .any(|begin| rest.starts_with(begin))
        || PARTS.iter().any(|part| subject.starts_with(part))
            && !subject.contains(" applies")
            && REACH.iter().any(|verb| rest.starts_with(verb))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_augment::force;

    /// Which of these sentences of one document oblige somebody.
    fn check(language: Language, sentences: &[(&str, bool)]) {
        let mut duties = Duties {
            texts: sentences.iter().map(|(s, _)| s.to_lowercase()).collect(),
            language,
            holders: HashMap::new(),
        };
        for (text, expected) in sentences {
            let force = force(text, language).map(|(force, _)| force);
            assert_eq!(duties.demands(text, force), *expected, "{text}");
        }
    }

    #[test]
    fn the_right_of_one_is_the_duty_of_another() {
        check(
            Language::En,
            &[
                ("The line shall sail on time.", true),
                ("The line shall answer each letter.", true),
                ("The passenger shall be told of each delay.", true),
                ("The passenger shall be given a meal.", true),
                ("The passenger shall have the right to a cabin.", true),
                (
                    "Where a ship is late, passengers are entitled to a meal.",
                    true,
                ),
                // Of those whom the document binds a right is no duty.
                ("The line shall have the right to ask for a fee.", false),
                ("The line may sell cabins.", false),
                ("The line need not serve meals.", false),
                (
                    "The line may sail at night only if a pilot is on board.",
                    true,
                ),
                ("The line may only carry tested cargo.", true),
                (
                    "The line may sell the cabins that are free, and the only deck is closed.",
                    false,
                ),
                ("Cabins have windows.", false),
            ],
        );
        check(
            Language::Zh,
            &[
                ("船公司应当准时开船。", true),
                ("船公司应当答复来信。", true),
                ("误点时，乘客有权要求退票。", true),
                ("船公司有权收取费用。", false),
                ("经批准方可夜航。", true),
                ("船舱有窗。", false),
            ],
        );
    }
    #[test]
    fn what_an_act_says_of_itself_binds_nobody() {
        assert!(is_of_the_act(
            "2. This Regulation shall apply from 25 May 2018."
        ));
        assert!(is_of_the_act("本办法自2024年1月1日起施行。"));
        assert!(is_of_the_act(
            "2. Paragraphs 1 and 3 shall not apply where the bank is small."
        ));
        assert!(is_of_the_act(
            "4. The right referred to in paragraph 1 shall not adversely affect the freedom of others."
        ));
        assert!(is_of_the_act(
            "The choice of an agent shall be without prejudice to claims against the bank."
        ));
        assert!(is_of_the_act(
            "Such a transfer shall not require any specific permit."
        ));
        assert!(is_of_the_act(
            "4. The right to a copy shall not adversely affect the freedom of others."
        ));
        assert!(is_of_the_act(
            "The withdrawal shall not affect the lawfulness of what was done before."
        ));
        assert!(!is_of_the_act(
            "Outsourcing shall not affect the quality of the controls."
        ));
        assert!(!is_of_the_act(
            "Article 5 applies, and the bank shall apply for a licence."
        ));
        assert!(!is_of_the_act(
            "Where paragraph 1 applies, the bank shall apply for a licence."
        ));
        assert!(!is_of_the_act("The bank shall apply this Regulation."));
        assert!(!is_of_the_act("商业银行应当建立制度。"));
    }
}
