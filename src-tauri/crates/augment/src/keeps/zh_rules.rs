//! The comparison in Chinese: by clauses and pairs of characters, since nothing parts its words.

mod actors;
mod conditions;
mod forces;
mod opposites;
mod quantifiers;
mod texts;

use super::binding::{Compared, Difference};
use super::chinese::Text;
use super::fact::Figures;
use super::figures;
use actors::actors;
use conditions::conditions;
use forces::{forces, negations};
use opposites::{directions, opposites};
use quantifiers::quantifiers;
use texts::Texts;

/// Adds what is not the same.
pub(super) fn compare(compared: &Compared<'_>, found: &mut Vec<Difference>) {
    let texts = Texts {
        anchor: Text::read(compared.anchor),
        answer: Text::read(compared.answer),
        asked: Text::read(compared.asked),
        place: Text::read(compared.place),
    };
    figures::compare(
        &Figures {
            anchor: texts.anchor.facts(),
            answer: texts.answer.facts(),
            place: texts.place.facts(),
            periods: texts
                .anchor
                .marks()
                .map(|(mark, _)| mark)
                .filter(|mark| mark.is_period())
                .collect(),
        },
        found,
    );
    forces(&texts, found);
    negations(&texts, found);
    opposites(compared, found);
    directions(&texts, found);
    quantifiers(&texts, found);
    conditions(&texts, found);
    actors(&texts, found);
}
