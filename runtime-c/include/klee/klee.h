/* KLEE's public C interface (KLEE 3.x), as Everett implements it.
 *
 * A program written for KLEE compiles against this header unchanged. The same functions exist in
 * the native replay library (runtime-c/native), where symbolic inputs come from a .ktest file.
 */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KLEE_NORETURN __attribute__((__noreturn__))

/* --- Symbolic inputs ------------------------------------------------------------------------ */

/* Gives the nbytes bytes at addr fresh unknown values. The range must be one whole object for a
 * KLEE-compatible test file. name identifies the input in findings and tests; NULL means
 * "unnamed". */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* A fresh symbolic int, begin <= value < end. An empty interval is a user-error finding. */
int klee_range(int begin, int end, const char *name);

/* A fresh symbolic int without constraints. */
int klee_int(const char *name);

/* A fresh symbolic number below n, in one state: the caller's comparisons are what branches. */
uintptr_t klee_choose(uintptr_t n);

/* --- Constraints ---------------------------------------------------------------------------- */

/* Keeps only inputs for which condition is not zero. A condition that cannot hold here is a
 * user-error finding. */
void klee_assume(uintptr_t condition);

/* Wishes for the test case: among the inputs of this path, take ones that satisfy condition if
 * there are any. The path itself is not constrained. */
void klee_prefer_cex(void *object, uintptr_t condition);

/* The same, for inputs made by a POSIX model; it may be ignored. */
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* --- Asking about values -------------------------------------------------------------------- */

/* Not zero if the value is an expression over symbolic inputs in this state. */
unsigned klee_is_symbolic(uintptr_t n);

/* Not zero in a native replay, zero under the engine. */
unsigned klee_is_replay(void);

/* One value that the argument can have on this path. The path is not constrained to it. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* Prints the message and the expression of the argument that follows it. */
void klee_print_expr(const char *msg, ...);

/* Prints the smallest and largest value that arg can have on this path. */
void klee_print_range(const char *name, int arg);

/* The errno of this state. */
int klee_get_errno(void);

/* --- Memory --------------------------------------------------------------------------------- */

/* Declares nbytes of accessible memory at a fixed address, as of a device. */
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Size in bytes of the object that starts at or contains ptr. */
size_t klee_get_obj_size(void *ptr);

/* Ends the path with a finding unless [address, address + size) lies within one live object. */
void klee_check_memory_access(const void *address, size_t size);

/* Marks an object as belonging to the environment, which no leak or escape check blames. */
void klee_mark_global(void *object);

/* --- Ending a path -------------------------------------------------------------------------- */

/* Ends the path without a test case. */
KLEE_NORETURN void klee_silent_exit(int status);

/* Ends the path with an abort finding. */
KLEE_NORETURN void klee_abort(void);

/* Ends the path with a user-error finding that carries this place and message. suffix names the
 * kind of error file KLEE would write. */
KLEE_NORETURN void klee_report_error(const char *file, int line, const char *message,
                                     const char *suffix);

/* Bound by name to the function behind assert(), so that klee_assert needs no other header and
 * works when NDEBUG is defined. */
KLEE_NORETURN void klee_internal_assert_fail(const char *assertion, const char *file,
                                             unsigned line, const char *function)
    __asm__("__assert_fail");

#define klee_assert(expr)                                                                        \
  ((expr) ? (void)0 : klee_internal_assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))

/* --- Controlling exploration ---------------------------------------------------------------- */

/* With 0, symbolic branches of this state follow one feasible side and do not fork. */
void klee_set_forking(unsigned enable);

/* States that forked after an open merge may be joined again at the matching close. */
void klee_open_merge(void);
void klee_close_merge(void);

/* The older form: joins states that reach this call. */
void klee_merge(void);

/* From here on, calls of the function fn_name (or of those that the regular expression matches)
 * run new_fn_name in this state, until undone under the same name or expression. */
void klee_alias_function(const char *fn_name, const char *new_fn_name);
void klee_alias_function_regex(const char *fn_regex, const char *new_fn_name);
void klee_alias_undo(const char *alias);

/* --- Messages ------------------------------------------------------------------------------- */

void klee_warning(const char *message);
void klee_warning_once(const char *message);

/* Prints the stack of this state. */
void klee_stack_trace(void);

#undef KLEE_NORETURN

#ifdef __cplusplus
}
#endif

#endif
