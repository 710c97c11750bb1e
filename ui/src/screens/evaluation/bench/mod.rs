//! The bench: any number of systems side by side on the test questions of the newest snapshot, under attack, on terms
//! in contexts, or on an exam.

mod ahead;
mod bring_exam;
mod classes;
mod confused;
mod endpoints;
mod exams;
mod general;
mod judged;
mod judging;
mod material;
mod measurable;
mod measured_on;
mod names;
mod of_each;
mod outcome;
mod standing;
mod systems;
mod table;
mod written;
mod written_more;

use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::prepare::Prepare;
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Coming;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::screens::evaluation::ended::Ended;
use crate::screens::evaluation::papers::{Paper, Papers};
use crate::state::use_app;
use ahead::Ahead;
use bring_exam::{BringExam, ExamEnded, ExamForm};
use classes::Classes;
use confused::Confused;
use endpoints::{Agreeing, asks};
use general::General;
use leptos::prelude::*;
use lexforge_domain::api::{BenchOn, KeptBench};
use material::{compares, offered};
use measurable::BENCH;
pub use measurable::{Measurable, measurable};
use names::named;
use outcome::Outcome;
use systems::Systems;
use table::Table;
use written::Written;

/// The keys of texts that are found by a value and stand in no call.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let marks = judged::MARKS.map(|mark| format!("mark.{mark}"));
    marks.to_vec()
}

/// The head of the screen: the baseline, and the button that measures, or the progress.
#[component]
pub fn BenchHead(
    /// What can be measured.
    measurable: Measurable,
) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(BENCH));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let count = Memo::new(move |_| measurable.ticked.with(Vec::len) as u64);
    let agreeing = RwSignal::new(false);
    let measure = move |_| {
        if measurable.ticked.with_untracked(|ticked| asks(ticked)) {
            agreeing.set(true);
        } else {
            measurable.measure(app, Vec::new());
        }
    };
    let acts = move || match working.get() {
        Some(_) => view! { <Cancellable task name="bench"/> }.into_any(),
        None => view! {
            {move || measurable.on.with(compares).then(|| view! { <Against measurable/> })}
            <button
                class="btn primary"
                id="bench-measure"
                disabled=move || count.get() == 0
                aria-describedby=move || (count.get() == 0).then_some("bench-none")
                on:click=measure
            >
                <Sign icon=Icon::Play/>
                {move || tn("systems.measure", count.get())}
            </button>
        }
        .into_any(),
    };
    view! {
        <div class="push row">{move || measurable.ready.get().then(acts)}</div>
        {move || agreeing.get().then(|| view! { <Agreeing measurable close=move |()| agreeing.set(false)/> })}
    }
}

/// The system that the others are compared with.
#[component]
fn Against(measurable: Measurable) -> impl IntoView {
    let app = use_app();
    let options = move || {
        let now = measurable.baseline.get();
        measurable
            .ticked
            .get()
            .into_iter()
            .map(|system| {
                let selected = Some(&system) == now.as_ref();
                let name = named(&system).name;
                view! { <option value=system selected=selected>{name}</option> }
            })
            .collect_view()
    };
    view! {
        <label class="row">
            <span class="t-mute">{t("systems.against")}</span>
            <span class="picker bench-against">
                <select class="select" id="bench-baseline" on:change:target=move |event| app.evaluation.baseline.set(Some(event.target().value()))>
                    {options}
                </select>
            </span>
        </label>
    }
}

/// What there is to show before a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It is still unknown.
    Asked,
    /// Nothing was frozen, and no exam was brought in.
    NoSnapshot,
    /// The snapshot has no test question.
    NoQuestions,
    /// Systems can be measured.
    Ready,
}

/// The systems, and the last table.
#[component]
pub fn Bench(
    /// What can be measured.
    measurable: Measurable,
) -> impl IntoView {
    let app = use_app();
    let stage = Memo::new(move |_| {
        let known = measurable.last.value.with(Option::is_some);
        measurable.choices.value.with(|choices| match choices {
            None => Stage::Asked,
            Some(_) if !known => Stage::Asked,
            Some(choices) if !offered(choices).is_empty() => Stage::Ready,
            Some(choices) => match &choices.snapshot {
                None => Stage::NoSnapshot,
                Some(_) => Stage::NoQuestions,
            },
        })
    });
    let failed = move || {
        let asked = measurable.choices.failure.get();
        asked.or_else(|| measurable.last.failure.get())
    };
    view! {
        {move || failed().map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
        <ExamForm measurable/>
        {move || match stage.get() {
            Stage::Asked if failed().is_some() => ().into_any(),
            Stage::Asked => view! { <Coming words=t("wait.systems")/> }.into_any(),
            Stage::NoSnapshot => view! {
                <Empty icon=Icon::Scales title=t("systems.empty") text=t("systems.empty_text")>
                    <Prepare primary=true/>
                    <BringExam/>
                </Empty>
                <div class="pad"><ExamEnded/></div>
            }
            .into_any(),
            Stage::NoQuestions => view! {
                <Empty icon=Icon::Scales title=t("systems.no_questions") text=t("systems.no_questions_text")>
                    <button class="btn primary" on:click=move |_| app.import()>
                        <Sign icon=Icon::Plus/>
                        {t("action.import")}
                    </button>
                    <BringExam/>
                </Empty>
                <div class="pad"><ExamEnded/></div>
            }
            .into_any(),
            Stage::Ready => view! { <Ready measurable/> }.into_any(),
        }}
    }
}

#[component]
fn Ready(measurable: Measurable) -> impl IntoView {
    let last = Memo::new(move |_| measurable.last.value.get().flatten());
    let newest = Memo::new(move |_| {
        measurable.choices.value.with(|choices| {
            let snapshot = choices.as_ref()?.snapshot.as_ref()?;
            Some(snapshot.hash.clone())
        })
    });
    let questions = Memo::new(move |_| measurable.on.with(|on| *on == BenchOn::Questions));
    let shown = move || match last.get() {
        _ if !questions.get() => view! { <Outcome measurable/> }.into_any(),
        None => view! { <Note tone=Tone::Info>{t("systems.not_measured")}</Note> }.into_any(),
        Some(last) => {
            let older = newest.get().is_some_and(|hash| hash != last.table.dataset);
            view! { <Last measurable last older/> }.into_any()
        }
    };
    view! {
        <div class="scroll page-body bench" id="bench" data-pane="list">
            <Ended kind=BENCH stopped=t("systems.stopped")/>
            <Systems measurable/>
            <Ahead measurable/>
            {shown}
        </div>
    }
}

/// The table that was made last.
#[component]
fn Last(measurable: Measurable, last: KeptBench, older: bool) -> impl IntoView {
    let made = tf("systems.made", &[("when", &format::minute(&last.made))]);
    view! {
        {older.then(|| view! { <div id="bench-older"><Note tone=Tone::Warn>{t("systems.older")}</Note></div> })}
        <Table table=last.table.clone() made>
            <Papers papers=vec![Paper::Comparison]/>
        </Table>
        <General rows=last.table.systems.clone()/>
        <Written measurable table=last.table.clone()/>
        <Classes rows=last.table.systems.clone()/>
        <Confused rows=last.table.systems/>
    }
}
