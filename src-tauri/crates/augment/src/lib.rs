//! Question writers and the checks on what they write.
