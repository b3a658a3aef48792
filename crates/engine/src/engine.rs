//! Building an engine and starting a run.

use std::sync::Arc;

use everett_expr::Pool;
use everett_interp::{Images, ProgramId};
use everett_ir::{FuncId, Program};
use everett_posix::{Kernel, Node};

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::observer::Observer;
use crate::primitives::{Primitives, Table};
use crate::programs::Library;
use crate::report::Summary;
use crate::run::Run;
use crate::start::{self, Beginning};

/// A program, ready to be explored.
///
/// [`Engine::run`] may be called several times; each run starts from the beginning and, for equal
/// configurations, does the same.
pub struct Engine {
    images: Images,
    program: ProgramId,
    node: Node,
    entry: FuncId,
    config: EngineConfig,
    undefined: Vec<String>,
}

impl Engine {
    /// Loads a program. Fails if it has no entry function or lacks variables, or if files that the
    /// configuration names cannot be shown to it.
    pub fn new(program: Arc<Program>, config: EngineConfig) -> Result<Engine, EngineError> {
        let missing: Vec<String> =
            program.globals.iter().filter(|g| g.external).map(|g| g.name.clone()).collect();
        if !missing.is_empty() {
            return Err(EngineError::UndefinedGlobals { names: missing });
        }
        let entry = program
            .function_named(&config.entry)
            .filter(|func| program.function(*func).defined)
            .ok_or_else(|| EngineError::NoEntry { name: config.entry.clone() })?;
        if let Some(arguments) = &config.arguments {
            let expected = program.function(entry).params.len();
            if arguments.len() != expected {
                let function = config.entry.clone();
                return Err(EngineError::Arguments { function, expected, given: arguments.len() });
            }
        }
        let undefined = undefined_functions(&program, &config);
        let images = Images::new();
        let program = images.load(program)?;
        let node = start::node(&config, program)?;
        Ok(Engine { images, program, node, entry, config, undefined })
    }

    /// Functions that are called but neither defined nor implemented by the engine.
    pub fn undefined_functions(&self) -> &[String] {
        &self.undefined
    }

    /// Explores the program within the configured limits.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Summary {
        for name in &self.undefined {
            observer.warning(&format!(
                "undefined function '{name}' is called; a path that reaches it ends"
            ));
        }
        let pool = Pool::new();
        let mut library = Library::new(self.config.programs.clone());
        if let Some(Ok(bytes)) = self.config.executable.as_ref().map(std::fs::read) {
            library.add(&bytes, self.program);
        }
        let kernel = Kernel::new(self.config.kernel.clone(), Box::new(library));
        let machine = Primitives::new(&self.config, kernel, self.node.fs.clone());
        let mut run = Run::new(&self.images, &pool, &self.config, &self.node.fs, observer);
        let beginning = Beginning {
            config: &self.config,
            images: &self.images,
            program: self.program,
            entry: self.entry,
            node: &self.node,
        };
        let first = run.with_interp(self.program, |cx| beginning.states(cx));
        run.explore(machine, first)
    }
}

fn undefined_functions(program: &Program, config: &EngineConfig) -> Vec<String> {
    let table = Table::new(program, &config.symbolic_functions);
    let mut called: Vec<&str> = program
        .calls
        .iter()
        .filter_map(|site| match site.callee {
            everett_ir::Callee::Direct(func) => Some(func),
            everett_ir::Callee::Indirect(_) => None,
        })
        .filter(|func| !program.function(*func).defined && !table.implements(*func))
        .map(|func| program.function(func).name.as_str())
        .collect();
    called.sort_unstable();
    called.dedup();
    called.into_iter().map(str::to_owned).collect()
}
