//! The ways in which a meaning can shift while the words stay (docs/methods.md, "Financial embeddings"): a file that a
//! user can extend.

use lexforge_domain::api::ShiftType;
use std::collections::HashSet;

/// The ways that come with the product.
const SHIPPED: &str = include_str!("../data/shifts.json");

/// The ways that come with the product, in the order in which a list shows them.
pub fn shipped() -> Vec<ShiftType> {
    // A test reads the file, so that it is never empty.
    read(SHIPPED).unwrap_or_default()
}

/// Reads the ways in which a meaning can shift from the text of a file that has the form of the shipped `shifts.json`.
///
/// # Errors
/// A message that says why the text cannot be used.
pub fn read(text: &str) -> Result<Vec<ShiftType>, String> {
    let shifts: Vec<ShiftType> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let mut tags = HashSet::new();
    for shift in &shifts {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.';
        if shift.tag.is_empty() || !shift.tag.chars().all(plain) {
            return Err(format!(
                "the tag {:?} may have small letters, digits, underscores and points only",
                shift.tag
            ));
        }
        if !tags.insert(&shift.tag) {
            return Err(format!("the tag {} stands there twice", shift.tag));
        }
    }
    Ok(shifts)
}

/// The tag of the first kind of shift that lists an edit. If no kind lists it, the name of the edit.
pub(crate) fn of_edit(shifts: &[ShiftType], edit: &str) -> String {
    let named = |shift: &&ShiftType| shift.edits.iter().any(|e| e == edit);
    let found = shifts.iter().find(named);
    found.map_or_else(|| edit.to_owned(), |shift| shift.tag.clone())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_ways_have_the_four_classes_and_every_edit_has_one() {
        let shifts = read(SHIPPED).unwrap();
        let classes: HashSet<&str> = shifts.iter().map(ShiftType::class).collect();
        for class in ["temporal", "perspectival", "structural", "rule_based"] {
            assert!(classes.contains(class), "{class}");
        }
        for edit in [
            "time",
            "number",
            "modal",
            "actor",
            "negation",
            "condition",
            "action",
            "term",
        ] {
            assert!(of_edit(&shifts, edit).contains('.'), "{edit}");
        }
        assert_eq!(of_edit(&shifts, "splice"), "splice");
    }

    #[test]
    fn a_file_of_another_form_is_refused_in_words() {
        let check = |text: &str, words: &str| {
            let why = read(text).unwrap_err();
            assert!(why.contains(words), "{why}");
        };
        let one = r#"{"tag":"own.kind","en":"a","zh":"b","what":"c"}"#;
        assert_eq!(read(&format!("[{one}]")).unwrap().len(), 1);
        check(&format!("[{one},{one}]"), "twice");
        check(
            r#"[{"tag":"Own kind","en":"a","zh":"b","what":"c"}]"#,
            "small letters",
        );
        check(
            r#"[{"tag":"a","en":"a","zh":"b","what":"c","else":1}]"#,
            "else",
        );
        check("{}", "invalid type");
    }
}
