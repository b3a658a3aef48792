//! Executing another program.
//!
//! A program is a file whose content [`crate::ProgramLoader`] can load: bitcode, or an executable that
//! carries its bitcode. A script names its interpreter in its first line.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_fs::{AccessMode, FollowLinks, FsError, InodeId, InodeKind, S_ISGID, S_ISUID};
use everett_interp::{Flow, ProgramId, ThreadContext};
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::kernel::{Guest, ProgramError};
use crate::state::ids::Tid;
use crate::state::node::Node;
use crate::state::process::Thread;
use crate::state::recording::TrackedThread;
use crate::state::standstill::ProgramStart;
use crate::sys::path::{PathSubject, subject, with_context};
use crate::sys::{close, memory};

/// Longest single argument, with its terminator.
const MAX_STRING: usize = 128 << 10;
/// Most bytes of all arguments and variables together.
const MAX_BYTES: usize = 2 << 20;
/// Bytes of a script that are looked at for its interpreter.
const FIRST_LINE: usize = 256;
/// Scripts that may be the interpreters of scripts.
const MAX_INTERPRETERS: usize = 4;

type Strings = Vec<Vec<ByteValue>>;

pub(crate) fn execve<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let found = subject(call, None, 0, 0)?;
    let name = name_of(call, 0)?;
    let argv = call.arg(1)?;
    let argv = strings(call, argv)?;
    let envp = call.arg(2)?;
    let envp = strings(call, envp)?;
    execute(call, found, name, argv, envp)
}

pub(crate) fn execveat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(4)?;
    if flags & !(linux::AT_EMPTY_PATH | linux::AT_SYMLINK_NOFOLLOW) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let found = subject(call, Some(0), 1, flags)?;
    let name = name_of(call, 1)?;
    let argv = call.arg(2)?;
    let argv = strings(call, argv)?;
    let envp = call.arg(3)?;
    let envp = strings(call, envp)?;
    execute(call, found, name, argv, envp)
}

/// The path as the program gave it, for the interpreter of a script.
fn name_of<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<Vec<u8>, CallHalt> {
    let address = call.arg(index)?;
    let text = call.read_text(address, crate::kernel::call::PATH_MAX)?;
    text.ok_or(Errno::ENAMETOOLONG.into())
}

/// A null-terminated array of C strings, whose bytes may be symbolic.
fn strings<X: Guest>(call: &mut Call<'_, '_, X>, array: u64) -> Result<Strings, CallHalt> {
    let mut found = Vec::new();
    let mut bytes = 0;
    if array == 0 {
        return Ok(found);
    }
    loop {
        let pointer = call.read_u64(array.wrapping_add(8 * found.len() as u64))?;
        if pointer == 0 {
            return Ok(found);
        }
        let Some(text) = call.read_string(pointer, MAX_STRING)? else {
            return Err(Errno::E2BIG.into());
        };
        bytes += text.len() + 9;
        if bytes > MAX_BYTES {
            return Err(Errno::E2BIG.into());
        }
        found.push(text);
    }
}

fn execute<X: Guest>(
    call: &mut Call<'_, '_, X>,
    found: PathSubject,
    name: Vec<u8>,
    mut argv: Strings,
    envp: Strings,
) -> Answer {
    let PathSubject::Inode(mut inode) = found else { return Err(Errno::EACCES.into()) };
    let (mut name, mut interpreters) = (name, 0);
    let (program, executable) = loop {
        let executable = check_executable(call, inode)?;
        let file = content(call, inode)?;
        let Some((interpreter, option)) = script(&file) else {
            break (load(call, &file, &name)?, executable);
        };
        interpreters += 1;
        if interpreters > MAX_INTERPRETERS {
            return Err(Errno::ELOOP.into());
        }
        let rest = argv.split_off(argv.len().min(1));
        argv = vec![known(&interpreter)];
        argv.extend(option.as_deref().map(known));
        argv.push(known(&name));
        argv.extend(rest);
        inode = with_context(call.node_mut(), |fs, ctx| {
            fs.resolve(ctx, &interpreter, FollowLinks::Yes)
        })?;
        name = interpreter;
    };
    replace(call, program, &executable, argv, envp)
}

/// A file that a process may execute; its mode and owner decide whose rights the process gets.
struct ExecutableFile {
    inode: InodeId,
    mode: u32,
    uid: u32,
    gid: u32,
}

/// Checks that the process may execute a file.
fn check_executable<X: Guest>(
    call: &mut Call<'_, '_, X>,
    inode: InodeId,
) -> Result<ExecutableFile, CallHalt> {
    let stat = call.node().disk.fs.stat(inode)?;
    if stat.kind != InodeKind::File {
        return Err(Errno::EACCES.into());
    }
    with_context(call.node_mut(), |fs, ctx| fs.permission(inode, AccessMode::EXECUTE, ctx.cred))?;
    Ok(ExecutableFile { inode, mode: stat.mode, uid: stat.uid, gid: stat.gid })
}

/// The bytes of a file; symbolic ones cannot be executed.
fn content<X: Guest>(call: &mut Call<'_, '_, X>, inode: InodeId) -> Result<Vec<u8>, CallHalt> {
    let bytes = known_content(call.node(), inode)?;
    bytes.ok_or_else(|| call.unsupported("a file with symbolic bytes"))
}

/// The bytes of a file; `None` if some of them are symbolic.
pub(super) fn known_content(node: &Node, inode: InodeId) -> Result<Option<Vec<u8>>, FsError> {
    let mut bytes = vec![0; node.disk.fs.stat(inode)?.size as usize];
    let read = node.disk.fs.read_concrete(inode, 0, &mut bytes)?;
    Ok(read.map(|read| {
        bytes.truncate(read);
        bytes
    }))
}

/// The interpreter of a script and the rest of its first line.
fn script(file: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    let line = file.strip_prefix(b"#!")?;
    let line = &line[..line.len().min(FIRST_LINE)];
    let line = line.split(|byte| *byte == b'\n').next()?.trim_ascii();
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    let option = line[end..].trim_ascii();
    let option = (!option.is_empty()).then(|| option.to_vec());
    Some((line[..end].to_vec(), option))
}

fn load<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: &[u8],
    name: &[u8],
) -> Result<ProgramId, CallHalt> {
    match call.kernel.programs.load(call.cx.images, file) {
        Ok(program) => Ok(program),
        Err(ProgramError::NotAProgram) => Err(Errno::ENOEXEC.into()),
        Err(error) => {
            let name = String::from_utf8_lossy(name);
            Err(call.unsupported(format!("{name}: {error}")))
        }
    }
}

/// Puts another program into the running process. From here on, nothing can fail.
fn replace<X: Guest>(
    call: &mut Call<'_, '_, X>,
    program: ProgramId,
    file: &ExecutableFile,
    argv: Strings,
    envp: Strings,
) -> Answer {
    let ExecutableFile { inode, mode, uid, gid } = *file;
    let image = call.cx.images.image(program);
    let Some(entry) = image.program.function_named("main") else {
        return Err(Errno::ENOEXEC.into());
    };
    memory::write_back(call.cx.pool, call.st.extra.node_mut(), &mut call.st.mem)?;
    call.node_mut().process_mut().mappings = Arc::default();
    let executable = call.node().disk.fs.name_of(inode).unwrap_or_default();
    call.kernel.note_exec(call.st, &executable);
    let node = call.node_mut();
    close_on_exec(node);
    let (pid, _) = node.volatile.running;
    let kept = std::mem::take(node.thread_mut());
    // The first thread has the number of its process, whichever thread calls.
    let first = Tid(pid.0);
    let tracked = TrackedThread::begun().into();
    let thread = Thread { mask: kept.mask, pending: kept.pending, tracked, ..Thread::default() };
    let process = node.process_mut();
    process.api_calls.clear();
    process.threads = BTreeMap::from([(first, Arc::new(thread))]);
    process.program = program;
    process.actions = Arc::new(process.actions.after_exec());
    process.mappings = Arc::default();
    process.executed = true;
    if mode & S_ISUID != 0 {
        process.ids.effective_uid = uid;
    }
    if mode & S_ISGID != 0 {
        process.ids.effective_gid = gid;
    }
    process.ids.saved_uid = process.ids.effective_uid;
    process.ids.saved_gid = process.ids.effective_gid;
    let last = executable.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    process.name = last[..last.len().min(15)].to_vec();
    process.executable = executable.into();
    let ids = process.ids.for_start();
    node.volatile.running = (pid, first);
    node.changed();
    let random = node.random_bytes();
    begin(call, program, entry, ProgramStart { argv, envp, random, ids })
}

fn begin<X: Guest>(
    call: &mut Call<'_, '_, X>,
    program: ProgramId,
    entry: everett_ir::FuncId,
    start: ProgramStart,
) -> Answer {
    let cache = call.st.mem.release_cache();
    call.st.mem = call.cx.images.memory(program);
    if let Some(cache) = cache {
        call.st.mem.adopt_cache(cache);
    }
    call.st.swap_thread(&mut ThreadContext::new());
    call.st.program = program;
    let kernel = &mut *call.kernel;
    kernel.with_image(call.cx, call.st, |_, cx, st| start.enter(cx, st, entry, None));
    kernel.threads_changed(call.cx.images, call.st);
    Ok(Reply::Control(Flow::Switched))
}

fn close_on_exec(node: &mut Node) {
    let closing: Vec<u32> = node
        .process()
        .descriptors
        .iter()
        .filter(|(_, entry)| entry.close_on_exec)
        .map(|(number, _)| number)
        .collect();
    for number in closing {
        let table = Arc::make_mut(&mut node.process_mut().descriptors);
        if let Some(entry) = table.remove(number) {
            close::close_entry(node, entry);
        }
    }
}

fn known(text: &[u8]) -> Vec<ByteValue> {
    text.iter().copied().map(ByteValue::Concrete).collect()
}
