/* klee/klee.h for a program that runs natively.
 *
 * With KTEST_FILE set, symbolic inputs come from that .ktest file, in order; an input that the
 * file does not have, or has under another name or size, is an error (exit code 1, or a mere
 * message if KLEE_RUN_TEST_ERRORS_NON_FATAL is set). Without it, every input is zero, or the
 * number nearest to zero that klee_range allows. In a native replay of a system they come from its
 * script instead, so that each process gets its own. */
#include <everett.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ktest.h"

/* There if the program is replayed as a part of a system (runtime-c/replay): gives the next input of the running
 * thread, and says whether it did. */
__attribute__((weak)) int everett_replay_input(void *to, size_t size, const char *name);

static struct ktest test;
static uint32_t next_object;
static enum { UNKNOWN, GIVEN, ALL_ZERO } source = UNKNOWN;

__attribute__((format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fputs("klee replay: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  if (!getenv("KLEE_RUN_TEST_ERRORS_NON_FATAL"))
    exit(1);
}

static void open_source(void) {
  const char *path = getenv("KTEST_FILE");
  if (!path) {
    source = ALL_ZERO;
    return;
  }
  const char *problem = ktest_read(path, &test);
  if (problem) {
    fprintf(stderr, "klee replay: KTEST_FILE %s %s\n", path, problem);
    exit(1);
  }
  source = GIVEN;
}

/* The next input. KLEE's POSIX model adds one called model_version that no program asks for. */
static const struct ktest_object *take_object(const char *name) {
  const char *internal = "model_version";
  if (next_object < test.object_count && strcmp(name, internal) != 0 &&
      strcmp(test.objects[next_object].name, internal) == 0)
    next_object++;
  return next_object < test.object_count ? &test.objects[next_object++] : NULL;
}

void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {
  if (!name)
    name = "unnamed";
  if (everett_replay_input && everett_replay_input(addr, nbytes, name)) {
    source = GIVEN;
    return;
  }
  if (source == UNKNOWN)
    open_source();
  memset(addr, 0, nbytes);
  if (source == ALL_ZERO)
    return;
  const struct ktest_object *object = take_object(name);
  if (!object) {
    fail("the test has no input left for \"%s\" (%zu bytes)", name, nbytes);
    return;
  }
  if (strcmp(object->name, name) != 0)
    fail("the program asks for \"%s\", the test has \"%s\" next", name, object->name);
  if (object->size != nbytes)
    fail("\"%s\" has %zu bytes in the program and %u in the test", name, nbytes, object->size);
  memcpy(addr, object->bytes, object->size < nbytes ? object->size : nbytes);
}

int klee_int(const char *name) {
  int x;
  klee_make_symbolic(&x, sizeof x, name);
  return x;
}

int klee_range(int begin, int end, const char *name) {
  if (begin >= end)
    fail("klee_range: [%d, %d) is empty", begin, end);
  if (begin < end && end - 1 == begin)
    return begin;
  int x = klee_int(name);
  if (source == ALL_ZERO)
    return begin > 0 ? begin : end <= 0 ? end - 1 : 0;
  if (x < begin || x >= end)
    fail("\"%s\" is %d, outside [%d, %d)", name ? name : "unnamed", x, begin, end);
  return x;
}

uintptr_t klee_choose(uintptr_t n) {
  uintptr_t x;
  klee_make_symbolic(&x, sizeof x, "klee_choose");
  if (x >= n)
    fail("klee_choose(%zu) got %zu", (size_t)n, (size_t)x);
  return x;
}

void klee_assume(uintptr_t condition) {
  if (!condition)
    fail("a klee_assume does not hold for these inputs");
}

void klee_abort(void) { abort(); }

void klee_silent_exit(int status) { exit(status); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s (%s)\n", file, line, message, suffix);
  exit(1);
}

unsigned klee_is_replay(void) { return 1; }
unsigned klee_is_symbolic(uintptr_t n) { return (void)n, 0; }

float klee_get_valuef(float expr) { return expr; }
double klee_get_valued(double expr) { return expr; }
long klee_get_valuel(long expr) { return expr; }
long long klee_get_valuell(long long expr) { return expr; }
int32_t klee_get_value_i32(int32_t expr) { return expr; }
int64_t klee_get_value_i64(int64_t expr) { return expr; }
int klee_get_errno(void) { return errno; }

/* Nothing of the following has a native meaning: sizes are unknown, nothing forks. */

size_t klee_get_obj_size(void *ptr) {
  (void)ptr;
  fail("klee_get_obj_size has no answer outside the engine");
  return 0;
}

void klee_define_fixed_object(void *addr, size_t nbytes) {
  fail("klee_define_fixed_object(%p, %zu) cannot be replayed natively", addr, nbytes);
}

void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_mark_global(void *object) { (void)object; }
void klee_check_memory_access(const void *address, size_t size) { (void)address, (void)size; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_merge(void) {}
void klee_print_expr(const char *msg, ...) { (void)msg; }
void klee_print_range(const char *name, int arg) { (void)name, (void)arg; }
void klee_warning(const char *message) { fprintf(stderr, "warning: %s\n", message); }
void klee_stack_trace(void) {}

void klee_warning_once(const char *message) {
  static const char *last;
  if (message != last)
    klee_warning(message);
  last = message;
}

void klee_alias_function(const char *fn_name, const char *new_fn_name) {
  fail("klee_alias_function(\"%s\", \"%s\") cannot be replayed natively", fn_name, new_fn_name);
}

void klee_alias_function_regex(const char *fn_regex, const char *new_fn_name) {
  klee_alias_function(fn_regex, new_fn_name);
}

void klee_alias_undo(const char *alias) { (void)alias; }

/* Threads run natively as the machine lets them, or as the replay says. */
void everett_preempt_off(void) {}
void everett_preempt_on(void) {}
int everett_preemptions(int most) {
  (void)most;
  return 0;
}

/* What a receiver makes of a message is of no interest natively. */
void everett_accept(void) {}
void everett_reject(void) {}

/* A replay gives the program the bytes of the message that came instead. */
void everett_message(void *buffer, size_t length) {
  if (everett_replay_input)
    everett_replay_input(buffer, length, "trojan message");
}

/* Messages are put into words for findings, and there are none natively. */
void everett_decode(const char *protocol, int (*decoder)(const void *, size_t, char *, size_t)) {
  (void)protocol, (void)decoder;
}

/* Nothing bad happens natively but what does by itself. */
int everett_faults(int on) {
  static int switched = 1;
  int before = switched;
  switched = on != 0;
  return before;
}
