//! What systems wrote for the questions without their choices: how near each text is to the right answers, and what a
//! judge says about it.

use super::judged::Judged;
use super::judging::Judging;
use super::measurable::{BENCH, Measurable};
use super::names::named;
use super::written_more::More;
use crate::format;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BenchTable, WrittenFigures};
use lexforge_domain::statistics::PairedComparison;

/// The systems that write, each with its figures. Shows nothing if no system writes.
#[component]
pub fn Written(
    /// What can be measured.
    measurable: Measurable,
    /// What was measured.
    table: BenchTable,
) -> impl IntoView {
    let app = use_app();
    let rows: Vec<(String, WrittenFigures)> = table
        .systems
        .iter()
        .filter_map(|row| Some((row.system.clone(), row.written.clone()?)))
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    let asking = RwSignal::new(false);
    let busy = Memo::new(move |_| app.busy(BENCH).is_some());
    let by_tokens = rows.iter().any(|(_, written)| written.bertscore.is_some());
    let compared = rows.iter().any(|(_, written)| !written.against.is_empty());
    let signature = rows
        .iter()
        .find_map(|(_, written)| Some(written.bertscore.as_ref()?.signature.clone()));
    let lines = rows
        .iter()
        .cloned()
        .map(|(system, written)| view! { <Line system written by_tokens compared/> })
        .collect_view();
    let more = view! { <More rows=rows.clone()/> };
    let judge = table
        .judge
        .clone()
        .map(|judge| view! { <Judged rows judge/> });
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("written.title")}</h2></div>
            <div class="card-body stack" id="bench-written">
                <p class="t-small t-mute">{t("written.is")}</p>
                <div class="table-wrap">
                    <table class="table" id="bench-written-table" aria-label=t("written.title")>
                        <thead><Head by_tokens compared/></thead>
                        <tbody>{lines}</tbody>
                    </table>
                </div>
                {signature.map(|text| view! { <p class="t-small t-mute wrap-anywhere">{text}</p> })}
                {more}
                {judge}
                <div class="row wrap">
                    <ByTokens measurable busy/>
                    <button class="btn" id="bench-judge" disabled=move || busy.get() on:click=move |_| asking.set(true)>{t("judging.ask")}</button>
                </div>
            </div>
        </article>
        {move || asking.get().then(|| view! { <Judging measurable close=move |()| asking.set(false)/> })}
    }
    .into_any()
}

#[component]
fn Head(by_tokens: bool, compared: bool) -> impl IntoView {
    view! {
        <tr>
            <th>{t("systems.system")}</th>
            <th class="num">"n"</th>
            <th class="num">{t("written.empty")}</th>
            <th class="num">"BLEU"</th>
            <th class="num">"ROUGE-L"</th>
            {compared.then(|| view! {
                <th class="num">{t("written.change")}</th>
                <th class="num">{t("systems.p")}</th>
            })}
            <th class="num">"METEOR"</th>
            <th class="num">"chrF"</th>
            {by_tokens.then(|| view! { <th class="num">"BERTScore"</th> })}
        </tr>
    }
}

#[component]
fn Line(system: String, written: WrittenFigures, by_tokens: bool, compared: bool) -> impl IntoView {
    let count = |n: usize| format::count(n as u64);
    let bertscore = by_tokens.then(|| {
        let found = written.bertscore.as_ref();
        let f1 = found.map_or_else(|| "–".to_owned(), |found| format::share(found.mean.f1));
        view! { <td class="num">{f1}</td> }
    });
    view! {
        <tr data-writer=system.clone()>
            <td>{named(&system).name}</td>
            <td class="num">{count(written.n)}</td>
            <td class="num">{count(written.empty)}</td>
            <td class="num">{format!("{:.1}", written.bleu)}</td>
            <td class="num">{format::share(written.rouge_l)}</td>
            {compared.then(|| change(written.against.clone()))}
            <td class="num">{format::share(written.meteor)}</td>
            <td class="num">{format!("{:.1}", written.chrf)}</td>
            {bertscore}
        </tr>
    }
}

/// How far ROUGE-L lies from the baseline's, and the p-value of that; dashes for the baseline itself.
fn change(against: Vec<PairedComparison>) -> impl IntoView {
    let found = against
        .into_iter()
        .find(|one| one.comparison.measure == "rouge_l");
    let (change, interval, p) = match found {
        Some(one) => {
            let d = one.comparison.difference;
            let interval = format::change_interval(d.low, d.high);
            (
                format::change(d.value),
                interval,
                format::p_value(one.p_holm),
            )
        }
        None => ("–".to_owned(), String::new(), "–".to_owned()),
    };
    view! {
        <td class="num">{change}" "<small class="t-mute">{interval}</small></td>
        <td class="num">{p}</td>
    }
}

/// The encoder that compares token by token, and the button that has it do so.
#[component]
fn ByTokens(measurable: Measurable, busy: Memo<bool>) -> impl IntoView {
    let app = use_app();
    let models = move || {
        let now = measurable.encoder.get();
        let choices = measurable.choices.value.get().unwrap_or_default();
        let names = choices.systems.into_iter().filter_map(|choice| {
            let model = choice.system.strip_prefix("base ")?;
            Some(model.to_owned())
        });
        names
            .map(|name| {
                let selected = now.as_deref() == Some(name.as_str());
                view! { <option value=name.clone() selected=selected>{name.clone()}</option> }
            })
            .collect_view()
    };
    let none = move || measurable.encoder.with(Option::is_none);
    let choose = move |name: String| {
        let name = Some(name).filter(|name| !name.is_empty());
        app.evaluation.encoder.set(Some(name));
    };
    view! {
        <label class="row">
            <span class="t-mute">{t("written.encoder")}</span>
            <span class="picker bench-against">
                <select class="select" id="bench-encoder" disabled=move || busy.get() on:change:target=move |event| choose(event.target().value())>
                    <option value="" selected=none>{t("written.no_encoder")}</option>
                    {models}
                </select>
            </span>
        </label>
        <button class="btn" id="bench-by-tokens" disabled=move || busy.get() || none() on:click=move |_| measurable.again(app, None)>
            {t("written.by_tokens")}
        </button>
    }
}
