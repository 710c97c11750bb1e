//! Answers as a person reads them on a terminal.

use crate::docs_force::not_in_force;
use crate::output::count;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{
    Answer, AnswerNote, AnswerWriting, Certificate, CertificateGap, Citation, ModelGap, Referred,
    Refusal, RerankGap, Statement, Unsupported, VectorStep,
};
use std::fmt::Write as _;

/// What stands over the nearest clauses. Their scores are no probabilities, although both lie between 0 and 1.
const NEAREST: &str = "The nearest clauses, with the score that orders them (1 is the nearest; it does not say whether a clause answers):";

/// What stands below a part of a question that nothing answers surely enough.
const UNSURE_PART: &str =
    "Not sure: a clause comes near and may answer. Ask this part by itself to see it.";

/// An answer as a person reads it.
pub fn describe(answer: &Answer) -> String {
    let mut text = String::new();
    if let Some(premise) = &answer.premise {
        let _ = writeln!(
            text,
            "The question takes for granted that “{}”. Citation {} says otherwise.\n",
            premise.assumed,
            premise.citation + 1
        );
    }
    // How the question was read comes before what is said to it.
    let read = |note: &&AnswerNote| {
        matches!(
            note,
            AnswerNote::ReadAs { .. }
                | AnswerNote::OtherScript { .. }
                | AnswerNote::ReadWith { .. }
        )
    };
    // So does that no document in force answers.
    let out_of_force = |note: &&AnswerNote| {
        matches!(
            note,
            AnswerNote::OnlyOutOfForce { .. } | AnswerNote::PartOutOfForce { .. }
        )
    };
    let first = |note: &&AnswerNote| read(note) || out_of_force(note);
    for note in answer.notes.iter().filter(first) {
        let _ = writeln!(text, "{}\n", told(note));
    }
    if answer.found {
        push_statements(&mut text, answer);
    } else {
        push_nearest(&mut text, answer);
    }
    push_terms(&mut text, answer);
    for note in answer.notes.iter().filter(|note| !first(note)) {
        let _ = writeln!(text, "\n{}", told(note));
    }
    if let Some(written) = &answer.written {
        let _ = writeln!(text, "\n{}", writing(written));
    }
    let _ = write!(text, "\n{}", certificate(&answer.certificate));
    text
}

/// What is answered, by the parts of the question if it has several, and the clauses that are cited.
fn push_statements(text: &mut String, answer: &Answer) {
    if answer.parts.is_empty() {
        for statement in &answer.statements {
            let _ = writeln!(text, "{}\n", line(statement));
        }
    }
    for part in &answer.shown_parts() {
        let _ = writeln!(text, "{}:", part.question);
        let said = part.statements.iter();
        let lines: Vec<String> = said
            .filter_map(|at| answer.statements.get(*at).map(line))
            .collect();
        let said = match (lines.is_empty(), part.unsure) {
            (true, true) => UNSURE_PART.to_owned(),
            (true, false) => "Not in these documents.".to_owned(),
            (false, _) => lines.join("\n"),
        };
        let _ = writeln!(text, "{said}\n");
    }
    for (i, citation) in answer.citations.iter().enumerate() {
        let _ = writeln!(text, "[{}] {}", i + 1, place(citation));
    }
    text.push_str(&refers(&answer.refers));
}

/// That nothing answers, and the nearest clauses.
fn push_nearest(text: &mut String, answer: &Answer) {
    let fits = match answer.probability < answer.threshold {
        true => "",
        false => ", but it does not hold what is asked for",
    };
    let refused = match answer.refusal() {
        Some(Refusal::Unsure) => "Not sure: one of the nearest clauses may answer.",
        _ => "Not in these documents.",
    };
    let _ = writeln!(
        text,
        "{refused} The best clause answers with a probability of {:.2}, the threshold is {:.2}{fits}.",
        answer.probability, answer.threshold
    );
    if !answer.passages.is_empty() {
        let _ = writeln!(text, "{NEAREST}");
    }
    for clause in &answer.passages {
        let _ = writeln!(
            text,
            "  {:.2}  {}\n        {}",
            clause.score,
            place(&clause.place),
            clause.text
        );
        if !clause.lacks.is_empty() {
            let _ = writeln!(
                text,
                "        It says nothing of: {}",
                clause.lacks.join(", ")
            );
        }
    }
}

/// What the terms of the answer mean.
fn push_terms(text: &mut String, answer: &Answer) {
    for term in &answer.terms {
        let differ = if term.differ { " (acts differ)" } else { "" };
        for definition in &term.definitions {
            let _ = writeln!(
                text,
                "\n{}{differ}: {} ({}, page {}{})",
                term.name,
                definition.text,
                short(&definition.title),
                definition.page,
                newer(definition.superseded_by) + &not_in_force(definition.out_of_force.as_ref())
            );
        }
    }
}

/// The clauses that the cited ones refer to, a line each.
fn refers(to: &[Referred]) -> String {
    let mut text = String::new();
    for referred in to {
        let begin = match text.is_empty() {
            true => "\nThe cited clauses refer to:\n",
            false => "",
        };
        let from = referred.from + 1;
        let named = match &referred.place {
            Some(at) => format!("{}: {}", referred.text, place(at)),
            None => format!("{}: not in these documents", referred.text),
        };
        let _ = writeln!(text, "{begin}  [{from}] {named}");
    }
    text
}

/// A statement with the numbers of what it cites.
fn line(statement: &Statement) -> String {
    let cited: Vec<String> = statement
        .citations
        .iter()
        .map(|i| format!("[{}]", i + 1))
        .collect();
    let struck = if statement.kept {
        String::new()
    } else {
        format!("[struck: {}] ", reason(statement.reason))
    };
    format!("{struck}{} {}", statement.text, cited.join(""))
}

/// The figures of a model's writing.
fn writing(written: &AnswerWriting) -> String {
    let model = format!("{} on {}", written.model, written.host);
    if written.statements == 0 {
        return format!("Asked: {model}.");
    }
    format!(
        "Written by {model} from {}: {}, {} struck.",
        many(written.clauses.into(), "clause"),
        many(written.statements.into(), "statement"),
        count(written.struck.into())
    )
}

/// Why a statement does not hold.
fn reason(why: Option<Unsupported>) -> &'static str {
    match why {
        Some(Unsupported::NothingCited) => "it cites nothing",
        Some(Unsupported::NotGiven) => "it cites a clause that was not given to the model",
        Some(Unsupported::NotQuoted) => "the words that it quotes do not stand in the clause",
        Some(Unsupported::Figure) => "a number, date or period is not that of the clause",
        Some(Unsupported::Force) => "must, may or should is not that of the clause",
        Some(Unsupported::Opposite) => "it says the opposite of the clause",
        Some(Unsupported::Condition) => "a condition or exception of the clause is missing or new",
        Some(Unsupported::Direction) => {
            "before and after, or at least and at most, are not those of the clause"
        }
        Some(Unsupported::Extent) => "all, some or only is not that of the clause",
        Some(Unsupported::Actor) => "somebody else acts in the clause",
        Some(Unsupported::Term) => "it uses a defined term that the clause does not",
        Some(Unsupported::LittleSupport) => "the clause says too little of it",
        Some(Unsupported::SpeaksToModel) => "what it cites is an order to a language model",
        None => "nothing bears it out",
    }
}

/// Why clauses are shown although a model should have written the answer.
fn gap(gap: &ModelGap) -> String {
    match gap {
        ModelGap::Unreadable { reason } => {
            format!("The model's answer could not be read ({reason}). These are the clauses themselves.")
        }
        ModelGap::Silent => {
            "The model says that the clauses do not answer. These are the clauses themselves.".to_owned()
        }
        ModelGap::NothingHolds => {
            "Nothing that the model wrote is borne out by what it cites. After it stand the clauses themselves.".to_owned()
        }
        ModelGap::Failed { failure } => {
            format!("The model gave no answer: {} These are the clauses themselves.", failure.message)
        }
    }
}

/// Longest title that is printed whole, in characters.
const LONGEST_TITLE: usize = 72;

/// A title that fits into a line: the full titles of acts take several.
fn short(title: &str) -> String {
    if title.chars().count() <= LONGEST_TITLE {
        return title.to_owned();
    }
    let cut: String = title.chars().take(LONGEST_TITLE).collect();
    let whole = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", whole.trim_end_matches([',', ';', ' ']))
}

/// A count with its noun.
pub fn many(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {noun}{s}", count(n))
}

/// The note at a place if the workspace has a newer version of its document.
fn newer(document: Option<DocumentId>) -> String {
    document
        .map(|id| format!(" (document {id} is a newer version)"))
        .unwrap_or_default()
}

fn place(citation: &Citation) -> String {
    let section = if citation.section.is_empty() {
        String::new()
    } else {
        format!(", {}", citation.section)
    };
    let newer = newer(citation.superseded_by) + &not_in_force(citation.out_of_force.as_ref());
    format!(
        "{}{section}, page {}{newer}",
        short(&citation.title),
        citation.page
    )
}

fn told(note: &AnswerNote) -> String {
    match note {
        AnswerNote::OtherLanguage { question, documents } => format!(
            "The question is in another language ({}) than the documents ({}).",
            question.tag(),
            documents.tag()
        ),
        AnswerNote::WordsOnly => {
            "Only words were searched: not every sentence has a vector, and vectors find other wordings. `lexforge vectors WORKSPACE` makes them; building the sentence graph does so, too."
                .to_owned()
        }
        AnswerNote::WithoutVectors { sentences, made_by } => format!(
            "{} without a vector: what they say in other words can be missed. {} makes the vectors; then ask again.",
            many(*sentences, "sentence"),
            match made_by {
                VectorStep::Vectors => "`lexforge vectors`",
                VectorStep::Graph => "`lexforge graph update`",
            }
        ),
        AnswerNote::NotReranked { run, gap } => format!(
            "The cross-encoder of run {run} did not put the clauses in order: {}. They stand as the search found them.",
            match gap {
                RerankGap::NotMeasured => "it was not measured",
                RerankGap::OtherSearch => "it was measured with another search",
                RerankGap::Gone => "the run, its model or the worker cannot be had now",
                RerankGap::NotBetter => "it did not make the order better",
            }
        ),
        AnswerNote::QuestionCut { words } => {
            format!("The question is too long to be searched whole: {words} of its words were left out.")
        }
        AnswerNote::ReadWith { question } => {
            format!("Read together with what was asked before: “{question}”")
        }
        AnswerNote::OtherScript { read } => {
            format!("The question was looked for in the characters of the documents: {read}")
        }
        AnswerNote::ReadAs { typed, read } => {
            format!("“{typed}” stands in no document and was read as “{read}”.")
        }
        AnswerNote::StandNowhere { words } => {
            format!("These words of the question stand in no document: {}.", words.join(", "))
        }
        AnswerNote::OlderVersionsLeftOut { documents } => {
            let left_out = many(*documents as u64, "older version");
            format!("{left_out} of documents left out: newer ones apply.")
        }
        AnswerNote::NotYetInForce { documents } => {
            let left_out = many(*documents as u64, "document");
            format!("{left_out} left out: not in force on that day.")
        }
        AnswerNote::OutOfForceLeftOut { documents } => {
            let left_out = many(*documents as u64, "document");
            format!("{left_out} left out: repealed, or not in force on that day.")
        }
        AnswerNote::OnlyOutOfForce { documents } => {
            let from = many(*documents as u64, "document");
            format!(
                "No document that is in force on that day answers this. What follows is from {from} not in force on it."
            )
        }
        AnswerNote::PartOutOfForce { part, documents } => {
            let from = many(*documents as u64, "document");
            format!(
                "No document that is in force on that day answers this part: “{part}”. What is said to it is from {from} not in force on it."
            )
        }
        AnswerNote::ClausesInstead { gap: why } => gap(why),
        AnswerNote::StatementsUnreadable { statements } => format!(
            "{} of the model could not be read and were left out.",
            many(u64::from(*statements), "statement")
        ),
        AnswerNote::NotActivated { run } => format!(
            "The adapter of run {run} is not activated: it has not passed the gate (lexforge models activate)."
        ),
        AnswerNote::AgainstTheGate {
            run,
            verdict,
            by,
            reason,
        } => format!(
            "Run {run} is active against the gate ({}): {by} stands for it: {reason}",
            verdict.tag()
        ),
    }
}

/// A share that is promised, in per cent with all of its decimals: rounded it would promise something else.
fn promised(share: f64) -> String {
    let text = format!("{:.6}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// How often answers are wrong, in words.
pub fn certificate(c: &Certificate) -> String {
    let promise = format!(
        "wrong among answered ≤ {} % with {} % confidence",
        promised(c.alpha),
        promised(c.confidence)
    );
    let of = c.writer.as_ref().map_or_else(String::new, |writer| {
        format!(" For answers that {} writes.", writer.model)
    });
    let said = match c.reason {
        _ if c.valid => format!(
            "Certificate: {promise} (n = {}, {} wrong, answered {:.0} %).",
            c.n,
            c.wrong,
            c.answered_share.unwrap_or_default() * 100.0
        ),
        Some(CertificateGap::TooFewLabels) => {
            format!("No certificate yet: for “{promise}”, {} more labelled questions are missing.", c.needed)
        }
        Some(CertificateGap::TooManyWrong) => format!(
            "No certificate: at no threshold is “{promise}” borne out by the labelled questions (n = {}).",
            c.n
        ),
        Some(CertificateGap::CorpusChanged) => "The certificate is void: other documents are searched than when it was made.".to_owned(),
        Some(CertificateGap::EncoderChanged) => "The certificate is void: it was made for another encoder or adapter of it.".to_owned(),
        Some(CertificateGap::IndexChanged) => {
            "The certificate is void: clauses were searched in another way when it was made.".to_owned()
        }
        Some(CertificateGap::WriterChanged) => {
            "The certificate is void: answers were put together by somebody else, by another state of the model, or with \
             other defined terms, when it was made."
                .to_owned()
        }
        Some(CertificateGap::LabelsChanged) => {
            "The certificate is void: labels that were measured have been changed or taken back since.".to_owned()
        }
        Some(CertificateGap::SeveralParts) => {
            "The certificate does not hold for this answer: it has several parts, and answers of one were measured.".to_owned()
        }
        Some(CertificateGap::FalsePremise) => {
            "The certificate does not hold for this answer: it contradicts what the question assumes, and such answers were not measured."
                .to_owned()
        }
        Some(CertificateGap::GoesOn) => {
            "The certificate does not hold for this answer: the question goes on from an earlier one, and such questions were not measured."
                .to_owned()
        }
        Some(CertificateGap::NotMeasured) | None => {
            "How often answers are wrong was not measured here; the threshold is the one that comes with the product."
                .to_owned()
        }
    };
    said + &of
}

#[cfg(test)]
mod tests;
