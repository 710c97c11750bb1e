//! Entries of a list of abbreviations: "IMO", a tab, "International Maritime Organization".

/// Whether a text is only an abbreviation, a tab, and the words that the abbreviation stands for. The capitals of the
/// abbreviation must be initials of these words, in the same order.
pub fn is_written_out(text: &str) -> bool {
    let Some((short, long)) = text.trim().split_once('\t') else {
        return false;
    };
    let capitals = |text: &str| text.chars().filter(|c| c.is_uppercase()).count();
    let is_short = capitals(short) >= 2 && !short.contains(char::is_whitespace);
    // A sentence, or another cell, says more.
    let is_more = long.contains(['\t', ';', ':']) || long.trim_end().ends_with('.');
    let words = long.split(|c: char| !c.is_alphanumeric());
    let mut initials = words.filter_map(|word| word.chars().next());
    is_short
        && !is_more
        && short
            .chars()
            .filter(|c| c.is_uppercase())
            .all(|letter| initials.any(|initial| initial.to_uppercase().eq(letter.to_uppercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_is_written_out() {
        for (text, so) in [
            ("PCHD\tPort Committee on Harbour Dues", true),
            ("HD\tharbour dues", true),
            ("PCHD\tDues are paid to the port.", false),
            ("PCHD\tPort Committee on Harbour Dues\t12", false),
            ("PCHD\tCommittee of the Port", false),
            ("Port\tHarbour Dues", false),
            ("500\t200", false),
            ("The Port Committee on Harbour Dues (PCHD)", false),
            ("停泊费\t由船长缴", false),
            ("", false),
        ] {
            assert_eq!(is_written_out(text), so, "{text}");
        }
    }
}
