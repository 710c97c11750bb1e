//! Parts that several screens use, one in each file.

pub mod alert;
pub mod bar;
pub mod blocks;
pub mod curve;
pub mod dialog;
pub mod empty;
pub mod error_panel;
pub mod grid;
pub mod icon;
pub mod keys_help;
pub mod law;
pub mod note;
pub mod palette;
pub mod password;
pub mod prepare;
pub mod rail;
pub mod run_badge;
pub mod size;
pub mod task_progress;
pub mod top_bar;
pub mod tray;
pub mod whisker;
