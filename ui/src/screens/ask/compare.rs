//! Two answers to one question beside each other, blind if wished, and which of them is better.

use super::deeds::{agreed, reload_history};
use super::figures::place as place_of;
use super::notes::words as note_words;
use super::statement::{in_parts, reason};
use super::ways::{ChooseWay, words};
use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::law::lang_tag;
use crate::components::note::{Note, Tone};
use crate::i18n::{t, tag, tf};
use crate::state::{App, use_app};
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::{Answer, AnswerWay, Inquiry, Preferred, Statement};
use lexforge_domain::endpoint::AskPlan;

/// A question in one of the two ways, and what it would send.
type Planned = (Inquiry, Option<AskPlan>);

/// What is known so far.
#[derive(Clone, Debug, Default)]
enum Stage {
    /// The ways are being chosen.
    #[default]
    Choosing,
    /// Something would be sent: nobody agreed yet.
    Consent(Vec<Planned>),
    /// The answers are on their way.
    Waiting,
    /// They are there.
    Shown(Box<[Answer; 2]>, [String; 2]),
}

/// What would be sent for both ways, in the order in which they are asked.
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

/// Both answers; whoever calls this has agreed to what is sent.
async fn both(planned: Vec<Planned>) -> Result<Option<[Answer; 2]>, Failure> {
    let mut answers = Vec::new();
    for (inquiry, plan) in planned {
        let consent = plan.as_ref().map(agreed);
        let inquiry = Inquiry { consent, ..inquiry };
        answers.push(call(commands::Ask { inquiry }).await?);
    }
    Ok(answers.try_into().ok())
}

/// What an adapter is compared with: its base as it was before the tuning, where that is there; else the clauses.
fn base_of(app: App, way: &AnswerWay) -> AnswerWay {
    let rows = app.ask.ways.value.get_untracked().unwrap_or_default();
    let tuned = rows.iter().find(|row| row.way == *way);
    let base = tuned
        .filter(|_| matches!(way, AnswerWay::Adapter { .. }))
        .map(|row| AnswerWay::Base {
            model: Some(row.model.clone()),
        });
    base.filter(|base| rows.iter().any(|row| row.way == *base))
        .unwrap_or_default()
}

/// The comparison as far as it has come.
#[derive(Clone, Copy)]
struct Comparing {
    app: App,
    stage: RwSignal<Stage>,
    failed: RwSignal<Option<Failure>>,
    kept: RwSignal<Option<Preferred>>,
    blind: RwSignal<bool>,
    question: RwSignal<String>,
    first: RwSignal<AnswerWay>,
    second: RwSignal<AnswerWay>,
}

impl Comparing {
    fn new(app: App) -> Self {
        let second = app.ask.way.get_untracked();
        Self {
            app,
            stage: RwSignal::new(Stage::default()),
            failed: RwSignal::new(None),
            kept: RwSignal::new(None),
            blind: RwSignal::new(false),
            question: RwSignal::new(app.ask.typed.get_untracked()),
            first: RwSignal::new(base_of(app, &second)),
            second: RwSignal::new(second),
        }
    }

    /// Plans both, and asks at once where nothing leaves this machine.
    fn begin(self) {
        self.failed.set(None);
        let mut ways = [self.first.get_untracked(), self.second.get_untracked()];
        // By chance, so that the place gives nothing away.
        if self.blind.get_untracked() && js_sys::Math::random() < 0.5 {
            ways.reverse();
        }
        let question = self.question.get_untracked();
        spawn_local(async move {
            match planned(question, self.app.ask.day(), ways).await {
                Ok(asked) if leaving(&asked).next().is_some() => {
                    self.stage.set(Stage::Consent(asked));
                }
                Ok(asked) => self.ask(asked),
                Err(failure) => self.failed.set(Some(failure)),
            }
        });
    }

    /// Asks both; whoever calls this has agreed to what is sent.
    fn ask(self, asked: Vec<Planned>) {
        self.stage.set(Stage::Waiting);
        let name = |at: usize| {
            let way = asked.get(at).map(|(inquiry, _)| &inquiry.way);
            way.map_or_else(String::new, |way| named(self.app, way))
        };
        let names = [name(0), name(1)];
        spawn_local(async move {
            let answers = both(asked).await;
            reload_history(self.app);
            match answers {
                Ok(Some(answers)) => self.stage.set(Stage::Shown(Box::new(answers), names)),
                Ok(None) => self.stage.set(Stage::Choosing),
                Err(failure) => {
                    self.failed.set(Some(failure));
                    self.stage.set(Stage::Choosing);
                }
            }
        });
    }

    /// Keeps which answer is better.
    fn prefer(self, answers: &[Answer; 2], preferred: Preferred) {
        if let [Some(first), Some(second)] = [answers[0].id, answers[1].id] {
            let blind = self.blind.get_untracked();
            let command = commands::PreferAnswer {
                first,
                second,
                preferred,
                blind,
            };
            let kept = self.kept;
            self.app
                .attempt(call(command), move |_| kept.set(Some(preferred)));
        }
    }

    /// Who gave which answer is not told yet.
    fn hides(self) -> bool {
        self.blind.get() && self.kept.get().is_none()
    }
}

/// What would be sent to other machines.
fn leaving(asked: &[Planned]) -> impl Iterator<Item = &AskPlan> {
    let plans = asked.iter().filter_map(|(_, plan)| plan.as_ref());
    plans.filter(|plan| !plan.local && plan.prompts > 0)
}

/// The dialog.
#[component]
pub fn Compare() -> impl IntoView {
    let app = use_app();
    let comparing = Comparing::new(app);
    let (stage, failed, question) = (comparing.stage, comparing.failed, comparing.question);
    let close = Callback::new(move |()| app.ask.over.set(None));
    view! {
        <Titled title=t("answering.compare_title") close id="compare" wide=true>
            {move || failed.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match stage.get() {
                Stage::Choosing => view! { <Choosing comparing/> }.into_any(),
                Stage::Consent(asked) => view! { <Agreeing comparing asked/> }.into_any(),
                Stage::Waiting => view! {
                    <p class="t-small t-mute" role="status">{tf("answering.looking", &[("question", &question.get_untracked())])}</p>
                    <div class="skel"></div><div class="skel half"></div>
                }.into_any(),
                Stage::Shown(answers, names) => view! {
                    <p class="ask-question">{question.get_untracked()}</p>
                    <Shown comparing answers names/>
                }.into_any(),
            }}
        </Titled>
    }
}

/// The question, and who answers it.
#[component]
fn Choosing(comparing: Comparing) -> impl IntoView {
    let Comparing {
        question,
        first,
        second,
        blind,
        ..
    } = comparing;
    let empty = move || question.with(|question| question.trim().is_empty());
    view! {
        <textarea
            class="textarea"
            id="compare-question"
            autofocus
            aria-label=t("answering.question")
            prop:value=question
            on:input:target=move |event| question.set(event.target().value())
        ></textarea>
        <div class="row g-2"><b>{t("answering.first")}</b><ChooseWay way=first id="compare-first"/></div>
        <div class="row g-2"><b>{t("answering.second")}</b><ChooseWay way=second id="compare-second"/></div>
        <Check id="compare-blind" on=blind tick=move |on: bool| blind.set(on)>{t("answering.blind")}</Check>
        <div class="row">
            <button class="btn primary" id="compare-ask" disabled=empty on:click=move |_| comparing.begin()>
                {t("answering.compare_ask")}
            </button>
        </div>
    }
}

/// What would be sent, and the consent to that.
#[component]
fn Agreeing(comparing: Comparing, asked: Vec<Planned>) -> impl IntoView {
    let lines = leaving(&asked).map(consent_line).collect_view();
    let asked = StoredValue::new(asked);
    view! {
        {lines}
        <div class="row">
            <button class="btn primary" id="consent-agree" on:click=move |_| comparing.ask(asked.get_value())>{t("ask.agree")}</button>
            <button class="btn" on:click=move |_| comparing.stage.set(Stage::Choosing)>{t("action.cancel")}</button>
        </div>
    }
}

/// Both answers, and the choice of the better one.
#[component]
fn Shown(comparing: Comparing, answers: Box<[Answer; 2]>, names: [String; 2]) -> impl IntoView {
    let kept = comparing.kept;
    let columns = answers
        .iter()
        .zip(["first", "second"])
        .zip(names.clone())
        .map(|((answer, place), name)| {
            column(answer.clone(), place, name, move || comparing.hides())
        })
        .collect_view();
    let answers = StoredValue::new(answers);
    let buttons = Preferred::ALL
        .into_iter()
        .map(|choice| {
            let pressed = move || (kept.get() == Some(choice)).to_string();
            let keep = move |_| answers.with_value(|answers| comparing.prefer(answers, choice));
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

/// Who is asked by a way, as the choice of ways calls it.
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
    // Who wrote it may not be told by them.
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
