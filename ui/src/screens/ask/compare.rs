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

/// The dialog.
#[component]
pub fn Compare() -> impl IntoView {
    let app = use_app();
    let stage = RwSignal::new(Stage::default());
    let failed = RwSignal::new(None::<Failure>);
    let kept = RwSignal::new(None::<Preferred>);
    let blind = RwSignal::new(false);
    let question = RwSignal::new(app.ask.typed.get_untracked());
    let second = RwSignal::new(app.ask.way.get_untracked());
    let first = RwSignal::new(base_of(app, &second.get_untracked()));
    let close = Callback::new(move |()| app.ask.over.set(None));
    let ask = move |asked: Vec<Planned>| {
        stage.set(Stage::Waiting);
        let name = |at: usize| {
            asked
                .get(at)
                .map_or_else(String::new, |(i, _)| named(app, &i.way))
        };
        let names = [name(0), name(1)];
        spawn_local(async move {
            let answers = both(asked).await;
            reload_history(app);
            match answers {
                Ok(Some(answers)) => stage.set(Stage::Shown(Box::new(answers), names)),
                Ok(None) => stage.set(Stage::Choosing),
                Err(failure) => {
                    failed.set(Some(failure));
                    stage.set(Stage::Choosing);
                }
            }
        });
    };
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
                Ok(asked) => ask(asked),
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
        <Titled title=t("answering.compare_title") close id="compare" wide=true>
            {move || failed.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match stage.get() {
                Stage::Choosing => view! {
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
                        <button
                            class="btn primary"
                            id="compare-ask"
                            disabled=move || question.with(|q| q.trim().is_empty())
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
                        <div class="row">
                            <button class="btn primary" id="consent-agree" on:click=move |_| ask(asked.get_value())>{t("ask.agree")}</button>
                            <button class="btn" on:click=move |_| stage.set(Stage::Choosing)>{t("action.cancel")}</button>
                        </div>
                    }.into_any()
                }
                Stage::Waiting => view! {
                    <p class="t-small t-mute" role="status">{tf("answering.looking", &[("question", &question.get_untracked())])}</p>
                    <div class="skel"></div><div class="skel half"></div>
                }.into_any(),
                Stage::Shown(answers, names) => view! {
                    <p class="ask-question">{question.get_untracked()}</p>
                    {shown(answers, names)}
                }.into_any(),
            }}
        </Titled>
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
