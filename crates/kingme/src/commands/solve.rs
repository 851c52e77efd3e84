//! `kingme solve`: prove a small game outright.

use std::io::Write;

use kingme_engine::solve::{self, ProofReport, SolveConfig, Solved, Solving, Symmetry};
use kingme_engine::tables::Verdict;
use kingme_rules::{Side, Variant};
use serde_json::json;

use super::tables::{DataArgs, Shown};
use super::{Answer, Result};
use crate::variant::VariantArgs;

/// Arguments of `kingme solve`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArgs,
    /// Make endgame tables of up to so many positions, in millions
    #[arg(long, value_name = "M", default_value_t = 100)]
    table_positions: u64,
    /// Give up a proof after so many positions, in millions
    #[arg(long, value_name = "M", default_value_t = 100)]
    nodes: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArgs,
}

/// Runs the command. The answer is no if nothing could be proven.
pub fn run(args: &Args) -> Result {
    let variant = args.variant.load()?;
    let config = SolveConfig {
        table_positions: args.table_positions.saturating_mul(1_000_000),
        nodes: args.nodes.saturating_mul(1_000_000),
        ..SolveConfig::default()
    };
    let mut shown = Shown::new();
    let show = &mut |solving: &Solving| show(&mut shown, &variant, solving);
    let solved = solve::solve(&variant, &args.data.folder()?, &config, show)?;
    shown.clear();
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", as_json(&variant, &solved))?;
    } else {
        for line in in_words(&variant, &solved) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(if solved.verdict.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// How far it is, on stderr.
fn show(shown: &mut Shown, variant: &Variant, solving: &Solving) {
    match solving {
        Solving::Tables(progress) => shown.show(progress),
        Solving::Proof { side, depth, nodes } => {
            let name = &variant.definition().sides.names[*side];
            let text = format!("can {name} hold a draw? {depth} plies, {nodes} positions");
            shown.line(&text, false);
        }
    }
}

/// Who wins, if it is proven and not a draw.
fn winner(solved: &Solved) -> Option<Side> {
    match solved.verdict? {
        Verdict::Win => Some(solved.first),
        Verdict::Draw => None,
        Verdict::Loss => Some(!solved.first),
    }
}

fn in_words(variant: &Variant, solved: &Solved) -> Vec<String> {
    let name = |side: Side| variant.definition().sides.names[side].as_str();
    let board = variant.board();
    let game = format!("{} {}x{}", variant.name(), board.columns(), board.rows());
    let mut lines = vec![match (solved.verdict, winner(solved)) {
        (None, _) => format!("{game}: not proven"),
        (_, None) => format!("{game}: a draw"),
        (_, Some(side)) => format!("{game}: a win for {}", name(side)),
    }];
    if solved.proofs.is_empty() {
        lines.push("proven: the start is in the endgame tables".to_owned());
    }
    for proof in &solved.proofs {
        lines.push(proof_in_words(name(proof.side), proof));
    }
    if solved.tables > 0 {
        lines.push(format!(
            "tables: up to {} pieces, every position solved",
            solved.tables
        ));
    }
    lines.extend(symmetry_in_words(solved.symmetry).map(str::to_owned));
    if solved.counters && winner(solved).is_some() {
        lines.push("move counters that make draws are not taken into account".to_owned());
    }
    lines
}

fn symmetry_in_words(symmetry: Symmetry) -> Option<&'static str> {
    match symmetry {
        Symmetry::None => None,
        Symmetry::Columns => Some(
            "columns can change places: every piece moves and takes straight ahead, so positions \
             with the same columns in another order are taken to be the same",
        ),
        Symmetry::Squares => Some(
            "squares don't matter: any piece goes and takes anywhere, so positions with the same \
             numbers of pieces are taken to be the same",
        ),
    }
}

fn proof_in_words(name: &str, proof: &ProofReport) -> String {
    let ProofReport { depth, nodes, .. } = proof;
    match proof.holds {
        Some(true) if *nodes == 0 => format!("proven: {name} wins by force"),
        Some(true) => {
            format!(
                "proven: {name} holds at least a draw (within {depth} plies, {nodes} positions)"
            )
        }
        Some(false) => {
            format!("proven: {name} can't hold a draw (within {depth} plies, {nodes} positions)")
        }
        None => format!("open: whether {name} holds a draw ({depth} plies, {nodes} positions)"),
    }
}

fn as_json(variant: &Variant, solved: &Solved) -> serde_json::Value {
    let names = &variant.definition().sides.names;
    let board = variant.board();
    let proofs: Vec<_> = solved
        .proofs
        .iter()
        .map(|proof| {
            json!({
                "side": names[proof.side],
                "holds_draw": proof.holds,
                "plies": proof.depth,
                "positions": proof.nodes,
            })
        })
        .collect();
    json!({
        "variant": variant.name(),
        "columns": board.columns(),
        "rows": board.rows(),
        "first": names[solved.first],
        "result": solved.verdict.map(|verdict| verdict.to_string()),
        "winner": winner(solved).map(|side| names[side].clone()),
        "tables": solved.tables,
        "symmetry": match solved.symmetry {
            Symmetry::None => "none",
            Symmetry::Columns => "columns",
            Symmetry::Squares => "squares",
        },
        "proofs": proofs,
    })
}
