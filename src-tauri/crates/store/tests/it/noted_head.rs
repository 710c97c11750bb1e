//! A noted head shows what the chain alone cannot show: that its end was cut off, or that the chain was written anew.

use crate::laundering::{Fixture, alter};
use lexforge_store::verify::verify;
use rusqlite::Connection;

/// A cut that the chain alone cannot show is shown by a head that was noted before.
#[test]
fn a_noted_head_shows_a_cut_tail() {
    use lexforge_store::verify::known_head;
    let fixture = Fixture::new();
    let workspace = fixture.open();
    let head = workspace.read(|r| r.audit_head()).unwrap();
    workspace
        .write("tester", |w| w.set_setting("one", "more"))
        .unwrap();
    let found = workspace.read(|r| known_head(r, &head)).unwrap();
    assert_eq!((found.row.is_some(), found.since), (true, 1));
    drop(workspace);
    // The newest document goes with its entry and all that came after.
    let connection = Connection::open(&fixture.path).unwrap();
    for sql in [
        "DELETE FROM setting WHERE key = 'one'",
        "DELETE FROM audit WHERE sequence >= (SELECT sequence FROM audit WHERE covers = 'document 2')",
        "DELETE FROM sentence WHERE document = 2",
        "DELETE FROM section WHERE document = 2",
        "DELETE FROM page WHERE document = 2",
        "DELETE FROM chunk WHERE document = 2",
        "DELETE FROM full_text_length WHERE document = 2",
        "DELETE FROM document WHERE id = 2",
    ] {
        alter(&connection, sql);
    }
    drop(connection);
    let workspace = fixture.open();
    assert_eq!(
        workspace.read(verify).unwrap().first_break,
        None,
        "a chain alone cannot show its tail cut off"
    );
    let found = workspace.read(|r| known_head(r, &head)).unwrap();
    assert_eq!(found.row, None);
}

/// The hash of a row as the chain takes it: each value with its kind and its length before it.
fn hash_of(row: &rusqlite::Row, previous: &[u8]) -> Vec<u8> {
    use sha2::Digest;
    let mut digest = sha2::Sha256::new();
    let mut part = |tag: u8, bytes: &[u8]| {
        digest.update([tag]);
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    part(3, b"lexforge audit 1");
    part(1, &row.get::<_, i64>(0).unwrap().to_le_bytes());
    for column in 1..=5 {
        part(3, row.get::<_, String>(column).unwrap().as_bytes());
    }
    match row.get::<_, Option<String>>(6).unwrap() {
        Some(scope) => part(3, scope.as_bytes()),
        None => part(0, &[]),
    }
    part(4, &row.get::<_, Vec<u8>>(7).unwrap());
    part(4, previous);
    digest.finalize().to_vec()
}

/// Gives every row of the chain the hash that it should have after something in it was altered.
fn write_anew(connection: &Connection) {
    let mut previous = vec![0; 32];
    let count: i64 = connection
        .query_row("SELECT count(*) FROM audit", [], |row| row.get(0))
        .unwrap();
    for sequence in 1..=count {
        let sql = "SELECT sequence, time, actor, action, subject, reason, covers, payload FROM audit WHERE sequence = ?1";
        let hash = connection
            .query_row(sql, [sequence], |row| Ok(hash_of(row, &previous)))
            .unwrap();
        let sql = format!(
            "UPDATE audit SET previous = x'{}', hash = x'{}' WHERE sequence = {sequence}",
            hex(&previous),
            hex(&hash)
        );
        alter(connection, &sql);
        previous = hash;
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Somebody who can write the file can write its whole chain anew. Only a head that was noted elsewhere shows this.
#[test]
fn a_noted_head_shows_a_chain_that_was_written_anew() {
    use lexforge_store::verify::known_head;
    for sql in [
        "UPDATE audit SET actor = 'somebody else' WHERE action = 'review.accept'",
        "UPDATE audit SET time = '1999-01-01T00:00:00Z' WHERE action = 'document.import'",
        // Of an older state of the setting nothing but its hash is left.
        "UPDATE audit SET payload = zeroblob(32) WHERE sequence = (SELECT min(sequence) FROM audit WHERE covers = 'setting theme')",
    ] {
        let fixture = Fixture::new();
        let workspace = fixture.open();
        workspace
            .write("tester", |w| w.set_setting("theme", "light"))
            .unwrap();
        let head = workspace.read(|r| r.audit_head()).unwrap();
        drop(workspace);
        let connection = Connection::open(&fixture.path).unwrap();
        write_anew(&connection);
        assert_eq!(
            fixture.open().read(|r| r.audit_head()).unwrap(),
            head,
            "this test takes hashes as the chain does"
        );
        alter(&connection, sql);
        assert!(
            !fixture.open().read(verify).unwrap().ok,
            "`{sql}`: with the old hashes it shows"
        );
        write_anew(&connection);
        drop(connection);
        let workspace = fixture.open();
        assert_eq!(
            workspace.read(verify).unwrap().first_break,
            None,
            "a chain alone cannot show `{sql}`"
        );
        assert_eq!(
            workspace.read(|r| known_head(r, &head)).unwrap().row,
            None,
            "{sql}"
        );
    }
}
