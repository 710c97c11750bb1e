//! Whether a sentence points to a place that is not shown with it.

use super::super::lexicon;

/// Whether the subject is a pronoun, so that nobody can tell what is spoken of.
pub(crate) fn points_back(text: &str) -> bool {
    let lower = text.to_lowercase();
    let back = [
        "in such ",
        "in that ",
        "in this ",
        "in those ",
        "in these ",
        "for this ",
        "for that ",
        "to that end",
        "to this end",
    ];
    let itself = [
        "in this regulation",
        "in this directive",
        "in this chapter",
        "in this rulebook",
        "for this regulation",
    ];
    if back.iter().any(|b| lower.starts_with(b)) && !itself.iter().any(|i| lower.starts_with(i)) {
        return true;
    }
    if points_to_others(&lower) || points_elsewhere(&lower) {
        return true;
    }
    let mut tokens = lower.split_whitespace();
    let first = tokens.next().unwrap_or("");
    let second = tokens.next().unwrap_or("");
    // "These Listing Rules apply to …" speaks of itself, as "this Regulation" does.
    if first == "these"
        && tokens
            .clone()
            .take(3)
            .chain([second])
            .any(|w| ["rules", "guidelines", "regulations"].contains(&w))
    {
        return false;
    }
    match first {
        "it" => {
            !["is", "shall", "should"].contains(&second)
                || !lower.contains(" that ") && !lower.contains(" to ")
        }
        "they" | "he" | "she" | "these" | "those" | "such" | "its" | "their" | "both" | "here"
        | "there" => true,
        "this" | "that" => ![
            "regulation",
            "directive",
            "rulebook",
            "law",
            "act",
            "chapter",
            "part",
            "guidance",
            "policy",
        ]
        .contains(&second),
        "the" => ["latter", "former", "same", "above"].contains(&second),
        _ => false,
    }
}

/// Whether a text has "this source" or "of that draft" and no source or draft before it.
fn points_elsewhere(lower: &str) -> bool {
    const PREPOSITIONS: &[&str] = &[
        "of", "in", "for", "to", "by", "with", "on", "from", "under", "at", "into", "within",
        "during", "after",
    ];
    let all = lexforge_text::words(lower);
    let said = |upto: usize, noun: &String| {
        let noun = lexforge_text::plural::singular(noun);
        all.iter()
            .take(upto)
            .any(|w| lexforge_text::plural::singular(w) == noun)
    };
    all.iter().enumerate().any(|(at, word)| {
        let before = at
            .checked_sub(1)
            .and_then(|b| all.get(b))
            .map_or("", String::as_str);
        let points = match word.as_str() {
            "this" | "these" | "such" | "those" => true,
            "that" => PREPOSITIONS.contains(&before) && !(before == "in" && at > 1),
            _ => false,
        };
        if !points {
            return false;
        }
        let name: Vec<&String> = all
            .iter()
            .skip(at + 1)
            .take_while(|w| !crate::words::is_stop(w))
            .take(3)
            .collect();
        let Some(first) = name.first() else {
            return false;
        };
        // "Article 6(1) … those provisions".
        if first.starts_with("provision") && all.iter().any(|w| w == "article" || w == "articles") {
            return false;
        }
        // "this IFR 6": a part of the rulebook itself.
        if name
            .iter()
            .any(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        {
            return false;
        }
        // In "those concerned" and "those persons who", the following words say who is meant.
        let told = word == "those"
            && (first.ends_with("ed")
                || first.ends_with("ing")
                || all
                    .get(at + 1 + name.len())
                    .is_some_and(|w| ["who", "which", "that", "of", "in"].contains(&w.as_str())));
        !told
            && !lexicon::NAMES_OF_THE_TEXT.contains(&first.as_str())
            && !name
                .iter()
                .any(|n| said(at, n) || lexicon::NAMES_OF_THE_TEXT.contains(&n.as_str()))
    })
}

/// Whether a text says "those tasks" but has no other words for them: what they are is written elsewhere.
fn points_to_others(lower: &str) -> bool {
    const SAYS_WHICH: &[&str] = &[
        "who", "which", "that", "of", "in", "with", "referred", "to", "for", "under", "on",
        "where", "at", "from", "set", "laid", "by",
    ];
    let tokens: Vec<&str> = lower.split_whitespace().collect();
    tokens.iter().enumerate().any(|(at, token)| {
        let next = tokens.get(at + 1).copied().unwrap_or("");
        let said = SAYS_WHICH.contains(&next) || next.ends_with("ing") || next.ends_with("ed");
        // A short subordinate clause may take up what its own sentence names.
        matches!(*token, "those" | "those," | "those.") && at < 8 && !(*token == "those" && said)
    })
}
