//! Running a job bundle somewhere and following it.
