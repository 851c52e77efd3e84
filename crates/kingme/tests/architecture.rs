//! The dependency arrows of docs/ARCHITECTURE.md, read from every Cargo.toml.

use std::path::Path;

/// Which of our crates a crate may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("rules", &[]),
    // A PostgreSQL for tests: a dependency of tests only.
    ("cluster", &[]),
    ("data", &["cluster"]),
    ("play", &["rules"]),
    ("engine", &["rules"]),
    ("players", &["rules", "play", "engine"]),
    (
        "arena",
        &["rules", "play", "engine", "players", "data", "cluster"],
    ),
    ("terminal", &["rules", "play", "engine", "players", "arena"]),
    (
        "work",
        &[
            "rules", "play", "engine", "players", "arena", "data", "cluster",
        ],
    ),
    (
        "server",
        &[
            "rules", "play", "engine", "players", "arena", "data", "cluster", "work",
        ],
    ),
    (
        "kingme",
        &[
            "rules", "play", "engine", "players", "arena", "terminal", "server", "data", "cluster",
            "work",
        ],
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
                .any(|line| line.starts_with(&format!("kingme-{other}.")));
            assert!(
                !uses || allowed.contains(other),
                "crates/{name} must not use crates/{other}"
            );
        }
    }
}

/// The words of a text that stand between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a word between backticks looks like a file or folder of ours.
fn is_path(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let ends = |ending: &str| word.ends_with(ending);
    word.chars().all(plain) && (ends(".rs") || ends(".js") || ends("/") || word.contains("/src/"))
}

#[test]
fn crates_can_be_packaged() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("the workspace");
    let ours: Vec<&str> = manifest
        .lines()
        .filter(|line| line.contains("path = \"crates/"))
        .collect();
    assert!(!ours.is_empty());
    for line in ours {
        assert!(line.contains("version = "), "{line}");
    }
}

#[test]
fn every_file_that_the_map_and_the_glossary_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut missing = Vec::new();
    for guide in ["docs/ARCHITECTURE.md", "docs/GLOSSARY.md"] {
        let text = std::fs::read_to_string(root.join(guide)).expect(guide);
        // Names are relative to the crate of their section, or to the file named before.
        let mut folder = root.join("crates");
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("## Inside `") {
                folder = root
                    .join("crates")
                    .join(name.trim_end_matches('`'))
                    .join("src");
            }
            let mut near = folder.clone();
            for word in quoted(line).filter(|word| is_path(word)) {
                let bases = [
                    &near,
                    &folder,
                    &folder.join(".."),
                    &root.join("crates"),
                    &root,
                ];
                let found = bases
                    .iter()
                    .map(|base| base.join(word))
                    .find(|path| path.exists());
                match found {
                    Some(path) if path.is_dir() => near = path,
                    Some(path) => near = path.parent().expect("a folder").to_owned(),
                    None => missing.push(format!("{guide}: {word}")),
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
