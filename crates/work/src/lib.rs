//! Games that other machines play. An [`Office`] hands them out and takes them back: a [`Desk`] in a
//! data base, or a server that has one ([`Remote`]). A [`worker`] plays what it is given. A league
//! shares its games through [`Shared`], a training through [`SharedTraining`].

mod bundle;
mod desk;
mod office;
mod program;
mod remote;
mod shared;
mod stretch;
mod training;
pub mod worker;

pub use bundle::{BundleError, pack, unpack};
pub use desk::{Desk, WorkerRow};
pub use office::{
    Beat, Errands, GameReport, Hello, Office, OfficeError, Outcome, Report, Task, Welcome, Work,
};
pub use program::{program, speed};
pub use remote::{Leaving, Remote, Reporting, Taking};
pub use shared::{Say, Shared};
pub use stretch::{Rivals, Stretch};
pub use training::{SharedTraining, TrainedGame};
