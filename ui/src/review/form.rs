//! The forms over an item: which form is open, and text that is typed before the item is shown.
//!
//! A fast reviewer presses A, at once presses the key that opens a form of the next item, and goes on typing. If that
//! item is still being fetched, the form and the typed text wait for it. The text is not taken for keys of the queue,
//! so no item is decided that the reviewer has not seen.

use crate::keys::typed;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// What is open over the item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// No form is open.
    #[default]
    Reading,
    /// Its text and class are changed.
    Editing,
    /// A reason for leaving it out is written.
    Rejecting,
    /// The term that it is joined to is looked for.
    Merging,
    /// Its class is chosen.
    Classing,
}

impl Mode {
    /// Where one types while this is open.
    pub fn field(self) -> Option<&'static str> {
        match self {
            Self::Reading => None,
            Self::Editing => Some("#edit-text"),
            Self::Rejecting => Some("#reject-reason"),
            Self::Merging => Some("#merge-field"),
            Self::Classing => Some("#class-field"),
        }
    }
}

/// A form that opens with the next item, and what was typed for it; a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct TypeAhead {
    form: RwSignal<Option<Mode>>,
    text: StoredValue<String>,
}

impl Default for TypeAhead {
    fn default() -> Self {
        Self {
            form: RwSignal::new(None),
            text: StoredValue::new(String::new()),
        }
    }
}

impl TypeAhead {
    /// The form opens with the item that is on its way.
    pub fn wait_for(self, form: Mode) {
        self.form.set(Some(form));
        self.text.set_value(String::new());
    }

    /// Whether a form waits for its item.
    pub fn waits(self) -> bool {
        self.form.with(Option::is_some)
    }

    /// Takes in a key while a form waits. Esc lets the form go; whatever else is no text is not for an item unseen.
    pub fn hear(self, event: &KeyboardEvent) {
        match event.key().as_str() {
            "Escape" => self.forget(),
            "Backspace" => self.text.update_value(|text| {
                text.pop();
            }),
            key => {
                if let Some(typed) = typed(key) {
                    self.text.update_value(|text| text.push(typed));
                }
            }
        }
    }

    /// The item is there: the form that waited for it.
    pub fn form(self) -> Option<Mode> {
        let form = self.form.get_untracked();
        if form.is_some() {
            self.form.set(None);
        }
        form
    }

    /// What was typed for the form that opens, once.
    pub fn text(self) -> String {
        self.text
            .try_update_value(std::mem::take)
            .unwrap_or_default()
    }

    /// Nothing waits any more.
    pub fn forget(self) {
        self.form();
        self.text();
    }
}
