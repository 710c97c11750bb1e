//! Which model makes the vectors of the next build.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{EncoderChoice, SearchEncoderRow};

/// The encoders that can be chosen, with their names: the one that made the present vectors, the usual one, and those
/// that were tuned here.
fn choices(rows: &[SearchEncoderRow]) -> Vec<(Option<EncoderChoice>, String)> {
    let mut found = vec![
        (None, t("graph.encoder_as_now")),
        (Some(EncoderChoice::default()), t("graph.encoder_usual")),
    ];
    found.extend(rows.iter().filter_map(|row| {
        let choice = row.choice.clone()?;
        let name = match choice.run {
            Some(run) => tf(
                "graph.encoder_tuned",
                &[("n", &run.to_string()), ("model", &row.model)],
            ),
            None => row.model.clone(),
        };
        Some((Some(choice), name))
    }));
    found
}

/// The choice.
#[component]
pub fn VectorsBy(
    /// The chosen encoder; `None` = the one that made the present vectors.
    chosen: RwSignal<Option<EncoderChoice>>,
) -> impl IntoView {
    let app = use_app();
    let found = Fetched::<Vec<SearchEncoderRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        found.refresh(call(commands::SearchEncoders {}));
    });
    let all = move || {
        found
            .value
            .with(|rows| choices(rows.as_deref().unwrap_or_default()))
    };
    let options = move || {
        let now = chosen.get_untracked();
        all()
            .into_iter()
            .enumerate()
            .map(|(place, (choice, name))| {
                let taken = choice == now;
                view! { <option value=place.to_string() selected=taken>{name}</option> }
            })
            .collect_view()
    };
    let choose = move |value: String| {
        let choice = value
            .parse()
            .ok()
            .and_then(|place: usize| all().into_iter().nth(place));
        if let Some((choice, _)) = choice {
            chosen.set(choice);
        }
    };
    view! {
        <div class="field">
            <label for="graph-encoder">{t("graph.encoder_next")}</label>
            <span class="picker">
                <select class="select" id="graph-encoder" on:change:target=move |event| choose(event.target().value())>
                    {options}
                </select>
            </span>
            <span class="hint">{t("graph.encoder_next_means")}</span>
            {move || found.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;

    #[test]
    fn what_is_there_comes_first_and_a_tuned_encoder_is_named_by_its_run() {
        let row = |run: Option<i64>| SearchEncoderRow {
            choice: run.map(|run| EncoderChoice {
                run: Some(RunId(run)),
                ..EncoderChoice::default()
            }),
            model: "all-MiniLM-L6-v2".to_owned(),
            chosen: false,
        };
        let found = choices(&[row(None), row(Some(7))]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].0, None);
        assert_eq!(found[1].0, Some(EncoderChoice::default()));
        assert!(found[2].1.contains('7') && found[2].1.contains("MiniLM"));
    }
}
