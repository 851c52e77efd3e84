//! Interpreters are found as the user's shell finds them, at every level of confinement, without
//! anything to set up.

use std::fs;
use std::path::Path;
use std::process::Command;

use kingme_players::hub::HubPlayer;
use kingme_players::{Isolation, Sandbox};

use super::support::{AMPLE, check_own_moves, example, play, variant};

/// Plays with a command at every level that works here.
fn check(command: &[&str]) {
    let levels = [
        Isolation::Limits,
        Isolation::Landlock,
        Isolation::Bubblewrap,
        Isolation::Namespaces,
    ];
    for level in levels.into_iter().filter(|level| level.works()) {
        let sandbox = Sandbox {
            isolation: Some(level),
            ..Sandbox::default()
        };
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        let mut player = HubPlayer::new(command, sandbox);
        let record = play(&mut player, &variant("international"), AMPLE, 6);
        println!("{level}: {}", record.end.words);
        check_own_moves(&record);
    }
}

/// A bot in Python that needs a module which only its environment has.
const WITH_MODULE: &str = r#"
import sys
import only_here
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print("id name=Module version=1 author=x country=x\nparam name=hand-over value=legal\nwait", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "pos":
        legal = line.split('legal="')[1].split('"')[0].split()
    elif word == "go":
        print("done move=" + legal[only_here.CHOICE], flush=True)
    elif word == "quit":
        break
"#;

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_virtual_environment_with_its_packages() {
    let folder = tempfile::tempdir().unwrap();
    let environment = folder.path().join("environment");
    run(
        "python3",
        &["-m", "venv", "--without-pip", text(&environment)],
    );
    let python = environment.join("bin/python");
    let packages = "import sysconfig; print(sysconfig.get_paths()['purelib'])";
    let packages = run(text(&python), &["-c", packages]);
    fs::write(Path::new(&packages).join("only_here.py"), "CHOICE = 0\n").unwrap();
    fs::create_dir(folder.path().join("bot")).unwrap();
    let bot = folder.path().join("bot/bot.py");
    fs::write(&bot, WITH_MODULE).unwrap();
    check(&[text(&python), text(&bot)]);
}

#[test]
fn a_link_to_an_interpreter_by_way_of_linked_folders() {
    // As version managers do it: `current` is a link, and so is the program in it.
    let folder = tempfile::tempdir().unwrap();
    let real = run("python3", &["-c", "import sys; print(sys.executable)"]);
    let version = folder.path().join("versions/3/bin");
    fs::create_dir_all(&version).unwrap();
    std::os::unix::fs::symlink(real, version.join("python3")).unwrap();
    std::os::unix::fs::symlink("versions/3", folder.path().join("current")).unwrap();
    fs::create_dir(folder.path().join("bot")).unwrap();
    fs::write(folder.path().join("bot/only_here.py"), "CHOICE = 0\n").unwrap();
    let bot = folder.path().join("bot/bot.py");
    fs::write(&bot, WITH_MODULE).unwrap();
    check(&[text(&folder.path().join("current/bin/python3")), text(&bot)]);
}

#[test]
fn python_and_node_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("only_here.py"), "CHOICE = 0\n").unwrap();
    let bot = folder.path().join("bot.py");
    fs::write(&bot, WITH_MODULE).unwrap();
    check(&["python3", text(&bot)]);
    check(&["sh", "-c", &format!("exec python3 {}", text(&bot))]);
    check(&["node", &example("longest.js")]);
}

/// The first legal move, in Java.
const JAVA: &str = r#"
import java.util.Scanner;
public class Bot {
    public static void main(String[] none) {
        Scanner in = new Scanner(System.in);
        String legal = "";
        while (in.hasNextLine()) {
            String line = in.nextLine();
            if (line.equals("hub")) System.out.println("id name=Java version=1 author=x country=x\nparam name=hand-over value=legal\nwait");
            if (line.equals("init")) System.out.println("ready");
            if (line.startsWith("pos")) legal = line.split("legal=\"")[1].split("[ \"]")[0];
            if (line.startsWith("go")) System.out.println("done move=" + legal);
            if (line.equals("quit")) return;
        }
    }
}
"#;

#[test]
fn java_by_its_name() {
    if Command::new("javac").arg("-version").output().is_err() {
        println!("there is no Java here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Bot.java");
    fs::write(&source, JAVA).unwrap();
    run("javac", &["-d", text(folder.path()), text(&source)]);
    check(&["java", "-cp", text(folder.path()), "Bot"]);
}
