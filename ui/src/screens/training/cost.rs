//! What a run on a machine with a price costs, in words: never a figure where its time is not known.

use crate::format;
use crate::i18n::{t, tf};
use lexforge_domain::api::{CostEstimate, Spent};

/// Before it is sent.
pub fn before(cost: &CostEstimate) -> String {
    let (machine, price) = (&cost.machine, cost.price.to_string());
    match &cost.pace {
        Some(pace) => tf(
            "cost.before",
            &[
                ("cost", &cost.price.of(pace.seconds)),
                ("time", &format::duration(pace.seconds)),
                ("run", &pace.run.to_string()),
                ("price", &price),
            ],
        ),
        None => tf(
            "cost.before_unknown",
            &[("machine", machine), ("price", &price)],
        ),
    }
}

/// What it took until now, or in all.
pub fn after(spent: &Spent) -> String {
    let price = spent.price.to_string();
    let Some(seconds) = spent.seconds else {
        return tf(
            "cost.unknown",
            &[("machine", &spent.machine), ("price", &price)],
        );
    };
    let cost = spent.price.of(seconds);
    let time = format::duration(seconds);
    let words = tf(
        "cost.after",
        &[
            ("cost", &cost),
            ("time", &time),
            ("machine", &spent.machine),
            ("price", &price),
        ],
    );
    match spent.ended {
        true => words,
        false => format!("{words} {}", t("cost.so_far")),
    }
}
