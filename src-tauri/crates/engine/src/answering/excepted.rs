//! Exceptions from a clause that answers: a paragraph of the same article that takes the rule back in part. A rule that is
//! quoted without its exception is a wrong answer.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;

/// Clauses before and after one that may be of the same article.
const AROUND: u32 = 12;

/// What an exception says, lower case.
const EXCEPTS: [&str; 7] = [
    "shall not apply",
    "does not apply",
    "do not apply",
    "shall not be required",
    "by way of derogation from paragraph",
    "by derogation from paragraph",
    "shall not be subject to paragraph",
];

impl Answering<'_> {
    /// The clause of the same article that excepts from this one, where there is one.
    pub(super) fn exception_from(&self, clause: u32, clauses: &Clauses) -> Result<Option<u32>> {
        let Some(rule) = self.first_sentence(clause, clauses)? else {
            return Ok(None);
        };
        let Some((article, number)) = paragraph_of(&rule.section) else {
            return Ok(None);
        };
        let after = clause + 1..=clause + AROUND;
        for other in after.chain((clause.saturating_sub(AROUND)..clause).rev()) {
            let Some(first) = self.first_sentence(other, clauses)? else {
                continue;
            };
            let same_article = first.document == rule.document
                && paragraph_of(&first.section).is_some_and(|(of, _)| of == article);
            if same_article && excepts(&first.text, number) {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    /// The first sentence of a clause that is no heading.
    fn first_sentence(&self, clause: u32, clauses: &Clauses) -> Result<Option<Sentence>> {
        let Some((from, to)) = clauses.map.sentences(clause) else {
            return Ok(None);
        };
        let ids: Vec<_> = (from.0..=to.0).map(lexforge_domain::SentenceId).collect();
        let all = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
        Ok(all.into_iter().find(|s| s.kind != SentenceKind::Heading))
    }
}

/// The article of a section and the number of its paragraph: "Article 17 › 1".
fn paragraph_of(section: &str) -> Option<(&str, u32)> {
    let (article, last) = section.rsplit_once(" › ")?;
    let number = last.trim_matches(['(', ')', '.']).parse().ok()?;
    Some((article, number))
}

/// Whether a sentence excepts from the paragraph of a number: "Paragraphs 1 to 3 shall not apply …".
fn excepts(text: &str, number: u32) -> bool {
    let lower = text.to_lowercase();
    if !EXCEPTS.iter().any(|phrase| lower.contains(phrase)) {
        return false;
    }
    lower.match_indices("paragraph").any(|(at, word)| {
        let rest = lower[at + word.len()..].trim_start_matches('s');
        names(rest, number)
    })
}

/// Whether the numbers at the beginning of a text name one: "1", "1 and 2", "1, 2 or 4", "1 to 3".
fn names(text: &str, wanted: u32) -> bool {
    let mut last: Option<u32> = None;
    let mut to = false;
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        if let Ok(number) = word.parse::<u32>() {
            let from = last.filter(|_| to).unwrap_or(number);
            if (from..=number).contains(&wanted) {
                return true;
            }
            (last, to) = (Some(number), false);
        } else if last.is_some() && word == "to" {
            to = true;
        } else if !matches!(word, "and" | "or") {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_names_the_paragraph_that_it_is_from() {
        for (text, number, expected) in [
            (
                "3. Paragraphs 1 and 2 shall not apply to fishing vessels.",
                2,
                true,
            ),
            ("4. Paragraphs 1 to 3 shall not apply at night.", 2, true),
            (
                "3. Paragraphs 1 and 2 shall not apply to fishing vessels.",
                4,
                false,
            ),
            (
                "5. The obligations referred to in paragraphs 1 and 2 shall not apply to a vessel under 12 metres.",
                1,
                true,
            ),
            (
                "2. By way of derogation from paragraph 1, a tug may moor.",
                1,
                true,
            ),
            (
                "2. The notice referred to in paragraph 1 shall be written.",
                1,
                false,
            ),
            ("Paragraph 12 shall not apply.", 1, false),
        ] {
            assert_eq!(excepts(text, number), expected, "{number}: {text}");
        }
    }

    #[test]
    fn a_paragraph_stands_in_its_article() {
        assert_eq!(
            paragraph_of("I › Article 17 › 1"),
            Some(("I › Article 17", 1))
        );
        assert_eq!(paragraph_of("Article 6 › (2)"), Some(("Article 6", 2)));
        assert_eq!(paragraph_of("Article 6 › (a)"), None);
        assert_eq!(paragraph_of("Article 6"), None);
    }
}
