//! Inputs made of others: what a bad disk, a bad program or a bad person makes of a file.

use rand::Rng;
use rand::seq::IndexedRandom;

/// Longest input that is made.
const LONGEST: usize = 64 << 10;
/// What readers stumble over: ends of ranges, signs of formats, letters that are no letters.
const WORDS: &[&[u8]] = &[
    b"0",
    b"-1",
    b"1e999",
    b"-0.0",
    b"NaN",
    b"18446744073709551615",
    b"9223372036854775808",
    b"4294967295",
    b"null",
    b"true",
    b"\"\"",
    b"{}",
    b"[]",
    b"[[[[[[[[[[[[[[[[",
    b"{\"a\":{\"a\":{\"a\":",
    b"\\ud800",
    b"\\u0000",
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b",",
    b"\"",
    b"'",
    b"\\",
    b"..",
    b"/",
    b"../../etc/passwd",
    b"<!DOCTYPE a [<!ENTITY a \"aaaa\">]>",
    b"<![CDATA[",
    b"&#0;",
    b"{{",
    b"{%",
    b"%}",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3\x28",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x98\x80",
    b"\xe4\xb8\xad",
    b"\xed\xa0\x80",
    b"\xff\xff\xff\xff",
    b"\0\0\0\0\0\0\0\x80",
];
/// Signs between which a part of a text stands.
const SIGNS: &[u8] = b"{}[]()<>\",:;=|\n\t ";

/// One of these inputs, changed in one to eight ways.
pub fn spoilt(pool: &[Vec<u8>], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = pool.choose(random).cloned().unwrap_or_default();
    let mut times = 1;
    while times < 8 && random.random_bool(0.5) {
        times += 1;
    }
    for _ in 0..times {
        change(&mut bytes, pool, random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(bytes: &mut Vec<u8>, pool: &[Vec<u8>], random: &mut impl Rng) {
    let (from, to) = range(bytes.len(), random);
    match random.random_range(0..11) {
        0 => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte ^= 1 << random.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte = random.random();
            }
        }
        2 => {
            bytes.drain(from..to);
        }
        3 => {
            let copy = bytes[from..to].to_vec();
            let times = random.random_range(1..=20);
            insert(bytes, to, &copy.repeat(times));
        }
        4 | 5 => {
            let other = pool.choose(random).cloned().unwrap_or_default();
            let (a, b) = range(other.len(), random);
            if random.random() {
                bytes.drain(from..to);
            }
            insert(bytes, from, &other[a..b]);
        }
        6 => bytes.truncate(from),
        7 => {
            let word = WORDS.choose(random).copied().unwrap_or_default();
            if random.random() {
                bytes.drain(from..to);
            }
            insert(bytes, from, word);
        }
        8 => number(bytes, from, random),
        // Parts of the text, as its signs divide it.
        9 => {
            let (a, b) = part(bytes, from);
            let word = WORDS.choose(random).copied().unwrap_or_default();
            bytes.splice(a..b, word.iter().copied());
        }
        _ => {
            let (a, b) = part(bytes, from);
            let copy = bytes[a..b].to_vec();
            let (c, d) = part(bytes, to);
            bytes.splice(c..d, copy);
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, what: &[u8]) {
    if bytes.len() + what.len() <= LONGEST {
        bytes.splice(at..at, what.iter().copied());
    }
}

/// A short part of so many bytes more often than a long one.
fn range(length: usize, random: &mut impl Rng) -> (usize, usize) {
    let from = random.random_range(0..=length);
    let most = if random.random_bool(0.8) { 16 } else { length };
    (
        from,
        (from + random.random_range(0..=most.max(1))).min(length),
    )
}

/// The bytes around a place, up to the next punctuation marks.
fn part(bytes: &[u8], at: usize) -> (usize, usize) {
    let sign = |byte: &u8| SIGNS.contains(byte);
    let from = bytes[..at].iter().rposition(sign).map_or(0, |n| n + 1);
    let to = bytes[at..]
        .iter()
        .position(sign)
        .map_or(bytes.len(), |n| at + n);
    (from, to)
}

/// Another number at or after a place: in digits where there are some, else four or eight bytes.
fn number(bytes: &mut Vec<u8>, at: usize, random: &mut impl Rng) {
    let value = match random.random_range(0..4) {
        0 => random.random_range(0..4),
        1 => u64::MAX >> random.random_range(0..64),
        2 => 1_u64 << random.random_range(0..64),
        _ => random.random(),
    };
    let digit = |byte: &u8| byte.is_ascii_digit();
    if let Some(first) = bytes[at..].iter().take(200).position(digit) {
        let from = at + first;
        let length = bytes[from..].iter().take_while(|byte| digit(byte)).count();
        bytes.splice(from..from + length, value.to_string().into_bytes());
        return;
    }
    let width = if random.random() { 4 } else { 8 };
    let end = (at + width).min(bytes.len());
    let little = value.to_le_bytes();
    bytes.splice(at..end, little[..width].iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn inputs_differ_and_come_again_with_their_seed() {
        let pool = [b"{\"a\": 12, \"b\": [\"c\"]}".to_vec(), Vec::new()];
        let made = |seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            (0..2000)
                .map(|_| spoilt(&pool, &mut random))
                .collect::<Vec<_>>()
        };
        assert_eq!(made(1), made(1));
        let mut different = made(1);
        different.sort();
        different.dedup();
        assert!(different.len() > 1000, "{}", different.len());
        assert!(different.iter().all(|bytes| bytes.len() <= LONGEST));
        let parsed = different
            .iter()
            .filter(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).is_ok());
        assert!(parsed.count() > 20, "nothing reaches beyond the form");
    }
}
