//! The description inside the support file.

/// The text, which is the first part of the file.
pub(super) const README: &str = "\
This file was made by Lexforge for a request for support. Look through it before you hand it on: all of it is text.

In it
  versions.json    versions of Lexforge, its programs and libraries, and of the operating system
  checks.txt       what is there and what is missing on this machine
  settings.json    level of the logs, which variables are set, hosts of machines for training
  models.json      base models on this machine with the SHA-256 of their content
  workspaces.json  of the workspaces that were opened last: format, counts, runs by state, encoders, hosts of endpoints
  runs/            of their newest runs the last events: stages, steps, figures and codes
  logs/            logs of the programs: what was asked for, how long it took, by which code it failed
  SHA256SUMS       hashes of all parts (sha256sum -c SHA256SUMS)

Not in it
  texts, titles and names of documents; terms, questions, answers and prompts; paths and names of workspaces;
  keys, passwords and values of other variables; what a worker wrote to its standard error.

A workspace is called by a hash with a key that stays on your machine. Which one it is stands there in the folder of the logs,
in the file \"workspace\" of the folder of that name. A path is written as its kind and a number, such as <home 2>, with the
file's name only where Lexforge calls it so itself; the name of your account is written as <user>.
";
