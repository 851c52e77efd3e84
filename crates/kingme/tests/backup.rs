//! `kingme backup` and `kingme restore` through the real program.

mod support;

use support::{kingme, refused};

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let missing = path("games");
    refused(
        &["backup", &missing, &path("file")],
        &format!("can't use `{missing}/kingme.db`: No such file or directory"),
    );
    std::fs::write(path("rubbish"), "rubbish").unwrap();
    let run = kingme(&["restore", &path("rubbish"), &path("new")]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("is damaged (file is not a database)"),
        "{}",
        run.err
    );
}
