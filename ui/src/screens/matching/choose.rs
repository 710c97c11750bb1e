//! Which documents are rules and which are policies; what makes the vectors; and why a matching failed.

use super::deeds::{MATCHING, begin};
use super::failed::Failed;
use super::running::Running;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::picker::Picker;
use crate::fetched::Fetched;
use crate::format::today;
use crate::i18n::{t, tag, tf};
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{BaseRow, DocumentRow, MatchRequest};
use lexforge_domain::text::Language;
use std::collections::BTreeSet;

/// The choice "words alone" among the encoders.
const WORDS: &str = "words";

/// The choice, and what a matching is.
#[component]
pub fn Choose() -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let place = app.matching;
    let asked = place.asked;
    let bases: Fetched<Vec<BaseRow>> = Fetched::default();
    bases.ask(call(commands::BaseModels {}));
    let none = move || {
        reading
            .documents
            .value
            .with(|d| d.as_ref().is_some_and(Vec::is_empty))
    };
    // The newest matching is shown as soon as it is there.
    let ended = Memo::new(move |before: Option<&(bool, Option<String>)>| {
        let made = place
            .overview
            .value
            .with(|o| o.as_ref().and_then(|o| o.as_ref().map(|o| o.made.clone())));
        let began = before.is_some_and(|(_, old)| old.is_some() && *old != made);
        (began, made)
    });
    Effect::new(move |_| {
        if ended.get().0 {
            place.choosing.set(false);
        }
    });
    view! {
        <div class="scroll" data-pane="choose">
            <div class="m-choose">
                <div class="stack g-1">
                    <h2 class="m-question">{t("match.question")}</h2>
                    <p class="t-lead">{t("match.question_text")}</p>
                </div>
                {move || none().then(|| view! { <NoDocument/> })}
                <Failed/>
                {move || (!none()).then(|| view! { <Form asked bases/> })}
                <div class="m-steps">
                    <section><h3>{t("match.step_rules")}</h3><p>{t("match.step_rules_text")}</p></section>
                    <section><h3>{t("match.step_policies")}</h3><p>{t("match.step_policies_text")}</p></section>
                    <section><h3>{t("match.step_result")}</h3><p>{t("match.step_result_text")}</p></section>
                </div>
                <Note tone=Tone::Info>{t("match.languages")}</Note>
            </div>
        </div>
    }
}

/// Nothing can be matched before there are documents.
#[component]
fn NoDocument() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="m-drop">
            <Sign icon=Icon::Up/>
            <span class="grow stack g-0">
                <b>{t("match.nothing")}</b>
                <span class="t-small t-mute">{t("match.nothing_text")}</span>
            </span>
            <button class="btn primary" id="match-import" on:click=move |_| app.import()>{t("action.import")}</button>
        </div>
    }
}

#[component]
fn Form(asked: RwSignal<MatchRequest>, bases: Fetched<Vec<BaseRow>>) -> impl IntoView {
    let looking = move || bases.value.with(Option::is_none) && bases.failure.with(Option::is_none);
    view! {
        <Documents asked/>
        <div class="row wrap">
            <label class="t-small" for="match-encoder">{t("match.encoder")}</label>
            <Encoder asked bases/>
            <label class="check t-small">
                <input
                    type="checkbox"
                    id="match-everyone"
                    prop:checked=move || asked.with(|asked| asked.everyone)
                    on:change:target=move |event| {
                        let on = event.target().checked();
                        asked.update(|asked| asked.everyone = on);
                    }
                />
                <span>{t("match.everyone")}</span>
            </label>
            <Rest asked/>
        </div>
        <Apart asked/>
        {move || looking().then(|| view! { <p class="t-small t-mute waiting" role="status">{t("wait.bases")}</p> })}
        {move || bases.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        <Begin asked/>
    }
}

/// Says before anything is matched that words of two languages cannot be compared, as long as no encoder was chosen.
#[component]
fn Apart(asked: RwSignal<MatchRequest>) -> impl IntoView {
    let reading = use_reading();
    let found = Memo::new(move |_| {
        let documents = reading.documents.value.get().unwrap_or_default();
        let of = |ids: &[DocumentId]| -> BTreeSet<Language> {
            let chosen = documents.iter().filter(|d| ids.contains(&d.id));
            chosen.map(|d| d.language).collect()
        };
        asked.with(|asked| {
            let by_words = asked.words_alone || asked.encoder.is_none();
            let (rules, policies) = (of(&asked.rules), of(&asked.policies));
            (by_words && are_apart(&rules, &policies)).then_some((rules, policies))
        })
    });
    let told = |languages: &BTreeSet<Language>| {
        let names: Vec<String> = languages.iter().map(|l| tag("language", l.tag())).collect();
        crate::format::list(&names)
    };
    move || {
        found.get().map(|(rules, policies)| {
            let names = [("rules", told(&rules)), ("policies", told(&policies))];
            let names = names.each_ref().map(|(name, of)| (*name, of.as_str()));
            let text = tf("match.languages_apart", &names);
            view! { <div id="match-apart"><Note tone=Tone::Warn>{text}</Note></div> }
        })
    }
}

/// Whether no document of one side is in a language of the other. A text in an unknown language is read like English.
fn are_apart(rules: &BTreeSet<Language>, policies: &BTreeSet<Language>) -> bool {
    let read = |languages: &BTreeSet<Language>| -> BTreeSet<Language> {
        let read_as = |language: &Language| match language {
            Language::Other => Language::En,
            known => *known,
        };
        languages.iter().map(read_as).collect()
    };
    !rules.is_empty() && !policies.is_empty() && read(rules).is_disjoint(&read(policies))
}

/// The documents, each with its two roles.
#[component]
fn Documents(asked: RwSignal<MatchRequest>) -> impl IntoView {
    let reading = use_reading();
    let rows = move || {
        let documents = reading.documents.value.get().unwrap_or_default();
        documents
            .into_iter()
            .map(|document| view! { <Row document asked/> })
            .collect_view()
    };
    view! {
        <div class="card table-wrap">
            <table class="table" id="match-documents">
                <thead><tr>
                    <th>{t("match.document")}</th>
                    <th>{t("match.version")}</th>
                    <th class="num">{t("match.sentences")}</th>
                    <th>{t("match.role_rules")}</th>
                    <th>{t("match.role_policies")}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// Chooses as policies all documents that were not chosen as rules. There may be dozens of them. Documents that are not
/// in force today are left out.
#[component]
fn Rest(asked: RwSignal<MatchRequest>) -> impl IntoView {
    let reading = use_reading();
    let take = move |_| {
        let documents = reading.documents.value.get_untracked().unwrap_or_default();
        let today = today();
        let is_out = |d: &&DocumentRow| d.out_of_force(&today).is_some();
        let out: Vec<_> = documents.iter().filter(is_out).map(|d| d.id).collect();
        let documents: Vec<_> = documents.iter().map(|d| (d.id, d.predecessor)).collect();
        asked.update(|asked| {
            let mut others = rest(&documents, &asked.rules);
            others.retain(|id| !out.contains(id));
            asked.policies = others;
        });
    };
    let none = move || asked.with(|asked| asked.rules.is_empty());
    view! {
        <button class="btn ghost sm push" id="match-rest" disabled=none on:click=take>{t("match.rest")}</button>
    }
}

/// The documents, each with the one whose newer version it is, that are not among the rules and have no newer version.
fn rest(documents: &[(DocumentId, Option<DocumentId>)], rules: &[DocumentId]) -> Vec<DocumentId> {
    let is_old = |id| documents.iter().any(|(_, before)| *before == Some(id));
    let ids = documents.iter().map(|(id, _)| *id);
    ids.filter(|id| !rules.contains(id) && !is_old(*id))
        .collect()
}

/// Begins to match, or says what is missing; and the way back to what was matched before.
#[component]
fn Begin(asked: RwSignal<MatchRequest>) -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let working = Memo::new(move |_| app.busy(MATCHING).is_some());
    let missing = Memo::new(move |_| {
        asked.with(
            |asked| match (asked.rules.is_empty(), asked.policies.is_empty()) {
                (true, true) => Some(t("match.needs_both")),
                (true, false) => Some(t("match.needs_rules")),
                (false, true) => Some(t("match.needs_policies")),
                (false, false) => None,
            },
        )
    });
    let matched = Memo::new(move |_| place.overview.value.with(|o| matches!(o, Some(Some(_)))));
    view! {
        <div class="row wrap m-begin">
            {move || if working.get() {
                view! { <Running/> }.into_any()
            } else {
                view! {
                    <button class="btn primary lg" id="match-begin" disabled=move || missing.get().is_some() on:click=move |_| begin(app, asked.get_untracked())>
                        {t("match.begin")}
                    </button>
                }.into_any()
            }}
            {move || matched.get().then(|| view! {
                <button class="btn ghost lg" id="match-back" on:click=move |_| place.choosing.set(false)>{t("match.back")}</button>
            })}
            <span class="t-small t-mute" id="match-missing">{move || missing.get()}</span>
            <button class="btn ghost sm push" on:click=move |_| app.import()>{t("action.import")}</button>
        </div>
    }
}

/// A document with its two roles.
#[component]
fn Row(document: DocumentRow, asked: RwSignal<MatchRequest>) -> impl IntoView {
    let id = document.id;
    let title = document.title.clone();
    let version = document.metadata.version.clone().unwrap_or_default();
    let owner = document.metadata.owner.as_ref();
    let about = [
        Some(tag("language", document.language.tag())),
        document.metadata.date.clone(),
        owner.map(|owner| tf("match.kept_by", &[("owner", owner)])),
        Some(document.file.clone()),
    ];
    let about: Vec<String> = about.into_iter().flatten().collect();
    let about = about.join(" · ");
    let role = move |of: fn(&MatchRequest) -> &Vec<DocumentId>,
                     change: fn(&mut MatchRequest) -> &mut Vec<DocumentId>,
                     name: String,
                     id_of: String| {
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    id=id_of
                    aria-label=name
                    prop:checked=move || asked.with(|asked| of(asked).contains(&id))
                    on:change:target=move |event| {
                        let on = event.target().checked();
                        asked.update(|asked| {
                            let side = change(asked);
                            side.retain(|known| *known != id);
                            if on {
                                side.push(id);
                            }
                        });
                    }
                />
            </label>
        }
    };
    view! {
        <tr>
            <td><b class="wrap-anywhere">{title.clone()}</b><br/><span class="t-small t-mute wrap-anywhere">{about}</span></td>
            <td class="t-small">{version}</td>
            <td class="num">{crate::format::count(u64::from(document.sentences))}</td>
            <td>{role(|a| &a.rules, |a| &mut a.rules, tf("match.as_rules", &[("title", &title)]), format!("rules-{id}"))}</td>
            <td>{role(|a| &a.policies, |a| &mut a.policies, tf("match.as_policies", &[("title", &title)]), format!("policies-{id}"))}</td>
        </tr>
    }
}

/// What makes the vectors.
#[component]
fn Encoder(asked: RwSignal<MatchRequest>, bases: Fetched<Vec<BaseRow>>) -> impl IntoView {
    let choices = Signal::derive(move || {
        let mut choices = vec![(WORDS.to_owned(), t("match.words_alone"))];
        let rows = bases.value.get().unwrap_or_default();
        let usable = rows
            .into_iter()
            .filter(|b| !b.decoder && b.problem.is_none());
        choices.extend(usable.map(|base| (base.path.unwrap_or(base.name.clone()), base.name)));
        choices
    });
    let now = Signal::derive(move || {
        asked.with(|asked| {
            if asked.words_alone {
                Some(WORDS.to_owned())
            } else {
                asked.encoder.clone()
            }
        })
    });
    let chosen = move |value: String| {
        asked.update(|asked| {
            asked.words_alone = value == WORDS;
            asked.encoder = Some(value).filter(|v| !v.is_empty() && v != WORDS);
        });
    };
    view! { <Picker all=t("match.usual_encoder") choices now chosen id="match-encoder"/> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_without_a_common_language_are_apart() {
        use Language::{En, Ko, Other, Zh};
        for (rules, policies, expected) in [
            (&[En][..], &[Zh][..], true),
            (&[En, Zh], &[Zh], false),
            (&[En], &[Other], false),
            (&[Zh], &[Other, Ko], true),
            (&[], &[Zh], false),
            (&[En], &[], false),
        ] {
            let set = |side: &[Language]| side.iter().copied().collect::<BTreeSet<_>>();
            assert_eq!(
                are_apart(&set(rules), &set(policies)),
                expected,
                "{rules:?} {policies:?}"
            );
        }
    }

    #[test]
    fn the_rest_are_the_newest_of_all_others() {
        let [rules, old, new, other] = [1, 2, 3, 4].map(DocumentId);
        let documents = [(rules, None), (old, None), (new, Some(old)), (other, None)];
        assert_eq!(rest(&documents, &[rules]), [new, other]);
        assert_eq!(rest(&documents, &[rules, new, other]), []);
    }
}
