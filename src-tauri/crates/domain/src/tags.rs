//! The tags of enums: the words by which strum writes and reads their variants; and all variants of one.

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

/// The variants of an enum as an array, which can be taken apart by value.
pub(crate) const fn all<T: Copy, const N: usize>(variants: &[T]) -> [T; N] {
    assert!(variants.len() == N);
    let mut all = [variants[0]; N];
    let mut at = 1;
    while at < N {
        all[at] = variants[at];
        at += 1;
    }
    all
}
