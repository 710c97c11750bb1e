//! The action bar of a queue. It never moves; each button shows its key.

use super::bindings::Deed;
use super::desk::Desk;
use super::keys::act;
use super::word::did;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::review::SubjectKind;

/// The actions for items of a kind, each with its name. The primary action comes first.
fn deeds(kind: SubjectKind) -> Vec<(Deed, String)> {
    let usual = |deed: Deed| (deed, deed.title());
    match kind {
        SubjectKind::Term => [
            Deed::Accept,
            Deed::Reject,
            Deed::Edit,
            Deed::Merge,
            Deed::Class,
            Deed::Confusable,
            Deed::Skip,
        ]
        .map(usual)
        .to_vec(),
        SubjectKind::Pair => vec![
            (Deed::Confusable, t("pair.confusable")),
            (Deed::Merge, t("pair.same")),
            (Deed::Reject, t("pair.unrelated")),
            usual(Deed::Skip),
        ],
        SubjectKind::Question | SubjectKind::Triplet => {
            [Deed::Accept, Deed::Reject, Deed::Edit, Deed::Skip]
                .map(usual)
                .to_vec()
        }
        // The scores stand with what they mean on the item itself.
        SubjectKind::Similarity => vec![usual(Deed::Skip)],
    }
}

/// The bar.
#[component]
pub fn Actions(desk: Desk) -> impl IntoView {
    let app = use_app();
    let none = Signal::derive(move || {
        desk.item.with(Option::is_none) || desk.unsaved.with(Option::is_some) || desk.gone.get()
    });
    let kind = Memo::new(move |_| desk.filter.with(|filter| filter.kind));
    let key = move |deed: Deed| {
        app.single_keys
            .get()
            .then(|| view! { <kbd>{app.bindings.with(|keys| keys.letter(deed))}</kbd> })
    };
    let buttons = move || {
        deeds(kind.get())
            .into_iter()
            .enumerate()
            .map(|(at, (deed, name))| {
                view! {
                    <button
                        class=if at == 0 && deed != Deed::Skip { "btn primary" } else { "btn" }
                        id=format!("do-{}", deed.tag())
                        disabled=move || none.get()
                        on:click=move |_| act(app, desk, deed)
                    >
                        {move || key(deed)}
                        {name}
                    </button>
                }
            })
            .collect_view()
    };
    let last = move || {
        desk.view
            .value
            .with(|view| view.as_ref().and_then(|view| view.last.clone()))
            .map(|act| {
                tf(
                    "review.last",
                    &[("deed", &did(act.choice, act.items, &act.text))],
                )
            })
    };
    view! {
        <div class="keys-bar" role="toolbar" aria-label=t("review.decision")>
            <div class="keyin">
                {buttons}
                <span class="push t-small t-mute clip" id="last-act" title=last>{last}</span>
                <button class="btn ghost" id="do-undo" title=last disabled=move || last().is_none() && desk.waiting.get() == 0 on:click=move |_| act(app, desk, Deed::Undo)>
                    {move || key(Deed::Undo)}
                    {t("deed.undo")}
                </button>
            </div>
        </div>
    }
}
