//! Matching the rules of documents with the statements of others.

use super::Matching;
use super::alone;
use super::alternatives;
use super::apart::mark_own_words;
use super::learned::Judgement;
use super::learned_verdict::by_learned;
use super::pick::{Picked, Side, named, requirements, statements};
use super::repeated::mark_repeated;
use super::sides::{Scores, Sides, Text, Vectors};
use super::verdict::{Beside, severity, verdict};
use super::ways::Ways;
use super::weigh::{Finds, Likeness, first_ones};
use crate::models::{Models, suits_minilm};
use crate::workspace::{Result, Watcher, cancelled, now, tell};
use lexforge_domain::api::{
    DocumentRow, MatchCandidate, MatchChanges, MatchChannel, MatchFinding, MatchFound,
    MatchLearned, MatchPlain, MatchReport, MatchRequest, MatchRow, MatchVerdict, NearStatement,
    Stage,
};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, Remedy, SentenceId};
use lexforge_graph::pairing;
use std::collections::HashMap;

/// Statements listed for a rule unless another number is asked for.
const LISTED: usize = 10;
/// Statements that are looked into for a verdict.
const LOOKED_AT: usize = 12;
/// Statements that the graph or shared terms lead to, and that are looked into in addition.
const LED_TO: usize = 3;
/// Statements shown where nothing covers a rule.
const NEAREST: usize = 5;
/// The number of statements that are kept for each method alone.
const BY_METHOD: usize = 5;
/// The number of rules that are compared between two reports of the progress.
const AT_ONCE: usize = 128;
/// How the name of a method with vectors begins; what made them follows.
const WITH_VECTORS: &str = "words and vectors by ";

/// The encoder that made the vectors of a method; `None` if only words were compared.
pub(super) fn encoder_of(method: &str) -> Option<&str> {
    method.strip_prefix(WITH_VECTORS)
}

impl Matching<'_> {
    /// Matches each rule of some documents with the statements of others.
    ///
    /// # Errors
    /// When a document does not exist, or is named in both roles; when there are no rules or no statements; when rules
    /// and statements are in different languages and no encoder was named; when the named encoder is missing or cannot
    /// be used.
    pub fn matched(&self, request: &MatchRequest, watcher: &dyn Watcher) -> Result<MatchReport> {
        let (rules, policies, repeated) = self.both_sides(request)?;
        let mut warnings = Vec::new();
        if repeated > 0 {
            warnings.push(format!(
                "{repeated} statements of the policies are copied word for word from the documents with the rules. They do not say what the firm does, and cover nothing."
            ));
        }
        // An encoder that was named may read both languages.
        if request.encoder.is_none() || request.words_alone {
            let [rules, policies] =
                [&rules, &policies].map(|s| s.picked.iter().map(|p| p.language));
            warnings.extend(alone::warnings(rules, policies));
        }
        let asked: Vec<Text> = rules.picked.iter().map(|p| p.compared.clone()).collect();
        let texts: Vec<Text> = policies.picked.iter().map(|p| p.compared.clone()).collect();
        let mut sides = Sides::new(&asked, &texts);
        sides.vectors = self.vectors(
            request,
            &rules,
            &policies,
            [&asked, &texts],
            &mut warnings,
            watcher,
        )?;
        let ids = [&rules, &policies].map(Side::ids);
        sides.ways = Ways::of_workspace(self.workspace, [&ids[0], &ids[1]])?;
        let method = match &sides.vectors {
            Some(vectors) => format!("{WITH_VECTORS}{}", vectors.encoder),
            None => "words alone".to_owned(),
        };
        if watcher.cancelled() {
            return Err(cancelled("Nothing was kept."));
        }
        let top = if request.top == 0 {
            LISTED
        } else {
            request.top
        };
        let (taught, mut learning) =
            self.taught(&rules.picked, &policies.picked, &request.policies)?;
        let mut rows: Vec<MatchRow> = Vec::with_capacity(rules.picked.len());
        let all = rules.picked.len();
        while rows.len() < all {
            tell(watcher, Stage::Match, "", rows.len() as u64, all as u64);
            if watcher.cancelled() {
                return Err(cancelled("Nothing was kept."));
            }
            let from = rows.len();
            rows.extend(pairing::each((all - from).min(AT_ONCE), |at| {
                let rule = from + at;
                let both = (rules.picked.as_slice(), policies.picked.as_slice());
                let judged = taught.as_ref().and_then(|taught| taught.judgement(rule));
                row(rule, both, &sides, top, &method, judged)
            }));
        }
        if let Some(learning) = &mut learning {
            let learned = rows.iter().filter_map(|row| row.learned);
            learning.pooled = learned.filter(|learned| learned.pooled).count();
            learning.own =
                rows.iter().filter(|row| row.learned.is_some()).count() - learning.pooled;
        }
        let to_a_model = rules.to_a_model + policies.to_a_model;
        if to_a_model > 0 {
            warnings.push(format!(
                "Sentences that speak to a language model instead of a reader were passed over: {to_a_model}."
            ));
        }
        let lowered = alternatives::lower(&mut rows, &rules.picked);
        if lowered > 0 {
            warnings.push(format!(
                "Rules of low severity, since they are alternatives to one that is covered: {lowered}."
            ));
        }
        let decided_until = self.carried(&mut rows, &policies.picked, &mut warnings)?;
        let changes = self.changes(request, &rows)?;
        warnings.extend(changes.as_ref().map(MatchChanges::told));
        let mut report = MatchReport {
            rows,
            statements: policies.picked.len(),
            passed_over: rules.passed_over.len(),
            set_aside: rules.set_aside,
            to_a_model,
            method,
            channels: channels(&sides),
            learning,
            changes,
            warnings,
            decided_until,
            request: request.clone(),
            made: now(),
        };
        if self.workspace.store.read_only().is_none() {
            self.keep(&report)?;
        }
        report.rows.iter_mut().for_each(|row| row.plain = None);
        self.propose(&mut report.rows, &report.request)?;
        Ok(report)
    }

    /// Does the same as [`Matching::matched`], and stores the result in the workspace.
    ///
    /// # Errors
    /// As [`Matching::matched`]. Also when the workspace cannot be written; this is checked before anything is
    /// compared.
    pub fn match_and_keep(&self, request: &MatchRequest, watcher: &dyn Watcher) -> Result<()> {
        self.workspace.require_writable()?;
        self.matched(request, watcher).map(|_| ())
    }

    /// The rules and the statements, and how many of these are copies of rules.
    fn both_sides(&self, request: &MatchRequest) -> Result<(Side, Side, usize)> {
        let documents = self.workspace.store.read(|r| r.documents())?;
        let rules = there(&documents, &request.rules)?;
        let policies = there(&documents, &request.policies)?;
        let both = rules.iter().find(|d| request.policies.contains(&d.id));
        if let Some(document) = both {
            return Err(in_both_roles(&document.title));
        }
        let (mut rules, mut policies, texts) = self.workspace.store.read(|reader| {
            let (mut asked, mut said) = (Side::default(), Side::default());
            let mut texts = Vec::new();
            for document in &rules {
                asked.add(requirements(reader, document, request.everyone)?);
                // A copy has the recitals and the rules for others, too.
                let all = reader.sentences(Some(document.id))?;
                texts.extend(all.into_iter().map(|one| one.complete.unwrap_or(one.text)));
            }
            for document in &policies {
                said.add(statements(reader, document)?);
            }
            Ok((asked, said, texts))
        })?;
        mark_own_words(&mut rules.picked);
        let repeated = mark_repeated(&mut policies.picked, texts.iter().map(String::as_str));
        if rules.picked.is_empty() {
            let aside = rules.set_aside.recitals + rules.set_aside.public;
            return Err(if aside == 0 {
                nothing("The documents named as rules hold no requirement.")
            } else {
                Failure::new(
                    Code::TooLittleData,
                    format!(
                        "The documents named as rules hold no requirement that binds a firm: {aside} stand in recitals or explanations, or bind public bodies."
                    ),
                    "Take such rules in as well, or name other documents.",
                )
            });
        }
        if policies.picked.is_empty() {
            return Err(nothing(
                "The documents named as policies hold no statement.",
            ));
        }
        Ok((rules, policies, repeated))
    }

    /// Vectors of both sides; none where only words are compared.
    fn vectors(
        &self,
        request: &MatchRequest,
        rules: &Side,
        policies: &Side,
        sides: [&[Text]; 2],
        warnings: &mut Vec<String>,
        watcher: &dyn Watcher,
    ) -> Result<Option<Vectors>> {
        let (language, other) = (most(&rules.picked), most(&policies.picked));
        let named = request.encoder.as_deref();
        if language != other && (named.is_none() || request.words_alone) {
            return Err(Failure::new(
                Code::LanguageUnsupported,
                format!(
                    "The rules are in another language ({}) than the policies ({}): their words cannot be compared.",
                    language.tag(),
                    other.tag()
                ),
                "Name an encoder that reads both languages, such as multilingual-e5-small-q4.",
            ));
        }
        if request.words_alone {
            return Ok(None);
        }
        let models = Models::of(self.workspace);
        if named.is_none() && !suits_minilm(language) {
            return Ok(Some(Vectors::counted(sides)));
        }
        let base = models.base(named)?;
        match Vectors::encoded(
            &self.workspace.bundles_dir()?,
            (&base, None),
            sides,
            language,
            watcher,
        ) {
            Ok(vectors) => Ok(Some(vectors)),
            Err(failure) if named.is_none() && is_missing(failure.code) => {
                warnings.push(format!("Only words were compared: {}", failure.message));
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }
}

/// The program or the model that makes vectors cannot be had.
fn is_missing(code: Code) -> bool {
    matches!(
        code,
        Code::WorkerMissing | Code::WorkerIncompatible | Code::WorkerDied | Code::ModelMissing
    )
}

/// The language of most sentences.
fn most(picked: &[Picked]) -> Language {
    let mut counts: HashMap<Language, usize> = HashMap::new();
    for one in picked {
        *counts.entry(one.language).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|(language, n)| (*n, *language));
    match most {
        // A text in an unknown language is read like English.
        Some((Language::Other, _)) | None => Language::En,
        Some((language, _)) => language,
    }
}

/// The row of one rule: the result for the statements, and the prediction from decisions elsewhere.
fn row(
    number: usize,
    (rules, policies): (&[Picked], &[Picked]),
    sides: &Sides,
    top: usize,
    method: &str,
    judged: Option<(Judgement, MatchLearned)>,
) -> MatchRow {
    let rule = &rules[number];
    let scores = sides.scores(number);
    let find =
        |own: Option<&Judgement>| found(number, (rule, policies), (sides, &scores), top, own);
    let (mut finding, mut probability) = find(None);
    let (mut learned, mut plain) = (None, None);
    if let Some((judgement, from)) = judged {
        // The decisions about all rules say nothing of the statements: they change the probability alone.
        let before = (!judgement.is_pooled())
            .then(|| std::mem::replace(&mut finding, find(Some(&judgement)).0));
        plain = Some(Box::new(MatchPlain {
            probability,
            finding: before,
        }));
        probability = judgement.covered();
        learned = Some(from);
    }
    MatchRow {
        rule: rule.shown.clone(),
        policies: finding.policies,
        status: "unreviewed".to_owned(),
        verdict: finding.verdict,
        relation: finding.relation,
        probability,
        differences: finding.differences,
        nearest: finding.nearest,
        by_method: scores
            .by_method()
            .into_iter()
            .map(|(method, scores)| MatchFound {
                method: method.to_owned(),
                statements: first_of(scores, policies),
            })
            .collect(),
        severity: finding.severity,
        binds: rule.binds,
        method: method.to_owned(),
        decision: None,
        proposed: Vec::new(),
        learned,
        plain,
    }
}

/// The result for a rule: its statements, its verdict, and how likely it is covered. If something was learned about
/// this rule itself, that determines the order of the statements and the verdict; otherwise the scores do.
fn found(
    number: usize,
    (rule, policies): (&Picked, &[Picked]),
    (sides, scores): (&Sides, &Scores),
    top: usize,
    own: Option<&Judgement>,
) -> (MatchFinding, f64) {
    let order = own.map_or(&scores.both, |judgement| &judgement.scores);
    let near = pairing::greatest(order, top.max(LOOKED_AT));
    let led = led_to(scores, &near[..near.len().min(LOOKED_AT)]);
    let looked: Vec<(usize, Beside)> = near
        .iter()
        .take(LOOKED_AT)
        .map(|(place, _)| *place)
        .chain(led.iter().copied())
        .map(|place| {
            let likeness = Likeness::of(sides, scores, number, place);
            (place, Beside::of(rule, &policies[place], likeness))
        })
        .collect();
    let beside: Vec<Beside> = looked.iter().map(|(_, b)| b.clone()).collect();
    // Who keeps to a statement against the rule does not cover it, however near the two are.
    let said = beside
        .iter()
        .filter(|b| b.tells_what_is_done() && !b.is_against());
    let likenesses: Vec<Likeness> = said.map(|b| b.likeness).collect();
    let probability = Likeness::best(&likenesses).probability();
    let (found, by) = verdict(&beside, probability);
    let (found, by) = match own {
        Some(judgement) => by_learned(judgement.said(), (found, by), &beside),
        None => (found, by),
    };
    let bearing = by.map(|place| (looked[place].0, &beside[place]));
    let bears = |place: usize| bearing.is_some_and(|(bearing, _)| bearing == place);
    // The first `top` statements are listed. Further statements are listed if they decide the verdict, or if only the
    // graph or shared terms find them.
    let listed = near
        .iter()
        .enumerate()
        .filter(|(at, (place, _))| *at < top || bears(*place) || led.contains(place))
        .map(|(_, (place, _))| *place);
    let mut listed: Vec<usize> = listed.collect();
    let others = led.iter().filter(|place| !listed.contains(place));
    let others: Vec<usize> = others.copied().collect();
    listed.extend(others);
    let finds = Finds::of(scores, LISTED);
    let nearest = if found == MatchVerdict::NotCovered {
        let first = near.iter().zip(&looked).take(NEAREST);
        first
            .map(|((place, _), (_, beside))| NearStatement {
                policy: policies[*place].shown.clone(),
                score: f64::from(scores.both[*place]),
                why_not: beside.why_not(rule, &policies[*place]),
            })
            .collect()
    } else {
        Vec::new()
    };
    let finding = MatchFinding {
        policies: listed
            .into_iter()
            .map(|place| {
                let found_by = finds.channels(place);
                let by_graph = found_by.contains(&MatchChannel::Graph);
                MatchCandidate {
                    statement: policies[place].shown.clone(),
                    score: f64::from(scores.both[place]),
                    votes: finds.votes(place),
                    covers: bears(place),
                    edges: scores.led.edges.get(&place).copied().filter(|_| by_graph),
                    terms: sides.ways.shared(number, place),
                    found_by,
                }
            })
            .collect(),
        verdict: found,
        relation: bearing.map(|(_, beside)| beside.relation(found)),
        differences: bearing
            .or_else(|| looked.first().map(|(place, b)| (*place, b)))
            .map(|(_, beside)| beside.differences.clone())
            .unwrap_or_default(),
        nearest,
        severity: severity(found, rule),
    };
    (finding, probability)
}

/// The ways to find candidates.
fn channels(sides: &Sides) -> Vec<MatchChannel> {
    let mut all = vec![MatchChannel::Words];
    all.extend(sides.vectors.as_ref().map(|_| MatchChannel::Meaning));
    all.extend(sides.ways.has_graph().then_some(MatchChannel::Graph));
    all.extend(sides.ways.has_terms().then_some(MatchChannel::Terms));
    all
}

/// The first statements to which the graph or shared terms lead and that are not looked into anyway.
fn led_to(scores: &Scores, known: &[(usize, f32)]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for led in [&scores.led.graph, &scores.led.terms].into_iter().flatten() {
        for place in first_ones(led, LED_TO) {
            if !found.contains(&place) && !known.iter().any(|(one, _)| *one == place) {
                found.push(place);
            }
        }
    }
    found
}

/// The documents of these ids.
pub(super) fn there<'d>(
    documents: &'d [DocumentRow],
    ids: &[DocumentId],
) -> Result<Vec<&'d DocumentRow>> {
    named(documents, ids).map_err(|id| {
        Failure::new(
            Code::NotFound,
            format!("There is no document {id} in this workspace."),
            Remedy::ListDocuments,
        )
    })
}

pub(super) fn in_both_roles(title: &str) -> Failure {
    Failure::invalid(
        format!("“{title}” is named as rules and as policies: it would cover itself."),
        "Name each document in one role only.",
    )
}

/// The first statements by some scores; a score of 0 finds nothing.
fn first_of(scores: &[f32], policies: &[Picked]) -> Vec<SentenceId> {
    first_ones(scores, BY_METHOD)
        .map(|place| policies[place].shown.id)
        .collect()
}

fn nothing(what: &str) -> Failure {
    Failure::new(
        Code::TooLittleData,
        what,
        "Name other documents, or look at how these were read.",
    )
}
