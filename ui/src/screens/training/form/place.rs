//! Where the run is computed: on this machine, or on one that was added in the settings.

use super::next::Next;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::fetched::Fetched;
use crate::i18n::{t, tf, tn};
use crate::screens::training::cost;
use leptos::prelude::*;
use lexforge_domain::api::{Target, TargetList};

/// The choice, where there is one.
#[component]
pub fn Place() -> impl IntoView {
    let next = expect_context::<Next>();
    let targets = Fetched::<TargetList>::default();
    targets.ask(call(commands::Targets {}));
    let choose = move |value: String| {
        let on = (!value.is_empty()).then_some(value);
        next.draft.update(|draft| draft.on = on);
    };
    move || {
        if let Some(failure) = targets.failure.get() {
            return view! { <section class="part"><ErrorPanel failure/></section> }.into_any();
        }
        let list = targets.value.get().unwrap_or_default();
        let (rows, unreadable) = (list.targets, list.unreadable.len());
        if rows.is_empty() && unreadable == 0 {
            return ().into_any();
        }
        let now = next.draft.with(|draft| draft.on.clone());
        let option = |target: Target| {
            let selected = now.as_deref() == Some(target.name.as_str());
            let words = match target.worker {
                Some(_) => target.name.clone(),
                None => tf("training.where_empty", &[("name", &target.name)]),
            };
            view! { <option value=target.name.clone() selected=selected disabled=target.worker.is_none()>{words}</option> }
        };
        let options = rows.into_iter().map(option).collect_view();
        view! {
            <section class="part">
                <label class="row between" for="run-on"><h2>{t("training.where")}</h2></label>
                <span class="picker">
                    <select class="select" id="run-on" on:change:target=move |event| choose(event.target().value())>
                        <option value="" selected=now.is_none()>{t("training.where_here")}</option>
                        {options}
                    </select>
                </span>
                <p class="t-small t-mute">{t("training.where_is")}</p>
                {(unreadable > 0).then(|| view! { <Note tone=Tone::Warn>{tn("training.where_unreadable", unreadable as u64)}</Note> })}
                {move || {
                    let cost = next.plan.value.with(|plan| plan.as_ref().and_then(|plan| plan.cost.clone()));
                    let cost = cost.filter(|_| !next.asking.get());
                    cost.map(|known| view! { <p class="t-small" id="run-cost">{cost::before(&known)}</p> })
                }}
            </section>
        }
        .into_any()
    }
}
