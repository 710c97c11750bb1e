//! Writing questions with an endpoint: the user chooses an endpoint, sees what a run would take, agrees to what is
//! sent, and follows the progress.

use super::estimate::Estimate;
use crate::backend::{call, commands};
use crate::components::asking::{ChooseEndpoint, Plan};
use crate::components::bar::Bar;
use crate::components::check::Check;
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::screens::library::check::Known;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{CheckStanding, DEFAULT_THRESHOLD, Extent, Per, Task, Writing};
use lexforge_domain::endpoint::{AskPlan, AskProgress};

/// The button that begins to write; while somebody writes, there is [`Run`] in its place.
#[component]
pub fn ByEndpoint() -> impl IntoView {
    let app = use_app();
    let asking = RwSignal::new(false);
    let working = Memo::new(move |_| app.busy("questions").is_some());
    view! {
        {move || (!working.get()).then(|| view! {
            <button class="btn" id="write-by-endpoint" on:click=move |_| asking.set(true)>{t("ask.write")}</button>
        })}
        {move || asking.get().then(|| view! { <Agree close=move |()| asking.set(false)/> })}
    }
}

/// How the writing is going, over the whole width: how far, how fast, what passed, what did not and why.
#[component]
pub fn Run() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy("questions"));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    move || {
        working.get().map(|id| {
            view! {
                <section class="run-strip" role="status" id="asking" aria-label=t("ask.write")>
                    {move || task.get().map(|task| view! { <Going task/> })}
                    <button class="btn sm" id="pause-writing" title=t("ask.pause_tip")
                        on:click=move |_| app.attempt(call(commands::CancelTask { id }), |()| ())>
                        <Sign icon=Icon::Pause small=true/>{t("ask.pause")}
                    </button>
                </section>
            }
        })
    }
}

#[component]
fn Going(task: Task) -> impl IntoView {
    let Some(progress) = task.asking else {
        return view! { <span class="grow t-small">{t("task.begins")}</span> }.into_any();
    };
    let AskProgress {
        done,
        of,
        accepted,
        rejected,
        per_second,
        seconds_left,
        possibly_billed_twice,
        host,
        ..
    } = progress;
    let all: u64 = rejected.values().sum();
    let mut reasons: Vec<(String, u64)> = rejected.into_iter().collect();
    reasons.sort_by_key(|(reason, n)| (std::cmp::Reverse(*n), reason.clone()));
    let reasons = reasons
        .into_iter()
        .map(|(reason, n)| view! { <span class="badge line">{tag("rejection", &reason)}" "{format::count(n)}</span> })
        .collect_view();
    let left = seconds_left
        .filter(|_| done < of)
        .map(|seconds| tf("ask.time_left", &[("time", &format::left(seconds))]));
    let far = tf(
        "ask.far",
        &[
            ("done", &format::count(done)),
            ("of", &format::count(of)),
            ("host", &host),
        ],
    );
    let twice = (possibly_billed_twice > 0)
        .then(|| tf("ask.twice", &[("n", &format::count(possibly_billed_twice))]));
    view! {
        <div class="run-bar">
            <Bar done of label=t("ask.write")/>
            <span class="t-small">{far}</span>
        </div>
        <span class="t-small nowrap">{tf("ask.rate", &[("rate", &format!("{per_second:.1}"))])}</span>
        {left.map(|text| view! { <span class="t-small nowrap">{text}</span> })}
        <span class="t-small nowrap c-ok">{tf("ask.accepted", &[("n", &format::count(accepted))])}</span>
        <span class="t-small nowrap">{tf("ask.turned_down", &[("n", &format::count(all))])}</span>
        <span class="row g-1 wrap grow run-reasons">{reasons}</span>
        {twice.map(|text| view! { <span class="t-small c-warn">{text}</span> })}
    }
    .into_any()
}

/// Which endpoint, what it would be sent, what that would take, and the consent to it.
#[component]
fn Agree(
    /// Puts the question away; nothing was sent then.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let chosen = RwSignal::new(None::<String>);
    let judged = RwSignal::new(false);
    let threshold = RwSignal::new(DEFAULT_THRESHOLD);
    let pairs = Pairs::new();
    let plan = Fetched::<AskPlan>::default();
    let judging = Fetched::<AskPlan>::default();
    let writing = Memo::new(move |_| {
        Some(Writing {
            endpoint: chosen.get()?,
            judged_from: judged.get().then(|| threshold.get()),
            extent: pairs.extent(),
            ..Writing::default()
        })
    });
    // Counts the samples that were asked: what a run would send is less then.
    let sampled = RwSignal::new(0_u32);
    let known = Fetched::<CheckStanding>::default();
    let look = move |()| known.ask(call(commands::CheckStanding {}));
    look(());
    Effect::new(move |_| {
        sampled.track();
        ask_plans(writing.get(), plan, judging);
    });
    let send = move |plan: AskPlan| {
        if let Some(writing) = writing.get_untracked() {
            let judging = judging.value.get_untracked();
            begin(app, writing, &plan, judging.as_ref(), close);
        }
    };
    view! {
        <Titled title=t("ask.title") close id="consent" wide=true>
            <ChooseEndpoint chosen choose=move |name| chosen.set(Some(name)) close/>
            {move || plan.failure.get().or_else(|| judging.failure.get()).map(|failure| view! { <ErrorPanel failure/> })}
            {move || chosen.get().is_none().then(|| view! { <p class="t-mute">{t("ask.choose")}</p> })}
            <Known standing=known.value checked=look/>
            {move || chosen.get().is_some().then(|| view! {
                <Judged judged threshold/>
                <PerPair pairs/>
            })}
            {move || writing.get().map(|writing| view! { <Estimate writing asked=move |()| { sampled.try_update(|n| *n += 1); }/> })}
            {move || match (chosen.get(), plan.value.get()) {
                (None, _) => ().into_any(),
                (Some(_), None) if plan.failure.with(Option::is_some) => ().into_any(),
                (Some(_), None) => view! { <Coming words=t("wait.plan")/> }.into_any(),
                (Some(_), Some(plan)) => view! { <Consent plan judged judging send/> }.into_any(),
            }}
        </Titled>
    }
}

/// Begins to write, with the consent to what the two plans say. What was chosen stays until it has begun.
fn begin(
    app: App,
    mut writing: Writing,
    plan: &AskPlan,
    judging: Option<&AskPlan>,
    close: Callback<()>,
) {
    writing.consent = Some(plan.agreed("window"));
    writing.judge_consent = judging.map(|plan| plan.agreed("window"));
    let begun = call(commands::WriteQuestions { writing });
    app.attempt_once(t("wait.begin"), begun, move |_| {
        close.try_run(());
    });
}

/// Asks what would be sent to the writer and, if there is one, to the judge.
fn ask_plans(writing: Option<Writing>, plan: Fetched<AskPlan>, judging: Fetched<AskPlan>) {
    plan.forget();
    judging.forget();
    if let Some(writing) = writing {
        if writing.judged_from.is_some() {
            judging.ask(call(commands::PlanJudging {
                writing: writing.clone(),
            }));
        }
        plan.ask(call(commands::PlanQuestions { writing }));
    }
}

/// What would be sent, to the writer and to the judge, and the consent to that.
#[component]
fn Consent(
    plan: AskPlan,
    /// A judge looks at the questions.
    judged: RwSignal<bool>,
    /// What the judge would be sent.
    judging: Fetched<AskPlan>,
    #[prop(into)] send: Callback<AskPlan>,
) -> impl IntoView {
    let ready = move || !judged.get() || judging.value.with(Option::is_some);
    let line = move || {
        judging.value.get().map(|plan| {
            let prompts = tn("count.prompts", plan.prompts);
            let values = [
                ("prompts", prompts.as_str()),
                ("model", plan.model.as_str()),
            ];
            view! { <p class="t-small">{tf("ask.judge_line", &values)}</p> }
        })
    };
    view! {
        {line}
        {move || ready().then(|| { let plan = plan.clone(); view! { <Plan plan send replaces=t("ask.replaces")/> } })}
    }
}

/// Whether a judge looks at the questions, and from which score on they are taken.
#[component]
fn Judged(judged: RwSignal<bool>, threshold: RwSignal<f64>) -> impl IntoView {
    view! {
        <div class="row wrap">
            <Check id="with-judge" on=judged tick=move |on: bool| judged.set(on)><span>{t("ask.judge")}</span></Check>
            <input class="input short-field" id="judge-from" inputmode="decimal" aria-label=t("ask.judge")
                prop:value=move || threshold.get().to_string()
                disabled=move || !judged.get()
                on:change:target=move |event| { match event.target().value().trim().parse::<f64>() {
                    Ok(score) if (0.0..=10.0).contains(&score) => threshold.set(score),
                    _ => event.target().set_value(&threshold.get_untracked().to_string()),
                } }/>
        </div>
    }
}

/// Whether questions are written for each pair of sentences, and at most how many.
#[derive(Clone, Copy)]
struct Pairs {
    wanted: RwSignal<bool>,
    most_per_anchor: RwSignal<Option<u64>>,
    most_in_all: RwSignal<Option<u64>>,
}

impl Pairs {
    fn new() -> Self {
        Self {
            wanted: RwSignal::new(false),
            most_per_anchor: RwSignal::new(None),
            most_in_all: RwSignal::new(None),
        }
    }

    /// What is written by this choice; for single anchors there is no cap.
    fn extent(self) -> Extent {
        if !self.wanted.get() {
            return Extent::default();
        }
        Extent {
            per: Per::Pair,
            most_per_anchor: self.most_per_anchor.get(),
            most_in_all: self.most_in_all.get(),
        }
    }
}

#[component]
fn PerPair(pairs: Pairs) -> impl IntoView {
    let wanted = pairs.wanted;
    view! {
        <Check id="per-pair" on=wanted tick=move |on: bool| wanted.set(on)><span>{t("ask.pairs")}</span></Check>
        {move || wanted.get().then(|| view! {
            <div class="row wrap">
                <Cap id="most-per-anchor" label=t("ask.most_per_anchor") most=pairs.most_per_anchor/>
                <Cap id="most-in-all" label=t("ask.most_in_all") most=pairs.most_in_all/>
            </div>
        })}
    }
}

/// The field for the largest number of questions of a kind. An empty field means no limit. Anything else that is not a
/// number from 1 on leaves the limit as it was.
#[component]
fn Cap(id: &'static str, label: String, most: RwSignal<Option<u64>>) -> impl IntoView {
    let shown = move || most.get().map_or(String::new(), |n| n.to_string());
    view! {
        <label class="check">
            <span>{label}</span>
            <input class="input short-field" id=id inputmode="numeric" placeholder=t("ask.no_cap")
                prop:value=shown
                on:change:target=move |event| { match cap(&event.target().value()) {
                    Some(read) => most.set(read),
                    None => event.target().set_value(&most.get_untracked().map_or(String::new(), |n| n.to_string())),
                } }/>
        </label>
    }
}

/// The cap in a field. An empty field means no cap. `None` if the field does not contain a number from 1 on.
fn cap(text: &str) -> Option<Option<u64>> {
    match text.trim() {
        "" => Some(None),
        text => text.parse().ok().filter(|n| *n > 0).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::cap;

    #[test]
    fn a_cap_is_a_number_from_one_on_or_nothing() {
        for (text, expected) in [
            ("", Some(None)),
            ("  ", Some(None)),
            (" 3 ", Some(Some(3))),
            ("5000", Some(Some(5000))),
            ("0", None),
            ("-1", None),
            ("2.5", None),
            ("many", None),
        ] {
            assert_eq!(cap(text), expected, "{text}");
        }
    }
}
