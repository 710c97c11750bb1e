//! Word lists, each read once from its file in `data/`.
//!
//! One entry a line; a line that begins with `#` is a comment. The lists are files so that someone who knows the
//! language, and no Rust, can read and correct them.

/// A word or a phrase.
pub(crate) type Word = &'static str;
/// `what stands there = what is put in its place`.
pub(crate) type Pair = (Word, Word);
/// `word, word, word`: what belongs together.
pub(crate) type Group = Vec<Word>;
/// `forms of a word: what could stand in its place`.
pub(crate) type Swap = (Group, Group);

/// A line of a list.
pub(crate) trait Entry: Sized {
    /// The entry on a line; none where the line has another form.
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
        Some(line.split(", ").map(str::trim).filter(|word| !word.is_empty()).collect())
    }
}

impl Entry for Swap {
    fn of(line: Word) -> Option<Self> {
        let (forms, others) = line.split_once(':')?;
        Some((Group::of(forms)?, Group::of(others)?))
    }
}

/// The entries of a list.
pub(crate) fn read<T: Entry>(list: &'static str) -> Vec<T> {
    lines(list).filter_map(T::of).collect()
}

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Names a list for each file, and checks all files in a test.
macro_rules! lists {
    ($($name:ident: $entry:ty = $file:literal;)+) => {
        $(pub(crate) static $name: std::sync::LazyLock<Vec<$entry>> =
            std::sync::LazyLock::new(|| crate::lists::read(include_str!(concat!("../../data/", $file))));)+

        #[cfg(test)]
        #[test]
        fn every_list_is_in_order() {
            $(crate::lists::check::<$entry>($file, include_str!(concat!("../../data/", $file)));)+
        }
    };
}
pub(crate) use lists;

/// Every line has the form of its list, none comes twice, and there is at least one.
#[cfg(test)]
pub(crate) fn check<T: Entry>(file: &str, list: &'static str) {
    let mut seen = std::collections::HashSet::new();
    for line in lines(list) {
        assert!(T::of(line).is_some(), "{file}: {line}");
        assert!(seen.insert(line), "{file}: {line} stands there twice");
    }
    assert!(!seen.is_empty(), "{file} is empty");
}
