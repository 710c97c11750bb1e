//! What a run would take, from a sample of answers that are kept: calls, tokens, time, cost, and how many would pass.

use super::items::{each, left_out};
use crate::backend::{call, commands};
use crate::components::asking::{known, question, via};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use leptos::prelude::*;
use lexforge_domain::api::{Writing, WritingEstimate};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::metrics::Interval;

/// The estimate. It comes first, so that a user knows what a run takes before it begins.
#[component]
pub fn Estimate(
    /// Who is to write.
    writing: Writing,
    /// The sample was asked: its answers are there, and what is left to ask is less.
    #[prop(into)]
    asked: Callback<()>,
) -> impl IntoView {
    let plan = Fetched::<AskPlan>::default();
    let found = Fetched::<WritingEstimate>::default();
    let (planning, asking) = (RwSignal::new(false), RwSignal::new(false));
    let who = StoredValue::new(writing);
    let look = move |_| {
        let writing = who.get_value();
        planning.set(true);
        plan.ask(async move {
            let planned = call(commands::PlanEstimate { writing }).await;
            planning.try_set(false);
            planned
        });
    };
    let send = move |plan: AskPlan| {
        let writing = Writing {
            consent: Some(plan.agreed("window")),
            ..who.get_value()
        };
        asking.set(true);
        found.ask(async move {
            let answer = call(commands::EstimateWriting { writing }).await;
            asking.try_set(false);
            asked.try_run(());
            answer
        });
    };
    view! {
        <section class="estimate stack" id="estimate" aria-live="polite">
            <h3>{t("estimate.title")}</h3>
            {move || plan.failure.get().or_else(|| found.failure.get()).map(|failure| view! { <ErrorPanel failure/> })}
            {move || match (found.value.get(), plan.value.get()) {
                (Some(found), _) => view! { <Shown found/> }.into_any(),
                (None, _) if asking.get() => view! { <p class="t-small" role="status">{t("estimate.asking")}</p><div class="skel half"></div> }.into_any(),
                (None, Some(plan)) => view! { <Sample plan send/> }.into_any(),
                (None, None) => view! {
                    <p class="t-small t-mute">{t("estimate.lead")}</p>
                    <div class="row">
                        <button class="btn" id="estimate-plan" disabled=planning on:click=look>{t("estimate.plan")}</button>
                        {move || planning.get().then(|| view! { <span class="t-small waiting" role="status">{t("wait.plan")}</span> })}
                    </div>
                }.into_any(),
            }}
        </section>
    }
}

/// What asking for the sample would send, and the button that sends it.
#[component]
fn Sample(plan: AskPlan, #[prop(into)] send: Callback<AskPlan>) -> impl IntoView {
    let (text, known, via) = (question(&plan), known(&plan), via(&plan));
    view! {
        <p>{text}</p>
        {via.map(|text| view! { <p class="t-small c-warn">{text}</p> })}
        {known.map(|text| view! { <p class="t-small t-mute">{text}</p> })}
        <div class="row"><button class="btn" id="estimate-send" on:click=move |_| send.run(plan.clone())>{t("estimate.send")}</button></div>
    }
}

/// A share with its interval: `.85 [.64, .95]`.
fn share(at: Interval) -> String {
    format!(
        "{} [{}, {}]",
        format::short_share(at.value),
        format::short_share(at.low),
        format::short_share(at.high)
    )
}

/// A number with its interval: `1,030 [770, 1,150]`.
fn number(at: Interval) -> String {
    let whole = |value: f64| format::count(value.max(0.0).round() as u64);
    format!(
        "{} [{}, {}]",
        whole(at.value),
        whole(at.low),
        whole(at.high)
    )
}

#[component]
fn Shown(found: WritingEstimate) -> impl IntoView {
    let unknown = || t("estimate.unknown");
    let tokens = match (found.prompt_tokens, found.completion_tokens) {
        (Some(sent), Some(received)) => tf(
            "estimate.tokens_of",
            &[
                ("sent", &format::amount(sent)),
                ("received", &format::amount(received)),
            ],
        ),
        _ => unknown(),
    };
    let time = found.seconds.map_or_else(unknown, format::duration);
    let cost = found.cost.map_or_else(unknown, |cost| format!("{cost:.2}"));
    let calls = tf(
        "estimate.calls_of",
        &[
            ("calls", &format::count(found.calls)),
            ("reasks", &format::count(found.reasks)),
            ("judge", &format::count(found.judge_calls)),
        ],
    );
    let rejected = found
        .rejected
        .into_iter()
        .map(|(reason, n)| view! { <span class="badge line">{tag("rejection", &reason)}" "{format::count(n)}</span> })
        .collect_view();
    let items = &found.items;
    let (possible, wanted) = (each(items, items.possible), each(items, items.asked));
    let counted = items.anchors > 0;
    let anchors = tn("count.sentences", items.anchors);
    let left_out = left_out(items);
    let line = |name: String, value: String| view! { <dt>{name}</dt><dd>{value}</dd> };
    view! {
        <dl class="kv" id="estimate-figures">
            {counted.then(|| view! {
                {line(t("estimate.anchors"), anchors)}
                {line(t("estimate.possible"), possible)}
                {line(t("estimate.wanted"), wanted)}
            })}
            {line(t("estimate.calls"), calls)}
            {line(t("estimate.tokens"), tokens)}
            {line(t("estimate.time"), time)}
            {line(t("estimate.cost"), cost)}
            {line(t("estimate.pass"), share(found.accepted))}
            {line(t("estimate.questions"), number(found.questions))}
        </dl>
        <div class="row g-1 wrap" id="estimate-left-out">{left_out}</div>
        <div class="row g-1 wrap">{rejected}</div>
        <p class="t-small t-mute">{tf("estimate.from", &[("n", &format::count(found.sample)), ("of", &format::count(found.prompts))])}</p>
    }
}
