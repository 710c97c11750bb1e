//! A question in one line of a list: what it asks stands before the place of its rule, with which all questions begin.

/// The question with its place behind it; a text that does not begin with a place stays as it is.
pub fn question_first(text: &str) -> String {
    match parts(text) {
        Some((place, asked)) => format!("{asked} · {place}"),
        None => text.to_owned(),
    }
}

/// The place and what is asked: `Under Article 6(1) of “Act” (“Heading”), who pays?`, `根据《办法》第九条，谁负责？`.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (place, asked) = if text.starts_with("Under ") {
        let ends = ["”, ", "”), "].map(|end| text.find(end).map(|at| at + end.len()));
        let end = ends.into_iter().flatten().min()?;
        text.split_at(end)
    } else if text.starts_with("根据《") {
        let title = text.find('》')?;
        let end = text[title..].find('，')? + title + '，'.len_utf8();
        text.split_at(end)
    } else {
        return None;
    };
    let place = place.trim_end().trim_end_matches([',', '，']);
    (!asked.is_empty()).then_some((place, asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_stands_before_the_place() {
        for (text, line) in [
            (
                "Under Article 6(1) of “Credit, Collateral and More” (“Credit function”), who pays?",
                "who pays? · Under Article 6(1) of “Credit, Collateral and More” (“Credit function”)",
            ),
            (
                "Under “Regulation on C”, what does the term “Haircut”, in short, mean?",
                "what does the term “Haircut”, in short, mean? · Under “Regulation on C”",
            ),
            (
                "根据《商业银行，管理办法》第九条（“仓单”），谁负责？",
                "谁负责？ · 根据《商业银行，管理办法》第九条（“仓单”）",
            ),
            ("What is a haircut?", "What is a haircut?"),
            (
                "Under Article 6(1), who pays?",
                "Under Article 6(1), who pays?",
            ),
            ("", ""),
        ] {
            assert_eq!(question_first(text), line);
        }
    }
}
