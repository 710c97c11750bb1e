//! Chinese: how a rule is taken apart, changed and asked about.

mod clean;
mod edits;
mod figures;
mod kinds;
mod lexicon;
mod parse;
mod questions;
mod receipts;
mod stems;
mod verbs;

use crate::clause::{Asked, Clause, Duty, FigureStem, Fitted, Grammar, Item, Parsed, Part, Place, Receipt, Variant};
use crate::reasons::SkipReason;
use lexforge_domain::text::SentenceKind;
use rand_chacha::ChaCha8Rng;

/// The grammar of Chinese.
pub(crate) struct Chinese;

impl Grammar for Chinese {
    fn sentence(
        &self,
        text: &str,
        kind: Option<SentenceKind>,
        lead_in: Option<&str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<String, SkipReason> {
        clean::sentence(text, kind, lead_in, rng)
    }

    fn longest(&self) -> usize {
        clean::SHOWN
    }

    fn clause(&self, sentence: &str) -> Option<Clause> {
        parse::clause(sentence)
    }

    fn definition(&self, sentence: &str) -> Option<(String, String)> {
        parse::definition(sentence)
    }

    fn define(&self, term: &str, meaning: &str, usual: bool) -> String {
        format!("{term}{}{meaning}。", if usual { "是指" } else { "系指" })
    }

    fn reworded(&self, text: &str) -> Vec<String> {
        edits::reworded(text)
    }

    fn edits(&self, sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
        edits::edits(sentence, terms, rng)
    }

    fn is_actor(&self, clause: &Clause) -> bool {
        parse::is_agent(&clause.subject)
    }

    fn is_agent(&self, subject: &str) -> bool {
        parse::is_agent(subject)
    }

    fn interchangeable(&self, a: &str, b: &str) -> bool {
        let institution = |name: &str| [1, 3, 4].contains(&kinds::rank(name));
        let alike = kinds::rank(a) == kinds::rank(b) || institution(a) && institution(b);
        kinds::is_noun(b) && alike && !a.contains(['和', '、']) && !b.contains(['和', '、'])
    }

    fn with_actor(&self, subject: &str, mention: &str, other: &str) -> Option<String> {
        (subject == mention).then(|| other.to_owned())
    }

    fn who(&self, clause: &Clause) -> Option<String> {
        stems::who(clause)
    }

    fn actor(&self, clause: &Clause, subject: &str) -> Option<String> {
        stems::actor(clause, subject)
    }

    fn receipt(&self, clause: &Clause) -> Option<Receipt> {
        receipts::receipt(clause)
    }

    fn case(&self, clause: &Clause) -> Option<(Clause, String)> {
        Some((Clause { lead: String::new(), ..clause.clone() }, stems::case(&clause.lead)?))
    }

    fn in_which_case(&self, clause: &Clause) -> Option<String> {
        stems::in_which_case(clause)
    }

    fn conditional(&self, clause: &Clause, case: &str) -> Option<String> {
        stems::conditional(clause, case)
    }

    fn statuses(&self, clause: &Clause) -> Option<(String, Vec<(Duty, String)>)> {
        stems::statuses(clause)
    }

    fn figures(&self, sentence: &Parsed) -> Vec<FigureStem> {
        figures::stems(sentence)
    }

    fn placed(&self, question: &str, place: &Place<'_>, hidden: &str) -> Option<String> {
        stems::placed(question, place, hidden)
    }

    fn lays_down(&self, sentence: &Parsed, _: &Place<'_>) -> bool {
        // "为了……，制定本办法": what the law is for.
        let text = sentence.text.as_str();
        let aims = text.starts_with('为') && (text.contains("制定本") || text.contains("制订本"));
        // "本办法自……起施行": when it came into force is no rule for anybody.
        !aims && !text.contains("起施行") && !text.contains("同时废止")
    }

    fn has_label(&self, place: &Place<'_>) -> bool {
        stems::article(place).is_some()
    }

    fn what_means(&self, term: &str) -> String {
        format!("“{term}”是指什么？")
    }

    fn modals(&self, clause: &Clause, duty: Duty, _: bool) -> Option<[String; 2]> {
        stems::modals(clause, duty)
    }

    fn other_duties(&self, clause: &Clause) -> Vec<Duty> {
        stems::other_duties(clause)
    }

    fn rule(&self, lead: &str, subject: &str, modal: &str, predicate: &str) -> String {
        format!("{lead}{subject}{modal}{predicate}。")
    }

    fn wording(&self, clause: &Clause, open: &[Part], topic: Option<&str>, _: &[&str]) -> Option<Asked> {
        questions::wording(clause, open, topic)
    }

    fn item(&self, lead_in: &str, text: &str) -> Option<Item> {
        clean::item(lead_in, text)
    }

    fn which_item(&self, lead: &str) -> String {
        format!("以下哪一项属于“{lead}”所列的内容？")
    }

    fn laid_down(&self, topic: Option<&str>) -> String {
        format!("{}是怎样规定的？", topic.map(|t| format!("关于“{t}”，")).unwrap_or_default())
    }

    fn topic(&self, text: &str, mention: (usize, usize)) -> Option<String> {
        // One of several, or what belongs to something: the rule is not about it.
        let beside = ['、', '和', '及', '或', '与', '的'];
        let told = text.get(mention.1..)?.starts_with(beside) || text.get(..mention.0)?.ends_with(&beside[..5]);
        text.get(mention.0..mention.1).filter(|t| !told && t.chars().count() > 2).map(str::to_owned)
    }

    fn is_noun(&self, term: &str) -> bool {
        kinds::is_noun(term)
    }

    fn may_include(&self, a: &str, b: &str) -> bool {
        kinds::may_include(a, b)
    }

    fn mentions(&self, text: &str, term: &str) -> Vec<(usize, usize)> {
        if term.is_empty() {
            return Vec::new();
        }
        // "被保险人" is no mention of "保险人".
        let inside_word = |at: usize| text[..at].ends_with(['被', '非', '副', '原', '再']);
        text.match_indices(term).filter(|(at, _)| !inside_word(*at)).map(|(at, found)| (at, at + found.len())).collect()
    }

    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
        let sentence = format!("{}{term}{}", text.get(..mention.0)?, text.get(mention.1..)?);
        Some(Fitted { term: term.to_owned(), sentence })
    }

    fn stands_free(&self, text: &str, mention: (usize, usize)) -> bool {
        parse::stands_free(text, mention)
    }

    fn of_one_kind(&self, term: &str, other: &str) -> bool {
        kinds::of_one_kind(term, other)
    }

    fn term_question(
        &self,
        sentence: &Parsed,
        mention: (usize, usize),
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        questions::term_question(sentence, mention, rng)
    }
}
