//! How much of the name of an act stands in a question: "汽车金融公司的注册资本" has six characters of "汽车金融公司管理办法".

use crate::script::is_han;

/// The ideographs of the longest piece of a question that is in a title as it is.
pub fn shared(question: &str, title: &str) -> usize {
    let title: Vec<char> = title.chars().collect();
    // By place in the title: how long the piece is that ends there, and at the last character of the question.
    let mut ending = vec![0_usize; title.len()];
    let mut longest = 0;
    for c in question.chars() {
        for at in (0..title.len()).rev() {
            let before = at.checked_sub(1).map_or(0, |before| ending[before]);
            ending[at] = if is_han(c) && title[at] == c {
                before + 1
            } else {
                0
            };
            longest = longest.max(ending[at]);
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_piece_counts() {
        for (question, title, expected) in [
            ("引航公司的费用", "引航公司管理办法", 4),
            ("公司引航的费用", "引航公司管理办法", 2),
            ("引航法", "中华人民共和国引航法", 3),
            ("Pilot companies", "Pilot companies", 0),
            ("", "引航法", 0),
        ] {
            assert_eq!(shared(question, title), expected, "{question}");
        }
    }
}
