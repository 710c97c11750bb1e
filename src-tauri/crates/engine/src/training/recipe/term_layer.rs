//! After which layer terms are read (docs/methods.md, "Training").

use crate::workspace::Result;
use lexforge_domain::protocol::{InspectResult, Objective, StageSpec};
use lexforge_domain::{Code, Failure};

/// Puts the layer that the user names into the stages that compare terms.
pub(super) fn place(
    stages: &mut [StageSpec],
    wanted: Option<usize>,
    base: &InspectResult,
) -> Result<()> {
    let Some(wanted) = wanted else { return Ok(()) };
    if wanted == 0 || wanted as u64 > base.layers {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!(
                "Terms cannot be read after layer {wanted}: {} has {} layers.",
                base.name, base.layers
            ),
            "Name one from 1 to the last, or leave it out to read terms after the last.",
        ));
    }
    let mut placed = false;
    for stage in stages {
        if let Objective::Joint { term_layer, .. } = &mut stage.objective {
            (*term_layer, placed) = (Some(wanted), true);
        }
    }
    if !placed {
        return Err(Failure::new(
            Code::InvalidRequest,
            "A layer for terms is named, and the recipe has no stage that compares them.",
            "Leave the layer out, or choose the preset joint or encoder_joint.",
        ));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{ITEMS, small};
    use super::super::{Preset, Recipe, TrainRequest};
    use lexforge_domain::Code;
    use lexforge_domain::protocol::Objective;

    #[test]
    fn a_layer_is_one_that_the_model_has_in_a_recipe_that_compares_terms() {
        let of = |preset, term_layer| {
            let request = TrainRequest {
                preset: Some(preset),
                term_layer,
                ..TrainRequest::default()
            };
            Recipe::of(&request, &small(), ITEMS).map(|recipe| {
                let objective = recipe.settings.stages[0].objective.clone();
                match objective {
                    Objective::Joint { term_layer, .. } => term_layer,
                    _ => None,
                }
            })
        };
        let layers = small().layers as usize;
        assert_eq!(of(Preset::Joint, None).unwrap(), None);
        for layer in [1, layers] {
            assert_eq!(of(Preset::Joint, Some(layer)).unwrap(), Some(layer));
        }
        for (preset, layer) in [
            (Preset::Joint, 0),
            (Preset::Joint, layers + 1),
            (Preset::QuickLook, 1),
        ] {
            let refused = of(preset, Some(layer)).unwrap_err();
            assert_eq!(refused.code, Code::InvalidRequest);
        }
    }
}
