//! A screen without a monitor for each window. Two windows on one screen would take the focus from each other.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub const PROGRAM: &str = "Xvfb";

/// An X server that ends with this value.
pub struct Display {
    child: Child,
    number: u32,
}

impl Display {
    /// Starts a server. It takes the first number that is free, and tells it once it can be connected to.
    pub fn start() -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24"])
            .args(["-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = String::new();
        let answers = child.stdout.take().unwrap();
        BufReader::new(answers).read_line(&mut told).unwrap();
        let number = told.trim().parse();
        let number = number.unwrap_or_else(|_| panic!("{PROGRAM} has no screen: it said {told:?}"));
        Self { child, number }
    }

    /// The value of `DISPLAY`.
    pub fn name(&self) -> String {
        format!(":{}", self.number)
    }
}

impl Drop for Display {
    /// Ends the server gently: killed outright, it would leave its lock behind.
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}
