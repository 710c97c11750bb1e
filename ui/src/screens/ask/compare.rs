//! Two answers to one question beside each other, blind if wished, and which of them is better.

use super::both::BothAnswers;
use super::deeds::{agreed, reload_history};
use super::ways::{ChooseWay, words};
use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::i18n::{t, tf};
use crate::place::SettingsTab;
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{Answer, AnswerWay, AnswerWayRow, Inquiry, Preferred, Task};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::{Code, Failure};

/// A question in one of the two ways, and what it would send.
type Planned = (Inquiry, Option<AskPlan>);

/// How far the comparison is.
#[derive(Clone, Debug, Default)]
enum Stage {
    /// The ways are being chosen.
    #[default]
    Choosing,
    /// Something would be sent, and nobody has agreed yet.
    Consent(Vec<Planned>),
    /// The answers are on their way.
    Waiting,
    /// They are there.
    Shown(Box<[Answer; 2]>, [String; 2]),
}

/// Whether something of a plan leaves this machine.
fn leaves(plan: &AskPlan) -> bool {
    !plan.local && plan.prompts > 0
}

/// The prompts that would be sent for both ways, in the order in which they are asked.
async fn planned(
    question: String,
    as_of: Option<String>,
    ways: [AnswerWay; 2],
) -> Result<Vec<Planned>, Failure> {
    let mut planned = Vec::new();
    for way in ways {
        let inquiry = Inquiry {
            question: question.clone(),
            as_of: as_of.clone(),
            way,
            ..Inquiry::default()
        };
        let plan = call(commands::PlanAnswer {
            inquiry: inquiry.clone(),
        });
        planned.push((inquiry, plan.await?));
    }
    Ok(planned)
}

/// How far the two answers are. One is asked for after the other, each by a job that can be ended.
#[derive(Clone, Copy)]
struct Asking {
    stage: RwSignal<Stage>,
    failed: RwSignal<Option<Failure>>,
    /// The job that answers now.
    job: RwSignal<Option<u64>>,
    /// The questions that are still to be asked.
    left: StoredValue<Vec<Inquiry>>,
    /// The answers that are there.
    got: StoredValue<Vec<Answer>>,
    /// The names of the two ways, in the order in which they are asked.
    names: StoredValue<[String; 2]>,
}

impl Asking {
    fn new() -> Self {
        Self {
            stage: RwSignal::new(Stage::default()),
            failed: RwSignal::new(None),
            job: RwSignal::new(None),
            left: StoredValue::new(Vec::new()),
            got: StoredValue::new(Vec::new()),
            names: StoredValue::new(Default::default()),
        }
    }

    /// Asks in both ways, or for consent first where something would be sent.
    fn prepare(self, app: App, question: String, ways: [AnswerWay; 2]) {
        let plans = planned(question, app.ask.day(), ways);
        spawn_local(async move {
            let Some(plans) = app.waits.during(t("wait.compare"), plans).await else {
                return;
            };
            match plans {
                Ok(asked)
                    if asked
                        .iter()
                        .any(|(_, plan)| plan.as_ref().is_some_and(leaves)) =>
                {
                    self.stage.set(Stage::Consent(asked));
                }
                Ok(asked) => self.begin(app, asked),
                Err(failure) => self.failed.set(Some(failure)),
            }
        });
    }

    /// Asks in both ways; whoever calls this has agreed to what is sent.
    fn begin(self, app: App, planned: Vec<Planned>) {
        let name = |at: usize| {
            let way = planned.get(at).map(|(inquiry, _)| &inquiry.way);
            way.map_or_else(String::new, |way| named(app, way))
        };
        self.names.set_value([name(0), name(1)]);
        self.got.set_value(Vec::new());
        let inquiries = planned.into_iter().map(|(inquiry, plan)| Inquiry {
            consent: plan.as_ref().map(agreed),
            ..inquiry
        });
        self.left.set_value(inquiries.collect());
        self.stage.set(Stage::Waiting);
        self.go_on();
    }

    /// Asks for the next answer, or shows them once both are there.
    fn go_on(self) {
        let next = self
            .left
            .try_update_value(|left| (!left.is_empty()).then(|| left.remove(0)));
        match next {
            Some(Some(inquiry)) => spawn_local(async move {
                match call(commands::AskAside { inquiry }).await {
                    Ok(job) => {
                        self.job.try_set(Some(job));
                    }
                    Err(failure) => self.end(Some(failure)),
                }
            }),
            Some(None) => match <[Answer; 2]>::try_from(self.got.get_value()) {
                Ok(answers) => {
                    let names = self.names.get_value();
                    self.stage.set(Stage::Shown(Box::new(answers), names));
                }
                Err(_) => self.end(None),
            },
            // The dialog was put away.
            None => {}
        }
    }

    /// The job that answered has ended: the other one begins, or it is said why there is no answer.
    fn job_ended(self, app: App, task: Task) {
        self.job.set(None);
        reload_history(app);
        let Some(id) = task.answer else {
            // Who ended it knows why.
            let failure = task.failure.filter(|f| f.code != Code::Cancelled);
            return self.end(failure);
        };
        spawn_local(async move {
            match call(commands::KeptAnswer { id }).await {
                Ok(answer) => {
                    self.got.try_update_value(|got| got.push(answer));
                    self.go_on();
                }
                Err(failure) => self.end(Some(failure)),
            }
        });
    }

    /// Back to the choice.
    fn end(self, failure: Option<Failure>) {
        self.failed.try_set(failure);
        self.stage.try_set(Stage::Choosing);
    }
}

/// The two ways that are compared unless the user chooses otherwise. The first is the base of the screen's adapter, if
/// there is an adapter and its base can answer; otherwise it is quoting the clauses. The second is the screen's way or,
/// if that is the first already, another way that can answer.
fn pair(rows: &[AnswerWayRow], way: &AnswerWay) -> [AnswerWay; 2] {
    let tuned = rows.iter().find(|row| row.way == *way);
    let base = tuned
        .filter(|_| matches!(way, AnswerWay::Adapter { .. }))
        .map(|row| AnswerWay::Base {
            model: Some(row.model.clone()),
        });
    let first = base
        .filter(|base| rows.iter().any(|row| row.way == *base))
        .unwrap_or_default();
    let others = || rows.iter().map(|row| &row.way).find(|way| **way != first);
    let second = match *way == first {
        true => others().unwrap_or(way).clone(),
        false => way.clone(),
    };
    [first, second]
}

/// The dialog.
#[component]
pub fn Compare() -> impl IntoView {
    let app = use_app();
    let asking = Asking::new();
    let Asking { stage, failed, .. } = asking;
    let kept = RwSignal::new(None::<Preferred>);
    let blind = RwSignal::new(false);
    let question = RwSignal::new(app.ask.typed.get_untracked());
    let rows = app.ask.ways.value.get_untracked().unwrap_or_default();
    let [first, second] = pair(&rows, &app.ask.way.get_untracked()).map(RwSignal::new);
    let task = Memo::new(move |_| {
        let job = asking.job.get()?;
        app.tasks
            .with(|tasks| tasks.iter().find(|task| task.id == job).cloned())
    });
    Effect::new(move |_| {
        if let Some(ended) = task.get().filter(|task| task.done) {
            asking.job_ended(app, ended);
        }
    });
    let close = Callback::new(move |()| app.ask.over.set(None));
    view! {
        <Dialog label=t("answering.compare_title") close id="compare" class="padded wide">
            <div class="row between">
                <h2>{t("answering.compare_title")}</h2>
                <button class="btn sm" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
            {move || failed.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match stage.get() {
                Stage::Choosing => view! { <Choice asking question first second blind/> }.into_any(),
                Stage::Consent(asked) => view! { <Consent asking asked/> }.into_any(),
                Stage::Waiting => view! {
                    <p class="t-small t-mute" role="status">{tf("answering.looking", &[("question", &question.get_untracked())])}</p>
                    <Cancellable task name="compare"/>
                }.into_any(),
                Stage::Shown(answers, names) => view! {
                    <p class="ask-question">{question.get_untracked()}</p>
                    <BothAnswers answers names blind kept/>
                }.into_any(),
            }}
        </Dialog>
    }
}

/// The question, the two ways of answering it, and whether the reader is told which answer comes from which way.
#[component]
fn Choice(
    asking: Asking,
    question: RwSignal<String>,
    first: RwSignal<AnswerWay>,
    second: RwSignal<AnswerWay>,
    blind: RwSignal<bool>,
) -> impl IntoView {
    let app = use_app();
    let same = Memo::new(move |_| first.get() == second.get());
    let planning = move || app.waits.has(&t("wait.compare"));
    let begin = move |_| {
        asking.failed.set(None);
        let mut ways = [first.get_untracked(), second.get_untracked()];
        // By chance, so that the place gives nothing away.
        if blind.get_untracked() && js_sys::Math::random() < 0.5 {
            ways.reverse();
        }
        asking.prepare(app, question.get_untracked(), ways);
    };
    view! {
        <textarea
            class="textarea"
            id="compare-question"
            autofocus
            placeholder=t("answering.question")
            aria-label=t("answering.question")
            prop:value=question
            on:input:target=move |event| question.set(event.target().value())
        ></textarea>
        <div class="row compare-way"><b>{t("answering.first")}</b><ChooseWay way=first id="compare-first"/></div>
        <div class="row compare-way"><b>{t("answering.second")}</b><ChooseWay way=second id="compare-second"/></div>
        {move || same.get().then(|| view! { <TwoWays/> })}
        <label class="check">
            <input
                type="checkbox"
                id="compare-blind"
                prop:checked=blind
                on:change:target=move |event| blind.set(event.target().checked())
            />
            {t("answering.blind")}
        </label>
        <div class="row">
            <button
                class="btn primary"
                id="compare-ask"
                disabled=move || same.get() || planning() || question.with(|q| q.trim().is_empty())
                on:click=begin
            >
                {t("answering.compare_ask")}
            </button>
            {move || (!same.get() && question.with(|q| q.trim().is_empty())).then(|| view! {
                <span class="t-small t-mute">{t("answering.compare_empty")}</span>
            })}
            <Waiting words=t("wait.compare")/>
        </div>
    }
}

/// What would be sent where, until somebody agrees to it or cancels.
#[component]
fn Consent(asking: Asking, asked: Vec<Planned>) -> impl IntoView {
    let app = use_app();
    let lines = asked.iter().filter_map(|(_, plan)| plan.as_ref());
    let lines = lines
        .filter(|plan| leaves(plan))
        .map(consent_line)
        .collect_view();
    let asked = StoredValue::new(asked);
    view! {
        {lines}
        <Foot cancel=move |()| asking.stage.set(Stage::Choosing)>
            <button class="btn primary" id="consent-agree" on:click=move |_| asking.begin(app, asked.get_value())>{t("ask.agree")}</button>
        </Foot>
    }
}

/// Why nothing can be compared yet: the same way twice. Where there is no other, the ways to one.
#[component]
fn TwoWays() -> impl IntoView {
    let app = use_app();
    let only_one = move || {
        app.ask
            .ways
            .value
            .with(|rows| rows.as_ref().is_some_and(|rows| rows.len() < 2))
    };
    let to_training = move |_| {
        app.ask.over.set(None);
        app.go(Route::Training);
    };
    let to_models = move |_| {
        app.ask.over.set(None);
        app.open_settings(SettingsTab::Models);
    };
    view! {
        <div id="compare-same">
            {move || match only_one() {
                false => view! { <Note tone=Tone::Info>{t("answering.compare_same")}</Note> }.into_any(),
                true => view! {
                    <Note tone=Tone::Info>{t("answering.compare_one")}</Note>
                    <div class="row note-acts">
                        <button class="btn sm" on:click=to_training>{t("evaluation.to_training")}</button>
                        <button class="btn sm" on:click=to_models>{t("endpoints.new")}</button>
                    </div>
                }
                .into_any(),
            }}
        </div>
    }
}

fn consent_line(plan: &AskPlan) -> impl IntoView + use<> {
    let prompts = crate::i18n::tn("count.prompts", plan.prompts);
    let line = tf(
        "ask.question",
        &[
            ("prompts", &prompts),
            ("host", &plan.host),
            ("model", &plan.model),
        ],
    );
    view! { <p>{line}</p> }
}

/// The name of a way, as in the choice of ways.
fn named(app: App, way: &AnswerWay) -> String {
    let rows = app.ask.ways.value.get_untracked().unwrap_or_default();
    let row = rows.iter().find(|row| row.way == *way);
    row.map_or_else(|| t("answering.by_clauses"), words)
}

#[cfg(test)]
mod tests;
