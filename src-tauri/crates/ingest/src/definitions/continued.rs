//! Definitions that continue in the sentences after them: "‘group’ means:" with its points one by one, or "It also
//! includes …".

use super::wording;
use crate::numbering::label;
use lexforge_domain::extract::Defined;
use lexforge_domain::text::SentenceKind;
use lexforge_text::fold::joined;

/// Sentences that a definition goes on for at most.
const MOST: usize = 60;

/// Adds to each definition the sentences after it that continue it. `defined` is in the order of the sentences. A
/// definition keeps the place where it begins.
pub(super) fn join(sentences: &[(SentenceKind, &str)], defined: &mut [Defined]) {
    let defining: Vec<usize> = defined
        .iter()
        .filter(|d| d.definition.kind.is_legal())
        .map(|d| d.source)
        .collect();
    let mut one_after = defined.iter_mut().peekable();
    while let Some(one) = one_after.next() {
        let last = one_after
            .peek()
            .is_none_or(|next| next.source != one.source);
        if !last || !one.definition.kind.is_legal() || !reaches_end(sentences, one) {
            continue;
        }
        let more: Vec<&str> = (one.source + 1..sentences.len())
            .take(MOST)
            .take_while(|at| defining.binary_search(at).is_err())
            .map(|at| sentences[at])
            .scan(
                leads_in(&one.definition.definition),
                |listed, (kind, text)| goes_on(kind, text, *listed).then_some(text),
            )
            .collect();
        for text in more {
            let said = &mut one.definition.definition;
            *said = joined(&format!("{said} {text}"));
        }
    }
}

/// Whether a definition is continued by a list: it ends with a colon, or in the middle of a clause ("a practice that").
fn leads_in(definition: &str) -> bool {
    const OPEN: [&str; 10] = [
        "that",
        "which",
        "who",
        "whose",
        "if",
        "where",
        "when",
        "either",
        "including",
        "includes",
    ];
    definition.ends_with([':', '：'])
        || definition
            .rsplit(' ')
            .next()
            .is_some_and(|last| OPEN.contains(&last))
}

/// Whether a definition goes on with a sentence; `listed`: it leads a list in.
fn goes_on(kind: SentenceKind, text: &str, listed: bool) -> bool {
    match kind {
        SentenceKind::Heading | SentenceKind::Footnote | SentenceKind::TableCell => false,
        _ if wording::takes_up(text) => true,
        SentenceKind::ListItem => listed,
        _ => listed && is_point(text),
    }
}

/// Whether a sentence begins with the marker of a list's point.
fn is_point(text: &str) -> bool {
    let beginning: Vec<char> = text.chars().take(80).collect();
    label(&beginning, false).is_some_and(|label| label.is_list_item())
}

/// Whether the definition goes to the end of its sentence.
fn reaches_end(sentences: &[(SentenceKind, &str)], one: &Defined) -> bool {
    sentences.get(one.source).is_some_and(|(_, text)| {
        let rest: String = text.chars().skip(one.definition.end).collect();
        rest.chars().all(|c| !c.is_alphanumeric())
    })
}
