//! Machines that a training can run on: kept for a user, outside of any workspace, without a key or a password.

mod check;
mod connected;
mod files;
mod glibc;
mod gpu;
mod host_key;
mod install;
mod kept;
mod kept_there;
mod manifest;
mod queue;
mod rows;
mod shells;
mod suits;
mod trust;

pub use check::check_target;
pub(crate) use connected::{connect, worker_of};
pub use host_key::{replace_host_key, show_host_key};
pub(crate) use install::under_way;
pub use install::{Cleaning, clean_target, install_on};
pub use kept::{add_target, change_target, remove_target, targets};
pub(crate) use kept::{hashes, target};
pub use kept_there::kept_there;
pub use lexforge_compute::remote::askpass::{
    answer as answer_ssh, carry_question, listen as hear_ssh, questions as ssh_questions,
};
pub use manifest::{manifest, script_with};
pub(crate) use queue::check_queue;
pub use trust::note_trust;
