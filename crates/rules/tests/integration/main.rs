//! One integration test binary; one module per feature.

mod compare;
mod model;
mod mutants;
mod random_variants;
mod variants;
