//@ args: --strings expression
//@ paths: 2
// What strchr found is a pointer with an unknown offset; strings that start there need no fork.
#define _GNU_SOURCE
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[7];
volatile int found, missing;

int main(void) {
  klee_make_symbolic(s, 6, "s");
  char *colon = strchr(s, ':');
  if (!colon) {
    missing = 1;
    return 0;
  }
  found = 1;
  assert(*colon == ':' && strlen(colon) <= 6);
  assert(strchrnul(s, ':') == colon && memchr(s, ':', 6) == colon);
  assert(strncmp(colon, ":", 1) == 0);
  return 0;
}
