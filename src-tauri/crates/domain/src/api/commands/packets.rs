//! Packets: shares of the review for colleagues, and their answers.

use crate::api::{MergeReport, MergeRequest, PacketReport, PacketRequest, WorkspaceView};

commands! {
    PacketsRequest;

    /// Writes a share of the queue into one file for a colleague.
    WritePacket { request: PacketRequest, path: String } -> PacketReport;

    /// Makes a workspace from a colleague's packet and opens it in place of the one that was open.
    OpenPacket { packet: String, workspace: String } -> WorkspaceView;

    /// Writes one's own decisions into one file for the colleague whose packet it answers.
    WriteAnswer { path: String } -> PacketReport;

    /// Takes a colleague's decisions in.
    MergeAnswer { path: String, request: MergeRequest } -> MergeReport;
}
