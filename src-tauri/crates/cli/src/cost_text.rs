//! What a run on a machine with a price costs, in words.

use crate::terminal::duration;
use lexforge_domain::api::{CostEstimate, Spent};

/// Before it is sent.
pub fn before(cost: &CostEstimate) -> String {
    let (machine, price) = (&cost.machine, &cost.price);
    match &cost.pace {
        Some(pace) => format!(
            "Cost: about {} on {machine} at {price} an hour, if it takes {}. That is the pace of run {} there; time in a \
             queue is not counted.",
            price.of(pace.seconds),
            duration(pace.seconds),
            pace.run
        ),
        None => format!(
            "Cost: {machine} takes {price} an hour. How long this run will take is not known, since none like it has \
             finished there."
        ),
    }
}

/// When it is looked at afterwards.
pub fn after(spent: &Spent) -> String {
    let (machine, price) = (&spent.machine, &spent.price);
    let Some(seconds) = spent.seconds else {
        return format!(
            "Cost: not known. How long it was at work on {machine} ({price} an hour) is not known here."
        );
    };
    let (took, cost) = (duration(seconds), price.of(seconds));
    match spent.ended {
        true => format!(
            "Cost: about {cost} for {took} of work on {machine} at {price} an hour; time in a queue is not counted."
        ),
        false => format!(
            "Cost so far: about {cost} for {took} of work on {machine} at {price} an hour, as far as is known here."
        ),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;
    use lexforge_domain::api::{HourlyPrice, Pace};

    #[test]
    fn a_time_that_is_not_known_makes_no_figure() {
        let price = HourlyPrice::read("2.40", "EUR").unwrap();
        let mut cost = CostEstimate {
            machine: "box".to_owned(),
            price: price.clone(),
            pace: None,
        };
        assert!(before(&cost).contains("not known") && !before(&cost).contains("about"));
        let (run, seconds) = (RunId(4), 2460.0);
        cost.pace = Some(Pace { run, seconds });
        let said = before(&cost);
        assert!(
            said.contains("about 1.64 EUR") && said.contains("run 4"),
            "{said}"
        );
        let mut spent = Spent {
            machine: "box".to_owned(),
            price,
            seconds: None,
            ended: true,
        };
        assert!(after(&spent).contains("not known") && !after(&spent).contains("about"));
        spent.seconds = Some(2460.0);
        assert!(after(&spent).starts_with("Cost: about 1.64 EUR for 41 min"));
        spent.ended = false;
        assert!(after(&spent).contains("so far"));
    }
}
