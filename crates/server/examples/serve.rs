//! The server alone, for work on the pages: `cargo run -p kingme-server --example serve [FOLDER]`.
//! Pages are read from the disk, so that an edit needs only a reload.

use kingme_server::{Config, ServeError, serve};

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    let config = Config {
        data: std::env::args_os().nth(1).map(Into::into),
        ..Config::default()
    };
    let stop = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    serve(config, |ready| println!("http://{}/", ready.address), stop).await
}
