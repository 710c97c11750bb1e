//! A question in one line of a list: what it asks stands before the place of its rule, with which all questions begin.

/// With what the place of an English question begins.
const OPENERS: [&str; 2] = ["Under ", "According to "];

/// The question with its place behind it; a text that does not begin with a place stays as it is.
pub fn question_first(text: &str) -> String {
    match parts(text) {
        Some((place, asked)) => format!("{} · {place}", with_capital(asked)),
        None => text.to_owned(),
    }
}

/// The text with a capital at its beginning.
fn with_capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// The place and what is asked: `Under Article 6(1) of “Act” (“Heading”), who pays?`, `根据《办法》第九条，谁负责？`.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (place, asked) = if OPENERS.iter().any(|opener| text.starts_with(opener)) {
        text.split_at(end_of_place(text)?)
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

/// Where the reference to a place at the beginning of a question ends, as in "Under Article 6 of “Act on C”, who
/// pays?" If the title of the act is in quotation marks, the reference ends after them. Otherwise it ends at a comma
/// that is followed by a small letter.
fn end_of_place(text: &str) -> Option<usize> {
    let comma = text
        .match_indices(", ")
        .map(|(at, comma)| at + comma.len())
        .find(|at| text[*at..].starts_with(char::is_lowercase));
    let unquoted = comma.filter(|comma| text.find('“').is_none_or(|quoted| *comma <= quoted));
    if let Some(comma) = unquoted {
        return names_an_act(&text[..comma]).then_some(comma);
    }
    let ends = ["”, ", "”), "].map(|end| text.find(end).map(|at| at + end.len()));
    ends.into_iter().flatten().min()
}

/// Whether a place is as long as the name of an act; a bare article says little and stays where it is.
fn names_an_act(place: &str) -> bool {
    let of_the_act = OPENERS.iter().any(|opener| {
        place
            .strip_prefix(opener)
            .is_some_and(|rest| rest.starts_with("the "))
    });
    of_the_act || place.contains(" of ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_stands_before_the_place() {
        for (text, line) in [
            (
                "Under Article 6(1) of “Credit, Collateral and More” (“Credit function”), who pays?",
                "Who pays? · Under Article 6(1) of “Credit, Collateral and More” (“Credit function”)",
            ),
            (
                "Under “Regulation on C”, what does the term “Haircut”, in short, mean?",
                "What does the term “Haircut”, in short, mean? · Under “Regulation on C”",
            ),
            (
                "根据《商业银行，管理办法》第九条（“仓单”），谁负责？",
                "谁负责？ · 根据《商业银行，管理办法》第九条（“仓单”）",
            ),
            ("What is a haircut?", "What is a haircut?"),
            (
                "According to Recital 7 of the General Harbour Regulation, what does “berth”, in short, mean?",
                "What does “berth”, in short, mean? · According to Recital 7 of the General Harbour Regulation",
            ),
            (
                "Under the Act on Banks, Insurers and Funds, who pays?",
                "Who pays? · Under the Act on Banks, Insurers and Funds",
            ),
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
