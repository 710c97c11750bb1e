//! The form for another machine. Nothing is connected to by adding it.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::i18n::t;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::TargetPlace;
use lexforge_domain::protocol::SlurmSettings;

#[component]
pub fn Form(
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let field = || NodeRef::<Input>::new();
    let (name, host, folder) = (field(), field(), field());
    let (partition, time, gres) = (field(), field(), field());
    let queued = RwSignal::new(false);
    let failure = RwSignal::new(None::<Failure>);
    let typed = |field: NodeRef<Input>| {
        let text = field.get_untracked().map(|f| f.value());
        text.unwrap_or_default().trim().to_owned()
    };
    let send = move |_| {
        let slurm = queued.get_untracked().then(|| SlurmSettings {
            partition: typed(partition),
            time: typed(time),
            gres: typed(gres),
            ..SlurmSettings::default()
        });
        let asked = commands::AddTarget {
            name: typed(name),
            place: TargetPlace::Ssh { host: typed(host) },
            folder: typed(folder),
            slurm,
        };
        spawn_local(async move {
            match call(asked).await {
                Ok(_) => close.run(()),
                Err(problem) => {
                    failure.try_set(Some(problem));
                }
            }
        });
    };
    let field = |id: &'static str, label: String, example: &'static str, node: NodeRef<Input>| {
        view! {
            <div class="field">
                <label for=id>{label}</label>
                <input class="input" id=id type="text" autocomplete="off" spellcheck="false" placeholder=example node_ref=node/>
            </div>
        }
    };
    view! {
        <div class="endpoint" id="machine-form">
            <div class="two">
                {field("machine-name", t("machines.name"), "gpu-01", name)}
                {field("machine-host", t("machines.host"), "gpu-01.example.internal", host)}
            </div>
            {field("machine-folder", t("machines.folder"), "~/.lexforge", folder)}
            <label class="row g-1">
                <input type="checkbox" id="machine-queued" prop:checked=move || queued.get() on:change:target=move |event| queued.set(event.target().checked())/>
                <span>{t("machines.queued")}</span>
            </label>
            {move || queued.get().then(|| view! {
                <div class="two">
                    {field("machine-partition", t("machines.partition"), "gpu", partition)}
                    {field("machine-time", t("machines.time"), "12:00:00", time)}
                </div>
                {field("machine-gres", t("machines.gres"), "gpu:1", gres)}
            })}
            <span class="t-small t-mute">{t("machines.not_connected")}</span>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="row">
                <button class="btn primary" id="machine-keep" on:click=send>{t("machines.keep")}</button>
                <button class="btn ghost" on:click=move |_| close.run(())>{t("action.cancel")}</button>
            </div>
        </div>
    }
}
