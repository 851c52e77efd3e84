//! The dependency arrows of docs/ARCHITECTURE.md, read from every Cargo.toml.

use std::path::Path;

/// Which of our crates a crate may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("play", &["rules"]),
    ("engine", &["rules"]),
    ("arena", &["rules", "play", "engine"]),
    ("terminal", &["rules", "play", "engine", "arena"]),
    ("server", &["rules", "play", "engine", "arena"]),
    (
        "kingme",
        &["rules", "play", "engine", "arena", "terminal", "server"],
    ),
];

#[test]
fn crates_depend_on_what_the_design_allows() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(&crates).expect("the crates") {
        let path = entry.expect("a crate").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let Ok(manifest) = std::fs::read_to_string(path.join("Cargo.toml")) else {
            continue;
        };
        let allowed = ARROWS.iter().find(|(crate_name, _)| *crate_name == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("crates/{name} has no arrow"));
        for (other, _) in ARROWS {
            let uses = manifest
                .lines()
                .any(|line| line.starts_with(&format!("kingme-{other}")));
            assert!(
                !uses || allowed.contains(other),
                "crates/{name} must not use crates/{other}"
            );
        }
    }
}
