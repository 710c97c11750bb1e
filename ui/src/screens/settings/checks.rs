//! What is installed and what is missing on this machine, and how to mend it.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::fetched::Fetched;
use crate::i18n::{lang, t};
use crate::remedies::worded;
use crate::said::Told;
use leptos::prelude::*;
use lexforge_domain::api::Check;

/// The checks, made again each time the screen is opened.
#[component]
pub fn Checks() -> impl IntoView {
    let checks = Fetched::<Vec<Check>>::default();
    let busy = RwSignal::new(false);
    let look = move || {
        busy.set(true);
        checks.ask(async move {
            let found = call(commands::Doctor {}).await;
            busy.try_set(false);
            found
        });
    };
    look();
    view! {
        <section class="card" id="checks">
            <div class="card-head">
                <h2>{t("settings.machine")}</h2>
                <span class="push row">
                    {move || busy.get().then(|| view! { <span class="t-small waiting" role="status">{t("wait.doctor")}</span> })}
                    <button class="btn sm" disabled=move || busy.get() on:click=move |_| look()>{t("settings.check_again")}</button>
                </span>
            </div>
            {move || checks.failure.get().map(|failure| view! { <div class="card-body"><ErrorPanel failure/></div> })}
            {move || match checks.value.get() {
                None if checks.failure.with(Option::is_some) => ().into_any(),
                None => view! { <div class="skel"></div><div class="skel half"></div> }.into_any(),
                Some(found) => view! {
                    <table class="table" id="doctor">
                        <thead><tr><th>{t("settings.check")}</th><th>{t("settings.state")}</th><th>{t("settings.found")}</th></tr></thead>
                        <tbody>{found.into_iter().map(|check| view! { <Line check/> }).collect_view()}</tbody>
                    </table>
                }.into_any(),
            }}
        </section>
    }
}

/// A check and what came of it.
#[component]
pub fn Line(check: Check) -> impl IntoView {
    let state = if check.ok {
        view! { <span class="badge ok"><Sign icon=Icon::Check small=true/>{t("settings.ok")}</span> }.into_any()
    } else {
        view! { <span class="badge bad"><Sign icon=Icon::Warning small=true/>{t("settings.missing")}</span> }.into_any()
    };
    let own = check.advice.and_then(|advice| worded(&advice, lang()));
    let told = (own.is_none() && !check.remedy.is_empty()).then_some(check.remedy);
    view! {
        <tr>
            <td class="strong"><Told text=check.check/></td>
            <td>{state}</td>
            <td>
                <span class="wrap-anywhere"><Told text=check.found/></span>
                {own.map(|text| view! { <p class="t-small">{text}</p> })}
                {told.map(|text| view! { <p class="t-small"><Told text/></p> })}
            </td>
        </tr>
    }
}
