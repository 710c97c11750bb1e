//! The form for adding a machine or changing one. The form does not connect to the machine.

mod fields;

use super::batch_script::Preview;
use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Waiting;
use crate::i18n::t;
use crate::keys;
use crate::state::use_app;
use fields::{Fields, Queue, is_here, typed};
use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::{Target, TargetPlace};
use lexforge_domain::protocol::SlurmSettings;

#[component]
pub fn Form(
    /// The machine that is changed; none = a new one.
    #[prop(optional)]
    known: Option<Target>,
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let before = StoredValue::new(known);
    let slurm_before = move || before.with_value(|known| known.as_ref()?.slurm.clone());
    let fields = Fields::new(slurm_before().is_some());
    // Several forms can be open at once: the fields of each have names of their own.
    let name = before.with_value(|known| known.as_ref().map(|known| known.name.clone()));
    let ids = Ids(name.map_or_else(String::new, |name| format!("-{name}")));
    let failure = RwSignal::new(None::<Failure>);
    let is_new = before.with_value(Option::is_none);
    let is_here = before.with_value(|known| known.as_ref().is_some_and(is_here));
    focus_first(&ids, is_new, is_here);
    let send = move |_| {
        failure.set(None);
        let slurm = slurm_before().unwrap_or_default();
        let Some(typed) = fields.read(is_here, slurm, failure) else {
            return;
        };
        let known = before.with_value(|known| known.as_ref().map(|known| known.name.clone()));
        let kept = typed.keep(known);
        app.waits
            .attempt(t("wait.machine"), failure, kept, move |_| {
                close.try_run(());
            });
    };
    view! {
        <div class="endpoint" id=ids.of("form")>
            {before.with_value(|known| place_fields(&ids, fields, known.as_ref()))}
            {queue_part(&ids, fields, is_here, slurm_before().unwrap_or_default())}
            <span class="t-small t-mute">{if is_new { t("machines.not_connected") } else { t("machines.change_tip") }}</span>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="row">
                <span class="grow"><Waiting words=t("wait.machine")/></span>
                <button class="btn ghost" on:click=move |_| close.run(())>{t("action.cancel")}</button>
                <button class="btn primary" id=ids.of("keep") disabled=move || app.waits.has(&t("wait.machine")) on:click=send>{if is_new { t("machines.keep") } else { t("machines.keep_change") }}</button>
            </div>
        </div>
    }
}

/// Whoever opened the form types next.
fn focus_first(ids: &Ids, is_new: bool, is_here: bool) {
    let first = ids.of(match (is_new, is_here) {
        (true, _) => "name",
        (false, true) => "folder",
        (false, false) => "host",
    });
    request_animation_frame(move || {
        keys::focus(&format!("[id=\"{first}\"]"));
    });
}

/// Where the machine is and what it costs.
fn place_fields(ids: &Ids, fields: Fields, known: Option<&Target>) -> impl IntoView + use<> {
    let (host, folder) = match known {
        Some(known) => {
            let host = match &known.place {
                TargetPlace::Ssh { host } => host.clone(),
                TargetPlace::Here => String::new(),
            };
            (host, known.folder.clone())
        }
        None => Default::default(),
    };
    let (amount, currency) = known
        .and_then(|known| known.price.clone())
        .map_or_else(Default::default, |price| (price.amount(), price.currency));
    view! {
        {(!known.is_some_and(is_here)).then(|| view! {
            <div class="two">
                {known.is_none().then(|| line(ids.of("name"), t("machines.name"), None, "gpu-01", fields.name, String::new()))}
                {line(ids.of("host"), t("machines.host"), Some(t("machines.host_is")), "gpu-01.example.internal", fields.host, host)}
            </div>
        })}
        {line(ids.of("folder"), t("machines.folder"), Some(t("machines.folder_is")), "~/.lexforge", fields.folder, folder)}
        <div class="two">
            {line(ids.of("price"), t("machines.price"), Some(t("machines.price_is")), "2.40", fields.price, amount)}
            {line(ids.of("currency"), t("machines.currency"), None, "EUR", fields.currency, currency)}
        </div>
    }
}

/// The names of a form's elements.
struct Ids(String);

impl Ids {
    fn of(&self, part: &str) -> String {
        format!("machine-{part}{}", self.0)
    }
}

/// A field with a short label, so that fields beside each other are on one line. Further explanation is below it.
fn line(
    id: String,
    label: String,
    hint: Option<String>,
    example: &'static str,
    node: NodeRef<Input>,
    value: String,
) -> impl IntoView {
    let hint_id = format!("{id}-is");
    let described = hint.is_some().then(|| hint_id.clone());
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <input class="input" id=id type="text" autocomplete="off" spellcheck="false" placeholder=example value=value node_ref=node aria-describedby=described/>
            {hint.map(|hint| view! { <span class="hint" id=hint_id>{hint}</span> })}
        </div>
    }
}

fn lines(
    id: String,
    label: String,
    example: &'static str,
    node: NodeRef<Textarea>,
    value: &[String],
) -> impl IntoView + use<> {
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <textarea class="textarea mono" id=id rows="2" spellcheck="false" placeholder=example node_ref=node>{value.join("\n")}</textarea>
        </div>
    }
}

/// Whether the machine has a queue, the settings of it, and the script that they make.
fn queue_part(
    ids: &Ids,
    fields: Fields,
    is_here: bool,
    before: SlurmSettings,
) -> impl IntoView + use<> {
    let preview = Preview::default();
    let settings = queue_fields(ids, fields.queue, &before);
    let before = StoredValue::new(before);
    let queue_typed = move || {
        let slurm = fields.slurm(before.get_value())??;
        Some((typed(fields.folder), slurm))
    };
    view! {
        {(!is_here).then(|| view! {
            <label class="check">
                <input type="checkbox" id=ids.of("queued") prop:checked=move || fields.queued.get() on:change:target=move |event| fields.queued.set(event.target().checked())/>
                <span>{t("machines.queued")}</span>
            </label>
        })}
        // Without the tick the fields are only hidden. So the typed text is still there when the tick is set again.
        <div hidden=move || !fields.queued.get()>
            <div class="stack g-3" on:change=move |_| preview.follow(queue_typed)>
                {settings}
                {preview.view(queue_typed)}
            </div>
        </div>
    }
}

/// The settings of a queue. Settings that few clusters need are folded.
fn queue_fields(ids: &Ids, queue: Queue, now: &SlurmSettings) -> impl IntoView + use<> {
    let text = |value: &String| value.clone();
    let ranks = match now.ranks {
        0 => String::new(),
        ranks => ranks.to_string(),
    };
    let told = [
        &now.nodes,
        &now.constraint,
        &now.cpus,
        &now.memory,
        &now.container,
    ];
    let open = told.iter().any(|value| !value.is_empty())
        || !(now.modules.is_empty() && now.lines.is_empty());
    let (error, hint) = (ids.of("ranks-error"), ids.of("ranks-is"));
    let described = format!("{hint} {error}");
    let none = || None::<String>;
    view! {
        <div class="two">
            {line(ids.of("partition"), t("machines.partition"), Some(t("machines.partition_is")), "gpu", queue.partition, text(&now.partition))}
            {line(ids.of("account"), t("machines.account"), Some(t("machines.account_is")), "project-17", queue.account, text(&now.account))}
            {line(ids.of("time"), t("machines.time"), Some(t("machines.time_is")), "12:00:00", queue.time, text(&now.time))}
            {line(ids.of("gres"), t("machines.gres"), Some(t("machines.gres_is")), "gpu:1", queue.gres, text(&now.gres))}
            <div class="field">
                <label for=ids.of("ranks")>{t("machines.ranks")}</label>
                <input class="input" id=ids.of("ranks") inputmode="numeric" autocomplete="off" placeholder="1" value=ranks node_ref=queue.ranks aria-describedby=described aria-invalid=move || queue.bad_ranks.get().to_string()/>
                <span class="hint" id=hint>{t("machines.ranks_is")}</span>
                {move || queue.bad_ranks.get().then(|| view! { <span class="err" id=error.clone() role="alert">{t("machines.ranks_error")}</span> })}
            </div>
        </div>
        <details class="history" id=ids.of("more") open=open>
            <summary>{t("machines.more")}</summary>
            <div class="two">
                {line(ids.of("nodes"), t("machines.nodes"), Some(t("machines.nodes_is")), "2", queue.nodes, text(&now.nodes))}
                {line(ids.of("constraint"), t("machines.constraint"), none(), "a100|h100", queue.constraint, text(&now.constraint))}
                {line(ids.of("cpus"), t("machines.cpus"), Some(t("machines.cpus_is")), "8", queue.cpus, text(&now.cpus))}
                {line(ids.of("memory"), t("machines.memory"), Some(t("machines.cpus_is")), "64G", queue.memory, text(&now.memory))}
                {line(ids.of("container"), t("machines.container"), Some(t("machines.container_is")), "apptainer run image.sif", queue.container, text(&now.container))}
                {lines(ids.of("modules"), t("machines.modules"), "cuda/13", queue.modules, &now.modules)}
                {lines(ids.of("lines"), t("machines.lines"), "source /opt/site/setup.sh", queue.lines, &now.lines)}
            </div>
            <span class="hint">{t("machines.lines_are")}</span>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::fields::ranks_of;
    use super::*;

    #[test]
    fn what_is_no_number_of_processes_is_an_error_and_not_none() {
        for (text, expected) in [
            ("", Some(0)),
            ("1", Some(1)),
            ("1024", Some(1024)),
            ("0", None),
            ("1025", None),
            ("two", None),
            ("-1", None),
            ("1.5", None),
        ] {
            assert_eq!(ranks_of(text), expected, "{text}");
        }
    }

    #[test]
    fn two_forms_share_no_names() {
        let (new, known) = (Ids(String::new()), Ids("-box".to_owned()));
        assert_eq!(new.of("host"), "machine-host");
        assert_eq!(known.of("host"), "machine-host-box");
    }
}
