//! Facts about the program that a support request needs: its version, the devices that it computes on, and its folders.

use super::error_panel::ErrorPanel;
use super::icon::{Icon, Sign};
use crate::backend::{call, commands};
use crate::clipboard;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{About, AboutWorker};

/// Stands for what is still being asked.
const COMING: &str = "…";

/// Something about the program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fact {
    name: String,
    is: String,
    /// It is a place on this machine.
    place: bool,
}

/// The facts, and the button that copies them. Those of the worker come last, because it is started to be asked.
#[component]
pub fn Program(
    /// The program and its places.
    about: About,
    version_id: &'static str,
    /// The id of the button that copies.
    copy_id: &'static str,
) -> impl IntoView {
    let app = use_app();
    let worker = Fetched::<AboutWorker>::default();
    let ask = move || worker.ask(call(commands::AboutWorker {}));
    ask();
    let about = StoredValue::new(about);
    let failed = Memo::new(move |_| worker.failure.with(Option::is_some));
    let comes = Memo::new(move |_| !failed.get() && worker.value.with(Option::is_none));
    let told = move || {
        let open = app
            .workspace
            .with(|ws| ws.as_ref().map(|ws| ws.path.clone()));
        let unknown = match failed.get() {
            true => t("program.worker_unknown"),
            false => COMING.to_owned(),
        };
        let worker = worker.value.get();
        about.with_value(|about| facts(about, worker.as_ref(), &unknown, open))
    };
    let rows = move || {
        let row = |(at, fact): (usize, Fact)| {
            let id = (at == 0).then_some(version_id);
            let class = if fact.place { "mono wrap-anywhere" } else { "" };
            view! { <dt>{fact.name}</dt><dd class=class id=id>{fact.is}</dd> }
        };
        told().into_iter().enumerate().map(row).collect_view()
    };
    let copied = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let text = untrack(|| lines(&told()));
        spawn_local(async move {
            let done = clipboard::put(&text).await;
            copied.try_set(Some(done));
        });
    };
    let came = move || match (comes.get(), copied.get()) {
        (true, _) => t("program.asking"),
        (false, Some(true)) => t("program.copied"),
        (false, Some(false)) => t("program.copy_failed"),
        (false, None) => t("program.copy_tip"),
    };
    view! {
        <dl class="settings-list">{rows}</dl>
        {move || worker.failure.get().map(|failure| view! {
            <ErrorPanel failure><button class="btn sm" on:click=move |_| ask()>{t("action.again")}</button></ErrorPanel>
        })}
        <div class="row wrap">
            <button class="btn" id=copy_id disabled=move || comes.get() on:click=copy><Sign icon=Icon::File/>{t("program.copy")}</button>
            <span class="t-small t-mute" role="status">{came}</span>
        </div>
    }
}

/// What the facts are called, for a search.
pub fn names() -> String {
    let about = About {
        version: String::new(),
        programs: String::new(),
        data: String::new(),
        models: Vec::new(),
        licences_at: String::new(),
        licences: None,
    };
    let names = facts(&about, None, "", None).into_iter();
    names.map(|fact| fact.name).collect::<Vec<_>>().join(" ")
}

/// The facts in their order. `unknown` stands for those of a worker that has not answered.
fn facts(
    about: &About,
    worker: Option<&AboutWorker>,
    unknown: &str,
    open: Option<String>,
) -> Vec<Fact> {
    let of_worker = |is: fn(&AboutWorker) -> String| worker.map_or_else(|| unknown.to_owned(), is);
    let fact = |name: String, is: String, place: bool| Fact { name, is, place };
    let packed = about.licences.is_some();
    let licences = match packed {
        true => about.licences_at.clone(),
        false => t("program.no_package"),
    };
    let models = match about.models.is_empty() {
        true => t("program.no_models"),
        false => format::list(&about.models),
    };
    let is_open = open.is_some();
    let open = open.unwrap_or_else(|| t("top.no_workspace"));
    let version = tf("program.is", &[("version", &about.version)]);
    vec![
        fact(t("program.version"), version, false),
        fact(t("program.programs"), about.programs.clone(), true),
        fact(t("program.licences"), licences, packed),
        fact(t("program.models"), models, !about.models.is_empty()),
        fact(t("program.data"), about.data.clone(), true),
        fact(t("settings.workspace"), open, is_open),
        fact(t("program.libtorch"), of_worker(libtorch), false),
        fact(t("program.devices"), of_worker(devices), false),
    ]
}

/// The build of libtorch, and where it comes from.
fn libtorch(worker: &AboutWorker) -> String {
    let version = &worker.libtorch;
    match (&worker.pack, &worker.libtorch_at) {
        (Some(pack), _) => tf(
            "program.libtorch_of_pack",
            &[("version", version), ("path", pack)],
        ),
        (None, Some(folder)) => tf(
            "program.libtorch_from",
            &[("version", version), ("path", folder)],
        ),
        (None, None) => version.clone(),
    }
}

/// What can be computed on, and why there is no graphics card where one might be expected.
fn devices(worker: &AboutWorker) -> String {
    let devices = format::list(&worker.devices);
    match &worker.cuda_note {
        Some(note) => tf(
            "program.devices_but",
            &[("devices", &devices), ("why", &said(note))],
        ),
        None => devices,
    }
}

/// The facts as plain text, a line each.
fn lines(facts: &[Fact]) -> String {
    let line = |fact: &Fact| tf("program.line", &[("name", &fact.name), ("is", &fact.is)]);
    facts.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    fn about(licences: Option<&str>, models: &[&str]) -> About {
        About {
            version: "0.1.0".to_owned(),
            programs: "/opt/lexforge".to_owned(),
            data: "/var/lib/lexforge".to_owned(),
            models: models.iter().map(|&folder| folder.to_owned()).collect(),
            licences_at: "/opt/lexforge/doc/LICENSES.txt".to_owned(),
            licences: licences.map(str::to_owned),
        }
    }

    #[test]
    fn what_is_copied_names_version_places_and_libtorch() {
        speak(Lang::En);
        let cpu = AboutWorker {
            version: "0.1.0".to_owned(),
            libtorch: "2.11.0+cpu".to_owned(),
            libtorch_at: Some("/opt/lexforge/libtorch/lib".to_owned()),
            pack: None,
            devices: vec!["cpu".to_owned()],
            cuda_note: None,
        };
        let cuda = AboutWorker {
            libtorch: "2.11.0+cu128".to_owned(),
            pack: Some("/packs/one".to_owned()),
            devices: vec!["cpu".to_owned(), "cuda:0".to_owned()],
            ..cpu.clone()
        };
        let packed = about(Some("texts"), &["/opt/lexforge/models", "/m"]);
        let text = |worker, open: Option<&str>| {
            lines(&facts(
                &packed,
                worker,
                "not known",
                open.map(str::to_owned),
            ))
        };
        for (text, parts) in [
            (
                text(Some(&cpu), Some("/w/bank.lexforge")),
                [
                    "Lexforge 0.1.0, licensed under Apache-2.0",
                    ": /opt/lexforge/doc/LICENSES.txt",
                    ": /opt/lexforge/models, /m",
                    ": /w/bank.lexforge",
                    "2.11.0+cpu, loaded from /opt/lexforge/libtorch/lib",
                ],
            ),
            (
                text(Some(&cuda), None),
                [
                    "2.11.0+cu128",
                    "/packs/one",
                    "cpu, cuda:0",
                    ": /opt/lexforge",
                    ": No workspace",
                ],
            ),
            (
                text(None, None),
                [
                    "libtorch: not known",
                    "0.1.0",
                    "/var/lib/lexforge",
                    ": No workspace",
                    ": not known",
                ],
            ),
        ] {
            for part in parts {
                assert!(text.contains(part), "{part} is not in {text}");
            }
            assert_eq!(text.lines().count(), 8, "{text}");
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        speak(Lang::En);
        let facts = facts(&about(None, &[]), None, COMING, None);
        let places: Vec<&str> = facts
            .iter()
            .filter(|fact| fact.place)
            .map(|fact| fact.is.as_str())
            .collect();
        assert_eq!(places, ["/opt/lexforge", "/var/lib/lexforge"]);
        assert!(facts.iter().all(|fact| !fact.is.is_empty()));
        assert!(names().contains("libtorch"));
    }
}
