//! Pairs of letters that follow each other in words. In each language that is written in Latin letters a few pairs make
//! up most of a text. If the letters of a text stand for other ones, its pairs are rare ones.

/// The 100 most frequent pairs in the documents of this project, which are in English. Three quarters of the pairs of an
/// English text are among them, and about half of those of a Polish or a Hungarian one.
const COMMON: &str = "ac ad ag ai al am an ar as at ay be ca ce ch co ct de do ds ea ec ed el em en er es et ex fi fo ge \
     ha he hi ho ic il in io is it ke la ld le li ll lo ma me mo nc nd ne ng no ns nt od of ol om on or ot ou ow pa ra re \
     rg ri ro rs rt sa se sh si so st ta te th ti to tr ts ue un ur us ut ve we wh wi wo";

/// The share of the pairs of letters in these words that are common ones, 0 to 1. `None` if there are fewer than `least`
/// pairs. Only letters without accents count, in either case.
pub(super) fn share<'a>(words: impl Iterator<Item = &'a str>, least: usize) -> Option<f64> {
    let mut is_common = [[false; 26]; 26];
    for pair in COMMON.split(' ') {
        if let [Some(a), Some(b)] =
            [pair.chars().next(), pair.chars().nth(1)].map(|c| c.and_then(number))
        {
            is_common[a][b] = true;
        }
    }
    let (mut all, mut common) = (0usize, 0usize);
    for word in words {
        let mut before: Option<usize> = None;
        for letter in word.chars().map(number) {
            if let (Some(a), Some(b)) = (before, letter) {
                all += 1;
                common += usize::from(is_common[a][b]);
            }
            before = letter;
        }
    }
    (all > 0 && all >= least).then(|| common as f64 / all as f64)
}

/// A letter's number in the alphabet, from 0.
fn number(letter: char) -> Option<usize> {
    let lower = letter.to_ascii_lowercase();
    lower
        .is_ascii_lowercase()
        .then(|| usize::from(lower as u8 - b'a'))
}

#[cfg(test)]
mod tests {
    use super::share;

    /// Sentences in five languages, and the first with its letters exchanged: all, and vowels for vowels.
    #[test]
    fn a_language_has_common_pairs_and_exchanged_letters_do_not() {
        let english = "Every institution shall keep a register of its outsourcing arrangements and submit it each year.";
        let exchanged = |from: &str, to: &str| -> String {
            let turn = |c: char| from.find(c).map_or(c, |at| char::from(to.as_bytes()[at]));
            english.to_lowercase().chars().map(turn).collect()
        };
        for (text, language) in [
            (english.to_owned(), true),
            ("Jedes Institut führt ein Verzeichnis seiner Auslagerungen und legt es jährlich der Behörde vor.".to_owned(), true),
            ("Chaque établissement tient un registre de ses accords d'externalisation et le remet chaque année.".to_owned(), true),
            ("Cada entidad llevará un registro de sus acuerdos de externalización y lo presentará cada año.".to_owned(), true),
            ("Każda instytucja prowadzi rejestr umów outsourcingu i co roku przekazuje go właściwemu organowi.".to_owned(), true),
            (exchanged("abcdefghijklmnopqrstuvwxyz", "lmnopqrstuvwxyzabcdefghijk"), false),
            (exchanged("aeioubcdfghjklmnpqrstvwxyz", "uoieaxwzkvbqfjgpcyhmltdsnr"), false),
        ] {
            let found = share(text.split_whitespace(), 50);
            assert!(found.is_some_and(|share| (share > 0.4) == language), "{text}: {found:?}");
        }
        assert_eq!(share(english.split_whitespace(), 500), None);
        assert_eq!(share(["第二条", "ß", "a1b"].into_iter(), 0), None);
    }
}
