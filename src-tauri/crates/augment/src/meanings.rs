//! Whether a question about a term that several acts define keeps their meanings apart.

use crate::anchor::Anchor;
use crate::reasons::Rejection;
use crate::words::{borne_out, contains_words};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft};

/// Checks a question whose wrong choices are other acts' definitions of the term. The question must name the term and
/// the act, because otherwise the other definitions would be right, too. Each choice must say what its own act says.
pub(crate) fn told_apart(
    draft: &QcaDraft,
    answer: &str,
    anchor: &Anchor<'_>,
) -> Result<(), Rejection> {
    let Some((term, own)) = anchor.definition else {
        return Ok(());
    };
    for (choice, origin) in draft.choices.iter().zip(&draft.origins) {
        let ChoiceOrigin::Neighbour { sentence } = origin else {
            continue;
        };
        let told = anchor.elsewhere.iter().find(|(id, _)| id == sentence);
        let Some((_, theirs)) = told else {
            continue;
        };
        let names = |name: &str| contains_words(&draft.question, name);
        if !names(term) || !names(anchor.document_title) {
            return Err(Rejection::ActNotNamed);
        }
        let nearer = |text: &str, to: &str, than: &str| borne_out(text, to) > borne_out(text, than);
        if !nearer(choice, theirs, own) || !nearer(answer, own, theirs) {
            return Err(Rejection::MeaningsMixed);
        }
    }
    Ok(())
}
