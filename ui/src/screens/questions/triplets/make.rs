//! Making triplets: with what, which shifts, how many; for a language model also what would be sent, and the consent.

use super::shifts::{Chosen, Shifts};
use crate::backend::{call, commands};
use crate::components::asking::{ChooseEndpoint, Plan};
use crate::components::check::Check;
use crate::components::dialog::{Foot, Titled};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::task_progress::Cancellable;
use crate::components::waiting::{Coming, Waiting};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::place::ReviewTab;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{ShiftType, TripletsAsked, TripletsBy, TripletsRequest};
use lexforge_domain::endpoint::AskPlan;

/// The kind of job that makes triplets.
pub const MAKING: &str = "triplets";

/// What triplets are made with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Offline,
    Graph,
    Model,
}

/// The button that begins; while triplets are made, there is [`Going`] in its place.
#[component]
pub fn MakeTriplets() -> impl IntoView {
    let app = use_app();
    let asking = RwSignal::new(false);
    let working = Memo::new(move |_| app.busy(MAKING).is_some());
    view! {
        {move || (!working.get()).then(|| view! {
            <button class="btn primary" id="make-triplets" on:click=move |_| asking.set(true)>
                <Sign icon=Icon::Plus small=true/>{t("triplets.make")}
            </button>
        })}
        {move || asking.get().then(|| view! { <Form close=move |()| asking.set(false)/> })}
    }
}

/// How far the making is, over the whole width, with the button that ends it.
#[component]
pub fn Going() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(MAKING));
    let working = Memo::new(move |_| task.with(Option::is_some));
    move || {
        working.get().then(|| {
            view! {
                <section class="run-strip" id="making-triplets" aria-label=t("triplets.make")>
                    <Cancellable task name="triplets" tip=t("triplets.cancel_tip")/>
                </section>
            }
        })
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
struct Wanted {
    way: RwSignal<Way>,
    shifts: Fetched<Vec<ShiftType>>,
    chosen: Chosen,
    most: RwSignal<u64>,
    translated: RwSignal<bool>,
    endpoint: RwSignal<Option<String>>,
    limit: RwSignal<Option<u64>>,
}

impl Wanted {
    fn new() -> Self {
        Self {
            way: RwSignal::new(Way::Offline),
            shifts: Fetched::default(),
            chosen: Chosen::new(),
            most: RwSignal::new(TripletsRequest::MOST as u64),
            translated: RwSignal::new(false),
            endpoint: RwSignal::new(None),
            limit: RwSignal::new(None),
        }
    }

    /// The request; `None` before the shifts are known, or if none is wanted.
    fn request(self) -> Option<TripletsRequest> {
        let shifts = self.shifts.value.get()?;
        let way = self.way.get();
        let only = match way {
            Way::Graph => Vec::new(),
            Way::Offline | Way::Model => self.chosen.only(&shifts, way == Way::Offline)?,
        };
        Some(TripletsRequest {
            only,
            most: usize::try_from(self.most.get()).unwrap_or(usize::MAX),
            translated: way == Way::Model && self.translated.get(),
            ..TripletsRequest::usual(shifts)
        })
    }

    /// The endpoint, if a language model is wanted and one is chosen.
    fn asked(self) -> Option<TripletsAsked> {
        let endpoint = self
            .endpoint
            .get()
            .filter(|_| self.way.get() == Way::Model)?;
        Some(TripletsAsked {
            endpoint,
            limit: self.limit.get(),
            consent: None,
        })
    }
}

#[component]
fn Form(
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let wanted = Wanted::new();
    wanted.shifts.ask(call(commands::ShiftTypes { file: None }));
    let request = Memo::new(move |_| wanted.request());
    let asked = Memo::new(move |_| wanted.asked());
    let begin = move |by: TripletsBy| {
        let Some(request) = request.get_untracked() else {
            return;
        };
        let begun = call(commands::MakeTriplets { by, request });
        app.attempt_once(t("wait.begin"), begun, move |_| {
            app.questions_review.tab.set(ReviewTab::Triplets);
            close.try_run(());
        });
    };
    // Lives here, so that the name of the file is still said after another way was looked at.
    let own = RwSignal::new(None::<String>);
    let none = move || wanted.shifts.value.with(Option::is_some) && request.with(Option::is_none);
    let way = wanted.way;
    view! {
        <Titled title=t("triplets.make_title") close id="triplets-form" wide=true>
            <p class="t-small t-mute">{t("triplets.make_text")}</p>
            <Ways way/>
            {move || wanted.shifts.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || (way.get() != Way::Graph).then(|| view! {
                <Shifts all=wanted.shifts chosen=wanted.chosen offline=way.get() == Way::Offline/>
                <OwnShifts shifts=wanted.shifts own/>
            })}
            {move || none().then(|| view! { <p class="t-small c-warn">{t("triplets.choose_shift")}</p> })}
            {move || match way.get() {
                Way::Offline => view! { <Most most=wanted.most/> }.into_any(),
                Way::Graph => ().into_any(),
                Way::Model => view! { <ByModel wanted request asked begin close/> }.into_any(),
            }}
            <Waiting words=t("wait.begin")/>
            {move || (way.get() != Way::Model).then(|| view! {
                <p class="t-small t-mute">{t("triplets.replaces")}</p>
                <Foot cancel=close>
                    <button class="btn primary" id="triplets-begin" disabled=move || request.with(Option::is_none)
                        on:click=move |_| begin(match way.get_untracked() {
                            Way::Graph => TripletsBy::Graph,
                            Way::Offline | Way::Model => TripletsBy::Offline,
                        })>{t("triplets.begin")}</button>
                </Foot>
            })}
        </Titled>
    }
}

/// The button that reads shifts of a file in the place of the usual ones, and which file they are of.
#[component]
fn OwnShifts(
    /// The shifts that can be chosen.
    shifts: Fetched<Vec<ShiftType>>,
    /// The file that they were read from; none = the usual ones.
    own: RwSignal<Option<String>>,
) -> impl IntoView {
    let app = use_app();
    let add = move |_| {
        let picked = async move {
            let extensions = vec!["json".to_owned()];
            let picked = call(commands::PickOpen { extensions });
            let Some(file) = picked.await? else {
                return Ok(None);
            };
            let shifts = call(commands::ShiftTypes {
                file: Some(file.clone()),
            })
            .await?;
            Ok(Some((file, shifts)))
        };
        app.attempt_once(t("wait.shifts"), picked, move |read| {
            if let Some((file, read)) = read {
                shifts.value.try_set(Some(read));
                own.try_set(Some(file));
            }
        });
    };
    let named = move || {
        let file = own.get()?;
        let n = shifts.value.with(|all| all.as_ref().map_or(0, Vec::len)) as u64;
        let text = tf(
            "triplets.shifts_of",
            &[("n", &format::count(n)), ("file", &file)],
        );
        Some(
            view! { <span class="t-small t-mute" id="triplets-own-shifts" role="status">{text}</span> },
        )
    };
    view! {
        <div class="row g-1 wrap">
            <button class="btn sm" id="triplets-shifts-file" title=t("triplets.shifts_tip") on:click=add>{t("triplets.shifts_file")}</button>
            <Waiting words=t("wait.shifts")/>
            {named}
        </div>
    }
}

/// With what triplets are made.
#[component]
fn Ways(way: RwSignal<Way>) -> impl IntoView {
    let app = use_app();
    let graph = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.graph.is_some()))
    });
    let row = move |this: Way, id: &'static str, name: String, what: String| {
        let off = move || this == Way::Graph && !graph.get();
        view! {
            <label class="preset" class:on=move || way.get() == this>
                <input type="radio" name="triplets-way" id=id prop:checked=move || way.get() == this disabled=off
                    on:change=move |_| way.set(this)/>
                <span><b>{name}</b><br/><small>{what}</small></span>
            </label>
        }
    };
    view! {
        <div class="presets">
            {row(Way::Offline, "triplets-offline", t("triplets.offline"), t("triplets.offline_is"))}
            {row(Way::Model, "triplets-model", t("triplets.model"), t("triplets.model_is"))}
            {row(Way::Graph, "triplets-graph", t("triplets.graph"), t("triplets.graph_is"))}
        </div>
    }
}

/// How many triplets of a sentence.
#[component]
fn Most(most: RwSignal<u64>) -> impl IntoView {
    view! {
        <label class="check">
            <span>{t("triplets.most")}</span>
            <input class="input short-field" id="triplets-most" inputmode="numeric" prop:value=move || most.get().to_string()
                on:change:target=move |event| { match event.target().value().trim().parse() {
                    Ok(n) if n > 0 => most.set(n),
                    _ => event.target().set_value(&most.get_untracked().to_string()),
                } }/>
        </label>
    }
}

/// Which endpoint, whether it translates, how much is sent now, and the consent to it.
#[component]
fn ByModel(
    wanted: Wanted,
    request: Memo<Option<TripletsRequest>>,
    asked: Memo<Option<TripletsAsked>>,
    #[prop(into)] begin: Callback<TripletsBy>,
    /// Puts the form away.
    close: Callback<()>,
) -> impl IntoView {
    let plan = Fetched::<AskPlan>::default();
    Effect::new(move |_| {
        plan.forget();
        if let (Some(asked), Some(request)) = (asked.get(), request.get()) {
            plan.ask(call(commands::PlanTriplets { asked, request }));
        }
    });
    let (endpoint, limit, translated) = (wanted.endpoint, wanted.limit, wanted.translated);
    let send = move |plan: AskPlan| {
        if let Some(asked) = asked.get_untracked() {
            begin.run(TripletsBy::Endpoint(TripletsAsked {
                consent: Some(plan.agreed("window")),
                ..asked
            }));
        }
    };
    let shown = move || limit.get().map_or(String::new(), |n: u64| n.to_string());
    view! {
        <ChooseEndpoint chosen=endpoint choose=move |name| endpoint.set(Some(name)) close/>
        <Check id="triplets-translate" on=translated tick=move |on: bool| translated.set(on)><span>{t("triplets.translate")}</span></Check>
        <label class="check">
            <span>{t("triplets.limit")}</span>
            <input class="input short-field" id="triplets-limit" inputmode="numeric" placeholder=t("ask.no_cap") prop:value=shown
                on:change:target=move |event| {
                    let text = event.target().value();
                    match text.trim().parse::<u64>() {
                        Ok(n) if n > 0 => limit.set(Some(n)),
                        _ if text.trim().is_empty() => limit.set(None),
                        _ => event.target().set_value(&limit.get_untracked().map_or(String::new(), |n| n.to_string())),
                    }
                }/>
        </label>
        {move || plan.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || match (asked.with(Option::is_some), plan.value.get()) {
            (false, _) => view! { <p class="t-mute">{t("ask.choose")}</p> }.into_any(),
            (true, None) if plan.failure.with(Option::is_some) || request.with(Option::is_none) => ().into_any(),
            (true, None) => view! { <Coming words=t("wait.plan")/> }.into_any(),
            (true, Some(plan)) => {
                let most = tn("triplets.at_most", plan.prompts);
                view! {
                    <p class="t-small" id="triplets-estimate">{most}</p>
                    <Plan plan send replaces=t("triplets.replaces_asked")/>
                }
                .into_any()
            }
        }}
    }
}
