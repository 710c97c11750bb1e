//! Synonyms of English words by WordNet 3.x (Fellbaum 1998), from the texts of its files, looked up as nltk 3.9.1 does.

use std::collections::{HashMap, HashSet};

/// The parts of speech of WordNet, as they are in the names of its files (`index.noun`, `data.noun`, `noun.exc`).
pub const PARTS: [&str; 4] = ["noun", "verb", "adj", "adv"];

/// An ending of an inflected word, and what stands in its place in the word itself.
type Ending = (&'static str, &'static str);

/// The endings of each of [`PARTS`].
const ENDINGS: [&[Ending]; 4] = [
    &[
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ],
    &[
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ],
    &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    &[],
];

/// The texts of one part of speech.
#[derive(Clone, Debug, Default)]
pub struct PartTexts {
    /// `index.*`: the meanings of each word.
    pub index: String,
    /// `data.*`: the words of each meaning.
    pub data: String,
    /// `*.exc`: inflected words that cannot be recognised by an ending.
    pub exceptions: String,
}

/// A line of one of the files that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotWordNet {
    /// The file's name.
    pub file: String,
    /// From 1; 0 where the file has no line to read.
    pub line: usize,
}

/// The words of WordNet that mean the same.
#[derive(Clone, Debug)]
pub struct WordNet(Vec<Part>);

#[derive(Clone, Debug)]
struct Part {
    /// Word → the places of its meanings in the data.
    index: HashMap<String, Vec<u64>>,
    /// Place → the words of that meaning. Names of several words are left out, since words are compared one by one.
    meanings: HashMap<u64, Vec<String>>,
    /// Inflected word → the words that it may be a form of.
    exceptions: HashMap<String, Vec<String>>,
    endings: &'static [Ending],
}

impl WordNet {
    /// Reads a WordNet from the texts of each of [`PARTS`], in that order.
    ///
    /// # Errors
    /// When a line does not have WordNet's form, or a file has no lines.
    pub fn read(texts: &[PartTexts; 4]) -> Result<Self, NotWordNet> {
        let parts = PARTS.iter().zip(ENDINGS).zip(texts);
        let read = |((name, endings), of): ((&&str, &'static [Ending]), &PartTexts)| {
            Ok(Part {
                index: each(&format!("index.{name}"), &of.index, places)?,
                meanings: each(&format!("data.{name}"), &of.data, meaning)?,
                exceptions: exceptions(&of.exceptions),
                endings,
            })
        };
        let parts = parts.map(read).collect::<Result<Vec<Part>, NotWordNet>>()?;
        Ok(Self(parts))
    }

    /// The words that share a meaning with this one, or with a word that it may be a form of.
    pub(super) fn synonyms(&self, word: &str) -> HashSet<&str> {
        let parts = self.0.iter();
        parts.flat_map(|part| part.synonyms(word)).collect()
    }
}

impl Part {
    fn synonyms(&self, word: &str) -> impl Iterator<Item = &str> {
        let forms = self.forms(word).into_iter();
        forms
            .filter_map(move |form| self.index.get(&form))
            .flatten()
            .filter_map(move |place| self.meanings.get(place))
            .flatten()
            .map(String::as_str)
    }

    /// The word itself, and what it is a form of: by the list of exceptions where it is there, else by its endings.
    fn forms(&self, word: &str) -> Vec<String> {
        let mut forms = vec![word.to_owned()];
        match self.exceptions.get(word) {
            Some(known) => forms.extend(known.iter().cloned()),
            None => forms.extend(
                self.endings
                    .iter()
                    .filter_map(|(old, new)| Some(format!("{}{new}", word.strip_suffix(*old)?))),
            ),
        }
        forms
    }
}

/// Reads an entry from each line. The licence at the beginning, whose lines are indented, is skipped.
fn each<K, V>(
    file: &str,
    text: &str,
    of: impl Fn(&str) -> Option<(K, V)>,
) -> Result<HashMap<K, V>, NotWordNet>
where
    K: std::hash::Hash + Eq,
{
    let wrong = |line| NotWordNet {
        file: file.to_owned(),
        line,
    };
    let mut found = HashMap::new();
    for (i, line) in text.lines().enumerate() {
        if !line.starts_with(' ') && !line.is_empty() {
            let (key, value) = of(line).ok_or_else(|| wrong(i + 1))?;
            found.insert(key, value);
        }
    }
    if found.is_empty() {
        return Err(wrong(0));
    }
    Ok(found)
}

/// Reads a line of an index: the word, and the places of its meanings. The line has the word, part of speech, number of
/// meanings, number of kinds of pointers and the kinds, number of senses, number of ranked senses, and the places of
/// the meanings.
fn places(line: &str) -> Option<(String, Vec<u64>)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let count = |at: usize| fields.get(at)?.parse::<usize>().ok();
    let (meanings, pointers) = (count(2)?, count(3)?);
    let first = pointers.checked_add(6)?;
    let places = fields.get(first..first.checked_add(meanings)?)?;
    let places: Option<Vec<u64>> = places.iter().map(|place| place.parse().ok()).collect();
    Some(((*fields.first()?).to_owned(), places?))
}

/// Reads a line of the data: its place, and the words with this meaning. The line has its place, the lexicographers'
/// file, part of speech, number of words as two hexadecimal digits, and each word with a number. An adjective may have
/// a mark of its position, "(p)".
fn meaning(line: &str) -> Option<(u64, Vec<String>)> {
    let mut fields = line.split_whitespace();
    let place = fields.next()?.parse().ok()?;
    let count = usize::from_str_radix(fields.nth(2)?, 16).ok()?;
    let mut words = Vec::new();
    for _ in 0..count {
        let word = fields.next()?;
        fields.next()?;
        let word = match word.find('(') {
            Some(mark) if word.ends_with(')') => &word[..mark],
            _ => word,
        };
        if !word.contains('_') {
            words.push(word.to_owned());
        }
    }
    Some((place, words))
}

fn exceptions(text: &str) -> HashMap<String, Vec<String>> {
    let words = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        Some((words.next()?, words.collect()))
    };
    text.lines().filter_map(words).collect()
}

/// A WordNet of our own, of a few words.
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) fn small() -> WordNet {
    let part = |index: &str, data: &str, exceptions: &str| PartTexts {
        index: format!("  1 This is the licence.  \n{index}"),
        data: format!("  1 This is the licence.  \n{data}"),
        exceptions: exceptions.to_owned(),
    };
    let texts = [
        part(
            "breach n 2 2 @ ~ 2 0 00000100 00000200\ninfringement n 1 0 1 0 00000100\ngap n 1 1 @ 1 0 00000200\nman n 1 0 1 0 00000300\n\
             adult_male n 1 0 1 0 00000300\nox n 1 0 1 0 00000400\n",
            "00000100 04 n 02 breach 0 infringement 0 001 @ 00000200 n 0000 | an act that breaks a rule\n\
             00000200 04 n 02 breach 1 gap 0 000 | an opening\n\
             00000300 18 n 02 man 0 adult_male 0 000 | a grown person\n\
             00000400 05 n 02 ox 0 bullock 0 000 | a beast\n",
            "oxen ox\n",
        ),
        part(
            "tell v 1 0 1 0 00000500\nnotify v 1 0 1 0 00000500\n",
            "00000500 32 v 03 tell 0 notify 0 Inform 0 000 | let somebody know\n",
            "told tell\n",
        ),
        part(
            "competent a 1 0 1 0 00000600\n",
            "00000600 00 s 02 competent(p) 0 able 0 000 | that can\n",
            "",
        ),
        part(
            "soon r 1 0 1 0 00000700\n",
            "00000700 02 r 02 soon 0 shortly 0 000 | in a little while\n",
            "",
        ),
    ];
    WordNet::read(&texts).unwrap()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn words_that_share_a_meaning_are_found_from_any_form() {
        let known = small();
        for (word, wanted) in [
            ("breach", vec!["breach", "gap", "infringement"]),
            ("breaches", vec!["breach", "gap", "infringement"]),
            ("infringements", vec!["breach", "infringement"]),
            // Only words of one piece, in the letters that WordNet has them in.
            ("men", vec!["man"]),
            ("tells", vec!["Inform", "notify", "tell"]),
            ("notified", vec![]),
            // An exception is in the place of the endings.
            ("told", vec!["Inform", "notify", "tell"]),
            ("oxen", vec!["bullock", "ox"]),
            ("competent", vec!["able", "competent"]),
            ("soon", vec!["shortly", "soon"]),
            ("regulation", vec![]),
            ("", vec![]),
        ] {
            let mut found: Vec<&str> = known.synonyms(word).into_iter().collect();
            found.sort_unstable();
            assert_eq!(found, wanted, "{word}");
        }
    }

    #[test]
    fn a_file_of_another_form_is_named_with_its_line() {
        let good = PartTexts {
            index: "law n 1 0 1 0 00000001\n".to_owned(),
            data: "00000001 10 n 01 law 0 000 | a rule\n".to_owned(),
            exceptions: String::new(),
        };
        let with =
            |part: PartTexts| WordNet::read(&[good.clone(), good.clone(), part, good.clone()]);
        assert!(with(good.clone()).is_ok());
        for (part, file, line) in [
            (
                PartTexts {
                    index: "\nlaw n 2 0 2 0 00000001\n".to_owned(),
                    ..good.clone()
                },
                "index.adj",
                2,
            ),
            (
                PartTexts {
                    index: "law n 18446744073709551615 1 @ 1 0 00000001".to_owned(),
                    ..good.clone()
                },
                "index.adj",
                1,
            ),
            (
                PartTexts {
                    data: "00000001 10 n 02 law 0\n".to_owned(),
                    ..good.clone()
                },
                "data.adj",
                1,
            ),
            (
                PartTexts {
                    data: "  1 The licence alone.\n".to_owned(),
                    ..good.clone()
                },
                "data.adj",
                0,
            ),
        ] {
            let wanted = NotWordNet {
                file: file.to_owned(),
                line,
            };
            assert_eq!(with(part).unwrap_err(), wanted);
        }
    }
}
