//! Chinese questions that ask for several things: "停泊费是多少，几天内缴？", "渔船和驳船的停泊费有什么不同？".

use crate::asked;
use crate::granted;
use crate::lists::{Pair, Word};
use crate::numerals::is_chinese_numeral;
use crate::parts::Part;
use crate::script::is_han;
use crate::seams::joins_words;
use crate::titled;
use crate::word_lists;

word_lists! {
    /// Words that ask how two things differ.
    COMPARES: Vec<Word> = "chinese/compares.txt";
    /// Kinds of figures, and the words by which a question asks for them.
    FIGURES: Vec<Pair> = "chinese/figures.txt";
}

/// A question of more parts is looked for as a whole.
const MOST: usize = 4;
/// If a part has fewer ideographs of its own, the subject of the question is added to it for the search.
const OWN: usize = 6;
/// What a question is about has at most so many ideographs.
const LONGEST_TOPIC: usize = 10;
/// Something that is compared has at least so many.
const SHORTEST: usize = 2;

/// The parts of a Chinese question that asks for several things, in their order. The list is empty if the question asks
/// for one thing, contains an assumption, or is not Chinese.
pub fn of(question: &str) -> Vec<Part> {
    if !question.chars().any(is_han) || granted::clause(question).is_some() {
        return Vec::new();
    }
    if let Some(both) = compared(question) {
        return both.into();
    }
    let clauses = clauses(question);
    let (Some(first), 2..=MOST) = (clauses.first(), clauses.len()) else {
        return Vec::new();
    };
    let topic = topic(first);
    clauses
        .iter()
        .enumerate()
        .map(|(at, clause)| {
            let own = asked::subject(clause)
                .chars()
                .filter(|c| is_han(*c))
                .count();
            let by_itself = at == 0 || own >= OWN || clause.contains(&topic);
            let asked = match by_itself {
                true => clause.clone(),
                false => format!("{topic}{clause}"),
            };
            Part {
                said: clause.clone(),
                asked,
                or_whole: true,
                ..Part::default()
            }
        })
        .collect()
}

/// The pieces of a text that are questions, each with the words before it that are no question.
fn clauses(question: &str) -> Vec<String> {
    let parted = question
        .replace("，以及", "，")
        .replace("，并且", "，")
        .replace("以及", "，");
    let mut clauses: Vec<String> = Vec::new();
    let mut open = String::new();
    for piece in pieces(&parted) {
        let piece = piece.trim();
        if piece.is_empty() {
            continue;
        }
        let joint = if open.is_empty() { "" } else { "，" };
        open = format!("{open}{joint}{piece}");
        // "什么情况下，…" asks nothing yet.
        let asks_nothing = clauses.is_empty() && asked::subject(&open) == open;
        if asked::has_word_that_asks(piece) && !asks_nothing {
            clauses.push(std::mem::take(&mut open));
        }
    }
    // The text after the last question belongs to that question.
    if let Some(last) = clauses.last_mut().filter(|_| !open.is_empty()) {
        *last = format!("{last}，{open}");
    }
    clauses
}

/// The pieces of a text between its punctuation marks. "1,000" is one figure.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, sign) in text.match_indices(['？', '?', '；', ';', '，', ',', '。']) {
        let (before, after) = (&text[..at], &text[at + sign.len()..]);
        let digit = |c: char| c.is_ascii_digit();
        if !(sign == "," && before.ends_with(digit) && after.starts_with(digit)) {
            pieces.push(&text[from..at]);
            from = at + sign.len();
        }
    }
    pieces.push(&text[from..]);
    pieces
}

/// What a question is about, as far as its first clause says it before a number or a character that joins words.
fn topic(clause: &str) -> String {
    let subject = asked::subject(clause);
    if let Some(topic) = asked::topic(&subject) {
        return topic.replace(' ', "");
    }
    let of_it = |c: &char| is_han(*c) && !is_chinese_numeral(*c) && !joins_words(*c);
    subject
        .chars()
        .take(LONGEST_TOPIC)
        .take_while(of_it)
        .collect()
}

/// Two things that a question compares, each with what is asked of both.
fn compared(question: &str) -> Option<[Part; 2]> {
    let at = COMPARES
        .iter()
        .filter_map(|word| question.find(word))
        .min()?;
    let head = &question[..at];
    if head.contains(['？', '?', '；']) {
        return None;
    }
    // "A的报告和B的报告，期限有什么不同".
    let (both, rest) = match head.rsplit_once(['，', ',']) {
        Some((both, rest)) => (both, rest),
        None => (head, ""),
    };
    let rest = rest.trim_end_matches(['的', '各', '在']);
    let both = both
        .trim_end_matches("之间的")
        .trim_end_matches("之间")
        .trim_end_matches(['的', '，', '在']);
    let (one, other) = sides(both)?;
    let of_both = |side: &str| side.rsplit_once('的').map(|(_, of)| of.to_owned());
    // "渔船和驳船的停泊费": the fee is asked of both.
    let full = |side: &str, beside: &str| match (of_both(side), of_both(beside)) {
        (None, Some(of)) => format!("{side}的{of}"),
        _ => side.to_owned(),
    };
    let part = |side: String| Part {
        asked: asking(match rest.is_empty() {
            true => side.clone(),
            false => format!("{side}，{rest}"),
        }),
        said: side,
        by_itself: true,
        ..Part::default()
    };
    Some([part(full(one, other)), part(full(other, one))])
}

/// The question about a side. If the side is a figure, it becomes a question for a figure.
fn asking(side: String) -> String {
    let figure = FIGURES.iter().find(|(figure, _)| side.ends_with(figure));
    match figure {
        Some((_, asks)) => format!("{side}{asks}"),
        None => side,
    }
}

/// The two texts that a word for "and" joins. If there are several such words, the one whose two sides are most alike
/// is used.
fn sides(both: &str) -> Option<(&str, &str)> {
    let long = |side: &str| side.chars().filter(|c| is_han(*c)).count() >= SHORTEST;
    let found = ["和", "与", "跟"].into_iter().flat_map(|joint| {
        let places = both.match_indices(joint);
        places.map(move |(at, joint)| (&both[..at], &both[at + joint.len()..]))
    });
    found
        .filter(|(one, other)| long(one) && long(other))
        .max_by_key(|(one, other)| (titled::shared(one, other), std::cmp::Reverse(one.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str) -> Vec<String> {
        of(question).into_iter().map(|part| part.asked).collect()
    }

    #[test]
    fn several_questions_in_one_are_told_apart() {
        for (question, expected) in [
            (
                "停泊费由谁缴？停泊日期由哪个机构登记？",
                ["停泊费由谁缴", "停泊日期由哪个机构登记"].as_slice(),
            ),
            (
                "停泊费是多少，几天内缴？",
                &["停泊费是多少", "停泊费几天内缴"],
            ),
            (
                "停泊费是多少，分期付不付？",
                &["停泊费是多少", "停泊费分期付不付"],
            ),
            (
                "停泊费是多少，食堂几点开门？",
                &["停泊费是多少", "停泊费食堂几点开门"],
            ),
            // These words ask nothing.
            ("船长停泊以后，停泊费的时候由谁缴？", &[]),
            (
                "引航员培训多久开展一次，以及由谁组织？",
                &["引航员培训多久开展一次", "引航员培训由谁组织"],
            ),
            // One question.
            ("船舶在港内过夜的，停泊费是多少？", &[]),
            ("停泊费是多少？", &[]),
            ("什么情况下，应当向谁报告停泊？", &[]),
            ("根据《停泊办法》，停泊费由谁缴？", &[]),
            ("请问，停泊费应该按时缴，几天内缴？", &[]),
            ("既然停泊费由船长缴，几天内缴，缴多少？", &[]),
            ("Who pays, and when?", &[]),
            ("", &[]),
        ] {
            assert_eq!(asked(question), expected, "{question}");
        }
    }

    #[test]
    fn a_figure_is_not_parted() {
        let found = pieces("停泊费超过1,000元的，由谁缴,几天内缴？");
        assert_eq!(found, ["停泊费超过1,000元的", "由谁缴", "几天内缴", ""]);
    }

    #[test]
    fn what_is_compared_is_asked_of_both() {
        for (question, expected) in [
            (
                "渔船和驳船的停泊费有什么不同？",
                ["渔船的停泊费", "驳船的停泊费"].as_slice(),
            ),
            (
                "渔船的停泊费与驳船的停泊费哪个高？",
                &["渔船的停泊费", "驳船的停泊费"],
            ),
            (
                "船长的报告和引航员的报告，期限有什么区别？",
                &["船长的报告，期限是多久", "引航员的报告，期限是多久"],
            ),
            ("渔船跟驳船一样吗？", &["渔船", "驳船"]),
            ("停泊费有什么不同？", &[]),
        ] {
            assert_eq!(asked(question), expected, "{question}");
            assert!(of(question).iter().all(|part| part.by_itself));
        }
    }
}
