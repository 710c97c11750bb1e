//! Questions about the meaning of a term, and questions that are only a term. They are answered by the clause that
//! defines the term, not by the clause that uses the term most often.

use super::Answering;
use super::clauses::Clauses;
use super::find::Found;
use super::term_rows::{is_called, is_labelled_with, is_row_of};
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_ingest::definitions;
use lexforge_store::{ClauseHit, ClauseRanking, words};
use lexforge_text::{asked, is_han, meaning};

/// A definition is looked for in this many of the found clauses. The number must be large. If a document uses an
/// abbreviation often, many clauses are found before the one that explains it, such as a row in a list of
/// abbreviations.
const LOOKED_AT: usize = 400;
/// The first of these clauses may also describe the term in running text.
const DESCRIBING: usize = 80;
/// A longer phrase is no term.
const MOST_WORDS: usize = 6;
/// A cell with fewer words explains nothing.
const FEWEST_WORDS: usize = 2;

impl Answering<'_> {
    /// Puts the clauses that define the term of the question first.
    pub(super) fn definitions_first(
        &self,
        question: &str,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
        found: &mut Found,
    ) -> Result<()> {
        let looked_up = || Some((asked::looked_up(question)?, OF_THE_REST_OF_A_TERM));
        let meaning = asked::meaning_of(question).map(|named| (named, OF_THE_REST));
        let Some((named, of_the_rest)) = meaning.or_else(looked_up) else {
            return Ok(());
        };
        let term = words(named);
        if term.is_empty()
            || term.len() > MOST_WORDS.max(named.chars().filter(|c| is_han(*c)).count())
        {
            return Ok(());
        }
        // The search looks for the term together with a word that defines it. So clauses that only use the term many
        // times come after its definition.
        let sought = if named.chars().any(is_han) {
            // If the question names an act, the subject contains it, too.
            format!("{} 是指", asked::subject(question))
        } else {
            format!("{named} means")
        };
        let ranking = self
            .workspace
            .store
            .read(|r| r.rank_clauses(&sought, &clauses.map, wanted, LOOKED_AT))?;
        let mut defining = Vec::new();
        for (place, clause) in ranking.hits.iter().map(|hit| hit.clause).enumerate() {
            let Some((from, to)) = clauses.map.sentences(clause) else {
                continue;
            };
            let ids: Vec<SentenceId> = (from.0..=to.0).map(SentenceId).collect();
            let sentences = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
            let language = clauses.document_of(clause).map(|d| d.language);
            let mut defines = sentences.iter().any(|sentence| {
                explains(sentence, &term)
                    || is_labelled_with(&sentence.text, &term)
                    || is_called_so(&sentence.text, named)
                    || is_given_the_name(&sentence.text, &term)
                    || language.is_some_and(|language| {
                        is_defined(sentence, language, &term, place < DESCRIBING)
                    })
            });
            // A row is quoted with its meaning only if the row is the whole clause.
            let own: Vec<&Sentence> = sentences
                .iter()
                .filter(|s| s.kind != SentenceKind::Heading)
                .collect();
            let row = own
                .first()
                .filter(|s| own.len() == 1 && is_row_of(s, &term));
            if let Some(row) = row.filter(|_| !defines) {
                defines = !self.meaning_after(row, clauses)?.is_empty();
            }
            if defines {
                // A definition gets the greatest possible score.
                defining.push((clause, 1.0));
            }
        }
        if defining.is_empty() {
            if meaning::only_asked_for(question).is_some() {
                match self.describing(&term, &found.hits, clauses)? {
                    Some(clause) => put_first(clause, &mut found.hits),
                    None => found.features.lacks_what_is_asked = true,
                }
            }
            return Ok(());
        }
        // A definition in a reply to a consultation does not bind.
        defining.sort_by_key(|(clause, _)| clauses.beside.contains(clause));
        let rest = found
            .hits
            .iter()
            .filter(|hit| defining.iter().all(|d| d.0 != hit.0))
            .map(|(clause, score)| (*clause, score * of_the_rest));
        found.hits = defining.iter().copied().chain(rest).collect();
        found.features.certain = true;
        Ok(())
    }
}

impl Answering<'_> {
    /// If a question asks who has a role, and the words of the role stand beside each other in no clause, then clauses
    /// that have one word here and one there do not say it: "Who is the mooring pilot?" `words` is the ranking by words.
    pub(super) fn heed_the_role(&self, question: &str, words: &ClauseRanking, found: &mut Found) {
        let has_the_role = |hit: &ClauseHit| hit.pairs.last() == Some(&true);
        if meaning::asks_who_has_a_role(question) && !words.hits.iter().any(has_the_role) {
            found.features.lacks_what_is_asked = true;
        }
    }

    /// The clause among the first ones that says what a term is, although in no form of a definition: a sentence that
    /// begins with the term says what it is, or else the term is the heading of the clause.
    fn describing(
        &self,
        term: &[String],
        hits: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Option<u32>> {
        let mut headed = None;
        for (clause, _) in hits.iter().take(FIRST) {
            let Some((from, to)) = clauses.map.sentences(*clause) else {
                continue;
            };
            let ids: Vec<SentenceId> = (from.0..=to.0).map(SentenceId).collect();
            let sentences = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
            let is_heading = |s: &Sentence| s.kind == SentenceKind::Heading;
            let mut about = sentences.iter().filter(|s| is_about(s, term));
            match about.clone().any(|s| !is_heading(s)) {
                true => return Ok(Some(*clause)),
                false => headed = headed.or(about.next().map(|_| *clause)),
            }
        }
        Ok(headed)
    }
}

/// Puts a clause before the others.
fn put_first(clause: u32, hits: &mut Vec<(u32, f64)>) {
    let best = hits.first().map_or(0.0, |hit| hit.1);
    hits.retain(|hit| hit.0 != clause);
    hits.insert(0, (clause, best));
}

/// Clauses of which one must say what a term is.
const FIRST: usize = 3;
/// A heading with more words beside the term is about something else.
const MORE_OF_A_HEADING: usize = 2;

/// Whether a sentence of a clause is about what a term is, or the heading is under which the clause comes first.
fn is_about(sentence: &Sentence, term: &[String]) -> bool {
    let heads = |heading: &str| {
        let heading = heading.split('(').next().unwrap_or_default();
        let named = words(heading);
        let has = term.iter().all(|word| named.contains(word));
        is_called(heading, term) || (has && named.len() <= term.len() + MORE_OF_A_HEADING)
    };
    let describes = || {
        let described = meaning::described(&sentence.text);
        // "The fee for a late berth is …" says what the fee is.
        let is_of_it = |name: &str| JOINING.iter().any(|word| name.contains(word));
        described.is_some_and(|(name, _)| {
            words(name).ends_with(term) && (!is_of_it(name) || is_called(name, term))
        })
    };
    match sentence.kind {
        SentenceKind::Heading => heads(&sentence.text),
        _ => describes(),
    }
}

/// Words within a name behind which another thing is named.
const JOINING: [&str; 8] = [
    " for ", " of ", " in ", " to ", " on ", " by ", " with ", " from ",
];

/// Whether a sentence gives the term as a name to what it describes: "(‘late berth’)", "also known as late berths".
fn is_given_the_name(text: &str, term: &[String]) -> bool {
    meaning::names_given(text).iter().any(|name| {
        let named = words(name);
        named == term || (named.starts_with(term) && named.len() <= term.len() + MOST_BEHIND)
    })
}

/// Words of a sentence that may follow a name that it gives.
const MOST_BEHIND: usize = 2;

/// Scores of clauses that do not define the term are multiplied by this, so that only definitions are quoted.
const OF_THE_REST: f64 = 0.5;
/// The same if the question is only a term: then the user may want the rules about the term, too.
const OF_THE_REST_OF_A_TERM: f64 = 0.8;

/// Whether a Chinese sentence describes something and then gives it this name, as in "在港内过夜的，为停泊船舶。"
fn is_called_so(text: &str, named: &str) -> bool {
    if !named.chars().any(is_han) {
        return false;
    }
    let unquoted = |text: &str| -> String {
        text.chars()
            .filter(|c| !matches!(c, '“' | '”' | '"' | '「' | '」'))
            .collect()
    };
    let (text, named) = (unquoted(text), unquoted(named));
    text.match_indices(named.as_str()).any(|(at, _)| {
        let ends = text[at + named.len()..].starts_with(ENDS) || text.len() == at + named.len();
        ends && CALLED.iter().any(|called| text[..at].ends_with(called))
    })
}

/// Words before the name of something that a Chinese sentence has described.
const CALLED: [&str; 9] = [
    "，为",
    ",为",
    "认定为",
    "视为",
    "称为",
    "，属于",
    ",属于",
    "，是",
    ",是",
];
/// Signs that end such a name.
const ENDS: [char; 8] = ['。', '，', ',', '；', ';', '：', ':', '.'];

/// Whether a sentence defines a term in the form of legal acts, or describes it, if this counts, too.
fn is_defined(
    sentence: &Sentence,
    language: Language,
    term: &[String],
    or_described: bool,
) -> bool {
    let text = sentence.complete.as_deref().unwrap_or(&sentence.text);
    definitions::find(text, language)
        .iter()
        .any(|found| (or_described || found.kind.is_legal()) && is_called(&found.term, term))
}

/// Whether a row of a table explains a term: the term, and beside it what it is.
fn explains(sentence: &Sentence, term: &[String]) -> bool {
    let Some((name, rest)) = sentence.text.split_once('\t') else {
        return false;
    };
    sentence.kind == SentenceKind::TableCell
        && !rest.contains('\t')
        && words(rest).len() >= FEWEST_WORDS
        && is_called(name, term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;

    #[test]
    fn a_term_is_known_by_each_of_its_names() {
        let called = |name: &str, term: &str| is_called(name, &words(term));
        assert!(called("mooring fee", "Mooring Fees"));
        assert!(called("harbour dues levy (HDL)", "HDL"));
        assert!(called("harbour dues levy (HDL)", "harbour dues levy"));
        assert!(!called("mooring fee", "fee"));
        assert!(called("犹豫期", "犹豫期"));
    }

    #[test]
    fn what_is_described_first_is_called_by_its_name_last() {
        for (text, so) in [
            ("在港内过夜的，为停泊船舶。", true),
            ("有下列情形之一的，应当认定为“停泊船舶”：", true),
            ("停泊船舶应当缴费。", false),
            ("不得将其作为停泊船舶。", false),
            ("在港内过夜的，为停泊船舶的所有人。", false),
        ] {
            assert_eq!(is_called_so(text, "停泊船舶"), so, "{text}");
        }
        assert!(is_called_so(
            "三个月无人看管的，视为“无主”船舶。",
            "“无主”船舶"
        ));
    }

    #[test]
    fn a_term_is_defined_in_the_form_of_acts_wherever_it_stands() {
        for (text, so) in [
            (
                "“Mooring fee” means the amount that a vessel pays for a berth.",
                true,
            ),
            (
                "“Late fee” means the amount that a late vessel pays for a berth.",
                false,
            ),
            ("A mooring fee is paid.", false),
        ] {
            let sentence = sentence(SentenceKind::Rule, text);
            let found = is_defined(&sentence, Language::En, &words("mooring fee"), false);
            assert_eq!(found, so, "{text}");
        }
    }

    #[test]
    fn a_name_is_given_by_the_way() {
        for (text, given) in [
            ("A berth without a vessel (‘late berth’) is let.", true),
            (
                "Berths that are let, also known as late berths, are free.",
                true,
            ),
            (
                "Berths that are let, also known as dry berths, are free.",
                false,
            ),
            ("A late berth is free.", false),
        ] {
            assert_eq!(
                is_given_the_name(text, &words("late berth")),
                given,
                "{text}"
            );
        }
    }

    #[test]
    fn a_heading_or_a_description_is_about_the_term() {
        for (kind, text, so) in [
            (SentenceKind::Heading, "Late berths", true),
            (SentenceKind::Heading, "Use of late berths", true),
            (
                SentenceKind::Heading,
                "Enhanced control and removal of late berths",
                false,
            ),
            (
                SentenceKind::Rule,
                "A late berth is a berth without a vessel.",
                true,
            ),
            (SentenceKind::Rule, "A late berth is let.", false),
            (
                SentenceKind::Rule,
                "The fee for a late berth is a sum.",
                false,
            ),
        ] {
            assert_eq!(
                is_about(&sentence(kind, text), &words("late berth")),
                so,
                "{text}"
            );
        }
    }

    #[test]
    fn a_row_beside_its_term_explains_it() {
        let explained = |kind, text| explains(&sentence(kind, text), &words("HDL"));
        assert!(explained(SentenceKind::TableCell, "HDL\tharbour dues levy"));
        assert!(!explained(SentenceKind::TableCell, "HDL\t12\t14"));
        assert!(!explained(SentenceKind::TableCell, "HDL\t12"));
        assert!(!explained(SentenceKind::Rule, "HDL\tharbour dues levy"));
    }
}
