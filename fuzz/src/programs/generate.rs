//! Random functions in C over one or two bytes, without undefined behaviour but where they fail on purpose.
//!
//! Each function has the form `u32 program_N(u8 a, u8 b)` and returns a number that depends on all of its
//! variables. Natively a failure is noticed before it happens, as a bug would end the run for all values;
//! in the engine it happens, on a line that ends with `/* fail NUMBER */`.

use std::fmt::Write;

use everett_fuzz::choices::Choices;

/// How deep expressions are nested.
const EXPRESSION_DEPTH: u32 = 3;
/// How deep blocks are nested: each level may multiply the number of paths.
const BLOCK_DEPTH: u32 = 2;
/// Statements in the outermost block.
const STATEMENTS_MAX: u32 = 10;

/// Numbers at which conversions and comparisons go wrong.
const CONSTANTS: [&str; 12] =
    ["0", "1", "2", "7", "100", "127", "128", "255", "256", "65535", "2147483647", "1000000007"];
const TYPES: [&str; 8] = ["u8", "u32", "i32", "u64", "i8", "u16", "i16", "i64"];
const OPERATIONS: [&str; 14] =
    ["add", "sub", "and", "xor", "or", "lt", "eq", "mul", "shr", "shl", "min", "rot", "div", "rem"];

/// A function, and how many symbolic bytes it takes.
pub(crate) struct RandomFunction {
    pub(crate) text: String,
    pub(crate) symbolic_bytes: u32,
}

/// Makes function number `number` of a file. Failures are numbered from `100 * number` on.
pub(crate) fn function(input: &[u8], number: usize) -> RandomFunction {
    let mut choices = Choices::new(input);
    let symbolic_bytes = if choices.below(3) == 2 { 2 } else { 1 };
    let mut writer = FunctionWriter {
        choices,
        text: String::new(),
        depth: 0,
        variables: vec![Variable::new("a", "u8"), Variable::new("b", "u8")],
        names: 0,
        next_failure: 100 * number,
        symbolic_bytes,
    };
    writer.function(number);
    RandomFunction { text: writer.text, symbolic_bytes }
}

#[derive(Clone)]
struct Variable {
    name: String,
    ty: &'static str,
}

impl Variable {
    fn new(name: &str, ty: &'static str) -> Variable {
        Variable { name: name.to_owned(), ty }
    }
}

struct FunctionWriter<'a> {
    choices: Choices<'a>,
    text: String,
    /// How many blocks are open inside of the function.
    depth: u32,
    /// Variables that can be named here, the inputs first.
    variables: Vec<Variable>,
    names: u32,
    next_failure: usize,
    symbolic_bytes: u32,
}

impl FunctionWriter<'_> {
    fn function(&mut self, number: usize) {
        let _ = writeln!(self.text, "static u32 program_{number}(u8 a, u8 b) {{");
        let third = self.constant();
        self.line(&format!("u8 bytes[8] = {{0, 0, (u8){third}, 65, 0, 66, 9, 0}};"));
        self.line("u16 shorts[4] = {0, 0, 3, 300};");
        // Expressions may name both arrays, which therefore have all of their bytes before.
        for (array, ty) in [("bytes", "u8"), ("shorts", "u16")] {
            for index in 0..2 {
                let value = self.expression(ty, 1);
                self.line(&format!("{array}[{index}] = {value};"));
            }
        }
        self.line("struct parts parts = {1, 2, 3, -4, 5};");
        self.line("u32 sum = 0;");
        let mut left = STATEMENTS_MAX;
        self.statement();
        while left > 0 && !self.choices.is_used_up() {
            self.statement();
            left -= 1;
        }
        self.line("for (int i = 0; i < 8; i++) sum = mixed(sum, bytes[i]);");
        self.line("for (int i = 0; i < 4; i++) sum = mixed(sum, shorts[i]);");
        self.line("sum = mixed(sum, parts.first + parts.second + parts.third + parts.fifth);");
        self.line("sum = mixed(sum, (u64)(i64)parts.fourth);");
        for variable in self.variables.clone() {
            self.line(&format!("sum = mixed(sum, (u64){});", variable.name));
        }
        self.line("return sum;");
        self.text.push_str("}\n\n");
    }

    fn line(&mut self, line: &str) {
        for _ in 0..=self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn constant(&mut self) -> &'static str {
        self.choices.pick(&CONSTANTS)
    }

    /// An expression of a type, in terms of the variables that can be named here.
    fn expression(&mut self, ty: &'static str, depth: u32) -> String {
        if depth == 0 || self.choices.is_used_up() {
            return self.leaf(ty);
        }
        match self.choices.below(13) {
            0 | 1 => self.leaf(ty),
            2..=6 => {
                let operation = self.choices.pick(&OPERATIONS);
                let left = self.expression(ty, depth - 1);
                let right = self.expression(ty, depth - 1);
                format!("{ty}_{operation}({left}, {right})")
            }
            7 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                format!("({condition} ? {yes} : {no})")
            }
            8 => {
                let other = self.choices.pick(&TYPES);
                let inner = self.expression(other, depth - 1);
                format!("({ty})({inner})")
            }
            9 => {
                let (table, mask) = self.choices.pick(&[
                    ("table8", 15),
                    ("bytes", 7),
                    ("table16", 7),
                    ("shorts", 3),
                    ("table32", 7),
                    ("table64", 7),
                ]);
                let index = self.expression("u8", depth - 1);
                format!("({ty}){table}[{index} & {mask}]")
            }
            10 => {
                let inner = self.expression("u32", depth - 1);
                let function = self.choices.pick(&[
                    "__builtin_popcount",
                    "__builtin_bswap32",
                    "times_three",
                    "depth_of",
                    "__builtin_parity",
                ]);
                format!("({ty}){function}({inner})")
            }
            11 => {
                let number = self.number(depth - 1);
                format!("({ty})whole({number})")
            }
            _ => {
                let inner = self.expression(ty, depth - 1);
                let operator = self.choices.pick(&["~", "!", "-(u64)"]);
                format!("({ty})({operator}({inner}))")
            }
        }
    }

    /// An expression of type `double` or `float`.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.choices.is_used_up() {
            let ty = self.choices.pick(&TYPES);
            return match self.choices.below(4) {
                0 => self.choices.pick(&["0.1", "2.5f", "-0.0", "1e9f", "3.0", "1e-3"]).to_owned(),
                1 => format!("(float)({})", self.leaf(ty)),
                _ => format!("(double)({})", self.leaf(ty)),
            };
        }
        let left = self.number(depth - 1);
        match self.choices.below(8) {
            0 => format!("(float)({left})"),
            1 => format!("root({left})"),
            2 => {
                let function = self.choices.pick(&["floor", "ceil", "trunc", "rint", "fabs"]);
                format!("__builtin_{function}({left})")
            }
            _ => {
                let operation = self.choices.pick(&["add", "sub", "mul", "div"]);
                let precision = self.choices.pick(&["single", "double"]);
                let right = self.number(depth - 1);
                format!("{precision}_{operation}({left}, {right})")
            }
        }
    }

    fn leaf(&mut self, ty: &'static str) -> String {
        // A program that has no byte left to choose with still depends on its input.
        if self.choices.below(4) == 3 {
            return format!("({ty}){}", self.constant());
        }
        let newest_first = self.choices.below(self.variables.len());
        let variable = &self.variables[newest_first];
        if variable.ty == ty { variable.name.clone() } else { format!("({ty}){}", variable.name) }
    }

    fn condition(&mut self, depth: u32) -> String {
        let ty = self.choices.pick(&TYPES);
        let operator = self.choices.pick(&["==", "<", ">", "!=", ">=", "&"]);
        if operator != "&" && self.choices.below(6) == 0 {
            let (left, right) = (self.number(depth), self.number(0));
            return format!("({left} {operator} {right})");
        }
        let left = self.expression(ty, depth);
        let right =
            if self.choices.flag() { self.leaf(ty) } else { format!("({ty}){}", self.constant()) };
        format!("({left} {operator} {right})")
    }

    fn block(&mut self, begin: &str, statements: usize) {
        self.line(begin);
        self.depth += 1;
        let outer = self.variables.len();
        for _ in 0..statements {
            self.statement();
        }
        self.variables.truncate(outer);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let nested = self.depth < BLOCK_DEPTH && !self.choices.is_used_up();
        match self.choices.below(20) {
            0 | 1 => self.declaration(),
            2 => self.assignment(),
            3 => self.array_store(),
            4 | 5 if nested => self.branch(),
            6 if nested => self.counted_loop(),
            7 if nested => self.symbolic_loop(),
            8 if nested => self.switch(),
            9 => self.failure(),
            10 => self.bug(),
            11 => self.memory_function(),
            12 => self.string_function(),
            13 => self.pointer(),
            14 => self.parts(),
            15 => self.calls(),
            16 => self.heap(),
            17 => self.text_of_number(),
            18 => self.long_jump(),
            19 if self.symbolic_bytes == 1 => self.processes(),
            _ => self.declaration(),
        }
    }

    fn declaration(&mut self) {
        let ty = self.choices.pick(&TYPES);
        let value = self.expression(ty, EXPRESSION_DEPTH);
        self.declare(ty, &value);
    }

    /// Declares a variable, which later expressions may name.
    fn declare(&mut self, ty: &'static str, value: &str) {
        let name = self.fresh();
        self.line(&format!("{ty} {name} = {value};"));
        self.variables.push(Variable { name, ty });
    }

    fn assignment(&mut self) {
        let chosen = self.choices.below(self.variables.len());
        let Variable { name, ty } = self.variables[chosen].clone();
        let value = self.expression(ty, EXPRESSION_DEPTH);
        self.line(&format!("{name} = {value};"));
    }

    fn array_store(&mut self) {
        let index = self.expression("u8", 2);
        if self.choices.flag() {
            let value = self.expression("u16", 2);
            self.line(&format!("shorts[{index} & 3] = {value};"));
        } else {
            let value = self.expression("u8", 2);
            self.line(&format!("bytes[{index} & 7] = {value};"));
        }
    }

    fn branch(&mut self) {
        let condition = self.condition(EXPRESSION_DEPTH - 1);
        let statements = 1 + self.choices.below(2);
        self.block(&format!("if {condition} {{"), statements);
        if self.choices.flag() {
            self.block("} else {", 1);
        }
        self.line("}");
    }

    fn counted_loop(&mut self) {
        let rounds = 1 + self.choices.below(4);
        let name = self.fresh();
        self.line(&format!("for (u8 {name} = 0; {name} < {rounds}; {name}++) {{"));
        self.depth += 1;
        let outer = self.variables.len();
        self.variables.push(Variable::new(&name, "u8"));
        if self.choices.flag() {
            let condition = self.condition(1);
            let leave = self.choices.pick(&["break", "continue"]);
            self.line(&format!("if {condition} {leave};"));
        }
        // The counter is read but not assigned, so that the loop ends.
        let value = self.expression("u16", 2);
        self.line(&format!("shorts[{name} & 3] = u16_add(shorts[{name} & 3], {value});"));
        self.variables.truncate(outer);
        self.depth -= 1;
        self.line("}");
    }

    fn symbolic_loop(&mut self) {
        let (bound, name) = (self.expression("u8", 2), self.fresh());
        self.line(&format!("u8 {name} = {bound} & 3;"));
        let body = self.expression("u8", 2);
        self.line("do {");
        self.line(&format!("  bytes[{name} & 7] = u8_xor(bytes[{name} & 7], {body});"));
        self.line(&format!("}} while ({name}-- > 0);"));
        self.variables.push(Variable::new(&name, "u8"));
    }

    fn switch(&mut self) {
        let value = self.expression("u32", 2);
        let (first, second) = (self.choices.below(8), 8 + self.choices.below(8));
        self.line(&format!("switch ({value} & 15) {{"));
        self.block(&format!("case {first}: {{"), 1);
        let end = if self.choices.flag() { "} break;" } else { "} /* fall through */" };
        self.line(end);
        self.block(&format!("case {second}: {{"), 1);
        self.line("} break;");
        self.block("default: {", 1);
        self.line("}");
        self.line("}");
    }

    fn number_of_failure(&mut self) -> usize {
        self.next_failure += 1;
        self.next_failure - 1
    }

    /// An abort under a condition that few values fulfil.
    fn failure(&mut self) {
        let condition = self.condition(EXPRESSION_DEPTH);
        let number = self.number_of_failure();
        self.line(&format!("if {condition} {{"));
        self.line(&format!("  if (native) fail({number});"));
        self.line(&format!("  abort(); /* fail {number} */"));
        self.line("}");
    }

    /// A bug for some values: natively they are noticed before it happens.
    fn bug(&mut self) {
        let index = self.expression("u8", 2);
        let (name, number) = (self.fresh(), self.number_of_failure());
        // The optimiser must not know the value: it takes for granted that no bug happens.
        self.line(&format!("u8 {name} = hidden({index});"));
        let (condition, bug) = match self.choices.below(5) {
            0 => (format!("{name} >= 8"), format!("sink = ((volatile u8 *)bytes)[{name}];")),
            1 => (format!("{name} == 0"), format!("sink = table64[2] / {name};")),
            2 => {
                (format!("{name} >= 16"), format!("sink = ((volatile const u8 *)table8)[{name}];"))
            }
            3 => {
                let pointer = format!("hidden_pointer({name} == 77 ? NULL : bytes)");
                (format!("{name} == 77"), format!("*{pointer} = 1;"))
            }
            _ => {
                let index = format!("hidden({name} > 200 ? 4 : 0)");
                (format!("{name} > 200"), format!("((volatile u16 *)shorts)[{index}] = 1;"))
            }
        };
        self.line(&format!("if (native && {condition}) fail({number});"));
        self.line(&format!("{bug} /* fail {number} */"));
    }

    fn memory_function(&mut self) {
        let length = self.expression("u8", 2);
        let value = self.expression("u8", 1);
        let line = match self.choices.below(4) {
            0 => format!("memmove(bytes + 1, bytes, {length} & 7);"),
            1 => format!("memset(bytes, {value}, {length} & 7);"),
            2 => format!("memcpy(shorts, bytes, {length} & 7);"),
            _ => format!("if (memcmp(bytes, table8, {length} & 7) == 0) bytes[0] = {value};"),
        };
        self.line(&line);
    }

    fn string_function(&mut self) {
        self.line("bytes[7] = 0;");
        let value = self.expression("u8", 1);
        let call = match self.choices.below(6) {
            0 => "(u32)strlen((char *)bytes)".to_owned(),
            1 => format!("(strchr((char *)bytes, {value} | 1) != NULL)"),
            2 => format!(
                "({{ u8 *found = memchr(bytes, {value}, 8); found ? (u32)(found - bytes) : 9u; }})"
            ),
            3 => "(strcmp((char *)bytes, \"\\1A\") < 0)".to_owned(),
            4 => "(u32)strspn((char *)bytes, \"\\1\\2AB\")".to_owned(),
            _ => "(strncmp((char *)bytes, \"A\", 2) == 0)".to_owned(),
        };
        self.declare("u32", &call);
    }

    fn pointer(&mut self) {
        let condition = self.condition(2);
        let value = self.expression("u8", 2);
        let name = self.fresh();
        let (left, right) = (self.choices.below(8), self.choices.below(8));
        let other = if self.choices.flag() {
            "&parts.first".to_owned()
        } else {
            format!("&bytes[{right}]")
        };
        self.line(&format!("u8 *{name} = {condition} ? &bytes[{left}] : {other};"));
        self.line(&format!("*{name} = u8_add(*{name}, {value});"));
    }

    fn parts(&mut self) {
        let value = self.expression("u32", 2);
        let line = match self.choices.below(6) {
            0 => format!("parts.first = (u8){value};"),
            1 => format!("parts.third = {value} & 7;"),
            2 => format!("parts.fourth = (int)({value} & 31) - 16;"),
            3 => format!("parts.fifth = u64_mul(parts.fifth, {value});"),
            4 => {
                let views = format!("union views views = {{.whole = {value} * 257ull}};");
                format!("{{ {views} parts.second = views.halves[1] + views.bytes[0]; }}")
            }
            _ => format!("{{ struct parts copy = parts; copy.second += {value}; parts = copy; }}"),
        };
        self.line(&line);
    }

    fn calls(&mut self) {
        let (index, value) = (self.expression("u8", 2), self.expression("u32", 2));
        let call = match self.choices.below(3) {
            0 => format!("functions[{index} & 3]({value})"),
            1 => format!("depth_of({value})"),
            _ => format!("(u32)sum_of(3, (u64){value}, 7ull, (u64){index})"),
        };
        self.declare("u32", &call);
    }

    fn heap(&mut self) {
        let (size, value) = (self.expression("u8", 2), self.expression("u16", 2));
        let name = self.fresh();
        if self.choices.flag() {
            self.line("qsort(shorts, 4, sizeof *shorts, by_value);");
            return;
        }
        self.line(&format!("u16 *{name} = calloc(4, sizeof *{name});"));
        self.line(&format!("{name}[{size} & 3] = {value};"));
        let read = format!("{name}[1]");
        self.declare("u16", &read);
        self.line(&format!("free({name});"));
    }

    fn text_of_number(&mut self) {
        let (value, name) = (self.expression("u8", 2), self.fresh());
        self.line(&format!("char {name}[8];"));
        let format = self.choices.pick(&["%d", "%x", "%2u"]);
        let base = if format == "%x" { 16 } else { 10 };
        self.line(&format!("snprintf({name}, sizeof {name}, \"{format}\", {value} & 31);"));
        let number = format!("(u32)strtol({name}, NULL, {base})");
        self.declare("u32", &number);
    }

    fn long_jump(&mut self) {
        let condition = self.condition(2);
        let name = self.fresh();
        self.line(&format!("jmp_buf {name};"));
        self.line(&format!("if (setjmp({name}) == 0) {{"));
        self.line(&format!("  if {condition} longjmp({name}, 1);"));
        self.line("} else {");
        self.line("  sink = 1;");
        self.line("}");
    }

    fn processes(&mut self) {
        let value = self.expression("u8", 2);
        let (ty, call) = match self.choices.below(3) {
            0 => ("u8", format!("status_of_child({value})")),
            1 => ("u64", format!("result_of_thread({value} * 3ull)")),
            _ => ("u16", format!("through_pipe({value})")),
        };
        self.declare(ty, &call);
    }
}
