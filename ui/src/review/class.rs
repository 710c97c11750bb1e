//! Classes of terms: what they are called, and choosing one.

use crate::components::chooser::{Chooser, Line};
use crate::i18n::{Lang, lang, t, tf};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::schema::{TermSchema, TermSchemaClass};
use lexforge_domain::text::Language;

fn own_language() -> Language {
    if lang() == Lang::Zh {
        Language::Zh
    } else {
        Language::En
    }
}

/// The class with this name, from the schema in the window's language if there is one.
fn find<'a>(schemas: &'a [TermSchema], name: &str) -> Option<&'a TermSchemaClass> {
    let own = own_language();
    let mut found = None;
    for schema in schemas {
        let class = schema.classes.iter().find(|class| class.name == name);
        if class.is_some() && schema.language == own {
            return class;
        }
        found = found.or(class);
    }
    found
}

/// The title of a class: `Actor › Authority`. A class that is in no schema is shown by its name.
pub fn title(app: App, name: &str) -> String {
    if name.is_empty() {
        return t("review.no_class");
    }
    app.schemas.with(|schemas| match find(schemas, name) {
        None => name.replace('_', " "),
        Some(class) if class.parent.is_empty() => class.label.clone(),
        Some(class) => {
            let parent = find(schemas, &class.parent)
                .map_or_else(|| class.parent.clone(), |c| c.label.clone());
            below(&parent, &class.label)
        }
    })
}

/// A class below its parent: `Actor › Authority`. Many people write schemas, in different ways. So each name is shown
/// with a capital letter, and a parent with the same name is not repeated.
fn below(parent: &str, label: &str) -> String {
    let capital = |name: &str| {
        let mut letters = name.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    };
    let (parent, label) = (capital(parent), capital(label));
    match parent == label {
        true => label,
        false => format!("{parent} › {label}"),
    }
}

/// All classes of the schemas, each name once: those of the window's language first.
pub fn choices(app: App) -> Vec<(String, String)> {
    let own = own_language();
    let names = app.schemas.with(|schemas| {
        let mut names: Vec<String> = Vec::new();
        let (first, rest): (Vec<_>, Vec<_>) =
            schemas.iter().partition(|schema| schema.language == own);
        for class in first
            .into_iter()
            .chain(rest)
            .flat_map(|schema| &schema.classes)
        {
            if !names.contains(&class.name) {
                names.push(class.name.clone());
            }
        }
        names
    });
    let mut named: Vec<(String, String)> = names
        .into_iter()
        .map(|name| (name.clone(), title(app, &name)))
        .collect();
    named.sort_by(|a, b| a.1.cmp(&b.1));
    named
}

/// Chooses a class by typing; what no schema has can be written too.
#[component]
pub fn ClassChooser(
    /// The text that was already typed for it.
    #[prop(optional)]
    typed: String,
    /// The name of the class that was chosen.
    #[prop(into)]
    pick: Callback<String>,
    /// Puts the list away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let query = RwSignal::new(typed);
    let lines = Signal::derive(move || {
        let typed = query.get();
        let wanted = typed.trim().to_lowercase();
        let line = |(name, title): (String, String)| Line {
            icon: None,
            law: None,
            hint: if title.to_lowercase() == name {
                String::new()
            } else {
                name.clone()
            },
            name: title,
            key: name,
        };
        let all = choices(app);
        let own = !wanted.is_empty() && all.iter().all(|(name, _)| *name != wanted);
        let fits = |(name, title): &(String, String)| {
            name.contains(&wanted) || title.to_lowercase().contains(&wanted)
        };
        let mut lines: Vec<Line<String>> = all.into_iter().filter(fits).map(line).collect();
        if own {
            lines.push(Line {
                key: wanted.replace(' ', "_"),
                icon: None,
                name: tf("review.own_class", &[("class", typed.trim())]),
                law: None,
                hint: String::new(),
            });
        }
        lines
    });
    view! {
        <Chooser label=t("deed.class") placeholder=t("review.class_field") id="class-field" query lines none=t("review.class_none") pick close/>
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn a_class_is_said_once_and_in_one_style() {
        for (parent, label, expected) in [
            ("Actor", "Authority", "Actor › Authority"),
            ("activity", "Process", "Activity › Process"),
            ("Thing", "thing", "Thing"),
            ("概念", "概念", "概念"),
            ("行为", "处罚", "行为 › 处罚"),
        ] {
            assert_eq!(below(parent, label), expected);
        }
    }
}
