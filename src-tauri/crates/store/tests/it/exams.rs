//! Exams: kept as they were brought, never changed, and gone with their texts once they are removed.

use crate::common::deployed::exam;
use lexforge_store::Workspace;
use lexforge_store::verify::verify;
use rusqlite::Connection;

#[test]
fn an_exam_is_kept_and_goes_with_its_texts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    workspace
        .write("tester", |w| {
            w.put_exam(&exam("second"), "[2]")?;
            w.put_exam(&exam("first"), "[1]")
        })
        .unwrap();
    let names = || -> Vec<String> {
        let rows = workspace.read(|r| r.exams()).unwrap();
        rows.into_iter().map(|row| row.name).collect()
    };
    assert_eq!(names(), ["first", "second"]);
    let kept = workspace.read(|r| r.exam("second")).unwrap();
    assert_eq!(kept, Some((exam("second"), "[2]".to_owned())));
    assert_eq!(workspace.read(|r| r.exam("third")).unwrap(), None);
    // No other may bear its name, and nothing of it changes.
    let again = workspace.write("tester", |w| w.put_exam(&exam("first"), "[3]"));
    assert!(again.is_err());
    let connection = Connection::open(&path).unwrap();
    assert!(
        connection
            .execute("UPDATE exam SET items = '[4]'", [])
            .is_err()
    );
    drop(connection);

    let removed = |name: &str| workspace.write("tester", |w| w.remove_exam(name)).unwrap();
    assert!(removed("first"));
    assert!(!removed("first"));
    assert_eq!(names(), ["second"]);
    assert!(workspace.read(verify).unwrap().ok);
    // The name is free again.
    workspace
        .write("tester", |w| w.put_exam(&exam("first"), "[5]"))
        .unwrap();
    assert!(workspace.read(verify).unwrap().ok);
}
