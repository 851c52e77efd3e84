//! Evaluations: how good a position looks without searching.
//!
//! There are two forms. A linear one: piece-square tables, windows of eight squares, the balance
//! of kings and men, the right to move, each with a weight for the opening and one for the ending;
//! [`Geometry`] makes the windows from a board, [`Parameters`] says which weight a feature of a
//! position has. And a small network, whose [`Shape`] says the same. [`Weights`] is the file, and
//! [`Evaluator`] is either form ready for search.

mod evaluator;
mod geometry;
mod lanes;
mod linear;
mod material;
mod net;
mod parameters;
mod weights;

pub(crate) use evaluator::Evaluator;
pub(crate) use geometry::{Geometry, PATTERNS};
pub(crate) use lanes::{Lanes, twice};
pub(crate) use linear::opening_share;
pub(crate) use material::Material;
pub(crate) use net::{BUCKETS, HIDDEN, LARGEST, Shape};
pub(crate) use parameters::{Board, Parameters, Term};
pub(crate) use weights::STEPS;
pub use weights::{Form, Weights, WeightsError};

/// Weights that come with the program, as (variant, file).
const SHIPPED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/weights.rs"));

/// The weight file that comes with the program for a variant.
pub fn shipped(variant: &str) -> Option<&'static [u8]> {
    SHIPPED
        .iter()
        .find(|(name, _)| *name == variant)
        .map(|(_, file)| *file)
}
