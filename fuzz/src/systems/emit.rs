//! Random systems as C and as scenarios.

use std::fmt::Write;
use std::path::Path;

use super::model::{
    Expression, Helper, INPUT_MASK, Operator, RandomNode, RandomSystem, Statement, VARIABLES,
};
use super::simulate::LAST_SLEEPS_MS;

const HEAD: &str = include_str!("head.c");

/// One file with all nodes of several systems; its arguments choose system and node.
pub(crate) fn source(systems: &[RandomSystem]) -> String {
    let mut text = HEAD.to_owned();
    for (number, system) in systems.iter().enumerate() {
        text.push_str(&nodes(number, system));
    }
    text.push_str("int main(int argc, char **argv) {\n  int system = atoi(argv[1]);\n");
    text.push_str("  self = atoi(argv[2]);\n  open_sockets(atoi(argv[3]));\n");
    for (number, system) in systems.iter().enumerate() {
        for node in 0..system.nodes.len() {
            let condition = format!("system == {number} && self == {node}");
            let _ = writeln!(text, "  if ({condition}) return node_{number}_{node}();");
        }
    }
    text.push_str("  return 99;\n}\n");
    text
}

/// The functions of the nodes of a system.
pub(crate) fn nodes(number: usize, system: &RandomSystem) -> String {
    let mut text = String::new();
    for (index, node) in system.nodes.iter().enumerate() {
        let _ = writeln!(text, "static int node_{number}_{index}(void) {{");
        write_node(&mut text, node, LAST_SLEEPS_MS[index]);
        text.push_str("}\n\n");
    }
    text
}

/// The scenario that runs a system of a program.
pub(crate) fn scenario(number: usize, system: &RandomSystem, program: &Path) -> String {
    let mut text = "[network.lan]\nsubnet = \"10.0.0.0/24\"\n".to_owned();
    let count = system.nodes.len();
    for node in 0..count {
        let address = format!("10.0.0.{}", node + 1);
        let program = program.display().to_string();
        let _ = writeln!(
            text,
            "\n[[node]]\nname = \"n{node}\"\nprogram = {program:?}\naddress = \"{address}\"\n\
             server = false\nargs = [\"{number}\", \"{node}\", \"{count}\"]"
        );
    }
    text
}

fn write_node(text: &mut String, node: &RandomNode, last_sleep_ms: u32) {
    let _ = writeln!(text, "  u8 v[{VARIABLES}] = {{0}};");
    if node.is_symbolic {
        text.push_str("  u8 input;\n  klee_make_symbolic(&input, 1, \"input\");\n");
        let _ = writeln!(text, "  v[0] = input & {INPUT_MASK};");
    }
    for statement in &node.statements {
        write_statement(text, statement);
    }
    text.push_str("  int status = choose(v[1]);\n");
    let _ = writeln!(text, "  wait_ms({last_sleep_ms});\n  return status;");
}

fn write_statement(text: &mut String, statement: &Statement) {
    let line = match statement {
        Statement::Assign { to, value } => format!("v[{to}] = {};", shown(value)),
        Statement::If { condition, then } => {
            let _ = writeln!(text, "  if (decide({})) {{", shown(condition));
            for statement in then {
                write_statement(text, statement);
            }
            "}".to_owned()
        }
        Statement::Sleep { ms } => format!("wait_ms({ms});"),
        Statement::Send { peer, value } => format!("send_to({peer}, {});", shown(value)),
        Statement::Receive { peer, to, timeout_ms } => {
            // No timeout of a socket is a timeout of zero.
            format!("v[{to}] = receive_from({peer}, {});", timeout_ms.unwrap_or(0))
        }
        Statement::Call { peer, value, to } => {
            format!("v[{to}] = call({peer}, {});", shown(value))
        }
        Statement::Serve { peer, reply, to } => {
            let accept = format!("int fd = accepted({peer}, &v[{to}]);");
            format!("{{ {accept} answer(fd, {}); }}", shown(reply))
        }
        Statement::Delegate { helper, ms, send, value, to } => {
            let (peer, message) = match send {
                Some((peer, value)) => (peer.to_string(), shown(value)),
                None => ("-1".to_owned(), "0".to_owned()),
            };
            let how = match helper {
                Helper::Process => "by_process",
                Helper::Thread => "by_thread",
            };
            let errand = format!("(struct errand){{{ms}, {peer}, {message}, {}}}", shown(value));
            format!("v[{to}] = choose({how}({errand}));")
        }
    };
    let _ = writeln!(text, "  {line}");
}

fn shown(expression: &Expression) -> String {
    match expression {
        Expression::Constant(value) => value.to_string(),
        Expression::Variable(index) => format!("v[{index}]"),
        Expression::Binary(operator, left, right) => {
            let operator = match operator {
                Operator::Add => "+",
                Operator::Xor => "^",
                Operator::And => "&",
                Operator::Multiply => "*",
                Operator::Less => "<",
                Operator::Equal => "==",
            };
            format!("(u8)({} {operator} {})", shown(left), shown(right))
        }
    }
}
