//! What a rule has done: verbs, and others that could stand in their place and mean something else.

use super::lexicon;
use crate::clause::Clause;

/// What may stand before the verb.
const ADVERBS: &[&str] = &["依法", "及时", "定期", "主动", "按照规定", "持续", "妥善", "认真", "严格", "书面", "如实"];

/// The predicate with another verb in the place of its first one: (predicate, what went, what came).
pub(super) fn swapped(clause: &Clause) -> Vec<(String, String, String)> {
    let text = clause.predicate.as_str();
    let adverb = ADVERBS.iter().find(|a| text.starts_with(**a)).map_or(0, |a| a.len());
    let Some(rest) = text.get(adverb..) else { return Vec::new() };
    let found =
        lexicon::VERBS.iter().find_map(|(forms, others)| Some((forms.iter().find(|f| rest.starts_with(**f))?, others)));
    let Some((verb, others)) = found else { return Vec::new() };
    let after = &rest[verb.len()..];
    // "建立的……", "保存和使用……": part of a noun, or one of several verbs of one object.
    let part = after.chars().next().is_none_or(|c| "的和或与及、，（等给至于为".contains(c)) || after.starts_with("并");
    if part {
        return Vec::new();
    }
    let fits = others.iter().filter(|o| !text.contains(**o));
    fits.map(|o| (format!("{}{o}{after}", &text[..adverb]), (*verb).to_owned(), (*o).to_owned())).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn another_verb_takes_the_place_of_the_first() {
        let check = |text: &str, expected: &[&str]| {
            let found = swapped(&parse::clause(text).unwrap());
            assert_eq!(found.iter().map(|s| s.0.as_str()).collect::<Vec<_>>(), expected, "{text}");
        };
        check("仓储公司应当妥善保管托运人的货物。", &["妥善销毁托运人的货物", "妥善公开托运人的货物"]);
        check("仓储公司应当保存和核对货物清单。", &[]);
        check("仓储公司应当按时交付货物。", &[]);
    }
}
