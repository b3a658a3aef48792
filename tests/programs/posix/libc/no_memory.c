//@ native: yes
// Nobody has as much memory as is asked for here, and errno says so.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* Kept from the compiler, which does away with memory that nobody uses. */
static volatile size_t half = SIZE_MAX / 2, all = SIZE_MAX;
static void *volatile seen;

/* Apart from main: for clang, malloc leaves errno alone. */
static __attribute__((noinline)) int is_told(void *none) {
  int error = errno;
  errno = 0;
  seen = none;
  return !seen && error == ENOMEM;
}

/* Each thread has its own errno. */
static void *fail(void *unused) {
  assert(errno == 0 && is_told(malloc(half)));
  errno = EDOM;
  return unused;
}

int main(void) {
  void *aligned = NULL;
  pthread_t thread;
  char *kept = malloc(4);
  errno = 0;
  assert(kept && is_told(malloc(half)) && is_told(malloc(all)));
  assert(is_told(calloc(half, 4)) && is_told(calloc(half, 1)));
  assert(is_told(realloc(NULL, half)) && is_told(realloc(kept, half)) && is_told(reallocarray(kept, half, 4)));
  assert(is_told(aligned_alloc(64, half & -64)));
  assert(posix_memalign(&aligned, 64, half) == ENOMEM && !aligned);
  assert(posix_memalign(&aligned, 24, 8) == EINVAL && !aligned);
  errno = 0;
  assert(pthread_create(&thread, NULL, fail, NULL) == 0 && pthread_join(thread, NULL) == 0);
  assert(errno == 0);
  free(kept);
  assert(errno == 0);
  return 0;
}
