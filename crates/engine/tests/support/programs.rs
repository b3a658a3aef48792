//! Programs that several tests explore.

use std::sync::Arc;

use everett_ir::Program;

/// Loads the text of a module.
pub(crate) fn load(text: &str) -> Arc<Program> {
    let loaded = everett_llvm::load_bytes("test.ll", text.as_bytes(), &Default::default());
    Arc::new(loaded.expect("the text is valid").program)
}

/// Forks once for each of the first `n` bytes of an input, and does something at the end.
pub(crate) fn forks_and(n: usize, end: &str) -> String {
    let mut text = String::from(
        "declare void @klee_make_symbolic(ptr, i64, ptr)\n\
         @name = private constant [4 x i8] c\"buf\\00\"\n\
         define i32 @main() {\nentry:\n  %buf = alloca [20 x i8]\n\
           call void @klee_make_symbolic(ptr %buf, i64 20, ptr @name)\n  br label %b0\n",
    );
    for i in 0..n {
        text += &format!(
            "b{i}:\n  %p{i} = getelementptr i8, ptr %buf, i64 {i}\n  %v{i} = load i8, ptr %p{i}\n\
               %c{i} = icmp sgt i8 %v{i}, 97\n  br i1 %c{i}, label %t{i}, label %b{}\n\
             t{i}:\n  store volatile i8 0, ptr %p{i}\n  br label %b{}\n",
            i + 1,
            i + 1
        );
    }
    text + &format!("b{n}:\n{end}  ret i32 {n}\n}}\n")
}

/// What divides by the last byte of the input, for the end of [`forks_and`].
#[allow(dead_code, reason = "some tests want no end of their own")]
pub(crate) const DIVISION: &str = "  %l = getelementptr i8, ptr %buf, i64 19\n\
     \x20 %d = load i8, ptr %l\n  %q = udiv i8 100, %d\n";
