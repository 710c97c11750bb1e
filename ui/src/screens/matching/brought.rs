//! Imports a mapping collection that others wrote, and shows the result.

use super::deeds::refresh;
use super::place::Over;
use crate::backend::{call, commands};
use crate::components::dialog::Dialog;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::said::Told;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{MatchImport, MatchImported, MatchMissing, MatchMissingWhy};

/// How many of what was not found, and of the breaches, are shown; the command line lists them all.
const SHOWN: usize = 50;

/// Reads in a file that the user names.
pub fn read(app: App) {
    let imported = async move {
        let extensions = vec!["json".to_owned()];
        let Some(path) = call(commands::PickOpen { extensions }).await? else {
            return Ok(None);
        };
        let about = MatchImport::default();
        call(commands::ImportMapping { path, about })
            .await
            .map(Some)
    };
    app.attempt_once(t("wait.mapping"), imported, move |imported| {
        if imported.is_some() {
            let place = app.matching;
            place.brought.set(imported);
            place.over.set(Some(Over::Brought));
            refresh(app);
            app.reload();
        }
    });
}

/// The result of the import.
#[component]
pub fn Brought() -> impl IntoView {
    let place = use_app().matching;
    let close = Callback::new(move |()| place.over.set(None));
    view! {
        <Dialog label=t("match.import_title") close id="match-brought" class="padded">
            <h2>{t("match.import_title")}</h2>
            {move || place.brought.get().map(|imported| view! { <Came imported/> })}
            <div class="row">
                <button class="btn primary push" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
        </Dialog>
    }
}

#[component]
fn Came(imported: MatchImported) -> impl IntoView {
    let count = |n: usize| format::count(n as u64);
    let done = tf(
        "match.import_done",
        &[
            ("found", &count(imported.found)),
            ("maps", &count(imported.maps)),
            ("new", &count(imported.proposed.len())),
            ("linked", &count(imported.proposed.len() - imported.gaps())),
            ("gaps", &count(imported.gaps())),
            ("known", &count(imported.known)),
        ],
    );
    let breaches = (!imported.breaches.is_empty()).then(|| {
        let n = imported.breaches.len() as u64;
        let rows = imported
            .breaches
            .iter()
            .take(SHOWN)
            .map(|breach| view! { <li class="wrap-anywhere"><Told text=breach.text.clone()/></li> })
            .collect_view();
        view! { <Note tone=Tone::Warn>{tn("match.import_breaks", n)}</Note><ul class="t-small" id="match-breaches">{rows}</ul> }
    });
    let missing = (!imported.missing.is_empty()).then(|| {
        let n = imported.missing.len() as u64;
        let rows = imported
            .missing
            .iter()
            .take(SHOWN)
            .map(|one| view! { <li class="wrap-anywhere">{one.named.clone()}" · "{why(one)}</li> })
            .collect_view();
        view! { <Note tone=Tone::Info>{tn("match.import_missing", n)}</Note><ul class="t-small" id="match-missing">{rows}</ul> }
    });
    view! {
        <p class="t-small t-mute wrap-anywhere">{imported.from.file.clone()}" · "{imported.from.title.clone()}" · SHA-256 "{format::short_hash(&imported.from.sha256)}</p>
        <p id="match-import-done">{done}</p>
        <p class="t-small">{t("match.import_open")}</p>
        {breaches}
        {missing}
    }
}

fn why(missing: &MatchMissing) -> String {
    match missing.why {
        MatchMissingWhy::NotFound => t("match.missing_not_found"),
        MatchMissingWhy::SeveralDocuments => t("match.missing_several_documents"),
        MatchMissingWhy::TooWide => t("match.missing_too_wide"),
    }
}
