//! What the acts say that a term means, side by side, with the words that differ underlined.

use super::context::place;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{TermCard, TermDefinition};
use lexforge_text::diff::word_diff;

/// Side by side at first; the rest is opened.
const FIRST: usize = 3;

/// The definitions of a term; nothing where no act defines it.
#[component]
pub fn Definitions(
    /// The term.
    card: TermCard,
) -> impl IntoView {
    let many = card.definitions.len();
    if many == 0 {
        return view! { <p class="t-small t-mute">{t("terms.no_definition")}</p> }.into_any();
    }
    let all = RwSignal::new(false);
    let differing = card.definitions.iter().filter(|d| d.differs).count() as u64 + 1;
    let definitions = StoredValue::new(card.definitions);
    let shown = move || {
        let most = if all.get() { many } else { FIRST };
        definitions.with_value(|all| {
            let draw = |definition: &TermDefinition| {
                let against = against(definition, all);
                view! { <Definition definition=definition.clone() against/> }
            };
            all.iter().take(most).map(draw).collect_view()
        })
    };
    view! {
        <section class="stack" id="definitions">
            <div class="row wrap">
                <h2>{t("review.definitions")}</h2>
                {card.definitions_differ.then(|| view! {
                    <span class="badge warn"><Sign icon=Icon::Warning small=true/>{tn("review.acts_differ", differing)}</span>
                })}
                {(many > FIRST).then(|| view! {
                    <button class="link t-small push" on:click=move |_| all.update(|on| *on = !*on)>
                        {move || if all.get() { t("review.show_first") } else { tf("review.show_all", &[("n", &format::count(many as u64))]) }}
                    </button>
                })}
            </div>
            <div class="defs" class:one=many == 1 class:two=many == 2>{shown}</div>
        </section>
    }
    .into_any()
}

/// The wording that a definition is compared with. The first definition is compared with the next one that differs from
/// it; every differing definition is compared with the first. Definitions in two languages are not compared, because no
/// words would be equal.
fn against(definition: &TermDefinition, all: &[TermDefinition]) -> Option<String> {
    let first = all.first()?;
    if definition.differs && definition.language == first.language {
        return Some(first.text.clone());
    }
    let is_other = |d: &&TermDefinition| d.differs && d.language == first.language;
    let other = all.iter().find(is_other).map(|d| d.text.clone());
    other.filter(|_| definition.text == first.text)
}

#[component]
fn Definition(
    definition: TermDefinition,
    /// The wording that it is compared with.
    against: Option<String>,
) -> impl IntoView {
    let app = use_app();
    let (document, page, sentence) = (definition.document, definition.page, definition.sentence);
    let title = place(&definition.document_title, &definition.section, page);
    let words = match against {
        Some(other) => word_diff(&other, &definition.text)
            .1
            .into_iter()
            .map(|stretch| {
                if stretch.differs {
                    view! { <em class="differs">{stretch.text}</em> }.into_any()
                } else {
                    view! { {stretch.text} }.into_any()
                }
            })
            .collect_view()
            .into_any(),
        None => view! { {definition.text.clone()} }.into_any(),
    };
    let act = [
        definition.document_title.clone(),
        definition.section.clone(),
    ];
    let act = act
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    view! {
        <article class="card def">
            <div class="act">
                <b class="clip" title=title>{act}</b>
                <button class="link t-small push nowrap" on:click=move |_| app.open_sentence(document, page, Some(sentence))>
                    {tf("count.page_n", &[("n", &page.to_string())])}
                </button>
            </div>
            <p class="law sm" lang=lang_tag(definition.language)>{words}</p>
        </article>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::text::Language;
    use lexforge_domain::{DocumentId, SentenceId};

    #[test]
    fn the_words_that_differ_are_marked_against_the_definition_beside() {
        let definition = |text: &str, language, differs| TermDefinition {
            text: text.to_owned(),
            sentence: SentenceId(1),
            document: DocumentId(1),
            document_title: String::new(),
            section: String::new(),
            page: 1,
            boxes: Vec::new(),
            language,
            differs,
        };
        let all = [
            definition("use of a third party", Language::En, false),
            definition("use of a third party", Language::En, false),
            definition("委托第三方", Language::Zh, true),
            definition("use of a service provider", Language::En, true),
        ];
        let compared: Vec<Option<String>> = all.iter().map(|one| against(one, &all)).collect();
        let (third, service) = ("use of a third party", "use of a service provider");
        let wanted = [Some(service), Some(service), None, Some(third)];
        assert_eq!(compared, wanted.map(|text| text.map(str::to_owned)));
        // One act alone is compared with nothing.
        assert_eq!(against(&all[0], &all[..1]), None);
    }
}
