//! Background jobs.

use crate::api::Task;

commands! {
    TasksRequest;

    /// Imports files and folders in the background; the answer is the job's number. The password is for locked files.
    ImportDocuments { paths: Vec<String>, password: Option<String> } -> u64;

    /// Finds terms, builds the graph, writes questions and freezes a snapshot in the background; the answer is the
    /// job's number.
    Prepare {} -> u64;

    /// The background jobs since the application started.
    Tasks {} -> Vec<Task>;

    /// Asks a job to end.
    CancelTask { id: u64 } -> ();
}
