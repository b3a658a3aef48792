//! Explores a program and prints what there is to know: the smallest embedding of the engine.
//!
//! Usage: `cargo run --example explore -- prog.bc`

use std::path::PathBuf;
use std::sync::Arc;

use everett_engine::{Engine, EngineConfig, Finding, Observer, Strategy};

/// Prints findings as they appear.
struct Printer;

impl Observer for Printer {
    fn finding(&mut self, finding: &Finding) {
        println!("{}: {}", finding.kind, finding.message);
        finding.stack.iter().for_each(|place| println!("    {place}"));
        for input in &finding.inputs {
            println!("    with {} = {:?}", input.name, input.bytes);
        }
    }

    fn warning(&mut self, message: &str) {
        println!("note: {message}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let loaded = everett_llvm::load(&files, &Default::default())?;
    let config = EngineConfig { search: vec![Strategy::Dfs], ..EngineConfig::default() };
    let mut engine = Engine::new(Arc::new(loaded.program), config)?;
    let summary = engine.run(&mut Printer);
    println!(
        "{:?}: {} paths, {} instructions, {} forks, {} queries, {} findings",
        summary.outcome,
        summary.paths,
        summary.instructions,
        summary.forks,
        summary.queries,
        summary.findings.len()
    );
    for (reason, count) in &summary.dropped {
        println!("dropped: {reason} ({count} times)");
    }
    Ok(())
}
