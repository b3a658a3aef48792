/* Functions registered to run at the end of the process.
 *
 * exit() and the return of main are the engine's: it calls __everett_run_exit_handlers, then the
 * module's destructors, then ends the path. */
#include <errno.h>
#include <stdlib.h>

void __everett_run_exit_handlers(void);
int __cxa_atexit(void (*handler)(void *), void *argument, void *dso);

enum { CAPACITY = 128 };

struct entry {
  void (*plain)(void);
  void (*with_argument)(void *);
  void *argument;
};

static struct entry entries[CAPACITY];
static size_t used;

static int add(struct entry e) {
  if (used == CAPACITY) {
    errno = ENOMEM;
    return -1;
  }
  entries[used++] = e;
  return 0;
}

int atexit(void (*handler)(void)) { return add((struct entry){handler, 0, 0}); }

int __cxa_atexit(void (*handler)(void *), void *argument, void *dso) {
  (void)dso;
  return add((struct entry){0, handler, argument});
}

/* The last registered runs first; a handler may register more. */
void __everett_run_exit_handlers(void) {
  while (used > 0) {
    struct entry e = entries[--used];
    if (e.plain)
      e.plain();
    else
      e.with_argument(e.argument);
  }
}
