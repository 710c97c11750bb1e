//! Reading an answer: for each sentence by its number, for each class a list of terms.

use crate::endpoint::object::{self, Unparseable};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The terms that an answer proposes: (class, term).
pub(super) type Proposed = Vec<(String, String)>;

/// A parsed answer.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Answer {
    /// The terms of each sentence, in the order of the sentences.
    pub(super) sentences: Vec<Proposed>,
    /// The terms under numbers that no sentence has.
    pub(super) elsewhere: Proposed,
}

/// An answer as written. Of fewer sentences than were asked about the flat form `{class: [term]}` is taken too.
#[derive(Deserialize, PartialEq)]
#[serde(untagged)]
enum Written {
    BySentence(BTreeMap<String, BTreeMap<String, Vec<String>>>),
    Flat(BTreeMap<String, Vec<String>>),
}

/// Reads an answer about `sentences` sentences.
///
/// # Errors
/// The reason why it cannot be read.
pub(super) fn answer(text: &str, finish: &str, sentences: usize) -> Result<Answer, Unparseable> {
    let mut answer = Answer {
        sentences: vec![Vec::new(); sentences],
        elsewhere: Vec::new(),
    };
    let by_sentence = match object::read(text, finish)? {
        Written::BySentence(by_sentence) => by_sentence,
        // Without numbers it is clear only for a single sentence which one is meant.
        Written::Flat(classes) if sentences == 1 => BTreeMap::from([("1".to_owned(), classes)]),
        Written::Flat(_) => return Err(Unparseable::WrongFields),
    };
    let mut numbered = false;
    for (number, classes) in by_sentence {
        let place = number
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|n| n.checked_sub(1));
        numbered |= place.is_some();
        let proposed = place
            .and_then(|place| answer.sentences.get_mut(place))
            .unwrap_or(&mut answer.elsewhere);
        proposed.extend(
            classes
                .into_iter()
                .flat_map(|(class, terms)| terms.into_iter().map(move |t| (class.clone(), t))),
        );
    }
    // Names in the place of numbers are another form altogether.
    if numbered || answer.elsewhere.is_empty() {
        Ok(answer)
    } else {
        Err(Unparseable::WrongFields)
    }
}
