//! Encrypting the open workspace, giving it another passphrase, and taking its encryption away.

use crate::backend::{Answer, call, commands};
use crate::components::check::Check;
use crate::components::error_panel::ErrorPanel;
use crate::components::field::{Field, typed};
use crate::i18n::t;
use crate::state::use_app;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::WorkspaceView;
use lexforge_domain::limits::SHORTEST_PASSPHRASE;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Encrypt,
    Change,
    Decrypt,
}

impl Wanted {
    /// Whether there will be a new passphrase, which can be lost.
    fn is_new(self) -> bool {
        self != Self::Decrypt
    }

    /// Whether the present passphrase is asked for.
    fn needs_present(self) -> bool {
        self != Self::Encrypt
    }

    fn words(self) -> String {
        match self {
            Self::Encrypt => t("encryption.encrypt"),
            Self::Change => t("encryption.change"),
            Self::Decrypt => t("encryption.decrypt"),
        }
    }

    fn lead(self) -> String {
        match self {
            Self::Encrypt => t("encryption.lead_encrypt"),
            Self::Change => t("encryption.lead_change"),
            Self::Decrypt => t("encryption.lead_decrypt"),
        }
    }
}

/// What is wrong with what was typed; none if it can be sent.
fn missing(wanted: Wanted, present: &str, new: &str, again: &str, known: bool) -> Option<String> {
    if wanted.needs_present() && present.is_empty() {
        return Some(t("encryption.no_present"));
    }
    if !wanted.is_new() {
        return None;
    }
    if new.chars().count() < SHORTEST_PASSPHRASE {
        return Some(t("encryption.short"));
    }
    if new != again {
        return Some(t("encryption.differ"));
    }
    (!known).then(|| t("encryption.not_known"))
}

/// What the file is, with the buttons.
#[component]
pub fn Encryption(
    /// Whether the workspace's file is encrypted.
    encrypted: bool,
    /// Called when that has changed.
    #[prop(into)]
    changed: Callback<()>,
) -> impl IntoView {
    let asked = RwSignal::new(None::<Wanted>);
    let (said, offered) = if encrypted {
        (
            t("storage.encrypted"),
            vec![Wanted::Change, Wanted::Decrypt],
        )
    } else {
        (t("storage.not_encrypted"), vec![Wanted::Encrypt])
    };
    let buttons = offered
        .into_iter()
        .map(|wanted| {
            let id = match wanted {
                Wanted::Encrypt => "encrypt-workspace",
                Wanted::Change => "change-passphrase",
                Wanted::Decrypt => "decrypt-workspace",
            };
            view! { <button class="btn sm" id=id on:click=move |_| asked.set(Some(wanted))>{wanted.words()}</button> }
        })
        .collect_view();
    view! {
        <div class="stack g-2" id="encryption">
            <p class="t-small" id="storage-encrypted">{said}</p>
            <div class="row">{buttons}</div>
            {move || asked.get().map(|wanted| view! { <Form wanted asked changed/> })}
        </div>
    }
}

/// The fields for one of the three. One component because every field goes into the one request.
#[component]
fn Form(wanted: Wanted, asked: RwSignal<Option<Wanted>>, changed: Callback<()>) -> impl IntoView {
    let app = use_app();
    let (present, new, again) = (
        NodeRef::<Input>::new(),
        NodeRef::<Input>::new(),
        NodeRef::<Input>::new(),
    );
    let (known, remember, working) = (
        RwSignal::new(false),
        RwSignal::new(false),
        RwSignal::new(false),
    );
    let wrong = RwSignal::new(None::<String>);
    let failed = RwSignal::new(None::<Failure>);
    let send = move |_| {
        let (earlier, passphrase) = (typed(present), typed(new));
        let lacks = missing(
            wanted,
            &earlier,
            &passphrase,
            &typed(again),
            known.get_untracked(),
        );
        wrong.set(lacks.clone());
        failed.set(None);
        if lacks.is_some() || working.get_untracked() {
            return;
        }
        working.set(true);
        let remember = remember.get_untracked();
        spawn_local(async move {
            let done = carried_out(wanted, earlier, passphrase, remember).await;
            working.try_set(false);
            match done {
                Ok(view) => {
                    app.opened(view);
                    asked.try_set(None);
                    changed.run(());
                }
                Err(failure) => {
                    failed.try_set(Some(failure));
                }
            }
        });
    };
    view! {
        <div class="stack g-2" id="encryption-form">
            <p class="t-small">{wanted.lead()}</p>
            {wanted
                .needs_present()
                .then(|| view! { <Passphrase id="passphrase-present" label=t("encryption.present") field=present/> })}
            {wanted.is_new().then(|| view! { <NewPassphrase passphrase=new again known/> })}
            {(wanted == Wanted::Encrypt)
                .then(|| {
                    view! {
                        <Check id="passphrase-remember" on=remember tick=move |on| remember.set(on)>
                            {t("encryption.remember")}
                        </Check>
                    }
                })}
            <div class="row">
                <button class="btn sm" id="encryption-send" disabled=working on:click=send>{wanted.words().trim_end_matches('…').to_owned()}</button>
                <button class="btn ghost sm" disabled=working on:click=move |_| asked.set(None)>{t("action.cancel")}</button>
                {move || working.get().then(|| view! { <span class="t-small waiting" role="status">{t("encryption.working")}</span> })}
            </div>
            {move || wrong.get().map(|text| view! { <span class="t-small" role="alert">{text}</span> })}
            {move || failed.get().map(|failure| view! { <ErrorPanel failure/> })}
        </div>
    }
}

/// Does what is wanted, with the passphrase until now and the new one.
async fn carried_out(
    wanted: Wanted,
    earlier: String,
    passphrase: String,
    remember: bool,
) -> Answer<WorkspaceView> {
    match wanted {
        Wanted::Encrypt => {
            call(commands::EncryptWorkspace {
                passphrase,
                remember,
            })
            .await
        }
        Wanted::Change => {
            call(commands::ChangePassphrase {
                earlier,
                passphrase,
            })
            .await
        }
        Wanted::Decrypt => {
            let passphrase = earlier;
            call(commands::DecryptWorkspace { passphrase }).await
        }
    }
}

/// The new passphrase, twice, with the warning that nobody can open the file without it.
#[component]
fn NewPassphrase(
    passphrase: NodeRef<Input>,
    again: NodeRef<Input>,
    /// Whether the user says that the warning is understood.
    known: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <p class="t-small" role="note">
            <b>{t("encryption.lost")}</b>
        </p>
        <Passphrase id="passphrase-new" label=t("encryption.new") field=passphrase/>
        <Passphrase id="passphrase-again" label=t("encryption.again") field=again/>
        <Check id="passphrase-known" on=known tick=move |on| known.set(on)>
            {t("encryption.known")}
        </Check>
    }
}

/// A field for a passphrase, under its name.
#[component]
fn Passphrase(id: &'static str, label: String, field: NodeRef<Input>) -> impl IntoView {
    view! {
        <Field id label>
            <input class="input" id=id type="password" autocomplete="off" spellcheck="false" node_ref=field/>
        </Field>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_passphrase_is_long_enough_typed_twice_and_known_to_be_all_there_is() {
        let long = "four words together";
        for (wanted, present, new, again, known, lacks) in [
            (Wanted::Encrypt, "", long, long, true, None),
            (
                Wanted::Encrypt,
                "",
                long,
                long,
                false,
                Some("encryption.not_known"),
            ),
            (
                Wanted::Encrypt,
                "",
                "七个字的口令呀",
                "七个字的口令呀",
                true,
                Some("encryption.short"),
            ),
            (
                Wanted::Encrypt,
                "",
                long,
                "four words",
                true,
                Some("encryption.differ"),
            ),
            (
                Wanted::Change,
                "",
                long,
                long,
                true,
                Some("encryption.no_present"),
            ),
            (Wanted::Change, "p", long, long, true, None),
            (
                Wanted::Decrypt,
                "",
                "",
                "",
                false,
                Some("encryption.no_present"),
            ),
            (Wanted::Decrypt, "p", "", "", false, None),
        ] {
            let said = missing(wanted, present, new, again, known);
            let words = lacks.map(|key| match key {
                "encryption.not_known" => t("encryption.not_known"),
                "encryption.short" => t("encryption.short"),
                "encryption.differ" => t("encryption.differ"),
                _ => t("encryption.no_present"),
            });
            assert_eq!(said, words, "{wanted:?} {lacks:?}");
        }
    }
}
