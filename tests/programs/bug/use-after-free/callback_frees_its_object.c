//@ opt: O0
// An object frees itself in a callback and the caller goes on with it.
#include <stdlib.h>

struct object { void (*run)(struct object *); int state; };

static void finish(struct object *o) { free(o); }

int main(void) {
  struct object *o = malloc(sizeof *o);
  o->run = finish;
  o->state = 1;
  o->run(o);
  return o->state; // expect: bug use-after-free
}
