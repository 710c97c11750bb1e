//! Who decided what: the decisions about an item, with reason, time and packet.

use super::class;
use super::word::word;
use crate::components::icon::{Icon, Sign};
use crate::components::person::Avatar;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::DecisionView;
use lexforge_domain::review::{Choice, SubjectKind};

/// A choice as sign and word.
#[component]
pub fn ChoiceBadge(choice: Choice) -> impl IntoView {
    let (class, icon) = sign(choice);
    view! { <span class=class>{icon.map(|icon| view! { <Sign icon small=true/> })}{word(choice)}</span> }
}

/// Class and sign of a choice.
pub fn sign(choice: Choice) -> (&'static str, Option<Icon>) {
    match choice {
        Choice::Accept => ("badge ok", Some(Icon::Check)),
        Choice::Reject => ("badge bad", Some(Icon::Close)),
        Choice::Merge | Choice::Same => ("badge info", Some(Icon::Merge)),
        Choice::Confusable => ("badge warn", Some(Icon::Match)),
        Choice::Unrelated | Choice::Skip => ("badge", None),
        Choice::Score(_) => ("badge info", None),
    }
}

/// Decisions as cards, side by side.
#[component]
pub fn Votes(
    /// The decisions, the newest first.
    history: Vec<DecisionView>,
) -> impl IntoView {
    let cards = history
        .into_iter()
        .map(|vote| view! { <article class="card vote"><Vote vote/></article> })
        .collect_view();
    view! { <div class="votes">{cards}</div> }
}

/// Decisions as a list, for the end of an item; folded until it is opened.
#[component]
pub fn History(
    /// The decisions, the newest first.
    history: Vec<DecisionView>,
    /// Others' are held back.
    blind: bool,
    /// Opened from the beginning.
    #[prop(optional)]
    open: bool,
) -> impl IntoView {
    let many = history.len() as u64;
    let rows = history
        .into_iter()
        .map(|vote| view! { <li class="vote"><Vote vote/></li> })
        .collect_view();
    view! {
        {blind.then(|| view! { <p class="t-small t-mute">{t("review.blind")}</p> })}
        {(many == 0 && open && !blind).then(|| view! { <p class="t-small t-mute">{t("review.no_history")}</p> })}
        {(many > 0).then(|| view! {
            <details class="history" open=open>
                <summary>{t("review.history")}" "<span class="t-mute">{format::count(many)}</span></summary>
                <ul>{rows}</ul>
            </details>
        })}
    }
}

#[component]
fn Vote(vote: DecisionView) -> impl IntoView {
    let app = use_app();
    let decision = vote.decision;
    let of_triplet = decision.subject.kind() == SubjectKind::Triplet;
    let mut changes: Vec<String> = Vec::new();
    if let Some(into) = vote.into_text {
        changes.push(tf("review.into", &[("term", &into)]));
    }
    if let Some(text) = decision.edit.text {
        changes.push(tf("review.as_text", &[("text", &text)]));
    }
    if let Some([positive, negative]) = decision.edit.choices.as_deref().filter(|_| of_triplet) {
        let texts = [
            ("positive", positive.as_str()),
            ("negative", negative.as_str()),
        ];
        changes.push(tf("triplet.corrected", &texts));
    }
    if let Some(name) = decision.edit.class {
        changes.push(tf(
            "review.as_class",
            &[("class", &class::title(app, &name))],
        ));
    }
    let in_utc = format::in_utc(&decision.made);
    let mut when = vec![format::minute(&decision.made)];
    if decision.adjudicates {
        when.push(t("review.adjudicated"));
    }
    if decision.undone {
        when.push(t("review.taken_back"));
    }
    if let Some(packet) = decision.packet {
        when.push(tf(
            "review.by_packet",
            &[("packet", &format::short_hash(&packet))],
        ));
    }
    let reason = decision.reason;
    view! {
        <div class="row">
            <Avatar name=vote.by.name.clone() id=vote.by.id small=true/>
            <b class="clip">{vote.by.name.clone()}</b>
            <span class="push"><ChoiceBadge choice=decision.choice/></span>
        </div>
        {(!changes.is_empty()).then(|| view! { <p>{changes.join(" · ")}</p> })}
        {if reason.is_empty() {
            view! { <p class="t-small t-mute">{t("review.no_reason")}</p> }.into_any()
        } else {
            view! { <p class="reason">{tf("review.quoted", &[("text", &reason)])}</p> }.into_any()
        }}
        <span class="t-small t-mute" class:undone=decision.undone title=in_utc>{when.join(" · ")}</span>
    }
}
