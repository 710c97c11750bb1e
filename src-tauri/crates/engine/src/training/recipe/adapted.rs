//! Masked words and restored sentences: recipes of their own, and stages before another.
#![allow(clippy::unwrap_used)]

use super::tests::{ITEMS, base, small};
use super::*;

fn of(request: TrainRequest, base: &InspectResult) -> Result<Recipe> {
    Recipe::of(&request, base, ITEMS)
}

fn names(recipe: &Recipe) -> Vec<&str> {
    recipe.stages.iter().map(|s| s.name.as_str()).collect()
}

fn request(preset: Preset) -> TrainRequest {
    TrainRequest {
        preset: Some(preset),
        ..TrainRequest::default()
    }
}

#[test]
fn an_adaptation_has_the_rank_of_what_goes_on_from_it() {
    let encoder = base(false, 22_000_000);
    let adapt = of(request(Preset::Adapt), &encoder).unwrap();
    assert_eq!(adapt.label(), "adapt · mlm");
    assert_eq!(Preset::of_label(&adapt.label()), Some(Preset::Adapt));
    assert!(matches!(
        adapt.settings.stages.as_slice(),
        [StageSpec { objective: Objective::MaskedWords(masked), .. }] if masked.share == 0.15
    ));
    // 300 rules, 16 a step, three epochs.
    assert_eq!((names(&adapt), adapt.stages[0].steps), (vec!["mlm"], 57));
    for preset in [Preset::Retrieval, Preset::Nmixx, Preset::RulesAndPolicies] {
        let further = of(request(preset), &encoder).unwrap();
        assert_eq!(further.settings.lora, adapt.settings.lora, "{preset:?}");
    }
    // Of one with another rank, the scale is the same once it has the rank.
    let further = TrainRequest {
        rank: Some(adapt.settings.lora.r),
        start_from: Some(RunId(1)),
        ..request(Preset::Encoder)
    };
    let further = of(further, &encoder).unwrap();
    assert_eq!(further.settings.lora, adapt.settings.lora);
    assert_eq!(further.start_from, Some(RunId(1)));
    let decoder = of(request(Preset::Adapt), &small()).unwrap_err();
    assert!(decoder.message.contains("decoder"), "{decoder}");
}

#[test]
fn an_adaptation_by_restoring_differs_in_its_stage_alone() {
    let encoder = base(false, 22_000_000);
    let [masked, restored] =
        [Preset::Adapt, Preset::Tsdae].map(|preset| of(request(preset), &encoder).unwrap());
    assert_eq!(restored.label(), "TSDAE · tsdae");
    assert_eq!(Preset::of_label(&restored.label()), Some(Preset::Tsdae));
    let pooling = encoder.reading.clone().unwrap_or_default().pooling;
    assert!(matches!(
        restored.settings.stages.as_slice(),
        [StageSpec { objective: Objective::Denoising(denoising), .. }]
            if denoising.share == 0.6 && denoising.pooling == pooling
    ));
    assert_eq!(
        (names(&restored), restored.stages[0].steps),
        (vec!["tsdae"], masked.stages[0].steps)
    );
    let mut settings = restored.settings.clone();
    settings.stages[0].objective = masked.settings.stages[0].objective.clone();
    assert_eq!(settings, masked.settings);
    let attacked = TrainRequest {
        attacks: true,
        ..request(Preset::Tsdae)
    };
    let attacked = of(attacked, &encoder).unwrap_err();
    assert!(attacked.message.contains("tsdae"), "{attacked}");
    let decoder = of(request(Preset::Tsdae), &small()).unwrap_err();
    assert!(decoder.message.contains("decoder"), "{decoder}");
}

#[test]
fn an_adaptation_is_a_stage_before_an_encoder_compares() {
    let encoder = base(false, 22_000_000);
    for stage in ["mlm", "tsdae"] {
        let with = |preset| TrainRequest {
            with: vec![stage.to_owned()],
            ..request(preset)
        };
        let recipe = of(with(Preset::Encoder), &encoder).unwrap();
        assert_eq!(names(&recipe), [stage, "sentence"]);
        assert_eq!(recipe.stages[0].items, ITEMS.rules as u64);
        // Triplets are other items, and a decoder has masked tokens of its own.
        let triplets = of(with(Preset::Nmixx), &encoder).unwrap_err();
        assert!(triplets.message.contains("no stage that compares"));
        let decoder = of(with(Preset::QuickLook), &small()).unwrap_err();
        assert!(decoder.message.contains(stage), "{decoder}");
    }
}
