//! The newest snapshot as files that other trainers read.

use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Waiting;
use crate::i18n::{t, tag};
use crate::review::outcome::Outcome;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::DatasetFormat;

/// In which form, with or without choices, into which folder.
#[component]
pub fn ExportSnapshot(
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let format = RwSignal::new(DatasetFormat::default());
    let bare = RwSignal::new(false);
    let licence = RwSignal::new(String::new());
    let failure = RwSignal::new(None::<Failure>);
    let working = move || app.waits.has(&t("wait.dataset"));
    let write = move |_| {
        let (format, without_choices) = (format.get_untracked(), bare.get_untracked());
        let licence = Some(licence.get_untracked());
        let written = async move {
            let Some(folder) = call(commands::PickFolder {}).await? else {
                return Ok(None);
            };
            let written = call(commands::ExportDataset {
                folder,
                format,
                without_choices,
                licence,
            });
            written.await.map(Some)
        };
        app.waits
            .attempt(t("wait.dataset"), failure, written, move |written| {
                if let Some(written) = written {
                    app.outcome.set(Some(Outcome::Dataset(written)));
                    close.try_run(());
                }
            });
    };
    view! {
        <Dialog label=t("dataset.export") close id="export-snapshot" class="padded">
            <h2>{t("dataset.export")}</h2>
            <Forms format/>
            <Check on=bare tick=move |on: bool| bare.set(on)><span>{t("dataset.without_choices")}</span></Check>
            <label class="stack" for="snapshot-licence">
                <span>{t("dataset.licence")}</span>
                <input class="input" id="snapshot-licence" placeholder=t("dataset.licence_hint") prop:value=move || licence.get()
                    on:input:target=move |event| licence.set(event.target().value())/>
            </label>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <Waiting words=t("wait.dataset")/>
            <Foot cancel=close before=|| view! { <span class="t-small t-mute">{t("dataset.export_hint")}</span> }>
                <button class="btn primary" id="snapshot-write" disabled=working on:click=write>{t("dataset.choose_folder")}</button>
            </Foot>
        </Dialog>
    }
}

/// The forms to choose from.
#[component]
fn Forms(format: RwSignal<DatasetFormat>) -> impl IntoView {
    let forms = DatasetFormat::ALL
        .map(|form| {
            view! {
                <label class="preset" class:on=move || format.get() == form>
                    <input type="radio" name="dataset-format" prop:checked=move || format.get() == form on:change=move |_| format.set(form)/>
                    <span><b>{tag("dataset_format", form.tag())}</b><br/><small>{tag("dataset_format_is", form.tag())}</small></span>
                </label>
            }
        })
        .collect_view();
    view! { <div class="presets">{forms}</div> }
}
