//! Finds the boundaries between two words of a question in a script without blanks. Words of such a script are looked
//! up by pairs of characters. A pair made of the end of one word and the beginning of the next occurs in hardly any
//! document. Such a pair must not be counted as a missing word.

use crate::everyday;
use crate::lists::Word;
use crate::script::is_han;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Characters between words.
    JOINING: HashSet<Word> = "chinese/joining.txt";
}

/// The question with a blank at each boundary between two words. There is a boundary between two characters if the
/// documents never contain this pair, and if each of the two characters is known in another way. A character is known
/// if the documents contain it together with its other neighbour, if it is a conjunction, or if it is an everyday word
/// by itself (换 in 换受益人). `stands` says whether the documents contain a pair. A single character that is left beside a
/// boundary is removed, unless it is an everyday word by itself.
pub fn parted(question: &str, stands: impl Fn(&str) -> bool) -> String {
    let places = Places::of(question, stands);
    let mut out = String::with_capacity(question.len());
    // The piece of Chinese that is being read.
    let mut piece: Vec<char> = Vec::new();
    let mut was_parted = false;
    for (at, c) in places.chars.iter().enumerate() {
        let seam =
            places.pair(Some(at)) == Some(false) && places.is_known(at) && places.is_known(at + 1);
        piece.push(*c);
        let next = places.chars.get(at + 1);
        if seam || next.is_none_or(|next| is_han(*next) != is_han(*c)) {
            // A single character between two seams, or beside one, is a piece of no word.
            let alone =
                piece.len() == 1 && is_han(*c) && !everyday::is_alone(*c) && (seam || was_parted);
            if !alone {
                out.extend(&piece);
            }
            piece.clear();
            was_parted = seam;
        }
        if seam {
            out.push(' ');
        }
    }
    crate::fold::spaced(&out)
}

/// The pieces of a question that the documents do not contain, for example 食堂. Such a piece has two characters or more,
/// contains no conjunction, and no pair of its characters occurs in the documents.
pub fn unknown(question: &str, stands: impl Fn(&str) -> bool) -> Vec<String> {
    let places = Places::of(question, stands);
    let mut unknown = vec![String::new()];
    for (at, c) in places.chars.iter().enumerate() {
        match unknown
            .last_mut()
            .filter(|_| is_han(*c) && !places.is_known(at))
        {
            Some(piece) => piece.push(*c),
            None => unknown.push(String::new()),
        }
    }
    unknown.retain(|piece| piece.chars().nth(1).is_some());
    unknown
}

/// The characters of a question, and which pairs stand in the documents.
struct Places {
    chars: Vec<char>,
    /// Of each character with the next one; `None` if one of them is no Chinese.
    pairs: Vec<Option<bool>>,
}

impl Places {
    fn of(question: &str, stands: impl Fn(&str) -> bool) -> Self {
        let chars: Vec<char> = question.chars().collect();
        let pairs = chars.windows(2).map(|pair| {
            let both = pair.iter().all(|c| is_han(*c));
            both.then(|| stands(&String::from_iter(pair)))
        });
        Self {
            pairs: pairs.collect(),
            chars,
        }
    }

    fn pair(&self, at: Option<usize>) -> Option<bool> {
        self.pairs.get(at?).copied().flatten()
    }

    /// A character stands together with one of its neighbours, only joins words, or is a word by itself.
    fn is_known(&self, at: usize) -> bool {
        let by_itself = |c: &char| joins_words(*c) || everyday::is_alone(*c);
        self.chars.get(at).is_some_and(by_itself)
            || self.pair(at.checked_sub(1)) == Some(true)
            || self.pair(Some(at)) == Some(true)
    }
}

/// Whether a character only joins words.
pub fn joins_words(c: char) -> bool {
    let mut character = [0; 4];
    JOINING.contains(&*c.encode_utf8(&mut character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_where_they_meet() {
        let text = "船长在工作日内备案。引航员修订制度之后停泊";
        let stands = |pair: &str| text.contains(pair);
        for (question, expected) in [
            (
                "制度修订之后，工作日内要备案",
                "制度 修订 之后，工作日内 备案",
            ),
            ("修订制度", "修订制度"),
            // A word of one character in whose place rules have another one.
            ("船长想换引航员", "船长 换 引航员"),
            ("停泊算备案", "停泊 备案"),
            // A word that is in no document is left as it is.
            ("食堂几点开门", "食堂几点开门"),
            ("船长食堂", "船长食堂"),
            ("ISO 9001 要备案", "ISO 9001 备案"),
            ("", ""),
        ] {
            assert_eq!(parted(question, stands), expected, "{question}");
        }
    }

    #[test]
    fn what_stands_nowhere_is_known() {
        let stands = |pair: &str| "船长在工作日内备案".contains(pair);
        for (question, expected) in [
            ("船长食堂", vec!["食堂"]),
            ("船长要备案", vec![]),
            ("食堂，ISO", vec!["食堂"]),
            ("船长薪", vec![]),
            ("船长想换", vec![]),
        ] {
            assert_eq!(unknown(question, stands), expected, "{question}");
        }
    }
}
