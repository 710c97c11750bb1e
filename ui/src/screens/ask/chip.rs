//! A citation in an answer: a number and a place, which opens the page.

use super::deeds::turn_to;
use super::figures::{place_of, short_section};
use super::place::Spot;
use crate::components::icon::{Icon, Sign};
use crate::i18n::t;
use crate::out_of_force::why;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::Citation;

/// The text of a chip: number and title, and then the section, whose beginning is cut off if it is long.
pub fn label(number: usize, citation: &Citation) -> (String, String) {
    let section = short_section(&citation.section);
    let section = if section.is_empty() {
        section
    } else {
        format!(" · {section}")
    };
    (format!("{number} {}", citation.title), section)
}

/// The chip of a citation; it is active while its page is shown.
#[component]
pub fn Chip(
    /// Its place among the citations.
    at: usize,
    citation: Citation,
) -> impl IntoView {
    let app = use_app();
    let (title, section) = label(at + 1, &citation);
    let older = citation.superseded_by.is_some();
    let out = citation.out_of_force.clone();
    let is_old = older || out.is_some();
    let whole = place_of(&citation);
    let whole = if older {
        format!("{whole} · {}", t("answering.older"))
    } else {
        whole
    };
    let active = move || app.ask.spot.get() == Some(Spot::Citation(at));
    view! {
        <button
            class="cite"
            class:old=is_old
            data-citation=(at + 1).to_string()
            title=whole.clone()
            aria-label=format!("{} {whole}", at + 1)
            aria-current=move || active().then_some("true")
            on:click=move |_| turn_to(app, Spot::Citation(at))
        >
            <span class="cite-of">{title}</span>
            <span class="cite-at">{section}</span>
            {out.map(|out| view! { <span class="cite-old"><Sign icon=Icon::Warning small=true/>{why(&out)}</span> })}
            {older.then(|| view! { <span class="cite-old"><Sign icon=Icon::Clock small=true/>{t("answering.older")}</span> })}
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::text::Language;
    use lexforge_domain::{DocumentId, SentenceId};

    #[test]
    fn a_chip_says_number_title_and_section() {
        let citation = |section: &str| Citation {
            document: DocumentId(1),
            title: "GDPR".to_owned(),
            language: Language::En,
            page: 52,
            section: section.to_owned(),
            boxes: Vec::new(),
            quote: String::new(),
            sentence: SentenceId(1),
            external_id: None,
            superseded_by: None,
            out_of_force: None,
        };
        let said = |section| {
            let (title, section) = label(1, &citation(section));
            title + &section
        };
        assert_eq!(said("Article 33 › 1"), "1 GDPR · Article 33 › 1");
        assert_eq!(said(""), "1 GDPR");
    }
}
