//! The clauses that state the sanction which a question asks for. A clause about the rule may fit a question best and
//! say nothing of what follows from its breach. The sanction often stands in another article, which only refers to the
//! rule: "Infringements of Articles 8 and 25 to 39 shall be subject to fines", 违反本办法第五条规定的，处以罚款.

use super::Answering;
use super::clauses::Clauses;
use super::own_words::{own_words, share_of};
use crate::corpus::{Corpus, ReferenceIndex};
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::reference::CrossReference;
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::references;
use lexforge_text::sanction::{self, Sanction};

/// A clause with a sanction must have at least this part of what the best of the first clauses has of the question's
/// own words. With less it states the sanction for something else.
const OF_THE_BEST: f64 = 0.5;

impl Answering<'_> {
    /// The clauses that answer a question for a sanction, best first. `first` are the clauses that fit best, and `told`
    /// are those of them that are left after other checks. The result is the first of these that exists:
    ///
    /// 1. The clauses of `first` that state a sanction for what is asked.
    /// 2. The first clause of `hits` that states a sanction and has as many of the question's own words as the best of
    ///    `first`.
    /// 3. If a breach is asked about: the clause that states the sanction for the breach of one of `first`, followed by
    ///    that one.
    /// 4. Nothing.
    ///
    /// If the question asks for consequences, `told` follows: these need not be sanctions. If the question asks for
    /// something else, the result is `told` alone.
    pub(super) fn that_state_the_sanction(
        &self,
        question: &str,
        (told, first): (Vec<u32>, &[u32]),
        hits: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        let Some(sanction) = sanction::asked_for(question) else {
            return Ok(told);
        };
        let mut stating = self.stating(question, sanction, first, hits, clauses)?;
        if sanction == Sanction::Consequence {
            let further = told.iter().filter(|clause| !stating.contains(clause));
            let further: Vec<u32> = further.copied().collect();
            stating.extend(further);
        }
        Ok(stating)
    }

    /// The clauses that state the sanction which a question asks for, best first.
    fn stating(
        &self,
        question: &str,
        sanction: Sanction,
        first: &[u32],
        hits: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        let own = own_words(&sanction::without_it(question));
        // Whether a clause states the sanction, and the share of the question's own words that it has.
        let looked_at = |clause: u32| -> Result<(bool, f64)> {
            let quote = self.quote_in_context(question, clause, clauses)?;
            let text = quote.map_or_else(String::new, |quote| quote.text());
            let is_stated = sanction.may_be_told_in(question, &text);
            Ok((is_stated, share_of(&own, &text)))
        };
        let mut of_first = Vec::with_capacity(first.len());
        for clause in first {
            let (is_stated, share) = looked_at(*clause)?;
            of_first.push((*clause, is_stated, share));
        }
        let most = of_first.iter().map(|one| one.2).fold(0.0, f64::max);
        let is_of_it = |one: &&(u32, bool, f64)| one.1 && one.2 >= OF_THE_BEST * most;
        let stating: Vec<u32> = of_first.iter().filter(is_of_it).map(|one| one.0).collect();
        if !stating.is_empty() {
            return Ok(stating);
        }
        for (clause, _) in hits {
            let (is_stated, share) = looked_at(*clause)?;
            if is_stated && share >= most && most > 0.0 {
                return Ok(vec![*clause]);
            }
        }
        if !sanction::is_of_a_breach(question) {
            return Ok(Vec::new());
        }
        for rule in first {
            let stated = self.stated_for_its_breach(question, sanction, *rule, clauses)?;
            if let Some(stating) = stated {
                return Ok(vec![stating, *rule]);
            }
        }
        Ok(Vec::new())
    }

    /// The clause of the same document that states the sanction for the breach of a rule and refers to this rule by its
    /// number.
    fn stated_for_its_breach(
        &self,
        question: &str,
        sanction: Sanction,
        rule: u32,
        clauses: &Clauses,
    ) -> Result<Option<u32>> {
        let own = self.running(rule, clauses)?;
        let (Some(first), Some(document)) = (own.first(), clauses.document_of(rule)) else {
            return Ok(None);
        };
        let all = self
            .workspace
            .store
            .read(|r| r.sentences(Some(document.id)))?;
        let running: Vec<&Sentence> = all
            .iter()
            .filter(|s| s.kind != SentenceKind::Heading)
            .collect();
        let index = Corpus::of(self.workspace).reference_index()?;
        let of_one = |one: &&Sentence, next: &&Sentence| {
            clauses.map.clause(one.id) == clauses.map.clause(next.id)
        };
        for clause in running.chunk_by(of_one) {
            let number = clause.first().and_then(|s| clauses.map.clause(s.id));
            let Some(number) = number.filter(|n| *n != rule && !clauses.beside.contains(n)) else {
                continue;
            };
            let text: Vec<&str> = clause.iter().map(|s| s.text.as_str()).collect();
            let text = text.join("\n");
            if !sanction.may_be_told_in(question, &text) || !sanction::names_a_breach(&text) {
                continue;
            }
            if self.names_the_rule(clause, first, &index)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether a sentence of a clause refers to a rule, and states a sanction for a breach, itself or together with the
    /// first sentence, which may lead in a list.
    fn names_the_rule(
        &self,
        clause: &[&Sentence],
        rule: &Sentence,
        index: &ReferenceIndex,
    ) -> Result<bool> {
        let leads_in = clause.first().map_or("", |s| s.text.as_str());
        let language = index.language_of(rule.document);
        for sentence in clause {
            let text = format!("{leads_in}\n{}", sentence.text);
            if !sanction::names_a_breach(&text) || !sanction::is_stated(&text) {
                continue;
            }
            for reference in references::find(&sentence.text, language) {
                // What another act names is not this rule.
                if reference.instrument.is_some() {
                    continue;
                }
                for target in index.resolve(&reference, sentence.id) {
                    let named = self.workspace.store.read(|r| r.sentence(target))?;
                    if is_named(&reference, &named, rule) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}

/// Whether the sentence that a reference leads to begins the article or the paragraph that a rule is in. A reference to
/// an article means all of its paragraphs, one to a chapter all of its articles.
fn is_named(reference: &CrossReference, named: &Sentence, rule: &Sentence) -> bool {
    let section = match reference.labels.as_slice() {
        [.., part] if has_articles(part) => part_of(&named.section, part),
        [_] => article_of(&named.section),
        _ => named.section.as_str(),
    };
    let behind = rule.section.strip_prefix(section);
    named.document == rule.document
        && !section.is_empty()
        && behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(" › "))
}

/// The section of the article that a section is in: "Article 30" of "Article 30 › 1 › (a)".
fn article_of(section: &str) -> &str {
    let mut section = section;
    while let Some((above, label)) = section.rsplit_once(" › ") {
        let label = label.trim_matches(['(', ')', '（', '）', '.']);
        // A paragraph has a number or a letter. An article has a name, too, or a number with the one above in it.
        let is_bare =
            label.chars().count() <= 4 && !label.starts_with('第') && !label.contains('.');
        if !is_bare || has_articles(above) {
            break;
        }
        section = above;
    }
    section
}

/// The section of the part with this label that a section is in, such as a chapter: "第三章" for 第3章 and 第三章 › 第一节 ›
/// 第十条. Without a part of this kind, the nearest part counts, and without any part the section itself.
fn part_of<'s>(section: &'s str, label: &str) -> &'s str {
    let above = || {
        std::iter::successors(Some(section), |section| {
            section.rsplit_once(" › ").map(|(above, _)| above)
        })
    };
    let of_its_kind = above().find(|section| kind_of_part(section) == kind_of_part(label));
    let part = of_its_kind.or_else(|| above().find(|section| has_articles(section)));
    part.unwrap_or(section)
}

/// Whether a section is a part of an act that has articles in it. A number alone names an article there.
fn has_articles(section: &str) -> bool {
    kind_of_part(section).is_some()
}

/// The kind of part that a section is: a chapter, a title and so on. `None` for an article and what is in it.
fn kind_of_part(section: &str) -> Option<&'static str> {
    const PARTS: [&str; 5] = ["part", "chapter", "title", "division", "book"];
    const OF_HAN: [&str; 3] = ["章", "编", "节"];
    let last = section
        .rsplit(" › ")
        .next()
        .unwrap_or(section)
        .to_lowercase();
    let number = last.split_whitespace().next().unwrap_or_default();
    let of_han = OF_HAN
        .into_iter()
        .find(|kind| number.starts_with('第') && number.ends_with(kind));
    of_han.or_else(|| {
        let is_begun = |kind: &&str| {
            let rest = last.strip_prefix(*kind);
            rest.is_some_and(|rest| rest.starts_with(' '))
        };
        PARTS.into_iter().find(is_begun)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;

    fn at(section: &str) -> Sentence {
        Sentence {
            section: section.to_owned(),
            ..sentence(SentenceKind::Rule, "A master keeps a log.")
        }
    }

    #[test]
    fn a_reference_to_an_article_names_its_paragraphs() {
        for (labels, named, rule, so) in [
            (1, "IV › Article 30", "IV › Article 30 › 1", true),
            (1, "IV › Article 30", "IV › Article 30", true),
            (1, "IV › Article 30 › 1", "IV › Article 30 › 2", true),
            (1, "IV › Article 3", "IV › Article 30 › 1", false),
            (1, "第五章 › 第三十条", "第五章 › 第三十条", true),
            (1, "第五章 › 第三条", "第五章 › 第三十条", false),
            // The reference names a paragraph.
            (2, "IV › Article 30 › 1", "IV › Article 30 › 1", true),
            (2, "IV › Article 30 › 1", "IV › Article 30 › 2", false),
            (2, "IV › Article 30 › 1", "IV › Article 30 › 1 › (a)", true),
            (1, "", "IV › Article 30", false),
        ] {
            let reference = CrossReference {
                labels: vec![String::new(); labels],
                ..CrossReference::default()
            };
            let found = is_named(&reference, &at(named), &at(rule));
            assert_eq!(found, so, "{labels} {named} {rule}");
        }
    }

    #[test]
    fn a_reference_to_a_chapter_names_its_articles() {
        let chapter = CrossReference {
            labels: vec!["chapter 2".to_owned()],
            ..CrossReference::default()
        };
        let first = at("Chapter II › Article 5 › 1");
        assert!(is_named(&chapter, &first, &at("Chapter II › Article 9")));
        assert!(!is_named(&chapter, &first, &at("Chapter III › Article 12")));
    }

    #[test]
    fn a_reference_to_a_chinese_chapter_names_its_sections_too() {
        let first = at("第三章 › 第一节 › 第十条");
        for (labels, rule, so) in [
            (&["第3章"][..], "第三章 › 第一节 › 第十一条", true),
            (&["第3章"], "第三章 › 第二节 › 第二十条 › （一）", true),
            (&["第3章"], "第四章 › 第一节 › 第三十条", false),
            (&["第3章", "第1节"], "第三章 › 第一节 › 第十一条", true),
            (&["第3章", "第1节"], "第三章 › 第二节 › 第二十条", false),
        ] {
            let reference = CrossReference {
                labels: labels.iter().map(|label| (*label).to_owned()).collect(),
                ..CrossReference::default()
            };
            let found = is_named(&reference, &first, &at(rule));
            assert_eq!(found, so, "{labels:?} {rule}");
        }
    }

    #[test]
    fn a_section_is_in_an_article() {
        for (section, article) in [
            ("IV › Article 30 › 1 › (a)", "IV › Article 30"),
            ("第五章 › 第三十条 › （一）", "第五章 › 第三十条"),
            ("4 › 4.7 › 4.7.6", "4 › 4.7 › 4.7.6"),
            ("4 › 4.7", "4 › 4.7"),
            ("Part 2 › 12 › (1)", "Part 2 › 12"),
            ("第二章 › 五", "第二章 › 五"),
            ("Article 30", "Article 30"),
            ("", ""),
        ] {
            assert_eq!(article_of(section), article);
        }
    }
}
