//! Random programs of threads as C.

use std::fmt::Write;

use super::model::{AccessKind, NOT_READ, Operand, RandomThread, Statement, ThreadProgram};

const HEAD: &str = include_str!("head.c");

/// One file with several programs; its argument chooses one.
pub(crate) fn source(programs: &[ThreadProgram]) -> String {
    let mut text = HEAD.to_owned();
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&threads(number, program));
    }
    text.push_str("int main(int argc, char **argv) {\n  int program = atoi(argv[1]);\n");
    text.push_str("  pthread_t ids[4];\n");
    text.push_str("  for (int i = 0; i < 2; i++) sem_init(&semaphores[i], 0, 0);\n");
    for (number, program) in programs.iter().enumerate() {
        write_start(&mut text, number, program);
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// The functions of the threads of a program.
pub(crate) fn threads(number: usize, program: &ThreadProgram) -> String {
    let mut text = String::new();
    for (index, thread) in program.threads.iter().enumerate() {
        write_thread(&mut text, number, index, thread);
    }
    text
}

/// The mark in the source on the line of an `abort`.
pub(crate) fn abort_mark(program: usize, abort: usize) -> String {
    format!("/* abort {program} {abort} */")
}

fn write_start(text: &mut String, number: usize, program: &ThreadProgram) {
    let _ = writeln!(text, "  if (program == {number}) {{");
    if program.has_input {
        text.push_str("    klee_make_symbolic(&input, 1, \"input\");\n");
    }
    let count = program.threads.len();
    for index in 0..count {
        let _ = writeln!(text, "    pthread_create(&ids[{index}], 0, thread_{number}_{index}, 0);");
    }
    let _ = writeln!(text, "    for (int i = 0; i < {count}; i++) pthread_join(ids[i], 0);");
    let mut format = "%d %d %d".to_owned();
    let mut values = "x[0], x[1], x[2]".to_owned();
    for (index, thread) in program.threads.iter().enumerate() {
        for register in 0..thread.registers {
            format.push_str(" %d");
            let _ = write!(values, ", results[{index}][{register}]");
        }
    }
    let _ = writeln!(text, "    printf(\"{format}\\n\", {values});\n  }}");
}

fn write_thread(text: &mut String, number: usize, index: usize, thread: &RandomThread) {
    let _ = writeln!(text, "static void *thread_{number}_{index}(void *none) {{");
    for register in 0..thread.registers {
        let _ = writeln!(text, "  int r{register} = {NOT_READ};");
    }
    write_statements(text, number, &thread.statements);
    for register in 0..thread.registers {
        let _ = writeln!(text, "  results[{index}][{register}] = r{register};");
    }
    text.push_str("  return none;\n}\n\n");
}

fn write_statements(text: &mut String, number: usize, statements: &[Statement]) {
    for statement in statements {
        write_statement(text, number, statement);
    }
}

fn write_statement(text: &mut String, number: usize, statement: &Statement) {
    match statement {
        Statement::Access { variable, kind } => {
            let _ = writeln!(text, "  {}", access(*variable, *kind));
        }
        Statement::PlainAccess { variable, kind } => {
            let _ = writeln!(text, "  {}", plain_access(*variable, *kind));
        }
        Statement::Locked { lock, body } => {
            let _ = writeln!(text, "  pthread_mutex_lock(&locks[{lock}]);");
            write_statements(text, number, body);
            let _ = writeln!(text, "  pthread_mutex_unlock(&locks[{lock}]);");
        }
        Statement::TryLocked { lock, to, body } => {
            let _ = writeln!(text, "  r{to} = pthread_mutex_trylock(&locks[{lock}]) == 0;");
            let _ = writeln!(text, "  if (r{to}) {{");
            write_statements(text, number, body);
            let _ = writeln!(text, "  pthread_mutex_unlock(&locks[{lock}]);\n  }}");
        }
        Statement::If { register, equals, then } => {
            let _ = writeln!(text, "  if (r{register} == {equals}) {{");
            write_statements(text, number, then);
            text.push_str("  }\n");
        }
        Statement::IfInput { bit, then } => {
            let _ = writeln!(text, "  if (has_bit({bit})) {{");
            write_statements(text, number, then);
            text.push_str("  }\n");
        }
        Statement::Post(which) => {
            let _ = writeln!(text, "  sem_post(&semaphores[{which}]);");
        }
        Statement::WaitForPost(which) => {
            let _ = writeln!(text, "  sem_wait(&semaphores[{which}]);");
        }
        Statement::TryWaitForPost(which, to) => {
            let _ = writeln!(text, "  r{to} = sem_trywait(&semaphores[{which}]) == 0;");
        }
        Statement::WaitForSignal(which) => {
            let _ = writeln!(text, "  pthread_mutex_lock(&locks[{which}]);");
            let _ = writeln!(text, "  pthread_cond_wait(&conditions[{which}], &locks[{which}]);");
            let _ = writeln!(text, "  pthread_mutex_unlock(&locks[{which}]);");
        }
        Statement::Signal(which) => {
            let _ = writeln!(text, "  pthread_cond_signal(&conditions[{which}]);");
        }
        Statement::Abort(abort) => {
            let _ = writeln!(text, "  abort(); {}", abort_mark(number, *abort));
        }
        Statement::Exit => text.push_str("  _exit(5);\n"),
    }
}

fn access(variable: usize, kind: AccessKind) -> String {
    match kind {
        AccessKind::Load(to) => format!("r{to} = LOAD({variable});"),
        AccessKind::Store(value) => format!("STORE({variable}, {});", shown(value)),
        AccessKind::Add(value, to) => format!("r{to} = ADD({variable}, {value});"),
        AccessKind::Exchange(value, to) => {
            format!("r{to} = EXCHANGE({variable}, {});", shown(value))
        }
        AccessKind::CompareExchange(expected, value, to) => {
            format!("r{to} = compare_exchange({variable}, {expected}, {});", shown(value))
        }
    }
}

/// There are no plain accesses but loads and stores.
fn plain_access(variable: usize, kind: AccessKind) -> String {
    match kind {
        AccessKind::Store(value) => format!("PLAIN({variable}) = {};", shown(value)),
        AccessKind::Load(to)
        | AccessKind::Add(_, to)
        | AccessKind::Exchange(_, to)
        | AccessKind::CompareExchange(_, _, to) => format!("r{to} = PLAIN({variable});"),
    }
}

fn shown(operand: Operand) -> String {
    match operand {
        Operand::Constant(value) => value.to_string(),
        Operand::After(register) => format!("r{register} + 1"),
    }
}
