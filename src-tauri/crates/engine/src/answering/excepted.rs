//! Exceptions from a clause that answers: paragraphs of the same article that limit its rule. An answer that quotes a
//! rule without its exception would be wrong.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;

/// Clauses before and after one that may be of the same article.
const AROUND: u32 = 12;

/// What an exception says of the paragraph that it names before, lower case.
const EXCEPTED: [&str; 6] = [
    "shall not apply",
    "does not apply",
    "do not apply",
    "shall not be required",
    "is not required",
    "are not required",
];
/// Words of an exception before the paragraph that it names.
const EXCEPTS_FROM: [&str; 3] = [
    "derogation from ",
    "derogating from ",
    "shall not be subject to ",
];
/// Words that show that a named paragraph is in another place.
const ELSEWHERE: [&str; 8] = [
    "of article",
    "of section",
    "of annex",
    "of chapter",
    "of regulation",
    "of directive",
    "of that",
    "of the ",
];

impl Answering<'_> {
    /// Clauses, best first, with the exception from the best one right behind it.
    pub(super) fn with_exception(&self, mut told: Vec<u32>, clauses: &Clauses) -> Result<Vec<u32>> {
        let Some(best) = told.first().copied() else {
            return Ok(told);
        };
        let exception = match self.exception_from(best, clauses)? {
            None => self.excepted_elsewhere(best, clauses)?,
            exception => exception,
        };
        if let Some(exception) = exception {
            told.retain(|clause| *clause != exception);
            told.insert(1, exception);
        }
        Ok(told)
    }

    /// The clause of the same article that makes an exception from this one. `None` if there is none.
    fn exception_from(&self, clause: u32, clauses: &Clauses) -> Result<Option<u32>> {
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

/// The article of a section and the number of the paragraph that it is, or is an item of: "Article 17 › 1 › (a)".
fn paragraph_of(section: &str) -> Option<(&str, u32)> {
    let (article, last) = section.rsplit_once(" › ")?;
    match last.trim_matches(['(', ')', '.']).parse() {
        Ok(number) => Some((article, number)),
        Err(_) => paragraph_of(article),
    }
}

/// Whether a sentence makes an exception from the paragraph of this article that has this number: "Paragraphs 1 to 3
/// shall not apply …". The result is false for "Where paragraph 1 applies, Article 9 shall not apply", because this
/// makes an exception from another article.
fn excepts(text: &str, number: u32) -> bool {
    let lower = text.to_lowercase();
    lower.match_indices("paragraph").any(|(at, word)| {
        let (before, rest) = (
            &lower[..at],
            lower[at + word.len()..].trim_start_matches('s'),
        );
        let (is_named, after) = names(rest, number);
        if !is_named
            || before.ends_with(char::is_alphanumeric)
            || ELSEWHERE.iter().any(|place| after.starts_with(place))
        {
            return false;
        }
        let said = after.split([',', ';', '.']).next().unwrap_or_default();
        EXCEPTED.iter().any(|phrase| said.contains(phrase))
            || EXCEPTS_FROM.iter().any(|phrase| before.ends_with(phrase))
    })
}

/// Whether the numbers at the beginning of a text include `wanted`: "1", "1 and 2", "1, 2 or 4", "1 to 3". Also returns
/// the text after the numbers.
fn names(text: &str, wanted: u32) -> (bool, &str) {
    let mut rest = text;
    let (mut last, mut to, mut named) = (None, false, false);
    loop {
        let begun = rest.trim_start_matches([' ', ',', '\u{a0}', '(', ')']);
        let length = begun.find(|c: char| !c.is_alphanumeric());
        let (word, after) = begun.split_at(length.unwrap_or(begun.len()));
        if let Ok(number) = word.parse::<u32>() {
            let from = last.filter(|_| to).unwrap_or(number);
            named |= (from..=number).contains(&wanted);
            (last, to) = (Some(number), false);
        } else if last.is_some() && word == "to" {
            to = true;
        } else if !matches!(word, "and" | "or") {
            return (named, begun);
        }
        rest = after;
    }
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
            (
                "3. The duty laid down in paragraph 1 of this Article to keep a log does not apply to a tug.",
                1,
                true,
            ),
            ("2. Paragraphs 1, 3 and 4 shall not apply.", 4, true),
            // Something else is excepted, or from another article.
            (
                "3. Where paragraph 1 applies, Article 9 shall not apply.",
                1,
                false,
            ),
            (
                "3. Paragraph 1 of Article 9 shall not apply to a tug.",
                1,
                false,
            ),
            ("3. Subparagraph 1 shall not apply.", 1, false),
            (
                "3. By way of derogation from paragraph 2, a tug may moor where paragraph 1 is met.",
                1,
                false,
            ),
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
        assert_eq!(
            paragraph_of("Article 6 › (2) › (a)"),
            Some(("Article 6", 2))
        );
        assert_eq!(paragraph_of("Article 6 › (a)"), None);
        assert_eq!(paragraph_of("Article 6"), None);
    }
}
