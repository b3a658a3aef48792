/* Random numbers of the BSDs: good ones without asking. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *to, size_t n) {
  char *next = to;
  while (n > 0) {
    ssize_t got = getrandom(next, n, 0);
    if (got < 0)
      abort();
    next += got;
    n -= got;
  }
}

uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

/* Values below the remainder would be more likely than others: they are drawn again. */
uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2)
    return 0;
  uint32_t value, least = -bound % bound;
  do
    value = arc4random();
  while (value < least);
  return value % bound;
}
