//! All runs.

use crate::components::run_badge::RunBadge;
use crate::format;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::RunRow;

/// All runs, newest first.
#[component]
pub fn Runs(
    /// The run that is shown above.
    shown: Memo<Option<RunId>>,
) -> impl IntoView {
    let app = use_app();
    // A row is drawn anew only when it has changed.
    let key = |run: &RunRow| (run.id, run.state.tag(), run.step, run.loss.map(f64::to_bits));
    let empty = Memo::new(move |_| app.runs.with(Vec::is_empty));
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("training.runs")}</h2></div>
            {move || if empty.get() {
                view! { <p class="card-body t-small">{t("training.no_runs")}</p> }.into_any()
            } else {
                view! {
                    <div class="table-wrap">
                        <table class="table" id="runs">
                            <thead>
                                <tr>
                                    <th>{t("training.run")}</th>
                                    <th>{t("training.started")}</th>
                                    <th>{t("training.recipe_name")}</th>
                                    <th>{t("training.base")}</th>
                                    <th class="num">{t("training.dataset")}</th>
                                    <th class="num">{t("training.step")}</th>
                                    <th class="num">{t("training.loss")}</th>
                                    <th>{t("training.state")}</th>
                                </tr>
                            </thead>
                            <tbody><For each=move || app.runs.get() key children=move |run| view! { <Line run shown/> }/></tbody>
                        </table>
                    </div>
                }.into_any()
            }}
        </article>
    }
}

#[component]
fn Line(run: RunRow, shown: Memo<Option<RunId>>) -> impl IntoView {
    let app = use_app();
    let id = run.id;
    view! {
        <tr
            class="pick"
            tabindex="0"
            aria-selected=move || (shown.get() == Some(id)).to_string()
            on:click=move |_| app.run.set(Some(id))
            on:keydown=move |event| if event.key() == "Enter" { app.run.set(Some(id)) }
        >
            <td class="strong">{id.to_string()}</td>
            <td class="nowrap">{format::minute(&run.started)}</td>
            <td>{run.recipe.clone()}</td>
            <td>{run.base.clone()}</td>
            <td class="num">{run.dataset.to_string()}</td>
            <td class="num">{format::count(run.step)} " / " {format::count(run.of)}</td>
            <td class="num">{run.loss.map_or_else(|| "–".to_owned(), format::loss)}</td>
            <td><RunBadge state=run.state/></td>
        </tr>
    }
}
