/* The daemon that caches names: there is none on the simulated machine, and no socket to ask it by. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <features.h>

enum { PROTOCOL_VERSION = 2 };

/* Answers as where nobody listens: nothing was found, and nothing went wrong. */
hidden FILE *__nscd_query(int32_t request, const char *key, int32_t *answer, size_t size, int *swap) {
  int before = errno;
  memset(answer, 0, size);
  answer[0] = PROTOCOL_VERSION;
  *swap = 0;
  FILE *nothing = fopen("/dev/null", "re");
  if (nothing)
    errno = before;
  return nothing;
}
