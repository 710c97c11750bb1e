//! Where terms are mentioned in a text.

use aho_corasick::{AhoCorasick, MatchKind};
use lexforge_domain::TermId;
use lexforge_domain::text::Language;
use lexforge_text::fold::{plain, spaced};
use lexforge_text::{is_unspaced, plural};
use std::collections::HashSet;
use std::iter;

/// Finds all mentions of a list of terms in one pass over a text.
///
/// In English a term is found as whole words, in upper or lower case, singular or plural, with or without hyphens.
/// Terms in capitals only ("IT", "AML") must be written in capitals. In Chinese there are no word boundaries. In every
/// language the longest term counts: "supervisor" within "executive supervisor" and 保险人 within 被保险人 are not
/// separate mentions.
#[derive(Debug)]
pub struct MentionFinder {
    automaton: Option<AhoCorasick>,
    /// For each pattern after [`apart`] its term and how many of its letters must be capitals (0: none).
    patterns: Vec<(TermId, usize)>,
    language: Language,
    /// Terms that hide none of those within them.
    open: HashSet<TermId>,
}

impl MentionFinder {
    /// A finder for these terms. Terms without a letter are left out.
    pub fn new(terms: &[(TermId, &str)], language: Language) -> Self {
        let (mut texts, mut patterns) = (Vec::new(), Vec::new());
        for (id, term) in terms {
            let capitals = if is_acronym(term) {
                term.chars().count()
            } else {
                0
            };
            for variant in variants(term.trim(), language) {
                patterns.push((*id, capitals));
                texts.push(variant);
            }
        }
        let apart = apart(texts.len());
        let all = iter::once(apart.as_slice()).chain(texts.iter().map(String::as_bytes));
        // Building fails only beyond the automaton's 2³¹ states; then nothing is found.
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(all)
            .ok();
        Self {
            automaton: automaton.filter(|_| !texts.is_empty()),
            patterns,
            language,
            open: HashSet::new(),
        }
    }

    /// Ignores mentions of these terms from now on, because people rejected the terms. If another term occurs inside a
    /// mention that is ignored, it counts as a mention of its own.
    #[must_use]
    pub fn seen_through(mut self, terms: impl IntoIterator<Item = TermId>) -> Self {
        self.open = terms.into_iter().collect();
        self
    }

    /// The mentions in a text as (term, first scalar value, one past the last), ordered by start; with the same start
    /// the longer one comes first. If one mention lies within another, only the outer one counts. Two mentions that
    /// overlap are both reported.
    pub fn find(&self, text: &str) -> Vec<(TermId, u32, u32)> {
        let Some(automaton) = &self.automaton else {
            return Vec::new();
        };
        let original: Vec<char> = text.chars().collect();
        let mut lower = String::with_capacity(text.len());
        let mut scalar_at = Vec::with_capacity(text.len() + 1);
        for (i, c) in original.iter().enumerate() {
            let before = lower.len();
            lower.push(folded(*c));
            scalar_at.resize(scalar_at.len() + lower.len() - before, i as u32);
        }
        scalar_at.push(original.len() as u32);
        let mut found: Vec<(TermId, u32, u32)> = automaton
            .find_overlapping_iter(&lower)
            .filter_map(|hit| {
                let (term, capitals) = self.patterns[hit.pattern().as_usize() - 1];
                let (start, end) = (scalar_at[hit.start()], scalar_at[hit.end()]);
                let written = &original[start as usize..end as usize];
                let shouted = !written.iter().take(capitals).any(|c| c.is_lowercase());
                (shouted && self.at_boundaries(&original, start as usize, end as usize))
                    .then_some((term, start, end))
            })
            .collect();
        found.sort_unstable_by_key(|(term, start, end)| (*start, std::cmp::Reverse(*end), *term));
        found.dedup();
        // A mention that contains another begins no later, so it comes first.
        let mut outer: Option<(u32, u32)> = None;
        found.retain(|(term, start, end)| {
            let within = outer.is_some_and(|outer| *end <= outer.1 && (*start, *end) != outer);
            if !within && !self.open.contains(term) {
                outer = Some((*start, *end));
            }
            !within
        });
        found
    }

    fn at_boundaries(&self, text: &[char], start: usize, end: usize) -> bool {
        let joined = |a: char, b: char| in_word(a) && in_word(b);
        let open = start == 0 || !joined(text[start - 1], text[start]);
        // Korean particles are written on to the word.
        let closed =
            end == text.len() || self.language == Language::Ko || !joined(text[end - 1], text[end]);
        open && closed
    }
}

/// A pattern that no text contains (its bytes are not UTF-8). It comes first and is a sixteenth as long as the list of
/// patterns, so that building takes time in proportion to the list.
///
/// The crate aho-corasick numbers its states in the order of the patterns, and then moves those that end a pattern to the
/// front. Each of them moves by the number of states before it that end none. To give all states their new numbers, it
/// follows each chain of such moves once from every link. In lists such as "term 1", "term 2" … "term 250000" nearly
/// every state ends a pattern, so each moves by a few places: the chains are as long as the list, and the time grows
/// with the square of it. With this pattern in front each move is at least a sixteenth of the list, and no chain has
/// more than some sixteen links.
fn apart(patterns: usize) -> Vec<u8> {
    vec![0xff; (patterns / 16).max(1)]
}

/// Whether a character makes a word longer. CJK characters do not: their words have no visible boundaries.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

/// A character as it is compared. A hyphen counts as a space, since people write either.
fn folded(c: char) -> char {
    match plain(c) {
        '-' => ' ',
        c => c,
    }
}

/// A short form in capitals: as a lower-case word it means something else.
fn is_acronym(term: &str) -> bool {
    let letters = term.chars().filter(|c| c.is_alphabetic());
    (2..=6).contains(&term.chars().count())
        && letters.clone().all(char::is_uppercase)
        && letters.clone().count() > 1
        && term.is_ascii()
}

/// The folded forms under which a term may be written.
fn variants(term: &str, language: Language) -> Vec<String> {
    let folded: String = term.chars().map(folded).collect();
    let base = spaced(&folded);
    if !base.chars().any(char::is_alphabetic) {
        return Vec::new();
    }
    let mut forms = vec![base.clone()];
    if matches!(language, Language::En | Language::Other) {
        let words: Vec<&str> = base.split(' ').collect();
        let last = words.len() - 1;
        // The ending of the plural belongs to the head noun. In "right of access" the head noun is before the
        // preposition, in "authority concerned" it is before the participle.
        let head = words
            .iter()
            .position(|w| {
                matches!(
                    *w,
                    "of" | "for"
                        | "to"
                        | "in"
                        | "on"
                        | "concerned"
                        | "involved"
                        | "affected"
                        | "payable"
                )
            })
            .map_or(last, |p| p.saturating_sub(1));
        for place in [last, head] {
            for form in [plural::singular(words[place]), plural::plural(words[place])] {
                let mut changed: Vec<&str> = words.clone();
                changed[place] = &form;
                forms.push(changed.join(" "));
            }
        }
        forms.sort_unstable();
        forms.dedup();
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, terms: &[&str], text: &str, expected: &[&str]) {
        let keyed: Vec<(TermId, &str)> = terms
            .iter()
            .enumerate()
            .map(|(i, t)| (TermId(i as i64), *t))
            .collect();
        let found = MentionFinder::new(&keyed, language).find(text);
        let chars: Vec<char> = text.chars().collect();
        let shown: Vec<String> = found
            .iter()
            .map(|(id, s, e)| {
                format!(
                    "{}={}",
                    terms[id.0 as usize],
                    chars[*s as usize..*e as usize].iter().collect::<String>()
                )
            })
            .collect();
        assert_eq!(shown, expected, "{text:?}");
    }

    #[test]
    fn english_mentions() {
        let en = |terms: &[&str], text: &str, expected: &[&str]| {
            check(Language::En, terms, text, expected)
        };
        en(
            &["supervisory authority", "lead supervisory authority"],
            "The Lead Supervisory Authority informs other supervisory authorities.",
            &[
                "lead supervisory authority=Lead Supervisory Authority",
                "supervisory authority=supervisory authorities",
            ],
        );
        en(
            &["third-party provider", "cross border payment"],
            "Third party providers; cross-border payments",
            &[
                "third-party provider=Third party providers",
                "cross border payment=cross-border payments",
            ],
        );
        en(
            &["process"],
            "processes, Processing, reprocess, process.",
            &["process=processes", "process=process"],
        );
        en(
            &["right of access"],
            "Rights of access (right of access)",
            &[
                "right of access=Rights of access",
                "right of access=right of access",
            ],
        );
        en(
            &["authority", "authority concerned"],
            "The authorities concerned inform the authority.",
            &[
                "authority concerned=authorities concerned",
                "authority=authority",
            ],
        );
        en(
            &["IT", "AML"],
            "It is about IT and AML; aml is not.",
            &["IT=IT", "AML=AML"],
        );
        en(
            &["cross-border processing"],
            "“cross‑border\u{a0}processing”",
            &["cross-border processing=cross‑border\u{a0}processing"],
        );
        en(
            &["controllers"],
            "The controller’s duty",
            &["controllers=controller"],
        );
        en(&["", "12"], "12 months", &[]);
        en(
            &["data", "personal data", "data subject"],
            "personal data subject",
            &["personal data=personal data", "data subject=data subject"],
        );
    }

    #[test]
    fn what_a_rejected_term_holds_is_mentioned() {
        let terms = [
            (TermId(1), "executive supervisor"),
            (TermId(2), "supervisor"),
        ];
        let finder = MentionFinder::new(&terms, Language::En);
        let ids = |finder: &MentionFinder| {
            finder
                .find("the executive supervisor")
                .into_iter()
                .map(|(id, ..)| id.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&finder), [1]);
        assert_eq!(ids(&finder.seen_through([TermId(1)])), [1, 2]);
    }

    /// Every place of every form of every term, looked for one by one.
    fn found_one_by_one(
        terms: &[(TermId, &str)],
        language: Language,
        text: &str,
    ) -> Vec<(TermId, u32, u32)> {
        let mut found: Vec<(TermId, u32, u32)> = terms
            .iter()
            .flat_map(|term| MentionFinder::new(&[*term], language).find(text))
            .collect();
        found.sort_unstable_by_key(|(term, start, end)| (*start, std::cmp::Reverse(*end), *term));
        let all = found.clone();
        found.retain(|(_, start, end)| {
            !all.iter()
                .any(|(_, s, e)| s <= start && end <= e && (s, e) != (start, end))
        });
        found
    }

    #[test]
    fn a_long_list_finds_what_its_terms_find_one_by_one() {
        let numbered =
            |word: &'static str, count: usize| (0..count).map(move |n| format!("{word} {n}"));
        let text = "The IT report names term 7, terms 12, term 1234, Name 99 and name 999 to the 被保险人 and its \
                    保险人; rights of access to class 5 and third‑party providers: \u{10ffff}\u{7f}ÿÿÿÿ 商业银行 12, it.";
        let mixed = [
            "IT",
            "term",
            "name",
            "report",
            "right of access",
            "third-party provider",
            "provider",
            "保险人",
            "被保险人",
            "商业银行",
            "银行",
            "class",
            "ÿ",
            "ÿÿ",
            "report",
            "",
        ];
        for count in [0, 1, 15, 16, 17, 300] {
            let terms: Vec<String> = numbered("term", count * 5)
                .chain(mixed.map(String::from))
                .chain(numbered("name", count * 4))
                .chain(numbered("class", count))
                .collect();
            let keyed: Vec<(TermId, &str)> = terms
                .iter()
                .enumerate()
                .map(|(i, term)| (TermId(i as i64), term.as_str()))
                .collect();
            for language in [Language::En, Language::Zh, Language::Ko, Language::Other] {
                let found = MentionFinder::new(&keyed, language).find(text);
                assert!(found.len() > 5, "{count} {language:?}: {found:?}");
                assert_eq!(
                    found,
                    found_one_by_one(&keyed, language, text),
                    "{count} {language:?}"
                );
            }
        }
    }

    #[test]
    fn what_stands_before_a_long_list_is_in_no_text() {
        for (patterns, length) in [(0, 1), (31, 1), (32, 2), (1_000_000, 62_500)] {
            let apart = apart(patterns);
            assert_eq!(apart.len(), length);
            assert!(std::str::from_utf8(&apart[..1]).is_err());
        }
    }

    #[test]
    fn chinese_mentions() {
        let zh = |terms: &[&str], text: &str, expected: &[&str]| {
            check(Language::Zh, terms, text, expected)
        };
        zh(
            &["商业银行", "资本充足率"],
            "商业银行资本充足率不得低于8%",
            &["商业银行=商业银行", "资本充足率=资本充足率"],
        );
        zh(
            &["保险人", "被保险人"],
            "被保险人应当通知保险人",
            &["被保险人=被保险人", "保险人=保险人"],
        );
        zh(
            &["贷款", "固定资产贷款"],
            "办理固定资产贷款业务和贷款",
            &["固定资产贷款=固定资产贷款", "贷款=贷款"],
        );
        zh(&["IRB法"], "采用IRB法的银行", &["IRB法=IRB法"]);
    }
}
