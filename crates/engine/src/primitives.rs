//! Functions that C code calls and the engine implements.
//!
//! One table maps names to [`Primitive`]s; handlers live by family. A handler has one shape: it
//! reads its arguments, forks or reports through the interpreter, writes its result and says where
//! control goes.

mod call;
mod check;
mod decode;
mod heap;
mod inputs;
mod invariant;
mod libraries;
mod live;
mod network;
mod panic;
mod process;
mod redirect;
mod sanitizer;
mod strings;
mod trojan;
mod unwind;
mod values;

use std::collections::BTreeSet;

use everett_base::hash::Map;
use everett_fs::Fs;
use everett_interp::{
    Bug, BugKind, CallArgs, Flow, Halt, LoggedAccess, Machine, PathEnding, ProgramId, Reg,
    SharedAccess, Stop, UnsupportedFeature,
};
use everett_ir::{FuncId, Program};
use everett_memory::ByteValue;
use everett_posix::{EventCall, Guest, Kernel, SavedFile};

use crate::api::config::{EngineConfig, StringMode};
use crate::api::live::LivePeer;
use crate::programs::libc_names::is_of_c_library;
use crate::state::inputs::fresh_bytes;
use crate::state::node_state::{Interpreter, NodeState, PathState, bug};
use crate::trojans::TrojanPhase;

use call::PrimitiveCall;
use strings::ResultUses;
pub use strings::string_functions;

macro_rules! primitives {
    ($($name:literal => $variant:ident),* $(,)?) => {
        /// A function that the engine implements.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Primitive {
            $($variant,)*
            Strings(strings::StringFunction),
            FailedCheck(sanitizer::FailedCheck),
        }

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
    "everett_faults" => Faults,
    "everett_preempt_off" => PreemptOff,
    "everett_preempt_on" => PreemptOn,
    "everett_preemptions" => Preemptions,
    "everett_accept" => Accept,
    "everett_reject" => Reject,
    "everett_message" => NamedMessage,
    "everett_decode" => Decode,
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
    "__assert_fail" => AssertFail,
    "__cxa_pure_virtual" => PureVirtual,
    "__stack_chk_fail" => StackCheckFail,
    "setjmp" => SetJump,
    "_setjmp" => SetJumpPlain,
    "sigsetjmp" => SetJumpMask,
    "__sigsetjmp" => SetJumpMaskInner,
    "longjmp" => LongJump,
    "_longjmp" => LongJumpPlain,
    "klee_net_write_filesystem" => WriteFiles,
    "klee_invariant_expose_data" => Expose,
    "klee_net_make_ipv4" => NetMakeIpv4,
    "klee_net_add_network" => NetAddNetwork,
    "klee_net_add_router" => NetAddRouter,
    "klee_net_add_interface" => NetAddInterface,
    "klee_net_add_ipv4_address" => NetAddAddress,
    "klee_net_add_route" => NetAddRoute,
    "klee_net_host_setup" => NetHostSetup,
    "klee_net_will_get_events" => NetWillGet,
    "klee_net_has_pending_events" => NetHasPending,
    "klee_net_events_get" => NetEventsGet,
    "klee_net_event_put" => NetEventPut,
    "klee_net_event_remove" => NetEventRemove,
    "klee_net_event_data_alloc" => NetDataAlloc,
    "klee_net_event_data_free" => NetDataFree,
    "__everett_syscall" => SystemCall,
    "__everett_clone" => Clone,
    "__everett_set_tp" => SetThreadPointer,
    "__everett_yield" => Yield,
    "__everett_draw" => Draw,
    "__everett_constructor" => Constructor,
    "__everett_live_open" => LiveOpen,
    "__everett_live_send" => LiveSend,
    "__everett_live_close" => LiveClose,
    "__everett_live_listen" => LiveListen,
    "__everett_live_relay" => LiveRelay,
    "__everett_destructor" => Destructor,
    "__everett_landing_below" => LandingBelow,
    "__everett_landing_clause" => LandingClause,
    "__everett_land" => Land,
    "__everett_frame_of" => FrameOf,
    "__everett_terminate" => Terminate,
    "__everett_panic" => Panic,
    "__everett_dl_read" => LibraryRead,
    "__everett_dl_link" => LibraryLink,
    "__everett_dl_symbol" => LibrarySymbol,
    "__everett_dl_function" => LibraryFunction,
    "__everett_dl_at" => LibraryAt,
    "__everett_dl_caller" => LibraryCaller,
}

/// The names of all functions that the engine implements.
pub fn primitive_names() -> impl Iterator<Item = &'static str> {
    let own = TABLE.iter().map(|(name, _)| *name);
    own.chain(string_functions().iter().copied())
        .chain(sanitizer::TABLE.iter().map(|(name, _)| *name))
}

/// Returns `true` if the engine implements a function of this name.
pub fn is_primitive(name: &str) -> bool {
    primitive_names().any(|known| known == name)
}

/// The engine's side of calls outward.
pub(crate) struct Primitives {
    /// The declared functions of each program, by the program's number.
    tables: Vec<PrimitiveTable>,
    /// Undefined functions that return a fresh symbolic value when called; `*` means all.
    symbolic: BTreeSet<String>,
    /// The behaviour of string functions on symbolic bytes.
    strings: StringMode,
    /// The uses that programs make of the results of string functions.
    result_uses: ResultUses,
    /// The simulated kernel.
    pub(crate) kernel: Kernel,
    /// The files of each node as they were at the start.
    pub(crate) start: Vec<Fs<ByteValue>>,
    /// Changed files that programs asked for since the observer was last told.
    pub(crate) saved: Vec<Vec<SavedFile>>,
    /// Programs may still become nodes.
    pub(crate) booting: bool,
    /// There are invariants to expose data to.
    invariants: bool,
    /// The peer of each node that has one.
    pub(crate) live: Vec<Option<LivePeer>>,
    /// The phase of the search for Trojan messages, if the run replaces messages.
    pub(crate) trojans: Option<TrojanPhase>,
    /// Messages for the user, in order.
    pub(crate) warnings: Vec<String>,
    warned: BTreeSet<String>,
}

/// The table of a program's declared functions that the engine implements.
#[derive(Default)]
pub(crate) struct PrimitiveTable(Map<FuncId, FunctionImplementation>);

/// The engine's implementation of a function without a body.
#[derive(Clone, Copy)]
enum FunctionImplementation {
    Primitive(Primitive),
    /// Another function that the program defines.
    Function(FuncId),
    /// It returns a fresh symbolic value.
    Symbolic,
}

/// Forms of `new` and `delete`, and the one that the library's version of each calls: a program that
/// defines the latter has replaced both.
const FORMS: &[(&str, &str)] =
    &[("_Znam", "_Znwm"), ("_ZdlPvm", "_ZdlPv"), ("_ZdaPv", "_ZdlPv"), ("_ZdaPvm", "_ZdaPv")];

/// The function of a program that is called where a form of `new` or `delete` is.
fn replacement(program: &Program, name: &str) -> Option<FuncId> {
    let (_, simpler) = FORMS.iter().find(|(form, _)| *form == name)?;
    let defined = program.function_named(simpler).filter(|func| program.function(*func).defined);
    defined.or_else(|| replacement(program, simpler))
}

impl PrimitiveTable {
    pub(crate) fn new(program: &Program, symbolic: &BTreeSet<String>) -> PrimitiveTable {
        let strings = strings::TABLE.iter().map(|(name, f)| (*name, Primitive::Strings(*f)));
        let checks = sanitizer::TABLE.iter().map(|(name, c)| (*name, Primitive::FailedCheck(*c)));
        let own = TABLE.iter().copied();
        let known: Map<&str, Primitive> = own.chain(strings).chain(checks).collect();
        let all = symbolic.contains("*");
        let replaced = |name: &str| replacement(program, name);
        let implementation = |name: &str| match known.get(name) {
            Some(_) if let Some(function) = replaced(name) => {
                Some(FunctionImplementation::Function(function))
            }
            Some(primitive) => Some(FunctionImplementation::Primitive(*primitive)),
            None if all || symbolic.contains(name) => Some(FunctionImplementation::Symbolic),
            None => None,
        };
        let declared = program.functions.iter().enumerate().filter(|(_, f)| !f.defined);
        let found = declared
            .filter_map(|(i, f)| Some((FuncId::from_index(i), implementation(&f.name)?)))
            .collect();
        PrimitiveTable(found)
    }

    /// Returns `true` if a declared function is implemented here.
    pub(crate) fn implements(&self, func: FuncId) -> bool {
        self.0.contains_key(&func)
    }
}

impl Primitives {
    pub(crate) fn new(config: &EngineConfig, kernel: Kernel) -> Primitives {
        Primitives {
            tables: Vec::new(),
            symbolic: config.symbolic_functions.clone(),
            strings: config.strings,
            result_uses: ResultUses::default(),
            kernel,
            start: Vec::new(),
            saved: Vec::new(),
            booting: false,
            invariants: config.invariants.is_some(),
            live: Vec::new(),
            trojans: None,
            warnings: Vec::new(),
            warned: BTreeSet::new(),
        }
    }

    /// The implementation of a function of the running program.
    fn implementation(
        &mut self,
        cx: &Interpreter<'_>,
        st: &PathState,
        func: FuncId,
    ) -> Option<FunctionImplementation> {
        while self.tables.len() <= st.program.index() {
            let program = &cx.images.image(ProgramId::from_index(self.tables.len())).program;
            self.tables.push(PrimitiveTable::new(program, &self.symbolic));
        }
        self.tables[st.program.index()].0.get(&func).copied()
    }

    fn abort(&mut self, call: &mut PrimitiveCall<'_, '_>, message: &str) -> Result<Flow, Halt> {
        Ok(self.kernel.abort(call.cx, call.st, Bug::new(BugKind::Abort, message))?)
    }

    fn event_call(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        which: EventCall,
    ) -> Result<Flow, Halt> {
        Ok(self.kernel.event_call(call.cx, call.st, which, call.args)?)
    }

    /// The messages that are not to be repeated.
    pub(crate) fn warned(&self) -> &BTreeSet<String> {
        &self.warned
    }

    /// Does not repeat these messages.
    pub(crate) fn set_warned(&mut self, warned: BTreeSet<String>) {
        self.warned = warned;
    }

    fn warn_once(&mut self, message: String) {
        if self.warned.insert(message.clone()) {
            self.warnings.push(message);
        }
    }
}

/// The name of inputs that stand for what an ignored bug reads.
const PAST_BUG: &str = "past-bug";

impl Machine for Primitives {
    type Extra = NodeState;

    fn call(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        func: FuncId,
        args: &CallArgs<'_>,
    ) -> Result<Flow, Halt> {
        match self.implementation(cx, st, func) {
            Some(FunctionImplementation::Primitive(primitive)) => {
                let widened = widened(primitive, cx, func, args);
                let args = widened.as_ref().unwrap_or(args);
                let flow = self.dispatch(primitive, &mut PrimitiveCall { cx, st, args });
                let flow = Halt::flow_of(flow)?;
                if flow == Flow::Next && primitive.returns_nothing() {
                    // A call without a prototype may expect something all the same.
                    cx.return_value(st, args, Reg::word(0));
                }
                Ok(flow)
            }
            Some(FunctionImplementation::Function(function)) => {
                cx.enter_instead(st, function, &args.fixed);
                Ok(Flow::Enter)
            }
            Some(FunctionImplementation::Symbolic) => {
                self.fresh_result(&mut PrimitiveCall { cx, st, args }, func)
            }
            None => undefined(cx, func),
        }
    }

    fn finished(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        value: Option<Reg>,
    ) -> Result<Flow, Halt> {
        Ok(self.kernel.thread_returned(cx, st, value)?)
    }

    fn anything(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        bytes: u32,
    ) -> Option<Vec<ByteValue>> {
        fresh_bytes(cx, st, PAST_BUG, bytes).ok()
    }

    fn pass_call(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        func: FuncId,
        args: &CallArgs<'_>,
        kind: BugKind,
    ) -> Result<bool, Stop> {
        let Some(FunctionImplementation::Primitive(primitive)) = self.implementation(cx, st, func)
        else {
            return Ok(false);
        };
        match (kind, primitive) {
            // The check is not the shift, which comes after it.
            (BugKind::Overshift, Primitive::OvershiftCheck) => Ok(true),
            // What cannot be freed stays as it is.
            (BugKind::DoubleFree | BugKind::InvalidFree, Primitive::Free) => Ok(true),
            // The operation comes after its check, and what a panic does after the finding.
            (_, Primitive::FailedCheck(_) | Primitive::Panic) => Ok(true),
            (_, Primitive::Strings(function)) => {
                self.pass_string_function(&mut PrimitiveCall { cx, st, args }, function, func, kind)
            }
            _ => Ok(false),
        }
    }

    fn before_access(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        access: &SharedAccess,
    ) -> Result<(), Halt> {
        self.kernel.before_access(cx, st, access)
    }

    fn after_access(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        access: &LoggedAccess,
    ) -> Result<(), Halt> {
        self.kernel.after_access(cx, st, access)
    }

    fn before_function(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        func: FuncId,
        args: [Reg; 2],
    ) -> Result<(), Halt> {
        self.kernel.before_function(cx, st, func, args)
    }

    fn before_call(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        func: FuncId,
        args: [Reg; 2],
    ) -> Result<FuncId, Halt> {
        self.kernel.check_locks(cx, st, func, args)?;
        if st.extra.node().is_recorded() {
            self.kernel.note_call(cx, st, func);
        }
        trojan::accept_at(cx, st, func);
        let alias = st.extra.aliases.iter().rev().find(|alias| alias.from.contains(&func));
        Ok(alias.map_or(func, |alias| alias.to))
    }
}

impl Primitives {
    fn dispatch(
        &mut self,
        primitive: Primitive,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        match primitive {
            Primitive::MakeSymbolic => self.make_symbolic(call),
            Primitive::Int => self.klee_int(call),
            Primitive::Range => self.klee_range(call),
            Primitive::Choose => self.klee_choose(call),
            Primitive::Assume => self.assume(call),
            Primitive::PreferCex | Primitive::PosixPreferCex => self.prefer(call),
            Primitive::IsSymbolic => self.is_symbolic(call),
            Primitive::IsReplay => self.is_replay(call),
            Primitive::GetValueFloat
            | Primitive::GetValueDouble
            | Primitive::GetValueLong
            | Primitive::GetValueLongLong
            | Primitive::GetValueInt
            | Primitive::GetValueInt64 => self.get_value(call),
            Primitive::ObjectSize => self.object_size(call),
            Primitive::CheckAccess => self.check_access(call),
            Primitive::FixedObject => self.fixed_object(call),
            Primitive::MarkGlobal => self.mark_global(call),
            Primitive::OpenMerge | Primitive::CloseMerge | Primitive::Merge => Ok(Flow::Next),
            Primitive::PrintExpr => self.print_expr(call),
            Primitive::PrintRange => self.print_range(call),
            Primitive::StackTrace => self.stack_trace(call),
            Primitive::Warning => self.warning(call, false),
            Primitive::WarningOnce => self.warning(call, true),
            Primitive::ReportError => self.report_error(call),
            Primitive::KleeAbort => Ok(bug(BugKind::Abort, "klee_abort called")),
            Primitive::SilentExit => Ok(Flow::End(PathEnding::Silent)),
            Primitive::SetForking => self.set_forking(call),
            Primitive::Faults => self.faults(call),
            Primitive::PreemptOff | Primitive::PreemptOn => {
                self.switch_preemption(call, primitive == Primitive::PreemptOn)
            }
            Primitive::Panic => self.panic(call),
            Primitive::Preemptions => self.limit_preemptions(call),
            Primitive::Accept | Primitive::Reject => {
                self.judge_message(call, primitive == Primitive::Accept)
            }
            Primitive::NamedMessage => self.name_message(call),
            Primitive::Decode => self.name_decoder(call),
            Primitive::Alias => self.alias(call),
            Primitive::AliasRegex => self.alias_regex(call),
            Primitive::AliasUndo => self.alias_undo(call),
            Primitive::DivZeroCheck => self.div_zero_check(call),
            Primitive::OvershiftCheck => self.overshift_check(call),
            Primitive::Malloc => self.malloc(call),
            Primitive::New => self.new_objects(call, "__everett_c__Znwm"),
            Primitive::NewArray => self.new_objects(call, "__everett_c__Znam"),
            Primitive::Calloc => self.calloc(call),
            Primitive::Realloc => self.realloc(call),
            Primitive::Memalign | Primitive::AlignedAlloc => self.memalign(call),
            Primitive::PosixMemalign => self.posix_memalign(call),
            Primitive::Free
            | Primitive::Delete
            | Primitive::DeleteArray
            | Primitive::DeleteSized
            | Primitive::DeleteArraySized
            | Primitive::NetDataFree => self.free(call),
            Primitive::Abort => self.abort(call, "abort called"),
            Primitive::AssertFail => self.assert_fail(call),
            Primitive::PureVirtual => self.abort(call, "pure virtual function called"),
            Primitive::StackCheckFail => self.abort(call, "stack protector found damage"),
            Primitive::SetJump | Primitive::SetJumpPlain => call.cx.set_jump(call.st, call.args),
            Primitive::SetJumpMask | Primitive::SetJumpMaskInner => self.set_jump(call),
            Primitive::LongJump | Primitive::LongJumpPlain => self.long_jump(call),
            Primitive::WriteFiles => self.write_files(call),
            Primitive::Expose => self.expose(call),
            Primitive::NetMakeIpv4 => self.net_make_ipv4(call),
            Primitive::NetAddNetwork => self.net_add_network(call),
            Primitive::NetAddRouter => self.net_add_router(call),
            Primitive::NetAddInterface => self.net_add_interface(call),
            Primitive::NetAddAddress => self.net_add_address(call),
            Primitive::NetAddRoute => self.net_add_route(call),
            Primitive::NetHostSetup => self.net_host_setup(call),
            Primitive::NetWillGet => self.event_call(call, EventCall::WillGet),
            Primitive::NetHasPending => self.event_call(call, EventCall::HasPending),
            Primitive::NetEventsGet => self.event_call(call, EventCall::Get),
            Primitive::NetEventPut => self.event_call(call, EventCall::Put),
            Primitive::NetEventRemove => self.event_call(call, EventCall::Remove),
            Primitive::NetDataAlloc => self.event_call(call, EventCall::DataAlloc),
            Primitive::SystemCall => self.kernel.call(call.cx, call.st, call.args),
            Primitive::Clone => Ok(self.kernel.clone(call.cx, call.st, call.args)?),
            Primitive::SetThreadPointer => self.set_thread_pointer(call),
            Primitive::Yield => self.yield_now(call),
            Primitive::Draw => self.draw(call),
            Primitive::Constructor => self.constructor(call),
            Primitive::Destructor => self.destructor(call),
            Primitive::LandingBelow => self.landing_below(call),
            Primitive::LandingClause => self.landing_clause(call),
            Primitive::Land => self.land(call),
            Primitive::FrameOf => self.frame_of(call),
            Primitive::Terminate => self.terminate(call),
            Primitive::LibraryRead => self.dl_read(call),
            Primitive::LibraryLink => self.dl_link(call),
            Primitive::LibrarySymbol => self.dl_symbol(call),
            Primitive::LibraryFunction => self.dl_function(call),
            Primitive::LibraryAt => self.dl_at(call),
            Primitive::LibraryCaller => self.dl_caller(call),
            Primitive::LiveOpen => self.live_open(call),
            Primitive::LiveSend => self.live_send(call),
            Primitive::LiveClose => self.live_close(call),
            Primitive::LiveListen => self.live_listen(call),
            Primitive::LiveRelay => self.live_relay(call),
            Primitive::Strings(function) => self.string_function(call, function),
            Primitive::FailedCheck(check) => self.failed_check(call, check),
        }
    }
}

impl Primitive {
    /// Returns `true` if it is `void` in C.
    fn returns_nothing(self) -> bool {
        matches!(
            self,
            Primitive::MakeSymbolic
                | Primitive::Assume
                | Primitive::PreferCex
                | Primitive::PosixPreferCex
                | Primitive::CheckAccess
                | Primitive::FixedObject
                | Primitive::MarkGlobal
                | Primitive::PrintExpr
                | Primitive::PrintRange
                | Primitive::StackTrace
                | Primitive::Warning
                | Primitive::WarningOnce
                | Primitive::SetForking
                | Primitive::OpenMerge
                | Primitive::CloseMerge
                | Primitive::Merge
                | Primitive::Alias
                | Primitive::AliasRegex
                | Primitive::AliasUndo
                | Primitive::DivZeroCheck
                | Primitive::OvershiftCheck
                | Primitive::Free
                | Primitive::Expose
                | Primitive::Decode
                | Primitive::LiveClose
                | Primitive::FailedCheck(_)
        )
    }

    /// Returns `true` if arguments of any width are taken for what they are.
    fn takes_any_width(self) -> bool {
        matches!(
            self,
            Primitive::Assume
                | Primitive::PreferCex
                | Primitive::PosixPreferCex
                | Primitive::IsSymbolic
                | Primitive::GetValueFloat
                | Primitive::GetValueDouble
                | Primitive::GetValueLong
                | Primitive::GetValueLongLong
                | Primitive::GetValueInt
                | Primitive::GetValueInt64
                | Primitive::PrintExpr
                | Primitive::PrintRange
                | Primitive::DivZeroCheck
        )
    }
}

/// The arguments of a function that was declared without a prototype, where they are symbolic and
/// narrower than the words that primitives take: registers that are filled up with zeros.
fn widened<'s>(
    primitive: Primitive,
    cx: &Interpreter<'_>,
    func: FuncId,
    args: &CallArgs<'s>,
) -> Option<CallArgs<'s>> {
    let program = &cx.image.program;
    let declared = program.signature(program.function(func).signature);
    let unprototyped = declared.var_args && declared.params.is_empty();
    if !unprototyped || primitive.takes_any_width() {
        return None;
    }
    let widen = |reg: &Reg| match reg.term() {
        Some(term) => cx.term_reg(cx.resize(term, 64)),
        None => *reg,
    };
    let fixed = args.fixed.iter().map(widen).collect();
    Some(CallArgs { fixed, widths: &[], ..args.clone() })
}

fn undefined(cx: &Interpreter<'_>, func: FuncId) -> Result<Flow, Halt> {
    let name = &cx.image.program.function(func).name;
    if is_of_c_library(name) {
        return Err(UnsupportedFeature::LibrarySymbol { name: name.clone() }.into());
    }
    let message = format!(
        "call of undefined function '{name}'; link the module that defines it, or let it return a \
         symbolic value with --symbolic-fn {name}"
    );
    Ok(bug(BugKind::UndefinedFunction, message))
}
