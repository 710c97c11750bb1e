//! Chinese names of figures: 任期 in 会长任期几年. Only a clause that speaks of it can tell such a figure, whatever other years
//! it has.

use crate::lists::Group;
use crate::word_lists;

word_lists! {
    /// Each name with the words by which rules tell its figure.
    NAMES: Vec<Group> = "chinese/names_of_figures.txt";
}

/// The name of the figure that a Chinese question asks for. `None` if it asks for another figure, or for none.
pub fn name_of_the_figure(question: &str) -> Option<&'static str> {
    let names = NAMES.iter().filter_map(|group| group.first());
    names.copied().find(|name| {
        let behind = question.split_once(name).map(|(_, behind)| behind);
        behind.is_some_and(|behind| {
            let behind = BETWEEN
                .iter()
                .fold(behind, |text, word| text.strip_prefix(word).unwrap_or(text));
            ASKS.iter().any(|word| behind.starts_with(word))
        })
    })
}

/// Whether a text speaks of the figure with this name.
pub fn is_of_its_name(name: &str, text: &str) -> bool {
    let mut groups = NAMES.iter().filter(|group| group.first() == Some(&name));
    groups.any(|group| group.iter().any(|word| text.contains(word)))
}

/// Words between the name and the word that asks, in this order.
const BETWEEN: [&str; 10] = [
    "的",
    "一般",
    "是",
    "为",
    "有",
    "不超过",
    "最长",
    "最短",
    "最高",
    "最低",
];
/// Words that ask for a figure.
const ASKS: [&str; 6] = ["几", "多少", "多长", "多久", "多大", "多高"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_told_by_a_text_that_speaks_of_it() {
        for (question, name) in [
            ("会长任期几年？", Some("任期")),
            ("会长的任期一般是多久？", Some("任期")),
            ("停泊贷款利率最高多少？", Some("利率")),
            ("会长任期内缴多少停泊费？", None),
            ("停泊几年？", None),
        ] {
            assert_eq!(name_of_the_figure(question), name, "{question}");
        }
        for (name, text, so) in [
            ("任期", "会长每届任期三年。", true),
            ("任期", "会长任职期限为三年。", true),
            ("任期", "被吊销资格之日起未逾五年的，不得担任会长。", false),
            ("年龄", "会长年满三十周岁。", true),
            ("别的", "会长每届任期三年。", false),
        ] {
            assert_eq!(is_of_its_name(name, text), so, "{name} {text}");
        }
    }
}
