//! A decision of the gate: what may go live and why, and how often the rule is right.

use super::markup::{Page, columns, escape, foreign, key_values, own, table};
use super::names::{measure_name, scorer_within, unit_words};
use super::numbers::{change, count, counted, figure};
use super::paper::{hashes, header, verdict};
use lexforge_domain::api::{DecisionPaper, Deployment};
use lexforge_domain::gate::{
    Characteristic, CharacteristicSource, GateDecision, GateFigure, GatePolicy, GateVerdict, Margin,
};

/// The page of a decision.
pub fn decision_html(of: &DecisionPaper) -> String {
    let (paper, decision) = (&of.head, &of.decision);
    let mut page = Page::default();
    let (one, several) = unit_words(&decision.unit);
    header(
        &mut page,
        paper,
        "Decision of the gate",
        &format!("Run {} against {}", decision.run, decision.against),
        &format!(
            "Whether the adapter of run {} may go live, by its answers to {} in {}.",
            decision.run,
            counted(decision.questions.into(), "test question", "test questions"),
            counted(decision.anchors.into(), &one, &several)
        ),
    );
    let (class, word, _) = words(decision.verdict);
    verdict(&mut page, class, word, &escape(&decision.in_a_line()));
    sections(&mut page, "Why", decision);
    page.section("policy", "The rule", &key_values(&rule(&decision.policy)));
    general(&mut page, decision);
    let named = [
        ("Dataset snapshot".to_owned(), decision.dataset_hash.clone()),
        ("Adapter weights".to_owned(), decision.adapter.clone()),
    ];
    hashes(&mut page, paper, &named);
    page.finish(&format!("{} · gate, run {}", paper.workspace, decision.run))
}

/// Colour, word and sentence of a verdict.
pub(super) fn words(verdict: GateVerdict) -> (&'static str, &'static str, &'static str) {
    match verdict {
        GateVerdict::Pass => ("better", "Pass.", "By this rule it may go live."),
        GateVerdict::Stop => ("worse", "Stop.", "By this rule it may not go live."),
        GateVerdict::Undecided => (
            "flagged",
            "Undecided.",
            "These test questions cannot tell whether it may go live.",
        ),
    }
}

/// Reasons under the heading `why`, measures, and how often the rule is right.
pub(super) fn sections(page: &mut Page, why: &str, decision: &GateDecision) {
    reasons(page, why, decision);
    measures(page, decision);
    characteristic(page, &decision.characteristic);
}

/// The person who is responsible for an adapter that the gate did not let pass.
pub(super) fn overridden(page: &mut Page, deployment: &Deployment) {
    if let Some(stands) = &deployment.overridden {
        page.head(&format!(
            "<div class=\"banner\"><p><strong>Active against the gate.</strong> {} stands for it: {}</p></div>",
            own(&stands.by),
            own(&stands.reason)
        ));
    }
}

fn reasons(page: &mut Page, why: &str, decision: &GateDecision) {
    let mut items: String = decision
        .reasons
        .iter()
        .map(|reason| {
            let badge = if reason.blocking {
                " <span class=\"badge worse\">stops it whatever the measures say</span>"
            } else {
                ""
            };
            format!("<li>{}{badge}</li>", foreign(&reason.text))
        })
        .collect();
    if let Some(needed) = decision.needed {
        items.push_str(&format!(
            "<li>About {} {} would decide; there are {}.</li>",
            count(needed),
            unit_words(&decision.unit).1,
            count(decision.anchors.into())
        ));
    }
    page.section("reasons", why, &format!("<ul class=\"plain\">{items}</ul>"));
}

fn measures(page: &mut Page, decision: &GateDecision) {
    let rows: Vec<Vec<String>> = decision.figures.iter().map(measure).collect();
    let columns = columns![
        Words "Measure", Figures "Compared model", Figures "This model", Figures "Difference",
        Figures "At worst", Figures "At best", Figures "Loss not tolerated", Words "By itself",
    ];
    let note = format!(
        "<p class=\"note\">Compared with {}, under the {} scorer. At worst and at best: one-sided bounds of the difference at \
         level {}, by a jackknife over {}. Above zero is a gain, below zero a loss. A measure passes if the loss at worst is smaller than what is not tolerated.</p>",
        foreign(&decision.against),
        scorer_within(&decision.scorer),
        figure(decision.policy.level),
        unit_words(&decision.unit).1,
    );
    page.section(
        "measures",
        "Measures",
        &(table("The two models on the same questions.", &columns, &rows)
            + &note
            + &seeds(decision)),
    );
}

/// How far the recipe's accuracy depends on the seed, where other runs of it are known.
fn seeds(decision: &GateDecision) -> String {
    let Some(seeds) = &decision.seeds else {
        return String::new();
    };
    let [least, most] = seeds.spread();
    format!(
        "<p class=\"note\">{} runs of this recipe, each with a seed of its own, have accuracies from {} to {}. A difference that is no larger than this range may be the seed's.</p>",
        count(seeds.runs.len() as u64),
        figure(least),
        figure(most)
    )
}

fn measure(f: &GateFigure) -> Vec<String> {
    let (class, word) = match f.verdict {
        GateVerdict::Pass => ("ok", "passes"),
        GateVerdict::Stop => ("worse", "stops"),
        GateVerdict::Undecided => ("", "undecided"),
    };
    vec![
        escape(measure_name(f.measure.tag())),
        figure(f.reference),
        format!("<b>{}</b>", figure(f.candidate)),
        format!("<b>{}</b>", change(f.difference)),
        change(f.low),
        change(f.high),
        figure(f.margin),
        format!("<span class=\"badge {class}\">{word}</span>"),
    ]
}

/// General language before and after, where it was measured for the rule.
fn general(page: &mut Page, decision: &GateDecision) {
    let Some(measured) = &decision.general else {
        return;
    };
    let mut rows = vec![
        ("Pairs of sentences", count(measured.pairs.into())),
        ("Rank correlation before", figure(measured.before)),
        ("Rank correlation after", figure(measured.after)),
        ("Difference", change(measured.change())),
    ];
    if let Some(bounds) = &measured.bounds {
        rows.push(("At worst", change(bounds.low)));
        rows.push(("At best", change(bounds.high)));
    }
    if !measured.file.is_empty() {
        rows.push(("File of pairs", own(&measured.file)));
        let hash = format!("<code>{}</code>", escape(&measured.sha256));
        rows.push(("SHA-256 of the file", hash));
    }
    let mut body = key_values(&rows);
    if let Some(bounds) = &measured.bounds {
        body.push_str(&format!(
            "<p class=\"note\">At worst and at best: one-sided bounds of the difference at level {}, by resampling of the pairs; pairs that share a sentence are drawn together.</p>",
            figure(bounds.level)
        ));
    }
    page.section("general", "General language", &body);
}

fn share(of: f64) -> String {
    format!("{:.1} %", of * 100.0)
}

fn characteristic(page: &mut Page, c: &Characteristic) {
    let rows: Vec<Vec<String>> = c
        .rates
        .iter()
        .map(|(points, rates)| {
            let which = match points.as_str() {
                "0" => "an equal model".to_owned(),
                "1" => "one that is worse by 1 point".to_owned(),
                more => format!("one that is worse by {} points", escape(more)),
            };
            vec![
                which,
                share(rates.passes),
                share(rates.stopped),
                share(rates.undecided),
                format!("± {:.1}", rates.error * 100.0),
            ]
        })
        .collect();
    let columns = columns![
        Words "The model would be", Figures "Passes", Figures "Stopped", Figures "Undecided",
        Figures "Standard error, points",
    ];
    let from = match c.from {
        CharacteristicSource::Measured => "the differences of these two models, cluster by cluster",
        CharacteristicSource::Assumed => {
            "assumed shares of differing answers, since the two models hardly differ"
        }
    };
    let mut body = table(
        "How often this rule gives each verdict on these test questions, by simulation.",
        &columns,
        &rows,
    );
    body.push_str(&format!(
        "<p class=\"note\">{} of models, drawn from {from}: one is right and the other wrong on {} of the questions, correlation \
         of the differences within a cluster {}.</p>",
        counted(c.simulations.into(), "simulated pair", "simulated pairs"),
        share(c.discordant),
        figure(c.within)
    ));
    for offer in &c.offers {
        let margins: Vec<String> = offer.margins.iter().map(margin).collect();
        let stopped: Vec<String> = offer
            .worse_stopped
            .iter()
            .map(|(points, of)| format!("{} points: {}", escape(points), share(*of)))
            .collect();
        body.push_str(&format!(
            "<p class=\"note\">For an equal model to pass in {}: margins {}. A worse one would be stopped: {}.</p>",
            share(offer.equal_passes),
            margins.join(", "),
            stopped.join("; ")
        ));
    }
    page.section("characteristic", "How often the rule is right", &body);
}

fn margin(m: &Margin) -> String {
    let name = measure_name(m.measure.tag());
    if m.measure.is_share() {
        format!("{name} {:.1} points", m.margin * 100.0)
    } else {
        format!("{name} {}", figure(m.margin))
    }
}

fn rule(policy: &GatePolicy) -> Vec<(&'static str, String)> {
    let measures: Vec<String> = policy.measures.iter().map(margin).collect();
    let yes = |asked: bool| if asked { "yes" } else { "no" }.to_owned();
    vec![
        ("Losses not tolerated", measures.join(", ")),
        ("Level of each bound", figure(policy.level)),
        ("Fewest clusters", count(policy.least_anchors.into())),
        ("Fewest questions", count(policy.least_questions.into())),
        (
            "A control above chance",
            format!("stops from {:.1} points on", policy.shortcut * 100.0),
        ),
        ("A leak stops", yes(policy.leaks)),
        ("Unreviewed questions stop", yes(policy.reviewed)),
        (
            "General language",
            policy.general_floor.map_or_else(
                || "not asked for".to_owned(),
                |floor| {
                    format!(
                        "a loss of {} in rank correlation is tolerated",
                        figure(floor)
                    )
                },
            ),
        ),
        (
            "Under attack, the sense kept",
            policy.attack_floor.map_or_else(
                || "not asked for".to_owned(),
                |floor| {
                    format!(
                        "a loss of {:.1} points of accuracy is tolerated",
                        floor * 100.0
                    )
                },
            ),
        ),
        ("A proved export is asked for", yes(policy.export_parity)),
    ]
}

/// The measures by which a rule decides.
pub(super) fn decided_by(policy: &GatePolicy) -> String {
    let names: Vec<&str> = policy
        .measures
        .iter()
        .map(|m| measure_name(m.measure.tag()))
        .collect();
    names.join(", ")
}
