//! What is written over or below a table or a picture, and what numbers the steps of a text.

use crate::layout::Line;

/// "Table 3: Limits", "Figure A4-12. Flows", "表2 限额".
pub(crate) fn is_caption(text: &str) -> bool {
    // An exhibit is as often an annex, which heads all that is in it.
    const CAPTIONED: [&str; 4] = ["Table ", "Figure ", "Chart ", "Graph "];
    CAPTIONED
        .iter()
        .any(|word| text.strip_prefix(word).is_some_and(begins_with_number))
        || text
            .strip_prefix(['表', '图'])
            .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

fn begins_with_number(rest: &str) -> bool {
    let number = rest.split_whitespace().next().unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
        && number.contains(|c: char| c.is_ascii_digit())
        && number.chars().count() <= 8
}

/// "Box 4: Lenders", "Example 2": what stands in the midst of a section, which goes on after it.
pub(crate) fn is_inset(text: &str) -> bool {
    ["Box ", "Example "]
        .iter()
        .any(|word| text.strip_prefix(word).is_some_and(begins_with_number))
}

/// Characters of the name and number of a step with which a text begins, such as `Objective 5:`; 0 where there is none.
pub(crate) fn numbered_name(text: &str) -> usize {
    let mut words = text.split(' ');
    let word = words.next().unwrap_or_default();
    let number = words.next().unwrap_or_default();
    let digits = number.trim_end_matches([':', '.']);
    let named = word.len() >= 4
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().skip(1).all(|c| c.is_ascii_lowercase());
    let counted = (1..=2).contains(&digits.len())
        && digits.chars().all(|c| c.is_ascii_digit())
        && digits.len() + 1 == number.len();
    if named && counted && !is_caption(text) && !is_inset(text) {
        word.len() + 1 + number.len()
    } else {
        0
    }
}

/// A name and number of a step in bold begin the line, and nothing else of it is bold.
pub(crate) fn opens_numbered(line: &Line) -> bool {
    line.lead.bold && line.lead.chars > 0 && numbered_name(&line.text()) == line.lead.chars
}

/// Whether a line opens a caption: "Figure 3.4: Flows", "Table A3. | Limits". The sign after the number shows that the
/// line is not part of a sentence.
pub(crate) fn opens_caption(text: &str) -> bool {
    let mut words = text.split_whitespace().skip(1);
    let number = words.next().unwrap_or_default();
    let mut parted = || {
        words
            .next()
            .is_some_and(|w| ["|", ":", "-", "–", "—"].contains(&w))
    };
    is_caption(text) && (number.ends_with(':') || parted())
}

/// The length in characters of the label at the beginning of a text, such as `Figure 4.` or `Question 2.`; 0 if there is
/// no label, or nothing behind it. The full stop of a label must not be taken for the end of a sentence.
pub(crate) fn label_end(text: &str) -> usize {
    let chars: Vec<char> = text.chars().collect();
    let end = if is_caption(text) {
        let number = chars.iter().position(char::is_ascii_digit).unwrap_or(0);
        let word = chars[number..].iter().take_while(|c| !c.is_whitespace());
        number + word.count()
    } else {
        numbered_name(text)
    };
    if end < chars.len() { end } else { 0 }
}

/// Whether a text says where a table or a figure is from: "Source: reports of banks".
pub(crate) fn names_source(text: &str) -> bool {
    let before = text.split([':', '：']).next().unwrap_or_default();
    is_remark(text) && (before.to_lowercase().contains("source") || before.contains("来源"))
}

/// Whether a text below a table or a figure names its source or explains it. Such a text is no heading.
pub(crate) fn is_remark(text: &str) -> bool {
    const ENGLISH: [&str; 10] = [
        "source",
        "sources",
        "other source",
        "other sources",
        "data source",
        "data sources",
        "note",
        "notes",
        "nb",
        "n.b.",
    ];
    const CHINESE: [&str; 6] = ["资料来源", "数据来源", "来源", "注", "备注", "说明"];
    // The sign of statistics for a missing value, as it is explained below tables: `(:) Not available.`
    if text.trim_start().starts_with("(:)") {
        return true;
    }
    let Some((before, _)) = text.trim_start().split_once([':', '：']) else {
        return false;
    };
    let before = before.trim_end();
    ENGLISH.contains(&before.to_lowercase().as_str()) || CHINESE.contains(&before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_told_from_headings() {
        for (text, is) in [
            ("Source: reports of banks, 2024", true),
            ("Notes: none", true),
            ("Other sources: reports of banks", true),
            ("资料来源：各行年报", true),
            ("(:) Not available.", true),
            ("Sources of funding: deposits", false),
            ("Notes to the accounts", false),
            ("说明", false),
        ] {
            assert_eq!(is_remark(text), is, "{text}");
        }
    }

    #[test]
    fn sources_are_told_from_other_remarks() {
        for (text, is) in [
            ("Source: reports of banks, 2024", true),
            ("Data sources: the survey", true),
            ("资料来源：各行年报", true),
            ("(:) Not available.", false),
            ("Note: banks report each year.", false),
            ("注：银行应当每年报告。", false),
            ("Sources of funding: deposits", false),
        ] {
            assert_eq!(names_source(text), is, "{text}");
        }
    }

    #[test]
    fn labels_of_captions_end_before_their_text() {
        for (text, label) in [
            ("Figure SA3. | Reports by month", "Figure SA3."),
            ("Table 6.1: Limits", "Table 6.1:"),
            ("表2 限额", "表2"),
            ("Figure 4.", ""),
            ("Limits of exposures. Banks report.", ""),
        ] {
            let found: String = text.chars().take(label_end(text)).collect();
            assert_eq!(found, label);
        }
    }

    #[test]
    fn captions_are_told_from_sentences() {
        for (text, is) in [
            ("Figure 3.4: Flows", true),
            ("Table A3. | Limits", true),
            ("Table 8 - Limits", true),
            ("Figure 3.4 shows flows", false),
            ("Table 3. The limits", false),
            ("Note: none", false),
        ] {
            assert_eq!(opens_caption(text), is, "{text}");
        }
    }

    #[test]
    fn numbers_of_steps_are_told_from_sentences() {
        for (text, label) in [
            ("Objective 5: Review the limits.", "Objective 5:"),
            ("Question 3. Is the limit clear?", "Question 3."),
            ("Step 12:", "Step 12:"),
            ("Objective 5 is to review the limits.", ""),
            ("Table 3: Limits", ""),
            ("Example 2: A bank lends.", ""),
            ("In 2024: none", ""),
            ("Losses 2024: none", ""),
        ] {
            let found: String = text.chars().take(numbered_name(text)).collect();
            assert_eq!(found, label);
        }
    }

    #[test]
    fn captions_are_told_from_headings() {
        for caption in [
            "Table 3: Limits",
            "Figure A4-12. Flows",
            "Table 6.1",
            "表2 限额",
            "图 1",
        ] {
            assert!(is_caption(caption), "{caption}");
        }
        for heading in [
            "Table of contents",
            "Tables 3 and 4",
            "Figures",
            "表外项目",
            "Chart of accounts",
            "Exhibit 10.1 Form of notice",
        ] {
            assert!(!is_caption(heading), "{heading}");
        }
    }
}
