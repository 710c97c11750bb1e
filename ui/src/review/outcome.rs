//! The result of a file that was written or read for the review.

use lexforge_domain::Failure;
use lexforge_domain::api::{
    DatasetExport, GlossaryReport, MergeReport, MergeRequest, PacketReport,
};

/// The result.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A packet was written for a colleague.
    Packet(PacketReport, String),
    /// One's own decisions were written for the colleague who sent the packet.
    Answer(PacketReport, String),
    /// A colleague's decisions were taken in.
    Merged(MergeReport),
    /// Before an answer file is merged, the user must answer a question. The values are the question, the file, and
    /// what the user has already chosen.
    MergeAsks(Failure, String, MergeRequest),
    /// A glossary was taken in.
    Imported(GlossaryReport),
    /// A glossary was written: how many terms, and where.
    Exported(u64, String),
    /// A snapshot was written as files.
    Dataset(DatasetExport),
}
