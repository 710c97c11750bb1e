//! What systems are measured on, and what is measured beside: the user's choice of it.

use super::bring_exam::{BringExam, ExamEnded};
use super::material::{drawn_from, is, name_of, offered};
use super::measurable::{BENCH, Measurable};
use crate::backend::{call, commands};
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BenchOn, GeneralPairs};

/// A number that somebody wrote; `None` = all.
fn number(written: &str) -> Option<usize> {
    written.trim().parse().ok().filter(|n| *n > 0)
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The choice of what is measured on, and of what belongs to it.
#[component]
pub fn MeasuredOn(
    /// What can be measured.
    measurable: Measurable,
) -> impl IntoView {
    let app = use_app();
    let busy = Memo::new(move |_| app.busy(BENCH).is_some());
    let choices = Memo::new(move |_| measurable.choices.value.get().unwrap_or_default());
    let all = Memo::new(move |_| choices.with(offered));
    let options = move || {
        let now = measurable.on.get();
        let option = |(place, on): (usize, BenchOn)| {
            let name = choices.with(|choices| name_of(choices, &on));
            let selected = on == now;
            // An exam that was just imported is chosen here, too, after somebody has chosen another.
            view! { <option value=place.to_string() prop:selected=selected>{name}</option> }
        };
        all.get().into_iter().enumerate().map(option).collect_view()
    };
    let choose = move |place: String| {
        let on = place.parse().ok();
        let on = on.and_then(|place: usize| all.with_untracked(|all| all.get(place).cloned()));
        app.evaluation.on.set(on);
    };
    let about = move || choices.with(|choices| measurable.on.with(|on| is(choices, on)));
    let drawn = Memo::new(move |_| {
        choices.with(|choices| measurable.on.with(|on| drawn_from(choices, on)))
    });
    let questions = Memo::new(move |_| measurable.on.with(|on| *on == BenchOn::Questions));
    view! {
        <div class="row wrap">
            <label class="row">
                <span class="t-mute">{t("bench_on.title")}</span>
                <span class="picker">
                    <select class="select" id="bench-on" disabled=move || busy.get() on:change:target=move |event| choose(event.target().value())>
                        {options}
                    </select>
                </span>
            </label>
            {move || drawn.get().then(|| view! { <Each busy/> })}
            <BringExam/>
        </div>
        <ExamEnded/>
        <p class="t-small t-mute" id="bench-on-is">{about}</p>
        {move || questions.get().then(|| view! { <Beside measurable busy/> })}
    }
}

/// How many questions of each kind are drawn.
#[component]
fn Each(busy: Memo<bool>) -> impl IntoView {
    let app = use_app();
    let now = app.evaluation.each.get_untracked();
    let now = now.map_or_else(String::new, |n| n.to_string());
    view! {
        <label class="row">
            <span>{t("bench_on.each")}</span>
            <input
                class="input short-field"
                id="bench-each"
                type="number"
                min="1"
                placeholder=t("bench_on.all")
                value=now
                disabled=move || busy.get()
                on:change:target=move |event| app.evaluation.each.set(number(&event.target().value()))
            />
        </label>
    }
}

/// What is measured beside test questions, and how runs of one recipe stand.
#[component]
fn Beside(measurable: Measurable, busy: Memo<bool>) -> impl IntoView {
    let app = use_app();
    let pick = move |_| {
        let extensions = ["csv", "tsv", "jsonl", "json"].map(str::to_owned).to_vec();
        let picked = call(commands::PickOpen { extensions });
        app.attempt_once(t("wait.choose"), picked, move |file| {
            if file.is_some() {
                app.evaluation.general.set(Some(file));
            }
        });
    };
    let file = move || match measurable.general.get() {
        None => t("bench_on.general_none"),
        Some(GeneralPairs::File { path }) => {
            tf("bench_on.general_file", &[("file", file_name(&path))])
        }
        Some(GeneralPairs::Kept) => {
            let file = measurable.last.value.with(|last| {
                let last = last.as_ref().and_then(Option::as_ref)?;
                last.general.clone()
            });
            tf(
                "bench_on.general_file",
                &[("file", &file.unwrap_or_default())],
            )
        }
    };
    let none = move || measurable.general.with(Option::is_none);
    let leave = move || {
        let leave = move |_| app.evaluation.general.set(Some(None));
        view! { <button class="btn ghost" id="bench-no-general" disabled=move || busy.get() on:click=leave>{t("bench_on.general_leave")}</button> }
    };
    view! {
        <label class="check">
            <input
                type="checkbox"
                id="bench-by-recipe"
                disabled=move || busy.get()
                prop:checked=move || app.evaluation.by_recipe.get()
                on:change:target=move |event| app.evaluation.by_recipe.set(event.target().checked())
            />
            <span class="grow"><b>{t("bench_on.by_recipe")}</b>" "<small class="t-mute">{t("bench_on.by_recipe_is")}</small></span>
        </label>
        <div class="row wrap">
            <button class="btn" id="bench-general" title=t("bench_on.general_tip") disabled=move || busy.get() on:click=pick>{t("bench_on.general")}</button>
            <span class="t-small t-mute" id="bench-general-file">{file}</span>
            {move || (!none()).then(leave)}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_a_number_above_zero() {
        let found = ["", "12", " 3 ", "0", "-1", "x"].map(number);
        assert_eq!(found, [None, Some(12), Some(3), None, None, None]);
        assert_eq!(file_name("/a/b/sts.jsonl"), "sts.jsonl");
        assert_eq!(file_name(r"C:\a\sts.jsonl"), "sts.jsonl");
    }
}
