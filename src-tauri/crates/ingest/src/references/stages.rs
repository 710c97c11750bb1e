//! How the labels of a reference are sought: with their words, as paragraphs, or by their numbers alone.

/// How labels are sought.
#[derive(Clone, Copy)]
pub(super) enum Stage {
    /// With the word for the level.
    AsWritten,
    /// As a numbered paragraph of a text without other clauses.
    Paragraph,
    /// Only by the number.
    Bare,
    /// By the number alone, at the top of the instrument.
    Top,
}

/// The ways in which labels are sought, in order.
pub(super) fn stages(labels: &[String]) -> &'static [Stage] {
    let first = labels.first().map_or("", String::as_str);
    match first.split_once(' ').map(|(level, _)| level) {
        Some("chapter") => &[Stage::AsWritten, Stage::Top, Stage::Bare],
        Some("part" | "title" | "annex" | "appendix" | "schedule" | "subpart" | "division") => {
            &[Stage::AsWritten, Stage::Top]
        }
        Some("recital") => &[Stage::AsWritten],
        Some(_) => &[Stage::AsWritten, Stage::Bare],
        // If no "paragraph 2" is near, chapter 2 is not meant.
        None if first.starts_with(|c: char| c.is_ascii_digit()) => {
            if first.contains('.') || first.len() > 2 {
                &[Stage::Paragraph, Stage::AsWritten]
            } else {
                &[Stage::Paragraph]
            }
        }
        None if first.starts_with(['第', '附', '제']) || first.contains('.') => {
            &[Stage::AsWritten]
        }
        None => &[],
    }
}

/// Whether its clauses are numbered through all its parts.
pub(super) fn numbered_through(label: &str) -> bool {
    [
        "part ",
        "chapter ",
        "title ",
        "schedule ",
        "subpart ",
        "division ",
        "section ",
    ]
    .iter()
    .any(|w| label.starts_with(w))
}
