//! Tests of the product as a whole: the house rules over all sources, the command line on real documents, bad input,
//! faults, and the window through WebDriver. This library contains the code that these tests share. The tests are in
//! `tests/`.
#![forbid(unsafe_code)]

pub mod fault_proxy;
pub mod held;
pub mod house;
pub mod killed;
pub mod loopback;
pub mod obedient;
pub mod product;
pub mod question_backend;
pub mod repository;
pub mod rules;
pub mod slurm_cluster;
pub mod ssh_target;
