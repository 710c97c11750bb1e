//! The recipe for the search with a teacher.
#![allow(clippy::unwrap_used)]

use super::tests::base;
use super::*;
use lexforge_domain::Code;
use lexforge_domain::protocol::{Distillation, LABELS_ARE_COMPLETE};

fn recipe(preset: Preset, distillation: Option<Distillation>) -> Result<Recipe> {
    let request = TrainRequest {
        preset: Some(preset),
        distillation,
        ..TrainRequest::default()
    };
    let base = base(false, 22_000_000);
    Recipe::of(&request, &base, ItemCounts::labelled(640))
}

#[test]
fn a_teacher_is_learnt_from_where_one_is_asked_for() {
    let of = |recipe: &Recipe| match &recipe.settings.stages[0].objective {
        Objective::Retrieval(retrieval) => retrieval.distillation,
        _ => None,
    };
    let plain = recipe(Preset::Retrieval, None).unwrap();
    assert_eq!(of(&plain), None);
    assert_eq!(plain.label(), "retrieval · retrieval stage");
    let wanted = Distillation {
        share: 0.9,
        unlabelled: true,
        ..Distillation::default()
    };
    let taught = recipe(Preset::Retrieval, Some(wanted)).unwrap();
    assert_eq!(of(&taught), Some(wanted));
    assert_eq!(taught.label(), "retrieval · retrieval stage (distilled)");
    assert_eq!(Preset::of_label(&taught.label()), Some(Preset::Retrieval));
    assert_eq!(taught.stages, plain.stages);
}

#[test]
fn complete_labels_leave_no_near_clause_out_and_use_more_of_them() {
    let of = |preset, complete_labels| {
        let request = TrainRequest {
            preset: Some(preset),
            complete_labels,
            ..TrainRequest::default()
        };
        let base = base(false, 22_000_000);
        Recipe::of(&request, &base, ItemCounts::labelled(640)).map(|recipe| {
            match &recipe.settings.stages[0].objective {
                Objective::Retrieval(retrieval) => Some((retrieval.too_alike, retrieval.negatives)),
                _ => None,
            }
        })
    };
    assert_eq!(of(Preset::Retrieval, false).unwrap(), Some((0.95, 1)));
    let (complete, negatives) = of(Preset::Retrieval, true).unwrap().unwrap();
    assert_eq!(negatives, 8);
    // It goes to the worker as JSON.
    let sent: f64 = serde_json::from_str(&serde_json::to_string(&complete).unwrap()).unwrap();
    assert_eq!(sent, LABELS_ARE_COMPLETE);
    let refused = of(Preset::Nmixx, true).unwrap_err();
    assert!(
        refused.message.contains("every clause"),
        "{}",
        refused.message
    );
}

#[test]
fn a_teacher_that_cannot_be_is_refused_in_words() {
    let own = Distillation::default();
    let refused = |preset, distillation, words: &str| {
        let failure = recipe(preset, Some(distillation)).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        assert!(failure.message.contains(words), "{}", failure.message);
    };
    refused(
        Preset::Retrieval,
        Distillation { share: 2.0, ..own },
        "above 0 and at most 1",
    );
    refused(
        Preset::Retrieval,
        Distillation { list: 1, ..own },
        "2 clauses or more",
    );
    refused(Preset::Nmixx, own, "Only the recipe retrieval");
}
