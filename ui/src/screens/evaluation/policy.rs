//! The rule of the gate: what it is, how often it is right on the newest snapshot, and another one in its place.

mod planned;
mod words;
mod written;

use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::components::dialog::{Foot, Titled};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::{t, tag};
use crate::state::{App, use_app};
use crate::toast::Toast;
use leptos::prelude::*;
use lexforge_domain::api::{Outcome, Task};
use lexforge_domain::gate::{GateMeasure, GatePlan, GatePolicy};
use lexforge_domain::{Code, Failure};
use planned::Planned;
use words::Rule;
use written::{Figure, Written};

/// The kind of job that works out how often a rule is right.
const PLAN: &str = "gate_plan";

/// The rule that holds, beside the gate.
#[component]
pub fn RuleInUse() -> impl IntoView {
    let rule = rule_in_use();
    view! {
        <section class="part" id="gate-rule">
            <h2>{t("rule.title")}</h2>
            {move || rule.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || rule.value.get().map(|policy| view! { <Rule policy/> })}
        </section>
    }
}

/// The button that opens the rule.
#[component]
pub fn RuleButton() -> impl IntoView {
    let open = RwSignal::new(false);
    let close = Callback::new(move |()| open.set(false));
    view! {
        <button class="btn" id="gate-policy" on:click=move |_| open.set(true)>
            <Sign icon=Icon::Scales/>
            {t("rule.title")}
        </button>
        {move || open.get().then(|| view! { <RuleDialog close/> })}
    }
}

/// Follows the rule that holds.
fn rule_in_use() -> Fetched<GatePolicy> {
    let app = use_app();
    let rule = Fetched::<GatePolicy>::default();
    Effect::new(move |_| {
        app.changes.track();
        rule.refresh(call(commands::GatePolicy {}));
    });
    rule
}

/// What came of working out how often a rule is right.
#[derive(Clone, Debug, PartialEq)]
enum Came {
    /// It was worked out.
    Told(Box<GatePlan>),
    /// Somebody ended it.
    Ended,
    /// It cannot be worked out.
    Failed(Failure),
}

/// What came of a job; `None` while it is at work.
fn came_of(tasks: &[Task], id: u64) -> Option<Came> {
    let task = tasks.iter().find(|task| task.id == id && task.done)?;
    match (&task.failure, task.outcome.as_deref()) {
        (Some(failure), _) if failure.code == Code::Cancelled => Some(Came::Ended),
        (Some(failure), _) => Some(Came::Failed(failure.clone())),
        (None, Some(Outcome::GatePlan(plan))) => Some(Came::Told(plan.clone())),
        (None, _) => None,
    }
}

/// Why a rule cannot be kept now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// It is the rule that holds.
    Same,
    /// A figure is no number.
    Wrong,
    /// It is not known yet how often it would be right.
    Unseen,
}

impl Held {
    /// By what is written, the rule that holds, and the writing whose figures are shown. Without a snapshot there are
    /// no figures to look at.
    fn of(
        written: &Written,
        kept: &GatePolicy,
        shown: Option<&Written>,
        snapshot: bool,
    ) -> Option<Self> {
        if *written == Written::of(kept) {
            Some(Self::Same)
        } else if written.policy(kept).is_none() {
            Some(Self::Wrong)
        } else if snapshot && shown != Some(written) {
            Some(Self::Unseen)
        } else {
            None
        }
    }

    fn words(self) -> String {
        match self {
            Self::Same => t("rule.same"),
            Self::Wrong => t("rule.wrong"),
            Self::Unseen => t("rule.unseen"),
        }
    }
}

/// The dialog.
#[component]
fn RuleDialog(
    /// Puts it away.
    close: Callback<()>,
) -> impl IntoView {
    let rule = rule_in_use();
    view! {
        <Titled title=t("rule.title") close id="gate-policy-dialog" wide=true>
            <p class="t-small">{t("rule.text")}</p>
            {move || rule.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || rule.value.get().map(|kept| view! { <RuleForm kept close/> })}
        </Titled>
    }
}

/// The rule that holds, the one that is written, and how often that would be right.
#[component]
fn RuleForm(
    /// The rule that holds.
    kept: GatePolicy,
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let written = RwSignal::new(Written::of(&kept));
    let asked = RwSignal::new(None::<(u64, Written)>);
    let snapshot = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.dataset.is_some()))
    });
    let task = Memo::new(move |_| app.busy(PLAN));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let holds = StoredValue::new(kept.clone());
    let plan = Callback::new(move |()| {
        let now = written.get_untracked();
        if let Some(policy) = holds.with_value(|kept| now.policy(kept)) {
            let begun = call(commands::PlanGate { policy });
            app.attempt(begun, move |id| {
                asked.try_set(Some((id, now)));
            });
        }
    });
    // How often the rule that holds is right stands there without being asked for.
    if snapshot.get_untracked() && !working.get_untracked() {
        plan.run(());
    }
    let came = Memo::new(move |_| {
        let (id, of) = asked.get()?;
        Some((app.tasks.with(|tasks| came_of(tasks, id))?, of))
    });
    let held = Memo::new(move |_| {
        let shown = came
            .get()
            .filter(|(came, _)| matches!(came, Came::Told(_)))
            .map(|(_, of)| of);
        holds.with_value(|kept| {
            written.with(|written| Held::of(written, kept, shown.as_ref(), snapshot.get()))
        })
    });
    let keep = move |_| {
        let policy = holds.with_value(|kept| written.with_untracked(|now| now.policy(kept)));
        if let Some(policy) = policy {
            keep(app, policy, holds.get_value(), close);
        }
    };
    let usual = move |_| keep_usual(app, holds.get_value(), close);
    let is_usual = Written::of(&kept) == Written::of(&GatePolicy::default());
    let acts = move || app.waits.has(&t("wait.rule"));
    let why_not = move || {
        move || {
            held.get().map(|held| {
                view! { <span class="t-small t-mute" id="gate-policy-why">{held.words()}</span> }
            })
        }
    };
    let described = move || held.get().map(|_| "gate-policy-why");
    view! {
        <h3>{t("rule.in_use")}</h3>
        <Rule policy=kept/>
        <h3>{t("rule.change")}</h3>
        <RuleFields written/>
        <h3>{t("rule.right")}</h3>
        <HowOften written came snapshot working task plan/>
        <Waiting words=t("wait.rule")/>
        <Foot cancel=close before=why_not>
            <button class="btn" id="gate-policy-usual" disabled=move || is_usual || acts() on:click=usual>{t("rule.usual")}</button>
            <button class="btn primary" id="gate-policy-keep" aria-describedby=described disabled=move || acts() || held.get().is_some() on:click=keep>{t("rule.keep")}</button>
        </Foot>
    }
}

/// How often the rule that is written would be right, or the way to that.
#[component]
fn HowOften(
    written: RwSignal<Written>,
    /// What came of the last look, and the rule that it was about.
    came: Memo<Option<(Came, Written)>>,
    snapshot: Memo<bool>,
    working: Memo<bool>,
    task: Memo<Option<Task>>,
    /// Works it out.
    plan: Callback<()>,
) -> impl IntoView {
    let take = Callback::new(move |margin| {
        written.update(|written| written.take(margin));
        plan.run(());
    });
    let is_of_this = Memo::new(move |_| {
        came.with(|came| {
            let of = came.as_ref().map(|(_, of)| of);
            of.is_some_and(|of| written.with(|written| written == of))
        })
    });
    let told = move || {
        let (came, _) = came.get().filter(|_| is_of_this.get())?;
        Some(match came {
            Came::Told(plan) => view! { <Planned plan=*plan take/> }.into_any(),
            Came::Ended => view! { <Note tone=Tone::Info>{t("rule.ended")}</Note> }.into_any(),
            Came::Failed(failure) => view! { <ErrorPanel failure/> }.into_any(),
        })
    };
    let ask = move || {
        let again = is_of_this.get() && came.with(|came| matches!(came, Some((Came::Told(_), _))));
        (!again).then(|| {
            view! {
                <div class="row">
                    <button class="btn" id="gate-policy-plan" on:click=move |_| plan.run(())>{t("rule.work_out")}</button>
                </div>
            }
        })
    };
    move || {
        if !snapshot.get() {
            view! { <div id="gate-policy-no-snapshot"><Note tone=Tone::Info>{t("rule.no_snapshot")}</Note></div> }.into_any()
        } else if working.get() {
            view! { <Cancellable task name="gate-plan"/> }.into_any()
        } else {
            view! { {told} {ask} }.into_any()
        }
    }
}

/// The fields.
#[component]
fn RuleFields(written: RwSignal<Written>) -> impl IntoView {
    let measures = GateMeasure::ALL
        .into_iter()
        .map(|measure| {
            let words = tag("measure", measure.tag());
            view! { <Optional written figure=Figure::Margin(measure) words/> }
        })
        .collect_view();
    let parity = Signal::derive(move || written.with(|written| written.export_parity));
    view! {
        <div class="settings-list rule-fields">
            {measures}
            <Plain written figure=Figure::Level words=t("rule.level_field") unit="%".to_owned()/>
            <Plain written figure=Figure::Anchors words=t("rule.anchors_field") unit=String::new()/>
            <Plain written figure=Figure::Questions words=t("rule.questions_field") unit=String::new()/>
            <Plain written figure=Figure::Shortcut words=t("rule.shortcut_field") unit=t("rule.points")/>
            <Optional written figure=Figure::General words=t("rule.general_field")/>
            <Optional written figure=Figure::Attack words=t("rule.attack_field")/>
            <span>{t("rule.export_field")}</span>
            <Check id="rule-export" on=parity tick=move |on: bool| written.update(|written| written.export_parity = on)>{t("rule.export_asked")}</Check>
        </div>
    }
}

/// The id of a figure's field.
fn id_of(figure: Figure) -> String {
    match figure {
        Figure::Margin(measure) => format!("rule-{}", measure.tag()),
        Figure::Level => "rule-level".to_owned(),
        Figure::Anchors => "rule-anchors".to_owned(),
        Figure::Questions => "rule-questions".to_owned(),
        Figure::Shortcut => "rule-shortcut".to_owned(),
        Figure::General => "rule-general".to_owned(),
        Figure::Attack => "rule-attack".to_owned(),
    }
}

/// A figure that each rule has.
#[component]
fn Plain(
    written: RwSignal<Written>,
    figure: Figure,
    /// What it is called.
    words: String,
    unit: String,
) -> impl IntoView {
    view! {
        <label for=id_of(figure)>{words}</label>
        <span class="row"><Typed written figure/> {unit}</span>
    }
}

/// A figure that a rule may do without: a box, and beside it the figure.
#[component]
fn Optional(
    written: RwSignal<Written>,
    figure: Figure,
    /// What it is called.
    words: String,
) -> impl IntoView {
    let on = Signal::derive(move || written.with(|written| written.asks_for(figure)));
    let tick = move |on: bool| written.update(|written| written.tick(figure, on));
    let unit = if figure.is_hundredfold() {
        t("rule.points")
    } else if figure == Figure::General {
        t("rule.correlation")
    } else {
        t("rule.cosine")
    };
    let label = words.clone();
    view! {
        <Check id=format!("{}-asked", id_of(figure)) on tick>{words}</Check>
        <span class="row">
            <span class="t-small">{t("rule.up_to")}</span>
            <Typed written figure label/>
            {unit}
        </span>
    }
}

/// The field of a figure.
#[component]
fn Typed(
    written: RwSignal<Written>,
    figure: Figure,
    /// What a screen reader calls it, where no label stands beside it.
    #[prop(optional, into)]
    label: Option<String>,
) -> impl IntoView {
    let wrong = Memo::new(move |_| written.with(|written| written.is_wrong(figure)));
    let off = Memo::new(move |_| !written.with(|written| written.asks_for(figure)));
    view! {
        <input
            class="input short-field"
            id=id_of(figure)
            inputmode="decimal"
            autocomplete="off"
            aria-label=label
            aria-invalid=move || wrong.get().to_string()
            disabled=move || off.get()
            prop:value=move || written.with(|written| written.text(figure))
            on:input:target=move |event| written.update(|written| written.put(figure, event.target().value()))
        />
    }
}

/// Keeps a rule as the workspace's own, says so, and offers the one before.
fn keep(app: App, policy: GatePolicy, before: GatePolicy, close: Callback<()>) {
    let kept = call(commands::KeepGatePolicy { policy });
    app.attempt_once(t("wait.rule"), kept, move |()| {
        app.changes.update(|n| *n += 1);
        let undo = Callback::new(move |()| {
            let policy = before.clone();
            let back = call(commands::KeepGatePolicy { policy });
            app.attempt(back, move |()| app.changes.update(|n| *n += 1));
        });
        app.toast.set(Some(Toast {
            text: t("rule.kept"),
            undo: Some(undo),
        }));
        close.try_run(());
    });
}

/// Goes back to the usual rule.
fn keep_usual(app: App, before: GatePolicy, close: Callback<()>) {
    keep(app, GatePolicy::default(), before, close);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test that cannot go on has failed.
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_kept_only_after_its_figures_were_seen() {
        let kept = GatePolicy::default();
        let same = Written::of(&kept);
        let mut other = same.clone();
        other.put(Figure::Level, "90".to_owned());
        let mut wrong = same.clone();
        wrong.put(Figure::Level, "high".to_owned());
        for (written, shown, snapshot, held) in [
            (&same, None, true, Some(Held::Same)),
            (&same, Some(&same), true, Some(Held::Same)),
            (&wrong, None, true, Some(Held::Wrong)),
            (&other, None, true, Some(Held::Unseen)),
            // The figures are those of another rule.
            (&other, Some(&same), true, Some(Held::Unseen)),
            (&other, Some(&other), true, None),
            (&other, None, false, None),
        ] {
            assert_eq!(Held::of(written, &kept, shown, snapshot), held);
        }
    }

    #[test]
    fn a_job_that_was_ended_is_told_from_one_that_failed() {
        let done = |failure: Option<Failure>| Task {
            done: true,
            failure,
            ..Task::begun(4, PLAN, "")
        };
        let failed = |code| Some(Failure::new(code, "message", "hint"));
        let works = [Task::begun(4, PLAN, "")];
        assert_eq!(came_of(&works, 4), None);
        let ended = [done(failed(Code::Cancelled))];
        assert_eq!(came_of(&ended, 4), Some(Came::Ended));
        assert_eq!(came_of(&ended, 5), None, "another job");
        let refused = [done(failed(Code::InvalidRequest))];
        assert!(matches!(came_of(&refused, 4).unwrap(), Came::Failed(_)));
    }

    #[test]
    fn each_field_has_an_id_of_its_own() {
        let ids: std::collections::BTreeSet<String> = Figure::ALL.into_iter().map(id_of).collect();
        assert_eq!(ids.len(), Figure::ALL.len());
    }
}
