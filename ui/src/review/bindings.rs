//! The single keys of a queue: what each does, and which physical key does it here.

use crate::i18n::tag;
use crate::prefs;

/// What a single key of a queue does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Takes the item.
    Accept,
    /// Leaves it out.
    Reject,
    /// Opens its text and class.
    Edit,
    /// Joins a term to another one.
    Merge,
    /// Chooses the class.
    Class,
    /// Marks the chosen candidate as confusable.
    Confusable,
    /// Not now.
    Skip,
    /// Takes the last decision back.
    Undo,
    /// Opens the page of what is shown.
    Page,
    /// Shows the next mention.
    Mention,
}

impl Deed {
    /// All deeds in the order in which they are listed.
    pub const ALL: [Self; 10] = [
        Self::Accept,
        Self::Reject,
        Self::Edit,
        Self::Merge,
        Self::Class,
        Self::Confusable,
        Self::Skip,
        Self::Undo,
        Self::Page,
        Self::Mention,
    ];

    /// The name under which its key is remembered.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Edit => "edit",
            Self::Merge => "merge",
            Self::Confusable => "confusable",
            Self::Class => "class",
            Self::Skip => "skip",
            Self::Undo => "undo",
            Self::Page => "page",
            Self::Mention => "mention",
        }
    }

    /// Its name for readers.
    pub fn title(self) -> String {
        tag("deed", self.tag())
    }

    fn usual(self) -> &'static str {
        match self {
            Self::Accept => "KeyA",
            Self::Reject => "KeyR",
            Self::Edit => "KeyE",
            Self::Merge => "KeyM",
            Self::Confusable => "KeyC",
            Self::Class => "KeyK",
            Self::Skip => "KeyS",
            Self::Undo => "KeyU",
            Self::Page => "KeyO",
            Self::Mention => "KeyN",
        }
    }
}

/// The physical key of each action, with the names of [`web_sys::KeyboardEvent::code`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings([String; Deed::ALL.len()]);

impl Default for Bindings {
    fn default() -> Self {
        Self(Deed::ALL.map(|deed| deed.usual().to_owned()))
    }
}

impl Bindings {
    /// The keys as this machine remembers them.
    pub fn remembered() -> Self {
        let mut keys = Self::default();
        for deed in Deed::ALL {
            if let Some(code) = prefs::read(&format!("key:{}", deed.tag())) {
                keys.bind(deed, &code);
            }
        }
        keys
    }

    /// Remembers them.
    pub fn keep(&self) {
        for deed in Deed::ALL {
            prefs::keep(&format!("key:{}", deed.tag()), self.code(deed));
        }
    }

    /// The physical key of a deed.
    pub fn code(&self, deed: Deed) -> &str {
        &self.0[deed as usize]
    }

    /// What is written on that key, on a keyboard with Latin letters.
    pub fn letter(&self, deed: Deed) -> String {
        self.code(deed).trim_start_matches("Key").to_owned()
    }

    /// The action of a physical key.
    pub fn deed(&self, code: &str) -> Option<Deed> {
        Deed::ALL.into_iter().find(|deed| self.code(*deed) == code)
    }

    /// Gives an action another key. The key must be a letter other than G (G leads to the screens). If another action
    /// had this key, that action gets the old key. Returns false if the key cannot be used.
    pub fn bind(&mut self, deed: Deed, code: &str) -> bool {
        let letter = code
            .strip_prefix("Key")
            .is_some_and(|l| l.len() == 1 && l != "G");
        if !letter {
            return false;
        }
        let old = self.code(deed).to_owned();
        if let Some(other) = self.deed(code) {
            self.0[other as usize] = old;
        }
        self.0[deed as usize] = code.to_owned();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deed_has_its_own_key() {
        let mut keys = Bindings::default();
        assert!(keys.bind(Deed::Accept, "KeyJ"));
        assert!(keys.bind(Deed::Reject, "KeyJ"));
        assert_eq!(
            (keys.code(Deed::Reject), keys.code(Deed::Accept)),
            ("KeyJ", "KeyR")
        );
        for code in ["KeyG", "Digit1", "Enter", ""] {
            assert!(!keys.bind(Deed::Skip, code), "{code}");
        }
        for (i, deed) in Deed::ALL.into_iter().enumerate() {
            assert_eq!(keys.deed(keys.code(deed)), Some(deed));
            assert_eq!(
                Deed::ALL.iter().position(|d| *d as usize == deed as usize),
                Some(i)
            );
        }
    }
}
