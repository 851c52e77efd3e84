//! The routes, a module per topic; each owns its `router()`.

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

mod accounts;
mod analysis;
mod bots;
mod games;
mod health;
mod leagues;
mod sockets;
mod variants;
mod works;

/// All routes, with their documentation.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(variants::router())
        .merge(games::router())
        .merge(health::router())
        .merge(sockets::router())
        .merge(analysis::router())
        .merge(accounts::router())
        .merge(bots::router())
        .merge(leagues::router())
        .merge(works::router())
}
