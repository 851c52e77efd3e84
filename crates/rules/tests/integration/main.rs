//! One integration test binary; one module per feature.

mod compare;
mod draws;
mod fuzz;
mod huffing;
mod large_boards;
mod legal_moves;
mod model;
mod mutants;
mod pdn;
mod pdn_files;
mod pdn_round_trip;
mod perft;
mod random_variants;
mod refusals;
mod values;
mod variants;
