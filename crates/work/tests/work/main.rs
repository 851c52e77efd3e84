//! Leagues and trainings that workers play.

mod leagues;
mod support;
mod trainings;
