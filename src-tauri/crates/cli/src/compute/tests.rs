//! Tests of `compute`.

use super::*;

#[test]
fn what_is_not_given_of_a_price_stays() {
    let before = HourlyPrice::read("2.40", "EUR").unwrap();
    let given = |amount: Option<&str>, currency: Option<&str>, before: Option<HourlyPrice>| {
        let args = PriceArgs {
            price: amount.map(str::to_owned),
            currency: currency.map(str::to_owned),
        };
        let read = price(&args, before);
        read.map(|price| price.map(|price| price.to_string()))
    };
    let known = || Some(before.clone());
    let shown = |text: &str| Some(text.to_owned());
    assert_eq!(given(None, None, known()).unwrap(), shown("2.40 EUR"));
    assert_eq!(given(Some("3"), None, known()).unwrap(), shown("3.00 EUR"));
    assert_eq!(
        given(None, Some("CNY"), known()).unwrap(),
        shown("2.40 CNY")
    );
    assert_eq!(given(Some(""), None, known()).unwrap(), None);
    assert_eq!(given(None, None, None).unwrap(), None);
    assert!(given(Some("3"), None, None).is_err());
    assert!(given(None, Some("EUR"), None).is_err());
}
