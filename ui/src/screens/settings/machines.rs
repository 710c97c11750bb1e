//! Machines that a training can run on: which there are, what is right and wrong there, bringing the worker to one.

use super::batch_script::BatchScript;
use super::checks::Line as CheckLine;
use super::host_key::HostKeyDialog;
use super::machine_form::Form;
use super::machine_holds::Holds;
use super::packs::Packs;
use crate::backend::{call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn, tnf};
use crate::keys;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{
    Check, Cleaned, KeptThere, Target, TargetList, TargetPlace, UnreadableTarget,
};

/// The kind of the job that brings the worker to a machine.
const INSTALLING: &str = "install";

/// This machine, and those that were added.
#[component]
pub fn Machines() -> impl IntoView {
    let app = use_app();
    let rows = Fetched::<TargetList>::default();
    let turn = RwSignal::new(0_u32);
    let installing = Memo::new(move |_| app.busy(INSTALLING).is_some());
    Effect::new(move |_| {
        turn.track();
        installing.track();
        app.changes.track();
        rows.refresh(call(commands::Targets {}));
    });
    let adding = RwSignal::new(false);
    let changed = Callback::new(move |()| turn.update(|n| *n += 1));
    view! {
        <section class="card" id="machines">
            <div class="card-head">
                <h2>{t("machines.title")}</h2>
                {move || (!adding.get()).then(|| view! {
                    <button class="btn sm push" id="machine-new" on:click=move |_| adding.set(true)>
                        <Sign icon=Icon::Plus small=true/>{t("machines.new")}
                    </button>
                })}
            </div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("machines.lead")}</p>
                {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                <div class="endpoint">
                    <div class="row"><Sign icon=Icon::Chip/><b>{t("machines.here")}</b><span class="badge ok">{t("machines.always")}</span></div>
                    <span class="t-small t-mute">{t("machines.here_is")}</span>
                    <Packs/>
                </div>
                <For
                    each=move || rows.value.get().unwrap_or_default().targets
                    key=Clone::clone
                    children=move |target| view! { <Line target changed/> }
                />
                {move || {
                    let unreadable = rows.value.get().unwrap_or_default().unreadable;
                    unreadable.into_iter().map(|target| view! { <Unreadable target changed/> }).collect_view()
                }}
                {move || adding.get().then(|| view! { <Form close=move |()| {
                    adding.set(false);
                    changed.run(());
                    request_animation_frame(|| {
                        keys::focus("#machine-new");
                    });
                }/> })}
            </div>
        </section>
    }
}

/// Where a machine is, and how its queue is used.
fn place(target: &Target) -> String {
    let host = match &target.place {
        TargetPlace::Ssh { host } => tf("machines.ssh", &[("host", host)]),
        TargetPlace::Here => t("machines.this_queue"),
    };
    let queue = target
        .slurm
        .as_ref()
        .map(|slurm| match slurm.partition.as_str() {
            "" => t("machines.queue_usual"),
            partition => tf("machines.queue", &[("partition", partition)]),
        });
    std::iter::once(host)
        .chain(queue)
        .collect::<Vec<_>>()
        .join(" · ")
}

/// What a machine is asked to do, and what came of it.
#[derive(Clone, Copy)]
struct Work {
    /// The name of the machine.
    name: StoredValue<String>,
    checking: RwSignal<bool>,
    checked: Fetched<Vec<Check>>,
    cleaning: RwSignal<bool>,
    cleaned: Fetched<Cleaned>,
    /// What is kept there is shown, before anything is removed.
    listing: RwSignal<bool>,
    asking: RwSignal<bool>,
    holds: Fetched<KeptThere>,
}

impl Work {
    fn new(name: String) -> Self {
        Self {
            name: StoredValue::new(name),
            checking: RwSignal::new(false),
            checked: Fetched::default(),
            cleaning: RwSignal::new(false),
            cleaned: Fetched::default(),
            listing: RwSignal::new(false),
            asking: RwSignal::new(false),
            holds: Fetched::default(),
        }
    }

    fn check(self) {
        self.checking.set(true);
        self.checked.ask(async move {
            let name = self.name.get_value();
            let found = call(commands::CheckTarget { name }).await;
            self.checking.try_set(false);
            found
        });
    }

    /// Shows what is kept there.
    fn list(self) {
        self.listing.set(true);
        self.asking.set(true);
        let name = self.name.get_value();
        self.holds.ask(async move {
            let found = call(commands::TargetHolds { name }).await;
            self.asking.try_set(false);
            found
        });
    }

    fn clean(self, discard: bool) {
        self.listing.set(false);
        self.cleaning.set(true);
        let name = self.name.get_value();
        self.cleaned.ask(async move {
            let done = call(commands::CleanTarget { name, discard }).await;
            self.cleaning.try_set(false);
            done
        });
    }
}

#[component]
fn Line(
    target: Target,
    /// Something about the machines has changed.
    changed: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let work = Work::new(target.name.clone());
    let name = work.name;
    let asked = RwSignal::new(false);
    let task = Memo::new(move |_| {
        app.busy(INSTALLING)
            .filter(|task| task.title == name.get_value())
    });
    let installing = Memo::new(move |_| task.with(Option::is_some));
    let price = target
        .price
        .as_ref()
        .map(|price| tf("machines.an_hour", &[("price", &price.to_string())]));
    let changing = RwSignal::new(false);
    let has_queue = target.slurm.is_some();
    let by_ssh = matches!(target.place, TargetPlace::Ssh { .. });
    let keys = RwSignal::new(false);
    let known = StoredValue::new(target.clone());
    let worker = match &target.worker {
        Some(worker) => tf("machines.worker", &[("worker", worker)]),
        None => t("machines.no_worker"),
    };
    view! {
        <div class="endpoint machine" data-name=target.name.clone()>
            <div class="row wrap">
                <Sign icon=Icon::Chip/>
                <b class="wrap-anywhere">{target.name.clone()}</b>
                <Buttons work has_worker=target.worker.is_some() keys=by_ssh.then_some(keys) changing asked/>
            </div>
            <HostKeyDialog name open=keys/>
            <span class="t-small">{place(&target)}</span>
            <span class="t-small t-mute">{worker}</span>
            {price.map(|price| view! { <span class="t-small t-mute">{price}</span> })}
            {move || changing.get().then(|| view! {
                <Form known=known.get_value() close=move |()| { changing.set(false); changed.run(()); app.reload(); }/>
            })}
            {has_queue.then(|| view! { <BatchScript name/> })}
            <Removal name asked changed/>
            {move || installing.get().then(|| view! { <Cancellable task/> })}
            {move || app.workspace.with(Option::is_none).then(|| view! { <span class="t-small t-mute">{t("machines.needs_workspace")}</span> })}
            <Outcome work/>
        </div>
    }
}

/// What can be done with a machine.
#[component]
fn Buttons(
    work: Work,
    has_worker: bool,
    /// The keys of the machine are shown; `None` where it has none.
    keys: Option<RwSignal<bool>>,
    /// The form of the machine is open.
    changing: RwSignal<bool>,
    /// Whether it is to be forgotten is being asked.
    asked: RwSignal<bool>,
) -> impl IntoView {
    let app = use_app();
    let install = move |_| {
        let name = work.name.get_value();
        app.attempt(call(commands::InstallTarget { name }), |_| ());
    };
    let can_install = move || app.workspace.with(Option::is_some) && app.busy(INSTALLING).is_none();
    view! {
        <span class="push row wrap g-1">
            <button class="btn sm machine-check" disabled=move || work.checking.get() on:click=move |_| work.check()>{t("machines.check")}</button>
            <button class="btn sm machine-install" disabled=move || !can_install() on:click=install>
                {if has_worker { t("machines.install_again") } else { t("machines.install") }}
            </button>
            {keys.map(|keys| view! {
                <button class="btn ghost sm machine-key" on:click=move |_| keys.set(true)>{t("host_key.show")}</button>
            })}
            <button class="btn ghost sm machine-change" disabled=move || changing.get() on:click=move |_| changing.set(true)>{t("machines.change")}</button>
            <button class="btn ghost sm machine-clean" disabled=move || work.cleaning.get() || work.listing.get() on:click=move |_| work.list()>{t("machines.clean")}</button>
            <button class="btn ghost sm machine-remove" on:click=move |_| asked.set(true)>{t("machines.remove")}</button>
        </span>
    }
}

/// What came of checking and cleaning.
#[component]
fn Outcome(work: Work) -> impl IntoView {
    let Work {
        checking,
        checked,
        cleaning,
        cleaned,
        listing,
        asking,
        holds,
        ..
    } = work;
    let clean = Callback::new(move |()| work.clean(false));
    let put_away = Callback::new(move |()| listing.set(false));
    view! {
        {move || listing.get().then(|| view! { <Holds holds asking clean close=put_away/> })}
        {move || checking.get().then(|| view! { <span class="t-small" role="status">{t("machines.checking")}</span> })}
        {move || cleaning.get().then(|| view! { <span class="t-small" role="status">{t("machines.cleaning")}</span> })}
        {move || checked.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || checked.value.get().filter(|_| !checking.get()).map(|found| view! {
            <table class="table">
                <thead><tr><th>{t("settings.check")}</th><th>{t("settings.state")}</th><th>{t("settings.found")}</th></tr></thead>
                <tbody>{found.into_iter().map(|check| view! { <CheckLine check/> }).collect_view()}</tbody>
            </table>
        })}
        {move || cleaned.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || cleaned.value.get().map(|done| {
            let (words, waiting) = (freed(&done), done.waiting);
            view! {
                <Note tone=Tone::Ok>{words}</Note>
                {(waiting > 0).then(|| view! { <Waiting count=waiting discard=Callback::new(move |()| work.clean(true))/> })}
            }
        })}
    }
}

/// A machine of which the file cannot be read: why, and the button that forgets it.
#[component]
fn Unreadable(
    target: UnreadableTarget,
    /// Something about the machines has changed.
    changed: Callback<()>,
) -> impl IntoView {
    let UnreadableTarget { name, failure } = target;
    let asked = RwSignal::new(false);
    let kept = StoredValue::new(name.clone());
    view! {
        <div class="endpoint machine-unreadable" data-name=name>
            <div class="row wrap">
                <Sign icon=Icon::Chip/>
                <b class="wrap-anywhere">{name.clone()}</b>
                <span class="badge warn">{t("machines.unreadable")}</span>
                <span class="push"><button class="btn ghost sm machine-remove" on:click=move |_| asked.set(true)>{t("machines.remove")}</button></span>
            </div>
            <ErrorPanel failure/>
            <Removal name=kept asked changed/>
        </div>
    }
}

/// The question whether a machine is to be forgotten, while it is asked.
#[component]
fn Removal(
    name: StoredValue<String>,
    /// It is being asked.
    asked: RwSignal<bool>,
    /// Something about the machines has changed.
    changed: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let close = Callback::new(move |()| asked.set(false));
    let remove = Callback::new(move |()| {
        asked.set(false);
        let name = name.get_value();
        app.attempt(call(commands::RemoveTarget { name }), move |_| {
            changed.try_run(());
            app.reload();
        });
    });
    move || {
        asked
            .get()
            .then(|| view! { <Ask name=name.get_value() close remove/> })
    }
}

/// Asks before a machine is forgotten: runs may be at work there.
#[component]
fn Ask(name: String, close: Callback<()>, remove: Callback<()>) -> impl IntoView {
    let title = tf("machines.remove_ask", &[("name", &name)]);
    view! {
        <Dialog label=title.clone() close id="machine-removal" class="padded">
            <h2>{title}</h2>
            <p class="t-small">{t("machines.remove_text")}</p>
            <Foot cancel=close>
                <button class="btn danger" id="machine-removal-do" on:click=move |_| remove.run(())>{t("machines.remove")}</button>
            </Foot>
        </Dialog>
    }
}

/// Results that are only on a machine and nowhere else, and the button that discards them.
#[component]
fn Waiting(count: u64, discard: Callback<()>) -> impl IntoView {
    // Discarded results are lost, so the user is asked once more.
    let sure = RwSignal::new(false);
    let words = move || match sure.get() {
        true => t("machines.discard_sure"),
        false => t("machines.discard"),
    };
    let press = move |_| match sure.get_untracked() {
        true => discard.run(()),
        false => sure.set(true),
    };
    view! {
        <Note tone=Tone::Warn>
            <span class="stack">
                <span>{tn("machines.waiting", count)}</span>
                <button class="btn danger sm machine-discard" on:click=press>{words}</button>
            </span>
        </Note>
    }
}

/// What was removed from a machine, in words.
fn freed(done: &Cleaned) -> String {
    let (kept, megabytes) = (format::count(done.kept), format::count(done.bytes >> 20));
    tnf(
        "machines.cleaned",
        done.jobs,
        &[("kept", &kept), ("freed", &megabytes)],
    )
}
