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

extern void __everett_constructors(void);
extern void __everett_destructors(void);
extern int main(int, char **, char **);

/* musl calls these where an object file would have its own. */
void _init(void) { __everett_constructors(); }
void _fini(void) { __everett_destructors(); }

void __everett_init(long *start) {
  long argc = start[0];
  char **argv = (char **)(start + 1);
  __init_libc(argv + argc + 1, argv[0]);
  __libc_start_init();
}

int __everett_main(int argc, char **argv, char **envp) { exit(main(argc, argv, envp)); }
