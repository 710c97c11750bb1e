//! The pages of the help, in the language of the window. They are in `help/en.md` and `help/zh.md`, each under a `#
//! Title`, in the order of [`Topic::all`].

use crate::i18n::{Lang, lang};
use crate::route::Route;

/// What a page of the help is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// First steps.
    Start,
    Screen(Route),
    /// What leaves this machine.
    Leaving,
}

impl Topic {
    /// All pages in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Start)
            .chain(Route::ALL.into_iter().map(Self::Screen))
            .chain(std::iter::once(Self::Leaving))
    }

    /// Part of the id of its button.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Screen(route) => route.tag(),
            Self::Leaving => "leaving",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is about.
    pub topic: Topic,
    pub title: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

impl Page {
    /// Whether it contains all words of a search, in upper or lower case.
    pub fn holds(&self, wanted: &str) -> bool {
        holds(self.title, self.text, wanted)
    }
}

/// Whether a title or its text contains all words of a search, in upper or lower case.
pub fn holds(title: &str, text: &str, wanted: &str) -> bool {
    let (title, text) = (title.to_lowercase(), text.to_lowercase());
    wanted
        .to_lowercase()
        .split_whitespace()
        .all(|word| title.contains(word) || text.contains(word))
}

/// The pages in the window's language.
pub fn pages() -> Vec<Page> {
    pages_in(lang())
}

fn pages_in(lang: Lang) -> Vec<Page> {
    let whole = match lang {
        Lang::En => include_str!("../../help/en.md"),
        Lang::Zh => include_str!("../../help/zh.md"),
    };
    Topic::all()
        .zip(parts(whole, "\n# "))
        .map(|(topic, (title, text))| Page { topic, title, text })
        .collect()
}

/// The parts of a text in Markdown that begins with a title, each with its title, cut where a line begins like this.
pub fn parts(
    whole: &'static str,
    cut: &'static str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let whole = whole.strip_prefix("# ").unwrap_or(whole);
    whole.split(cut).map(|part| {
        let (title, text) = part.split_once('\n').unwrap_or((part, ""));
        (title.trim(), text.trim())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::i18n::text_in;

    #[test]
    fn each_topic_has_its_page_in_both_languages() {
        for lang in [Lang::En, Lang::Zh] {
            let pages = pages_in(lang);
            assert_eq!(pages.len(), Topic::all().count(), "{lang:?}");
            for page in pages {
                assert!(page.text.chars().count() > 50, "{lang:?} {:?}", page.topic);
                if let Topic::Screen(route) = page.topic {
                    let name = text_in(lang, &format!("nav.{}", route.tag())).unwrap();
                    assert_eq!(page.title, name, "{lang:?}");
                }
            }
        }
    }

    #[test]
    fn both_languages_say_as_much() {
        let shape = |text: &str| {
            let count = |start: &str| text.lines().filter(|l| l.starts_with(start)).count();
            (count("## "), count("- "), text.matches('`').count())
        };
        for (en, zh) in pages_in(Lang::En).iter().zip(pages_in(Lang::Zh)) {
            assert_eq!(shape(en.text), shape(zh.text), "{:?}", en.topic);
        }
    }

    #[test]
    fn a_search_wants_all_words() {
        let pages = pages_in(Lang::En);
        let found = |wanted: &str| {
            let holding = pages.iter().filter(|page| page.holds(wanted));
            holding.map(|page| page.topic.tag()).collect::<Vec<_>>()
        };
        assert!(found("GATE adapter override").is_empty());
        assert_eq!(found("gate  Override"), ["evaluation"]);
        assert_eq!(found("").len(), pages.len());
    }
}
