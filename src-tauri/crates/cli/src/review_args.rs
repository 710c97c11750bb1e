//! The grammar of the review: deciding, the queue, people, packets.

use crate::stands_for::stands_for;
use crate::workspace_args::WorkspaceArgs;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lexforge_domain::api::LookAlike;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::review::{Role, SubjectKind};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{DocumentId, PersonId, QcaId, TermId};
use std::path::PathBuf;

/// What reviewers do with terms and pairs of terms.
#[derive(Debug, Subcommand)]
pub enum TermsReview {
    /// Decide about terms, or about a pair of terms.
    Decide(DecideTermsArgs),
    /// Show the item to decide next, with everything that is needed to decide about it.
    Queue(QueueArgs),
    /// List the terms that are probably not terms. With --reject, reject all of them at once.
    Doubtful(DoubtfulArgs),
    /// Undo the newest decision. Repeat the command to undo earlier decisions.
    Undo(WhoArgs),
    /// List the items about which reviewers differ.
    Conflicts(ConflictsArgs),
    /// Show everything about one term.
    Show {
        /// The workspace's file.
        workspace: PathBuf,
        /// The term.
        id: TermId,
    },
}

/// What reviewers do with questions.
#[derive(Debug, Subcommand)]
pub enum QuestionReview {
    /// Decide about questions.
    Decide(DecideQuestionsArgs),
    /// Write a note on a question. It replaces the earlier note.
    Note {
        /// The workspace, and the person in whose name it is done.
        #[command(flatten)]
        who: WhoArgs,
        /// The question.
        id: QcaId,
        /// The note, at most 2,000 characters. An empty note removes the earlier one.
        text: String,
    },
}

/// A workspace, and the person in whose name a decision is made.
#[derive(Debug, Args)]
pub struct WhoArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Decide in this name instead of the one chosen on this machine.
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<String>,
}

/// `terms decide`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("choice").required(true).args([
    "accept", "reject", "merge_into", "skip", "same", "confusable", "unrelated",
]))]
pub struct DecideTermsArgs {
    /// The workspace, and the person in whose name it is done.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The terms, by their ids.
    #[arg(required_unless_present = "pair", conflicts_with = "pair")]
    pub ids: Vec<TermId>,
    /// Decide about these two terms.
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    pub pair: Option<Vec<TermId>>,
    /// Accept the terms.
    #[arg(long)]
    pub accept: bool,
    /// Reject the terms.
    #[arg(long)]
    pub reject: bool,
    /// The terms are other names for this term.
    #[arg(long, value_name = "ID")]
    pub merge_into: Option<TermId>,
    /// Put the decision off.
    #[arg(long)]
    pub skip: bool,
    /// The two terms are names for the same thing.
    #[arg(long, requires = "pair")]
    pub same: bool,
    /// The two terms are different, but easily taken for each other.
    #[arg(long, requires = "pair")]
    pub confusable: bool,
    /// The two terms have nothing to do with each other: nobody takes one for the other.
    #[arg(long, requires = "pair")]
    pub unrelated: bool,
    /// The class of the terms.
    #[arg(long)]
    pub class: Option<String>,
    /// The corrected spelling of the term.
    #[arg(long)]
    pub text: Option<String>,
    /// The reason for the decision.
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Settle a conflict for everybody. This needs a reason.
    #[arg(long)]
    pub adjudicate: bool,
}

/// `qca decide`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("choice").required(true).args(["accept", "reject", "skip"]))]
pub struct DecideQuestionsArgs {
    /// The workspace, and the person in whose name it is done.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The questions, by their ids.
    #[arg(required = true)]
    pub ids: Vec<QcaId>,
    /// Accept the questions.
    #[arg(long)]
    pub accept: bool,
    /// Reject the questions.
    #[arg(long)]
    pub reject: bool,
    /// Put the decision off.
    #[arg(long)]
    pub skip: bool,
    /// A new wording of the question.
    #[arg(long)]
    pub text: Option<String>,
    /// A new wording of the choices, in their order, each with a --choice of its own.
    #[arg(long = "choice", value_name = "TEXT")]
    pub choices: Vec<String>,
    /// The reason for the decision.
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Settle a conflict for everybody. This needs a reason.
    #[arg(long)]
    pub adjudicate: bool,
}

/// Kinds of items.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum KindArg {
    /// Terms.
    #[default]
    Terms,
    /// Pairs of terms.
    Pairs,
    /// Questions.
    Questions,
    /// Triplets.
    Triplets,
    /// Pairs of sentences that get a score.
    Similarity,
}

impl From<KindArg> for SubjectKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Terms => Self::Term,
            KindArg::Pairs => Self::Pair,
            KindArg::Questions => Self::Question,
            KindArg::Triplets => Self::Triplet,
            KindArg::Similarity => Self::Similarity,
        }
    }
}

/// The choice of items.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// The kind of items.
    #[arg(long, value_enum, default_value_t = KindArg::Terms)]
    pub kind: KindArg,
    /// Only items of this class.
    #[arg(long)]
    pub class: Option<String>,
    /// Only items that this document mentions.
    #[arg(long, value_name = "ID")]
    pub document: Option<DocumentId>,
    /// Only items in this language: en, zh, ko, other.
    #[arg(long)]
    pub language: Option<String>,
    /// Only items that are assigned to the person.
    #[arg(long)]
    pub mine: bool,
}

/// `terms queue`
#[derive(Debug, Args)]
pub struct QueueArgs {
    /// The workspace, and the person in whose name it is done.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The choice of items.
    #[command(flatten)]
    pub filter: FilterArgs,
}

/// `terms doubtful`
#[derive(Debug, Args)]
pub struct DoubtfulArgs {
    /// The workspace, and the person in whose name it is done.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Only terms in this language: en, zh, ko, other.
    #[arg(long)]
    pub language: Option<String>,
    /// Only terms that this document mentions.
    #[arg(long, value_name = "ID")]
    pub document: Option<DocumentId>,
    /// List at most this many terms, the most doubtful first; 0 = all.
    #[arg(long, default_value_t = 0)]
    pub most: usize,
    /// Leave these terms out of the list. They stay in the queue.
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub keep: Vec<TermId>,
    /// Reject all terms in the list. This is one decision, which `terms undo` takes back.
    #[arg(long)]
    pub reject: bool,
    /// The reason for the decision.
    #[arg(long, default_value = "", requires = "reject")]
    pub reason: String,
}

/// `terms conflicts`
#[derive(Debug, Args)]
pub struct ConflictsArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The kind of items.
    #[arg(long, value_enum, default_value_t = KindArg::Terms)]
    pub kind: KindArg,
}

/// `people`
#[derive(Debug, Args)]
pub struct PeopleArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: PeopleAction,
}

/// Whether somebody with a similar name is the person who is already there.
#[derive(Clone, Copy, Debug, Args)]
pub struct LikeArgs {
    /// The name looks like the name of a person who is already there: it is that person.
    #[arg(long, conflicts_with = "another_person")]
    pub same_person: bool,
    /// The name looks like the name of a person who is already there: it is another person.
    #[arg(long)]
    pub another_person: bool,
}

impl From<LikeArgs> for LookAlike {
    fn from(args: LikeArgs) -> Self {
        match (args.same_person, args.another_person) {
            (true, _) => Self::Same,
            (_, true) => Self::Another,
            _ => Self::Ask,
        }
    }
}

/// Roles.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum RoleArg {
    /// Imports regulations and asks questions.
    ComplianceOfficer,
    /// Validates terms and questions.
    #[default]
    DomainExpert,
    /// Trains and evaluates.
    Operator,
}

stands_for!(RoleArg => Role: ComplianceOfficer, DomainExpert, Operator);

/// What to do with people.
#[derive(Debug, Subcommand)]
pub enum PeopleAction {
    /// List the reviewers, the person who decides on this machine, and the plan of the review.
    List(WorkspaceArgs),
    /// Add a person, or change the role and share of a person who is there.
    Add {
        /// The workspace's file.
        workspace: PathBuf,
        /// The person's name.
        name: String,
        /// The person's role.
        #[arg(long, value_enum, default_value_t = RoleArg::DomainExpert)]
        role: RoleArg,
        /// The person's share of the items, in proportion to the shares of the others.
        #[arg(long, default_value_t = 1)]
        share: u32,
        /// Who they are, where the name looks like somebody else's.
        #[command(flatten)]
        like: LikeArgs,
    },
    /// From now on, decide as this person, with this account on this machine.
    Use {
        /// The workspace's file.
        workspace: PathBuf,
        /// The person's number, from `people list`.
        id: PersonId,
    },
    /// Set how the workspace is reviewed. Settings that you do not name stay as they are.
    Plan {
        /// The workspace's file.
        workspace: PathBuf,
        /// The share of the items that a second person also reviews, from 0 to 1.
        #[arg(long)]
        second: Option<f64>,
        /// Whether the decisions of others stay hidden until a reviewer has made their own.
        #[arg(long)]
        blind: Option<bool>,
        /// The value of α below which agreement is reported as unreliable.
        #[arg(long)]
        gate: Option<f64>,
        /// Which terms are used for the graph and the questions.
        #[arg(long, value_enum)]
        terms: Option<PolicyArg>,
    },
}

/// `packet`
#[derive(Debug, Args)]
pub struct PacketArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: PacketAction,
}

/// What to do with review packets.
#[derive(Debug, Subcommand)]
pub enum PacketAction {
    /// Write a part of the queue into one file for a colleague.
    Write {
        /// The workspace's file.
        workspace: PathBuf,
        /// The packet to write.
        packet: PathBuf,
        /// The name of the colleague.
        #[arg(long = "for", value_name = "NAME")]
        person: String,
        /// The colleague's role, if they are new to the workspace.
        #[arg(long, value_enum, default_value_t = RoleArg::DomainExpert)]
        role: RoleArg,
        /// Which items; `--mine` = those assigned to them.
        #[command(flatten)]
        filter: FilterArgs,
        /// Write at most this many items, from the start of the queue; 0 = all.
        #[arg(long, default_value_t = 0)]
        most: u64,
        /// Who they are, where the name looks like somebody else's.
        #[command(flatten)]
        like: LikeArgs,
    },
    /// Make a workspace from a packet that you received.
    Open {
        /// The packet.
        packet: PathBuf,
        /// The workspace to make.
        workspace: PathBuf,
    },
    /// Write the decisions that were made in such a workspace to a file, to be sent back.
    Answer {
        /// The workspace's file.
        workspace: PathBuf,
        /// The answer file to write.
        answer: PathBuf,
    },
    /// Take the decisions of a colleague into the workspace.
    Merge {
        /// The workspace that wrote the packet.
        workspace: PathBuf,
        /// The answer file that the colleague sent back.
        answer: PathBuf,
        /// The packet that is answered. It is needed only if an earlier version of Lexforge wrote the packet and did
        /// not keep what was in it.
        #[arg(long = "packet", value_name = "FILE")]
        packet: Option<PathBuf>,
        /// Who the colleague is, where their name looks like somebody else's.
        #[command(flatten)]
        like: LikeArgs,
    },
}

/// Rules of snapshots.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum PolicyArg {
    /// Everything that nobody rejected, whether it was reviewed or not.
    #[default]
    Unreviewed,
    /// What one reviewer accepted and nobody disputes.
    Single,
    /// What two reviewers accepted, or what was accepted when a conflict was settled.
    TwoAgree,
    /// Only what was accepted when a conflict was settled (`--adjudicate`).
    Adjudicated,
}

impl From<PolicyArg> for ReviewPolicy {
    fn from(policy: PolicyArg) -> Self {
        match policy {
            PolicyArg::Unreviewed => Self::UnreviewedAutomatic,
            PolicyArg::Single => Self::SingleReviewer,
            PolicyArg::TwoAgree => Self::TwoAgree,
            PolicyArg::Adjudicated => Self::Adjudicated,
        }
    }
}

/// A status of the review by its tag.
pub fn status(tag: &str) -> Result<ReviewStatus, String> {
    ReviewStatus::from_tag(tag).ok_or_else(|| {
        let tags: Vec<&str> = ReviewStatus::ALL
            .into_iter()
            .map(ReviewStatus::tag)
            .collect();
        format!("choose one of {}", tags.join(", "))
    })
}
