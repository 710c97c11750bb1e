//! Finds the parts of a rule that bind, and whether another text still has them.
//!
//! There are three comparisons:
//! - [`lost()`] is for a paraphrase of the whole rule. Both texts are reduced to the parts that bind, and these must be
//!   the same (docs/methods.md, "Financial embeddings").
//! - [`lost_in_translation`] does this for two languages.
//! - [`differences`] is for an answer, which may use only a part of the rule. The answer may not change, reverse or add
//!   anything that binds, and may not drop anything that governs the part it uses.
//!
//! These parts bind: numbers with their units, dates, periods, modals, negations, exceptions and conditions,
//! directions, quantifiers, actors, and defined terms. The words for them are in `words/`.
//!
//! The comparisons only look up words and do not understand them. They miss a difference that is stated in words
//! outside the lists.

mod actors;
mod aside;
mod binding;
mod chinese;
mod conditions;
mod denial;
mod english;
mod fact;
mod figures;
mod force;
mod forces;
mod held;
mod lead;
mod lexicon;
mod lost;
mod numbers;
mod opposites;
mod quantifiers;
mod role;
mod terms;
mod token;
mod translated;
mod weakened;
mod zh_rules;

pub use binding::{Binding, Compared, Difference};
pub use denial::{reverses, reverses_a_word};
pub use force::{Force, Held, Side, force};
pub use held::{held, tells_how_long};
pub use lost::{Lost, lost};
pub use translated::{lost_in_translation, translated_into};

use lexforge_domain::text::Language;
use lexforge_text::fold::tidy;

/// The parts that bind in the rule and differ in the answer. Empty if there is no difference.
pub fn differences(
    anchor: &str,
    answer: &str,
    language: Language,
    defined_terms: &[&str],
) -> Vec<Difference> {
    Compared {
        anchor,
        answer,
        asked: "",
        place: "",
        language,
        terms: defined_terms,
    }
    .differences()
}

impl Compared<'_> {
    /// The parts that bind in the rule and differ in the answer. Empty if there is no difference.
    pub fn differences(&self) -> Vec<Difference> {
        let mut found = Vec::new();
        let plain = |text: &str| tidy(text).to_lowercase();
        if plain(self.anchor) == plain(self.answer) {
            return found;
        }
        if self.language == Language::Zh {
            zh_rules::compare(self, &mut found);
        } else {
            let texts = english::Texts::of(self);
            figures::compare(&texts.figures(), &mut found);
            forces::compare(&texts, &mut found);
            opposites::compare(&texts, &mut found);
            opposites::replaced(&texts, &mut found);
            figures::directions(&texts, &mut found);
            quantifiers::compare(&texts, &mut found);
            conditions::compare(&texts, &mut found);
            actors::compare(&texts, &mut found);
        }
        terms::compare(self, &mut found);
        found.sort_by_key(|difference| difference.kind);
        found.dedup();
        found
    }
}
