//! What is typed into the form for a machine.

use crate::backend::{Answer, call, commands};
use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::{HourlyPrice, Target, TargetPlace};
use lexforge_domain::protocol::SlurmSettings;

/// Most processes of a run.
const MOST_RANKS: u32 = 1024;

/// Where a machine is; the form shows what is known of it already.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    pub(super) name: NodeRef<Input>,
    pub(super) host: NodeRef<Input>,
    pub(super) folder: NodeRef<Input>,
    pub(super) queued: RwSignal<bool>,
    pub(super) queue: Queue,
    /// What an hour of a run there costs.
    pub(super) price: NodeRef<Input>,
    pub(super) currency: NodeRef<Input>,
}

/// The settings of its queue.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    pub(super) partition: NodeRef<Input>,
    pub(super) account: NodeRef<Input>,
    pub(super) time: NodeRef<Input>,
    pub(super) gres: NodeRef<Input>,
    pub(super) constraint: NodeRef<Input>,
    pub(super) cpus: NodeRef<Input>,
    pub(super) memory: NodeRef<Input>,
    pub(super) ranks: NodeRef<Input>,
    /// Whether the text that was typed for the ranks is not a number of processes.
    pub(super) bad_ranks: RwSignal<bool>,
    pub(super) nodes: NodeRef<Input>,
    pub(super) container: NodeRef<Input>,
    pub(super) modules: NodeRef<Textarea>,
    pub(super) lines: NodeRef<Textarea>,
}

pub(super) fn typed(field: NodeRef<Input>) -> String {
    let text = field.get_untracked().map(|f| f.value());
    text.unwrap_or_default().trim().to_owned()
}

fn typed_lines(field: NodeRef<Textarea>) -> Vec<String> {
    let text = field.get_untracked().map(|f| f.value()).unwrap_or_default();
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// How many processes a text means; an empty one leaves it to the queue.
pub(super) fn ranks_of(text: &str) -> Option<u32> {
    match text {
        "" => Some(0),
        text => text.parse().ok().filter(|n| (1..=MOST_RANKS).contains(n)),
    }
}

impl Fields {
    pub(super) fn new(queued: bool) -> Self {
        let field = || NodeRef::<Input>::new();
        Self {
            name: field(),
            host: field(),
            folder: field(),
            queued: RwSignal::new(queued),
            price: field(),
            currency: field(),
            queue: Queue {
                partition: field(),
                account: field(),
                time: field(),
                gres: field(),
                constraint: field(),
                cpus: field(),
                memory: field(),
                ranks: field(),
                bad_ranks: RwSignal::new(false),
                nodes: field(),
                container: field(),
                modules: NodeRef::new(),
                lines: NodeRef::new(),
            },
        }
    }

    /// The price that was typed; none where both fields are empty.
    pub(super) fn price(self) -> Result<Option<HourlyPrice>, Failure> {
        let (amount, currency) = (typed(self.price), typed(self.currency));
        match amount.is_empty() && currency.is_empty() {
            true => Ok(None),
            false => HourlyPrice::read(&amount, &currency).map(Some),
        }
    }

    /// The typed settings of the queue. Settings that the form does not show stay as in `before`. `None` if a field is
    /// not valid; the field then shows an error.
    pub(super) fn slurm(self, before: SlurmSettings) -> Option<Option<SlurmSettings>> {
        let queue = self.queue;
        if !self.queued.get_untracked() {
            return Some(None);
        }
        let ranks = ranks_of(&typed(queue.ranks));
        queue.bad_ranks.set(ranks.is_none());
        Some(Some(SlurmSettings {
            partition: typed(queue.partition),
            account: typed(queue.account),
            time: typed(queue.time),
            gres: typed(queue.gres),
            constraint: typed(queue.constraint),
            cpus: typed(queue.cpus),
            memory: typed(queue.memory),
            ranks: ranks?,
            nodes: typed(queue.nodes),
            container: typed(queue.container),
            modules: typed_lines(queue.modules),
            lines: typed_lines(queue.lines),
            ..before
        }))
    }

    /// All that was typed. `None` where a field is wrong: then the form says it, or `failure` does.
    pub(super) fn read(
        self,
        is_here: bool,
        before: SlurmSettings,
        failure: RwSignal<Option<Failure>>,
    ) -> Option<Typed> {
        let slurm = self.slurm(before)?;
        let price = self.price().map_err(|problem| failure.set(Some(problem)));
        let place = match is_here {
            true => TargetPlace::Here,
            false => TargetPlace::Ssh {
                host: typed(self.host),
            },
        };
        Some(Typed {
            name: typed(self.name),
            place,
            folder: typed(self.folder),
            slurm,
            price: price.ok()?,
        })
    }
}

/// A machine as it was typed.
pub(super) struct Typed {
    /// The name of a new one.
    name: String,
    place: TargetPlace,
    folder: String,
    slurm: Option<SlurmSettings>,
    price: Option<HourlyPrice>,
}

impl Typed {
    /// Changes the known machine of this name, or adds a new one.
    pub(super) async fn keep(self, known: Option<String>) -> Answer<Target> {
        let Self {
            name,
            place,
            folder,
            slurm,
            price,
        } = self;
        match known {
            Some(name) => {
                let changed = commands::ChangeTarget {
                    name,
                    place,
                    folder,
                    slurm,
                    price,
                };
                call(changed).await
            }
            None => {
                let added = commands::AddTarget {
                    name,
                    place,
                    folder,
                    slurm,
                    price,
                };
                call(added).await
            }
        }
    }
}

/// The queue of this machine has no host.
pub(super) fn is_here(known: &Target) -> bool {
    known.place == TargetPlace::Here
}
