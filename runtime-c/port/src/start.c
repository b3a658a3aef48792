/* How a program starts and ends.
 *
 * The engine makes one object {argc, argv..., 0, envp..., 0, auxv..., 0} and enters __everett_init with
 * its address, then the function that the program begins with. */
#include <stddef.h>
#include <stdlib.h>
#include "libc.h"
#include "pthread_impl.h"

/* Where the engine's allocator leaves ENOMEM. */
_Static_assert(offsetof(struct pthread, errno_val) == 52, "errno is where the engine writes it");

extern int __everett_constructor(long number);
extern int __everett_destructor(long number);
extern int main(int, char **, char **);

/* musl calls these where an object file would have its own. */
void _init(void) {
  for (long i = 0; __everett_constructor(i); i++)
    ;
}
void _fini(void) {
  for (long i = 0; __everett_destructor(i); i++)
    ;
}

void __everett_init(long *start) {
  long argc = start[0];
  char **argv = (char **)(start + 1);
  __init_libc(argv + argc + 1, argv[0]);
  __libc_start_init();
}

int __everett_main(int argc, char **argv, char **envp) { exit(main(argc, argv, envp)); }
