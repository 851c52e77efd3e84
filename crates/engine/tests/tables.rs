//! Endgame tables: counts known from elsewhere, an independent solver, play, damage, interruption.

mod tables {
    mod damage;
    mod engine;
    mod model;
    mod play;
    mod resume;
    mod shipped;

    use std::ops::ControlFlow;
    use std::path::Path;

    use kingme_engine::tables::{BuildConfig, Counts, TableError, build, check};
    use kingme_rules::Variant;
    use tempfile::TempDir;

    /// Builds tables and returns the counts, from two pieces.
    pub fn build_in(directory: &Path, variant: &Variant, pieces: usize) -> Vec<Counts> {
        let config = BuildConfig {
            pieces,
            ..BuildConfig::default()
        };
        build(variant, directory, &config, &mut |_| {
            ControlFlow::Continue(())
        })
        .unwrap()
    }

    pub fn check_in(
        directory: &Path,
        variant: &Variant,
        pieces: usize,
    ) -> Result<Vec<Counts>, TableError> {
        check(variant, directory, pieces, &mut |_| {
            ControlFlow::Continue(())
        })
    }

    fn named(name: &str) -> Variant {
        Variant::named(name).unwrap()
    }

    /// Wins, losses and draws by number of pieces, from two; every position is checked, too.
    #[track_caller]
    fn counts(name: &str, expected: &[[u64; 3]]) {
        let directory = TempDir::new().unwrap();
        let variant = named(name);
        let pieces = expected.len() + 1;
        let counts = build_in(directory.path(), &variant, pieces);
        let numbers: Vec<[u64; 3]> = counts
            .iter()
            .map(|counts| [counts.wins, counts.losses, counts.draws])
            .collect();
        assert_eq!(numbers, expected);
        assert_eq!(
            check_in(directory.path(), &variant, pieces).unwrap(),
            counts
        );
    }

    #[test]
    fn english() {
        counts(
            "english",
            &[
                [716, 402, 2_370],
                [100_250, 87_305, 8_477],
                [2_574_304, 1_917_090, 1_717_922],
            ],
        );
    }

    #[test]
    fn russian() {
        counts("russian", &[[1_291, 690, 1_507], [67_475, 33_413, 95_144]]);
    }

    #[test]
    fn international() {
        counts(
            "international",
            &[[3_205, 1_962, 3_678], [265_795, 146_342, 394_163]],
        );
    }

    #[test]
    fn stupid_checkers_is_won_by_whoever_moves() {
        counts("stupid-checkers", &[[64 * 63, 0, 0]]);
    }

    #[test]
    fn every_game_that_can_have_tables_has_sound_ones() {
        for name in Variant::names() {
            let directory = TempDir::new().unwrap();
            let config = BuildConfig {
                pieces: 2,
                ..BuildConfig::default()
            };
            let go_on = &mut |_: &_| ControlFlow::Continue(());
            match build(&named(name), directory.path(), &config, go_on) {
                Ok(counts) => {
                    let checked = check_in(directory.path(), &named(name), 2).unwrap();
                    assert_eq!(checked, counts, "{name}");
                }
                Err(TableError::Unsupported { variant, .. }) => assert_eq!(variant, name),
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }

    #[test]
    fn three_pieces_on_small_boards_are_sound() {
        for name in [
            "turkish",
            "gothic",
            "italian",
            "poddavki",
            "antidraughts",
            "breakthrough",
        ] {
            let directory = TempDir::new().unwrap();
            let variant = named(name).sized(6).unwrap();
            let counts = build_in(directory.path(), &variant, 3);
            assert_eq!(
                check_in(directory.path(), &variant, 3).unwrap(),
                counts,
                "{name}"
            );
        }
    }

    #[test]
    fn memory_has_its_bound() {
        let directory = TempDir::new().unwrap();
        let config = BuildConfig {
            pieces: 4,
            memory: 1_000_000,
            ..BuildConfig::default()
        };
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let error = build(&named("english"), directory.path(), &config, go_on).unwrap_err();
        let text = error.to_string();
        assert!(
            text.ends_with("MB of memory, and only 1 MB are allowed"),
            "{text}"
        );
    }

    #[test]
    fn little_memory_gives_the_same_tables() {
        let (small, large) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let variant = named("english").sized(6).unwrap();
        let config = BuildConfig {
            pieces: 5,
            memory: 2_400_000,
            ..BuildConfig::default()
        };
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let counts = build(&variant, small.path(), &config, go_on).unwrap();
        assert_eq!(build_in(large.path(), &variant, 5), counts);
        assert_eq!(super::files(small.path()), super::files(large.path()));
    }

    #[test]
    fn pieces_have_their_bounds() {
        let directory = TempDir::new().unwrap();
        for pieces in [1, 9] {
            let config = BuildConfig {
                pieces,
                ..BuildConfig::default()
            };
            let go_on = &mut |_: &_| ControlFlow::Continue(());
            let error = build(&named("english"), directory.path(), &config, go_on).unwrap_err();
            let expected = format!("tables can have 2 to 8 pieces, not {pieces}");
            assert_eq!(error.to_string(), expected);
        }
    }
}

/// Names and contents of all files below a directory.
fn files(directory: &std::path::Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}
