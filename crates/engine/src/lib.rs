//! Chooses moves: search, learned evaluation, endgame tables, time. A library with callbacks: it
//! never prints, and it reads the clock only to keep the limit it was given.
