//! The rule of the gate: what it is, how often it is right on the newest snapshot, and another one in its place.

mod fields;
mod general;
mod how_often;
mod planned;
mod words;
mod written;

use crate::backend::{call, commands};
use crate::components::dialog::{Foot, Titled};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::t;
use crate::state::{App, use_app};
use crate::toast::Toast;
use fields::RuleFields;
use how_often::{Came, HowOften, PLAN, came_of};
use leptos::prelude::*;
use lexforge_domain::gate::GatePolicy;
use words::Rule;
use written::Written;

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
    /// The reason why the typed rule cannot be stored; `None` if it can. `kept` is the rule that applies now. `shown`
    /// is the rule for which the predicted figures are shown: the user must have seen these figures before the typed
    /// rule is stored. Without a snapshot there are no such figures, and this is not required.
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
    view! {
        <h3>{t("rule.in_use")}</h3>
        <Rule policy=kept/>
        <h3>{t("rule.change")}</h3>
        <RuleFields written/>
        <h3>{t("rule.right")}</h3>
        <HowOften written came snapshot working task plan/>
        <Waiting words=t("wait.rule")/>
        <Keeping written holds held close/>
    }
}

/// The foot of the dialog: keeps what is written or the usual rule, and says why that cannot be done now.
#[component]
fn Keeping(
    written: RwSignal<Written>,
    /// The rule that holds.
    holds: StoredValue<GatePolicy>,
    /// Why what is written cannot be kept now.
    held: Memo<Option<Held>>,
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let keep_written = move |_| {
        let policy = holds.with_value(|kept| written.with_untracked(|now| now.policy(kept)));
        if let Some(policy) = policy {
            keep(app, policy, holds.get_value(), close);
        }
    };
    let keep_usual = move |_| keep(app, GatePolicy::default(), holds.get_value(), close);
    let is_usual = holds.with_value(Written::of) == Written::of(&GatePolicy::default());
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
        <Foot cancel=close before=why_not>
            <button class="btn" id="gate-policy-usual" disabled=move || is_usual || acts() on:click=keep_usual>{t("rule.usual")}</button>
            <button class="btn primary" id="gate-policy-keep" aria-describedby=described disabled=move || acts() || held.get().is_some() on:click=keep_written>{t("rule.keep")}</button>
        </Foot>
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

#[cfg(test)]
mod tests {
    use super::written::Figure;
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
}
