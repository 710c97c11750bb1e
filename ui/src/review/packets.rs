//! Files of the review: a packet for a colleague, one's answer to a packet, glossaries.

use super::outcome::Outcome;
use crate::backend::{Answer, call, commands};
use crate::components::dialog::{Dialog, Foot};
use crate::components::error_panel::ErrorPanel;
use crate::components::field::{Field, typed};
use crate::components::icon::Icon;
use crate::components::menu::Item;
use crate::components::person::ChooseRole;
use crate::components::waiting::Waiting;
use crate::i18n::t;
use crate::state::{App, use_app};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{GlossaryFormat, LookAlike, MergeRequest, PacketRequest, QueueFilter};
use lexforge_domain::review::Role;
use lexforge_domain::{Code, Failure};

/// The ending of a packet's file.
const PACKET: &str = "lexpacket";
/// The ending of an answer's file.
const ANSWER: &str = "lexanswer";

const FORMATS: [(GlossaryFormat, &str); 4] = [
    (GlossaryFormat::Csv, "csv"),
    (GlossaryFormat::Tbx, "tbx"),
    (GlossaryFormat::Skos, "ttl"),
    (GlossaryFormat::Json, "json"),
];

/// Asks for a file with one of these endings.
fn file_ending_in(endings: &[&str]) -> commands::PickOpen {
    commands::PickOpen {
        extensions: endings.iter().map(|ending| (*ending).to_owned()).collect(),
    }
}

/// Asks for a packet and for a place, and makes a workspace of one's own from the packet.
pub fn open(app: App) {
    app.attempt_once(
        t("wait.open"),
        async {
            let Some(packet) = call(file_ending_in(&[PACKET])).await? else {
                return Ok(None);
            };
            match call(commands::PickNewWorkspace {}).await? {
                Some(path) => call(commands::OpenPacket {
                    packet,
                    workspace: path,
                })
                .await
                .map(Some),
                None => Ok(None),
            }
        },
        move |view| {
            if let Some(view) = view {
                app.opened(view);
                app.go(crate::route::Route::Terms);
            }
        },
    );
}

/// Writes one's own decisions for the colleague who sent the packet.
pub fn answer(app: App) {
    let person = app
        .people
        .with_untracked(|people| people.as_ref().map(|p| p.me.name.clone()))
        .unwrap_or_default();
    app.attempt_once(
        t("wait.answer"),
        async move {
            let name = format!("{}.{ANSWER}", file_name(&person));
            match call(commands::PickSave {
                name,
                extension: ANSWER.to_owned(),
            })
            .await?
            {
                Some(path) => call(commands::WriteAnswer { path: path.clone() })
                    .await
                    .map(|report| Some((report, path))),
                None => Ok(None),
            }
        },
        move |written| {
            if let Some((report, path)) = written {
                app.outcome.set(Some(Outcome::Answer(report, path)));
            }
        },
    );
}

/// Takes in the decisions of a colleague.
pub fn merge(app: App) {
    let picked = call(file_ending_in(&[ANSWER]));
    app.attempt_once(t("wait.choose"), picked, move |path| {
        if let Some(path) = path {
            merge_as(app, path, MergeRequest::default());
        }
    });
}

/// Takes in an answer in this way. What must be said first is asked: who the colleague is, or what the packet held.
pub fn merge_as(app: App, path: String, request: MergeRequest) {
    spawn_local(async move {
        let merged = call(commands::MergeAnswer {
            path: path.clone(),
            request: request.clone(),
        });
        let Some(merged) = app.waits.during(t("wait.merge"), merged).await else {
            return;
        };
        match merged {
            Ok(report) => {
                app.failure.set(None);
                app.outcome.set(Some(Outcome::Merged(report)));
                app.reload();
            }
            Err(failure) if matches!(failure.code, Code::NameAlike | Code::PacketUnrecorded) => {
                app.outcome
                    .set(Some(Outcome::MergeAsks(failure, path, request)));
            }
            Err(failure) => {
                app.outcome.set(None);
                app.failure.set(Some(failure));
            }
        }
    });
}

/// Asks for the packet that is answered, and goes on with it.
pub fn merge_with_packet(app: App, path: String, request: MergeRequest) {
    let picked = call(file_ending_in(&[PACKET]));
    app.attempt_once(t("wait.choose"), picked, move |packet| {
        if let Some(packet) = packet {
            merge_as(
                app,
                path,
                MergeRequest {
                    packet: Some(packet.into()),
                    ..request
                },
            );
        }
    });
}

/// Takes in a glossary; its format goes by the file's ending.
pub fn import(app: App) {
    app.attempt_once(
        t("wait.import_glossary"),
        async {
            let glossary = file_ending_in(&["csv", "tsv", "tbx", "xml", "ttl", "json"]);
            let Some(path) = call(glossary).await? else {
                return Ok(None);
            };
            let ending = path.rsplit('.').next().unwrap_or_default();
            let format = GlossaryFormat::of_extension(ending).unwrap_or(GlossaryFormat::Csv);
            call(commands::ImportGlossary { path, format })
                .await
                .map(Some)
        },
        move |report| {
            if let Some(report) = report {
                app.outcome.set(Some(Outcome::Imported(report)));
                app.reload();
            }
        },
    );
}

fn export(app: App, format: GlossaryFormat, ending: &'static str) {
    app.attempt_once(
        t("wait.export_glossary"),
        async move {
            let name = format!("glossary.{ending}");
            let Some(path) = call(commands::PickSave {
                name,
                extension: ending.to_owned(),
            })
            .await?
            else {
                return Ok(None);
            };
            let terms = call(commands::ExportGlossary {
                path: path.clone(),
                format,
            })
            .await?;
            Ok(Some((terms, path)))
        },
        move |written| {
            if let Some((report, path)) = written {
                app.outcome.set(Some(Outcome::Exported(report, path)));
            }
        },
    );
}

fn file_name(text: &str) -> String {
    let name: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    if name.is_empty() {
        "review".to_owned()
    } else {
        name
    }
}

/// The deeds with files, for a menu.
pub fn items(app: App, glossaries: bool) -> Vec<Item> {
    let item = |id, icon, name, run: Callback<()>| Item {
        id,
        icon,
        name,
        run,
    };
    let mut items = vec![
        item(
            "merge-answer",
            Icon::Merge,
            t("packet.merge"),
            Callback::new(move |()| merge(app)),
        ),
        item(
            "open-packet",
            Icon::Folder,
            t("packet.open"),
            Callback::new(move |()| open(app)),
        ),
    ];
    if glossaries {
        items.push(item(
            "import-glossary",
            Icon::Plus,
            t("glossary.import"),
            Callback::new(move |()| import(app)),
        ));
        let ids = ["export-csv", "export-tbx", "export-skos", "export-json"];
        let names = [
            t("glossary.export_csv"),
            t("glossary.export_tbx"),
            t("glossary.export_skos"),
            t("glossary.export_json"),
        ];
        for ((id, name), (format, ending)) in ids.into_iter().zip(names).zip(FORMATS) {
            items.push(item(
                id,
                Icon::Out,
                name,
                Callback::new(move |()| export(app, format, ending)),
            ));
        }
    }
    items
}

/// A failure. If it asks whether a similar name is the same person, it is shown with the two answers.
pub fn asked(failure: Failure, answered: Callback<LookAlike>) -> AnyView {
    if failure.code != Code::NameAlike {
        return view! { <ErrorPanel failure/> }.into_any();
    }
    view! {
        <ErrorPanel failure>
            <button class="btn sm" id="name-same" on:click=move |_| answered.run(LookAlike::Same)>{t("people.same")}</button>
            <button class="btn sm" id="name-another" on:click=move |_| answered.run(LookAlike::Another)>{t("people.another")}</button>
        </ErrorPanel>
    }
    .into_any()
}

/// Writes a packet into a file that the user names; `None` if they name none.
async fn write_packet(request: PacketRequest) -> Answer<Option<Outcome>> {
    let picked = call(commands::PickSave {
        name: format!("{}.{PACKET}", file_name(&request.person)),
        extension: PACKET.to_owned(),
    });
    let Some(path) = picked.await? else {
        return Ok(None);
    };
    let written = call(commands::WritePacket {
        request,
        path: path.clone(),
    });
    Ok(Some(Outcome::Packet(written.await?, path)))
}

/// The names of all people of the workspace but oneself.
fn colleagues(app: App) -> Vec<String> {
    let view = app.people.get_untracked();
    view.map_or_else(Vec::new, |view| {
        let others = view.people.into_iter();
        let others = others.filter(|person| person.id != view.me.id);
        others.map(|person| person.name).collect()
    })
}

/// The names of these people, to choose one from.
#[component]
fn Known() -> impl IntoView {
    colleagues(use_app())
        .into_iter()
        .map(|name| view! { <option value=name></option> })
        .collect_view()
}

/// For whom a packet is and how much of the queue is in it.
#[component]
pub fn PacketForm(
    /// What the queue holds.
    filter: QueueFilter,
    /// Items that the queue holds.
    held: u64,
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let (name, most) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let role = RwSignal::new(Role::DomainExpert);
    let failure = RwSignal::new(None::<Failure>);
    let empty = RwSignal::new(true);
    let write = move |like: LookAlike| {
        let request = PacketRequest {
            person: typed(name).trim().to_owned(),
            role: role.get_untracked(),
            filter: filter.clone(),
            most: typed(most).trim().parse().unwrap_or(0),
            like,
        };
        let written = write_packet(request);
        app.waits
            .attempt(t("wait.packet"), failure, written, move |written| {
                if written.is_some() {
                    app.outcome.set(written);
                    app.reload();
                    close.try_run(());
                }
            });
    };
    let press = write.clone();
    let idle = move || !empty.get() && !app.waits.has(&t("wait.packet"));
    view! {
        <Dialog label=t("packet.export") close id="packet-form" class="padded">
                <h2>{t("packet.export")}</h2>
                <p class="t-small">{t("packet.lead")}</p>
                <div class="two">
                    <Field id="packet-person" label=t("packet.person")>
                        <input class="input" id="packet-person" autofocus=true list="packet-people" node_ref=name autocomplete="off" on:input:target=move |event| empty.set(event.target().value().trim().is_empty())/>
                        <datalist id="packet-people"><Known/></datalist>
                    </Field>
                    <ChooseRole id="packet-role" role/>
                </div>
                <Field id="packet-most" label=t("packet.most") hint=t("packet.most_hint")>
                    <input class="input" id="packet-most" type="number" min="1" max=held.to_string() placeholder=held.to_string() node_ref=most/>
                </Field>
                {move || failure.get().map(|failure| asked(failure, Callback::new(write.clone())))}
                <Waiting words=t("wait.packet")/>
                <Foot cancel=close before=move || view! {
                    <span class="t-small t-mute">{move || if empty.get() { t("packet.name_first") } else { t("packet.leaves") }}</span>
                }>
                    <button class="btn primary" id="packet-write" disabled=move || !idle() on:click=move |_| press(LookAlike::Ask)>{t("packet.write")}</button>
                </Foot>
        </Dialog>
    }
}
