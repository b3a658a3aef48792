//@ opt: O0
// A small request parser with a length check off by one and a missing null check.
#include <klee/klee.h>
#include <string.h>

static char name[4];

static const char *command(char c) {
  switch (c) {
  case 'G': return "get";
  case 'P': return "put";
  default: return 0;
  }
}

int main(void) {
  char request[8];
  klee_make_symbolic(request, sizeof request, "request");
  const char *c = command(request[0]);
  unsigned length = (unsigned char)request[1];
  if (length > 5)
    return 1;
  for (unsigned i = 0; i < length; i++)
    name[i] = request[2 + i]; // expect: bug out-of-bounds
  return c[0] == 'g'; // expect: bug null-pointer
}
