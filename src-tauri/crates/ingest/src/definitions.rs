//! Definitions in a text: which term is defined how.
//!
//! Works on a sentence, an article or a whole document. These forms are found:
//! - English: quoted terms ("‘controller’ means …"), definition lists, introductions ("For the purposes of this
//!   Article, X means …"), short names ("… (the ‘Agency’)"), glossary sentences; and descriptions of a term in running
//!   text, which are marked as less certain;
//! - Chinese: "本办法所称 X，是指 …", "X 是指 …", "前款所称 X，包括 …";
//! - Korean: "“X”란 …을 말한다";
//! - every language: glossary tables (term and wording separated by a tab or a dash).

mod chinese;
mod continued;
mod descriptive;
mod english;
mod found;
mod glossary;
mod korean;
mod pattern;
mod subject;
mod wording;

use found::Found;
use lexforge_domain::extract::Defined;
use lexforge_domain::term::{Definition, DefinitionKind};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_text::words;
use std::collections::{BTreeSet, HashSet};

/// The definitions of a text in order of occurrence. `start..end` covers term and definition in Unicode scalar values
/// of `text`; in the strings every run of white space is one blank.
pub fn find(text: &str, language: Language) -> Vec<Definition> {
    let mut found = in_legal_form(text, language);
    add_apart(&mut found, glossary::find(text));
    if matches!(language, Language::En | Language::Other) {
        add_apart(&mut found, descriptive::find(text));
    }
    with_scalar_offsets(text, found)
}

fn in_legal_form(text: &str, language: Language) -> Vec<Found> {
    match language {
        Language::Zh => chinese::find(text),
        Language::Ko => korean::find(text),
        Language::En | Language::Other => english::find(text),
    }
}

/// Whether a text defines a term in the form that legal acts and glossaries have.
pub fn defines(text: &str, language: Language) -> bool {
    // Descriptions in running text do not count, so they are not searched for.
    !in_legal_form(text, language).is_empty() || !glossary::find(text).is_empty()
}

/// Adds the definitions that do not overlap with those found before. The earlier ones are more certain.
fn add_apart(found: &mut Vec<Found>, more: Vec<Found>) {
    let before = found.len();
    for one in more {
        if !found[..before]
            .iter()
            .any(|f| f.start < one.end && one.start < f.end)
        {
            found.push(one);
        }
    }
}

/// The definitions in each of these sentences, in order. Headings have no definitions. A definition may continue in the
/// next sentences (points of a list, "It also includes …"). Then its wording includes these sentences, but `start` and
/// `end` mark only the part that is in its first sentence.
pub fn find_all<'a>(
    sentences: impl IntoIterator<Item = (SentenceKind, &'a str)>,
    language: Language,
) -> Vec<Defined> {
    let sentences: Vec<(SentenceKind, &str)> = sentences.into_iter().collect();
    let running = sentences
        .iter()
        .enumerate()
        .filter(|(_, (kind, _))| *kind != SentenceKind::Heading);
    let found = running.flat_map(|(source, (_, text))| {
        find(text, language)
            .into_iter()
            .map(move |definition| Defined { source, definition })
    });
    let mut found = found.collect::<Vec<_>>();
    continued::join(&sentences, &mut found);
    found.retain(|one| !is_verb_alone(&one.definition.definition));
    found
}

/// Whether a wording is only the verb before a list that does not follow: "means:".
fn is_verb_alone(wording: &str) -> bool {
    wording.is_ascii() && wording.ends_with(':') && !wording.contains(' ')
}

/// The set of words in the wording of a definition. Two definitions with the same set count as one. The order and
/// number of the words are ignored, because a table and its plain text may repeat the same list with other marks, or
/// repeat an item.
fn different_words(wording: &str) -> BTreeSet<String> {
    words(wording).into_iter().collect()
}

fn with_scalar_offsets(text: &str, mut found: Vec<Found>) -> Vec<Definition> {
    found.sort_by_key(|f| f.start);
    // What a text repeats (a table and its plain form) is one definition.
    let mut seen = HashSet::new();
    found.retain(|f| seen.insert((f.term.to_lowercase(), different_words(&f.definition))));
    let (mut byte, mut scalar) = (0, 0);
    found
        .into_iter()
        .map(|f| {
            scalar += text[byte..f.start].chars().count();
            byte = f.start;
            let end = scalar + text[f.start..f.end].chars().count();
            Definition {
                term: f.term,
                aliases: f.aliases,
                definition: f.definition,
                start: scalar,
                end,
                kind: if f.descriptive {
                    DefinitionKind::Descriptive
                } else {
                    DefinitionKind::Legal
                },
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod measured;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
