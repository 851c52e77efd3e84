//! Which rules the engine's generic code is compiled for.
//!
//! With optimisation for use, once with constant keys for each well-known game. Development builds
//! read all keys from the data instead: they are ready in less than half the time, and the
//! tests of `rules` show that both give the same moves.

use kingme_rules::{Position, RulesetVisitor, Variant, Visitor};

/// Calls the visitor with the rules of a position's game, and the position in bits, if it has any.
pub(crate) fn visit<V: Visitor>(position: &Position, visitor: V) -> Option<V::Output> {
    #[cfg(debug_assertions)]
    return position.visit_loaded(visitor);
    #[cfg(not(debug_assertions))]
    return position.visit(visitor);
}

/// Calls the visitor with the rules of a game, if its board has bits.
pub(crate) fn visit_rules<V: RulesetVisitor>(variant: &Variant, visitor: V) -> Option<V::Output> {
    #[cfg(debug_assertions)]
    return variant.visit_loaded(visitor);
    #[cfg(not(debug_assertions))]
    return variant.visit(visitor);
}
