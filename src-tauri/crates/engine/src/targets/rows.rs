//! What a target says of itself: pairs of a name and what was found there.

/// A pair.
pub(super) type Row = (String, String);

/// What was found under a name, if anything.
pub(super) fn value<'r>(rows: &'r [Row], name: &str) -> Option<&'r str> {
    all(rows, name).into_iter().next()
}

/// Everything that was found under a name.
pub(super) fn all<'r>(rows: &'r [Row], name: &str) -> Vec<&'r str> {
    let of_name = rows.iter().filter(|(n, v)| n == name && !v.is_empty());
    of_name.map(|(_, v)| v.as_str()).collect()
}
