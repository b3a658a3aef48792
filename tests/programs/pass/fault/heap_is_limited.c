// The heap holds 1000 bytes; what is freed can be used again.
//@ args: --max-heap 1000
//@ paths: 1
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int is_told(void) {
  int error = errno;
  errno = 0;
  return error == ENOMEM;
}

int main(void) {
  char *first = malloc(600);
  void *aligned;
  assert(first && errno == 0 && !malloc(500) && is_told());
  assert(!calloc(5, 100) && is_told() && !aligned_alloc(64, 500) && is_told());
  assert(posix_memalign(&aligned, 64, 500) == ENOMEM);
  errno = 0;
  char *second = malloc(400);
  assert(second && !malloc(1) && is_told() && !strdup("") && is_told() && !strndup("abc", 2) && is_told());
  free(second);
  first = realloc(first, 1000);
  assert(first && errno == 0 && !realloc(first, 1001) && is_told() && !realloc(NULL, 1) && is_told());
  free(first);
  return 0;
}
