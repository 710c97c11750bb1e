//! Tests of `library`.

use super::*;

#[test]
fn a_long_title_is_shown_by_its_number_and_its_short_name() {
    let long = "of the Parliament of 27 April on the keeping of records by banks and on";
    for (number, rest, short) in [
        (
            "Regulation (EU) 2031/17",
            "reports (Bank Records Act)",
            Some("Bank Records Act"),
        ),
        (
            "Regulation (EU) 2031/17",
            "reports (BRA) (Text with EEA relevance)",
            Some("BRA"),
        ),
        (
            "Regulation (EU) 2031/17",
            "reports (TEXT WITH EEA RELEVANCE)",
            None,
        ),
        (
            "Regulation (EU) 2031/17",
            "reports and Regulation (EC) No 14/2029 (recast)",
            None,
        ),
        (
            "Regulation (EU) 2031/17",
            "reports and Regulation (EU, Euratom) 2029/14",
            None,
        ),
        (
            "Directive 2031/18/EU",
            "fees (Act on the Fees of Banks)",
            Some("Act on the Fees of Banks"),
        ),
    ] {
        for (title, number, begins) in [
            (
                format!("{} {long} {rest}", number.to_uppercase()),
                number,
                true,
            ),
            (format!("Guidelines {long} {rest}"), number, false),
            (format!("{number} (Records)"), number, false),
        ] {
            let document: DocumentRow = serde_json::from_value(serde_json::json!({
                    "id": 1, "file": "act.pdf", "title": title, "format": "pdf", "language": "en", "pages": 1,
                    "sentences": 1, "scanned_pages": 0, "engines": {"hayro": 1, "pdf-extract": 0, "ocr": 0},
                    "reader_agreement": null, "warnings": [], "sha256": "", "bytes": 1, "imported": "",
                    "metadata": {"identifier": number}, "predecessor": null
                }))
                .unwrap();
            let expected = short.filter(|_| begins).map(|s| format!("{number} ({s})"));
            assert_eq!(document.short_title(), expected, "{title}");
        }
    }
}

#[test]
fn the_ends_of_a_tuning_are_the_base_and_the_whole_of_it() {
    let at = |percent| EncoderChoice::at(RunId(3), Some("minilm".to_owned()), percent);
    assert_eq!(at(0).model.as_deref(), Some("minilm"));
    assert_eq!(
        (at(0).run, at(75).percent, at(100).percent),
        (None, Some(75), None)
    );
    assert_eq!(at(100).run, Some(RunId(3)));
}
