//! What the command says of itself: help, examples, completions, manual pages.

mod support;

use support::{kingme, refused};

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help").map(str::to_owned);
    names.collect()
}

/// The help of a command and of all below it.
fn helps(path: &[&str]) -> Vec<(String, String)> {
    let help = kingme(&[path, &["--help"]].concat()).out;
    let below: Vec<_> = listed(&help)
        .iter()
        .flat_map(|name| helps(&[path, &[name]].concat()))
        .collect();
    let here = [&["kingme"], path].concat().join(" ");
    [vec![(here, help)], below].concat()
}

#[test]
fn every_help_has_an_example() {
    let helps = helps(&[]);
    assert!(helps.len() > 28, "{}", helps.len());
    for (path, help) in helps {
        let (_, examples) = help.rsplit_once("Example").expect(&path);
        assert!(examples.contains(&format!("\n  {path}")), "{path}: {help}");
    }
}

#[test]
fn help_is_a_command_too() {
    let help = kingme(&["help"]);
    assert_eq!((help.status, help.err.as_str()), (0, ""));
    assert_eq!(help.out, kingme(&["-h"]).out);
    let of_one = kingme(&["help", "league", "run"]).out;
    assert!(of_one.contains("Usage: kingme league run"), "{of_one}");
}

#[test]
fn the_exit_status_is_explained_and_true() {
    let help = kingme(&["--help"]).out;
    for line in ["  0  fine\n", "  1  the answer is no", "  2  an error"] {
        assert!(help.contains(line), "{line}: {help}");
    }
    assert_eq!(kingme(&["moves", "english"]).status, 0);
    assert_eq!(kingme(&["bot", "check", "false"]).status, 1);
    assert_eq!(kingme(&["moves", "nosuch"]).status, 2);
}

#[test]
fn a_wrong_word_leads_to_the_help_of_its_command() {
    for path in [&["moves"][..], &["league", "run"], &[]] {
        let run = kingme(&[path, &["--nosuch"]].concat());
        let tip = format!(
            "(see `{} --help`)\n",
            [&["kingme"], path].concat().join(" ")
        );
        assert_eq!((run.status, run.out.as_str()), (2, ""));
        assert!(run.err.ends_with(&tip), "{}", run.err);
    }
}

#[test]
fn shells_complete_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = kingme(&["completions", shell]);
        assert_eq!(run.status, 0, "{}", run.err);
        for word in ["random-plies", "analyse", "kingme"] {
            assert!(run.out.contains(word), "{shell}: {word}");
        }
    }
    // What bash makes of it: the only command that begins so.
    let script = "source /dev/stdin; COMP_WORDS=(kingme analy); COMP_CWORD=1; \
                  _kingme kingme analy kingme; echo ${COMPREPLY[@]}";
    let completed = assert_cmd::Command::new("bash")
        .args(["-c", script])
        .write_stdin(kingme(&["completions", "bash"]).out)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&completed.stdout), "analyse\n");
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    let run = kingme(&["man", pages.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.err);
    for (path, _) in helps(&[]) {
        let page = pages.join(path.replace(' ', "-") + ".1");
        let text = std::fs::read_to_string(&page).expect(&path);
        assert!(text.contains(".SH SYNOPSIS"), "{path}: {text}");
    }
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    refused(&["man", file], &format!("{file}: File exists"));
}

/// What people are told to run exists: every command and option of the guide for servers.
#[test]
fn the_guide_for_servers_names_what_there_is() {
    let guide = include_str!("../../../docs/DEPLOY.md");
    let mut options = 0;
    for line in guide.lines() {
        let line = line
            .strip_prefix("ExecStart=/usr/local/bin/")
            .unwrap_or(line);
        let Some(words) = line.strip_prefix("kingme ") else {
            continue;
        };
        let words: Vec<&str> = words.split(' ').collect();
        let path = match words[..] {
            ["store", copy, ..] => vec!["store", copy],
            _ => vec![words[0]],
        };
        let help = kingme(&[&path[..], &["--help"]].concat());
        assert_eq!(help.status, 0, "{line}");
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(
                help.out.contains(&format!("{option} "))
                    || help.out.contains(&format!("{option}\n")),
                "{option}: {line}"
            );
            options += 1;
        }
    }
    assert!(options > 10, "{options}");
}
