//! Building an engine and starting a run.

use std::sync::Arc;

use everett_expr::Pool;
use everett_interp::{Image, Reg};
use everett_ir::{FuncId, Program};
use everett_memory::{AddressSpace, Kind, Site};

use crate::config::{Argument, EngineConfig};
use crate::error::EngineError;
use crate::extra::{Extra, Notebook};
use crate::observer::Observer;
use crate::primitives::{Cx, Primitives, St};
use crate::report::Summary;
use crate::run::Run;

/// A program, ready to be explored.
///
/// [`Engine::run`] may be called several times; each run starts from the beginning and, for equal
/// configurations, does the same.
pub struct Engine {
    image: Image,
    memory: AddressSpace,
    entry: FuncId,
    config: EngineConfig,
    undefined: Vec<String>,
}

impl Engine {
    /// Loads a program. Fails if it has no entry function or lacks variables.
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
        let (image, memory) = Image::load(program)?;
        Ok(Engine { image, memory, entry, config, undefined })
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
        let mut machine = Primitives::new(&self.image.program, &self.config);
        let mut first = Box::new(St::new(self.memory.fork(), Extra::new(Notebook::default())));
        let mut run = Run::new(&self.image, &pool, &self.config, observer);
        run.with_interp(|cx| self.start(cx, &mut machine, &mut first));
        run.explore(machine, first)
    }

    /// Pushes the first frames: the entry function, and on top of it the constructors.
    fn start(&self, cx: &mut Cx<'_>, machine: &mut Primitives, st: &mut St) {
        let args = match &self.config.arguments {
            Some(arguments) => self.chosen_arguments(cx, machine, st, arguments),
            None => self.main_arguments(st),
        };
        cx.enter(st, self.entry, &args);
        for constructor in self.image.program.constructors.iter().rev() {
            cx.enter(st, *constructor, &[]);
        }
    }

    fn chosen_arguments(
        &self,
        cx: &Cx<'_>,
        machine: &mut Primitives,
        st: &mut St,
        arguments: &[Argument],
    ) -> Vec<Reg> {
        let params = &self.image.program.function(self.entry).params;
        arguments
            .iter()
            .zip(params)
            .map(|(argument, width)| self.argument(cx, machine, st, argument, (*width).into()))
            .collect()
    }

    fn argument(
        &self,
        cx: &Cx<'_>,
        machine: &mut Primitives,
        st: &mut St,
        argument: &Argument,
        width: u32,
    ) -> Reg {
        match argument {
            Argument::Word(word) => Reg::word(word & (u64::MAX >> (64 - width))),
            Argument::Symbolic(name) => {
                let bytes = width.div_ceil(8);
                let symbol = machine.new_input(cx, st, name, bytes);
                let term = crate::primitives::symbol_term(cx, symbol, bytes);
                cx.term_reg(cx.resize(term, width))
            }
            Argument::Bytes(bytes) => Reg::word(external(&mut st.mem, bytes)),
            Argument::SymbolicBytes { name, size } => {
                let address = external(&mut st.mem, &vec![0; *size as usize]);
                if *size > 0 {
                    let symbol = machine.new_input(cx, st, name, *size);
                    st.mem.make_symbolic(cx.pool, address, symbol).expect("just allocated");
                }
                Reg::word(address)
            }
        }
    }

    /// `argc`, `argv` and `envp`, as many as `main` takes.
    fn main_arguments(&self, st: &mut St) -> Vec<Reg> {
        let argc = self.config.argv.len() as u64;
        let argv = strings(&mut st.mem, &self.config.argv);
        let envp = strings(&mut st.mem, &self.config.envp);
        vec![Reg::word(argc), Reg::word(argv), Reg::word(envp)]
    }
}

/// A null-terminated array of pointers to null-terminated strings.
fn strings(mem: &mut AddressSpace, values: &[Vec<u8>]) -> u64 {
    let mut pointers = Vec::with_capacity(8 * (values.len() + 1));
    for value in values {
        let mut bytes = value.clone();
        bytes.push(0);
        pointers.extend_from_slice(&external(mem, &bytes).to_le_bytes());
    }
    pointers.extend_from_slice(&[0; 8]);
    external(mem, &pointers)
}

fn external(mem: &mut AddressSpace, bytes: &[u8]) -> u64 {
    let size = bytes.len() as u64;
    let address = mem.alloc(size, 16, Kind::External, Site::NONE).expect("arguments are small");
    if size > 0 {
        mem.write_bytes(address, bytes).expect("just allocated");
    }
    address
}

fn undefined_functions(program: &Program, config: &EngineConfig) -> Vec<String> {
    let machine = Primitives::new(program, config);
    let mut called: Vec<&str> = program
        .calls
        .iter()
        .filter_map(|site| match site.callee {
            everett_ir::Callee::Direct(func) => Some(func),
            everett_ir::Callee::Indirect(_) => None,
        })
        .filter(|func| !program.function(*func).defined && !machine.implements(*func))
        .map(|func| program.function(func).name.as_str())
        .collect();
    called.sort_unstable();
    called.dedup();
    called.into_iter().map(str::to_owned).collect()
}
