//! `kingme variants`: list the games, explain one, check a file.

use std::io::Write;

use kingme_rules::{Variant, VariantError};

use super::{Answer, Result};
use crate::variant;

const WIDTH: usize = 80;

/// Arguments of `kingme variants`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// A game to explain in plain words, or a variant file to check and explain
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    match &args.name {
        None => list(),
        Some(name) if variant::is_file(name) => check(name),
        Some(name) => explain(&Variant::named(name)?),
    }
}

fn list() -> Result {
    let mut out = std::io::stdout().lock();
    for name in Variant::names() {
        let variant = Variant::named(name)?;
        let definition = variant.definition();
        writeln!(out, "{name:<16} {}", definition.title)?;
        for line in wrap(&definition.summary, WIDTH - 17) {
            writeln!(out, "{:17}{line}", "")?;
        }
    }
    Ok(Answer::Yes)
}

fn check(path: &str) -> Result {
    match Variant::from_toml(&variant::read(path)?) {
        Ok(variant) => explain(&variant),
        Err(error) => Err(all_faults(path, &error).into()),
    }
}

/// Every fault on a line of its own, each with the file's name.
fn all_faults(path: &str, error: &VariantError) -> String {
    let lines: Vec<String> = error
        .faults
        .iter()
        .map(|fault| format!("{path}: {fault}"))
        .collect();
    lines.join("\nkingme: ")
}

fn explain(variant: &Variant) -> Result {
    let mut out = std::io::stdout().lock();
    let definition = variant.definition();
    for line in wrap(
        &format!("{}: {}", definition.title, definition.summary),
        WIDTH,
    ) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "{}",
        variant.start().text_board(!variant.definition().sides.top)
    )?;
    for paragraph in variant.definition().in_words().lines() {
        for line in wrap(paragraph, WIDTH) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(Answer::Yes)
}

/// Lines of at most `width` columns; an empty text is one empty line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
