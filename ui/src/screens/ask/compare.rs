//! Two answers to one question beside each other, blind if wished, and which of them is better.

use super::deeds::{agreed, reload_history};
use super::figures::place as place_of;
use super::notes::words as note_words;
use super::statement::{in_parts, reason};
use super::ways::{ChooseWay, words};
use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::law::lang_tag;
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::i18n::{t, tag, tf};
use crate::place::SettingsTab;
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{Answer, AnswerWay, AnswerWayRow, Inquiry, Preferred, Statement, Task};
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
    let same = Memo::new(move |_| first.get() == second.get());
    let begin = move |_| {
        failed.set(None);
        let mut ways = [first.get_untracked(), second.get_untracked()];
        // By chance, so that the place gives nothing away.
        if blind.get_untracked() && js_sys::Math::random() < 0.5 {
            ways.reverse();
        }
        let question = question.get_untracked();
        spawn_local(async move {
            let leaves = |plan: &AskPlan| !plan.local && plan.prompts > 0;
            match planned(question, app.ask.day(), ways).await {
                Ok(asked)
                    if asked
                        .iter()
                        .any(|(_, plan)| plan.as_ref().is_some_and(leaves)) =>
                {
                    stage.set(Stage::Consent(asked));
                }
                Ok(asked) => asking.begin(app, asked),
                Err(failure) => failed.set(Some(failure)),
            }
        });
    };
    let prefer = move |answers: &[Answer; 2], preferred: Preferred| {
        if let [Some(first), Some(second)] = [answers[0].id, answers[1].id] {
            let blind = blind.get_untracked();
            let command = commands::PreferAnswer {
                first,
                second,
                preferred,
                blind,
            };
            app.attempt(call(command), move |_| kept.set(Some(preferred)));
        }
    };
    let shown = move |answers: Box<[Answer; 2]>, names: [String; 2]| {
        let hidden = move || blind.get() && kept.get().is_none();
        let columns = answers
            .iter()
            .zip(["first", "second"])
            .zip(names.clone())
            .map(|((answer, place), name)| column(answer.clone(), place, name, hidden))
            .collect_view();
        let answers = StoredValue::new(answers);
        let buttons = Preferred::ALL
            .into_iter()
            .map(|choice| {
                let pressed = move || (kept.get() == Some(choice)).to_string();
                let keep = move |_| answers.with_value(|answers| prefer(answers, choice));
                view! {
                    <button class="btn sm" data-preferred=choice.tag() aria-pressed=pressed disabled=move || kept.get().is_some() on:click=keep>
                        {tag("preferred", choice.tag())}
                    </button>
                }
            })
            .collect_view();
        let told = move || {
            kept.get().map(|_| {
                let names = [("first", names[0].as_str()), ("second", names[1].as_str())];
                tf("answering.compare_kept", &names)
            })
        };
        view! {
            <div class="compared">{columns}</div>
            <div class="row wrap" role="group" aria-label=t("answering.compare")>{buttons}</div>
            <p class="t-small" role="status" id="compare-kept">{told}</p>
        }
    };
    view! {
        <Dialog label=t("answering.compare_title") close id="compare" class="padded wide">
            <div class="row between">
                <h2>{t("answering.compare_title")}</h2>
                <button class="btn sm" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
            {move || failed.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match stage.get() {
                Stage::Choosing => view! {
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
                            disabled=move || same.get() || question.with(|q| q.trim().is_empty())
                            on:click=begin
                        >
                            {t("answering.compare_ask")}
                        </button>
                    </div>
                }.into_any(),
                Stage::Consent(asked) => {
                    let lines = asked.iter().filter_map(|(_, plan)| plan.as_ref());
                    let lines = lines.filter(|plan| !plan.local && plan.prompts > 0).map(consent_line).collect_view();
                    let asked = StoredValue::new(asked);
                    view! {
                        {lines}
                        <Foot cancel=move |()| stage.set(Stage::Choosing)>
                            <button class="btn primary" id="consent-agree" on:click=move |_| asking.begin(app, asked.get_value())>{t("ask.agree")}</button>
                        </Foot>
                    }.into_any()
                }
                Stage::Waiting => view! {
                    <p class="t-small t-mute" role="status">{tf("answering.looking", &[("question", &question.get_untracked())])}</p>
                    <Cancellable task name="compare"/>
                }.into_any(),
                Stage::Shown(answers, names) => view! {
                    <p class="ask-question">{question.get_untracked()}</p>
                    {shown(answers, names)}
                }.into_any(),
            }}
        </Dialog>
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

/// One of the two answers, with the place of each thing that it cites and what a reader should know.
fn column(
    answer: Answer,
    place: &'static str,
    who: String,
    hidden: impl Fn() -> bool + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let name = if place == "first" {
        t("answering.first")
    } else {
        t("answering.second")
    };
    let by = move || (!hidden()).then(|| format!(" · {who}"));
    let said = in_parts(&answer, true, |statement| paragraph(&answer, statement));
    let none = (!answer.found).then(|| view! { <p>{t("answering.not_found_said")}</p> });
    let premise = answer.premise.as_ref().map(|premise| {
        let text = tf("answering.premise", &[("assumed", &premise.assumed)]);
        view! { <Note tone=Tone::Warn>{text}</Note> }
    });
    // The notes must not show which way wrote the answer.
    let notes = answer.notes.iter().map(note_words).collect::<Vec<_>>();
    let notes = move || {
        let lines = notes.iter().map(|note| view! { <p>{note.clone()}</p> });
        (!hidden() && !notes.is_empty())
            .then(|| view! { <div class="ask-notes">{lines.collect_view()}</div> })
    };
    view! {
        <section class="card said" data-compared=place>
            <h3>{name}{by}</h3>
            {premise}
            {none}
            {said}
            {notes}
        </section>
    }
}

/// A statement with the places of what it cites, and why it does not hold where it does not.
fn paragraph(answer: &Answer, statement: &Statement) -> AnyView {
    let cited = statement
        .citations
        .iter()
        .filter_map(|at| answer.citations.get(*at));
    let language = cited.clone().next().map(|citation| citation.language);
    let lang = language.map(lang_tag).filter(|tag| !tag.is_empty());
    let places = cited
        .map(|citation| {
            let place = place_of(&citation.title, &citation.section, citation.page);
            view! { <span class="block t-small t-mute">{place}</span> }
        })
        .collect_view();
    let text = statement.text.clone();
    let said = if statement.kept {
        view! { <p class="law" lang=lang>{text}</p> }.into_any()
    } else {
        let why = reason(statement.reason);
        view! { <p class="law"><del lang=lang>{text}</del> " " <span class="badge bad">{why}</span></p> }
            .into_any()
    };
    view! { <div>{said}{places}</div> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_different_ways_are_offered_where_there_are_two() {
        let row = |way: &AnswerWay| AnswerWayRow {
            way: way.clone(),
            model: "decoder".to_owned(),
            host: None,
            local: true,
        };
        let clauses = AnswerWay::Extractive;
        let firm = AnswerWay::Endpoint {
            name: Some("firm".to_owned()),
        };
        let base = AnswerWay::Base {
            model: Some("decoder".to_owned()),
        };
        let tuned = AnswerWay::Adapter { run: None };
        for (there, way, expected) in [
            (vec![&clauses], &clauses, [&clauses, &clauses]),
            (vec![&clauses, &firm], &clauses, [&clauses, &firm]),
            (vec![&clauses, &firm], &firm, [&clauses, &firm]),
            (vec![&clauses, &base, &tuned], &tuned, [&base, &tuned]),
            (vec![&clauses, &tuned], &tuned, [&clauses, &tuned]),
        ] {
            let rows: Vec<AnswerWayRow> = there.into_iter().map(row).collect();
            assert_eq!(pair(&rows, way), expected.map(Clone::clone));
        }
    }
}
