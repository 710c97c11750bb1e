//! Figures of answers: scores, shares with their unit, places.

use crate::format;
use crate::i18n::tf;
use crate::out_of_force::why;
use lexforge_domain::api::Citation;

/// A score beside the threshold that it is measured by, with as many decimals as tell the two apart.
pub fn measured(score: f64, threshold: f64) -> (String, String) {
    let short = (format::short_share(score), format::short_share(threshold));
    if short.0 == short.1 && (score - threshold).abs() > f64::EPSILON {
        (format::share(score), format::share(threshold))
    } else {
        short
    }
}

/// A share in per cent, with one decimal where it has one: `5 %`, `2.5 %`. The blank does not break.
pub fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{}\u{a0}%", text.strip_suffix(".0").unwrap_or(&text))
}

/// A share that is promised, with all of its decimals: `5 %`, `5.04 %`. Rounded it would promise something else.
pub fn promised(share: f64) -> String {
    let text = format!("{:.6}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}\u{a0}%")
}

/// The first and last digits of a hash: `91c4…a0`.
pub fn short_hash(hash: &str) -> String {
    let tail = hash.len().checked_sub(2).and_then(|from| hash.get(from..));
    match (hash.get(..4), tail) {
        (Some(head), Some(tail)) if hash.len() > 8 => format!("{head}…{tail}"),
        _ => hash.to_owned(),
    }
}

/// Scalar values of a section path that fit into a chip.
const SECTION: usize = 28;

/// The end of a section path that fits into a chip: the article matters more than the chapter.
pub fn short_section(section: &str) -> String {
    let mut rest = section;
    while rest.chars().count() > SECTION
        && let Some((_, after)) = rest.split_once(" › ")
    {
        rest = after;
    }
    rest.to_owned()
}

/// Title, section and page in one line; what is not known is left out.
pub fn place(title: &str, section: &str, page: u32) -> String {
    on_pages(title, section, &page.to_string())
}

/// The place of a quote in one line. If the quote covers several pages, the last page is named, too, because the
/// sentence that answers may be on any of them.
pub fn place_of(citation: &Citation) -> String {
    let first = citation.page;
    let last = citation.boxes.iter().map(|region| region.page).max();
    let pages = match last.filter(|last| *last > first) {
        Some(last) => format!("{first}–{last}"),
        None => first.to_string(),
    };
    let place = on_pages(&citation.title, &citation.section, &pages);
    match &citation.out_of_force {
        Some(out) => format!("{place} · {}", why(out)),
        None => place,
    }
}

fn on_pages(title: &str, section: &str, pages: &str) -> String {
    let known = [title, section].into_iter().filter(|part| !part.is_empty());
    let of = known.collect::<Vec<_>>().join(" · ");
    if of.is_empty() {
        return tf("palette.page", &[("page", pages)]);
    }
    tf("answering.place", &[("of", &of), ("page", pages)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::text::Region;

    #[test]
    fn a_score_is_told_apart_from_its_threshold() {
        let text = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(measured(0.31, 0.52), text(".31", ".52"));
        assert_eq!(measured(0.5171, 0.5214), text(".517", ".521"));
        assert_eq!(measured(0.52, 0.52), text(".52", ".52"));
    }

    #[test]
    fn shares_have_their_unit() {
        for (share, text) in [
            (0.05, "5\u{a0}%"),
            (0.025, "2.5\u{a0}%"),
            (1.0, "100\u{a0}%"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn what_is_promised_is_not_rounded() {
        for (share, text) in [
            (0.05, "5\u{a0}%"),
            (0.0504, "5.04\u{a0}%"),
            (0.07, "7\u{a0}%"),
            (0.1, "10\u{a0}%"),
            (0.9995, "99.95\u{a0}%"),
            (0.00001, "0.001\u{a0}%"),
        ] {
            assert_eq!(promised(share), text);
        }
    }

    #[test]
    fn a_place_leaves_out_what_is_not_known() {
        crate::i18n::speak(crate::i18n::Lang::En);
        for (title, section, said) in [
            ("GDPR", "Article 33", "GDPR · Article 33, page 7"),
            ("GDPR", "", "GDPR, page 7"),
            ("", "Article 33", "Article 33, page 7"),
            ("", "", "page 7"),
        ] {
            assert_eq!(place(title, section, 7), said);
        }
    }

    #[test]
    fn a_quote_over_several_pages_names_the_first_and_the_last() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut citation = super::super::sample::answer().citations.remove(0);
        let on = |page: u32| Region::from((page, 0.0, 0.0, 1.0, 1.0));
        for (boxes, pages) in [
            (Vec::new(), "page 52"),
            (vec![on(51), on(52)], "page 52"),
            (vec![on(52), on(54), on(53)], "page 52–54"),
        ] {
            citation.boxes = boxes;
            let said = format!("GDPR · Article 33 › 1, {pages}");
            assert_eq!(place_of(&citation), said);
        }
    }

    #[test]
    fn hashes_are_four_digits_and_two() {
        assert_eq!(short_hash("c2d7000000005b"), "c2d7…5b");
        assert_eq!(short_hash("c2d7"), "c2d7");
    }

    #[test]
    fn of_a_long_path_the_end_is_kept() {
        for (section, text) in [
            ("Article 33 › 1", "Article 33 › 1"),
            (
                "Chapter IV › Section 2 › Article 33 › 1",
                "Section 2 › Article 33 › 1",
            ),
            (
                "A heading that goes on and on without an end",
                "A heading that goes on and on without an end",
            ),
            ("", ""),
        ] {
            assert_eq!(short_section(section), text);
        }
    }
}
