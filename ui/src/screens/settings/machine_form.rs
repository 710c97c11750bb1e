//! The form for another machine, and for one that is changed. Nothing is connected to by it.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::i18n::t;
use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::{Target, TargetPlace};
use lexforge_domain::protocol::SlurmSettings;

/// Where a machine is, of which the form shows what there is already.
#[derive(Clone, Copy)]
struct Fields {
    name: NodeRef<Input>,
    host: NodeRef<Input>,
    folder: NodeRef<Input>,
    queued: RwSignal<bool>,
    queue: Queue,
}

/// The settings of its queue.
#[derive(Clone, Copy)]
struct Queue {
    partition: NodeRef<Input>,
    account: NodeRef<Input>,
    time: NodeRef<Input>,
    gres: NodeRef<Input>,
    constraint: NodeRef<Input>,
    cpus: NodeRef<Input>,
    memory: NodeRef<Input>,
    ranks: NodeRef<Input>,
    container: NodeRef<Input>,
    modules: NodeRef<Textarea>,
    lines: NodeRef<Textarea>,
}

fn typed(field: NodeRef<Input>) -> String {
    let text = field.get_untracked().map(|f| f.value());
    text.unwrap_or_default().trim().to_owned()
}

fn typed_lines(field: NodeRef<Textarea>) -> Vec<String> {
    let text = field.get_untracked().map(|f| f.value()).unwrap_or_default();
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

impl Fields {
    fn new(queued: bool) -> Self {
        let field = || NodeRef::<Input>::new();
        Self {
            name: field(),
            host: field(),
            folder: field(),
            queued: RwSignal::new(queued),
            queue: Queue {
                partition: field(),
                account: field(),
                time: field(),
                gres: field(),
                constraint: field(),
                cpus: field(),
                memory: field(),
                ranks: field(),
                container: field(),
                modules: NodeRef::new(),
                lines: NodeRef::new(),
            },
        }
    }

    /// What was typed about the queue; what the form does not show stays.
    fn slurm(self, before: SlurmSettings) -> Option<SlurmSettings> {
        let queue = self.queue;
        self.queued.get_untracked().then(|| SlurmSettings {
            partition: typed(queue.partition),
            account: typed(queue.account),
            time: typed(queue.time),
            gres: typed(queue.gres),
            constraint: typed(queue.constraint),
            cpus: typed(queue.cpus),
            memory: typed(queue.memory),
            ranks: typed(queue.ranks).parse().unwrap_or(0),
            container: typed(queue.container),
            modules: typed_lines(queue.modules),
            lines: typed_lines(queue.lines),
            ..before
        })
    }
}

#[component]
pub fn Form(
    /// The machine that is changed; none = a new one.
    #[prop(optional)]
    known: Option<Target>,
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let before = StoredValue::new(known);
    let slurm_before = move || before.with_value(|known| known.as_ref()?.slurm.clone());
    let fields = Fields::new(slurm_before().is_some());
    let failure = RwSignal::new(None::<Failure>);
    let is_new = before.with_value(Option::is_none);
    // The queue of this machine has no host.
    let is_here = before.with_value(|k| k.as_ref().is_some_and(|k| k.place == TargetPlace::Here));
    let send = move |_| {
        let slurm = fields.slurm(slurm_before().unwrap_or_default());
        let place = match is_here {
            true => TargetPlace::Here,
            false => TargetPlace::Ssh {
                host: typed(fields.host),
            },
        };
        let folder = typed(fields.folder);
        let known = before.with_value(|known| known.as_ref().map(|known| known.name.clone()));
        spawn_local(async move {
            let kept = match known {
                Some(name) => {
                    let changed = commands::ChangeTarget {
                        name,
                        place,
                        folder,
                        slurm,
                    };
                    call(changed).await
                }
                None => {
                    let name = typed(fields.name);
                    let added = commands::AddTarget {
                        name,
                        place,
                        folder,
                        slurm,
                    };
                    call(added).await
                }
            };
            match kept {
                Ok(_) => close.run(()),
                Err(problem) => {
                    failure.try_set(Some(problem));
                }
            }
        });
    };
    let (host, folder) = before.with_value(|known| match known {
        Some(known) => {
            let host = match &known.place {
                TargetPlace::Ssh { host } => host.clone(),
                TargetPlace::Here => String::new(),
            };
            (host, known.folder.clone())
        }
        None => Default::default(),
    });
    view! {
        <div class="endpoint" id="machine-form">
            {(!is_here).then(|| view! {
                <div class="two">
                    {is_new.then(|| line("machine-name", t("machines.name"), "gpu-01", fields.name, String::new()))}
                    {line("machine-host", t("machines.host"), "gpu-01.example.internal", fields.host, host)}
                </div>
            })}
            {line("machine-folder", t("machines.folder"), "~/.lexforge", fields.folder, folder)}
            {(!is_here).then(|| view! {
                <label class="row g-1">
                    <input type="checkbox" id="machine-queued" prop:checked=move || fields.queued.get() on:change:target=move |event| fields.queued.set(event.target().checked())/>
                    <span>{t("machines.queued")}</span>
                </label>
            })}
            {move || fields.queued.get().then(|| queue_fields(fields.queue, &slurm_before().unwrap_or_default()))}
            <span class="t-small t-mute">{if is_new { t("machines.not_connected") } else { t("machines.change_tip") }}</span>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="row">
                <button class="btn primary" id="machine-keep" on:click=send>{if is_new { t("machines.keep") } else { t("machines.keep_change") }}</button>
                <button class="btn ghost" on:click=move |_| close.run(())>{t("action.cancel")}</button>
            </div>
        </div>
    }
}

fn line(
    id: &'static str,
    label: String,
    example: &'static str,
    node: NodeRef<Input>,
    value: String,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input class="input" id=id type="text" autocomplete="off" spellcheck="false" placeholder=example value=value node_ref=node/>
        </div>
    }
}

fn lines(
    id: &'static str,
    label: String,
    example: &'static str,
    node: NodeRef<Textarea>,
    value: &[String],
) -> impl IntoView + use<> {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <textarea class="input" id=id rows="2" spellcheck="false" placeholder=example node_ref=node>{value.join("\n")}</textarea>
        </div>
    }
}

/// What a queue is told; what few clusters need is folded away.
fn queue_fields(queue: Queue, now: &SlurmSettings) -> impl IntoView + use<> {
    let text = |value: &String| value.clone();
    let ranks = match now.ranks {
        0 => String::new(),
        ranks => ranks.to_string(),
    };
    let told = [&now.constraint, &now.cpus, &now.memory, &now.container];
    let open = told.iter().any(|value| !value.is_empty())
        || !(now.modules.is_empty() && now.lines.is_empty());
    view! {
        <div class="two">
            {line("machine-partition", t("machines.partition"), "gpu", queue.partition, text(&now.partition))}
            {line("machine-account", t("machines.account"), "project-17", queue.account, text(&now.account))}
            {line("machine-time", t("machines.time"), "12:00:00", queue.time, text(&now.time))}
            {line("machine-gres", t("machines.gres"), "gpu:1", queue.gres, text(&now.gres))}
            <div class="field">
                <label for="machine-ranks">{t("machines.ranks")}</label>
                <input class="input" id="machine-ranks" type="number" min="1" max="1024" placeholder="1" value=ranks node_ref=queue.ranks/>
            </div>
        </div>
        <details class="history" id="machine-more" open=open>
            <summary>{t("machines.more")}</summary>
            <div class="two">
                {line("machine-constraint", t("machines.constraint"), "a100|h100", queue.constraint, text(&now.constraint))}
                {line("machine-cpus", t("machines.cpus"), "8", queue.cpus, text(&now.cpus))}
                {line("machine-memory", t("machines.memory"), "64G", queue.memory, text(&now.memory))}
                {line("machine-container", t("machines.container"), "apptainer run image.sif", queue.container, text(&now.container))}
                {lines("machine-modules", t("machines.modules"), "cuda/13", queue.modules, &now.modules)}
                {lines("machine-lines", t("machines.lines"), "source /opt/site/setup.sh", queue.lines, &now.lines)}
            </div>
        </details>
    }
}
