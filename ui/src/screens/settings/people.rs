//! Who reviews in this workspace: name, role, share, and under whose name decisions are made here.

use crate::attempt::attempt;
use crate::backend::{call, commands};
use crate::components::field::{Field, typed};
use crate::components::icon::{Icon, Sign};
use crate::components::person::{Avatar, ChooseRole};
use crate::components::picker::Picker;
use crate::i18n::{t, tag, tf};
use crate::review::packets::asked;
use crate::state::{App, use_app};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::LookAlike;
use lexforge_domain::review::{Person, Role};

#[component]
pub fn People() -> impl IntoView {
    let app = use_app();
    let adding = RwSignal::new(false);
    if app.workspace.with_untracked(Option::is_some) {
        spawn_local(app.read_people());
    }
    let people = Memo::new(move |_| {
        app.people
            .with(|view| view.as_ref().map(|view| (view.people.clone(), view.me.id)))
    });
    let open = move || app.workspace.with(Option::is_some);
    let rows = move || {
        let (people, me) = people.get()?;
        let sum: u64 = people.iter().map(|p| u64::from(p.share)).sum();
        let rows = people.into_iter().map(|person| {
            let mine = person.id == me;
            view! { <Line person mine sum/> }
        });
        Some(view! {
            <table class="table" id="people-table">
                <thead><tr>
                    <th>{t("people.name")}</th>
                    <th>{t("people.role")}</th>
                    <th class="num">{t("people.share")}</th>
                    <th></th>
                </tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        })
    };
    view! {
        <section class="card" id="people">
            <div class="card-head">
                <h2>{t("people.title")}</h2>
                {move || (open() && !adding.get()).then(|| view! {
                    <button class="btn sm push" id="person-new" on:click=move |_| adding.set(true)>
                        <Sign icon=Icon::Plus small=true/>{t("people.new")}
                    </button>
                })}
            </div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("people.lead")}</p>
                {move || (!open()).then(|| view! { <p class="t-small">{t("people.no_workspace")}</p> })}
                <div class="table-wrap">{rows}</div>
                {move || adding.get().then(|| view! { <Form close=move |()| adding.set(false)/> })}
            </div>
        </section>
    }
}

fn put(app: App, name: String, role: Role, share: u32) {
    app.attempt(
        async move {
            call(commands::PutPerson {
                name,
                role,
                share,
                like: LookAlike::Ask,
            })
            .await?;
            call(commands::People {}).await
        },
        move |people| app.people.set(Some(people)),
    );
}

#[component]
fn Line(person: Person, mine: bool, sum: u64) -> impl IntoView {
    let app = use_app();
    let name = StoredValue::new(person.name.clone());
    let (role, share, id) = (person.role, person.share, person.id);
    let roles = Role::ALL
        .map(|role| (role.tag().to_owned(), tag("role", role.tag())))
        .to_vec();
    let part = (sum > 0 && share > 0).then(|| {
        tf(
            "people.part",
            &[(
                "part",
                &format!("{:.0}", f64::from(share) * 100.0 / sum as f64),
            )],
        )
    });
    view! {
        <tr>
            <td><span class="row"><Avatar name=person.name.clone() id small=true/><b class="wrap-anywhere">{person.name.clone()}</b></span></td>
            <td class="role-cell">
                <Picker all=tag("role", Role::default().tag()) choices=roles now=Signal::derive(move || Some(role.tag().to_owned()))
                    chosen=move |tag: String| put(app, name.get_value(), Role::from_tag(&tag).unwrap_or_default(), share)/>
            </td>
            <td class="num">
                <span class="row share-cell">
                    <span class="t-small t-mute nowrap">{part}</span>
                    <input class="input" type="number" min="0" max="1000" aria-label=t("people.share") value=share.to_string()
                        on:change:target=move |event| put(app, name.get_value(), role, event.target().value().trim().parse().unwrap_or(0))/>
                </span>
            </td>
            <td class="num">
                {if mine {
                    view! { <span class="badge ok"><Sign icon=Icon::Check small=true/>{t("people.me")}</span> }.into_any()
                } else {
                    view! {
                        <button class="btn sm" on:click=move |_| app.attempt(call(commands::BePerson { person: id }), move |people| {
                            app.people.set(Some(people));
                            app.changes.update(|n| *n += 1);
                        })>{t("people.be")}</button>
                    }.into_any()
                }}
            </td>
        </tr>
    }
}

/// Another person.
#[component]
fn Form(#[prop(into)] close: Callback<()>) -> impl IntoView {
    let app = use_app();
    let name = NodeRef::<Input>::new();
    let role = RwSignal::new(Role::default());
    let failure = RwSignal::new(None::<Failure>);
    Effect::new(move |_| {
        if let Some(field) = name.get() {
            let _ = field.focus();
        }
    });
    let keep = move |like: LookAlike| {
        let person = commands::PutPerson {
            name: typed(name).trim().to_owned(),
            role: role.get_untracked(),
            share: 0,
            like,
        };
        if person.name.is_empty() {
            return;
        }
        let kept = async move {
            call(person).await?;
            call(commands::People {}).await
        };
        attempt(failure, kept, move |people| {
            app.people.set(Some(people));
            close.try_run(());
        });
    };
    view! {
        <div class="endpoint" id="person-form">
            <div class="two">
                <Field id="person-name" label=t("people.name")>
                    <input class="input" id="person-name" node_ref=name autocomplete="off" on:keydown=move |event| if event.key() == "Enter" && !event.is_composing() { keep(LookAlike::Ask) }/>
                </Field>
                <ChooseRole id="person-role" role/>
            </div>
            {move || failure.get().map(|failure| asked(failure, Callback::new(keep)))}
            <div class="row">
                <span class="grow"></span>
                <button class="btn ghost" on:click=move |_| close.run(())>{t("action.cancel")}</button>
                <button class="btn primary" id="person-keep" on:click=move |_| keep(LookAlike::Ask)>{t("people.add")}</button>
            </div>
        </div>
    }
}
