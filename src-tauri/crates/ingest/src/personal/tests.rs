//! Tests of `personal`.

use super::*;

#[track_caller]
fn check(text: &str, expected: &[(PersonalKind, &str)]) {
    let found = find(text);
    let told: Vec<(PersonalKind, &str)> = found
        .into_iter()
        .map(|(kind, place)| (kind, text.get(place).unwrap_or_default()))
        .collect();
    assert_eq!(told, expected, "{text}");
}

#[test]
fn data_of_persons_are_found_where_they_stand() {
    use PersonalKind::{Account, Card, Email, Name, NationalId, Phone};
    check(
        "Write to anna.weber@bank.example or call +49 30 1234567.",
        &[
            (Email, "anna.weber@bank.example"),
            (Phone, "+49 30 1234567"),
        ],
    );
    check("请联系abc@bank.example。", &[(Email, "abc@bank.example")]);
    check(
        "Pay to DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX.",
        &[(Account, "DE89 3704 0044 0532 0130 00")],
    );
    check(
        "GB82WEST12345698765432",
        &[(Account, "GB82WEST12345698765432")],
    );
    check(
        "Card 4111 1111 1111 1111 is a test.",
        &[(Card, "4111 1111 1111 1111")],
    );
    check(
        "公民身份号码11010519491231002X。",
        &[(NationalId, "11010519491231002X")],
    );
    check("DNI 12345678Z", &[(NationalId, "12345678Z")]);
    check(
        "NIR 2 55 08 14 168 025 38",
        &[(NationalId, "2 55 08 14 168 025 38")],
    );
    check("Tel.: 030 123 4567", &[(Phone, "030 123 4567")]);
    check("手机13912345678", &[(Phone, "13912345678")]);
    check(
        "Signed by Dr. Eva Klein and Mr. J. van Dyk.",
        &[(Name, "Dr. Eva Klein"), (Name, "Mr. J. van Dyk")],
    );
    check("由王小明先生签署", &[(Name, "王小明先生")]);
    check("任先生、何女士", &[(Name, "任先生"), (Name, "何女士")]);
    check("Signed by Mr\nSmith.", &[(Name, "Mr\nSmith")]);
    check("电话：（010）66278899", &[(Phone, "（010）66278899")]);
}

#[test]
fn what_only_looks_like_it_is_left() {
    for text in [
        // Check digits that do not fit.
        "DE89 3704 0044 0532 0130 01",
        "4111 1111 1111 1112",
        "110105194912310021",
        "12345678A",
        // A regulation is full of numbers.
        "Regulation (EU) 2016/679 of 27 April 2016, OJ L 119, 4.5.2016, p. 1-88",
        "Article 12(3) applies from 1 January 2025; own funds of EUR 5 000 000.",
        "Mr President, the Commission shall report.",
        "Dr and Mr are forms of address.",
        "Mr\nPresident, the Commission shall report.",
        "资产不低于15000000000元",
        "资产不低于15000000000 万元",
        "各方先生与任何先生均可参加",
        "price@once",
    ] {
        check(text, &[]);
    }
}
