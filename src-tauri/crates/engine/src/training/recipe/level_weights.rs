//! Weights of the levels that are learnt at once.
#![allow(clippy::unwrap_used)]

use super::tests::{ITEMS, small};
use super::*;
use lexforge_domain::Code;
use lexforge_domain::api::LevelWeights;

#[test]
fn weights_of_the_levels_are_those_of_a_recipe_that_learns_both_at_once() {
    let of = |preset, sentence, token| {
        let request = TrainRequest {
            preset: Some(preset),
            weights: Some(LevelWeights { sentence, token }),
            ..TrainRequest::default()
        };
        Recipe::of(&request, &small(), ITEMS)
    };
    let joint = of(Preset::Joint, 0.2, 0.8).unwrap();
    assert!(matches!(
        joint.settings.stages[0].objective,
        Objective::Joint {
            sentence: 0.2,
            token: 0.8,
            ..
        }
    ));
    for (preset, sentence, token) in [
        (Preset::QuickLook, 0.2, 0.8),
        (Preset::Joint, 0.2, 0.7),
        (Preset::Joint, -0.5, 1.5),
        (Preset::Joint, f64::NAN, 1.0),
    ] {
        let refused = of(preset, sentence, token).unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest);
    }
}
