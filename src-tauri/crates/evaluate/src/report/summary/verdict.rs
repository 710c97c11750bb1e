//! The verdict on the main comparison, in words.

use super::super::markup::escape;
use super::super::names::{control_name, measure_name, unit_plain};
use super::super::numbers::{change, change_interval, count, counted, figure, p_words};
use lexforge_domain::api::EvaluationView;
use lexforge_domain::metrics::{Comparison, Evaluation, ShortcutRow};
use lexforge_domain::verdict::Verdict;

/// The scorer of encoders.
pub(super) const EMBEDDING: &str = "embedding";
/// With fewer clusters than this, a percentile interval is too narrow to be relied on.
const FEW_CLUSTERS: usize = 20;

/// A sentence of the verdict: the word that it begins with, which may be empty, and the rest. Neither is markup.
pub(super) struct Said {
    pub(super) word: &'static str,
    pub(super) text: String,
}

impl Said {
    pub(super) fn markup(&self) -> String {
        let text = escape(&self.text);
        match self.word {
            "" => text,
            word => format!("<strong>{word}</strong> {text}"),
        }
    }

    /// For a terminal, where lines break as they come.
    pub(super) fn plain(&self) -> String {
        let text = self.text.replace('\u{a0}', " ");
        match self.word {
            "" => text,
            word => format!("{word} {text}"),
        }
    }
}

/// Two quantiles of the standard normal distribution. 1.96 standard errors are half the width of a 95 % interval.
/// 0.8416 is the quantile of 80 %, for a difference that is found in four of five cases.
const DEVIATES: [f64; 2] = [1.96, 0.8416];

/// The sentence about the smallest difference that a test of this size finds in four of five cases. The difference is
/// estimated from the width of the interval. `None` if the measure is not accuracy, or if the interval has no width.
pub(super) fn can_show(main: &Comparison) -> Option<String> {
    let half = (main.difference.high - main.difference.low) / 2.0;
    if main.measure != "accuracy" || half <= 0.0 {
        return None;
    }
    let [sure, seen] = DEVIATES;
    Some(format!(
        "What this test can decide: a difference of about <b>{:.1} points</b> or more in accuracy is shown in four of five cases, \
         by the width of the interval; a smaller one is mostly missed.",
        100.0 * half * (sure + seen) / sure
    ))
}

/// The comparison that the verdict goes by.
pub(super) fn main_comparison(evaluation: &Evaluation) -> Option<&Comparison> {
    let comparisons = &evaluation.comparisons;
    comparisons
        .iter()
        .find(|c| c.measure == "accuracy")
        .or(comparisons.first())
}

pub(super) fn not_compared() -> Said {
    Said {
        word: "Not compared.",
        text: "There was nothing to compare the tuned model with.".to_owned(),
    }
}

pub(super) fn verdict_sentence(view: &EvaluationView, main: &Comparison, verdict: Verdict) -> Said {
    let evaluation = &view.evaluation;
    let on = format!(
        "on {} held-out questions from {}",
        count(evaluation.after.n as u64),
        counted_units(evaluation.after.clusters, &main.unit)
    );
    let figures = format!(
        "{} {} against {} of the {} ({} {}, {})",
        measure_name(&main.measure).to_lowercase(),
        figure(main.after),
        figure(main.before),
        main.against,
        change(main.difference.value),
        change_interval(main.difference.low, main.difference.high),
        p_told(main),
    );
    let (word, text) = match verdict {
        Verdict::Better => (
            "Better.",
            format!("The tuned model answers better than before {on}: {figures}."),
        ),
        Verdict::Worse => (
            "Worse.",
            format!(
                "The tuned model answers worse than before {on}: {figures}. It should not replace the base model."
            ),
        ),
        Verdict::Undecided => (
            "Undecided.",
            format!(
                "The answers {on} cannot tell the tuned model from the one before: {figures}. {}",
                undecided_because(main)
            ),
        ),
    };
    Said { word, text }
}

/// The p-value that decides, and whether it is corrected.
fn p_told(of: &Comparison) -> String {
    let p = p_words(of.p_decides());
    match of.p_holm {
        Some(_) => format!("corrected {p}"),
        None => p,
    }
}

fn undecided_because(main: &Comparison) -> &'static str {
    let spans_zero = main.difference.low <= 0.0 && main.difference.high >= 0.0;
    match (spans_zero, main.p_decides() < 0.05) {
        (true, false) => "The interval of the change contains zero.",
        (true, true) => {
            "The interval of the change contains zero, though the test alone would call it a difference."
        }
        (false, _) => {
            "The interval of the change leaves out zero, but the test does not confirm it."
        }
    }
}

/// What the cosines say, where they were compared with the same model.
pub(super) fn gap_sentence(
    evaluation: &Evaluation,
    main: &Comparison,
    accuracy: Verdict,
) -> Option<Said> {
    let gap = evaluation
        .comparisons
        .iter()
        .find(|c| c.measure == "choice_cosine_gap" && c.against == main.against)?;
    let verdict = Verdict::of(gap);
    let also = if verdict == accuracy { "also " } else { "" };
    let says = match verdict {
        Verdict::Better => format!("It {also}tells right and wrong choices apart more clearly"),
        Verdict::Worse => format!("It {also}tells right and wrong choices apart less clearly"),
        Verdict::Undecided => format!(
            "Whether it tells right and wrong choices apart more clearly is {also}undecided"
        ),
    };
    Some(Said {
        word: "",
        text: format!(
            "{says}: cosine gap of the choices {} against {} ({} {}, {}).",
            figure(gap.after),
            figure(gap.before),
            change(gap.difference.value),
            change_interval(gap.difference.low, gap.difference.high),
            p_told(gap),
        ),
    })
}

/// What weakens the verdict.
pub(super) fn cautions(view: &EvaluationView, main: &Comparison) -> Vec<Said> {
    let evaluation = &view.evaluation;
    let mut cautions = Vec::new();
    let mut caution = |word: &'static str, text: String| cautions.push(Said { word, text });
    let leaks = view.dataset.leak_check.leaks.len() as u64;
    if leaks > 0 {
        caution(
            "Leak.",
            format!(
                "{} from the test part into the training part: these figures cannot be trusted.",
                counted(leaks, "sentence leaked", "sentences leaked")
            ),
        );
    }
    let flagged: Vec<&ShortcutRow> = evaluation.shortcuts.iter().filter(|s| s.flagged).collect();
    if let Some(first) = flagged.first() {
        let names: Vec<String> = flagged
            .iter()
            .map(|s| {
                format!(
                    "{} {}",
                    control_name(&s.name).to_lowercase(),
                    figure(s.accuracy)
                )
            })
            .collect();
        caution(
            "Flagged.",
            format!(
                "Part of these questions can be answered without reading them: {}, where guessing scores {}. The \
                 accuracies are therefore not a measure of understanding, and this snapshot cannot support a deployment.",
                names.join(", "),
                figure(first.chance)
            ),
        );
    }
    if let Some(tfidf) = &evaluation.tfidf
        && tfidf.accuracy >= evaluation.after.accuracy
    {
        caution(
            "Not above counting words.",
            format!(
                "TF-IDF scores {}, the tuned model {}.",
                figure(tfidf.accuracy),
                figure(evaluation.after.accuracy)
            ),
        );
    }
    if let Some(old) = view.dataset.of_the_old_kind() {
        caution("Old clusters.", old.to_owned());
    }
    if evaluation.after.clusters < FEW_CLUSTERS {
        caution(
            "Few clusters.",
            format!(
                "The questions come from only {}: the intervals are narrower than they should be.",
                counted_units(evaluation.after.clusters, &main.unit)
            ),
        );
    }
    cautions
}

/// A number of clusters in words, by what they are made of.
fn counted_units(clusters: usize, unit: &str) -> String {
    let (one, several) = unit_plain(unit);
    counted(clusters as u64, &one, &several)
}
