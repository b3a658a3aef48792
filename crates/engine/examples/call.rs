//! Calls one function of a module with symbolic arguments and shows what each path came to.
//!
//! Usage: `cargo run --example call -- prog.bc FUNCTION`

use std::path::PathBuf;
use std::sync::Arc;

use everett_engine::{Argument, Engine, EngineConfig, NodeConfig, Observer, PathEnd};

/// Prints a line for each path.
struct Paths;

impl Observer for Paths {
    fn wants_paths(&self) -> bool {
        true
    }

    fn path(&mut self, path: &PathEnd) {
        let inputs: Vec<String> = path
            .inputs
            .iter()
            .map(|input| format!("{} = {:02x?}", input.name, input.bytes))
            .collect();
        println!("{:?} with {}", path.outcome, inputs.join(", "));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1);
    let (Some(file), Some(name)) = (args.next(), args.next()) else {
        return Err("usage: call prog.bc FUNCTION".into());
    };
    let name = name.to_string_lossy().into_owned();
    let program =
        Arc::new(everett_llvm::load(&[PathBuf::from(file)], &Default::default())?.program);
    let func = program.function_named(&name).ok_or("the module has no such function")?;
    let parameters = program.function(func).params.len();
    let arguments = (0..parameters).map(|i| Argument::Symbolic(format!("arg{i}"))).collect();
    let node = NodeConfig { entry: name, arguments: Some(arguments), ..NodeConfig::default() };
    let config = EngineConfig { node, ..EngineConfig::default() };
    let summary = Engine::new(program, config)?.run(&mut Paths);
    println!(
        "{} findings on {} paths",
        summary.findings.len(),
        summary.paths + summary.paths_failed
    );
    Ok(())
}
