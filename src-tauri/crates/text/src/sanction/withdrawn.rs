//! Sanctions that take something away: a licence is withdrawn, a registration suspended, 暂扣许可证. The words by themselves
//! state no sanction, since consent and money are withdrawn, too.

use crate::words::words;

/// Whether a part of a sentence says that a permission is taken away.
pub(super) fn is_stated(text: &str) -> bool {
    let ends = |c: char| matches!(c, '.' | ';' | ':' | '\n' | '。' | '；' | '：' | '，');
    text.split(ends)
        .any(|part| is_in_english(part) || is_in_chinese(part))
}

fn is_in_english(part: &str) -> bool {
    let words = words(part);
    let is_taken = words.iter().enumerate().any(|(at, word)| {
        // Whoever withdraws an application loses nothing.
        let mut behind = words.iter().skip(at + 1).take(3);
        TAKEN.iter().any(|begin| word.starts_with(begin))
            && !behind.any(|word| OWN.contains(&word.as_str()))
    });
    // "Permitted" is no permit, and an "authorised person" no authorisation.
    let is_permission = |word: &String| PERMISSIONS.contains(&word.trim_end_matches('s'));
    is_taken && words.iter().any(is_permission)
}

/// The permission stands behind the word by which it is taken away: 取消其任职资格.
fn is_in_chinese(part: &str) -> bool {
    TAKEN_HAN.iter().any(|taken| {
        let rest = part.split_once(taken).map(|(_, rest)| rest);
        rest.is_some_and(|rest| PERMISSIONS_HAN.iter().any(|word| rest.contains(word)))
    })
}

/// How English words begin by which something is taken away.
const TAKEN: [&str; 5] = ["withdraw", "suspend", "suspension", "cancel", "deregist"];
/// What somebody withdraws who gave it himself.
const OWN: [&str; 3] = ["application", "applications", "consent"];
/// English words for what a supervisor grants, in the singular.
const PERMISSIONS: [&str; 9] = [
    "licence",
    "license",
    "authorisation",
    "authorization",
    "permission",
    "permit",
    "registration",
    "accreditation",
    "approval",
];
/// Chinese words by which something is taken away.
const TAKEN_HAN: [&str; 5] = ["取消", "撤销", "收回", "暂扣", "暂停"];
/// Chinese words for what a supervisor grants.
const PERMISSIONS_HAN: [&str; 6] = ["许可", "资格", "批准", "登记", "执照", "业务"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_a_permission_away_is_a_sanction() {
        for (text, stated) in [
            (
                "The port shall withdraw the licence of a pilot who is late.",
                true,
            ),
            ("The registration of a vessel may be suspended.", true),
            ("Cancellation of the permit follows.", true),
            ("A pilot may withdraw his consent.", false),
            ("Mooring is suspended where it was permitted.", false),
            ("Money is withdrawn; a licence is needed.", false),
            ("An authorised pilot shall suspend the voyage.", false),
            ("A licensed port withdraws the unsafe buoys.", false),
            ("A pilot may withdraw the application for a licence.", false),
            ("A licence is granted for 5 years.", false),
            ("港口可以暂扣引航证书，取消船长一定期限的任职资格。", true),
            ("责令整改，撤销停泊许可。", true),
            ("船长可以取消停泊。", false),
            ("取消停泊的，应当登记。", false),
            ("有停泊资格的，可以取消停泊。", false),
        ] {
            assert_eq!(is_stated(text), stated, "{text}");
        }
    }
}
