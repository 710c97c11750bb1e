//! The way from what is missing here to the recipe that makes it.

use crate::draft::Draft;
use crate::i18n::t;
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::Preset;

/// Chooses the recipe for the next run. The chosen base may be of another kind than the recipe needs, so the base is
/// left open and a suitable one is looked for. If the recipe is chosen already, what was typed for it stays.
fn take(draft: &mut Draft, preset: Preset) {
    if draft.preset != Some(preset) {
        draft.choose(preset);
        draft.base = None;
    }
}

/// Puts the dialog away and opens Training with a recipe.
#[component]
pub fn ToTraining(
    /// The recipe.
    preset: Preset,
    /// The button's id.
    id: &'static str,
) -> impl IntoView {
    let app = use_app();
    let open = move |_| {
        app.ask.over.set(None);
        app.draft.update(|draft| take(draft, preset));
        app.go(Route::Training);
    };
    view! {
        <div class="row">
            <button class="btn" id=id on:click=open>{t("evaluation.to_training")}</button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_of_another_kind_leaves_its_base_behind() {
        let mut draft = Draft::default();
        draft.choose(Preset::Thorough);
        draft.base = Some("decoder".to_owned());
        take(&mut draft, Preset::Rerank);
        assert_eq!((draft.preset, &draft.base), (Some(Preset::Rerank), &None));
        draft.base = Some("encoder".to_owned());
        take(&mut draft, Preset::Rerank);
        assert_eq!(draft.base.as_deref(), Some("encoder"));
    }
}
