//! Word lists, each read once from its file in `data/` of the crate that uses it.
//!
//! Each line is one entry; a line that begins with `#` is a comment. The lists are files so that someone who knows the
//! language, and no Rust, can read and correct them.

use std::collections::HashSet;

/// A word or a phrase.
pub type Word = &'static str;
/// A line `word = what is put in its place`.
pub type Pair = (Word, Word);
/// A line `word, word, word` of words that belong together.
pub type Group = Vec<Word>;
/// A line `forms of a word: words that could stand in its place`.
pub type Swap = (Group, Group);

/// A line of a list.
pub trait Entry: Sized {
    /// The entry on a line; `None` if the line has another form.
    fn of(line: Word) -> Option<Self>;
}

impl Entry for Word {
    fn of(line: Word) -> Option<Self> {
        Some(line)
    }
}

impl Entry for Pair {
    fn of(line: Word) -> Option<Self> {
        line.split_once(" = ").map(|(a, b)| (a.trim(), b.trim()))
    }
}

impl Entry for Group {
    fn of(line: Word) -> Option<Self> {
        Some(
            line.split(", ")
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .collect(),
        )
    }
}

impl Entry for Swap {
    fn of(line: Word) -> Option<Self> {
        let (forms, others) = line.split_once(':')?;
        Some((Group::of(forms)?, Group::of(others)?))
    }
}

/// The entries of a list.
pub fn read<T: Entry, C: FromIterator<T>>(list: Word) -> C {
    lines(list).filter_map(T::of).collect()
}

fn lines(list: Word) -> impl Iterator<Item = Word> {
    list.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Checks that every line has the form of its list, that no line comes twice, and that there is at least one.
///
/// # Errors
/// What is wrong, in words.
pub fn check<T: Entry>(list: Word) -> Result<(), String> {
    let mut seen = HashSet::new();
    for line in lines(list) {
        if T::of(line).is_none() {
            return Err(format!("{line} has another form"));
        }
        if !seen.insert(line) {
            return Err(format!("{line} stands there twice"));
        }
    }
    if seen.is_empty() {
        Err("it is empty".to_owned())
    } else {
        Ok(())
    }
}

/// Declares the word lists of a crate. For each file in the crate's `data/`, it gives a name, the type of the entries
/// and the container that holds them. A test checks all files.
#[macro_export]
macro_rules! word_lists {
    ($($(#[$doc:meta])* $name:ident: $container:ident<$entry:ty> = $file:literal;)+) => {
        $($(#[$doc])*
        pub(crate) static $name: std::sync::LazyLock<$container<$entry>> = std::sync::LazyLock::new(|| {
            $crate::lists::read::<$entry, _>(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $file)))
        });)+

        #[cfg(test)]
        #[test]
        fn every_list_is_in_order() {
            $(let list = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $file));
            assert_eq!($crate::lists::check::<$entry>(list), Ok(()), "{}", $file);)+
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_entries_and_faults_are_told() {
        let list = "# Words.\none, two: three\n\nfour: five\n";
        assert_eq!(
            read::<Swap, Vec<_>>(list),
            [
                (vec!["one", "two"], vec!["three"]),
                (vec!["four"], vec!["five"])
            ]
        );
        for (list, fault) in [
            ("one: two\none: two", "twice"),
            ("one two", "another form"),
            ("# nothing", "empty"),
        ] {
            assert!(
                check::<Swap>(list).is_err_and(|found| found.contains(fault)),
                "{list}"
            );
        }
    }
}
