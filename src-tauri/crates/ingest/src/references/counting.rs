//! Labels that count: those between the first and the last of a range, and the one before another.

/// Clauses of a range that are followed.
const MOST_OF_A_RANGE: u32 = 200;

/// The labels between the first and the last of a range, the last included, where they count by their last number.
pub(super) fn range(first: &[String], last: &[String]) -> Vec<Vec<String>> {
    let (Some(from), Some(to)) = (first.last(), last.last()) else {
        return Vec::new();
    };
    if first.len() != last.len() || first[..first.len() - 1] != last[..last.len() - 1] {
        return vec![last.to_vec()];
    }
    let steps: Option<Vec<String>> = match (counted(from), counted(to)) {
        (Some((stem, a, tail)), Some((other, b, end)))
            if stem == other
                && (tail == end || end.is_empty())
                && a < b
                && b - a <= MOST_OF_A_RANGE =>
        {
            Some((a + 1..=b).map(|n| format!("{stem}{n}{tail}")).collect())
        }
        _ => None,
    };
    let letter = |l: &str| {
        l.bytes()
            .next()
            .filter(|b| l.len() == 1 && b.is_ascii_lowercase())
    };
    let steps = steps.or_else(|| match (letter(from), letter(to)) {
        (Some(a), Some(b)) if a < b => {
            Some((a + 1..=b).map(|c| char::from(c).to_string()).collect())
        }
        _ => None,
    });
    let Some(steps) = steps else {
        return vec![last.to_vec()];
    };
    steps
        .into_iter()
        .map(|step| {
            let mut labels = first[..first.len() - 1].to_vec();
            labels.push(step);
            labels
        })
        .collect()
}

/// `article 15` as stem, number and what follows it.
fn counted(label: &str) -> Option<(&str, u32, &str)> {
    let tail = label.trim_end_matches(|c: char| c.is_ascii_digit());
    if tail.len() < label.len() {
        return Some((tail, label[tail.len()..].parse().ok()?, ""));
    }
    let last = label.chars().next_back()?;
    if "条章节编项款조".contains(last) {
        let body = &label[..label.len() - last.len_utf8()];
        let stem = body.trim_end_matches(|c: char| c.is_ascii_digit());
        return Some((stem, body[stem.len()..].parse().ok()?, &label[body.len()..]))
            .filter(|c| !c.0.is_empty());
    }
    None
}

/// The label before one: `article 5` after `article 4`, `b` after `a`.
pub(super) fn decremented(label: &str) -> Option<String> {
    if let Some((stem, number, tail)) = counted(label) {
        return (number > 1).then(|| format!("{stem}{}{tail}", number - 1));
    }
    let only = label
        .bytes()
        .next()
        .filter(|b| label.len() == 1 && (b'b'..=b'z').contains(b))?;
    Some(char::from(only - 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_on_to_its_last_label() {
        for (first, last, between) in [
            ("第1条", "第3条", &["第2条", "第3条"][..]),
            ("第1条", "第2条", &["第2条"]),
            ("第1条", "第3", &["第2条", "第3条"]),
            ("제4조", "제5조", &["제5조"]),
            ("article 25", "article 27", &["article 26", "article 27"]),
            ("a", "c", &["b", "c"]),
            // These do not count together.
            ("第1条", "第2章", &["第2章"]),
            ("article 5", "article 4", &["article 4"]),
        ] {
            let found = range(&[first.to_owned()], &[last.to_owned()]);
            let found: Vec<&str> = found.iter().map(|labels| labels[0].as_str()).collect();
            assert_eq!(found, between, "{first} {last}");
        }
    }
}
