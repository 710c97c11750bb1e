//! The test bench. It shows one prompt about one sentence as it would be sent, the answer, and how the answer is read.
//! No question or term is kept.

use crate::backend::{Answer, call, commands};
use crate::components::asking::ChooseEndpoint;
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::field::Field;
use crate::components::icon::{Icon, Sign};
use crate::components::law::MarkedAll;
use crate::components::note::{Note, Tone};
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::found::found;
use crate::i18n::{t, tag, tf, tn};
use crate::said::said;
use leptos::prelude::*;
use lexforge_domain::api::{
    PromptKind, PromptTrial, SearchHit, TrialParsed, TrialPlan, TrialSubject,
};
use lexforge_domain::endpoint::Consent;
use lexforge_domain::text::Language;

/// Sentences that are offered.
const OFFERED: usize = 5;

#[component]
pub fn Bench(
    /// The prompt.
    kind: PromptKind,
    /// Its language: the sentence's decides which file is used.
    language: Language,
    /// What it is called.
    name: String,
    /// A wording that is not kept yet.
    #[prop(into)]
    text: Signal<Option<String>>,
    /// Puts the bench away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let sentence = RwSignal::new(None::<SearchHit>);
    let endpoint = RwSignal::new(None::<String>);
    let plan = Fetched::<TrialPlan>::default();
    let trial = Fetched::<PromptTrial>::default();
    let asking = RwSignal::new(false);
    let subject = move || {
        let sentence = sentence.get()?.id;
        Some(TrialSubject {
            kind,
            sentence,
            text: text.get(),
        })
    };
    Effect::new(move |_| {
        plan.forget();
        trial.forget();
        if let (Some(subject), Some(endpoint)) = (subject(), endpoint.get()) {
            plan.ask(call(commands::PlanTrial { subject, endpoint }));
        }
    });
    let send = move |()| {
        let (Some(subject), Some(endpoint)) = (subject(), endpoint.get_untracked()) else {
            return;
        };
        let agreed = |plan: &TrialPlan| plan.plan.agreed("window");
        let consent = plan.value.with_untracked(|plan| plan.as_ref().map(agreed));
        asking.set(true);
        trial.ask(tried(subject, endpoint, consent, asking));
    };
    let language = tag("language", language.tag());
    let title = tf("bench.title", &[("prompt", &name), ("language", &language)]);
    view! {
        <Titled title close id="bench" wide=true>
            {move || text.with(Option::is_some).then(|| view! { <Note tone=Tone::Info>{t("bench.unsaved")}</Note> })}
            <ChooseSentence sentence/>
            <ChooseEndpoint chosen=endpoint choose=move |name| endpoint.set(Some(name)) close/>
            {move || plan.failure.get().or_else(|| trial.failure.get()).map(|failure| view! { <ErrorPanel failure/> })}
            {move || planning(sentence, endpoint, plan).then(|| view! { <Coming words=t("wait.trial")/> })}
            {move || plan.value.get().map(|plan| view! { <Planned plan asking send/> })}
            {move || asking.get().then(|| view! { <p class="t-small" role="status">{t("bench.asking")}</p> })}
            {move || trial.value.get().map(|trial| view! { <Found trial/> })}
        </Titled>
    }
}

/// What would be sent is being worked out: a sentence and an endpoint are chosen, and there is no answer yet.
fn planning(
    sentence: RwSignal<Option<SearchHit>>,
    endpoint: RwSignal<Option<String>>,
    plan: Fetched<TrialPlan>,
) -> bool {
    let chosen = sentence.with(Option::is_some) && endpoint.with(Option::is_some);
    chosen && plan.value.with(Option::is_none) && plan.failure.with(Option::is_none)
}

/// What the endpoint answers to the prompt. Once the answer is there, nothing is being asked.
async fn tried(
    subject: TrialSubject,
    endpoint: String,
    consent: Option<Consent>,
    asking: RwSignal<bool>,
) -> Answer<PromptTrial> {
    let answer = call(commands::TryPrompt {
        subject,
        endpoint,
        consent,
    })
    .await;
    asking.try_set(false);
    answer
}

/// The sentence on which the prompt is tried, found by its words.
#[component]
fn ChooseSentence(sentence: RwSignal<Option<SearchHit>>) -> impl IntoView {
    let query = RwSignal::new(String::new());
    let hits = found(query, OFFERED);
    let chosen = move || sentence.with(|sentence| sentence.as_ref().map(|hit| hit.id));
    let offer = move |hit: SearchHit| {
        let (this, id) = (hit.clone(), hit.id);
        let take = move |_| {
            sentence.set(Some(this.clone()));
            query.set(String::new());
        };
        view! {
            <button class="member" aria-pressed=move || (chosen() == Some(id)).to_string() on:click=take>
                <span class="law cell two-lines"><MarkedAll text=hit.text marks=hit.marks/></span>
            </button>
        }
    };
    let offers = move || {
        let hits = hits.value.get().unwrap_or_default();
        hits.into_iter().map(offer).collect_view()
    };
    view! {
        <Field id="bench-find" label=t("bench.sentence")>
            <div class="search">
                <Sign icon=Icon::Search/>
                <input class="input" id="bench-find" type="search" autofocus=true autocomplete="off" placeholder=t("bench.find")
                    prop:value=move || query.get() on:input:target=move |event| query.set(event.target().value())/>
            </div>
            {offers}
            {move || sentence.get().map(|hit| view! { <p class="law sm pairbox shared" id="bench-sentence">{hit.text}</p> })}
        </Field>
    }
}

/// The prompt that would be sent, its receiver, and the button that sends it.
#[component]
fn Planned(
    plan: TrialPlan,
    /// It is being asked.
    asking: RwSignal<bool>,
    #[prop(into)] send: Callback<()>,
) -> impl IntoView {
    let known = plan.plan.prompts == 0;
    let line = if plan.plan.local || known {
        tf("bench.local_line", &[("model", &plan.plan.model)])
    } else {
        tf(
            "bench.line",
            &[("host", &plan.plan.host), ("model", &plan.plan.model)],
        )
    };
    let via = plan.plan.via.as_ref().filter(|_| !known);
    let via = via.map(|proxy| tf("ask.via", &[("proxy", proxy)]));
    view! {
        {via.map(|text| view! { <p class="t-small c-warn">{text}</p> })}
        <details class="history" open=true>
            <summary>{t("bench.prompt")}</summary>
            <pre class="mono prompt-shown" tabindex="0" id="bench-system">{plan.system}</pre>
            <pre class="mono prompt-shown" tabindex="0" id="bench-user">{plan.user}</pre>
        </details>
        <div class="row wrap">
            <span class="t-small grow">{if known { t("bench.known") } else { line }}</span>
            <button class="btn primary" id="bench-send" disabled=move || asking.get() on:click=move |_| send.run(())>{t("bench.send")}</button>
        </div>
    }
}

/// The raw answer, what it was read as, and why it would not be taken.
#[component]
fn Found(trial: PromptTrial) -> impl IntoView {
    let taken = match trial.turned_down {
        None => view! { <Note tone=Tone::Ok>{t("bench.passes")}</Note> }.into_any(),
        Some(down) => {
            let reason = tag("rejection", &down.reason);
            view! { <Note tone=Tone::Warn>{tf("bench.turned_down", &[("reason", &reason), ("message", &said(&down.message))])}</Note> }
                .into_any()
        }
    };
    let mut figures = Vec::new();
    if let (Some(sent), Some(received)) = (trial.prompt_tokens, trial.completion_tokens) {
        figures.push(tf(
            "estimate.tokens_of",
            &[
                ("sent", &format::amount(sent)),
                ("received", &format::amount(received)),
            ],
        ));
    }
    figures.extend(
        trial
            .milliseconds
            .map(|ms| format::duration(ms as f64 / 1e3)),
    );
    figures.extend(
        trial
            .cost
            .map(|cost| tf("bench.cost", &[("cost", &format!("{cost:.4}"))])),
    );
    if !trial.finish.is_empty() {
        figures.push(tf("bench.ended", &[("why", &trial.finish)]));
    }
    view! {
        <section class="stack" id="bench-result">
            {taken}
            {trial.parsed.map(|parsed| view! { <Parsed parsed/> })}
            <h3>{t("bench.answer")}</h3>
            <pre class="mono prompt-shown" tabindex="0" id="bench-answer">{trial.answer}</pre>
            <p class="t-small t-mute">{figures.join(" · ")}</p>
        </section>
    }
}

#[component]
fn Parsed(parsed: TrialParsed) -> impl IntoView {
    match parsed {
        TrialParsed::Terms { terms, rejected } => {
            let many = terms.len() as u64;
            let taken = terms
                .into_iter()
                .map(|(class, term)| view! { <dt class="mono">{class}</dt><dd class="law sm">{term}</dd> })
                .collect_view();
            let down = rejected
                .into_iter()
                .map(|(term, why)| view! { <li><span class="law sm">{term}</span>" "<span class="t-small t-mute">{tag("rejection", &why)}</span></li> })
                .collect_view();
            view! { <h3>{tn("count.terms", many)}</h3><dl class="kv placeholders">{taken}</dl><ul>{down}</ul> }
                .into_any()
        }
        TrialParsed::Question { draft } => {
            let answer = draft.answer;
            let choices = draft
                .choices
                .into_iter()
                .enumerate()
                .map(|(at, choice)| view! { <li class:right=at == answer>{(at == answer).then(|| view! { <Sign icon=Icon::Check small=true/> })}<span class="law sm">{choice}</span></li> })
                .collect_view();
            view! {
                <h3>{t("bench.question")}</h3>
                <p class="strong">{draft.question}</p>
                <ul class="draft-choices">{choices}</ul>
                {draft.rephrased.map(|text| view! { <p class="law sm t-mute">{text}</p> })}
            }
            .into_any()
        }
        TrialParsed::Paraphrase { text } => {
            view! { <h3>{tag("prompt", "paraphrase")}</h3><p class="law sm">{text}</p> }.into_any()
        }
        TrialParsed::Judgement { score, reason } => view! {
            <h3>{tf("rejected.score", &[("score", &format!("{score:.1}"))])}</h3>
            <p>{reason}</p>
        }
        .into_any(),
        TrialParsed::Queries { queries } => {
            let lines = queries
                .into_iter()
                .map(|query| view! { <li>{query}</li> })
                .collect_view();
            view! { <h3>{tag("prompt", "query-generation")}</h3><ul>{lines}</ul> }.into_any()
        }
        TrialParsed::Statements { statements } => {
            let lines = statements
                .into_iter()
                .map(|statement| view! { <li>{statement}</li> })
                .collect_view();
            view! { <h3>{tag("prompt", "answer")}</h3><ul>{lines}</ul> }.into_any()
        }
    }
}
