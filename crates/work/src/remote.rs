//! An office that a server keeps, reached over HTTP.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::{Beat, Hello, Office, OfficeError, Report, Task, Welcome, WorkerRow};

/// A server waits for a task about half as long before it says that there is none.
const PATIENCE: Duration = Duration::from_secs(30);
/// A league's folder, packed, has no more bytes.
const LARGEST: u64 = 96 << 20;

/// A server that hands out games.
#[derive(Debug)]
pub struct Remote {
    url: String,
    token: String,
    agent: Agent,
}

/// What a server says when it refuses something.
#[derive(Deserialize)]
struct Said {
    error: String,
}

/// What is asked for by those who want tasks.
#[derive(Serialize, Deserialize)]
pub struct Taking {
    /// Who.
    pub worker: String,
    /// How many at most.
    pub most: usize,
}

/// What somebody brings.
#[derive(Serialize, Deserialize)]
pub struct Reporting {
    /// Who.
    pub worker: String,
    /// What became of tasks.
    pub reports: Vec<Report>,
}

/// Somebody goes.
#[derive(Serialize, Deserialize)]
pub struct Leaving {
    /// Who.
    pub worker: String,
}

type Result<T> = std::result::Result<T, OfficeError>;

impl Remote {
    /// The office of a server at an address such as `http://teacher:8080`.
    ///
    /// # Errors
    ///
    /// If the address is none that a worker can talk to.
    pub fn new(url: &str, token: &str) -> std::result::Result<Remote, String> {
        let url = url.trim_end_matches('/');
        match url.split_once("://") {
            Some(("http", rest)) if !rest.is_empty() => {}
            Some(("https", _)) => {
                return Err(format!(
                    "`{url}`: a worker talks plain HTTP; give it the server's address inside of \
                     your network, or a tunnel to it"
                ));
            }
            _ => return Err(format!("`{url}` is no address like http://host:8080")),
        }
        let agent = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .build();
        Ok(Remote {
            url: url.to_owned(),
            token: token.to_owned(),
            agent: agent.into(),
        })
    }

    fn ask<T: DeserializeOwned>(&self, what: &str, body: &impl Serialize) -> Result<T> {
        let sent = self
            .agent
            .post(format!("{}/api/work/{what}", self.url))
            .header("Authorization", format!("Bearer {}", self.token))
            .send_json(body);
        let mut answer = self.accepted(sent)?;
        let read = answer.body_mut().with_config().limit(LARGEST).read_json();
        read.map_err(|error| self.unreachable(&error))
    }

    /// Who plays for the server.
    ///
    /// # Errors
    ///
    /// If nobody is there, or we may not know.
    pub fn workers(&self) -> Result<Vec<WorkerRow>> {
        let mut answer = self.get("workers")?;
        let read = answer.body_mut().read_json();
        read.map_err(|error| self.unreachable(&error))
    }

    fn get(&self, what: &str) -> Result<Response<Body>> {
        let sent = self
            .agent
            .get(format!("{}/api/work/{what}", self.url))
            .header("Authorization", format!("Bearer {}", self.token))
            .call();
        self.accepted(sent)
    }

    fn unreachable(&self, error: &ureq::Error) -> OfficeError {
        OfficeError::Unreachable(format!("{}: {error}", self.url))
    }

    /// An answer, unless the server has refused.
    fn accepted(
        &self,
        answer: std::result::Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>> {
        let mut answer = answer.map_err(|error| self.unreachable(&error))?;
        let status = answer.status().as_u16();
        if status < 300 {
            return Ok(answer);
        }
        let said = answer.body_mut().read_json::<Said>();
        let words = said.map_or_else(
            |_| format!("{}: it answers with {status}", self.url),
            |said| said.error,
        );
        Err(match status {
            // Somebody who was here before the server's data was lost.
            410 => OfficeError::Unknown,
            400..500 => OfficeError::Refused(words),
            _ => OfficeError::Unreachable(words),
        })
    }
}

impl Office for Remote {
    fn hello(&self, hello: &Hello) -> Result<Welcome> {
        self.ask("hello", hello)
    }

    fn take(&self, worker: &str, most: usize) -> Result<Vec<Task>> {
        let worker = worker.to_owned();
        self.ask("take", &Taking { worker, most })
    }

    fn beat(&self, beat: &Beat) -> Result<()> {
        self.ask("beat", beat)
    }

    fn report(&self, worker: &str, reports: &[Report]) -> Result<()> {
        let (worker, reports) = (worker.to_owned(), reports.to_vec());
        self.ask("report", &Reporting { worker, reports })
    }

    fn leave(&self, worker: &str) -> Result<()> {
        let worker = worker.to_owned();
        self.ask("leave", &Leaving { worker })
    }

    fn bundle(&self, hash: &str) -> Result<Vec<u8>> {
        let mut answer = self.get(&format!("bundle/{hash}"))?;
        let read = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        read.map_err(|error| self.unreachable(&error))
    }
}
