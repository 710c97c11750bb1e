//! The tags of enums: the words by which strum writes and reads their variants.

/// Gives enums the function `tag`.
macro_rules! tagged {
    ($($name:ident),+) => {$(
        impl $name {
            /// The tag under which it is stored and printed.
            pub fn tag(self) -> &'static str {
                self.into()
            }
        }
    )+};
}

/// Gives enums the function `from_tag`, the other way round.
macro_rules! read_by_tag {
    ($($name:ident),+) => {$(
        impl $name {
            /// The variant with this tag.
            pub fn from_tag(tag: &str) -> Option<Self> {
                tag.parse().ok()
            }
        }
    )+};
}

pub(crate) use read_by_tag;
pub(crate) use tagged;
