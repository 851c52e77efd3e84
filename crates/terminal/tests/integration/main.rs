//! Transcripts: what is typed, and what the terminal answers, to the letter.

mod league;
mod play;
mod pown_chess;
mod saved;
mod screen;
mod stupid_checkers;
mod talk;
