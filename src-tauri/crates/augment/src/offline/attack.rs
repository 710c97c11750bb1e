//! A test question as an attacker would write it: with spelling mistakes, with look-alike letters, in other words, or
//! with a wrong choice that differs from the right one in only one word.

use super::edits;
use super::languages::patterns;
use super::patterns::{Patterns, Variant};
use super::rewording::reworded;
use crate::clause::parse;
use crate::seed;
use lexforge_domain::api::Attack;
use lexforge_domain::qca::{QcaDraft, QcaLevel};
use lexforge_domain::text::Language;
use lexforge_text::is_han;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// One word in so many is misspelt.
const WORDS: usize = 8;
/// Letters of the shortest word that is.
const LETTERS: usize = 5;
/// Latin letters and those of Cyrillic that look the same.
const ALIKE: [(char, char); 6] = [
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('o', 'о'),
    ('p', 'р'),
    ('x', 'х'),
];

/// A term with others that could be taken for it.
pub type SimilarTerms = (String, Vec<String>);

/// The question under an attack; `None` if it has nothing that the attack can change. The same seed changes the same
/// question in the same way. The right choice stays where it is.
pub fn attacked(
    attack: Attack,
    draft: &QcaDraft,
    language: Language,
    terms: &[SimilarTerms],
    seed: u64,
) -> Option<QcaDraft> {
    let mut rng = seed::stream(seed, draft.anchor_sentence.0, 4);
    let changed = match attack {
        Attack::Typo => asked(draft, misspelt(&draft.question, language, &mut rng)),
        Attack::Homoglyph => asked(draft, alike(&draft.question, language)),
        Attack::ClauseOrder => choices(draft, |text| turned(language, text)),
        Attack::Paraphrase => {
            let changed = choices(draft, |text| otherwise(language, text));
            // If only the wrong choices changed, the unchanged choice would be recognised as the right one.
            changed.filter(|c| c.choices[c.answer] != draft.choices[draft.answer])
        }
        Attack::Negation | Attack::Number | Attack::NearTerm => {
            let right = draft.choices.get(draft.answer)?;
            let p = patterns(language, right).filter(|_| draft.level == QcaLevel::Sentence)?;
            let found = variants(attack, p, right, terms, &mut rng);
            rival(draft, &found, &mut rng)
        }
    };
    changed.filter(|changed| changed.question != draft.question || changed.choices != draft.choices)
}

fn asked(draft: &QcaDraft, question: Option<String>) -> Option<QcaDraft> {
    Some(QcaDraft {
        question: question?,
        ..draft.clone()
    })
}

/// The question with each choice put otherwise that can be; `None` if two choices would then read the same.
fn choices(draft: &QcaDraft, put: impl Fn(&str) -> Option<String>) -> Option<QcaDraft> {
    let of = |text: &String| put(text).unwrap_or_else(|| text.clone());
    let choices: Vec<String> = draft.choices.iter().map(of).collect();
    let alone = |(at, text): (usize, &String)| !choices[..at].contains(text);
    choices.iter().enumerate().all(alone).then(|| QcaDraft {
        choices: choices.clone(),
        ..draft.clone()
    })
}

/// A text with some words misspelt: two letters within an English word changed places, a Chinese character said twice.
fn misspelt(text: &str, language: Language, rng: &mut ChaCha8Rng) -> Option<String> {
    if language == Language::Zh {
        let places: Vec<usize> = text
            .char_indices()
            .filter(|(_, c)| is_han(*c))
            .map(|(at, _)| at)
            .collect();
        let at = *places.choose(rng)?;
        let twice = text[at..].chars().next()?;
        return Some(format!("{}{twice}{}", &text[..at], &text[at..]));
    }
    let long = |word: &&str| word.len() >= LETTERS && word.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = text.split(' ').collect();
    let places: Vec<usize> = (0..words.len()).filter(|&i| long(&words[i])).collect();
    let wanted = words.len().div_ceil(WORDS);
    let chosen: Vec<usize> = places.choose_multiple(rng, wanted).copied().collect();
    let swapped = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        // Equal letters would change nothing.
        let at = (1..letters.len() - 2).find(|&i| letters[i] != letters[i + 1])?;
        letters.swap(at, at + 1);
        Some(letters.into_iter().collect::<String>())
    };
    let put = |(i, word): (usize, &&str)| match chosen.contains(&i) {
        true => swapped(word).unwrap_or_else(|| (*word).to_owned()),
        false => (*word).to_owned(),
    };
    let put: Vec<String> = words.iter().enumerate().map(put).collect();
    Some(put.join(" "))
}

/// A text in letters that look the same: some of Cyrillic for those of Latin, in Chinese wide digits for narrow ones.
fn alike(text: &str, language: Language) -> Option<String> {
    let other = |c: char| match language {
        Language::Zh => c
            .to_digit(10)
            .and_then(|digit| char::from_u32('０' as u32 + digit)),
        _ => ALIKE.iter().find(|(latin, _)| *latin == c).map(|one| one.1),
    };
    Some(text.chars().map(|c| other(c).unwrap_or(c)).collect())
}

/// A rule with its condition behind it.
fn turned(language: Language, text: &str) -> Option<String> {
    let p = patterns(language, text)?;
    (p.lead_behind)(&p.grammar.clause(text)?)
}

/// A rule in other words.
fn otherwise(language: Language, text: &str) -> Option<String> {
    let p = patterns(language, text)?;
    let parsed = parse(
        p.grammar,
        lexforge_domain::SentenceId(0),
        text.to_owned(),
        None,
    );
    reworded(p, language, &parsed).map(|done| done.text)
}

fn variants(
    attack: Attack,
    p: &Patterns,
    text: &str,
    terms: &[SimilarTerms],
    rng: &mut ChaCha8Rng,
) -> Vec<Variant> {
    match attack {
        Attack::Number => edits::number(p, text, rng),
        Attack::NearTerm => edits::term(p, text, terms),
        _ => {
            let mut found = edits::negation(p, text);
            if found.is_empty() {
                // A duty that becomes a permission or a prohibition is turned round, too.
                let clause = p.grammar.clause(text);
                let modal = clause.iter().flat_map(|clause| edits::modal(p, clause));
                found = modal.map(|(_, variant)| variant).collect();
            }
            found
        }
    }
}

/// The question with one of the variants in the place of a wrong choice.
fn rival(draft: &QcaDraft, variants: &[Variant], rng: &mut ChaCha8Rng) -> Option<QcaDraft> {
    let new: Vec<&str> = variants
        .iter()
        .map(|v| v.text.as_str())
        .filter(|text| !draft.choices.iter().any(|choice| choice == text))
        .collect();
    let wrong: Vec<usize> = (0..draft.choices.len())
        .filter(|&i| i != draft.answer)
        .collect();
    let (text, place) = (*new.choose(rng)?, *wrong.choose(rng)?);
    let mut changed = draft.clone();
    changed.choices[place] = text.to_owned();
    Some(changed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::qca::{QuestionSource, QuestionType};

    fn draft(question: &str, choices: &[&str]) -> QcaDraft {
        QcaDraft {
            question: question.to_owned(),
            choices: choices.iter().map(|c| (*c).to_owned()).collect(),
            answer: 1,
            ..QcaDraft::new(
                QcaLevel::Sentence,
                QuestionType::Statement,
                SentenceId(7),
                QuestionSource::Offline,
            )
        }
    }

    fn english() -> QcaDraft {
        draft(
            "Which rule does the harbour order have about reports of breaches?",
            &[
                "Where a breach occurs, the keeper may tell the crew within 10 days.",
                "Where a breach occurs, the keeper shall notify the safety office within 30 days.",
                "Where a ship leaves, the keeper shall count the ropes within 2 days.",
            ],
        )
    }

    fn under(attack: Attack, draft: &QcaDraft, language: Language) -> Option<QcaDraft> {
        let terms = [(
            "safety office".to_owned(),
            vec!["customs office".to_owned()],
        )];
        attacked(attack, draft, language, &terms, 42)
    }

    #[test]
    fn what_keeps_the_sense_keeps_the_right_choice_in_its_place() {
        let draft = english();
        let typo = under(Attack::Typo, &draft, Language::En).unwrap();
        assert_ne!(typo.question, draft.question);
        assert_eq!(typo.question.len(), draft.question.len());
        assert_eq!(typo.choices, draft.choices);
        let alike = under(Attack::Homoglyph, &draft, Language::En).unwrap();
        assert!(
            alike.question.starts_with("Whiсh rulе"),
            "{}",
            alike.question
        );
        let turned = under(Attack::ClauseOrder, &draft, Language::En).unwrap();
        assert_eq!(
            turned.choices[1],
            "The keeper shall notify the safety office within 30 days where a breach occurs."
        );
        let other = under(Attack::Paraphrase, &draft, Language::En).unwrap();
        assert_eq!((other.answer, other.choices.len()), (1, 3));
        assert_ne!(other.choices[1], draft.choices[1]);
    }

    #[test]
    fn what_changes_the_sense_puts_a_rival_beside_the_right_choice() {
        let draft = english();
        for attack in [Attack::Negation, Attack::Number, Attack::NearTerm] {
            let found = under(attack, &draft, Language::En);
            assert!(found.is_some(), "{attack:?}");
            let changed = found.unwrap();
            assert_eq!(changed.choices[1], draft.choices[1], "{attack:?}");
            assert_eq!(changed.question, draft.question);
            let new: Vec<&String> = changed
                .choices
                .iter()
                .filter(|c| !draft.choices.contains(c))
                .collect();
            assert_eq!(new.len(), 1, "{attack:?}");
            assert!(new[0].contains("breach occurs"), "{}", new[0]);
        }
    }

    #[test]
    fn chinese_is_attacked_in_its_own_way() {
        let draft = draft(
            "关于报告期限，第3条怎样规定？",
            &[
                "保险公司可以在十日内报送报表。",
                "商业银行应当在三十日内报送报表。",
                "信托公司应当在五日内报送报表。",
            ],
        );
        let typo = under(Attack::Typo, &draft, Language::Zh).unwrap();
        assert_eq!(
            typo.question.chars().count(),
            draft.question.chars().count() + 1
        );
        let wide = under(Attack::Homoglyph, &draft, Language::Zh).unwrap();
        assert!(wide.question.contains('３'));
        let number = under(Attack::Number, &draft, Language::Zh).unwrap();
        assert_eq!(number.choices[1], draft.choices[1]);
    }

    #[test]
    fn where_there_is_nothing_to_change_there_is_no_attack() {
        let draft = draft("Why?", &["Because.", "So.", "Not."]);
        for attack in Attack::ALL {
            assert_eq!(under(attack, &draft, Language::En), None, "{attack:?}");
        }
        let english = english();
        let term = QcaDraft {
            level: QcaLevel::Token,
            ..english
        };
        assert_eq!(under(Attack::Number, &term, Language::En), None);
    }
}
