//! What the form of the next run knows.

use crate::backend::{Answer, call, commands};
use crate::draft::Draft;
use crate::fetched::Fetched;
use leptos::prelude::*;
use lexforge_domain::api::{BaseRow, Preset, RunPlan, TrainRequest};

/// What the form knows; a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) draft: RwSignal<Draft>,
    pub(super) bases: Fetched<Vec<BaseRow>>,
    pub(super) plan: Fetched<RunPlan>,
    /// A newer plan is on its way.
    pub(super) asking: RwSignal<bool>,
}

impl Next {
    /// The row of the chosen base model, where it is one of the list.
    pub(super) fn row(self) -> Option<BaseRow> {
        let base = self.draft.with(|draft| draft.base.clone());
        self.bases.value.with(|rows| {
            rows.as_ref()?
                .iter()
                .find(|row| Some(&row.name) == base.as_ref())
                .cloned()
        })
    }

    /// The recipe in use.
    pub(super) fn preset(self) -> Option<Preset> {
        self.draft.with(|draft| draft.preset)
    }

    /// The recipe in use, without following it.
    pub(super) fn preset_now(self) -> Option<Preset> {
        self.draft.with_untracked(|draft| draft.preset)
    }

    /// Whether a plan is for the recipe and the base model that are now in the form. After a change the earlier plan is
    /// still there until the new one arrives.
    pub(super) fn suits(self, plan: &RunPlan) -> bool {
        self.draft
            .with(|draft| is_of(plan.preset, &plan.base.name, draft))
    }

    /// Asks for the plan again although nothing in the form was changed.
    pub(super) fn plan_again(self) {
        let request = self.draft.try_with_untracked(Draft::request).flatten();
        if let Some(request) = request {
            self.plan.ask(planned(self, request));
        }
    }

    /// Whether the chosen base continues texts; `None` if nothing is known yet.
    pub(super) fn is_decoder(self) -> Option<bool> {
        let name = self
            .draft
            .with(|draft| draft.base.as_deref().map(file_name));
        let planned = || {
            self.plan
                .value
                .with(|p| p.as_ref().map(|p| (p.base.name.clone(), p.base.decoder)))
        };
        match self.row() {
            Some(row) => Some(row.decoder),
            None => planned()
                .filter(|(planned, _)| Some(planned) == name.as_ref())
                .map(|(_, decoder)| decoder),
        }
    }
}

/// Asks what a run would do.
pub(super) async fn planned(next: Next, request: TrainRequest) -> Answer<RunPlan> {
    let asked = request.clone();
    let plan = call(commands::PlanRun { request }).await;
    // What was changed meanwhile has a question of its own, and its answer ends the wait.
    let now = next.draft.try_with_untracked(Draft::request).flatten();
    if now.is_none_or(|now| now == asked) {
        next.asking.try_set(false);
    }
    plan
}

/// The base models that can be used for a recipe.
pub(super) fn usable(rows: &[BaseRow], preset: Preset) -> Option<&BaseRow> {
    let suits = |row: &&BaseRow| row.problem.is_none() && row.decoder == needs_decoder(preset);
    // If several come with the product, the first one, which is the one that the command line takes, too.
    rows.iter()
        .filter(suits)
        .rev()
        .max_by_key(|row| row.shipped)
}

/// Whether a recipe on a base model is what stands in the form.
fn is_of(preset: Preset, base: &str, draft: &Draft) -> bool {
    draft.preset == Some(preset) && draft.base.as_deref().map(file_name).as_deref() == Some(base)
}

/// Whether a recipe has stages that only a decoder can learn.
pub(super) fn needs_decoder(preset: Preset) -> bool {
    !preset.is_of_encoders()
}

/// The last part of a folder's path; a name without a path stays as it is.
pub(super) fn file_name(path: &str) -> String {
    path.trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_of_another_recipe_or_base_is_not_of_the_form() {
        let mut draft = Draft::default();
        draft.choose(Preset::Encoder);
        draft.base = Some("/models/own".to_owned());
        for (preset, base, of_it) in [
            (Preset::Encoder, "own", true),
            (Preset::EncoderJoint, "own", false),
            (Preset::Encoder, "other", false),
        ] {
            assert_eq!(is_of(preset, base, &draft), of_it, "{preset:?} {base}");
        }
        draft.base = None;
        assert!(!is_of(Preset::Encoder, "own", &draft));
    }
}
