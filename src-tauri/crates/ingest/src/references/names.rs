//! The names of acts: titles, numbers, short names that texts declare, and initials. A short name that none of these
//! explains is assigned to the act that contains the clause numbers cited together with it.

use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Clauses at the beginning of an instrument in which it says what it is called.
const OPENING: usize = 15;

/// Number and year of an instrument of the European Union.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u:\b)(\d{2,4}/\d{1,4})(?:/[A-Z]{2,})?(?-u:\b)").expect("a constant pattern")
});
/// "This Rulebook (“GEN”)".
static SELF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u:\b)[Tt]h(?:is|ese)\s+(?:[A-Z][a-z]+\s+){0,3}(?:[Rr]ulebook|[Mm]anual|[Gg]uidance|[Gg]uidelines|[Cc]ode|[Pp]olicy|[Rr]egulations?|[Rr]ules|[Dd]irective|[Aa]ct|[Ll]aw|[Hh]andbook|[Mm]odule|[Ss]ourcebook|[Ss]tandards?|document)\s*\((?:the\s+)?["“‘'](?P<short>[A-Z][A-Za-z]{1,9})["”’']\)"#).expect("a constant pattern")
});
/// "may be cited as the Fund Passporting Rules", "is called the Guidance Manual (“GM”)".
static CALLED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u:\b)(?:cited\s+as|called|known\s+as|(?:[Pp]urpose|[Oo]bjective)\s+of)\s+the\s+(?P<long>[A-Z][A-Za-z&’' -]{5,90}?(?:\s+\d{4})?)(?:\s*\(\s*(?:the\s+)?["“‘']?(?P<short>[A-Z][A-Za-z]{1,9})["”’']?\))?(?:[.,;]|\s+(?:is|and)\s)"#).expect("a constant pattern")
});
/// "Markets Rules (MKT)", "Regulation (EU) No 575/2013 (hereinafter “CRR”)".
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u:\b)(?P<long>(?:[A-Z][A-Za-z’'-]*\s+(?:(?:of|and|for|on|the|to)\s+){0,2}){1,8}?(?:Acts?|Laws?|Regulations?|Rules|Rulebook|Code|Directive|Manual|Handbook|Guidelines|Standards?)(?:\s+\d{4})?|(?:Regulation|Directive|Decision)\s+(?:\([A-Z]{2,8}\)\s*)?(?:No\.?\s*)?\d{2,4}/\d{1,4}(?:/[A-Z]{2,})?)\s*\((?:(?:hereinafter|hereafter|the|referred\s+to\s+as|or|also)\s+)*["“‘']?(?P<short>[A-Z][A-Za-z]{0,3}[A-Z][A-Z&]{0,6})["”’']?\)"#).expect("a constant pattern")
});

/// A name folded for comparison: lower case, without article, year, brackets and a republic's name before it.
pub fn folded(name: &str) -> String {
    let name = name
        .trim()
        .trim_start_matches("the ")
        .trim_start_matches("The ")
        .trim_start_matches("THE ");
    let name = name.strip_prefix("中华人民共和国").unwrap_or(name);
    let mut out = String::new();
    let mut depth = 0usize;
    for c in name.chars() {
        match c {
            '(' | '（' | '[' | '【' => depth += 1,
            ')' | '）' | ']' | '】' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '《' | '》' | '“' | '”' | '"' => {}
            '_' | '-' | '–' => out.push(' '),
            c => out.extend(c.to_lowercase()),
        }
    }
    let mut words: Vec<&str> = out.split_whitespace().collect();
    while words.len() > 1
        && words
            .last()
            .is_some_and(|w| (w.len() == 4 && w.bytes().all(|b| b.is_ascii_digit())) || *w == "of")
    {
        words.pop();
    }
    words.join(" ")
}

/// `2013/36` of "Directive 2013/36/EU".
fn number(name: &str) -> Option<String> {
    NUMBER
        .captures(name)?
        .get(1)
        .map(|m| format!("no {}", m.as_str()))
}

/// Capitals that are words of a title or of a file's name: `COBS` of `COBS_VER15.150823`.
fn capitals(name: &str) -> Vec<String> {
    let shouted = name.chars().filter(|c| c.is_uppercase()).count() * 2
        > name.chars().filter(|c| c.is_alphabetic()).count();
    let words: Vec<&str> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let short = |w: &&&str| {
        (2..=8).contains(&w.len())
            && w.bytes().all(|b| b.is_ascii_uppercase())
            && super::instrument::is_short_name(w)
    };
    // A title in capitals throughout has no short names among its words, but a code with a version has.
    if shouted
        && words
            .iter()
            .filter(|w| w.chars().all(char::is_alphabetic))
            .count()
            > 2
    {
        return Vec::new();
    }
    words
        .iter()
        .filter(short)
        .map(|w| (*w).to_owned())
        .collect()
}

/// First letters of the words of a title: `FSMR`.
fn initials(name: &str) -> Option<String> {
    let small = ["and", "of", "the", "for", "on", "in", "to", "a", "an"];
    let name = folded(name);
    let words: Vec<&str> = name.split(' ').filter(|w| !small.contains(w)).collect();
    let letters: String = words
        .iter()
        .filter_map(|w| w.chars().next())
        .filter(char::is_ascii_alphabetic)
        .collect();
    ((3..=7).contains(&words.len()) && letters.len() == words.len()).then(|| letters.to_uppercase())
}

/// The acts that names stand for.
#[derive(Debug, Default)]
pub struct Names {
    /// The acts by folded name or short name; `None` if several acts share the name.
    of: HashMap<String, Option<u32>>,
}

impl Names {
    /// Learns the names of the acts. `given` holds the titles, numbers and file names of each act, `texts` every clause
    /// with its act, in order.
    pub fn learn<'a>(given: &[Vec<String>], texts: impl Iterator<Item = (u32, &'a str)>) -> Self {
        let mut names = Self::default();
        for (instrument, of_one) in (0u32..).zip(given) {
            for name in of_one {
                names.add(folded(name), instrument);
                for key in number(name).into_iter().chain(capitals(name)) {
                    names.add(key, instrument);
                }
            }
        }
        let mut seen: HashMap<u32, usize> = HashMap::new();
        let mut declared: Vec<(String, u32)> = Vec::new();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (instrument, text) in texts {
            let seen = seen.entry(instrument).or_default();
            *seen += 1;
            if *seen <= OPENING {
                for captures in SELF.captures_iter(text).chain(CALLED.captures_iter(text)) {
                    declared.extend(
                        captures
                            .name("short")
                            .map(|s| (s.as_str().to_owned(), instrument)),
                    );
                    declared.extend(
                        captures
                            .name("long")
                            .map(|l| (folded(l.as_str()), instrument)),
                    );
                }
                let head = text.lines().next().unwrap_or_default().trim();
                let words = head.split_whitespace().count();
                if *seen == 1 && (2..=14).contains(&words) && !head.ends_with(['.', ';', ':', ','])
                {
                    declared.push((folded(head), instrument));
                    declared.extend(number(head).map(|n| (n, instrument)));
                }
            }
            if text.contains('(') {
                for captures in PAIR.captures_iter(text) {
                    if let (Some(long), Some(short)) =
                        (captures.name("long"), captures.name("short"))
                    {
                        pairs.push((long.as_str().to_owned(), short.as_str().to_owned()));
                    }
                }
            }
        }
        for (name, instrument) in declared {
            names.add(name, instrument);
        }
        // If one text gives an act two names, both are names of the act.
        for (long, short) in pairs {
            match (names.find(&long), names.of.get(&short).copied().flatten()) {
                (Some(instrument), None) => names.add_new(short, instrument),
                (None, Some(instrument)) => names.add_new(folded(&long), instrument),
                _ => {}
            }
        }
        for (instrument, of_one) in (0u32..).zip(given) {
            for short in of_one.iter().filter_map(|n| initials(n)) {
                names.add_new(short, instrument);
            }
        }
        let long: Vec<(String, u32)> = names
            .of
            .iter()
            .filter_map(|(n, i)| Some((initials(n)?, (*i)?)))
            .collect();
        for (short, instrument) in long {
            names.add_new(short, instrument);
        }
        names
    }

    fn add(&mut self, name: String, instrument: u32) {
        if name.chars().count() < 2 || name.bytes().all(|b| b.is_ascii_digit()) {
            return;
        }
        self.of
            .entry(name)
            .and_modify(|held| *held = held.filter(|i| *i == instrument))
            .or_insert(Some(instrument));
    }

    /// Adds a name that no act has yet.
    fn add_new(&mut self, name: String, instrument: u32) {
        if name.chars().count() >= 2 {
            self.of.entry(name).or_insert(Some(instrument));
        }
    }

    /// The instrument of a name as a reference writes it.
    pub fn find(&self, name: &str) -> Option<u32> {
        if let Some(held) = self.of.get(name) {
            return *held;
        }
        if let Some(held) = number(name).and_then(|n| self.of.get(&n)) {
            return *held;
        }
        let folded = folded(name);
        if let Some(held) = self.of.get(&folded) {
            return *held;
        }
        let bare = [
            "rulebook",
            "rules",
            "regulations",
            "regulation",
            "module",
            "handbook",
        ]
        .iter()
        .find_map(|w| folded.strip_suffix(w));
        bare.and_then(|b| {
            self.of
                .get(&b.trim().to_uppercase())
                .or_else(|| self.of.get(b.trim()))
                .copied()
                .flatten()
        })
    }

    /// Finds out which acts the unexplained short names mean. A short name means the act that contains the clause
    /// numbers cited with it. `cited` holds each short name with these labels. `bears` says whether an act contains a
    /// label.
    pub fn settle(
        &mut self,
        instruments: u32,
        cited: &HashMap<String, HashSet<String>>,
        bears: impl Fn(u32, &str) -> bool,
    ) {
        let taken: HashSet<u32> = self
            .of
            .iter()
            .filter(|(name, _)| name.bytes().all(|b| b.is_ascii_uppercase()))
            .filter_map(|(_, i)| *i)
            .collect();
        let mut open: Vec<(&String, &HashSet<String>)> = cited
            .iter()
            .filter(|(name, labels)| !self.of.contains_key(*name) && labels.len() >= 3)
            .collect();
        open.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(b.0)));
        let mut given: HashSet<u32> = taken;
        for (name, labels) in open {
            let mut shares: Vec<(f64, u32)> = (0..instruments)
                .filter(|i| !given.contains(i))
                .map(|i| {
                    (
                        labels.iter().filter(|l| bears(i, l)).count() as f64 / labels.len() as f64,
                        i,
                    )
                })
                .collect();
            shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let second = shares.get(1).map_or(0.0, |s| s.0);
            if let Some(&(best, instrument)) = shares.first()
                && best >= 0.7
                && best - second >= 0.1
            {
                self.of.insert(name.clone(), Some(instrument));
                given.insert(instrument);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_and_pair() {
        assert_eq!(
            folded("the Insolvency Regulations 2015"),
            "insolvency regulations"
        );
        assert_eq!(folded("中华人民共和国商业银行法（2015修正）"), "商业银行法");
        let given = vec![
            vec!["COBS_VER15.150823".to_owned()],
            vec!["FINANCIAL SERVICES AND MARKETS REGULATIONS 2015".to_owned()],
            vec!["3".to_owned()],
        ];
        let texts = [
            (2, "This Rulebook (\"GEN\") applies to every Person."),
            (
                0,
                "The Financial Services and Markets Regulations 2015 (“FSMA”) and Regulation (EU) 2016/679 (GDPR) apply.",
            ),
        ];
        let names = Names::learn(&given, texts.into_iter());
        assert_eq!(names.find("COBS"), Some(0));
        assert_eq!(names.find("FSMR"), Some(1));
        assert_eq!(names.find("FSMA"), Some(1));
        assert_eq!(
            names.find("the Financial Services and Markets Regulations"),
            Some(1)
        );
        assert_eq!(names.find("GEN"), Some(2));
        assert_eq!(names.find("GEN Rulebook"), Some(2));
        assert_eq!(names.find("Companies Act 2006"), None);
    }
}
