//! Wakes a thread that waits for a file when a stop is requested.

use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

use kingme_play::{OnStop, Stop};

/// A file that can be read as soon as a stop is requested.
#[derive(Debug)]
pub(crate) struct Waker {
    reader: PipeReader,
    writer: Arc<PipeWriter>,
    /// The stop that it wakes for: mostly the same one as the last time.
    heeded: Option<OnStop>,
}

impl Waker {
    pub fn new() -> std::io::Result<Waker> {
        let (reader, writer) = pipe()?;
        Ok(Waker {
            reader,
            writer: Arc::new(writer),
            heeded: None,
        })
    }

    /// Wakes at this stop's request from now on, and for no other one.
    pub fn heed(&mut self, stop: &Stop) {
        if self.heeded.as_ref().is_some_and(|kept| kept.is_of(stop)) {
            return;
        }
        let writer = Arc::clone(&self.writer);
        self.heeded = Some(stop.on_request(move || {
            // Whoever waited is gone if this fails.
            (&*writer).write_all(&[0]).unwrap_or_default();
        }));
    }

    /// Forgets that it was woken, after a wait that has found it readable.
    pub fn rest(&self) {
        // What can't be read now is read at the next wake.
        let read = (&self.reader).read(&mut [0]);
        debug_assert!(read.is_ok(), "our own pipe");
    }
}

impl AsFd for Waker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
