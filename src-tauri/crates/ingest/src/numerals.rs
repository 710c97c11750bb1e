//! Numbers written as a word processor or a browser writes the numbers of its lists.

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
    let Some(index) = number.checked_sub(1).filter(|i| *i < 780) else { return number.to_string() };
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
    for (unit, name) in [(1000, Some('千')), (100, Some('百')), (10, Some('十')), (1, None)] {
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
    number.to_string().bytes().map(|b| DIGITS[usize::from(b - b'0') % 10]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_counted() {
        for (n, text) in [(1, "I"), (4, "IV"), (1994, "MCMXCIV"), (4000, "4000")] {
            assert_eq!(roman(n), text);
        }
        for (n, text) in [(1, "a"), (26, "z"), (27, "aa"), (28, "ab"), (703, "aaa")] {
            assert_eq!(alphabetic(n), text);
        }
        for (n, text) in [(1, "a"), (27, "aa"), (28, "bb"), (1000, "1000")] {
            assert_eq!(repeated_letter(n), text);
        }
        for (n, text) in [
            (1, "一"),
            (10, "十"),
            (11, "十一"),
            (20, "二十"),
            (105, "一百零五"),
            (110, "一百一十"),
            (1001, "一千零一"),
        ] {
            assert_eq!(chinese(n), text);
        }
        assert_eq!((chinese_digits(20).as_str(), circled(3).as_str(), circled(51).as_str()), ("二〇", "③", "(51)"));
    }
}
