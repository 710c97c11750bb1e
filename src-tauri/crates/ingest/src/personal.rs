//! Finds personal data in a text: e-mail addresses, numbers (of accounts, cards, telephones and register entries), and
//! names after a form of address such as "Mr". Numbers with check digits count only if these digits are right. Names
//! without a form of address are not looked for, because they look like names of institutions.

use lexforge_domain::api::PersonalKind;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A finding: its kind, and its place in bytes.
pub type Found = (PersonalKind, Range<usize>);

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("a constant pattern"));
    };
}

pattern!(
    EMAIL,
    r"(?i)(?-u:\b)[a-z0-9][a-z0-9._%+-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?-u:\b)"
);
pattern!(ACCOUNT, r"(?-u:\b)[A-Z]{2}[0-9]{2}");
pattern!(
    CARD,
    r"(?-u:\b)(?:3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}|[3-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7})(?-u:\b)"
);
pattern!(
    PHONE,
    r"\+[1-9](?:[ ./()-]{0,2}[0-9]){7,14}(?-u:\b)|(?-u:\b)1[3-9][0-9]{9}(?-u:\b)"
);
pattern!(
    NAMED_PHONE,
    r"(?i)(?:(?-u:\b)(?:tel|phone|telephone|fax|mobile|telefon)(?-u:\b)|电话|手机|传真)\.?\s*[:：]?\s*(\+?[0-9(（](?:[ ./()（）-]{0,2}[0-9]){5,14})"
);
pattern!(CHINESE_ID, r"(?-u:\b)[1-9][0-9]{16}[0-9Xx](?-u:\b)");
pattern!(KOREAN_ID, r"(?-u:\b)[0-9]{6}-[1-4][0-9]{6}(?-u:\b)");
pattern!(SPANISH_ID, r"(?-u:\b)[0-9XYZ][0-9]{7}-?[A-Z](?-u:\b)");
pattern!(
    FRENCH_ID,
    r"(?-u:\b)[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}(?-u:\b)"
);
pattern!(
    NAME,
    r"(?-u:\b)(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme)(?:\.\s*|\s+)(?:(?:Dr|Prof)\.\s*)?(?:\p{Lu}\.|\p{Lu}[\p{L}'’-]+)(?:\s+(?:(?:van|von|de|del|der|den)\s+)?(?:\p{Lu}\.|\p{Lu}[\p{L}'’-]+)){0,3}"
);
pattern!(
    CHINESE_NAME,
    r"[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]\p{Han}{0,2}(?:先生|女士)"
);

/// Titles behind a form of address that are no names.
const OFFICES: [&str; 10] = [
    "Chair",
    "Chairman",
    "Chairperson",
    "Director",
    "Minister",
    "President",
    "Secretary",
    "Speaker",
    "Präsident",
    "Vorsitzende",
];

/// Lengths of account numbers by country.
const ACCOUNTS: [(&str, usize); 42] = [
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BR", 29),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("TR", 26),
];

/// The personal data in a text, in the order of the text; no part of the text is reported twice.
pub fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut put = |kind: PersonalKind, place: Range<usize>| {
        let free = |(_, known): &Found| known.end <= place.start || place.end <= known.start;
        if found.iter().all(free) {
            found.push((kind, place));
        }
    };
    for place in places(&EMAIL, text, |_| true) {
        put(PersonalKind::Email, place);
    }
    if text.bytes().any(|b| b.is_ascii_digit()) {
        for place in places(&ACCOUNT, text, |_| true) {
            if let Some(end) = account(text, place.start) {
                put(PersonalKind::Account, place.start..end);
            }
        }
        let registers: [Register; 4] = [
            (&CHINESE_ID, is_chinese),
            (&KOREAN_ID, is_korean),
            (&SPANISH_ID, is_spanish),
            (&FRENCH_ID, is_french),
        ];
        for (pattern, fits) in registers {
            for place in places(pattern, text, fits) {
                put(PersonalKind::NationalId, place);
            }
        }
        for place in places(&CARD, text, is_card) {
            put(PersonalKind::Card, place);
        }
        let phones = places(&PHONE, text, |_| true).filter(|place| !is_amount(text, place));
        for place in phones.chain(groups(&NAMED_PHONE, text)) {
            put(PersonalKind::Phone, place);
        }
    }
    let chinese =
        places(&CHINESE_NAME, text, |_| true).filter(|place| is_chinese_name(text, place));
    for place in places(&NAME, text, is_name).chain(chinese) {
        put(PersonalKind::Name, place);
    }
    found.sort_by_key(|(_, place)| place.start);
    found
}

/// The form of a number, and whether its check digits fit.
type Register = (&'static LazyLock<Regex>, fn(&str) -> bool);

/// The places where a pattern matches a text and the match is valid.
fn places<'t>(
    pattern: &'static LazyLock<Regex>,
    text: &'t str,
    fits: fn(&str) -> bool,
) -> impl Iterator<Item = Range<usize>> + 't {
    let found = pattern.find_iter(text);
    found.filter(move |m| fits(m.as_str())).map(|m| m.range())
}

/// The places of the first group of a pattern.
fn groups<'t>(
    pattern: &'static LazyLock<Regex>,
    text: &'t str,
) -> impl Iterator<Item = Range<usize>> + 't {
    let found = pattern.captures_iter(text);
    found.filter_map(|one| one.get(1).map(|group| group.range()))
}

/// The end of an account number that begins here; `None` if no account number begins here. The groups of the number may
/// be separated by single blanks.
fn account(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let country = rest.get(..2)?;
    let length = ACCOUNTS.iter().find(|(c, _)| *c == country)?.1;
    let (mut number, mut blank) = (String::new(), false);
    for (at, c) in rest.char_indices() {
        match c {
            ' ' if !blank && number.len() < length => blank = true,
            c if c.is_ascii_digit() || c.is_ascii_uppercase() => {
                blank = false;
                number.push(c);
                if number.len() == length {
                    let end = at + 1;
                    let next = rest.get(end..)?.chars().next();
                    let ends = next.is_none_or(|next| !next.is_ascii_alphanumeric());
                    return (ends && is_account(&number)).then_some(start + end);
                }
            }
            _ => return None,
        }
    }
    None
}

/// ISO 7064, modulo 97: the first four characters last, letters as 10 to 35.
fn is_account(number: &str) -> bool {
    let (head, tail) = number.split_at(4);
    let mut rest = 0;
    for c in tail.chars().chain(head.chars()) {
        let Some(value) = c.to_digit(36) else {
            return false;
        };
        rest = (rest * if value > 9 { 100 } else { 10 } + value) % 97;
    }
    rest == 1
}

/// The digits of a text.
fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Luhn's check digit.
fn is_card(text: &str) -> bool {
    let digits = digits(text);
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => *digit,
            (_, twice) if twice > 9 => twice - 9,
            (_, twice) => twice,
        })
        .sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10)
}

/// Whether two digits each are a month and a day.
fn is_day(month: &[u32], day: &[u32]) -> bool {
    let two = |of: &[u32]| of.iter().fold(0, |sum, digit| sum * 10 + digit);
    (1..=12).contains(&two(month)) && (1..=31).contains(&two(day))
}

/// A Chinese resident's number: the day of birth, and a check digit modulo 11.
fn is_chinese(text: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let (Some(number), Some(last)) = (text.get(..17), text.get(17..)) else {
        return false;
    };
    let number = digits(number);
    let sum: u32 = number.iter().zip(WEIGHTS).map(|(d, w)| d * w).sum();
    let check = "10X98765432".chars().nth((sum % 11) as usize);
    let century = matches!(number.get(6..8), Some([1, 8 | 9] | [2, 0]));
    let born = matches!(
        (number.get(10..12), number.get(12..14)),
        (Some(month), Some(day)) if is_day(month, day)
    );
    century && born && check == last.to_ascii_uppercase().chars().next()
}

/// A Korean resident's number: the day of birth, and a check digit modulo 11.
fn is_korean(text: &str) -> bool {
    const WEIGHTS: [u32; 12] = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
    let number = digits(text);
    let (Some(month), Some(day), Some(last)) = (number.get(2..4), number.get(4..6), number.get(12))
    else {
        return false;
    };
    let sum: u32 = number.iter().zip(WEIGHTS).map(|(d, w)| d * w).sum();
    is_day(month, day) && (11 - sum % 11) % 10 == *last
}

/// A Spanish number of identity or of a foreigner: its letter follows from its digits.
fn is_spanish(text: &str) -> bool {
    let plain = text.replace('-', "");
    let (Some(head), Some(letter)) = (plain.get(..8), plain.chars().nth(8)) else {
        return false;
    };
    let number = head.replace('X', "0").replace('Y', "1").replace('Z', "2");
    let number: usize = number.parse().unwrap_or_default();
    "TRWAGMYFPDXBNJZSQVHLCKE".chars().nth(number % 23) == Some(letter)
}

/// A French number of social security: its key is 97 less the number modulo 97.
fn is_french(text: &str) -> bool {
    let digits = digits(text);
    let number = digits
        .iter()
        .take(13)
        .fold(0_u64, |sum, digit| sum * 10 + u64::from(*digit));
    let key = digits
        .iter()
        .skip(13)
        .fold(0, |sum, digit| sum * 10 + u64::from(*digit));
    97 - number % 97 == key
}

/// A form of address with a name and not with an office: "Mr President".
fn is_name(text: &str) -> bool {
    let words = text.split(|c: char| c == '.' || c.is_whitespace());
    let mut words = words.filter(|w| !w.is_empty());
    words
        .nth(1)
        .is_some_and(|second| !OFFICES.contains(&second))
}

/// A number with a unit of money behind it is not a telephone number: 15000000000元.
fn is_amount(text: &str, place: &Range<usize>) -> bool {
    let after = text.get(place.end..).unwrap_or_default();
    after.trim_start().starts_with(['元', '万', '亿'])
}

/// A name before 先生 or 女士 and not a word for anybody: 任何先生, 各方先生.
fn is_chinese_name(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default();
    let name = text.get(place.clone()).unwrap_or_default();
    !before.ends_with('各') && !name.starts_with("任何")
}

#[cfg(test)]
mod tests;
