//! Finds clauses that say outright what a question asks, wherever they are in the ranking. Four kinds of questions are
//! looked at: who must do something or until when, from when an act applies, what a breach costs, and which rights
//! somebody has (in Chinese only the second and the last kind). The clauses that answer them have few words of the
//! question. So a search ranks other clauses higher, or seems unsure.

use super::Answering;
use super::clauses::Clauses;
use super::duties::Duty;
use super::find::Found;
use super::own_words::own_words;
use super::short_names::named;
use crate::workspace::Result;
use lexforge_domain::api::DocumentRow;
use lexforge_domain::document::Sentence;
use lexforge_store::ClauseRanking;
use lexforge_text::commencing::{self, Asked, Asks};
use lexforge_text::lists::Word;
use lexforge_text::sanction::{self, Sanction};
use lexforge_text::{asked, is_han, money, rights, titled, word_lists};
use std::collections::HashSet;

word_lists! {
    /// What rules say of the day from which they apply, as it is searched.
    COMMENCING: Vec<Word> = "commencing.txt";
    /// The same in Chinese.
    COMMENCING_HAN: Vec<Word> = "commencing_han.txt";
    /// What rules say of the price of a breach, as it is searched.
    SANCTIONING: Vec<Word> = "sanctioning.txt";
    /// What rules say of a right, as it is searched.
    RIGHTS: Vec<Word> = "rights.txt";
    /// The same in Chinese.
    RIGHTS_HAN: Vec<Word> = "rights_han.txt";
}

/// Clauses that are put first at most.
const MOST: usize = 3;
/// Clauses that grant rights, which are put first at most. Each is an answer of its own, so that hardly any are left out.
const MOST_RIGHTS: usize = 40;
/// Clauses looked at of those that have all words of the question.
const LOOKED_AT: usize = 100;
/// Clauses looked at that may tell from when an act applies, or what a breach costs. Such a clause may be short and have
/// one word of the search.
const LOOKED_AT_OF_ALL: usize = 400;
/// With fewer words of its own, a question does not say which duty it means.
const FEWEST_WORDS: usize = 2;
/// The scores of the other clauses are multiplied by this, so that they are not quoted.
const OF_THE_REST: f64 = 0.5;
/// The same where the question may ask for something else, too: then both are quoted.
const OF_THE_REST_IF_EITHER: f64 = 0.95;

/// How a Chinese list of duties begins. It may name rights, too: 不得滥用股东权利.
const DUTIES_HAN: &str = "下列义务";
/// Characters by which a question names a Chinese act at least.
const NAMED: usize = 3;

impl Answering<'_> {
    /// Puts the clauses first that say outright what the question asks, and gives their number. `words` is the ranking by
    /// words.
    pub(super) fn outright_first(
        &self,
        question: &str,
        words: &ClauseRanking,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
        found: &mut Found,
    ) -> Result<usize> {
        if found.features.certain {
            return Ok(0);
        }
        let asks = commencing::asked_for(question);
        let first = if let Some(holder) = rights::asked_of(question) {
            self.that_grant(holder, clauses, wanted)?
        } else if question.chars().any(is_han) {
            self.that_commence_in_chinese(question, clauses, wanted)?
        } else if let Some(asked) = &asks {
            self.that_commence(question, asked, clauses, wanted)?
        } else if let Some(sanction) = asked_of_all(question) {
            self.that_sanction(sanction, clauses, wanted)?
        } else if let Some(duty) = Duty::of_whom_or_when(question) {
            self.that_lay(question, &duty, words, clauses, found)?
        } else {
            return Ok(0);
        };
        if first.is_empty() {
            if rights::asked_of(question).is_some() {
                found.features.lacks_what_is_asked = !self.begins_with_rights(clauses, found)?;
            }
            return Ok(0);
        }
        let of_the_rest = match asks.map(|asked| asked.asks) {
            Some(Asks::ForTheDayOrTheCases) => OF_THE_REST_IF_EITHER,
            _ => OF_THE_REST,
        };
        let rest = found.hits.iter().filter(|hit| !first.contains(&hit.0));
        let rest = rest.map(|(clause, score)| (*clause, score * of_the_rest));
        found.hits = first
            .iter()
            .map(|clause| (*clause, 1.0))
            .chain(rest)
            .collect();
        found.features.outright = true;
        Ok(first.len())
    }

    /// The clauses that tell from when their act applies. If the question names an act, those of this act.
    fn that_commence(
        &self,
        question: &str,
        asked: &Asked,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Vec<u32>> {
        let which = asked
            .named
            .iter()
            .flat_map(|word| lexforge_store::words(word));
        let which: HashSet<String> = which.collect();
        let is_it = |document: &DocumentRow| {
            let title = lexforge_store::words(&named(document));
            which.iter().all(|word| title.contains(word))
        };
        let is_it: Vec<bool> = clauses.documents.iter().map(is_it).collect();
        let is_of_the_act = |clause: u32| {
            let place = clauses.document.get(clause as usize);
            let is_it = place.and_then(|place| is_it.get(*place as usize));
            wanted(clause) && is_it == Some(&true)
        };
        let is_of_force = |text: &str| text.contains(" force");
        let of_force = is_of_force(question);
        let mut found: Vec<(bool, u32)> = Vec::new();
        for clause in self.ranked(&COMMENCING, clauses, is_of_the_act)? {
            let sentences = self.running(clause, clauses)?;
            let mut told = sentences.iter().filter(|s| commencing::is_told(&s.text));
            let is_in_force = told.clone().any(|s| is_of_force(&s.text));
            if told.next().is_some() {
                found.push((is_in_force == of_force, clause));
            }
        }
        // What is asked by its name comes first: the entry into force, or the day from which the act applies.
        found.sort_by_key(|one| !one.0);
        Ok(found.into_iter().map(|one| one.1).take(MOST).collect())
    }

    /// The same for a Chinese question, which must name its act. A clause with a date comes before 自公布之日起施行.
    fn that_commence_in_chinese(
        &self,
        question: &str,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Vec<u32>> {
        let shared = |document: &DocumentRow| titled::shared(question, &document.title);
        let shared: Vec<usize> = clauses.documents.iter().map(shared).collect();
        let most = shared.iter().copied().max().unwrap_or_default();
        if most < NAMED || !commencing::is_asked_in_chinese(question, most) {
            return Ok(Vec::new());
        }
        let is_of_the_act = |clause: u32| {
            let place = clauses.document.get(clause as usize);
            let shared = place.and_then(|place| shared.get(*place as usize));
            wanted(clause) && shared == Some(&most)
        };
        let mut found = Vec::new();
        for clause in self.ranked(&COMMENCING_HAN, clauses, is_of_the_act)? {
            let sentences = self.running(clause, clauses)?;
            let told = sentences
                .iter()
                .find(|s| commencing::is_told_in_chinese(&s.text));
            found.extend(told.map(|s| (!s.text.contains('年'), clause)));
        }
        found.sort_by_key(|one| one.0);
        Ok(found.into_iter().map(|one| one.1).take(MOST).collect())
    }

    /// The clauses that state the sanction for a breach, with its sum if there are such.
    fn that_sanction(
        &self,
        sanction: Sanction,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Vec<u32>> {
        let (mut with_sum, mut others) = (Vec::new(), Vec::new());
        for clause in self.ranked(&SANCTIONING, clauses, wanted)? {
            let sentences = self.running(clause, clauses)?;
            if !sentences.iter().any(|s| sanction::names_a_breach(&s.text)) {
                continue;
            }
            let has_sum = |s: &Sentence| sanction::is_stated(&s.text) && money::has_a_sum(&s.text);
            if sentences.iter().any(has_sum) {
                with_sum.push(clause);
            } else if sanction != Sanction::Sum {
                let stated = sentences.iter().any(|s| sanction::is_stated(&s.text));
                others.extend(stated.then_some(clause));
            }
        }
        let mut first = if with_sum.is_empty() {
            others
        } else {
            with_sum
        };
        first.truncate(MOST);
        first.sort_unstable();
        Ok(first)
    }

    /// The clauses that grant rights to this holder, in their order in the documents.
    fn that_grant(
        &self,
        holder: &str,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Vec<u32>> {
        let said = match holder.chars().any(is_han) {
            true => &RIGHTS_HAN,
            false => &RIGHTS,
        };
        let sought: Vec<&str> = said.iter().copied().chain([holder]).collect();
        let mut found = Vec::new();
        for clause in self.ranked(&sought, clauses, wanted)? {
            let sentences = self.running(clause, clauses)?;
            if sentences
                .iter()
                .any(|s| rights::are_granted(&s.text, holder))
            {
                found.push(clause);
            }
            if found.len() == MOST_RIGHTS {
                break;
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Whether the first clause is a Chinese one that speaks of rights. Chinese rules also grant a right by what must be
    /// safeguarded: 保障消费者公平交易权.
    fn begins_with_rights(&self, clauses: &Clauses, found: &Found) -> Result<bool> {
        let Some((first, _)) = found.hits.first() else {
            return Ok(false);
        };
        let sentences = self.running(*first, clauses)?;
        let speaks = |s: &Sentence| {
            RIGHTS_HAN.iter().any(|word| s.text.contains(word)) && !s.text.contains(DUTIES_HAN)
        };
        Ok(sentences.iter().any(speaks))
    }

    /// The clauses that impose the duty, and say when if this is asked for, in one sentence with all of the question's own words.
    fn that_lay(
        &self,
        question: &str,
        duty: &Duty,
        words: &ClauseRanking,
        clauses: &Clauses,
        found: &Found,
    ) -> Result<Vec<u32>> {
        let own = own_words(question);
        if own.len() < FEWEST_WORDS {
            return Ok(Vec::new());
        }
        let has_all = words
            .hits
            .iter()
            .filter(|hit| hit.words.iter().all(|has| *has));
        let has_all = has_all.map(|hit| hit.clause).take(LOOKED_AT);
        let near = found.hits.iter().map(|hit| hit.0);
        // Several may have the duty, but for the time of it the best clause is enough.
        let most = match duty {
            Duty::Due(_) => 1,
            _ => MOST,
        };
        let mut laying = Vec::new();
        for clause in near.chain(has_all) {
            if laying.len() == most {
                break;
            }
            let is_rule = !clauses.beside.contains(&clause) && !laying.contains(&clause);
            if is_rule && duty.is_outright_in(&own, &self.running(clause, clauses)?) {
                laying.push(clause);
            }
        }
        Ok(laying)
    }

    /// The rules that a search for these words finds, best first.
    fn ranked(
        &self,
        sought: &[&str],
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Vec<u32>> {
        let is_rule = |clause: u32| wanted(clause) && !clauses.beside.contains(&clause);
        let store = &self.workspace.store;
        let ranking = store
            .read(|r| r.rank_clauses(&sought.join(" "), &clauses.map, is_rule, LOOKED_AT_OF_ALL))?;
        Ok(ranking.hits.iter().map(|hit| hit.clause).collect())
    }
}

/// The sanction that a question asks for, if it does not say of which breach: "How high are the fines?" `None` for "What
/// is the fine for a late report?"
fn asked_of_all(question: &str) -> Option<Sanction> {
    let sanction = sanction::asked_for(question)?;
    let rest = sanction::without_it(question).to_lowercase();
    let mut rest = rest.split(|c: char| !c.is_alphanumeric());
    let says_which = |word: &str| {
        !lexforge_store::words(word).is_empty()
            && !asked::helps_to_ask(word)
            && !SAYS_NOTHING.contains(&word)
    };
    (!rest.any(says_which)).then_some(sanction)
}

/// Words of such a question that do not say which breach is meant.
const SAYS_NOTHING: [&str; 27] = [
    "high",
    "big",
    "large",
    "maximum",
    "minimum",
    "highest",
    "lowest",
    "largest",
    "comply",
    "violate",
    "break",
    "follow",
    "regulation",
    "act",
    "law",
    "directive",
    "rules",
    "rule",
    "requirements",
    "obligations",
    "we",
    "company",
    "companies",
    "administrative",
    "amount",
    "usual",
    "general",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sanction_is_asked_of_all_breaches() {
        for (question, of_all) in [
            ("How high are the fines?", true),
            ("What is the maximum fine?", true),
            ("How much can we be fined?", true),
            ("What are the penalties for non-compliance?", true),
            ("What happens if we violate the regulation?", true),
            ("What is the fine for a late report?", false),
            ("How high are the dues?", false),
            ("Who sets the fines?", false),
        ] {
            assert_eq!(asked_of_all(question).is_some(), of_all, "{question}");
        }
    }
}
