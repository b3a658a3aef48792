//! Functions that C code calls and the engine implements.
//!
//! One table maps names to [`Primitive`]s; handlers live by family. A handler has one shape: it
//! reads its arguments, forks or reports through the interpreter, writes its result and says where
//! control goes.

mod check;
mod heap;
mod inputs;
mod process;
mod redirect;
mod strings;
mod values;

use everett_base::hash::Map;
use everett_interp::{Args, Bug, BugKind, Ending, Flow, Interp, Machine, Reg, State, Stop};
use everett_ir::{FuncId, Program};
use everett_replay::KTest;

use crate::config::{EngineConfig, StringMode};
use crate::extra::Extra;

pub(crate) use inputs::symbol_term;
pub use strings::string_functions;

pub(crate) type Cx<'a> = Interp<'a, Extra>;
pub(crate) type St = State<Extra>;

macro_rules! primitives {
    ($($name:literal => $variant:ident),* $(,)?) => {
        /// A function that the engine implements.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Primitive { $($variant,)* Strings(strings::Function) }

        /// Names and what they stand for. Several names may share one primitive's handler.
        const TABLE: &[(&str, Primitive)] = &[$(($name, Primitive::$variant)),*];
    };
}

primitives! {
    "klee_make_symbolic" => MakeSymbolic,
    "klee_int" => Int,
    "klee_range" => Range,
    "klee_choose" => Choose,
    "klee_assume" => Assume,
    "klee_prefer_cex" => PreferCex,
    "klee_posix_prefer_cex" => PosixPreferCex,
    "klee_is_symbolic" => IsSymbolic,
    "klee_is_replay" => IsReplay,
    "klee_get_valuef" => GetValueFloat,
    "klee_get_valued" => GetValueDouble,
    "klee_get_valuel" => GetValueLong,
    "klee_get_valuell" => GetValueLongLong,
    "klee_get_value_i32" => GetValueInt,
    "klee_get_value_i64" => GetValueInt64,
    "klee_get_errno" => GetErrno,
    "klee_get_obj_size" => ObjectSize,
    "klee_check_memory_access" => CheckAccess,
    "klee_define_fixed_object" => FixedObject,
    "klee_mark_global" => MarkGlobal,
    "klee_print_expr" => PrintExpr,
    "klee_print_range" => PrintRange,
    "klee_stack_trace" => StackTrace,
    "klee_warning" => Warning,
    "klee_warning_once" => WarningOnce,
    "klee_report_error" => ReportError,
    "klee_abort" => KleeAbort,
    "klee_silent_exit" => SilentExit,
    "klee_set_forking" => SetForking,
    "klee_open_merge" => OpenMerge,
    "klee_close_merge" => CloseMerge,
    "klee_merge" => Merge,
    "klee_alias_function" => Alias,
    "klee_alias_function_regex" => AliasRegex,
    "klee_alias_undo" => AliasUndo,
    "klee_div_zero_check" => DivZeroCheck,
    "klee_overshift_check" => OvershiftCheck,
    "malloc" => Malloc,
    "_Znwm" => New,
    "_Znam" => NewArray,
    "calloc" => Calloc,
    "realloc" => Realloc,
    "memalign" => Memalign,
    "aligned_alloc" => AlignedAlloc,
    "posix_memalign" => PosixMemalign,
    "free" => Free,
    "_ZdlPv" => Delete,
    "_ZdaPv" => DeleteArray,
    "_ZdlPvm" => DeleteSized,
    "_ZdaPvm" => DeleteArraySized,
    "abort" => Abort,
    "exit" => Exit,
    "_exit" => ExitNow,
    "_Exit" => ExitNowC,
    "atexit" => AtExit,
    "__cxa_atexit" => CxaAtExit,
    "__assert_fail" => AssertFail,
    "__cxa_pure_virtual" => PureVirtual,
    "__cxa_guard_acquire" => GuardAcquire,
    "__cxa_guard_release" => GuardRelease,
    "__stack_chk_fail" => StackCheckFail,
    "__everett_write" => Write,
}

/// The names of all functions that the engine implements.
pub fn primitive_names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name).chain(string_functions().iter().copied())
}

/// Whether the engine implements a function of this name.
pub fn is_primitive(name: &str) -> bool {
    primitive_names().any(|known| known == name)
}

/// The engine's side of calls outward.
pub(crate) struct Primitives {
    table: Map<FuncId, Primitive>,
    /// Undefined functions that return a fresh symbolic value.
    symbolic: Map<FuncId, ()>,
    /// The test case whose inputs are used instead of symbolic ones.
    replay: Option<KTest>,
    /// What string functions do about symbolic bytes.
    strings: StringMode,
    /// Exit handlers that the program brings along, the next one to run last.
    destructors: Vec<FuncId>,
    /// Messages for the user, in order.
    pub(crate) warnings: Vec<String>,
    /// What the program wrote since the observer was last told, with the descriptor.
    pub(crate) written: Vec<(u32, Vec<u8>)>,
    warned: std::collections::BTreeSet<String>,
}

impl Primitives {
    pub(crate) fn new(program: &Program, config: &EngineConfig) -> Primitives {
        let strings = strings::TABLE.iter().map(|(name, f)| (*name, Primitive::Strings(*f)));
        let known: Map<&str, Primitive> = TABLE.iter().copied().chain(strings).collect();
        let declared = || program.functions.iter().enumerate().filter(|(_, f)| !f.defined);
        let table: Map<FuncId, Primitive> = declared()
            .filter_map(|(i, f)| Some((FuncId::from_index(i), *known.get(f.name.as_str())?)))
            .collect();
        let all = config.symbolic_functions.contains("*");
        let symbolic = declared()
            .filter(|(_, f)| all || config.symbolic_functions.contains(&f.name))
            .map(|(i, _)| (FuncId::from_index(i), ()))
            .filter(|(id, ())| !table.contains_key(id))
            .collect();
        let mut destructors = program.destructors.clone();
        destructors.reverse();
        Primitives {
            table,
            symbolic,
            replay: config.replay.clone(),
            strings: config.strings,
            destructors,
            warnings: Vec::new(),
            written: Vec::new(),
            warned: std::collections::BTreeSet::new(),
        }
    }

    /// Whether a declared function is implemented here.
    pub(crate) fn implements(&self, func: FuncId) -> bool {
        self.table.contains_key(&func) || self.symbolic.contains_key(&func)
    }

    fn warn_once(&mut self, message: String) {
        if self.warned.insert(message.clone()) {
            self.warnings.push(message);
        }
    }
}

impl Machine for Primitives {
    type Extra = Extra;

    fn call(
        &mut self,
        cx: &mut Cx<'_>,
        st: &mut St,
        func: FuncId,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        match self.table.get(&func) {
            Some(primitive) => self.dispatch(*primitive, cx, st, args),
            None if self.symbolic.contains_key(&func) => self.fresh_result(cx, st, func, args),
            None => Ok(undefined(cx, func)),
        }
    }

    fn finished(&mut self, cx: &mut Cx<'_>, st: &mut St, value: Option<Reg>) -> Result<Flow, Stop> {
        let status = st.extra.exiting.or(value).unwrap_or(Reg::word(0));
        self.leave(cx, st, status)
    }

    fn redirect(&self, st: &St, func: FuncId) -> FuncId {
        let alias = st.extra.aliases.iter().rev().find(|alias| alias.from.contains(&func));
        alias.map_or(func, |alias| alias.to)
    }
}

impl Primitives {
    fn dispatch(
        &mut self,
        primitive: Primitive,
        cx: &mut Cx<'_>,
        st: &mut St,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        match primitive {
            Primitive::MakeSymbolic => self.make_symbolic(cx, st, args),
            Primitive::Int => self.klee_int(cx, st, args),
            Primitive::Range => self.klee_range(cx, st, args),
            Primitive::Choose => self.klee_choose(cx, st, args),
            Primitive::Assume => self.assume(cx, st, args),
            Primitive::PreferCex | Primitive::PosixPreferCex => self.prefer(cx, st, args),
            Primitive::IsSymbolic => self.is_symbolic(cx, st, args),
            Primitive::IsReplay => self.is_replay(cx, st, args),
            Primitive::GetValueFloat
            | Primitive::GetValueDouble
            | Primitive::GetValueLong
            | Primitive::GetValueLongLong
            | Primitive::GetValueInt
            | Primitive::GetValueInt64 => self.get_value(cx, st, args),
            Primitive::GetErrno => self.get_errno(cx, st, args),
            Primitive::ObjectSize => self.object_size(cx, st, args),
            Primitive::CheckAccess => self.check_access(cx, st, args),
            Primitive::FixedObject => self.fixed_object(cx, st, args),
            Primitive::MarkGlobal => self.mark_global(cx, st, args),
            Primitive::OpenMerge | Primitive::CloseMerge | Primitive::Merge => Ok(Flow::Next),
            Primitive::PrintExpr => self.print_expr(cx, st, args),
            Primitive::PrintRange => self.print_range(cx, st, args),
            Primitive::StackTrace => self.stack_trace(cx, st),
            Primitive::Warning => self.warning(cx, st, args, false),
            Primitive::WarningOnce => self.warning(cx, st, args, true),
            Primitive::ReportError => self.report_error(cx, st, args),
            Primitive::KleeAbort => Ok(bug(BugKind::Abort, "klee_abort called")),
            Primitive::SilentExit => Ok(Flow::End(Ending::Silent)),
            Primitive::SetForking => self.set_forking(cx, st, args),
            Primitive::Alias => self.alias(cx, st, args),
            Primitive::AliasRegex => self.alias_regex(cx, st, args),
            Primitive::AliasUndo => self.alias_undo(cx, st, args),
            Primitive::DivZeroCheck => self.div_zero_check(cx, st, args),
            Primitive::OvershiftCheck => self.overshift_check(cx, st, args),
            Primitive::Malloc => self.malloc(cx, st, args),
            Primitive::New | Primitive::NewArray => self.malloc(cx, st, args),
            Primitive::Calloc => self.calloc(cx, st, args),
            Primitive::Realloc => self.realloc(cx, st, args),
            Primitive::Memalign | Primitive::AlignedAlloc => self.memalign(cx, st, args),
            Primitive::PosixMemalign => self.posix_memalign(cx, st, args),
            Primitive::Free
            | Primitive::Delete
            | Primitive::DeleteArray
            | Primitive::DeleteSized
            | Primitive::DeleteArraySized => self.free(cx, st, args),
            Primitive::Abort => Ok(bug(BugKind::Abort, "abort called")),
            Primitive::Exit => self.exit(cx, st, args),
            Primitive::ExitNow | Primitive::ExitNowC => self.exit_now(cx, st, args),
            Primitive::AtExit => self.at_exit(cx, st, args, false),
            Primitive::CxaAtExit => self.at_exit(cx, st, args, true),
            Primitive::AssertFail => self.assert_fail(cx, st, args),
            Primitive::PureVirtual => Ok(bug(BugKind::Abort, "pure virtual function called")),
            Primitive::GuardAcquire => self.guard_acquire(cx, st, args),
            Primitive::GuardRelease => self.guard_release(cx, st, args),
            Primitive::StackCheckFail => Ok(bug(BugKind::Abort, "stack protector found damage")),
            Primitive::Write => self.write(cx, st, args),
            Primitive::Strings(function) => self.string_function(cx, st, function, args),
        }
    }
}

/// The end of a path in a bug that concerns no object.
pub(crate) fn bug(kind: BugKind, message: impl Into<String>) -> Flow {
    Flow::End(Ending::Bug(Box::new(Bug::new(kind, message))))
}

fn undefined(cx: &Cx<'_>, func: FuncId) -> Flow {
    let name = &cx.image.program.function(func).name;
    let message = format!(
        "call of undefined function '{name}'; link the module that defines it, or let it return a \
         symbolic value with --symbolic-fn {name}"
    );
    bug(BugKind::UndefinedFunction, message)
}
