//! One triplet: its sentence, what says the same, what differs, and the way to the page and to its review.

use super::reason::{reason, shift_name};
use crate::components::empty::Empty;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::components::note::{Note, Tone};
use crate::components::status::StatusBadge;
use crate::fetched::Fetched;
use crate::i18n::{t, tag};
use crate::place::ReviewTab;
use crate::review::context::Stands;
use crate::review::triplet_card::Sides;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::TripletId;
use lexforge_domain::api::{QueueFilter, ShiftType, TripletMaker, TripletRow};
use lexforge_domain::review::{Subject, SubjectKind};

/// The chosen triplet.
#[component]
pub fn Detail(
    chosen: RwSignal<Option<TripletRow>>,
    shifts: Fetched<Vec<ShiftType>>,
) -> impl IntoView {
    move || {
        match chosen.get() {
        Some(row) => view! { <Shown row shifts=shifts.value.get().unwrap_or_default()/> }.into_any(),
        None => view! { <Empty icon=Icon::Question title=t("triplets.choose") text=t("triplets.choose_text")/> }
            .into_any(),
    }
    }
}

/// Lays a triplet onto the desk.
fn decide(app: App, id: TripletId) {
    let place = app.questions_review;
    place.filter.set(QueueFilter::of(SubjectKind::Triplet));
    place.shown.set(Some(Subject::triplet(id)));
    place.tab.set(ReviewTab::Queue);
}

#[component]
fn Shown(row: TripletRow, shifts: Vec<ShiftType>) -> impl IntoView {
    let app = use_app();
    let (id, triplet) = (row.id, row.triplet);
    let why = triplet.reason.as_deref().map(reason);
    let kept = why.is_none();
    let place = row.document.zip(row.page);
    let sentence = triplet.sentence;
    let note = triplet.origin.note.clone();
    let page = place.map(|(document, page)| {
        let title = row.document_title.clone();
        view! {
            <button class="link t-small to-page" on:click=move |_| app.open_sentence(document, page, sentence)>
                <Stands title section=String::new() page/>
            </button>
        }
    });
    view! {
        <div class="scroll" id="triplet-detail">
            <section class="part">
                <div class="row wrap">
                    {(!triplet.shift.is_empty()).then(|| view! { <span class="badge">{shift_name(&shifts, &triplet.shift)}</span> })}
                    <span class="badge line" class:warn=triplet.origin.by == TripletMaker::Offline>{tag("maker", triplet.origin.by.tag())}</span>
                    <span class="badge line">{tag("split_part", triplet.split.tag())}</span>
                    {kept.then(|| view! { <StatusBadge status=row.status/> })}
                    {row.corrected.then(|| view! { <span class="badge line">{t("triplets.corrected")}</span> })}
                </div>
                {why.map(|why| view! { <p><span class="badge bad"><Sign icon=Icon::Close small=true/>{why}</span></p> })}
                <p class="law strong" lang=lang_tag(triplet.language)>{triplet.source.clone()}</p>
                {page}
                {kept.then(|| view! {
                    <div class="row"><button class="btn" id="triplet-decide" on:click=move |_| decide(app, id)>{t("triplets.decide")}</button></div>
                })}
            </section>
            <section class="part"><Sides triplet/></section>
            {(!note.is_empty()).then(|| view! { <section class="part"><Note tone=Tone::Info>{note}</Note></section> })}
        </div>
    }
}
