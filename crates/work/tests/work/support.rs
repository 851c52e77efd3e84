//! What tests of all that is shared need: offices at which something goes wrong.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use kingme_work::{Beat, Desk, Hello, Office, OfficeError, Report, Task, Welcome, program, worker};

pub fn options(folder: &Path, name: &str) -> worker::Options {
    worker::Options {
        name: name.to_owned(),
        concurrency: 1,
        folder: folder.join("bundles"),
        tables: None,
    }
}

pub fn hello(desk: &Desk, program: String) -> String {
    let hello = Hello {
        name: "x".to_owned(),
        program,
        speed: 1e6,
        concurrency: 1,
    };
    desk.hello(&hello).unwrap().worker
}

/// A worker that takes its first tasks and is never heard of again: as if its machine were gone.
pub struct Dies<'a>(pub &'a Desk);

impl Dies<'_> {
    pub fn take(&self) -> Vec<Task> {
        let worker = hello(self.0, program());
        loop {
            let tasks = self.0.take(&worker, 3).unwrap();
            if !tasks.is_empty() {
                return tasks;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// An office between a worker and a desk, at which something goes wrong with reports.
pub struct Between<'a> {
    pub desk: &'a Desk,
    pub change: &'a (dyn Fn(&mut Report) + Sync),
    /// Each report is brought so often.
    pub times: usize,
    /// So often nobody answers.
    pub silent: AtomicUsize,
}

impl Between<'_> {
    fn is_silent(&self) -> bool {
        let less = |count: usize| count.checked_sub(1);
        let relaxed = Ordering::Relaxed;
        self.silent.fetch_update(relaxed, relaxed, less).is_ok()
    }
}

impl Office for Between<'_> {
    fn hello(&self, hello: &Hello) -> Result<Welcome, OfficeError> {
        self.desk.hello(hello)
    }
    fn take(&self, worker: &str, most: usize) -> Result<Vec<Task>, OfficeError> {
        self.desk.take(worker, most)
    }
    fn beat(&self, beat: &Beat) -> Result<(), OfficeError> {
        self.desk.beat(beat)
    }
    fn report(&self, worker: &str, reports: &[Report]) -> Result<(), OfficeError> {
        if self.is_silent() {
            return Err(OfficeError::Unreachable("the cable is out".to_owned()));
        }
        let mut reports = reports.to_vec();
        reports.iter_mut().for_each(self.change);
        for _ in 0..self.times {
            self.desk.report(worker, &reports)?;
        }
        Ok(())
    }
    fn leave(&self, worker: &str) -> Result<(), OfficeError> {
        self.desk.leave(worker)
    }
    fn bundle(&self, hash: &str) -> Result<Vec<u8>, OfficeError> {
        self.desk.bundle(hash)
    }
}
