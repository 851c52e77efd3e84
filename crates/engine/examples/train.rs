//! Trains a game: `train VARIANT SECONDS OUT [squares]`.
use engine::{
    Form,
    train::{Progress, Training},
};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let training = Training {
        variant: rules::Variant::named(&args[1]).unwrap(),
        time: Duration::from_secs(args[2].parse().unwrap()),
        folder: format!("{}.train", args[3]).into(),
        seed: 1,
        date: "2026-11-15".to_owned(),
        form: if args.get(4).is_some() {
            Form::Squares
        } else {
            Form::Windows
        },
    };
    let began = Instant::now();
    let mut told = Instant::now();
    let weights = training
        .run(&mut |progress| {
            let seldom = matches!(progress, Progress::Games { .. });
            if !seldom || told.elapsed() > Duration::from_secs(10) {
                told = Instant::now();
                println!("{:>5}s {progress}", began.elapsed().as_secs());
            }
        })
        .unwrap();
    if let Some(weights) = weights {
        std::fs::write(&args[3], weights.write()).unwrap();
        println!("written {}", weights.result);
    }
}
