//! Sentence ends in Chinese text.

/// How far a bracket is searched for its partner.
const REACH: usize = 300;

/// The places right after the end of a sentence. A full stop inside brackets or quotation marks ends only the text
/// inside. A semicolon ends a clause, not a sentence.
pub fn ends(chars: &[char]) -> Vec<usize> {
    let mut out = Vec::new();
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if let Some(partner) = partner(c) {
            if chars[i + 1..].iter().take(REACH).any(|&x| x == partner) {
                open.push((partner, i));
            }
        } else if open.last().is_some_and(|&(p, _)| p == c) {
            open.pop();
            // 。” ends the sentence when nothing else closes after it.
            let before = i.checked_sub(1).map(|b| chars[b]);
            let quoted_stop = "”』」\"".contains(c) && before.is_some_and(is_stop);
            let follows = chars.get(i + 1);
            let goes_on = follows.is_some_and(|f| "，、；：,;）)的。！？”’".contains(*f));
            if open.is_empty() && quoted_stop && !goes_on {
                out.push(i + 1);
            }
        } else if is_stop(c) && open.is_empty() && !in_address(chars, i) {
            let mut end = i + 1;
            while chars
                .get(end)
                .is_some_and(|&x| is_stop(x) || "”’』」）".contains(x))
            {
                end += 1;
            }
            out.push(end);
            i = end;
            continue;
        } else if c == '.' && latin_stop(chars, i) {
            out.push(i + 1);
        }
        i += 1;
    }
    out
}

fn is_stop(c: char) -> bool {
    "。！？!?｡".contains(c)
}

/// Whether a question mark is part of a web address. A line break may separate the address from its parameters. So the
/// mark is part of it if `name=value` follows.
fn in_address(chars: &[char], i: usize) -> bool {
    let begin = chars[..i].iter().rposition(|c| !is_of_address(*c));
    let word: String = chars[begin.map_or(0, |at| at + 1)..i].iter().collect();
    let query = chars[i + 1..]
        .iter()
        .skip_while(|c| **c == ' ')
        .take_while(|c| c.is_ascii_alphanumeric() || **c == '=');
    chars[i] == '?' && word.contains("://") && query.copied().any(|c| c == '=')
}

fn is_of_address(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/#@!$&'*+,;=%".contains(c)
}

fn partner(c: char) -> Option<char> {
    match c {
        '《' => Some('》'),
        '〈' => Some('〉'),
        '（' => Some('）'),
        '(' => Some(')'),
        '“' => Some('”'),
        '「' => Some('」'),
        '『' => Some('』'),
        '【' => Some('】'),
        _ => None,
    }
}

/// A full stop after Latin letters before a blank and a capital or an ideograph.
fn latin_stop(chars: &[char], i: usize) -> bool {
    let word: usize = chars[..i]
        .iter()
        .rev()
        .take_while(|c| c.is_ascii_alphabetic())
        .count();
    let gap = chars.get(i + 1).is_some_and(|c| c.is_whitespace());
    let next = chars[i + 1..].iter().find(|c| !c.is_whitespace());
    word >= 4 && gap && next.is_some_and(|c| c.is_uppercase() || !c.is_ascii())
}
