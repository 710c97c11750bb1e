//! Tests of the whole product, with its built programs and its window: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod answering;
mod asked_badly;
mod asked_tables;
mod attacks;
mod bench;
mod bench_judge;
mod chain;
mod decoder;
mod disks;
mod encoders;
mod endpoints;
mod exams;
mod export;
mod faults;
mod gate;
mod goes_out;
mod graph;
mod house;
mod house_listed;
mod house_logs;
mod house_said;
mod injected;
mod labelled;
mod leftovers;
mod logs;
mod main_job;
mod matching;
mod metrics;
mod obeying;
mod packets;
mod pairs;
mod printed;
mod proxies;
mod queue;
mod readers;
mod reading;
#[cfg(unix)]
mod received;
mod remote;
mod review;
mod shares;
mod similarity;
mod sweep;
mod terms;
mod triplets;
mod tuning;
mod updates;
#[cfg(unix)]
mod version_package;
mod versions;
mod window;
mod writing;
mod written_answers;
