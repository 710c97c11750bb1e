//! Light, dark, or as the system has it.

use crate::components::icon::Icon;
use crate::i18n::t;
use crate::prefs;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// The wish for a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    System,
    Light,
    Dark,
}

impl Theme {
    /// All wishes in the order in which the switch goes round.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The name under which it is remembered.
    pub fn tag(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The wish of a name; the system's if it is unknown.
    pub fn from_tag(tag: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|theme| theme.tag() == tag)
            .unwrap_or(Self::System)
    }

    /// The next one round.
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Its name for readers.
    pub fn title(self) -> String {
        match self {
            Self::System => t("theme.system"),
            Self::Light => t("theme.light"),
            Self::Dark => t("theme.dark"),
        }
    }

    /// Its sign.
    pub fn icon(self) -> Icon {
        match self {
            Self::System => Icon::Screen,
            Self::Light => Icon::Sun,
            Self::Dark => Icon::Moon,
        }
    }

    /// Sets the page's theme and remembers the wish.
    pub fn apply(self) {
        prefs::keep("theme", self.tag());
        let dark = match self {
            Self::System => system_is_dark(),
            Self::Light => false,
            Self::Dark => true,
        };
        if let Some(root) = web_sys::window()
            .and_then(|w| w.document())
            .and_then(|d| d.document_element())
        {
            let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
        }
    }
}

fn preference() -> Option<web_sys::MediaQueryList> {
    web_sys::window()?
        .match_media("(prefers-color-scheme: dark)")
        .ok()?
}

fn system_is_dark() -> bool {
    preference().is_some_and(|query| query.matches())
}

/// Calls `changed` when the system's preference changes, as long as the page lives.
pub fn watch_system(changed: impl Fn() + 'static) {
    if let Some(query) = preference() {
        let handler = Closure::<dyn Fn()>::new(changed);
        let _ = query.add_event_listener_with_callback("change", handler.as_ref().unchecked_ref());
        handler.forget();
    }
}
