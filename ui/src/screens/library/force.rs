//! Since when and until when the document is in force: what a person set, and what documents say of it.

use crate::backend::{call, commands};
use crate::components::law::lang_tag;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::out_of_force::why;
use crate::reading::Reading;
use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{DocumentRow, Validity, ValidityProposal};

/// The days of the document, to be set or taken back, and what is proposed. Each change is entered in the audit chain.
#[component]
pub fn InForce(reading: Reading, document: DocumentRow) -> impl IntoView {
    let id = document.id;
    let out = document.out_of_force(&format::today()).as_ref().map(why);
    let is_in_force = out.is_none();
    let is_set = document
        .validity
        .as_ref()
        .is_some_and(Validity::names_a_day);
    let now = document.validity.unwrap_or_default();
    let kept = now.from.clone();
    let [from, until, repealed] =
        [now.from, now.until, now.repealed].map(|day| RwSignal::new(day.unwrap_or_default()));
    let setting = move || reading.app.waits.has(&t("wait.force"));
    let set = move |_| {
        let day = |field: RwSignal<String>| {
            Some(field.get_untracked().trim().to_owned()).filter(|day| !day.is_empty())
        };
        let validity = Validity {
            from: day(from),
            until: day(until),
            repealed: day(repealed),
            ..Validity::default()
        };
        send(reading, id, validity);
    };
    view! {
        <span class="stack g-1" data-in-force=is_in_force.to_string()>
            {out.map(|why| view! { <span class="c-warn">{why}</span> })}
            <span class="row wrap g-2">
                <Day id="force-from" name=t("about.force_from") day=from/>
                <Day id="force-until" name=t("about.force_until") day=until/>
                <Day id="force-repealed" name=t("about.force_repealed") day=repealed/>
                <button class="btn sm" data-force="set" disabled=setting on:click=set>{t("about.force_set")}</button>
                {is_set.then(|| view! {
                    <button class="btn ghost sm" data-force="as-stated" title=t("about.force_as_stated_tip") disabled=setting on:click=move |_| send(reading, id, Validity::default())>
                        {t("about.force_as_stated")}
                    </button>
                })}
            </span>
            <Waiting words=t("wait.force")/>
            <span class="t-small t-mute">{t("about.force_hint")}</span>
            <Proposals reading id kept/>
        </span>
    }
}

/// A day, which may be left empty.
#[component]
fn Day(id: &'static str, name: String, day: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="row g-1 t-small">
            <span class="t-mute">{name}</span>
            <input
                id=id
                class="input ask-day"
                inputmode="numeric"
                autocomplete="off"
                placeholder=t("about.force_day")
                prop:value=day
                on:input:target=move |event| day.set(event.target().value())
            />
        </label>
    }
}

/// Sets how long a document is in force, and shows what is stored then.
fn send(reading: Reading, document: DocumentId, validity: Validity) {
    let set = call(commands::SetValidity { document, validity });
    reading.app.attempt_once(t("wait.force"), set, move |_| {
        reading.app.changes.update(|n| *n += 1);
    });
}

/// What documents say about how long this one is in force, to be set or not. A first day that was set is kept.
#[component]
fn Proposals(reading: Reading, id: DocumentId, kept: Option<String>) -> impl IntoView {
    let proposals = Fetched::<Vec<ValidityProposal>>::default();
    proposals.ask(call(commands::ValidityProposals {}));
    move || {
        let own: Vec<ValidityProposal> = proposals
            .value
            .get()
            .unwrap_or_default()
            .into_iter()
            .filter(|p| p.document == id)
            .collect();
        own.into_iter()
            .map(|proposal| view! { <Proposal reading proposal from=kept.clone()/> })
            .collect_view()
    }
}

#[component]
fn Proposal(reading: Reading, proposal: ValidityProposal, from: Option<String>) -> impl IntoView {
    let (id, by, page, sentence) = (
        proposal.document,
        proposal.said_by,
        proposal.page,
        proposal.sentence,
    );
    let lang = reading.row(by).map(|row| lang_tag(row.language));
    let place = format!(
        "{} · {}",
        proposal.by_title,
        tf("count.page_n", &[("n", &page.to_string())])
    );
    let refused = Validity {
        from: from.clone(),
        refused: vec![sentence],
        ..Validity::default()
    };
    let validity = Validity {
        from,
        ..proposal.validity.clone()
    };
    let day = validity
        .until
        .as_ref()
        .map(|day| format!("{} {day}", t("about.force_until")))
        .or(validity
            .repealed
            .as_ref()
            .map(|day| format!("{} {day}", t("about.force_repealed"))));
    let accept = match day {
        Some(day) => {
            let accept = move |_| send(reading, id, validity.clone());
            view! {
                <button class="btn sm" data-force="accept" on:click=accept>{t("about.force_accept")} ": " {day}</button>
            }
            .into_any()
        }
        None => view! { <span class="t-small t-mute">{t("about.force_no_day")}</span> }.into_any(),
    };
    view! {
        <span class="stack g-1" data-proposal=id.to_string()>
            <b class="t-small">{t("about.force_proposed")}</b>
            <span class="law sm" lang=lang>{proposal.text}</span>
            <span class="row wrap g-2">
                <button class="link t-small" on:click=move |_| reading.app.open_sentence(by, page, Some(sentence))>{place}</button>
                {accept}
                <button class="btn ghost sm" data-force="refuse" title=t("about.force_refuse_tip") on:click=move |_| send(reading, id, refused.clone())>
                    {t("about.force_refuse")}
                </button>
            </span>
        </span>
    }
}
