//! Prints the listing of a lowered program: `cargo run --example listing -- FILE...`.

use std::path::PathBuf;

use everett_llvm::{LoadOptions, load};

fn main() {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let quiet = paths.first().is_some_and(|path| path.as_os_str() == "-q");
    if quiet {
        paths.remove(0);
    }
    match load(&paths, &LoadOptions::default()) {
        Ok(loaded) => {
            if !quiet {
                print!("{}", loaded.program);
            }
            loaded.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
            let (ops, insts) = (loaded.program.ops.len(), loaded.program.instruction_count());
            eprintln!("{insts} instructions, {ops} ops");
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    }
}
