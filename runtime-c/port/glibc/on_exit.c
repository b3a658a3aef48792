/* on_exit(3) of SunOS: the functions are called in the order of atexit(3), with the status that the process
 * ends with. */
#define _GNU_SOURCE
#include <stdlib.h>

int __cxa_atexit(void (*function)(void *), void *arg, void *object);
extern int __everett_exit_status;

struct call {
  void (*function)(int, void *);
  void *arg;
};

static void call(void *given) {
  struct call *entry = given;
  entry->function(__everett_exit_status, entry->arg);
}

int on_exit(void (*function)(int, void *), void *arg) {
  struct call *entry = malloc(sizeof *entry);
  if (!entry)
    return -1;
  *entry = (struct call){function, arg};
  return __cxa_atexit(call, entry, 0);
}
