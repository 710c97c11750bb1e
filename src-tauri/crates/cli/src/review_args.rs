//! The grammar of the review: deciding, the queue, people, packets.

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
    /// Show what to decide next, with everything that is needed for it.
    Queue(QueueArgs),
    /// List the terms that are probably none; with --reject, leave all of them out in one go.
    Doubtful(DoubtfulArgs),
    /// Take the newest decision back; again and again, as far as there are any.
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
    /// Note something on a question, in the place of what was noted before.
    Note {
        /// In whose name, where.
        #[command(flatten)]
        who: WhoArgs,
        /// The question.
        id: QcaId,
        /// The note, at most 2,000 characters; an empty one takes what was noted away.
        text: String,
    },
}

/// In whose name.
#[derive(Debug, Args)]
pub struct WhoArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Do it in this name instead of the one chosen on this machine.
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<String>,
}

/// `terms decide`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("choice").required(true).args([
    "accept", "reject", "merge_into", "skip", "same", "confusable", "unrelated",
]))]
pub struct DecideTermsArgs {
    /// In whose name, where.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The terms.
    #[arg(required_unless_present = "pair", conflicts_with = "pair")]
    pub ids: Vec<TermId>,
    /// Decide about these two terms.
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    pub pair: Option<Vec<TermId>>,
    /// Take them.
    #[arg(long)]
    pub accept: bool,
    /// Leave them out.
    #[arg(long)]
    pub reject: bool,
    /// They are other names for this term.
    #[arg(long, value_name = "ID")]
    pub merge_into: Option<TermId>,
    /// Not now.
    #[arg(long)]
    pub skip: bool,
    /// The pair: two names for the same.
    #[arg(long, requires = "pair")]
    pub same: bool,
    /// The pair: different, and easily taken for each other.
    #[arg(long, requires = "pair")]
    pub confusable: bool,
    /// The pair: nobody takes one for the other.
    #[arg(long, requires = "pair")]
    pub unrelated: bool,
    /// Their class.
    #[arg(long)]
    pub class: Option<String>,
    /// How the term is written.
    #[arg(long)]
    pub text: Option<String>,
    /// Why.
    #[arg(long, default_value = "")]
    pub reason: String,
    /// End a conflict for everybody; needs a reason.
    #[arg(long)]
    pub adjudicate: bool,
}

/// `qca decide`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("choice").required(true).args(["accept", "reject", "skip"]))]
pub struct DecideQuestionsArgs {
    /// In whose name, where.
    #[command(flatten)]
    pub who: WhoArgs,
    /// The questions.
    #[arg(required = true)]
    pub ids: Vec<QcaId>,
    /// Take them.
    #[arg(long)]
    pub accept: bool,
    /// Leave them out.
    #[arg(long)]
    pub reject: bool,
    /// Not now.
    #[arg(long)]
    pub skip: bool,
    /// Another wording of the question.
    #[arg(long)]
    pub text: Option<String>,
    /// Another wording of its choices, in their order, each with its own --choice.
    #[arg(long = "choice", value_name = "TEXT")]
    pub choices: Vec<String>,
    /// Why.
    #[arg(long, default_value = "")]
    pub reason: String,
    /// End a conflict for everybody; needs a reason.
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

/// Which items.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// The kind of items.
    #[arg(long, value_enum, default_value_t = KindArg::Terms)]
    pub kind: KindArg,
    /// Only of this class.
    #[arg(long)]
    pub class: Option<String>,
    /// Only what this document mentions.
    #[arg(long, value_name = "ID")]
    pub document: Option<DocumentId>,
    /// Only of this language: en, zh, ko, other.
    #[arg(long)]
    pub language: Option<String>,
    /// Only what is assigned to the person.
    #[arg(long)]
    pub mine: bool,
}

/// `terms queue`
#[derive(Debug, Args)]
pub struct QueueArgs {
    /// In whose name, where.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Which items.
    #[command(flatten)]
    pub filter: FilterArgs,
}

/// `terms doubtful`
#[derive(Debug, Args)]
pub struct DoubtfulArgs {
    /// In whose name, where.
    #[command(flatten)]
    pub who: WhoArgs,
    /// Only of this language: en, zh, ko, other.
    #[arg(long)]
    pub language: Option<String>,
    /// Only what this document mentions.
    #[arg(long, value_name = "ID")]
    pub document: Option<DocumentId>,
    /// Most terms, the most doubtful first; 0 = all.
    #[arg(long, default_value_t = 0)]
    pub most: usize,
    /// Not these: they stay in the queue.
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub keep: Vec<TermId>,
    /// Reject all that the list shows: one decision, which `terms undo` takes back.
    #[arg(long)]
    pub reject: bool,
    /// Why.
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

/// Who somebody is whose name looks like that of a person who is there.
#[derive(Clone, Copy, Debug, Args)]
pub struct LikeArgs {
    /// The name looks like somebody's who is there: it is that person.
    #[arg(long, conflicts_with = "another_person")]
    pub same_person: bool,
    /// The name looks like somebody's who is there: it is another person.
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

impl From<RoleArg> for Role {
    fn from(role: RoleArg) -> Self {
        match role {
            RoleArg::ComplianceOfficer => Self::ComplianceOfficer,
            RoleArg::DomainExpert => Self::DomainExpert,
            RoleArg::Operator => Self::Operator,
        }
    }
}

/// What to do with people.
#[derive(Debug, Subcommand)]
pub enum PeopleAction {
    /// List who reviews, who is at work here, and the plan.
    List(WorkspaceArgs),
    /// Add a person, or change role and share of one.
    Add {
        /// The workspace's file.
        workspace: PathBuf,
        /// Their name.
        name: String,
        /// What they do.
        #[arg(long, value_enum, default_value_t = RoleArg::DomainExpert)]
        role: RoleArg,
        /// Their share of the items, in parts of the sum of all shares.
        #[arg(long, default_value_t = 1)]
        share: u32,
        /// Who they are, where the name looks like somebody else's.
        #[command(flatten)]
        like: LikeArgs,
    },
    /// Decide as this person from now on, on this account of this machine.
    Use {
        /// The workspace's file.
        workspace: PathBuf,
        /// The person's number, from `people list`.
        id: PersonId,
    },
    /// Keep how the workspace is reviewed; what is not named stays.
    Plan {
        /// The workspace's file.
        workspace: PathBuf,
        /// Share of the items that a second person looks at, 0 to 1.
        #[arg(long)]
        second: Option<f64>,
        /// Whether others' decisions are held back until one's own is made.
        #[arg(long)]
        blind: Option<bool>,
        /// α under which agreement is named as unreliable.
        #[arg(long)]
        gate: Option<f64>,
        /// Which terms graph and questions are made of.
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
    /// Write a share of the queue into one file for a colleague.
    Write {
        /// The workspace's file.
        workspace: PathBuf,
        /// The packet to write.
        packet: PathBuf,
        /// Whom it is for.
        #[arg(long = "for", value_name = "NAME")]
        person: String,
        /// What they do, where they are new to the workspace.
        #[arg(long, value_enum, default_value_t = RoleArg::DomainExpert)]
        role: RoleArg,
        /// Which items; `--mine` = those assigned to them.
        #[command(flatten)]
        filter: FilterArgs,
        /// Most items, the first of the queue; 0 = all.
        #[arg(long, default_value_t = 0)]
        most: u64,
        /// Who they are, where the name looks like somebody else's.
        #[command(flatten)]
        like: LikeArgs,
    },
    /// Make a workspace of one's own from a packet.
    Open {
        /// The packet.
        packet: PathBuf,
        /// The workspace to make.
        workspace: PathBuf,
    },
    /// Write what was decided in such a workspace, to be sent back.
    Answer {
        /// The workspace's file.
        workspace: PathBuf,
        /// The answer to write.
        answer: PathBuf,
    },
    /// Take in what a colleague decided.
    Merge {
        /// The workspace that wrote the packet.
        workspace: PathBuf,
        /// The answer.
        answer: PathBuf,
        /// The packet that is answered; needed where an earlier version wrote it and did not keep what it held.
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
    /// Everything that nobody rejected, reviewed or not.
    #[default]
    Unreviewed,
    /// What one reviewer accepted and none disputes.
    Single,
    /// What two reviewers accepted, or an adjudication.
    TwoAgree,
    /// What an adjudication accepted.
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
