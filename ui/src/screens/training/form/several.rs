//! Several values of a figure: one training for each combination, and the best by the dev part.

use super::next::Next;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::state::use_app;
use crate::swept::Tried;
use leptos::prelude::*;
use lexforge_domain::api::Sweep;
use std::time::Duration;

/// How long one must have stopped typing before the number of trainings is asked.
const REST: Duration = Duration::from_millis(400);

/// The lists of values and the button that trains all combinations; folded until a user opens them.
#[component]
pub fn Several() -> impl IntoView {
    let next = expect_context::<Next>();
    let open = RwSignal::new(false);
    let typed = move || next.draft.with(|draft| !draft.swept.is_empty());
    let shown = Memo::new(move |_| open.get() || typed());
    view! {
        <section class="part" id="several">
            <button
                class="btn ghost sm fold"
                id="try-several"
                aria-expanded=move || shown.get().to_string()
                disabled=typed
                on:click=move |_| open.update(|on| *on = !*on)
            >
                {t("sweep.several")}
            </button>
            {move || shown.get().then(|| view! {
                <p class="t-small t-mute">{t("sweep.lead")}</p>
                <div class="figures">{Tried::ALL.map(|figure| view! { <List figure/> })}</div>
                <Start/>
            })}
        </section>
    }
}

#[component]
fn List(figure: Tried) -> impl IntoView {
    let next = expect_context::<Next>();
    let text = move || next.draft.with(|draft| draft.swept.text(figure).to_owned());
    let wrong = Memo::new(move |_| next.draft.with(|draft| !draft.swept.takes(figure)));
    let id = format!("tried-{}", figure.tag());
    let hint = format!("{id}-hint");
    view! {
        <div class="figure">
            <label for=id.clone()>{tag("tried", figure.tag())}</label>
            <input
                class="input"
                id=id
                autocomplete="off"
                placeholder=tag("tried_as", figure.tag())
                aria-describedby=hint.clone()
                aria-invalid=move || wrong.get().to_string()
                prop:value=text
                on:input:target=move |event| {
                    let text = event.target().value();
                    next.draft.update(|draft| draft.swept.put(figure, text));
                }
            />
            <small id=hint>
                {move || wrong.get().then(|| view! { <span class="err" role="alert">{tag("tried_takes", figure.tag())}</span> })}
            </small>
        </div>
    }
}

/// How many trainings these are, and the button; while they are made, how far it is.
#[component]
fn Start() -> impl IntoView {
    let app = use_app();
    let next = expect_context::<Next>();
    let planned = Fetched::<Sweep>::default();
    let request = Memo::new(move |_| next.draft.with(|draft| draft.sweep()));
    let task = Memo::new(move |_| app.busy("sweep"));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let pending = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(handle) = pending.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    Effect::new(move |_| {
        stop();
        working.track();
        planned.forget();
        let Some(request) = request.get() else {
            return;
        };
        let ask = move || {
            planned.ask(call(commands::PlanSweep {
                request: request.clone(),
            }));
        };
        if let Ok(handle) = set_timeout_with_handle(ask, REST) {
            pending.set_value(Some(handle));
        }
    });
    on_cleanup(stop);
    let start = move |_| {
        if let Some(request) = request.get_untracked() {
            app.compare.set(None);
            app.attempt(call(commands::StartSweep { request }), |_| ());
        }
    };
    let counting = move || request.with(Option::is_some) && planned.failure.with(Option::is_none);
    let known = move || planned.value.with(|sweep| sweep.as_ref().map(extent));
    let said = move || known().or_else(|| counting().then(|| t("wait.sweep")));
    view! {
        {move || planned.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || match working.get() {
            Some(_) => view! { <Cancellable task tip=t("sweep.cancel_tip")/> }.into_any(),
            None => view! {
                <div class="row wrap">
                    <button class="btn" id="start-sweep" disabled=move || planned.value.with(Option::is_none) on:click=start>
                        <Sign icon=Icon::Play/>
                        {t("sweep.start")}
                    </button>
                    <span class="t-small" role="status" id="sweep-extent">{said}</span>
                </div>
            }.into_any(),
        }}
    }
}

/// How many trainings a sweep has, and how many of them are done.
fn extent(sweep: &Sweep) -> String {
    let done = sweep.rows.iter().filter(|row| row.dev.is_some()).count() as u64;
    let all = tn("count.trainings", sweep.rows.len() as u64);
    if done == 0 {
        return all;
    }
    tf(
        "sweep.of_these_done",
        &[("trainings", &all), ("done", &format::count(done))],
    )
}
