//! Questions of `ssh` to its user: whether a host is the right one, a password, a code. An answer is given only to the
//! command that passes it on, and is never stored.

use super::check::Check;
use super::dialog::{Dialog, Foot};
use super::icon::{Icon, Sign};
use crate::backend::{call, commands};
use crate::clipboard;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Code;
use lexforge_domain::api::{SshAsks, SshQuestion};

/// The oldest question, over everything else.
#[component]
pub fn SshQuestions() -> impl IntoView {
    let app = use_app();
    let oldest = Memo::new(move |_| app.ssh.with(|all| all.first().cloned()));
    move || oldest.get().map(|question| view! { <Question question/> })
}

#[component]
fn Question(
    /// What is asked.
    question: SshQuestion,
) -> impl IntoView {
    let app = use_app();
    let id = question.id;
    let answer = Callback::new(move |answer: Option<String>| {
        spawn_local(async move {
            match call(commands::AnswerSsh { id, answer }).await {
                // `ssh` did not wait any longer. The failed connection reports this itself.
                Err(failure) if failure.code != Code::NotFound => {
                    app.failure.set(Some(failure));
                }
                _ => app.ssh.update(|all| all.retain(|open| open.id != id)),
            }
        });
    });
    let close = Callback::new(move |()| answer.run(None));
    let (icon, title) = match question.asks {
        SshAsks::HostKey { .. } => (Icon::Shield, t("ssh.asks_host_key")),
        SshAsks::Password => (Icon::Lock, t("ssh.asks_password")),
        SshAsks::Code => (Icon::Lock, t("ssh.asks_code")),
        SshAsks::Passphrase => (Icon::Lock, t("ssh.asks_passphrase")),
        SshAsks::Pin => (Icon::Lock, t("ssh.asks_pin")),
        SshAsks::Confirm => (Icon::Question, t("ssh.asks_consent")),
        SshAsks::Touch => (Icon::Question, t("ssh.asks_touch")),
        SshAsks::Other => (Icon::Question, t("ssh.asks_other")),
    };
    let body = match question.asks {
        SshAsks::HostKey {
            host,
            algorithm,
            fingerprint,
        } => host_key(&host, &algorithm, fingerprint, answer),
        SshAsks::Touch => view! {
            <p class="mono">{question.words}</p>
            <div class="row"><button class="btn push" id="ssh-decline" on:click=move |_| close.run(())>{t("action.close")}</button></div>
        }
        .into_any(),
        SshAsks::Confirm => view! {
            <p class="mono">{question.words}</p>
            <Foot cancel=close word=t("ssh.no") id="ssh-decline">
                <button class="btn primary" id="ssh-send" on:click=move |_| answer.run(Some("yes".to_owned()))>{t("ssh.yes")}</button>
            </Foot>
        }
        .into_any(),
        _ => secret(question.words, answer),
    };
    view! {
        <Dialog label=title.clone() close id="ssh-asks" class="padded">
            <h2 class="row"><Sign icon/>{title}</h2>
            <p class="t-small t-mute">{tf("ssh.for", &[("host", &question.host)])}</p>
            {body}
        </Dialog>
    }
}

/// A host that `ssh` has never met: it is trusted only after somebody has compared the fingerprint.
fn host_key(
    host: &str,
    algorithm: &str,
    fingerprint: String,
    answer: Callback<Option<String>>,
) -> AnyView {
    let compared = RwSignal::new(false);
    let copied = RwSignal::new(false);
    let readable = !fingerprint.is_empty();
    let (shown, copy) = (grouped(&fingerprint), fingerprint.clone());
    let trust = move || answer.run(Some(fingerprint.clone()));
    let copying = move || {
        let copy = copy.clone();
        let put = move |_| {
            let text = copy.clone();
            spawn_local(async move { copied.set(clipboard::put(&text).await) });
        };
        view! {
            <button class="btn ghost" id="ssh-copy" disabled=!readable on:click=put>
                {move || if copied.get() { t("ssh.copied") } else { t("ssh.copy") }}
            </button>
        }
    };
    view! {
        <p>{tf("ssh.meets", &[("host", host)])}</p>
        <div class="fingerprint">
            <span class="t-small t-mute">{tf("ssh.shows", &[("algorithm", algorithm)])}</span>
            <span class="mono" id="ssh-fingerprint">{if readable { shown } else { t("ssh.unreadable") }}</span>
        </div>
        <Check id="ssh-compared" on=compared tick=move |on: bool| compared.set(on) off=!readable>
            <span>{t("ssh.compared")}</span>
        </Check>
        <p class="t-small t-mute">{t("ssh.then")}</p>
        <Foot cancel=move |()| answer.run(None) word=t("ssh.decline") id="ssh-decline" before=copying>
            <button class="btn primary" id="ssh-trust" disabled=move || !compared.get() on:click=move |_| trust()>{t("ssh.trust")}</button>
        </Foot>
    }
    .into_any()
}

/// Something that nobody else may read.
fn secret(words: String, answer: Callback<Option<String>>) -> AnyView {
    let field = NodeRef::<Input>::new();
    let send = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let typed = field.value();
        if !typed.is_empty() {
            field.set_value("");
            answer.run(Some(typed));
        }
    };
    view! {
        <div class="field">
            <label for="ssh-answer">{t("ssh.writes")}" "<span class="mono" id="ssh-words">{words}</span></label>
            <input
                class="input"
                id="ssh-answer"
                type="password"
                autocomplete="off"
                spellcheck="false"
                autofocus=true
                node_ref=field
                on:keydown=move |event| {
                    if event.key() == "Enter" && !event.is_composing() {
                        send();
                    }
                }
            />
        </div>
        <p class="t-small t-mute">{t("ssh.kept")}</p>
        <Foot cancel=move |()| answer.run(None) id="ssh-decline">
            <button class="btn primary" id="ssh-send" on:click=move |_| send()>{t("ssh.send")}</button>
        </Foot>
    }
    .into_any()
}

/// A fingerprint in groups of four, as it is read out.
pub fn grouped(fingerprint: &str) -> String {
    let (name, rest) = fingerprint.split_once(':').unwrap_or(("", fingerprint));
    let letters: Vec<char> = rest.chars().collect();
    let groups: Vec<String> = letters
        .chunks(4)
        .map(|four| four.iter().collect())
        .collect();
    let colon = if name.is_empty() { "" } else { ":" };
    format!("{name}{colon}{}", groups.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_in_fours() {
        for (whole, expected) in [
            ("SHA256:abcdefghij", "SHA256:abcd efgh ij"),
            ("abcde", "abcd e"),
            ("", ""),
        ] {
            assert_eq!(grouped(whole), expected);
        }
    }
}
