//! A triplet on the desk: its sentence, what says the same, and what differs in meaning.

use super::context::ContextCard;
use super::desk::Desk;
use super::edit::{EditTriplet, Reason};
use super::form::Mode;
use super::votes::History;
use crate::components::law::lang_tag;
use crate::components::note::{Note, Tone};
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::{NewTriplet, TripletCard, TripletMaker};
use lexforge_text::language;

/// The triplet; what is decided about it stands on the desk.
#[component]
pub fn TripletView(
    desk: Desk,
    /// The triplet.
    card: TripletCard,
    /// Its place in the queue.
    place: Signal<String>,
) -> impl IntoView {
    let triplet = card.row.triplet.clone();
    let language = triplet.language;
    let offline = triplet.origin.by == TripletMaker::Offline;
    let shown = StoredValue::new(triplet.clone());
    view! {
        <header class="stack g-1">
            <div class="row wrap">
                <span class="badge info">{t("subject.triplet")}</span>
                {(!triplet.shift.is_empty()).then(|| view! { <span class="badge">{triplet.shift.clone()}</span> })}
                <span class="badge line" class:warn=offline>{tag("maker", triplet.origin.by.tag())}</span>
                <span class="t-small t-mute">{tag("split_part", triplet.split.tag())}</span>
                <span class="push t-small t-mute nowrap" id="place-in-queue">{place}</span>
            </div>
            <h2 class="law question" id="item-title" tabindex="-1" lang=lang_tag(language)>{triplet.source.clone()}</h2>
        </header>
        {move || (desk.mode.get() == Mode::Rejecting).then(|| view! { <Reason desk/> })}
        {move || if desk.mode.get() == Mode::Editing {
            view! { <EditTriplet desk triplet=shown.get_value()/> }.into_any()
        } else {
            view! { <Sides triplet=shown.get_value()/> }.into_any()
        }}
        {card.anchor.map(|context| view! { <ContextCard context language/> })}
        {offline.then(|| view! { <Note tone=Tone::Info>{t("triplet.offline_tip")}</Note> })}
        <History history=card.history blind=card.blind/>
    }
}

/// Positive and negative, side by side.
#[component]
pub fn Sides(triplet: NewTriplet) -> impl IntoView {
    let language = lang_tag(triplet.language);
    // It may be a translation.
    let said_in = lang_tag(language::detect(&triplet.positive));
    let origin = triplet.origin;
    let edit = (!origin.removed.is_empty() || !origin.added.is_empty()).then(|| {
        let (from, to) = (origin.removed.as_str(), origin.added.as_str());
        tf("triplet.edit", &[("from", from), ("to", to)])
    });
    view! {
        <div class="two" id="triplet">
            <article class="card side-of-pair">
                <span class="badge ok">{t("triplet.positive")}</span>
                <p class="law" lang=said_in>{triplet.positive}</p>
            </article>
            <article class="card side-of-pair">
                <span class="badge bad">{t("triplet.negative")}</span>
                <p class="law" lang=language>{triplet.negative}</p>
                {edit.map(|edit| view! { <p class="t-small t-mute">{edit}</p> })}
            </article>
        </div>
    }
}
