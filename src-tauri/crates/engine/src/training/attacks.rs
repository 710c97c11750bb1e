//! Changes training questions by attacks, which gives additional questions and additional wrong choices. The gate uses
//! the same kinds of attack on the test part, but with another seed. Test questions themselves are not learnt.

use super::items::FrozenItem;
use crate::workspace::DEFAULT_SEED;
use lexforge_augment::{SimilarTerms, attacked};
use lexforge_domain::api::Attack;
use lexforge_domain::protocol::TrainItem;
use lexforge_domain::qca::{QcaLevel, Split};
use lexforge_text::language::detect;
use std::collections::{BTreeMap, BTreeSet};

/// Which terms questions themselves take for similar: the choices of those that ask for a term.
pub(crate) fn similar_terms<'i>(items: impl Iterator<Item = &'i FrozenItem>) -> Vec<SimilarTerms> {
    let mut terms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for item in items {
        let draft = &item.question.draft;
        if draft.level != QcaLevel::Token {
            continue;
        }
        if let Some(right) = draft.choices.get(draft.answer) {
            let others = draft.choices.iter().filter(|choice| *choice != right);
            let known = terms.entry(right).or_default();
            known.extend(others.map(String::as_str));
        }
    }
    let owned = |(term, others): (&str, BTreeSet<&str>)| {
        let others = others.into_iter().map(str::to_owned).collect();
        (term.to_owned(), others)
    };
    terms.into_iter().map(owned).collect()
}

/// The seed of what is learnt: never that by which systems are attacked.
fn own_seed(seed: u64) -> u64 {
    match seed.wrapping_add(1) {
        DEFAULT_SEED => DEFAULT_SEED.wrapping_add(1),
        other => other,
    }
}

/// The training questions after attacks have changed them, and the number of changes by each attack. An attack that
/// keeps the meaning of a question makes a new item, in the answer group of that question. An attack that writes a
/// tempting choice adds one more wrong choice to the question.
pub(super) fn with_attacks(
    items: &[FrozenItem],
    learnt: impl Fn(&FrozenItem) -> TrainItem,
    seed: u64,
) -> (Vec<TrainItem>, BTreeMap<String, u64>) {
    let part = || items.iter().filter(|i| i.question.split == Split::Train);
    let terms = similar_terms(part());
    let seed = own_seed(seed);
    let (mut all, mut forms) = (Vec::new(), Vec::new());
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for item in part() {
        let draft = &item.question.draft;
        let language = detect(&format!("{} {}", draft.question, draft.choices.join(" ")));
        let mut own = learnt(item);
        for attack in Attack::ALL {
            let Some(form) = attacked(attack, draft, language, &terms, seed) else {
                continue;
            };
            if attack.keeps_the_sense() {
                let mut put = item.clone();
                put.question.draft = form;
                // Numbers of their own, below those of all questions.
                forms.push(TrainItem {
                    id: -(forms.len() as i64) - 1,
                    ..learnt(&put)
                });
            } else {
                let mut new = form.choices;
                new.retain(|text| !draft.choices.contains(text) && !own.negatives.contains(text));
                if new.is_empty() {
                    continue;
                }
                own.negatives.extend(new);
            }
            *counts.entry(attack.tag().to_owned()).or_default() += 1;
        }
        all.push(own);
    }
    all.extend(forms);
    (all, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::qca::{Qca, QcaDraft, QuestionSource, QuestionType};
    use lexforge_domain::{QcaId, SentenceId};

    fn item(id: i64, split: Split) -> FrozenItem {
        let choices = [
            "Where a breach occurs, the keeper may tell the crew within 10 days.",
            "Where a breach occurs, the keeper shall notify the safety office within 30 days.",
            "Where a ship leaves, the keeper shall count the ropes within 2 days.",
        ];
        let draft = QcaDraft {
            question: "Which rule does the harbour order have about reports of breaches?"
                .to_owned(),
            choices: choices.map(str::to_owned).to_vec(),
            answer: 1,
            ..QcaDraft::new(
                QcaLevel::Sentence,
                QuestionType::Statement,
                SentenceId(id),
                QuestionSource::Offline,
            )
        };
        FrozenItem {
            question: Qca::unreviewed(QcaId(id), draft, split),
            cluster: id,
            answer_group: 10 * id,
        }
    }

    fn learnt(item: &FrozenItem) -> TrainItem {
        let draft = &item.question.draft;
        let mut negatives = draft.choices.clone();
        let answer = negatives.remove(draft.answer);
        TrainItem {
            id: item.question.id.0,
            anchor: draft.anchor_sentence.0,
            level: draft.level,
            question: draft.question.clone(),
            answer,
            negatives,
            answer_group: item.answer_group,
            rephrased: None,
            rule: String::new(),
        }
    }

    #[test]
    fn forms_of_the_train_part_alone_are_added_and_counted() {
        let all = [
            item(1, Split::Train),
            item(2, Split::Test),
            item(3, Split::Dev),
        ];
        let (items, counts) = with_attacks(&all, learnt, 7);
        let plain = learnt(&all[0]);
        let kept: u64 = Attack::ALL
            .into_iter()
            .filter(|attack| attack.keeps_the_sense())
            .filter_map(|attack| counts.get(attack.tag()))
            .sum();
        let changed: u64 = counts.values().sum::<u64>() - kept;
        assert!(kept >= 3 && changed >= 2, "{counts:?}");
        assert_eq!(items.len() as u64, 1 + kept);
        // The question itself stays as it is but for its further wrong choices.
        let own = &items[0];
        assert_eq!(own.negatives[..2], plain.negatives);
        assert_eq!(own.negatives.len() as u64, 2 + changed);
        assert!(!own.negatives.contains(&own.answer));
        // The changed forms are never its negatives, have their own numbers, and lack some of its words.
        for (n, form) in (1..).zip(&items[1..]) {
            assert_eq!((form.id, form.anchor, form.answer_group), (-n, 1, 10));
            assert_eq!(form.negatives.len(), 2);
            let same = form.question == plain.question && form.answer == plain.answer;
            assert!(!same || form.negatives != plain.negatives, "{form:?}");
        }
        let again = with_attacks(&all, learnt, 7).0;
        assert_eq!(again, items, "the same seed gives the same");
    }

    #[test]
    fn what_is_learnt_has_never_the_seed_of_the_gate() {
        for seed in [0, DEFAULT_SEED.wrapping_sub(1), DEFAULT_SEED, u64::MAX] {
            assert_ne!(own_seed(seed), DEFAULT_SEED, "{seed}");
        }
        // The test question is attacked otherwise than it would be learnt.
        let draft = item(1, Split::Train).question.draft;
        let under = |seed| attacked(Attack::Typo, &draft, detect(&draft.question), &[], seed);
        assert_ne!(under(own_seed(DEFAULT_SEED)), under(DEFAULT_SEED));
    }
}
