//! Lists the weight files, so that adding one to `weights/` is all it takes to ship it.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("weights");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut list = String::from("&[\n");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the weights folder is there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy();
        let path = path.to_str().expect("a path in UTF-8");
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),").expect("a string takes it");
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("weights.rs");
    fs::write(out, list).expect("the build folder takes it");
}
