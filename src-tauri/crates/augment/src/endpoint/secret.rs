//! A key that no message shows.

/// An endpoint's key. Neither `Debug` nor any message of this crate shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A key; the white space around it is no part of it.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the header of a request.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key, where something echoed it.
    pub(crate) fn removed_from(&self, text: &str) -> String {
        if self.0.len() < 4 { text.to_owned() } else { text.replace(&self.0, "•••") }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(•••)")
    }
}
