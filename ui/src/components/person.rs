//! The person under whose name decisions are made, and who else there is.

use super::chooser::{Chooser, Line};
use super::field::Field;
use super::picker::Picker;
use crate::backend::{call, commands};
use crate::i18n::{t, tag};
use crate::place::SettingsTab;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::PersonId;
use lexforge_domain::review::{Person, Role};

/// Two letters for a name: the first of its first and last words; of a name in ideographs the last two.
pub fn initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let first = |word: &str| word.chars().next();
    match words.as_slice() {
        [] => "?".to_owned(),
        [one] if !one.is_ascii() => {
            let chars: Vec<char> = one.chars().collect();
            chars[chars.len().saturating_sub(2)..].iter().collect()
        }
        [one] => one.chars().take(2).collect(),
        [head, .., tail] => first(head).into_iter().chain(first(tail)).collect(),
    }
}

/// A person's sign; which of the colours it has goes by their id.
#[component]
pub fn Avatar(
    name: String,
    /// The person.
    id: PersonId,
    /// Smaller, for lists.
    #[prop(optional)]
    small: bool,
) -> impl IntoView {
    let tone = ["a", "b", "c"][(id.0.unsigned_abs() % 3) as usize];
    let class = format!("avatar {tone}{}", if small { " sm" } else { "" });
    view! { <span class=class aria-hidden="true">{initials(&name)}</span> }
}

/// Who decides now, with their role; a press lets another person take over.
#[component]
pub fn Me() -> impl IntoView {
    let app = use_app();
    let choosing = RwSignal::new(false);
    let me = Memo::new(move |_| {
        app.people
            .with(|people| people.as_ref().map(|people| people.me.clone()))
    });
    move || {
        me.get().map(|me| {
            // The whole name, too: in the bar it may be cut.
            let title = format!("{}  ·  {}", t("people.switch"), me.name);
            view! {
                <button class="person" id="person" title=title on:click=move |_| choosing.set(true)>
                    <Avatar name=me.name.clone() id=me.id/>
                    <span class="clip"><b class="clip">{me.name.clone()}</b><small class="clip">{tag("role", me.role.tag())}</small></span>
                </button>
                {move || choosing.get().then(|| view! { <Choose close=move |()| choosing.set(false)/> })}
            }
        })
    }
}

/// The field in which a role is chosen.
#[component]
pub fn ChooseRole(id: &'static str, role: RwSignal<Role>) -> impl IntoView {
    let choices = Role::ALL
        .map(|role| (role.tag().to_owned(), tag("role", role.tag())))
        .to_vec();
    let now = Signal::derive(move || Some(role.get().tag().to_owned()));
    let chosen = move |tag: String| role.set(Role::from_tag(&tag).unwrap_or_default());
    view! {
        <Field id label=t("people.role")>
            <Picker all=tag("role", Role::default().tag()) choices now chosen id/>
        </Field>
    }
}

#[component]
fn Choose(#[prop(into)] close: Callback<()>) -> impl IntoView {
    let app = use_app();
    let query = RwSignal::new(String::new());
    let lines = Signal::derive(move || {
        let wanted = query.get().to_lowercase();
        let people = app.people.with(|people| {
            people
                .as_ref()
                .map(|view| (view.people.clone(), view.me.id))
        });
        let (people, me) = people.unwrap_or_else(|| (Vec::new(), PersonId(0)));
        let line = |person: Person| Line {
            icon: None,
            law: None,
            hint: if person.id == me {
                t("people.me")
            } else {
                tag("role", person.role.tag())
            },
            key: Some(person.id),
            name: person.name,
        };
        let mut lines: Vec<Line<Option<PersonId>>> = people
            .into_iter()
            .filter(|p| p.name.to_lowercase().contains(&wanted))
            .map(line)
            .collect();
        let edit = Line {
            key: None,
            icon: None,
            name: t("people.edit"),
            law: None,
            hint: t("nav.settings"),
        };
        lines.push(edit);
        lines
    });
    let pick = move |person: Option<PersonId>| {
        close.run(());
        match person {
            None => app.open_settings(SettingsTab::Review),
            Some(id) => app.attempt(call(commands::BePerson { person: id }), move |people| {
                app.people.set(Some(people));
                app.changes.update(|n| *n += 1);
            }),
        }
    };
    view! {
        <Chooser label=t("people.switch") placeholder=t("people.name") id="person-field" query lines none=t("palette.none") pick close/>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_stand_for_a_name() {
        for (name, letters) in [
            ("Reviewer 1", "R1"),
            ("审核人甲", "人甲"),
            ("root", "ro"),
            ("", "?"),
            ("A B C", "AC"),
        ] {
            assert_eq!(initials(name), letters);
        }
    }
}
