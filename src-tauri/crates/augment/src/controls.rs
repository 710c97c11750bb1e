//! What can be answered without knowing a rule.
