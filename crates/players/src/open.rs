//! From a player's name to the player.

use std::sync::Arc;

use kingme_rules::Variant;

use crate::dxp::DxpPlayer;
use crate::hub::{HubPlayer, Patience, python_command};
use crate::{BotLog, Player, PlayerSpec, Sandbox, TableShelf};
use crate::{EnginePlayer, Minimax, RandomPlayer};

/// What players have besides their own.
#[derive(Clone, Debug, Default)]
pub struct Equipment {
    /// Endgame tables for our engine.
    pub tables: Option<Arc<TableShelf>>,
    /// Whether programs think on their opponents' time.
    pub ponder: bool,
    /// What programs may use, and where they start.
    pub sandbox: Sandbox,
    /// How long programs may take to start and to stop.
    pub patience: Patience,
    /// The log of what a program is told and says.
    pub log: Option<BotLog>,
}

/// Why a player can't be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A person needs a screen, which the caller has and the arena has not.
    #[error("`{0}` is a person and can't play here")]
    Person(String),
    /// Not in this build.
    #[error("`{0}` players are not in this build yet")]
    Missing(&'static str),
    /// It could not be started.
    #[error("`{spec}` can't be started: {why}")]
    Start {
        /// Who.
        spec: String,
        /// Why.
        why: String,
    },
}

impl PlayerSpec {
    /// The player for games of a variant; the seed is for those that play by chance.
    ///
    /// # Errors
    ///
    /// If the player is a person, or can't be started.
    pub fn open(&self, variant: &Variant, seed: u64) -> Result<Box<dyn Player>, OpenError> {
        self.open_with(variant, seed, &Equipment::default())
    }

    /// The same with what there is to play with.
    ///
    /// # Errors
    ///
    /// If the player is a person, or can't be started.
    pub fn open_with(
        &self,
        variant: &Variant,
        seed: u64,
        equipment: &Equipment,
    ) -> Result<Box<dyn Player>, OpenError> {
        match self {
            PlayerSpec::Random => Ok(Box::new(RandomPlayer::new(seed))),
            PlayerSpec::Minimax { depth } => Ok(Box::new(Minimax::new(*depth))),
            PlayerSpec::Human { .. } => Err(OpenError::Person(self.to_string())),
            PlayerSpec::Engine(options) => {
                let engine = options.engine(variant, seed)?;
                let player = EnginePlayer::new(engine, self.to_string());
                let tables = equipment.tables.clone();
                let tables = tables.filter(|_| !options.without_tables);
                Ok(Box::new(player.with_tables(tables)))
            }
            PlayerSpec::Hub { command, options } => {
                let player = HubPlayer::new(command.clone(), equipment.sandbox.clone())
                    .with_patience(equipment.patience)
                    .with_log(equipment.log.clone())
                    .with_options(options.clone());
                Ok(Box::new(player.pondering(equipment.ponder)))
            }
            PlayerSpec::Dxp { host, port } => Ok(Box::new(DxpPlayer::new(host, *port))),
            PlayerSpec::Python { file, class } => self.python(file, class, equipment),
        }
    }

    fn python(
        &self,
        file: &str,
        class: &str,
        equipment: &Equipment,
    ) -> Result<Box<dyn Player>, OpenError> {
        let command = python_command(file, class).map_err(|error| OpenError::Start {
            spec: self.to_string(),
            why: error.to_string(),
        })?;
        let player = HubPlayer::new(command, equipment.sandbox.clone());
        let player = player.with_patience(equipment.patience);
        let player = player.with_log(equipment.log.clone());
        Ok(Box::new(player.called(class)))
    }
}
