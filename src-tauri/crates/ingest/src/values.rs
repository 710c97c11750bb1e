//! Numbers as clauses are numbered with: digits, letters, Roman and Chinese numerals.

/// Roman numeral in either case, up to three thousand.
pub fn roman(text: &str) -> Option<u32> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    let upper = text.chars().all(|c| c.is_ascii_uppercase());
    let lower = text.chars().all(|c| c.is_ascii_lowercase());
    if !upper && !lower {
        return None;
    }
    let value = |c: char| match c.to_ascii_lowercase() {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        'd' => Some(500),
        'm' => Some(1000),
        _ => None,
    };
    let digits: Vec<u32> = text.chars().map(value).collect::<Option<_>>()?;
    let mut sum = 0u32;
    for (i, &d) in digits.iter().enumerate() {
        if digits.get(i + 1).is_some_and(|&next| next > d) {
            sum = sum.checked_add(digits[i + 1] - d)?;
        } else if i == 0 || digits[i - 1] >= d {
            sum += d;
        }
    }
    // Only the canonical spelling counts: `iiii`, `vx` or `mild` are no numbers.
    (to_roman(sum) == text.to_ascii_lowercase()).then_some(sum)
}

fn to_roman(mut n: u32) -> String {
    const PARTS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut out = String::new();
    for (value, letters) in PARTS {
        while n >= value {
            out.push_str(letters);
            n -= value;
        }
    }
    out
}

/// Place of a letter in the alphabet; `aa` follows `z`.
pub fn alphabetic(text: &str) -> Option<u32> {
    let mut chars = text.chars();
    let first = chars.next().filter(char::is_ascii_alphabetic)?;
    let place = first.to_ascii_lowercase() as u32 - 'a' as u32 + 1;
    match (chars.next(), chars.next()) {
        (None, _) => Some(place),
        (Some(second), None) if second == first => Some(26 + place),
        _ => None,
    }
}

/// Chinese numeral (`二十一`, `一百零八`, `〇`) or digits.
pub fn chinese(text: &str) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    if text.chars().all(|c| c.is_ascii_digit()) {
        return text.parse().ok();
    }
    let digit = |c: char| "零一二三四五六七八九".chars().position(|d| d == c).map(|p| p as u32);
    let (mut sum, mut last, mut positional) = (0u32, None::<u32>, false);
    for c in text.chars() {
        match c {
            '十' | '百' | '千' => {
                let unit = match c {
                    '十' => 10,
                    '百' => 100,
                    _ => 1000,
                };
                sum = sum.checked_add(last.filter(|&l| l > 0).unwrap_or(1) * unit)?;
                last = None;
            }
            _ => {
                let c = match c {
                    '〇' | '○' => '零',
                    '两' => '二',
                    other => other,
                };
                let d = digit(c)?;
                if let Some(before) = last.filter(|&l| l > 0 || positional) {
                    // Digits side by side are positional: 一二 is 12.
                    positional = true;
                    last = Some(before.checked_mul(10)?.checked_add(d)?);
                } else {
                    last = Some(d);
                }
            }
        }
    }
    sum.checked_add(last.unwrap_or(0))
}

/// Whether a character can stand in a Chinese numeral.
pub fn is_chinese_numeral(c: char) -> bool {
    "零〇○一二三四五六七八九十百千两".contains(c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_have_their_values() {
        for (text, expected) in [
            ("i", Some(1)),
            ("iv", Some(4)),
            ("XIV", Some(14)),
            ("mild", None),
            ("iiii", None),
            ("Iv", None),
            ("xc", Some(90)),
        ] {
            assert_eq!(roman(text), expected, "{text}");
        }
        for (text, expected) in [("a", Some(1)), ("Z", Some(26)), ("aa", Some(27)), ("ab", None), ("1", None)] {
            assert_eq!(alphabetic(text), expected, "{text}");
        }
        for (text, expected) in [
            ("八", Some(8)),
            ("十", Some(10)),
            ("十二", Some(12)),
            ("二十一", Some(21)),
            ("一百零八", Some(108)),
            ("一百八十五", Some(185)),
            ("一百一十", Some(110)),
            ("12", Some(12)),
            ("条", None),
        ] {
            assert_eq!(chinese(text), expected, "{text}");
        }
    }
}
