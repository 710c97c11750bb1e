//! Numbers that are not plain digits: Roman and Chinese numerals and letters, read and written.

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
    (write::roman(sum).eq_ignore_ascii_case(text)).then_some(sum)
}

/// The English words below twenty, by their values.
const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
/// The English tens, from twenty on.
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// An English word for a number below one hundred, in lower case: `seven`, `forty-five`.
pub fn english(word: &str) -> Option<u32> {
    let place = |list: &[&str], word: &str| {
        list.iter()
            .position(|known| *known == word)
            .map(|at| at as u32)
    };
    if let Some((tens, units)) = word.split_once('-') {
        let units = place(&UNITS, units).filter(|value| (1..10).contains(value))?;
        return Some(20 + 10 * place(&TENS, tens)? + units);
    }
    place(&UNITS, word).or_else(|| place(&TENS, word).map(|at| 20 + 10 * at))
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

/// Chinese numeral (`二十一`, `一百零八`, `三万五千`, `〇`) or digits.
pub fn chinese(text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    if text.chars().all(|c| c.is_ascii_digit()) {
        return text.parse().ok();
    }
    // Whole sections of four places, the section that is read, its digit so far.
    let (mut total, mut section, mut digit) = (0u64, 0u64, None::<u64>);
    for c in text.chars() {
        match unit(c) {
            Some(unit) if unit >= 10_000 => {
                section = section.checked_add(digit.take().unwrap_or(0))?;
                total = total.checked_add(section.max(1).checked_mul(unit)?)?;
                section = 0;
            }
            Some(unit) => {
                section =
                    section.checked_add(digit.take().filter(|d| *d > 0).unwrap_or(1) * unit)?
            }
            None => {
                let next = value(c)?;
                // Adjacent digits are positional: 一二 is 12, 二〇 is 20. A 零 between units is no digit.
                digit = Some(match digit {
                    Some(before) if before > 0 => before.checked_mul(10)?.checked_add(next)?,
                    _ => next,
                });
            }
        }
    }
    total.checked_add(section)?.checked_add(digit.unwrap_or(0))
}

/// Whether a character can stand in a Chinese numeral that numbers a clause. Digits can.
pub fn is_clause_numeral(c: char) -> bool {
    c.is_ascii_digit() || is_chinese_numeral(c) && !matches!(c, '万' | '亿')
}

/// Whether a character belongs to a Chinese numeral.
pub fn is_chinese_numeral(c: char) -> bool {
    unit(c).is_some() || value(c).is_some()
}

fn unit(c: char) -> Option<u64> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' => 10_000,
        '亿' => 100_000_000,
        _ => return None,
    })
}

fn value(c: char) -> Option<u64> {
    Some(match c {
        '零' | '〇' | '○' => 0,
        '两' => 2,
        _ => "一二三四五六七八九".chars().position(|d| d == c)? as u64 + 1,
    })
}

/// Numbers written as a word processor or a browser writes the numbers of its lists.
pub mod write {
    use super::{TENS, UNITS};

    /// An English word for a number below one hundred: `seven`, `forty-five`.
    pub fn english(number: u32) -> Option<String> {
        if let Some(word) = UNITS.get(number as usize) {
            return Some((*word).to_owned());
        }
        let tens = TENS.get((number as usize / 10).checked_sub(2)?)?;
        Some(if number.is_multiple_of(10) {
            (*tens).to_owned()
        } else {
            format!("{tens}-{}", UNITS[number as usize % 10])
        })
    }

    /// Roman, upper case; from four thousand on in digits.
    pub fn roman(number: u32) -> String {
        const PARTS: [(u32, &str); 13] = [
            (1000, "M"),
            (900, "CM"),
            (500, "D"),
            (400, "CD"),
            (100, "C"),
            (90, "XC"),
            (50, "L"),
            (40, "XL"),
            (10, "X"),
            (9, "IX"),
            (5, "V"),
            (4, "IV"),
            (1, "I"),
        ];
        if number == 0 || number >= 4000 {
            return number.to_string();
        }
        let (mut left, mut out) = (number, String::new());
        for (value, letters) in PARTS {
            while left >= value {
                out.push_str(letters);
                left -= value;
            }
        }
        out
    }

    /// Letters as columns of a sheet count: a … z, aa, ab …
    pub fn alphabetic(number: u32) -> String {
        let mut left = number;
        let mut out = Vec::new();
        while left > 0 {
            left -= 1;
            out.push(char::from(b'a' + (left % 26) as u8));
            left /= 26;
        }
        out.iter().rev().collect()
    }

    /// Letters as a word processor counts: a … z, aa, bb …; from the thirtieth round on in digits.
    pub fn repeated_letter(number: u32) -> String {
        let Some(index) = number.checked_sub(1).filter(|i| *i < 780) else {
            return number.to_string();
        };
        let letter = char::from(b'a' + (index % 26) as u8);
        std::iter::repeat_n(letter, (index / 26 + 1) as usize).collect()
    }

    /// Chinese, counting: 一, 十, 十一, 二十, 一百零五; from ten thousand on in digits.
    pub fn chinese(number: u32) -> String {
        const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
        if number == 0 {
            return "〇".to_owned();
        }
        if number >= 10_000 {
            return number.to_string();
        }
        let mut out = String::new();
        let mut gap = false;
        for (unit, name) in [
            (1000, Some('千')),
            (100, Some('百')),
            (10, Some('十')),
            (1, None),
        ] {
            let digit = (number / unit) % 10;
            if digit == 0 {
                gap = !out.is_empty();
                continue;
            }
            if gap {
                out.push('零');
                gap = false;
            }
            // 十一, not 一十一.
            if !(digit == 1 && unit == 10 && out.is_empty()) {
                out.push(DIGITS[digit as usize]);
            }
            out.extend(name);
        }
        out
    }

    /// Chinese digits one by one: 二〇.
    pub fn chinese_digits(number: u32) -> String {
        const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
        number
            .to_string()
            .bytes()
            .map(|b| DIGITS[usize::from(b - b'0') % 10])
            .collect()
    }

    /// A number in a circle up to fifty, else in brackets.
    pub fn circled(number: u32) -> String {
        let code = match number {
            1..=20 => 0x2460 + number - 1,
            21..=35 => 0x3251 + number - 21,
            36..=50 => 0x32B1 + number - 36,
            _ => return format!("({number})"),
        };
        char::from_u32(code).map_or_else(|| number.to_string(), String::from)
    }
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
        for (text, expected) in [
            ("a", Some(1)),
            ("Z", Some(26)),
            ("aa", Some(27)),
            ("ab", None),
            ("1", None),
        ] {
            assert_eq!(alphabetic(text), expected, "{text}");
        }
        for (text, expected) in [
            ("八", Some(8)),
            ("两", Some(2)),
            ("十", Some(10)),
            ("十二", Some(12)),
            ("二十一", Some(21)),
            ("一百零八", Some(108)),
            ("一百八十五", Some(185)),
            ("一百一十", Some(110)),
            ("一〇五", Some(105)),
            ("一二", Some(12)),
            ("三万五千", Some(35_000)),
            ("两亿", Some(200_000_000)),
            ("万", Some(10_000)),
            ("二〇二五", Some(2025)),
            ("○", Some(0)),
            ("12", Some(12)),
            ("条", None),
            ("九九九九九九九九九九九九九九九九九九九九九", None),
        ] {
            assert_eq!(chinese(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_as_they_are_counted() {
        for (n, text) in [(1, "I"), (4, "IV"), (1994, "MCMXCIV"), (4000, "4000")] {
            assert_eq!(write::roman(n), text);
        }
        for (n, text) in [(1, "a"), (26, "z"), (27, "aa"), (28, "ab"), (703, "aaa")] {
            assert_eq!(write::alphabetic(n), text);
        }
        for (n, text) in [(1, "a"), (27, "aa"), (28, "bb"), (1000, "1000")] {
            assert_eq!(write::repeated_letter(n), text);
        }
        for (n, text) in [
            (1, "一"),
            (10, "十"),
            (11, "十一"),
            (20, "二十"),
            (45, "四十五"),
            (105, "一百零五"),
            (110, "一百一十"),
            (180, "一百八十"),
            (1001, "一千零一"),
        ] {
            assert_eq!(write::chinese(n), text);
        }
        for (n, text) in [
            (0, "zero"),
            (13, "thirteen"),
            (20, "twenty"),
            (45, "forty-five"),
            (99, "ninety-nine"),
        ] {
            assert_eq!(
                (write::english(n).as_deref(), english(text)),
                (Some(text), Some(n))
            );
        }
        assert_eq!(
            (
                write::english(100),
                english("forty-zero"),
                english("ten-five")
            ),
            (None, None, None)
        );
        assert_eq!(
            (
                write::chinese_digits(20).as_str(),
                write::circled(3).as_str(),
                write::circled(51).as_str()
            ),
            ("二〇", "③", "(51)")
        );
    }
}
