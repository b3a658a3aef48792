/* Linked natively to programs that are replayed with --coverage, beside clang's runtime, and wraps two functions.
 *
 * That runtime allocates for each file before main, and a replay counts allocations; so what it would keep in a list
 * is kept here. And it counts nothing of a process that ends by _exit, as children do. */

typedef void function(void);

static function *write_counts;

void __wrap_llvm_gcov_init(function *write, function *reset) {
  (void)reset;
  write_counts = write;
}

__attribute__((destructor)) static void end(void) { write_counts(); }

_Noreturn void __real__exit(int code);

_Noreturn void __wrap__exit(int code) {
  write_counts();
  __real__exit(code);
}
