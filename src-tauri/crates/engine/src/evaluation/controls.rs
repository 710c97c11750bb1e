//! The names of the shortcut controls for readers. A name says what the control sees and which choice it picks, because
//! several controls see only the choices.

use lexforge_domain::api::EvaluationView;
use lexforge_domain::gate::{GateGround, GateReason};
use lexforge_domain::metrics::ShortcutRow;

/// Controls that see the choices alone begin so.
const CHOICES_ONLY: &str = "choices_only";

/// A control in words, by the name under which its row is kept; a name that is not known stays.
pub fn control_in_words(name: &str) -> &str {
    match name {
        "choices_only" => "the tuned model given the choices alone",
        "choices_only_base" => "the base model given the choices alone",
        "choices_only_words" => "picking the choice that shares the most words with the others",
        "choices_only_trigrams" => {
            "picking the choice that shares the most runs of three letters with the others"
        }
        "medoid" => "picking the choice whose vector is nearest to the others",
        "first_choice" => "picking the first choice",
        "longest_choice" => "picking the longest choice",
        "corpus_overlap" => "picking the choice whose wording is found most in the documents",
        other => other,
    }
}

/// The controls that see the choices alone: those of the snapshot, and those of the models on its test part.
pub(super) fn choices_alone(view: &EvaluationView) -> Vec<ShortcutRow> {
    let of_snapshot = view.dataset.shortcuts.iter().map(|s| &s.row);
    of_snapshot
        .chain(&view.evaluation.shortcuts)
        .filter(|row| row.name.starts_with(CHOICES_ONLY))
        .cloned()
        .collect()
}

/// A reason of the gate, its control named in words.
pub(super) fn told(mut reason: GateReason) -> GateReason {
    if let GateGround::Shortcut {
        control,
        accuracy,
        chance,
    } = &reason.ground
    {
        let who = control_in_words(control);
        reason.text = format!(
            "The questions can be answered without being read: {who} scores {:.1} % where guessing scores {:.1} %.",
            accuracy * 100.0,
            chance * 100.0
        );
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_evaluate::form::CHOICES_ALONE;
    use std::collections::HashSet;

    #[test]
    fn each_control_has_words_of_its_own() {
        let of_models = [
            "choices_only",
            "choices_only_base",
            "medoid",
            "corpus_overlap",
        ];
        let mut said = HashSet::new();
        for name in CHOICES_ALONE.into_iter().chain(of_models) {
            let words = control_in_words(name);
            assert_ne!(words, name);
            assert!(said.insert(words), "{words}");
        }
    }

    #[test]
    fn a_reason_names_its_control_in_words_and_keeps_its_ground() {
        let of_words = GateGround::Shortcut {
            control: "choices_only_words".to_owned(),
            accuracy: 0.525,
            chance: 0.25,
        };
        for (ground, text) in [
            (
                of_words,
                "The questions can be answered without being read: picking the choice that shares the most words with the others scores 52.5 % where guessing scores 25.0 %.",
            ),
            (GateGround::SameModel, "Both are the same model."),
        ] {
            let reason = told(GateReason::from(ground.clone()));
            assert_eq!(reason.text, text);
            assert_eq!(reason.ground, ground);
        }
    }
}
